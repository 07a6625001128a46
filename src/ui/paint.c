/* SPDX-License-Identifier: MIT */
#include "ui/paint.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ui/theme.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>

struct rgb {
	int r, g, b;
};

static struct rgb
split(int32_t rgb)
{
	return (struct rgb){ rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff };
}

static const int32_t ansi[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, /* dark */
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff, /* bright */
};

static int32_t
cube_level(int step)
{
	return step ? 55 + 40 * step : 0;
}

int32_t
paint_palette(int index)
{
	if (index < 0 || index > 255)
		return 0;
	if (index < 16)
		return ansi[index];
	if (index >= 232)
		return (8 + 10 * (index - 232)) * 0x10101;
	index -= 16;
	return cube_level(index / 36) << 16 | cube_level(index / 6 % 6) << 8 |
	       cube_level(index % 6);
}

/* Return the difference of the largest and the smallest component; 0: a gray. */
static int
spread(int32_t rgb)
{
	struct rgb c = split(rgb);
	int max = c.r > c.g ? c.r : c.g, min = c.r < c.g ? c.r : c.g;

	return (c.b > max ? c.b : max) - (c.b < min ? c.b : min);
}

/* Lightness and hue apart. */
static int
distance(int32_t from, int32_t to)
{
	struct rgb p = split(from), q = split(to);
	int r = p.r - q.r, g = p.g - q.g, blue = p.b - q.b;
	int y = (299 * r + 587 * g + 114 * blue) / 1000;
	int cb = (blue - y) * 56 / 100, cr = (r - y) * 71 / 100;

	return y * y + cb * cb + cr * cr;
}

struct nearest {
	int32_t rgb;
	int index, distance;
};

static void
compare_entry(struct nearest *n, int index)
{
	int far = distance(n->rgb, paint_palette(index));

	if (far < n->distance) {
		n->distance = far;
		n->index = index;
	}
}

/* Return the level of the cube nearest to a component. */
static int
cube_step(int component)
{
	return component < 48 ? 0 : component < 115 ? 1 : (component - 35) / 40;
}

int
color_to_256(int32_t rgb)
{
	enum { TINT = 32 }; /* a color with a smaller spread is a gray */
	struct nearest n = { .rgb = rgb, .distance = INT_MAX };
	struct rgb c = split(rgb);
	int at[3] = { cube_step(c.r), cube_step(c.g), cube_step(c.b) };

	/* never the first 16: users change those */
	if (spread(rgb) < TINT) {
		for (int i = 16; i < 232; i += 43)
			compare_entry(&n, i);
		for (int i = 232; i < 256; i++)
			compare_entry(&n, i);
		return n.index;
	}
	/* The nearest entry is at most one level away in each component:
	 * test_cube_is_searched_near. */
	for (int r = at[0] - 1; r <= at[0] + 1; r++)
		for (int g = at[1] - 1; g <= at[1] + 1; g++)
			for (int b = at[2] - 1; b <= at[2] + 1; b++)
				if (r >= 0 && r < 6 && g >= 0 && g < 6 && b >= 0 && b < 6 &&
				    !(r == g && g == b))
					compare_entry(&n, 16 + 36 * r + 6 * g + b);
	return n.index;
}

int
color_to_16(int32_t rgb)
{
	enum { GRAY = 48 }; /* a smaller spread has no hue */
	static const int grays[] = { 0, 8, 7, 15 };
	struct nearest n = { .rgb = rgb, .distance = INT_MAX };
	struct rgb c = split(rgb);
	int min = c.r < c.g ? c.r : c.g;

	for (size_t i = 0; spread(rgb) < GRAY && i < ARRAY_LEN(grays); i++)
		compare_entry(&n, grays[i]);
	if (spread(rgb) < GRAY)
		return n.index;
	min = c.b < min ? c.b : min;
	int middle = min + spread(rgb) * 12 / 25;
	int hue = (c.r > middle) | (c.g > middle) << 1 | (c.b > middle) << 2;
	compare_entry(&n, hue);
	compare_entry(&n, hue + 8);
	return n.index;
}

static double
luminance(int32_t rgb)
{
	static const double weights[] = { 0.2126, 0.7152, 0.0722 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (rgb >> (16 - 8 * i) & 0xff) / 255.0;
		sum += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double
paint_contrast(int32_t rgb_a, int32_t rgb_b)
{
	double a = luminance(rgb_a), b = luminance(rgb_b);

	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

#define RGB_FLAG STYLE_RGB(0)

static bool
is_rgb(uint32_t ink)
{
	return (ink & RGB_FLAG) != 0;
}

/* Return the background of a role or a color behind text; COLOR_DEFAULT: none. */
static int32_t
background(const struct theme *theme, uint32_t ground)
{
	if (is_rgb(ground))
		return (int32_t)(ground & 0xffffff);
	if (ground == ROLE_NONE || ground == ROLE_TEXT || ground >= ROLE_COUNT)
		return COLOR_DEFAULT;
	return theme->roles[ground].bg;
}

/* Reverse on reverse is plain, so that a cursor shows in a selection. Dim in a selection would be a
 * patch of another ground. */
static uint8_t
combined(const struct theme *theme, struct style style, uint32_t ground)
{
	uint8_t ink = style.ink < ROLE_COUNT ? theme->roles[style.ink].attr : 0;
	uint8_t below = ground != style.ink && ground < ROLE_COUNT ? theme->roles[ground].attr : 0;
	uint8_t both = ink | below | style.attr;

	if (ink & below & ATTR_REVERSE)
		both &= (uint8_t)~ATTR_REVERSE;
	else if (both & ATTR_REVERSE)
		both &= (uint8_t)~ATTR_DIM;
	return both;
}

/* With few colors, most dark or pale grounds map to the screen's, so a tinted one keeps its hue.
 * own: a page or a picture chose it; there, nearly black is intended to be dark. */
static int32_t
ground_16(int32_t rgb, int32_t screen, bool own)
{
	enum { TINT = 20, DARK = 64 };
	int r = rgb >> 16 & 0xff, g = rgb >> 8 & 0xff, b = rgb & 0xff;
	int max = r > g ? r : g, min = r < g ? r : g;
	int nearest = color_to_16(rgb);

	max = b > max ? b : max;
	min = b < min ? b : min;
	if (rgb == screen || max - min < TINT || (own && max < DARK) || (nearest & 7) % 7 != 0)
		return nearest;
	int middle = (max + min) / 2;
	return (r > middle) | (g > middle) << 1 | (b > middle) << 2;
}

static bool
is_light(int32_t rgb)
{
	return paint_contrast(rgb, 0) > 7;
}

enum { BLUE = 4, WHITE = 7, GRAY = 8 };

/* Map to the dark half of the palette. Gray becomes blue, because black is the screen's. */
static int32_t
ground_8(int32_t ground)
{
	return ground == GRAY ? BLUE : ground > GRAY ? ground - GRAY : ground;
}

/* Bright inks are bold. */
static void
to_palette_8(struct paint *p)
{
	p->bg = ground_8(p->bg);
	if (p->fg > GRAY)
		p->attr |= ATTR_BOLD;
	p->fg = p->fg == GRAY ? WHITE : p->fg > GRAY ? p->fg - GRAY : p->fg;
	if (p->bg < 0 || p->fg < 0)
		return;
	bool bold = (p->attr & ATTR_BOLD) != 0;
	if (paint_contrast(paint_palette(p->fg + (bold ? GRAY : 0)), paint_palette(p->bg)) < 3)
		p->fg = is_light(paint_palette(p->bg)) ? 0 : WHITE;
}

/* Contrast of an ink: WCAG's for large text, all that a palette of 16 can promise. A hue may have
 * less: on a light ground most terminals have a darker green and cyan than xterm. */
static bool
is_legible_16(int ink, int32_t ground)
{
	const double least = (ink & 7) % 7 == 0 ? 3 : 1.9;

	return paint_contrast(paint_palette(ink), ground) >= least;
}

/* The dark half of the palette has the same hues as the bright one. */
static int
ink_16(int32_t rgb, int32_t ground)
{
	enum { BRIGHT = 8 };
	int nearest = color_to_16(rgb);

	if (!is_legible_16(nearest, ground) && is_legible_16(nearest ^ BRIGHT, ground))
		return nearest ^ BRIGHT;
	return nearest;
}

/* Color is the only difference between the inks of a chart: each takes the nearest legible color
 * that is still free. */
static int
series_16(const struct theme *theme, enum role role, int32_t ground)
{
	bool taken[16] = { false };
	int ink = 0;

	for (int i = ROLE_SERIES_1; i <= (int)role; i++) {
		int32_t rgb = theme->roles[i].fg;
		if (rgb == COLOR_DEFAULT)
			continue;
		ink = ink_16(rgb, ground);
		bool fits = !taken[ink] && is_legible_16(ink, ground);
		for (int best = -1, other = 0; !fits && other < 16; other++)
			if (!taken[other] && is_legible_16(other, ground) &&
			    (best < 0 || distance(rgb, ansi[other]) < distance(rgb, ansi[best])))
				ink = best = other;
		taken[ink] = true;
	}
	return ink;
}

static void
to_palette_16(const struct theme *theme, uint32_t ink, bool own, struct paint *p)
{
	if (p->bg == COLOR_DEFAULT) {
		p->fg = p->fg == COLOR_DEFAULT ? p->fg : color_to_16(p->fg);
		return;
	}
	p->bg = ground_16(p->bg, theme->roles[ROLE_TEXT].bg, own);
	int32_t behind = paint_palette(p->bg);
	if (p->fg != COLOR_DEFAULT)
		p->fg = ink >= ROLE_SERIES_1 && ink <= ROLE_SERIES_6
			    ? series_16(theme, (enum role)ink, behind)
			    : ink_16(p->fg, behind);
	if (p->fg == COLOR_DEFAULT || !is_legible_16(p->fg, behind))
		p->fg = is_light(behind) ? 0 : 15;
	if (p->fg == 0) /* many terminals show bold black as gray */
		p->attr &= (uint8_t)~ATTR_BOLD;
}

/* Both colors are mapped as grounds, so that one surface keeps one color. */
static void
to_palette_drawn(const struct theme *theme, struct paint *p, int colors)
{
	int32_t *both[] = { &p->fg, &p->bg }, screen = theme->roles[ROLE_TEXT].bg;

	for (size_t i = 0; i < ARRAY_LEN(both); i++) {
		if (*both[i] == COLOR_DEFAULT)
			continue;
		*both[i] = ground_16(*both[i], screen, true);
		if (colors < PAINT_16)
			*both[i] = ground_8(*both[i]);
	}
	p->attr &= (uint8_t)~ATTR_BOLD;
}

static int32_t
ground_shown(const struct paint *p, int colors)
{
	bool reversed = p->attr & ATTR_REVERSE;

	if (colors == PAINT_MONO)
		return reversed;
	return reversed ? p->fg : p->bg;
}

struct paint
paint_of(const struct theme *theme, struct style style, uint32_t under, int colors)
{
	uint32_t ink = style.ink, ground = style.ground;
	bool own_ground = !is_rgb(ink) && background(theme, ink) != COLOR_DEFAULT;

	if (ground == ROLE_NONE)
		ground = own_ground ? ink : under;
	struct paint p = {
		.fg = is_rgb(ink)
			  ? (int32_t)(ink & 0xffffff)
			  : theme->roles[ink < ROLE_COUNT && ink != ROLE_NONE ? ink : ROLE_TEXT].fg,
		.bg = background(theme, ground),
		.attr = combined(theme, style, ground) & (uint8_t) ~(ATTR_DRAWN | ATTR_IN_ROW),
	};

	if (p.bg == COLOR_DEFAULT)
		p.bg = theme->roles[ROLE_TEXT].bg;
	if (!theme->has_colors)
		colors = PAINT_MONO;
	if (colors == PAINT_RGB)
		return p;
	/* a cell of one color has no text either */
	bool is_drawn = style.attr & ATTR_DRAWN || (p.fg == p.bg && p.fg != COLOR_DEFAULT);
	if (colors == PAINT_256) {
		p.fg = p.fg == COLOR_DEFAULT ? p.fg : color_to_256(p.fg);
		p.bg = p.bg == COLOR_DEFAULT ? p.bg : color_to_256(p.bg);
	} else if (colors >= PAINT_8 && is_drawn) {
		to_palette_drawn(theme, &p, colors);
	} else if (colors >= PAINT_8) {
		to_palette_16(theme, style.ink, is_rgb(ground), &p);
		if (colors < PAINT_16)
			to_palette_8(&p);
	} else {
		p.fg = p.bg = COLOR_DEFAULT;
	}
	if (style.attr & ATTR_IN_ROW && colors < PAINT_256) {
		/* a cell on the ground of its row is reversed, or plain if the row is reversed */
		const struct paint row =
		    paint_of(theme, style_on(ROLE_TEXT, ROLE_SELECTION), ROLE_NONE, colors);
		if (ground_shown(&row, colors) == ground_shown(&p, colors))
			p.attr ^= ATTR_REVERSE;
	}
	return p;
}

/* ---- as text ---- */

/* Add a color of the palette of 16 or 256, or an RGB triple. base: 30 for ink, 40 for ground. */
static void
add_color(struct buf *out, int base, int32_t color, int colors)
{
	if (colors == PAINT_RGB)
		buf_addf(out, ";%d;2;%d;%d;%d", base + 8, color >> 16 & 0xff, color >> 8 & 0xff,
		    color & 0xff);
	else if (colors == PAINT_256)
		buf_addf(out, ";%d;5;%d", base + 8, color);
	else
		buf_addf(out, ";%d", color < 8 ? base + color : base + 60 - 8 + color);
}

/* The terminal chooses the colors of ordinary text, because its ground is unknown here. With few
 * colors it also chooses white and black, except on a colored ground. */
static void
add_sgr(struct buf *out, const struct theme *theme, const struct paint *p, int colors)
{
	static const int codes[] = { 1, 2, 3, 4, 7 };
	const struct paint plain = paint_of(theme, style_of(ROLE_TEXT), ROLE_NONE, colors);
	bool has_ground = p->bg != COLOR_DEFAULT && p->bg != plain.bg;
	bool is_gray = colors <= PAINT_16 && (p->fg & 7) % 7 == 0;

	buf_add_str(out, "\033[0");
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (p->attr & 1 << i)
			buf_addf(out, ";%d", codes[i]);
	if (p->fg != COLOR_DEFAULT && (has_ground || (p->fg != plain.fg && !is_gray)))
		add_color(out, 30, p->fg, colors);
	else if (p->fg == 8 && is_gray)
		buf_add_str(out, ";2");
	if (has_ground)
		add_color(out, 40, p->bg, colors);
	buf_add_char(out, 'm');
}

static bool
is_same(const struct paint *a, const struct paint *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
}

static void
add_paint_row(
    struct buf *out, const struct cell *row, int end, const struct theme *theme, int colors)
{
	const struct paint none = { COLOR_DEFAULT, COLOR_DEFAULT, 0 };
	const struct paint plain =
	    colors == PAINT_MONO ? none : paint_of(theme, style_of(ROLE_TEXT), ROLE_NONE, colors);
	static const uint8_t seen = ATTR_UNDERLINE | ATTR_REVERSE; /* on a blank, too */
	struct paint last = plain;
	const bool has_colors = colors != PAINT_MONO && theme->has_colors;
	size_t kept = out->len; /* up to here if only plain blanks follow */
	bool colored = false;   /* there */

	for (int x = 0; x < end; x++) {
		const struct cell *c = &row[x];
		struct paint p = last;
		if (colors != PAINT_MONO && c->ch != 0)
			p = paint_of(theme, c->style, c->under, colors);
		bool blank =
		    c->ch == ' ' && c->marks[0] == 0 && p.bg == plain.bg && !(p.attr & seen);
		if (!blank && !is_same(&p, &last)) {
			add_sgr(out, theme, &p, colors);
			last = p;
		} else if (blank && (last.bg != plain.bg || last.attr & seen)) {
			buf_add_str(out, "\033[0m");
			last = plain;
		}
		uint32_t shade = has_colors ? 0 : half_blocks_shade(c);
		utf8_add(out, shade ? shade : c->ch);
		utf8_add(out, c->marks[0]);
		utf8_add(out, c->marks[1]);
		if (!blank) {
			kept = out->len;
			colored = !is_same(&last, &plain);
		}
	}
	buf_truncate(out, kept);
	buf_add_str(out, colored ? "\033[0m\n" : "\n");
}

void
surface_to_text(struct surface s, const struct theme *theme, int colors, struct buf *out)
{
	for (int y = 0; y < s.height; y++)
		add_paint_row(out,
		    &s.grid->cells[(size_t)(s.y + y) * (size_t)s.grid->width + (size_t)s.x],
		    s.width, theme, colors);
}

/* SPDX-License-Identifier: MIT */
#include "ui/theme.h"

#include "ui/theme_files.h"

#include "base/err.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 16, MAX_COLORS = 64, MAX_NAME = 32, MAX_LINE = 256 };

#define HEX_DIGITS "0123456789abcdefABCDEF"
#define COLOR_INHERIT (-2) /* while parsing: the fallback role's */

struct named_color {
	char name[MAX_NAME];
	int32_t rgb;
};

struct theme_parser {
	struct theme *theme;
	struct named_color colors[MAX_COLORS];
	size_t color_count;
	int line;
	struct err *err;
};

static const struct role_row {
	const char *name;
	enum role fallback;
} roles[] = {
#define X(id, name, fallback, help) { #name, ROLE_##fallback },
	ROLES(X)
#undef X
};
_Static_assert(ARRAY_LEN(roles) == ROLE_COUNT, "a row for each role");

static const struct {
	const char *name;
	uint8_t attr;
} attributes[] = {
	{ "bold", ATTR_BOLD },
	{ "dim", ATTR_DIM },
	{ "italic", ATTR_ITALIC },
	{ "underline", ATTR_UNDERLINE },
	{ "reverse", ATTR_REVERSE },
};

static bool
parse_hex(const char *word, int32_t *rgb)
{
	size_t digits = word[0] == '#' ? strspn(word + 1, HEX_DIGITS) : 0;
	unsigned value;

	if (digits != 6 || word[7] != '\0' || sscanf(word + 1, "%6x", &value) != 1)
		return false;
	*rgb = (int32_t)value;
	return true;
}

static bool
parse_color(const struct theme_parser *p, const char *word, int32_t *rgb)
{
	if (strcmp(word, "default") == 0) {
		*rgb = COLOR_DEFAULT;
		return true;
	}
	for (size_t i = p->color_count; i-- > 0;) {
		if (strcmp(p->colors[i].name, word) == 0) {
			*rgb = p->colors[i].rgb;
			return true;
		}
	}
	return parse_hex(word, rgb);
}

static bool
define_color(struct theme_parser *p, char **words, int count)
{
	struct named_color *c = &p->colors[p->color_count];

	if (count != 3 || strlen(words[1]) >= sizeof(c->name))
		return err_set(p->err, "line %d: expected: color NAME #rrggbb", p->line);
	if (p->color_count == MAX_COLORS)
		return err_set(p->err, "line %d: more than %d colors", p->line, MAX_COLORS);
	if (!parse_hex(words[2], &c->rgb))
		return err_set(p->err, "line %d: not a color (#rrggbb): %.40s", p->line, words[2]);
	snprintf(c->name, sizeof(c->name), "%s", words[1]);
	p->color_count++;
	return true;
}

static bool
set_name(struct theme_parser *p, char **words, int count)
{
	if (count != 2 || strlen(words[1]) >= sizeof(p->theme->name))
		return err_set(p->err, "line %d: expected: name NAME", p->line);
	snprintf(p->theme->name, sizeof(p->theme->name), "%s", words[1]);
	return true;
}

static bool
set_background(struct theme_parser *p, char **words, int count)
{
	p->theme->is_light = count == 2 && strcmp(words[1], "light") == 0;
	if (count != 2 || (!p->theme->is_light && strcmp(words[1], "dark") != 0))
		return err_set(p->err, "line %d: expected: background dark|light", p->line);
	return true;
}

static bool
set_role(struct theme_parser *p, char **words, int count)
{
	enum role role = ROLE_COUNT;
	bool has_fg = false;

	for (int i = ROLE_TEXT; i < ROLE_COUNT; i++)
		if (strcmp(roles[i].name, words[0]) == 0)
			role = (enum role)i;
	if (role == ROLE_COUNT)
		return err_set(
		    p->err, "line %d: no role or setting is called %.40s", p->line, words[0]);

	struct theme_entry e = { .fg = COLOR_INHERIT, .bg = COLOR_DEFAULT, .set = true };
	for (int i = 1; i < count; i++) {
		uint8_t attr = 0;
		for (size_t k = 0; k < ARRAY_LEN(attributes); k++)
			attr |= strcmp(attributes[k].name, words[i]) == 0 ? attributes[k].attr : 0;
		if (attr)
			e.attr |= attr;
		else if (strcmp(words[i], "on") == 0 && i + 1 < count &&
			 parse_color(p, words[i + 1], &e.bg))
			i++;
		else if (!has_fg && parse_color(p, words[i], &e.fg))
			has_fg = true;
		else
			return err_set(p->err, "line %d: not a color or an attribute: %.40s",
			    p->line, words[i]);
	}
	p->theme->roles[role] = e;
	return true;
}

static bool
parse_line(struct theme_parser *p, const char *text, size_t len)
{
	static const struct {
		const char *name;
		bool (*set)(struct theme_parser *p, char **words, int count);
	} settings[] = {
		{ "name", set_name },
		{ "background", set_background },
		{ "color", define_color },
	};
	char line[MAX_LINE], *words[MAX_WORDS], *save = NULL;
	int count = 0;

	if (len >= sizeof(line))
		return err_set(p->err, "line %d: longer than %d bytes", p->line, MAX_LINE - 1);
	memcpy(line, text, len);
	line[len] = '\0';
	if (strlen(line) != len)
		return err_set(p->err, "line %d: holds a zero byte", p->line);
	for (char *word = strtok_r(line, " \t\r", &save); word;
	     word = strtok_r(NULL, " \t\r", &save)) {
		/* # begins a comment at the start of a line, or if it does not begin a color */
		size_t digits = word[0] == '#' ? strspn(word + 1, HEX_DIGITS) : 0;
		if (word[0] == '#' && (count == 0 || digits < 3 || word[1 + digits] != '\0'))
			break;
		if (count == MAX_WORDS)
			return err_set(p->err, "line %d: more than %d words", p->line, MAX_WORDS);
		words[count++] = word;
	}
	for (size_t i = 0; count > 0 && i < ARRAY_LEN(settings); i++)
		if (strcmp(settings[i].name, words[0]) == 0)
			return settings[i].set(p, words, count);
	return count == 0 || set_role(p, words, count);
}

/* Fills the role's missing parts from its fallback, which is completed first. Only the screen sets
 * the ground of text. */
static void
complete(struct theme *theme, enum role role, bool done[ROLE_COUNT])
{
	struct theme_entry *e = &theme->roles[role];
	enum role fallback = roles[role].fallback;

	if (done[role])
		return;
	done[role] = true;
	if (fallback == ROLE_NONE) {
		if (!e->set || e->fg == COLOR_INHERIT)
			e->fg = COLOR_DEFAULT;
		if (!e->set)
			e->bg = COLOR_DEFAULT;
		return;
	}
	complete(theme, fallback, done);
	const struct theme_entry *base = &theme->roles[fallback];
	if (!e->set) {
		*e = *base;
		e->set = false;
		if (fallback == ROLE_TEXT)
			e->bg = COLOR_DEFAULT;
	} else if (e->fg == COLOR_INHERIT) {
		e->fg = base->fg;
	}
}

bool
theme_parse(struct theme *theme, const char *text, size_t len, struct err *err)
{
	static const enum role reversed[] = { ROLE_SELECTION, ROLE_CURSOR, ROLE_BUTTON_FOCUS };
	struct theme_parser p = { .theme = theme, .err = err };
	bool done[ROLE_COUNT] = { false };

	*theme = (struct theme){ 0 };
	while (len > 0) {
		const char *end = memchr(text, '\n', len);
		size_t line = end ? (size_t)(end - text) : len;
		p.line++;
		if (!parse_line(&p, text, line))
			return false;
		line += end != NULL;
		text += line;
		len -= line;
	}
	for (int i = ROLE_NONE; i < ROLE_COUNT; i++)
		complete(theme, (enum role)i, done);
	for (size_t i = 0; i < ARRAY_LEN(reversed); i++) { /* unless the file sets them */
		struct theme_entry *e = &theme->roles[reversed[i]];
		if (e->bg == COLOR_DEFAULT && !e->set)
			e->attr |= ATTR_REVERSE;
	}
	for (int i = ROLE_TEXT; i < ROLE_COUNT; i++)
		theme->has_colors = theme->has_colors || theme->roles[i].fg != COLOR_DEFAULT ||
				    theme->roles[i].bg != COLOR_DEFAULT;
	return true;
}

bool
theme_builtin(struct theme *theme, const char *name)
{
	for (size_t i = 0; theme_files[i].name; i++) {
		if (strcmp(theme_files[i].name, name) != 0)
			continue;
		BUG_IF(!theme_parse(theme, theme_files[i].text, strlen(theme_files[i].text), NULL));
		return true;
	}
	return false;
}

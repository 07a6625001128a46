#include "render/meant.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/job.h"
#include "base/shared_library.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ui/paint.h"

#include <string.h>
#include <vterm.h>

/* The terminal is a struct in memory: what it would answer, a title, the clipboard lead nowhere. */
#define VTERM_FUNCTIONS(X)            \
	X(vterm_new)                  \
	X(vterm_free)                 \
	X(vterm_set_utf8)             \
	X(vterm_input_write)          \
	X(vterm_output_set_callback)  \
	X(vterm_obtain_screen)        \
	X(vterm_screen_set_callbacks) \
	X(vterm_screen_reset)         \
	X(vterm_screen_get_cell)

struct vterm_api {
	VTERM_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

/* Of the terminal; what scrolls out of it is kept. */
enum { ROWS = 60, COLS_MAX = 1000 };
/* Of text that is written at once. */
#define SLICE ((size_t)4 << 10)

struct ansi {
	struct rich *out;
	VTermScreen *screen;
	const struct vterm_api *api;
	int cols;
};

/* ---- cells ---- */

/* The first eight colors and their bright twins, so that they can be read on a dark ground and on a
 * light one; white and black are the text's own. */
static uint32_t
ink_on_default(uint8_t index)
{
	static const uint32_t inks[] = { ROLE_HINT, STYLE_RGB(0xd04848), STYLE_RGB(0x3a9a3a),
		STYLE_RGB(0xb08800), STYLE_RGB(0x4a7fe0), STYLE_RGB(0xb35cc4), STYLE_RGB(0x1f98a8),
		ROLE_TEXT };

	return index == 8 ? ROLE_HINT : inks[index % ARRAY_LEN(inks)];
}

static uint32_t
rgb_of(const VTermColor *color)
{
	if (VTERM_COLOR_IS_INDEXED(color))
		return STYLE_RGB((uint32_t)paint_palette(color->indexed.idx));
	return STYLE_RGB(
	    (uint32_t)color->rgb.red << 16 | (uint32_t)color->rgb.green << 8 | color->rgb.blue);
}

static struct style
style_of_cell(const VTermScreenCell *cell)
{
	bool default_fg = VTERM_COLOR_IS_DEFAULT_FG(&cell->fg);
	bool default_bg = VTERM_COLOR_IS_DEFAULT_BG(&cell->bg);
	struct style style = style_of(ROLE_TEXT);

	if (!default_bg)
		style.ground = rgb_of(&cell->bg);
	if (!default_fg && default_bg && VTERM_COLOR_IS_INDEXED(&cell->fg) &&
	    cell->fg.indexed.idx < 16)
		style.ink = ink_on_default(cell->fg.indexed.idx);
	else if (!default_fg)
		style.ink = rgb_of(&cell->fg);
	if (style.ink == style.ground)
		style.ground = ROLE_NONE; /* nothing may hide */
	style.attr =
	    (uint8_t)((cell->attrs.bold ? ATTR_BOLD : 0) | (cell->attrs.italic ? ATTR_ITALIC : 0) |
		      (cell->attrs.underline ? ATTR_UNDERLINE : 0) |
		      (cell->attrs.reverse ? ATTR_REVERSE : 0));
	return style;
}

static bool
is_blank(const VTermScreenCell *cell)
{
	bool no_text = cell->chars[0] == 0 || cell->chars[0] == ' ';

	return no_text && VTERM_COLOR_IS_DEFAULT_BG(&cell->bg) && !cell->attrs.reverse &&
	       !cell->attrs.underline;
}

static void
add_cell(struct buf *text, const VTermScreenCell *cell)
{
	char bytes[4];

	if (cell->chars[0] == 0)
		buf_add_char(text, ' ');
	for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		buf_add(text, bytes, utf8_encode(cell->chars[i], bytes));
}

/* A piece ends with its style, and at a character whose width others may see differently. */
static void
add_row(struct rich *out, const VTermScreenCell *cells, int cols)
{
	struct buf text = BUF_INIT;
	struct style style = style_of(ROLE_NONE);
	int start = 0;
	bool plain = true;

	while (cols > 0 && is_blank(&cells[cols - 1]))
		cols--;
	rich_begin_row(out, false);
	for (int x = 0; x < cols; x++) {
		if (cells[x].chars[0] == (uint32_t)-1)
			continue; /* the right half of a wide one */
		struct style now = style_of_cell(&cells[x]);
		bool same =
		    now.ink == style.ink && now.ground == style.ground && now.attr == style.attr;
		if (!same || !plain) {
			rich_add(out, start, style, 0, buf_text(&text), text.len);
			buf_clear(&text);
			start = x;
			style = now;
		}
		add_cell(&text, &cells[x]);
		plain = cells[x].chars[0] < 0x80;
	}
	rich_add(out, start, style, 0, buf_text(&text), text.len);
	buf_finish(&text);
}

static int
on_scrolled_out(int cols, const VTermScreenCell *cells, void *user)
{
	struct ansi *a = user;

	add_row(a->out, cells, cols);
	return 1;
}

/* What is left on the screen, up to its last row with text. */
static void
add_screen(struct ansi *a)
{
	VTermScreenCell cells[COLS_MAX];
	size_t rows = a->out->rows.len;

	for (int y = 0; y < ROWS; y++) {
		bool blank = true;
		for (int x = 0; x < a->cols; x++) {
			if (!a->api->vterm_screen_get_cell(
				a->screen, (VTermPos){ .row = y, .col = x }, &cells[x]))
				memset(&cells[x], 0, sizeof(cells[x]));
			blank = blank && is_blank(&cells[x]);
		}
		add_row(a->out, cells, a->cols);
		rows = blank ? rows : a->out->rows.len;
	}
	a->out->rows.len = rows < a->out->rows.len ? rows : a->out->rows.len;
}

/* ---- bytes: libvterm 0.1 breaks on odd sequences, so it gets no other ones than these ---- */

enum token {
	TOKEN_TEXT,
	TOKEN_NEWLINE,
	TOKEN_COLORS, /* "\033[31;1m" */
	TOKEN_MARKED, /* a control: shown as a mark */
	TOKEN_MOVE,   /* of the cursor, or an erasure: may hide text */
	TOKEN_STRING, /* for the terminal: left out */
};

/* "\033[" numbers letter; 0: it is none, or one with too many or too large numbers. */
static size_t
csi_length(const char *text, size_t len)
{
	size_t i = 2, numbers = 1, digits = 0;

	if (len < 3 || text[1] != '[')
		return 0;
	for (; i < len; i++) {
		bool is_digit = ascii_is_digit((unsigned char)text[i]);
		if (!is_digit && text[i] != ';' && text[i] != ':')
			break;
		digits = is_digit ? digits + 1 : 0;
		numbers += !is_digit;
		if (digits > 4 || numbers > 12)
			return 0;
	}
	return i < len && ascii_is_letter((unsigned char)text[i]) ? i + 1 : 0;
}

/* A title, the clipboard, and the like: "\033]" to BEL or "\033\\". */
static size_t
string_length(const char *text, size_t len)
{
	enum { LONGEST = 4096 };
	bool begins = len > 2 && strchr("]PX^_", text[1]) && text[1];

	for (size_t i = 2; begins && i < len && i < LONGEST; i++) {
		if (text[i] == '\a')
			return i + 1;
		if (text[i] == '\033')
			return i + 1 < len && text[i + 1] == '\\' ? i + 2 : 0;
	}
	return 0;
}

static bool
is_control(const char *text, size_t len)
{
	unsigned char c = (unsigned char)text[0];
	bool c1 = c == 0xc2 && len > 1 && (unsigned char)text[1] < 0xa0;

	return (c < 0x20 && c != '\t') || c == 0x7f || c1;
}

static enum token
next_token(const char *text, size_t len, size_t *used)
{
	*used = 1;
	if (text[0] == '\n')
		return TOKEN_NEWLINE;
	if (text[0] == '\r' && len > 1 && text[1] == '\n')
		return (*used = 2), TOKEN_NEWLINE;
	if (text[0] == '\r' || text[0] == '\b')
		return TOKEN_MOVE;
	if (text[0] == '\033') {
		size_t csi = csi_length(text, len), string = string_length(text, len);
		char last = csi > 0 ? text[csi - 1] : '\0';
		if (string > 0)
			return (*used = string), TOKEN_STRING;
		if (!last || !strchr("mKABCDEFGHJdf", last))
			return TOKEN_MARKED;
		/* K erases what is to the right: nothing, without a move */
		return (*used = csi), last == 'm' || last == 'K' ? TOKEN_COLORS : TOKEN_MOVE;
	}
	if (is_control(text, len))
		return (*used = text[0] == '\xc2' ? 2 : 1), TOKEN_MARKED;
	while (*used < len && *used < SLICE && !is_control(text + *used, len - *used))
		++*used;
	return TOKEN_TEXT;
}

bool
text_is_ansi(const char *text, size_t len)
{
	size_t used;

	for (size_t at = 0; at < len; at += used)
		if (next_token(text + at, len - at, &used) == TOKEN_COLORS &&
		    text[at + used - 1] == 'm')
			return true;
	return false;
}

bool
ansi_may_hide(const char *text, size_t len)
{
	size_t used;

	for (size_t at = 0; at < len; at += used)
		if (next_token(text + at, len - at, &used) >= TOKEN_MOVE)
			return true;
	return false;
}

static void
on_output(const char *bytes, size_t len, void *user)
{
}

static void
write_mark(struct ansi *a, VTerm *vt, const char *text, size_t len)
{
	struct buf mark = BUF_INIT;

	glyph_append_safe(&mark, text, len, GLYPH_KEEP_NOTHING);
	a->api->vterm_input_write(vt, buf_text(&mark), mark.len);
	buf_finish(&mark);
}

/* A line feed alone would not return to the first column. */
static void
write_tokens(struct ansi *a, VTerm *vt, const char *text, size_t len, struct job *job)
{
	size_t used;

	for (size_t at = 0; at < len; at += used) {
		enum token token = next_token(text + at, len - at, &used);
		if (token == TOKEN_NEWLINE)
			a->api->vterm_input_write(vt, "\r\n", 2);
		else if (token == TOKEN_MARKED)
			write_mark(a, vt, text + at, used);
		else if (token != TOKEN_STRING)
			a->api->vterm_input_write(vt, text + at, used);
		if (a->out->full || (job && job_is_stopped(job)))
			return;
	}
}

static void
add_warning(struct rich *out)
{
	static const char told[] = "⚠ escapes may hide text: the raw text has all";

	rich_begin_row(out, false);
	rich_add(out, 0, style_of(ROLE_WARNING), 0, told, strlen(told));
}

bool
ansi_lay_out(
    const char *text, size_t len, int width, struct job *job, struct rich *out, struct err *err)
{
	static const VTermScreenCallbacks callbacks = { .sb_pushline = on_scrolled_out };
	struct vterm_api api;
	struct ansi a = { .out = out, .api = &api };

	*out = (struct rich){ 0 };
	if (len > MEANT_MAX)
		return err_set(err, "too long to be laid out in colors");
	if (!SHARED_LIBRARY_LOAD("libvterm.so.0", VTERM_FUNCTIONS, &api, err))
		return false;
	a.cols = width < 2 ? 2 : width < COLS_MAX ? width : COLS_MAX;
	VTerm *vt = api.vterm_new(ROWS, a.cols);
	api.vterm_set_utf8(vt, 1);
	api.vterm_output_set_callback(vt, on_output, NULL);
	a.screen = api.vterm_obtain_screen(vt);
	api.vterm_screen_set_callbacks(a.screen, &callbacks, &a);
	api.vterm_screen_reset(a.screen, 1);
	if (ansi_may_hide(text, len))
		add_warning(out);
	write_tokens(&a, vt, text, len, job);
	add_screen(&a);
	api.vterm_free(vt);
	if (!out->full)
		return true;
	rich_finish(out);
	return err_set(err, "too intricate to be laid out in colors");
}

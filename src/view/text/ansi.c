/* SPDX-License-Identifier: MIT */
#include "view/meant.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/job.h"
#include "base/utf8.h"
#include "ui/vterm_library.h"

#include <string.h>

/* The terminal is a struct in memory: its replies, titles and clipboard have no effect. */

enum { ROWS = 60, COLS_MAX = 1000 }; /* of the terminal; rows that scroll out of it are kept */
#define SLICE ((size_t)4 << 10)      /* bytes written at a time */

struct ansi {
	struct rich *out;
	const struct vterm_functions *f;
	VTerm *vt;
	VTermScreen *screen;
	struct vterm_feeder feeder;
	int cols;
};

/* ---- cells ---- */

/* A piece ends where the style changes, and at a character whose width terminals disagree on. */
static void
add_ansi_row(struct rich *out, const VTermScreenCell *cells, int cols)
{
	struct buf text = BUF_INIT;
	struct style style = style_of(ROLE_NONE);
	int start = 0;
	bool plain = true;

	while (cols > 0 && vterm_cell_is_blank(&cells[cols - 1]))
		cols--;
	rich_begin_row(out, false);
	for (int x = 0; x < cols; x++) {
		if (cells[x].chars[0] == (uint32_t)-1)
			continue; /* the right half of a wide character */
		struct style now = vterm_cell_style(&cells[x]);
		if (now.ink == now.ground) /* hidden text */
			now.ground = ROLE_NONE;
		bool same =
		    now.ink == style.ink && now.ground == style.ground && now.attr == style.attr;
		if (!same || !plain) {
			rich_add(out, start, style, 0, buf_text(&text), text.len);
			buf_clear(&text);
			start = x;
			style = now;
		}
		const uint32_t *chars = cells[x].chars;
		if (chars[0] == 0)
			buf_add_char(&text, ' ');
		for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && chars[i]; i++)
			utf8_add(&text, chars[i]);
		plain = chars[0] < 0x80;
	}
	rich_add(out, start, style, 0, buf_text(&text), text.len);
	buf_finish(&text);
}

static int
on_scrolled_out(int cols, const VTermScreenCell *cells, void *user)
{
	struct ansi *a = user;

	add_ansi_row(a->out, cells, cols);
	return 1;
}

/* Add the rows still on the screen, up to the last one with text. */
static void
add_screen(struct ansi *a)
{
	VTermScreenCell cells[COLS_MAX];
	size_t rows = a->out->rows.len;

	for (int y = 0; y < ROWS; y++) {
		bool blank = true;
		for (int x = 0; x < a->cols; x++) {
			if (!a->f->vterm_screen_get_cell(
				a->screen, (VTermPos){ .row = y, .col = x }, &cells[x]))
				memset(&cells[x], 0, sizeof(cells[x]));
			blank = blank && vterm_cell_is_blank(&cells[x]);
		}
		add_ansi_row(a->out, cells, a->cols);
		rows = blank ? rows : a->out->rows.len;
	}
	a->out->rows.len = rows < a->out->rows.len ? rows : a->out->rows.len;
}

/* ---- tokens: the terminal gets only these sequences ---- */

enum token {
	TOKEN_TEXT,
	TOKEN_NEWLINE,
	TOKEN_COLORS, /* "\033[31;1m" */
	TOKEN_MARKED, /* a control character, shown as a mark */
	TOKEN_MOVE,   /* moves the cursor or erases: may hide text */
	TOKEN_STRING, /* a command to the terminal, left out */
};

/* Return the length of "\033[" numbers letter; 0: not such a sequence, or with too many or too
 * large numbers. */
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

/* Return the length of a title, a clipboard and the like, "\033]" to BEL or "\033\\"; 0: none. */
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
		/* K erases to the right of the cursor, which has no text without a move */
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
feed_tokens(struct ansi *a, const char *text, size_t len, struct job *job)
{
	struct buf mark = BUF_INIT;
	size_t used;

	for (size_t at = 0; at < len && !a->out->full && !(job && job_is_stopped(job));
	     at += used) {
		enum token token = next_token(text + at, len - at, &used);
		const char *bytes = text + at;
		size_t count = used;
		if (token == TOKEN_STRING)
			continue;
		if (token == TOKEN_NEWLINE) { /* a line feed would not return to column 0 */
			bytes = "\r\n";
			count = 2;
		} else if (token == TOKEN_MARKED) {
			buf_clear(&mark);
			glyph_append_safe(&mark, bytes, count, GLYPH_KEEP_NOTHING);
			bytes = buf_text(&mark);
			count = mark.len;
		}
		vterm_library_feed(a->f, a->vt, &a->feeder, bytes, count);
	}
	buf_finish(&mark);
}

bool
ansi_lay_out(
    const char *text, size_t len, int width, struct job *job, struct rich *out, struct err *err)
{
	static const VTermScreenCallbacks callbacks = { .sb_pushline = on_scrolled_out };
	struct ansi a = { .out = out };

	*out = (struct rich){ 0 };
	if (len > MEANT_MAX)
		return err_set(err, "too long to be laid out in colors");
	a.f = vterm_library(err);
	if (!a.f)
		return false;
	a.cols = width < 2 ? 2 : width < COLS_MAX ? width : COLS_MAX;
	a.vt = vterm_library_open(a.f, a.cols, ROWS);
	a.f->vterm_output_set_callback(a.vt, on_output, NULL);
	a.screen = a.f->vterm_obtain_screen(a.vt);
	a.f->vterm_screen_set_callbacks(a.screen, &callbacks, &a);
	a.f->vterm_screen_reset(a.screen, 1);
	if (ansi_may_hide(text, len)) {
		static const char warning[] = "⚠ escapes may hide text: the raw text has all";
		rich_begin_row(out, false);
		rich_add(out, 0, style_of(ROLE_WARNING), 0, warning, strlen(warning));
	}
	feed_tokens(&a, text, len, job);
	add_screen(&a);
	a.f->vterm_free(a.vt);
	if (!out->full)
		return true;
	rich_finish(out);
	return err_set(err, "too intricate to be laid out in colors");
}

/* SPDX-License-Identifier: MIT */
#include "print.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cli/command_line.h"
#include "json/print.h"
#include "ui/backend.h"
#include "ui/paint.h"
#include "ui/theme.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define JSON_DEPTH 2000 /* nesting limit of a message, plus the object around it */

bool
output_is_terminal(void)
{
	return isatty(STDOUT_FILENO);
}

int
output_columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

/* Characters shown as a mark occur only in strings: the rest of JSON is plain ASCII. */
static void
add_harmless_json(struct buf *out, const char *json, size_t len)
{
	size_t written = 0;

	for (size_t at = 0, used; at < len; at += used) {
		struct glyph g;
		uint32_t cp;
		used = glyph_plain_run(json + at, len - at);
		if (used > 0)
			continue;
		used = glyph_next(json + at, len - at, &g);
		if (g.kind <= GLYPH_TAB)
			continue;
		buf_add(out, json + written, at - written);
		cp = utf8_decode(json + at, used, &cp) ? cp : 0xfffd;
		if (cp < 0x10000) /* a JSON string may escape any character: nothing is lost */
			buf_addf(out, "\\u%04x", cp);
		else
			buf_addf(
			    out, "\\u%04x\\u%04x", 0xd7c0u + (cp >> 10), 0xdc00u + (cp & 0x3ff));
		written = at + used;
	}
	buf_add(out, json + written, len - written);
}

void
output_add_lines(struct buf *out, const struct buf *json, bool raw)
{
	if (raw)
		buf_add(out, buf_text(json), json->len);
	else
		add_harmless_json(out, buf_text(json), json->len);
}

void
output_take_json(struct buf *out, struct buf *json, bool raw)
{
	struct json_options options = { .max_depth = JSON_DEPTH };
	struct json_doc *doc =
	    output_is_terminal() ? json_parse(buf_text(json), json->len, &options, NULL) : NULL;
	struct buf pretty = BUF_INIT;
	const struct buf *text = doc ? &pretty : json;

	if (doc)
		json_print_pretty(&pretty, json_root(doc), 2);
	json_doc_destroy(doc);
	output_add_lines(out, text, raw);
	buf_finish(&pretty);
	buf_finish(json);
}

/* The user's locale, although ours is set to UTF-8. */
static bool
terminal_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

	if (locale)
		freelocale(locale);
	return utf8;
}

/* Escapes text for a terminal. Without a UTF-8 locale, bytes of UTF-8 could be control characters.
 */
static void
add_safe(struct buf *out, const char *text, size_t len, enum glyph_keep keep)
{
	size_t start = out->len, to = start;

	glyph_append_safe(out, text, len, keep);
	if (terminal_is_utf8())
		return;
	for (size_t i = start; i < out->len; i++) {
		unsigned char c = (unsigned char)out->data[i];
		if ((c & 0xc0) != 0x80)
			out->data[to++] = c < 0x80 ? (char)c : '?';
	}
	buf_truncate(out, to);
}

/* Without a UTF-8 locale there are none: the text has to be filtered then, colors too. */
int
output_colors(int asked)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool may = output_is_terminal() && term && *term && strcmp(term, "dumb") != 0 &&
		   terminal_is_utf8();

	if (asked != BACKEND_COLORS_AUTO && (asked == PAINT_MONO || terminal_is_utf8()))
		return asked;
	return may && !(no_color && *no_color) ? PAINT_16 : PAINT_MONO;
}

void
output_add_surface(struct buf *out, struct surface s, int colors)
{
	struct theme theme;

	theme_builtin(&theme, "dark");
	theme.roles[ROLE_SELECTION_DIM] =
	    theme.roles[ROLE_TEXT]; /* no selection highlight in printed output */
	surface_to_text(s, &theme, colors, out);
}

/* Returns 0 or an errno. */
static int
write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		} else if (n < 0 && errno != EINTR) {
			return errno;
		}
	}
	return 0;
}

static int
end_write(int error)
{
	if (error == EPIPE)
		return 128 + SIGPIPE;
	if (error)
		say("cannot write: %s", strerror(error));
	return error ? CLI_EXIT_USAGE : 0;
}

int
output_write_part(struct buf *json, bool raw)
{
	struct buf out = BUF_INIT;

	output_add_lines(&out, json, raw);
	buf_clear(json);
	int error = write_all(STDOUT_FILENO, buf_text(&out), out.len);
	buf_finish(&out);
	return end_write(error);
}

int
output_write(const struct buf *text, bool raw)
{
	struct buf safe = BUF_INIT;
	const struct buf *out = raw ? text : &safe;

	/* The reader of a pipe may print to a terminal; it can handle emoji and combining marks. */
	if (!raw && output_is_terminal())
		add_safe(&safe, buf_text(text), text->len, GLYPH_KEEP_LINES);
	else if (!raw)
		glyph_append_safe(&safe, buf_text(text), text->len, GLYPH_KEEP_BYTES);
	int error = write_all(STDOUT_FILENO, buf_text(out), out->len);
	if (!error && out->len > 0 && out->data[out->len - 1] != '\n')
		error = write_all(STDOUT_FILENO, "\n", 1);
	buf_finish(&safe);
	return end_write(error);
}

/* Writes the line at once, so that it does not mix with other output. */
static void
say_raw(const char *before, const char *text, size_t len)
{
	struct buf line = BUF_INIT;

	buf_add_str(&line, before);
	add_safe(&line, text, len, GLYPH_KEEP_NOTHING);
	buf_add_char(&line, '\n');
	write_all(STDERR_FILENO, buf_text(&line), line.len);
	buf_finish(&line);
}

void
say(const char *format, ...)
{
	char line[1000];

	FORMAT_INTO(line, format);
	say_raw("mcpane: ", line, strlen(line));
}

void
say_lines(const char *text, size_t len)
{
	while (len > 0) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;
		say_raw("  ", text, n);
		n += end ? 1 : 0;
		text += n;
		len -= n;
	}
}

#define GAP 2
#define LEAST 8         /* minimum width of a column that is cut */
#define LEAST_HEADING 5 /* or less, if its cells are shorter */
#define LEAST_LAST 12   /* cells before the shared limit */
#define PADDED 60       /* if nothing is cut, a longer cell sticks out */

static void
end_cell(struct print_table *t)
{
	size_t at = t->ends.len > 0 ? t->ends.items[t->ends.len - 1] : 0;
	size_t most = t->width ? (size_t)t->width : PADDED;
	struct print_column *c = &t->items[t->ends.len % t->len];
	int *need = t->ends.len < t->len ? &c->heading : &c->cells;

	size_t columns = glyph_columns(buf_text(&t->text) + at, t->text.len - at);
	int width = columns < most ? (int)columns : (int)most;
	*need = width > *need ? width : *need;
	*VEC_PUSH(&t->ends) = t->text.len;
}

void
print_column(struct print_table *t, const char *heading, bool is_right)
{
	*VEC_PUSH(t) = (struct print_column){ .is_right = is_right };
	print_cell(t, heading);
}

void
print_columns(struct print_table *t, const char *headings)
{
	for (size_t len; *headings; headings += len + (headings[len] == '|')) {
		*VEC_PUSH(t) = (struct print_column){ .is_right = *headings == '>' };
		headings += *headings == '>';
		len = strcspn(headings, "|");
		buf_add(&t->text, headings, len);
		end_cell(t);
	}
}

void
print_cell(struct print_table *t, const char *text)
{
	buf_add_str(&t->text, text);
	end_cell(t);
}

void
print_cell_take(struct print_table *t, struct buf *text)
{
	buf_add(&t->text, buf_text(text), text->len);
	buf_clear(text);
	end_cell(t);
}

static int
total_width(const struct print_table *t, int most)
{
	int total = 0;

	for (size_t i = 0; i < t->len; i++) {
		int width = t->items[i].width;
		total += (width < most || i < t->uncut ? width : most) + (i ? GAP : 0);
	}
	return total;
}

static void
fit_columns(struct print_table *t)
{
	for (size_t i = 0; i < t->len; i++)
		t->items[i].width = t->items[i].cells > t->items[i].heading ? t->items[i].cells
									    : t->items[i].heading;
	if (!t->width || total_width(t, t->width) <= t->width)
		return;
	for (size_t i = 0; i < t->len; i++) { /* headings that are wider than their cells */
		struct print_column *c = &t->items[i];
		int least = c->heading < LEAST_HEADING ? c->heading : LEAST_HEADING;
		c->width = c->cells > least ? c->cells : least;
	}
	/* shrink the widest columns to one common width, the last one first if it gives way */
	int most = t->width, over = total_width(t, most) - t->width;
	int *last = &t->items[t->len - 1].width;
	if (t->last_gives_way && over > 0)
		*last = *last - over > LEAST_LAST ? *last - over
			: *last < LEAST_LAST      ? *last
						  : LEAST_LAST;
	while (most > LEAST && total_width(t, most) > t->width)
		most--;
	for (size_t i = t->uncut; i < t->len; i++)
		t->items[i].width = t->items[i].width < most ? t->items[i].width : most;
	/* spread the remaining width evenly over columns that were cut */
	int room = t->width - total_width(t, t->width);
	for (int given = 1; room > 0 && given > 0; room -= given) {
		given = 0;
		for (size_t i = 0; i < t->len && given < room; i++) {
			struct print_column *c = &t->items[i];
			bool cut = c->width < c->cells || c->width < c->heading;
			c->width += cut;
			given += cut;
		}
	}
}

/* Keeps the end of a path such as "home.geo.lat", because the headings of one object begin alike.
 * Returns the columns used. */
static int
add_cut_path(struct buf *out, const char *text, size_t len, int width)
{
	size_t left = glyph_columns(text, len), at = 0;

	while (at < len && left > (size_t)(width - 1)) {
		struct glyph g;
		at += glyph_next(text + at, len - at, &g);
		left -= (size_t)g.width < left ? (size_t)g.width : left;
	}
	buf_add_str(out, "…");
	glyph_append_safe(out, text + at, len - at, GLYPH_KEEP_NOTHING);
	return (int)left + 1;
}

/* Cuts at the width and marks the cut. Returns the columns used. */
static int
add_cut(struct buf *out, const char *text, size_t len, int width)
{
	size_t at = 0;
	int used = 0;

	while (at < len) {
		struct glyph g;
		size_t n = glyph_next(text + at, len - at, &g);
		if (used + g.width > width - 1)
			break;
		used += g.width;
		at += n;
	}
	glyph_append_safe(out, text, at, GLYPH_KEEP_NOTHING);
	buf_add_str(out, "…");
	return used + 1;
}

bool
print_table_end(struct print_table *t, struct buf *out)
{
	size_t cells = t->ends.len > t->len ? t->ends.len : 0;

	fit_columns(t);
	for (size_t i = 0; i < cells; i++) {
		buf_addf(out, "%*s", i % t->len ? GAP : 0, "");
		const struct print_column *c = &t->items[i % t->len];
		size_t at = i > 0 ? t->ends.items[i - 1] : 0, len = t->ends.items[i] - at;
		const char *text = buf_text(&t->text) + at;
		size_t columns = glyph_columns(text, len);
		int used = columns < (size_t)c->width ? (int)columns : c->width;
		bool is_path = i < t->len && memchr(text, '.', len);
		if (c->is_right)
			buf_addf(out, "%*s", c->width - used, "");
		if (t->width && columns > (size_t)c->width)
			used = (is_path ? add_cut_path : add_cut)(out, text, len, c->width);
		else
			glyph_append_safe(out, text, len, GLYPH_KEEP_NOTHING);
		if (!c->is_right)
			buf_addf(out, "%*s", c->width - used, "");
		if ((i + 1) % t->len > 0)
			continue;
		while (out->len > 0 && out->data[out->len - 1] == ' ')
			buf_truncate(out, out->len - 1);
		buf_add_char(out, '\n');
	}
	buf_finish(&t->text);
	free(t->ends.items);
	free(t->items);
	return cells > 0;
}

#include "output_priv.h"

#include "base/glyph.h"
#include "base/utf8.h"
#include "cli/subcommands.h"
#include "json/print.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define JSON_DEPTH 2000 /* what a message may hold, and the object around it */

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

/* In JSON any character of a string may be an escape, so that nothing is lost. */
static void
add_escape(struct buf *out, uint32_t cp)
{
	if (cp < 0x10000)
		buf_addf(out, "\\u%04x", cp);
	else
		buf_addf(out, "\\u%04x\\u%04x", 0xd7c0u + (cp >> 10), 0xdc00u + (cp & 0x3ff));
}

/* What would be drawn as a mark stands in strings only: the rest of JSON is plain ASCII. */
static void
add_harmless_json(struct buf *out, const char *json, size_t len)
{
	size_t written = 0;

	for (size_t at = 0, used; at < len; at += used) {
		struct glyph g;
		uint32_t cp;
		used = glyph_next(json + at, len - at, &g);
		if (g.kind <= GLYPH_TAB)
			continue;
		buf_add(out, json + written, at - written);
		add_escape(out, utf8_decode(json + at, used, &cp) ? cp : 0xfffd);
		written = at + used;
	}
	buf_add(out, json + written, len - written);
}

void
output_add_json(struct buf *out, const struct buf *json, bool raw)
{
	struct json_options options = { .max_depth = JSON_DEPTH };
	struct json_doc *doc =
	    output_is_terminal() ? json_parse(buf_text(json), json->len, &options, NULL) : NULL;
	struct buf pretty = BUF_INIT;
	const struct buf *text = doc ? &pretty : json;

	if (doc)
		json_print_pretty(&pretty, json_root(doc), 2);
	json_doc_destroy(doc);
	if (raw)
		buf_add(out, buf_text(text), text->len);
	else
		add_harmless_json(out, buf_text(text), text->len);
	buf_finish(&pretty);
}

/* What the user's locale says, though ours is UTF-8 by now. */
static bool
terminal_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

	if (locale)
		freelocale(locale);
	return utf8;
}

/* For a terminal; where UTF-8 is not spoken, its bytes could be control characters. */
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

/* Zero, or an errno. */
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

int
output_write(const struct buf *text, bool raw)
{
	struct buf safe = BUF_INIT;
	const struct buf *out = raw ? text : &safe;

	/* What reads a pipe may show it on a terminal; emoji and marks are left to it. */
	if (!raw && output_is_terminal())
		add_safe(&safe, buf_text(text), text->len, GLYPH_KEEP_LINES);
	else if (!raw)
		glyph_append_safe(&safe, buf_text(text), text->len, GLYPH_KEEP_BYTES);
	int error = write_all(STDOUT_FILENO, buf_text(out), out->len);
	if (!error && out->len > 0 && out->data[out->len - 1] != '\n')
		error = write_all(STDOUT_FILENO, "\n", 1);
	buf_finish(&safe);
	if (error == EPIPE)
		return 128 + SIGPIPE;
	if (error)
		say("cannot write: %s", strerror(error));
	return error ? CLI_EXIT_USAGE : 0;
}

/* In one write, so that it does not mix with what others say there. */
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
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
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

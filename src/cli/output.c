#include "output_priv.h"

#include "base/glyph.h"
#include "cli/commands.h"
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

void
output_add_json(struct buf *out, const struct buf *json)
{
	struct json_options options = { .max_depth = JSON_DEPTH };
	struct json_doc *doc =
	    output_is_terminal() ? json_parse(buf_text(json), json->len, &options, NULL) : NULL;

	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	else
		buf_add(out, buf_text(json), json->len);
	json_doc_destroy(doc);
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

/* As glyph_append_safe(); where UTF-8 is not spoken, its bytes could be control characters. */
static void
add_safe(struct buf *out, const char *text, size_t len, bool keep_lines)
{
	size_t start = out->len, to = start;

	glyph_append_safe(out, text, len, keep_lines);
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
output_write(const struct buf *text)
{
	struct buf safe = BUF_INIT;
	const struct buf *out = text;

	if (output_is_terminal()) {
		add_safe(&safe, buf_text(text), text->len, true);
		out = &safe;
	}
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
	add_safe(&line, text, len, false);
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

/* SPDX-License-Identifier: MIT */
#include "base/last_words.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* ---- the telling line of a crash report ---- */

static bool
says_why(const char *line, size_t len)
{
	static const char *const beginnings[] = { "panic: ", "fatal error: ", /* Go */
		"Exception in thread ", "Caused by:",                         /* Java, Rust */
		"Unhandled exception. ", "Uncaught " };                       /* .NET, Node */
	static const char rust[] = " panicked at ", name[] = ASCII_ALNUM "_.$";
	const char *colon = memchr(line, ':', len);
	size_t n = colon ? (size_t)(colon - line) : len;

	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (text_begins(line, line + len, beginnings[i]))
			return true;
	if (memmem(line, len, rust, sizeof(rust) - 1))
		return true;
	/* "ValueError: …", "java.lang.IllegalStateException: …" */
	for (size_t i = 0; i < n; i++)
		if (!memchr(name, line[i], sizeof(name) - 1))
			return false;
	return text_ends(line, n, "Error") || text_ends(line, n, "Exception");
}

/* Messages of programs that did not start: "npm error code E404", "sh: node: not found". */
static bool
speaks_of_error(const char *line, size_t len)
{
	static const char *const words[] = { "error", "err!", "fatal", "panic", "exception",
		"cannot", "can't", "could not", "unable", "fail", "no such", "not found", "denied",
		"invalid" };

	for (size_t at = 0; at < len; at++)
		for (size_t i = 0; i < ARRAY_LEN(words); i++) {
			size_t n = strlen(words[i]);
			if (len - at >= n && strncasecmp(line + at, words[i], n) == 0)
				return true;
		}
	return false;
}

/* Includes the lines that explain it: "npm error code E404" alone does not name the package. */
static size_t
length_of_cause(const char *cause)
{
	enum { LINES = 3 };
	size_t len = strcspn(cause, "\n");

	for (int i = 1; i < LINES && cause[len] == '\n'; i++) {
		size_t more = strcspn(cause + len + 1, "\n");
		if (!speaks_of_error(cause + len + 1, more))
			break;
		len += 1 + more;
	}
	return len;
}

struct last_words
last_words_of(const char *text, size_t lines)
{
	struct last_words w = { 0 };
	size_t tail = strlen(text);

	while (tail > 0 && text[tail - 1] == '\n') /* blank lines at the end say nothing */
		tail--;
	while (tail > 0 && (text[tail - 1] != '\n' || lines-- > 1))
		tail--;
	w.tail = text + tail;
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		const char *next = line + len + (line[len] == '\n');
		if (!w.cause && speaks_of_error(line, len)) {
			w.cause = line;
			w.cause_len = length_of_cause(line);
		}
		if (says_why(line, len)) {
			w.why = line;
			/* "panicked at main.rs:41:9:", and the message on the line below */
			w.why_len = len + (len > 0 && line[len - 1] == ':' && *next
						  ? 1 + strcspn(next, "\n")
						  : 0);
		}
		line = next;
	}
	if (w.why) {
		w.cause = w.why;
		w.cause_len = w.why_len;
	}
	if (w.why && w.why >= w.tail)
		w.why = NULL;
	return w;
}

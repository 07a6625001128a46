/* SPDX-License-Identifier: MIT */
#include "json/comments.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the opening quote to after the closing one, or to the end. */
static size_t
skip_string(const char *text, size_t len, size_t at)
{
	for (at++; at < len && text[at] != '"'; at++)
		at += text[at] == '\\' && at + 1 < len;
	return at < len ? at + 1 : len;
}

/* Lines keep their numbers. */
static void
blank(char *text, size_t from, size_t to)
{
	for (; from < to; from++)
		if (text[from] != '\n' && text[from] != '\r')
			text[from] = ' ';
}

static bool
say_where(const char *text, size_t at, struct json_error *error)
{
	if (!error)
		return false;
	*error = (struct json_error){ .offset = at, .line = 1, .column = 1 };
	for (size_t i = 0; i < at; i++) {
		error->column++;
		if (text[i] == '\n') {
			error->line++;
			error->column = 1;
		}
	}
	snprintf(error->text, sizeof(error->text), "this comment does not end");
	return false;
}

bool
json_blank_comments(char *text, size_t len, struct json_error *error)
{
	size_t at = 0;

	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		blank(text, 0, 3);
	while (at < len) {
		char next = at + 1 < len ? text[at + 1] : '\0';
		size_t end = at + 1;
		if (text[at] == '"') {
			end = skip_string(text, len, at);
		} else if (text[at] == '/' && next == '/') {
			while (end < len && text[end] != '\n' && text[end] != '\r')
				end++;
			blank(text, at, end);
		} else if (text[at] == '/' && next == '*') {
			const char *close = memmem(text + at + 2, len - at - 2, "*/", 2);
			if (!close)
				return say_where(text, at, error);
			end = (size_t)(close - text) + 2;
			blank(text, at, end);
		}
		at = end;
	}
	return true;
}

void
json_blank_commas(char *text, size_t len)
{
	size_t comma = len; /* the offset of a comma that may go */
	char before = '\0'; /* the last character that is not a blank */

	for (size_t at = 0; at < len;) {
		char c = text[at];
		if (strchr(" \t\r\n", c) && c) {
			at++;
			continue;
		}
		if ((c == '}' || c == ']') && before == ',' && comma < len)
			text[comma] = ' ';
		comma = c == ',' && before && !strchr("[{,:", before) ? at : len;
		before = c;
		at = c == '"' ? skip_string(text, len, at) : at + 1;
	}
}

struct json_doc *
json_parse_commented(const char *text, size_t len, struct json_error *error)
{
	char *plain = mem_dup(text, len);
	struct json_doc *doc = NULL;

	if (json_blank_comments(plain, len, error)) {
		json_blank_commas(plain, len);
		doc = json_parse(plain, len, NULL, error);
	}
	free(plain);
	return doc;
}

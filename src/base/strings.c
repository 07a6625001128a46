/* SPDX-License-Identifier: MIT */
#include "base/strings.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

void
strings_finish(struct strings *s)
{
	for (size_t i = 0; i < s->len; i++)
		free(s->items[i]);
	free(s->items);
	*s = (struct strings){ 0 };
}

void
strings_take(struct strings *s, char *text)
{
	*VEC_PUSH(s) = text;
}

void
strings_add(struct strings *s, const char *text)
{
	strings_take(s, mem_strdup(text));
}

void
strings_remove(struct strings *s, size_t index)
{
	free(s->items[index]);
	VEC_REMOVE(s, index);
}

size_t
strings_index(const struct strings *s, const char *text)
{
	size_t i = 0;

	while (i < s->len && strcmp(s->items[i], text) != 0)
		i++;
	return i;
}

bool
words_have(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

bool
strings_have(const struct strings *s, const char *text)
{
	return strings_index(s, text) < s->len;
}

void
strings_join(const struct strings *s, const char *between, struct buf *out)
{
	for (size_t i = 0; i < s->len; i++) {
		buf_add_str(out, i ? between : "");
		buf_add_str(out, s->items[i]);
	}
}

char **
strings_argv(struct strings *s)
{
	*VEC_PUSH(s) = NULL;
	s->len--;
	return s->items;
}

/* ---- command lines ---- */

#define BLANKS " \t\n"

void
strings_add_word(struct buf *out, const char *word)
{
	bool plain = *word && !strpbrk(word, " \t\n\"'\\");
	bool literal = !strchr(word, '\'');
	const char *quote = plain ? "" : literal ? "'" : "\"";

	buf_add_str(out, quote);
	for (; *word; word++) {
		if (!literal && strchr("\"\\", *word))
			buf_add_char(out, '\\');
		buf_add_char(out, *word);
	}
	buf_add_str(out, quote);
}

/* Skips from an opening quote past the closing one; NULL without one. */
static const char *
add_quoted(struct buf *word, const char *at)
{
	char quote = *at++;

	for (; *at && *at != quote; at++) {
		if (quote == '"' && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
			at++;
		buf_add_char(word, *at);
	}
	return *at ? at + 1 : NULL;
}

bool
strings_split_command(struct strings *s, const char *line, struct err *err)
{
	for (line += strspn(line, BLANKS); line && *line;) {
		struct buf word = BUF_INIT;
		while (line && *line && !strchr(BLANKS, *line)) {
			if (*line == '\'' || *line == '"') {
				line = add_quoted(&word, line);
				continue;
			}
			line += *line == '\\' && line[1];
			buf_add_char(&word, *line++);
		}
		strings_add(s, buf_text(&word));
		buf_finish(&word);
		line = line ? line + strspn(line, BLANKS) : NULL;
	}
	if (line && s->len > 0)
		return true;
	strings_finish(s);
	return err_set(err, line ? "it has no words" : "a quote does not end");
}

bool
strings_split_command_on(struct strings *s, const char *line, const char *argument, struct err *err)
{
	bool placed = false;

	if (!strings_split_command(s, line, err))
		return false;
	for (size_t i = 0; i < s->len; i++)
		if (strcmp(s->items[i], "%s") == 0) {
			free(s->items[i]);
			s->items[i] = mem_strdup(argument);
			placed = true;
		}
	if (!placed)
		strings_add(s, argument);
	return true;
}

char *
strings_next_word(const char **text)
{
	size_t len = strcspn(*text, " ");
	char *word = mem_strndup(*text, len);

	*text += len + strspn(*text + len, " ");
	return word;
}

/* SPDX-License-Identifier: MIT */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include "base/buf.h"
#include "base/err.h"

#include <string.h>

/* A growable array (base/vec.h) of owned strings. */
struct strings {
	char **items;
	size_t len, cap;
};

void strings_finish(struct strings *s); /* leaves it empty and reusable */
void strings_add(struct strings *s, const char *text);
void strings_take(struct strings *s, char *text);
void strings_remove(struct strings *s, size_t index);
bool strings_have(const struct strings *s, const char *text);
size_t strings_index(const struct strings *s, const char *text); /* s->len: it is not there */
bool words_have(const char *const *words, const char *word);     /* words end with NULL */
void strings_join(const struct strings *s, const char *between, struct buf *out);
char **strings_argv(struct strings *s); /* the items, ended by NULL; owned by s */

/* Removes the first word and the blanks after it from *text, and returns it; the caller frees. */
char *strings_next_word(const char **text);

/* Whether the text from at to end begins so. */
static inline bool
text_begins(const char *at, const char *end, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(end - at) >= len && memcmp(at, with, len) == 0;
}

/* Whether text[0..len) ends so. */
static inline bool
text_ends(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(text + len - n, with, n) == 0;
}

/*
 * Adds the words of a command line, split as a shell would, but expands nothing and runs no shell:
 * '...' is taken literally, "..." knows \\ and \", elsewhere \ quotes any character. False: no
 * word, or a quote does not end; s is then empty.
 */
bool strings_split_command(struct strings *s, const char *line, struct err *err);
/* Appends a word as strings_split_command() reads it, with any bytes in it. */
void strings_add_word(struct buf *out, const char *word);
/* The same for a command with an operand, which replaces the word %s; without %s it comes last. */
bool strings_split_command_on(
    struct strings *s, const char *line, const char *argument, struct err *err);

#endif

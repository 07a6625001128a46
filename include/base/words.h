#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/err.h"

/*
 * A command line as words, as a shell would read it, but nothing is expanded and no shell runs:
 * '...' as it stands, "..." with \\ and \", elsewhere \ before any character. NULL-terminated;
 * words_free() frees it. NULL with err: a quote does not end, or there is no word.
 */
char **words_split(const char *text, struct err *err);
void words_free(char **words);

#endif

#ifndef BASE_SHELL_WORDS_H
#define BASE_SHELL_WORDS_H

#include "base/err.h"

/*
 * Splits a command line into words as a shell would, but expands nothing and runs no shell:
 * '...' is taken literally, "..." knows \\ and \", elsewhere \ quotes any character. The result
 * ends with NULL; release it with shell_words_free(). NULL with err: no word, or a quote does not
 * end.
 */
char **shell_words_split(const char *text, struct err *err);
void shell_words_free(char **words);

#endif

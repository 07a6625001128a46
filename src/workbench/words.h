#ifndef WORKBENCH_WORDS_PRIV_H
#define WORKBENCH_WORDS_PRIV_H

#include "base/err.h"

/* Words as a shell would read them: '...' as it stands, "..." with \\ and \", \ before any other
 * character; nothing is expanded. Adds to out. False: a quote does not end. */
struct strings;
bool words_split(const char *text, struct strings *out, struct err *err);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

/*
 * Three kinds of trouble, never mixed:
 *   our own mistake          BUG(): abort; the crash handler restores the terminal first
 *   no memory                base/mem.h: exits
 *   the world (files, ...)   a bool result and a struct err, last argument
 * Bytes from a server are none of these: they are data to show.
 */
struct err {
	char text[256]; /* one line, no newline, UTF-8 that may be cut */
};

/* Sets the text and returns false, so that a failure is one statement. err may be NULL. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text of the bug being reported, or "": the crash handler prints it. */
extern char bug_text[256];
_Noreturn void bug_at(const char *file, int line, const char *what);

#define BUG(what) bug_at(__FILE__, __LINE__, (what))
#define BUG_IF(condition)                \
	do {                             \
		if (condition)           \
			BUG(#condition); \
	} while (0)

#endif

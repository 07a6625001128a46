/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Heap memory that never returns NULL: when none is left, the program prints one line
 * and exits with code 1. Release with free().
 */
/* Called before that line, so that it is not written on a screen that is about to go. */
extern void (*mem_before_exit)(void);
void *mem_alloc(size_t size); /* uninitialized */
/* A large block that will be filled from end to end, in huge pages if the system has them. size is
 * a multiple of MEM_HUGE. */
#define MEM_HUGE ((size_t)2 * 1024 * 1024)
void *mem_alloc_huge(size_t size);
/* memset() to 0 by a call: compilers clear a struct of some size in place, by a slower instruction.
 */
void mem_clear(void *p, size_t size);
void *mem_zalloc(size_t size);             /* zeroed */
void *mem_realloc(void *old, size_t size); /* size 0 is treated as 1 */
void *mem_dup(const void *bytes, size_t len);
char *mem_strdup(const char *text); /* NULL gives NULL */
char *mem_strndup(const char *text, size_t len);
char *mem_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *mem_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Prints the arguments of a function with (..., format, ...) into an array of char. */
#define FORMAT_INTO(array, format)                                      \
	do {                                                            \
		va_list format_args;                                    \
		va_start(format_args, format);                          \
		vsnprintf((array), sizeof(array), format, format_args); \
		va_end(format_args);                                    \
	} while (0)

#endif

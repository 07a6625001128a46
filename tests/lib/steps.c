#include "steps.h"

#include "base/buf.h"
#include <stdio.h>
#include <string.h>

static _Thread_local size_t steps;

/* The Makefile links the unit tests so that searches of the C library come here first: they look
 * at many bytes, and are one call. */
/* clang-format off */
void __sanitizer_cov_trace_pc(void);
void *__real_memmem(const void *in, size_t len, const void *what, size_t what_len);
void *__wrap_memmem(const void *in, size_t len, const void *what, size_t what_len);
void *__real_memchr(const void *in, int byte, size_t len);
void *__wrap_memchr(const void *in, int byte, size_t len);
/* clang-format on */

void
__sanitizer_cov_trace_pc(void)
{
	steps++;
}

void *
__wrap_memmem(const void *in, size_t len, const void *what, size_t what_len)
{
	char *found = __real_memmem(in, len, what, what_len);

	steps += found ? (size_t)(found - (const char *)in) : len;
	return found;
}

void *
__wrap_memchr(const void *in, int byte, size_t len)
{
	char *found = __real_memchr(in, byte, len);

	steps += found ? (size_t)(found - (const char *)in) : len;
	return found;
}

/* Since the last call. */
static size_t
steps_taken(void)
{
	size_t taken = steps;

	steps = 0;
	return taken;
}

static size_t
count(steps_fn *look, const char *pattern, size_t len, size_t bytes)
{
	struct buf text = BUF_INIT;

	while (text.len < bytes)
		buf_add(&text, pattern, len);
	steps_taken();
	look(buf_text(&text), text.len);
	buf_finish(&text);
	return steps_taken();
}

bool
steps_are_linear(
    steps_fn *look, const char *pattern, size_t len, size_t bytes, size_t most_per_byte)
{
	size_t once = count(look, pattern, len, bytes), four = count(look, pattern, len, 4 * bytes);

	if (four <= 5 * once && four <= 4 * bytes * most_per_byte)
		return true;
	fprintf(stderr, "\"%.*s\": %zu steps for %zu bytes, %zu for four times as much\n", (int)len,
	    pattern, once, bytes, four);
	return false;
}

/* SPDX-License-Identifier: MIT */
#include "doubling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/vec.h"
#include "json/print.h"

/* ---- counting ---- */

static uint64_t work, limit = UINT64_MAX;
static jmp_buf too_much;

static void
add_work(uint64_t units)
{
	work += units;
	if (work > limit) {
		limit = UINT64_MAX;
		longjmp(too_much, 1); /* its memory is lost: a failed test may leak */
	}
}

static void
count_branch(void)
{
	add_work(1);
}

/* Called at each branch of the product. */
void __sanitizer_cov_trace_pc(void) __attribute__((alias("count_branch")));

/* ---- C library functions ---- */

/* The linker sends the product's calls of NAME here (see the Makefile). SPENT is what the call
 * looked at or moved, in steps; a step of the library is faster than a branch, but no less. */
/* clang-format off */
#define COUNTED(type, name, parameters, arguments, spent)  \
	type __real_##name parameters;                     \
	type __wrap_##name parameters;                     \
	type __wrap_##name parameters                      \
	{                                                  \
		type result = __real_##name arguments;     \
		add_work(spent);                           \
		return result;                             \
	}
/* clang-format on */

/* This file's own calls are sent here too, but for those of the library itself. */
size_t __real_strlen(const char *s);

static size_t
up_to_or(const void *result, const void *text, size_t all)
{
	return result ? (size_t)((const char *)result - (const char *)text) : all;
}

static size_t
up_to(const void *result, const char *text)
{
	return up_to_or(result, text, result ? 0 : __real_strlen(text));
}

static size_t
same_bytes(const char *a, const char *b, size_t max)
{
	size_t n = 0;

	while (n < max && a[n] && (a[n] | 32) == (b[n] | 32))
		n++;
	return n;
}

COUNTED(void *, memchr, (const void *s, int c, size_t n), (s, c, n), up_to_or(result, s, n))
COUNTED(void *, memrchr, (const void *s, int c, size_t n), (s, c, n),
    result ? n - up_to_or(result, s, n) : n)
COUNTED(void *, memmem, (const void *s, size_t n, const void *what, size_t len), (s, n, what, len),
    up_to_or(result, s, n))
COUNTED(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n), n / 8)
COUNTED(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), n / 8)
COUNTED(void *, memset, (void *to, int c, size_t n), (to, c, n), n / 8)
COUNTED(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n), n / 8)
COUNTED(void *, realloc, (void *p, size_t n), (p, n), n / 8)
COUNTED(void *, calloc, (size_t count, size_t n), (count, n), count *n / 8)
COUNTED(size_t, strlen, (const char *s), (s), result)
COUNTED(size_t, strnlen, (const char *s, size_t n), (s, n), result)
COUNTED(char *, strchr, (const char *s, int c), (s, c), up_to(result, s))
COUNTED(char *, strrchr, (const char *s, int c), (s, c), __real_strlen(s))
COUNTED(char *, strstr, (const char *s, const char *what), (s, what), up_to(result, s))
COUNTED(char *, strcasestr, (const char *s, const char *what), (s, what), up_to(result, s))
COUNTED(char *, strpbrk, (const char *s, const char *set), (s, set), up_to(result, s))
COUNTED(size_t, strspn, (const char *s, const char *set), (s, set), result)
COUNTED(size_t, strcspn, (const char *s, const char *set), (s, set), result)
COUNTED(int, strcmp, (const char *a, const char *b), (a, b), same_bytes(a, b, SIZE_MAX))
COUNTED(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n), same_bytes(a, b, n))
COUNTED(int, strcasecmp, (const char *a, const char *b), (a, b), same_bytes(a, b, SIZE_MAX))
COUNTED(int, strncasecmp, (const char *a, const char *b, size_t n), (a, b, n), same_bytes(a, b, n))
/* A number, which is short, not the text after it. */
COUNTED(double, strtod, (const char *s, char **end), (s, end), end ? (size_t)(*end - s) : 1)
COUNTED(int, vsnprintf, (char *to, size_t n, const char *format, va_list args),
    (to, n, format, args), result > 0 ? (size_t)result : 0)

/* ---- the texts ---- */

/* \1 is a number that is another each time. */
/* clang-format off */
static const char *const patterns[] = {
	"a", " ", "\n", "\r\n", "\t", "word ", "a b\n", "long line of prose, ", "A", "0", "1,", "-",
	"iVBORw0KGgo+/", "a/", "/", "//", "//@", "a://", "a=", "a:", "a: ", "token ", "token=", "token:",
	"\"token\":", "token=\"", "--token ", "Bearer ", "bearer ", "Bearer a1", "${", "${a}", "$", "%",
	"%41", "@", "a@b.c ", "?", "&", "#", "?a=b&", "key", "key\\", "\\", "\\\\\"", "\\\"", "\"", "'",
	"\"\\\"\\\\", "http://", "http://a.b/(", "http://a.b/((", "(http://a.b ", "http://a.b/ ",
	"<http://a.b ", "www.a.b ", "[", "[[", "]", "](", "[]", "[](", "[a](", "[a](b", "[a](<b", "[a](b \"",
	"[a][", "![", "![](", "![a](b)", "[a]: /\1\n", "[\1] ", "[a]: ", "*", "**", "***", "*a ", "a*",
	"*a_ ", "_", "__a ", "~", "~~", "~~a ", "`", "` ``", "```\n", "a`b``c```", "~~~\n", "> ", "> > ",
	">", "- ", "- - ", "- a\n", "* ", "1. ", "1.\n", "  - a\n    ", "|", "||", "|a", "|a|b|\n",
	"a|\n-|\n", "|a|\n|-|\n", "---\n", "===\n", "a\n===\n", "# ", "# a\n", "###### ", "    a\n", "\n\n",
	"a  \n", "a\\\n", "<", "<a", "<a>", "<a><a>", "</a>", "<a href=\"", "<a b=c ", "<!--", "<!-", "-->",
	"<!--a", "<?", "<!A", "<![CDATA[", "<script>", "<style>", "<table>", "<tr>", "<td>", "<table><tr><td>",
	"<ul><li>", "<li>", "<p>", "<b>", "<b><i>", "<pre>", "<div>", "</div>", "<br>", "<div><p></div>",
	"<select><option>", "<a href=x>", "<img src=x>", "&", "&amp;", "&amp", "&#", "&#1;", "&#x", "&\1;",
	"\x1b", "\x1b[", "\x1b[1m", "\x1b[1;", "\x1b[31ma\x1b[0m", "\x1b]", "\x1b]8;;a\x1b\\", "\x1bP",
	"\x1b[2J", "\x1b[1A", "\x1b[999C", "\b", "\r", "a\r", "\x7f", "\xc2\x9b", "\xe2\x80\xae",
	"\xe2\x80\x8d", "\xef\xbb\xbf", "\xf0\x9f\x91\xa9\xe2\x80\x8d", "\xf0\x9f\x87\xa9",
	"a\xcc\x81", "\xcc\x81", "\xed\xa0\x80", "\xc0\x80", "\xff", "\xf0", "\xe4\xbd\xa0", "\xd7\x90",
	"{", "{}", "{\"a\":", "{\"a\":1}\n", "{\"k\1\":\1}\n", "[1,", "[\1]\n", "[{\"a\":[", "\"a\",",
	"\"k\1\":\1,", "\"a\":1,", "{a}", "{+a}", "{?a,b}", "{a\1}", "}", "}{", "a,b\n", "\"a\",b\n",
	"\"a\nb\",", ";", "a;b\n", "a\tb\n", ",", ",\n", "\"\"", "\"\",", "c\1,", "a: b\n", "a:\n  ",
	"a.\1 = 1\n", "[a\1]\n", "[[a]]\n", "[a.b]\n", "\"\"\"", "data: a\n", "data:\n", "data:", ":\n",
	"id: \1\n", "event: a\n\n", "data: {}\n\n", "data:image/png;base64,", "Error: a\n",
	"  at a (b:1)\n", "Traceback\n", "a\1 ", "\1\n", "\1", "e", "1e9,", "2020-01-01 ", "10 users ",
	"$\1.00 ", "5 % ", "a-b_c.d", "a1", "aB", "x\n\n\n", "Set-Cookie: a\n", "a, b=\"c\", ",
	"Bearer realm=\"", "//\n", "/*", "/* */", "# a=b\n", "'a' ", "\"a\" ", "a.b(c) ", "{{", "{{a}}",
	"\xc2\xa0", "\xe3\x80\x80", "()", "(", ")", "((a", "a)", "!", "!!", "?!", "$(", "<%", "::", ":-:|",
	"|-", "--- | ---\n", "a | b\n", "| a | b |\n| - | - |\n",
};

/* Words that the functions search to hide secrets. */
static const char *const of_secrets[] = {
	"a+", "iVBORw0KGgo/AAAANSUhEUg+", "path/to/", "\x1b[32m", "\x1b[0;1mtoken", "token\t \x1b[m",
	"token:\"", "token:'\\", "token \\", "token\\\\", "a://b@", "://", "--key ", "--key,",
	"bearer/", "bearer\t", "bearer x/", "key:${", "key=", "=", ":", "code:", "cookie:",
	"cookie:a\x1b", "authorization:\"", "&key=", "?key&", "#?", "eyJ.", "ghp_", "{\"token\":[",
	"token: [[", "token:{", "<key>", "<password", "-----BEGIN ",
};
/* clang-format on */

static void
make_text(struct buf *out, const struct doubling *row, const char *pattern, size_t units)
{
	struct buf unit = BUF_INIT;
	unsigned number = 10000; /* as long as all others */

	buf_clear(out);
	buf_add_str(out, row->before ? row->before : "");
	for (size_t i = 0; i < units; i++) {
		buf_clear(&unit);
		for (const char *at = pattern; *at; at++)
			if (*at == '\1')
				buf_addf(&unit, "%u", ++number);
			else
				buf_add_char(&unit, *at);
		if (row->json) {
			size_t at = out->len;
			json_print_string(out, buf_text(&unit), unit.len);
			out->len--; /* and without the quote before it */
			memmove(out->data + at, out->data + at + 1, --out->len - at);
		} else {
			buf_add(out, buf_text(&unit), unit.len);
		}
	}
	buf_add_str(out, row->after ? row->after : "");
	buf_finish(&unit);
}

/* ---- the check ---- */

/* Constant or rare work may take WORK_LEAST steps; a byte never WORK_PER_BYTE. */
enum { WORK_LEAST = 50000, WORK_PER_BYTE = 5000, BYTES = 2 << 10 };

/* UINT64_MAX: more than max. */
static uint64_t
count_work(const struct doubling *row, const struct buf *text, uint64_t max)
{
	work = 0;
	limit = max;
	if (setjmp(too_much))
		return UINT64_MAX;
	row->run((const unsigned char *)buf_text(text), text->len);
	limit = UINT64_MAX;
	return work;
}

__attribute__((format(printf, 3, 4))) static void
print(const struct doubling *row, const char *pattern, const char *format, ...)
{
	struct buf shown = BUF_INIT;
	va_list args;

	for (const char *at = pattern; *at; at++)
		buf_addf(&shown, *at < ' ' || *at > '~' ? "\\x%02x" : "%c", (unsigned char)*at);
	printf("  %-16s %-24s ", row->name, buf_text(&shown));
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("%s%s\n", row->before ? " after " : "", row->before ? row->before : "");
	fflush(stdout);
	buf_finish(&shown);
}

static bool
check(const struct doubling *row, const char *pattern)
{
	size_t bytes = row->bytes ? row->bytes : BYTES;
	/* So that the halves of both texts are alike, too. */
	size_t units = (bytes / strlen(pattern) + 3) / 4 * 4;
	struct buf text = BUF_INIT;

	make_text(&text, row, pattern, units);
	uint64_t once = count_work(row, &text, WORK_LEAST + (uint64_t)WORK_PER_BYTE * bytes);
	bool ok = once != UINT64_MAX;
	if (!ok)
		print(row, pattern, "%zu bytes: over %d steps for each", bytes, WORK_PER_BYTE);
	if (ok) {
		make_text(&text, row, pattern, 2 * units);
		uint64_t max = WORK_LEAST + once * 22 / 10;
		ok = count_work(row, &text, max) != UINT64_MAX;
	}
	if (once != UINT64_MAX && (!ok || getenv("DOUBLING_SHOWS")))
		print(row, pattern, "%zu bytes: %.1f steps for each%s", bytes,
		    (double)once / (double)bytes, ok ? "" : "; of twice the text more");
	buf_finish(&text);
	return ok;
}

size_t
doubling_check(const struct doubling *row)
{
	size_t failed = 0;

	for (size_t p = 0; p < ARRAY_LEN(patterns); p++)
		failed += !check(row, patterns[p]);
	for (size_t p = 0; row->hides && p < ARRAY_LEN(of_secrets); p++)
		failed += !check(row, of_secrets[p]);
	return failed;
}

uint64_t
doubling_work(void (*run)(void *user), void *user)
{
	work = 0;
	run(user);
	return work;
}

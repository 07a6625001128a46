#include "regex_priv.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_BUDGET 20000000 /* match steps of one whole check */
#define MATCH_BUDGET 1000000  /* of one match */
#define FIRST_LIMIT 1000      /* of one start offset, then eight times as many, ... */
#define HEAP_KIB 20000
#define MAX_PATTERN 65536
#define MAX_SUBJECT (1 << 20)

struct regex {
	pcre2_code *code;
	bool anchored;
};

struct regex_tools {
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	struct buf subject; /* where the text is not UTF-8 as PCRE2 wants it */
};

static struct regex *
compile(const char *translated, size_t len)
{
	int error;
	size_t offset;
	uint32_t options =
	    PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
	pcre2_code *code =
	    pcre2_compile((PCRE2_SPTR)translated, len, options, &error, &offset, NULL);

	if (!code)
		return NULL;
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	struct regex *regex = mem_zalloc(sizeof(*regex));
	uint32_t all = 0;
	pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &all);
	regex->code = code;
	regex->anchored = (all & PCRE2_ANCHORED) != 0;
	return regex;
}

struct regex *
regex_create(const char *pattern, enum regex_syntax *syntax)
{
	struct buf text = BUF_INIT;
	struct regex *regex = NULL;

	*syntax = REGEX_UNSUPPORTED;
	if (strlen(pattern) > MAX_PATTERN)
		return NULL;
	*syntax = ecma_translate(pattern, true, &text);
	if (*syntax == REGEX_BROKEN) {
		buf_clear(&text);
		*syntax = ecma_translate(pattern, false, &text);
	}
	if (*syntax == REGEX_FINE) {
		regex = compile(buf_text(&text), text.len);
		if (!regex)
			*syntax = REGEX_UNSUPPORTED;
	}
	buf_finish(&text);
	return regex;
}

void
regex_destroy(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_code_free(regex->code);
	free(regex);
}

bool
regex_is_valid(const char *pattern)
{
	struct buf text = BUF_INIT;
	bool fine =
	    strlen(pattern) > MAX_PATTERN || ecma_translate(pattern, true, &text) != REGEX_BROKEN;

	buf_finish(&text);
	return fine;
}

static void
tools_create(struct regex_run *run)
{
	struct regex_tools *tools = mem_zalloc(sizeof(*tools));

	tools->data = pcre2_match_data_create(1, NULL);
	tools->context = pcre2_match_context_create(NULL);
	tools->stack = pcre2_jit_stack_create(32768, 1 << 20, NULL);
	if (!tools->data || !tools->context)
		BUG("no room for a match");
	pcre2_set_heap_limit(tools->context, HEAP_KIB);
	if (tools->stack)
		pcre2_jit_stack_assign(tools->context, NULL, tools->stack);
	run->tools = tools;
	run->budget = CHECK_BUDGET;
}

void
regex_run_finish(struct regex_run *run)
{
	struct regex_tools *tools = run->tools;

	if (!tools)
		return;
	pcre2_match_data_free(tools->data);
	pcre2_match_context_free(tools->context);
	pcre2_jit_stack_free(tools->stack);
	buf_finish(&tools->subject);
	free(tools);
	run->tools = NULL;
}

/* A NUL for C0 80 and U+FFFD for any other byte that is not UTF-8. */
static void
make_utf8(const char *text, size_t len, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < len;) {
		bool nul = (unsigned char)text[i] == 0xc0 && (unsigned char)text[i + 1] == 0x80;
		size_t good = utf8_first_invalid(text + i, len - i);
		buf_add(out, text + i, good);
		i += good;
		if (good > 0 || i >= len)
			continue;
		if (nul)
			buf_add_char(out, '\0');
		else
			buf_add_str(out, "\xef\xbf\xbd");
		i += nul ? 2 : (unsigned char)text[i] == 0xed && i + 2 < len ? 3 : 1;
	}
}

struct attempt {
	const struct regex *regex;
	struct regex_run *run;
	const char *text;
	size_t len;
	size_t budget; /* of this match */
};

/* One call with a limit; PCRE2's answer. */
static int
try_at(struct attempt *a, size_t offset, uint32_t options, size_t limit)
{
	pcre2_set_match_limit(a->run->tools->context, (uint32_t)limit);
	return pcre2_match(a->regex->code, (PCRE2_SPTR)a->text, a->len, offset,
	    options | PCRE2_NO_UTF_CHECK, a->run->tools->data, a->run->tools->context);
}

static void
spend(struct attempt *a, size_t steps)
{
	a->budget = steps < a->budget ? a->budget - steps : 0;
	a->run->budget = steps < a->run->budget ? a->run->budget - steps : 0;
}

/* One start offset: how many steps PCRE2 took is not told, so limits go up until one is enough. */
static int
try_offset(struct attempt *a, size_t offset)
{
	for (size_t limit = FIRST_LIMIT;; limit *= 8) {
		if (limit > a->budget || limit > a->run->budget)
			return PCRE2_ERROR_MATCHLIMIT;
		int rc = try_at(a, offset, PCRE2_ANCHORED, limit);
		if (rc != PCRE2_ERROR_MATCHLIMIT) {
			spend(a, limit / FIRST_LIMIT);
			return rc;
		}
		spend(a, limit);
	}
}

/* PCRE2's limit holds for each start offset anew, so every offset is tried by itself. */
static int
try_each_offset(struct attempt *a)
{
	for (size_t at = 0; at <= a->len; at++) {
		if (at < a->len && ((unsigned char)a->text[at] & 0xc0) == 0x80)
			continue;
		int rc = try_offset(a, at);
		if (rc != PCRE2_ERROR_NOMATCH || a->regex->anchored)
			return rc;
	}
	return PCRE2_ERROR_NOMATCH;
}

enum regex_answer
regex_match(const struct regex *regex, const char *text, struct regex_run *run)
{
	struct attempt a = { .regex = regex, .run = run, .text = text, .len = strlen(text) };

	if (!run->tools)
		tools_create(run);
	if (a.len > MAX_SUBJECT)
		return REGEX_UNKNOWN;
	if (utf8_first_invalid(text, a.len) < a.len) {
		make_utf8(text, a.len, &run->tools->subject);
		a.text = buf_text(&run->tools->subject);
		a.len = run->tools->subject.len;
	}
	a.budget = MATCH_BUDGET < run->budget ? MATCH_BUDGET : run->budget;
	if (a.budget == 0)
		return REGEX_UNKNOWN;
	/* All offsets at once, with a limit for each that keeps the whole within the budget. */
	size_t share = regex->anchored ? FIRST_LIMIT : FIRST_LIMIT / (a.len / 64 + 1) + 16;
	int rc = try_at(&a, 0, 0, share);
	if (rc == PCRE2_ERROR_MATCHLIMIT)
		rc = try_each_offset(&a);
	if (rc >= 0)
		return REGEX_YES;
	return rc == PCRE2_ERROR_NOMATCH ? REGEX_NO : REGEX_UNKNOWN;
}

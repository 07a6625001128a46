#include "regex_priv.h"

#include "simple_priv.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * PCRE2's interpreter counts its steps and stops at a limit, for each start
 * offset anew. Its JIT code does not count what single characters' repeats try,
 * so it runs only patterns that are known to be cheap on a text of that length.
 */
#define CHECK_BUDGET 8000000 /* counted steps of one whole check beyond what is linear */
#define MATCH_BUDGET 1500000 /* of one match */
#define FIRST_LIMIT 32       /* of one start offset, then four times as many, ... */
#define JIT_BUDGET 300000000 /* ways that JIT code may try in one whole check */
#define JIT_POWERS 3
#define JIT_FACTOR 64
#define HEAP_KIB 20000
#define MAX_PATTERN 65536
#define MAX_SUBJECT (1 << 20)
#define SLACK 64

struct engine {
	pcre2_code *code;
	bool anchored, jit;
};

struct regex {
	_Atomic(struct engine *) engine; /* of a simple pattern NULL until a text needs it */
	char *translated;                /* what to make it from */
	size_t translated_len;
	struct regex_cost cost;
	bool is_simple;
	struct simple simple;
};

struct regex_tools {
	pcre2_match_data *data;
	pcre2_match_context *context;
	struct buf subject; /* where the text is not UTF-8 as PCRE2 wants it */
	char *room;         /* the text in hand, with slack on both sides */
	size_t room_size;
};

static struct engine *
engine_create(const struct regex *regex)
{
	const struct regex_cost *cost = &regex->cost;
	int error;
	size_t offset;
	uint32_t options =
	    PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
	pcre2_code *code = pcre2_compile(
	    (PCRE2_SPTR)regex->translated, regex->translated_len, options, &error, &offset, NULL);

	if (!code)
		return NULL;
	struct engine *engine = mem_zalloc(sizeof(*engine));
	uint32_t all = 0;
	pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &all);
	engine->code = code;
	engine->anchored = (all & PCRE2_ANCHORED) != 0;
	engine->jit = !cost->loops && cost->powers <= JIT_POWERS && cost->factor <= JIT_FACTOR &&
		      pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0;
	return engine;
}

static void
engine_destroy(struct engine *engine)
{
	if (!engine)
		return;
	pcre2_code_free(engine->code);
	free(engine);
}

/* Two threads may come here at once; one of their engines is kept. */
static const struct engine *
engine_of(struct regex *regex)
{
	struct engine *engine = atomic_load(&regex->engine), *none = NULL;

	if (engine)
		return engine;
	engine = engine_create(regex);
	if (engine && !atomic_compare_exchange_strong(&regex->engine, &none, engine)) {
		engine_destroy(engine);
		engine = none;
	}
	return engine;
}

struct regex *
regex_create(const char *pattern, enum regex_syntax *syntax)
{
	struct buf text = BUF_INIT;
	struct regex *regex = NULL;
	struct regex_cost cost;
	const char *fault;

	*syntax = REGEX_UNSUPPORTED;
	if (strlen(pattern) > MAX_PATTERN)
		return NULL;
	*syntax = ecma_translate(pattern, true, &text, &cost, &fault);
	if (*syntax == REGEX_BROKEN) {
		buf_clear(&text);
		*syntax = ecma_translate(pattern, false, &text, &cost, &fault);
	}
	if (*syntax == REGEX_FINE) {
		regex = mem_zalloc(sizeof(*regex));
		regex->cost = cost;
		regex->translated_len = text.len;
		regex->translated = buf_detach(&text);
		regex->is_simple = simple_compile(pattern, &regex->simple);
		if (!regex->is_simple && !engine_of(regex)) {
			regex_destroy(regex);
			regex = NULL;
			*syntax = REGEX_UNSUPPORTED;
		}
	}
	buf_finish(&text);
	return regex;
}

void
regex_destroy(struct regex *regex)
{
	if (!regex)
		return;
	engine_destroy(atomic_load(&regex->engine));
	free(regex->translated);
	free(regex);
}

const char *
regex_fault(const char *pattern)
{
	struct buf text = BUF_INIT;
	struct regex_cost cost;
	const char *fault = NULL;

	if (strlen(pattern) <= MAX_PATTERN)
		ecma_translate(pattern, true, &text, &cost, &fault);
	buf_finish(&text);
	return fault;
}

static void
tools_create(struct regex_run *run)
{
	struct regex_tools *tools = mem_zalloc(sizeof(*tools));

	tools->data = pcre2_match_data_create(1, NULL);
	tools->context = pcre2_match_context_create(NULL);
	if (!tools->data || !tools->context)
		BUG("no room for a match");
	pcre2_set_heap_limit(tools->context, HEAP_KIB);
	run->tools = tools;
	run->budget = CHECK_BUDGET;
	run->jit_budget = JIT_BUDGET;
}

void
regex_run_finish(struct regex_run *run)
{
	struct regex_tools *tools = run->tools;

	if (!tools)
		return;
	pcre2_match_data_free(tools->data);
	pcre2_match_context_free(tools->context);
	buf_finish(&tools->subject);
	free(tools->room);
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
	const struct engine *engine;
	struct regex_cost cost;
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
	return pcre2_match(a->engine->code, (PCRE2_SPTR)a->text, a->len, offset,
	    options | PCRE2_NO_UTF_CHECK, a->run->tools->data, a->run->tools->context);
}

/* A step may run over the whole text. */
static size_t
step_cost(const struct attempt *a)
{
	return 1 + a->len / 128;
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
	for (size_t limit = FIRST_LIMIT;; limit *= 4) {
		size_t cost = limit * step_cost(a);
		if (cost > a->budget || cost > a->run->budget)
			return PCRE2_ERROR_MATCHLIMIT;
		int rc = try_at(a, offset, PCRE2_ANCHORED | PCRE2_NO_JIT, limit);
		spend(a, cost);
		if (rc != PCRE2_ERROR_MATCHLIMIT)
			return rc;
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
		if (rc != PCRE2_ERROR_NOMATCH || a->engine->anchored)
			return rc;
	}
	return PCRE2_ERROR_NOMATCH;
}

/* The ways JIT code may try on this text, in rough steps; large where they are too many. */
static size_t
ways(const struct attempt *a)
{
	unsigned powers = a->cost.powers + !a->engine->anchored;
	size_t ways = a->cost.factor;

	for (unsigned i = 1; i <= powers && ways <= JIT_BUDGET; i++)
		ways = ways * (a->len + 1) / i;
	return ways;
}

/* JIT code reads whole vectors, some bytes past the text on either side. That is harmless, but a
 * memory checker is right to ask what is there. */
static void
give_slack(struct attempt *a)
{
	struct regex_tools *tools = a->run->tools;

	if (a->len + 2 * SLACK > tools->room_size) {
		free(tools->room);
		tools->room_size = 2 * a->len + 2 * SLACK;
		tools->room = mem_zalloc(tools->room_size);
	}
	memcpy(tools->room + SLACK, a->text, a->len);
	a->text = tools->room + SLACK;
}

static int
match_fast(struct attempt *a)
{
	size_t cost = ways(a);

	if (!a->engine->jit || cost > a->run->jit_budget)
		return PCRE2_ERROR_MATCHLIMIT;
	a->run->jit_budget -= cost;
	a->run->work += a->len / 8;
	give_slack(a);
	return try_at(a, 0, 0, MATCH_BUDGET);
}

/* All offsets at once. What is linear in the text is free. */
static int
match_linear(struct attempt *a)
{
	size_t free_steps = 64 + 32 * (a->len + 1);
	size_t limit = a->engine->anchored ? 64 + 4 * a->len / step_cost(a) : 16;
	size_t cost = limit * step_cost(a) * (a->engine->anchored ? 1 : a->len + 1);

	if (cost > free_steps) {
		cost = (cost - free_steps) / 4;
		if (cost > a->budget)
			return PCRE2_ERROR_MATCHLIMIT;
		spend(a, cost);
	}
	a->run->work += a->len / 2;
	return try_at(a, 0, PCRE2_NO_JIT, limit);
}

enum regex_answer
regex_match(struct regex *regex, const char *text, struct regex_run *run)
{
	enum regex_answer answer = REGEX_UNKNOWN;
	size_t read = 0;

	if (regex->is_simple)
		answer = simple_match(&regex->simple, text, &read);
	run->work += read / 8;
	return answer == REGEX_UNKNOWN ? regex_match_fully(regex, text, run) : answer;
}

enum regex_answer
regex_match_fully(struct regex *regex, const char *text, struct regex_run *run)
{
	struct attempt a = {
		.engine = engine_of(regex),
		.cost = regex->cost,
		.run = run,
		.text = text,
		.len = strlen(text),
	};

	run->work += 4 + a.len / 16;
	if (!a.engine)
		return REGEX_UNKNOWN;
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
	int rc = match_fast(&a);
	if (rc == PCRE2_ERROR_MATCHLIMIT || rc == PCRE2_ERROR_JIT_STACKLIMIT)
		rc = match_linear(&a);
	if (rc == PCRE2_ERROR_MATCHLIMIT)
		rc = try_each_offset(&a);
	if (rc >= 0)
		return REGEX_YES;
	return rc == PCRE2_ERROR_NOMATCH ? REGEX_NO : REGEX_UNKNOWN;
}

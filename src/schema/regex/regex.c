/* SPDX-License-Identifier: MIT */
#include "regex.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/*
 * PCRE2's interpreter counts its steps and stops at a limit, for each start
 * offset separately. (Its JIT code does not count repeats of single characters.)
 */
#define CHECK_BUDGET 8000000 /* counted steps of a whole check, beyond the linear ones */
#define MATCH_BUDGET 1500000 /* for one match */
#define FIRST_LIMIT 32       /* for one start offset, then four times as many, ... */
#define HEAP_KIB 20000
#define MAX_SUBJECT (1 << 20)

struct backtrack {
	pcre2_code *code;
	bool anchored;
};

struct backtrack_tools {
	pcre2_match_data *data;
	pcre2_match_context *context;
	struct buf subject; /* used if the text is not valid UTF-8 for PCRE2 */
};

struct backtrack *
backtrack_create(const char *pattern, size_t len)
{
	int error;
	size_t offset;
	uint32_t options =
	    PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, len, options, &error, &offset, NULL);

	if (!code)
		return NULL;
	struct backtrack *backtrack = mem_zalloc(sizeof(*backtrack));
	uint32_t all = 0;
	pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &all);
	backtrack->code = code;
	backtrack->anchored = (all & PCRE2_ANCHORED) != 0;
	return backtrack;
}

void
backtrack_destroy(struct backtrack *backtrack)
{
	if (!backtrack)
		return;
	pcre2_code_free(backtrack->code);
	free(backtrack);
}

void
backtrack_run_finish(struct backtrack_run *run)
{
	struct backtrack_tools *tools = run->tools;

	if (!tools)
		return;
	pcre2_match_data_free(tools->data);
	pcre2_match_context_free(tools->context);
	buf_finish(&tools->subject);
	free(tools);
	run->tools = NULL;
}

struct attempt {
	const struct backtrack *backtrack;
	struct backtrack_run *run;
	const char *text;
	size_t len;
	size_t budget; /* for this match */
};

/* Makes one call with a limit and returns PCRE2's result. */
static int
try_at(struct attempt *a, size_t offset, uint32_t options, size_t limit)
{
	pcre2_set_match_limit(a->run->tools->context, (uint32_t)limit);
	return pcre2_match(a->backtrack->code, (PCRE2_SPTR)a->text, a->len, offset,
	    options | PCRE2_NO_UTF_CHECK, a->run->tools->data, a->run->tools->context);
}

/* A single step may run over the whole text. */
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

/* Tries every start offset separately because PCRE2's limit applies to each. PCRE2 does not report
 * the steps it took, so the limit is raised until it suffices. */
static int
try_each_offset(struct attempt *a)
{
	for (size_t at = 0; at <= a->len; at++) {
		int rc = PCRE2_ERROR_MATCHLIMIT;
		if (at < a->len && ((unsigned char)a->text[at] & 0xc0) == 0x80)
			continue;
		for (size_t limit = FIRST_LIMIT; rc == PCRE2_ERROR_MATCHLIMIT; limit *= 4) {
			size_t cost = limit * step_cost(a);
			if (cost > a->budget || cost > a->run->budget)
				return PCRE2_ERROR_MATCHLIMIT;
			rc = try_at(a, at, PCRE2_ANCHORED, limit);
			spend(a, cost);
		}
		if (rc != PCRE2_ERROR_NOMATCH || a->backtrack->anchored)
			return rc;
	}
	return PCRE2_ERROR_NOMATCH;
}

/* Tries all offsets at once; work that is linear in the text is free. */
static int
match_linear(struct attempt *a)
{
	size_t free_steps = 64 + 32 * (a->len + 1);
	size_t limit = a->backtrack->anchored ? 64 + 4 * a->len / step_cost(a) : 16;
	size_t cost = limit * step_cost(a) * (a->backtrack->anchored ? 1 : a->len + 1);

	if (cost > free_steps) {
		cost = (cost - free_steps) / 4;
		if (cost > a->budget)
			return PCRE2_ERROR_MATCHLIMIT;
		spend(a, cost);
	}
	a->run->work += a->len / 2;
	return try_at(a, 0, 0, limit);
}

int
backtrack_match(const struct backtrack *backtrack, const char *text, struct backtrack_run *run)
{
	struct attempt a = {
		.backtrack = backtrack,
		.run = run,
		.text = text,
		.len = strlen(text),
	};

	run->work += 4 + a.len / 16;
	if (a.len > MAX_SUBJECT)
		return -1;
	if (!run->tools) {
		struct backtrack_tools *tools = mem_zalloc(sizeof(*tools));
		tools->data = pcre2_match_data_create(1, NULL);
		tools->context = pcre2_match_context_create(NULL);
		if (!tools->data || !tools->context)
			BUG("no room for a match");
		pcre2_set_heap_limit(tools->context, HEAP_KIB);
		run->tools = tools;
		run->budget = CHECK_BUDGET;
	}
	if (utf8_first_invalid(text, a.len) < a.len) {
		/* Replaces C0 80 by NUL, and any other byte that is not UTF-8 by U+FFFD. */
		struct buf *out = &run->tools->subject;
		buf_clear(out);
		for (size_t i = 0; i < a.len;) {
			bool nul =
			    (unsigned char)text[i] == 0xc0 && (unsigned char)text[i + 1] == 0x80;
			size_t good = utf8_first_invalid(text + i, a.len - i);
			buf_add(out, text + i, good);
			i += good;
			if (good > 0 || i >= a.len)
				continue;
			if (nul)
				buf_add_char(out, '\0');
			else
				buf_add_str(out, "\xef\xbf\xbd");
			i += nul ? 2 : (unsigned char)text[i] == 0xed && i + 2 < a.len ? 3 : 1;
		}
		a.text = buf_text(&run->tools->subject);
		a.len = run->tools->subject.len;
	}
	a.budget = MATCH_BUDGET < run->budget ? MATCH_BUDGET : run->budget;
	int rc = match_linear(&a);
	if (rc == PCRE2_ERROR_MATCHLIMIT)
		rc = try_each_offset(&a);
	return rc >= 0 ? 1 : rc == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

#define MAX_PATTERN (1 << 20)
/* Limits for all automata of a schema: their steps, and the work to complete their tables. */
#define MAX_ROOM 4000000
#define MAX_TABLES 20000000

struct regex {
	_Atomic(struct automaton *) automaton; /* either is NULL until it is needed */
	_Atomic(struct backtrack *) backtrack;
	_Atomic bool linear; /* an automaton can match it */
	char *translated;    /* the source of both */
	size_t max_text;
	const struct regex_room *room;
};

/* Two threads may get here at once; the first result is kept. */
static const struct backtrack *
backtrack_of(struct regex *regex)
{
	struct backtrack *backtrack = atomic_load(&regex->backtrack), *none = NULL;

	if (backtrack)
		return backtrack;
	backtrack = backtrack_create(regex->translated, strlen(regex->translated));
	if (backtrack && !atomic_compare_exchange_strong(&regex->backtrack, &none, backtrack)) {
		backtrack_destroy(backtrack);
		backtrack = none;
	}
	return backtrack;
}

/* The same for the automaton. */
static struct automaton *
automaton_of(struct regex *regex)
{
	struct automaton *automaton = atomic_load(&regex->automaton), *none = NULL;

	if (automaton || !atomic_load(&regex->linear))
		return automaton;
	size_t max_work = MAX_TABLES / regex->room->count;
	max_work = max_work < 250 ? 250 : max_work < 100000 ? max_work : 100000;
	automaton = automaton_create(regex->translated, max_work);
	if (!automaton) {
		atomic_store(&regex->linear, false);
	} else if (!atomic_compare_exchange_strong(&regex->automaton, &none, automaton)) {
		automaton_destroy(automaton);
		automaton = none;
	}
	return automaton;
}

struct regex *
regex_create(const char *pattern, struct regex_room *room, enum regex_syntax *syntax)
{
	struct buf text = BUF_INIT;
	struct regex *regex = NULL;
	struct regex_facts facts;
	const char *fault;

	*syntax = REGEX_UNSUPPORTED;
	if (strlen(pattern) > MAX_PATTERN)
		return NULL;
	*syntax = ecma_translate(pattern, true, &text, &facts, &fault);
	if (*syntax == REGEX_BROKEN) {
		buf_clear(&text);
		*syntax = ecma_translate(pattern, false, &text, &facts, &fault);
	}
	if (*syntax == REGEX_FINE) {
		regex = mem_zalloc(sizeof(*regex));
		regex->translated = buf_detach(&text);
		regex->max_text = facts.max_text;
		regex->room = room;
		regex->linear = !facts.refers && facts.looks <= AUTOMATON_MAX_LOOKS &&
				facts.size <= AUTOMATON_MAX_SIZE &&
				facts.size <= MAX_ROOM - room->size;
		room->count++;
		room->size += regex->linear ? facts.size : 0;
		if (!regex->linear && !backtrack_of(regex)) {
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
	backtrack_destroy(atomic_load(&regex->backtrack));
	automaton_destroy(atomic_load(&regex->automaton));
	free(regex->translated);
	free(regex);
}

const char *
regex_fault(const char *pattern)
{
	struct buf text = BUF_INIT;
	struct regex_facts facts;
	const char *fault = NULL;

	if (strlen(pattern) <= MAX_PATTERN)
		ecma_translate(pattern, true, &text, &facts, &fault);
	buf_finish(&text);
	return fault;
}

void
regex_run_finish(struct regex_run *run)
{
	automaton_run_finish(&run->automaton);
	backtrack_run_finish(&run->backtrack);
}

bool
regex_is_tabled(struct regex *regex)
{
	const struct automaton *automaton = automaton_of(regex);

	return automaton && regex->max_text == SIZE_MAX && automaton_is_tabled(automaton);
}

static enum regex_answer
to_answer(int matches)
{
	return matches < 0 ? REGEX_UNKNOWN : matches > 0 ? REGEX_YES : REGEX_NO;
}

enum regex_answer
regex_match(struct regex *regex, const char *text, struct regex_run *run)
{
	struct automaton *automaton = automaton_of(regex);

	if (regex->max_text < SIZE_MAX && strnlen(text, regex->max_text + 1) > regex->max_text)
		return REGEX_UNKNOWN;
	if (!automaton)
		return regex_match_by_trying(regex, text, run);
	return to_answer(automaton_match(automaton, text, &run->automaton));
}

enum regex_answer
regex_match_by_trying(struct regex *regex, const char *text, struct regex_run *run)
{
	const struct backtrack *backtrack = backtrack_of(regex);

	return backtrack ? to_answer(backtrack_match(backtrack, text, &run->backtrack))
			 : REGEX_UNKNOWN;
}

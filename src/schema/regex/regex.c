#include "regex.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

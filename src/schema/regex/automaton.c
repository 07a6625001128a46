#include "automaton.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define RUN_TABLES 4

struct automaton_tables {
	const struct automaton *of;
	struct dfa parts[AUTOMATON_MAX_LOOKS + 1];
};

struct automaton {
	struct nfa nfa;
	struct automaton_tables tables;
	bool complete;
};

static struct automaton_tables *
tables_init(struct automaton_tables *tables, const struct automaton *automaton)
{
	tables->of = automaton;
	for (unsigned i = 0; i < automaton->nfa.part_count; i++)
		dfa_init(&tables->parts[i], &automaton->nfa, &automaton->nfa.parts[i]);
	return tables;
}

static void
tables_finish(struct automaton_tables *tables)
{
	for (unsigned i = 0; i <= AUTOMATON_MAX_LOOKS; i++)
		dfa_finish(&tables->parts[i]);
}

struct automaton *
automaton_create(const char *pattern, size_t max_work)
{
	struct automaton *automaton = mem_zalloc(sizeof(*automaton));

	if (!nfa_init(&automaton->nfa, pattern)) {
		automaton_destroy(automaton);
		return NULL;
	}
	tables_init(&automaton->tables, automaton);
	automaton->complete = true;
	for (unsigned i = 0; i < automaton->nfa.part_count && automaton->complete; i++)
		automaton->complete = dfa_complete(&automaton->tables.parts[i], max_work);
	if (!automaton->complete) {
		tables_finish(&automaton->tables);
		automaton->tables = (struct automaton_tables){ 0 };
	}
	return automaton;
}

bool
automaton_is_tabled(const struct automaton *automaton)
{
	return automaton->complete && automaton->nfa.part_count == 1;
}

void
automaton_destroy(struct automaton *automaton)
{
	if (!automaton)
		return;
	tables_finish(&automaton->tables);
	nfa_finish(&automaton->nfa);
	free(automaton);
}

void
automaton_run_finish(struct automaton_run *run)
{
	for (size_t i = 0; run->tables && i < RUN_TABLES; i++) {
		if (run->tables[i])
			tables_finish(run->tables[i]);
		free(run->tables[i]);
	}
	free(run->tables);
	run->tables = NULL;
	free(run->room);
	run->room = NULL;
	run->room_size = 0;
}

/* The run's own tables for an automaton. */
static struct automaton_tables *
tables_of(const struct automaton *automaton, struct automaton_run *run)
{
	if (!run->tables)
		run->tables = mem_zalloc(RUN_TABLES * sizeof(*run->tables));
	for (size_t i = 0; i < RUN_TABLES; i++)
		if (run->tables[i] && run->tables[i]->of == automaton)
			return run->tables[i];
	struct automaton_tables **slot = &run->tables[run->next++ % RUN_TABLES];
	if (*slot)
		tables_finish(*slot);
	free(*slot);
	*slot = mem_zalloc(sizeof(**slot));
	run->work += automaton->nfa.steps.len / 64;
	return tables_init(*slot, automaton);
}

/* Fills in an unknown cell. Returns false if the run has used up its budget. */
static bool
fill(struct dfa *dfa, int32_t row, uint32_t symbol, int32_t *cell, struct automaton_run *run)
{
	size_t before = dfa->work;

	if (run->spent > AUTOMATON_MAX_SPENT)
		return false;
	*cell = dfa_fill(dfa, row, symbol);
	run->spent += dfa->work - before;
	run->work += (dfa->work - before) / 4;
	return true;
}

static uint8_t
wide_class(const struct alphabet *alphabet, const char **at)
{
	uint32_t ch = take_character(at);

	return ch < 128 ? alphabet->ascii[ch] : alphabet_wide_class(alphabet, ch);
}

/*
 * The end of the text is a class too, and its cells never lead to a row, so the loop needs no
 * test for it. Most characters stay in their row; testing that first lets the processor
 * predict the next row instead of waiting for the cell.
 */
static int
search(struct dfa *dfa, const char *text, struct automaton_run *run)
{
	const struct alphabet *alphabet = &dfa->nfa->alphabet;
	const int32_t *cells = dfa->cells.items;
	const char *at = text;
	int32_t row = dfa_start(dfa), cell;

	do {
		uint32_t symbol = alphabet->bytes[(unsigned char)*at];
		if (symbol == CLASS_WIDE)
			symbol = wide_class(alphabet, &at);
		else
			at++;
		cell = cells[row + (int32_t)symbol];
		if (cell == row)
			continue;
		if (cell == DFA_UNKNOWN) {
			if (!fill(dfa, row, symbol, &cell, run))
				break;
			cells = dfa->cells.items;
		}
		row = cell;
	} while (cell > 0);
	run->work += (size_t)(at - text) / 8;
	return cell == DFA_UNKNOWN ? -1 : cell != DFA_DEAD;
}

/* The classes of the characters of a text, the class of the end before and behind them, and the
 * results of looks at each position. */
struct text {
	const uint8_t *classes;
	uint8_t *outcomes;
	size_t len;
};

static struct text
classify(const struct alphabet *alphabet, const char *text, struct automaton_run *run)
{
	size_t most = strlen(text) + 2;
	uint8_t *classes;

	if (run->room_size < 2 * most) {
		free(run->room);
		run->room_size = 4 * most;
		run->room = mem_alloc(run->room_size);
	}
	classes = run->room + 1;
	struct text out = { .classes = classes, .outcomes = run->room + most };
	while (*text) {
		uint8_t class = alphabet->bytes[(unsigned char)*text];
		if (class == CLASS_WIDE)
			class = wide_class(alphabet, &text);
		else
			text++;
		classes[out.len++] = class;
	}
	classes[-1] = classes[out.len] = (uint8_t)alphabet->class_count;
	memset(out.outcomes, 0, out.len + 1);
	return out;
}

/* A look records each position at which it holds; the pattern itself stops at the first match. */
static int
walk(struct dfa *dfa, const struct text *text, struct automaton_run *run)
{
	unsigned number = (unsigned)(dfa->part - dfa->nfa->parts);
	bool backward = dfa->part->backward, looks = number + 1 < dfa->nfa->part_count;
	uint32_t width = dfa->nfa->alphabet.class_count + 1, known = (1u << number) - 1;
	const uint8_t *class = backward ? text->classes + text->len - 1 : text->classes;
	uint8_t *outcome = backward ? text->outcomes + text->len : text->outcomes;
	ptrdiff_t step = backward ? -1 : 1;
	int32_t row = dfa_start(dfa);

	for (size_t i = 0; i <= text->len; i++, class += step, outcome += step) {
		uint32_t symbol = *class + (*outcome & known) * width;
		int32_t cell = dfa->cells.items[(uint32_t)row + symbol];
		if (cell < 0) {
			if (cell == DFA_UNKNOWN && !fill(dfa, row, symbol, &cell, run))
				return -1;
			if (cell < 0 && !looks)
				return 1;
			*outcome |= (uint8_t)((cell < 0) << number);
			cell &= INT32_MAX;
		}
		row = cell;
		if (row == DFA_DEAD && !looks)
			break;
	}
	run->work += text->len / 8;
	return 0;
}

int
automaton_match(struct automaton *automaton, const char *text, struct automaton_run *run)
{
	struct automaton_tables *tables = &automaton->tables;
	unsigned last = automaton->nfa.part_count - 1;
	int answer = 0;

	if (!automaton->complete)
		tables = tables_of(automaton, run);
	if (last == 0)
		return search(&tables->parts[0], text, run);
	struct text classes = classify(&automaton->nfa.alphabet, text, run);
	for (unsigned i = 0; i <= last && answer >= 0; i++)
		answer = walk(&tables->parts[i], &classes, run);
	return answer;
}

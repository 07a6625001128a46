/* SPDX-License-Identifier: MIT */
#include "automaton.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/*
 * One part of an NFA as a table. A row is the set of steps that the text read so far may have
 * reached; its cells lead to the row after one more character. A complete table never changes, so
 * threads may share it. Any other table has one owner, who fills it in while reading.
 */
struct dfa {
	const struct nfa *nfa;
	const struct nfa_part *part;
	uint32_t symbols; /* cells of a row: the classes and the end of the text, for each
			     combination of looks */
	struct {
		int32_t *items; /* start of the next row, DFA_ACCEPTS or'ed if the part matches
				   here; or DFA_UNKNOWN */
		size_t len, cap;
	} cells;
	struct dfa_room *room; /* NULL if complete */
	size_t work;           /* steps visited so far */
};

#define DFA_UNKNOWN (-1)
#define DFA_ACCEPTS INT32_MIN
#define DFA_DEAD 0 /* the row without steps: no match is possible from here */

static inline int32_t
dfa_start(const struct dfa *dfa)
{
	return (int32_t)dfa->symbols;
}

#define MAX_CELLS (1 << 20) /* limit of a table, which is then cleared */
#define MAX_REACHED (1 << 20)

/* The character on one side of a position in the text. */
enum side { SIDE_EDGE, SIDE_WORD, SIDE_OTHER };

/* A row. It only keeps steps that read a character or need to know the next one. */
struct state {
	uint32_t at, count; /* in `reached` */
	enum side behind;   /* the character just read */
};

struct dfa_list {
	uint32_t *items;
	size_t len, cap;
};

struct dfa_room {
	struct {
		struct state *items;
		size_t len, cap;
	} states;
	struct dfa_list reached;
	struct map rows; /* numbers of states, from 1, by their steps */
	struct dfa_list here, before, stack;
	uint32_t *marks, mark; /* by step: whether `here` has it */
	bool waits;            /* a step of `here` needs the next character */
	bool looks;            /* a look was tested on the way to `here` */
};

/* The known facts about the position between two characters. */
struct text_gap {
	enum side behind, ahead;
	bool ahead_known;
	unsigned outcomes; /* a bit for each look */
};

static bool
place_holds(const struct dfa *dfa, const struct nfa_step *step, const struct text_gap *p)
{
	/* for a backward part, the left side is ahead */
	enum side left = dfa->part->backward ? p->ahead : p->behind;
	enum side right = dfa->part->backward ? p->behind : p->ahead;

	switch (step->op) {
	case NFA_BEGIN:
		return left == SIDE_EDGE;
	case NFA_END:
		return right == SIDE_EDGE;
	case NFA_WORD:
		return (left == SIDE_WORD) != (right == SIDE_WORD);
	case NFA_NOT_WORD:
		return (left == SIDE_WORD) == (right == SIDE_WORD);
	case NFA_LOOK:
		return p->outcomes >> step->arg & 1;
	case NFA_NOT_LOOK:
		return !(p->outcomes >> step->arg & 1);
	default:
		return true;
	}
}

/* These steps do not need the next character. */
static bool
asks_behind(const struct dfa *dfa, const struct nfa_step *step)
{
	return step->op == (dfa->part->backward ? NFA_END : NFA_BEGIN);
}

static bool
is_place(const struct nfa_step *step)
{
	return step->op >= NFA_BEGIN && step->op <= NFA_NOT_LOOK;
}

static void
push_step(struct dfa *dfa, uint32_t step)
{
	struct dfa_room *room = dfa->room;

	if (room->marks[step] == room->mark)
		return;
	room->marks[step] = room->mark;
	*VEC_PUSH(&room->stack) = step;
}

/* Adds all steps to `here` that can be reached from start without reading a character. */
static void
reach(struct dfa *dfa, uint32_t start, const struct text_gap *p)
{
	struct dfa_room *room = dfa->room;

	push_step(dfa, start);
	while (room->stack.len > 0) {
		uint32_t number = room->stack.items[--room->stack.len];
		const struct nfa_step *step = &dfa->nfa->steps.items[number];
		dfa->work++;
		room->looks |= step->op == NFA_LOOK || step->op == NFA_NOT_LOOK;
		if (step->op == NFA_SPLIT)
			push_step(dfa, step->other);
		if (step->op == NFA_SPLIT || step->op == NFA_NEXT) {
			push_step(dfa, step->to);
		} else if (is_place(step) && (p->ahead_known || asks_behind(dfa, step))) {
			if (place_holds(dfa, step, p))
				push_step(dfa, step->to);
		} else {
			*VEC_PUSH(&room->here) = number;
			room->waits |= is_place(step);
		}
	}
}

static void
begin_list(struct dfa *dfa)
{
	struct dfa_room *room = dfa->room;

	room->here.len = 0;
	room->waits = room->looks = false;
	if (++room->mark == 0) {
		memset(room->marks, 0, dfa->nfa->steps.len * sizeof(*room->marks));
		room->mark = 1;
	}
}

static int
by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void
sort_steps(struct dfa_list *list)
{
	if (list->len > 16) {
		qsort(list->items, list->len, sizeof(*list->items), by_number);
		return;
	}
	for (size_t i = 1; i < list->len; i++) {
		uint32_t number = list->items[i];
		size_t j = i;
		for (; j > 0 && list->items[j - 1] > number; j--)
			list->items[j] = list->items[j - 1];
		list->items[j] = number;
	}
}

/* The row for the steps in `here`, created if it does not exist. */
static int32_t
row_of_list(struct dfa *dfa, enum side behind)
{
	struct dfa_room *room = dfa->room;
	struct dfa_list *here = &room->here;

	if (!room->waits)
		behind = SIDE_OTHER; /* makes no difference */
	sort_steps(here);
	uint64_t key = hash_bytes(
	    (uintptr_t)room + behind, (const char *)here->items, here->len * sizeof(*here->items));
	const void *known;
	MAP_EACH(&room->rows, key, known) {
		const struct state *s = &room->states.items[(uintptr_t)known - 1];
		if (s->count == here->len && s->behind == behind &&
		    (here->len == 0 || memcmp(room->reached.items + s->at, here->items,
					   here->len * sizeof(*here->items)) == 0))
			return (int32_t)(((uint32_t)(uintptr_t)known - 1) * dfa->symbols);
	}
	uint32_t number = (uint32_t)room->states.len;
	*VEC_PUSH(&room->states) =
	    (struct state){ (uint32_t)room->reached.len, (uint32_t)here->len, behind };
	for (size_t i = 0; i < here->len; i++)
		*VEC_PUSH(&room->reached) = here->items[i];
	for (uint32_t i = 0; i < dfa->symbols; i++)
		*VEC_PUSH(&dfa->cells) = number == DFA_DEAD ? DFA_DEAD : DFA_UNKNOWN;
	map_add(&room->rows, key, (const void *)room->states.len);
	return (int32_t)(number * dfa->symbols);
}

/* Row 0 is dead, row 1 is the start. */
static void
begin_table(struct dfa *dfa)
{
	struct dfa_room *room = dfa->room;
	const struct text_gap edge = { .behind = SIDE_EDGE };

	room->states.len = room->reached.len = dfa->cells.len = 0;
	map_clear(&room->rows);
	begin_list(dfa);
	row_of_list(dfa, SIDE_OTHER);
	begin_list(dfa);
	reach(dfa, dfa->part->start, &edge);
	room->waits = true; /* distinguishes the start from all other rows */
	row_of_list(dfa, SIDE_EDGE);
}

static void
drop_room(struct dfa *dfa)
{
	struct dfa_room *room = dfa->room;

	if (!room)
		return;
	free(room->states.items);
	free(room->reached.items);
	free(room->here.items);
	free(room->before.items);
	free(room->stack.items);
	map_finish(&room->rows);
	free(room->marks);
	free(room);
	dfa->room = NULL;
}

static void
read_class(struct dfa *dfa, unsigned class, enum side kind)
{
	struct dfa_room *room = dfa->room;
	const struct text_gap between = { .behind = kind };
	struct dfa_list before = room->here;

	room->here = room->before; /* keep both allocations */
	room->before = before;
	begin_list(dfa);
	for (size_t i = 0; i < before.len; i++) {
		const struct nfa_step *step = &dfa->nfa->steps.items[before.items[i]];
		dfa->work++;
		if (step->op == NFA_SET &&
		    class_in(dfa->nfa->alphabet.sets.items[step->arg].classes, class))
			reach(dfa, step->to, &between);
	}
	reach(dfa, dfa->part->start, &between);
}

/* Clears a full table, except for one row. */
static int32_t
begin_again(struct dfa *dfa, int32_t row)
{
	struct dfa_room *room = dfa->room;
	struct state state = room->states.items[(uint32_t)row / dfa->symbols];

	room->here.len = 0;
	for (uint32_t i = 0; i < state.count; i++)
		*VEC_PUSH(&room->here) = room->reached.items[state.at + i];
	struct dfa_list kept = room->here;
	room->here = (struct dfa_list){ 0 };
	begin_table(dfa);
	free(room->here.items);
	room->here = kept;
	room->waits = true;
	dfa->work += dfa->symbols;
	return row_of_list(dfa, state.behind);
}

static int32_t
dfa_fill(struct dfa *dfa, int32_t row, uint32_t symbol)
{
	struct dfa_room *room = dfa->room;
	const struct alphabet *alphabet = &dfa->nfa->alphabet;
	unsigned end = alphabet->class_count, class = symbol % (end + 1);

	if (dfa->cells.len >= MAX_CELLS || room->reached.len >= MAX_REACHED)
		row = begin_again(dfa, row);
	struct state state = room->states.items[(uint32_t)row / dfa->symbols];
	struct text_gap p = { .behind = state.behind, .ahead_known = true };
	p.outcomes = symbol / (end + 1);
	p.ahead = class == end                       ? SIDE_EDGE
		  : class_in(alphabet->words, class) ? SIDE_WORD
						     : SIDE_OTHER;
	int32_t cell = DFA_DEAD;
	bool accepts = false;
	/* takes the steps that depend on the next character; `here` is left with those that read it
	 */
	begin_list(dfa);
	for (uint32_t i = 0; i < state.count; i++)
		reach(dfa, room->reached.items[state.at + i], &p);
	for (size_t i = 0; i < room->here.len; i++)
		accepts |= dfa->nfa->steps.items[room->here.items[i]].op == NFA_MATCH;
	bool looks = room->looks;
	bool over = accepts && dfa->part == &dfa->nfa->parts[dfa->nfa->part_count - 1];
	if (class != end && !over) {
		read_class(dfa, class, p.ahead);
		cell = row_of_list(dfa, p.ahead);
	}
	if (accepts)
		cell |= DFA_ACCEPTS;
	if (looks) {
		dfa->cells.items[(uint32_t)row + symbol] = cell;
		return cell;
	}
	for (uint32_t s = class; s < dfa->symbols; s += end + 1)
		dfa->cells.items[(uint32_t)row + s] = cell;
	return cell;
}

static bool
dfa_complete(struct dfa *dfa, size_t max_work)
{
	for (size_t i = 0; i < dfa->cells.len; i++) {
		if (dfa->cells.items[i] != DFA_UNKNOWN)
			continue;
		uint32_t symbol = (uint32_t)(i % dfa->symbols);
		dfa_fill(dfa, (int32_t)(i - symbol), symbol);
		if (dfa->work > max_work || dfa->cells.len >= MAX_CELLS / 4)
			return false;
	}
	drop_room(dfa);
	return true;
}

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
	const struct nfa *nfa = &automaton->nfa;

	tables->of = automaton;
	for (unsigned i = 0; i < nfa->part_count; i++) {
		struct dfa *dfa = &tables->parts[i];
		*dfa = (struct dfa){ .nfa = nfa, .part = &nfa->parts[i] };
		dfa->symbols = (nfa->alphabet.class_count + 1) << i; /* i looks before it */
		dfa->room = mem_zalloc(sizeof(*dfa->room));
		dfa->room->marks = mem_zalloc(nfa->steps.len * sizeof(*dfa->room->marks));
		begin_table(dfa);
	}
	return tables;
}

static void
tables_finish(struct automaton_tables *tables)
{
	for (unsigned i = 0; i <= AUTOMATON_MAX_LOOKS; i++) {
		drop_room(&tables->parts[i]);
		free(tables->parts[i].cells.items);
	}
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
fill_cell(struct dfa *dfa, int32_t row, uint32_t symbol, int32_t *cell, struct automaton_run *run)
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
search_text(struct dfa *dfa, const char *text, struct automaton_run *run)
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
			if (!fill_cell(dfa, row, symbol, &cell, run))
				break;
			cells = dfa->cells.items;
		}
		row = cell;
	} while (cell > 0);
	run->work += (size_t)(at - text) / 8;
	return cell == DFA_UNKNOWN ? -1 : cell != DFA_DEAD;
}

/* The classes of the characters of a text, the class of the end before and after them, and the
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
walk_text(struct dfa *dfa, const struct text *text, struct automaton_run *run)
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
			if (cell == DFA_UNKNOWN && !fill_cell(dfa, row, symbol, &cell, run))
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
		return search_text(&tables->parts[0], text, run);
	struct text classes = classify(&automaton->nfa.alphabet, text, run);
	for (unsigned i = 0; i <= last && answer >= 0; i++)
		answer = walk_text(&tables->parts[i], &classes, run);
	return answer;
}

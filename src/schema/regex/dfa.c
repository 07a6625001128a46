#include "automaton.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

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
holds(const struct dfa *dfa, const struct nfa_step *step, const struct text_gap *p)
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
push(struct dfa *dfa, uint32_t step)
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

	push(dfa, start);
	while (room->stack.len > 0) {
		uint32_t number = room->stack.items[--room->stack.len];
		const struct nfa_step *step = &dfa->nfa->steps.items[number];
		dfa->work++;
		room->looks |= step->op == NFA_LOOK || step->op == NFA_NOT_LOOK;
		if (step->op == NFA_SPLIT)
			push(dfa, step->other);
		if (step->op == NFA_SPLIT || step->op == NFA_NEXT) {
			push(dfa, step->to);
		} else if (is_place(step) && (p->ahead_known || asks_behind(dfa, step))) {
			if (holds(dfa, step, p))
				push(dfa, step->to);
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
sort(struct dfa_list *list)
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
	sort(here);
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

void
dfa_init(struct dfa *dfa, const struct nfa *nfa, const struct nfa_part *part)
{
	unsigned looks = (unsigned)(part - nfa->parts); /* the parts before it */

	*dfa = (struct dfa){ .nfa = nfa, .part = part };
	dfa->symbols = (nfa->alphabet.class_count + 1) << looks;
	dfa->room = mem_zalloc(sizeof(*dfa->room));
	dfa->room->marks = mem_zalloc(nfa->steps.len * sizeof(*dfa->room->marks));
	begin_table(dfa);
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

void
dfa_finish(struct dfa *dfa)
{
	drop_room(dfa);
	free(dfa->cells.items);
}

/* Resolves the steps that depend on the next character; `here` then holds the steps that read
 * it. Does the part match? */
static bool
resolve(struct dfa *dfa, const struct state *state, const struct text_gap *p)
{
	struct dfa_room *room = dfa->room;
	bool accepts = false;

	begin_list(dfa);
	for (uint32_t i = 0; i < state->count; i++)
		reach(dfa, room->reached.items[state->at + i], p);
	for (size_t i = 0; i < room->here.len; i++)
		accepts |= dfa->nfa->steps.items[room->here.items[i]].op == NFA_MATCH;
	return accepts;
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

int32_t
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
	bool accepts = resolve(dfa, &state, &p), looks = room->looks;
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

bool
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

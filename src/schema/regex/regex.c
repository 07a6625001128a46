/* SPDX-License-Identifier: MIT */
#include "regex.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "nfa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* ---- automata ---- */

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
	enum nfa_op edge = dfa->part->backward ? NFA_END : NFA_BEGIN; /* asks only what is behind */

	push_step(dfa, start);
	while (room->stack.len > 0) {
		uint32_t number = room->stack.items[--room->stack.len];
		const struct nfa_step *step = &dfa->nfa->steps.items[number];
		bool is_place = step->op >= NFA_BEGIN && step->op <= NFA_NOT_LOOK;
		dfa->work++;
		room->looks |= step->op == NFA_LOOK || step->op == NFA_NOT_LOOK;
		if (step->op == NFA_SPLIT)
			push_step(dfa, step->other);
		if (step->op == NFA_SPLIT || step->op == NFA_NEXT) {
			push_step(dfa, step->to);
		} else if (is_place && (p->ahead_known || step->op == edge)) {
			if (place_holds(dfa, step, p))
				push_step(dfa, step->to);
		} else {
			*VEC_PUSH(&room->here) = number;
			room->waits |= is_place;
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

/* The row for the steps in `here`, created if it does not exist. */
static int32_t
row_of_list(struct dfa *dfa, enum side behind)
{
	struct dfa_room *room = dfa->room;
	struct dfa_list *here = &room->here;

	if (!room->waits)
		behind = SIDE_OTHER; /* makes no difference */
	if (here->len > 16)
		qsort(here->items, here->len, sizeof(*here->items), compare_uint32);
	for (size_t i = 1; i < here->len && here->len <= 16; i++) {
		uint32_t step = here->items[i];
		size_t j = i;
		for (; j > 0 && here->items[j - 1] > step; j--)
			here->items[j] = here->items[j - 1];
		here->items[j] = step;
	}
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

static void
automaton_destroy(struct automaton *automaton)
{
	if (!automaton)
		return;
	tables_finish(&automaton->tables);
	nfa_finish(&automaton->nfa);
	free(automaton);
}

/* max_work: limit for complete tables. NULL if the pattern has a back reference or is too large. */
static struct automaton *
automaton_create(const char *pattern, size_t max_work)
{
	struct automaton *automaton = mem_zalloc(sizeof(*automaton));

	if (!nfa_init(&automaton->nfa, pattern)) {
		automaton_destroy(automaton);
		return NULL;
	}
	tables_init(&automaton->tables, automaton);
	automaton->complete = true;
	for (unsigned i = 0; i < automaton->nfa.part_count && automaton->complete; i++) {
		struct dfa *dfa = &automaton->tables.parts[i];
		for (size_t j = 0; j < dfa->cells.len && automaton->complete; j++) {
			if (dfa->cells.items[j] != DFA_UNKNOWN)
				continue;
			uint32_t symbol = (uint32_t)(j % dfa->symbols);
			dfa_fill(dfa, (int32_t)(j - symbol), symbol);
			automaton->complete =
			    dfa->work <= max_work && dfa->cells.len < MAX_CELLS / 4;
		}
		if (automaton->complete)
			drop_room(dfa);
	}
	if (!automaton->complete) {
		tables_finish(&automaton->tables);
		automaton->tables = (struct automaton_tables){ 0 };
	}
	return automaton;
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

/*
 * The end of the text is a class too, and its cells never lead to a row, so the loop needs no
 * test for it. Most characters stay in their row; testing that first lets the processor
 * predict the next row instead of waiting for the cell.
 */
static enum regex_answer
search_text(struct dfa *dfa, const char *text, struct automaton_run *run)
{
	const struct alphabet *alphabet = &dfa->nfa->alphabet;
	const int32_t *cells = dfa->cells.items;
	const char *at = text;
	int32_t row = (int32_t)dfa->symbols, cell; /* row 1 is the start */

	do {
		uint32_t symbol = alphabet->bytes[(unsigned char)*at];
		if (symbol == CLASS_WIDE)
			symbol = alphabet_take_wide(alphabet, &at);
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
	return cell == DFA_UNKNOWN ? REGEX_UNKNOWN : cell == DFA_DEAD ? REGEX_NO : REGEX_YES;
}

/* The classes of the characters of a text, the class of the end before and after them, and the
 * results of looks at each position. */
struct text {
	const uint8_t *classes;
	uint8_t *outcomes;
	size_t len;
};

/* A look records each position at which it holds; the pattern itself stops at the first match. */
static enum regex_answer
walk_text(struct dfa *dfa, const struct text *text, struct automaton_run *run)
{
	unsigned number = (unsigned)(dfa->part - dfa->nfa->parts);
	bool backward = dfa->part->backward, looks = number + 1 < dfa->nfa->part_count;
	uint32_t width = dfa->nfa->alphabet.class_count + 1, known = (1u << number) - 1;
	const uint8_t *class = backward ? text->classes + text->len - 1 : text->classes;
	uint8_t *outcome = backward ? text->outcomes + text->len : text->outcomes;
	ptrdiff_t step = backward ? -1 : 1;
	int32_t row = (int32_t)dfa->symbols; /* row 1 is the start */

	for (size_t i = 0; i <= text->len; i++, class += step, outcome += step) {
		uint32_t symbol = *class + (*outcome & known) * width;
		int32_t cell = dfa->cells.items[(uint32_t)row + symbol];
		if (cell < 0) {
			if (cell == DFA_UNKNOWN && !fill_cell(dfa, row, symbol, &cell, run))
				return REGEX_UNKNOWN;
			if (cell < 0 && !looks)
				return REGEX_YES;
			*outcome |= (uint8_t)((cell < 0) << number);
			cell &= INT32_MAX;
		}
		row = cell;
		if (row == DFA_DEAD && !looks)
			break;
	}
	run->work += text->len / 8;
	return REGEX_NO;
}

/* REGEX_UNKNOWN if the run has used up its budget. */
static enum regex_answer
automaton_match(struct automaton *automaton, const char *text, struct automaton_run *run)
{
	struct automaton_tables *tables = &automaton->tables;
	const struct alphabet *alphabet = &automaton->nfa.alphabet;
	unsigned last = automaton->nfa.part_count - 1;
	enum regex_answer answer = REGEX_NO;

	if (!automaton->complete)
		tables = tables_of(automaton, run);
	if (last == 0)
		return search_text(&tables->parts[0], text, run);
	size_t most = strlen(text) + 2;
	if (run->room_size < 2 * most) {
		free(run->room);
		run->room_size = 4 * most;
		run->room = mem_alloc(run->room_size);
	}
	uint8_t *classes = run->room + 1;
	struct text read = { .classes = classes, .outcomes = run->room + most };
	while (*text) {
		uint8_t class = alphabet->bytes[(unsigned char)*text];
		if (class == CLASS_WIDE)
			class = alphabet_take_wide(alphabet, &text);
		else
			text++;
		classes[read.len++] = class;
	}
	classes[-1] = classes[read.len] = (uint8_t)alphabet->class_count;
	memset(read.outcomes, 0, read.len + 1);
	for (unsigned i = 0; i <= last && answer != REGEX_UNKNOWN; i++)
		answer = walk_text(&tables->parts[i], &read, run);
	return answer;
}

/* ---- PCRE2 ---- */

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
	size_t budget; /* for this match, at most that of the run */
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
			if (cost > a->budget)
				return PCRE2_ERROR_MATCHLIMIT;
			rc = try_at(a, at, PCRE2_ANCHORED, limit);
			a->budget -= cost;
			a->run->budget -= cost;
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
		a->budget -= cost;
		a->run->budget -= cost;
	}
	a->run->work += a->len / 2;
	return try_at(a, 0, 0, limit);
}

enum regex_answer
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
		return REGEX_UNKNOWN;
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
	return rc >= 0 ? REGEX_YES : rc == PCRE2_ERROR_NOMATCH ? REGEX_NO : REGEX_UNKNOWN;
}

/* ---- either of them ---- */

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
	struct automaton_run *own = &run->automaton;

	for (size_t i = 0; own->tables && i < RUN_TABLES; i++) {
		if (own->tables[i])
			tables_finish(own->tables[i]);
		free(own->tables[i]);
	}
	free(own->tables);
	free(own->room);
	*own = (struct automaton_run){ 0 };
	backtrack_run_finish(&run->backtrack);
}

bool
regex_is_tabled(struct regex *regex)
{
	const struct automaton *automaton = automaton_of(regex);

	return automaton && regex->max_text == SIZE_MAX && automaton->complete &&
	       automaton->nfa.part_count == 1;
}

enum regex_answer
regex_match(struct regex *regex, const char *text, struct regex_run *run)
{
	struct automaton *automaton = automaton_of(regex);

	if (regex->max_text < SIZE_MAX && strnlen(text, regex->max_text + 1) > regex->max_text)
		return REGEX_UNKNOWN;
	return automaton ? automaton_match(automaton, text, &run->automaton)
			 : regex_match_by_trying(regex, text, run);
}

enum regex_answer
regex_match_by_trying(struct regex *regex, const char *text, struct regex_run *run)
{
	const struct backtrack *backtrack = backtrack_of(regex);

	return backtrack ? backtrack_match(backtrack, text, &run->backtrack) : REGEX_UNKNOWN;
}

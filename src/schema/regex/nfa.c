#include "automaton.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 250

/*
 * Reads the output of ecma_translate(): characters, \x{..}, \d, \w, \p{..}, classes of these,
 * groups, look-arounds and quantifiers. The only question is whether there is a match, so lazy
 * quantifiers are treated as greedy ones and groups capture nothing.
 */
struct nfa_reader {
	const char *at;
	struct nfa *nfa;
	bool backward; /* builds the reverse, for a look-ahead */
	bool failed;
	unsigned depth;
};

/* The steps from start to end; `to` of the end is not set yet. */
struct fragment {
	uint32_t start, end;
};

static struct fragment take_alternatives(struct nfa_reader *r);

static uint32_t
add_step(struct nfa_reader *r, enum nfa_op op, unsigned arg)
{
	struct nfa *nfa = r->nfa;

	if (nfa->steps.len >= AUTOMATON_MAX_SIZE) {
		r->failed = true;
		return 0;
	}
	*VEC_PUSH(&nfa->steps) = (struct nfa_step){ .op = (uint8_t)op, .arg = (uint16_t)arg };
	return (uint32_t)nfa->steps.len - 1;
}

static void
lead(struct nfa_reader *r, uint32_t from, uint32_t to)
{
	r->nfa->steps.items[from].to = to;
}

static struct fragment
one_step(struct nfa_reader *r, enum nfa_op op, unsigned arg)
{
	uint32_t step = add_step(r, op, arg);

	return (struct fragment){ step, step };
}

static struct fragment
join(struct nfa_reader *r, struct fragment first, struct fragment second)
{
	if (r->backward) {
		lead(r, second.end, first.start);
		return (struct fragment){ second.start, first.end };
	}
	lead(r, first.end, second.start);
	return (struct fragment){ first.start, second.end };
}

static bool
takes(struct nfa_reader *r, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(r->at, text, len) != 0)
		return false;
	r->at += len;
	return true;
}

static void
add_word(struct char_set *set)
{
	char_set_add(set, '0', '9');
	char_set_add(set, 'A', 'Z');
	char_set_add(set, '_', '_');
	char_set_add(set, 'a', 'z');
}

static void
add_all_but(struct char_set *out, const struct char_set *ascii)
{
	for (uint32_t c = 0; c < 128; c++)
		if (!(ascii->ascii[c / 64] >> (c % 64) & 1))
			char_set_add(out, c, c);
	char_set_add(out, 128, 0x10ffff);
}

/* One member of a class, or a set outside of a class. */
static void
take_member(struct nfa_reader *r, struct char_set *set, bool in_class)
{
	struct char_set own = { 0 };
	char *end;

	if (*r->at != '\\') {
		char_set_add(set, (unsigned char)*r->at, (unsigned char)*r->at);
		r->at++;
		return;
	}
	char letter = r->at[1];
	r->at += 2;
	if (letter == 'x') {
		uint32_t from = (uint32_t)strtoul(r->at + 1, &end, 16), to = from;
		r->at = end + 1;
		if (in_class && takes(r, "-\\x{")) {
			to = (uint32_t)strtoul(r->at, &end, 16);
			r->at = end + 1;
		}
		char_set_add(set, from, to);
	} else if (letter == 'p' || letter == 'P') {
		size_t len = strcspn(r->at, "}") + 1;
		r->failed |=
		    !char_set_add_property(&r->nfa->alphabet, set, r->at, len, letter == 'P');
		r->at += len;
	} else if (strchr("dDwW", letter)) {
		if (letter == 'd' || letter == 'D')
			char_set_add(&own, '0', '9');
		else
			add_word(&own);
		if (letter == 'd' || letter == 'w') {
			set->ascii[0] |= own.ascii[0];
			set->ascii[1] |= own.ascii[1];
		} else {
			add_all_but(set, &own);
		}
	} else {
		char_set_add(set, (unsigned char)letter, (unsigned char)letter);
	}
}

static struct fragment
take_set(struct nfa_reader *r)
{
	struct char_set set = { 0 };

	if (takes(r, "[")) {
		set.negated = takes(r, "^");
		while (*r->at != ']')
			take_member(r, &set, true);
		r->at++;
	} else {
		take_member(r, &set, false);
	}
	int number = alphabet_add(&r->nfa->alphabet, &set);
	r->failed |= number < 0;
	return one_step(r, NFA_SET, (unsigned)number & 0xffff);
}

/* The part of a look-around. A repeated group is parsed again for each copy, but its looks share
 * one part. */
static unsigned
take_part(struct nfa_reader *r, bool ahead)
{
	struct nfa *nfa = r->nfa;
	const char *source = r->at;
	bool outside = r->backward;

	r->backward = ahead;
	struct fragment inside = take_alternatives(r);
	lead(r, inside.end, add_step(r, NFA_MATCH, 0));
	r->backward = outside;
	for (unsigned i = 0; i < nfa->part_count; i++)
		if (nfa->parts[i].source == source)
			return i;
	if (nfa->part_count == AUTOMATON_MAX_LOOKS) {
		r->failed = true;
		return 0;
	}
	nfa->parts[nfa->part_count] = (struct nfa_part){ inside.start, ahead, source };
	return nfa->part_count++;
}

static struct fragment
take_group(struct nfa_reader *r)
{
	static const struct {
		const char *mark;
		bool ahead;
		enum nfa_op op;
	} LOOKS[] = {
		{ "?=", true, NFA_LOOK },
		{ "?!", true, NFA_NOT_LOOK },
		{ "?<=", false, NFA_LOOK },
		{ "?<!", false, NFA_NOT_LOOK },
	};
	struct fragment inside;
	bool looks = false;

	r->failed |= ++r->depth > MAX_DEPTH;
	for (size_t i = 0; i < ARRAY_LEN(LOOKS) && !looks && !r->failed; i++) {
		looks = takes(r, LOOKS[i].mark);
		if (looks)
			inside = one_step(r, LOOKS[i].op, take_part(r, LOOKS[i].ahead));
	}
	if (!looks) {
		takes(r, "?:");
		inside = take_alternatives(r);
	}
	r->at += *r->at == ')';
	r->depth--;
	return inside;
}

static struct fragment
take_atom(struct nfa_reader *r)
{
	static const struct {
		const char *mark;
		enum nfa_op op;
	} PLACES[] = { { "^", NFA_BEGIN }, { "$", NFA_END }, { "\\b", NFA_WORD },
		{ "\\B", NFA_NOT_WORD } };

	for (size_t i = 0; i < ARRAY_LEN(PLACES); i++) {
		if (!takes(r, PLACES[i].mark))
			continue;
		r->nfa->alphabet.tells_words |= i >= 2;
		return one_step(r, PLACES[i].op, 0);
	}
	if (takes(r, "("))
		return take_group(r);
	if (strncmp(r->at, "\\g", 2) == 0)
		r->failed = true;
	return take_set(r);
}

/* most is -1 if there is no upper bound. False if there is no quantifier. */
static bool
take_quantifier(struct nfa_reader *r, unsigned long *least, unsigned long *most)
{
	char *end;

	*least = *r->at == '+';
	*most = *r->at == '?' ? 1 : (unsigned long)-1;
	if (*r->at == '{') {
		*least = *most = strtoul(r->at + 1, &end, 10);
		if (*end == ',') {
			bool open = end[1] == '}';
			*most = strtoul(end + 1, &end, 10);
			if (open)
				*most = (unsigned long)-1;
		}
		r->at = end + 1;
	} else if (*r->at && strchr("*+?", *r->at)) {
		r->at++;
	} else {
		return false;
	}
	r->at += *r->at == '?';
	return true;
}

/* Copies the atom by parsing its source again. */
static struct fragment
copy_atom(struct nfa_reader *r, const char *source)
{
	const char *end = r->at;

	r->at = source;
	struct fragment copy = take_atom(r);
	r->at = end;
	return copy;
}

/* Repeats inside without a limit; once: at least one time. */
static struct fragment
loop(struct nfa_reader *r, struct fragment inside, bool once)
{
	struct fragment split = one_step(r, NFA_SPLIT, 0);

	r->nfa->steps.items[split.start].other = inside.start;
	lead(r, inside.end, split.start);
	return once ? (struct fragment){ inside.start, split.end } : split;
}

/* Repeats inside up to `times` times. All exits lead to one step, which keeps the states small. */
static struct fragment
maybe(struct nfa_reader *r, struct fragment inside, unsigned long times, const char *source)
{
	uint32_t out = add_step(r, NFA_NEXT, 0);
	struct fragment all = { out, out };

	for (unsigned long i = 0; i < times && !r->failed; i++) {
		uint32_t split = add_step(r, NFA_SPLIT, 0);
		r->nfa->steps.items[split].other = inside.start;
		lead(r, split, out);
		lead(r, inside.end, all.start);
		all.start = split;
		if (i + 1 < times)
			inside = copy_atom(r, source);
	}
	return all;
}

static struct fragment
take_term(struct nfa_reader *r)
{
	const char *source = r->at;
	struct fragment atom = take_atom(r), all;
	unsigned long least, most;

	if (r->failed || !take_quantifier(r, &least, &most))
		return atom;
	/* the last repetition uses the atom just parsed, the others use copies */
	bool endless = most == (unsigned long)-1;
	if (endless)
		all = loop(r, atom, least > 0);
	else if (most > least)
		all = maybe(r, atom, most - least, source);
	else if (most > 0)
		all = atom;
	else
		all = one_step(r, NFA_NEXT, 0);
	unsigned long copies = least - (least > 0 && (endless || most == least));
	for (unsigned long i = 0; i < copies && !r->failed; i++)
		all = join(r, copy_atom(r, source), all);
	return all;
}

static struct fragment
take_sequence(struct nfa_reader *r)
{
	struct fragment all = one_step(r, NFA_NEXT, 0);

	while (*r->at && *r->at != '|' && *r->at != ')' && !r->failed)
		all = join(r, all, take_term(r));
	return all;
}

static struct fragment
take_alternatives(struct nfa_reader *r)
{
	struct fragment all = take_sequence(r);

	while (!r->failed && takes(r, "|")) {
		struct fragment next = take_sequence(r);
		uint32_t split = add_step(r, NFA_SPLIT, 0), out = add_step(r, NFA_NEXT, 0);
		if (r->failed)
			break;
		r->nfa->steps.items[split].to = all.start;
		r->nfa->steps.items[split].other = next.start;
		lead(r, all.end, out);
		lead(r, next.end, out);
		all = (struct fragment){ split, out };
	}
	return all;
}

bool
nfa_init(struct nfa *nfa, const char *pattern)
{
	*nfa = (struct nfa){ 0 };
	struct nfa_reader r = { .at = pattern, .nfa = nfa };
	struct fragment all = take_alternatives(&r);
	uint32_t match = add_step(&r, NFA_MATCH, 0);

	if (r.failed)
		return false;
	lead(&r, all.end, match);
	nfa->parts[nfa->part_count++] = (struct nfa_part){ all.start, false, pattern };
	return alphabet_complete(&nfa->alphabet);
}

void
nfa_finish(struct nfa *nfa)
{
	alphabet_finish(&nfa->alphabet);
	free(nfa->steps.items);
}

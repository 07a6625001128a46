/* SPDX-License-Identifier: MIT */
#include "nfa.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- properties ---- */

#define PAGES (0x110000 / 64)

/*
 * A Unicode property in the notation of PCRE2: "{L}", "{sc:Greek}". PCRE2 has the tables but
 * cannot list them, so it is asked about each character in turn and the answers are cached.
 * Threads may share a property.
 */
struct property {
	char *text;
	struct backtrack *asked;
	_Atomic uint64_t *pages; /* a bit for each character; racing threads write the same */
	_Atomic uint64_t *known; /* bits: pages that are complete */
};

static bool
property_holds(const struct property *property, uint32_t ch)
{
	uint32_t page = ch / 64;
	uint64_t bit = (uint64_t)1 << (page % 64);

	if (!(atomic_load(&property->known[page / 64]) & bit)) {
		struct backtrack_run run = { 0 };
		uint64_t bits = 0;
		const char *name = property->text;
		/* PCRE2 does not accept surrogates in a text. */
		bool surrogates = strcmp(name, "{Cs}") == 0 || strcmp(name, "{C}") == 0 ||
				  strcmp(name, "{Any}") == 0;
		for (uint32_t c = page * 64; c < page * 64 + 64; c++) {
			char text[5] = "\xc0\x80"; /* a NUL */
			if (c > 0)
				text[utf8_encode(c, text)] = '\0';
			bool has = c >= 0xd800 && c < 0xe000
				       ? surrogates
				       : backtrack_match(property->asked, text, &run) == REGEX_YES;
			bits |= (uint64_t)has << (c % 64);
		}
		backtrack_run_finish(&run);
		atomic_store(&property->pages[page], bits);
		atomic_fetch_or(&property->known[page / 64], bit);
	}
	return atomic_load(&property->pages[page]) >> (ch % 64) & 1;
}

/* ---- sets and classes ---- */

#define FIRST_WIDE 0x80
#define LAST_CHARACTER 0x10ffff
#define MAX_CELLS 4096 /* limit for the table of classes beyond ASCII */

uint32_t
take_character(const char **at)
{
	const unsigned char *s = (const unsigned char *)*at;
	uint32_t ch = 0xfffd;
	size_t len = s[0] < 0x80 ? 1 : utf8_decode(*at, strnlen(*at, 4), &ch);

	if (s[0] < 0x80) {
		ch = s[0];
	} else if (len == 0) {
		bool follows = (s[1] & 0xc0) == 0x80;
		len = 1;
		if (s[0] == 0xc0 && s[1] == 0x80) {
			ch = 0;
			len = 2;
		} else if (s[0] == 0xed && s[1] >= 0xa0 && follows && (s[2] & 0xc0) == 0x80) {
			ch = 0xd000u | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
			len = 3;
		}
	}
	*at += len;
	return ch;
}

static void
char_set_add(struct char_set *set, uint32_t from, uint32_t to)
{
	for (uint32_t c = from; c <= to && c < FIRST_WIDE; c++)
		set->ascii[c / 64] |= (uint64_t)1 << (c % 64);
	if (to >= FIRST_WIDE)
		*VEC_PUSH(&set->wide) =
		    (struct char_range){ from < FIRST_WIDE ? FIRST_WIDE : from, to };
}

static bool
char_set_add_property(
    struct alphabet *alphabet, struct char_set *set, const char *text, size_t len, bool inverted)
{
	unsigned i = 0;

	while (i < alphabet->property_count &&
	       (strlen(alphabet->properties[i]->text) != len ||
		   memcmp(alphabet->properties[i]->text, text, len) != 0))
		i++;
	if (i == MAX_PROPERTIES)
		return false;
	if (i == alphabet->property_count) {
		char *pattern = mem_printf("\\p%.*s", (int)len, text);
		struct backtrack *asked = backtrack_create(pattern, strlen(pattern));
		free(pattern);
		if (!asked) /* PCRE2 does not know it */
			return false;
		struct property *property = mem_zalloc(sizeof(*property));
		property->text = mem_strndup(text, len);
		property->asked = asked;
		property->pages = mem_zalloc(PAGES * sizeof(*property->pages));
		property->known = mem_zalloc(PAGES / 64 * sizeof(*property->known));
		alphabet->properties[alphabet->property_count++] = property;
	}
	*(inverted ? &set->not_properties : &set->properties) |= (uint8_t)(1 << i);
	return true;
}

static int
alphabet_add(struct alphabet *alphabet, struct char_set *set)
{
	for (size_t i = 0; i < alphabet->sets.len; i++) {
		const struct char_set *other = &alphabet->sets.items[i];
		bool same = other->ascii[0] == set->ascii[0] && other->ascii[1] == set->ascii[1] &&
			    other->negated == set->negated &&
			    other->properties == set->properties &&
			    other->not_properties == set->not_properties &&
			    other->wide.len == set->wide.len;
		if (same &&
		    (set->wide.len == 0 || memcmp(other->wide.items, set->wide.items,
					       set->wide.len * sizeof(*set->wide.items)) == 0)) {
			free(set->wide.items);
			return (int)i;
		}
	}
	if (alphabet->sets.len == MAX_SETS) {
		free(set->wide.items);
		return -1;
	}
	*VEC_PUSH(&alphabet->sets) = *set;
	return (int)alphabet->sets.len - 1;
}

static bool
set_has(const struct char_set *set, uint32_t ch, unsigned properties)
{
	bool in = set->properties & properties || set->not_properties & ~properties;

	if (ch < FIRST_WIDE)
		in |= set->ascii[ch / 64] >> (ch % 64) & 1;
	for (size_t i = 0; ch >= FIRST_WIDE && i < set->wide.len && !in; i++)
		in = ch >= set->wide.items[i].from && ch <= set->wide.items[i].to;
	return in != set->negated;
}

/* The characters above ASCII at which a range of some set begins or ends. */
static void
find_bounds(struct alphabet *alphabet)
{
	size_t count = 1;

	for (size_t i = 0; i < alphabet->sets.len; i++)
		count += 2 * alphabet->sets.items[i].wide.len;
	uint32_t *bounds = mem_alloc(count * sizeof(*bounds));
	count = 0;
	bounds[count++] = FIRST_WIDE;
	for (size_t i = 0; i < alphabet->sets.len; i++) {
		const struct char_set *set = &alphabet->sets.items[i];
		for (size_t j = 0; j < set->wide.len; j++) {
			bounds[count++] = set->wide.items[j].from;
			if (set->wide.items[j].to < LAST_CHARACTER)
				bounds[count++] = set->wide.items[j].to + 1;
		}
	}
	qsort(bounds, count, sizeof(*bounds), compare_uint32);
	size_t kept = 1;
	for (size_t i = 1; i < count; i++)
		if (bounds[i] != bounds[kept - 1])
			bounds[kept++] = bounds[i];
	alphabet->bounds = bounds;
	alphabet->bound_count = kept;
}

static unsigned
properties_of(const struct alphabet *alphabet, uint32_t ch)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < alphabet->property_count; i++)
		bits |= (unsigned)property_holds(alphabet->properties[i], ch) << i;
	return bits;
}

/* Splits each class into the characters inside and outside another set. */
struct splitter {
	unsigned count; /* classes so far */
	int first[MAX_CLASSES +
		  1]; /* by class: whether its first member is in the set; -1 before it is known */
	unsigned other[MAX_CLASSES + 1]; /* by class: the class of the members that differ from the
					    first; 0 if none does */
};

static bool
is_word(uint32_t ch)
{
	return ascii_is_alnum(ch) || ch == '_';
}

/* One ASCII character, or all characters of an interval with the same properties. */
struct class_cell {
	uint32_t ch;
	unsigned properties;
	uint8_t *class;
};

static struct class_cell *
list_cells(struct alphabet *alphabet, size_t *count)
{
	size_t each = (size_t)1 << alphabet->property_count, n = 0;
	size_t wide = alphabet->bound_count * each;

	*count = 128 + wide;
	if (*count > MAX_CELLS)
		return NULL;
	struct class_cell *cells = mem_alloc(*count * sizeof(*cells));
	alphabet->wide = mem_zalloc(wide);
	for (uint32_t c = 0; c < 128; c++)
		cells[n++] =
		    (struct class_cell){ c, properties_of(alphabet, c), &alphabet->ascii[c] };
	for (size_t i = 0; i < wide; i++)
		cells[n++] = (struct class_cell){ alphabet->bounds[i / each], (unsigned)(i % each),
			&alphabet->wide[i] };
	return cells;
}

static bool
alphabet_complete(struct alphabet *alphabet)
{
	size_t count;

	find_bounds(alphabet);
	struct class_cell *cells = list_cells(alphabet, &count);
	if (!cells)
		return false;
	struct splitter s = { .count = 1 };
	for (size_t i = !alphabet->tells_words; i <= alphabet->sets.len && s.count <= MAX_CLASSES;
	     i++) {
		const struct char_set *set = i > 0 ? &alphabet->sets.items[i - 1] : NULL;
		memset(s.first, -1, sizeof(s.first));
		for (size_t j = 0; j < count; j++) {
			const struct class_cell *cell = &cells[j];
			bool in =
			    set ? set_has(set, cell->ch, cell->properties) : is_word(cell->ch);
			unsigned class = *cell->class;
			if (s.first[class] < 0) {
				s.first[class] = in;
				s.other[class] = 0;
			}
			if (s.first[class] == in)
				continue;
			if (s.other[class] == 0 && s.count <= MAX_CLASSES)
				s.other[class] = s.count++;
			*cell->class = (uint8_t)s.other[class];
		}
	}
	alphabet->class_count = s.count;
	/* the first member of a class represents them all */
	bool seen[MAX_CLASSES + 2] = { false };
	for (size_t j = 0; j < count && s.count <= MAX_CLASSES; j++) {
		const struct class_cell *cell = &cells[j];
		unsigned class = *cell->class;
		if (seen[class])
			continue;
		seen[class] = true;
		uint8_t bit = (uint8_t)(1 << (class % 8));
		if (is_word(cell->ch))
			alphabet->words[class / 8] |= bit;
		for (size_t i = 0; i < alphabet->sets.len; i++)
			if (set_has(&alphabet->sets.items[i], cell->ch, cell->properties))
				alphabet->sets.items[i].classes[class / 8] |= bit;
	}
	free(cells);
	memset(alphabet->bytes, CLASS_WIDE, sizeof(alphabet->bytes));
	memcpy(alphabet->bytes, alphabet->ascii, sizeof(alphabet->ascii));
	alphabet->bytes[0] = (uint8_t)s.count;
	return s.count <= MAX_CLASSES;
}

uint8_t
alphabet_take_wide(const struct alphabet *alphabet, const char **at)
{
	size_t low = 0, high = alphabet->bound_count;
	uint32_t ch = take_character(at);

	if (ch < 128) /* a NUL */
		return alphabet->ascii[ch];
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (alphabet->bounds[middle] <= ch)
			low = middle;
		else
			high = middle;
	}
	return alphabet->wide[(low << alphabet->property_count) + properties_of(alphabet, ch)];
}

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
join_fragments(struct nfa_reader *r, struct fragment first, struct fragment second)
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

/* One member of a class, or a set outside of a class. */
static void
take_member(struct nfa_reader *r, struct char_set *set, bool in_class)
{
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
		bool word = letter == 'w' || letter == 'W', inverted = letter < 'a';
		for (uint32_t c = 0; c < 128; c++)
			if ((word ? is_word(c) : ascii_is_digit(c)) != inverted)
				char_set_add(set, c, c);
		if (inverted)
			char_set_add(set, 128, LAST_CHARACTER);
	} else {
		char_set_add(set, (unsigned char)letter, (unsigned char)letter);
	}
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
	unsigned long least = *r->at == '+', most = *r->at == '?' ? 1 : (unsigned long)-1;

	if (r->failed || !*r->at || !strchr("*+?{", *r->at))
		return atom;
	if (*r->at == '{') {
		char *end;
		least = most = strtoul(r->at + 1, &end, 10);
		if (*end == ',') {
			bool open = end[1] == '}';
			most = strtoul(end + 1, &end, 10);
			if (open)
				most = (unsigned long)-1;
		}
		r->at = end;
	}
	r->at++;
	r->at += *r->at == '?';
	/* the last repetition uses the atom just parsed, the others use copies */
	bool endless = most == (unsigned long)-1;
	if (endless) {
		all = one_step(r, NFA_SPLIT, 0);
		r->nfa->steps.items[all.start].other = atom.start;
		lead(r, atom.end, all.start);
		if (least > 0)
			all.start = atom.start;
	} else if (most > least) {
		all = maybe(r, atom, most - least, source);
	} else {
		all = most > 0 ? atom : one_step(r, NFA_NEXT, 0);
	}
	unsigned long copies = least - (least > 0 && (endless || most == least));
	for (unsigned long i = 0; i < copies && !r->failed; i++)
		all = join_fragments(r, copy_atom(r, source), all);
	return all;
}

static struct fragment
take_sequence(struct nfa_reader *r)
{
	struct fragment all = one_step(r, NFA_NEXT, 0);

	while (*r->at && *r->at != '|' && *r->at != ')' && !r->failed)
		all = join_fragments(r, all, take_term(r));
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
	struct alphabet *alphabet = &nfa->alphabet;
	for (size_t i = 0; i < alphabet->sets.len; i++)
		free(alphabet->sets.items[i].wide.items);
	for (unsigned i = 0; i < alphabet->property_count; i++) {
		struct property *property = alphabet->properties[i];
		backtrack_destroy(property->asked);
		free(property->text);
		free((void *)property->pages);
		free((void *)property->known);
		free(property);
	}
	free(alphabet->sets.items);
	free(alphabet->bounds);
	free(alphabet->wide);
	free(nfa->steps.items);
}

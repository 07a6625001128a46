#include "simple_priv.h"

#include <string.h>

#define MAX_FIXED 64 /* length of what is looked for at each place of a text */
#define NO_LIMIT UINT32_MAX

struct reader {
	const char *at;
	bool fine;
};

static void
set_add(uint64_t set[2], unsigned from, unsigned to)
{
	for (unsigned c = from; c <= to && c < 128; c++)
		set[c / 64] |= (uint64_t)1 << (c % 64);
}

static bool
set_has(const uint64_t set[2], unsigned char c)
{
	return c < 128 && set[c / 64] >> (c % 64) & 1;
}

/* All but these, and never the end of the text. */
static void
set_invert(uint64_t set[2])
{
	set[0] = ~set[0] & ~(uint64_t)1;
	set[1] = ~set[1];
}

/* \d, \w, \s and the same in capitals, of which only the ASCII part is needed. */
static bool
add_shorthand(uint64_t set[2], char letter)
{
	uint64_t own[2] = { 0 };

	switch (letter | 0x20) {
	case 'd':
		set_add(own, '0', '9');
		break;
	case 'w':
		set_add(own, '0', '9');
		set_add(own, 'A', 'Z');
		set_add(own, 'a', 'z');
		set_add(own, '_', '_');
		break;
	case 's':
		set_add(own, '\t', '\r');
		set_add(own, ' ', ' ');
		break;
	default:
		return false;
	}
	if (!(letter & 0x20))
		set_invert(own);
	set[0] |= own[0];
	set[1] |= own[1];
	return true;
}

/* After a backslash: the character, or 0 where it is not one or not a simple one. */
static char
take_escaped(struct reader *r)
{
	static const char LETTERS[] = "tnvfr", MEANT[] = "\t\n\v\f\r";
	char c = *r->at;
	const char *letter = c ? strchr(LETTERS, c) : NULL;

	if (letter)
		c = MEANT[letter - LETTERS];
	else if (!c || !strchr("^$\\.*+?()[]{}|/-", c))
		return 0;
	r->at++;
	return c;
}

/* One character or shorthand of a class: its character, or 0 for a shorthand (added to set). */
static char
take_class_atom(struct reader *r, uint64_t set[2])
{
	char c = *r->at++;

	if (c == '\\') {
		if (*r->at && add_shorthand(set, *r->at)) {
			r->at++;
			/* What a dash after it means depends on the mode. */
			r->fine = r->fine && (*r->at != '-' || r->at[1] == ']');
			return 0;
		}
		c = take_escaped(r);
		r->fine = r->fine && c;
		return c;
	}
	r->fine = r->fine && c > 0;
	return c;
}

/* After '['. */
static void
take_class(struct reader *r, uint64_t set[2])
{
	bool inverted = *r->at == '^';

	r->at += inverted;
	while (r->fine && *r->at && *r->at != ']') {
		char from = take_class_atom(r, set), to = from;
		if (!r->fine || !from)
			continue;
		if (r->at[0] == '-' && r->at[1] && r->at[1] != ']') {
			r->at++;
			to = take_class_atom(r, set);
			r->fine = r->fine && to >= from;
		}
		set_add(set, (unsigned char)from, (unsigned char)to);
	}
	r->fine = r->fine && *r->at == ']';
	r->at += r->fine;
	if (inverted)
		set_invert(set);
}

static uint32_t
take_number(struct reader *r)
{
	uint32_t number = 0;

	r->fine = r->fine && *r->at >= '0' && *r->at <= '9';
	while (*r->at >= '0' && *r->at <= '9' && number < 100000)
		number = number * 10 + (uint32_t)(*r->at++ - '0');
	r->fine = r->fine && number < 10000;
	return number;
}

static void
take_quantifier(struct reader *r, struct simple_item *item)
{
	item->least = item->most = 1;
	if (*r->at == '*' || *r->at == '+' || *r->at == '?') {
		item->least = *r->at == '+';
		item->most = *r->at == '?' ? 1 : NO_LIMIT;
		r->at++;
	} else if (*r->at == '{') {
		r->at++;
		item->least = item->most = take_number(r);
		if (*r->at == ',') {
			r->at++;
			item->most = *r->at == '}' ? NO_LIMIT : take_number(r);
		}
		r->fine = r->fine && *r->at == '}' && item->most >= item->least;
		r->at += r->fine;
	} else {
		return;
	}
	r->fine = r->fine && *r->at != '?'; /* takes as little as it can */
}

static void
take_item(struct reader *r, struct simple_item *item)
{
	char c = *r->at++;

	*item = (struct simple_item){ 0 };
	if (c == '[') {
		take_class(r, item->set);
	} else if (c == '.') {
		set_add(item->set, '\n', '\n');
		set_add(item->set, '\r', '\r');
		set_invert(item->set);
	} else if (c == '\\' && *r->at && add_shorthand(item->set, *r->at)) {
		r->at++;
	} else {
		if (c == '\\')
			c = take_escaped(r);
		else if (strchr("^$()|*+?{}]", c))
			c = 0;
		r->fine = c > 0;
		set_add(item->set, (unsigned char)c, (unsigned char)c);
	}
	if (r->fine)
		take_quantifier(r, item);
}

/* Can what varies in length never take what the items after it need? */
static bool
needs_no_trying(const struct simple *simple)
{
	size_t length = 0;
	bool fixed = true;

	for (size_t i = 0; i < simple->count; i++) {
		const struct simple_item *item = &simple->items[i];
		length += item->least;
		if (item->least == item->most)
			continue;
		fixed = false;
		for (size_t j = i + 1; j < simple->count; j++) {
			const struct simple_item *next = &simple->items[j];
			if (item->set[0] & next->set[0] || item->set[1] & next->set[1])
				return false;
			if (next->least > 0)
				break;
		}
	}
	return simple->from_start || (fixed && length <= MAX_FIXED && simple->count > 0);
}

bool
simple_compile(const char *pattern, struct simple *simple)
{
	struct reader r = { .at = pattern, .fine = true };

	*simple = (struct simple){ .from_start = *pattern == '^' };
	r.at += simple->from_start;
	while (r.fine && *r.at && !(r.at[0] == '$' && !r.at[1])) {
		if (simple->count == SIMPLE_ITEMS)
			return false;
		take_item(&r, &simple->items[simple->count++]);
	}
	simple->to_end = *r.at == '$';
	return r.fine && needs_no_trying(simple);
}

static enum regex_answer
match_here(const struct simple *simple, const unsigned char *at, size_t *read)
{
	const unsigned char *start = at;
	enum regex_answer answer = REGEX_YES;

	for (size_t i = 0; i < simple->count && answer == REGEX_YES; i++) {
		const struct simple_item *item = &simple->items[i];
		uint32_t taken = 0;
		while (taken < item->most && set_has(item->set, *at)) {
			at++;
			taken++;
		}
		if (*at >= 0x80 && taken < item->most)
			answer = REGEX_UNKNOWN;
		else if (taken < item->least)
			answer = REGEX_NO;
	}
	*read += (size_t)(at - start);
	return answer == REGEX_YES && simple->to_end && *at ? REGEX_NO : answer;
}

enum regex_answer
simple_match(const struct simple *simple, const char *text, size_t *read)
{
	const unsigned char *at = (const unsigned char *)text;
	enum regex_answer answer = match_here(simple, at, read);

	while (answer == REGEX_NO && !simple->from_start && *at) {
		if (*at >= 0x80)
			return REGEX_UNKNOWN;
		answer = match_here(simple, ++at, read);
		*read += 3;
	}
	return answer;
}

#include "ecma_priv.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REPEAT 65535 /* PCRE2's */
#define MAX_NARROW 15

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Groups are counted beforehand: whether \3 is a reference depends on what follows it. */
static void
count_groups(struct ecma *e)
{
	bool in_class = false;

	for (const char *p = e->at; *p; p++) {
		if (*p == '\\') {
			if (p[1])
				p++;
		} else if (in_class) {
			in_class = *p != ']';
		} else if (*p == '[') {
			in_class = true;
		} else if (*p == '(') {
			bool name = p[1] == '?' && p[2] == '<' && p[3] != '=' && p[3] != '!';
			e->groups += p[1] != '?' || name;
			e->named = e->named || name;
		}
	}
}

static bool
take_back_reference(struct ecma *e, bool *taken)
{
	char *end;
	unsigned long number = strtoul(e->at, &end, 10);

	*taken = number <= e->groups;
	if (!*taken)
		return !e->unicode;
	buf_addf(e->out, "\\g{%lu}", number);
	e->refers = true;
	e->at = end;
	return true;
}

static bool
take_named_reference(struct ecma *e)
{
	const char *end = e->at[1] == '<' ? strchr(e->at, '>') : NULL;

	if (!end || end == e->at + 2)
		return false;
	buf_add_str(e->out, "\\k");
	e->refers = true;
	buf_add(e->out, e->at + 1, (size_t)(end - e->at));
	e->at = end + 1;
	return true;
}

/* After a backslash outside a class. */
static bool
take_escape(struct ecma *e, bool *atom)
{
	uint32_t ch = 0;
	char c = *e->at;

	*atom = true;
	if (c == 'b' || c == 'B') {
		buf_addf(e->out, "\\%c", c);
		e->at++;
		*atom = false;
		return true;
	}
	if (c >= '1' && c <= '9') {
		bool taken;
		if (!take_back_reference(e, &taken))
			return false;
		if (taken)
			return true;
		ecma_add_char(e, ecma_take_char(e));
		return true;
	}
	if (c == 'k' && (e->unicode || e->named))
		return take_named_reference(e);
	enum ecma_atom kind = ecma_escape(e, false, &ch);
	if (kind == ATOM_CHAR)
		ecma_add_char(e, ch);
	return kind != ATOM_BROKEN;
}

static bool
is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* After '('. */
static bool
take_group(struct ecma *e)
{
	const char *p = e->at;

	buf_add_char(e->out, '(');
	if (*p == '*')
		return false; /* a verb of PCRE2 */
	if (*p != '?')
		return true;
	size_t len = 0;
	if (p[1] == ':' || p[1] == '=' || p[1] == '!') {
		len = 2;
	} else if (p[1] == '<' && (p[2] == '=' || p[2] == '!')) {
		len = 3;
	} else if (p[1] == '<' && is_name_start(p[2])) {
		const char *end = strchr(p, '>');
		len = end ? (size_t)(end - p) + 1 : 0;
	}
	buf_add(e->out, p, len);
	e->at += len;
	return len > 0;
}

static void
multiply_cost(struct ecma *e, unsigned by)
{
	if (e->cost.factor < REGEX_MAX_FACTOR)
		e->cost.factor *= by;
}

/* least and most: how often; -1 without end. */
static bool
take_repeat(struct ecma *e, const char *mark, unsigned long least, unsigned long most, bool *atom)
{
	if (!*atom)
		return false;
	buf_add_str(e->out, mark);
	if (*e->at == '?') {
		buf_add_char(e->out, '?');
		e->at++;
	}
	*atom = false;
	if (most - least > MAX_NARROW)
		e->cost.powers++;
	else
		multiply_cost(e, (unsigned)(most - least) + 1);
	e->group_loops = e->group_loops || (e->after_group && most > 1);
	return true;
}

/* "{2}", "{2,}" or "{2,5}"; anything else in braces is text in Annex B. */
static bool
is_counted(const char *p, unsigned long *least, unsigned long *most, const char **end)
{
	char *after;

	if (!is_digit(*p))
		return false;
	*least = *most = strtoul(p, &after, 10);
	if (*after == ',') {
		after++;
		*most = (unsigned long)-1;
		if (is_digit(*after))
			*most = strtoul(after, &after, 10);
	}
	*end = after + 1;
	return *after == '}';
}

/* After '{'. */
static bool
take_counted(struct ecma *e, bool *atom)
{
	unsigned long least, most;
	const char *end;
	char mark[48] = "";
	struct buf text = BUF_INIT;

	if (!is_counted(e->at, &least, &most, &end)) {
		if (e->unicode)
			return false;
		buf_add_str(e->out, "\\{");
		*atom = true;
		return true;
	}
	if (most < least)
		return false;
	e->unsupported = e->unsupported || least > MAX_REPEAT;
	if (most > MAX_REPEAT)
		buf_addf(&text, "{%lu,}", least);
	else
		buf_addf(&text, "{%lu,%lu}", least, most);
	if (text.len < sizeof(mark))
		memcpy(mark, text.data, text.len + 1);
	buf_finish(&text);
	e->at = end;
	return take_repeat(e, mark, least, most, atom);
}

static bool
take_plain(struct ecma *e, char c, bool *atom)
{
	*atom = true;
	if (c == '}' || c == ']') {
		buf_addf(e->out, "\\%c", c);
		return !e->unicode;
	}
	if (c == '.')
		buf_add_str(e->out, "[^\\n\\r\\x{2028}\\x{2029}]");
	else
		buf_add_char(e->out, c);
	return true;
}

/* One term; false where the pattern is broken. */
static bool
take_term(struct ecma *e, unsigned *open, bool *atom)
{
	char c = *e->at++;

	switch (c) {
	case '\\':
		return *e->at && take_escape(e, atom);
	case '[':
		*atom = true;
		return ecma_class(e);
	case '(':
		(*open)++;
		*atom = false;
		return take_group(e);
	case ')':
		buf_add_char(e->out, c);
		*atom = true;
		return (*open)-- > 0;
	case '*':
		return take_repeat(e, "*", 0, (unsigned long)-1, atom);
	case '+':
		return take_repeat(e, "+", 1, (unsigned long)-1, atom);
	case '?':
		return take_repeat(e, "?", 0, 1, atom);
	case '{':
		return take_counted(e, atom);
	case '|':
		multiply_cost(e, 2);
		/* fall through */
	case '^':
	case '$':
		buf_add_char(e->out, c);
		*atom = false;
		return true;
	default:
		return take_plain(e, c, atom);
	}
}

/* Of a term that is broken, by what it begins with. */
static const char *
fault_of(char first)
{
	static const struct {
		char first;
		const char *fault;
	} FAULTS[] = {
		{ '\\', "a \\ is followed by what it cannot escape" },
		{ '[', "a [...] is not closed or its range runs backwards" },
		{ '(', "a ( begins no group of ECMA-262" },
		{ ')', "a ) closes nothing" },
		{ '{', "a { counts nothing" },
		{ '*', "a * has nothing to repeat" },
		{ '+', "a + has nothing to repeat" },
		{ '?', "a ? has nothing to repeat" },
		{ '}', "a } closes nothing" },
		{ ']', "a ] closes nothing" },
	};

	for (size_t i = 0; i < sizeof(FAULTS) / sizeof(*FAULTS); i++)
		if (FAULTS[i].first == first)
			return FAULTS[i].fault;
	return "";
}

enum regex_syntax
ecma_translate(
    const char *pattern, bool unicode, struct buf *out, struct regex_cost *cost, const char **fault)
{
	struct ecma e = { .at = pattern, .out = out, .unicode = unicode, .cost.factor = 1 };
	unsigned open = 0;
	bool atom = false;

	count_groups(&e);
	while (*e.at) {
		char first = *e.at;
		if (!take_term(&e, &open, &atom)) {
			*fault = fault_of(first);
			return REGEX_BROKEN;
		}
		e.after_group = first == ')';
	}
	*cost = e.cost;
	cost->loops = e.refers || e.group_loops;
	/* PCRE2 does not forget what a group held before its next round. */
	e.unsupported = e.unsupported || (e.refers && e.group_loops);
	*fault = open > 0 ? "a ( is not closed" : NULL;
	if (open > 0)
		return REGEX_BROKEN;
	return e.unsupported ? REGEX_UNSUPPORTED : REGEX_FINE;
}

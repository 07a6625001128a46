#include "regex.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REPEAT 65535 /* PCRE2's limit */
#define MAX_NAMES 1000
#define TOO_LARGE ((size_t)1 << 40)

static bool
is_name_start(char c)
{
	return ascii_is_letter(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The length of the name from p to the next '>'; 0 if it is not a name. */
static size_t
name_length(const char *p)
{
	size_t len = 0;

	while (is_name_start(p[len]) || (len > 0 && ascii_is_digit(p[len])))
		len++;
	return p[len] == '>' ? len : 0;
}

static const struct ecma_name *
find_name(const struct ecma *e, const char *text, size_t len)
{
	for (size_t i = 0; i < e->names.len; i++)
		if (e->names.items[i].len == len && memcmp(e->names.items[i].text, text, len) == 0)
			return &e->names.items[i];
	return NULL;
}

/* After "(?<". Two groups with the same name are not supported. */
static void
add_name(struct ecma *e, const char *p)
{
	size_t len = name_length(p);

	if (len == 0)
		return;
	e->unsupported |= e->names.len == MAX_NAMES || find_name(e, p, len);
	if (!e->unsupported)
		*VEC_PUSH(&e->names) = (struct ecma_name){ p, len, e->groups };
}

/* Counts groups in advance because \3 may refer to a later group. */
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
			bool named = p[1] == '?' && p[2] == '<' && p[3] != '=' && p[3] != '!';
			e->groups += p[1] != '?' || named;
			if (named)
				add_name(e, p + 3);
		}
	}
}

static void
refer(struct ecma *e, unsigned long group)
{
	buf_addf(e->out, "\\g{%lu}", group);
	e->facts.refers = true;
}

static bool
take_back_reference(struct ecma *e, bool *taken)
{
	char *end;
	unsigned long number = strtoul(e->at, &end, 10);

	*taken = number <= e->groups;
	if (!*taken)
		return !e->unicode;
	refer(e, number);
	e->at = end;
	return true;
}

static bool
take_named_reference(struct ecma *e)
{
	size_t len = e->at[1] == '<' ? name_length(e->at + 2) : 0;
	const struct ecma_name *name = len > 0 ? find_name(e, e->at + 2, len) : NULL;

	if (!name)
		return e->unsupported && len > 0;
	refer(e, name->group);
	e->at += len + 3;
	return true;
}

/* After a backslash outside a class. */
static bool
take_escape(struct ecma *e)
{
	uint32_t ch = 0;
	char c = *e->at;

	if (c == 'b' || c == 'B') {
		buf_addf(e->out, "\\%c", c);
		e->at++;
		e->atom = false;
		return true;
	}
	if (c >= '1' && c <= '9') {
		bool taken;
		if (!take_back_reference(e, &taken))
			return false;
		if (taken)
			return true;
	}
	if (c == 'k' && (e->unicode || e->names.len > 0))
		return take_named_reference(e);
	enum ecma_atom kind = ecma_escape(e, false, &ch);
	if (kind == ATOM_CHAR)
		ecma_add_char(e, ch);
	return kind != ATOM_BROKEN;
}

/* After '('. */
static bool
open_group(struct ecma *e)
{
	static const struct {
		const char *mark;
		enum ecma_group kind;
	} KINDS[] = { { "?:", GROUP_PLAIN }, { "?=", GROUP_AHEAD }, { "?!", GROUP_AHEAD },
		{ "?<=", GROUP_BEHIND }, { "?<!", GROUP_BEHIND } };
	enum ecma_group kind = GROUP_PLAIN;
	size_t len = 0, name = 0;

	buf_add_char(e->out, '(');
	for (size_t i = 0; i < ARRAY_LEN(KINDS) && len == 0; i++) {
		size_t n = strlen(KINDS[i].mark);
		len = strncmp(e->at, KINDS[i].mark, n) == 0 ? n : 0;
		kind = KINDS[i].kind;
	}
	buf_add(e->out, e->at, len);
	if (len == 0) {
		kind = GROUP_PLAIN;
		name = strncmp(e->at, "?<", 2) == 0 ? name_length(e->at + 2) : 0;
	}
	if (len == 0 && name == 0 && (*e->at == '?' || *e->at == '*'))
		return false; /* (*VERB) of PCRE2, (?> and so on */
	e->at += len + (name > 0 ? name + 3 : 0);
	e->unsupported |= e->depth >= ECMA_MAX_DEPTH;
	if (e->depth < ECMA_MAX_DEPTH) {
		e->open[e->depth].kind = kind;
		e->open[e->depth].size = e->facts.size;
	}
	e->depth++;
	e->facts.looks += kind != GROUP_PLAIN;
	e->atom = false;
	return true;
}

/* After ')'. A look-around takes no quantifier, except a look-ahead in Annex B. */
static bool
close_group(struct ecma *e)
{
	enum ecma_group kind = GROUP_PLAIN;

	if (e->depth == 0)
		return false;
	e->depth--;
	if (e->depth < ECMA_MAX_DEPTH) {
		kind = e->open[e->depth].kind;
		e->before = e->open[e->depth].size;
	}
	buf_add_char(e->out, ')');
	e->atom = kind == GROUP_PLAIN || (kind == GROUP_AHEAD && !e->unicode);
	return true;
}

/* least and most: the number of repetitions; -1 for no limit. */
static bool
take_repeat(struct ecma *e, const char *mark, unsigned long least, unsigned long most)
{
	unsigned long times = most == (unsigned long)-1 ? least : most;
	size_t each = e->facts.size - e->before + 2;

	if (!e->atom)
		return false;
	buf_add_str(e->out, mark);
	if (*e->at == '?') {
		buf_add_char(e->out, '?');
		e->at++;
	}
	e->atom = false;
	times = times ? times : 1;
	e->facts.size = each <= TOO_LARGE / times ? e->before + each * times : TOO_LARGE;
	e->group_loops = e->group_loops || (e->after_group && most > 1);
	return true;
}

/* "{2}", "{2,}" or "{2,5}"; Annex B treats anything else in braces as literal text. */
static bool
is_counted(const char *p, unsigned long *least, unsigned long *most, const char **end)
{
	char *after;

	if (!ascii_is_digit(*p))
		return false;
	*least = *most = strtoul(p, &after, 10);
	if (*after == ',') {
		after++;
		*most = (unsigned long)-1;
		if (ascii_is_digit(*after))
			*most = strtoul(after, &after, 10);
	}
	*end = after + 1;
	return *after == '}';
}

/* After '{'. */
static bool
take_counted(struct ecma *e)
{
	unsigned long least, most;
	const char *end;
	char mark[48] = "";
	struct buf text = BUF_INIT;

	if (!is_counted(e->at, &least, &most, &end)) {
		if (e->unicode)
			return false;
		buf_add_str(e->out, "\\{");
		e->atom = true;
		e->before = e->facts.size;
		return true;
	}
	if (most < least)
		return false;
	/* for a text no longer than the number, this is the same as no bound */
	if (most > MAX_REPEAT && most < e->facts.max_text)
		e->facts.max_text = most;
	if (most > MAX_REPEAT)
		most = (unsigned long)-1;
	if (most == (unsigned long)-1)
		buf_addf(&text, "{%lu,}", least);
	else
		buf_addf(&text, "{%lu,%lu}", least, most);
	if (text.len < sizeof(mark))
		memcpy(mark, text.data, text.len + 1);
	buf_finish(&text);
	e->at = end;
	return take_repeat(e, mark, least, most);
}

static bool
take_plain(struct ecma *e, char c)
{
	if (c == '}' || c == ']') {
		buf_addf(e->out, "\\%c", c);
		return !e->unicode;
	}
	if (c == '.') {
		buf_add_str(e->out, "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]");
	} else if ((unsigned char)c < 0x80) {
		buf_add_char(e->out, c);
	} else {
		e->at--;
		ecma_add_char(e, ecma_take_char(e));
	}
	return true;
}

/* Translates one term. Returns false if the pattern is broken. */
static bool
take_term(struct ecma *e)
{
	char c = *e->at++;

	switch (c) {
	case '(':
		return open_group(e);
	case ')':
		return close_group(e);
	case '*':
		return take_repeat(e, "*", 0, (unsigned long)-1);
	case '+':
		return take_repeat(e, "+", 1, (unsigned long)-1);
	case '?':
		return take_repeat(e, "?", 0, 1);
	case '|':
	case '^':
	case '$':
		buf_add_char(e->out, c);
		e->atom = false;
		return true;
	default:
		break;
	}
	if (c == '{')
		return take_counted(e);
	e->atom = true;
	e->before = e->facts.size;
	if (c == '\\')
		return *e->at && take_escape(e);
	return c == '[' ? ecma_class(e) : take_plain(e, c);
}

/* Explains a broken term by its first character. */
static const char *
fault_of(char first)
{
	static const struct {
		char first;
		const char *fault;
	} FAULTS[] = {
		{ '\\', "a \\ is followed by a character it cannot escape" },
		{ '[', "a [...] is not closed or its range runs backwards" },
		{ '(', "a ( does not start a group of ECMA-262" },
		{ ')', "a ) has no opening (" },
		{ '{', "a { is not a quantifier" },
		{ '*', "a * has nothing to repeat" },
		{ '+', "a + has nothing to repeat" },
		{ '?', "a ? has nothing to repeat" },
		{ '}', "a } has no opening {" },
		{ ']', "a ] has no opening [" },
	};

	for (size_t i = 0; i < ARRAY_LEN(FAULTS); i++)
		if (FAULTS[i].first == first)
			return FAULTS[i].fault;
	return "";
}

/* Translates all terms. Returns the first character of a broken term, or NUL. */
static char
take_terms(struct ecma *e)
{
	while (*e->at) {
		char first = *e->at;
		if (!take_term(e))
			return first;
		e->after_group = first == ')';
		if (e->facts.size < TOO_LARGE)
			e->facts.size += first == '|' ? 3 : 1;
	}
	return '\0';
}

enum regex_syntax
ecma_translate(const char *pattern, bool unicode, struct buf *out, struct regex_facts *facts,
    const char **fault)
{
	struct ecma e = { .at = pattern,
		.out = out,
		.unicode = unicode,
		.facts = { .size = 8, .max_text = SIZE_MAX } };

	count_groups(&e);
	char broken = take_terms(&e);
	free(e.names.items);
	*facts = e.facts;
	*fault = broken ? fault_of(broken) : e.depth > 0 ? "a ( is not closed" : NULL;
	if (*fault)
		return REGEX_BROKEN;
	/* PCRE2 does not reset a group before its next repetition. */
	e.unsupported = e.unsupported || (e.facts.refers && e.group_loops);
	return e.unsupported ? REGEX_UNSUPPORTED : REGEX_FINE;
}

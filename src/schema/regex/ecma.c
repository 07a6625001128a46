/* SPDX-License-Identifier: MIT */
#include "regex.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ECMA_MAX_DEPTH 250 /* of nested groups */

/* These determine which groups may have a quantifier. */
enum ecma_group { GROUP_PLAIN, GROUP_AHEAD, GROUP_BEHIND };

struct ecma_name {
	const char *text;
	size_t len;
	unsigned group;
};

/* One translation from ECMA-262 to PCRE2. */
struct ecma {
	const char *at;
	struct buf *out;
	bool unicode; /* with the flag u; without it, Annex B applies */
	unsigned groups;
	struct {
		struct ecma_name *items;
		size_t len, cap;
	} names;
	struct {
		enum ecma_group kind;
		size_t size; /* of the pattern before it */
	} open[ECMA_MAX_DEPTH];
	unsigned depth;
	bool atom;        /* a quantifier may follow */
	size_t before;    /* size of the pattern before that atom */
	bool after_group; /* the atom is a group */
	bool group_loops; /* a group is repeated */
	bool unsupported; /* valid, but not supported */
	struct regex_facts facts;
};

enum ecma_atom {
	ATOM_BROKEN,
	ATOM_CHAR, /* the caller writes *ch */
	ATOM_SET,  /* a set of characters was written */
};

/* ---- properties ---- */

/* ECMA-262's long names of general categories, and PCRE2's short names. */
static const char *const CATEGORIES[][2] = {
	{ "Letter", "L" },
	{ "Cased_Letter", "L&" },
	{ "LC", "L&" },
	{ "Uppercase_Letter", "Lu" },
	{ "Lowercase_Letter", "Ll" },
	{ "Titlecase_Letter", "Lt" },
	{ "Modifier_Letter", "Lm" },
	{ "Other_Letter", "Lo" },
	{ "Mark", "M" },
	{ "Combining_Mark", "M" },
	{ "Nonspacing_Mark", "Mn" },
	{ "Spacing_Mark", "Mc" },
	{ "Enclosing_Mark", "Me" },
	{ "Number", "N" },
	{ "Decimal_Number", "Nd" },
	{ "digit", "Nd" },
	{ "Letter_Number", "Nl" },
	{ "Other_Number", "No" },
	{ "Punctuation", "P" },
	{ "punct", "P" },
	{ "Connector_Punctuation", "Pc" },
	{ "Dash_Punctuation", "Pd" },
	{ "Open_Punctuation", "Ps" },
	{ "Close_Punctuation", "Pe" },
	{ "Initial_Punctuation", "Pi" },
	{ "Final_Punctuation", "Pf" },
	{ "Other_Punctuation", "Po" },
	{ "Symbol", "S" },
	{ "Math_Symbol", "Sm" },
	{ "Currency_Symbol", "Sc" },
	{ "Modifier_Symbol", "Sk" },
	{ "Other_Symbol", "So" },
	{ "Separator", "Z" },
	{ "Space_Separator", "Zs" },
	{ "Line_Separator", "Zl" },
	{ "Paragraph_Separator", "Zp" },
	{ "Other", "C" },
	{ "Control", "Cc" },
	{ "cntrl", "Cc" },
	{ "Format", "Cf" },
	{ "Surrogate", "Cs" },
	{ "Private_Use", "Co" },
	{ "Unassigned", "Cn" },
};

/* name=value: the kinds of properties, with PCRE2's names. */
static const char *const PROPERTY_KINDS[][2] = {
	{ "gc", "" },
	{ "General_Category", "" },
	{ "sc", "sc:" },
	{ "Script", "sc:" },
	{ "scx", "scx:" },
	{ "Script_Extensions", "scx:" },
};

static const char *
translate(const char *const (*table)[2], size_t count, const char *name, const char *otherwise)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(table[i][0], name) == 0)
			return table[i][1];
	return otherwise;
}

static bool
ecma_property(struct ecma *e, char letter)
{
	const char *end = *e->at == '{' ? strchr(e->at, '}') : NULL;
	char name[64];

	if (!end || end == e->at + 1 || (size_t)(end - e->at) > sizeof(name))
		return false;
	size_t len = (size_t)(end - e->at) - 1;
	memcpy(name, e->at + 1, len);
	name[len] = '\0';
	if (strspn(name, ASCII_ALNUM "_=") != len)
		return false;
	e->at = end + 1;
	const char *value = name, *kind = "";
	char *equals = strchr(name, '=');
	if (equals) {
		*equals = '\0';
		value = equals + 1;
		kind = translate(PROPERTY_KINDS, ARRAY_LEN(PROPERTY_KINDS), name, NULL);
		if (!kind)
			return false;
	}
	if (!*kind)
		value = translate(CATEGORIES, ARRAY_LEN(CATEGORIES), value, value);
	size_t start = e->out->len;
	buf_addf(e->out, "\\%c{%s%s}", letter, kind, value);
	struct backtrack *known = backtrack_create(e->out->data + start, e->out->len - start);
	e->unsupported |= !known;
	backtrack_destroy(known);
	return true;
}

/* ---- escapes ---- */

/* The characters of \s in ECMA-262; \S is the complement. */
#define SPACE                                                                                    \
	"\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{" \
	"205f}"                                                                                  \
	"\\x{3000}\\x{feff}"
#define NOT_SPACE                                                                                  \
	"\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-" \
	"\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-"             \
	"\\x{fefe}\\x{ff00}-\\x{10ffff}"

static void
ecma_add_char(struct ecma *e, uint32_t ch)
{
	buf_addf(e->out, "\\x{%x}", (unsigned)ch);
}

/* After \u. */
static enum ecma_atom
take_unicode(struct ecma *e, uint32_t *ch)
{
	enum { MAX = 0x10ffff };

	if (e->unicode && *e->at == '{') { /* {1F600} */
		const char *p = e->at + 1;
		uint32_t value = 0;
		for (; hex_number(p, 1) >= 0 && value <= MAX; p++)
			value = value * 16 + (uint32_t)hex_number(p, 1);
		if (*p != '}' || p == e->at + 1 || value > MAX)
			return ATOM_BROKEN;
		e->at = p + 1;
		*ch = value;
		return ATOM_CHAR;
	}
	int high = hex_number(e->at, 4), low = -1;
	if (high < 0) {
		*ch = 'u';
		return e->unicode ? ATOM_BROKEN : ATOM_CHAR;
	}
	e->at += 4;
	*ch = (uint32_t)high;
	if ((high & 0xfc00) == 0xd800 && e->at[0] == '\\' && e->at[1] == 'u')
		low = hex_number(e->at + 2, 4);
	if (low >= 0 && (low & 0xfc00) == 0xdc00) {
		e->at += 6;
		*ch = 0x10000 + ((uint32_t)(high & 0x3ff) << 10) + (uint32_t)(low & 0x3ff);
	}
	return ATOM_CHAR;
}

static enum ecma_atom
take_control(struct ecma *e, uint32_t *ch)
{
	char c = (char)(*e->at | 32);

	if (c >= 'a' && c <= 'z') {
		*ch = (uint32_t)*e->at++ & 31;
		return ATOM_CHAR;
	}
	e->at--; /* Annex B: the backslash is literal */
	*ch = '\\';
	return e->unicode ? ATOM_BROKEN : ATOM_CHAR;
}

/* Annex B: one to three digits, 0377 at most. */
static enum ecma_atom
take_octal(struct ecma *e, char first, uint32_t *ch)
{
	*ch = (uint32_t)(first - '0');
	for (int i = 1; i < 3 && *e->at >= '0' && *e->at <= '7' && *ch * 8 < 256; i++)
		*ch = *ch * 8 + (uint32_t)(*e->at++ - '0');
	return ATOM_CHAR;
}

static enum ecma_atom
take_identity(struct ecma *e, char c, bool in_class, uint32_t *ch)
{
	bool syntax = strchr("^$\\.*+?()[]{}|/", c) != NULL || (in_class && c == '-');

	if (e->unicode && !syntax)
		return ATOM_BROKEN;
	e->at--;
	*ch = take_character(&e->at);
	return ATOM_CHAR;
}

static enum ecma_atom
ecma_escape(struct ecma *e, bool in_class, uint32_t *ch)
{
	static const char LETTERS[] = "nrtvf", CHARS[] = "\n\r\t\v\f";
	char c = *e->at++;
	const char *letter = c ? strchr(LETTERS, c) : NULL;

	if (letter) {
		*ch = (uint32_t)CHARS[letter - LETTERS];
		return ATOM_CHAR;
	}
	switch (c) {
	case '\0':
		e->at--;
		return ATOM_BROKEN;
	case 'd':
	case 'D':
	case 'w':
	case 'W':
		buf_addf(e->out, "\\%c", c);
		return ATOM_SET;
	case 's':
		buf_add_str(e->out, in_class ? SPACE : "[" SPACE "]");
		return ATOM_SET;
	case 'S':
		buf_add_str(e->out, in_class ? NOT_SPACE : "[^" SPACE "]");
		return ATOM_SET;
	case 'c':
		return take_control(e, ch);
	case 'x':
		if (hex_number(e->at, 2) < 0) {
			*ch = 'x';
			return e->unicode ? ATOM_BROKEN : ATOM_CHAR;
		}
		*ch = (uint32_t)hex_number(e->at, 2);
		e->at += 2;
		return ATOM_CHAR;
	case 'u':
		return take_unicode(e, ch);
	case 'p':
	case 'P':
		if (e->unicode)
			return ecma_property(e, c) ? ATOM_SET : ATOM_BROKEN;
		break;
	case '0':
		*ch = 0;
		if (!e->unicode)
			return take_octal(e, c, ch);
		return *e->at >= '0' && *e->at <= '9' ? ATOM_BROKEN : ATOM_CHAR;
	default:
		if (!e->unicode && c >= '1' && c <= '7')
			return take_octal(e, c, ch);
		break;
	}
	return take_identity(e, c, in_class, ch);
}

static enum ecma_atom
class_atom(struct ecma *e, uint32_t *ch)
{
	if (*e->at != '\\') {
		*ch = take_character(&e->at);
		return ATOM_CHAR;
	}
	e->at++;
	if (*e->at == 'b') {
		e->at++;
		*ch = 8;
		return ATOM_CHAR;
	}
	return ecma_escape(e, true, ch);
}

static bool
ecma_class(struct ecma *e)
{
	bool negated = *e->at == '^';

	e->at += negated;
	if (*e->at == ']') {
		e->at++;
		buf_add_str(e->out, negated ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]");
		return true;
	}
	buf_add_str(e->out, negated ? "[^" : "[");
	while (*e->at && *e->at != ']') {
		uint32_t from = 0, to = 0;
		enum ecma_atom kind = class_atom(e, &from);
		if (kind == ATOM_BROKEN)
			return false;
		if (kind == ATOM_CHAR)
			ecma_add_char(e, from);
		if (e->at[0] != '-' || e->at[1] == ']' || !e->at[1])
			continue;
		e->at++; /* "a-b" */
		enum ecma_atom end = class_atom(e, &to);
		bool is_range = kind == ATOM_CHAR && end == ATOM_CHAR;
		if (end == ATOM_BROKEN || (is_range ? from > to : e->unicode))
			return false;
		buf_add_str(e->out, is_range ? "-" : "\\x{2d}");
		if (end == ATOM_CHAR)
			ecma_add_char(e, to);
	}
	if (!*e->at)
		return false;
	e->at++;
	buf_add_char(e->out, ']');
	return true;
}

#define MAX_REPEAT 65535 /* PCRE2's limit */
#define MAX_NAMES 1000
#define TOO_LARGE ((size_t)1 << 40)

/* The length of the name from p to the next '>'; 0 if it is not a name. */
static size_t
name_length(const char *p)
{
	size_t len = 0;

	while (ascii_is_letter(p[len]) || p[len] == '_' || p[len] == '$' ||
	       (unsigned char)p[len] >= 0x80 || (len > 0 && ascii_is_digit(p[len])))
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
			size_t len = named ? name_length(p + 3) : 0;
			if (len == 0)
				continue;
			/* two groups with the same name are not supported */
			e->unsupported |= e->names.len == MAX_NAMES || find_name(e, p + 3, len);
			if (!e->unsupported)
				*VEC_PUSH(&e->names) = (struct ecma_name){ p + 3, len, e->groups };
		}
	}
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
		char *end;
		unsigned long number = strtoul(e->at, &end, 10);
		if (number <= e->groups) {
			buf_addf(e->out, "\\g{%lu}", number);
			e->facts.refers = true;
			e->at = end;
			return true;
		}
		if (e->unicode)
			return false;
	}
	if (c == 'k' && (e->unicode || e->names.len > 0)) {
		size_t len = e->at[1] == '<' ? name_length(e->at + 2) : 0;
		const struct ecma_name *name = len > 0 ? find_name(e, e->at + 2, len) : NULL;
		if (!name)
			return e->unsupported && len > 0;
		buf_addf(e->out, "\\g{%u}", name->group);
		e->facts.refers = true;
		e->at += len + 3;
		return true;
	}
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

/* After '{': "2}", "2,}" or "2,5}"; Annex B treats anything else in braces as literal text. */
static bool
take_counted(struct ecma *e)
{
	unsigned long least, most;
	char mark[48], *end = NULL;

	if (ascii_is_digit(*e->at)) {
		least = most = strtoul(e->at, &end, 10);
		if (*end == ',') {
			end++;
			most = ascii_is_digit(*end) ? strtoul(end, &end, 10) : (unsigned long)-1;
		}
	}
	if (!end || *end != '}') {
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
		snprintf(mark, sizeof(mark), "{%lu,}", least);
	else
		snprintf(mark, sizeof(mark), "{%lu,%lu}", least, most);
	e->at = end + 1;
	return take_repeat(e, mark, least, most);
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
	if (c == '[')
		return ecma_class(e);
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
		ecma_add_char(e, take_character(&e->at));
	}
	return true;
}

/* What a broken term with this first character has wrong. */
static const char *const FAULTS[128] = {
	['\\'] = "a \\ is followed by a character it cannot escape",
	['['] = "a [...] is not closed or its range runs backwards",
	['('] = "a ( does not start a group of ECMA-262",
	[')'] = "a ) has no opening (",
	['{'] = "a { is not a quantifier",
	['*'] = "a * has nothing to repeat",
	['+'] = "a + has nothing to repeat",
	['?'] = "a ? has nothing to repeat",
	['}'] = "a } has no opening {",
	[']'] = "a ] has no opening [",
};

enum regex_syntax
ecma_translate(const char *pattern, bool unicode, struct buf *out, struct regex_facts *facts,
    const char **fault)
{
	struct ecma e = { .at = pattern,
		.out = out,
		.unicode = unicode,
		.facts = { .size = 8, .max_text = SIZE_MAX } };

	count_groups(&e);
	char broken = '\0'; /* the first character of a broken term */
	while (*e.at && !broken) {
		char first = *e.at;
		if (!take_term(&e)) {
			broken = first;
			continue;
		}
		e.after_group = first == ')';
		if (e.facts.size < TOO_LARGE)
			e.facts.size += first == '|' ? 3 : 1;
	}
	free(e.names.items);
	*facts = e.facts;
	*fault = e.depth > 0 ? "a ( is not closed" : NULL;
	if (broken)
		*fault = (unsigned char)broken < ARRAY_LEN(FAULTS) && FAULTS[(unsigned char)broken]
			     ? FAULTS[(unsigned char)broken]
			     : "";
	if (*fault)
		return REGEX_BROKEN;
	/* PCRE2 does not reset a group before its next repetition. */
	e.unsupported = e.unsupported || (e.facts.refers && e.group_loops);
	return e.unsupported ? REGEX_UNSUPPORTED : REGEX_FINE;
}

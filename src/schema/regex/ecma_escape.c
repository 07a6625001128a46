#include "regex.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <string.h>

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
static const char *const KINDS[][2] = {
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
		kind = translate(KINDS, ARRAY_LEN(KINDS), name, NULL);
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

void
ecma_add_char(struct ecma *e, uint32_t ch)
{
	buf_addf(e->out, "\\x{%x}", (unsigned)ch);
}

uint32_t
ecma_take_char(struct ecma *e)
{
	return take_character(&e->at);
}

/* "{1F600}" */
static bool
take_braced(struct ecma *e, uint32_t *ch)
{
	uint32_t value = 0;
	const char *p = e->at + 1;

	for (; hex_number(p, 1) >= 0; p++) {
		value = value * 16 + (uint32_t)hex_number(p, 1);
		if (value > 0x10ffff)
			return false;
	}
	if (*p != '}' || p == e->at + 1)
		return false;
	e->at = p + 1;
	*ch = value;
	return true;
}

/* After \u. */
static enum ecma_atom
take_unicode(struct ecma *e, uint32_t *ch)
{
	if (e->unicode && *e->at == '{') {
		if (!take_braced(e, ch))
			return ATOM_BROKEN;
	} else {
		int high = hex_number(e->at, 4);
		if (high < 0) {
			*ch = 'u';
			return e->unicode ? ATOM_BROKEN : ATOM_CHAR;
		}
		e->at += 4;
		*ch = (uint32_t)high;
		int low = -1;
		if ((high & 0xfc00) == 0xd800 && e->at[0] == '\\' && e->at[1] == 'u')
			low = hex_number(e->at + 2, 4);
		if (low >= 0 && (low & 0xfc00) == 0xdc00) {
			e->at += 6;
			*ch = 0x10000 + ((uint32_t)(high & 0x3ff) << 10) + (uint32_t)(low & 0x3ff);
		}
	}
	return ATOM_CHAR;
}

static enum ecma_atom
take_hex(struct ecma *e, uint32_t *ch)
{
	int value = hex_number(e->at, 2);

	if (value < 0) {
		*ch = 'x';
		return e->unicode ? ATOM_BROKEN : ATOM_CHAR;
	}
	e->at += 2;
	*ch = (uint32_t)value;
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
	*ch = ecma_take_char(e);
	return ATOM_CHAR;
}

static enum ecma_atom
add_set(struct ecma *e, const char *text)
{
	buf_add_str(e->out, text);
	return ATOM_SET;
}

enum ecma_atom
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
		return add_set(e, in_class ? SPACE : "[" SPACE "]");
	case 'S':
		return add_set(e, in_class ? NOT_SPACE : "[^" SPACE "]");
	case 'c':
		return take_control(e, ch);
	case 'x':
		return take_hex(e, ch);
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
		*ch = ecma_take_char(e);
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

/* "-b" after the atom a of a class. */
static bool
class_range(struct ecma *e, enum ecma_atom kind, uint32_t from)
{
	uint32_t to = 0;

	e->at++;
	enum ecma_atom end = class_atom(e, &to);
	if (end == ATOM_BROKEN)
		return false;
	if (kind == ATOM_CHAR && end == ATOM_CHAR) {
		ecma_add_char(e, from);
		buf_add_char(e->out, '-');
		ecma_add_char(e, to);
		return from <= to;
	}
	if (e->unicode)
		return false;
	if (kind == ATOM_CHAR)
		ecma_add_char(e, from);
	buf_add_str(e->out, "\\x{2d}");
	if (end == ATOM_CHAR)
		ecma_add_char(e, to);
	return true;
}

bool
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
		uint32_t ch = 0;
		enum ecma_atom kind = class_atom(e, &ch);
		if (kind == ATOM_BROKEN)
			return false;
		if (e->at[0] == '-' && e->at[1] != ']' && e->at[1]) {
			if (!class_range(e, kind, ch))
				return false;
		} else if (kind == ATOM_CHAR) {
			ecma_add_char(e, ch);
		}
	}
	if (!*e->at)
		return false;
	e->at++;
	buf_add_char(e->out, ']');
	return true;
}

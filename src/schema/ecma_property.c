#include "ecma_priv.h"

#include <string.h>

/* ECMA-262's long names of general categories, and PCRE2's short ones. */
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

/* name=value: which kind of property, in PCRE2's words. */
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

bool
ecma_property(struct ecma *e, char letter)
{
	const char *end = *e->at == '{' ? strchr(e->at, '}') : NULL;
	char name[64];

	if (!end || end == e->at + 1 || (size_t)(end - e->at) > sizeof(name))
		return false;
	size_t len = (size_t)(end - e->at) - 1;
	memcpy(name, e->at + 1, len);
	name[len] = '\0';
	if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=") != len)
		return false;
	e->at = end + 1;
	const char *value = name, *kind = "";
	char *equals = strchr(name, '=');
	if (equals) {
		*equals = '\0';
		value = equals + 1;
		kind = translate(KINDS, sizeof(KINDS) / sizeof(*KINDS), name, NULL);
		if (!kind)
			return false;
	}
	if (!*kind)
		value =
		    translate(CATEGORIES, sizeof(CATEGORIES) / sizeof(*CATEGORIES), value, value);
	size_t start = e->out->len;
	buf_addf(e->out, "\\%c{%s%s}", letter, kind, value);
	struct backtrack *known = backtrack_create(e->out->data + start, e->out->len - start);
	e->unsupported |= !known;
	backtrack_destroy(known);
	return true;
}

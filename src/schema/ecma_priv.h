#ifndef SCHEMA_ECMA_PRIV_H
#define SCHEMA_ECMA_PRIV_H

#include "regex_priv.h"

#include <stdint.h>

/* One translation from ECMA-262 to PCRE2. */
struct ecma {
	const char *at;
	struct buf *out;
	bool unicode; /* with the flag u; without it Annex B holds */
	unsigned groups;
	bool named;       /* there is a (?<name>...) */
	bool unsupported; /* it is a regular expression, but PCRE2 cannot do it */
	bool refers;      /* there is a back reference */
	bool group_loops; /* a group is repeated */
	bool after_group; /* what a quantifier would repeat is a group */
	struct regex_cost cost;
};

enum ecma_atom {
	ATOM_BROKEN,
	ATOM_CHAR, /* *ch is to be written */
	ATOM_SET,  /* a set of characters was written */
};

/* After a backslash. */
enum ecma_atom ecma_escape(struct ecma *e, bool in_class, uint32_t *ch);
/* After '['; writes the whole class. False: broken. */
bool ecma_class(struct ecma *e);
/* After \p or \P, which is `letter`. */
bool ecma_property(struct ecma *e, char letter);
void ecma_add_char(struct ecma *e, uint32_t ch);
/* The next character as it stands, UTF-8 decoded. */
uint32_t ecma_take_char(struct ecma *e);

#endif

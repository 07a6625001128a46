#ifndef SCHEMA_ECMA_PRIV_H
#define SCHEMA_ECMA_PRIV_H

#include "regex_priv.h"

#include <stdint.h>

#define ECMA_MAX_DEPTH 250 /* of groups in groups */

/* Which groups may have a quantifier depends on these. */
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
	bool unicode; /* with the flag u; without it Annex B holds */
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
	bool unsupported; /* valid, but cannot be checked */
	struct regex_facts facts;
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

#ifndef JSON_INTERN_PRIV_H
#define JSON_INTERN_PRIV_H

#include "arena_priv.h"

/*
 * The keys of one document, each kept once, and which open object has which of
 * them: so equal keys are one pointer, and a duplicate is seen in constant time.
 */
struct interned {
	struct interned *following; /* the key that came after this one the last time */
	size_t len;
	uint32_t hash;
	uint32_t scope; /* the last object that had this key ... */
	uint32_t depth; /* ... and the level it is, or was, at */
	bool verbatim;  /* stands in the text as it is here: no escape, no repair */
	char text[];
};

/* What an open object knows about its keys. */
struct scope {
	uint32_t id;       /* never 0 for an object, never used again */
	uint32_t distinct; /* keys met so far, each counted once */
	size_t undo_mark;  /* length of the undo list when the object was opened */
};

struct intern {
	struct arena *arena;
	struct interned **slots;
	size_t slot_count, len;
	uint32_t last_scope;
	/* Keys that an object took over from one that encloses it, to be given back. */
	struct {
		struct intern_undo {
			struct interned *key;
			uint32_t scope, depth;
		} * items;
		size_t len, cap;
	} undo;
};

void intern_init(struct intern *in, struct arena *arena);
void intern_finish(struct intern *in);
struct interned *intern_key(struct intern *in, const char *text, size_t len, bool verbatim);

void intern_open(struct intern *in, struct scope *scope);
void intern_close(struct intern *in, struct scope *scope);
/* Adds a key to an object at a level. outer_is_open tells whether the object that had the key
 * before is open still. False: the object has that key already. */
bool intern_claim(struct intern *in, struct scope *scope, uint32_t depth, struct interned *key,
    bool outer_is_open);

#endif

#ifndef MODEL_CHAIN_H
#define MODEL_CHAIN_H

#include "model/server.h"

/*
 * From a result to the next call, without I/O: the fields of tools, prompts and templates that
 * could take a value, best first. Names count most (`id` of `orders` is the `order_id` of another
 * tool), then types; a value is converted if nothing is lost ("17" for an integer, 17 for a
 * string).
 */
struct chain_source {
	const cJSON *value;  /* or the first of several */
	const char *pointer; /* of it in its result: its keys are the names */
	const char *tool;    /* whose result it is; may be NULL */
	bool many;           /* there are several values of this kind */
};

struct chain_field {
	uint32_t key, pointer, type; /* offsets, see chain_text(); type: "integer, required" */
	uint32_t server;             /* index of those given */
	uint32_t order;              /* as the servers list them */
	int points;
	unsigned types; /* of one value, for chain_convert() */
	uint8_t kind;   /* of enum primitive_kind */
	bool array;     /* it takes an array of such values: all of them in one call */
	bool named;     /* its name speaks for it, not its type alone */
	bool reads;     /* the tool says that it only reads */
};

struct chain_fields {
	struct buf text;
	struct chain_field *items; /* best first */
	size_t len, cap;
	bool more; /* than CHAIN_FIELDS_MAX */
};
#define CHAIN_FIELDS_MAX 50000

/* The first server is that of the result. */
void chain_find(const struct chain_source *source, const struct server *const *servers,
    size_t count, struct chain_fields *out);
void chain_fields_finish(struct chain_fields *f);

static inline const char *
chain_text(const struct chain_fields *f, uint32_t offset)
{
	return f->text.data + offset;
}

/* Appends the value as JSON that the types of a field allow: a number becomes a string, or the
 * reverse, if they ask for it. False: they do not take it. */
bool chain_convert(const cJSON *value, unsigned types, struct buf *out);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_CHAIN_H
#define CLIENT_CHAIN_H

#include "base/strings.h"
#include "client/server.h"

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

/*
 * One call for each of several values, without I/O: a few at a time, as ordinary calls of their
 * server. Each result is stored with its value, within bounds, and outlives its call. The owner
 * calls batch_step() after every event.
 */
enum batch_state {
	BATCH_WAITING,
	BATCH_RUNNING,
	BATCH_DONE,
	BATCH_FAILED, /* not sent, refused, lost, or a result with isError */
	BATCH_STOPPED,
	BATCH_STATES
};

struct batch_row {
	char *input; /* JSON */
	enum batch_state state;
	uint64_t call; /* of the server, the latest; 0: none */
	uint64_t kept; /* its id in the history; 0: none */
	char *json;    /* members of the row of the table but for input and state; NULL: none */
};

struct batch {
	uint64_t id; /* never that of an earlier one */
	struct server *server;
	enum primitive_kind kind;
	char *key;
	char *pointer;   /* of the field that changes */
	char *arguments; /* those of the first call: JSON */
	struct batch_row *rows;
	size_t count;
	size_t in_state[BATCH_STATES]; /* rows */
	size_t first, next;            /* no row before these is to end; waits */
	size_t at_once;
	size_t bytes;        /* of the rows' json */
	const char *trouble; /* why it stopped; NULL: the user stopped it, or nothing did */
	uint64_t version;    /* rises with each change */
};

#define BATCH_ROWS_MAX ((size_t)10000)
#define BATCH_AT_ONCE 4
#define BATCH_AT_ONCE_MAX 32
#define BATCH_RESULT_MAX ((size_t)64 << 10) /* of one row */
#define BATCH_BYTES_MAX ((size_t)16 << 20)  /* of all */

struct batch_wish {
	uint64_t id;
	struct server *server;
	const struct primitive *primitive;
	const char *pointer, *arguments;
	size_t at_once;
};
/* Takes the values, JSON texts. */
struct batch *batch_create(const struct batch_wish *wish, struct strings *values);
void batch_destroy(struct batch *b); /* NULL-safe; running calls continue */
/* Takes the results of ended calls and starts others. True: something changed. */
bool batch_step(struct batch *b, int64_t now_us);
static inline bool
batch_is_over(const struct batch *b)
{
	return b->in_state[BATCH_WAITING] + b->in_state[BATCH_RUNNING] == 0;
}
/* Cancels what runs and starts nothing more. */
void batch_stop(struct batch *b, int64_t now_us);
/* Those that failed or were stopped wait once more; returns how many. */
size_t batch_retry(struct batch *b);
/* An array with an object for each row: input, state, ms, result, error. */
void batch_add_json(const struct batch *b, struct buf *out);
/* "37 calls: 35 done, 2 failed" */
void batch_add_summary(const struct batch *b, struct buf *out);

/*
 * A reference to the result of a tool's last call, typed into a field: @TOOL, an optional maximum
 * age
 * "(90s)", "(5m)", "(2h)" or "(1d)", and an optional jq expression on the data. After TOOL the
 * expression may begin with "[" or "|" instead of ".": @list_users.users[].id,
 * @list_users(5m) | length.
 */
struct call_reference {
	const struct primitive *tool;
	int64_t max_age_us; /* INT64_MAX: any */
	struct buf query;
};
/* tools: those that may be named; the longest name counts. False with an empty err: it is none. */
bool call_reference_read(struct call_reference *r, const char *text,
    const struct primitive_list *tools, struct err *err);
/* Returns the last successful call of the tool, or NULL. */
const struct call *call_reference_find(const struct server *s, const char *tool);

#endif

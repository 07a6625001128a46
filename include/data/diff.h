#ifndef DATA_DIFF_H
#define DATA_DIFF_H

#include "base/job.h"
#include "json/doc.h"

/*
 * The differences between two JSON values: a tree of both, in which a subtree without a difference
 * is one node. Numbers compare by value (1 and 1.0 are the same), objects without regard to order;
 * members with the same key are compared in their order. The items of an array of objects, a table,
 * are matched by a key: a member that tells them apart. Other items are matched as the lines of two
 * texts are, and what is left between two matches by position.
 *
 * Nothing here is quadratic. It works in time in proportion to both values, times a logarithm.
 */
enum diff_kind {
	DIFF_SAME,
	DIFF_INSIDE,  /* both are objects or both are arrays; something in them differs */
	DIFF_CHANGED, /* one value stands for another */
	DIFF_ADDED,   /* only the second has it */
	DIFF_REMOVED, /* only the first has it */
};

#define DIFF_NOWHERE UINT32_MAX

struct diff_node {
	enum diff_kind kind;
	bool moved;       /* an item that now stands elsewhere among the others */
	const char *key;  /* of a member; NULL: an item, or the root */
	uint32_t at[2];   /* its place among the children of its parent; DIFF_NOWHERE: not there */
	uint32_t parent;  /* the root is its own */
	uint32_t end;     /* nodes up to here, without it, are in this one */
	uint32_t changes; /* in it; a value that was added, removed or changed is one */
	const cJSON *side[2]; /* ask diff_side() */
};

/* An array in which something differs. */
struct diff_array {
	uint32_t node;
	bool is_table; /* all items of both are objects */
	/* By which they are matched; NULL: by order. Lives as long as the diff and the values. */
	const char *key;
};

struct diff {
	struct diff_node *items; /* in document order, the root first */
	size_t len, cap;
	struct {
		struct diff_array *items; /* in the order of their nodes */
		size_t len, cap;
	} arrays;
	size_t added, removed, changed, moved; /* nodes */
	struct diff_readers *readers;          /* of lazy arrays */
};

struct diff_options {
	/* The member that tables are matched by if their items have it; "" matches by order; NULL:
	 * it is guessed. */
	const char *key;
	uint32_t key_of; /* only the array at this node of an earlier diff of them; 0: all */
	struct job *job; /* the work this is part of; may be NULL */
};

/* Both values have to outlive it; NULL is an absent value. NULL: the job was stopped. */
struct diff *diff_values(const cJSON *a, const cJSON *b, const struct diff_options *options);
void diff_destroy(struct diff *d); /* NULL-safe */

/* The value of a node on one side, 0 or 1; NULL: not there. An item of a lazy array lives until a
 * few hundred others were asked for. */
const cJSON *diff_side(const struct diff *d, uint32_t node, int side);
/* The next or previous node that is a change, from a node on; DIFF_NOWHERE: there is none. */
uint32_t diff_next_change(const struct diff *d, uint32_t node, int by);

uint32_t diff_first_change(const struct diff *d);
const struct diff_array *diff_array_of(const struct diff *d, uint32_t node); /* NULL: none */

static inline bool
diff_is_change(const struct diff_node *node)
{
	return node->moved || node->kind >= DIFF_CHANGED;
}

/* Appends the JSON Pointer of a node in the value of one side (of the other, if it is absent
 * there), and for people the same with the keys of rows: "orders[id=12].status". */
void diff_add_pointer(const struct diff *d, uint32_t node, int side, struct buf *out);
void diff_add_path(const struct diff *d, uint32_t node, struct buf *out);
/* "2 added, 1 removed, 3 changed, 1 moved"; "no difference". */
void diff_add_counts(const struct diff *d, struct buf *out);

const char *diff_mark(const struct diff_node *node); /* "+", "-", "~", ">", " " */
/* All of it, a line for each change, and the counts. */
void diff_add_text(const struct diff *d, struct buf *out);

/* Members of the items of the array that could be its key, the best first; NULL ends them. */
#define DIFF_KEYS_MAX 32
void diff_key_candidates(
    const struct diff *d, uint32_t array_node, const char *out[DIFF_KEYS_MAX + 1]);

/* ---- texts ---- */

/* The lines of two texts beside each other. A line has no newline. */
struct diff_line {
	uint32_t at[2]; /* DIFF_NOWHERE: not on this side */
	bool same;
};
struct diff_lines {
	struct diff_line *items;
	size_t len, cap;
	size_t changes; /* rows that are not the same */
	struct diff_text {
		const char *text; /* borrowed */
		uint32_t *starts; /* of each line, and the end of the text */
		size_t count;
	} texts[2];
};

/* False: stopped. Finish it either way. Texts of 4 GiB or more are cut. */
bool diff_lines_make(
    struct diff_lines *l, const char *const texts[2], const size_t lens[2], struct job *job);
void diff_lines_finish(struct diff_lines *l);
const char *diff_line_text(const struct diff_lines *l, int side, uint32_t line, size_t *len);

/* The part in which two texts differ: bytes from `from` up to ends[side], at borders of
 * characters. */
struct diff_span {
	size_t from, ends[2];
};
struct diff_span diff_span(const char *const texts[2], const size_t lens[2]);

#endif

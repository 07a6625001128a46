/* SPDX-License-Identifier: MIT */
#ifndef DATA_DIFF_H
#define DATA_DIFF_H

#include "base/job.h"
#include "json/doc.h"

/*
 * The differences between two JSON values: a tree of both, in which a subtree without a difference
 * is one node. Numbers compare by value (1 and 1.0 are the same), objects without regard to order;
 * members with the same key are compared in their order. The items of an array of objects, a table,
 * are matched by a key: a member with a different value in each. Other items are matched like the
 * lines of two texts, and unmatched items between two matches by position.
 *
 * The time is proportional to the size of both values, times a logarithm.
 */
enum diff_kind {
	DIFF_SAME,
	DIFF_INSIDE,  /* both are objects or both are arrays; something in them differs */
	DIFF_CHANGED, /* two different values */
	DIFF_ADDED,   /* only the second has it */
	DIFF_REMOVED, /* only the first has it */
};

#define DIFF_NOWHERE UINT32_MAX

struct diff_node {
	enum diff_kind kind;
	bool moved;       /* an item whose order among the others changed */
	const char *key;  /* of a member; NULL: an item, or the root */
	uint32_t at[2];   /* its place among the children of its parent; DIFF_NOWHERE: not there */
	uint32_t parent;  /* the root is its own */
	uint32_t end;     /* the first node after those inside this one */
	uint32_t changes; /* inside; an added, removed or changed value counts as one */
	const cJSON *side[2]; /* ask diff_side() */
};

/* An array in which something differs. */
struct diff_array {
	uint32_t node;
	bool is_table; /* all items of both are objects */
	/* The member that matches items; NULL: by order. Lives as long as the diff and values. */
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
	/* The member that matches the items of tables, if they have it; "" matches by order; NULL
	 * guesses a member. */
	const char *key;
	uint32_t key_of; /* only for the array at this node of an earlier diff; 0: for all */
	struct job *job; /* for progress and stopping; may be NULL */
};

/* Compare two values, which must outlive the diff; NULL is an absent value. Return NULL if the job
 * was stopped. */
struct diff *diff_values(const cJSON *a, const cJSON *b, const struct diff_options *options);
void diff_destroy(struct diff *d); /* NULL-safe */

/* Return the value of a node on one side, 0 or 1; NULL: absent. An item of a lazy array lives until
 * a few hundred others were read. */
const cJSON *diff_side(const struct diff *d, uint32_t node, int side);
/* Return the next or previous change after or before a node; DIFF_NOWHERE: none. */
uint32_t diff_next_change(const struct diff *d, uint32_t node, int by);

uint32_t diff_first_change(const struct diff *d);
const struct diff_array *diff_array_of(const struct diff *d, uint32_t node); /* NULL: none */

static inline bool
diff_is_change(const struct diff_node *node)
{
	return node->moved || node->kind >= DIFF_CHANGED;
}

/* Append the JSON Pointer of a node in the value of one side, or of the other if it is absent
 * there; diff_add_path() appends it for people, with the keys of rows: "orders[id=12].status". */
void diff_add_pointer(const struct diff *d, uint32_t node, int side, struct buf *out);
void diff_add_path(const struct diff *d, uint32_t node, struct buf *out);
/* "2 added, 1 removed, 3 changed, 1 moved"; "no difference". */
void diff_add_counts(const struct diff *d, struct buf *out);

const char *diff_mark(const struct diff_node *node); /* "+", "-", "~", ">", " " */
/* Append a line for each change, and the counts. */
void diff_add_text(const struct diff *d, struct buf *out);

/* List members of the items of an array that could be its key, the best first, ended by NULL. */
#define DIFF_KEYS_MAX 32
void diff_key_candidates(
    const struct diff *d, uint32_t array_node, const char *out[DIFF_KEYS_MAX + 1]);

/* ---- texts ---- */

/* The lines of two texts, aligned. A line does not include its newline. */
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

/* Return false if the job was stopped; finish it in either case. Texts of 4 GiB or more are cut. */
bool diff_lines_make(
    struct diff_lines *l, const char *const texts[2], const size_t lens[2], struct job *job);
void diff_lines_finish(struct diff_lines *l);
const char *diff_line_text(const struct diff_lines *l, int side, uint32_t line, size_t *len);

/* The part in which two texts differ: the bytes from `from` to ends[side], in whole UTF-8
 * characters. */
struct diff_span {
	size_t from, ends[2];
};
struct diff_span diff_span(const char *const texts[2], const size_t lens[2]);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef PANE_DIFF_DIFF_PANE_H
#define PANE_DIFF_DIFF_PANE_H

#include "data/diff.h"
#include "data/drift.h"
#include "pane/pane.h"
#include "ui/list.h"
#include "ui/page.h"
#include "ui/seek.h"

/* The compared part of two results. */
enum diff_part { PART_STRUCTURED, PART_DATA, PART_CONTENT, PART_WHOLE, DIFF_PARTS };

/* Ways to look at a diff. */
enum diff_look { LOOK_TABLE, LOOK_TREE, LOOK_TEXT, LOOK_WORDS, DIFF_LOOKS };

/* A line for each node; equal nodes can be left out and counted. */
struct diff_tree_look {
	struct {
		struct diff_tree_line {
			uint32_t node, rest; /* rest > 0: this many equal nodes */
			int depth;
		} * items;
		size_t len, cap;
	} lines;
	struct list list;
};

/* An array of objects, rows of both sides in one table. */
struct diff_table_look {
	uint32_t node; /* DIFF_NOWHERE: none */
	struct {
		struct diff_column {
			const char *name;
			int width;
			size_t changes; /* cells that differ, of the rows that both have */
			bool numeric;
		} * items;
		size_t len, cap;
	} columns; /* the key first */
	struct {
		uint32_t *items;
		size_t len, cap;
	} rows;
	struct list list;
	size_t column, first; /* selected; the first one drawn after the key */
	bool to_column;       /* scroll to the selected column */
};

/* Two values as text, line by line. */
struct diff_text_look {
	uint32_t node; /* DIFF_NOWHERE: none */
	struct buf texts[2];
	struct diff_lines lines;
	struct {
		struct diff_text_row {
			uint32_t line, rest; /* rest > 0: this many equal lines */
			int side; /* of a changed line without its pair next to it: 0 or 1; else -1
				   */
		} * items;
		size_t len, cap;
	} rows;
	struct list list;
	bool beside, made, is_cut;
};

struct diff_pane {
	uint64_t version; /* of the comparison */
	char *name;
	struct comparison_side sides[2]; /* of it, shared; their texts are the pane's */
	struct json_doc *data[2];        /* of texts in the results; NULL: none */
	bool has[DIFF_PARTS];
	enum diff_part part;
	struct diff *diff;  /* NULL until the job ends */
	struct drift drift; /* of the definitions */
	char *key;          /* chosen; NULL: guessed */
	uint32_t key_of;
	struct job *job;
	enum diff_look look, before; /* before: the look that Esc restores from a text */
	bool all;                    /* equal nodes and lines too */
	bool below;                  /* texts one below the other at any width */
	int top;                     /* rows of the pane above the look, as drawn last */
	uint64_t made;               /* rises with each change of the rows */
	struct diff_tree_look tree;
	struct diff_table_look table;
	struct diff_text_look text;
	struct page words;
};

extern const enum role diff_roles[2]; /* of the two sides */
/* Draw "old → new" in the first line of s; long strings only around their difference. cursor: in
 * the colors of the selected cell. Return the columns used. */
int diff_draw_pair(struct surface s, const cJSON *a, const cJSON *b, bool cursor);

/* What the look of the pane does. The definition is a page and has only a name. */
struct diff_look_ops {
	const char *name;
	void (*draw)(struct diff_pane *p, bool focused, struct surface s);
	bool (*step)(struct diff_pane *p, int by); /* to a change; false: no more changes */
	/* The selected node; in a table that of the cell, or of its row if the cell is the same
	 * in both. */
	uint32_t (*selected)(const struct diff_pane *p);
};
extern const struct diff_look_ops diff_looks[DIFF_LOOKS];

void diff_tree_make(struct diff_pane *p);
void diff_tree_select(struct diff_pane *p, uint32_t node);
void diff_table_make(struct diff_pane *p, uint32_t node);
bool diff_table_key(struct diff_pane *p, const struct key *key);
void diff_text_make(struct diff_pane *p, uint32_t node);
struct seekable diff_seek(struct diff_pane *p); /* in the current look */
void diff_looks_finish(struct diff_pane *p);

#endif

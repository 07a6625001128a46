#ifndef VIEW_TREE_TREE_VIEW_H
#define VIEW_TREE_TREE_VIEW_H

#include "view/view.h"
#include "ui/list.h"

#define TREE_ROWS_MAX 2000000
#define TREE_INDENT 2
#define TREE_NO_ROW UINT32_MAX
#define TREE_ALL_LEVELS UINT32_MAX

struct tree_row {
	union {
		const cJSON *node;
		const char *missing; /* the name of a missing required member */
	};
	uint32_t parent; /* its row; TREE_NO_ROW for the root */
	uint32_t index;  /* among its siblings */
	uint16_t depth;
	bool is_missing, open;
	bool is_rest; /* stands for items of a lazy array without rows; node is the array */
};

/* Items of a lazy array with rows; the table shows all. */
#define TREE_LAZY_MAX ((size_t)10000)
struct tree_lazy {
	const cJSON *array;
	struct json_reader *reader;
};

/* Nodes whose fold differs from the default, sorted. */
struct node_set {
	const cJSON **items;
	size_t len, cap;
};

struct tree_view {
	struct {
		struct tree_row *items;
		size_t len, cap;
	} rows;
	struct node_set toggled;
	unsigned level; /* the user's, nodes above it are unfolded; 0: as far as is of use */
	struct {
		size_t *items; /* violations about missing members, by object */
		size_t len, cap;
	} missing;
	struct {
		struct tree_lazy *items; /* keep their items as long as the rows exist */
		size_t len, cap;
	} lazy;
	struct list list;
	char *place; /* pointer of the selection, kept across results */
};

/* NULL for a missing member or the rest of an array. */
static inline const cJSON *
tree_row_node(const struct tree_row *row)
{
	return row->is_missing || row->is_rest ? NULL : row->node;
}

/* tree_rows.c */
void tree_rows_finish(struct tree_view *v);
void tree_rows_on_report(struct tree_view *v, const struct view_env *env);
void tree_rows_renew(struct tree_view *v, const struct view_env *env); /* the input changed */
void tree_rows_fold(struct tree_view *v, const struct view_env *env, size_t row, bool open);
void tree_rows_unfold_to(struct tree_view *v, const struct view_env *env, unsigned level);
void tree_rows_pointer(const struct tree_view *v, size_t row, struct buf *pointer); /* appends */
/* Unfolds the parents of the node or missing member; returns its row, SIZE_MAX if none. */
size_t tree_rows_reveal(struct tree_view *v, const struct view_env *env, const char *pointer);

/* tree_draw.c */
void tree_view_draw(void *state, const struct view_env *env, struct surface s);

#endif

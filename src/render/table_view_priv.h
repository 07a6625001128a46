#ifndef RENDER_TABLE_VIEW_PRIV_H
#define RENDER_TABLE_VIEW_PRIV_H

#include "model/table.h"
#include "render/render.h"
#include "ui/list.h"

/* Columns at the left for the mark of a row with violations, and between columns. */
#define GUTTER 2
#define GAP 2

struct table_view {
	struct table_spots spots;
	size_t spot; /* == spots.len: none */
	struct table table;
	struct list list;    /* over the rows shown */
	size_t column;       /* selected */
	size_t first_column; /* leftmost on the screen */
	char *at;            /* pointer of the array shown, kept over results */
	int label_width;     /* of the keys of a map, with the gap; else 0 */
};

/* table.c */
void table_view_show(struct table_view *v, const struct render_env *env, size_t spot);

/* table_draw.c */
void table_view_draw(void *state, const struct render_env *env, struct surface s);

/* table_keys.c */
bool table_view_key(void *state, const struct render_env *env, const struct key *key);
bool table_view_reveal(void *state, const struct render_env *env, const char *pointer);
const cJSON *table_view_selected(void *state, const struct render_env *env, struct buf *pointer);
bool table_view_command(
    void *state, const struct render_env *env, const char *verb, const char *arg, struct buf *why);

#endif

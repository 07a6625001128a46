#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "base/buf.h"
#include "json/doc.h"
#include "schema/schema.h"
#include "ui/input.h"
#include "ui/seek.h"
#include "ui/surface.h"

/*
 * A renderer is one way to look at a JSON value: table, tree, raw JSON... One file,
 * one row in RENDERERS. Its state belongs to whoever shows the value; violations
 * of the report are marked where they are, missing members included.
 */
struct render_input {
	const cJSON *value;          /* NULL: absent */
	const cJSON *schema;         /* its schema, for order and types; may be NULL */
	const struct report *report; /* may be NULL */
	const void *source;  /* only compared: values of one are sorted and filtered alike */
	uint64_t generation; /* changes with the value and schema; a report may come later */
};

struct render_env {
	const struct render_input *in;
	bool focused;
};

/* Any function may be NULL but claim and draw. */
struct render_ops {
	const char *name; /* "table" */
	const char *help;
	size_t state_size;
	void (*init)(void *state);
	void (*finish)(void *state);
	/* 0: cannot show this value; the highest claim is the default view. */
	int (*claim)(const struct render_input *in);
	void (*sync)(
	    void *state, const struct render_env *env); /* the input changed; may allocate */
	void (*on_report)(void *state, const struct render_env *env); /* only the report did */
	bool (*work)(void *state); /* some milliseconds of what is left to do; false: nothing is */
	int (*want)(
	    void *state, const struct render_env *env, int width); /* rows that show it all */
	/* Facts for the frame: "table · 3 × 3", and what the title says after ▸: "users". */
	void (*heading)(
	    void *state, const struct render_env *env, struct buf *where, struct buf *facts);
	void (*draw)(void *state, const struct render_env *env, struct surface s);
	bool (*key)(void *state, const struct render_env *env, const struct key *key);
	bool (*reveal)(void *state, const struct render_env *env, const char *pointer);
	struct table *(*table)(void *state); /* the table shown; NULL: none is */
	/* The node selected (NULL: absent there); its JSON Pointer is appended. */
	const cJSON *(*selected)(void *state, const struct render_env *env, struct buf *pointer);
	bool (*offers)(void *state, const char *verb); /* has the verb something to do? */
	/* For `/`: the filter of the rows, "" for none; a view that has none is searched. */
	const char *(*filtered)(const void *state);
	bool (*seek)(void *state, struct seekable *out);
	/* Verbs a view may understand: "sort" [COLUMN], "turn" (the order), "filter" TEXT,
	 * "next-table"... False: refused, the reason is appended to why. */
	bool (*command)(void *state, const struct render_env *env, const char *verb,
	    const char *arg, struct buf *why);
};

#define RENDERERS(X) \
	X(table)     \
	X(tree)      \
	X(json)

enum renderer_id {
#define X(id) RENDERER_##id,
	RENDERERS(X)
#undef X
	    RENDERER_COUNT
};

#define X(id) extern const struct render_ops render_##id;
RENDERERS(X)
#undef X

extern const struct render_ops *const renderer_table[RENDERER_COUNT];
enum renderer_id renderer_best(const struct render_input *in);

/* Rows of laid-out JSON (json_print_pretty) from `top`, in the colors of its tokens. */
struct wrap;
void render_json_rows(struct wrap *wrap, struct surface s, size_t top);

/* One value on one line, in the role of its type; numbers exact. Strings go without quotes unless
 * they could be taken for something else ("", "null", "3", "true", edge blanks). Returns columns.
 */
int render_value(struct surface s, int x, int y, int max_cols, const cJSON *value, uint32_t ground);
enum role render_value_role(const cJSON *value);
/* The same on a ground: what is marked, and the cursor, have an ink of their own. */
struct style render_style(const cJSON *value, uint32_t ground);
/* The ground of what the report has something to say about: an error's, a warning's, or ROLE_NONE.
 * report may be NULL. */
uint32_t render_ground(const struct report *report, const cJSON *value);
/* The same as text, for widths and exports. */
void render_value_text(const cJSON *value, struct buf *out);

#endif

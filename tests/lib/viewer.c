/* SPDX-License-Identifier: MIT */
#include "viewer.h"

#include "base/mem.h"
#include "fence.h"
#include "json/print.h"
#include "view/views.h"
#include "quoted.h"

#include <stdlib.h>
#include <string.h>

/* Margins around the view, wider than a frame, to detect drawing outside it. */
#define LEFT 5
#define TOP 3

static struct view_env
env_of(const struct viewer *v)
{
	return (struct view_env){ .in = &v->in, .focused = !v->unfocused, .printed = v->printed };
}

static void
drop(struct viewer *v)
{
	report_destroy(v->report);
	json_doc_destroy(v->value);
	v->report = NULL;
	v->value = NULL;
}

static struct json_doc *
parse_lazily(struct viewer *v, const char *value)
{
	char *text = quoted(value);
	struct blob *blob = blob_from_bytes(text, strlen(text));
	const struct json_options lazy = { .blob = blob, .lazy_bytes = v->lazy_bytes };
	struct json_doc *doc = json_parse(blob->data, blob->len, &lazy, NULL);

	blob_unref(blob);
	free(text);
	return doc;
}

void
viewer_replace(struct viewer *v, const char *value)
{
	struct report *old_report = v->report;
	struct json_doc *old_value = v->value;

	v->value = v->lazy_bytes > 0 ? parse_lazily(v, value) : parse_quoted(value);
	v->report = v->compiled ? schema_check(v->compiled, json_root(v->value), NULL) : NULL;
	v->in = (struct view_input){
		.value = json_root(v->value),
		.schema = v->schema ? json_root(v->schema) : NULL,
		.docs = { v->value, v->schema },
		.jobs = v->jobs,
		.report = v->report,
		.generation = v->in.generation + 1,
	};
	/* nodes of the old report may be freed before the view synchronizes */
	report_destroy(old_report);
	json_doc_destroy(old_value);
	struct view_env env = env_of(v);
	if (v->ops->sync)
		v->ops->sync(v->state, &env);
}

void
viewer_open(
    struct viewer *v, enum view_id id, const char *value, const char *schema, int width, int height)
{
	*v = (struct viewer){ .ops = value_views[id] };
	v->state = mem_zalloc(v->ops->state_size);
	if (v->ops->init)
		v->ops->init(v->state);
	v->schema = schema ? parse_quoted(schema) : NULL;
	v->compiled = schema ? schema_compile(json_root(v->schema), NULL, NULL) : NULL;
	grid_init(&v->grid, width + 2 * LEFT, height + 2 * TOP);
	viewer_replace(v, value);
}

void
viewer_close(struct viewer *v)
{
	if (v->ops->finish)
		v->ops->finish(v->state);
	free(v->state);
	drop(v);
	schema_destroy(v->compiled);
	json_doc_destroy(v->schema);
	grid_finish(&v->grid);
	buf_finish(&v->text);
	*v = (struct viewer){ 0 };
}

void
viewer_resize(struct viewer *v, int width, int height)
{
	grid_finish(&v->grid);
	grid_init(&v->grid, width + 2 * LEFT, height + 2 * TOP);
}

static bool
press(struct viewer *v, const struct key *key)
{
	struct view_env env = env_of(v);

	return v->ops->key && v->ops->key(v->state, &env, key);
}

bool
viewer_keys(struct viewer *v, const char *names)
{
	bool used = false;
	char name[32];

	for (const char *at = names; *(at += strspn(at, " "));) {
		size_t len = strcspn(at, " ");
		struct key key;
		memcpy(name, at, len);
		name[len] = '\0';
		if (!key_from_name(&key, name))
			abort();
		used = press(v, &key);
		at += len;
	}
	return used;
}

bool
viewer_enter(struct viewer *v)
{
	struct view_env env = env_of(v);

	return v->ops->open && v->ops->open(v->state, &env);
}

bool
viewer_mouse(struct viewer *v, enum mouse_action action, int x, int y)
{
	return press(
	    v, &(struct key){ .kind = KEY_MOUSE, .action = action, .button = 1, .x = x, .y = y });
}

/* If the command was refused, view->text holds the reason. */
bool
viewer_command(struct viewer *v, const char *verb, const char *arg)
{
	struct view_env env = env_of(v);

	buf_clear(&v->text);
	env.why = &v->text;
	if (strcmp(verb, "filter") != 0)
		return view_run(&(struct view){ .ops = v->ops, .state = v->state, .in = &v->in },
		    &env, verb, arg);
	if (v->ops->filter)
		v->ops->filter(v->state, &env, arg);
	return v->ops->filter != NULL;
}

bool
viewer_reveal(struct viewer *v, const char *pointer)
{
	struct view_env env = env_of(v);

	return v->ops->reveal && v->ops->reveal(v->state, &env, pointer);
}

const char *
viewer_selected(struct viewer *v)
{
	struct view_env env = env_of(v);

	buf_clear(&v->text);
	const cJSON *node = v->ops->selected(v->state, &env, &v->text);
	buf_add_char(&v->text, ' ');
	if (node)
		json_print(&v->text, node);
	else
		buf_add_char(&v->text, '-');
	return buf_text(&v->text);
}

static void
add_row(const struct viewer *v, int y, struct buf *out)
{
	struct grid row = { .cells = v->grid.cells + (size_t)y * (size_t)v->grid.width + LEFT - 1,
		.width = v->grid.width - 2 * LEFT + 1,
		.height = 1 };

	grid_to_text(&row, out); /* one line, without trailing blanks */
}

const char *
viewer_text(struct viewer *v)
{
	struct view_env env = env_of(v);
	struct surface inside = surface_sub(
	    surface_whole(&v->grid), LEFT, TOP, v->grid.width - 2 * LEFT, v->grid.height - 2 * TOP);

	fence_raise(inside);
	v->ops->draw(v->state, &env, inside);
	fence_assert(inside);
	buf_clear(&v->text);
	for (int y = TOP; y < v->grid.height - TOP; y++)
		add_row(v, y, &v->text);
	while (v->text.len > 0 && v->text.data[v->text.len - 1] == '\n')
		buf_truncate(&v->text, v->text.len - 1);
	return buf_text(&v->text);
}

int
viewer_want(struct viewer *v, int width)
{
	struct view_env env = env_of(v);

	return v->ops->want(v->state, &env, width);
}

const char *
viewer_facts(struct viewer *v)
{
	struct view_env env = env_of(v);
	struct buf facts = BUF_INIT;

	buf_clear(&v->text);
	v->ops->heading(v->state, &env, &v->text, &facts);
	buf_addf(&v->text, " | %s", buf_text(&facts));
	buf_finish(&facts);
	return buf_text(&v->text);
}

const struct cell *
viewer_cell(const struct viewer *v, int x, int y)
{
	return &v->grid.cells[(y + TOP) * v->grid.width + x + LEFT - 1];
}

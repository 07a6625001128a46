/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "diff_pane.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares two results, in a job if they are large. */
#define LATER_BYTES ((size_t)256 << 10)

struct diff_work {
	struct job job; /* first */
	struct diff_pane *pane;
	struct json_doc *docs[2], *definitions[2];
	struct json_doc *data[2]; /* of the texts, made by the job unless they were there */
	const cJSON *values[2];
	struct result_texts texts[2];
	enum diff_part part;
	bool first; /* the part is chosen by what there is */
	bool has[DIFF_PARTS];
	char *key;
	uint32_t key_of;
	struct diff *diff;
	struct drift drift;
};

enum { DIFF_ABOVE = 3, DIFF_BELOW = 2 }; /* rows around the look */

static const cJSON *
part_of(enum diff_part part, const cJSON *value, const struct json_doc *data)
{
	if (part == PART_DATA)
		return data ? json_root(data) : NULL;
	return part == PART_STRUCTURED ? json_get(value, "structuredContent")
	       : part == PART_CONTENT  ? json_get(value, "content")
				       : value;
}

static void
diff_run(struct job *job)
{
	struct diff_work *k = (struct diff_work *)job;
	const struct diff_options options = { .key = k->key, .key_of = k->key_of, .job = job };

	if (k->first) {
		bool structured = json_get(k->values[0], "structuredContent") &&
				  json_get(k->values[1], "structuredContent");
		for (int side = 0; side < 2 && !structured; side++)
			result_texts_read(&k->texts[side], SIZE_MAX, job, &k->data[side],
			    &(enum text_data_kind){ 0 });
		for (int part = 0; part < DIFF_PARTS; part++)
			k->has[part] = part_of((enum diff_part)part, k->values[0], k->data[0]) &&
				       part_of((enum diff_part)part, k->values[1], k->data[1]);
		for (k->part = 0; k->part < PART_WHOLE && !k->has[k->part];)
			k->part++;
	}
	k->diff = diff_values(part_of(k->part, k->values[0], k->data[0]),
	    part_of(k->part, k->values[1], k->data[1]), &options);
	if (k->definitions[0] && k->definitions[1])
		drift_add_tool(
		    &k->drift, json_root(k->definitions[0]), json_root(k->definitions[1]));
}

static bool
can_look(const struct diff_pane *p, enum diff_look look)
{
	if (look == LOOK_TABLE)
		return p->table.node != DIFF_NOWHERE;
	return look != LOOK_WORDS || p->drift.len > 0;
}

/* Make the looks of a new diff, and choose the first one. */
static void
diff_shown(struct diff_pane *p)
{
	static const enum role roles[] = { ROLE_DIM, ROLE_WARNING, ROLE_ERROR };
	struct diff *d = p->diff;
	uint32_t first = diff_first_change(d);

	diff_looks_finish(p);
	diff_tree_make(p);
	uint32_t table = DIFF_NOWHERE; /* the one with the most changes */
	for (size_t i = 0; i < d->arrays.len; i++) {
		const struct diff_array *a = &d->arrays.items[i];
		if (a->is_table &&
		    (table == DIFF_NOWHERE || d->items[a->node].changes > d->items[table].changes))
			table = a->node;
	}
	diff_table_make(p, table);
	page_clear(&p->words);
	page_text(&p->words, 0, ROLE_DIM,
	    "The definition of the tool is not the same as at the earlier call:");
	page_gap(&p->words);
	for (int c = DRIFT_CLASSES - 1; c >= 0; c--)
		for (size_t i = 0; i < p->drift.len; i++)
			if (p->drift.items[i].class == (enum drift_class)c)
				page_mark_row(&p->words, 15, roles[c], drift_class_names[c],
				    ROLE_TEXT, p->drift.items[i].text);
	if (first != DIFF_NOWHERE && first != 0)
		diff_tree_select(p, first);
	p->look = p->before = LOOK_TREE;
	const struct diff_node *n = first != DIFF_NOWHERE ? &d->items[first] : NULL;
	const char *a = n ? cJSON_GetStringValue(n->side[0]) : NULL;
	const char *b = n ? cJSON_GetStringValue(n->side[1]) : NULL;
	bool is_text = a && b && (strchr(a, '\n') || strchr(b, '\n')); /* of several lines */
	if (is_text && d->items[0].changes == 1 && n->kind == DIFF_CHANGED) {
		diff_text_make(p, first);
		p->look = LOOK_TEXT;
	} else if (can_look(p, LOOK_TABLE)) {
		p->look = LOOK_TABLE;
	} else if (d->items[0].changes == 0 && can_look(p, LOOK_WORDS)) {
		p->look = LOOK_WORDS;
	}
}

static void
done(struct job *job)
{
	struct diff_work *k = (struct diff_work *)job;
	struct diff_pane *p = k->pane;

	if (!job_is_stopped(job) && k->diff) {
		diff_destroy(p->diff);
		p->diff = k->diff;
		drift_finish(&p->drift);
		p->drift = k->drift;
		p->part = k->part;
		for (int side = 0; side < 2 && k->first; side++) {
			json_doc_destroy(p->data[side]);
			p->data[side] = k->data[side];
		}
		if (k->first)
			memcpy(p->has, k->has, sizeof(p->has));
		diff_shown(p);
	} else {
		diff_destroy(k->diff);
		drift_finish(&k->drift);
		for (int side = 0; side < 2 && k->first; side++)
			json_doc_destroy(k->data[side]);
	}
	for (int side = 0; side < 2; side++) {
		json_doc_destroy(k->docs[side]);
		json_doc_destroy(k->definitions[side]);
		if (!k->first)
			json_doc_destroy(k->data[side]);
	}
	free(k->key);
	free(k);
}

/* Start a diff of the chosen part by the chosen key. */
static void
diff_work_start(struct diff_pane *p, const struct view_env *env)
{
	struct diff_work *k = mem_zalloc(sizeof(*k));
	size_t bytes = 0;

	*k = (struct diff_work){
		.job = { .run = diff_run, .done = done },
		.pane = p,
		.part = p->part,
		.first = !p->diff,
		.key = mem_strdup(p->key),
		.key_of = p->key_of,
	};
	for (int side = 0; side < 2; side++) {
		const struct comparison_side *s = &p->sides[side];
		k->docs[side] = json_doc_ref(s->doc);
		k->definitions[side] = s->definition ? json_doc_ref(s->definition) : NULL;
		k->data[side] = p->diff && p->data[side] ? json_doc_ref(p->data[side]) : NULL;
		k->values[side] = s->value;
		k->texts[side] = s->texts;
		bytes += s->bytes;
	}
	job_start(bytes >= LATER_BYTES ? env->jobs : NULL, &k->job, &p->job);
}

/* ---- the frame: the sides, the selected value and the facts ---- */

static const struct {
	const char *word; /* the argument of diff-part */
	const char *name;
} parts[DIFF_PARTS] = {
	{ "structured", "structuredContent" },
	{ "data", "the data of the text" },
	{ "content", "content" },
	{ "whole", "the whole result" },
};

/* Draw the path of the selected value, and its old and new value. */
static void
draw_selected(const struct diff_pane *p, struct surface s, int y)
{
	uint32_t node = diff_looks[p->look].selected(p);
	const struct diff_node *n = &p->diff->items[node];
	struct buf path = BUF_INIT;

	diff_add_path(p->diff, node, &path);
	int x = surface_text(s, 0, y, s.width / 2, style_of(ROLE_KEY_NAME), buf_text(&path));
	x += x > 0 ? 2 : 0;
	buf_finish(&path);
	if (n->kind == DIFF_CHANGED)
		x += diff_draw_pair(surface_sub(s, x, y, s.width, 1), diff_side(p->diff, node, 0),
			 diff_side(p->diff, node, 1), false) +
		     2;
	if (n->moved)
		surface_textf(s, x, y, -1, style_of(ROLE_ACCENT), "moved from row %u to %u",
		    n->at[0] + 1, n->at[1] + 1);
	else if (n->kind == DIFF_SAME && node > 0)
		surface_text(s, x, y, -1, style_of(ROLE_HINT), "the same in both");
}

static void
diff_draw(void *state, const struct view_env *env, struct surface s)
{
	struct diff_pane *p = state;
	int top = s.height >= 8 ? DIFF_ABOVE : 0;

	p->top = top;
	if (p->version == 0) {
		pane_draw_text(s, 0, ROLE_HINT,
		    "Nothing is compared: d on a result compares it with the one before, d in the "
		    "history two calls.");
		return;
	}
	bool same = strcmp(p->sides[0].arguments, p->sides[1].arguments) == 0;
	for (int side = 0; side < 2 && top > 0; side++) {
		struct style style = style_of(diff_roles[side]);
		int x = surface_text(s, 0, side, 1, style, side == 0 ? "-" : "+") + 1;
		x += surface_text(s, x, side, -1, style, p->sides[side].when) + 2;
		if (same && side == 1)
			surface_text(
			    s, x, side, -1, style_of(ROLE_HINT), "with the same arguments");
		else
			surface_text(s, x, side, -1, style_of(ROLE_DIM), p->sides[side].arguments);
	}
	if (!p->diff) {
		pane_draw_text(
		    surface_sub(s, 0, top, s.width, s.height - top), 0, ROLE_HINT, "comparing");
		return;
	}
	bool changes = p->diff->items[0].changes > 0;
	int bottom = top > 0 && p->look <= LOOK_TREE && changes ? DIFF_BELOW : 0;
	struct surface body = surface_sub(s, 0, top, s.width, s.height - top - bottom);
	if (p->look == LOOK_WORDS) {
		page_draw(&p->words, body, ROLE_NONE, env->focused);
	} else if (p->look != LOOK_TEXT && !changes && !p->all) {
		char text[200];
		snprintf(text, sizeof(text), "No difference in %s.%s", parts[p->part].name,
		    p->has[PART_CONTENT] && p->part < PART_CONTENT ? " B compares the content, too."
								   : "");
		pane_draw_text(body, 0, ROLE_OK, text);
	} else {
		diff_looks[p->look].draw(p, env->focused, body);
	}
	if (bottom > 0)
		draw_selected(p, s, s.height - 1);
}

static enum role
diff_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct diff_pane *p = state;

	buf_addf(title, "diff%s%s", p->name ? " · " : "", p->name ? p->name : "");
	if (!p->diff)
		return ROLE_DIM;
	if (p->part != PART_STRUCTURED)
		buf_addf(title, " · %s", parts[p->part].name);
	uint32_t node = p->look == LOOK_TABLE  ? p->table.node
			: p->look == LOOK_TEXT ? p->text.node
					       : 0;
	if (node != 0 && node != DIFF_NOWHERE) {
		buf_add_str(title, " ▸ ");
		diff_add_path(p->diff, node, title);
	}
	diff_add_counts(p->diff, facts);
	const struct diff_array *array =
	    p->look == LOOK_TABLE ? diff_array_of(p->diff, p->table.node) : NULL;
	buf_addf(facts, " · %s", diff_looks[p->look].name);
	if (array)
		buf_addf(
		    facts, " %s%s", array->key ? "by " : "in order", array->key ? array->key : "");
	if (p->look == LOOK_TEXT && p->text.is_cut)
		buf_add_str(facts, ", only the first 4 MiB of each");
	uint32_t elsewhere =
	    array ? p->diff->items[0].changes - p->diff->items[p->table.node].changes : 0;
	if (elsewhere > 0)
		buf_addf(facts, ", %u elsewhere", elsewhere);
	if (p->drift.len > 0)
		buf_addf(facts, " · definition: %s",
		    p->drift.counts[DRIFT_BREAKING] > 0 ? "breaking" : "changed");
	return p->drift.counts[DRIFT_BREAKING] > 0 ? ROLE_WARNING : ROLE_DIM;
}

static void
forget(struct diff_pane *p)
{
	job_drop(&p->job);
	diff_looks_finish(p);
	page_clear(&p->words);
	diff_destroy(p->diff);
	drift_finish(&p->drift);
	p->diff = NULL;
	for (int side = 0; side < 2; side++) {
		struct comparison_side *s = &p->sides[side];
		json_doc_destroy(s->doc);
		json_doc_destroy(s->definition);
		json_doc_destroy(p->data[side]);
		free(s->when);
		free(s->arguments);
		*s = (struct comparison_side){ 0 };
		p->data[side] = NULL;
	}
	free(p->name);
	free(p->key);
	p->name = p->key = NULL;
	p->key_of = 0;
}

static void
diff_finish(void *state)
{
	struct diff_pane *p = state;

	forget(p);
	page_finish(&p->words);
}

static void
diff_sync(void *state, const struct view_env *env)
{
	struct diff_pane *p = state;
	const struct comparison *c = &env->ws->comparison;

	if (c->version == p->version)
		return;
	forget(p);
	p->version = c->version;
	p->name = mem_strdup(c->name);
	for (int side = 0; side < 2; side++) {
		p->sides[side] = c->sides[side];
		struct comparison_side *s = &p->sides[side];
		s->doc = json_doc_ref(s->doc);
		s->definition = s->definition ? json_doc_ref(s->definition) : NULL;
		s->when = mem_strdup(s->when);
		s->arguments = mem_strdup(s->arguments);
	}
	diff_work_start(p, env);
}

static void
look_at(struct diff_pane *p, enum diff_look look)
{
	if (look == LOOK_TEXT && p->look != LOOK_TEXT) {
		uint32_t node = diff_looks[p->look].selected(p);
		p->before = p->look;
		if (node != p->text.node)
			diff_text_make(p, node);
	}
	if (look == LOOK_TREE && p->look == LOOK_TABLE)
		diff_tree_select(p, diff_looks[LOOK_TABLE].selected(p));
	p->look = look;
}

/* ---- commands and keys ---- */

static bool
is_ready(const struct diff_pane *p, const struct view_env *env)
{
	return p->diff || view_refuse(env, "nothing is compared: d compares two results");
}

static bool
step(void *state, const struct view_env *env, const char *arg, int by)
{
	struct diff_pane *p = state;

	if (!is_ready(p, env))
		return false;
	bool (*to_change)(struct diff_pane *, int) = diff_looks[p->look].step;
	bool found = to_change && to_change(p, by);
	return found || view_refuse(env, by > 0 ? "no change below" : "no change above");
}

VIEW_ACTION_WITH(act_next, step, 1)
VIEW_ACTION_WITH(act_previous, step, -1)

static bool
act_look(void *state, const struct view_env *env, const char *arg)
{
	struct diff_pane *p = state;
	int look = p->look;

	if (!is_ready(p, env))
		return false;
	for (look = 0; *arg && look < DIFF_LOOKS && strcmp(diff_looks[look].name, arg) != 0;)
		look++;
	if (*arg && (look == DIFF_LOOKS || !can_look(p, (enum diff_look)look)))
		return view_refuse(env, look == DIFF_LOOKS ? "table, tree, text or definition"
							   : "there is none to show");
	if (!*arg)
		for (look = (p->look + 1) % DIFF_LOOKS; !can_look(p, (enum diff_look)look);)
			look = (look + 1) % DIFF_LOOKS;
	look_at(p, (enum diff_look)look);
	return true;
}

/* The lines of the selected value; from there back. */
static bool
act_diff_open(void *state, const struct view_env *env, const char *arg)
{
	struct diff_pane *p = state;

	if (!is_ready(p, env))
		return false;
	const struct diff_array *array =
	    p->look == LOOK_TREE ? diff_array_of(p->diff, diff_looks[LOOK_TREE].selected(p)) : NULL;
	if (array && array->is_table) {
		diff_table_make(p, array->node);
		p->look = LOOK_TABLE;
	} else {
		look_at(p, p->look == LOOK_TEXT ? p->before : LOOK_TEXT);
	}
	return true;
}

static bool
act_all(void *state, const struct view_env *env, const char *arg)
{
	struct diff_pane *p = state;

	if (!is_ready(p, env))
		return false;
	uint32_t row = diff_looks[LOOK_TABLE].selected(p);
	uint32_t node = diff_looks[LOOK_TREE].selected(p);
	p->all = !p->all;
	diff_tree_make(p);
	diff_tree_select(p, node);
	diff_table_make(p, p->table.node);
	for (size_t i = 0; i < p->table.rows.len && p->table.rows.items[i] <= row; i++)
		list_select(&p->table.list, i);
	p->text.made = false;
	return true;
}

static bool
act_below(void *state, const struct view_env *env, const char *arg)
{
	struct diff_pane *p = state;

	p->below = !p->below;
	return true;
}

static bool
step_table(void *state, const struct view_env *env, const char *arg, int by)
{
	struct diff_pane *p = state;
	size_t at = 0;

	if (!is_ready(p, env))
		return false;
	const struct diff_array *arrays = p->diff->arrays.items;
	size_t count = p->diff->arrays.len;
	if (p->table.node != DIFF_NOWHERE) {
		while (arrays[at].node < p->table.node)
			at++;
		do
			at = by > 0 ? (at + 1) % count : (at + count - 1) % count;
		while (!arrays[at].is_table); /* the current one is */
	}
	if (p->table.node == DIFF_NOWHERE ||
	    (arrays[at].node == p->table.node && p->look == LOOK_TABLE))
		return view_refuse(env, "there is no other table with a difference");
	diff_table_make(p, arrays[at].node);
	p->look = LOOK_TABLE;
	return true;
}

VIEW_ACTION_WITH(act_next_table, step_table, 1)
VIEW_ACTION_WITH(act_previous_table, step_table, -1)

static bool
act_key(void *state, const struct view_env *env, const char *arg)
{
	struct diff_pane *p = state;

	if (!is_ready(p, env))
		return false;
	if (p->table.node == DIFF_NOWHERE)
		return view_refuse(env, "there is no table with a difference");
	const char *next = strcmp(arg, "-") == 0 ? "" : arg;
	if (!*arg) { /* the candidate after this key, then matching in order, then the first one */
		const char *keys[DIFF_KEYS_MAX + 1];
		const char *now = diff_array_of(p->diff, p->table.node)->key;
		size_t i = 0;
		diff_key_candidates(p->diff, p->table.node, keys);
		while (now && keys[i] && strcmp(keys[i], now) != 0)
			i++;
		next = now && keys[i] ? keys[i + 1] : keys[0];
	}
	char *key = mem_strdup(next ? next : "");
	free(p->key);
	p->key = key;
	p->key_of = 0;
	diff_work_start(p, env);
	return true;
}

static bool
act_part(void *state, const struct view_env *env, const char *arg)
{
	struct diff_pane *p = state;
	int part = 0;

	if (!is_ready(p, env))
		return false;
	if (*arg)
		while (part < DIFF_PARTS && strcmp(parts[part].word, arg) != 0)
			part++;
	else
		for (part = (p->part + 1) % DIFF_PARTS; !p->has[part];)
			part = (part + 1) % DIFF_PARTS;
	if (part == DIFF_PARTS || !p->has[part])
		return view_refuse(env, part == DIFF_PARTS ? "structured, data, content or whole"
							   : "not both of the results have it");
	p->part = (enum diff_part)part;
	diff_work_start(p, env);
	return true;
}

static void
diff_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	const struct diff_pane *p = state;

	if (!p->diff)
		return;
	buf_addf(out, "%s\n- %s %s\n+ %s %s\n", p->name, p->sides[0].when, p->sides[0].arguments,
	    p->sides[1].when, p->sides[1].arguments);
	diff_add_text(p->diff, out);
	drift_add_text(&p->drift, out);
}

static bool
act_copy_place(void *state, const struct view_env *env, const char *arg)
{
	const struct diff_pane *p = state;
	struct buf pointer = BUF_INIT;

	if (!is_ready(p, env))
		return false;
	diff_add_pointer(p->diff, diff_looks[p->look].selected(p), 1, &pointer);
	env->host->copy(env->user, buf_text(&pointer), pointer.len);
	buf_finish(&pointer);
	return true;
}

static const struct view_action actions[] = {
	{ "next-change", "n", "", "go to the next change", act_next, "next" },
	{ "previous-change", "N", "", "go to the previous change", act_previous, NULL },
	{ "open-change", "enter", "", "show the selected value line by line, or go back",
	    act_diff_open, "lines" },
	{ "diff-view", "v", "[table|tree|text|definition]", "show the diff in the next view",
	    act_look, "view" },
	{ "diff-all", "alt-q", "", "toggle equal rows", act_all, "all rows" },
	{ "diff-key", "alt-k", "[COLUMN]",
	    "match the rows by the next key column, or by this one; - by order", act_key, "key" },
	{ "diff-part", "B", "[structured|data|content|whole]",
	    "compare another part of the results", act_part, "part" },
	{ "diff-beside", "alt-z", "", "show the lines of texts beside or below each other",
	    act_below, NULL },
	{ "next-changed-table", "]", "", "go to the next table with a difference", act_next_table,
	    NULL },
	{ "previous-changed-table", "[", "", "go to the previous table with a difference",
	    act_previous_table, NULL },
	{ "copy-diff", "y", "", "copy the diff as text; :write FILE saves it", pane_act_copy,
	    "copy" },
	{ "copy-change-path", "Y", "", "copy the JSON Pointer of the selected value",
	    act_copy_place, NULL },
	{ 0 },
};

static bool
diff_key(void *state, const struct view_env *env, const struct key *key)
{
	struct diff_pane *p = state;
	struct list *list = p->look == LOOK_TABLE  ? &p->table.list
			    : p->look == LOOK_TREE ? &p->tree.list
						   : &p->text.list;
	int y = key->y - p->top - (p->look == LOOK_TABLE);
	size_t row;

	if (!p->diff)
		return false;
	if (p->look == LOOK_WORDS)
		return page_key(&p->words, key);
	if (key->kind == KEY_MOUSE) {
		if (key->action == MOUSE_WHEEL_DOWN || key->action == MOUSE_WHEEL_UP)
			list_scroll(list, key->action == MOUSE_WHEEL_DOWN ? 3 : -3);
		else if (key->action == MOUSE_PRESS && list_row_at(list, y, &row))
			list_select(list, row);
		else
			return false;
		return true;
	}
	if (key->kind == KEY_ESCAPE && p->look == LOOK_TEXT && p->before != LOOK_TEXT) {
		p->look = p->before;
		return true;
	}
	return p->look == LOOK_TABLE ? diff_table_key(p, key) : list_key(list, key);
}

/* Rows that are the same in both are searched only if they are shown. */
static bool
diff_pane_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct diff_pane *p = state;

	if (!p->diff)
		return false;
	*out = diff_seek(p);
	if (p->look == LOOK_WORDS)
		out->y = p->top;
	else
		out->version = p->made;
	return true;
}

static bool
diff_is_open(const void *state)
{
	const struct diff_pane *p = state;

	return p->diff && p->look == LOOK_TEXT && p->before != LOOK_TEXT;
}

static const char *
diff_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct diff_pane *p = state;

	if (p->diff && action->run == act_diff_open && p->look == LOOK_TEXT)
		return "back";
	return p->diff ? action->hint : NULL;
}

static int
diff_want(void *state, const struct view_env *env, int width)
{
	struct diff_pane *p = state;
	size_t rows;

	if (!p->diff)
		rows = 1;
	else if (p->look == LOOK_WORDS)
		rows = page_rows(&p->words, width);
	else if (p->look == LOOK_TEXT)
		rows = p->text.rows.len;
	else if (p->diff->items[0].changes == 0 && !p->all)
		rows = 1;
	else
		rows = DIFF_BELOW +
		       (p->look == LOOK_TABLE ? 1 + p->table.rows.len : p->tree.lines.len);
	return DIFF_ABOVE + (rows < 1000 ? (int)rows : 1000);
}

const struct view_ops pane_diff = {
	.title = "diff",
	.help = "two results, and what differs between them",
	.state_size = sizeof(struct diff_pane),
	.actions = actions,
	.finish = diff_finish,
	.sync = diff_sync,
	.heading = diff_heading,
	.draw = diff_draw,
	.want = diff_want,
	.is_wide = true,
	.key = diff_key,
	.is_open = diff_is_open,
	.hint = diff_hint,
	.copy = diff_copy,
	.seek = diff_pane_seek,
};

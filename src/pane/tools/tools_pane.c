/* SPDX-License-Identifier: MIT */
#include "pane/pane.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/vec.h"
#include "data/drift.h"
#include "client/findings.h"
#include "tools.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

struct shown {
	enum primitive_kind kind;
	uint32_t index; /* in its list */
	unsigned rank;  /* by the filter, the best first */
	uint16_t len;   /* of the name: a short one comes first */
};

/* The list of primitives, one kind at a time: tools, resources with their templates, or prompts. */
struct tools {
	struct rows rows; /* over shown */
	struct {
		struct shown *items; /* entries that pass the filter */
		size_t len, cap;
	} shown;
	size_t all; /* regardless of the filter */
	int want;   /* columns of the longest row */
	int width;  /* of the last drawing */
	uint64_t seen;
	struct {
		struct judged {
			uint8_t definition, drift; /* as in struct primitive_row */
		} * items;                         /* by the tool's index in its list */
		size_t len, cap;
	} definitions;
	const struct server *server; /* the server of the definitions, and the state of its lists */
	uint64_t lists;
	struct job *job;                /* checks visible definitions; NULL: none */
	size_t muted;                   /* muted kinds of findings when they were checked */
	uint64_t looks;                 /* workspace.looks when they were checked */
	struct schema_library *library; /* NULL until first used, and while the job has it */
};

/* Checks definitions of tools. */
struct definition_job {
	struct job job; /* first */
	struct tools *pane;
	struct schema_library *library;
	struct strings muted, looked; /* copies of the workspace's */
	struct workspace_history history;
	char *server; /* its name in the history */
	struct {
		struct visible {
			uint32_t index; /* in the list */
			struct primitive primitive;
			struct json_doc *definition;
			struct judged judged;
		} * items;
		size_t len, cap;
	} visible;
};

static void
finish(void *state)
{
	struct tools *p = state;

	job_drop(&p->job);
	schema_library_destroy(p->library);
	free(p->definitions.items);
	free(p->shown.items);
}

static const struct primitive_list *
list_of(const struct view_env *env, enum primitive_kind kind)
{
	return env->ws->server ? &server_info(env->ws->server)->lists[kind].list : NULL;
}

static void
add_list(struct tools *p, const struct view_env *env, enum primitive_kind kind)
{
	const struct primitive_list *list = list_of(env, kind);
	const char *filter = buf_text(&p->rows.filter);

	for (size_t i = 0; list && i < list->len; i++) {
		const struct primitive *item = &list->items[i];
		unsigned rank = *filter ? primitive_rank(item, filter) : 1;
		size_t len = *filter ? strnlen(item->name, FUZZY_TEXT_MAX) : 0;
		p->all++;
		if (rank > 0)
			*VEC_PUSH(&p->shown) =
			    (struct shown){ kind, (uint32_t)i, rank, (uint16_t)len };
	}
}

/* Sort by rank if there is a filter, then in the server's order. */
static int
compare_shown(const void *one, const void *other)
{
	const struct shown *a = one, *b = other;

	if (a->rank != b->rank)
		return a->rank < b->rank ? 1 : -1;
	if (a->len != b->len)
		return a->len - b->len;
	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Check the definitions again if the lists, mutes or looks changed. */
static void
forget_definitions(struct tools *p, const struct view_env *env)
{
	uint64_t lists = env->ws->server ? server_lists_generation(env->ws->server) : 0;

	if (p->muted != env->ws->muted.len || p->looks != env->ws->looks) {
		p->muted = env->ws->muted.len;
		p->looks = env->ws->looks;
		p->definitions.len = 0;
		job_drop(&p->job);
	}
	if (p->server == env->ws->server && p->lists == lists)
		return;
	p->server = env->ws->server;
	p->lists = lists;
	p->definitions.len = 0;
	job_drop(&p->job);
	p->want = 0;
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const struct primitive_list *list = list_of(env, (enum primitive_kind)kind);
		for (size_t i = 0; list && i < list->len; i++) {
			int columns = primitive_row_columns(&list->items[i]);
			p->want = columns > p->want ? columns : p->want;
		}
	}
}

static int
want(void *state, const struct view_env *env, int width)
{
	const struct tools *p = state;

	return p->want;
}

/* Choose the rows again, and select the primitive whose form is shown. */
static void
renew(struct tools *p, const struct view_env *env)
{
	const struct desk *desk = env->ws->desk;
	size_t index = desk ? workspace_primitive_index(env->ws) : SIZE_MAX;

	forget_definitions(p, env);
	p->shown.len = 0;
	p->all = 0;
	add_list(p, env, env->ws->tab);
	if (env->ws->tab == PRIMITIVE_RESOURCE)
		add_list(p, env, PRIMITIVE_TEMPLATE);
	if (p->rows.filter.len > 0 && p->shown.len > 0)
		qsort(p->shown.items, p->shown.len, sizeof(*p->shown.items), compare_shown);
	p->rows.unmarked = index == SIZE_MAX;
	for (size_t i = 0; i < p->shown.len && index != SIZE_MAX; i++)
		if (p->shown.items[i].kind == desk->kind && p->shown.items[i].index == index)
			p->rows.list.selected = i;
	list_set_count(&p->rows.list, p->shown.len);
}

static void
sync(void *state, const struct view_env *env)
{
	struct tools *p = state;
	uint64_t generation =
	    (env->ws->server ? server_lists_generation(env->ws->server) : 0) + env->ws->generation;

	if (generation == p->seen)
		return;
	p->seen = generation;
	renew(p, env);
}

static void
select_shown(void *state, const struct view_env *env)
{
	struct tools *p = state;

	if (p->rows.list.selected < p->shown.len)
		workspace_select(env->ws, p->shown.items[p->rows.list.selected].kind,
		    p->shown.items[p->rows.list.selected].index);
}

/* ---- the visible definitions ---- */

static uint8_t
judge(const struct findings *found, const struct strings *muted)
{
	enum finding_severity worst = FINDING_NOTE;

	for (size_t i = 0; i < found->len; i++)
		if (found->items[i].kind->severity < worst &&
		    !strings_have(muted, found->items[i].kind->name))
			worst = found->items[i].kind->severity;
	return worst == FINDING_ERROR     ? DEFINITION_WRONG
	       : worst == FINDING_WARNING ? DEFINITION_ODD
					  : DEFINITION_FINE;
}

/* Return the change since the last call of any run, none if the user has seen it. */
static uint8_t
find_drift(const struct definition_job *k, const struct visible *v)
{
	const struct primitive *p = &v->primitive;
	struct history_call before;
	struct drift drift = { 0 };
	struct json_doc *then = NULL;
	struct buf text = BUF_INIT;
	char hash[SHA256_HEX];

	if (!k->history.host ||
	    !k->history.host->last(k->history.user, k->server, p->kind, p->key, INT64_MAX, &before))
		return DRIFT_NONE;
	if (before.definition && history_add_definition(v->definition, &text, hash) &&
	    strcmp(hash, before.hash) != 0 && !strings_have(&k->looked, hash))
		then = json_parse(before.definition, strlen(before.definition), NULL, NULL);
	if (then)
		drift_add_tool(&drift, json_root(then), json_root(v->definition));
	uint8_t found = drift.counts[DRIFT_BREAKING] > 0 ? DRIFT_BREAKS
			: drift_count(&drift) > 0        ? DRIFT_CHANGED
							 : DRIFT_NONE;
	drift_finish(&drift);
	json_doc_destroy(then);
	buf_finish(&text);
	history_finish(&before);
	return found;
}

static void
definition_job_run(struct job *job)
{
	struct definition_job *k = (struct definition_job *)job;

	if (!k->library)
		k->library = schema_library_create();
	for (size_t i = 0; i < k->visible.len && job_goes_on(job, i); i++) {
		struct findings found = { 0 };
		findings_of_tool(&found, &k->visible.items[i].primitive, k->library);
		k->visible.items[i].judged = (struct judged){ judge(&found, &k->muted),
			find_drift(k, &k->visible.items[i]) };
		findings_finish(&found);
	}
}

static void
definition_job_done(struct job *job)
{
	struct definition_job *k = (struct definition_job *)job;
	struct tools *p = k->pane;

	for (size_t i = 0; i < k->visible.len; i++) {
		if (!job_is_stopped(job))
			p->definitions.items[k->visible.items[i].index] =
			    k->visible.items[i].judged;
		json_doc_destroy(k->visible.items[i].definition);
		json_doc_destroy(k->visible.items[i].primitive.doc);
	}
	if (k->history.host) /* reports a damaged file that the job met */
		k->history.host->changes(k->history.user);
	if (!job_is_stopped(job)) {
		p->library = k->library;
		k->library = NULL;
	}
	schema_library_destroy(k->library);
	strings_finish(&k->muted);
	strings_finish(&k->looked);
	free(k->server);
	free(k->visible.items);
	free(k);
}

static struct judged
judged_of(const struct tools *p, const struct shown *shown)
{
	return shown->kind == PRIMITIVE_TOOL && shown->index < p->definitions.len
		   ? p->definitions.items[shown->index]
		   : (struct judged){ DEFINITION_UNKNOWN, DRIFT_NONE };
}

static void
check_visible(struct tools *p, const struct view_env *env)
{
	size_t end = p->rows.list.top + (size_t)p->rows.list.height;
	const struct primitive_list *list = list_of(env, PRIMITIVE_TOOL);
	struct definition_job *k = NULL;

	while (list && p->definitions.len < list->len)
		*VEC_PUSH(&p->definitions) = (struct judged){ DEFINITION_UNKNOWN, DRIFT_NONE };
	for (size_t i = p->rows.list.top; i < end && i < p->shown.len && !p->job; i++) {
		const struct shown *shown = &p->shown.items[i];
		if (shown->kind != PRIMITIVE_TOOL || !list || shown->index >= list->len ||
		    judged_of(p, shown).definition != DEFINITION_UNKNOWN)
			continue;
		if (!k) {
			k = mem_zalloc(sizeof(*k));
			*k = (struct definition_job){
				.job = { .run = definition_job_run, .done = definition_job_done },
				.pane = p,
			};
		}
		const struct primitive *primitive = &list->items[shown->index];
		json_doc_ref(primitive->doc);
		*VEC_PUSH(&k->visible) = (struct visible){ .index = shown->index,
			.primitive = *primitive,
			.definition = json_part(primitive->doc, primitive->definition) };
	}
	if (!k)
		return;
	k->library = p->library;
	p->library = NULL;
	for (size_t i = 0; i < env->ws->muted.len; i++)
		strings_add(&k->muted, env->ws->muted.items[i]);
	for (size_t i = 0; i < env->ws->looked.len; i++)
		strings_add(&k->looked, env->ws->looked.items[i]);
	k->history = env->ws->history;
	k->server = mem_strdup(server_info(env->ws->server)->name);
	job_start(env->jobs, &k->job, &p->job);
}

/* ---- drawing ---- */

static void
draw_empty(const struct tools *p, const struct view_env *env, struct surface s)
{
	if (!env->ws->server) {
		pane_draw_server_state(env, s);
	} else if (p->all > 0) {
		surface_textf(s, 0, 0, -1, style_of(ROLE_HINT), "nothing matches %s",
		    buf_text(&p->rows.filter));
		surface_text(s, 0, 1, -1, style_of(ROLE_HINT), "Esc shows all");
	} else {
		primitive_draw_empty(env, env->ws->tab, s);
	}
}

static void
tools_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t index)
{
	const struct tools *p = state;
	const struct shown *shown = &p->shown.items[index];
	struct judged judged = judged_of(p, shown);
	struct primitive_row row = {
		.primitive = &list_of(env, shown->kind)->items[shown->index],
		.selected = index == p->rows.list.selected && !p->rows.unmarked,
		.filter = buf_text(&p->rows.filter),
		.beside = p->want - PRIMITIVE_MARKS,
		.definition = judged.definition,
		.drift = judged.drift,
	};

	primitive_row_draw(env, &row, s, y);
}

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct tools *p = state;
	const struct primitive_list *list = list_of(env, env->ws->tab);
	const char *note = list && list->len > 0 ? list->note : "";
	int height = s.height - 1 - (*note != '\0');

	p->width = s.width;
	pane_draw_filter(s, &p->rows, NULL);
	list_set_height(&p->rows.list, height);
	check_visible(p, env);
	rows_draw(p, env, s, 1, height);
	if (p->shown.len == 0)
		draw_empty(p, env, surface_sub(s, 0, 1, s.width, height));
	if (*note)
		surface_text(s, 0, s.height - 1, -1, style_of(ROLE_WARNING), note);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	buf_add_char(title, ' '); /* the tabs are drawn on the border */
	return ROLE_DIM;
}

static void
draw_title(void *state, const struct view_env *env, struct surface s)
{
	struct tools *p = state;

	primitive_tabs_draw(env, p->shown.len, s);
}

/* ---- commands and keys ---- */

static bool
act_open(void *state, const struct view_env *env, const char *arg)
{
	struct tools *p = state;

	select_shown(p, env);
	if (!env->ws->desk || env->ws->desk->kind != PRIMITIVE_RESOURCE)
		return env->host->run(env->user, "pane form");
	return env->host->run(env->user, "call") && env->host->run(env->user, "pane content");
}

/* Show the resource, reading it first if it was not read yet. */
static bool
act_enter(void *state, const struct view_env *env, const char *arg)
{
	bool read =
	    env->ws->desk && env->ws->desk->kind == PRIMITIVE_RESOURCE && workspace_call(env->ws);

	return read ? env->host->run(env->user, "pane content") : act_open(state, env, arg);
}

static bool
show_tab(struct tools *p, const struct view_env *env, enum primitive_kind tab)
{
	if (tab != env->ws->tab)
		buf_clear(&p->rows.filter);
	workspace_show_tab(env->ws, tab);
	renew(p, env);
	return true;
}

static bool
act_next_kind(void *state, const struct view_env *env, const char *arg)
{
	return show_tab(state, env, primitive_tab_next(env->ws->tab, 1));
}

static bool
act_previous_kind(void *state, const struct view_env *env, const char *arg)
{
	return show_tab(state, env, primitive_tab_next(env->ws->tab, -1));
}

static const char *
filtered(const void *state)
{
	const struct tools *p = state;

	return p->all > 0 ? buf_text(&p->rows.filter) : NULL;
}

static void
choose(void *state, const struct view_env *env)
{
	struct tools *p = state;

	renew(p, env);
	if (p->rows.filter.len > 0)
		list_select(&p->rows.list, 0);
	if (env->focused)
		select_shown(p, env);
}

static const struct view_action actions[] = {
	{ "open", "enter", "", "fill in the form, or read the resource", act_open, "form" },
	{ "enter", "right l", "", "go into the form, or to the resource", act_enter, NULL },
	{ "filter", "", "[TEXT]", "show only matches", pane_act_filter, NULL },
	{ "next-kind", "]", "", "go to the next list: tools, resources, prompts", act_next_kind,
	    "kind" },
	{ "previous-kind", "[", "", "go to the previous list", act_previous_kind, NULL },
	{ 0 },
};

/* A click on a tab shows it. */
static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct tools *p = state;

	if (key->kind != KEY_MOUSE || key->action != MOUSE_PRESS || key->y >= 0)
		return false;
	enum primitive_kind tab = primitive_tab_at(env, p->shown.len, p->width + 1, key->x);
	return tab != PRIMITIVE_KINDS && show_tab(p, env, tab);
}

static const char *
hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct tools *p = state;
	const struct desk *desk = env->ws->desk;

	if (action->run == act_next_kind)
		return action->hint;
	if (action->run == act_open && desk && desk->kind == PRIMITIVE_RESOURCE)
		return "read";
	return p->all > 0 ? action->hint : NULL;
}

static const struct row_ops row_ops = {
	.draw = tools_draw_row,
	.open = act_open,
	.filter = choose,
	.on_select = select_shown,
};

const struct view_ops pane_tools = {
	.title = "Tools",
	.help = "the lists of tools, resources and prompts",
	.state_size = sizeof(struct tools),
	.actions = actions,
	.finish = finish,
	.sync = sync,
	.want = want,
	.heading = heading,
	.draw_title = draw_title,
	.draw = draw,
	.key = key,
	.rows = &row_ops,
	.filtered = filtered,
	.hint = hint,
};

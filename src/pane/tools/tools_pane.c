/* SPDX-License-Identifier: MIT */
#include "tools.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/text_match.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/findings.h"
#include "client/notices.h"
#include "data/drift.h"
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

enum { PRIMITIVE_MARKS = 5 }; /* columns at the right of a row */
enum definition_state { DEFINITION_UNKNOWN, DEFINITION_FINE, DEFINITION_ODD, DEFINITION_WRONG };
/* Whether the definition changed since the last call. */
enum definition_drift { DRIFT_NONE, DRIFT_CHANGED, DRIFT_BREAKS };

static void
tools_finish(void *state)
{
	struct tools *p = state;

	job_drop(&p->job);
	schema_library_destroy(p->library);
	free(p->definitions.items);
	free(p->shown.items);
}

/* ---- matching a filter ---- */

/* The place of a match, the worst first. The points of the letters decide between equals. */
enum match { IN_NOTHING, IN_DESCRIPTION, IN_TITLE, LETTERS, INSIDE, WORD, BEGINNING, WHOLE };

unsigned
primitive_rank(const struct primitive *p, const char *filter)
{
	enum { LEVEL = 1 << 16 };
	enum match best = IN_NOTHING;
	struct fuzzy letters;

	for (const char *hit = p->name; best < WORD && (hit = strcasestr(hit, filter)); hit++) {
		bool camel =
		    hit > p->name && hit[-1] >= 'a' && hit[-1] <= 'z' && *hit >= 'A' && *hit <= 'Z';
		best = hit == p->name                                     ? BEGINNING
		       : camel || !ascii_is_alnum((unsigned char)hit[-1]) ? WORD
									  : INSIDE;
	}
	if (best == BEGINNING && strlen(p->name) == strlen(filter))
		best = WHOLE;
	unsigned found = best * LEVEL;
	fuzzy_init(&letters, filter, strlen(filter));
	int points = strlen(filter) > FUZZY_LETTERS
			 ? 0
			 : fuzzy_match(&letters, p->name, strlen(p->name), NULL);
	if (found == 0 && points > 0)
		found = LETTERS * LEVEL + (unsigned)points;
	if (found == 0 && ((p->title && strcasestr(p->title, filter)) ||
			      (p->kind != PRIMITIVE_TOOL && strcasestr(p->key, filter))))
		found = IN_TITLE * LEVEL;
	if (found == 0 && p->description && strcasestr(p->description, filter))
		found = IN_DESCRIPTION * LEVEL;
	return found;
}

/* ---- a row ---- */

/* Return whether the result has problems that are not in its verdict. */
static bool
has_problems(const struct view_env *env, const struct call *c)
{
	bool is_tool = c->kind == PRIMITIVE_TOOL;

	for (size_t i = 0; is_tool && i < c->findings.len; i++)
		if (c->findings.items[i].kind->severity < FINDING_NOTE &&
		    !workspace_mutes(env->ws, &c->findings.items[i]))
			return true;
	for (size_t i = 0; !is_tool && i < c->result.len; i++)
		if (c->result.blocks[i].problem)
			return true;
	return !is_tool && c->result.problem[0];
}

/* Draw the mark of the last call: ◐ running, ✗ error, ! problem, ✓ success. */
static void
draw_mark(
    const struct primitive *p, const struct call *c, const struct view_env *env, struct surface s)
{
	enum verdict_kind verdict = p->kind == PRIMITIVE_TOOL
					? server_last_verdict(env->ws->server, p->name)
					: VERDICT_NONE;
	bool failed = c && call_is_error(c);
	bool unchecked = verdict == VERDICT_NONE && (!c || p->kind == PRIMITIVE_TOOL);
	struct call_look look = pane_call_look(verdict, failed);

	if (c && c->state == CALL_RUNNING)
		look = (struct call_look){ "◐", ROLE_ACCENT };
	else if (unchecked)
		return;
	else if (verdict == VERDICT_NONE && c->state == CALL_CANCELLED)
		look = (struct call_look){ "–", ROLE_DIM };
	else if (c &&
		 (verdict == VERDICT_VALID || verdict == VERDICT_NO_SCHEMA ||
		     (verdict == VERDICT_NONE && !failed)) &&
		 has_problems(env, c))
		look = (struct call_look){ "!", ROLE_WARNING };
	else if (verdict == VERDICT_NONE && !failed)
		look = (struct call_look){ "✓", ROLE_OK };
	surface_text(s, s.width - 2, 0, 1, style_of(look.role), look.mark);
}

/* Return a detail that distinguishes primitives of the same name, or describes this one. */
static const char *
beside(const struct primitive *p)
{
	bool has_title = p->title && strcmp(p->title, p->name) != 0;

	if (p->broken)
		return p->problem;
	if (p->kind == PRIMITIVE_TOOL && !has_title)
		return p->description ? p->description : "";
	if (p->kind == PRIMITIVE_TOOL || p->kind == PRIMITIVE_PROMPT)
		return has_title ? p->title : "";
	return strcmp(p->key, p->name) == 0 ? "" : p->key;
}

enum { BESIDE_LEAST = 12, BESIDE_BYTES = 500 };

/* Draw the detail. Those of tools form a column and give way to a long name. The column of a
 * narrow list begins within the longest names, for the details of the other tools. */
static void
draw_beside(const struct primitive *p, int column, struct surface s, int x, int y)
{
	bool in_column = p->kind == PRIMITIVE_TOOL && !p->broken;
	const char *text = beside(p);
	size_t len = strnlen(text, BESIDE_BYTES);
	const char *newline = memchr(text, '\n', len);

	int last = s.width - PRIMITIVE_MARKS - 2 - BESIDE_LEAST - 2;
	column = column < last ? column : last;
	x = in_column && x < column ? column : x;
	int room = s.width - PRIMITIVE_MARKS - 2 - x;
	if (len > 0 && (!in_column || room >= BESIDE_LEAST))
		surface_textn(surface_sub(s, x + 2, y, room, 1), 0, 0, style_of(ROLE_HINT), text,
		    newline ? (size_t)(newline - text) : len);
}

/* ◫: the tool has an app, ⊘: only apps may call it */
static const char *
app_badge(const struct primitive *p)
{
	if (p->kind != PRIMITIVE_TOOL)
		return NULL;
	return !p->app.for_model ? "⊘" : p->app.resource ? "◫" : NULL;
}

static int
badge_columns(const struct primitive *p)
{
	return (primitive_is_destructive(p) ? 2 : 0) + (app_badge(p) ? 2 : 0);
}

/* Draw the mark of a subscribed resource: ◉, ◆ if it changed since the last read, ○ until the
 * server confirms. */
static void
draw_watch(const struct view_env *env, const struct primitive *p, struct surface s, int y)
{
	static const struct {
		const char *mark;
		enum role role;
	} looks[] = {
		[WATCH_ASKED] = { "○", ROLE_DIM },
		[WATCH_ON] = { "◉", ROLE_OK },
		[WATCH_REFUSED] = { "○", ROLE_ERROR },
	};
	enum watch_state state = server_watch_state(env->ws->server, p->key);

	if (state == WATCH_NONE)
		return;
	bool changed = server_watch_changed(env->ws->server, p->key);
	surface_text(s, s.width - 4, y, 1, style_of(changed ? ROLE_WARNING : looks[state].role),
	    changed ? "◆" : looks[state].mark);
}

/* Highlight the letters of a name that the filter matches. */
static void
light_name(struct surface s, int y, const char *name, const char *filter)
{
	struct style style = style_of(ROLE_MATCH);
	uint16_t at[FUZZY_LETTERS];
	struct fuzzy letters;

	style.attr = ATTR_BOLD;
	fuzzy_init(&letters, filter, strlen(filter));
	bool matched = fuzzy_match(&letters, name, strlen(name), at) > 0;
	for (size_t i = 0; matched && i < letters.len; i++)
		if (((unsigned char)name[at[i]] & 0x80) == 0)
			surface_textn(
			    s, (int)glyph_columns(name, at[i]), y, style, name + at[i], 1);
}

/* Draw a name. A long name is cut in the middle because names that begin alike differ at the end.
 */
static int
draw_name(struct surface s, int y, int room, struct style style, const char *name)
{
	enum { TAIL = 12 };
	size_t len = label_length(name), at = len > TAIL ? len - TAIL : 0;

	if (label_columns(name) <= room || room < 2 * TAIL)
		return surface_text(s, 0, y, room, style, name);
	while (at < len && ((unsigned char)name[at] & 0xc0) == 0x80)
		at++;
	int tail = (int)glyph_columns(name + at, len - at);
	int head = surface_textn(surface_sub(s, 0, y, room - tail, 1), 0, 0, style, name, at);
	return head + surface_textn(s, head, y, style, name + at, len - at);
}

static struct judged
judged_of(const struct tools *p, const struct shown *shown)
{
	return shown->kind == PRIMITIVE_TOOL && shown->index < p->definitions.len
		   ? p->definitions.items[shown->index]
		   : (struct judged){ DEFINITION_UNKNOWN, DRIFT_NONE };
}

static void
tools_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t index)
{
	const struct tools *t = state;
	const struct shown *shown = &t->shown.items[index];
	const struct judged judged = judged_of(t, shown);
	const struct primitive *p = &workspace_list(env->ws, shown->kind)->items[shown->index];
	const struct call *c = server_last_call(env->ws->server, p->kind, p->key);
	const char *filter = buf_text(&t->rows.filter);
	bool selected = index == t->rows.list.selected && !t->rows.unmarked;
	struct style style = style_of(p->broken ? ROLE_ERROR : selected ? ROLE_TITLE : ROLE_TEXT);
	const char *shape = !p->output_schema ? "" : primitive_returns_array(p) ? "▦" : "▤";

	if (selected)
		style.attr = ATTR_BOLD;
	int room = s.width - PRIMITIVE_MARKS - badge_columns(p);
	int x = draw_name(s, y, room, style, p->name);
	if (*filter && label_columns(p->name) <= room)
		light_name(s, y, p->name, filter);
	if (primitive_is_destructive(p))
		x += 1 + surface_text(s, x + 1, y, 1, style_of(ROLE_WARNING), "†");
	if (app_badge(p))
		x += 1 + surface_text(s, x + 1, y, 1, style_of(ROLE_ACCENT), app_badge(p));
	if (p->of > 1)
		x += surface_textf(s, x + 1, y, s.width - 6 - x, style_of(ROLE_WARNING),
			 "%zu of %zu", p->nth + 1, p->of) +
		     1;
	draw_beside(p, t->want - PRIMITIVE_MARKS, s, x, y);
	bool wrong = p->broken || judged.definition == DEFINITION_WRONG;
	surface_text(s, s.width - 4, y, 1,
	    style_of(wrong                                 ? ROLE_ERROR
		     : judged.definition == DEFINITION_ODD ? ROLE_WARNING
							   : ROLE_DIM),
	    wrong || judged.definition == DEFINITION_ODD ? "!" : shape);
	bool called = c && c->definition && json_root(c->definition) == p->definition;
	if (judged.drift != DRIFT_NONE && !called) /* changed since the last call of any run */
		surface_text(s, s.width - 3, y, 1,
		    style_of(judged.drift == DRIFT_BREAKS ? ROLE_WARNING : ROLE_ACCENT), "◆");
	draw_mark(p, c, env, surface_sub(s, 0, y, s.width, 1));
	if (p->kind == PRIMITIVE_RESOURCE)
		draw_watch(env, p, s, y);
}

/* ---- the entries ---- */

static void
add_list(struct tools *p, const struct view_env *env, enum primitive_kind kind)
{
	const struct primitive_list *list = workspace_list(env->ws, kind);
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
		const struct primitive_list *list =
		    workspace_list(env->ws, (enum primitive_kind)kind);
		for (size_t i = 0; list && i < list->len; i++) {
			int columns = label_columns(list->items[i].name) +
				      badge_columns(&list->items[i]) + PRIMITIVE_MARKS;
			p->want = columns > p->want ? columns : p->want;
		}
	}
}

static int
tools_want(void *state, const struct view_env *env, int width)
{
	const struct tools *p = state;

	return p->want;
}

/* Choose the rows again, and select the primitive whose form is shown. */
static void
tools_renew(struct tools *p, const struct view_env *env)
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
tools_sync(void *state, const struct view_env *env)
{
	struct tools *p = state;
	uint64_t generation =
	    (env->ws->server ? server_lists_generation(env->ws->server) : 0) + env->ws->generation;

	if (generation == p->seen)
		return;
	p->seen = generation;
	tools_renew(p, env);
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
		enum finding_severity worst = FINDING_NOTE;
		for (size_t f = 0; f < found.len; f++)
			if (found.items[f].kind->severity < worst &&
			    !strings_have(&k->muted, found.items[f].kind->name))
				worst = found.items[f].kind->severity;
		k->visible.items[i].judged.definition = worst == FINDING_ERROR ? DEFINITION_WRONG
							: worst == FINDING_WARNING
							    ? DEFINITION_ODD
							    : DEFINITION_FINE;
		k->visible.items[i].judged.drift = find_drift(k, &k->visible.items[i]);
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

static void
check_visible(struct tools *p, const struct view_env *env)
{
	size_t end = p->rows.list.top + (size_t)p->rows.list.height;
	const struct primitive_list *list = workspace_list(env->ws, PRIMITIVE_TOOL);
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
	enum { ALONE_COLS = 60 }; /* a list of this width fills the screen */
	enum primitive_kind tab = env->ws->tab;
	const struct server_info *info = env->ws->server ? server_info(env->ws->server) : NULL;
	struct page page = { 0 };

	if (info && p->all > 0) {
		surface_textf(s, 0, 0, -1, style_of(ROLE_HINT), "nothing matches %s",
		    buf_text(&p->rows.filter));
		surface_text(s, 0, 1, -1, style_of(ROLE_HINT), "Esc shows all");
	} else if (info && s.width < ALONE_COLS) { /* the form next to the list has the details */
		if (info->lists[tab].error[0])
			pane_draw_text(s, 0, ROLE_ERROR, "not listed: an error");
		else if (info->phase == SERVER_READY)
			pane_draw_text(s, 0, ROLE_HINT,
			    lister_is_busy(&info->lists[tab]) ? "listing"
							      : primitive_words[tab].none);
		else
			pane_draw_text(s, 0, info->phase >= SERVER_FAILED ? ROLE_ERROR : ROLE_DIM,
			    auth_flow_info(info->auth).wants_user ? "not authorized"
								  : server_phase_name(info->phase));
	} else if (!info || info->phase != SERVER_READY) {
		pane_draw_server_state(env, s);
	} else {
		primitive_write_empty(&page, env, tab);
		page_draw(&page, s, ROLE_NONE, env->focused);
		page_finish(&page);
	}
}

static void
tools_draw(void *state, const struct view_env *env, struct surface s)
{
	struct tools *p = state;
	const struct primitive_list *list = workspace_list(env->ws, env->ws->tab);
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

/* ---- the tabs ---- */

static const enum primitive_kind tabs[] = { PRIMITIVE_TOOL, PRIMITIVE_RESOURCE, PRIMITIVE_PROMPT };
#define TAB_COUNT ARRAY_LEN(tabs)

/* Names are shortened, the active one last. */
enum room { ROOM_ALL, ROOM_SHOWN, ROOM_NONE };

struct tab_row {
	const struct view_env *env;
	size_t passing;
	enum room room;
	int gap; /* between two */
};

/* Return whether a subscribed resource in a hidden list changed and was not read since. */
static bool
has_changed(const struct view_env *env, enum primitive_kind tab)
{
	const struct server *s = env->ws->server;

	return tab == PRIMITIVE_RESOURCE && env->ws->tab != tab && s &&
	       server_watch_changed(s, NULL);
}

static int
tab_text(const struct tab_row *row, size_t i, struct buf *out)
{
	const struct primitive_words *words = &primitive_words[tabs[i]];
	const struct server *s = row->env->ws->server;
	bool shown = row->env->ws->tab == tabs[i];
	const char *name =
	    row->room == ROOM_ALL || (row->room == ROOM_SHOWN && shown) ? words->tab : words->brief;
	size_t count = s ? server_info(s)->lists[tabs[i]].list.len : 0;

	if (s && tabs[i] == PRIMITIVE_RESOURCE)
		count += server_info(s)->lists[PRIMITIVE_TEMPLATE].list.len;
	buf_clear(out);
	buf_add_str(out, name);
	/* The count is unknown while the list has not arrived. */
	if (count > 0 || (s && server_info(s)->phase == SERVER_READY &&
			     !lister_is_busy(&server_info(s)->lists[tabs[i]]))) {
		if (shown && row->passing < count)
			buf_addf(out, " %s of", units_count(row->passing).text);
		buf_addf(out, " %s", units_count(count).text);
	}
	buf_add_str(out, has_changed(row->env, tabs[i]) ? " ◆" : "");
	return (int)glyph_columns(buf_text(out), out->len);
}

static struct tab_row
tabs_within(const struct view_env *env, size_t passing, int width)
{
	static const struct {
		enum room room;
		int gap;
	} ways[] = { { ROOM_ALL, 2 }, { ROOM_ALL, 1 }, { ROOM_SHOWN, 2 }, { ROOM_NONE, 2 } };
	struct tab_row row = { .env = env, .passing = passing };
	struct buf text = BUF_INIT;
	int all = width + 1;

	for (size_t w = 0; w < ARRAY_LEN(ways) && all > width; w++) {
		row.room = ways[w].room;
		row.gap = ways[w].gap;
		all = 0;
		for (size_t i = 0; i < TAB_COUNT; i++)
			all += tab_text(&row, i, &text) + (i > 0 ? row.gap : 0);
	}
	buf_finish(&text);
	return row;
}

/* Draw "Tools 9  Resources 3  Prompts 2" on the border, shortened to fit. */
static void
draw_title(void *state, const struct view_env *env, struct surface s)
{
	size_t passing = ((const struct tools *)state)->shown.len;
	struct tab_row row = tabs_within(env, passing, s.width);
	struct buf text = BUF_INIT;
	int x = 0;

	for (size_t i = 0; i < TAB_COUNT && x < s.width; i++) {
		bool shown = env->ws->tab == tabs[i];
		struct style style = style_of(shown                       ? ROLE_TITLE
					      : has_changed(env, tabs[i]) ? ROLE_WARNING
									  : ROLE_DIM);
		style.attr = shown ? ATTR_BOLD : 0;
		if (shown) /* weight alone is hard to see without colors */
			style.ground = env->focused ? ROLE_SELECTION : ROLE_SELECTION_DIM;
		tab_text(&row, i, &text);
		surface_spot(s, x, 0);
		x += surface_text(s, x, 0, -1, style, buf_text(&text));
		for (int gap = i + 1 < TAB_COUNT ? row.gap : 1; gap > 0 && x < s.width; gap--)
			surface_put(s, x++, 0, style_of(ROLE_TEXT), ' ');
	}
	buf_finish(&text);
}

/* ---- commands and keys ---- */

static bool
act_tools_open(void *state, const struct view_env *env, const char *arg)
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

	return read ? env->host->run(env->user, "pane content") : act_tools_open(state, env, arg);
}

static bool
show_tab(struct tools *p, const struct view_env *env, enum primitive_kind tab)
{
	if (tab != env->ws->tab)
		buf_clear(&p->rows.filter);
	workspace_show_tab(env->ws, tab);
	tools_renew(p, env);
	return true;
}

/* Show the kind `step` after the shown one, wrapping around. */
static bool
step_kind(void *state, const struct view_env *env, const char *arg, int step)
{
	size_t at = 0;

	while (at + 1 < TAB_COUNT && tabs[at] != env->ws->tab)
		at++;
	return show_tab(state, env, tabs[(at + TAB_COUNT + (size_t)step) % TAB_COUNT]);
}

VIEW_ACTION_WITH(act_next_kind, step_kind, 1)
VIEW_ACTION_WITH(act_previous_kind, step_kind, -1)

static const char *
filtered(const void *state)
{
	const struct tools *p = state;

	return p->all > 0 ? buf_text(&p->rows.filter) : NULL;
}

static void
tools_choose(void *state, const struct view_env *env)
{
	struct tools *p = state;

	tools_renew(p, env);
	if (p->rows.filter.len > 0)
		list_select(&p->rows.list, 0);
	if (env->focused)
		select_shown(p, env);
}

static const struct view_action actions[] = {
	{ "open", "enter", "", "fill in the form, or read the resource", act_tools_open, "form" },
	{ "enter", "right l", "", "go into the form, or to the resource", act_enter, NULL },
	{ "filter", "", "[TEXT]", "show only matches", pane_act_filter, NULL },
	{ "next-kind", "]", "", "go to the next list: tools, resources, prompts", act_next_kind,
	    "kind" },
	{ "previous-kind", "[", "", "go to the previous list", act_previous_kind, NULL },
	{ 0 },
};

/* A click on a tab shows it. */
static bool
tools_key(void *state, const struct view_env *env, const struct key *key)
{
	struct tools *p = state;
	struct tab_row row;
	enum primitive_kind tab = PRIMITIVE_KINDS; /* none */
	struct buf text = BUF_INIT;
	int at = 0;

	if (key->kind != KEY_MOUSE || key->action != MOUSE_PRESS || key->y >= 0)
		return false;
	row = tabs_within(env, p->shown.len, p->width + 1);
	for (size_t i = 0; i < TAB_COUNT && tab == PRIMITIVE_KINDS; i++) {
		int end = at + tab_text(&row, i, &text);
		if (key->x >= at && key->x < end)
			tab = tabs[i];
		at = end + row.gap;
	}
	buf_finish(&text);
	return tab != PRIMITIVE_KINDS && show_tab(p, env, tab);
}

static const char *
tools_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct tools *p = state;
	const struct desk *desk = env->ws->desk;

	if (action->run == act_next_kind)
		return action->hint;
	if (action->run == act_tools_open && desk && desk->kind == PRIMITIVE_RESOURCE)
		return "read";
	return p->all > 0 ? action->hint : NULL;
}

static const struct row_ops row_ops = {
	.draw = tools_draw_row,
	.open = act_tools_open,
	.filter = tools_choose,
	.on_select = select_shown,
};

const struct view_ops pane_tools = {
	.title = "Tools",
	.help = "the lists of tools, resources and prompts",
	.state_size = sizeof(struct tools),
	.actions = actions,
	.finish = tools_finish,
	.sync = tools_sync,
	.want = tools_want,
	.draw_title = draw_title,
	.draw = tools_draw,
	.key = tools_key,
	.rows = &row_ops,
	.filtered = filtered,
	.hint = tools_hint,
};

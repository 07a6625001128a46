/* SPDX-License-Identifier: MIT */
#include "pane/pane.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/app.h"
#include "pane_text.h"
#include "schema/schema.h"
#include "view/rows.h"

#include <stdlib.h>
#include <string.h>

/*
 * All findings of the server: on the definitions of its tools, which a job checks while the pane is
 * open, on the results of its calls, the newest first, and on the open apps. The selected finding
 * is below the list: its location, source and fix.
 */
#define ROWS_MAX 5000

struct definitions {
	struct definition_finding {
		enum primitive_kind kind;
		char *key;
		struct found found;
	} * items;
	size_t len, cap;
};

struct findings_row {
	uint64_t call; /* 0: a finding on a definition */
	size_t index;  /* in the findings of the call, of its app, or of the definitions */
	bool of_app;
};

struct findings_pane {
	struct rows rows;
	struct definitions definitions;
	const struct server *server; /* the server checked, and the state of its lists */
	uint64_t lists;
	struct job *job; /* checks definitions; NULL: none */
	struct {
		struct findings_row *items;
		size_t len, cap;
	} shown;
	size_t counts[FINDING_SEVERITIES]; /* regardless of the filter */
	uint64_t seen;                     /* the generation of the rows */
	struct page page;
};

/* ---- definitions ---- */

struct definitions_job {
	struct job job; /* first */
	struct findings_pane *pane;
	struct primitive *items; /* of all lists */
	size_t count;
	struct definitions found;
};

static void
definitions_finish(struct definitions *d)
{
	for (size_t i = 0; i < d->len; i++) {
		free(d->items[i].key);
		free(d->items[i].found.pointer);
		free(d->items[i].found.text);
	}
	free(d->items);
	*d = (struct definitions){ 0 };
}

static void
check_definitions_run(struct job *job)
{
	struct definitions_job *k = (struct definitions_job *)job;
	struct schema_library *library = schema_library_create();

	for (size_t i = 0; i < k->count && k->found.len < ROWS_MAX && job_goes_on(job, i); i++) {
		struct findings f = { 0 };
		const struct primitive *item = &k->items[i];
		findings_of_tool(&f, item, library);
		for (size_t n = 0; n < f.len; n++)
			*VEC_PUSH(&k->found) = (struct definition_finding){ item->kind,
				mem_strdup(item->key), f.items[n] };
		f.len = 0; /* the job owns them */
		findings_finish(&f);
	}
	schema_library_destroy(library);
}

static void
check_definitions_done(struct job *job)
{
	struct definitions_job *k = (struct definitions_job *)job;

	for (size_t i = 0; i < k->count; i++)
		json_doc_destroy(k->items[i].doc);
	if (!job_is_stopped(job)) {
		definitions_finish(&k->pane->definitions);
		k->pane->definitions = k->found;
		k->pane->seen = 0;
	} else {
		definitions_finish(&k->found);
	}
	free(k->items);
	free(k);
}

static void
check_definitions(struct findings_pane *p, const struct view_env *env)
{
	const struct server *s = env->ws->server;
	uint64_t lists = server_lists_generation(s);
	size_t all = 1;

	if (p->server == s && p->lists == lists)
		return;
	if (p->server != s)
		definitions_finish(&p->definitions);
	p->server = s;
	p->lists = lists;
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		all += server_info(s)->lists[kind].list.len;
	struct definitions_job *k = mem_zalloc(sizeof(*k));
	*k = (struct definitions_job){
		.job = { .run = check_definitions_run, .done = check_definitions_done },
		.pane = p,
		.items = mem_alloc(all * sizeof(*k->items)),
	};
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const struct primitive_list *list = &server_info(s)->lists[kind].list;
		for (size_t i = 0; i < list->len; i++) {
			k->items[k->count++] = list->items[i];
			json_doc_ref(list->items[i].doc);
		}
	}
	job_start(env->jobs, &k->job, &p->job);
}

static void
findings_pane_finish(void *state)
{
	struct findings_pane *p = state;

	job_drop(&p->job);
	definitions_finish(&p->definitions);
	free(p->shown.items);
	page_finish(&p->page);
}

/* ---- the rows ---- */

/* Return the finding of a row and its tool; NULL if the call is gone. */
static const struct found *
found_at(const struct findings_pane *p, const struct view_env *env, size_t row, const char **tool)
{
	const struct findings_row *r =
	    env->ws->server && row < p->shown.len ? &p->shown.items[row] : NULL;
	const struct call *c = r && r->call ? server_find_call(env->ws->server, r->call) : NULL;
	struct app *a = r && r->of_app ? server_find_app(env->ws->server, r->call) : NULL;

	*tool = "";
	if (!r)
		return NULL;
	if (!r->call) {
		*tool = p->definitions.items[r->index].key;
		return &p->definitions.items[r->index].found;
	}
	const struct findings *of = a                 ? app_findings(a, env->now_us)
				    : c && !r->of_app ? &c->findings
						      : NULL;
	*tool = a ? app_facts(a)->tool : c ? c->key : "";
	return of && r->index < of->len ? &of->items[r->index] : NULL;
}

static void
add_findings_row(struct findings_pane *p, const struct view_env *env, const struct found *f,
    const char *tool, struct findings_row row)
{
	const char *filter = buf_text(&p->rows.filter);

	if (workspace_mutes(env->ws, f))
		return;
	p->counts[f->kind->severity]++;
	if (p->shown.len < ROWS_MAX &&
	    (!*filter || strcasestr(tool, filter) || strcasestr(f->text, filter) ||
		strcasestr(f->kind->name, filter) ||
		strcasestr(finding_severities[f->kind->severity], filter)))
		*VEC_PUSH(&p->shown) = row;
}

static void
add_rows(struct findings_pane *p, const struct view_env *env, enum finding_severity severity)
{
	const struct server *s = env->ws->server;

	for (size_t i = 0; i < p->definitions.len; i++)
		if (p->definitions.items[i].found.kind->severity == severity)
			add_findings_row(p, env, &p->definitions.items[i].found,
			    p->definitions.items[i].key, (struct findings_row){ 0, i, false });
	for (size_t i = 0; server_app_at(s, i); i++) {
		const struct app_facts *f = app_facts(server_app_at(s, i));
		const struct findings *found =
		    f->life == APP_ENDING ? NULL : app_findings(server_app_at(s, i), env->now_us);
		for (size_t n = 0; found && n < found->len; n++)
			if (found->items[n].kind->severity == severity)
				add_findings_row(p, env, &found->items[n], f->tool,
				    (struct findings_row){ f->call, n, true });
	}
	for (size_t i = server_info(s)->calls; i-- > 0;) {
		const struct call *c = server_call_at(s, i);
		for (size_t n = 0; n < c->findings.len; n++)
			if (c->findings.items[n].kind->severity == severity)
				add_findings_row(p, env, &c->findings.items[n], c->key,
				    (struct findings_row){ c->id, n, false });
	}
}

/* Renew the rows, the worst findings first. Called before drawing, so only while the pane is open.
 */
static void
update(struct findings_pane *p, const struct view_env *env)
{
	uint64_t generation = workspace_generation(env->ws) + 1;

	check_definitions(p, env);
	if (generation == p->seen)
		return;
	p->seen = generation;
	p->shown.len = 0;
	memset(p->counts, 0, sizeof(p->counts));
	for (int severity = 0; severity < FINDING_SEVERITIES; severity++)
		add_rows(p, env, (enum finding_severity)severity);
	list_set_count(&p->rows.list, p->shown.len);
}

/* ---- drawing ---- */

enum { TOOL_X = 2, TEXT_X = 28 };

static void
findings_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t row)
{
	const char *tool;
	const struct found *f = found_at(state, env, row, &tool);
	int text_x = s.width >= 60 ? TEXT_X : 14;

	if (f) {
		const struct finding_look *look = &pane_finding_looks[f->kind->severity];
		surface_text(s, 0, y, 1, style_of(look->role), look->mark);
		surface_text(s, TOOL_X, y, text_x - TOOL_X - 2, style_of(ROLE_KEY_NAME), tool);
		surface_text(s, text_x, y, -1,
		    style_of(f->kind->severity == FINDING_NOTE ? ROLE_DIM : ROLE_TEXT), f->text);
	}
}

#define KEY_COLS 10

static void
write_page(struct findings_pane *p, const struct view_env *env)
{
	const char *tool;
	const struct found *f = found_at(p, env, p->rows.list.selected, &tool);

	page_clear(&p->page);
	if (!f)
		return;
	page_text(&p->page, 0, pane_finding_looks[f->kind->severity].role, f->text);
	const struct findings_row *r = &p->shown.items[p->rows.list.selected];
	page_row(&p->page, KEY_COLS, "about", ROLE_TEXT,
	    r->of_app ? "the app of a call"
	    : r->call ? "the result of a call"
		      : "the definition");
	page_row(&p->page, KEY_COLS,
	    r->call ? "tool" : primitive_kinds[p->definitions.items[r->index].kind].name, ROLE_TEXT,
	    tool);
	if (*f->pointer)
		page_row(&p->page, KEY_COLS, "where", ROLE_KEY_NAME, f->pointer);
	page_row(&p->page, KEY_COLS, "source", ROLE_DIM, f->kind->source);
	page_row(&p->page, KEY_COLS, "fix", ROLE_TEXT, f->kind->mend);
	page_row(&p->page, KEY_COLS, "id", ROLE_DIM, f->kind->name);
}

static void
findings_draw(void *state, const struct view_env *env, struct surface s)
{
	struct findings_pane *p = state;

	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	update(p, env);
	pane_draw_filter(s, &p->rows, NULL);
	if (p->shown.len == 0) {
		pane_draw_text(surface_sub(s, 0, 1, s.width, s.height - 1), 0, ROLE_HINT,
		    p->rows.filter.len > 0 ? "nothing matches: Esc shows all"
		    : p->job               ? "checking the definitions"
		    : env->ws->muted.len > 0
			? "all findings are muted: u shows them again"
			: "No findings. Call a tool: its result is checked too.");
		return;
	}
	write_page(p, env);
	int below = (int)page_rows(&p->page, s.width) + 1;
	int rows = s.height - 1 - (below < s.height / 2 ? below : s.height / 2);
	if (rows > 0 && p->shown.len < (size_t)rows)
		rows = (int)p->shown.len;
	rows_draw(p, env, s, 1, rows);
	pane_draw_below(s, rows + 1, ROLE_DIM, NULL, &p->page);
}

static enum role
findings_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct findings_pane *p = state;
	size_t muted = env->ws->muted.len;

	buf_add_str(title, "findings · definitions, results, apps");
	if (!env->ws->server)
		return ROLE_DIM;
	update(p, env);
	for (int i = 0; i < FINDING_SEVERITIES; i++) {
		buf_add_str(facts, i > 0 ? " · " : "");
		units_add_counted(facts, p->counts[i], finding_severities[i]);
	}
	if (muted > 0)
		buf_addf(facts, " · %s muted", units_count(muted).text);
	return ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_findings_open(void *state, const struct view_env *env, const char *arg)
{
	static const char RESULT[] = "/structuredContent";
	struct findings_pane *p = state;
	const char *tool;
	const struct found *f = found_at(p, env, p->rows.list.selected, &tool);

	if (!f)
		return view_refuse(env, "no finding is selected");
	const struct findings_row row = p->shown.items[p->rows.list.selected];
	if (row.of_app) {
		workspace_show_call(env->ws, row.call);
		return env->host->run(env->user, "inspector");
	}
	if (row.call) {
		workspace_select_call(env->ws, server_find_call(env->ws->server, row.call));
		if (strncmp(f->pointer, RESULT, strlen(RESULT)) == 0)
			return pane_run(env, "goto %s", f->pointer + strlen(RESULT));
		return env->host->run(env->user, "pane content");
	}
	return workspace_select_name(env->ws, p->definitions.items[row.index].kind, tool) &&
	       env->host->run(env->user, "pane schema");
}

static bool
act_mute(void *state, const struct view_env *env, const char *arg)
{
	struct findings_pane *p = state;
	const char *tool;
	const struct found *f = found_at(p, env, p->rows.list.selected, &tool);

	if (!f)
		return view_refuse(env, "no finding is selected");
	strings_add(&env->ws->muted, f->kind->name);
	env->ws->generation++;
	env->host->say(env->user, ROLE_OK,
	    "muted until the program ends: u in the findings pane shows them again");
	return true;
}

static bool
act_unmute(void *state, const struct view_env *env, const char *arg)
{
	if (env->ws->muted.len == 0)
		return view_refuse(env, "no finding is muted");
	strings_finish(&env->ws->muted);
	env->ws->generation++;
	return true;
}

static void
findings_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	struct findings_pane *p = state;
	const char *tool;
	const struct found *f = found_at(p, env, p->rows.list.selected, &tool);

	if (f)
		buf_addf(out, "%s: %s %s at %s: %s\n%s\nFix: %s\n", tool,
		    finding_severities[f->kind->severity], f->kind->name,
		    *f->pointer ? f->pointer : "the root", f->text, f->kind->source, f->kind->mend);
}

static const struct view_action actions[] = {
	{ "open-finding", "enter", "", "go to the value or the definition it is about",
	    act_findings_open, "go there" },
	{ "mute", "x", "", "mute findings of this kind", act_mute, "mute" },
	{ "unmute", "u", "", "unmute all findings", act_unmute, "unmute" },
	{ "copy-finding", "y", "", "copy the finding, its source and its fix", pane_act_copy,
	    "copy" },
	{ 0 },
};

static const char *
findings_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct findings_pane *p = state;
	bool applies = action->run == act_unmute ? env->ws->muted.len > 0 : p->shown.len > 0;

	return applies ? action->hint : NULL;
}

static void
findings_choose(void *state, const struct view_env *env)
{
	((struct findings_pane *)state)->seen = 0;
}

static const struct row_ops row_ops = {
	.draw = findings_draw_row, .open = act_findings_open, .filter = findings_choose
};

const struct view_ops pane_findings = {
	.title = "findings",
	.help = "problems in definitions, results and apps, for the authors of the tools",
	.state_size = sizeof(struct findings_pane),
	.actions = actions,
	.finish = findings_pane_finish,
	.heading = findings_heading,
	.draw = findings_draw,
	.rows = &row_ops,
	.hint = findings_hint,
	.copy = findings_copy,
};

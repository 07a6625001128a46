/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/vec.h"
#include "data/drift.h"
#include "client/findings.h"
#include "pane/content/content.h"
#include "pane_text.h"
#include "pane/structured/structured.h"

#include <stdlib.h>

/* The definition of the selection: description, hints, icons, findings, and the JSON in all views.
 */
struct schema_pane {
	struct views views;      /* first */
	const struct desk *desk; /* only compared */
	const struct json_doc *doc;
	struct pane_picture icon;
	struct findings findings;
	size_t muted;                   /* muted kinds when findings were made */
	bool stale;                     /* findings belong to another definition */
	size_t at;                      /* the next finding to go to */
	struct buf drift;               /* since the last call, in words; "": none */
	bool breaks;                    /* callers */
	struct schema_library *library; /* NULL until the first search */
};

enum { ICON_COLS = 16, ICON_ROWS = 8 };

static void
init(void *state)
{
	struct schema_pane *p = state;

	views_show(&p->views, VIEW_tree);
}

static void
schema_finish(void *state)
{
	struct schema_pane *p = state;

	pane_picture_finish(&p->icon);
	findings_finish(&p->findings);
	buf_finish(&p->drift);
	schema_library_destroy(p->library);
}

/* Describe the changes of the definition since the last call. */
static void
find_drift(struct schema_pane *p, const struct view_env *env)
{
	const struct desk *desk = env->ws->desk;
	struct drift drift = { 0 };
	struct buf when = BUF_INIT;

	buf_clear(&p->drift);
	if (desk->kind != PRIMITIVE_TOOL)
		return;
	struct json_doc *before = workspace_called_definition(env->ws, &when);
	if (before)
		drift_add_tool(&drift, json_root(before), json_root(desk->doc));
	if (drift_count(&drift) > 0) {
		buf_addf(&p->drift, "changed since the call of %s: ", buf_text(&when));
		drift_add_line(&drift, &p->drift);
		workspace_note_looked(env->ws, desk->doc);
	}
	p->breaks = drift.counts[DRIFT_BREAKING] > 0;
	drift_finish(&drift);
	json_doc_destroy(before);
	buf_finish(&when);
}

/* Find drift and findings. Called when the pane is visible. */
static void
schema_pane_find(struct schema_pane *p, const struct view_env *env)
{
	const struct desk *desk = env->ws->desk;

	if (!p->stale && p->muted == env->ws->muted.len)
		return;
	p->stale = false;
	p->muted = env->ws->muted.len;
	pane_picture_load_icon(&p->icon, env, desk ? primitive_icons(&desk->copy) : NULL);
	findings_finish(&p->findings);
	p->at = 0;
	buf_clear(&p->drift);
	if (!desk || !desk->doc || !workspace_primitive(env->ws))
		return;
	if (!p->library)
		p->library = schema_library_create();
	find_drift(p, env);
	findings_of_tool(&p->findings, workspace_primitive(env->ws), p->library);
	for (size_t i = p->findings.len; i-- > 0;)
		if (workspace_mutes(env->ws, &p->findings.items[i])) {
			free(p->findings.items[i].pointer);
			free(p->findings.items[i].text);
			VEC_REMOVE(&p->findings, i);
		}
}

static void
schema_sync(void *state, const struct view_env *env)
{
	struct schema_pane *p = state;
	const struct desk *desk = env->ws->desk;
	const struct json_doc *doc = desk ? desk->doc : NULL;

	if (desk == p->desk && doc == p->doc)
		return;
	p->desk = desk;
	p->doc = doc;
	p->stale = true;
	views_set_input(&p->views, (struct view_input){ .value = doc ? json_root(doc) : NULL,
				       .docs = { doc ? desk->doc : NULL },
				       .jobs = env->jobs });
	views_show(&p->views, p->views.shown);
}

/* ---- drawing ---- */

static void
add_hint(struct buf *out, const char *yes, const char *no, enum hint hint)
{
	const char *word = hint == HINT_TRUE ? yes : hint == HINT_FALSE ? no : NULL;

	if (word)
		buf_addf(out, "%s%s", out->len ? " · " : "", word);
}

/* Draw one finding per row, then the number of those that do not fit. */
static int
draw_findings(const struct schema_pane *p, struct surface s, int y)
{
	const struct findings *f = &p->findings;
	size_t all = f->len + f->rest, shown = 0;
	int end = y + (s.height > y ? (s.height - y) / 3 : 0);

	for (; shown < f->len && y < end; shown++) {
		const struct found *finding = &f->items[shown];
		const struct finding_look *look = &pane_finding_looks[finding->kind->severity];
		int x = 1 + surface_text(s, 0, y, 1, style_of(look->role), look->mark);
		if (*finding->pointer)
			x += surface_text(
				 s, x, y, s.width / 2, style_of(ROLE_KEY_NAME), finding->pointer) +
			     2;
		int rows = pane_draw_text(
		    surface_sub(s, x, y, s.width - x, end - y), 0, look->role, finding->text);
		y += rows > 0 ? rows : 1;
	}
	if (shown < all)
		surface_textf(s, 2, y++, -1, style_of(ROLE_HINT), "%zu %s of %zu", all - shown,
		    shown > 0 ? "more" : "findings", all);
	return y;
}

/* Describe one icon per row, then draw the first that can be drawn. */
static int
draw_icons(struct schema_pane *p, const struct primitive *primitive, struct surface s, int y)
{
	struct buf text = BUF_INIT;

	for (const cJSON *icon = json_first(primitive_icons(primitive)); icon && y < s.height / 2;
	     icon = icon->next) {
		buf_clear(&text);
		pane_icon_describe(icon, &text);
		int x = surface_text(s, 0, y, -1, style_of(ROLE_COLUMN), "icon ");
		surface_text(s, x, y++, -1, style_of(ROLE_TEXT), buf_text(&text));
	}
	buf_finish(&text);
	int rows = pane_picture_rows(&p->icon, ICON_COLS, ICON_ROWS, NULL);
	if (rows == 0 || y + rows > s.height / 2)
		return y;
	pane_picture_draw(
	    &p->icon, surface_sub(s, 5, y, s.width - 5, rows), ICON_COLS, ICON_ROWS, 0);
	return y + rows;
}

/* Draw the app of the tool, and the permitted callers. */
static int
draw_app(const struct primitive *tool, struct surface s, int y)
{
	const struct app_tool *app = &tool->app;
	const char *callers = app->for_model && app->for_app ? "a model and the app may call it"
			      : app->for_model               ? "only a model may call it"
			      : app->for_app ? "only the app may call it: no model sees it"
					     : "neither a model nor the app may call it";

	if (tool->kind != PRIMITIVE_TOOL || (!app->resource && !app->visibility))
		return y;
	int x = surface_text(s, 0, y, -1, style_of(ROLE_COLUMN), "app ");
	if (app->resource)
		x += surface_textn(surface_sub(s, x, y, s.width / 2, 1), 0, 0, style_of(ROLE_URI),
			 app->resource, label_length(app->resource)) +
		     2;
	surface_text(s, x, y++, -1, style_of(app->for_model ? ROLE_DIM : ROLE_WARNING), callers);
	return y;
}

static int
schema_draw_head(struct schema_pane *p, const struct primitive *tool, struct surface s)
{
	struct buf hints = BUF_INIT;
	int y = 0;

	if (tool->broken && tool->kind != PRIMITIVE_TOOL)
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_ERROR), "✗ broken definition: %s", tool->problem);
	if (tool->description)
		y += pane_draw_text(
		    surface_sub(s, 0, y, s.width, s.height / 3), 0, ROLE_TEXT, tool->description);
	add_hint(&hints, "read-only", "writes", tool->read_only);
	add_hint(&hints, "destructive", "not destructive", tool->destructive);
	add_hint(&hints, "idempotent", "not idempotent", tool->idempotent);
	add_hint(&hints, "open world", "closed world", tool->open_world);
	if (hints.len > 0) {
		int x = surface_text(
		    s, 0, y, -1, style_of(ROLE_WARNING), "hints from the server, not verified: ");
		surface_text(s, x, y++, -1, style_of(ROLE_DIM), buf_text(&hints));
	}
	buf_finish(&hints);
	y = draw_app(tool, s, y);
	y = draw_icons(p, tool, s, y);
	if (p->drift.len > 0)
		y += pane_draw_text(surface_sub(s, 0, y, s.width, s.height / 4), 0,
		    p->breaks ? ROLE_ERROR : ROLE_WARNING, buf_text(&p->drift));
	y = draw_findings(p, s, y);
	return y > 0 ? y + 1 : 0;
}

static void
schema_draw(void *state, const struct view_env *env, struct surface s)
{
	struct schema_pane *p = state;
	const struct primitive *tool = workspace_primitive(env->ws);

	if (!tool) {
		pane_draw_server_state(env, s);
		return;
	}
	schema_pane_find(p, env);
	int y = schema_draw_head(p, tool, s);
	p->views.view->y = y;
	view_draw(p->views.view, env, surface_sub(s, 0, y, s.width, s.height - y));
}

static enum role
schema_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct primitive *tool = workspace_primitive(env->ws);

	if (tool)
		buf_addf(title, "definition ▸ %s", tool->name);
	buf_add_str(facts, "F2 closes");
	return ROLE_DIM;
}

/* ---- commands ---- */

static bool
to_member(void *state, const struct view_env *env, const char *arg, const char *pointer)
{
	struct schema_pane *p = state;

	views_show(&p->views, VIEW_tree);
	return (json_get(p->views.in.value, pointer + 1) &&
		   views_reveal_in(&p->views, VIEW_tree, pointer)) ||
	       view_refuse(env, "the definition has no %s", pointer + 1);
}

VIEW_ACTION_WITH(act_input, to_member, "/inputSchema")
VIEW_ACTION_WITH(act_output, to_member, "/outputSchema")

static bool
act_as_json(void *state, const struct view_env *env, const char *arg)
{
	struct schema_pane *p = state;

	views_show(&p->views, p->views.shown == VIEW_tree ? VIEW_json : VIEW_tree);
	return true;
}

/* A missing member has no node: show its parent. */
static bool
act_finding(void *state, const struct view_env *env, const char *arg)
{
	struct schema_pane *p = state;

	schema_pane_find(p, env);
	if (p->findings.len == 0) {
		env->host->say(env->user, ROLE_OK, "nothing was found in its definition");
		return true;
	}
	const struct found *f = &p->findings.items[p->at++ % p->findings.len];
	views_reveal_in(&p->views, VIEW_tree, f->pointer);
	env->host->say(env->user, pane_finding_looks[f->kind->severity].role, f->text);
	return true;
}

static const struct view_action actions[] = {
	{ "input-schema", "[", "", "go to the inputSchema", act_input, "input" },
	{ "output-schema", "]", "", "go to the outputSchema", act_output, "output" },
	{ "finding", "n", "", "go to the next finding in the definition", act_finding,
	    "next finding" },
	{ "as-json", "v", "", "show the definition as a tree or as JSON", act_as_json, "JSON" },
	{ 0 },
};

static const char *
schema_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct schema_pane *p = state;
	bool none = action->run == act_finding && p->findings.len == 0;

	return none || !workspace_primitive(env->ws) ? NULL : action->hint;
}

const struct view_ops pane_schema = {
	.title = "definition",
	.help = "the definition as the server sent it: description, hints, icons, schemas",
	.state_size = sizeof(struct schema_pane),
	.actions = actions,
	.init = init,
	.finish = schema_finish,
	.sync = schema_sync,
	.heading = schema_heading,
	.draw = schema_draw,
	.hint = schema_hint,
	.has_views = true,
};

#include "pane/pane.h"

#include "base/mem.h"
#include "json/pointer.h"
#include "json/print.h"
#include "pane_text.h"
#include "render/render.h"
#include "ui/edit.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

/* The cell or node that Enter opened: its whole value and all that is wrong with it. */
struct detail {
	bool open;
	char *pointer;
	char *text;
	struct wrap wrap;
	size_t top;
};

struct structured {
	void *views[RENDERER_COUNT];
	uint64_t view_seen[RENDERER_COUNT]; /* input generation each view was synced with */
	int chosen;            /* by the user; -1: the best */
	enum renderer_id view; /* in use */
	struct render_input in;
	uint64_t call; /* whose result `in` is about */
	size_t bytes;  /* of the value as compact JSON */
	enum call_state call_state;
	struct edit filter;
	bool filtering;
	struct detail detail;
};

static void
init(void *state)
{
	struct structured *p = state;

	p->chosen = -1;
	edit_init(&p->filter, false, 256);
	wrap_init(&p->detail.wrap);
	for (int i = 0; i < RENDERER_COUNT; i++) {
		p->views[i] = mem_zalloc(renderer_table[i]->state_size);
		if (renderer_table[i]->init)
			renderer_table[i]->init(p->views[i]);
	}
}

static void
close_detail(struct structured *p)
{
	free(p->detail.pointer);
	free(p->detail.text);
	wrap_finish(&p->detail.wrap);
	p->detail = (struct detail){ 0 };
	wrap_init(&p->detail.wrap);
}

static void
finish(void *state)
{
	struct structured *p = state;

	close_detail(p);
	wrap_finish(&p->detail.wrap);
	edit_finish(&p->filter);
	for (int i = 0; i < RENDERER_COUNT; i++) {
		if (renderer_table[i]->finish)
			renderer_table[i]->finish(p->views[i]);
		free(p->views[i]);
	}
}

static struct render_env
env_of(const struct structured *p, const struct pane_env *env)
{
	return (struct render_env){ .in = &p->in, .focused = env->focused };
}

/* A view is synced when it is shown, not before: raw JSON of a huge value costs nothing unseen. */
static void
show(struct structured *p, const struct pane_env *env, enum renderer_id view)
{
	struct render_env renv = env_of(p, env);

	p->view = view;
	if (p->view_seen[view] == p->in.generation)
		return;
	p->view_seen[view] = p->in.generation;
	if (renderer_table[view]->sync)
		renderer_table[view]->sync(p->views[view], &renv);
}

/* A big message is nearly all structuredContent: its size is told without writing it out again. */
#define MEASURE_MAX ((size_t)1 << 20)

static size_t
compact_bytes(const struct call *call)
{
	struct buf text = BUF_INIT;

	if (call->raw->len > MEASURE_MAX)
		return call->raw->len;
	json_print(&text, call->result.structured);
	size_t bytes = text.len;
	buf_finish(&text);
	return bytes;
}

static void
sync(void *state, const struct pane_env *env)
{
	struct structured *p = state;
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;

	if (id == p->call && call_state == p->call_state)
		return;
	p->call = id;
	p->call_state = call_state;
	close_detail(p);
	bool has = call && call->state == CALL_DONE;
	p->in = (struct render_input){
		.value = has ? call->result.structured : NULL,
		.schema = has && call->verdict.schema ? call->output_schema : NULL,
		.report = has ? call->verdict.report : NULL,
		.generation = p->in.generation + 1,
	};
	p->bytes = p->in.value ? compact_bytes(call) : 0;
	bool usable = p->chosen >= 0 && renderer_table[p->chosen]->claim(&p->in) > 0;
	show(p, env, usable ? (enum renderer_id)p->chosen : renderer_best(&p->in));
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct structured *p = state;
	const struct render_ops *view = renderer_table[p->view];
	struct render_env renv = env_of(p, env);
	struct buf where = BUF_INIT;

	if (!p->in.value)
		return ROLE_DIM;
	if (p->detail.open) {
		buf_addf(&where, "%s", p->detail.pointer);
		buf_add_str(facts, "Esc closes");
	} else if (view->heading) {
		view->heading(p->views[p->view], &renv, &where, facts);
		buf_add_str(facts, " · ");
		pane_add_bytes(facts, p->bytes);
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, p->bytes, 3);
	}
	if (where.len > 0)
		buf_addf(title, "structuredContent ▸ %s", buf_text(&where));
	buf_finish(&where);
	return ROLE_DIM;
}

/* ---- drawing ---- */

static void
draw_detail(struct structured *p, struct surface s)
{
	wrap_set(&p->detail.wrap, p->detail.text, strlen(p->detail.text), s.width);
	wrap_draw(&p->detail.wrap, s, style_of(ROLE_TEXT), p->detail.top);
	surface_scrollbar(s, true, wrap_rows(&p->detail.wrap), p->detail.top);
}

/* No result: content says why, here is what one would look like. */
static void
draw_no_result(const struct pane_env *env, const struct call *call, struct surface s)
{
	const struct tool *tool = workspace_tool(env->ws);

	if (call && call->state == CALL_RUNNING)
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), "comes with the result");
	else if (call)
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), "no result, so no structuredContent");
	else if (tool && tool->output_schema)
		pane_draw_promise(tool->output_schema, s);
	else if (tool)
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    "This tool declares no outputSchema; data it returns all the same is shown here.");
}

static void
draw_absent(const struct pane_env *env, struct surface s)
{
	const struct call *call = workspace_call(env->ws);

	if (!call || call->state != CALL_DONE) {
		draw_no_result(env, call, s);
		return;
	}
	surface_text(s, 0, 0, -1, style_of(ROLE_DIM), "absent: the result has no structuredContent");
	if (call->result.is_error)
		surface_text(s, 0, 1, -1, style_of(ROLE_HINT), "as is usual where the tool says that it failed");
	else if (call->output_schema)
		surface_text(s, 0, 1, -1, style_of(ROLE_WARNING), "although the tool declares an outputSchema");
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct structured *p = state;
	struct render_env renv = env_of(p, env);

	if (!p->in.value) {
		draw_absent(env, s);
		return;
	}
	if (p->detail.open) {
		draw_detail(p, s);
		return;
	}
	struct surface body = s;
	if (p->filtering) {
		body.height--;
		struct surface line = surface_sub(s, 0, body.height, s.width, 1);
		int x = surface_text(line, 0, 0, -1, style_of(ROLE_ACCENT), "/ ");
		edit_draw(&p->filter, surface_sub(line, x, 0, line.width - x, 1), style_of(ROLE_TEXT), true, NULL);
	}
	renderer_table[p->view]->draw(p->views[p->view], &renv, body);
}

/* ---- commands ---- */

static bool
forward(struct structured *p, const struct pane_env *env, const char *verb, const char *arg)
{
	const struct render_ops *view = renderer_table[p->view];
	struct render_env renv = env_of(p, env);
	struct buf why = BUF_INIT;

	if (!p->in.value)
		buf_add_str(&why, "there is no structuredContent to show");
	bool ok = p->in.value && view->command && view->command(p->views[p->view], &renv, verb, arg, &why);
	if (!ok)
		env->host->say(env->user, ROLE_ERROR, why.len ? buf_text(&why) : "not possible in this view");
	buf_finish(&why);
	return ok;
}

static bool
act_view(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	int view = (int)p->view;

	for (int i = 0; i < RENDERER_COUNT; i++) {
		if (*arg ? strcmp(renderer_table[i]->name, arg) == 0 :
			   renderer_table[(p->view + 1 + i) % RENDERER_COUNT]->claim(&p->in) > 0) {
			view = *arg ? i : (int)(p->view + 1 + i) % RENDERER_COUNT;
			break;
		}
		if (*arg && i + 1 == RENDERER_COUNT) {
			env->host->say(env->user, ROLE_ERROR, "views: table, tree, json");
			return false;
		}
	}
	p->chosen = view;
	close_detail(p);
	show(p, env, (enum renderer_id)view);
	return true;
}

static bool
act_sort(void *state, const struct pane_env *env, const char *arg)
{
	return forward(state, env, "sort", arg);
}

static bool
act_next_table(void *state, const struct pane_env *env, const char *arg)
{
	return forward(state, env, "next-table", arg);
}

static bool
act_filter(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;

	if (*arg == '\0' && env->focused && !p->filtering) {
		p->filtering = true;
		return true;
	}
	edit_set(&p->filter, arg, strlen(arg));
	return forward(p, env, "filter", arg);
}

/* Every violation about the node, or about the missing member. */
static void
add_violations(const struct structured *p, const cJSON *node, const char *pointer, struct buf *out)
{
	const struct report *r = p->in.report;
	struct buf path = BUF_INIT;

	for (size_t i = 0; r && i < report_kept(r); i++) {
		const struct violation *v = report_at(r, i);
		bool hit = node && v->node == node;
		if (!node && v->missing) {
			buf_clear(&path);
			report_instance_path(r, i, &path);
			json_pointer_add_key(&path, v->missing);
			hit = strcmp(buf_text(&path), pointer) == 0;
		}
		if (!hit)
			continue;
		buf_add_str(out, v->warning ? "! " : "✗ ");
		report_line(r, i, out);
		buf_add_str(out, "  ");
		report_schema_path(r, i, out);
		buf_add_char(out, '\n');
	}
	buf_finish(&path);
}

static bool
act_detail(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	const struct render_ops *view = renderer_table[p->view];
	struct render_env renv = env_of(p, env);
	struct buf pointer = BUF_INIT, text = BUF_INIT;
	(void)arg;

	if (!p->in.value || !view->selected)
		return true;
	const cJSON *node = view->selected(p->views[p->view], &renv, &pointer);
	buf_addf(&text, "%s\n", json_type_name(json_type(node)));
	add_violations(p, node, buf_text(&pointer), &text);
	buf_add_char(&text, '\n');
	if (json_type(node) == JSON_STRING)
		buf_add_str(&text, node->valuestring);
	else if (node)
		json_print_pretty(&text, node, 2);
	else
		buf_add_str(&text, "absent: the member is not there");
	close_detail(p);
	p->detail.open = true;
	p->detail.pointer = buf_detach(&pointer);
	p->detail.text = buf_detach(&text);
	return true;
}

static const struct pane_action actions[] = {
	{ "detail", "enter", "", "show the selected value whole, with what is wrong with it", act_detail, "detail" },
	{ "view", "v", "[NAME]", "show the value as table, tree or json", act_view, "view" },
	{ "sort", "s", "[COLUMN [desc]]", "sort by a column: up, down, as it came", act_sort, "sort" },
	{ "filter", "/", "[TEXT]", "show only what contains the text", act_filter, "filter" },
	{ "next-table", "n", "", "go to the next table in the value", act_next_table, "next table" },
	{ 0 },
};

/* ---- keys ---- */

static bool
captures(const void *state)
{
	const struct structured *p = state;

	return p->filtering || p->detail.open;
}

static bool
filter_key(struct structured *p, const struct pane_env *env, const struct key *key)
{
	if (key->kind == KEY_ESCAPE)
		edit_set(&p->filter, "", 0);
	if (key->kind == KEY_ENTER || key->kind == KEY_ESCAPE)
		p->filtering = false;
	else if (!edit_key(&p->filter, key, NULL))
		return false;
	return forward(p, env, "filter", edit_text(&p->filter)) || true;
}

static bool
detail_key(struct structured *p, const struct key *key)
{
	size_t count = wrap_rows(&p->detail.wrap);

	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER || key->kind == KEY_LEFT) {
		close_detail(p);
		return true;
	}
	return pane_scroll_key(&p->detail.top, count, key);
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct structured *p = state;
	struct render_env renv = env_of(p, env);

	if (p->detail.open)
		return detail_key(p, key);
	if (p->filtering)
		return filter_key(p, env, key);
	const struct render_ops *view = renderer_table[p->view];
	return p->in.value && view->key && view->key(p->views[p->view], &renv, key);
}

/* In the view that is shown when it can, else in the tree, which can show everything. */
static bool
reveal(void *state, const struct pane_env *env, const char *pointer)
{
	struct structured *p = state;
	struct render_env renv = env_of(p, env);

	if (!p->in.value)
		return false;
	close_detail(p);
	const struct render_ops *view = renderer_table[p->view];
	if (view->reveal && view->reveal(p->views[p->view], &renv, pointer))
		return true;
	show(p, env, RENDERER_tree);
	return render_tree.reveal(p->views[RENDERER_tree], &renv, pointer);
}

static const char *
typing(const void *state)
{
	const struct structured *p = state;

	return p->detail.open ? "Esc back  ↑↓ scroll" : "Enter keep  Esc show all";
}

/* In an empty pane there is nothing to view, sort or filter. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct structured *p = state;
	(void)env;

	return p->in.value ? action->hint : NULL;
}

const struct pane_ops pane_structured = {
	.name = "structured",
	.title = "structuredContent",
	.help = "what a program reads; arrays are tables",
	.slot = SLOT_RIGHT,
	.weight = 3,
	.state_size = sizeof(struct structured),
	.actions = actions,
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.typing = typing,
	.hint = hint,
	.reveal = reveal,
};

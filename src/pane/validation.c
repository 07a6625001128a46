#include "pane/pane.h"

#include "base/buf.h"
#include "base/glyph.h"
#include "json/pointer.h"
#include "model/hosts.h"
#include "pane_text.h"
#include "schema/summary.h"
#include "ui/list.h"
#include "violation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOOT_ROWS 4
#define MANY 20     /* violations that there should be room for */
#define SUMMED_UP 8 /* from so many on, a line says what is wrong with the rows */

struct validation {
	struct list list;             /* over the violations kept */
	struct violation_view detail; /* of the one selected */
	uint64_t call;
	enum call_state call_state;
	enum verdict_kind verdict;
	struct buf hosts; /* what others make of it, a line each */
	size_t host_lines;
	struct buf summary; /* "31 of 10 000 rows fail: ..."; empty: none */
};

static void
finish(void *state)
{
	struct validation *p = state;

	violation_view_close(&p->detail);
	buf_finish(&p->hosts);
	buf_finish(&p->summary);
}

static void
sum_up(struct validation *p, const struct report *report)
{
	struct summary summary;

	buf_clear(&p->summary);
	if (!report || report_count(report) < SUMMED_UP || !summary_init(&summary, report))
		return;
	summary_line(&summary, 6, &p->summary);
	summary_finish(&summary);
}

static const struct report *
report_of(const struct pane_env *env)
{
	const struct call *call = workspace_call(env->ws);

	return call ? call->verdict.report : NULL;
}

static void
sync(void *state, const struct pane_env *env)
{
	struct validation *p = state;
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;
	enum verdict_kind verdict = call ? call->verdict.kind : VERDICT_NONE;
	const struct report *report = report_of(env);

	if (id == p->call && call_state == p->call_state && verdict == p->verdict)
		return;
	violation_view_close(&p->detail);
	p->verdict = verdict;
	p->call = id;
	p->call_state = call_state;
	list_set_count(&p->list, report ? report_kept(report) : 0);
	list_select(&p->list, 0);
	buf_clear(&p->hosts);
	p->host_lines = call ? hosts_add_lines(call, &p->hosts) : 0;
	sum_up(p, report);
}

/* ---- the head: the verdict and its reason ---- */

static int
draw_verdict(const struct validation *p, const struct pane_env *env, const struct call *call,
    struct surface s)
{
	const struct verdict *v = &call->verdict;
	struct buf text = BUF_INIT;
	int y = 0;

	surface_text(s, 0, y, 1, style_of(pane_verdict_role(v->kind)), verdict_mark(v->kind));
	verdict_line(v, &text);
	if (v->kind == VERDICT_CHECKING) {
		buf_add_str(&text, ", ");
		pane_add_duration(&text, env->now_us - call->ended_us);
	}
	surface_text(s, 2, y++, -1, style_of(ROLE_TEXT), buf_text(&text));
	buf_clear(&text);
	verdict_reason(v, &text);
	if (text.len > 0)
		surface_text(s, 2, y++, -1, style_of(pane_verdict_role(v->kind)), buf_text(&text));
	if (v->report && report_warnings(v->report) > 0) {
		size_t n = report_warnings(v->report);
		surface_textf(s, 2, y++, -1, style_of(ROLE_WARNING),
		    "%zu %s: format is not asserted by every host", n,
		    n == 1 ? "warning" : "warnings");
	}
	if (p->summary.len > 0)
		surface_text(s, 2, y++, -1, style_of(ROLE_ERROR), buf_text(&p->summary));
	buf_finish(&text);
	return y;
}

static int
head_rows(const struct validation *p, const struct call *call)
{
	struct buf reason = BUF_INIT;

	verdict_reason(&call->verdict, &reason);
	int rows = 1 + (reason.len > 0);
	buf_finish(&reason);
	rows += p->summary.len > 0;
	return rows + (call->verdict.report && report_warnings(call->verdict.report) > 0);
}

/* ---- the violations: where, what, which keyword ---- */

static int
path_width(const struct validation *p, const struct report *r, int rows, int most)
{
	struct buf path = BUF_INIT;
	int width = 8;

	for (int y = 0; y < rows && p->list.top + (size_t)y < report_kept(r); y++) {
		buf_clear(&path);
		violation_add_path(r, p->list.top + (size_t)y, &path);
		int w = (int)glyph_columns(buf_text(&path), path.len);
		width = w > width ? w : width;
	}
	buf_finish(&path);
	return width < most ? width : most;
}

static void
draw_violation(
    const struct validation *p, const struct pane_env *env, struct surface s, int y, int path_cols)
{
	const struct report *r = report_of(env);
	size_t index = p->list.top + (size_t)y;
	const struct violation *v = report_at(r, index);
	struct buf text = BUF_INIT;
	int keyword_cols = (int)strlen(v->keyword) + 1;

	violation_add_path(r, index, &text);
	surface_text(s, 0, y, path_cols, style_of(ROLE_KEY_NAME), buf_text(&text));
	buf_clear(&text);
	report_line(r, index, &text);
	surface_text(s, path_cols + 2, y, s.width - path_cols - 2 - keyword_cols,
	    style_of(v->warning ? ROLE_WARNING : ROLE_TEXT), buf_text(&text));
	surface_text_right(s, s.width, y, keyword_cols, style_of(ROLE_DIM), v->keyword);
	if (index == p->list.selected)
		surface_select_row(s, y, env->focused);
	buf_finish(&text);
}

/* Rows of the list; below it the selected violation is told whole where there is room for that. */
static int
list_rows(int room, size_t count)
{
	int most = room >= 12 ? room - FOOT_ROWS : room >= 3 ? room - 1 : room;

	if (count + FOOT_ROWS <= (size_t)room)
		return (int)count;
	return count < (size_t)most ? (int)count : most;
}

/* The selected violation: where, what, and where in the schema it comes from. */
static void
draw_foot(const struct validation *p, const struct report *r, struct surface s)
{
	struct buf text = BUF_INIT;
	int y = 0;

	if (s.height >= FOOT_ROWS) {
		violation_add_path(r, p->list.selected, &text);
		y = 1 + pane_draw_text(s, 1, ROLE_KEY_NAME, buf_text(&text));
		buf_clear(&text);
		report_line(r, p->list.selected, &text);
		y += pane_draw_text(s, y, ROLE_TEXT, buf_text(&text));
		buf_clear(&text);
	}
	buf_add_str(&text, "schema ");
	violation_add_schema_path(r, p->list.selected, &text);
	if (report_count(r) + report_warnings(r) > report_kept(r))
		buf_addf(&text, "   (the first %zu are listed)", report_kept(r));
	if (y == 0 && s.height > 0)
		surface_text(s, 0, s.height - 1, -1, style_of(ROLE_HINT), buf_text(&text));
	else
		pane_draw_text(s, y, ROLE_HINT, buf_text(&text));
	buf_finish(&text);
}

/* What other hosts do with it, at the foot of s as far as `used` rows leave room. Returns what is
 * left of s above. */
static struct surface
draw_hosts(const struct validation *p, struct surface s, int used)
{
	int room = s.height > used ? s.height - used : 0;
	int lines = room < (int)p->host_lines ? room : (int)p->host_lines;
	const char *at = buf_text(&p->hosts);

	for (int i = 0; i < lines; i++) {
		size_t len = strcspn(at, "\n");
		surface_textn(s, 0, s.height - lines + i, -1, style_of(ROLE_HINT), at, len);
		at += len + 1;
	}
	return surface_sub(s, 0, 0, s.width, s.height - lines);
}

static void
draw_no_verdict(const struct pane_env *env, const struct call *call, struct surface s)
{
	const struct offer *tool = workspace_offer(env->ws);
	const char *text = "";

	if (call && call->state == CALL_RUNNING)
		text = "the verdict comes with the result";
	else if (call)
		text = "no result, so there is nothing to check";
	else if (tool && tool->output_schema)
		text = "says whether structuredContent keeps the promise of outputSchema";
	else if (tool)
		text = "nothing to check against: the tool declares no outputSchema";
	surface_text(s, 0, 0, -1, style_of(ROLE_HINT), text);
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct validation *p = state;
	const struct call *call = workspace_call(env->ws);

	if (!call || call->state != CALL_DONE) {
		draw_no_verdict(env, call, s);
		return;
	}
	int y = draw_verdict(p, env, call, s);
	const struct report *r = call->verdict.report;
	size_t kept = r ? report_kept(r) : 0;
	s = draw_hosts(p, s, y + (kept > 0 ? 1 + (kept < MANY ? (int)kept : MANY) : 0));
	if (kept == 0)
		return;
	if (p->detail.open) {
		violation_view_draw(
		    &p->detail, surface_sub(s, 0, y, s.width, s.height - y), env->focused);
		return;
	}
	int rows = list_rows(s.height - y, report_kept(r));
	list_set_height(&p->list, rows > 0 ? rows : 0);
	struct surface body = surface_sub(s, 0, y, s.width, rows);
	int path_cols = path_width(p, r, rows, s.width * 2 / 5);
	for (int i = 0; i < rows && p->list.top + (size_t)i < report_kept(r); i++)
		draw_violation(p, env, body, i, path_cols);
	surface_scrollbar(body, env->focused, report_kept(r), p->list.top);
	draw_foot(p, r, surface_sub(s, 0, y + rows, s.width, s.height - y - rows));
}

static int
want(void *state, const struct pane_env *env, int width)
{
	const struct call *call = workspace_call(env->ws);
	const struct report *r = report_of(env);
	const struct validation *p = state;
	(void)width;

	if (!call || call->state != CALL_DONE)
		return 1;
	int rows = head_rows(p, call) + (int)p->host_lines;
	if (p->detail.open)
		return rows + violation_view_rows(&p->detail);
	if (r && report_kept(r) > 0)
		rows += (report_kept(r) < MANY ? (int)report_kept(r) : MANY) + 1;
	return rows;
}

/* "no-schema" is a word for programs. */
static void
add_verdict_words(enum verdict_kind kind, struct buf *out)
{
	for (const char *at = verdict_name(kind); *at; at++)
		buf_add_char(out, *at == '-' ? ' ' : *at);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	const struct call *call = workspace_call(env->ws);
	(void)state, (void)title;

	if (!call || call->state == CALL_RUNNING)
		return ROLE_DIM;
	const struct verdict *v = &call->verdict;
	buf_addf(facts, "%s ", verdict_mark(v->kind));
	if (v->kind == VERDICT_INVALID) {
		size_t n = report_count(v->report);
		buf_addf(facts, "%zu %s", n, n == 1 ? "violation" : "violations");
	} else {
		add_verdict_words(v->kind, facts);
	}
	return pane_verdict_role(v->kind);
}

static bool
act_jump(void *state, const struct pane_env *env, const char *arg)
{
	struct validation *p = state;
	const struct report *r = report_of(env);
	struct buf line = BUF_INIT;
	(void)arg;

	if (!r || p->list.selected >= report_kept(r))
		return true;
	buf_add_str(&line, "goto ");
	report_instance_path(r, p->list.selected, &line);
	if (report_at(r, p->list.selected)->missing)
		json_pointer_add_key(&line, report_at(r, p->list.selected)->missing);
	bool ok = env->host->run(env->user, buf_text(&line));
	buf_finish(&line);
	return ok;
}

static bool
act_explain(void *state, const struct pane_env *env, const char *arg)
{
	struct validation *p = state;
	const struct report *r = report_of(env);
	(void)arg;

	if (p->detail.open)
		violation_view_close(&p->detail);
	else if (r && p->list.selected < report_kept(r))
		violation_view_open(&p->detail, r, p->list.selected);
	return true;
}

static const struct pane_action actions[] = {
	{ "jump", "enter", "", "go to the cell or node the violation is about", act_jump,
	    "go there" },
	{ "explain", "space", "", "tell all of a violation, with the schema around its keyword",
	    act_explain, "why" },
	{ 0 },
};

static bool
captures(const void *state)
{
	const struct validation *p = state;

	return p->detail.open;
}

static const char *
typing(const void *state)
{
	(void)state;
	return "Enter go there  Esc back  ↑↓ other violations  PgUp PgDn scroll";
}

/* Up and down lead to the violations before and after. */
static bool
detail_key(struct validation *p, const struct pane_env *env, const struct key *key)
{
	if (key->kind == KEY_ESCAPE || key->kind == KEY_LEFT ||
	    (key->kind == KEY_CHAR && key->ch == ' ')) {
		violation_view_close(&p->detail);
		return true;
	}
	if (key->kind == KEY_ENTER) {
		violation_view_close(&p->detail);
		return act_jump(p, env, "");
	}
	if (key->kind != KEY_UP && key->kind != KEY_DOWN)
		return pane_scroll_key(&p->detail.top, wrap_rows(&p->detail.wrap), key);
	if (list_key(&p->list, key))
		violation_view_open(&p->detail, report_of(env), p->list.selected);
	return true;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct validation *p = state;
	const struct call *call = workspace_call(env->ws);

	if (p->detail.open)
		return detail_key(p, env, key);

	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS && call &&
	    call->state == CALL_DONE) {
		int y = key->y - head_rows(p, call);
		size_t index = p->list.top + (size_t)(y > 0 ? y : 0);
		if (y < 0 || index >= p->list.count)
			return false;
		if (index == p->list.selected)
			return act_jump(p, env, "");
		list_select(&p->list, index);
		return true;
	}
	return list_key(&p->list, key);
}

const struct pane_ops pane_validation = {
	.name = "validation",
	.title = "validation",
	.help = "whether the result keeps the promise of the tool's outputSchema, and where it "
		"does not",
	.slot = SLOT_RIGHT,
	.weight = 1,
	.state_size = sizeof(struct validation),
	.actions = actions,
	.finish = finish,
	.sync = sync,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.typing = typing,
};

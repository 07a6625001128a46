#include "validation.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/pointer.h"
#include "client/call.h"
#include "pane/pane_text.h"
#include "schema/summary.h"

#include <stdlib.h>

#define SUMMED_UP 8 /* from this many on, a line summarizes the rows */

/* Only tools have verdicts. */
static int
applies(const struct view_env *env)
{
	return !env->ws->desk || env->ws->desk->kind == PRIMITIVE_TOOL;
}

static void
finish(void *state)
{
	struct validation *p = state;

	violation_view_close(&p->detail);
	job_drop(&p->job);
	buf_finish(&p->in_text);
	buf_finish(&p->compat);
	buf_finish(&p->summary);
	page_finish(&p->head);
	page_finish(&p->foot);
}

static void
sum_up(struct validation *p, const struct report *report)
{
	struct summary summary;

	buf_clear(&p->summary);
	if (!report || report_facts(report)->violations < SUMMED_UP ||
	    !summary_init(&summary, report))
		return;
	summary_line(&summary, 6, &p->summary);
	summary_finish(&summary);
}

const struct report *
validation_report(const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);

	return call ? call->verdict.report : NULL;
}

/* ---- would JSON in the text conform? ---- */

/* A longer text is read and checked in a job. */
#define AT_ONCE ((size_t)64 << 10)

struct claim_check {
	struct job job; /* first */
	struct text_claim claim;
	struct json_doc *docs[2]; /* that the claim points into */
	struct buf *to;
	struct buf sentence;
};

static void
run(struct job *job)
{
	struct claim_check *k = (struct claim_check *)job;

	text_claim_check(&k->claim, job, &k->sentence);
}

static void
done(struct job *job)
{
	struct claim_check *k = (struct claim_check *)job;

	if (!job_is_stopped(job))
		buf_add(k->to, buf_text(&k->sentence), k->sentence.len);
	buf_finish(&k->sentence);
	json_doc_destroy(k->docs[0]);
	json_doc_destroy(k->docs[1]);
	free(k);
}

static void
check_text(struct validation *p, const struct call *call, struct jobs *jobs)
{
	struct text_claim claim;

	job_drop(&p->job);
	buf_clear(&p->in_text);
	if (!call || !text_claim_find(call, &claim))
		return;
	struct claim_check *k = mem_zalloc(sizeof(*k));
	*k = (struct claim_check){
		.job = { .run = run, .done = done },
		.claim = claim,
		.docs = { json_doc_ref(call->doc), json_doc_ref(call->definition) },
		.to = &p->in_text,
	};
	job_start(claim.len > AT_ONCE ? jobs : NULL, &k->job, &p->job);
}

static void
sync_report(struct validation *p, const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;
	enum verdict_kind verdict = call ? call->verdict.kind : VERDICT_NONE;
	const struct report *report = validation_report(env);

	if (id == p->call && call_state == p->call_state && verdict == p->verdict)
		return;
	violation_view_close(&p->detail);
	p->verdict = verdict;
	p->call = id;
	p->call_state = call_state;
	list_set_count(&p->rows.list, report ? report_facts(report)->kept : 0);
	list_select(&p->rows.list, 0);
	buf_clear(&p->compat);
	if (call)
		compat_add_lines(call, &p->compat);
	check_text(p, call, env->jobs);
	sum_up(p, report);
}

/* Follows jumps made in other panes. */
static void
sync(void *state, const struct view_env *env)
{
	struct validation *p = state;
	const struct workspace *ws = env->ws;

	sync_report(p, env);
	bool same = ws->violation_call != p->call || ws->violation == p->rows.list.selected;
	if (same || ws->violation >= p->rows.list.count)
		return;
	list_select(&p->rows.list, ws->violation);
	if (p->detail.open)
		violation_view_open(&p->detail, validation_report(env), p->rows.list.selected);
}

/* Makes other panes follow the selection. */
static void
look_at_selected(void *state, const struct view_env *env)
{
	const struct validation *p = state;

	env->ws->violation = p->rows.list.selected;
	env->ws->violation_call = p->call;
}

/* "no-schema" is meant for programs. */
static void
add_verdict_words(enum verdict_kind kind, struct buf *out)
{
	for (const char *at = verdict_looks[kind].name; *at; at++)
		buf_add_char(out, *at == '-' ? ' ' : *at);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct call *call = workspace_call(env->ws);

	if (!call || call->state == CALL_RUNNING)
		return ROLE_DIM;
	const struct verdict *v = &call->verdict;
	buf_addf(facts, "%s ", verdict_looks[v->kind].mark);
	if (v->kind == VERDICT_INVALID) {
		units_add_counted(facts, report_facts(v->report)->violations, "violation");
	} else {
		add_verdict_words(v->kind, facts);
	}
	return pane_verdict_roles[v->kind];
}

static bool
act_jump(void *state, const struct view_env *env, const char *arg)
{
	struct validation *p = state;
	const struct report *r = validation_report(env);
	struct buf line = BUF_INIT;

	if (!r || p->rows.list.selected >= report_facts(r)->kept)
		return true;
	look_at_selected(p, env);
	buf_add_str(&line, "goto ");
	report_instance_path(r, p->rows.list.selected, &line);
	if (report_at(r, p->rows.list.selected)->missing)
		json_pointer_add_key(&line, report_at(r, p->rows.list.selected)->missing);
	bool ok = env->host->run(env->user, buf_text(&line));
	buf_finish(&line);
	return ok;
}

static bool
act_explain(void *state, const struct view_env *env, const char *arg)
{
	struct validation *p = state;
	const struct report *r = validation_report(env);

	if (p->detail.open)
		violation_view_close(&p->detail);
	else if (r && p->rows.list.selected < report_facts(r)->kept)
		violation_view_open(&p->detail, r, p->rows.list.selected);
	return true;
}

static const struct view_action actions[] = {
	{ "jump", "enter", "", "go to the cell or node of the violation", act_jump, "go there" },
	{ "explain", "space", "", "explain the violation and show the schema around its keyword",
	    act_explain, "why" },
	{ 0 },
};

static const char *
captures(const void *state)
{
	const struct validation *p = state;

	return p->detail.open ? "Enter go there  Esc back  ↑↓ other violations  PgUp PgDn scroll"
			      : NULL;
}

/* Up and Down go to the previous and next violation. */
static bool
detail_key(struct validation *p, const struct view_env *env, const struct key *key)
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
	if (!list_key(&p->rows.list, key))
		return true;
	look_at_selected(p, env);
	violation_view_open(&p->detail, validation_report(env), p->rows.list.selected);
	return true;
}

static void
row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct report *r = validation_report(s->with);

	violation_add_path(r, row, out);
	buf_add_str(out, "  ");
	report_line(r, row, out);
	buf_addf(out, "  %s", report_at(r, row)->keyword);
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct validation *p = state;

	if (p->detail.open)
		*out = seek_wrap(&p->detail.wrap, &p->detail.top, p->detail.height, p->rows.y);
	else if (p->rows.list.count > 0)
		*out = seek_list(&p->rows.list, p->rows.y, p, env, row_text);
	else
		*out = seek_page(&p->head);
	return true;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct validation *p = state;

	if (p->detail.open)
		return detail_key(p, env, key);
	return p->rows.list.count == 0 && page_key(&p->head, key);
}

static const struct row_ops row_ops = {
	.draw = validation_draw_row,
	.open = act_jump,
	.on_select = look_at_selected,
};

const struct view_ops pane_validation = {
	.title = "validation",
	.help = "violations of the tool's outputSchema in "
		"structuredContent",
	.state_size = sizeof(struct validation),
	.actions = actions,
	.serves = applies,
	.finish = finish,
	.sync = sync,
	.want = validation_want,
	.heading = heading,
	.draw = validation_draw,
	.key = key,
	.rows = &row_ops,
	.seek = seek,
	.captures = captures,
};

/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "client/call.h"
#include "client/verdict.h"
#include "json/pointer.h"
#include "json/print.h"
#include "pane/pane.h"
#include "pane/pane_text.h"
#include "ui/page.h"
#include "view/rows.h"

#include <stdlib.h>
#include <string.h>

struct validation {
	struct rows rows; /* the kept violations */
	bool explains;    /* shows the page below instead */
	struct page page; /* the selected violation: location, values, schema around the keyword */
	uint64_t call;
	enum call_state call_state;
	enum verdict_kind verdict;
	struct buf compat;  /* how other hosts treat the result, one line each */
	struct buf summary; /* "31 of 10 000 rows fail: ..."; empty: none */
	struct buf in_text; /* whether JSON in the text conforms; empty: it does not matter */
	struct job *job;    /* for in_text; NULL: none */
	struct page head;   /* the verdict and its reason */
	struct page foot;   /* findings and compat, below the violations */
	int path_cols;      /* of the rows, as last drawn */
};

#define VALUE_BYTES 2000 /* of the invalid value */
#define PATH_BYTES 4096  /* of the location: keys may be long and many */

/* Append the location of a violation or missing member: "/rows/1/id", "(the value)". */
static void
violation_add_path(const struct report *report, size_t index, struct buf *out)
{
	const char *missing = report_at(report, index)->missing;
	struct buf path = { .max = PATH_BYTES };

	report_instance_path(report, index, &path);
	if (missing && !path.overflowed)
		json_pointer_add_key(&path, missing);
	if (path.len > 0)
		buf_addf(out, "%s%s", buf_text(&path), path.overflowed ? "…" : "");
	else
		buf_add_str(out, "(the value)");
	buf_finish(&path);
}

void
violation_add_schema_path(const struct report *report, size_t index, struct buf *out)
{
	struct buf path = { .max = PATH_BYTES };

	report_schema_path(report, index, &path);
	buf_addf(out, "%s%s", buf_text(&path), path.overflowed ? "…" : "");
	buf_finish(&path);
}

static void
add_place(struct page *page, const char *name, const struct buf *path)
{
	page_textf(
	    page, 0, ROLE_HINT, "%-9s%s%s", name, buf_text(path), path->overflowed ? "…" : "");
}

/* Write the selected violation, one line each: location, message, value, schema locations, and an
 * excerpt of the schema with the line of the keyword highlighted. */
static void
explain(struct validation *p, const struct report *report)
{
	size_t index = p->rows.list.selected;
	const struct violation *violation = report_at(report, index);
	struct buf direct = { .max = PATH_BYTES }, reached = { .max = PATH_BYTES };
	struct buf absolute = { .max = PATH_BYTES }, text = BUF_INIT;

	page_clear(&p->page);
	p->page.top = 0;
	p->explains = true;
	violation_add_path(report, index, &text);
	page_text(&p->page, 0, ROLE_KEY_NAME, buf_text(&text));
	buf_clear(&text);
	report_line(report, index, &text);
	page_text(&p->page, 0, violation->warning ? ROLE_WARNING : ROLE_TEXT, buf_text(&text));
	buf_clear(&text);
	json_print_brief(&text, violation->node, VALUE_BYTES);
	page_textf(
	    &p->page, 0, ROLE_DIM, "%-9s%s", violation->missing ? "in" : "value", buf_text(&text));
	report_schema_path(report, index, &direct);
	report_keyword_path(report, index, &reached);
	add_place(&p->page, "schema", &direct);
	if (strcmp(buf_text(&direct), buf_text(&reached)) != 0)
		add_place(&p->page, "reached", &reached);
	if (report_absolute_path(report, index, &absolute))
		add_place(&p->page, "absolute", &absolute);
	buf_clear(&text);
	report_excerpt(report, index, &text);
	for (const char *at = buf_text(&text), *end; *at; at = end + 1) {
		bool marked = strncmp(at, "▸", strlen("▸")) == 0;
		end = strchr(at, '\n');
		page_textf(
		    &p->page, 0, marked ? ROLE_ERROR : ROLE_DIM, "%.*s", (int)(end - at), at);
	}
	buf_finish(&direct);
	buf_finish(&reached);
	buf_finish(&absolute);
	buf_finish(&text);
}

#define FOOT_ROWS 4
#define MANY 20 /* violations that should fit */
#define IN_THE_TITLE (1u << VERDICT_NO_SCHEMA | 1u << VERDICT_NO_RESULT | 1u << VERDICT_CANCELLED)

/* ---- the head: the verdict and its reason ---- */

#define MARK_COLS 2
#define FINDINGS_SHOWN 12 /* the findings pane has all */

static void
write_verdict(struct page *page, const struct validation *p, const struct view_env *env,
    const struct call *call)
{
	const struct verdict *v = &call->verdict;
	enum role role = pane_verdict_roles[v->kind];
	size_t warnings = v->report ? report_facts(v->report)->warnings : 0;
	struct buf text = BUF_INIT;

	verdict_line(v, &text);
	if (v->kind == VERDICT_CHECKING)
		buf_addf(&text, ", %s", pane_duration(env->now_us - call->ended_us).text);
	page_mark_row(
	    page, MARK_COLS, role, verdict_looks[v->kind].mark, ROLE_TEXT, buf_text(&text));
	buf_clear(&text);
	verdict_reason(v, &text);
	if (text.len > 0)
		page_text(page, MARK_COLS, role, buf_text(&text));
	if (p->in_text.len > 0)
		page_text(page, MARK_COLS, role, buf_text(&p->in_text));
	if (warnings > 0)
		page_textf(page, MARK_COLS, ROLE_WARNING,
		    "%s warning%s: not every host asserts format", units_count(warnings).text,
		    plural(warnings));
	if (p->summary.len > 0)
		page_text(page, MARK_COLS, ROLE_ERROR, buf_text(&p->summary));
	buf_finish(&text);
}

static void
write_head(struct validation *p, const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);
	const struct primitive *tool = workspace_primitive(env->ws);

	page_clear(&p->head);
	if (call && call->state == CALL_DONE)
		write_verdict(&p->head, p, env, call);
	else
		page_text(&p->head, 0, ROLE_HINT,
		    call && call->state == CALL_RUNNING ? "the check runs when the result arrives"
		    : call                              ? "no result to check"
		    : tool && tool->output_schema ? "checks structuredContent against outputSchema"
		    : tool                        ? "not checked: the tool declares no outputSchema"
						  : "");
}

/* Add the findings that are not in the verdict, the worst first, and the treatment by other hosts.
 */
static void
write_foot(struct page *page, const struct validation *p, const struct view_env *env, bool notes)
{
	const struct call *call = workspace_call(env->ws);
	size_t said = 0;

	for (size_t i = 0; call && i < call->findings.len; i++) {
		const struct found *f = &call->findings.items[i];
		const struct finding_look *look = &pane_finding_looks[f->kind->severity];
		if (f->kind->is_said || (!notes && f->kind->severity == FINDING_NOTE) ||
		    workspace_mutes(env->ws, f) || said++ >= FINDINGS_SHOWN)
			continue;
		page_mark_row(page, MARK_COLS, look->role, look->mark,
		    f->kind->severity == FINDING_NOTE ? ROLE_DIM : ROLE_TEXT, f->text);
	}
	if (p->compat.len > 0)
		page_text(page, 0, ROLE_HINT, buf_text(&p->compat));
}

/* ---- the violations: location, message, keyword ---- */

/* Return the report on the shown call, or NULL. */
static const struct report *
validation_report(const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);

	return call ? call->verdict.report : NULL;
}

static void
validation_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t index)
{
	const struct report *r = validation_report(env);
	int path_cols = ((const struct validation *)state)->path_cols;
	const struct violation *v = report_at(r, index);
	struct buf text = BUF_INIT;
	int keyword_cols = (int)strlen(v->keyword) + 1;

	violation_add_path(r, index, &text);
	/* A long path is cut at the front because neighboring paths differ at the end. */
	const char *at = buf_text(&text), *end = at + text.len, *next;
	int cut = 0;
	while ((int)glyph_columns(at, (size_t)(end - at)) + cut > path_cols &&
	       (next = strchr(at + 1, '/'))) {
		at = next;
		cut = 1;
	}
	surface_text(s, 0, y, 1, style_of(ROLE_KEY_NAME), cut ? "…" : "");
	surface_text(s, cut, y, path_cols - cut, style_of(ROLE_KEY_NAME), at);
	buf_clear(&text);
	report_line(r, index, &text);
	surface_text(s, path_cols + 2, y, s.width - path_cols - 2 - keyword_cols,
	    style_of(v->warning ? ROLE_WARNING : ROLE_TEXT), buf_text(&text));
	surface_text_right(s, s.width, y, keyword_cols, style_of(ROLE_DIM), v->keyword);
	buf_finish(&text);
}

/* Draw the selected violation: location, message and schema location. */
static void
draw_foot(const struct validation *p, const struct report *r, struct surface s)
{
	struct buf text = BUF_INIT;
	int y = 0;

	if (s.height >= FOOT_ROWS) {
		violation_add_path(r, p->rows.list.selected, &text);
		y = 1 + pane_draw_text(s, 1, ROLE_KEY_NAME, buf_text(&text));
		buf_clear(&text);
		report_line(r, p->rows.list.selected, &text);
		y += pane_draw_text(s, y, ROLE_TEXT, buf_text(&text));
		buf_clear(&text);
	}
	buf_add_str(&text, "schema ");
	violation_add_schema_path(r, p->rows.list.selected, &text);
	if (report_facts(r)->violations + report_facts(r)->warnings > report_facts(r)->kept)
		buf_addf(
		    &text, "   (the first %s are listed)", units_count(report_facts(r)->kept).text);
	if (y == 0 && s.height > 0)
		surface_text(s, 0, s.height - 1, -1, style_of(ROLE_HINT), buf_text(&text));
	else
		pane_draw_text(s, y, ROLE_HINT, buf_text(&text));
	buf_finish(&text);
}

/* The list, or the explained violation. */
static void
draw_violations(
    struct validation *p, const struct view_env *env, struct surface all, int y, int height)
{
	const struct report *r = validation_report(env);
	struct surface s = surface_sub(all, 0, y, all.width, height);
	size_t count = report_facts(r)->kept;
	int rows = height >= 12 ? height - FOOT_ROWS : height >= 3 ? height - 1 : height;

	if (p->explains) {
		page_draw(&p->page, s, ROLE_NONE, env->focused);
		return;
	}
	if (count + FOOT_ROWS <= (size_t)height || count < (size_t)rows)
		rows = (int)count;
	list_set_height(&p->rows.list, rows > 0 ? rows : 0);
	struct buf path = BUF_INIT;
	int width = 8;
	for (int i = 0; i < rows && p->rows.list.top + (size_t)i < count; i++) {
		buf_clear(&path);
		violation_add_path(r, p->rows.list.top + (size_t)i, &path);
		int w = (int)glyph_columns(buf_text(&path), path.len);
		width = w > width ? w : width;
	}
	buf_finish(&path);
	p->path_cols = width < s.width * 2 / 5 ? width : s.width * 2 / 5;
	rows_draw(p, env, all, y, rows);
	draw_foot(p, r, surface_sub(s, 0, rows, s.width, s.height - rows));
}

/* Return the rows wanted for violations, at most MANY. */
static int
rows_wanted(const struct validation *p, const struct report *r)
{
	if (p->explains)
		return (int)p->page.len;
	return 1 + (report_facts(r)->kept < MANY ? (int)report_facts(r)->kept : MANY);
}

static void
validation_draw(void *state, const struct view_env *env, struct surface s)
{
	struct validation *p = state;
	const struct report *r = validation_report(env);

	write_head(p, env);
	if (!r || report_facts(r)->kept == 0) { /* everything is one page */
		write_foot(&p->head, p, env, true);
		page_draw(&p->head, s, ROLE_NONE, env->focused);
		return;
	}
	page_clear(&p->foot);
	write_foot(&p->foot, p, env, true);
	int head = (int)page_rows(&p->head, s.width), foot = (int)page_rows(&p->foot, s.width);
	if (head > s.height / 2)
		head = s.height > 2 ? s.height / 2 : 1;
	int room = s.height - head - rows_wanted(p, r);
	foot = room < 0 ? 0 : room < foot ? room : foot;
	p->rows.y = head;
	page_draw(&p->head, surface_sub(s, 0, 0, s.width, head), ROLE_NONE, false);
	page_draw(&p->foot, surface_sub(s, 0, s.height - foot, s.width, foot), ROLE_NONE, false);
	draw_violations(p, env, s, head, s.height - head - foot);
}

static int
validation_want(void *state, const struct view_env *env, int width)
{
	struct validation *p = state;
	const struct report *r = validation_report(env);
	const struct call *call = workspace_call(env->ws);

	write_head(p, env);
	page_clear(&p->foot);
	write_foot(&p->foot, p, env, false);
	int rows = (int)page_rows(&p->head, width) + (int)page_rows(&p->foot, width);
	if (call && rows == 1 && (1u << call->verdict.kind) & IN_THE_TITLE)
		return 0;
	return rows + (r && report_facts(r)->kept > 0 ? rows_wanted(p, r) : 0);
}

#define SUMMED_UP 8 /* violations from which a line summarizes the rows */

/* Only tools have verdicts. */
static int
applies(const struct view_env *env)
{
	return !env->ws->desk || env->ws->desk->kind == PRIMITIVE_TOOL;
}

static void
validation_finish(void *state)
{
	struct validation *p = state;

	page_finish(&p->page);
	job_drop(&p->job);
	buf_finish(&p->in_text);
	buf_finish(&p->compat);
	buf_finish(&p->summary);
	page_finish(&p->head);
	page_finish(&p->foot);
}

/* ---- whether JSON in the text conforms ---- */

/* Longer texts are read and checked by a job. */
#define AT_ONCE ((size_t)64 << 10)

struct claim_check {
	struct job job; /* first */
	struct text_claim claim;
	struct json_doc *docs[2]; /* the documents of the claim */
	struct buf *to;
	struct buf sentence;
};

static void
claim_check_run(struct job *job)
{
	struct claim_check *k = (struct claim_check *)job;

	text_claim_check(&k->claim, job, &k->sentence);
}

static void
claim_check_done(struct job *job)
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
		.job = { .run = claim_check_run, .done = claim_check_done },
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
	struct summary summary;

	if (id == p->call && call_state == p->call_state && verdict == p->verdict)
		return;
	p->explains = false;
	p->verdict = verdict;
	p->call = id;
	p->call_state = call_state;
	list_set_count(&p->rows.list, report ? report_facts(report)->kept : 0);
	list_select(&p->rows.list, 0);
	buf_clear(&p->compat);
	if (call)
		compat_add_lines(call, &p->compat);
	check_text(p, call, env->jobs);
	buf_clear(&p->summary);
	if (report && report_facts(report)->violations >= SUMMED_UP &&
	    summary_init(&summary, report)) {
		summary_line(&summary, 6, &p->summary);
		summary_finish(&summary);
	}
}

/* Follow jumps made in other panes. */
static void
validation_sync(void *state, const struct view_env *env)
{
	struct validation *p = state;
	const struct workspace *ws = env->ws;

	sync_report(p, env);
	bool same = ws->violation_call != p->call || ws->violation == p->rows.list.selected;
	if (same || ws->violation >= p->rows.list.count)
		return;
	list_select(&p->rows.list, ws->violation);
	if (p->explains)
		explain(p, validation_report(env));
}

/* Make other panes follow the selection. */
static void
look_at_selected(void *state, const struct view_env *env)
{
	const struct validation *p = state;

	env->ws->violation = p->rows.list.selected;
	env->ws->violation_call = p->call;
}

static enum role
validation_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct call *call = workspace_call(env->ws);

	if (!call || call->state == CALL_RUNNING)
		return ROLE_DIM;
	const struct verdict *v = &call->verdict;
	buf_addf(facts, "%s ", verdict_looks[v->kind].mark);
	if (v->kind == VERDICT_INVALID)
		units_add_counted(facts, report_facts(v->report)->violations, "violation");
	else /* programs read "no-schema", people "no schema" */
		for (const char *at = verdict_looks[v->kind].name; *at; at++)
			buf_add_char(facts, *at == '-' ? ' ' : *at);
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

	if (p->explains)
		p->explains = false;
	else if (r && p->rows.list.selected < report_facts(r)->kept)
		explain(p, r);
	return true;
}

static const struct view_action actions[] = {
	{ "jump", "enter", "", "go to the cell or node of the violation", act_jump, "go there" },
	{ "explain", "space", "", "explain the violation and show the schema around its keyword",
	    act_explain, "why" },
	{ 0 },
};

static const char *
validation_captures(const void *state)
{
	const struct validation *p = state;

	return p->explains ? "Enter go there  Esc back  ↑↓ other violations  PgUp PgDn scroll"
			   : NULL;
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
validation_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct validation *p = state;

	if (p->explains)
		*out = seek_page(&p->page);
	else if (p->rows.list.count > 0)
		*out = seek_list(&p->rows.list, p->rows.y, p, env, row_text);
	else
		*out = seek_page(&p->head);
	if (p->explains)
		out->y = p->rows.y;
	return true;
}

/* Up and Down go to the previous and next violation while one is explained. */
static bool
validation_key(void *state, const struct view_env *env, const struct key *key)
{
	struct validation *p = state;

	if (!p->explains)
		return p->rows.list.count == 0 && page_key(&p->head, key);
	if (key->kind == KEY_ESCAPE || key->kind == KEY_LEFT ||
	    (key->kind == KEY_CHAR && key->ch == ' ')) {
		p->explains = false;
		return true;
	}
	if (key->kind == KEY_ENTER) {
		p->explains = false;
		return act_jump(p, env, "");
	}
	if (key->kind != KEY_UP && key->kind != KEY_DOWN)
		return page_key(&p->page, key);
	if (list_key(&p->rows.list, key)) {
		look_at_selected(p, env);
		explain(p, validation_report(env));
	}
	return true;
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
	.finish = validation_finish,
	.sync = validation_sync,
	.want = validation_want,
	.heading = validation_heading,
	.draw = validation_draw,
	.key = validation_key,
	.rows = &row_ops,
	.seek = validation_seek,
	.captures = validation_captures,
};

#include "validation.h"

#include "base/glyph.h"
#include "base/units.h"
#include "pane/pane_text.h"

#include <string.h>

#define FOOT_ROWS 4
#define MANY 20 /* violations that should fit */
#define SAID_BY_THE_TITLE \
	(1u << VERDICT_NO_SCHEMA | 1u << VERDICT_NO_RESULT | 1u << VERDICT_CANCELLED)

/* ---- the head: the verdict and its reason ---- */

#define MARK_COLS 2
#define FINDINGS_SHOWN 12 /* the findings pane has all */

static void
write_verdict(struct page *page, const struct validation *p, const struct view_env *env,
    const struct call *call)
{
	const struct verdict *v = &call->verdict;
	enum role role = pane_verdict_roles[v->kind];
	struct buf text = BUF_INIT;

	verdict_line(v, &text);
	if (v->kind == VERDICT_CHECKING) {
		buf_add_str(&text, ", ");
		pane_add_duration(&text, env->now_us - call->ended_us);
	}
	page_mark_row(
	    page, MARK_COLS, role, verdict_looks[v->kind].mark, ROLE_TEXT, buf_text(&text));
	buf_clear(&text);
	verdict_reason(v, &text);
	if (text.len > 0)
		page_text(page, MARK_COLS, role, buf_text(&text));
	if (p->in_text.len > 0)
		page_text(page, MARK_COLS, role, buf_text(&p->in_text));
	buf_clear(&text);
	if (v->report && report_facts(v->report)->warnings > 0) {
		units_add_counted(&text, report_facts(v->report)->warnings, "warning");
		buf_add_str(&text, ": not every host asserts format");
		page_text(page, MARK_COLS, ROLE_WARNING, buf_text(&text));
	}
	if (p->summary.len > 0)
		page_text(page, MARK_COLS, ROLE_ERROR, buf_text(&p->summary));
	buf_finish(&text);
}

static void
write_no_verdict(struct page *page, const struct view_env *env, const struct call *call)
{
	const struct primitive *tool = workspace_primitive(env->ws);
	const char *text = "";

	if (call && call->state == CALL_RUNNING)
		text = "the check runs when the result arrives";
	else if (call)
		text = "no result to check";
	else if (tool && tool->output_schema)
		text = "checks structuredContent against outputSchema";
	else if (tool)
		text = "not checked: the tool declares no outputSchema";
	page_text(page, 0, ROLE_HINT, text);
}

static void
write_head(struct page *page, const struct validation *p, const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);

	page_clear(page);
	if (call && call->state == CALL_DONE)
		write_verdict(page, p, env, call);
	else
		write_no_verdict(page, env, call);
}

/* What the verdict does not say, the worst first. */
static void
write_findings(struct page *page, const struct view_env *env, bool notes)
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
}

/* Below the violations: the findings, and how other hosts treat the result. */
static void
write_foot(struct page *page, const struct validation *p, const struct view_env *env, bool notes)
{
	page_clear(page);
	write_findings(page, env, notes);
	if (p->compat.len > 0)
		page_text(page, 0, ROLE_HINT, buf_text(&p->compat));
}

/* ---- the violations: location, message, keyword ---- */

static int
path_width(const struct validation *p, const struct report *r, int rows, int most)
{
	struct buf path = BUF_INIT;
	int width = 8;

	for (int y = 0; y < rows && p->rows.list.top + (size_t)y < report_facts(r)->kept; y++) {
		buf_clear(&path);
		violation_add_path(r, p->rows.list.top + (size_t)y, &path);
		int w = (int)glyph_columns(buf_text(&path), path.len);
		width = w > width ? w : width;
	}
	buf_finish(&path);
	return width < most ? width : most;
}

/* Cut at the front: neighboring paths differ at the end. */
static void
draw_path(struct surface s, int y, int cols, const struct buf *path)
{
	const char *at = buf_text(path), *end = at + path->len, *next;
	const char *mark = "";

	while ((int)glyph_columns(at, (size_t)(end - at)) + (*mark != 0) > cols &&
	       (next = strchr(at + 1, '/'))) {
		at = next;
		mark = "…";
	}
	surface_text(s, 0, y, 1, style_of(ROLE_KEY_NAME), mark);
	surface_text(s, *mark != 0, y, cols - (*mark != 0), style_of(ROLE_KEY_NAME), at);
}

void
validation_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t index)
{
	const struct report *r = validation_report(env);
	int path_cols = ((const struct validation *)state)->path_cols;
	const struct violation *v = report_at(r, index);
	struct buf text = BUF_INIT;
	int keyword_cols = (int)strlen(v->keyword) + 1;

	violation_add_path(r, index, &text);
	draw_path(s, y, path_cols, &text);
	buf_clear(&text);
	report_line(r, index, &text);
	surface_text(s, path_cols + 2, y, s.width - path_cols - 2 - keyword_cols,
	    style_of(v->warning ? ROLE_WARNING : ROLE_TEXT), buf_text(&text));
	surface_text_right(s, s.width, y, keyword_cols, style_of(ROLE_DIM), v->keyword);
	buf_finish(&text);
}

/* Rows of the list; the selected violation is explained below if there is room. */
static int
list_rows(int room, size_t count)
{
	int most = room >= 12 ? room - FOOT_ROWS : room >= 3 ? room - 1 : room;

	if (count + FOOT_ROWS <= (size_t)room)
		return (int)count;
	return count < (size_t)most ? (int)count : most;
}

/* The selected violation: location, message and schema location. */
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
	if (report_facts(r)->violations + report_facts(r)->warnings > report_facts(r)->kept) {
		buf_add_str(&text, "   (the first ");
		units_add_count(&text, report_facts(r)->kept);
		buf_add_str(&text, " are listed)");
	}
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

	if (p->detail.open) {
		violation_view_draw(&p->detail, s, env->focused);
		return;
	}
	int rows = list_rows(s.height, report_facts(r)->kept);
	list_set_height(&p->rows.list, rows > 0 ? rows : 0);
	p->path_cols = path_width(p, r, rows, s.width * 2 / 5);
	rows_draw(p, pane_validation.rows, env, all, y, rows);
	draw_foot(p, r, surface_sub(s, 0, rows, s.width, s.height - rows));
}

/* Rows for the violations: all if few, else the number that should fit. */
static int
rows_wanted(const struct validation *p, const struct report *r)
{
	if (p->detail.open)
		return violation_view_rows(&p->detail);
	return 1 + (report_facts(r)->kept < MANY ? (int)report_facts(r)->kept : MANY);
}

/* Without violations, everything is one page. */
static void
draw_page(struct validation *p, const struct view_env *env, struct surface s)
{
	write_head(&p->head, p, env);
	write_findings(&p->head, env, true);
	if (p->compat.len > 0)
		page_text(&p->head, 0, ROLE_HINT, buf_text(&p->compat));
	page_draw(&p->head, s, ROLE_NONE, env->focused);
}

void
validation_draw(void *state, const struct view_env *env, struct surface s)
{
	struct validation *p = state;
	const struct report *r = validation_report(env);

	if (!r || report_facts(r)->kept == 0) {
		draw_page(p, env, s);
		return;
	}
	write_head(&p->head, p, env);
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

int
validation_want(void *state, const struct view_env *env, int width)
{
	struct validation *p = state;
	const struct report *r = validation_report(env);
	const struct call *call = workspace_call(env->ws);

	write_head(&p->head, p, env);
	write_foot(&p->foot, p, env, false);
	int rows = (int)page_rows(&p->head, width) + (int)page_rows(&p->foot, width);
	if (call && rows == 1 && (1u << call->verdict.kind) & SAID_BY_THE_TITLE)
		return 0;
	return rows + (r && report_facts(r)->kept > 0 ? rows_wanted(p, r) : 0);
}

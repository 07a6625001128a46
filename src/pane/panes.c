/* SPDX-License-Identifier: MIT */
#include "pane_text.h"

#include "base/buf.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "ui/list.h"
#include "ui/wrap.h"
#include "view/views.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct pane pane_table[] = {
#define LIST(id, least, share) { #id, SLOT_LIST, least, share, 0, &pane_##id },
#define STACKED(id, least, share, rank) { #id, SLOT_STACKED, least, share, rank, &pane_##id },
#define OVERLAY(id, command, keys, help) { #id, SLOT_OVERLAY, 0, 0, 0, &pane_##id },
	PANES(LIST, STACKED, OVERLAY)
};

const enum role pane_verdict_roles[] = {
#define X(id, name, mark, role, text) ROLE_##role,
	VERDICTS(X)
#undef X
};
static_assert(ARRAY_LEN(pane_verdict_roles) == VERDICT_COUNT, "a role each");

struct call_look
pane_call_look(enum verdict_kind verdict, bool failed)
{
	bool unchecked = verdict == VERDICT_NONE || verdict == VERDICT_NO_SCHEMA;

	if (unchecked && failed)
		return (struct call_look){ "✗", ROLE_ERROR };
	return (struct call_look){ verdict == VERDICT_NO_SCHEMA ? "✓" : verdict_looks[verdict].mark,
		pane_verdict_roles[verdict] };
}

struct units_text
pane_bytes(size_t bytes)
{
	struct units_text out;

	if (bytes < 1000)
		snprintf(out.text, sizeof(out.text), "%zu B", bytes);
	else if (bytes < 1000000)
		snprintf(out.text, sizeof(out.text), "%.1f kB", (double)bytes / 1e3);
	else
		snprintf(out.text, sizeof(out.text), "%.1f MB", (double)bytes / 1e6);
	return out;
}

void
pane_add_age(struct buf *out, int64_t us)
{
	static const struct {
		int64_t seconds;
		const char *one, *many;
	} units[] = { { 86400, " day", " days" }, { 3600, " h", " h" }, { 60, " min", " min" },
		{ 1, " s", " s" } };
	int64_t s = us > 0 ? us / 1000000 : 0;
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(units) && s < units[i].seconds)
		i++;
	int64_t count = s / units[i].seconds;
	buf_addf(out, "%lld%s", (long long)count, count == 1 ? units[i].one : units[i].many);
}

void
pane_add_tokens(struct buf *out, size_t tokens)
{
	buf_add_str(out, "≈ ");
	units_add_counted(out, tokens, "token");
}

struct units_text
pane_duration(int64_t us)
{
	struct units_text out;

	if (us < 10000)
		snprintf(out.text, sizeof(out.text), "%.1f ms", (double)us / 1e3);
	else if (us < 1000000)
		snprintf(out.text, sizeof(out.text), "%d ms", (int)(us / 1000));
	else
		snprintf(out.text, sizeof(out.text), "%.1f s", (double)us / 1e6);
	return out;
}

const struct finding_look pane_finding_looks[FINDING_SEVERITIES] = {
	[FINDING_ERROR] = { "✗", ROLE_ERROR },
	[FINDING_WARNING] = { "!", ROLE_WARNING },
	[FINDING_NOTE] = { "·", ROLE_DIM },
};

/* Wraps the text; returns the lines used. */
int
pane_draw_text(struct surface s, int y, enum role role, const char *text)
{
	struct wrap wrap = { 0 };

	if (y >= s.height || s.width < 1)
		return 0;
	wrap_set(&wrap, text, strlen(text), s.width);
	wrap_work(&wrap, (size_t)s.height, SIZE_MAX);
	int lines = (int)wrap_rows(&wrap);
	lines = lines < s.height - y ? lines : s.height - y;
	wrap_draw(&wrap, surface_sub(s, 0, y, s.width, lines), style_of(role), 0);
	wrap_finish(&wrap);
	return lines;
}

void
pane_draw_below(struct surface s, int y, enum role role, const char *title, struct page *page)
{
	surface_repeat(s, 0, y, s.width, style_of(ROLE_BORDER), 0x2500);
	if (title)
		surface_textf(s, 2, y, s.width - 4, style_of(role), " %s ", title);
	page_draw(page, surface_sub(s, 0, y + 1, s.width, s.height - y - 1), ROLE_NONE, false);
}

void
pane_add_names(struct page *page, int columns, const char *key, char *const *pairs, const char *end)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; pairs && pairs[i]; i++)
		buf_addf(&names, "%s%.*s", i ? ", " : "", (int)strcspn(pairs[i], end), pairs[i]);
	if (names.len > 0)
		page_row(page, columns, key, ROLE_TEXT, buf_text(&names));
	buf_finish(&names);
}

static void
set_running(struct pane_query *q, bool runs)
{
	if (q->jobs && runs != q->running)
		q->jobs->outside += runs ? 1 : -(size_t)1;
	q->running = runs;
}

static void
on_query_done(struct query_job *job)
{
	struct pane_query *q = (struct pane_query *)job;
	bool dropped = q->dropped;

	q->dropped = false;
	set_running(q, false);
	if (dropped) {
		query_answer_finish(&job->answer);
		return;
	}
	q->take(q);
	q->host->changed(q->user);
}

void
pane_query_run(struct pane_query *q, const char *expression, struct buf value)
{
	q->job =
	    (struct query_job){ .expression = expression, .value = value, .done = on_query_done };
	set_running(q, true);
	if (q->host->effects->query(q->host->effects_user, &q->job))
		return;
	set_running(q, false);
	q->take(q);
}

void
pane_query_stop(struct pane_query *q)
{
	if (!q->running)
		return;
	q->dropped = true;
	q->host->effects->stop_query(q->host->effects_user, &q->job);
}

enum { FILTER_X = 2 };

void
pane_draw_filter(struct surface s, const struct rows *rows, const struct filter_word *words)
{
	bool set = rows->filter.len > 0;
	struct buf hint = BUF_INIT;

	if (words)
		filter_add_hint(words, &hint);
	else
		buf_add_str(&hint, "filter");
	surface_text(s, 0, 0, -1, style_of(set ? ROLE_ACCENT : ROLE_HINT), "/");
	int x = FILTER_X + surface_text(s, FILTER_X, 0, s.width - FILTER_X - 2,
			       style_of(set ? ROLE_TEXT : ROLE_HINT),
			       buf_text(set ? &rows->filter : &hint));
	if (set)
		surface_text(s, x + 1, 0, 1, style_of(ROLE_DIM), "✕");
	buf_finish(&hint);
}

bool
pane_act_filter(void *state, const struct view_env *env, const char *text)
{
	if (*text == '\0' && env->focused)
		return env->host->run(env->user, "find");
	rows_filter(state, env, text);
	return true;
}

bool
pane_click_filter(const struct view_env *env, const char *text, int x)
{
	int end = FILTER_X + (int)glyph_columns(text, strlen(text));

	return env->host->run(env->user, *text && x > end ? "clear-find" : "find");
}

bool
pane_run(const struct view_env *env, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *line = mem_vprintf(format, args);
	va_end(args);
	bool ok = env->host->run(env->user, line);
	free(line);
	return ok;
}

bool
pane_act_run(void *state, const struct view_env *env, const char *arg, const char *command)
{
	return env->host->run(env->user, command);
}

bool
pane_act_copy(void *state, const struct view_env *env, const char *arg)
{
	return env->host->run(env->user, "copy");
}

bool
pane_scroll_key(size_t *top, size_t count, const struct key *key)
{
	if (!scroll_key(key, 10, top))
		return false;
	if (*top >= count)
		*top = count ? count - 1 : 0;
	return true;
}

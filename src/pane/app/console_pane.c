/* SPDX-License-Identifier: MIT */

#include "base/units.h"
#include "client/app.h"
#include "pane/pane_text.h"
#include "pane/streams/stream_list.h"

/* The console of the app: output, exceptions, and violations of its policy with advice for its
 * author. */

/* ---- which notes are shown ---- */

/* Return the struct app_facts of the app, or NULL. */
static const void *
source(const struct view_env *env)
{
	const struct app *a = workspace_app(env->ws);

	return a ? app_facts(a) : NULL;
}

static const void *
console_find(const struct view_env *env, uint64_t id)
{
	const struct app_facts *f = source(env);

	return f && id > f->notes_dropped && id <= f->notes_dropped + f->note_count
		   ? &f->notes[id - f->notes_dropped - 1]
		   : NULL;
}

static uint64_t
next(const struct view_env *env, uint64_t id)
{
	const struct app_facts *f = source(env);
	uint64_t after = !f ? 0 : id < f->notes_dropped ? f->notes_dropped + 1 : id + 1;

	return console_find(env, after) ? after : 0;
}

/* ---- drawing ---- */

enum { COL_TIME, COL_KIND, COL_TEXT };
static const struct stream_column columns[] = {
	[COL_TIME] = { "seconds", 0, 9, true },
	[COL_KIND] = { "kind", 11, 10, false },
	[COL_TEXT] = { "what happened", 22, -1, false },
	{ 0 },
};

static void
console_draw_row(const struct view_env *env, struct surface s, int y, const void *entry)
{
	const struct app_note *n = entry;
	struct style look = style_of(n->is_error ? ROLE_ERROR : ROLE_TEXT);

	stream_cell_time(&columns[COL_TIME], s, y, env, n->at_us);
	stream_cell(&columns[COL_KIND], s, y, style_of(n->is_error ? ROLE_ERROR : ROLE_DIM),
	    app_note_kinds[n->kind].name);
	int x = columns[COL_TEXT].x;
	x += surface_text(s, x, y, -1, look, n->text) + 2;
	if (x < s.width)
		surface_text(s, x, y, -1, style_of(ROLE_HINT), *n->advice ? n->advice : n->where);
}

static void
add_whole(const void *entry, struct buf *out)
{
	const struct app_note *n = entry;

	buf_add_str(out, n->text);
	if (*n->where)
		buf_addf(out, "\n\nat %s", n->where);
	if (*n->advice)
		buf_addf(out, "\n\n%s", n->advice);
	if (n->kind == APP_VIEW_VIOLATION)
		buf_add_str(out, "\n\nAlt-r starts the app again with the lax policy, or back "
				 "with the strict one.");
}

static void
draw_open(void *state, const struct view_env *env, struct surface s, const void *entry)
{
	const struct app_note *n = entry;

	surface_textf(s, 2, 0, s.width - 4, style_of(n->is_error ? ROLE_ERROR : ROLE_DIM), " %s ",
	    app_note_kinds[n->kind].name);
	stream_list_draw_entry(state, env, s, n, false);
}

static const char *
why_empty(const struct view_env *env)
{
	return source(env) ? "Nothing happened in the page: no output, no error, nothing forbidden."
			   : "No app is open: call a tool that has one (◫ in the list).";
}

static enum role
console_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct app_facts *f = source(env);

	buf_add_str(title, "console");
	if (!f)
		return ROLE_DIM;
	buf_addf(title, " · page of %s", app_name(workspace_app(env->ws)));
	stream_list_count(state, f->note_count, facts);
	units_add_counted(facts, f->note_count, "note");
	if (f->errors > 0) {
		buf_add_str(facts, " · ");
		units_add_counted(facts, f->errors, "error");
	}
	if (f->notes_dropped > 0)
		buf_addf(facts, " · %zu oldest dropped", f->notes_dropped);
	return f->errors > 0 ? ROLE_WARNING : ROLE_DIM;
}

static const struct view_action actions[] = {
	{ "open-note", "enter", "", "show the whole note, or close it", stream_act_open, "open" },
	{ "filter-console", "", "[WORDS]", "show only matches: text, kind: where: -not",
	    pane_act_filter, NULL },
	{ "copy-note", "y", "", "copy the note; :write FILE saves it", pane_act_copy, "copy" },
	{ 0 },
};

static const struct stream_ops stream = {
	.rows = STREAM_ROWS,
	.words = note_words,
	.columns = columns,
	.actions = actions,
	.keys = "Esc close  y copy  ↑↓ next note  PgDn scroll",
	.source = source,
	.next = next,
	.find = console_find,
	.why_empty = why_empty,
	.draw_row = console_draw_row,
	.draw_open = draw_open,
	.add_whole = add_whole,
};

static const struct view_binding bindings[] = { { "alt-r", "other-policy" }, { 0 } };

const struct view_ops pane_console = {
	.title = "console",
	.help = "the page of the app: output, errors, policy violations, advice",
	.state_size = sizeof(struct stream_list),
	.actions = actions,
	.bindings = bindings,
	.finish = stream_list_finish,
	.sync = stream_list_sync,
	.heading = console_heading,
	.draw = stream_list_draw,
	.hint = stream_list_hint,
	.rows = &stream.rows,
	STREAM_CALLBACKS,
};

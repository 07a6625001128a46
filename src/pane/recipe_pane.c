/* SPDX-License-Identifier: MIT */
#include "pane/pane.h"

#include "base/units.h"
#include "json/print.h"
#include "client/recipe_player.h"
#include "pane_text.h"
#include "view/rows.h"

#include <stdio.h>
#include <string.h>

/*
 * The running recipe: the steps done, the running step, and the rest of the file; the selected step
 * is below in full. The selection stays on the last step until the user moves it.
 */
enum { DETAIL_ROWS = 5, STEP_BYTES = 2000 };

struct recipe_pane {
	struct rows rows;
	bool away;          /* the user selected an earlier step */
	int64_t started_us; /* of the recipe shown */
};

static const struct recipe_suite *
suite_of(const struct recipe_show *show)
{
	return &show->report.suites.items[0];
}

/* Return the index of the running or next step of the file; len: there is none. */
static size_t
next_step(const struct recipe_show *show)
{
	const struct recipe_steps *steps = &show->recipe->steps;
	size_t done = recipe_player_view(show->player).run.at;

	return show->ended_us ? steps->len : done;
}

static void
recipe_sync(void *state, const struct view_env *env)
{
	struct recipe_pane *p = state;
	const struct recipe_show *show = env->ws->recipe;

	if (!show)
		return;
	p->away &= p->started_us == show->started_us;
	p->started_us = show->started_us;
	const struct recipe_suite *suite = suite_of(show);
	size_t cases = suite->cases.len, rest = show->recipe->steps.len - next_step(show);
	size_t row = show->ended_us ? 0 : cases;
	list_set_count(&p->rows.list, show->ended_us ? cases : cases + (rest > 1 ? rest : 1));
	/* the first failure at the end, else the last step */
	while (
	    show->ended_us && row + 1 < cases && suite->cases.items[row].outcome != RECIPE_FAILED)
		row++;
	if (!p->away)
		list_select(&p->rows.list, row);
}

/* ---- drawing ---- */

struct step_row {
	const char *mark, *title, *detail;
	enum role role, title_role, detail_role; /* role: of the mark */
	size_t depth, round, rounds;
	int64_t took_us;
};

static void
recipe_draw_row(struct surface s, int y, const struct step_row *row)
{
	size_t depth = row->depth < 8 ? row->depth : 8;
	int x = 2 + (int)depth * 2, right = s.width - 10;

	surface_text(s, x - 2, y, 1, style_of(row->role), row->mark);
	if (row->round > 0)
		x += surface_textf(
		    s, x, y, 20, style_of(ROLE_DIM), "%zu/%zu ", row->round, row->rounds);
	x += surface_text(s, x, y, right - x, style_of(row->title_role), row->title) + 2;
	if (x < right)
		surface_text(s, x, y, right - x, style_of(row->detail_role), row->detail);
	if (row->took_us > 0)
		surface_text_right(
		    s, s.width - 1, y, 9, style_of(ROLE_NUMBER), pane_duration(row->took_us).text);
}

static void
draw_case(struct surface s, int y, const struct recipe_case *c)
{
	static const struct {
		const char *mark;
		enum role role, title;
	} looks[] = {
		[RECIPE_OPENED] = { "▾", ROLE_DIM, ROLE_DIM },
		[RECIPE_PASSED] = { "✓", ROLE_OK, ROLE_TEXT },
		[RECIPE_SKIPPED] = { "–", ROLE_DIM, ROLE_DIM },
		[RECIPE_FAILED] = { "✗", ROLE_ERROR, ROLE_TITLE },
		[RECIPE_RETRIED] = { "↻", ROLE_WARNING, ROLE_DIM },
	};
	bool failed = c->outcome == RECIPE_FAILED, retried = c->outcome == RECIPE_RETRIED;
	char rounds[40] = "", message[300];

	snprintf(message, sizeof(message), "%.*s", (int)strcspn(c->message, "\n"), c->message);

	if (c->outcome == RECIPE_OPENED && c->round == 0 && c->rounds > 0)
		snprintf(rounds, sizeof(rounds), "%zu round%s", c->rounds, plural(c->rounds));
	recipe_draw_row(s, y,
	    &(struct step_row){
		.mark = looks[c->outcome].mark,
		.role = looks[c->outcome].role,
		.title = c->title,
		.title_role = looks[c->outcome].title,
		.detail = *rounds                                             ? rounds
			  : failed || retried || c->outcome == RECIPE_SKIPPED ? message
									      : c->detail,
		.detail_role = failed ? ROLE_ERROR : ROLE_DIM,
		.depth = c->depth,
		.round = c->round,
		.rounds = c->rounds,
		.took_us = c->took_us,
	    });
}

/* Draw a step without a record, with its title. */
static void
draw_step(struct surface s, int y, const struct recipe_step *step, struct step_row *row)
{
	const struct variables none = { 0 };
	struct buf title = BUF_INIT;

	recipe_step_add_title(step, &none, &title);
	row->title = buf_text(&title);
	recipe_draw_row(s, y, row);
	buf_finish(&title);
}

static void
add_state(const struct recipe_show *show, int64_t now_us, struct buf *out)
{
	struct recipe_player_view view = recipe_player_view(show->player);
	size_t attempts = view.run.step ? view.run.step->retry.attempts : 0;

	if (show->asks)
		buf_add_str(out, "waits for your approval: destructive");
	else if (view.wake_us)
		buf_addf(out, "the next attempt begins in %s",
		    pane_duration(view.wake_us > now_us ? view.wake_us - now_us : 0).text);
	else if (view.call && view.run.attempt > 0)
		buf_addf(out, "running, attempt %zu of %zu", view.run.attempt, attempts);
	else
		buf_add_str(out, view.call ? "running" : show->paused ? "paused" : "jq");
}

static void
draw_running(const struct view_env *env, struct surface s, int y, const struct recipe_show *show)
{
	struct recipe_player_view view = recipe_player_view(show->player);
	const struct call *call = view.call ? server_find_call(show->server, view.call) : NULL;
	bool rests = show->asks || (show->paused && !call);
	struct buf state = BUF_INIT;

	add_state(show, env->now_us, &state);
	draw_step(s, y, view.run.step,
	    &(struct step_row){
		.mark = rests ? "▸" : "◐",
		.role = show->asks ? ROLE_WARNING : ROLE_ACCENT,
		.title_role = ROLE_TITLE,
		.detail = buf_text(&state),
		.detail_role = show->asks ? ROLE_WARNING : ROLE_ACCENT,
		.depth = view.run.depth,
		.round = view.run.round,
		.rounds = view.run.rounds,
		.took_us = call ? call_elapsed_us(call, env->now_us) : 0,
	    });
	buf_finish(&state);
}

/* Return the step of a row that has no record yet, or NULL. */
static const struct recipe_step *
step_at(const struct recipe_show *show, size_t row)
{
	size_t cases = suite_of(show)->cases.len, step = next_step(show) + row - cases;

	if (row == cases)
		return recipe_player_view(show->player).run.step;
	return row > cases && step < show->recipe->steps.len ? &show->recipe->steps.items[step]
							     : NULL;
}

static void
draw_list_row(void *state, const struct view_env *env, struct surface s, int y, size_t row)
{
	const struct recipe_show *show = env->ws->recipe;
	const struct recipe_suite *suite = suite_of(show);
	const struct recipe_step *step = step_at(show, row);

	if (row < suite->cases.len)
		draw_case(s, y, &suite->cases.items[row]);
	else if (row == suite->cases.len && step)
		draw_running(env, s, y, show);
	else if (step)
		draw_step(s, y, step,
		    &(struct step_row){
			.mark = "·",
			.role = ROLE_HINT,
			.title_role = ROLE_HINT,
			.detail = step->when ? step->when : "",
			.detail_role = ROLE_HINT,
		    });
}

/* Draw the record of the selected step, or the step from the file. */
static void
draw_detail(struct surface s, const struct recipe_show *show, size_t row)
{
	const struct recipe_suite *suite = suite_of(show);
	const struct recipe_case *c = row < suite->cases.len ? &suite->cases.items[row] : NULL;
	const struct recipe_step *step = step_at(show, row);
	struct buf text = BUF_INIT;
	int y = 1;

	surface_repeat(s, 0, 0, s.width, style_of(ROLE_BORDER), 0x2500);
	if (step) {
		json_print_brief(&text, step->node, STEP_BYTES);
		pane_draw_text(s, y, ROLE_HINT, buf_text(&text));
	}
	buf_finish(&text);
	if (!c)
		return;
	if (*c->detail)
		y += pane_draw_text(s, y, ROLE_DIM, c->detail);
	if (*c->message)
		pane_draw_text(
		    s, y, c->outcome == RECIPE_FAILED ? ROLE_ERROR : ROLE_DIM, c->message);
}

static int
recipe_pane_want(void *state, const struct view_env *env, int width)
{
	const struct recipe_pane *p = state;

	return p->rows.list.count < 1000 ? (int)p->rows.list.count + DETAIL_ROWS : 1000;
}

static void
recipe_draw(void *state, const struct view_env *env, struct surface s)
{
	struct recipe_pane *p = state;
	const struct recipe_show *show = env->ws->recipe;
	bool fits = p->rows.list.count + DETAIL_ROWS <= (size_t)s.height;
	int detail = fits || s.height > 3 * DETAIL_ROWS ? DETAIL_ROWS : 0;

	if (!show) {
		pane_draw_text(s, 0, ROLE_HINT,
		    "No recipe has been run: :run FILE runs one, :walk FILE goes step by step. "
		    ":record records your calls, and :record stop FILE makes a recipe of them.");
		return;
	}
	rows_draw(p, env, s, 0, s.height - detail);
	if (detail > 0)
		draw_detail(surface_sub(s, 0, s.height - detail, s.width, detail), show,
		    p->rows.list.selected);
}

static enum role
recipe_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct recipe_show *show = env->ws->recipe;

	buf_add_str(title, "recipe");
	if (!show)
		return ROLE_DIM;
	const struct recipe_suite *suite = suite_of(show);
	buf_addf(title, " · %s", suite->name);
	buf_add_str(facts, show->ended_us ? "ended"
			   : show->asks   ? "asks"
			   : show->paused ? "paused"
					  : "running");
	if (suite->counts.failed > 0)
		buf_addf(facts, " · %zu failed", suite->counts.failed);
	buf_addf(facts, " · %zu passed · %zu skipped", suite->counts.passed, suite->counts.skipped);
	return suite->counts.failed > 0 ? ROLE_ERROR
	       : show->ended_us         ? ROLE_OK
	       : show->asks             ? ROLE_WARNING
					: ROLE_ACCENT;
}

/* ---- commands and keys ---- */

static bool
act_recipe_open(void *state, const struct view_env *env, const char *arg)
{
	struct recipe_pane *p = state;
	const struct recipe_show *show = env->ws->recipe;
	const struct recipe_suite *suite = show ? suite_of(show) : NULL;
	size_t row = p->rows.list.selected;
	uint64_t id = suite && row < suite->cases.len ? suite->cases.items[row].call : 0;
	const struct call *c = id ? server_find_call(show->server, id) : NULL;

	if (!c)
		return view_refuse(
		    env, id ? "its result is no longer kept" : "this step is not a call");
	workspace_set_server(env->ws, show->server);
	workspace_select_call(env->ws, c);
	return env->host->run(env->user, "pane content");
}

/* Pause before the next step, after one more if `one`; or resume. */
static bool
pause_recipe(void *state, const struct view_env *env, const char *arg, bool one)
{
	struct recipe_show *show = env->ws->recipe;

	if (!show || show->ended_us)
		return view_refuse(env, "no recipe is running");
	show->paused = one || !show->paused;
	show->allowed = one;
	env->ws->generation++;
	env->host->changed(env->user);
	return true;
}

VIEW_ACTION_WITH(act_pause, pause_recipe, false)
VIEW_ACTION_WITH(act_step, pause_recipe, true)
VIEW_ACTION_WITH(act_agree, pane_act_run, "agree-to-call")
VIEW_ACTION_WITH(act_stop, pane_act_run, "stop-recipe")
VIEW_ACTION_WITH(act_again, pane_act_run, "run")
VIEW_ACTION_WITH(act_edit, pane_act_run, "edit-recipe")

static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	if (env->ws->recipe)
		recipe_report_add(&env->ws->recipe->report, RECIPE_JSON, out);
}

static const struct view_action actions[] = {
	{ "open-step-call", "enter", "", "show the call of the step in all views", act_recipe_open,
	    "show" },
	{ "agree-step", "O", "", "let the recipe call the destructive tool", act_agree, "agree" },
	{ "pause-recipe", "Z", "", "pause the recipe before its next step, or resume", act_pause,
	    "pause" },
	{ "one-step", "+", "", "run one step, then pause", act_step, "step" },
	{ "end-recipe", "x", "", "stop the recipe; the remaining steps do not run", act_stop,
	    "stop" },
	{ "run-again", "R", "", "run the recipe again, from its file", act_again, "again" },
	{ "change-recipe", "ctrl-e", "", "edit the recipe in $EDITOR", act_edit, "edit" },
	{ "copy-report", "y", "", "copy the report as JSON; :write FILE saves it", pane_act_copy,
	    NULL },
	{ 0 },
};

static const char *
recipe_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	struct recipe_pane *p = state;
	const struct recipe_show *show = env->ws->recipe;
	const struct recipe_suite *suite = show ? suite_of(show) : NULL;
	bool runs = show && !show->ended_us;

	if (!show)
		return NULL;
	if (action->run == act_agree)
		return show->asks ? action->hint : NULL;
	if (action->run == act_pause)
		return !runs ? NULL : show->paused ? "go on" : action->hint;
	if (action->run == act_step || action->run == act_stop)
		return runs ? action->hint : NULL;
	if (action->run == act_again)
		return runs ? NULL : action->hint;
	if (action->run == act_recipe_open)
		return p->rows.list.selected < suite->cases.len &&
			       suite->cases.items[p->rows.list.selected].call
			   ? action->hint
			   : NULL;
	return action->hint;
}

static void
on_select(void *state, const struct view_env *env)
{
	struct recipe_pane *p = state;
	const struct recipe_show *show = env->ws->recipe;

	p->away = show && (show->ended_us || p->rows.list.selected != suite_of(show)->cases.len);
}

static const struct row_ops row_ops = {
	.draw = draw_list_row,
	.open = act_recipe_open,
	.on_select = on_select,
};

const struct view_ops pane_recipe = {
	.title = "recipe",
	.help = "the steps of the recipe that runs, or ran last",
	.state_size = sizeof(struct recipe_pane),
	.actions = actions,
	.sync = recipe_sync,
	.heading = recipe_heading,
	.draw = recipe_draw,
	.want = recipe_pane_want,
	.is_wide = true,
	.rows = &row_ops,
	.hint = recipe_hint,
	.copy = copy,
};

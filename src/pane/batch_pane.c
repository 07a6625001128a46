/* SPDX-License-Identifier: MIT */
#include "pane/pane.h"

#include "base/mem.h"
#include "json/pointer.h"
#include "client/chain.h"
#include "pane_text.h"
#include "view/views.h"

#include <stdlib.h>
#include <string.h>

/*
 * One call for each of several values: a table of the values and their results, in all views of a
 * value. While calls run, the table is made again at most a few dozen times, in a job if it is
 * long.
 */
#define AT_ONCE ((size_t)64 << 10) /* bytes of rows from which a job makes the table */
enum { STEPS = 16 };

struct batch_pane {
	struct views views;   /* first */
	struct json_doc *doc; /* the table shown; NULL: nothing yet */
	uint64_t batch;       /* the id of its batch */
	uint64_t version;     /* of the batch as shown; 0: not shown yet */
	size_t ended;         /* rows of it with an ended call */
	struct job *job;
};

static void
batch_finish(void *state)
{
	struct batch_pane *p = state;

	job_drop(&p->job);
	json_doc_destroy(p->doc);
}

/* ---- the table ---- */

struct making {
	struct job job; /* first */
	struct batch_pane *pane;
	struct jobs *jobs;
	const struct batch *batch; /* only compared */
	struct buf text;
	struct json_doc *doc;
};

static void
parse(struct job *job)
{
	struct making *m = (struct making *)job;
	/* a row adds two levels to the data */
	const struct json_options options = { .job = job, .max_depth = 1000 + 2 };

	m->doc = json_parse(buf_text(&m->text), m->text.len, &options, NULL);
}

static void
parsed(struct job *job)
{
	struct making *m = (struct making *)job;
	struct batch_pane *p = m->pane;

	if (!job_is_stopped(job) && m->doc) {
		struct json_doc *old = p->doc;
		p->doc = m->doc;
		m->doc = NULL;
		views_set_input(&p->views, (struct view_input){ .value = json_root(p->doc),
					       .docs = { p->doc, NULL },
					       .jobs = m->jobs,
					       .source = m->batch });
		views_show(&p->views, old ? p->views.shown : VIEW_table);
		json_doc_destroy(old);
	}
	buf_finish(&m->text);
	json_doc_destroy(m->doc);
	free(m);
}

static void
batch_sync(void *state, const struct view_env *env)
{
	struct batch_pane *p = state;
	const struct batch *b = env->ws->batch;
	uint64_t id = b ? b->id : 0;

	if (id != p->batch) {
		job_drop(&p->job);
		p->batch = id;
		p->version = p->ended = 0;
	}
	if (!b || b->version == p->version || p->job)
		return;
	size_t ended = b->count - b->in_state[BATCH_WAITING] - b->in_state[BATCH_RUNNING];
	/* A large table is made again after each step. */
	if (!batch_is_over(b) && p->version > 0 && b->bytes + b->count * 32 >= AT_ONCE &&
	    ended < p->ended + b->count / STEPS)
		return;
	struct making *m = mem_zalloc(sizeof(*m));
	*m = (struct making){
		.job = { .run = parse, .done = parsed }, .pane = p, .jobs = env->jobs, .batch = b
	};
	batch_add_json(b, &m->text);
	p->version = b->version;
	p->ended = ended;
	job_start(m->text.len > AT_ONCE ? env->jobs : NULL, &m->job, &p->job);
}

static enum role
batch_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct batch_pane *p = state;
	const struct batch *b = env->ws->batch;
	struct buf where = BUF_INIT;

	if (!b)
		return ROLE_DIM;
	buf_addf(title, "batch · %.60s by %.60s", b->key, b->pointer + 1);
	batch_add_summary(b, facts);
	buf_addf(facts, "%s%s", b->trouble ? " · " : "", b->trouble ? b->trouble : "");
	if (p->doc) {
		buf_add_str(facts, " · ");
		view_heading(p->views.view, env, &where, facts);
		buf_addf(title, "%s%s", where.len ? " ▸ " : "", buf_text(&where));
	}
	buf_finish(&where);
	return b->in_state[BATCH_FAILED] > 0 || b->trouble ? ROLE_WARNING : ROLE_DIM;
}

static int
batch_want(void *state, const struct view_env *env, int width)
{
	struct batch_pane *p = state;

	return env->ws->batch && p->doc ? view_want(p->views.view, env, width) : 1;
}

static void
batch_draw(void *state, const struct view_env *env, struct surface s)
{
	struct batch_pane *p = state;

	if (env->ws->batch && p->doc) {
		view_draw(p->views.view, env, s);
		return;
	}
	pane_draw_text(s, 0, ROLE_HINT,
	    "No batch yet. > on a column or on selected rows of a table passes their values on: "
	    "choose a field, and its tool is called once for each value. The results are shown "
	    "here, next to the values.");
}

/* ---- keys ---- */

/* Return the row of the batch for the selected row of the table, or NULL. */
static const struct batch_row *
batch_selected(struct batch_pane *p, const struct view_env *env)
{
	const struct batch *b = env->ws->batch;
	struct buf pointer = BUF_INIT, token = BUF_INIT;
	size_t row = SIZE_MAX;

	if (!b || !p->doc)
		return NULL;
	view_selected(p->views.view, &pointer);
	const char *at = buf_text(&pointer);
	bool is_row =
	    json_pointer_next(&at, &token) && json_pointer_index(buf_text(&token), b->count, &row);
	buf_finish(&pointer);
	buf_finish(&token);
	return is_row ? &b->rows[row] : NULL;
}

static bool
act_batch_open(void *state, const struct view_env *env, const char *arg)
{
	struct batch_pane *p = state;

	return p->doc && view_open(p->views.view, env);
}

static bool
act_call(void *state, const struct view_env *env, const char *arg)
{
	const struct batch_row *row = batch_selected(state, env);

	if (!row || row->call == 0)
		return view_refuse(env, "no call was made for this row");
	if (row->kept == 0 && !server_find_call(env->ws->batch->server, row->call))
		return view_refuse(env, "this call is no longer kept");
	return pane_run(env, "show-call %s%llu", row->kept ? "" : "#",
	    (unsigned long long)(row->kept ? row->kept : row->call));
}

static bool
act_copy(void *state, const struct view_env *env, const char *arg)
{
	struct batch_pane *p = state;
	struct buf text = BUF_INIT;
	bool ok = p->doc && view_copy(p->views.view, arg, &text);

	if (ok)
		env->host->copy(env->user, buf_text(&text), text.len);
	buf_finish(&text);
	return ok || view_refuse(env, "there is no value to copy");
}

static bool
act_stop(void *state, const struct view_env *env, const char *arg)
{
	const struct batch *b = env->ws->batch;

	return b && !batch_is_over(b) ? env->host->run(env->user, "cancel")
				      : view_refuse(env, "no batch is under way");
}

static bool
act_view(void *state, const struct view_env *env, const char *arg)
{
	struct batch_pane *p = state;

	if (!p->doc)
		return view_refuse(env, "there is no batch");
	views_show(&p->views, views_next(&p->views));
	return true;
}

static const struct view_action actions[] = {
	{ "open-row", "enter", "", "show the row as a record, or open the value as a table",
	    act_batch_open, "open" },
	{ "call-of-row", "m", "", "show the call of the row in all its views", act_call,
	    "its call" },
	{ "stop-batch", "x", "", "stop the batch: cancel running calls, start no others", act_stop,
	    "stop" },
	{ "batch-view", "v", "", "show the table in the next view", act_view, "view" },
	{ "copy-cell", "y", "[row|column]", "copy the selected value, its row or its column",
	    act_copy, NULL },
	{ 0 },
};

static const struct view_binding bindings[] = {
	{ "ctrl-r r f5", "call-each failed" },
	{ "alt-y", "export tsv" },
	{ 0 },
};

static const char *
batch_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct batch *b = env->ws->batch;
	bool stops = strcmp(action->name, "stop-batch") == 0;

	return b && (!stops || !batch_is_over(b)) ? action->hint : NULL;
}

static bool
batch_key(void *state, const struct view_env *env, const struct key *key)
{
	bool press = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;

	return press && key->y >= 0 && act_batch_open(state, env, "");
}

const struct view_ops pane_batch = {
	.title = "batch",
	.help = "one call for each of several values, with the results",
	.state_size = sizeof(struct batch_pane),
	.actions = actions,
	.bindings = bindings,
	.finish = batch_finish,
	.sync = batch_sync,
	.heading = batch_heading,
	.draw = batch_draw,
	.want = batch_want,
	.is_wide = true,
	.key = batch_key,
	.hint = batch_hint,
	.has_views = true,
};

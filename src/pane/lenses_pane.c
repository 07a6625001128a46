/* SPDX-License-Identifier: MIT */
#include "pane/pane.h"

#include "base/mem.h"
#include "client/lens.h"
#include "pane_text.h"
#include "view/rows.h"

#include <stdlib.h>
#include <string.h>

/*
 * The result shown, as each kind of client passes it to a model: a line per lens, and below them
 * the text that reaches the model through the selected lens. A job evaluates them for a large
 * result.
 */
#define LATER_BYTES ((size_t)256 << 10)

struct lenses_pane {
	struct rows rows;
	struct lens_view views[LENS_COUNT];
	bool looked;
	const struct server *server; /* the server and state of the call evaluated */
	uint64_t call;
	enum verdict_kind verdict;
	struct job *job;
	struct page page;
	size_t written; /* the lens on the page, from 1; 0: none */
};

struct lens_job {
	struct job job; /* first */
	struct lenses_pane *pane;
	struct json_doc *doc; /* of the result */
	struct lens_input in;
	char *tool, *arguments;
	struct lens_view views[LENS_COUNT];
};

static void
lens_job_run(struct job *job)
{
	struct lens_job *k = (struct lens_job *)job;

	lens_look(k->views, &k->in, job);
}

static void
lens_job_done(struct job *job)
{
	struct lens_job *k = (struct lens_job *)job;

	if (!job_is_stopped(job)) {
		lens_views_finish(k->pane->views);
		memcpy(k->pane->views, k->views, sizeof(k->views));
		k->pane->looked = true;
		k->pane->written = 0;
	} else {
		lens_views_finish(k->views);
	}
	result_finish(&k->in.result);
	json_doc_destroy(k->doc);
	free(k->tool);
	free(k->arguments);
	free(k);
}

static void
lenses_finish(void *state)
{
	struct lenses_pane *p = state;

	job_drop(&p->job);
	lens_views_finish(p->views);
	page_finish(&p->page);
}

static const struct call *
call_of(const struct view_env *env)
{
	const struct call *c = workspace_call(env->ws);

	return c && c->kind == PRIMITIVE_TOOL && c->state == CALL_DONE &&
		       c->verdict.kind != VERDICT_CHECKING
		   ? c
		   : NULL;
}

/* Evaluate the lenses. Called before drawing, so only while the pane is open. */
static void
update(struct lenses_pane *p, const struct view_env *env, const struct call *c)
{
	if (p->call == c->id && p->server == env->ws->server && p->verdict == c->verdict.kind)
		return;
	p->call = c->id;
	p->server = env->ws->server;
	p->verdict = c->verdict.kind;
	p->looked = false;
	p->written = 0;
	p->page.top = 0;
	list_set_count(&p->rows.list, LENS_COUNT);
	struct lens_job *k = mem_zalloc(sizeof(*k));
	*k = (struct lens_job){ .job = { .run = lens_job_run, .done = lens_job_done },
		.pane = p,
		.doc = json_doc_ref(c->doc),
		.tool = mem_strdup(c->key),
		.arguments = mem_strdup(c->arguments) };
	k->in.tool = k->tool;
	k->in.arguments = k->arguments;
	k->in.verdict = c->verdict.kind;
	lens_read_tool(&k->in, json_root(c->definition));
	result_init_of(&k->in.result, c->kind, k->doc, c->value);
	job_start(c->raw && c->raw->len >= LATER_BYTES ? env->jobs : NULL, &k->job, &p->job);
}

/* ---- drawing ---- */

enum { NAME_COLS = 26, BYTES_X = 34, TOKENS_X = 49, LOST_X = 51 };

static void
draw_lens(void *state, const struct view_env *env, struct surface s, int y, size_t i)
{
	const struct lens_view *v = &((struct lenses_pane *)state)->views[i];
	struct buf text = BUF_INIT;

	surface_text(s, 0, y, 1, style_of(v->failed ? ROLE_ERROR : ROLE_OK), v->failed ? "✗" : "✓");
	surface_text(s, 2, y, NAME_COLS - 2, style_of(ROLE_TEXT), lenses[i].title);
	surface_text_right(s, BYTES_X, y, 10, style_of(ROLE_NUMBER), pane_bytes(v->bytes).text);
	pane_add_tokens(&text, v->tokens);
	surface_text_right(s, TOKENS_X + 1, y, 15, style_of(ROLE_NUMBER), buf_text(&text));
	surface_text(s, LOST_X + 1, y, -1, style_of(v->lost.len > 0 ? ROLE_WARNING : ROLE_DIM),
	    v->lost.len > 0 ? buf_text(&v->lost) : "nothing");
	buf_finish(&text);
}

static void
write_page(struct lenses_pane *p)
{
	const struct lens *lens = &lenses[p->rows.list.selected];
	const struct lens_view *v = &p->views[p->rows.list.selected];

	if (p->written == p->rows.list.selected + 1)
		return;
	p->written = p->rows.list.selected + 1;
	page_clear(&p->page);
	page_row(&p->page, 8, "rule", ROLE_DIM, lens->rule);
	page_rowf(&p->page, 8, "source", ROLE_DIM, lens->date ? "%s (%s)" : "%s", lens->source,
	    lens->date);
	if (v->media > 0)
		page_row(&p->page, 8, "media", ROLE_DIM,
		    "pictures and sound cost tokens too; how many depends on the model");
	page_gap(&p->page);
	page_text(&p->page, 0, ROLE_TEXT, v->text.len > 0 ? buf_text(&v->text) : "(nothing)");
	if (v->bytes > LENS_TEXT_MAX)
		page_text(&p->page, 0, ROLE_HINT, "… only the first 64 KiB are shown");
}

static const struct row_ops row_ops = { .draw = draw_lens };

static void
lenses_draw(void *state, const struct view_env *env, struct surface s)
{
	struct lenses_pane *p = state;
	const struct call *c = call_of(env);

	if (!c) {
		pane_draw_text(s, 0, ROLE_HINT,
		    "Call a tool: this pane shows the part of its result that reaches a model "
		    "through each kind of client.");
		return;
	}
	int rows = s.height / 2 > 1 ? s.height / 2 : 1;
	rows = LENS_COUNT < rows ? LENS_COUNT : rows;
	list_set_height(&p->rows.list, rows);
	update(p, env, c);
	if (!p->looked) {
		pane_draw_text(s, 0, ROLE_HINT, "evaluating");
		return;
	}
	const struct lens *lens = &lenses[p->rows.list.selected];
	surface_text(s, 2, 0, NAME_COLS - 2, style_of(ROLE_COLUMN), "lens");
	surface_text_right(s, BYTES_X, 0, 8, style_of(ROLE_COLUMN), "reaches");
	surface_text_right(s, TOKENS_X + 1, 0, 12, style_of(ROLE_COLUMN), "estimate");
	surface_text(s, LOST_X + 1, 0, -1, style_of(ROLE_COLUMN), "lost");
	rows_draw(p, env, s, 1, rows);
	write_page(p);
	pane_draw_below(s, rows + 1, ROLE_DIM,
	    lens->reader == OUTPUT_PROGRAM ? "the program gets" : "the model gets", &p->page);
}

static enum role
lenses_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct call *c = call_of(env);

	buf_add_str(title, "lenses · the result as other clients see it");
	if (c)
		buf_add_str(facts, c->key);
	return ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_lens(void *state, const struct view_env *env, const char *name)
{
	struct lenses_pane *p = state;
	size_t i = 0;

	while (i < LENS_COUNT && strcmp(lenses[i].name, name) != 0)
		i++;
	if (i == LENS_COUNT && *name) {
		struct buf text = BUF_INIT;
		buf_add_str(&text, "no such lens:");
		for (size_t k = 0; k < LENS_COUNT; k++)
			buf_addf(&text, "%s %s", k > 0 ? "," : "", lenses[k].name);
		view_refuse(env, "%s", buf_text(&text));
		buf_finish(&text);
		return false;
	}
	list_set_count(&p->rows.list, LENS_COUNT);
	if (*name)
		list_select(&p->rows.list, i);
	p->rows.list.top = 0; /* list_set_height() moves it to the selection */
	return env->host->run(env->user, "pane lenses");
}

static void
lenses_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	struct lenses_pane *p = state;

	if (p->looked)
		buf_add(out, buf_text(&p->views[p->rows.list.selected].text),
		    p->views[p->rows.list.selected].text.len);
}

static const struct view_action actions[] = {
	{ "lens", "", "[NAME]", "show the result as this kind of client sees it", act_lens, NULL },
	{ "copy-lens", "y", "", "copy the model's part of the result, by this lens", pane_act_copy,
	    "copy" },
	{ 0 },
};

static bool
lenses_key(void *state, const struct view_env *env, const struct key *key)
{
	return page_key_below_list(&((struct lenses_pane *)state)->page, key);
}

static bool
lenses_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct lenses_pane *p = state;

	if (!p->looked)
		return false;
	*out = seek_page(&p->page);
	out->y = p->rows.list.height + 2;
	return true;
}

const struct view_ops pane_lenses = {
	.title = "lenses",
	.help = "the part of the result that reaches a model through each kind of client",
	.state_size = sizeof(struct lenses_pane),
	.actions = actions,
	.finish = lenses_finish,
	.heading = lenses_heading,
	.draw = lenses_draw,
	.key = lenses_key,
	.rows = &row_ops,
	.seek = lenses_seek,
	.copy = lenses_copy,
};

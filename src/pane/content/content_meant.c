#include "content.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Of one text, to recognize it. */
#define LOOK_TEXT ((size_t)16 << 10)
/* A longer text is laid out in a job; the texts of one frame together, too. */
#define AT_ONCE ((size_t)16 << 10)

/* ---- what a text is ---- */

static void
note(struct content *p, struct block_view *b, enum meant_kind kind)
{
	content_more(b)->meant.kind = kind;
	p->kinds[kind] = true;
	p->meant = (size_t)(b - p->blocks) + 1;
}

void
meant_recognize(
    struct content *p, struct block_view *b, const struct content_block *c, size_t *look_budget)
{
	size_t look = c->text_len < LOOK_TEXT ? c->text_len : LOOK_TEXT;
	struct buf json = BUF_INIT;

	if (!c->text || look == 0 || look > *look_budget || b->is_json)
		return;
	*look_budget -= look;
	enum meant_kind kind = meant_kind_of(c->mime, c->text, c->text_len);
	if (kind != MEANT_PLAIN) {
		bool (*may_hide)(const char *, size_t) = meant_looks[kind].may_hide;
		note(p, b, kind);
		p->raw = p->raw || (may_hide && c->text_len <= MEANT_MAX &&
				       may_hide(c->text, c->text_len));
		return;
	}
	if (c->text_len - look > *look_budget || !meant_format_json(c->text, c->text_len, &json))
		return;
	*look_budget -= c->text_len - look;
	struct meant *m = &content_more(b)->meant;
	m->json_len = json.len;
	m->json = buf_detach(&json);
	note(p, b, MEANT_JSON);
}

const char *
meant_word(const struct content *p)
{
	const char *word = NULL;

	if (p->raw && p->meant > 0)
		return "raw";
	for (enum meant_kind kind = 0; kind < MEANT_KINDS; kind++)
		if (p->kinds[kind])
			word = word ? "as meant" : meant_looks[kind].word;
	return word;
}

/* ---- the layout ---- */

struct text_layout {
	struct job job; /* first */
	struct content *content;
	struct meant *owner;
	enum meant_kind kind;
	char *text;
	size_t len;
	int width;
	struct rich rich;
	struct err trouble;
};

static void
run(struct job *job)
{
	struct text_layout *l = (struct text_layout *)job;

	meant_looks[l->kind].lay_out(l->text, l->len, l->width, job, &l->rich, &l->trouble);
}

static void
take(struct content *p, struct meant *m, struct rich *rich, int width, const struct err *trouble)
{
	rich_finish(&m->rich);
	m->rich = *rich;
	m->width = width;
	m->trouble = *trouble;
	p->links_in = p->links_in || rich->links.len > 0;
	p->shown++;
}

static void
done(struct job *job)
{
	struct text_layout *l = (struct text_layout *)job;

	if (job_is_stopped(job))
		rich_finish(&l->rich);
	else
		take(l->content, l->owner, &l->rich, l->width, &l->trouble);
	free(l->text);
	free(l);
}

static void
start(struct content *p, const struct view_env *env, struct block_view *b, int width)
{
	struct meant *m = &b->more->meant;
	struct text_layout *l = mem_zalloc(sizeof(*l));

	*l = (struct text_layout){ .content = p,
		.owner = m,
		.kind = m->kind,
		.text = mem_dup(b->text, b->text_len),
		.len = b->text_len,
		.width = width };
	l->job.run = run;
	l->job.done = done;
	m->width = width;
	job_start(env->jobs, &l->job, &m->job);
}

void
meant_finish(struct meant *m)
{
	job_drop(&m->job);
	rich_finish(&m->rich);
	free(m->json);
}

bool
meant_lay_out(struct content *p, const struct view_env *env, int width, bool is_guess)
{
	size_t budget = AT_ONCE;

	for (size_t i = 0; !p->raw && i < p->meant; i++) {
		struct block_view *b = &p->blocks[i];
		struct meant *m = b->more ? &b->more->meant : NULL;
		struct rich rich = { 0 };
		struct err trouble = { "" };
		if (!m || !meant_looks[m->kind].lay_out || m->width == width ||
		    (is_guess && m->width > 0))
			continue;
		if (b->text_len > AT_ONCE) {
			start(p, env, b, width);
			continue;
		}
		if (b->text_len > budget)
			return false;
		budget -= b->text_len;
		meant_looks[m->kind].lay_out(b->text, b->text_len, width, NULL, &rich, &trouble);
		take(p, m, &rich, width, &trouble);
	}
	return true;
}

const struct rich *
meant_rich(const struct block_view *b)
{
	const struct meant *m = b->more ? &b->more->meant : NULL;

	return m && !m->raw && m->rich.rows.len > 0 ? &m->rich : NULL;
}

void
meant_show(struct content *p)
{
	for (size_t i = 0; i < p->meant; i++)
		if (p->blocks[i].more)
			p->blocks[i].more->meant.raw = p->raw;
	p->shown++;
}

bool
act_as_meant(void *state, const struct view_env *env, const char *arg)
{
	struct content *p = state;

	if (p->meant == 0) {
		env->host->say(
		    env->user, ROLE_WARNING, "this is plain text, which is shown as it is");
		return false;
	}
	p->raw = p->wants_raw = !p->raw;
	meant_show(p);
	content_first_link(p);
	return true;
}

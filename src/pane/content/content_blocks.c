/* SPDX-License-Identifier: MIT */
#include "content.h"

#include "base/mem.h"
#include "base/vec.h"
#include "pane/pane_text.h"
#include "pane/tools/tools.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_TEXT ((size_t)16 << 10) /* bytes of one text examined to recognize it */
#define AT_ONCE ((size_t)16 << 10)   /* bytes laid out per frame; a longer text in a job */
#define PICTURE_ROWS 12              /* of one picture, if the pane shares the screen */
#define FACT_ROWS 2                  /* above a picture: its facts and a note */

/* ---- rendered texts ---- */

static void
set_kind(struct content *p, struct block_view *b, enum meant_kind kind)
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
		set_kind(p, b, kind);
		p->raw = p->raw ||
			 (may_hide && c->text_len <= MEANT_MAX && may_hide(c->text, c->text_len));
		return;
	}
	if (c->text_len - look > *look_budget || !meant_format_json(c->text, c->text_len, &json))
		return;
	*look_budget -= c->text_len - look;
	struct meant *m = &content_more(b)->meant;
	m->json_len = json.len;
	m->json = buf_detach(&json);
	set_kind(p, b, MEANT_JSON);
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
lay_out_text(struct job *job)
{
	struct text_layout *l = (struct text_layout *)job;

	meant_looks[l->kind].lay_out(l->text, l->len, l->width, job, &l->rich, &l->trouble);
}

static void
set_layout(
    struct content *p, struct meant *m, struct rich *rich, int width, const struct err *trouble)
{
	rich_finish(&m->rich);
	m->rich = *rich;
	m->width = width;
	m->trouble = *trouble;
	p->links_in = p->links_in || rich->links.len > 0;
	p->shown++;
}

static void
on_text_laid_out(struct job *job)
{
	struct text_layout *l = (struct text_layout *)job;

	if (job_is_stopped(job))
		rich_finish(&l->rich);
	else
		set_layout(l->content, l->owner, &l->rich, l->width, &l->trouble);
	free(l->text);
	free(l);
}

/* Lay out the texts that have no layout for this width. Return false if the next frame has to
 * continue. is_guess: the width can change, so a layout for any width will do. */
static bool
lay_out_texts(struct content *p, const struct view_env *env, int width, bool is_guess)
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
			struct text_layout *l = mem_zalloc(sizeof(*l));
			*l = (struct text_layout){
				.job = { .run = lay_out_text, .done = on_text_laid_out },
				.content = p,
				.owner = m,
				.kind = m->kind,
				.text = mem_dup(b->text, b->text_len),
				.len = b->text_len,
				.width = width,
			};
			m->width = width;
			job_start(env->jobs, &l->job, &m->job);
			continue;
		}
		if (b->text_len > budget)
			return false;
		budget -= b->text_len;
		meant_looks[m->kind].lay_out(b->text, b->text_len, width, NULL, &rich, &trouble);
		set_layout(p, m, &rich, width, &trouble);
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

/* ---- the lines of a block: its facts, an error, a note, the picture, the text ---- */

const char *
content_facts(const struct block_view *b)
{
	return b->more && b->more->facts ? b->more->facts : "";
}

struct block_more *
content_more(struct block_view *b)
{
	if (b->more)
		return b->more;
	b->more = mem_zalloc(sizeof(*b->more));
	wrap_init(&b->more->facts_wrap);
	return b->more;
}

const char *
content_text(const struct block_view *b, size_t *len)
{
	const struct meant *m = b->more && !b->more->meant.raw ? &b->more->meant : NULL;
	bool is_rich = meant_rich(b) != NULL;

	*len = is_rich ? m->rich.text.len : m && m->json ? m->json_len : b->text_len;
	return is_rich ? buf_text(&m->rich.text) : m && m->json ? m->json : b->text;
}

static size_t
facts_lines(struct block_view *b, int width)
{
	const char *facts = content_facts(b);

	if (!*facts)
		return 0;
	wrap_set(&b->more->facts_wrap, facts, strlen(facts), width);
	wrap_work(&b->more->facts_wrap, SIZE_MAX, SIZE_MAX);
	return wrap_rows(&b->more->facts_wrap);
}

/* Rows of the image or the waveform. */
static int
picture_rows(const struct content *p, const struct block_view *b, int width)
{
	if (!b->more)
		return 0;
	return pane_picture_rows(&b->more->picture, width, p->picture_rows) +
	       pane_audio_rows(&b->more->audio);
}

/* Return why the image is not drawn or the text not laid out, or "". */
static const char *
trouble_of(const struct block_view *b)
{
	if (!b->more)
		return "";
	const struct err *troubles[] = { &b->more->picture.trouble, &b->more->audio.trouble,
		&b->more->meant.trouble };
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(troubles) && !troubles[i]->text[0])
		i++;
	return troubles[i]->text;
}

/* Return another fact about the image or audio, or "". */
static const char *
note_of(const struct block_view *b)
{
	if (!b->more)
		return "";
	return b->more->audio.note[0] ? b->more->audio.note : b->more->picture.note;
}

size_t
content_block_lines(const struct content *p, struct block_view *b, int width, size_t *budget)
{
	size_t len, lines = facts_lines(b, width);
	const char *text = content_text(b, &len);
	const struct rich *rich = meant_rich(b);

	lines += (b->problem[0] != '\0') + (*trouble_of(b) != '\0') + (*note_of(b) != '\0');
	lines += (size_t)picture_rows(p, b, width);
	if (b->text && rich) {
		lines += rich->rows.len;
	} else if (b->text) {
		wrap_set(&b->wrap, text, len, width);
		size_t before = b->wrap.at;
		if (*budget > 0)
			wrap_work(&b->wrap, SIZE_MAX, *budget);
		size_t used = b->wrap.at - before;
		*budget -= used < *budget ? used : *budget;
		lines += wrap_rows(&b->wrap);
	}
	return lines ? lines : 1;
}

/* Draw the text; `skip` rows are above s. Return the rows drawn. */
static int
draw_text(struct block_view *b, struct surface s, size_t skip, uint32_t link)
{
	const struct rich *rich = meant_rich(b);
	size_t rows = rich ? rich->rows.len : wrap_rows(&b->wrap);
	size_t left = rows > skip ? rows - skip : 0;
	struct surface at =
	    surface_sub(s, 0, 0, s.width, left < (size_t)s.height ? (int)left : s.height);

	if (rich)
		rich_draw(rich, at, skip, link);
	else if (b->is_json || (b->more && b->more->meant.json && !b->more->meant.raw))
		view_json_rows(&b->wrap, at, skip);
	else
		wrap_draw(&b->wrap, at, style_of(ROLE_TEXT), skip);
	return at.height;
}

/* Draw the visible part of a block: `skip` lines are above s. link: the selected one in it. Return
 * the next row. */
static int
draw_block(const struct content *p, struct block_view *b, struct surface s, int y, size_t skip,
    uint32_t link)
{
	size_t line = facts_lines(b, s.width);
	int start = y;

	if (line > skip)
		y += wrap_draw(&b->more->facts_wrap, surface_sub(s, 0, y, s.width, s.height - y),
		    style_of(ROLE_DIM), skip);
	if (b->problem[0] && line++ >= skip)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", b->problem);
	if (*trouble_of(b) && line++ >= skip)
		surface_text(s, 0, y++, -1, style_of(ROLE_WARNING), trouble_of(b));
	if (*note_of(b) && line++ >= skip)
		surface_text(s, 0, y++, -1, style_of(ROLE_DIM), note_of(b));
	size_t picture = (size_t)picture_rows(p, b, s.width);
	if (picture > 0 && line + picture > skip) {
		int above = skip > line ? (int)(skip - line) : 0;
		struct surface at = surface_sub(s, 0, y, s.width, s.height - y);
		pane_picture_draw(&b->more->picture, at, s.width, p->picture_rows, above);
		pane_audio_draw(&b->more->audio, at, above);
		y += (int)picture - above;
	}
	line += picture;
	if (b->text && y < s.height)
		y += draw_text(b, surface_sub(s, 0, y, s.width, s.height - y),
		    skip > line ? skip - line : 0, link);
	return y > start ? y : y + 1;
}

/* Load the next image or audio of the result. Return false if there are no more. */
static bool
load_next_media(struct content *p, const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);

	while (call && call->id == p->call && p->looked_at < call->result.len) {
		size_t at = p->looked_at++;
		const struct content_block *c = &call->result.blocks[at];
		if (!c->data)
			continue;
		if (pane_audio_is(c))
			pane_audio_load(&p->blocks[at].more->audio, env, c);
		else
			pane_picture_load(&p->blocks[at].more->picture, env, c->data, c->data_len);
		return true;
	}
	return false;
}

/* Write the lines above the blocks. */
static void
write_notices(struct page *page, const struct call *call)
{
	const struct result *r = &call->result;

	if (call->late_us > 0) {
		struct buf text = BUF_INIT;
		buf_add_str(&text, "late reply: it came ");
		pane_add_duration(&text, call->late_us);
		buf_add_str(&text, " after the request had timed out");
		page_text(page, 0, ROLE_WARNING, buf_text(&text));
		buf_finish(&text);
	}
	if (r->is_error)
		page_text(page, 0, ROLE_ERROR, "✗ isError: the tool reports that it failed");
	if (r->is_error && call_explain(call))
		page_text(page, 0, ROLE_WARNING, call_state_help(call));
	if (r->problem[0])
		page_mark_row(page, 2, ROLE_ERROR, "✗", ROLE_ERROR, r->problem);
	if (r->content == JSON_ABSENT)
		page_text(page, 0, ROLE_WARNING, primitive_words[call->kind].absent);
	else if (r->content == JSON_ARRAY && r->len == 0)
		page_text(page, 0, ROLE_DIM, primitive_words[call->kind].empty);
	if (r->description)
		page_text(page, 0, ROLE_DIM, r->description);
	for (size_t i = 0; i < call->server_requests.len; i++)
		page_mark_row(page, sizeof("asked for"), ROLE_WARNING, "asked for", ROLE_WARNING,
		    call->server_requests.items[i]);
}

/* Draw the blocks from a row of s on. */
static void
draw_blocks(struct content *p, const struct view_env *env, struct surface s, int from)
{
	struct surface labels = surface_sub(s, 0, from, s.width, s.height - from);
	struct surface body =
	    surface_sub(labels, p->label_cols, 0, labels.width - p->label_cols, labels.height);
	int alone = body.height - FACT_ROWS;
	uint64_t before = p->shown;
	size_t budget = WRAP_SLICE;

	/* The next frame asks for the rows of this width. */
	s.grid->unfinished = s.grid->unfinished || p->pane_width != s.width;
	p->pane_width = s.width;
	p->width = body.width;
	p->height = body.height;
	p->blocks_y = from;
	p->lines = 0;
	p->picture_rows = env->alone && alone > PICTURE_ROWS ? alone : PICTURE_ROWS;
	bool laid_out = lay_out_texts(p, env, body.width, false);
	for (size_t i = 0; i < p->len; i++)
		p->lines += content_block_lines(p, &p->blocks[i], body.width, &budget);
	bool loaded = load_next_media(p, env);
	s.grid->unfinished =
	    s.grid->unfinished || budget == 0 || loaded || !laid_out || p->shown != before;
	if (p->back.from > 0 && p->back.from == p->call) {
		p->top = p->back.top; /* again when pictures have added their rows */
		if (p->lines >= p->top + (size_t)body.height)
			p->back.from = 0;
	}
	size_t last = p->lines > (size_t)body.height ? p->lines - (size_t)body.height : 0;
	p->top = p->top < last ? p->top : last;
	size_t skip = p->top;
	int row = 0;
	for (size_t i = 0; i < p->len && row < body.height; i++) {
		size_t lines = content_block_lines(p, &p->blocks[i], body.width, &budget);
		int first = row;
		if (skip == 0)
			surface_text(labels, 0, row, p->label_cols - 1, style_of(ROLE_COLUMN),
			    p->blocks[i].label);
		if (skip < lines)
			row = draw_block(p, &p->blocks[i], body, row, skip,
			    i == p->link && env->focused ? p->link_in : 0);
		if (skip == 0 && p->blocks[i].uri)
			surface_spot(s, -1, from + first);
		if (skip == 0 && i == p->link && p->link_in == 0 && env->focused)
			surface_select_row(s, from + first, true);
		skip -= skip < lines ? skip : lines;
	}
	surface_scrollbar(s, env->focused, p->lines, p->top);
}

void
content_draw(void *state, const struct view_env *env, struct surface s)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	if (call && call->state == CALL_RUNNING) {
		call_state_draw_running(env, s);
		return;
	}
	if (!call || call->state != CALL_DONE) {
		page_draw(&p->state, s, ROLE_NONE, env->focused);
		return;
	}
	struct page notices = { 0 };
	write_notices(&notices, call);
	int rows = (int)page_rows(&notices, s.width);
	if (rows > s.height - 1 && call->result.len > 0)
		rows = s.height - 1; /* for the blocks */
	struct surface head = surface_sub(s, 0, 0, s.width, rows > 0 ? rows : 0);
	page_draw(&notices, head, ROLE_NONE, false);
	page_finish(&notices);
	draw_blocks(p, env, s, head.height);
}

int
content_want(void *state, const struct view_env *env, int width)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	size_t lines = 0, budget = WRAP_SLICE;
	struct page notices = { 0 };

	if (call && call->state == CALL_RUNNING)
		return call_state_running_rows(env, width);
	if (!call || call->state != CALL_DONE)
		return (int)page_rows(&p->state, width);
	p->picture_rows = PICTURE_ROWS;
	/* A text wrapped here for another width would be wrapped twice per frame. */
	width = p->pane_width > 0 ? p->pane_width : width;
	lay_out_texts(p, env, width - p->label_cols, true);
	for (size_t i = 0; i < p->len && lines < 100; i++)
		lines += p->blocks[i].text_len > 100000 ? 100
							: content_block_lines(p, &p->blocks[i],
							      width - p->label_cols, &budget);
	write_notices(&notices, call);
	lines += page_rows(&notices, width);
	page_finish(&notices);
	return (int)lines;
}

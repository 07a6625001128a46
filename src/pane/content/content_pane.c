/* SPDX-License-Identifier: MIT */
#include "content.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/lens.h"
#include "client/notices.h"
#include "data/text_data.h"
#include "json/number.h"
#include "json/print.h"
#include "mcp/primitive.h"
#include "pane/pane_text.h"
#include "pane/tools/tools.h"

#include <stdlib.h>
#include <string.h>

#define LABEL_COLS 24
#define LOOK_BLOCKS 8 /* examined for data, up to LOOK_BYTES of each */
#define LOOK_BYTES ((size_t)64 << 10)
#define COLOR_MAX ((size_t)256 << 10) /* bytes of JSON that is colored */
#define MALFORMED_MAX ((size_t)256 << 10)
#define MEANT_LOOK ((size_t)512 << 10) /* bytes of a result examined to recognize its texts */
#define LOOK_TEXT ((size_t)16 << 10)   /* bytes of one of them */
#define AT_ONCE ((size_t)16 << 10)     /* bytes laid out per frame; a longer text in a job */
#define PICTURE_ROWS 12                /* of one picture, if the pane shares the screen */
#define FACT_ROWS 2                    /* above a picture: its facts and a note */

static struct block_more *
content_more(struct block_view *b)
{
	if (!b->more)
		b->more = mem_zalloc(sizeof(*b->more));
	return b->more;
}

/* Return the facts of a block, or "". */
static const char *
content_facts(const struct block_view *b)
{
	return b->more && b->more->facts ? b->more->facts : "";
}

/* ---- rendered texts ---- */

/* Set how the text of the block is rendered. */
static void
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
		p->raw = p->raw ||
			 (may_hide && c->text_len <= MEANT_MAX && may_hide(c->text, c->text_len));
	} else {
		if (c->text_len - look > *look_budget ||
		    !meant_format_json(c->text, c->text_len, &json))
			return;
		*look_budget -= c->text_len - look;
		kind = MEANT_JSON;
		struct meant *m = &content_more(b)->meant;
		m->json_len = json.len;
		m->json = buf_detach(&json);
	}
	content_more(b)->meant.kind = kind;
	p->kinds[kind] = true;
	p->meant = (size_t)(b - p->blocks) + 1;
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

static const char *
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
	return pane_picture_rows(&b->more->picture, width, p->picture_rows, NULL) +
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
	if (!b->text || y >= s.height)
		return y > start ? y : y + 1;
	const struct rich *rich = meant_rich(b);
	size_t rows = rich ? rich->rows.len : wrap_rows(&b->wrap);
	skip -= skip < line ? skip : line;
	rows -= skip < rows ? skip : rows;
	int height = rows < (size_t)(s.height - y) ? (int)rows : s.height - y;
	struct surface text = surface_sub(s, 0, y, s.width, height);
	if (rich)
		rich_draw(rich, text, skip, link);
	else if (b->is_json || (b->more && b->more->meant.json && !b->more->meant.raw))
		view_json_rows(&b->wrap, text, skip);
	else
		wrap_draw(&b->wrap, text, style_of(ROLE_TEXT), skip);
	y += text.height;
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

	if (call->late_us > 0)
		page_textf(page, 0, ROLE_WARNING,
		    "late reply: it came %s after the request had timed out",
		    pane_duration(call->late_us).text);
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

static void
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

static int
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

/* ---- the blocks of a result ---- */

static int
applies(const struct view_env *env)
{
	return !workspace_shows_app(env->ws);
}

static void
drop(struct content *p)
{
	for (size_t i = 0; i < p->len; i++) {
		struct block_more *more = p->blocks[i].more;
		wrap_finish(&p->blocks[i].wrap);
		if (!more)
			continue;
		wrap_finish(&more->facts_wrap);
		pane_picture_finish(&more->picture);
		pane_audio_finish(&more->audio);
		job_drop(&more->meant.job);
		rich_finish(&more->meant.rich);
		free(more->meant.json);
		free(more->facts);
		free(more->text);
		free(more);
	}
	free(p->blocks);
	p->blocks = NULL;
	p->len = p->looked_at = p->top = p->meant = 0;
	p->bytes = p->tokens = p->blob_bytes = 0;
	p->label_cols = 0;
	p->may_be_data = p->has_audio = p->links_in = false;
	p->link = NO_LINK;
	p->link_in = 0;
	p->raw = p->wants_raw;
	memset(p->kinds, 0, sizeof(p->kinds));
	p->shown++;
}

static void
content_pane_finish(void *state)
{
	struct content *p = state;

	drop(p);
	page_finish(&p->state);
}

static void
add_fact(struct buf *out, const char *before, const char *fact)
{
	if (fact)
		buf_addf(out, "%s%s%s", out->len ? " · " : "", before, fact);
}

static void
add_content_value(struct buf *out, const char *before, const cJSON *value)
{
	struct buf text = BUF_INIT;

	if (value) {
		json_print_brief(&text, value, 60);
		add_fact(out, before, buf_text(&text));
	}
	buf_finish(&text);
}

/* Append "for user and assistant"; anything but an array of strings is shown raw. */
static void
add_audience(struct buf *out, const cJSON *audience)
{
	bool names = json_first(audience) != NULL;

	for (const cJSON *a = json_first(audience); a; a = a->next)
		names = names && cJSON_GetStringValue(a);
	if (!names) {
		add_content_value(out, "for ", audience);
		return;
	}
	for (const cJSON *a = json_first(audience); a; a = a->next) {
		if (a == json_first(audience))
			add_fact(out, "for ", "");
		else
			buf_add_str(out, " and ");
		label_add(out, cJSON_GetStringValue(a));
	}
}

static void
describe_block(const struct content_block *c, struct buf *out)
{
	double priority = c->priority ? c->priority->valuedouble : 0.5;
	size_t size;

	add_fact(out, "", c->mime);
	if (c->data)
		add_fact(out, "", pane_bytes(c->decoded_bytes).text);
	if (c->size && json_number_to_size(c->size, SIZE_MAX, &size))
		add_fact(out, "size ", pane_bytes(size).text);
	else
		add_content_value(out, "size ", c->size);
	add_fact(out, "", c->title ? c->title : c->name);
	add_fact(out, "", c->uri);
	add_fact(out, "", c->description);
	add_audience(out, c->audience);
	add_content_value(out, "priority ", c->priority);
	buf_add_str(out, priority == 1                  ? " (required)"
			 : priority == 0                ? " (optional)"
			 : priority > 0 && priority < 1 ? ""
							: " (not from 0 to 1)");
	add_fact(out, "modified ", c->last_modified);
}

/* The call owns the text and lives until the next sync. */
static void
view_block(struct block_view *b, const struct content_block *c)
{
	struct buf facts = BUF_INIT, text = BUF_INIT;

	if (c->role && c->kind != CONTENT_TEXT)
		add_fact(&facts, "", content_kind_names[c->kind]);
	describe_block(c, &facts);
	b->label = c->role ? c->role : content_kind_names[c->kind];
	b->uri = c->readable ? c->uri : NULL;
	b->problem = c->problem ? c->problem : "";
	if (c->text) {
		b->text = c->text;
		b->text_len = c->text_len;
		/* JSON with one token per line can be colored without changing a byte. */
		if (c->text_len >= 3 && c->text_len <= COLOR_MAX && strchr("{[", c->text[0]) &&
		    c->text[1] == '\n') {
			struct json_doc *doc = json_parse(c->text, c->text_len, NULL, NULL);
			b->is_json = doc != NULL;
			json_doc_destroy(doc);
		}
	} else if (c->kind == CONTENT_UNKNOWN) {
		json_print_pretty(&text, c->block, 2);
		b->text_len = text.len;
		b->text = content_more(b)->text = buf_detach(&text);
		b->is_json = true;
	}
	if (facts.len > 0 || c->data)
		content_more(b)->facts = buf_detach(&facts);
	buf_finish(&facts);
}

/* Return the invalid member content, or the result if it has none; NULL if it is valid. */
static const cJSON *
malformed(const struct call *call)
{
	const struct result *r = &call->result;

	if (r->content == JSON_ARRAY || (r->content == JSON_ABSENT && r->structured))
		return NULL;
	return r->content == JSON_ABSENT
		   ? call->value
		   : json_get(call->value, primitive_words[call->kind].member);
}

/* Guess for the bottom bar whether a text is data: JSON, or the second line of a table. */
static bool
may_be_data(const struct content_block *c)
{
	static const char *const marks[] = { "|-", "| -", "|:", "| :" };
	size_t len = c->text_len < LOOK_BYTES ? c->text_len : LOOK_BYTES;
	bool may = text_data_begins_json(c->text, len);

	for (size_t i = 0; i < ARRAY_LEN(marks) && !may; i++)
		may = memmem(c->text, len, marks[i], strlen(marks[i])) != NULL;
	return may;
}

/* Estimate the tokens of all texts from the first ones. */
static size_t
count_tokens(const struct result *r, size_t bytes)
{
	enum { LOOKED_AT = 512 << 10 };
	size_t tokens = 0, looked = 0;

	for (size_t i = 0; i < r->len && looked < LOOKED_AT; i++)
		if (r->blocks[i].text) {
			tokens += tokens_estimate_soon(r->blocks[i].text, r->blocks[i].text_len);
			looked += r->blocks[i].text_len;
		}
	return looked < bytes ? (size_t)((double)tokens * (double)bytes / (double)looked) : tokens;
}

static void
content_sync(void *state, const struct view_env *env)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;

	page_clear(&p->state);
	if (!call || (call->state != CALL_DONE && call->state != CALL_RUNNING))
		call_state_write(&p->state, env);
	if (id == p->call && call_state == p->call_state)
		return;
	drop(p);
	p->call = id;
	p->call_state = call_state;
	if (!call || call->state != CALL_DONE)
		return;
	size_t look_budget = MEANT_LOOK;
	const cJSON *odd = malformed(call);
	p->len = call->result.len + (odd != NULL);
	p->blocks = mem_zalloc(p->len * sizeof(*p->blocks));
	if (odd) {
		struct block_view *b = p->blocks;
		struct buf text = BUF_INIT;
		b->is_json = call->raw->len <= MALFORMED_MAX;
		if (b->is_json)
			json_print_pretty(&text, odd, 2);
		else
			buf_add_str(&text, "too long: w shows it in the journal");
		b->label = call->result.content == JSON_ABSENT ? "result"
							       : primitive_words[call->kind].member;
		b->problem = "";
		b->text_len = text.len;
		b->text = content_more(b)->text = buf_detach(&text);
	}
	for (size_t i = 0; i < p->len; i++) {
		if (!odd) {
			view_block(&p->blocks[i], &call->result.blocks[i]);
			meant_recognize(p, &p->blocks[i], &call->result.blocks[i], &look_budget);
			p->bytes += call->result.blocks[i].text_len;
			p->may_be_data =
			    p->may_be_data || (i < LOOK_BLOCKS && call->kind == PRIMITIVE_TOOL &&
						  call->result.blocks[i].text &&
						  may_be_data(&call->result.blocks[i]));
			p->blob_bytes += call->result.blocks[i].decoded_bytes;
			p->has_audio = p->has_audio || pane_audio_is(&call->result.blocks[i]);
		}
		int cols = (int)strlen(p->blocks[i].label) + 3;
		cols = cols < LABEL_COLS ? cols : LABEL_COLS;
		p->label_cols = cols > p->label_cols ? cols : p->label_cols;
	}
	p->tokens = count_tokens(&call->result, p->bytes);
	meant_show(p);
	content_first_link(p);
	if (p->back.from == p->call) {
		p->link = p->back.link;
		p->link_in = p->back.link_in;
	}
}

/* Append which of several calls is shown, and how many others run. */
static void
add_others(const struct view_env *env, const struct call *call, struct buf *facts)
{
	size_t count = 0, at = 0, running = 0;

	for (size_t i = 0; call && i < server_info(env->ws->server)->calls; i++) {
		const struct call *c = server_call_at(env->ws->server, i);
		if (c->kind != call->kind || strcmp(c->key, call->key) != 0)
			continue;
		count++;
		at = c == call ? count : at;
		running += c != call && c->state == CALL_RUNNING;
	}
	if (count < 2)
		return;
	buf_addf(facts, "%scall %zu of %zu H", facts->len > 0 ? " · " : "", at, count);
	if (running > 0)
		buf_addf(facts, " · %zu more running", running);
}

static enum role
content_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	struct caching caching = { 0 };

	if (!content_can_go_back(p))
		buf_add_str(title, primitive_words_of(env)->title);
	for (int i = 0; i < p->trail_len && content_can_go_back(p); i++) {
		const struct call *c = server_find_call(env->ws->server, p->trail[i].from);
		if (c)
			buf_addf(title, "%s ▸ ", c->uri ? c->uri : c->key);
	}
	if (call && call->is_past) {
		buf_add_str(facts, "past call, ");
		pane_add_age(facts, env->now_us - call->started_us);
		buf_add_str(facts, call->state == CALL_DONE ? " old · " : " old");
	}
	if (!call || call->state != CALL_DONE) {
		add_others(env, call, facts);
		return ROLE_DIM;
	}
	if (call->uri)
		buf_addf(title, "%s%s", content_can_go_back(p) ? "" : " ▸ ", call->uri);
	if (call->uri && server_watch_changed(env->ws->server, call->uri)) {
		buf_add_str(facts, "changed on the server · F5 reads it again");
		return ROLE_WARNING;
	}
	if (meant_word(p))
		buf_addf(facts, "%s · ", meant_word(p));
	units_add_counted(facts, call->result.len, "block");
	buf_addf(facts, " · %s", pane_bytes(p->bytes + (call->uri ? p->blob_bytes : 0)).text);
	if (!call->uri && p->blob_bytes > 0)
		buf_addf(facts, " + %s media", pane_bytes(p->blob_bytes).text);
	caching_read(&caching, call->value);
	buf_add_str(facts, caching.is_said ? " · " : "");
	caching_describe(&caching, facts);
	if (!call->uri || p->blob_bytes == 0) {
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, p->tokens);
	}
	add_others(env, call, facts);
	return ROLE_DIM;
}

/* ---- search: a place is a byte of the blocks, of each its facts and then its text ---- */

static size_t
block_bytes(const struct block_view *b)
{
	size_t len;

	content_text(b, &len);
	return strlen(content_facts(b)) + len + 1;
}

/* Find the block of a position and make the position relative to it. */
static struct block_view *
block_at(const struct content *p, size_t *at)
{
	size_t i = 0;

	for (; i < p->len && *at >= block_bytes(&p->blocks[i]); i++)
		*at -= block_bytes(&p->blocks[i]);
	return i < p->len ? &p->blocks[i] : NULL;
}

static enum seek_result
seek_in_blocks(const struct seekable *s, const struct substring *n, size_t *at)
{
	struct content *p = s->of;
	size_t in = *at;
	struct block_view *b = block_at(p, &in);

	if (!b)
		return SEEK_DONE;
	size_t start = *at - in, facts = strlen(content_facts(b));
	size_t found =
	    in < facts ? substring_find(n, content_facts(b) + in, facts - in) : SUBSTRING_NONE;
	if (found != SUBSTRING_NONE) {
		*at = start + in + found;
		return SEEK_FOUND;
	}
	in = in > facts ? in - facts : 0;
	struct wrap shown = { 0 }; /* the search needs only the bytes */
	shown.text = content_text(b, &shown.len);
	struct seekable text = seek_wrap(&shown, &p->top, p->height, 0);
	enum seek_result result = b->text ? text.seek(&text, n, &in) : SEEK_DONE;
	*at = result == SEEK_DONE ? start + block_bytes(b) : start + facts + in;
	return result == SEEK_DONE ? SEEK_MORE : result;
}

static size_t
line_of(const struct seekable *s, size_t at)
{
	struct content *p = s->of;
	struct block_view *b = block_at(p, &at);
	size_t line = 0, budget = WRAP_SLICE, facts = b ? strlen(content_facts(b)) : 0;

	for (struct block_view *before = p->blocks; b && before < b; before++)
		line += content_block_lines(p, before, p->width, &budget);
	if (b && at < facts)
		return line + wrap_row_of(&b->more->facts_wrap, at);
	const struct rich *rich = b ? meant_rich(b) : NULL;
	if (rich)
		line += content_block_lines(p, b, p->width, &budget) - rich->rows.len +
			rich_row_of(rich, at - facts);
	else if (b && b->text)
		line += content_block_lines(p, b, p->width, &budget) - wrap_rows(&b->wrap) +
			wrap_row_of(&b->wrap, at - facts);
	return line;
}

static size_t
place_in_sight(const struct seekable *s)
{
	const struct content *p = s->of;
	size_t line = 0, at = 0, budget = WRAP_SLICE;

	for (size_t i = 0; i < p->len; i++) {
		line += content_block_lines(p, &p->blocks[i], p->width, &budget);
		if (line > p->top)
			break;
		at += block_bytes(&p->blocks[i]);
	}
	return at;
}

static bool
content_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	*out = seek_page(&p->state);
	if (call && call->state == CALL_DONE)
		*out = (struct seekable){
			.of = p,
			.version = p->call + (p->shown << 32),
			.seek = seek_in_blocks,
			.show = seek_show_row,
			.place = place_in_sight,
			.row = seek_y_of,
			.row_of = line_of,
			.top = &p->top,
			.height = p->height,
			.y = p->blocks_y,
		};
	return true;
}

static bool
content_key(void *state, const struct view_env *env, const struct key *key)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	p->back.from = 0; /* the user scrolls now */
	if (key->kind == KEY_ESCAPE && content_can_go_back(p)) {
		p->back = p->trail[--p->trail_len];
		call = server_find_call(env->ws->server, p->back.from);
		if (call)
			workspace_select_call(env->ws, call);
		else
			view_refuse(env, "the result with the link is gone");
		return true;
	}
	if (!call || call->state != CALL_DONE)
		return page_key(&p->state, key);
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		content_press(p, env, key->x, key->y);
		return true;
	}
	return pane_scroll_key(&p->top, p->lines, key);
}

/* Copy the text of the block at the top of the screen, or of the next block with a text. */
static void
content_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	const struct call *call = workspace_call(env->ws);
	size_t at = content_block_in_sight(state);

	if (!call || call->state != CALL_DONE)
		return;
	while (at < call->result.len && !call->result.blocks[at].text)
		at++;
	if (at < call->result.len)
		buf_add(out, call->result.blocks[at].text, call->result.blocks[at].text_len);
}

const struct view_ops pane_content = {
	.title = "content",
	.help = "the content blocks of the result, which a model reads",
	.state_size = sizeof(struct content),
	.actions = content_actions,
	.serves = applies,
	.finish = content_pane_finish,
	.sync = content_sync,
	.want = content_want,
	.heading = content_heading,
	.draw = content_draw,
	.key = content_key,
	.copy = content_copy,
	.is_open = content_can_go_back,
	.seek = content_seek,
	.hint = content_hint,
};

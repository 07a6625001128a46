#include "content.h"

#include "pane/tools/tools.h"
#include "pane/pane_text.h"
#include "base/mem.h"
#include "base/vec.h"
#include "view/view.h"

#include <string.h>

/* ---- lines: an error line, then for each block a head (unless it is bare text) and its text ----
 */

/* Of one picture, if the pane shares the screen with others. */
#define PICTURE_ROWS 12
#define FACT_ROWS 2 /* above a picture: its facts and a note */

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

/* Of the image or the waveform. */
static int
picture_rows(const struct content *p, const struct block_view *b, int width)
{
	if (!b->more)
		return 0;
	return pane_picture_rows(&b->more->picture, width, p->picture_rows) +
	       pane_audio_rows(&b->more->audio);
}

/* Why the image is not drawn, or the text not laid out; "" if it is. */
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

/* Another fact about the image; "" for none. */
static const char *
note_of(const struct block_view *b)
{
	if (!b->more)
		return "";
	return b->more->audio.note[0] ? b->more->audio.note : b->more->picture.note;
}

static size_t
text_lines(struct block_view *b, int width, size_t *budget)
{
	size_t len;
	const char *text = content_text(b, &len);

	if (meant_rich(b))
		return meant_rich(b)->rows.len;
	wrap_set(&b->wrap, text, len, width);
	size_t before = b->wrap.at;
	if (*budget > 0)
		wrap_work(&b->wrap, SIZE_MAX, *budget);
	size_t used = b->wrap.at - before;
	*budget -= used < *budget ? used : *budget;
	return wrap_rows(&b->wrap);
}

size_t
content_block_lines(const struct content *p, struct block_view *b, int width, size_t *budget)
{
	size_t lines = facts_lines(b, width);

	lines += (b->problem[0] != '\0') + (*trouble_of(b) != '\0') + (*note_of(b) != '\0');
	lines += (size_t)picture_rows(p, b, width);
	if (b->text)
		lines += text_lines(b, width, budget);
	return lines ? lines : 1;
}

/* Returns the rows drawn; `skip` are above s. */
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

/* Draws the visible part of a block: `skip` lines are above s. link: the selected one in it. */
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

/* The lines above the blocks. */
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

/* Returns the rows used; leaves at least one for the blocks. */
static int
draw_notices(const struct call *call, struct surface s)
{
	struct page page = { 0 };

	write_notices(&page, call);
	int rows = (int)page_rows(&page, s.width);
	if (rows > s.height - 1 && call->result.len > 0)
		rows = s.height - 1;
	struct surface head = surface_sub(s, 0, 0, s.width, rows > 0 ? rows : 0);
	page_draw(&page, head, ROLE_NONE, false);
	page_finish(&page);
	return head.height;
}

static int
notice_rows(const struct call *call, int width)
{
	struct page page = { 0 };

	write_notices(&page, call);
	int rows = (int)page_rows(&page, width);
	page_finish(&page);
	return rows;
}

/* The blocks below row `from` of s. */
static void
draw_blocks(struct content *p, const struct view_env *env, struct surface s, int from)
{
	struct surface labels = surface_sub(s, 0, from, s.width, s.height - from);
	struct surface body =
	    surface_sub(labels, p->label_cols, 0, labels.width - p->label_cols, labels.height);

	size_t budget = WRAP_SLICE;

	/* the next frame asks for the rows of this width */
	s.grid->unfinished = s.grid->unfinished || p->pane_width != s.width;
	p->pane_width = s.width;
	p->width = body.width;
	p->height = body.height;
	p->blocks_y = from;
	p->lines = 0;
	int alone = body.height - FACT_ROWS;
	p->picture_rows = env->alone && alone > PICTURE_ROWS ? alone : PICTURE_ROWS;
	uint64_t before = p->shown;
	bool laid_out = meant_lay_out(p, env, body.width, false);
	for (size_t i = 0; i < p->len; i++)
		p->lines += content_block_lines(p, &p->blocks[i], body.width, &budget);
	bool loaded = content_load_picture(p, env);
	s.grid->unfinished =
	    s.grid->unfinished || budget == 0 || loaded || !laid_out || p->shown != before;
	if (p->back.from > 0 && p->back.from == p->call) {
		/* its pictures may come later, and the rows with them */
		p->top = p->back.top;
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
	draw_blocks(p, env, s, draw_notices(call, s));
}

int
content_want(void *state, const struct view_env *env, int width)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	size_t lines = 0, budget = WRAP_SLICE;

	if (call && call->state == CALL_RUNNING)
		return call_state_running_rows(env, width);
	if (!call || call->state != CALL_DONE)
		return (int)page_rows(&p->state, width);
	p->picture_rows = PICTURE_ROWS;
	/* a text wrapped for a width that it is not drawn at would be wrapped twice a frame */
	width = p->pane_width > 0 ? p->pane_width : width;
	meant_lay_out(p, env, width - p->label_cols, true);
	for (size_t i = 0; i < p->len && lines < 100; i++)
		lines += p->blocks[i].text_len > 100000
			     ? 100
			     : content_block_lines(p, &p->blocks[i], width - p->label_cols, &budget);
	return (int)lines + notice_rows(call, width);
}

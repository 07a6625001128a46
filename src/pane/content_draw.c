#include "content_priv.h"

#include "offer_words.h"
#include "pane_text.h"
#include "render/render.h"

#include <string.h>

/* ---- lines: an error line, then for each block a head (unless it is bare text) and its text ----
 */

/* Bytes of a huge text that are broken into lines in one frame. */
#define WRAP_SLICE ((size_t)1 << 20)
/* Of one picture. */
#define PICTURE_ROWS 12

static size_t
facts_lines(struct block_view *b, int width)
{
	if (!b->facts[0])
		return 0;
	wrap_set(&b->facts_wrap, b->facts, strlen(b->facts), width);
	wrap_work(&b->facts_wrap, SIZE_MAX, WRAP_SLICE);
	return wrap_rows(&b->facts_wrap);
}

static int
picture_rows(const struct block_view *b, int width)
{
	return pane_picture_rows(&b->picture, width, PICTURE_ROWS);
}

size_t
content_block_lines(struct block_view *b, int width)
{
	size_t lines = facts_lines(b, width);

	lines += (b->problem[0] != '\0') + (b->picture.trouble.text[0] != '\0');
	lines += (size_t)picture_rows(b, width);
	if (b->text) {
		wrap_set(&b->wrap, b->text, b->text_len, width);
		wrap_work(&b->wrap, SIZE_MAX, WRAP_SLICE);
		lines += wrap_rows(&b->wrap);
	}
	return lines ? lines : 1;
}

/* The part of a block that is in sight in s: `skip` of its lines are above. */
static int
draw_block(struct block_view *b, struct surface s, int y, size_t skip)
{
	size_t line = facts_lines(b, s.width);
	int start = y;

	if (line > skip)
		y += wrap_draw(&b->facts_wrap, surface_sub(s, 0, y, s.width, s.height - y),
		    style_of(ROLE_DIM), skip);
	if (b->problem[0] && line++ >= skip)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", b->problem);
	if (b->picture.trouble.text[0] && line++ >= skip)
		surface_text(s, 0, y++, -1, style_of(ROLE_WARNING), b->picture.trouble.text);
	size_t picture = (size_t)picture_rows(b, s.width);
	if (line + picture > skip) {
		int above = skip > line ? (int)(skip - line) : 0;
		pane_picture_draw(&b->picture, surface_sub(s, 0, y, s.width, s.height - y), s.width,
		    PICTURE_ROWS, above);
		y += (int)picture - above;
	}
	line += picture;
	if (b->text && y < s.height) {
		size_t top = skip > line ? skip - line : 0;
		size_t left = wrap_rows(&b->wrap) > top ? wrap_rows(&b->wrap) - top : 0;
		int rows = left < (size_t)(s.height - y) ? (int)left : s.height - y;
		struct surface at = surface_sub(s, 0, y, s.width, rows);
		if (b->is_json)
			render_json_rows(&b->wrap, at, top);
		else
			wrap_draw(&b->wrap, at, style_of(ROLE_TEXT), top);
		y += rows;
	}
	return y > start ? y : y + 1;
}

static int
draw_notices(const struct call *call, struct surface s)
{
	int y = 0;

	if (call->result.is_error)
		surface_text(s, 0, y++, -1, (struct style){ ROLE_ERROR, ROLE_NONE, ATTR_BOLD },
		    "✗ isError: the tool says that it failed");
	if (call->result.problem[0])
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", call->result.problem);
	if (call->result.description)
		surface_text(s, 0, y++, -1, style_of(ROLE_DIM), call->result.description);
	for (size_t i = 0; i < call->asked.len; i++)
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_WARNING), "asked for %s", call->asked.items[i]);
	return y;
}

static int
notice_rows(const struct call *call)
{
	return call->result.is_error + (call->result.problem[0] != '\0') +
	       (call->result.description != NULL) + (int)call->asked.len;
}

/* The blocks below row `from` of s. */
static void
draw_blocks(struct content *p, const struct pane_env *env, struct surface s, int from)
{
	struct surface labels = surface_sub(s, 0, from, s.width, s.height - from);
	struct surface body =
	    surface_sub(labels, p->label_cols, 0, labels.width - p->label_cols, labels.height);

	p->width = body.width;
	p->height = body.height;
	p->lines = 0;
	for (size_t i = 0; i < p->len; i++)
		p->lines += content_block_lines(&p->blocks[i], body.width);
	size_t last = p->lines > (size_t)body.height ? p->lines - (size_t)body.height : 0;
	p->top = p->top < last ? p->top : last;
	size_t skip = p->top;
	int row = 0;
	for (size_t i = 0; i < p->len && row < body.height; i++) {
		size_t lines = content_block_lines(&p->blocks[i], body.width);
		int first = row;
		if (skip == 0)
			surface_text(labels, 0, row, p->label_cols - 1, style_of(ROLE_COLUMN),
			    p->blocks[i].label);
		if (skip < lines)
			row = draw_block(&p->blocks[i], body, row, skip);
		if (skip == 0 && i == p->link && env->focused)
			surface_select_row(s, from + first, true);
		skip -= skip < lines ? skip : lines;
	}
	surface_scrollbar(s, env->focused, p->lines, p->top);
}

void
content_draw(void *state, const struct pane_env *env, struct surface s)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	if (!call || call->state != CALL_DONE) {
		pane_draw_call_state(env, s);
		return;
	}
	int y = draw_notices(call, s);
	if (p->len == 0) {
		struct surface body = surface_sub(s, 0, y, s.width, s.height - y);
		bool is_array = call->result.content == JSON_ARRAY;
		surface_text(body, 0, 0, -1, style_of(is_array ? ROLE_DIM : ROLE_WARNING),
		    is_array ? offer_words(call->kind)->empty : offer_words(call->kind)->absent);
		return;
	}
	draw_blocks(p, env, s, y);
}

int
content_want(void *state, const struct pane_env *env, int width)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	size_t lines = 0;

	if (!call || call->state != CALL_DONE)
		return env->ws->server ? pane_call_state_rows(env) : 2;
	for (size_t i = 0; i < p->len && lines < 100; i++)
		lines += p->blocks[i].text_len > 100000
			     ? 100
			     : content_block_lines(&p->blocks[i], width - p->label_cols);
	return (int)lines + notice_rows(call) + (p->len == 0);
}

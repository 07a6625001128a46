#include "content.h"

#include <string.h>

/* Searching the content: places are bytes of the blocks, of each its facts and then its text. */

static size_t
block_bytes(const struct block_view *b)
{
	size_t len;

	content_text(b, &len);
	return strlen(content_facts(b)) + len + 1;
}

/* Finds the block of a position and makes the position relative to it. */
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
	/* only its bytes are looked at, which the rows of a rich text have too */
	struct wrap shown = { 0 };
	shown.text = content_text(b, &shown.len);
	struct seekable text = seek_wrap(&shown, &p->top, p->height, 0);
	enum seek_result result = b->text ? text.seek(&text, n, &in) : SEEK_DONE;
	*at = result == SEEK_DONE ? start + block_bytes(b) : start + facts + in;
	return result == SEEK_DONE ? SEEK_MORE : result;
}

static size_t
line_of(struct content *p, size_t at)
{
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

static void
show_place(const struct seekable *s, size_t at)
{
	struct content *p = s->of;
	size_t line = line_of(p, at), rows = p->height > 0 ? (size_t)p->height : 1;

	if (line < p->top || line - p->top >= rows)
		p->top = line > rows / 3 ? line - rows / 3 : 0;
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

static int
row_of_place(const struct seekable *s, size_t at)
{
	struct content *p = s->of;
	size_t line = line_of(p, at);

	return line < p->top ? -1 : p->blocks_y + (int)(line - p->top);
}

bool
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
			.show = show_place,
			.place = place_in_sight,
			.row = row_of_place,
		};
	return true;
}

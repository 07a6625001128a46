/* SPDX-License-Identifier: MIT */
#include "ui/rich.h"

#include "base/glyph.h"
#include "base/vec.h"

#include <stdlib.h>

#define PIECES_MAX ((size_t)1 << 20)
#define TEXT_MAX ((size_t)16 << 20)

void
rich_finish(struct rich *r)
{
	buf_finish(&r->text);
	buf_finish(&r->uris);
	free(r->pieces.items);
	free(r->rows.items);
	free(r->links.items);
	*r = (struct rich){ 0 };
}

void
rich_begin_row(struct rich *r, bool goes_on)
{
	r->full = r->full || r->rows.len >= PIECES_MAX;
	if (r->full)
		return;
	if (r->rows.len > 0)
		buf_add_char(&r->text, goes_on ? ' ' : '\n');
	*VEC_PUSH(&r->rows) = (struct rich_row){ (uint32_t)r->pieces.len, (uint32_t)r->text.len };
}

static struct rich_piece *
add_piece(struct rich *r, int x, struct style style)
{
	r->full = r->full || r->pieces.len >= PIECES_MAX;
	if (r->full || x < 0 || x > UINT16_MAX)
		return NULL;
	struct rich_piece *piece = VEC_PUSH(&r->pieces);
	*piece = (struct rich_piece){ .x = (uint16_t)x, .style = style };
	return piece;
}

void
rich_add(struct rich *r, int x, struct style style, uint32_t link, const char *text, size_t len)
{
	r->full = r->full || r->text.len + len > TEXT_MAX;
	struct rich_piece *piece = len > 0 ? add_piece(r, x, style) : NULL;

	if (!piece)
		return;
	piece->at = (uint32_t)r->text.len;
	piece->len = (uint32_t)len;
	piece->link = link;
	buf_add(&r->text, text, len);
	if (link > 0 && r->links.items[link - 1].row == UINT32_MAX)
		r->links.items[link - 1].row = (uint32_t)r->rows.len - 1;
}

void
rich_add_mark(struct rich *r, int x, struct style style, uint32_t ch, int count)
{
	struct rich_piece *piece = count > 0 ? add_piece(r, x, style) : NULL;

	if (!piece)
		return;
	piece->ch = ch;
	piece->count = count < UINT16_MAX ? (uint16_t)count : UINT16_MAX;
}

uint32_t
rich_add_link(struct rich *r, const char *uri, size_t len)
{
	r->full = r->full || r->links.len >= PIECES_MAX || r->uris.len + len > TEXT_MAX;
	if (r->full || len == 0)
		return 0;
	*VEC_PUSH(&r->links) = (struct rich_link){ .row = UINT32_MAX, .uri = r->uris.len };
	buf_add(&r->uris, uri, len);
	buf_add_char(&r->uris, '\0');
	return (uint32_t)r->links.len;
}

static size_t
pieces_end(const struct rich *r, size_t row)
{
	return row + 1 < r->rows.len ? r->rows.items[row + 1].piece : r->pieces.len;
}

void
rich_draw(const struct rich *r, struct surface s, size_t top, uint32_t selected)
{
	for (int y = 0; y < s.height && top + (size_t)y < r->rows.len; y++) {
		size_t row = top + (size_t)y, end = pieces_end(r, row);
		for (size_t i = r->rows.items[row].piece; i < end; i++) {
			const struct rich_piece *p = &r->pieces.items[i];
			if (p->len == 0) {
				surface_repeat(s, p->x, y, p->count, p->style, p->ch);
				continue;
			}
			bool is_selected = p->link > 0 && p->link == selected;
			surface_textn(s, p->x, y,
			    is_selected ? style_on(ROLE_CURSOR, ROLE_CURSOR) : p->style,
			    buf_text(&r->text) + p->at, p->len);
			if (p->link > 0 && r->links.items[p->link - 1].row == row)
				surface_spot(s, p->x, y);
		}
	}
}

size_t
rich_row_of(const struct rich *r, size_t at)
{
	size_t low = 0, high = r->rows.len;

	BISECT(low, high, mid, r->rows.items[mid].at <= at);
	return low > 0 ? low - 1 : 0;
}

uint32_t
rich_link_at(const struct rich *r, size_t row, int x)
{
	for (size_t i = r->rows.items[row].piece; i < pieces_end(r, row); i++) {
		const struct rich_piece *p = &r->pieces.items[i];
		const char *text = buf_text(&r->text) + p->at;
		if (p->link > 0 && x >= p->x && x < p->x + (int)glyph_columns(text, p->len))
			return p->link;
	}
	return 0;
}

const char *
rich_uri(const struct rich *r, uint32_t link)
{
	return buf_text(&r->uris) + r->links.items[link - 1].uri;
}

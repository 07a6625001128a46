/* SPDX-License-Identifier: MIT */
#include "diff_pane.h"

#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two values as text: strings unchanged, all else as formatted JSON. */
enum { BYTES_MOST = 4 << 20, BESIDE_FROM = 100, CONTEXT = 3 };

bool
diff_is_text(const struct diff *d, uint32_t node)
{
	const struct diff_node *n = &d->items[node];
	const char *a = cJSON_GetStringValue(n->side[0]), *b = cJSON_GetStringValue(n->side[1]);

	return n->kind == DIFF_CHANGED && a && b && (strchr(a, '\n') || strchr(b, '\n'));
}

static void
write_side(struct diff_text_look *t, int side, const cJSON *value, bool as_string)
{
	struct buf *out = &t->texts[side];

	buf_clear(out);
	if (as_string && cJSON_GetStringValue(value)) {
		size_t len = strlen(value->valuestring);
		t->is_cut |= len > BYTES_MOST;
		buf_add(out, value->valuestring, len < BYTES_MOST ? len : BYTES_MOST);
	} else if (value) {
		t->is_cut |= !json_print_some(out, value, 2, BYTES_MOST, NULL);
	}
	buf_add_str(out, "");
}

void
diff_text_make(struct diff_pane *p, uint32_t node)
{
	struct diff_text_look *t = &p->text;
	const cJSON *a = diff_side(p->diff, node, 0), *b = diff_side(p->diff, node, 1);
	bool strings = (!a || cJSON_GetStringValue(a)) && (!b || cJSON_GetStringValue(b));

	t->node = node;
	t->is_cut = t->made = false;
	write_side(t, 0, a, strings);
	write_side(t, 1, b, strings);
	const char *texts[2] = { buf_text(&t->texts[0]), buf_text(&t->texts[1]) };
	const size_t lens[2] = { t->texts[0].len, t->texts[1].len };
	diff_lines_finish(&t->lines);
	diff_lines_make(&t->lines, texts, lens, NULL);
	list_select(&t->list, 0);
}

void
diff_text_finish(struct diff_text_look *t)
{
	diff_lines_finish(&t->lines);
	buf_finish(&t->texts[0]);
	buf_finish(&t->texts[1]);
	free(t->rows.items);
	*t = (struct diff_text_look){ .node = DIFF_NOWHERE };
}

/* ---- rows ---- */

static void
push_row(struct diff_text_look *t, size_t line, size_t rest, int side)
{
	*VEC_PUSH(&t->rows) = (struct diff_text_row){ (uint32_t)line, (uint32_t)rest, side };
}

/* Lines up to `end` differ: below each other those of the first come first. */
static void
push_changed(struct diff_text_look *t, size_t from, size_t end)
{
	for (int side = 0; side < (t->beside ? 1 : 2); side++)
		for (size_t i = from; i < end; i++)
			if (t->beside || t->lines.items[i].at[side] != DIFF_NOWHERE)
				push_row(t, i, 0, t->beside ? -1 : side);
}

/* Push equal lines: all, or only a few around the differences. */
static void
push_same(struct diff_text_look *t, size_t from, size_t end, bool all)
{
	size_t head = from > 0 ? CONTEXT : 0, tail = end < t->lines.len ? CONTEXT : 0;

	if (all || end - from <= head + tail + 1) {
		head = end - from;
		tail = 0;
	}
	for (size_t i = from; i < from + head; i++)
		push_row(t, i, 0, -1);
	if (from + head + tail < end)
		push_row(t, from + head, end - from - head - tail, -1);
	for (size_t i = end - tail; i < end; i++)
		push_row(t, i, 0, -1);
}

static void
make_rows(struct diff_pane *p)
{
	struct diff_text_look *t = &p->text;

	t->rows.len = 0;
	for (size_t i = 0, end; i < t->lines.len; i = end) {
		bool same = t->lines.items[i].same;
		for (end = i; end < t->lines.len && t->lines.items[end].same == same;)
			end++;
		if (same)
			push_same(t, i, end, p->all);
		else
			push_changed(t, i, end);
	}
	t->made = true;
	p->made++;
	list_set_count(&t->list, t->rows.len);
}

static bool
is_change(const struct diff_text_look *t, size_t row)
{
	return t->rows.items[row].rest == 0 && !t->lines.items[t->rows.items[row].line].same;
}

/* To the first line of the next change. */
bool
diff_text_step(struct diff_pane *p, int by)
{
	struct diff_text_look *t = &p->text;
	size_t i = t->list.selected;

	while ((by > 0 ? ++i : --i) < t->rows.len) {
		bool begins = is_change(t, i) && (i == 0 || !is_change(t, i - 1));
		if (!begins)
			continue;
		list_select(&t->list, i);
		return true;
	}
	return false;
}

/* ---- searching ---- */

static void
row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct diff_text_look *t = s->of;
	const struct diff_text_row *at = &t->rows.items[row];
	const struct diff_line *line = &t->lines.items[at->line];

	for (int side = 0; side < 2 && at->rest == 0; side++) {
		size_t len;
		if (line->at[side] == DIFF_NOWHERE || at->side == !side)
			continue;
		const char *text = diff_line_text(&t->lines, side, line->at[side], &len);
		buf_add(out, text, len);
		buf_add_char(out, '\n');
	}
}

struct seekable
diff_text_seek(struct diff_pane *p)
{
	return seek_list(&p->text.list, p->top, &p->text, p, row_text);
}

/* ---- drawing ---- */

static int
number_columns(const struct diff_text_look *t)
{
	char text[24];
	size_t most = t->lines.texts[0].count > t->lines.texts[1].count ? t->lines.texts[0].count
									: t->lines.texts[1].count;

	return snprintf(text, sizeof(text), "%zu", most);
}

static void
draw_number(struct surface s, int x, int y, int columns, uint32_t line)
{
	char text[24];

	if (line == DIFF_NOWHERE)
		return;
	snprintf(text, sizeof(text), "%u", line + 1);
	surface_text_right(s, x + columns, y, columns, style_of(ROLE_HINT), text);
}

/* A changed line: the part that differs from its other side on a ground. */
static void
draw_line(
    const struct diff_text_look *t, struct surface s, int y, const struct diff_line *line, int side)
{
	const char *texts[2] = { "", "" };
	size_t lens[2] = { 0, 0 };
	bool both = line->at[0] != DIFF_NOWHERE && line->at[1] != DIFF_NOWHERE;

	if (line->at[side] == DIFF_NOWHERE)
		return;
	for (int i = 0; i < 2; i++)
		if (line->at[i] != DIFF_NOWHERE)
			texts[i] = diff_line_text(&t->lines, i, line->at[i], &lens[i]);
	if (line->same || !both) {
		struct style style = style_of(line->same ? ROLE_TEXT : diff_roles[side]);
		surface_textn(s, 0, y, style, texts[side], lens[side]);
		return;
	}
	struct diff_span span = diff_span(texts, lens);
	const char *text = texts[side];
	int x = surface_textn(s, 0, y, style_of(diff_roles[side]), text, span.from);
	x += surface_textn(s, x, y, style_on(diff_cell_roles[side], diff_cell_roles[side]),
	    text + span.from, span.ends[side] - span.from);
	surface_textn(s, x, y, style_of(diff_roles[side]), text + span.ends[side],
	    lens[side] - span.ends[side]);
}

static void
draw_beside(const struct diff_text_look *t, struct surface s, int y, const struct diff_line *line)
{
	int numbers = number_columns(t), half = s.width / 2;

	for (int side = 0; side < 2; side++) {
		int x = side * half + (side > 0);
		draw_number(s, x, y, numbers, line->at[side]);
		const char *mark = line->same || line->at[side] == DIFF_NOWHERE ? " "
				   : side == 0                                  ? "-"
										: "+";
		surface_text(s, x + numbers + 1, y, 1, style_of(diff_roles[side]), mark);
		draw_line(
		    t, surface_sub(s, x + numbers + 3, y, half - numbers - 5, 1), 0, line, side);
	}
	surface_put(s, half - 1, y, style_of(ROLE_BORDER), 0x2502);
}

static void
draw_below(const struct diff_text_look *t, struct surface s, int y, const struct diff_text_row *row)
{
	const struct diff_line *line = &t->lines.items[row->line];
	int numbers = number_columns(t), side = row->side < 0 ? 1 : row->side;

	draw_number(s, 0, y, numbers, line->same || side == 0 ? line->at[0] : DIFF_NOWHERE);
	draw_number(
	    s, numbers + 1, y, numbers, line->same || side == 1 ? line->at[1] : DIFF_NOWHERE);
	const char *mark = row->side == 0 ? "-" : row->side == 1 ? "+" : " ";
	surface_text(s, 2 * numbers + 2, y, 1, style_of(diff_roles[side]), mark);
	int x = 2 * numbers + 4;
	draw_line(t, surface_sub(s, x, y, s.width - x, 1), 0, line, side);
}

void
diff_text_draw(struct diff_pane *p, bool focused, struct surface s)
{
	struct diff_text_look *t = &p->text;
	bool both = t->lines.texts[0].count > 0 && t->lines.texts[1].count > 0;
	bool beside = s.width >= BESIDE_FROM && !p->below && both;

	if (!t->made || beside != t->beside) {
		t->beside = beside;
		make_rows(p);
		if (t->rows.len > 0 && !is_change(t, t->list.selected))
			diff_text_step(p, 1);
	}
	list_set_height(&t->list, s.height);
	for (int y = 0; y < s.height && t->list.top + (size_t)y < t->rows.len; y++) {
		size_t at = t->list.top + (size_t)y;
		const struct diff_text_row *row = &t->rows.items[at];
		if (at == t->list.selected)
			surface_select_row(s, y, focused);
		surface_spot(s, -1, y);
		if (row->rest > 0)
			surface_textf(
			    s, 2, y, -1, style_of(ROLE_HINT), "… %u lines the same", row->rest);
		else if (t->beside)
			draw_beside(t, s, y, &t->lines.items[row->line]);
		else
			draw_below(t, s, y, row);
	}
	surface_scrollbar(s, focused, t->rows.len, t->list.top);
}

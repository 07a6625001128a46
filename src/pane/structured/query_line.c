#include "structured.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The line in which an expression is typed, below the result. */

enum { FIELD_X = 3 };
#define NONE SIZE_MAX

static void
find_words(struct query *q)
{
	const char *text = edit_text(&q->edit);

	query_complete(text, q->edit.cursor, q->of.value, &q->completion);
	q->completed = NONE;
	q->menu.list = (struct list){ .count = q->completion.words.len };
}

static void
changed(struct query *q)
{
	find_words(q);
	if (query_is_live(q))
		query_set(q, edit_text(&q->edit));
}

void
query_open(struct query *q)
{
	const char *text = query_is_on(q) ? q->asked : "";

	free(q->before);
	q->before = mem_strdup(text);
	q->typing = true;
	q->recalled = q->kept->history.len;
	edit_set(&q->edit, text, strlen(text));
	find_words(q);
}

/* ---- keys ---- */

/* The line stays open while the expression is wrong: the reason is below it. */
static void
accept(struct query *q)
{
	query_set(q, edit_text(&q->edit));
	q->typing = !q->running && !q->printing && query_is_on(q) && q->answer.trouble.text[0] &&
		    q->answer.count == 0;
	if (!q->typing)
		queries_note(q->kept, edit_text(&q->edit));
}

static void
recall(struct query *q, int by)
{
	if (by < 0 ? q->recalled == 0 : q->recalled >= q->kept->history.len)
		return;
	q->recalled += by;
	const char *text = q->recalled < q->kept->history.len ? q->kept->history.items[q->recalled] : "";
	edit_set(&q->edit, text, strlen(text));
	changed(q);
}

/* Puts a word in place of what is typed of it; Tab again puts the next one there. */
static void
put_word(struct query *q, size_t index)
{
	const char *rest = edit_text(&q->edit) + q->edit.cursor;
	struct buf text = BUF_INIT;

	buf_add(&text, edit_text(&q->edit), q->completion.from);
	buf_add_str(&text, q->completion.words.items[index]);
	size_t cursor = text.len;
	buf_add_str(&text, rest);
	edit_set(&q->edit, buf_text(&text), text.len);
	q->edit.cursor = cursor;
	buf_finish(&text);
	q->completed = index;
	list_select(&q->menu.list, index);
	if (query_is_live(q))
		query_set(q, edit_text(&q->edit));
	if (q->completion.words.len == 1)
		find_words(q);
}

static void
tab(struct query *q, int by)
{
	size_t count = q->completion.words.len;

	if (count == 0)
		return;
	if (q->completed == NONE)
		put_word(q, by > 0 ? 0 : count - 1);
	else
		put_word(q, (q->completed + (by > 0 ? 1 : count - 1)) % count);
}

static bool
mouse(struct query *q, const struct key *key)
{
	struct key at = *key;

	at.x += q->menu_x;
	at.y += q->menu_y;
	if (key->action != MOUSE_PRESS)
		return dropdown_key(&q->menu, &at);
	if (q->completion.words.len == 0 || dropdown_press(&q->menu, &at) != DROPDOWN_ENTRY)
		return false;
	put_word(q, q->menu.list.selected);
	return true;
}

bool
query_key(struct query *q, const struct key *key)
{
	bool ctrl_c = key->kind == KEY_CHAR && key->ch == 'c' && key->mods == MOD_CTRL;
	bool is_changed = false;

	if (key->kind == KEY_MOUSE)
		return mouse(q, key);
	if (key->kind == KEY_ESCAPE || ctrl_c) {
		q->typing = false;
		query_set(q, q->before);
	} else if (key->kind == KEY_ENTER) {
		accept(q);
	} else if (key->kind == KEY_TAB) {
		tab(q, key->mods & MOD_SHIFT ? -1 : 1);
	} else if (key->kind == KEY_UP || key->kind == KEY_DOWN) {
		recall(q, key->kind == KEY_UP ? -1 : 1);
	} else if (!edit_key(&q->edit, key, &is_changed)) {
		return false;
	} else if (is_changed) {
		changed(q);
	} else {
		find_words(q);
	}
	return true;
}

/* ---- drawing ---- */

/* But for blanks around it. */
static bool
is_asked(const struct query *q)
{
	const char *text = edit_text(&q->edit);
	size_t len = q->asked ? strlen(q->asked) : 0;

	text += strspn(text, " ");
	return len > 0 && strncmp(text, q->asked, len) == 0 && !text[len + strspn(text + len, " ")];
}

/* What jq complains about, to the end of its word. */
static void
mark_place(const struct query *q, struct surface field)
{
	const char *text = edit_text(&q->edit);
	size_t at = q->answer.at, len = strlen(text), blanks = strspn(text, " ");

	if (q->running || !q->answer.trouble.text[0] || at == QUERY_NOWHERE || !is_asked(q))
		return;
	at = at + blanks < len ? at + blanks : len;
	size_t end = at + strcspn(text + at, " |()[]{},;:");
	int x = (int)glyph_columns(text, at) - q->edit.left;
	int width = (int)glyph_columns(text + at, end - at);
	surface_restyle(field, x, 0, width > 0 ? width : 1, ROLE_ERROR_CELL, ATTR_UNDERLINE);
}

static void
add_count(const struct query *q, struct buf *out)
{
	if (q->count == 1)
		buf_add_str(out, "one result");
	query_add_count(q, out);
	if (q->answer.trouble.text[0])
		buf_addf(out, " · then: %s", q->answer.trouble.text);
}

static void
add_state(const struct query *q, struct buf *out)
{
	const char *trouble = q->answer.trouble.text;

	if (!edit_text(&q->edit)[0])
		buf_add_str(out, "an expression of jq: .users[] | select(.age > 30) | .name");
	else if (q->running || q->printing)
		buf_add_str(out, "…");
	else if (!query_is_live(q) && !is_asked(q))
		buf_add_str(out, "Enter runs it: the value is large");
	else if (*trouble && q->answer.count == 0)
		buf_add_str(out, trouble);
	else
		add_count(q, out);
}

void
query_draw(struct query *q, bool focused, struct surface s)
{
	bool wrong = !q->running && q->answer.trouble.text[0] && edit_text(&q->edit)[0];
	struct buf state = BUF_INIT;

	struct surface line = surface_sub(s, 0, 0, s.width, 1);
	surface_clear(line, style_on(ROLE_TEXT, ROLE_FIELD));
	surface_text(line, 0, 0, 2, style_on(ROLE_BAR_KEY, ROLE_FIELD), "jq");
	struct surface field = surface_sub(line, FIELD_X, 0, s.width - FIELD_X, 1);
	edit_draw(&q->edit, field, style_on(ROLE_TEXT, ROLE_FIELD), focused, NULL);
	mark_place(q, field);
	add_state(q, &state);
	surface_text(s, FIELD_X, 1, -1, style_of(wrong ? ROLE_ERROR : ROLE_HINT), buf_text(&state));
	buf_finish(&state);
}

static enum role
entry(void *user, size_t index, struct buf *out)
{
	const struct query *q = user;

	buf_add_str(out, q->completion.words.items[index]);
	return ROLE_TEXT;
}

static void
aside(void *user, size_t index, struct buf *out)
{
	const struct query *q = user;

	buf_add_str(out, q->completion.notes.items[index]);
}

struct surface
query_pop_up(struct query *q, struct surface screen, struct surface inner)
{
	const char *text = edit_text(&q->edit);
	int y = inner.y - screen.y + inner.height - QUERY_LINE_ROWS;
	int column = (int)glyph_columns(text, q->completion.from) - q->edit.left;

	q->menu_x = inner.x - screen.x;
	q->menu_y = inner.y - screen.y;
	struct dropdown_look look = {
		.x = q->menu_x + FIELD_X + column,
		.y = y,
		.rows = QUERY_LINE_ROWS,
		.unselected = q->completed == NONE,
		.title = "Tab",
		.entry = entry,
		.aside = aside,
		.user = q,
	};
	if (q->completion.words.len == 0)
		return surface_sub(screen, 0, 0, 0, 0);
	return dropdown_draw(&q->menu, screen, &look);
}

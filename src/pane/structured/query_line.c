/* SPDX-License-Identifier: MIT */
#include "structured.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Whether the query runs at each key, not only on Enter. */
static bool
is_live(const struct query *q)
{
	enum { LIVE_MAX = 1 << 20 };

	return q->of.bytes <= LIVE_MAX;
}

/* ---- the expression of each owner ---- */

static char **
remembered_by(struct query *q, const struct desk *owner)
{
	for (size_t i = 0; i < q->remembered.len; i++)
		if (q->remembered.items[i].owner == owner)
			return &q->remembered.items[i].expression;
	const char *first = queries_default(q->kept, owner);
	*VEC_PUSH(&q->remembered) = (struct remembered){ owner, first ? mem_strdup(first) : NULL };
	return &q->remembered.items[q->remembered.len - 1].expression;
}

/* ---- results ---- */

static void
drop_result(struct query *q)
{
	if (q->doc)
		q->version++;
	json_doc_destroy(q->doc);
	q->doc = NULL;
	q->result = NULL;
	query_answer_finish(&q->answer);
}

static void
stop_query(struct query *q)
{
	job_drop(&q->printing);
	if (!q->running)
		return;
	q->dropped = true;
	q->host->effects->stop_query(q->host->effects_user, &q->job);
}

static void
take_answer(struct query *q)
{
	struct query_answer *answer = &q->job.answer;
	struct json_error error;
	struct json_doc *doc = NULL;

	bool failed = answer->count == 0 && answer->trouble.text[0];
	if (!failed)
		doc = json_parse(buf_text(&answer->text), answer->text.len, NULL, &error);
	if (!failed && !doc)
		err_set(&answer->trouble, "its result cannot be shown: %s", error.text);
	if (doc) {
		json_doc_destroy(q->doc);
		q->doc = doc;
		q->result = answer->count > 1    ? json_root(doc)
			    : answer->count == 1 ? json_first(json_root(doc))
						 : NULL;
		q->count = answer->count;
		q->more = answer->more;
		q->bytes = answer->text.len - (answer->count > 1 ? 0 : 2);
		free(q->title);
		q->title = mem_printf("jq %s", q->asked);
		q->version++;
	}
	buf_finish(&answer->text);
	q->answer = *answer;
	if (!q->typing && answer->trouble.text[0]) {
		char *text = mem_printf("jq %s: %s", q->asked, answer->trouble.text);
		q->host->say(q->user, ROLE_ERROR, text);
		free(text);
	}
}

static void
set_running(struct query *q, bool runs)
{
	if (q->jobs && runs != q->running)
		q->jobs->outside += runs ? 1 : -(size_t)1;
	q->running = runs;
}

static void
on_done(struct query_job *job)
{
	struct query *q = (struct query *)((char *)job - offsetof(struct query, job));
	bool dropped = q->dropped;

	q->dropped = false;
	set_running(q, false);
	if (dropped) {
		query_answer_finish(&job->answer);
		return;
	}
	take_answer(q);
	q->host->changed(q->user);
}

/* ---- running a query ---- */

/* A job that prints the value for jq. */
struct printing {
	struct job job; /* first */
	struct query *query;
	struct json_doc *doc;
	const cJSON *value;
	struct buf text;
};

static void
print_value(struct job *job)
{
	struct printing *p = (struct printing *)job;

	json_print(&p->text, p->value);
}

static void
on_printed(struct job *job)
{
	struct printing *p = (struct printing *)job;
	struct query *q = p->query;

	if (!job_is_stopped(job) && p->text.overflowed) {
		q->answer = (struct query_answer){ .at = QUERY_NOWHERE };
		err_set(&q->answer.trouble, "a value of more than 64 MiB is too large for jq");
	} else if (!job_is_stopped(job)) {
		q->job =
		    (struct query_job){ .expression = q->asked, .value = p->text, .done = on_done };
		p->text = (struct buf)BUF_INIT;
		set_running(q, true);
		if (!q->host->effects->query(q->host->effects_user, &q->job)) {
			set_running(q, false);
			take_answer(q);
		}
	}
	buf_finish(&p->text);
	json_doc_destroy(p->doc);
	free(p);
}

/* Run an expression on the value, which is printed in a job if it is large. */
static void
run_query(struct query *q, const char *expression)
{
	struct printing *p = mem_zalloc(sizeof(*p));

	stop_query(q);
	free(q->asked);
	q->asked = mem_strdup(expression);
	*p = (struct printing){ .job = { .run = print_value, .done = on_printed },
		.query = q,
		.doc = q->of.doc ? json_doc_ref(q->of.doc) : NULL,
		.value = q->of.value,
		.text = { .max = QUERY_MAX_BYTES } };
	job_start(is_live(q) ? NULL : q->jobs, &p->job, &q->printing);
}

void
query_set(struct query *q, const char *expression)
{
	char **kept = remembered_by(q, q->of.owner);

	expression += strspn(expression, " ");
	free(*kept);
	size_t len = strlen(expression);
	while (len > 0 && expression[len - 1] == ' ')
		len--;
	*kept = len > 0 ? mem_strndup(expression, len) : NULL;
	if (len > 0 && q->of.value) {
		run_query(q, *kept);
		return;
	}
	stop_query(q);
	drop_result(q);
}

void
query_set_value(struct query *q, struct queried of)
{
	stop_query(q);
	drop_result(q);
	q->typing = q->typing && q->of.owner == of.owner && of.value;
	q->of = of;
	const char *expression = of.value ? *remembered_by(q, of.owner) : NULL;
	if (expression)
		run_query(q, expression);
}

bool
query_is_on(const struct query *q)
{
	for (size_t i = 0; i < q->remembered.len; i++)
		if (q->remembered.items[i].owner == q->of.owner)
			return q->remembered.items[i].expression != NULL;
	return false;
}

void
query_add_count(const struct query *q, struct buf *out)
{
	if (!q->doc || q->count == 1)
		return;
	if (q->count == 0)
		buf_add_str(out, "no result");
	else
		units_add_counted(out, q->count, "result");
	buf_add_str(out, q->more ? ", and there are more" : "");
}

void
query_init(struct query *q)
{
	edit_init(&q->edit, false, QUERY_MAX_EXPRESSION);
}

void
query_finish(struct query *q)
{
	stop_query(q);
	drop_result(q);
	edit_finish(&q->edit);
	free(q->before);
	free(q->asked);
	free(q->title);
	strings_finish(&q->completion.words);
	strings_finish(&q->completion.notes);
	for (size_t i = 0; i < q->remembered.len; i++)
		free(q->remembered.items[i].expression);
	free(q->remembered.items);
}

/* ---- the line below the result, in which an expression is typed ---- */

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
on_text_changed(struct query *q)
{
	find_words(q);
	if (is_live(q))
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

static void
recall(struct query *q, int by)
{
	const struct strings *history = &q->kept->history;

	if (by < 0 ? q->recalled == 0 : q->recalled >= history->len)
		return;
	q->recalled += by;
	const char *text = q->recalled < history->len ? history->items[q->recalled] : "";
	edit_set(&q->edit, text, strlen(text));
	on_text_changed(q);
}

/* Replace the typed beginning of a word by the word. */
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
	if (is_live(q))
		query_set(q, edit_text(&q->edit));
	if (q->completion.words.len == 1)
		find_words(q);
}

bool
query_key(struct query *q, const struct key *key)
{
	bool ctrl_c = key->kind == KEY_CHAR && key->ch == 'c' && key->mods == MOD_CTRL;
	bool is_changed = false;
	size_t words = q->completion.words.len;

	if (key->kind == KEY_MOUSE) {
		struct key at = *key;
		at.x += q->menu_x;
		at.y += q->menu_y;
		if (key->action != MOUSE_PRESS)
			return dropdown_key(&q->menu, &at);
		if (words == 0 || dropdown_press(&q->menu, &at) != DROPDOWN_ENTRY)
			return false;
		put_word(q, q->menu.list.selected);
	} else if (key->kind == KEY_ESCAPE || ctrl_c) {
		q->typing = false;
		query_set(q, q->before);
	} else if (key->kind == KEY_ENTER) {
		query_set(q, edit_text(&q->edit));
		/* The line stays open if the expression is wrong; the reason is below it. */
		q->typing = !q->running && !q->printing && query_is_on(q) &&
			    q->answer.trouble.text[0] && q->answer.count == 0;
		if (!q->typing)
			queries_note(q->kept, edit_text(&q->edit));
	} else if (key->kind == KEY_TAB) { /* again: the next word */
		bool back = key->mods & MOD_SHIFT;
		size_t from = q->completed != NONE ? q->completed : back ? 0 : words - 1;
		if (words > 0)
			put_word(q, (from + (back ? words - 1 : 1)) % words);
	} else if (key->kind == KEY_UP || key->kind == KEY_DOWN) {
		recall(q, key->kind == KEY_UP ? -1 : 1);
	} else if (!edit_key(&q->edit, key, &is_changed)) {
		return false;
	} else if (is_changed) {
		on_text_changed(q);
	} else {
		find_words(q);
	}
	return true;
}

/* Whether the line has the expression that was run; blanks around it do not matter. */
static bool
is_asked(const struct query *q)
{
	const char *text = edit_text(&q->edit);
	size_t len = q->asked ? strlen(q->asked) : 0;

	text += strspn(text, " ");
	return len > 0 && strncmp(text, q->asked, len) == 0 && !text[len + strspn(text + len, " ")];
}

/* Underline the place of jq's error up to the end of the word. */
static void
mark_error(const struct query *q, struct surface field)
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
add_query_state(const struct query *q, struct buf *out)
{
	const char *trouble = q->answer.trouble.text;

	if (!edit_text(&q->edit)[0]) {
		buf_add_str(out, "an expression of jq: .users[] | select(.age > 30) | .name");
	} else if (q->running || q->printing) {
		buf_add_str(out, "…");
	} else if (!is_live(q) && !is_asked(q)) {
		buf_add_str(out, "Enter runs it: the value is large");
	} else if (*trouble && q->answer.count == 0) {
		buf_add_str(out, trouble);
	} else {
		buf_add_str(out, q->count == 1 ? "one result" : "");
		query_add_count(q, out);
		if (*trouble)
			buf_addf(out, " · then: %s", trouble);
	}
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
	mark_error(q, field);
	add_query_state(q, &state);
	surface_text(s, FIELD_X, 1, -1, style_of(wrong ? ROLE_ERROR : ROLE_HINT), buf_text(&state));
	buf_finish(&state);
}

static enum role
draw_word(void *user, size_t index, struct buf *out)
{
	const struct query *q = user;

	buf_add_str(out, q->completion.words.items[index]);
	return ROLE_TEXT;
}

static void
draw_word_note(void *user, size_t index, struct buf *out)
{
	const struct query *q = user;

	buf_add_str(out, q->completion.notes.items[index]);
}

struct surface
query_pop_up(struct query *q, struct surface screen, struct surface inner)
{
	int column = (int)glyph_columns(edit_text(&q->edit), q->completion.from) - q->edit.left;

	q->menu_x = inner.x - screen.x;
	q->menu_y = inner.y - screen.y;
	struct dropdown_look look = {
		.x = q->menu_x + FIELD_X + column,
		.y = q->menu_y + inner.height - QUERY_LINE_ROWS,
		.rows = QUERY_LINE_ROWS,
		.unselected = q->completed == NONE,
		.title = "Tab",
		.entry = draw_word,
		.aside = draw_word_note,
		.user = q,
	};
	if (q->completion.words.len == 0)
		return surface_sub(screen, 0, 0, 0, 0);
	return dropdown_draw(&q->menu, screen, &look);
}

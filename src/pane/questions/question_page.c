#include "questions.h"

#include "pane/pane_text.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "client/question.h"

#include <stdlib.h>
#include <string.h>

/* Per paragraph; a note says how much is cut. */
#define PARAGRAPH_MAX ((size_t)65536)

void
question_add(struct page *page, enum role role, int indent, const char *text, size_t len)
{
	size_t shown = len < PARAGRAPH_MAX ? len : PARAGRAPH_MAX;
	char *part = mem_strndup(text, shown);

	page_text(page, indent, role, part);
	free(part);
	if (shown < len)
		question_addf(page, ROLE_HINT, indent, "… and %s bytes more: the journal has them",
		    units_count(len - shown).text);
}

void
question_addf(struct page *page, enum role role, int indent, const char *format, ...)
{
	char line[512];

	FORMAT_INTO(line, format);
	page_text(page, indent, role, line);
}

/* ---- a URL to be visited ---- */

/* Highlights the host, on every row it wraps to. */
static void
mark_host(const struct questions *p, const struct question *q, struct surface s)
{
	const char *url = q->elicitation.url;
	const struct link *l = &q->link;
	size_t first = page_row_of(&p->text, p->text.items[p->url].at);
	struct wrap_row row;
	struct wrap wrap;

	wrap_init(&wrap);
	wrap_set(&wrap, url, strnlen(url, PARAGRAPH_MAX), s.width - URL_INDENT);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	for (size_t i = 0; wrap_row_at(&wrap, i, &row); i++) {
		size_t start = l->host > row.start ? l->host : row.start;
		size_t end = l->host + l->host_len < row.end ? l->host + l->host_len : row.end;
		if (start >= end || first + i < p->text.top)
			continue;
		int x = (int)glyph_columns(url + row.start, start - row.start);
		int width = (int)glyph_columns(url + start, end - start);
		surface_restyle(s, URL_INDENT + x, (int)(first + i - p->text.top), width,
		    ROLE_SELECTION, ATTR_BOLD);
	}
	wrap_finish(&wrap);
}

static void
write_state(const struct question *q, struct page *page)
{
	if (q->completed)
		question_addf(page, ROLE_OK, 0, "The server reports that it is complete.");
	else if (q->opened)
		question_addf(page, ROLE_OK, 0,
		    q->sends_again
			? "Opened. When you are done in the browser, F5 retries the call."
			: "Opened.");
	else if (q->link.openable)
		question_addf(page, ROLE_HINT, 0,
		    "Nothing was fetched. The URL opens in your browser only if you consent.");
}

/* Host and warnings come first: the URL may be longer than the screen. */
static void
write_url(struct questions *p, const struct question *q, struct page *page)
{
	const char *url = q->elicitation.url;
	const struct link *l = &q->link;

	question_addf(page, ROLE_DIM, 0, "The server asks you to visit:");
	page_gap(page);
	if (l->host_len > 0)
		question_addf(page, ROLE_TEXT, 0, "Host: %.*s",
		    (int)(l->host_len < 300 ? l->host_len : 300), url + l->host);
	for (size_t i = 0; i < l->warning_count; i++)
		question_addf(page, ROLE_WARNING, 0, "! %s", l->warnings[i]);
	if (!l->openable)
		question_addf(page, ROLE_ERROR, 0, "✗ cannot be opened: %s", l->refusal);
	if (!q->opened && !q->completed)
		write_state(q, page);
	page_gap(page);
	p->url = page->len;
	question_add(page, ROLE_TITLE, URL_INDENT, url, strlen(url));
	if (!q->opened && !q->completed)
		return;
	page_gap(page);
	write_state(q, page);
}

/* ---- roots ---- */

static void
write_roots(struct questions *p, const struct server *s, struct page *page)
{
	const struct strings *roots = server_info(s)->roots;

	question_addf(page, ROLE_DIM, 0,
	    roots->len ? "Roots that are sent to the server, now and in later requests:"
		       : "No roots yet: Send answers with an empty array, Add adds a folder.");
	page_gap(page);
	p->first_root = page->len;
	for (size_t i = 0; i < roots->len; i++)
		question_add(page, ROLE_TITLE, 2, roots->items[i], strlen(roots->items[i]));
	if (roots->len == 0)
		return;
	page_gap(page);
	page_text(page, 0, ROLE_HINT, ":root add PATH and :root remove PATH change them.");
}

/* The dialog: origin, message, request, answer. */

#define MESSAGE_SHOWN ((size_t)65536)

/* The call, the age and the full server name. Returns the rows used. */
static int
draw_origin(const struct view_env *env, const struct question *q, struct surface s)
{
	const struct server *server = env->ws->server;
	const struct call *call = server_find_call(server, q->call);
	struct buf text = BUF_INIT;

	if (call)
		buf_addf(&text, "during the call of %s, ", call_name(call));
	else
		buf_add_str(&text, "outside a call, ");
	pane_add_duration(&text, env->now_us - q->asked_us);
	buf_add_str(&text, " ago");
	if (q->key)
		buf_addf(&text, " · inputRequests/%s", q->key);
	buf_addf(&text, " · %s", server_info(server)->label);
	surface_text(s, 0, 0, -1, style_of(ROLE_HINT), buf_text(&text));
	buf_finish(&text);
	return 1;
}

/* The beginning of the message; the last row says how to read the rest. */
static int
draw_message(struct questions *p, const struct question *q, struct surface s, int most)
{
	const char *text = q->elicitation.message;
	size_t shown = strnlen(text, MESSAGE_SHOWN);

	p->cut = false;
	if (q->kind == QUESTION_SAMPLING || !*text)
		return 0;
	wrap_set(&p->wrap, text, shown, s.width);
	wrap_work(&p->wrap, (size_t)most + 1, shown + 1);
	p->cut = wrap_rows(&p->wrap) > (size_t)most;
	int rows = p->cut ? most : (int)wrap_rows(&p->wrap);
	wrap_draw(&p->wrap, surface_sub(s, 0, 0, s.width, rows - p->cut), style_of(ROLE_TEXT), 0);
	if (p->cut)
		surface_text(
		    s, 0, rows - 1, -1, style_of(ROLE_WARNING), "… m shows the whole message");
	return rows + 1;
}

static void
write_none(struct questions *p, const struct view_env *env, struct page *page)
{
	const struct server *server = env->ws->server;
	size_t left = server_info(server)->questions;
	const char *why = server_question_end(server, env->ws->question);

	if (why)
		question_addf(page, ROLE_WARNING, 0, "This request is closed: %s.", why);
	if (left > 0)
		question_addf(
		    page, ROLE_TEXT, 0, "] shows the next of %s.", units_count(left).text);
	else
		question_addf(
		    page, ROLE_HINT, 0, "The server asks for nothing%s.", why ? " more" : "");
	page_gap(page);
	if (server_info(server)->roots->len > 0)
		write_roots(p, server, page);
	else
		page_text(page, 0, ROLE_HINT,
		    "A server may ask for form input, a URL visit, sampling and roots. No roots "
		    "are set: :root add PATH adds one.");
}

void
questions_write(struct questions *p, const struct view_env *env)
{
	const struct question *q = workspace_question(env->ws);
	struct page *page = &p->text;

	page_clear(page);
	p->url = p->first_root = SIZE_MAX;
	if (p->reading && q) {
		question_add(
		    page, ROLE_TEXT, 0, q->elicitation.message, strlen(q->elicitation.message));
		page_text(page, 0, ROLE_HINT, "m goes back to the answer");
	} else if (!q && env->ws->server) {
		write_none(p, env, page);
	} else if (q && q->kind == QUESTION_URL) {
		write_url(p, q, page);
	} else if (q && q->kind == QUESTION_SAMPLING) {
		question_write_sampling(q, page);
	} else if (q && q->kind == QUESTION_ROOTS) {
		page_text(page, 0, ROLE_TEXT,
		    "The server asks for the roots: the folders that it may work in.");
		page_gap(page);
		write_roots(p, env->ws->server, page);
	}
}

static void
select_root(struct questions *p, size_t roots, struct surface s, bool focused)
{
	if (p->root >= roots)
		p->root = roots - 1;
	size_t row = page_row_of(&p->text, p->text.items[p->first_root + p->root].at);
	if (row >= p->text.top && row - p->text.top < (size_t)s.height)
		surface_select_row(s, (int)(row - p->text.top), focused);
}

static void
draw_text(
    struct questions *p, const struct view_env *env, const struct question *q, struct surface s)
{
	size_t roots = env->ws->server ? server_info(env->ws->server)->roots->len : 0;

	p->text_y = s.y - p->origin_y;
	page_draw(&p->text, s, ROLE_NONE, env->focused);
	if (q && q->kind == QUESTION_URL && p->url != SIZE_MAX)
		mark_host(p, q, s);
	if (p->first_root != SIZE_MAX && roots > 0)
		select_root(p, roots, s, env->focused);
}

static void
draw_dialog(
    struct questions *p, const struct view_env *env, const struct question *q, struct surface s)
{
	int answer = q->kind != QUESTION_SAMPLING ? 0 : s.height / 3 < 4 ? 4 : s.height / 3;
	int body = s.height - 2 - answer;

	draw_text(p, env, q, surface_sub(s, 0, 0, s.width, body));
	if (answer > 0)
		question_draw_answer(p, q, surface_sub(s, 0, body, s.width, answer), env->focused);
	question_draw_buttons(p, q, surface_sub(s, 0, s.height - 1, s.width, 1), env->focused);
}

static void
draw_form(
    struct questions *p, const struct view_env *env, const struct question *q, struct surface s)
{
	if (!q->elicitation.schema && s.height > 3) {
		surface_text(s, 0, 0, -1, style_of(ROLE_WARNING),
		    "! requestedSchema is missing or not an object");
		s = surface_sub(s, 0, 2, s.width, s.height - 2);
		p->form_y += 2;
	}
	form_pane_draw(&p->form, env, s);
}

/* A third of the pane, or the room that a few fields leave. */
static int
message_room(const struct question *q, int height)
{
	enum { AROUND = 6, FEW = 50 };
	size_t fields = q->form ? form_row_count(q->form) : FEW;
	int left = fields < FEW ? height - AROUND - (int)fields : 0;
	int most = left > height / 3 ? left : height / 3;

	return most > 2 ? most : 2;
}

void
questions_draw(void *state, const struct view_env *env, struct surface s)
{
	struct questions *p = state;
	struct question *q = workspace_question(env->ws);

	p->origin_y = s.y;
	p->buttons_y = -1;
	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	int y = q ? draw_origin(env, q, s) + 1 : 0;
	if (!q || p->reading) {
		draw_text(p, env, q, surface_sub(s, 0, y, s.width, s.height - y));
		return;
	}
	int most = message_room(q, s.height);
	y += draw_message(p, q, surface_sub(s, 0, y, s.width, s.height - y), most);
	p->form_y = y;
	struct surface rest = surface_sub(s, 0, y, s.width, s.height - y);
	if (q->kind == QUESTION_FORM) {
		draw_form(p, env, q, rest);
		return;
	}
	draw_dialog(p, env, q, rest);
	p->buttons_y = s.height - 1;
	bool visible = p->text.height > 0 && s.width > URL_INDENT && !p->text.unfinished;
	if (visible && p->text.rows <= p->text.top + (size_t)p->text.height)
		q->seen = true;
}

int
questions_want(void *state, const struct view_env *env, int width)
{
	enum { ALL = 1000, NONE = 8, ORIGIN = 2, GAP = 1, URL = 13 };
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q)
		return NONE;
	if (q->kind == QUESTION_ROOTS && !p->reading)
		return NONE + (int)server_info(env->ws->server)->roots->len;
	if (p->reading || q->kind == QUESTION_SAMPLING)
		return ALL;
	const char *text = q->elicitation.message;
	wrap_set(&p->wrap, text, strnlen(text, MESSAGE_SHOWN), width);
	wrap_work(&p->wrap, ALL, MESSAGE_SHOWN);
	int message = *text ? (int)wrap_rows(&p->wrap) + GAP : 0;
	if (q->kind == QUESTION_URL)
		return ORIGIN + message + URL +
		       (int)(strnlen(q->elicitation.url, MESSAGE_SHOWN) /
			     (size_t)(width - URL_INDENT));
	return ORIGIN + message + form_pane_want(&p->form, env, width);
}

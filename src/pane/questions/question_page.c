#include "questions.h"

#include "pane/pane_text.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "model/answers.h"

#include <string.h>

/* Per paragraph; a note says how much is cut. */
#define PARAGRAPH_MAX ((size_t)65536)

void
flow_add(struct flow *f, enum role role, int indent, const char *text, size_t len)
{
	int width = f->s.width - indent;
	size_t shown = len < PARAGRAPH_MAX ? len : PARAGRAPH_MAX;

	wrap_set(f->wrap, text, shown, width);
	wrap_work(f->wrap, SIZE_MAX, shown + 1);
	size_t rows = wrap_rows(f->wrap), above = f->row < f->top ? f->top - f->row : 0;
	size_t y = f->row > f->top ? f->row - f->top : 0;
	if (above < rows && y < (size_t)f->s.height)
		wrap_draw(f->wrap, surface_sub(f->s, indent, (int)y, width, f->s.height - (int)y),
		    style_of(role), above);
	f->row += rows;
	if (shown < len)
		flow_addf(f, ROLE_HINT, indent, "… and %zu bytes more: the journal has them",
		    len - shown);
}

void
flow_addf(struct flow *f, enum role role, int indent, const char *format, ...)
{
	struct buf text = BUF_INIT;
	char line[512];

	FORMAT_INTO(line, format);
	buf_add_str(&text, line);
	flow_add(f, role, indent, buf_text(&text), text.len);
	buf_finish(&text);
}

/* ---- a URL to be visited ---- */

/* Highlights the host, on every row it wraps to. */
static void
mark_host(struct flow *f, const char *url, const struct link *l, size_t first)
{
	struct wrap_row row;

	/* the last wrapped text may be freed */
	wrap_set(f->wrap, url, strnlen(url, PARAGRAPH_MAX), f->s.width - URL_INDENT);
	for (size_t i = 0; wrap_row_at(f->wrap, i, &row); i++) {
		size_t start = l->host > row.start ? l->host : row.start;
		size_t end = l->host + l->host_len < row.end ? l->host + l->host_len : row.end;
		if (start >= end || first + i < f->top)
			continue;
		int x = (int)glyph_columns(url + row.start, start - row.start);
		int width = (int)glyph_columns(url + start, end - start);
		surface_restyle(f->s, URL_INDENT + x, (int)(first + i - f->top), width,
		    ROLE_SELECTION, ATTR_BOLD);
	}
}

static void
draw_state(const struct question *q, struct flow *f)
{
	if (q->completed)
		flow_addf(f, ROLE_OK, 0, "The server reports that it is complete.");
	else if (q->opened)
		flow_addf(f, ROLE_OK, 0,
		    q->sends_again
			? "Opened. When you are done in the browser, F5 retries the call."
			: "Opened.");
	else if (q->link.openable)
		flow_addf(f, ROLE_HINT, 0,
		    "Nothing was fetched. The URL opens in your browser only if you consent.");
}

/* Host and warnings come first: the URL may be longer than the screen. */
static void
question_draw_url(const struct question *q, struct flow *f)
{
	const char *url = q->elicitation.url;
	const struct link *l = &q->link;

	flow_addf(f, ROLE_DIM, 0, "The server asks you to visit:");
	flow_addf(f, ROLE_DIM, 0, " ");
	if (l->host_len > 0)
		flow_addf(f, ROLE_TEXT, 0, "Host: %.*s",
		    (int)(l->host_len < 300 ? l->host_len : 300), url + l->host);
	for (size_t i = 0; i < l->warning_count; i++)
		flow_addf(f, ROLE_WARNING, 0, "! %s", l->warnings[i]);
	if (!l->openable)
		flow_addf(f, ROLE_ERROR, 0, "✗ cannot be opened: %s", l->refusal);
	if (!q->opened && !q->completed)
		draw_state(q, f);
	flow_addf(f, ROLE_DIM, 0, " ");
	size_t first = f->row;
	flow_add(f, ROLE_TITLE, URL_INDENT, url, strlen(url));
	mark_host(f, url, l, first);
	if (!q->opened && !q->completed)
		return;
	flow_addf(f, ROLE_DIM, 0, " ");
	draw_state(q, f);
}

/* ---- roots ---- */

static void
question_draw_roots(struct questions *p, const struct server *s, struct flow *f, bool focused)
{
	const struct strings *roots = server_info(s)->roots;

	flow_addf(f, ROLE_DIM, 0,
	    roots->len ? "Roots that are sent to the server, now and in later requests:"
		       : "No roots yet: Send answers with an empty array, Add adds a folder.");
	flow_addf(f, ROLE_DIM, 0, " ");
	if (p->root >= roots->len)
		p->root = roots->len ? roots->len - 1 : 0;
	for (size_t i = 0; i < roots->len; i++) {
		size_t row = f->row;
		flow_add(f, ROLE_TITLE, 2, roots->items[i], strlen(roots->items[i]));
		if (i == p->root && row >= f->top && row - f->top < (size_t)f->s.height)
			surface_select_row(f->s, (int)(row - f->top), focused);
	}
	if (roots->len > 0)
		flow_addf(f, ROLE_HINT, 0, " \n:root add PATH and :root remove PATH change them.");
}

/* The dialog: origin, message, request, answer. */

#define MESSAGE_SHOWN ((size_t)65536)

/* The call, the age and the full server name. Returns the rows used. */
static int
draw_origin(const struct pane_env *env, const struct question *q, struct surface s)
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
draw_whole_message(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	struct flow f = { .s = s, .wrap = &p->wrap, .top = p->top };

	flow_add(&f, ROLE_TEXT, 0, q->elicitation.message, strlen(q->elicitation.message));
	flow_addf(&f, ROLE_HINT, 0, "m goes back to the answer");
	p->rows = f.row;
	p->page = s.height;
	p->buttons_y = -1;
	if (f.row > (size_t)s.height)
		surface_scrollbar(s, env->focused, f.row, p->top);
}

static void
draw_asked_roots(struct questions *p, const struct pane_env *env, struct flow *f)
{
	flow_addf(
	    f, ROLE_TEXT, 0, "The server asks for the roots: the folders that it may work in.");
	flow_addf(f, ROLE_DIM, 0, " ");
	question_draw_roots(p, env->ws->server, f, env->focused);
}

static void
draw_text(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	struct flow f = { .s = s, .wrap = &p->wrap, .top = p->top };

	if (q->kind == QUESTION_URL)
		question_draw_url(q, &f);
	else if (q->kind == QUESTION_SAMPLING)
		question_draw_sampling(q, &f);
	else
		draw_asked_roots(p, env, &f);
	p->rows = f.row;
	p->page = s.height;
	if (f.row > (size_t)s.height)
		surface_scrollbar(s, env->focused, f.row, p->top);
}

static void
draw_dialog(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	int answer = q->kind != QUESTION_SAMPLING ? 0 : s.height / 3 < 4 ? 4 : s.height / 3;
	int body = s.height - 2 - answer;

	draw_text(p, env, q, surface_sub(s, 0, 0, s.width, body));
	if (answer > 0)
		question_draw_answer(p, q, surface_sub(s, 0, body, s.width, answer), env->focused);
	p->buttons_y = s.y + s.height - 1;
	question_draw_buttons(p, q, surface_sub(s, 0, s.height - 1, s.width, 1), env->focused);
}

static void
draw_none(struct questions *p, const struct pane_env *env, struct surface s)
{
	struct flow f = { .s = s, .wrap = &p->wrap };
	const struct server *server = env->ws->server;
	size_t left = server ? server_info(server)->questions : 0;
	const char *why = server ? server_question_end(server, env->ws->question) : NULL;

	p->buttons_y = -1;
	if (!server) {
		pane_draw_server_state(env, s);
		return;
	}
	if (why)
		flow_addf(&f, ROLE_WARNING, 0, "This request is closed: %s.", why);
	if (left > 0)
		flow_addf(&f, ROLE_TEXT, 0, "] shows the next of %zu.", left);
	else
		flow_addf(&f, ROLE_HINT, 0, "The server asks for nothing%s.", why ? " more" : "");
	flow_addf(&f, ROLE_DIM, 0, " ");
	if (server_info(server)->roots->len > 0)
		question_draw_roots(p, server, &f, env->focused);
	else
		flow_addf(&f, ROLE_HINT, 0,
		    "A server may ask for form input, a URL visit, sampling and roots. No roots "
		    "are "
		    "set: "
		    ":root add PATH adds one.");
}

static void
draw_form(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	p->buttons_y = -1;
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
questions_draw(void *state, const struct pane_env *env, struct surface s)
{
	struct questions *p = state;
	struct question *q = workspace_question(env->ws);

	if (!q) {
		draw_none(p, env, s);
		return;
	}
	int y = draw_origin(env, q, s) + 1;
	if (p->reading) {
		draw_whole_message(p, env, q, surface_sub(s, 0, y, s.width, s.height - y));
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
	bool visible = p->page > 0 && s.width > URL_INDENT;
	if (visible && p->rows <= p->top + (size_t)p->page)
		q->seen = true;
}

int
questions_want(void *state, const struct pane_env *env, int width)
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

/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "client/lens.h"
#include "client/question.h"
#include "json/number.h"
#include "json/print.h"
#include "pane/form/form_pane.h"
#include "pane/pane_text.h"
#include "ui/page.h"

#include <stdlib.h>
#include <string.h>

/* The questions pane shows one request from the server at a time: its message, the request, the
 * answer and the buttons. */

#define QUESTION_BUTTONS 5
#define URL_INDENT 2             /* columns before a URL */
#define TEXT_MAX ((size_t)65536) /* bytes shown of a message, and of a paragraph */

struct questions {
	struct form_pane form; /* first, because form actions cast to it */
	uint64_t question;     /* the question that the members below belong to */
	int button;
	struct page text;       /* the request, unless it is a form; or the whole message */
	int text_y, origin_y;   /* of the text in the pane; of the pane */
	size_t url, first_root; /* items of the text */
	struct wrap wrap;
	struct edit answer; /* to a sampling request */
	bool editing;
	bool asks_text;    /* a sampling request: letters begin its answer */
	bool reading, cut; /* the message is shown whole; it is longer than its rows */
	size_t root;       /* selected */
	int form_y;        /* position of the form */
	int buttons_y, buttons_x[QUESTION_BUTTONS + 1];
};

/* ---- the text of a request ---- */

/* Add a paragraph; a long one is cut with a note. */
static void
question_add(struct page *page, enum role role, int indent, const char *text, size_t len)
{
	size_t shown = len < TEXT_MAX ? len : TEXT_MAX;
	char *part = mem_strndup(text, shown);

	page_text(page, indent, role, part);
	free(part);
	if (shown < len)
		page_textf(page, indent, ROLE_HINT, "… and %s bytes more: the journal has them",
		    units_count(len - shown).text);
}

static void
add_fact(struct buf *out, const char *before, const cJSON *value, const char *after)
{
	if (!value)
		return;
	buf_addf(out, "%s%s ", out->len ? " · " : "", before);
	json_print_brief(out, value, 200);
	buf_add_str(out, after);
}

static void
write_sampling_facts(const struct sampling *s, struct page *page)
{
	struct buf out = BUF_INIT;

	for (const cJSON *h = json_first(json_get(s->preferences, "hints")); h; h = h->next) {
		const char *name = json_get_string(h, "name");
		if (name)
			buf_addf(&out, "%s%s", out.len ? ", " : "model like ", name);
	}
	add_fact(&out, "at most", s->max_tokens, " tokens");
	add_fact(&out, "temperature", s->temperature, "");
	add_fact(&out, "stop", s->stop_sequences, "");
	add_fact(&out, "cost", json_get(s->preferences, "costPriority"), "");
	add_fact(&out, "speed", json_get(s->preferences, "speedPriority"), "");
	add_fact(&out, "intelligence", json_get(s->preferences, "intelligencePriority"), "");
	if (s->include_context)
		buf_addf(&out, "%scontext %s", out.len ? " · " : "", s->include_context);
	add_fact(&out, "metadata", s->metadata, "");
	question_add(page, ROLE_DIM, 0, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
write_sampling_tools(const struct sampling *s, struct page *page)
{
	struct buf out = BUF_INIT;

	for (const cJSON *t = json_first(s->tools); t; t = t->next) {
		const char *name = json_get_string(t, "name");
		const char *text = json_get_string(t, "description");
		buf_clear(&out);
		buf_addf(&out, "tool %s", name ? name : "(no name)");
		if (text)
			buf_addf(&out, ": %s", text);
		add_fact(&out, "input", json_get(json_get(t, "inputSchema"), "properties"), "");
		question_add(page, ROLE_TEXT, 0, buf_text(&out), out.len);
	}
	buf_clear(&out);
	add_fact(&out, "toolChoice", s->tool_choice, "");
	if (out.len > 0)
		question_add(page, ROLE_DIM, 0, buf_text(&out), out.len);
	buf_finish(&out);
}

static bool
is_type(const cJSON *block, const char *type)
{
	const char *text = json_get_string(block, "type");

	return text && strcmp(text, type) == 0;
}

/* Write a content block for the model; binary data is only counted. */
static void
write_content(const cJSON *block, struct page *page, int indent)
{
	const char *text = json_get_string(block, "text"), *data = json_get_string(block, "data");
	const char *type = json_get_string(block, "type");
	const char *mime = json_get_string(block, "mimeType");
	struct buf out = BUF_INIT;

	if (text && is_type(block, "text")) {
		question_add(page, ROLE_TEXT, indent, text, strlen(text));
		return;
	}
	if (data) {
		page_textf(page, indent, ROLE_DIM, "[%.40s, %.60s, %s bytes in base64]",
		    type ? type : "data", mime ? mime : "no type", units_count(strlen(data)).text);
		return;
	}
	if (is_type(block, "tool_use")) {
		const char *name = json_get_string(block, "name");
		const char *id = json_get_string(block, "id");
		buf_addf(&out, "uses %s (%s) ", name ? name : "(no name)", id ? id : "no id");
		json_print_brief(&out, json_get(block, "input"), 4096);
	} else {
		json_print_pretty(&out, block, 2);
	}
	question_add(page, ROLE_STRING, indent, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
write_tool_result(const cJSON *block, struct page *page)
{
	const char *id = json_get_string(block, "toolUseId");
	const cJSON *structured = json_get(block, "structuredContent");
	struct buf out = BUF_INIT;

	page_textf(page, 2, ROLE_STRING, "result of %.100s%s", id ? id : "(no id)",
	    cJSON_IsTrue(json_get(block, "isError")) ? ", an error" : "");
	for (const cJSON *b = json_first(json_get(block, "content")); b; b = b->next)
		write_content(b, page, 4);
	if (!structured)
		return;
	buf_add_str(&out, "structuredContent ");
	json_print_brief(&out, structured, 4096);
	question_add(page, ROLE_STRING, 4, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
write_sampling(const struct question *q, struct page *page)
{
	const struct sampling *s = &q->sampling;

	write_sampling_facts(s, page);
	write_sampling_tools(s, page);
	if (q->request) {
		page_text(page, 0, ROLE_WARNING, "the edited request, for a command:");
		question_add(page, ROLE_TEXT, 2, q->request, strlen(q->request));
		return;
	}
	if (s->system_prompt) {
		page_text(page, 0, ROLE_ACCENT, "system");
		question_add(page, ROLE_TEXT, 2, s->system_prompt, strlen(s->system_prompt));
	}
	for (const cJSON *m = json_first(s->messages); m; m = m->next) {
		const char *role = json_get_string(m, "role");
		const cJSON *content = json_get(m, "content");
		page_textf(page, 0, ROLE_ACCENT, "%.40s", role ? role : "(no role)");
		for (const cJSON *b = NULL; (b = sampling_next_block(content, b));)
			if (is_type(b, "tool_result"))
				write_tool_result(b, page);
			else
				write_content(b, page, 2);
	}
}

/* ---- the answer to a sampling request ---- */

/* Append the state of the answer: its flaw, or the draft's estimated share of maxTokens. */
static enum role
add_answer_state(const struct question *q, struct buf *out)
{
	struct buf result = BUF_INIT;
	size_t len = q->draft ? strlen(q->draft) : 0, most = 0;
	const char *flaw = q->trouble;

	if (q->draft && !flaw) {
		question_sampling_result(q->draft, len, &result);
		flaw = result.len > 0 ? question_sampling_flaw(q, &result) : NULL;
		buf_finish(&result);
	}
	if (q->working) {
		buf_add_str(out, "◐ the command is running");
		return ROLE_ACCENT;
	}
	if (flaw) {
		buf_addf(out, "✗ %s", flaw);
		return ROLE_ERROR;
	}
	if (len == 0) {
		buf_add_str(out, "text, or a result as JSON; F5 sends it");
		return ROLE_HINT;
	}
	size_t tokens = tokens_estimate_soon(q->draft, len);
	pane_add_tokens(out, tokens);
	if (!json_number_to_size(q->sampling.max_tokens, SIZE_MAX, &most))
		return ROLE_HINT;
	buf_addf(out, " of at most %s", units_count(most).text);
	return tokens > most ? ROLE_WARNING : ROLE_HINT;
}

static void
draw_answer(struct questions *p, const struct question *q, struct surface s, bool focused)
{
	struct surface box = surface_sub(s, 0, 1, s.width, s.height - 1);
	const char *draft = q->draft ? q->draft : "";
	int x = surface_text(s, 0, 0, -1, style_of(ROLE_TITLE), "answer");
	struct buf state = BUF_INIT;

	enum role role = add_answer_state(q, &state);
	surface_text(s, x + 2, 0, -1, style_of(role), buf_text(&state));
	buf_finish(&state);
	surface_clear(box, style_on(ROLE_TEXT, p->editing ? ROLE_FIELD_FOCUS : ROLE_FIELD));
	struct surface text = surface_sub(box, 1, 0, box.width - 2, box.height);
	if (p->editing) {
		edit_draw(&p->answer, text, style_on(ROLE_TEXT, ROLE_FIELD_FOCUS), focused, NULL);
		return;
	}
	if (!*draft)
		surface_text(text, 0, 0, -1, style_on(ROLE_HINT, ROLE_FIELD), "type it here");
	wrap_set(&p->wrap, draft, strlen(draft), text.width);
	wrap_draw(&p->wrap, text, style_on(ROLE_TEXT, ROLE_FIELD), 0);
}

/* ---- a URL to be visited ---- */

/* Highlight the host on every row it wraps to. */
static void
mark_host(const struct questions *p, const struct question *q, struct surface s)
{
	const char *url = q->elicitation.url;
	const struct link *l = &q->link;
	size_t first = page_row_of(&p->text, p->text.items[p->url].at);
	struct wrap_row row;
	struct wrap wrap = { 0 };

	wrap_set(&wrap, url, strnlen(url, TEXT_MAX), s.width - URL_INDENT);
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

/* The host and warnings come first because the URL may be longer than the screen. */
static void
write_url(struct questions *p, const struct question *q, struct page *page)
{
	const char *url = q->elicitation.url;
	const struct link *l = &q->link;

	page_text(page, 0, ROLE_DIM, "The server asks you to visit:");
	page_gap(page);
	if (l->host_len > 0)
		page_textf(page, 0, ROLE_TEXT, "Host: %.*s",
		    (int)(l->host_len < 300 ? l->host_len : 300), url + l->host);
	for (size_t i = 0; i < l->warning_count; i++)
		page_textf(page, 0, ROLE_WARNING, "! %s", l->warnings[i]);
	if (!l->openable)
		page_textf(page, 0, ROLE_ERROR, "✗ cannot be opened: %s", l->refusal);
	if (!q->opened && !q->completed && l->openable)
		page_text(page, 0, ROLE_HINT,
		    "Nothing was fetched. The URL opens in your browser only if you consent.");
	page_gap(page);
	p->url = page->len;
	question_add(page, ROLE_TITLE, URL_INDENT, url, strlen(url));
	if (!q->opened && !q->completed)
		return;
	page_gap(page);
	page_text(page, 0, ROLE_OK,
	    q->completed     ? "The server reports that it is complete."
	    : q->sends_again ? "Opened. When you are done in the browser, F5 retries the call."
			     : "Opened.");
}

/* ---- roots ---- */

static void
write_roots(struct questions *p, const struct server *s, struct page *page)
{
	const struct strings *roots = server_info(s)->roots;

	page_text(page, 0, ROLE_DIM,
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

/* ---- the buttons ---- */

struct question_button {
	const char *label, *command;
};

static const struct question_button *
question_buttons(const struct question *q)
{
	static const struct question_button url[] = {
		{ " Open F5 ", "open-url" },
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, unsafe[] = {
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, opened[] = {
		{ " Done F5 ", "answer" },
		{ " Open again ", "open-url" },
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, sampling[] = {
		{ " Send F5 ", "answer" },
		{ " Type ", "type-answer" },
		{ " $EDITOR ", "edit-answer" },
		{ " Command ", "sample" },
		{ " Decline F8 ", "decline" },
		{ NULL, NULL },
	}, roots[] = {
		{ " Send F5 ", "answer" },
		{ " Add ", "command root add" },
		{ " Remove ", "remove-root" },
		{ " Decline F8 ", "decline" },
		{ NULL, NULL },
	};

	if (q->kind == QUESTION_SAMPLING)
		return sampling;
	if (q->kind == QUESTION_ROOTS)
		return roots;
	if (q->opened)
		return opened;
	return q->link.openable ? url : unsafe;
}

static void
draw_question_buttons(struct questions *p, const struct question *q, struct surface s, bool focused)
{
	const struct question_button *buttons = question_buttons(q);
	int x = s.width, count = 0;

	for (; buttons[count].label; count++)
		x -= (int)strlen(buttons[count].label) + (count > 0) * 2;
	if (x < 0)
		x = 0;
	if (p->button >= count)
		p->button = count - 1;
	for (int i = 0; i < count; i++) {
		bool selected = i == p->button && focused && !p->editing;
		struct style style = style_of(selected ? ROLE_BUTTON_FOCUS : ROLE_BUTTON);
		style.attr = selected ? ATTR_BOLD : 0;
		p->buttons_x[i] = x;
		surface_spot(s, x, 0);
		x += surface_text(s, x, 0, -1, style, buttons[i].label) + 2;
	}
	for (int i = count; i <= QUESTION_BUTTONS; i++)
		p->buttons_x[i] = x;
}

/* ---- drawing ---- */

/* Draw the call, the age and the full server name. */
static void
draw_origin(const struct view_env *env, const struct question *q, struct surface s)
{
	const struct server *server = env->ws->server;
	const struct call *call = server_find_call(server, q->call);
	struct buf text = BUF_INIT;

	if (call)
		buf_addf(&text, "during the call of %s, ", call_name(call));
	else
		buf_add_str(&text, "outside a call, ");
	buf_addf(&text, "%s ago", pane_duration(env->now_us - q->asked_us).text);
	if (q->key)
		buf_addf(&text, " · inputRequests/%s", q->key);
	buf_addf(&text, " · %s", server_info(server)->label);
	surface_text(s, 0, 0, -1, style_of(ROLE_HINT), buf_text(&text));
	buf_finish(&text);
}

/* Draw the beginning of the message, with a hint in the last row if there is more. Return the rows
 * used: a third of the pane, or the rows that a few fields leave. */
static int
draw_message(struct questions *p, const struct question *q, struct surface s, int height)
{
	enum { AROUND = 6, FEW = 50 };
	const char *text = q->elicitation.message;
	size_t shown = strnlen(text, TEXT_MAX), fields = q->form ? form_row_count(q->form) : FEW;
	int left = fields < FEW ? height - AROUND - (int)fields : 0;
	int most = left > height / 3 ? left : height / 3;

	most = most > 2 ? most : 2;
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
	size_t left = server_info(server)->questions.len;
	const char *why = server_question_end(server, env->ws->question);

	if (why)
		page_textf(page, 0, ROLE_WARNING, "This request is closed: %s.", why);
	if (left > 0)
		page_textf(page, 0, ROLE_TEXT, "] shows the next of %s.", units_count(left).text);
	else
		page_textf(
		    page, 0, ROLE_HINT, "The server asks for nothing%s.", why ? " more" : "");
	page_gap(page);
	if (server_info(server)->roots->len > 0)
		write_roots(p, server, page);
	else
		page_text(page, 0, ROLE_HINT,
		    "A server may ask for form input, a URL visit, sampling and roots. No roots "
		    "are set: :root add PATH adds one.");
}

static void
write_question(struct questions *p, const struct view_env *env)
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
		write_sampling(q, page);
	} else if (q && q->kind == QUESTION_ROOTS) {
		page_text(page, 0, ROLE_TEXT,
		    "The server asks for the roots: the folders that it may work in.");
		page_gap(page);
		write_roots(p, env->ws->server, page);
	}
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
	if (p->first_root == SIZE_MAX || roots == 0)
		return;
	if (p->root >= roots)
		p->root = roots - 1;
	size_t row = page_row_of(&p->text, p->text.items[p->first_root + p->root].at);
	if (row >= p->text.top && row - p->text.top < (size_t)s.height)
		surface_select_row(s, (int)(row - p->text.top), env->focused);
}

static void
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
	if (q)
		draw_origin(env, q, s);
	int y = q ? 2 : 0;
	if (!q || p->reading) {
		draw_text(p, env, q, surface_sub(s, 0, y, s.width, s.height - y));
		return;
	}
	y += draw_message(p, q, surface_sub(s, 0, y, s.width, s.height - y), s.height);
	struct surface rest = surface_sub(s, 0, y, s.width, s.height - y);
	p->form_y = y;
	if (q->kind == QUESTION_FORM) {
		if (!q->elicitation.schema && rest.height > 3) {
			surface_text(rest, 0, 0, -1, style_of(ROLE_WARNING),
			    "! requestedSchema is missing or not an object");
			rest = surface_sub(rest, 0, 2, rest.width, rest.height - 2);
			p->form_y += 2;
		}
		form_pane_draw(&p->form, env, rest);
		return;
	}
	int third = rest.height / 3, answer = third < 4 ? 4 : third;
	int body = rest.height - 2 - (q->kind == QUESTION_SAMPLING ? answer : 0);
	draw_text(p, env, q, surface_sub(rest, 0, 0, rest.width, body));
	if (q->kind == QUESTION_SAMPLING)
		draw_answer(p, q, surface_sub(rest, 0, body, rest.width, answer), env->focused);
	draw_question_buttons(
	    p, q, surface_sub(rest, 0, rest.height - 1, rest.width, 1), env->focused);
	p->buttons_y = s.height - 1;
	bool visible = p->text.height > 0 && s.width > URL_INDENT && !p->text.unfinished;
	if (visible && p->text.rows <= p->text.top + (size_t)p->text.height)
		q->seen = true;
}

static int
questions_want(void *state, const struct view_env *env, int width)
{
	enum { NONE = 8, ORIGIN = 2, GAP = 1, URL = 13 };
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q)
		return NONE;
	if (q->kind == QUESTION_ROOTS && !p->reading)
		return NONE + (int)server_info(env->ws->server)->roots->len;
	if (p->reading || q->kind == QUESTION_SAMPLING)
		return VIEW_ALL_ROWS;
	const char *text = q->elicitation.message;
	wrap_set(&p->wrap, text, strnlen(text, TEXT_MAX), width);
	wrap_work(&p->wrap, VIEW_ALL_ROWS, TEXT_MAX);
	int message = *text ? (int)wrap_rows(&p->wrap) + GAP : 0;
	if (q->kind == QUESTION_URL)
		return ORIGIN + message + URL +
		       (int)(strnlen(q->elicitation.url, TEXT_MAX) / (size_t)(width - URL_INDENT));
	return ORIGIN + message + form_pane_want(&p->form, env, width);
}

/* ---- the question shown ---- */

static const struct form_pane_look form_look = {
	.buttons = { { " Send F5 ", "answer" }, { " JSON ", "json" }, { " Decline F8 ", "decline" },
	    { " Cancel F9 ", "dismiss" } },
	.typing = "Enter next field  F5 send  F8 decline  F9 cancel  Esc commands",
	.typing_lines = "Enter next field  Alt-Enter new line  F5 send  F8 decline  Esc commands",
	.typing_json = "Tab next field  F5 send  F8 decline  Esc commands",
	.menu = "Enter choose  Tab next field  type to filter  Esc leave  F5 send",
	.menu_many = "Space tick  Enter done  type to filter  Esc leave  F5 send",
	.schema = "requestedSchema",
	.bare = true,
};

static struct form *
asked_form(const struct view_env *env)
{
	struct question *q = workspace_question(env->ws);

	return q ? q->form : NULL;
}

/* While the message is read, keys must not reach hidden fields. */
static struct form *
no_form(const struct view_env *env)
{
	return NULL;
}

static void
read_message(struct questions *p, const struct view_env *env, bool on)
{
	p->reading = on;
	p->text.top = 0;
	p->form.source = on ? no_form : asked_form;
	write_question(p, env);
}

static void
init(void *state)
{
	struct questions *p = state;

	form_pane_init(&p->form);
	p->form.look = &form_look;
	p->form.source = asked_form;
	edit_init(&p->answer, true, (size_t)1 << 20);
}

static void
questions_finish(void *state)
{
	struct questions *p = state;

	form_pane_finish(&p->form);
	page_finish(&p->text);
	wrap_finish(&p->wrap);
	edit_finish(&p->answer);
}

static void
questions_sync(void *state, const struct view_env *env)
{
	struct questions *p = state;

	if (env->ws->question == 0)
		workspace_next_question(env->ws, 0);
	const struct question *q = workspace_question(env->ws);
	if (p->question != env->ws->question || !q) {
		p->question = env->ws->question;
		p->editing = false;
		read_message(p, env, false);
		p->button = q && q->kind == QUESTION_SAMPLING && !q->draft; /* Type, else Send */
	}
	p->asks_text = q && q->kind == QUESTION_SAMPLING;
	write_question(p, env);
	form_pane_sync(&p->form, env);
}

static enum role
questions_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct server *s = env->ws->server;
	const struct question *q = workspace_question(env->ws);
	size_t count = s ? server_info(s)->questions.len : 0, at = 0;

	if (!q) {
		buf_add_str(title, "questions");
		return ROLE_DIM;
	}
	while (at < count && server_info(s)->questions.items[at]->id != q->id)
		at++;
	buf_addf(title, "%s asks: %s%s", server_info(s)->name, question_kind_names[q->kind],
	    q->kind == QUESTION_FORM || q->kind == QUESTION_URL ? " elicitation" : "");
	buf_addf(facts, "%zu of %zu%s", at + 1, count, count > 1 ? "  [ ]" : "");
	return count > 1 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- keys ---- */

static bool
act_activate(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (p->reading)
		read_message(p, env, false);
	else if (q && q->kind == QUESTION_FORM)
		form_pane_act_activate(&p->form, env, "");
	else if (q)
		env->host->run(env->user, question_buttons(q)[p->button].command);
	return true;
}

static bool
act_type(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q || q->kind != QUESTION_SAMPLING)
		return false;
	p->editing = true;
	edit_set(&p->answer, q->draft ? q->draft : "", q->draft ? strlen(q->draft) : 0);
	return true;
}

static bool
act_remove_root(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct strings *roots = env->ws->server ? server_info(env->ws->server)->roots : NULL;

	if (!roots || p->root >= roots->len)
		return false;
	return pane_run(env, "root remove %s", roots->items[p->root]);
}

static bool
act_read(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q || !*q->elicitation.message)
		return false;
	read_message(p, env, !p->reading);
	return true;
}

static bool
step_question(void *state, const struct view_env *env, const char *arg, int by)
{
	return workspace_next_question(env->ws, by);
}

VIEW_ACTION_WITH(act_next, step_question, 1)
VIEW_ACTION_WITH(act_previous, step_question, -1)

static const struct view_action actions[] = {
	{ "press", "enter", "", "press the button, edit the field", act_activate, "press" },
	{ "next-question", "]", "", "go to the next question", act_next, NULL },
	{ "previous-question", "[", "", "go to the previous question", act_previous, NULL },
	{ "read-message", "m", "", "read the whole message, or go back to the answer", act_read,
	    "message" },
	{ "type-answer", "t", "", "type the answer to a sampling request", act_type, NULL },
	{ "remove-root", "", "", "remove the selected root", act_remove_root, NULL },
	FORM_PANE_ACTIONS,
	{ 0 },
};

/* The bottom bar lists Enter and the answer keys itself. */
static const char *
questions_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct question *q = workspace_question(env->ws);
	struct questions *p = state;

	if (!q || action->run == act_activate)
		return NULL;
	if (action->run == act_read)
		return p->reading ? "answer" : p->cut ? action->hint : NULL;
	return q->kind == QUESTION_FORM ? form_pane_hint(&p->form, env, action) : NULL;
}

static bool
answer_key(struct questions *p, const struct view_env *env, const struct key *key)
{
	struct question *q = workspace_question(env->ws);
	bool changed = false;

	if (!q || key->kind == KEY_ESCAPE) {
		p->editing = false;
		return true;
	}
	if (!edit_key(&p->answer, key, &changed)) {
		if (key->kind != KEY_F && key->kind != KEY_TAB)
			return key->kind == KEY_UP || key->kind == KEY_DOWN;
		p->editing = false;
		return key->kind == KEY_TAB;
	}
	if (changed) {
		question_set(&q->draft, edit_text(&p->answer), p->answer.text.len);
		server_changed(env->ws->server);
	}
	return true;
}

static bool
dialog_key(struct questions *p, const struct view_env *env, const struct question *q,
    const struct key *key)
{
	const struct question_button *buttons = question_buttons(q);
	size_t roots = q->kind == QUESTION_ROOTS ? server_info(env->ws->server)->roots->len : 0;

	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS && key->y == p->buttons_y)
		for (int i = 0; buttons[i].label; i++)
			if (key->x >= p->buttons_x[i] && key->x < p->buttons_x[i + 1] - 1) {
				p->button = i;
				env->host->run(env->user, buttons[i].command);
				return true;
			}
	if (key->kind == KEY_LEFT)
		p->button -= p->button > 0;
	else if (key->kind == KEY_RIGHT)
		p->button += buttons[p->button + 1].label != NULL;
	else if (roots > 0 && key->kind == KEY_UP)
		p->root -= p->root > 0;
	else if (roots > 0 && key->kind == KEY_DOWN)
		p->root += p->root + 1 < roots;
	else
		return page_key(&p->text, key);
	return true;
}

static bool
questions_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (p->editing || !env->ws->server)
		return false;
	if (q && q->kind == QUESTION_FORM && !p->reading) {
		bool ok = form_pane_seek(&p->form, env, out);
		out->y = p->form_y;
		return ok;
	}
	*out = seek_page(&p->text);
	out->y = p->text_y;
	return true;
}

static bool
questions_key(void *state, const struct view_env *env, const struct key *key)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q)
		return false;
	if (p->editing)
		return answer_key(p, env, key);
	if (p->reading)
		return page_key(&p->text, key);
	bool text = key->kind == KEY_PASTE || (key->kind == KEY_CHAR && key->ch >= ' ' &&
						  !(key->mods & (MOD_CTRL | MOD_ALT)));
	if (env->typing && text && act_type(p, env, ""))
		return answer_key(p, env, key);
	if (q->kind != QUESTION_FORM)
		return dialog_key(p, env, q, key);
	struct key local = *key;
	if (key->kind == KEY_MOUSE)
		local.y -= p->form_y;
	return form_pane_key(&p->form, env, &local);
}

static struct surface
pop_up(void *state, const struct view_env *env, struct surface screen, struct surface inner)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q || q->kind != QUESTION_FORM || p->reading)
		return surface_sub(screen, 0, 0, 0, 0);
	inner = surface_sub(inner, 0, p->form_y, inner.width, inner.height - p->form_y);
	return form_pane_pop_up(&p->form, env, screen, inner);
}

static const char *
questions_captures(const void *state)
{
	const struct questions *p = state;

	return p->editing ? "Esc done  F5 send  F8 decline" : form_pane_captures(&p->form);
}

static bool
types(const void *state)
{
	const struct questions *p = state;

	return !p->editing && !p->reading && (p->asks_text || form_pane_types(&p->form));
}

static const struct view_binding bindings[] = {
	{ "ctrl-r r f5", "answer" },
	{ "f8", "decline" },
	{ "f9", "dismiss" },
	{ "y", "copy-url" },
	{ "ctrl-e", "edit-answer" },
	{ "ctrl-t", "edit-request" },
	{ "ctrl-g", "sample" },
	{ 0 },
};

const struct view_ops pane_questions = {
	.title = "questions",
	.help = "requests from the server: elicitation, sampling, roots",
	.state_size = sizeof(struct questions),
	.actions = actions,
	.whole = "remove-root",
	.bindings = bindings,
	.init = init,
	.finish = questions_finish,
	.sync = questions_sync,
	.heading = questions_heading,
	.want = questions_want,
	.draw = questions_draw,
	.pop_up = pop_up,
	.key = questions_key,
	.seek = questions_seek,
	.captures = questions_captures,
	.types = types,
	.fills = form_pane_fills,
	.hint = questions_hint,
};

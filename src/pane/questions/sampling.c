#include "questions.h"

#include "base/units.h"
#include "json/number.h"
#include "json/print.h"
#include "client/lens.h"
#include "pane/pane_text.h"

#include <string.h>

/* ---- the request ---- */

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
add_hints(struct buf *out, const cJSON *hints)
{
	for (const cJSON *h = json_first(hints); h; h = h->next) {
		const char *name = json_get_string(h, "name");
		if (name)
			buf_addf(out, "%s%s", out->len ? ", " : "model like ", name);
	}
}

static void
write_facts(const struct sampling *s, struct page *page)
{
	struct buf out = BUF_INIT;

	add_hints(&out, json_get(s->preferences, "hints"));
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
write_tools(const struct sampling *s, struct page *page)
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

static void
write_tool_use(const cJSON *block, struct page *page)
{
	const char *name = json_get_string(block, "name"), *id = json_get_string(block, "id");
	struct buf out = BUF_INIT;

	buf_addf(&out, "uses %s (%s) ", name ? name : "(no name)", id ? id : "no id");
	json_print_brief(&out, json_get(block, "input"), 4096);
	question_add(page, ROLE_STRING, 2, buf_text(&out), out.len);
	buf_finish(&out);
}

static bool
is_type(const cJSON *block, const char *type)
{
	const char *text = json_get_string(block, "type");

	return text && strcmp(text, type) == 0;
}

/* The content for the model; binary data is only counted. */
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
		question_addf(page, ROLE_DIM, indent, "[%.40s, %.60s, %s bytes in base64]",
		    type ? type : "data", mime ? mime : "no type", units_count(strlen(data)).text);
		return;
	}
	json_print_pretty(&out, block, 2);
	question_add(page, ROLE_STRING, indent, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
write_tool_result(const cJSON *block, struct page *page)
{
	const char *id = json_get_string(block, "toolUseId");
	const cJSON *structured = json_get(block, "structuredContent");
	struct buf out = BUF_INIT;

	question_addf(page, ROLE_STRING, 2, "result of %.100s%s", id ? id : "(no id)",
	    json_is_true(json_get(block, "isError")) ? ", an error" : "");
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
write_block(const cJSON *block, struct page *page)
{
	if (is_type(block, "tool_use"))
		write_tool_use(block, page);
	else if (is_type(block, "tool_result"))
		write_tool_result(block, page);
	else
		write_content(block, page, 2);
}

static void
write_message(const cJSON *message, struct page *page)
{
	const char *role = json_get_string(message, "role");
	const cJSON *content = json_get(message, "content");

	question_addf(page, ROLE_ACCENT, 0, "%.40s", role ? role : "(no role)");
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));)
		write_block(b, page);
}

void
question_write_sampling(const struct question *q, struct page *page)
{
	const struct sampling *s = &q->sampling;

	write_facts(s, page);
	write_tools(s, page);
	if (q->request) {
		question_addf(page, ROLE_WARNING, 0, "the edited request, for a command:");
		question_add(page, ROLE_TEXT, 2, q->request, strlen(q->request));
		return;
	}
	if (s->system_prompt) {
		question_addf(page, ROLE_ACCENT, 0, "system");
		question_add(page, ROLE_TEXT, 2, s->system_prompt, strlen(s->system_prompt));
	}
	for (const cJSON *m = json_first(s->messages); m; m = m->next)
		write_message(m, page);
}

/* ---- the answer ---- */

/* The draft's share of maxTokens, estimated. */
static enum role
add_length(const struct question *q, struct buf *out)
{
	size_t len = q->draft ? strlen(q->draft) : 0, most = 0;

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

static enum role
add_state(const struct question *q, struct buf *out)
{
	struct buf result = BUF_INIT;
	const char *flaw = NULL;

	if (q->draft)
		question_sampling_result(q->draft, strlen(q->draft), &result);
	if (result.len > 0)
		flaw = question_sampling_flaw(q, &result);
	buf_finish(&result);
	if (q->working) {
		buf_add_str(out, "◐ the command is running");
		return ROLE_ACCENT;
	}
	if (!q->trouble && !flaw)
		return add_length(q, out);
	buf_addf(out, "✗ %s", q->trouble ? q->trouble : flaw);
	return ROLE_ERROR;
}

static void
draw_answer_head(const struct question *q, struct surface s)
{
	int x = surface_text(s, 0, 0, -1, style_of(ROLE_TITLE), "answer");
	struct buf text = BUF_INIT;
	enum role role = add_state(q, &text);

	surface_text(s, x + 2, 0, -1, style_of(role), buf_text(&text));
	buf_finish(&text);
}

void
question_draw_answer(struct questions *p, const struct question *q, struct surface s, bool focused)
{
	struct surface box = surface_sub(s, 0, 1, s.width, s.height - 1);
	const char *draft = q->draft ? q->draft : "";

	draw_answer_head(q, s);
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

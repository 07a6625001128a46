#include "server.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* A server that another client uses: its requests become our lists and calls. */

void
server_on_sent(struct server *s, struct raw_message *line, int64_t now_us)
{
	s->now_us = now_us;
	session_on_sent(s->session, line, server_now_ms(s));
}

/* ---- what the client requests ---- */

static bool
watch_list(struct server *s, uint64_t request, const struct message *m)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const char *method = primitive_kinds[kind].list_method;
		if (!method || strcmp(method, m->method) != 0)
			continue;
		lister_watch(&s->listers[kind], request, json_get(m->params, "cursor") != NULL);
		return true;
	}
	return false;
}

static const struct watched_call {
	const char *method, *key;
	enum primitive_kind kind;
} watched_calls[] = {
	{ "tools/call", "name", PRIMITIVE_TOOL },
	{ "prompts/get", "name", PRIMITIVE_PROMPT },
	{ "resources/read", "uri", PRIMITIVE_RESOURCE },
};

/* Of one that no list has. */
static struct json_doc *
make_definition(const char *name)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &text);
	json_write_object(&w);
	json_write_member_string(&w, "name", name);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	return doc;
}

static struct call *
add_call(struct server *s, uint64_t request, const struct watched_call *w, const char *key,
    const cJSON *given)
{
	const struct primitive *p = primitive_list_find(&s->listers[w->kind].list, key, 0);
	struct json_doc *definition = p ? json_part(p->doc, p->definition) : NULL;
	struct buf arguments = BUF_INIT, plain = BUF_INIT;
	char *name = label_dup(key);

	if (!definition && w->kind != PRIMITIVE_RESOURCE)
		definition = make_definition(name);
	if (given)
		json_print(&arguments, given);
	else
		buf_add_str(&arguments, "{}"); /* it means the same */
	if (secret_hide_values(&plain, buf_text(&arguments), arguments.len, SECRET_VALUES_GIVEN)) {
		buf_finish(&arguments);
		arguments = plain;
		plain = (struct buf)BUF_INIT;
	}
	struct call *c = call_create(
	    s->next_call++, name, definition, buf_text(&arguments), arguments.len, s->now_us);
	c->kind = w->kind;
	c->request = request;
	c->stderr_from = s->stderr_bytes;
	if (w->kind != PRIMITIVE_TOOL)
		c->output_schema = NULL;
	if (w->kind == PRIMITIVE_RESOURCE)
		c->uri = mem_strdup(key);
	s->info.calls_made++;
	s->info.calls++;
	*VEC_PUSH(&s->calls) = c;
	s->generation++;
	buf_finish(&arguments);
	buf_finish(&plain);
	free(name);
	return c;
}

/* NULL: the message calls nothing. */
static struct call *
add_called(struct server *s, uint64_t request, const struct message *m)
{
	for (size_t i = 0; i < ARRAY_LEN(watched_calls); i++) {
		const struct watched_call *w = &watched_calls[i];
		const char *key = json_get_string(m->params, w->key);
		if (strcmp(w->method, m->method) == 0 && key)
			return add_call(s, request, w, key, json_get(m->params, "arguments"));
	}
	return NULL;
}

uint64_t
server_add_sent_call(struct server *s, uint64_t request, const cJSON *message)
{
	struct message m;

	message_classify(message, &m);
	struct call *c = m.kind == MESSAGE_REQUEST ? add_called(s, request, &m) : NULL;
	if (!c)
		return 0;
	c->by_hand = true;
	return c->id;
}

void
server_on_watched(void *user, uint64_t request, const struct message *m)
{
	struct server *s = user;

	if (!watch_list(s, request, m))
		add_called(s, request, m);
}

/* ---- again from the start ---- */

static void
forget_calls(struct server *s)
{
	for (size_t i = 0; i < s->calls.len; i++)
		server_let_go(s->calls.items[i]);
	s->calls.len = s->calls_bytes = s->info.calls = s->info.calls_made = 0;
	for (size_t i = 0; i < s->verdicts.len; i++)
		free(s->verdicts.items[i].tool);
	s->verdicts.len = 0;
}

static void
forget_lists(struct server *s)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		uint64_t generation = s->listers[kind].generation;
		lister_finish(&s->listers[kind]);
		s->listers[kind].generation = generation + 1;
	}
}

void
server_rewind(struct server *s, int64_t now_us)
{
	session_destroy(s->session);
	s->info.session = s->session = NULL;
	server_apps_finish(s);
	forget_calls(s);
	forget_lists(s);
	logs_finish(&s->logs);
	journal_clear(s->journal);
	server_start(s, now_us);
}

/* ---- the time line ---- */

void
server_set_time_line(struct server *s, const struct time_line *t)
{
	s->info.time_line = t;
}

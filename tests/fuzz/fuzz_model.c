/* SPDX-License-Identifier: MIT */
/*
 * The model of a server, against any messages. The server sends each line of the input unchanged,
 * with `@` replaced by the id of our last request; a line that starts with '!' goes to its standard
 * error, one with '?' calls its first tool or reads, and a minute passes.
 */
#include "fuzz.h"

#include "base/mem.h"
#include "json/print.h"
#include "client/call.h"
#include "client/notices.h"
#include "client/server.h"

#include <stdlib.h>
#include <string.h>

struct play {
	struct server *server;
	struct buf id; /* of our last request, as JSON */
	int64_t now_us;
};

static void
on_send(void *user, const struct outbound *message)
{
	struct play *p = user;
	struct json_doc *doc = json_parse(message->line, message->len, NULL, NULL);

	demand(doc && !memchr(message->line, '\n', message->len));
	const cJSON *id = json_get(json_root(doc), "id");
	if (id && json_get(json_root(doc), "method")) {
		buf_clear(&p->id);
		json_print(&p->id, id);
	}
	json_doc_destroy(doc);
}

static void
hear(struct play *p, const char *text, size_t len)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '@')
			buf_add_str(&line, buf_text(&p->id));
		else
			buf_add_char(&line, text[i]);
	}
	server_on_line(p->server, blob_from_bytes(buf_text(&line), line.len), 0, p->now_us += 1000);
	buf_finish(&line);
}

static void
act(struct play *p)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const struct lister *l = &server_info(p->server)->lists[kind];
		if (l->list.len > 0)
			server_ask(p->server, &l->list.items[0], "{}", 2, p->now_us, NULL);
	}
	p->now_us += 60000000;
	server_on_time(p->server, p->now_us);
}

/* Everything that panes ask for holds together. */
static void
look(const struct play *p)
{
	const struct journal *j = server_info(p->server)->journal;

	demand(journal_info(j)->bytes <= journal_info(j)->max_bytes || journal_info(j)->count == 1);
	for (size_t i = 0; i < journal_info(j)->count; i++) {
		const struct journal_entry *e = journal_at(j, i);
		demand(journal_find(j, e->id) == e && strlen(e->bytes->data) <= e->bytes->len);
		demand(!e->method || strlen(e->method) <= 4096 + 3);
	}
	for (size_t i = 0; i < server_info(p->server)->calls; i++) {
		const struct call *c = server_call_at(p->server, i);
		struct buf out = BUF_INIT;
		demand(server_find_call(p->server, c->id) == c);
		call_add_state(c, &out);
		compat_add_lines(c, &out);
		buf_finish(&out);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct server_options options = { .journal_max_bytes = 20000,
		.calls_max_bytes = 20000,
		.session = { .era = ERA_LEGACY,
		    .can = { .elicitation_form = true,
			.elicitation_url = true,
			.sampling = true,
			.roots = true } } };
	struct play p = { .now_us = 1000 };
	const char *at = (const char *)data, *end = at + size;

	p.server = server_create("fuzz", "a fuzzer", &options, on_send, &p);
	server_start(p.server, p.now_us);
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((stop ? stop : end) - at);
		if (*at == '!')
			server_on_stderr(p.server, at + 1, len > 0 ? len - 1 : 0, p.now_us);
		else if (*at == '?')
			act(&p);
		else
			hear(&p, at, len);
		at += len + (stop != NULL);
	}
	look(&p);
	server_on_closed(p.server, "ended", p.now_us);
	look(&p);
	server_destroy(p.server);
	buf_finish(&p.id);
	return 0;
}

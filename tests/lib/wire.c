/* SPDX-License-Identifier: MIT */
#include "wire.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "quoted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t
tick(struct wire *w)
{
	return w->now_us += 1000;
}

static void
on_send(void *user, const struct outbound *message)
{
	struct wire *w = user;
	char *copy = mem_strndup(message->line, message->len);

	*VEC_PUSH(&w->sent) = copy;
	w->params[0] = '\0';
	for (size_t i = 0; i < message->param_count; i++) {
		size_t len = strlen(w->params);
		snprintf(w->params + len, sizeof(w->params) - len, "%s=%s ",
		    message->params[i].name, message->params[i].value);
	}
}

void
wire_open(struct wire *w, const struct server_options *options)
{
	*w = (struct wire){ 0 };
	w->server = server_create("test", "a test", options, on_send, w);
}

void
wire_close(struct wire *w)
{
	server_destroy(w->server);
	for (size_t i = 0; i < w->sent.len; i++)
		free(w->sent.items[i]);
	free(w->sent.items);
	*w = (struct wire){ 0 };
}

void
wire_start(struct wire *w)
{
	server_start(w->server, tick(w));
}

void
wire_say(struct wire *w, const char *line)
{
	char *json = quoted(line);

	server_on_line(w->server, blob_from_bytes(json, strlen(json)), 0, tick(w));
	free(json);
}

static struct json_doc *
parse(const char *line)
{
	return json_parse(line, strlen(line), NULL, NULL);
}

static bool
is_of(const char *line, const char *method)
{
	struct json_doc *doc = parse(line);
	const char *of = json_get_string(json_root(doc), "method");
	bool is = of && strcmp(of, method) == 0;

	json_doc_destroy(doc);
	return is;
}

size_t
wire_count(const struct wire *w, const char *method)
{
	size_t n = 0;

	for (size_t i = 0; i < w->sent.len; i++)
		n += is_of(w->sent.items[i], method);
	return n;
}

const char *
wire_last(const struct wire *w)
{
	return w->sent.len ? w->sent.items[w->sent.len - 1] : "";
}

void
wire_answer(struct wire *w, const char *method, const char *member)
{
	size_t i = w->sent.len;
	struct buf line = BUF_INIT;

	while (i > 0 && !is_of(w->sent.items[i - 1], method))
		i--;
	if (i == 0)
		abort(); /* there is no such request */
	struct json_doc *doc = parse(w->sent.items[i - 1]);
	buf_add_str(&line, "{'jsonrpc':'2.0','id':");
	json_print(&line, json_get(json_root(doc), "id"));
	buf_addf(&line, ",%s}", member);
	wire_say(w, buf_text(&line));
	buf_finish(&line);
	json_doc_destroy(doc);
}

void
wire_stderr(struct wire *w, const char *text)
{
	server_on_stderr(w->server, text, strlen(text), tick(w));
}

void
wire_end(struct wire *w, const char *how)
{
	server_on_closed(w->server, how, tick(w));
}

void
wire_connect(struct wire *w, const char *tools)
{
	char *list = mem_printf("'result':{'tools':[%s]}", tools);

	wire_start(w);
	if (wire_count(w, "initialize"))
		wire_answer(w, "initialize",
		    "'result':{'protocolVersion':'2025-11-25',"
		    "'capabilities':{'tools':{'listChanged':true}},"
		    "'serverInfo':{'name':'old','version':'1'}}");
	else
		wire_answer(w, "server/discover",
		    "'result':{'resultType':'complete','supportedVersions':['2026-07-28'],"
		    "'capabilities':{'tools':{'listChanged':true}}}");
	wire_answer(w, "tools/list", list);
	free(list);
}

uint64_t
wire_call(struct wire *w, const char *tool, const char *arguments)
{
	const struct primitive *t =
	    primitive_list_find(&server_info(w->server)->lists[PRIMITIVE_TOOL].list, tool, 0);

	return server_ask(w->server, t, arguments, strlen(arguments), tick(w), NULL);
}

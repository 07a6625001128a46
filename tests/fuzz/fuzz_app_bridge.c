/* SPDX-License-Identifier: MIT */
/* Messages of an app, one per line; the first byte of a line may select a command of the host
 * instead. The order of the specification must hold: only responses before the app is ready,
 * tool-input once and before the result, and a mode that the app declares. */
#include "fuzz.h"

#include "apps/bridge.h"

#include <string.h>

struct world {
	struct app_bridge *b;
	const struct app_bridge_info *info;
	struct json_doc *tools;
	uint64_t tokens[4];
	size_t asked, inputs, results;
};

static void
on_send(void *user, const char *json, size_t len)
{
	struct world *w = user;
	struct json_doc *doc = json_parse(json, len, NULL, NULL);
	struct message m;

	demand(doc && !memchr(json, '\n', len));
	message_classify(json_root(doc), &m);
	/* an error has the id of the request that it refuses, and that may be the flaw */
	demand(m.kind != MESSAGE_INVALID && (!m.flaw || m.kind == MESSAGE_ERROR));
	if (m.method) {
		demand(w->info->phase >= APP_READY);
		w->inputs += strcmp(m.method, "ui/notifications/tool-input") == 0;
		w->results += strcmp(m.method, "ui/notifications/tool-result") == 0 ||
			      strcmp(m.method, "ui/notifications/tool-cancelled") == 0;
		demand(w->inputs <= 1 && w->results <= w->inputs);
	}
	json_doc_destroy(doc);
}

static void
on_line(void *user, const struct app_line *line)
{
	demand(line->bytes && (!line->flaw || line->flaw[0]));
}

static void
on_note(void *user, const char *text, int64_t at_us)
{
	demand(text[0]);
}

static void
on_ask(void *user, const struct app_ask *a)
{
	struct world *w = user;
	struct app_download d;

	demand(w->info->phase >= APP_INITIALIZING);
	if (a->kind == APP_ASK_LINK)
		demand(a->name && !strpbrk(a->name, " \t\r\n\x1b\""));
	if (a->kind == APP_ASK_DOWNLOAD)
		for (const cJSON *item = json_first(a->value); item; item = item->next)
			demand(app_download_read(&d, item) && d.name[0] && d.name[0] != '.' &&
			       !strchr(d.name, '/'));
	w->tokens[w->asked++ % 4] = a->token;
}

static void
on_ask_end(void *user, uint64_t token, const char *why)
{
	demand(token > 0);
}

static void
on_log(void *user, const struct app_log *log)
{
	demand(log->level != NULL);
}

static void
on_reply(void *user, const struct app_reply *reply)
{
	demand((reply->result != NULL) != (reply->error != NULL));
}

static void
on_change(void *user, enum app_change change)
{
}

static const cJSON *
definition_at(void *user, enum app_list list, size_t index)
{
	return index == 0 ? json_first(json_root(((struct world *)user)->tools)) : NULL;
}

static void
do_command(struct world *w, const char *line, size_t len, struct app_context *c, int64_t now)
{
	struct app_bridge *b = w->b;
	uint64_t token = len > 1 ? w->tokens[line[1] & 3] : 0;

	switch (line[0]) {
	case 'i':
		app_bridge_input(b, NULL, 0, false, now);
		break;
	case 'p':
		app_bridge_input(b, NULL, 0, true, now);
		break;
	case 'r':
		app_bridge_result(b, "{\"content\":[]}", 14, now);
		break;
	case 'c':
		app_bridge_cancelled(b, "no", now);
		break;
	case 'a':
		app_bridge_answer(b, token, NULL, 0, now);
		break;
	case 'f':
		app_bridge_refuse(b, token, APP_ERROR, "no", now);
		break;
	case 'g':
		app_bridge_progress(b, token, json_first(json_root(w->tools)), now);
		break;
	case 'q':
		app_bridge_request(b, "ping", NULL, 0, now);
		break;
	case 'l':
		app_bridge_list_changed(b, APP_LIST_TOOLS, now);
		break;
	case 't':
		app_bridge_on_time(b, now + 1000000);
		break;
	case 'x':
		app_bridge_close(b, "end", now);
		break;
	case 'm':
		c->mode = (enum app_display)(len > 1 ? (unsigned char)line[1] % APP_DISPLAYS : 0);
		if (app_bridge_set_context(b, c, now))
			demand(w->info->mode == c->mode);
		break;
	default:
		app_bridge_on_message(b, line, len, now);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct app_events events = { on_send, on_line, on_note, on_ask, on_ask_end,
		on_log, on_reply, on_change, definition_at };
	const struct app_bridge_options options = {
		.host_name = "h", .host_version = "1", .can = data && size ? data[0] : 0
	};
	struct app_context context = { .modes = 7 };
	static const char tools[] = "[{\"name\":\"t\"}]";
	struct world w = { .tools = json_parse(tools, sizeof(tools) - 1, NULL, NULL) };
	int64_t now = 1000;

	w.b = app_bridge_create(&options, &context, &events, &w, &w.info, now);
	for (size_t at = 1; at < size; now += 1000) {
		const char *line = (const char *)data + at;
		const char *end = memchr(line, '\n', size - at);
		size_t len = end ? (size_t)(end - line) : size - at;
		if (len > 0)
			do_command(&w, line, len, &context, now);
		at += len + 1;
	}
	app_bridge_destroy(w.b);
	json_doc_destroy(w.tools);
	return 0;
}

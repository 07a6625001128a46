/* SPDX-License-Identifier: MIT */
/* Stored tasks of any JSON are limited in number and size, and saved ones load again. */
#include "fuzz.h"

#include "base/buf.h"
#include "json/doc.h"
#include "client/server.h"
#include "client/tasks.h"

enum { KEPT_MAX = 200 };

static void
on_send(void *user, const struct outbound *message)
{
}

static struct server *
load(const char *text, size_t len)
{
	struct server_options options = { .calls_after = 0 };
	struct server *s = server_create("s", "s", &options, on_send, NULL);
	struct json_doc *doc = json_parse(text, len, NULL, NULL);

	if (doc)
		server_tasks_load(s, json_root(doc));
	json_doc_destroy(doc);
	return s;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct server *s = load((const char *)data, size);
	struct buf text = BUF_INIT;

	demand(server_info(s)->tasks <= KEPT_MAX);
	server_tasks_save(s, &text);
	struct server *again = load(buf_text(&text), text.len);
	demand(server_info(again)->tasks == server_info(s)->tasks);
	server_destroy(again);
	server_destroy(s);
	buf_finish(&text);
	return 0;
}

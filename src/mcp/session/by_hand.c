#include "base/mem.h"
#include "json/number.h"
#include "json/print.h"
#include "json/splice.h"
#include "mcp/request/request.h"
#include "mcp/session/internals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Messages that the user writes. The session sends them as they are and waits for nothing: a reply
 * only goes to on_line. It keeps their ids apart from its own.
 */

/* Ids beyond this are not exact in every program. */
#define ID_MAX ((UINT64_C(1) << 53) - 1)

static uint64_t
number_of(const cJSON *id)
{
	size_t number = 0;

	if (json_type(id) != JSON_NUMBER || !json_number_to_size(id, ID_MAX, &number))
		return 0;
	return number;
}

bool
session_check_text(const struct session *s, const char *text, size_t len, char *why, size_t size)
{
	struct json_error error;
	struct message m;
	struct json_doc *doc = json_parse(text, len, NULL, &error);

	why[0] = '\0';
	if (!doc) {
		snprintf(why, size, NOT_JSON, error.text, error.offset);
		return false;
	}
	message_classify(json_root(doc), &m);
	if (m.flaw)
		snprintf(why, size, "%s", m.flaw);
	else if (requests_find_message(&s->requests, number_of(m.id)))
		snprintf(why, size, "its id is that of a request in flight");
	json_doc_destroy(doc);
	return why[0] == '\0';
}

/* Sets a member that is there to this number. */
static void
set_number(struct buf *text, const char *const *path, const cJSON *node, uint64_t number)
{
	struct buf out = BUF_INIT;
	char value[24];

	snprintf(value, sizeof(value), "%" PRIu64, number);
	if (node && json_splice_set(buf_text(text), text->len, path, value, &out, NULL)) {
		buf_finish(text);
		*text = out;
	} else {
		buf_finish(&out);
	}
}

/* A request gets an id that was never used; its progress token goes with it. */
static void
renew_id(struct session *s, struct buf *text, const struct message *m)
{
	static const char *const id[] = { "id", NULL };
	static const char *const token[] = { "params", "_meta", "progressToken", NULL };
	const cJSON *progress = json_get(json_get(m->params, "_meta"), "progressToken");
	uint64_t number = ++s->requests.last_id;

	set_number(text, id, m->id, number);
	set_number(text, token, progress, number);
}

bool
session_send_text(struct session *s, const char *text, size_t len, bool new_id, int64_t now_ms)
{
	struct message m = { .kind = MESSAGE_NOT_JSON };
	struct buf line = BUF_INIT;
	struct json_doc *doc = json_parse(text, len, NULL, NULL);

	if (s->info.state != SESSION_READY) {
		json_doc_destroy(doc);
		return false;
	}
	s->now_ms = now_ms;
	buf_add(&line, text, len);
	if (doc)
		message_classify(json_root(doc), &m);
	if (new_id && m.kind == MESSAGE_REQUEST) {
		renew_id(s, &line, &m);
		json_doc_destroy(doc);
		doc = json_parse(buf_text(&line), line.len, NULL, NULL);
		message_classify(json_root(doc), &m);
	}
	uint64_t id = m.kind == MESSAGE_REQUEST ? number_of(m.id) : 0;
	if (id)
		requests_remember(&s->requests, id, m.method);
	outgoing_text(s, &line, doc, &m, id);
	json_doc_destroy(doc);
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "mcp/lister.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET_MS 60
#define PATIENCE_MS 500
#define MAX_PAGES 1000
/* A server may return pages forever, each with a new cursor. */
#define MAX_PRIMITIVES 100000

void
lister_init(struct lister *l, enum primitive_kind kind)
{
	*l = (struct lister){ .kind = kind, .changed_ms = -1, .last_changed_ms = -1 };
}

static void
forget_progress(struct lister *l)
{
	strings_finish(&l->cursors);
	primitive_list_finish(&l->next);
	l->request = 0;
}

void
lister_finish(struct lister *l)
{
	forget_progress(l);
	primitive_list_finish(&l->list);
	lister_init(l, l->kind);
}

bool
lister_is_busy(const struct lister *l)
{
	return l->request != 0;
}

static const char *
method_of(const struct lister *l)
{
	return l->folder ? "resources/directory/read" : primitive_kinds[l->kind].list_method;
}

static void
fail(struct lister *l, const char *what, const char *why)
{
	size_t pages = l->next.docs.len;

	if (pages > 0)
		snprintf(l->error, sizeof(l->error), "%s, page %zu: %s%.150s", method_of(l),
		    pages + 1, what, why);
	else
		snprintf(l->error, sizeof(l->error), "%s: %s%.160s", method_of(l), what, why);
	forget_progress(l);
	l->generation++;
}

static void
complete(struct lister *l)
{
	primitive_list_number(&l->next);
	primitive_list_finish(&l->list);
	l->list = l->next;
	l->next = (struct primitive_list){ 0 };
	l->error[0] = '\0';
	l->complete = true;
	forget_progress(l);
	l->generation++;
}

static void
ask(struct lister *l, struct session *s, const char *cursor, int64_t now_ms)
{
	struct buf params = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &params);
	json_write_object(&w);
	if (l->folder)
		json_write_member_string(&w, "uri", l->folder);
	if (cursor)
		json_write_member_string(&w, "cursor", cursor);
	json_write_object_end(&w);
	l->request = session_request(s, method_of(l), buf_text(&params), params.len, now_ms);
	buf_finish(&params);
	if (!l->request)
		fail(l, "", "not connected");
}

bool
lister_is_declared(const struct lister *l, const struct session *s)
{
	const cJSON *capabilities = session_info(s)->server_capabilities;

	if (!cJSON_IsObject(capabilities))
		return l->kind == PRIMITIVE_TOOL;
	const struct primitive_kind_info *kind = &primitive_kinds[l->kind];
	return kind->extension ? session_extension(s, kind->extension) != NULL
			       : json_get(capabilities, kind->capability) != NULL;
}

void
lister_start(struct lister *l, struct session *s, int64_t now_ms)
{
	l->given_up = l->request;
	forget_progress(l);
	l->changed_ms = l->last_changed_ms = -1;
	if (l->given_up)
		session_cancel(s, l->given_up, "the list is requested again", now_ms);
	l->given_up = 0;
	l->restarted = false;
	if (!lister_is_declared(l, s)) {
		snprintf(l->next.note, sizeof(l->next.note), "the server declares no %s",
		    primitive_kinds[l->kind].extension ? primitive_kinds[l->kind].extension
						       : primitive_kinds[l->kind].capability);
		complete(l);
		return;
	}
	l->generation++;
	ask(l, s, NULL, now_ms);
}

void
lister_watch(struct lister *l, uint64_t request, bool is_later)
{
	forget_progress(l);
	l->watches = true;
	l->request = request;
	l->generation++;
	if (!is_later)
		return;
	l->next = l->list;
	l->list = (struct primitive_list){ 0 };
}

/* Is this the last page? A note says why if the list is incomplete. */
static bool
stops_here(struct lister *l, const cJSON *cursor)
{
	char *note = l->next.note;
	size_t size = sizeof(l->next.note);

	if (!cursor)
		return true;
	if (!cJSON_GetStringValue(cursor))
		snprintf(note, size, "stopped after page %zu: nextCursor is of type %s",
		    l->next.docs.len, json_type_name(json_type(cursor)));
	else if (strings_have(&l->cursors, cJSON_GetStringValue(cursor)))
		snprintf(note, size, "stopped after page %zu: the server repeats a cursor",
		    l->next.docs.len);
	else if (l->next.docs.len >= MAX_PAGES || l->next.len >= MAX_PRIMITIVES)
		snprintf(note, size, "stopped after %zu pages and %zu %s", l->next.docs.len,
		    l->next.len, primitive_kinds[l->kind].plural);
	return note[0] != '\0';
}

static void
take_page(struct lister *l, struct session *s, struct session_reply *reply, int64_t now_ms)
{
	const char *member = primitive_kinds[l->kind].list_member;
	const cJSON *page = json_get(reply->value, member);
	const cJSON *cursor = json_get(reply->value, "nextCursor");

	if (json_type(page) != JSON_ARRAY) {
		char what[80];
		snprintf(what, sizeof(what), "the result has no array of %s, `%s` is ",
		    primitive_kinds[l->kind].plural, member);
		fail(l, what, json_type_name(json_type(page)));
		return;
	}
	if (l->next.docs.len == 0)
		caching_read(&l->next.caching, reply->value);
	else
		caching_join(&l->next.caching, reply->value);
	*VEC_PUSH(&l->next.docs) = reply->doc;
	for (const cJSON *item = json_first(page); item && l->next.len < MAX_PRIMITIVES;
	     item = item->next) {
		struct primitive *p = VEC_PUSH(&l->next);
		primitive_decode(p, l->kind, reply->doc, item);
		if (l->kind == PRIMITIVE_TOOL) {
			/* Listed with the reason, but calling it is refused. */
			char why[sizeof(p->problem)];
			p->unusable = !session_tool_is_usable(s, p->definition, why, sizeof(why));
			p->broken = p->broken || p->unusable;
			if (p->unusable)
				memcpy(p->problem, why, sizeof(why));
		}
	}
	reply->doc = NULL;
	if (l->watches || stops_here(l, cursor)) {
		complete(l);
		return;
	}
	strings_add(&l->cursors, cJSON_GetStringValue(cursor));
	ask(l, s, l->cursors.items[l->cursors.len - 1], now_ms);
}

bool
lister_on_reply(struct lister *l, struct session *s, uint64_t request, struct session_reply *reply,
    int64_t now_ms)
{
	if (request == 0 || (request != l->request && request != l->given_up))
		return false;
	if (request == l->given_up)
		return true;
	l->request = 0;
	/* An invalid cursor starts the list again; a server with resources may lack resource
	 * templates. */
	bool is_error = reply->kind == REPLY_ERROR;
	if (reply->kind == REPLY_RESULT) {
		take_page(l, s, reply, now_ms);
	} else if (is_error && reply->code == ERROR_INVALID_PARAMS && l->next.docs.len > 0 &&
		   !l->restarted && !l->watches) {
		forget_progress(l);
		l->restarted = true;
		ask(l, s, NULL, now_ms);
	} else if (is_error && reply->code == ERROR_METHOD_NOT_FOUND &&
		   l->kind == PRIMITIVE_TEMPLATE) {
		snprintf(l->next.note, sizeof(l->next.note), "the server has no %s",
		    primitive_kinds[l->kind].list_method);
		complete(l);
	} else {
		l->unanswered = !reply_is_answer(reply->kind);
		fail(l, "", reply->text);
	}
	return true;
}

void
lister_on_changed(struct lister *l, int64_t now_ms)
{
	if (l->changed_ms < 0)
		l->changed_ms = now_ms;
	l->last_changed_ms = now_ms;
}

int64_t
lister_next_time(const struct lister *l)
{
	if (l->changed_ms < 0 || lister_is_busy(l))
		return INT64_MAX;
	int64_t quiet = l->last_changed_ms + QUIET_MS, patience = l->changed_ms + PATIENCE_MS;
	return quiet < patience ? quiet : patience;
}

void
lister_on_time(struct lister *l, struct session *s, int64_t now_ms)
{
	if (now_ms < lister_next_time(l))
		return;
	if (session_info(s)->state == SESSION_READY)
		lister_start(l, s, now_ms);
	else
		l->changed_ms = l->last_changed_ms = -1;
}

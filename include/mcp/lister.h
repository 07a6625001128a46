/* SPDX-License-Identifier: MIT */
#ifndef MCP_LISTER_H
#define MCP_LISTER_H

#include "base/strings.h"
#include "mcp/primitive.h"
#include "mcp/session.h"

/*
 * Fetches the list of one kind of primitives, page by page, and again when the server says that it
 * changed. The old list stays until the new one is complete, and also if that fails. A cursor is
 * opaque and may be "". If the server calls a cursor invalid, the lister starts over, once.
 */
struct lister {
	enum primitive_kind kind;
	const char *folder;         /* borrowed: list the resources of this folder, by
				       resources/directory/read; NULL: all of the server's */
	struct primitive_list list; /* the last complete list */
	uint64_t generation;        /* incremented when list, error or busy changes */
	bool complete;              /* a list has been complete before */
	char error[240];            /* why the last attempt failed; "" if it did not */
	bool unanswered;            /* it failed because the server did not answer */

	struct primitive_list next; /* being fetched */
	uint64_t request;           /* of the open page; 0 if not busy */
	uint64_t given_up;          /* being cancelled: its reply also belongs to the lister */
	bool restarted;             /* after an invalid cursor */
	bool watches;               /* another client's pages, as they come */
	struct strings cursors;     /* already used */
	int64_t changed_ms,
	    last_changed_ms; /* the first and the last notification to act on; < 0: none */
};

void lister_init(struct lister *l, enum primitive_kind kind);
void lister_finish(struct lister *l);
/* Does the server declare such primitives? One that declares no capabilities at all may have tools.
 */
bool lister_is_declared(const struct lister *l, const struct session *s);
/* Requests the first page and cancels an unfinished listing. If the server does not declare such
 * primitives, the list is empty and no request is sent. */
void lister_start(struct lister *l, struct session *s, int64_t now_ms);
/* An onlooker only: the client has requested the first page, or a later one. */
void lister_watch(struct lister *l, uint64_t request, bool is_later);
/* Takes the reply and requests the next page. False, and untouched, if it is not the lister's
 * reply. */
bool lister_on_reply(struct lister *l, struct session *s, uint64_t request,
    struct session_reply *reply, int64_t now_ms);
/* notifications/.../list_changed arrived. The list is fetched again 60 ms after the last one of a
 * burst, at most 500 ms after the first, but not before an unfinished listing ends. */
void lister_on_changed(struct lister *l, int64_t now_ms);
int64_t lister_next_time(const struct lister *l); /* INT64_MAX: never */
void lister_on_time(struct lister *l, struct session *s, int64_t now_ms);
bool lister_is_busy(const struct lister *l);

#endif

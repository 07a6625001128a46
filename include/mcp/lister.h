#ifndef MCP_LISTER_H
#define MCP_LISTER_H

#include "mcp/offers.h"
#include "mcp/session.h"

/*
 * Gets the list of one kind of offers, page by page, and gets it again when the
 * server says that it changed. The old list stays until the new one is complete,
 * or for good when that fails. A cursor is opaque, and "" is one; when the server
 * calls one invalid, all pages are dropped and asked for anew, once.
 */
struct lister {
	enum offer_kind kind;
	struct offer_list list; /* what is known */
	uint64_t generation;    /* raised when list, error or busy changed */
	bool complete;          /* a list was got, ever */
	char error[240];        /* why the last attempt failed; "" when it did not */
	bool unanswered;        /* it failed without an answer of the server's */

	struct offer_list next; /* under way */
	uint64_t request;       /* the page asked for; 0: not busy */
	uint64_t given_up;      /* being cancelled: its reply is the lister's too */
	bool restarted;         /* a cursor was invalid already */
	struct {
		char **items;
		size_t len, cap;
	} cursors; /* already used */
	int64_t changed_ms,
	    last_changed_ms; /* first and last notice not yet acted upon; < 0: none */
};

void lister_init(struct lister *l, enum offer_kind kind);
void lister_finish(struct lister *l);
/* Does the server say that it has such offers? Who does not say what it can may have tools. */
bool lister_is_declared(const struct lister *l, const struct session *s);
/* Asks for the first page; a listing under way is given up. A server that declares none has none
 * and is not asked. */
void lister_start(struct lister *l, struct session *s, int64_t now_ms);
/* False: not the lister's reply, untouched. Otherwise consumed, and the next page asked for. */
bool lister_on_reply(struct lister *l, struct session *s, uint64_t request,
    struct session_reply *reply, int64_t now_ms);
/* notifications/.../list_changed came: the list is got again 60 ms after the last of a burst, at
 * most 500 ms after its first, but not before a listing under way has ended. */
void lister_on_changed(struct lister *l, int64_t now_ms);
int64_t lister_next_time(const struct lister *l); /* INT64_MAX: never */
void lister_on_time(struct lister *l, struct session *s, int64_t now_ms);
bool lister_is_busy(const struct lister *l);

#endif

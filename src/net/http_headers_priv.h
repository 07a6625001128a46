#ifndef NET_HTTP_HEADERS_PRIV_H
#define NET_HTTP_HEADERS_PRIV_H

#include "exchange_priv.h"

struct http;
struct post;

/* What the requests of a session have in common. */

struct opening {
	const char *method, *url;
	const struct post *message; /* of a POST */
	const char *accept;         /* what is wanted of the answer */
	const char *last_event;     /* "": none */
	int64_t first_byte_ms;      /* 0: no bound */
	int64_t total_ms;           /* 0: no bound; of name, connection and head, too */
	const struct exchange_events *events;
	void *user;
};
/* What all requests have in common; to be started. NULL with err: see exchange_create(). */
struct exchange *http_open(struct http *h, const struct opening *o, struct err *err);
/* A fact about an exchange for the journal, and the heads of it as far as there are any. */
void http_note_heads(struct http *h, const struct exchange *x, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool http_is_session_id(const char *id);

#endif

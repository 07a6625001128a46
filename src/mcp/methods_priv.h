#ifndef MCP_METHODS_PRIV_H
#define MCP_METHODS_PRIV_H

#include "session_priv.h"

enum { ERAS_LEGACY = 1, ERAS_MODERN = 2, ERAS_BOTH = 3 };
enum { FROM_CLIENT = 1, FROM_SERVER = 2, FROM_BOTH = 3 };
/* ONLY_READS: sent twice it does no more than sent once. */
enum { MAY_REPORT = 1, MAY_WANT_INPUT = 2, ONLY_READS = 4, MAY_BE_TASK = 8 };

typedef void method_fn(struct session *s, const struct message *m);

struct method {
	const char *name;
	unsigned eras, from, traits;
	const char *subject; /* the member of params that is Mcp-Name; NULL: none */
	method_fn *handle;   /* of one that comes in; NULL: nothing of our own to do */
};

const struct method *method_find(const char *name); /* NULL when MCP knows no such method */

/* The handlers: incoming.c, asked.c. */
void asked_unknown(struct session *s, const struct message *m);      /* a method we do not have */
void asked_out_of_place(struct session *s, const struct message *m); /* a request in 2026-07-28 */
void asked_question(struct session *s, const struct message *m);
/* False: it was nothing that waits. */
bool asked_cancelled(struct session *s, const struct message *m);
void asked_ping(struct session *s, const struct message *m);
void incoming_progress(struct session *s, const struct message *m);
void incoming_cancelled(struct session *s, const struct message *m);
void subscription_on_acknowledged(struct session *s, const struct message *m);

#endif

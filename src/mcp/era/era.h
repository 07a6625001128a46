#ifndef MCP_ERA_ERA_H
#define MCP_ERA_ERA_H

#include "json/write.h"
#include "mcp/capabilities.h"
#include "mcp/session/state.h"

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

/* A protocol era: how the handshake goes, how a request is wrapped, what a result means. */

enum result_verdict { RESULT_COMPLETE, RESULT_WANTS_INPUT, RESULT_IS_TASK, RESULT_UNKNOWN };

struct era {
	bool modern;
	const char *handshake; /* the method */
	void (*write_handshake)(const struct session *s, struct json_writer *params);
	/* Members of _meta of every request. NULL: none. */
	void (*write_meta)(const struct session *s, struct json_writer *meta);
	/* What is wrong with this answer to the handshake; NULL for nothing. */
	const char *(*handshake_flaw)(const cJSON *result);
	/* Fills what is known of the server from s->init_message. */
	void (*read_init_result)(struct session *s, const cJSON *result);
	enum result_verdict (*judge)(const cJSON *result);
	const char *(*result_flaw)(const cJSON *result);
};

extern const struct era era_legacy, era_modern;

/* The version as a constant of ours, NULL when it is no legacy version. */
const char *era_legacy_version(const char *version);
void era_write_claim(const struct session *s, struct json_writer *meta);

/* ---- handshake.c ---- */
void handshake_start(struct session *s);
void handshake_on_answer(struct session *s, struct incoming *in);
void handshake_on_timeout(struct session *s);
void handshake_on_closed(struct session *s);
void handshake_on_lost(struct session *s, const struct lost *lost);
/* The server forgot the session: initialize once more; what is open stays so. */
void handshake_renew(struct session *s);
void handshake_give_up(struct session *s, const char *why);

/* A copy with memory of its own. */
void capabilities_copy(struct session_capabilities *to, const struct session_capabilities *from);
void capabilities_finish(struct session_capabilities *c);

#endif

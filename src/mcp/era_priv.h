#ifndef MCP_ERA_PRIV_H
#define MCP_ERA_PRIV_H

#include "json/write.h"
#include "session_priv.h"

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
	/* Fills what is known of the server from s->hello. */
	void (*read_hello)(struct session *s, const cJSON *result);
	enum result_verdict (*judge)(const cJSON *result);
	const char *(*result_flaw)(const cJSON *result);
};

extern const struct era era_legacy, era_modern;

/* The version as a constant of ours, NULL when it is no legacy version. */
const char *era_legacy_version(const char *version);
void era_write_claim(const struct session *s, struct json_writer *meta);
void era_write_client_info(const struct session *s, struct json_writer *w, const char *key);

/* ---- handshake.c ---- */
void handshake_start(struct session *s);
void handshake_on_answer(struct session *s, struct incoming *in);
void handshake_on_timeout(struct session *s);
void handshake_on_closed(struct session *s);
void handshake_on_lost(struct session *s, const struct lost *lost);
/* The server forgot the session: initialize once more; what is open stays so. */
void handshake_renew(struct session *s);
void handshake_give_up(struct session *s, const char *why);

#endif

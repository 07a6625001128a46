#ifndef MCP_SERVER_REQUEST_SERVER_REQUEST_H
#define MCP_SERVER_REQUEST_SERVER_REQUEST_H

#include "mcp/session/state.h"

/*
 * What servers ask and nobody has answered yet: requests of their own (until 2025-11-25), and the
 * questions of a call's round (input.c), which go back all at once.
 */
struct open_question {
	uint64_t id;
	uint64_t request; /* our request it belongs to; 0: unknown */
	char *method;
	char *message; /* for the report; NULL: none */
	char *rpc_id;  /* of the server's request, as JSON; NULL: one of a round */
	char *key;     /* in inputRequests; NULL when not there */
	char *answer;  /* of a round: the result given; NULL: none yet */
};

#define MAX_QUESTIONS 64

/* Copies the texts given. Addresses die at the next add or remove. */
struct open_question *questions_add(struct session *s, const struct open_question *what);
struct open_question *questions_find(struct session *s, uint64_t id);
/* Tells of it; refuses it politely where nobody wants it. */
void questions_ask(struct session *s, uint64_t id, const cJSON *params);
/* "accepted", "declined", "answered": what a result says. */
const char *questions_word(const char *method, const char *result_json, size_t len);
/* Removes it and says what became of it; it was answered. */
void questions_settle(struct session *s, uint64_t id, const char *answer);
/* The same for all of a request; 0: for every one. */
void questions_drop_all(struct session *s, uint64_t request, const char *why);
/* Does something wait that this request may wait for? */
bool questions_hold(const struct session *s, uint64_t request);

/* Handlers of incoming messages: a method we do not have, a request in 2026-07-28, a question... */
void asked_unknown(struct session *s, const struct message *m);
void asked_out_of_place(struct session *s, const struct message *m);
void asked_question(struct session *s, const struct message *m);
void asked_ping(struct session *s, const struct message *m);
/* False: it was nothing that waits. */
bool asked_cancelled(struct session *s, const struct message *m);
void asked_report(struct session *s, const char *method, const cJSON *params, const char *answer,
    uint64_t request);
void questions_finish(struct session *s);

/* ---- client_features.c ---- */
/* Why such a question is not for us; NULL: it is. *code as for the error. */
const char *asked_flaw(const struct session *s, const char *method, const cJSON *params, int *code);

/* ---- input.c ---- */
/* A question of a round was answered or, why not NULL, refused. */
void input_on_answer(struct session *s, uint64_t question, const char *why);

#endif

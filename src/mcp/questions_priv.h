#ifndef MCP_QUESTIONS_PRIV_H
#define MCP_QUESTIONS_PRIV_H

#include "mcp/questions.h"
#include "session_priv.h"

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
/* Nobody may answer it any more: removed, its server told where it waits, the owner too. */
void questions_drop(struct session *s, uint64_t id, const char *why);
/* The same for all of a request; 0: for every one. */
void questions_drop_all(struct session *s, uint64_t request, const char *why);
/* Does something wait that this request may wait for? */
bool questions_hold(const struct session *s, uint64_t request);

/* ---- asked.c ---- */
/* Why such a question is not for us; NULL: it is. *code as for the error. */
const char *asked_flaw(const struct session *s, const char *method, const cJSON *params, int *code);

/* ---- input.c ---- */
/* A question of a round was answered or, why not NULL, refused. */
void input_on_answer(struct session *s, uint64_t question, const char *why);

#endif

#ifndef MODEL_ANSWERS_H
#define MODEL_ANSWERS_H

#include "model/question.h"
#include "model/roots.h"

/*
 * The questions of a server and what is answered. Where somebody looks they wait for an answer;
 * where nobody does the policy answers them at once.
 */
struct server;

struct answer_policy {
	bool unseen; /* nobody looks */
	enum { ANSWER_DECLINE, ANSWER_CANCEL, ANSWER_ACCEPT } elicit;
	const char *content;  /* of ACCEPT: a JSON object; NULL: defaults and guesses */
	const char *sampling; /* a text or a result; NULL: none. Where somebody looks, a draft */
	bool sampling_later;  /* the owner will find an answer: it waits also when unseen */
	const char *const *roots; /* absolute paths or file:// URIs to begin with */
	size_t root_count;
};

size_t server_question_count(const struct server *s);
struct question *server_question_at(const struct server *s, size_t index);  /* 0 is the oldest */
struct question *server_find_question(const struct server *s, uint64_t id); /* NULL: gone */
/* Why the question that ended last without an answer did so; NULL: it is another, or was answered.
 */
const char *server_question_end(const struct server *s, uint64_t id);
/* result_json goes out byte for byte. False: it is gone. */
bool server_answer(
    struct server *s, uint64_t question, const char *result_json, size_t len, int64_t now_us);
bool server_decline(struct server *s, uint64_t question, int64_t now_us); /* as its kind has it */
bool server_dismiss(struct server *s, uint64_t question, int64_t now_us); /* "cancel" */
/* What its server is not told: for the call it belongs to, and the journal. */
void server_note_question(struct server *s, uint64_t question, const char *text, int64_t now_us);
/* What was done to a question changed what is seen. */
void server_question_changed(struct server *s);

const struct roots *server_roots(const struct server *s);
/* Whoever changes them tells the server, where it can be told. */
bool server_add_root(struct server *s, const char *path_or_uri, int64_t now_us, struct err *err);
bool server_remove_root(struct server *s, const char *path_or_uri, int64_t now_us);
/* The answer to every roots/list that waits, and from now on without asking. */
bool server_consent_to_roots(struct server *s, uint64_t question, int64_t now_us);

#endif

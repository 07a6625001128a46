#ifndef CLIENT_ANSWERS_H
#define CLIENT_ANSWERS_H

#include "client/question.h"

/*
 * The server's open questions and the answers to them. In the full screen they wait for the user;
 * in a command without a screen the policy answers them at once.
 */
struct server;

struct answer_policy {
	bool unseen; /* no user: the policy answers */
	/* GUESS: ACCEPT, with made-up values for required properties without a default */
	enum { ANSWER_DECLINE, ANSWER_CANCEL, ANSWER_ACCEPT, ANSWER_GUESS } elicit;
	bool elicit_later;        /* the owner will answer elicitations: wait even if unseen */
	const char *content;      /* of ACCEPT: a JSON object; NULL: the defaults */
	const char *sampling;     /* a text or a result; NULL: none. A draft if there is a user */
	bool sampling_later;      /* the owner will bring an answer: wait for it even if unseen */
	const char *const *roots; /* absolute paths or file:// URIs at the start */
	size_t root_count;
};

struct question *server_question_at(const struct server *s, size_t index);  /* 0 is the oldest */
struct question *server_find_question(const struct server *s, uint64_t id); /* NULL if gone */
/* Why the question that ended last got no answer; NULL if id is another question or it was
 * answered. */
const char *server_question_end(const struct server *s, uint64_t id);
/* result_json goes out byte for byte. False if the question is gone. */
bool server_answer(
    struct server *s, uint64_t question, const char *result_json, size_t len, int64_t now_us);
bool server_decline(
    struct server *s, uint64_t question, int64_t now_us); /* in the way its kind prescribes */
bool server_dismiss(struct server *s, uint64_t question, int64_t now_us); /* "cancel" */
/* Not sent to the server: for the call it belongs to, and the journal. */
void server_note_question(struct server *s, uint64_t question, const char *text, int64_t now_us);

/* Every change is sent to the server if it can be notified. */
bool server_add_root(struct server *s, const char *path_or_uri, int64_t now_us, struct err *err);
bool server_remove_root(struct server *s, const char *path_or_uri, int64_t now_us);
/* Answers every roots/list that waits, and later ones without asking. question: 0 if none waits:
 * the user has just chosen the roots. Before that, a roots/list outside of all calls gets an empty
 * list, unless there are roots, which wait for the user's consent. */
bool server_consent_to_roots(struct server *s, uint64_t question, int64_t now_us);

#endif

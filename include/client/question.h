/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_QUESTION_H
#define CLIENT_QUESTION_H

#include "base/strings.h"
#include "mcp/client_features.h"
#include "mcp/events.h"
#include "form/form.h"

#include <stdbool.h>
#include <stddef.h>

/* A URL that a server wants the user to visit, examined for signs of deception. */
#define LINK_WARNINGS 6

struct link {
	size_t host, host_len; /* offset in the text; length 0 without a host */
	bool openable;         /* https, or http of this machine, and nothing suspicious in it */
	char refusal[160];     /* why it is not openable; "" if it is */
	const char *warnings[LINK_WARNINGS];
	size_t warning_count;
};

void link_inspect(struct link *l, const char *url);

/* A server request without an answer yet. Owned by its server, named by id. */
enum question_kind {
	QUESTION_FORM, /* elicitation/create */
	QUESTION_URL,
	QUESTION_SAMPLING, /* sampling/createMessage */
	QUESTION_ROOTS,    /* roots/list */
};

struct question {
	uint64_t id;      /* a server never reuses one */
	uint64_t session; /* id in the session */
	uint64_t call;    /* the call it belongs to; 0 if unknown */
	enum question_kind kind;
	const char *method; /* static */
	char *key;          /* its key in inputRequests; NULL if it is not from there */
	bool sends_again;   /* answering it sends the call again */
	int64_t asked_us;

	struct json_doc *doc; /* copy of the parameters; can be NULL */
	struct elicitation elicitation;
	struct sampling sampling;
	struct form *form; /* FORM: the form to fill in */
	struct link link;  /* URL: warnings before the user opens it */

	/* the user's progress with it */
	bool seen;      /* URL: its end was on the screen */
	bool opened;    /* URL: opened with the user's consent */
	bool completed; /* URL: the server says that it is complete */
	bool working;   /* SAMPLING: a command is answering it */
	char *request;  /* SAMPLING: the edited request, JSON; NULL if unedited */
	char *draft;    /* SAMPLING: the answer, a text or a result; NULL if none yet */
	char *trouble;  /* why the last attempt failed; NULL if it did not */
};

struct question *question_create(uint64_t id, const struct session_question *asked, int64_t now_us);
void question_destroy(struct question *q);      /* NULL-safe */
extern const char *const question_kind_names[]; /* "form", "URL", "sampling", "roots" */
/* Replaces *text with a copy of len bytes; with NULL if bytes is NULL. */
void question_set(char **text, const char *bytes, size_t len);
/* The request of a SAMPLING as indented JSON, for a command; the edited one if there is one. */
void question_request(const struct question *q, struct buf *out);

/* ---- results ---- */
void question_accept_form(
    const struct question *q, struct buf *out); /* accept with the form's content */
/* Accepts without a user, with the schema's defaults. A required property without one gets a value
 * that its schema probably allows, or, without guesses, its name is appended to missing, and out is
 * unchanged. */
void question_accept_unseen(
    const struct question *q, bool guesses, struct buf *out, struct buf *missing);
/* Turns a text into an assistant's message; completes a JSON object that has content with its
 * missing members. */
void question_sampling_result(const char *text, size_t len, struct buf *out);
/* The first flaw in such a result; NULL if none. */
const char *question_sampling_flaw(const struct question *q, const struct buf *result);

/* ---- roots: the folders and files reported to a server by roots/list
 * (2026-07-28/client/roots.mdx): file:// URIs, each once, in the order they were added ---- */
/* Adds an absolute path, which becomes a URI, or a file:// URI. False if it is neither, or
 * unsafe. True also if it is a root already. */
bool roots_add(struct strings *r, const char *path_or_uri, struct err *err);
bool roots_remove(struct strings *r, const char *path_or_uri); /* false if it is not a root */
/* Why the URI must not be a root; NULL if it may be. */
const char *roots_uri_flaw(const char *uri);
void roots_result(const struct strings *r, struct buf *out); /* ListRootsResult */

/* ---- the open questions of a server ---- */

/*
 * The full screen keeps questions until the user answers; a command without a screen answers
 * them at once by the policy.
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

struct question *server_find_question(const struct server *s, uint64_t id); /* NULL if gone */
/* Why the question that ended last got no answer; NULL if id is another question or it was
 * answered. */
const char *server_question_end(const struct server *s, uint64_t id);
/* result_json goes out byte for byte. False if the question is gone. */
bool server_answer(
    struct server *s, uint64_t question, const char *result_json, size_t len, int64_t now_us);
/* Declines in the way its kind prescribes; dismissed: the answer is "cancel". */
bool server_decline(struct server *s, uint64_t question, bool dismissed, int64_t now_us);
/* Adds a note to the call of the question and to the journal; the server does not get it. */
void server_note_question(struct server *s, uint64_t question, const char *text, int64_t now_us);

/* Every change is sent to the server if it can be notified. */
bool server_change_root(
    struct server *s, const char *path_or_uri, bool add, int64_t now_us, struct err *err);
/* Answers every roots/list that waits, and later ones without asking. question: 0 if none waits:
 * the user has just chosen the roots. Before that, a roots/list outside of all calls gets an empty
 * list, unless there are roots, which wait for the user's consent. */
bool server_consent_to_roots(struct server *s, uint64_t question, int64_t now_us);

#endif

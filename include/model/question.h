#ifndef MODEL_QUESTION_H
#define MODEL_QUESTION_H

#include "mcp/client_features.h"
#include "mcp/events.h"
#include "model/link.h"
#include "form/form.h"

/* What a server asks and nobody has answered yet. Owned by its server, named by id. */
enum question_kind {
	QUESTION_FORM, /* elicitation/create */
	QUESTION_URL,
	QUESTION_SAMPLING, /* sampling/createMessage */
	QUESTION_ROOTS,    /* roots/list */
};

struct question {
	uint64_t id;      /* never used twice by a server */
	uint64_t session; /* how the session calls it */
	uint64_t call;    /* it belongs to; 0: unknown */
	enum question_kind kind;
	const char *method; /* a constant */
	char *key;          /* in inputRequests; NULL: not there */
	bool sends_again;   /* the call goes out again when it is answered */
	int64_t asked_us;

	struct json_doc *doc; /* a copy of the parameters; NULL: there are none */
	struct elicitation elicitation;
	struct sampling sampling;
	struct form *form; /* of FORM: what is filled in */
	struct link link;  /* URL: what is to be known before it is opened */

	/* what the user has done with it so far */
	bool seen;      /* URL: its end was on the screen */
	bool opened;    /* URL: by the user's consent */
	bool completed; /* URL: the server says that it was done */
	bool working;   /* SAMPLING: a command is at work on it */
	char *request;  /* SAMPLING: the request as edited, JSON; NULL: as it came */
	char *draft;    /* SAMPLING: the answer, a text or a result; NULL: none yet */
	char *trouble;  /* of the last attempt; NULL: none */
};

struct question *question_create(uint64_t id, const struct session_question *asked, int64_t now_us);
void question_destroy(struct question *q);               /* NULL-safe */
const char *question_kind_name(enum question_kind kind); /* "form", "URL", "sampling", "roots" */
/* Replaces *text by a copy of len bytes; NULL: by nothing. */
void question_set(char **text, const char *bytes, size_t len);
/* The request of a SAMPLING as JSON, for a command: as edited, else as it came, indented. */
void question_request(const struct question *q, struct buf *out);

/* ---- results ---- */
void question_accept_form(const struct question *q, struct buf *out); /* with the form's content */
/* What the schema most likely allows, its own defaults first, for those who answer unseen. */
void question_accept_unseen(const struct question *q, struct buf *out);
/* A text becomes an assistant's message; a JSON object with content is completed by what it lacks.
 */
void question_sampling_result(const char *text, size_t len, struct buf *out);
/* What is wrong with such a result; NULL for nothing. */
const char *question_sampling_flaw(const struct question *q, const struct buf *result);

#endif

#ifndef AUTH_STEP_H
#define AUTH_STEP_H

#include "auth/token.h"

#include <stdint.h>

/*
 * The record of an authorization: what was asked, what was answered, what was made of
 * it. Secrets never get in: tokens, codes, client secrets and assertions are replaced
 * when a step is recorded, not when it is shown.
 */
struct auth_step {
	uint64_t id;   /* from 1, never used again */
	char *title;   /* "protected resource metadata" */
	char *method;  /* NULL: nothing was fetched */
	char *url;     /* NULL likewise */
	char *request; /* headers and body as sent, a line each; "" none */
	int status;    /* of the answer; 0: none */
	char *headers; /* of the answer, those that matter; "" none */
	char *answer;  /* its body; AUTH_STEP_BODY bytes, and how many more; "" none */
	char *outcome; /* what it means, one sentence; "" while it is under way */
	bool failed, open;
	int64_t took_ms; /* -1: unknown */
};

#define AUTH_STEP_BODY ((size_t)16 * 1024)
#define AUTH_MAX_STEPS 128 /* the oldest go first */

struct auth_steps {
	struct auth_step *items;
	size_t len, cap;
	uint64_t last_id;
};

/* Opens a step; method and url may be NULL. Its address dies with the next. */
struct auth_step *auth_steps_add(
    struct auth_steps *s, const char *title, const struct auth_request *request);
/* The step is over. */
void auth_step_close(struct auth_step *step, bool ok, const char *outcome);
void auth_steps_finish(struct auth_steps *s);
/* All of it on one line but headers and bodies: "client registration: POST https://…: 201: …". */
void auth_step_add_line(struct buf *out, const struct auth_step *step);

/* ---- what is put in the place of secrets: by the names of members ---- */
void auth_hide_form(struct buf *out, const char *form, size_t len); /* a line for each member */
/* Printed over several lines; tokens: of a token endpoint, no string is shown that could be one.
 * False: not JSON, nothing was added. */
bool auth_hide_json(struct buf *out, const char *json, size_t len, bool tokens);
void auth_hide_header(struct buf *out, const char *header); /* "Authorization: (hidden)" */

/* ---- and by their values, wherever a server repeats them ---- */
/* Adds what the request carries in secret. */
void auth_secrets_add(struct auth_strings *out, const struct auth_request *request);
/* As they are, percent-encoded, or in a JSON string. text holds no NUL. */
void auth_secrets_hide(const struct auth_strings *secrets, struct buf *text);

#endif

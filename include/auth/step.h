#ifndef AUTH_STEP_H
#define AUTH_STEP_H

#include "auth/token.h"

#include <stdint.h>

/*
 * The record of an authorization: requests, responses and their outcome. It never holds secrets:
 * tokens, codes, client secrets and assertions are replaced when a step is recorded, not when it is
 * shown.
 */
struct auth_step {
	uint64_t id;   /* from 1, never reused */
	char *title;   /* "protected resource metadata" */
	char *method;  /* NULL: no request */
	char *url;     /* NULL: no request */
	char *request; /* headers and body as sent, a line each; "": none */
	int status;    /* of the response; 0: none */
	char *headers; /* of the response; "": none */
	char *answer;  /* its body, cut after AUTH_STEP_BODY bytes; "": none */
	char *outcome; /* one sentence; "": in progress */
	bool failed, open;
	int64_t took_ms; /* -1: unknown */
};

#define AUTH_STEP_BODY ((size_t)16 * 1024)
#define AUTH_MAX_STEPS 128 /* the oldest are removed */

struct auth_steps {
	struct auth_step *items;
	size_t len, cap;
	uint64_t last_id;
};

/* Opens a step; request NULL: without one. The pointer is valid until the next step is added. */
struct auth_step *auth_steps_add(
    struct auth_steps *s, const char *title, const struct auth_request *request);
void auth_step_close(struct auth_step *step, bool ok, const char *outcome);
void auth_steps_finish(struct auth_steps *s);
/* One line, without headers and bodies: "client registration: POST https://…: 201: …". */
void auth_step_add_line(struct buf *out, const struct auth_step *step);

/* ---- hiding secrets by the names of members ---- */
void auth_hide_form(struct buf *out, const char *form, size_t len); /* a line for each member */
/* Pretty-printed; tokens: from a token endpoint, so any string that could be a token is hidden.
 * False: not JSON, and nothing was added. */
bool auth_hide_json(struct buf *out, const char *json, size_t len, bool tokens);
void auth_hide_header(struct buf *out, const char *header); /* "Authorization: (hidden)" */

/* ---- hiding secrets by their values, wherever a server repeats them ---- */
/* Adds the secrets in the request. */
void auth_secrets_add(struct strings *out, const struct auth_request *request);
/* Hides them verbatim, percent-encoded, and escaped as in JSON. text holds no NUL. */
void auth_secrets_hide(const struct strings *secrets, struct buf *text);

#endif

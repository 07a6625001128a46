/* SPDX-License-Identifier: MIT */
#include "host/authorizer.h"

#include "auth/auth_url.h"
#include "base/mem.h"
#include "net/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct revoker {
	struct loop *loop;
	void (*done)(void *user, const char *outcome);
	void *user;
	struct auth_kept kept;
	enum auth_host near; /* where the MCP server is */
	struct auth_server server;
	struct strings urls; /* of its metadata */
	size_t url_at;
	struct fetch *fetch;
	struct loop_timer timer; /* the start, then the end */
	int64_t until_ms;
	bool revoked_refresh;
	char outcome[400];
};

static void
revoker_end(struct revoker *r, const char *why)
{
	bool is_refresh = r->kept.token.refresh && !r->revoked_refresh;

	fetch_cancel(r->fetch);
	r->fetch = NULL;
	loop_timer_cancel(&r->timer);
	if (why)
		snprintf(r->outcome, sizeof(r->outcome),
		    "the %s could not be revoked at %.120s: %.200s",
		    is_refresh ? "tokens" : "access token", r->kept.issuer, why);
	else
		snprintf(r->outcome, sizeof(r->outcome), "the %s revoked at %.120s",
		    r->revoked_refresh ? "tokens were" : "token was", r->kept.issuer);
	r->done(r->user, r->outcome);
}

static bool
start_fetch(struct revoker *r, const struct auth_request *request, fetch_done_fn *done)
{
	const char *headers[8] = { NULL };
	int64_t left_ms = r->until_ms - loop_now_ms(r->loop);
	struct err err = { "" };

	for (size_t i = 0; i < request->headers.len && i < 7; i++)
		headers[i] = request->headers.items[i];
	r->fetch = fetch_start(r->loop,
	    &(struct fetch_request){ .method = request->method,
		.url = request->url,
		.headers = headers,
		.body = request->body.len > 0 ? request->body.data : NULL,
		.body_len = request->body.len,
		.timeout_ms = left_ms > 0 ? left_ms : 1,
		.public_only = r->near == AUTH_HOST_PUBLIC },
	    done, r, &err);
	if (!r->fetch)
		revoker_end(r, err.text);
	return r->fetch != NULL;
}

/* ---- the tokens ---- */

static void send_token(struct revoker *r);

/* The status is 200 also for a token that is no longer valid (RFC 7009, 2.2). */
static void
on_revoked(void *user, const struct fetch_answer *answer)
{
	struct revoker *r = user;
	bool was_refresh = r->kept.token.refresh && !r->revoked_refresh;
	struct buf why = BUF_INIT;

	r->fetch = NULL;
	if (answer->status == 200 && was_refresh) {
		r->revoked_refresh = true;
		send_token(r);
		return;
	}
	auth_error_words(&why, answer->body ? answer->body : "", answer->body_len);
	/* some servers revoke only refresh tokens, together with their access tokens */
	bool enough =
	    answer->status == 200 ||
	    (r->revoked_refresh && strncmp(buf_text(&why), "unsupported_token_type", 22) == 0);
	char *text =
	    mem_printf("HTTP %d%s%.150s", answer->status, why.len > 0 ? ": " : "", buf_text(&why));
	revoker_end(r, enough           ? NULL
		       : answer->status ? text
		       : answer->error  ? answer->error
					: "no answer");
	free(text);
	buf_finish(&why);
}

static void
send_token(struct revoker *r)
{
	bool is_refresh = r->kept.token.refresh && !r->revoked_refresh;
	struct auth_client client = r->kept.client;
	struct auth_token_input in = { .server = &r->server, .client = &client };
	struct auth_request request = { 0 };

	if (!client.id)
		client.id = r->kept.token.client_id;
	/* RFC 7009. A client with a key cannot prove itself here. */
	auth_form_add(
	    &request.body, "token", is_refresh ? r->kept.token.refresh : r->kept.token.access);
	auth_form_add(
	    &request.body, "token_type_hint", is_refresh ? "refresh_token" : "access_token");
	auth_token_request(&request, &in, r->server.revocation_endpoint, NULL);
	start_fetch(r, &request, on_revoked);
	auth_request_finish(&request);
}

/* ---- the metadata ---- */

static void next_metadata(struct revoker *r);

static void
on_metadata(void *user, const struct fetch_answer *answer)
{
	struct revoker *r = user;
	struct err err = { "" };

	r->fetch = NULL;
	if (answer->status == 0)
		revoker_end(r, answer->error ? answer->error : "no answer");
	else if (answer->status != 200)
		next_metadata(r);
	else if (!auth_server_parse(
		     &r->server, answer->body, answer->body_len, r->kept.issuer, r->near, &err))
		revoker_end(r, err.text);
	else if (!r->server.revocation_endpoint)
		revoker_end(r, "it has no revocation endpoint (RFC 7009)");
	else
		send_token(r);
}

static void
next_metadata(struct revoker *r)
{
	struct auth_request request = { .method = "GET" };
	struct err err = { "it has no metadata" };

	while (r->url_at < r->urls.len) {
		request.url = r->urls.items[r->url_at++];
		if (!auth_url_may_fetch(request.url, r->near, &err))
			continue;
		strings_add(&request.headers, "Accept: application/json");
		start_fetch(r, &request, on_metadata);
		strings_finish(&request.headers);
		return;
	}
	revoker_end(r, err.text);
}

/* ---- start and end ---- */

static void
revoker_on_timer(void *user)
{
	struct revoker *r = user;

	if (r->url_at > 0) {
		revoker_end(r, "no answer in time");
		return;
	}
	loop_timer_set(r->loop, &r->timer, r->until_ms);
	next_metadata(r);
}

struct revoker *
revoker_create(struct loop *loop, const char *server_url, struct auth_kept *kept,
    void (*done)(void *user, const char *outcome), void *user)
{
	struct revoker *r = mem_zalloc(sizeof(*r));
	struct auth_url url;

	*r = (struct revoker){ .loop = loop,
		.done = done,
		.user = user,
		.kept = *kept,
		.near = AUTH_HOST_PUBLIC,
		.timer = { .fn = revoker_on_timer, .user = r },
		.until_ms = loop_now_ms(loop) + REVOKER_MS };
	*kept = (struct auth_kept){ 0 };
	if (auth_url_parse(&url, server_url, NULL)) {
		r->near = url.kind;
		auth_url_finish(&url);
	}
	auth_server_urls(r->kept.issuer, &r->urls);
	loop_timer_set(loop, &r->timer, loop_now_ms(loop));
	return r;
}

void
revoker_destroy(struct revoker *r)
{
	if (!r)
		return;
	fetch_cancel(r->fetch);
	loop_timer_cancel(&r->timer);
	auth_kept_finish(&r->kept);
	auth_server_finish(&r->server);
	strings_finish(&r->urls);
	free(r);
}

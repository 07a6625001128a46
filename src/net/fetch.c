/* SPDX-License-Identifier: MIT */
#include "net/fetch.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "net/exchange/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FETCH_CONNECT_MS 15000

struct fetch {
	struct loop *loop;
	struct exchange *exchange;
	struct exchange_request request;
	char *method, *url, *sent;
	struct strings headers;
	struct buf body;
	int redirects_left;
	int64_t started_ms;
	bool in_done;
	fetch_done_fn *done;
	void *user;
};

static void
fetch_destroy(struct fetch *f)
{
	exchange_destroy(f->exchange);
	strings_finish(&f->headers);
	free(f->method);
	free(f->url);
	free(f->sent);
	buf_finish(&f->body);
	free(f);
}

static void
fetch_finish(struct fetch *f, const char *error)
{
	int status = exchange_head(f->exchange).status;
	const char *text = exchange_head(f->exchange).status_text;
	const char *space = strchr(text, ' ');
	struct fetch_answer answer = {
		.status = error ? 0 : status,
		.reason = space ? space + 1 : "",
		.error = error,
		.url = f->url,
		.headers = exchange_head(f->exchange).headers,
		.body = buf_text(&f->body),
		.body_len = f->body.len,
		.took_ms = loop_now_ms(f->loop) - f->started_ms,
	};

	f->in_done = true;
	f->done(f->user, &answer);
	fetch_destroy(f);
}

static bool start(struct fetch *f, struct err *err);

/* Follows a redirect if the request allows it and the origin is the same. */
static bool
redirect(struct fetch *f)
{
	static const int followed[] = { 301, 302, 303, 307, 308 };
	const struct curl_api *api = curl_api_of(f->loop, NULL);
	int status = exchange_head(f->exchange).status;
	bool is_one = false;

	for (size_t i = 0; i < ARRAY_LEN(followed); i++)
		is_one |= followed[i] == status;
	if (!is_one || f->redirects_left == 0 || strcmp(f->method, "GET") != 0)
		return false;
	char *location = exchange_header(f->exchange, "Location", 0);
	char *to = location ? url_resolve(api, f->url, location) : NULL;
	free(location);
	if (!to || !url_same_origin(api, f->url, to)) {
		free(to);
		return false;
	}
	f->redirects_left--;
	struct exchange *old = f->exchange;
	free(f->url);
	f->url = to;
	buf_clear(&f->body);
	if (!start(f, NULL)) {
		f->exchange = old;
		return false;
	}
	exchange_destroy(old);
	return true;
}

static void
on_body(void *user, const char *bytes, size_t len)
{
	struct fetch *f = user;
	char text[96];

	if (buf_add(&f->body, bytes, len))
		return;
	snprintf(text, sizeof(text), "the response is longer than %zu bytes", f->body.max);
	fetch_finish(f, text);
}

static void
fetch_on_end(void *user, const char *trouble)
{
	struct fetch *f = user;

	if (trouble || !redirect(f))
		fetch_finish(f, trouble);
}

static const struct exchange_events events = {
	.on_body = on_body,
	.on_end = fetch_on_end,
};

/* On failure the exchange is NULL. */
static bool
start(struct fetch *f, struct err *err)
{
	f->request.url = f->url;
	f->exchange = exchange_create(f->loop, &f->request, &events, f, err);
	if (!f->exchange)
		return false;
	for (size_t i = 0; i < f->headers.len; i++) {
		const char *line = f->headers.items[i];
		if (exchange_add_line(f->exchange, line, strlen(line)))
			continue;
		exchange_destroy(f->exchange);
		f->exchange = NULL;
		return err_set(err, "not a valid header: %.80s", line);
	}
	exchange_start(f->exchange);
	return true;
}

struct fetch *
fetch_start(struct loop *loop, const struct fetch_request *request, fetch_done_fn *done, void *user,
    struct err *err)
{
	struct fetch *f = mem_zalloc(sizeof(*f));
	const char *usual = request->body ? "POST" : "GET";

	f->loop = loop;
	f->done = done;
	f->user = user;
	f->started_ms = loop_now_ms(loop);
	f->redirects_left = request->max_redirects;
	f->method = mem_strdup(request->method ? request->method : usual);
	f->url = mem_strdup(request->url);
	f->sent = request->body ? mem_dup(request->body, request->body_len) : NULL;
	for (const char *const *line = request->headers; line && *line; line++)
		strings_add(&f->headers, *line);
	buf_init(&f->body, request->max_body ? request->max_body : FETCH_MAX_BODY);
	f->request = (struct exchange_request){
		.method = f->method,
		.body = f->sent,
		.body_len = request->body_len,
		.insecure = request->insecure,
		.public_only = request->public_only,
		.connect_ms = FETCH_CONNECT_MS,
		.head_ms = FETCH_CONNECT_MS,
		.total_ms = request->timeout_ms ? request->timeout_ms : FETCH_TIMEOUT_MS,
	};
	const struct curl_api *api = curl_api_of(loop, err);
	if (api && url_check(api, f->url, err) && start(f, err))
		return f;
	fetch_destroy(f);
	return NULL;
}

void
fetch_cancel(struct fetch *fetch)
{
	if (fetch && !fetch->in_done)
		fetch_destroy(fetch);
}

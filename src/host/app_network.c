#include "host/app_network.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engine/app_view.h"
#include "client/app.h"
#include "net/fetch.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 6, TIMEOUT_MS = 30000 };

struct app_errand {
	struct app_errand *next;
	struct app_network *network;
	struct app *app;
	struct app_view *view;
	struct fetch *fetch; /* NULL: it waits for its turn */
	uint64_t id;
	char *method, *url, *body, *domain;
	size_t body_len;
	struct strings headers;
	bool public_only;
};

static void start_some(struct app_network *n);

static void
drop(struct app_errand *e)
{
	struct app_errand **link = &e->network->first;

	while (*link != e)
		link = &(*link)->next;
	*link = e->next;
	fetch_cancel(e->fetch);
	strings_finish(&e->headers);
	free(e->method);
	free(e->url);
	free(e->body);
	free(e->domain);
	free(e);
}

static void
finish(struct app_errand *e, const struct fetch_answer *answer)
{
	struct app_network *n = e->network;
	const struct app_response response = { .status = answer->status,
		.reason = answer->reason,
		.headers = answer->headers,
		.body = answer->body,
		.body_len = answer->body_len };
	const struct app_carried carried = { .method = e->method,
		.url = e->url,
		.status = answer->status,
		.error = answer->error,
		.bytes = answer->body_len,
		.took_ms = answer->took_ms };

	app_view_respond(e->view, e->id, answer->error ? NULL : &response);
	app_on_carried(e->app, &carried, clock_now_us());
	drop(e);
	start_some(n);
	n->on_change(n->user);
}

static bool
is_allowed(const struct app_errand *e)
{
	return strings_have(app_facts(e->app)->allowed, e->domain);
}

static const struct fetch_answer forbidden = { .error = "the user has forbidden it meanwhile" };

static void
on_done(void *user, const struct fetch_answer *answer)
{
	finish(user, is_allowed(user) ? answer : &forbidden);
}

/* False: it has failed, and is gone. */
static bool
start(struct app_errand *e)
{
	struct err err = { "" };
	const struct fetch_request request = { .method = e->method,
		.url = e->url,
		.headers = (const char *const *)strings_argv(&e->headers),
		.body = e->body,
		.body_len = e->body_len,
		.max_body = APP_RESPONSE_BODY_MAX,
		.timeout_ms = TIMEOUT_MS,
		.public_only = e->public_only };

	if (!is_allowed(e)) {
		finish(e, &forbidden);
		return false;
	}
	e->fetch = fetch_start(e->network->loop, &request, on_done, e, &err);
	if (e->fetch)
		return true;
	finish(e, &(struct fetch_answer){ .error = err.text });
	return false;
}

static void
start_some(struct app_network *n)
{
	int running = 0;

	for (struct app_errand *e = n->first; e && running < AT_ONCE; e = e->next) {
		if (!e->fetch && !start(e))
			return; /* its end has started others */
		running++;
	}
}

bool
app_network_carry(struct app_network *n, struct app *app, const struct app_request *request)
{
	const struct app_view_ops *ops;
	const struct app_domain *domain = app_lets_through(app, request);
	struct app_view *view = app_view_of(app, &ops);
	struct app_errand **last = &n->first;

	if (!domain || !view)
		return false;
	struct app_errand *e = mem_zalloc(sizeof(*e));
	*e = (struct app_errand){ .network = n,
		.app = app,
		.view = view,
		.id = request->id,
		.method = mem_strdup(request->method),
		.url = mem_strndup(request->url, strcspn(request->url, "#")),
		.body = request->body ? mem_dup(request->body, request->body_len) : NULL,
		.body_len = request->body_len,
		.domain = mem_strdup(domain->text),
		.public_only = !app_domain_is_address(domain->text) };
	app_request_headers(request, ops->status(view)->origin, &e->headers);
	while (*last)
		last = &(*last)->next;
	*last = e;
	start_some(n);
	return true;
}

void
app_network_forget(struct app_network *n, const struct app_view *view)
{
	for (struct app_errand *e = n->first, *next; e; e = next) {
		next = e->next;
		if (e->view == view)
			drop(e);
	}
	start_some(n);
}

#include "authorizer_priv.h"

#include "base/mem.h"

#include <stdlib.h>

#define CALLBACK_PATH "/callback"
/* The browser that is none comes back to an address where nobody listens. */
#define VISIT_REDIRECT "http://127.0.0.1:33418" CALLBACK_PATH

void
authorizer_stop_listening(struct authorizer *a)
{
	loop_timer_cancel(&a->wait);
	loopback_destroy(a->listener);
	a->listener = NULL;
}

static enum loopback_visit
on_visit(void *user, const char *target)
{
	struct authorizer *a = user;
	struct err err = { "" };

	if (!auth_flow_on_redirect(a->flow, target, authorizer_now_s(), &err)) {
		authorizer_say(a, err.text, NULL);
		authorizer_move(a);
		return LOOPBACK_STRAY;
	}
	bool refused = auth_flow_state(a->flow) == AUTH_FAILED;
	authorizer_move(a);
	return refused ? LOOPBACK_REFUSED : LOOPBACK_TAKEN;
}

void
authorizer_on_waited_long(void *user)
{
	struct authorizer *a = user;

	auth_flow_fail(a->flow, "nobody came back from the browser in ten minutes");
	authorizer_move(a);
}

static bool
listen_at(struct authorizer *a, const char *uri, struct err *err)
{
	struct auth_url u;

	if (!auth_url_parse(&u, uri, err))
		return false;
	if (u.kind == AUTH_HOST_LOOPBACK)
		a->listener = loopback_create(
		    a->loop, u.port ? u.port : 80, u.path[0] ? u.path : "/", on_visit, a, err);
	bool ok = a->listener || u.kind != AUTH_HOST_LOOPBACK; /* else its answer is pasted */
	auth_url_finish(&u);
	return ok;
}

/* Where it came back to before, so that nobody has to register again. NULL: no such port is free.
 */
static const char *
listen_again(struct authorizer *a, const struct auth_strings *uris)
{
	for (size_t i = 0; i < uris->len; i++)
		if (listen_at(a, uris->items[i], NULL) && a->listener)
			return uris->items[i];
	return NULL;
}

static char *
listen_anywhere(struct authorizer *a, struct err *err)
{
	struct auth_strings before = { 0 };

	auth_flow_redirect_uris(a->flow, &before);
	if (a->last_uri)
		auth_strings_add(&before, a->last_uri);
	char *uri = mem_strdup(listen_again(a, &before));
	auth_strings_finish(&before);
	if (!uri)
		a->listener = loopback_create(a->loop, 0, CALLBACK_PATH, on_visit, a, err);
	if (!uri && a->listener)
		uri = mem_printf("http://127.0.0.1:%d" CALLBACK_PATH, loopback_port(a->listener));
	free(a->last_uri);
	a->last_uri = mem_strdup(uri);
	return uri;
}

/* Where the browser shall come back to: as the user says, else as it was registered, else anywhere.
 * Caller frees; NULL with err. */
static char *
listen_for(struct authorizer *a, struct err *err)
{
	authorizer_stop_listening(a);
	if (a->consent == AUTHORIZER_VISITS)
		return mem_strdup(a->redirect_uri ? a->redirect_uri : VISIT_REDIRECT);
	if (a->redirect_uri)
		return listen_at(a, a->redirect_uri, err) ? mem_strdup(a->redirect_uri) : NULL;
	return listen_anywhere(a, err);
}

void
authorizer_go(struct authorizer *a)
{
	struct err err = { "" };
	char *uri = listen_for(a, &err);

	a->opened = false;
	if (uri)
		auth_flow_go(a->flow, uri, authorizer_now_s());
	else
		auth_flow_fail(a->flow, err.text);
	free(uri);
}

static void
on_browser_end(void *user, bool ok, const char *how)
{
	struct authorizer *a = user;

	browser_destroy(a->browser);
	a->browser = NULL;
	if (ok)
		return;
	authorizer_say(a, how, NULL);
	auth_flow_on_opened(a->flow, false, how);
	authorizer_move(a);
}

/* Whether it is there or not, somebody may come back. */
void
authorizer_open_browser(struct authorizer *a)
{
	const char *url = auth_flow_browser_url(a->flow);
	struct err err = { "no browser is here" };

	a->opened = true;
	loop_timer_set(a->loop, &a->wait, loop_now_ms(a->loop) + AUTHORIZER_WAIT_MS);
	browser_destroy(a->browser);
	a->browser = NULL;
	bool likely = browser_is_likely();
	if (likely)
		a->browser = browser_open(a->loop, url, on_browser_end, a, &err);
	if (!a->browser) {
		if (likely)
			authorizer_say(a, err.text, NULL);
		auth_flow_on_opened(a->flow, false, err.text);
		return;
	}
	char *how = mem_printf("started: %s", browser_name(a->browser));
	auth_flow_on_opened(a->flow, true, how);
	free(how);
}

/* ---- the browser that is none ---- */

static void
on_visited(void *user, const struct fetch_answer *answer)
{
	struct authorizer *a = user;
	char *location = answer->error ? NULL : fetch_header(answer, "Location", 0);
	struct err err = { "" };

	a->visit = NULL;
	if (!location)
		err_set(&err, "the authorization endpoint answers %d without a redirect: %s",
		    answer->status, answer->error ? answer->error : "");
	if (!location || !auth_flow_on_redirect(a->flow, location, authorizer_now_s(), &err))
		auth_flow_fail(a->flow, err.text);
	free(location);
	authorizer_move(a);
}

void
authorizer_visit(struct authorizer *a)
{
	struct err err = { "" };
	struct fetch_request request = {
		.url = auth_flow_browser_url(a->flow),
		.public_only = auth_flow_fetch_public_only(a->flow),
	};

	a->opened = true;
	a->visit = fetch_start(a->loop, &request, on_visited, a, &err);
	if (a->visit)
		auth_flow_on_opened(a->flow, true, "the URL is fetched instead of shown");
	else
		auth_flow_fail(a->flow, err.text);
}

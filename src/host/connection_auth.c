#include "connection_parts_priv.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What the authorizer of a connection tells, and what comes of it. */

static void
on_auth_change(void *user)
{
	struct connection *c = user;

	server_on_auth(c->server);
	connection_changed(c);
}

static void
on_auth_ask(void *user, const char *text, const char *url)
{
	struct connection *c = user;

	if (c->options.on_authorize)
		c->options.on_authorize(c->user, text, url);
}

/* What waits is sent again; a server that was given up meanwhile begins anew. */
static void
on_token(void *user, int64_t waited_us)
{
	struct connection *c = user;

	server_excuse(c->server, waited_us);
	if (c->forbidden && server_phase(c->server) >= SERVER_FAILED)
		connection_start(c, NULL);
	else if (connection_http(c))
		http_resume(connection_http(c));
}

static void
on_refused(void *user, const char *why, int64_t waited_us)
{
	struct connection *c = user;

	server_excuse(c->server, waited_us);
	if (connection_http(c))
		http_give_up(connection_http(c), why);
}

/* From the path on; "" without one. */
static const char *
url_path(const char *url)
{
	const char *host = strstr(url, "://");

	return host ? host + 3 + strcspn(host + 3, "/?#") : "";
}

/* A URL of a file may hold values of the user's environment; its label stands for them. */
static void
hide_url_values(const struct target *t, struct buf *text)
{
	const char *path = t->url ? url_path(t->url) : "", *shown = url_path(t->label);
	size_t same = 0, end = strlen(path), shown_end = strlen(shown);

	if (strcmp(path, shown) == 0 || !*path)
		return;
	buf_replace(text, path, shown);
	while (path[same] && path[same] == shown[same])
		same++;
	while (end > same && shown_end > same && path[end - 1] == shown[shown_end - 1]) {
		end--;
		shown_end--;
	}
	char *value = mem_strndup(path + same, end - same);
	auth_secrets_hide(&(struct auth_strings){ &value, 1, 1 }, text);
	free(value);
}

char *
connection_hide(const struct connection *c, const char *text, size_t len)
{
	struct buf shown = BUF_INIT;

	if (!text)
		return NULL;
	buf_add(&shown, text, strnlen(text, len));
	hide_url_values(c->target, &shown);
	if (c->authorizer)
		auth_flow_hide(authorizer_flow(c->authorizer), &shown);
	return shown.data ? buf_detach(&shown) : mem_strdup("");
}

void
connection_add_authorizer(struct connection *c)
{
	static const struct authorizer_events events = {
		.on_change = on_auth_change,
		.on_note = connection_on_note,
		.on_ask = on_auth_ask,
		.on_token = on_token,
		.on_refused = on_refused,
	};
	struct authorizer_options options;
	struct err err = { "" };

	if (!c->target->url || !c->options.authorize)
		return;
	options = *c->options.authorize;
	options.flow.server_url = c->target->url;
	options.insecure = c->target->insecure;
	c->authorizer = authorizer_create(c->loop, &options, &events, c, &err);
	c->options.authorize = NULL;
	if (c->authorizer)
		server_set_auth(c->server, authorizer_flow(c->authorizer));
	else
		server_on_note(c->server, err.text, clock_now_us());
}

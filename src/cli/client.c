/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/last_words.h"
#include "base/mem.h"
#include "cli/command_line.h"
#include "cli/print/print.h"
#include "form/form.h"
#include "host/app_house.h"
#include "json/write.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define STDERR_LINES 10

static void
on_signal(void *user, int signal_number)
{
	struct client *c = user;

	c->end_code = 128 + signal_number;
}

static void
on_change(void *user)
{
	struct client *c = user;

	if (c->sampler)
		sampler_answer_all(c->sampler, client_server(c));
	if (c->asker.connection)
		asker_step(&c->asker);
	if (c->on_change)
		c->on_change(c->user);
}

/* A draft of the sampler, or an app, may have something to send. */
static void
on_pending(void *user)
{
	connection_touch(((struct client *)user)->connection);
}

struct server *
client_server(const struct client *c)
{
	return connection_server(c->connection);
}

void
client_wait(struct client *c, bool (*done)(const struct client *c))
{
	while (!c->end_code && !done(c)) {
		loop_turn(c->loop, -1);
		if (!loop_trouble(c->loop))
			continue;
		say("%s", loop_trouble(c->loop));
		c->end_code = CLI_EXIT_USAGE;
	}
}

bool
client_set_arguments(struct form *form, const struct options *o, struct err *err)
{
	struct err why;

	for (size_t i = 0; i < o->call.arguments.len; i++) {
		const struct call_argument *a = &o->call.arguments.items[i];
		if (!(a->is_json ? form_set_json : form_set_typed)(form, a->path, a->text, &why))
			return err_set(err, "%.80s: %s", a->path, why.text);
	}
	return true;
}

bool
client_set_meta(struct client *c, const struct options *o)
{
	struct err err = { "" };
	bool ok = server_set_meta(
	    client_server(c), (const char *const *)o->call.metas.items, o->call.metas.len, &err);

	if (!ok)
		client_fail(c, "--meta: %s", err.text);
	server_set_trace(client_server(c), o->call.trace);
	return ok;
}

void
client_say_trace(const struct client *c, const struct options *o)
{
	const struct session *session = server_info(client_server(c))->session;

	if (o->call.trace && session && session_info(session)->traceparent[0])
		say("traceparent %s", session_info(session)->traceparent);
}

void
client_say_stderr(const char *tail)
{
	struct last_words words = last_words_of(tail, STDERR_LINES);

	if (words.why) {
		say("its standard error says:");
		say_lines(words.why, words.why_len);
	}
	if (*tail)
		say("its standard error ended with:");
	say_lines(words.tail, strlen(words.tail));
}

static bool
is_listed(const struct client *c)
{
	enum server_phase phase = server_info(client_server(c))->phase;

	return (phase == SERVER_READY && !server_is_listing(client_server(c))) ||
	       phase == SERVER_FAILED || phase == SERVER_EXITED;
}

void
client_fail(struct client *c, const char *format, ...)
{
	char text[1000];

	FORMAT_INTO(text, format);
	say("%s", text);
	if (c->failure.len == 0)
		buf_add_str(&c->failure, text);
}

int
client_failure(const struct client *c, bool answered)
{
	if (answered)
		return CLI_EXIT_TOOL_ERROR;
	return c->connection && connection_info(c->connection).is_forbidden ? CLI_EXIT_FORBIDDEN
									    : CLI_EXIT_UNREACHABLE;
}

int
client_say_failure(struct client *c, const char *what, const char *error, bool answered)
{
	const struct server *s = client_server(c);

	if (answered || server_info(s)->phase < SERVER_FAILED) {
		client_fail(c, "%s: %s", what, error);
	} else {
		bool ended = server_info(s)->phase == SERVER_EXITED;
		client_fail(c, "%s: %s%s", what,
		    ended ? "the server ended before it answered: " : "", server_info(s)->trouble);
		client_say_stderr(server_stderr_tail(s, NULL));
	}
	return client_failure(c, answered);
}

/* A partial list is better than none; report that it is incomplete. */
static int
say_list_trouble(struct client *c)
{
	int code = 0;

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const struct lister *l = &server_info(client_server(c))->lists[kind];
		if (!(c->lists >> kind & 1))
			continue;
		if (l->list.note[0] &&
		    !(c->lists_declared &&
			!lister_is_declared(l, server_info(client_server(c))->session)))
			say("%s: %s", primitive_kinds[l->kind].plural, l->list.note);
		if (l->error[0] && l->list.len == 0) {
			client_fail(c, "%s", l->error);
			code = client_failure(c, !l->unanswered);
		} else if (l->error[0]) {
			say("%s", l->error);
		}
	}
	return code;
}

int
client_start(struct client *c)
{
	struct err err;

	if (c->target.trouble) {
		client_fail(c, "%s: %s", c->target.name, c->target.trouble);
		return CLI_EXIT_USAGE;
	}
	if (!connection_start(c->connection, &err)) {
		client_fail(c, "%s", err.text);
		return CLI_EXIT_UNREACHABLE;
	}
	client_wait(c, is_listed);
	if (c->end_code)
		return c->end_code;
	const struct server *s = client_server(c);
	if (server_info(s)->phase == SERVER_READY)
		return say_list_trouble(c);
	client_fail(c, "%s: %s%s", server_info(s)->label,
	    server_info(s)->phase == SERVER_EXITED ? "it ended before it was ready: " : "",
	    server_info(s)->trouble);
	client_say_stderr(server_stderr_tail(s, NULL));
	client_say_authorization(c);
	return client_failure(c, false);
}

/* ---- authorization ---- */

/* One line of standard input: the address that a browser on another machine ended at. */
static void
on_typed(void *user, unsigned ready)
{
	struct client *c = user;
	struct authorizer *a = connection_info(c->connection).authorizer;
	struct err err = { "" };
	char piece[4096];
	ssize_t got = read(STDIN_FILENO, piece, sizeof(piece));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got <= 0) {
		loop_watch_remove(c->typed);
		c->typed = NULL;
		return;
	}
	if (!buf_add(&c->line, piece, (size_t)got)) {
		say("that is too long for an address");
		buf_clear(&c->line);
		return;
	}
	for (char *end; (end = memchr(c->line.data, '\n', c->line.len));) {
		*end = '\0';
		if (end != c->line.data && !authorizer_paste(a, c->line.data, &err))
			say("%s", err.text);
		buf_consume(&c->line, (size_t)(end - c->line.data) + 1);
	}
}

static void
on_authorize(void *user, const char *text, const char *url)
{
	struct client *c = user;

	say("%s", text);
	if (!url)
		return;
	say_lines(url, strlen(url));
	if (c->typed || !isatty(STDIN_FILENO))
		return;
	say("if the browser runs on another machine, it ends at a page that does not load: paste "
	    "the address of that page here");
	buf_init(&c->line, AUTH_URL_MAX);
	c->typed = loop_watch_fd(c->loop, STDIN_FILENO, LOOP_READ, on_typed, c);
}

static bool
prepare_authorization(struct client *c, const struct options *o, struct err *err)
{
	enum authorizer_consent consent = o->auth.login ? AUTHORIZER_OPENS : AUTHORIZER_REFUSES;

	bool ok = auth_settings_init(&c->authorization, o, consent, err);
	if (c->authorization.warning)
		say("%s", c->authorization.warning);
	if (!ok)
		return false;
	if (c->adapt)
		c->adapt(c->user, &c->authorization.options);
	return true;
}

/* Prints each step that led to the failure: the error alone names only the last one. */
void
client_say_authorization(const struct client *c)
{
	const struct auth_flow_info flow = auth_flow_info(server_info(client_server(c))->auth);
	const struct auth_steps *steps = flow.steps;
	struct buf line = BUF_INIT;

	if (flow.state != AUTH_FAILED && flow.state != AUTH_NEEDS_CLIENT)
		return;
	say("the steps so far:");
	for (size_t i = 0; i < steps->len; i++) {
		buf_clear(&line);
		buf_add_str(&line, steps->items[i].failed ? "- failed: " : "- ");
		auth_step_add_line(&line, &steps->items[i]);
		say_lines(line.data, line.len);
	}
	buf_finish(&line);
	if (flow.may_accept_slash)
		say("--accept-issuer-slash accepts this issuer");
}

/* Report a stored token that differs from what the command line asks for. */
static void
say_stored_token(const struct client *c, const struct options *o)
{
	const struct auth_flow_info flow = auth_flow_info(server_info(client_server(c))->auth);

	if (flow.state != AUTH_AUTHORIZED)
		return;
	/* a user would take the results for their own */
	if (flow.by_client && !o->auth.client_credentials && !o->auth.client_key)
		say("authorized as the client %.100s, not as a user, by a stored token of "
		    "--client-credentials: `mcpane logout %.150s` deletes it",
		    flow.client_id ? flow.client_id : "", flow.server_url);
	/* without --login a token is used even if its scopes are narrower */
	if (flow.access_token && o->auth.scope && !o->auth.login &&
	    !auth_scope_covers(flow.scope, o->auth.scope))
		say("the stored token has %s%.200s, less than --scope: --login asks the user for "
		    "the rest",
		    flow.scope ? "scope " : "no known scope", flow.scope ? flow.scope : "");
}

int
client_open(struct client *c, const struct options *o)
{
	static const int signals[CLIENT_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };
	struct connection_options options = connection_options_from(o);
	struct err err = { "" };

	options.server.skip_lists = ~c->lists;
	options.server.no_findings =
	    true; /* cli/print/result looks for them if they are asked for */
	options.server.answers.elicit_later = asker_may_ask(o);
	options.authorize = &c->authorization.options;
	options.on_authorize = on_authorize;
	if (!prepare_authorization(c, o, &err) || !target_choose(&c->target, o, &err) ||
	    (c->may_start && !c->may_start(c->user, &c->target, &err)) ||
	    !(c->loop = loop_create(NULL, NULL, &err))) {
		client_fail(c, "%s", err.text);
		return CLI_EXIT_USAGE;
	}
	for (size_t i = 0; i < CLIENT_SIGNALS; i++)
		c->watches[i] = loop_watch_signal(c->loop, signals[i], on_signal, c);
	c->connection = connection_create(c->loop, &c->target, &options, on_change, c);
	if (c->runs_apps) { /* an engine takes as long to start as many servers */
		c->apps = app_house_create(c->loop, o, on_pending, c);
		c->apps->prepare(c->apps);
	}
	if (asker_may_ask(o))
		c->asker = (struct asker){ .loop = c->loop, .connection = c->connection };
	c->sampler = sampler_create(c->loop, o->answer.sampling_command, on_pending, c);
	int code = client_start(c);
	say_stored_token(c, o);
	return code;
}

void
client_let_go(struct client *c)
{
	if (c->connection)
		connection_close(c->connection);
	if (c->loop)
		child_hand_over(c->loop);
	for (size_t i = 0; i < CLIENT_SIGNALS; i++) {
		loop_watch_remove(c->watches[i]);
		c->watches[i] = NULL;
	}
}

void
client_close(struct client *c)
{
	asker_finish(&c->asker);
	client_let_go(c);
	sampler_destroy(c->sampler);
	if (c->connection && connection_info(c->connection).target->url)
		connection_farewell(c->loop, &c->connection, 1);
	connection_destroy(c->connection);
	app_house_destroy(c->apps);
	loop_watch_remove(c->typed);
	buf_finish(&c->line);
	buf_finish(&c->failure);
	loop_destroy(c->loop);
	auth_settings_finish(&c->authorization);
	target_finish(&c->target);
	*c = (struct client){ 0 };
}

int
client_end(struct client *c, const struct options *o, int code, struct buf *out)
{
	struct buf json = BUF_INIT;
	struct json_writer w;

	if (o->call.json && c->failure.len > 0 && out->len == 0) { /* as an error response */
		json_write_init(&w, &json);
		json_write_object(&w);
		json_write_member_object(&w, "error");
		json_write_member_string(&w, "message", buf_text(&c->failure));
		json_write_object_end(&w);
		json_write_object_end(&w);
		output_add_json(out, &json, o->call.raw);
		buf_finish(&json);
	}
	client_close(c);
	int failed = output_write(out, o->call.raw);
	buf_finish(out);
	return failed ? failed : code;
}

/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/last_words.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/command_line.h"
#include "cli/print/print.h"
#include "client/skills.h"
#include "form/form.h"
#include "host/app_house.h"
#include "host/trust.h"
#include "json/write.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STDERR_LINES 10
#define LINE_MAX_BYTES 4096 /* a terminal gives no longer line */

/* ---- questions of the server, at a terminal ---- */

static struct field *
field_now(const struct asker *a, const struct question *q)
{
	struct field *root = form_view(q->form).root;

	return a->field < field_view(root).child_count ? field_child(root, a->field) : NULL;
}

static void
say_prompt(void)
{
	fputs("> ", stderr);
	fflush(stderr);
}

static void
say_text(struct buf *text)
{
	say_lines(buf_text(text), text->len);
	buf_clear(text);
}

static void
say_field(const struct field *field)
{
	struct field_view v = field_view(field);
	struct buf text = BUF_INIT;

	buf_add_str(&text, v.title ? v.title : v.name);
	buf_add_str(&text, ": ");
	field_facts(field, &text);
	say("%s", buf_text(&text));
	buf_clear(&text);
	if (v.description) {
		buf_add_str(&text, v.description);
		say_text(&text);
	}
	/* the choices of an enum, or of an array that picks from some */
	size_t choices = v.option_count > 0 ? v.option_count : v.choice_count;
	for (size_t i = 0; i < choices; i++) {
		bool on = v.option_count > 0 && field_option_is_on(field, i);
		buf_addf(&text, "%zu%s ", i + 1, on ? "*" : "");
		field_choice_label(field, i, &text);
		say_text(&text);
	}
	if (v.state == FIELD_SET && v.filled) {
		buf_add_str(&text, "Enter keeps ");
		field_brief(field, 200, &text);
		say_text(&text);
	}
	say_prompt();
	buf_finish(&text);
}

/* A URL that no browser may open cannot be agreed to. */
static bool
may_accept(const struct question *q)
{
	return q->kind == QUESTION_FORM || q->link.openable;
}

static void
say_next(struct asker *a, const struct question *q)
{
	const struct field *field = q->kind == QUESTION_FORM ? field_now(a, q) : NULL;
	struct buf text = BUF_INIT;

	if (field) {
		say_field(field);
		return;
	}
	if (q->kind == QUESTION_FORM) {
		form_to_json(q->form, &text);
		say_text(&text);
	}
	say(q->kind == QUESTION_FORM ? "y sends this, n declines, c cancels"
	    : may_accept(q)          ? "y agrees to visit it, n declines, c cancels"
				     : "n declines, c cancels");
	say_prompt();
	buf_finish(&text);
}

/* ---- answers ---- */

static void asker_step(struct client *c);

/* The numbers of options, all others are off. False: something else was typed. */
static bool
asker_pick(struct field *field, size_t count, const char *line)
{
	bool on[FORM_MAX_CHOICES] = { false };

	while (*line) {
		char *rest;
		unsigned long number = strtoul(line, &rest, 10);
		if (rest == line || number == 0 || number > count || number > ARRAY_LEN(on))
			return false;
		on[number - 1] = true;
		line = rest + strspn(rest, " ,");
	}
	field_set_state(field, FIELD_SET);
	for (size_t i = 0; i < count && i < ARRAY_LEN(on); i++)
		field_option_set(field, i, on[i]);
	return true;
}

static bool
is_one_of(const char *line, const char *const *words)
{
	while (*words && strcasecmp(line, *words) != 0)
		words++;
	return *words != NULL;
}

static const char *const yes[] = { "y", "yes", "true", NULL };
static const char *const no[] = { "n", "no", "false", NULL };

/* Sets the field as typed: a choice by its number or its value, a boolean by y or n. */
static void
asker_set(const struct question *q, struct field *field, const char *line)
{
	struct field_view v = field_view(field);
	char *end;
	unsigned long number = strtoul(line, &end, 10);
	struct buf path = BUF_INIT;
	struct err err;

	field_pointer(field, &path);
	if (strcmp(line, "-") == 0)
		field_set_state(field, FIELD_OMITTED);
	else if (v.option_count > 0 && asker_pick(field, v.option_count, line))
		;
	else if (v.kind == FIELD_ENUM && *end == '\0' && number > 0 && number <= v.choice_count)
		field_set_choice(field, number - 1);
	else if (v.kind == FIELD_BOOLEAN && (is_one_of(line, yes) || is_one_of(line, no)))
		form_set_typed(
		    q->form, buf_text(&path), is_one_of(line, yes) ? "true" : "false", &err);
	else if (!form_set_typed(q->form, buf_text(&path), line, &err))
		say("%s", err.text);
	buf_finish(&path);
}

static void
take_line(struct client *c, const char *line)
{
	struct asker *a = &c->asker;
	struct server *s = client_server(c);
	struct question *q = server_find_question(s, a->question);
	struct field *field = q && q->kind == QUESTION_FORM ? field_now(a, q) : NULL;
	bool cancels = strcmp(line, ":cancel") == 0 || (!field && strcasecmp(line, "c") == 0);

	if (!q)
		return;
	if (cancels || strcmp(line, ":decline") == 0 || (!field && is_one_of(line, no))) {
		server_decline(s, q->id, cancels, clock_now_us());
	} else if (field) {
		if (*line)
			asker_set(q, field, line);
		form_check(q->form);
		const char *problem = field_view(field).problem;
		if (problem)
			say("%s", problem);
		else
			a->field++;
		say_next(a, q);
		return;
	} else if (is_one_of(line, yes) && may_accept(q)) {
		struct buf result = BUF_INIT;
		if (q->kind == QUESTION_FORM)
			question_accept_form(q, &result);
		else
			buf_add_str(&result, "{\"action\":\"accept\"}");
		server_answer(s, q->id, buf_text(&result), result.len, clock_now_us());
		buf_finish(&result);
	} else {
		say_next(a, q);
		return;
	}
	a->question = 0;
	connection_touch(c->connection);
	asker_step(c);
}

/* The end of the input cancels. */
static void
on_input(void *user, unsigned ready)
{
	struct client *c = user;
	struct asker *a = &c->asker;
	char bytes[LINE_MAX_BYTES + 1];
	ssize_t got = read(STDIN_FILENO, bytes, LINE_MAX_BYTES);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got <= 0) {
		say("cancelled");
		take_line(c, ":cancel");
		return;
	}
	if (a->line.len > LINE_MAX_BYTES) /* a terminal in raw mode: no line ever ends */
		buf_clear(&a->line);
	buf_add(&a->line, bytes, (size_t)got);
	for (char *newline;
	     a->line.len > 0 && (newline = memchr(a->line.data, '\n', a->line.len));) {
		*newline = '\0';
		size_t used = (size_t)(newline - a->line.data) + 1;
		take_line(c, a->line.data);
		buf_consume(&a->line, used);
	}
}

/* Asks the next question, if none is being asked; after every change of the server. */
static void
asker_step(struct client *c)
{
	static const char keys[] =
	    "- leaves a field out, :decline and :cancel end this, Ctrl-D cancels";
	struct asker *a = &c->asker;
	const struct server_info *info = server_info(client_server(c));
	struct question *q = NULL;

	if (server_find_question(client_server(c), a->question))
		return;
	if (a->question)
		say("the question was withdrawn");
	a->question = 0;
	for (size_t i = 0; i < info->questions.len && !q; i++) {
		q = info->questions.items[i];
		if (q->kind != QUESTION_FORM && q->kind != QUESTION_URL)
			q = NULL;
	}
	if (!q) {
		loop_watch_remove(a->watch);
		a->watch = NULL;
		return;
	}
	if (!a->watch)
		a->watch = loop_watch_fd(c->loop, STDIN_FILENO, LOOP_READ, on_input, c);
	a->question = q->id;
	a->field = 0;
	say("%s asks: %s", info->name, q->elicitation.message);
	for (size_t i = 0; q->kind == QUESTION_URL && i < q->link.warning_count; i++)
		say("%s", q->link.warnings[i]);
	if (q->kind == QUESTION_URL && !may_accept(q))
		say("it cannot be opened: %s", q->link.refusal);
	if (q->kind == QUESTION_URL)
		say_lines(q->elicitation.url, strlen(q->elicitation.url));
	else
		say_lines(keys, strlen(keys));
	say_next(a, q);
}

/* ---- variables that a project sends ---- */

/* A project's file can name any variable of the user's environment and send its value to a server,
 * so the user must agree. */
static bool
agree_to(const char *source, const struct target *target, const struct options *o, struct err *err)
{
	char mark[SHA256_HEX], line[64];
	struct sha256 h;
	struct err why;

	for (size_t i = 0; i < o->call.sends.len; i++)
		if (strcmp(o->call.sends.items[i], source) == 0)
			return true;
	/* the mark covers the working directory, the server and the variable */
	trust_mark(target, mark);
	sha256_init(&h);
	sha256_add(&h, "mcpane send 1 ", 14);
	sha256_add(&h, mark, strlen(mark));
	sha256_add(&h, source, strlen(source));
	sha256_end_hex(&h, mark);
	if (trust_is_given(mark))
		return true;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return err_set(err,
		    "a file of this project sends %.80s, a variable of your environment, to %.80s: "
		    "--send-env %.80s allows it",
		    source, target->label, source);
	say("a file of this project sends %s, a variable of your environment, to %s", source,
	    target->label);
	say("y sends it, now and later; everything else does not");
	say_prompt();
	if (!fgets(line, sizeof(line), stdin) || (line[0] != 'y' && line[0] != 'Y') ||
	    (line[1] != '\n' && line[1] != '\0'))
		return err_set(err, "%.80s is not sent", source);
	if (!trust_give(target, mark, &why))
		say("%s", why.text);
	return true;
}

bool
consent_to_send(const struct strings *sources, const struct target *target, const struct options *o,
    struct err *err)
{
	for (size_t i = 0; i < sources->len; i++)
		if (!agree_to(sources->items[i], target, o, err))
			return false;
	for (size_t i = 0; i < sources->len; i++)
		say("%s of your environment goes to %s", sources->items[i], target->label);
	return true;
}

/* ---- the server ---- */

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
	if (c->asker.may_ask)
		asker_step(c);
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
	return connection_info(c->connection).server;
}

int
client_wait(struct client *c, bool (*done)(const struct client *c))
{
	connection_touch(c->connection);
	while (!c->end_code && !done(c)) {
		loop_turn(c->loop, -1);
		if (!loop_trouble(c->loop))
			continue;
		say("%s", loop_trouble(c->loop));
		c->end_code = CLI_EXIT_USAGE;
	}
	return c->end_code;
}

static bool
has_answers(const struct client *c)
{
	const struct server *s = client_server(c);
	struct skills_info skills = server_skills(s);

	return server_running(s) == 0 && !skills.asking && !lister_is_busy(skills.files) &&
	       !completer_is_busy(server_info(s)->completer);
}

int
client_wait_answers(struct client *c)
{
	return client_wait(c, has_answers);
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
	if (client_wait(c, is_listed))
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
	options.server.no_findings = true; /* result_find() looks for them */
	bool may_ask = !o->answer.elicit && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
	options.server.answers.elicit_later = may_ask;
	options.authorize = &c->authorization.options;
	options.on_authorize = on_authorize;
	bool ok = auth_settings_init(
	    &c->authorization, o, o->auth.login ? AUTHORIZER_OPENS : AUTHORIZER_REFUSES, &err);
	if (c->authorization.warning)
		say("%s", c->authorization.warning);
	if (ok && c->adapt)
		c->adapt(c->user, &c->authorization.options);
	if (!ok || !target_choose(&c->target, o, &err) ||
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
	c->asker.may_ask = may_ask;
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
	loop_watch_remove(c->asker.watch);
	buf_finish(&c->asker.line);
	c->asker = (struct asker){ 0 }; /* the farewell turns the loop, and a note may ask again */
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
		output_take_json(out, &json, o->call.raw);
	}
	client_close(c);
	int failed = output_write(out, o->call.raw);
	buf_finish(out);
	return failed ? failed : code;
}

int
client_run(struct client *c, const struct options *o,
    int (*work)(struct client *c, const struct options *o, struct buf *out))
{
	struct buf out = BUF_INIT;
	int code = client_open(c, o);

	if (code == 0)
		code = work(c, o, &out);
	return client_end(c, o, code, &out);
}

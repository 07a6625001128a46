/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "host/trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 4096 /* a terminal gives no longer line */

static struct server *
server_of(const struct asker *a)
{
	return connection_server(a->connection);
}

static struct question *
question_of(const struct asker *a)
{
	return a->question ? server_find_question(server_of(a), a->question) : NULL;
}

bool
asker_may_ask(const struct options *o)
{
	return !o->answer.elicit && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* ---- questions ---- */

static struct field *
field_now(const struct asker *a, const struct question *q)
{
	struct field *root = form_view(q->form).root;

	return a->field < field_view(root).child_count ? field_child(root, a->field) : NULL;
}

static void
say_text(struct buf *text)
{
	say_lines(buf_text(text), text->len);
	buf_clear(text);
}

/* The choices of an enum, or of an array that picks from some. */
static void
say_choices(const struct field *field, const struct field_view *v)
{
	bool picks = v->option_count > 0;
	size_t count = picks ? v->option_count : v->choice_count;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < count; i++) {
		buf_addf(&text, "%zu%s ", i + 1, picks && field_option_is_on(field, i) ? "*" : "");
		field_choice_label(field, i, &text);
		say_text(&text);
	}
	buf_finish(&text);
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
	say_choices(field, &v);
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
say_review(const struct question *q)
{
	struct buf text = BUF_INIT;

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

static void
say_next(struct asker *a, const struct question *q)
{
	const struct field *field = q->kind == QUESTION_FORM ? field_now(a, q) : NULL;

	if (field)
		say_field(field);
	else
		say_review(q);
}

/* ---- answers ---- */

static void
asker_end(struct asker *a)
{
	a->question = 0;
	connection_touch(a->connection);
	asker_step(a);
}

static void
asker_accept(struct asker *a, const struct question *q)
{
	struct buf result = BUF_INIT;

	if (q->kind == QUESTION_FORM)
		question_accept_form(q, &result);
	else
		buf_add_str(&result, "{\"action\":\"accept\"}");
	server_answer(server_of(a), q->id, buf_text(&result), result.len, clock_now_us());
	buf_finish(&result);
	asker_end(a);
}

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
take_line(struct asker *a, const char *line)
{
	struct question *q = question_of(a);
	struct field *field = q && q->kind == QUESTION_FORM ? field_now(a, q) : NULL;

	if (!q)
		return;
	if (strcmp(line, ":decline") == 0 || (!field && is_one_of(line, no))) {
		server_decline(server_of(a), q->id, clock_now_us());
		asker_end(a);
	} else if (strcmp(line, ":cancel") == 0 || (!field && strcasecmp(line, "c") == 0)) {
		server_dismiss(server_of(a), q->id, clock_now_us());
		asker_end(a);
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
	} else if (is_one_of(line, yes) && may_accept(q)) {
		asker_accept(a, q);
	} else {
		say_next(a, q);
	}
}

/* The end of the input cancels. */
static void
on_input(void *user, unsigned ready)
{
	struct asker *a = user;
	char bytes[LINE_MAX_BYTES + 1];
	ssize_t got = read(STDIN_FILENO, bytes, LINE_MAX_BYTES);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got <= 0) {
		say("cancelled");
		take_line(a, ":cancel");
		return;
	}
	if (a->line.len > LINE_MAX_BYTES) /* a terminal in raw mode: no line ever ends */
		buf_clear(&a->line);
	buf_add(&a->line, bytes, (size_t)got);
	for (char *newline;
	     a->line.len > 0 && (newline = memchr(a->line.data, '\n', a->line.len));) {
		*newline = '\0';
		size_t used = (size_t)(newline - a->line.data) + 1;
		take_line(a, a->line.data);
		buf_consume(&a->line, used);
	}
}

/* ---- which question ---- */

static struct question *
first_open(const struct asker *a)
{
	for (size_t i = 0; i < server_info(server_of(a))->questions; i++) {
		struct question *q = server_question_at(server_of(a), i);
		if (q->kind == QUESTION_FORM || q->kind == QUESTION_URL)
			return q;
	}
	return NULL;
}

static void
asker_begin(struct asker *a, const struct question *q)
{
	static const char keys[] =
	    "- leaves a field out, :decline and :cancel end this, Ctrl-D cancels";

	a->question = q->id;
	a->field = 0;
	say("%s asks: %s", server_info(server_of(a))->name, q->elicitation.message);
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

void
asker_step(struct asker *a)
{
	if (question_of(a))
		return;
	if (a->question)
		say("the question was withdrawn");
	a->question = 0;
	struct question *q = first_open(a);
	if (!q) {
		loop_watch_remove(a->watch);
		a->watch = NULL;
		return;
	}
	if (!a->watch)
		a->watch = loop_watch_fd(a->loop, STDIN_FILENO, LOOP_READ, on_input, a);
	asker_begin(a, q);
}

void
asker_finish(struct asker *a)
{
	loop_watch_remove(a->watch);
	buf_finish(&a->line);
	*a = (struct asker){ 0 };
}

/* ---- variables that a project sends ---- */

/* A project's file can name any variable of the user's environment and send its value to a server,
 * so the user must agree. */

/* The mark covers the working directory, the variable and the server. */
static void
mark_of(const char *source, const struct target *target, char mark[SHA256_HEX])
{
	struct sha256 h;

	trust_mark(target, mark); /* also of the working directory */
	sha256_init(&h);
	sha256_add(&h, "mcpane send 1 ", 14);
	sha256_add(&h, mark, strlen(mark));
	sha256_add(&h, source, strlen(source));
	sha256_end_hex(&h, mark);
}

static bool
agree_to(const char *source, const struct target *target, const struct options *o, struct err *err)
{
	char mark[SHA256_HEX], line[64];
	struct err why;

	for (size_t i = 0; i < o->call.sends.len; i++)
		if (strcmp(o->call.sends.items[i], source) == 0)
			return true;
	mark_of(source, target, mark);
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

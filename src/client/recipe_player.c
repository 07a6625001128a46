/* SPDX-License-Identifier: MIT */
#include "client/recipe_player.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "client/findings.h"
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

#define VIOLATIONS_MAX 5 /* in a message */

struct recipe_player {
	struct recipe_player_host host;
	struct recipe_run *run;
	uint64_t call;   /* that is running; 0: none */
	int64_t wake_us; /* the end of a delay; 0: none */
	struct query_job job;
	bool querying, answered;
};

/* ---- the reply ---- */

struct reply_parts {
	struct recipe_reply reply;
	struct buf error, violations;
	struct findings findings;
	struct {
		struct recipe_finding *items;
		size_t len, cap;
	} said;
};

static void
take_findings(const struct call *c, struct reply_parts *parts)
{
	const struct finding_result result = { .call = c, .verdict = &c->verdict };
	struct schema_library *library = schema_library_create();
	struct primitive tool;

	if (c->definition) {
		primitive_decode(&tool, PRIMITIVE_TOOL, c->definition, json_root(c->definition));
		findings_of_tool(&parts->findings, &tool, library);
	}
	schema_library_destroy(library);
	findings_of_result(&parts->findings, &result);
	for (size_t i = 0; i < parts->findings.len; i++) {
		const struct found *f = &parts->findings.items[i];
		*VEC_PUSH(&parts->said) = (struct recipe_finding){
			.id = f->kind->name, .text = f->text, .severity = (int)f->kind->severity
		};
	}
	parts->reply.findings = parts->said.items;
	parts->reply.finding_count = parts->said.len;
}

static void
take_error(const struct call *c, struct reply_parts *parts)
{
	struct buf *text = &parts->error;

	if (!call_is_error(c))
		return;
	if (c->state == CALL_DONE) {
		buf_add_str(text, "the tool reported an error: ");
		call_add_texts(c, text);
	} else {
		/* these texts are whole sentences: "timed out after 2 s" */
		bool is_told = c->state == CALL_TIMED_OUT || c->state == CALL_DIED ||
			       c->state == CALL_CANCELLED;
		if (!is_told || !c->error_text)
			call_add_state(c, text);
		if (c->error_text)
			buf_addf(text, "%s%s", is_told ? "" : ": ", c->error_text);
		if (c->stderr_tail && *c->stderr_tail)
			buf_addf(text, "\nits standard error ended with: %.400s", c->stderr_tail);
	}
	parts->reply.error = buf_text(text);
	parts->reply.failure = call_is_answered(c) ? RECIPE_ERROR_ANSWER : RECIPE_NO_ANSWER;
}

static void
take_reply(struct recipe_player *p, const struct server *s, const struct call *c)
{
	const struct recipe_step *step = recipe_run_view(p->run).step;
	enum server_phase phase = server_info(s)->phase;
	struct reply_parts parts = { .reply = {
					 .verdict = verdict_looks[c->verdict.kind].name,
					 .took_us = c->ended_us - c->started_us,
					 .call = c->id,
					 .is_over =
					     phase == SERVER_FAILED || phase == SERVER_EXITED,
				     } };

	if (c->state == CALL_DONE && c->doc) {
		parts.reply.result_doc = json_doc_ref(c->doc);
		parts.reply.result = c->value;
		/* a result without data counts as a whole */
		struct call_data data;
		call_data_read(&data, c, SIZE_MAX);
		parts.reply.data_doc = data.doc ? data.doc : json_doc_ref(c->doc);
		parts.reply.data = data.doc ? data.value : c->value;
		size_t kept = c->verdict.report ? report_facts(c->verdict.report)->kept : 0;
		for (size_t i = 0; i < kept && i < VIOLATIONS_MAX; i++) {
			if (i > 0)
				buf_add_str(&parts.violations, "; ");
			report_instance_path(c->verdict.report, i, &parts.violations);
			buf_add_str(&parts.violations, ": ");
			report_line(c->verdict.report, i, &parts.violations);
		}
		if (kept > VIOLATIONS_MAX)
			buf_addf(&parts.violations, "; and %zu more", kept - VIOLATIONS_MAX);
		parts.reply.violations = buf_text(&parts.violations);
		if (step && step->expect.findings && c->kind == PRIMITIVE_TOOL)
			take_findings(c, &parts);
	}
	take_error(c, &parts);
	p->call = 0;
	recipe_run_on_reply(p->run, &parts.reply);
	buf_finish(&parts.error);
	buf_finish(&parts.violations);
	findings_finish(&parts.findings);
	free(parts.said.items);
}

/* ---- calls ---- */

/* No call was made. */
static void
fail_call(struct recipe_player *p, enum recipe_failure failure, bool is_over, const char *why)
{
	struct recipe_reply reply = {
		.error = why, .failure = failure, .is_over = is_over, .verdict = "none"
	};

	recipe_run_on_reply(p->run, &reply);
}

/* False: it may not be made yet. */
static bool
start_call(struct recipe_player *p, struct server *s, struct recipe_want *want, int64_t now_us)
{
	static const enum primitive_kind kinds[] = { [RECIPE_CALL] = PRIMITIVE_TOOL,
		[RECIPE_READ] = PRIMITIVE_RESOURCE,
		[RECIPE_GET] = PRIMITIVE_PROMPT };
	enum primitive_kind kind = kinds[want->calls];
	const struct primitive_list *list = &server_info(s)->lists[kind].list;
	struct primitive resource = {
		.kind = kind, .name = want->name, .key = want->name, .has_key = true
	};
	const struct primitive *found =
	    kind == PRIMITIVE_RESOURCE ? &resource : primitive_list_find(list, want->name, 0);
	struct err err = { "" };

	if (!found) {
		struct did_you_mean meant;
		did_you_mean_init(&meant, want->name, strlen(want->name));
		for (size_t i = 0; i < list->len; i++)
			did_you_mean_try(&meant, list->items[i].name);
		err_set(&err, "there is no %s %.80s%s", primitive_kinds[kind].name, want->name,
		    did_you_mean_or(&meant, ""));
		fail_call(p, RECIPE_WRONG, false, err.text);
		return true;
	}
	if (found->unusable) {
		fail_call(p, RECIPE_WRONG, false, found->problem);
		return true;
	}
	if (p->host.may_call && !p->host.may_call(p->host.user, found, buf_text(&want->arguments)))
		return false;
	p->call =
	    server_ask(s, found, buf_text(&want->arguments), want->arguments.len, now_us, &err);
	if (!p->call)
		fail_call(p, RECIPE_NO_ANSWER, server_info(s)->phase != SERVER_READY,
		    *server_info(s)->trouble ? server_info(s)->trouble : err.text);
	return true;
}

/* ---- jq and snapshots ---- */

static void
on_query(struct query_job *job)
{
	struct recipe_player *p =
	    (struct recipe_player *)(void *)((char *)job - offsetof(struct recipe_player, job));

	p->querying = false;
	p->answered = true;
	if (p->host.on_answer)
		p->host.on_answer(p->host.query_user);
}

/* ---- the whole ---- */

/* Does one thing; false: it has to wait. */
static bool
advance(struct recipe_player *p, struct server *s, int64_t now_us)
{
	struct recipe_want *want = recipe_run_next(p->run);

	if (p->querying || want->kind == RECIPE_WANTS_NOTHING)
		return false;
	if (p->answered) {
		p->answered = false;
		recipe_run_on_jq(p->run, &p->job.answer);
		query_answer_finish(&p->job.answer);
	} else if (p->call) {
		/* False: the call has no verdict yet. */
		const struct call *c = server_find_call(s, p->call);
		if (!c) {
			p->call = 0;
			fail_call(
			    p, RECIPE_NO_ANSWER, false, "its result was dropped: too much is kept");
			return true;
		}
		if (c->state == CALL_RUNNING || c->verdict.kind == VERDICT_CHECKING)
			return false;
		take_reply(p, s, c);
		return true;
	} else if (want->kind == RECIPE_WANTS_CALL)
		return start_call(p, s, want, now_us);
	else if (want->kind == RECIPE_WANTS_JQ) {
		p->job = (struct query_job){
			.expression = want->expression, .value = want->value, .done = on_query
		};
		want->value = (struct buf)BUF_INIT;
		p->querying = p->host.query(p->host.query_user, &p->job);
		p->answered = !p->querying;
	} else if (want->kind == RECIPE_WANTS_DELAY) {
		/* False: it is not over. */
		p->wake_us = p->wake_us ? p->wake_us : now_us + want->delay_us;
		if (now_us < p->wake_us)
			return false;
		p->wake_us = 0;
		recipe_run_on_delay(p->run);
		return true;
	} else {
		struct recipe_snapshot snapshot = { 0 };
		struct buf text = { .max = QUERY_MAX_BYTES };
		struct err err = { "" };
		if (!p->host.snapshot(
			p->host.user, want->snapshot, &want->value, &text, &snapshot.written, &err))
			snapshot.trouble = err.text;
		snapshot.text = buf_text(&text);
		snapshot.len = text.len;
		recipe_run_on_snapshot(p->run, &snapshot);
		buf_finish(&text);
	}
	return true;
}

void
recipe_player_advance(struct recipe_player *p, struct server *s, int64_t now_us)
{
	while (advance(p, s, now_us))
		;
}

static void
drop_query(struct recipe_player *p)
{
	p->host.on_answer = NULL; /* the answer is no longer needed */
	if (p->querying)
		p->host.stop_query(p->host.query_user, &p->job);
	query_answer_finish(&p->job.answer);
	p->querying = p->answered = false;
}

void
recipe_player_stop(struct recipe_player *p, struct server *s, const char *why, int64_t now_us)
{
	drop_query(p);
	if (p->call && s)
		server_cancel(s, p->call, now_us);
	p->call = 0;
	p->wake_us = 0;
	recipe_run_stop(p->run, why);
}

struct recipe_player *
recipe_player_create(const struct recipe *recipe, const char *environment, struct variables *given,
    const struct recipe_player_host *host, struct err *err)
{
	struct recipe_player *p = mem_zalloc(sizeof(*p));
	const struct recipe_run_options options = {
		.recipe = recipe,
		.environment = environment,
		.given = *given,
		.may_begin = host->may_begin,
		.on_record = host->on_record,
		.user = host->user,
	};

	*given = (struct variables){ 0 };
	p->host = *host;
	p->run = recipe_run_create(&options, err);
	if (p->run)
		return p;
	free(p);
	return NULL;
}

void
recipe_player_destroy(struct recipe_player *p)
{
	if (!p)
		return;
	drop_query(p);
	recipe_run_destroy(p->run);
	free(p);
}

struct recipe_player_view
recipe_player_view(const struct recipe_player *p)
{
	return (struct recipe_player_view){
		.run = recipe_run_view(p->run),
		.want = recipe_run_next(p->run),
		.call = p->call,
		.wake_us = p->wake_us,
	};
}

/* ---- a recipe in the full screen ---- */

#define ARGUMENTS_SHOWN 200

static bool
snapshot(void *user, const char *file, const struct buf *value, struct buf *out, bool *written,
    struct err *err)
{
	struct recipe_show *s = user;
	char *folder = mem_strndup(s->path, (size_t)(path_file_name(s->path) - s->path));

	*written = false;
	bool ok = s->host.read_beneath(s->host.user, folder, file, out, err);
	free(folder);
	return ok;
}

static bool
may_begin(void *user)
{
	struct recipe_show *s = user;

	if (s->paused && s->allowed == 0)
		return false;
	s->allowed -= s->allowed > 0;
	return true;
}

static bool
may_call(void *user, const struct primitive *primitive, const char *arguments)
{
	struct recipe_show *s = user;
	struct buf brief = BUF_INIT;

	if (s->trusts || !primitive_is_destructive(primitive) ||
	    strings_have(&s->agreed, primitive->key))
		return true;
	if (!s->asks) {
		s->asks = mem_strdup(primitive->key);
		utf8_add_cut(&brief, arguments, strlen(arguments), ARGUMENTS_SHOWN);
		s->arguments = buf_detach(&brief);
		s->changes++;
	}
	return false;
}

static void
on_record(void *user, const struct recipe_record *record)
{
	struct recipe_show *s = user;

	report_add_case(&s->report, record);
	s->changes++;
}

/* The words behind the file: variables, and the environment. */
static bool
recipe_player_start(struct recipe_show *s, const struct strings *words,
    const struct variables *project, struct err *err)
{
	const struct recipe_player_host host = { .query = s->host.query,
		.stop_query = s->host.stop_query,
		.on_answer = s->host.changed,
		.query_user = s->host.user,
		.snapshot = snapshot,
		.may_begin = may_begin,
		.may_call = may_call,
		.on_record = on_record,
		.user = s };
	struct variables given = { 0 };
	const char *environment = NULL;
	bool ok = true;

	for (size_t i = 0; i < project->len; i++)
		variables_set(&given, project->items[i].name, json_doc_ref(project->items[i].doc),
		    project->items[i].value);
	for (size_t i = 1; i < words->len && ok; i++) {
		if (strcmp(words->items[i], "--env") != 0)
			ok = variables_set_given(&given, words->items[i], err);
		else if (i + 1 < words->len)
			environment = words->items[++i];
		else
			ok = err_set(err, "--env needs the name of an environment");
	}
	if (ok)
		s->player = recipe_player_create(s->recipe, environment, &given, &host, err);
	variables_finish(&given);
	return s->player != NULL;
}

struct recipe_show *
recipe_show_create(const struct strings *words, const struct buf *text,
    const struct variables *project, struct server *server, const struct recipe_show_host *host,
    struct err *err)
{
	const char *path = words->items[0];
	struct recipe_show *s = mem_zalloc(sizeof(*s));
	struct recipe_problem problem;

	s->host = *host;
	s->path = mem_strdup(path);
	s->server = server;
	s->recipe = recipe_parse(buf_text(text), text->len, &problem);
	if (!s->recipe)
		err_set(err, "%.60s:%u:%u: %s%s%.180s", path, problem.line, problem.column,
		    problem.pointer, *problem.pointer ? ": " : "", problem.text);
	else
		s->recipe->path = s->path;
	if (!s->recipe || !recipe_player_start(s, words, project, err)) {
		recipe_show_destroy(s);
		return NULL;
	}
	report_add_suite(&s->report,
	    s->recipe->name && *s->recipe->name ? s->recipe->name : path_file_name(path), path);
	return s;
}

static void
forget_question(struct recipe_show *s)
{
	free(s->asks);
	free(s->arguments);
	s->asks = s->arguments = NULL;
	s->changes++;
}

void
recipe_show_destroy(struct recipe_show *s)
{
	if (!s)
		return;
	recipe_player_destroy(s->player);
	recipe_destroy(s->recipe);
	recipe_report_finish(&s->report);
	strings_finish(&s->agreed);
	forget_question(s);
	free(s->path);
	free(s);
}

bool
recipe_show_advance(struct recipe_show *s, int64_t now_us)
{
	uint64_t before = s->changes;

	if (s->advancing || s->ended_us)
		return false;
	s->advancing = true;
	s->started_us = s->started_us ? s->started_us : now_us;
	recipe_player_advance(s->player, s->server, now_us);
	if (recipe_player_view(s->player).run.is_over) {
		s->ended_us = now_us;
		s->report.suites.items[0].took_us = now_us - s->started_us;
		s->changes++;
	}
	s->advancing = false;
	return s->changes != before;
}

void
recipe_show_agree(struct recipe_show *s)
{
	if (s->asks)
		strings_add(&s->agreed, s->asks);
	forget_question(s);
}

void
recipe_show_stop(struct recipe_show *s, int64_t now_us)
{
	if (s->ended_us)
		return;
	forget_question(s);
	recipe_player_stop(s->player, s->server, "stopped by the user", now_us);
	recipe_show_advance(s, now_us);
}

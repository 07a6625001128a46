/* SPDX-License-Identifier: MIT */
#include "base/beneath.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "cli/client.h"
#include "cli/print/print.h"
#include "client/recipe_player.h"
#include "data/drift.h"
#include "data/snapshot.h"
#include "host/confined.h"
#include "host/project.h"
#include "json/print.h"
#include "recipe/report.h"

#include <stdlib.h>
#include <string.h>

/* `mcpane run`: a recipe on a server; `mcpane test`: several, even after a failure, or
 * only the comparison with a lock. */

struct recipe_file {
	const char *path; /* "-": standard input */
	struct recipe *recipe;
	struct recipe_player *player;
	struct strings sources; /* variables of the process's environment that it may send */
	struct err err;         /* the reason if player is NULL */
};

struct recipes_played {
	struct client client; /* first: client_wait() passes only the client */
	const struct options *o;
	struct recipe_file *files;
	struct recipe_file *file; /* that is being played */
	struct confined *confined;
	struct loop_timer timer; /* for the delay before another attempt */
	struct recipe_report report;
	enum recipe_format format;
	int failed; /* exit code of a failed write; 0: none */
};

/* ---- the host of the player ---- */

static bool
query(void *user, struct query_job *job)
{
	return query_submit(((struct recipes_played *)user)->confined, job);
}

static void
stop_query(void *user, struct query_job *job)
{
	query_stop(((struct recipes_played *)user)->confined, job);
}

/* Its name comes out of the recipe, which may be another person's. */
static bool
snapshot(void *user, const char *file, const struct buf *value, struct buf *out, bool *written,
    struct err *err)
{
	const struct recipes_played *r = user;
	const char *recipe = r->file->path;
	char *folder = mem_strndup(recipe, (size_t)(path_file_name(recipe) - recipe));
	bool there = true, ok;

	*written = r->o->run.update;
	if (r->o->run.update) {
		struct json_doc *doc = json_parse(buf_text(value), value->len, NULL, NULL);
		struct buf text = BUF_INIT;
		if (doc)
			json_print_pretty(&text, json_root(doc), 2);
		buf_add_char(&text, '\n');
		ok = doc && beneath_write(folder, file, text.data, text.len, err);
		if (ok)
			say("%s%s: written", folder, file);
		json_doc_destroy(doc);
		buf_finish(&text);
	} else {
		ok = beneath_read(folder, file, out, &there, err);
		if (!there)
			ok = err_set(
			    err, "%.75s%.75s does not exist: --update writes it", folder, file);
	}
	free(folder);
	return ok;
}

static void
recipes_write_out(struct recipes_played *r, struct buf *text)
{
	if (!r->failed)
		r->failed = output_write(text, false);
	buf_clear(text);
}

static void
on_record(void *user, const struct recipe_record *record)
{
	struct recipes_played *r = user;
	struct buf line = BUF_INIT;

	report_add_case(&r->report, record);
	if (r->format == RECIPE_TEXT) {
		recipe_add_line(record, &line);
		recipes_write_out(r, &line);
	}
	buf_finish(&line);
}

/* ---- a run ---- */

static void
run_recipes_on_timer(void *user)
{
	/* the loop turns, so that recipes_is_over() looks again */
}

static bool
recipes_is_over(const struct client *c)
{
	struct recipes_played *r = (struct recipes_played *)c;

	recipe_player_advance(r->file->player, client_server(c), clock_now_us());
	connection_touch(c->connection);
	struct recipe_player_view view = recipe_player_view(r->file->player);
	if (view.wake_us)
		loop_timer_set(c->loop, &r->timer,
		    loop_now_ms(c->loop) + (view.wake_us - clock_now_us()) / 1000 + 1);
	return view.run.is_over || r->failed;
}

static int
play(struct recipes_played *r)
{
	static const int codes[] = {
		[RECIPE_NO_FAILURE] = CLI_EXIT_OK,
		[RECIPE_FAILED_EXPECTATION] = CLI_EXIT_DIFFERENT,
		[RECIPE_ERROR_ANSWER] = CLI_EXIT_TOOL_ERROR,
		[RECIPE_BROKEN_RESULT] = CLI_EXIT_BROKEN_RESULT,
		[RECIPE_NO_ANSWER] = CLI_EXIT_UNREACHABLE, /* or it is forbidden */
		[RECIPE_WRONG] = CLI_EXIT_USAGE,
	};
	struct recipe_player *player = r->file->player;
	int64_t started_us = clock_now_us();

	client_wait(&r->client, recipes_is_over);
	if (!recipe_player_view(player).run.is_over)
		recipe_player_stop(
		    player, client_server(&r->client), "interrupted", clock_now_us());
	r->report.suites.items[r->report.suites.len - 1].took_us = clock_now_us() - started_us;
	if (r->client.end_code)
		return r->client.end_code;
	enum recipe_failure failure = recipe_player_view(player).run.failure;
	return failure == RECIPE_NO_ANSWER ? client_failure(&r->client, false) : codes[failure];
}

/* Begins the part of the report that is about the file. */
static void
add_suite(struct recipes_played *r)
{
	const struct recipe *recipe = r->file->recipe;
	const char *name = recipe && recipe->name && *recipe->name ? recipe->name : r->file->path;
	struct buf line = BUF_INIT;

	report_add_suite(&r->report, name, r->file->path);
	r->report.suites.items[r->report.suites.len - 1].started_wall_us = clock_wall_us();
	if (r->format == RECIPE_TEXT && (r->o->run.recipes.len > 1 || r->o->run.lock)) {
		buf_addf(&line, "%s%s\n", r->report.suites.len > 1 ? "\n" : "", name);
		recipes_write_out(r, &line);
	}
	buf_finish(&line);
}

/* trouble: why the server did not start, or NULL. Returns the exit code of the first file that
 * failed. */
static int
play_all(struct recipes_played *r, int code, const char *trouble)
{
	for (size_t i = 0; i < r->o->run.recipes.len; i++) {
		int ended = CLI_EXIT_USAGE;
		r->file = &r->files[i];
		add_suite(r);
		if (!r->file->player)
			report_set_trouble(&r->report, r->file->err.text);
		else if (trouble)
			report_set_trouble(&r->report, trouble);
		else if (!r->client.end_code)
			ended = play(r);
		code = code ? code : ended;
	}
	return code;
}

/* ---- --lock ---- */

/* change: NULL for a comparison without changes. */
static void
add_change(struct recipes_played *r, const char *class, const struct drift_change *change)
{
	struct buf title = BUF_INIT;
	bool fails = change && (!r->o->diff.breaking || change->class == DRIFT_BREAKING);
	const struct recipe_record record = {
		.outcome = fails    ? RECIPE_FAILED
			   : change ? RECIPE_SKIPPED
				    : RECIPE_PASSED,
		.failure = fails ? RECIPE_FAILED_EXPECTATION : RECIPE_NO_FAILURE,
		.title = (buf_addf(&title, "%s%s%s", class, change ? ": " : "",
			      change ? change->subject : ""),
		    buf_text(&title)),
		.place = "",
		.detail = "",
		.message = change ? change->text : "",
	};

	on_record(r, &record);
	buf_finish(&title);
}

static int
check_lock(struct recipes_played *r)
{
	struct recipe_file file = { .path = r->o->run.lock };
	struct buf locked = { .max = SNAPSHOT_MAX }, now = BUF_INIT;
	struct json_doc *a = NULL, *b = NULL;
	struct drift d = { 0 };
	struct err err;

	r->file = &file;
	add_suite(r);
	int code = client_add_snapshot(&r->client, &now);
	if (code)
		report_set_trouble(&r->report, buf_text(&r->client.failure));
	else if (!path_read_file(r->o->run.lock, &locked, &err))
		code = CLI_EXIT_USAGE;
	else if (!(a = json_parse(buf_text(&locked), locked.len, NULL, NULL)) ||
		 !snapshot_is(json_root(a)) ||
		 !(b = json_parse(buf_text(&now), now.len, NULL, NULL)))
		code = (err_set(&err, SNAPSHOT_REFUSED, r->o->run.lock), CLI_EXIT_USAGE);
	else
		drift_add_server(&d, json_root(a), json_root(b));
	/* a case for each difference between the server and the file, breaking changes first; with
	 * --breaking the others are reported as skipped */
	for (int class = DRIFT_BREAKING; class >= 0; class --)
		for (size_t i = 0; i < d.len; i++)
			if ((int)d.items[i].class == class)
				add_change(r, drift_class_names[class], &d.items[i]);
	if (b && drift_count(&d) == 0)
		add_change(r, "the definitions are those of the lock", NULL);
	else if (b && r->o->diff.breaking && d.counts[DRIFT_BREAKING] == 0)
		add_change(r, "no change of the lock breaks callers", NULL);
	if (code == CLI_EXIT_USAGE && r->client.failure.len == 0) {
		say("%s", err.text);
		report_set_trouble(&r->report, err.text);
	}
	drift_finish(&d);
	json_doc_destroy(a);
	json_doc_destroy(b);
	buf_finish(&locked);
	buf_finish(&now);
	return code ? code : r->report.suites.items[0].counts.failed > 0 ? CLI_EXIT_DIFFERENT : 0;
}

static int
run_on_server(struct recipes_played *r)
{
	r->client.lists |= r->o->run.lock ? SNAPSHOT_LISTS : 0;
	r->client.lists_declared = r->o->run.lock != NULL;
	int code = client_open(&r->client, r->o);

	if (!code && !client_set_meta(&r->client, r->o))
		code = CLI_EXIT_USAGE;
	if (code)
		return play_all(r, code, buf_text(&r->client.failure));
	r->confined = confined_create(r->client.loop, "/proc/self/exe", 0);
	code = play_all(r, r->o->run.lock ? check_lock(r) : 0, NULL);
	if (code == CLI_EXIT_FORBIDDEN)
		client_say_authorization(&r->client);
	return code;
}

/* The lists of the server that the steps need. */
static unsigned
lists_of(const struct recipe_steps *steps)
{
	unsigned lists = 0;

	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i];
		lists |= s->kind == RECIPE_CALL ? 1u << PRIMITIVE_TOOL : 0;
		lists |= s->kind == RECIPE_GET ? 1u << PRIMITIVE_PROMPT : 0;
		lists |= lists_of(&s->steps);
	}
	return lists;
}

/* Variables of --var and of the project; --env names an environment of the recipe, or of the
 * project. */
static bool
make_player(struct recipes_played *r, struct recipe_file *file, const struct buf *text)
{
	const struct recipe_player_host host = {
		.query = query,
		.stop_query = stop_query,
		.query_user = r,
		.snapshot = snapshot,
		.on_record = on_record,
		.user = r,
	};
	const char *name = r->o->call.environment;
	bool own = name && json_get(file->recipe->environments, name);
	struct environments all;
	struct environment e = { 0 };

	bool ok = project_host.environments(NULL, &all, &file->err);
	const char *of_project = own && !strings_have(&all.names, name) ? NULL : name;
	if (ok && project_environment(&all, of_project, &r->o->call.variables, &e, &file->err)) {
		environment_leave_out(&e, buf_text(text), text->len);
		file->sources = e.sources;
		e.sources = (struct strings){ 0 };
		file->player = recipe_player_create(
		    file->recipe, own ? name : NULL, &e.variables, &host, &file->err);
	}
	environment_finish(&e);
	environments_finish(&all);
	return file->player != NULL;
}

/* Makes the player of a file, before the server is started. */
static bool
recipes_prepare(struct recipes_played *r, struct recipe_file *file, const char *path)
{
	struct buf text = { .max = RECIPE_FILE_MAX + 1 };
	struct recipe_problem problem;

	file->path = path;
	bool ok = path_read_file(path, &text, &file->err);
	if (ok) {
		file->recipe = recipe_parse(buf_text(&text), text.len, &problem);
		if (file->recipe)
			file->recipe->path = path;
		else
			ok = err_set(&file->err, "%.60s:%u:%u: %s%s%.180s", path, problem.line,
			    problem.column, problem.pointer, *problem.pointer ? ": " : "",
			    problem.text);
	}
	ok = ok && make_player(r, file, &text);
	buf_finish(&text);
	if (ok)
		r->client.lists |= lists_of(&file->recipe->steps);
	else
		say("%s", file->err.text);
	return ok;
}

/* A file whose secrets the server may not get is not played. */
static bool
may_start(void *user, const struct target *target, struct err *err)
{
	struct recipes_played *r = user;
	bool any = r->o->run.recipes.len == 0;

	for (size_t i = 0; i < r->o->run.recipes.len; i++) {
		struct recipe_file *file = &r->files[i];
		if (file->player && !consent_to_send(&file->sources, target, r->o, &file->err)) {
			recipe_player_destroy(file->player);
			file->player = NULL;
			if (err->text[0])
				say("%s", err->text);
			*err = file->err;
		}
		any = any || file->player;
	}
	if (any && err->text[0])
		say("%s", err->text);
	return any;
}

int
cli_run(const struct options *o)
{
	static const enum recipe_format formats[] = {
		[CHECK_OUTPUT_TEXT] = RECIPE_TEXT,
		[CHECK_OUTPUT_JSON] = RECIPE_JSON,
		[RUN_FORMAT_JUNIT] = RECIPE_JUNIT,
		[RUN_FORMAT_TAP] = RECIPE_TAP,
		[RUN_FORMAT_GITHUB] = RECIPE_GITHUB,
	};
	struct recipes_played r = { .client = { .user = &r, .may_start = may_start },
		.o = o,
		.files = mem_zalloc(o->run.recipes.len * sizeof(*r.files)),
		.timer.fn = run_recipes_on_timer,
		.format = o->call.json ? RECIPE_JSON : formats[o->format] };
	const struct options plain = { .call.json = false };
	struct buf report = BUF_INIT, out = BUF_INIT;
	size_t ready = 0;

	for (size_t i = 0; i < o->run.recipes.len; i++)
		ready += recipes_prepare(&r, &r.files[i], o->run.recipes.items[i]);
	int code = ready > 0 || o->run.recipes.len == 0 ? run_on_server(&r)
							: play_all(&r, CLI_EXIT_USAGE, NULL);
	recipe_report_add(&r.report, r.format, &report);
	if (r.format == RECIPE_JSON)
		output_take_json(&out, &report, o->call.raw);
	recipes_write_out(&r, r.format == RECIPE_JSON ? &out : &report);
	buf_finish(&report);
	code = r.failed ? r.failed : code;
	for (size_t i = 0; i < o->run.recipes.len; i++) {
		recipe_player_destroy(r.files[i].player);
		recipe_destroy(r.files[i].recipe);
		strings_finish(&r.files[i].sources);
	}
	free(r.files);
	loop_timer_cancel(&r.timer);
	confined_destroy(r.confined);
	recipe_report_finish(&r.report);
	client_end(&r.client, &plain, code, &out);
	return code;
}

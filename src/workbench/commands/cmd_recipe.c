/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/path.h"
#include "base/units.h"
#include "client/recipe_player.h"
#include "mcp/recording.h"
#include "recipe/recorder.h"

#include <stdlib.h>
#include <string.h>

/* Recipes on the screen: run, edited, and recorded from the user's calls; and the recording of the
 * wire as a session. */

/* ---- running ---- */

/* Copies the project's variables for the recipe. A secret is copied only if its name is in the
 * text; the name of its environment variable is then appended to sent. */
static void
take_variables(
    struct workbench *wb, const struct buf *text, struct variables *out, struct buf *sent)
{
	const struct environment *e = &wb->ws.collection.environment;

	for (size_t i = 0; i < e->variables.len; i++) {
		const struct variable *v = &e->variables.items[i];
		size_t secret = strings_index(&e->secrets, v->name);
		bool named = memmem(buf_text(text), text->len, v->name, strlen(v->name));
		if (secret < e->secrets.len && !named)
			continue;
		if (secret < e->secrets.len)
			buf_addf(sent, "%s%s", sent->len ? ", " : "", e->sources.items[secret]);
		variables_set(out, v->name, json_doc_ref(v->doc), v->value);
	}
}

static bool
ask_to_send(
    struct workbench *wb, const char *command, const struct strings *words, const char *sent)
{
	static const struct confirm_words leak = { "Send a secret?", "Do not run", "Run", NULL };
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s --send", command);
	for (size_t i = 0; i < words->len; i++) {
		buf_add_char(&line, ' ');
		strings_add_word(&line, words->items[i]);
	}
	confirm_open(wb, &leak,
	    mem_printf("The project lets the recipe use %.200s of your environment, and the server "
		       "may get it.",
		sent),
	    "%s", buf_text(&line));
	buf_finish(&line);
	return true;
}

/* sends: the user agreed to that. */
static bool
run_file(struct workbench *wb, const struct strings *words, bool paused, bool sends)
{
	const struct effects *e = wb->effects;
	const struct recipe_show_host host = { e->query, e->stop_query, e->read_beneath, e->changed,
		wb->user };
	struct buf text = { .max = RECIPE_FILE_MAX + 1 }, sent = BUF_INIT;
	struct variables variables = { 0 };
	struct err err = { "" };
	struct recipe_show *show = NULL;

	if (wb->ws.collection.host && !wb->ws.collection.read)
		workspace_use_environment(&wb->ws, NULL, &err); /* it is read at its first use */
	bool ok = wb->effects->read_file(wb->user, words->items[0], &text, &err);
	take_variables(wb, &text, &variables, &sent);
	bool asks = ok && sent.len > 0 && !sends && !wb->queue.advancing;
	if (asks)
		ask_to_send(wb, paused ? "walk" : "run", words, buf_text(&sent));
	else if (ok)
		show = recipe_show_create(words, &text, &variables, wb->ws.server, &host, &err);
	buf_finish(&text);
	buf_finish(&sent);
	variables_finish(&variables);
	if (!show)
		return asks || workbench_refuse(wb, err.text);
	show->paused = paused;
	show->trusts = wb->queue.advancing;
	recipe_show_destroy(wb->ws.recipe);
	wb->ws.recipe = show;
	wb->ws.generation++;
	workbench_focus(wb, PANE_recipe);
	recipe_step_on(wb);
	return true;
}

static bool
cmd_run_recipe(struct workbench *wb, const char *arg, int paused)
{
	struct strings words = { 0 };
	struct err err = { "" };
	bool ok = false, sends = strcmp(arg, "--send") == 0 || strncmp(arg, "--send ", 7) == 0;

	if (sends)
		arg += strlen("--send") + strspn(arg + strlen("--send"), " ");
	if (wb->ws.recipe && !wb->ws.recipe->ended_us)
		return workbench_refuse(wb, "a recipe is running: :stop-recipe stops it");
	if (!wb->ws.server || server_info(wb->ws.server)->phase != SERVER_READY)
		return workbench_refuse(wb, "no server is connected");
	if (*arg == '\0' && wb->ws.recipe)
		strings_add(&words, wb->ws.recipe->path);
	if (words.len > 0 || strings_split_command(&words, arg, &err))
		ok = run_file(wb, &words, paused, sends);
	else
		workbench_refuse(
		    wb, *arg ? err.text : "usage: run FILE [NAME=VALUE...] [--env NAME]");
	strings_finish(&words);
	return ok;
}

static bool
cmd_agree_to_call(struct workbench *wb, const char *arg)
{
	if (!wb->ws.recipe || !wb->ws.recipe->asks)
		return workbench_refuse(wb, "no recipe asks for a call");
	recipe_show_agree(wb->ws.recipe);
	recipe_step_on(wb);
	return true;
}

static bool
cmd_stop_recipe(struct workbench *wb, const char *arg)
{
	if (!wb->ws.recipe || wb->ws.recipe->ended_us)
		return workbench_refuse(wb, "no recipe is running");
	recipe_show_stop(wb->ws.recipe, wb->now_us);
	wb->ws.generation++;
	return workbench_say(wb, ROLE_WARNING, "the recipe was stopped");
}

void
recipe_step_on(struct workbench *wb)
{
	static const struct confirm_words words = { "Call a destructive tool?", "Stop the recipe",
		"Call", "stop-recipe" };
	struct recipe_show *show = wb->ws.recipe;
	bool asked = show && show->asks;

	if (!show || !recipe_show_advance(show, wb->now_us))
		return;
	wb->ws.generation++;
	const struct recipe_counts *n = &show->report.suites.items[0].counts;
	if (show->asks && !asked && wb->overlay == PANE_recipe && !wb->dialog)
		confirm_open(wb, &words,
		    mem_printf("The server marks %.60s as destructive. The recipe calls it "
			       "with\n%s\nThis is asked once for each tool.",
			show->asks, show->arguments),
		    "agree-to-call");
	else if (show->asks && !asked)
		workbench_say(wb, ROLE_WARNING,
		    "the recipe waits before it calls %.60s: :agree-to-call, or :stop-recipe",
		    show->asks);
	if (show->ended_us)
		workbench_say(wb, n->failed > 0 ? ROLE_WARNING : ROLE_OK,
		    "the recipe has ended: %zu passed, %zu failed, %zu skipped", n->passed,
		    n->failed, n->skipped);
}

/* ---- in $EDITOR ---- */

static bool
cmd_edit_recipe(struct workbench *wb, const char *arg)
{
	const char *path = *arg ? arg : wb->ws.recipe ? wb->ws.recipe->path : NULL;
	struct buf text = { .max = RECIPE_FILE_MAX + 1 };
	struct err err = { "" };

	if (!path)
		return workbench_refuse(wb, "usage: edit-recipe FILE");
	bool ok =
	    wb->effects->read_file(wb->user, path, &text, &err) || workbench_refuse(wb, err.text);
	ok = ok &&
	     commands_edit(wb, (struct edited){ .what = EDITED_RECIPE, .field = mem_strdup(path) },
		 buf_text(&text), text.len);
	buf_finish(&text);
	return ok;
}

void
commands_take_recipe(struct workbench *wb, const char *text, size_t len)
{
	struct recipe_problem problem;
	struct buf file = BUF_INIT;

	buf_add(&file, text, len);
	buf_add_char(&file, '\n');
	struct err err = { "" };
	bool written =
	    wb->effects->write_file(wb->user, wb->edited.field, file.data, file.len, &err);
	struct recipe *recipe = recipe_parse(file.data, file.len, &problem);
	if (!written)
		workbench_refuse(wb, err.text);
	else if (recipe)
		workbench_say(wb, ROLE_OK, "wrote %.200s", wb->edited.field);
	else
		workbench_say(wb, ROLE_WARNING, "saved, with an error: %u:%u: %s%s%s", problem.line,
		    problem.column, problem.pointer, *problem.pointer ? ": " : "", problem.text);
	recipe_destroy(recipe);
	buf_finish(&file);
}

/* ---- recording calls as a recipe ---- */

static const enum recipe_kind step_kinds[PRIMITIVE_KINDS] = { [PRIMITIVE_TOOL] = RECIPE_CALL,
	[PRIMITIVE_RESOURCE] = RECIPE_READ,
	[PRIMITIVE_TEMPLATE] = RECIPE_READ,
	[PRIMITIVE_PROMPT] = RECIPE_GET,
	[PRIMITIVE_SKILL] = RECIPE_READ };

void
record_call(struct workbench *wb, uint64_t id)
{
	const struct call *c = wb->ws.server ? server_find_call(wb->ws.server, id) : NULL;

	if (!wb->recording.recorder || !c)
		return;
	wb->recording.calls = recorder_add_call(wb->recording.recorder, id, step_kinds[c->kind],
	    c->uri ? c->uri : c->key, c->arguments, c->definition);
	workbench_say(wb, ROLE_DIM, "recorded as step %zu", wb->recording.calls);
}

void
record_link(struct workbench *wb, uint64_t from, const char *pointer, enum primitive_kind kind,
    const char *key, const char *field)
{
	if (wb->recording.recorder)
		recorder_link(wb->recording.recorder, from, pointer, step_kinds[kind], key, field);
}

static bool
stop_recording(struct workbench *wb, const char *path, bool over)
{
	struct buf text = BUF_INIT;
	const char *name = path_file_name(path);

	if (!wb->recording.recorder)
		return workbench_refuse(wb, "nothing is being recorded: :record starts it");
	if (wb->recording.calls == 0)
		return workbench_refuse(
		    wb, "no call was made since: :record cancel ends the recording");
	if (*path == '\0')
		return workbench_refuse(wb, "usage: record stop FILE");
	char *again = mem_printf("record stop! %s", path);
	bool asks = !over && workbench_asks_to_replace(wb, path, again);
	free(again);
	if (asks)
		return true;
	char *title = mem_strndup(name, strcspn(name, "."));
	size_t secrets = recorder_add_recipe(wb->recording.recorder, title, &text);
	free(title);
	struct err err = { "" };
	bool ok = wb->effects->write_file(wb->user, path, text.data, text.len, &err) ||
		  workbench_refuse(wb, err.text);
	buf_finish(&text);
	if (ok) {
		recorder_destroy(wb->recording.recorder);
		wb->recording.recorder = NULL;
		wb->ws.generation++;
	}
	if (ok && secrets > 0)
		workbench_say(wb, ROLE_WARNING,
		    "wrote %.60s without its secrets, which are ${...}: :run %.60s NAME=VALUE "
		    "gives them values",
		    path, path);
	else if (ok)
		workbench_say(wb, ROLE_OK,
		    "wrote %.60s; :run %.60s runs it, :walk pauses before each step", path, path);
	return ok;
}

static bool
record_recipe(struct workbench *wb, const char *word, const char *arg)
{
	if (strcmp(word, "stop") == 0 || strcmp(word, "stop!") == 0)
		return stop_recording(wb, arg, word[4] == '!');
	if (strcmp(word, "cancel") == 0) {
		recorder_destroy(wb->recording.recorder);
		wb->recording.recorder = NULL;
		return workbench_say(wb, ROLE_DIM, "nothing is recorded");
	}
	if (*word)
		return workbench_refuse(
		    wb, "usage: record, record stop FILE, record cancel, record session FILE|stop");
	if (wb->recording.recorder)
		return workbench_say(wb, ROLE_DIM,
		    "recording: %zu step%s; :record stop FILE writes them", wb->recording.calls,
		    plural(wb->recording.calls));
	wb->recording.recorder = recorder_create();
	wb->recording.calls = 0;
	return workbench_say(wb, ROLE_OK, "recording your calls; :record stop FILE writes them");
}

/* ---- recording the wire as a session ---- */

/* The bytes of the journal that one event or frame writes: a large journal takes several. */
#define SLICE_BYTES ((size_t)1 << 20)

struct session_recording {
	const struct journal *journal; /* looked for before each use: servers are removed */
	uint64_t next;                 /* entry to write */
	size_t messages, lost;         /* written; gone from the journal before that */
	bool with_secrets;
	int file;
	char *path, *server;
};

static void
end_session(struct workbench *wb)
{
	struct session_recording *r = wb->recording.session;

	wb->effects->close_new(wb->user, r->file);
	free(r->path);
	free(r->server);
	free(r);
	wb->recording.session = NULL;
	wb->ws.generation++;
}

/* Appends the new lines of the journal, at most a slice. True: there is more. */
static bool
add_slice(struct session_recording *r, struct buf *out)
{
	static const enum recording_kind kinds[] = {
		[JOURNAL_SENT] = RECORDING_SENT,
		[JOURNAL_RECEIVED] = RECORDING_RECEIVED,
		[JOURNAL_STDERR] = RECORDING_STDERR,
		[JOURNAL_NOTE] = RECORDING_NOTE,
	};
	const struct journal_entry *e = journal_at(r->journal, 0);
	size_t bytes = 0;

	if (e && e->id > r->next) { /* the journal has dropped lines before their turn */
		size_t lost = (size_t)(e->id - r->next);
		char *text =
		    mem_printf("%zu lines are missing: the journal no longer has them", lost);
		recording_add(out,
		    &(struct recording_entry){ .kind = RECORDING_NOTE,
			.wall_us = e->wall_us,
			.bytes = text,
			.len = strlen(text) },
		    r->with_secrets);
		free(text);
		r->lost += lost;
		r->next = e->id;
	}
	while ((e = journal_find(r->journal, r->next)) && bytes < SLICE_BYTES) {
		recording_add(out,
		    &(struct recording_entry){ .kind = kinds[e->kind],
			.wall_us = e->wall_us,
			.bytes = e->bytes->data,
			.len = e->bytes->len,
			.dropped = e->dropped },
		    r->with_secrets);
		r->messages += e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
		bytes += e->bytes->len;
		r->next++;
	}
	return e != NULL;
}

bool
record_session_step(struct workbench *wb)
{
	struct session_recording *r = wb->recording.session;
	struct buf lines = BUF_INIT;
	struct err err = { "" };
	bool more = false, written = true;

	if (!r)
		return false;
	bool there = wb->ws.server && server_info(wb->ws.server)->journal == r->journal;
	for (size_t i = 0; !there && i < wb->ws.choice_count; i++) {
		const struct server *s = wb->ws.choices[i].server;
		there = s && server_info(s)->journal == r->journal;
	}
	if (there) {
		more = add_slice(r, &lines);
		written = lines.len == 0 || wb->effects->append_new(wb->user, r->file,
						buf_text(&lines), lines.len, &err);
		buf_finish(&lines);
		if (written)
			return more;
		workbench_say(wb, ROLE_ERROR, "the recording has ended: cannot write %.200s: %s",
		    r->path, err.text);
	} else {
		workbench_say(wb, ROLE_WARNING,
		    "the recording has ended: %.60s was removed; %.200s has %zu messages",
		    r->server, r->path, r->messages);
	}
	end_session(wb);
	return false;
}

static bool
begin_session(struct workbench *wb, const char *path, bool with_secrets)
{
	const struct server_info *info = server_info(wb->ws.server);
	struct err err = { "" };
	char *name = NULL;
	int file = wb->effects->create_new(wb->user, path, &name, &err);

	if (file < 0)
		return workbench_refuse(wb, err.text);
	struct session_recording *r = mem_zalloc(sizeof(*r));
	*r = (struct session_recording){ .journal = info->journal,
		.next = 1,
		.with_secrets = with_secrets,
		.file = file,
		.path = name,
		.server = mem_strdup(info->label) };
	wb->recording.session = r;
	const struct journal_entry *first = journal_at(r->journal, 0);
	int64_t start_us = wb->now_us + journal_info(r->journal)->wall_us;
	struct buf line = BUF_INIT;
	recording_add(&line,
	    &(struct recording_entry){ .kind = RECORDING_HEADING,
		.wall_us = first ? first->wall_us : start_us,
		.bytes = r->server,
		.len = strlen(r->server) },
	    with_secrets);
	bool ok = wb->effects->append_new(wb->user, file, buf_text(&line), line.len, &err);
	buf_finish(&line);
	if (!ok) {
		workbench_say(wb, ROLE_ERROR, "cannot write %.200s: %s", name, err.text);
		end_session(wb);
		return false;
	}
	workbench_say(wb, ROLE_OK,
	    "%s%srecording the session to %.200s; record session stop ends it",
	    strcmp(name, path) != 0 ? "the file is there already: " : "",
	    with_secrets ? "with its secrets, " : "", name);
	record_session_step(wb);
	return wb->recording.session != NULL;
}

bool
workbench_end_recording(struct workbench *wb)
{
	while (record_session_step(wb))
		;
	const struct session_recording *r = wb->recording.session;
	if (!r)
		return false; /* reported */
	workbench_say(wb, r->lost ? ROLE_WARNING : ROLE_OK, "wrote %.200s, %zu messages%s", r->path,
	    r->messages, r->lost ? "; the journal no longer had all lines" : "");
	end_session(wb);
	return true;
}

/* "FILE", "FILE --with-secrets" or "--with-secrets FILE". */
static bool
record_session_to(struct workbench *wb, const char *arg)
{
	static const char option[] = "--with-secrets";
	const size_t n = sizeof(option) - 1;
	size_t len = strlen(arg);
	bool before = strncmp(arg, option, n) == 0 && (arg[n] == ' ' || arg[n] == '\0');
	bool after =
	    !before && len > n && arg[len - n - 1] == ' ' && strcmp(arg + len - n, option) == 0;

	if (before)
		arg += n + strspn(arg + n, " ");
	len = strlen(arg) - (after ? n : 0);
	while (len > 0 && arg[len - 1] == ' ')
		len--;
	if (len == 0)
		return workbench_refuse(
		    wb, "usage: record session FILE [--with-secrets], record session stop");
	char *path = mem_strndup(arg, len);
	bool ok = begin_session(wb, path, before || after);
	free(path);
	return ok;
}

static bool
record_session(struct workbench *wb, const char *arg)
{
	const struct session_recording *r = wb->recording.session;

	if (strcmp(arg, "stop") == 0)
		return r ? workbench_end_recording(wb)
			 : workbench_refuse(wb, "no session is recorded: record session FILE");
	if (r)
		return workbench_say(wb, *arg ? ROLE_ERROR : ROLE_DIM,
		    "recording %.60s to %.200s, %zu messages; record session stop ends it",
		    r->server, r->path, r->messages);
	if (!wb->ws.server)
		return workbench_refuse(wb, "there is no server");
	if (server_info(wb->ws.server)->time_line)
		return workbench_refuse(wb, "this server is a recording already");
	return record_session_to(wb, arg);
}

static bool
cmd_record(struct workbench *wb, const char *arg)
{
	char *word = strings_next_word(&arg);
	bool ok =
	    strcmp(word, "session") == 0 ? record_session(wb, arg) : record_recipe(wb, word, arg);

	wb->ws.generation++;
	free(word);
	return ok;
}

/* clang-format off */
const struct command recipe_commands[] = {
	COMMAND_WITH("run", "", "FILE [NAME=VALUE...] [--env NAME]", "run a recipe; without a file the last one", cmd_run_recipe, false),
	COMMAND_WITH("walk", "", "FILE [NAME=VALUE...] [--env NAME]", "run a recipe step by step", cmd_run_recipe, true),
	COMMAND("agree-to-call", "", "", "let the recipe call the destructive tool", cmd_agree_to_call),
	COMMAND("stop-recipe", "", "", "stop the recipe", cmd_stop_recipe),
	COMMAND("edit-recipe", "", "[FILE]", "edit a recipe in $EDITOR", cmd_edit_recipe),
	COMMAND("record", "", "[stop FILE|cancel|session FILE|session stop]", "record your calls as a recipe, then write it; or the wire as a session", cmd_record),
	{ 0 },
};
/* clang-format on */

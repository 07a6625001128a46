/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "client/call_code.h"
#include "client/recipe_player.h"

#include <stdlib.h>
#include <string.h>

/* Recipes on the screen: run and edited. */

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
		code_add_text(&line, CODE_SHELL, words->items[i], NULL);
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

bool
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

bool
cmd_agree_to_call(struct workbench *wb, const char *arg)
{
	if (!wb->ws.recipe || !wb->ws.recipe->asks)
		return workbench_refuse(wb, "no recipe asks for a call");
	recipe_show_agree(wb->ws.recipe);
	recipe_step_on(wb);
	return true;
}

bool
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

bool
cmd_edit_recipe(struct workbench *wb, const char *arg)
{
	const char *path = *arg ? arg : wb->ws.recipe ? wb->ws.recipe->path : NULL;
	struct buf text = { .max = RECIPE_FILE_MAX + 1 };
	struct err err = { "" };

	if (!path)
		return workbench_refuse(wb, "usage: edit-recipe FILE");
	bool ok = wb->effects->read_file(wb->user, path, &text, &err);
	if (ok) {
		char *name = mem_strdup(path);
		free(wb->edited.field);
		wb->edited.field = name;
		wb->edited.what = EDITED_RECIPE;
		ok = wb->effects->edit(wb->user, buf_text(&text), text.len, &err);
	}
	buf_finish(&text);
	return ok || workbench_refuse(wb, err.text);
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

#include "client/recipe_player.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_SHOWN 200

static bool
query(void *user, struct query_job *job)
{
	struct recipe_show *s = user;

	return s->host.query(s->host.user, job);
}

static void
stop_query(void *user, struct query_job *job)
{
	struct recipe_show *s = user;

	s->host.stop_query(s->host.user, job);
}

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

static void
on_answer(void *user)
{
	struct recipe_show *s = user;

	s->host.changed(s->host.user);
}

/* The words: variables, and the environment. */
static bool
take_words(
    const struct strings *words, struct variables *given, const char **environment, struct err *err)
{
	for (size_t i = 0; i < words->len; i++) {
		bool is_env = strcmp(words->items[i], "--env") == 0;
		if (is_env && i + 1 == words->len)
			return err_set(err, "--env needs the name of an environment");
		if (is_env)
			*environment = words->items[++i];
		else if (!variables_set_given(given, words->items[i], err))
			return false;
	}
	return true;
}

static bool
start(struct recipe_show *s, const struct strings *words, const struct variables *project,
    struct err *err)
{
	const struct recipe_player_host host = { .query = query,
		.stop_query = stop_query,
		.snapshot = snapshot,
		.may_begin = may_begin,
		.may_call = may_call,
		.on_record = on_record,
		.on_answer = on_answer,
		.user = s };
	struct variables given = { 0 };
	const char *environment = NULL;

	for (size_t i = 0; i < project->len; i++)
		variables_set(&given, project->items[i].name, json_doc_ref(project->items[i].doc),
		    project->items[i].value);
	if (take_words(words, &given, &environment, err))
		s->player = recipe_player_create(s->recipe, environment, &given, &host, err);
	variables_finish(&given);
	return s->player != NULL;
}

struct recipe_show *
recipe_show_create(const char *path, const struct buf *text, const struct strings *words,
    const struct variables *project, struct server *server, const struct recipe_show_host *host,
    struct err *err)
{
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
	if (!s->recipe || !start(s, words, project, err)) {
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

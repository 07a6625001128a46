/* SPDX-License-Identifier: MIT */
#include "interop.h"

#include "json/number.h"
#include "json/pointer.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_S 300
#define WEB_DEADLINE_S 1200
#define ARGS_MAX 32

static const char *
program(void)
{
	const char *path = getenv("MCPANE");

	return path ? path : "build/mcpane";
}

static void
read_all(FILE *f, struct buf *out)
{
	char bytes[4096];
	size_t n;

	rewind(f);
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(out, bytes, n);
	fclose(f);
}

/* Output goes to files, because a full pipe would block. */
static void
start(struct run *r, const char *const *argv)
{
	FILE *out = tmpfile(), *err = tmpfile();
	int status = 0;

	assert_true(out && err);
	pid_t pid = fork();
	if (pid == 0) {
		alarm(DEADLINE_S);
		dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
		dup2(fileno(out), 1);
		dup2(fileno(err), 2);
		execv(argv[0], (char **)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	*r = (struct run){ .exit_status =
			       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status) };
	read_all(out, &r->out);
	read_all(err, &r->err);
}

void
run_finish(struct run *r)
{
	json_doc_destroy(r->doc);
	buf_finish(&r->out);
	buf_finish(&r->err);
	*r = (struct run){ 0 };
}

static size_t
add(const char **argv, size_t argc, const char *const *more)
{
	while (more && *more && argc < ARGS_MAX - 1)
		argv[argc++] = *more++;
	return argc;
}

static bool
is_command(const char *const *server)
{
	while (server && *server && strcmp(*server, "--") != 0)
		server++;
	return server && *server;
}

/* A command comes last, a URL first. */
static void
run_list(struct run *r, const char *const *server, int exit_status, va_list args)
{
	const char *argv[ARGS_MAX] = { program(), va_arg(args, const char *) };
	struct json_error error = { 0 };
	size_t argc = 2;

	if (!is_command(server))
		argc = add(argv, argc, server);
	while (argc < ARGS_MAX - 1 && (argv[argc] = va_arg(args, const char *)))
		argc++;
	if (is_command(server))
		argc = add(argv, argc, server);
	argv[argc] = NULL;
	run_finish(r);
	start(r, argv);
	if (r->exit_status != exit_status)
		fail_msg("exit %d, not %d\n%s\n%s", r->exit_status, exit_status, buf_text(&r->out),
		    buf_text(&r->err));
	r->doc = json_parse(buf_text(&r->out), r->out.len, NULL, &error);
	if (!r->doc)
		fail_msg("no JSON: %s\n%s", error.text, buf_text(&r->out));
	r->json = json_root(r->doc);
}

void
run(struct run *r, int exit_status, ...)
{
	va_list args;

	va_start(args, exit_status);
	run_list(r, NULL, exit_status, args);
	va_end(args);
}

void
run_to(struct run *r, const char *const *server, int exit_status, ...)
{
	va_list args;

	va_start(args, exit_status);
	run_list(r, server, exit_status, args);
	va_end(args);
}

const cJSON *
run_at(const struct run *r, const char *pointer)
{
	return json_pointer_find(r->json, pointer);
}

void
expect_text(const struct run *r, const char *pointer, const char *text)
{
	const char *found = cJSON_GetStringValue(run_at(r, pointer));

	if (!found || strcmp(found, text) != 0)
		fail_msg("%s is not \"%s\":\n%s", pointer, text, buf_text(&r->out));
}

void
expect_number(const struct run *r, const char *pointer, const char *text)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	const cJSON *found = run_at(r, pointer);

	if (json_type(found) != JSON_NUMBER || strcmp(json_number_text(found, buffer), text) != 0)
		fail_msg("%s is not %s:\n%s", pointer, text, buf_text(&r->out));
}

void
expect_within(const struct run *r, const char *pointer, const char *part)
{
	const char *found = cJSON_GetStringValue(run_at(r, pointer));

	if (!found || !strstr(found, part))
		fail_msg("%s does not hold \"%s\":\n%s", pointer, part, buf_text(&r->out));
}

void
expect_type(const struct run *r, const char *pointer, enum json_type type)
{
	if (json_type(run_at(r, pointer)) != type)
		fail_msg("%s is %s:\n%s", pointer, json_type_name(json_type(run_at(r, pointer))),
		    buf_text(&r->out));
}

const cJSON *
run_tool(const struct run *r, const char *name)
{
	const cJSON *list = json_get(r->json, "tools");

	for (const cJSON *t = json_first(list); t; t = t->next)
		if (json_get_string(t, "name") && strcmp(json_get_string(t, "name"), name) == 0)
			return t;
	fail_msg("no tool %s:\n%s", name, buf_text(&r->out));
	return NULL;
}

void
expect_travel(const char *const *server)
{
	struct run r = { 0 };

	run_to(&r, server, 0, "call", "--json", "travel", "--elicit", "{\"nights\":5}", NULL);
	expect_text(&r, "/result/content/0/text", "5 nights");
	run_to(&r, server, 0, "call", "--json", "travel", "--elicit", "accept", NULL);
	expect_text(&r, "/result/content/0/text", "2 nights");
	run_to(&r, server, 0, "call", "--json", "travel", NULL);
	expect_text(&r, "/result/content/0/text", "decline");
	run_finish(&r);
}

/* ---- installing ---- */

bool
interop_ready(const char *command, size_t tests)
{
	FILE *script = popen(command, "r");
	struct buf said = BUF_INIT;
	int c;

	while (script && (c = fgetc(script)) != EOF)
		buf_add_char(&said, c == '\n' ? ' ' : (char)c);
	int status = script ? pclose(script) : -1;
	bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == INTEROP_SKIPPED;
	if (skipped)
		printf("SKIPPED: %zu INTEROP TESTS: %s\n", tests, buf_text(&said));
	else if (status != 0)
		printf("%s failed: %s\n", command, buf_text(&said));
	buf_finish(&said);
	if (status != 0 && !skipped)
		exit(1);
	return status == 0;
}

/* ---- servers of HTTP ---- */

void
web_server_start(struct web_server *s, const char *const *argv)
{
	int out[2];

	assert_int_equal(pipe(out), 0);
	s->pid = fork();
	if (s->pid == 0) {
		alarm(WEB_DEADLINE_S); /* ends the server if the test dies first */
		dup2(out[1], 1);
		close(out[0]);
		close(out[1]);
		execv(argv[0], (char **)argv);
		_exit(127);
	}
	close(out[1]);
	FILE *lines = fdopen(out[0], "r");
	assert_non_null(lines);
	if (!fgets(s->url, sizeof(s->url), lines))
		fail_msg("%s did not say its URL", argv[0]);
	s->url[strcspn(s->url, "\n")] = '\0';
	fclose(lines);
}

void
web_server_stop(struct web_server *s)
{
	kill(s->pid, SIGTERM);
	waitpid(s->pid, NULL, 0);
	*s = (struct web_server){ 0 };
}

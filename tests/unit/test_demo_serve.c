/* SPDX-License-Identifier: MIT */
/* demo_serve() in a child process, over real pipes. */
#include "demo/demo.h"
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_S 30

struct server {
	pid_t pid;
	int in, out, err; /* our ends */
};

static int
set_up(void **state)
{
	struct server *s = calloc(1, sizeof(*s));
	int in[2], out[2], err[2];

	if (!s || pipe(in) || pipe(out) || pipe(err))
		return -1;
	s->pid = fork();
	if (s->pid == 0) {
		alarm(DEADLINE_S);
		dup2(err[1], 2);
		close(in[1]);
		close(out[0]);
		close(err[0]);
		_exit(demo_serve(in[0], out[1]));
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	*s = (struct server){ s->pid, in[1], out[0], err[0] };
	*state = s;
	return 0;
}

static int
tear_down(void **state)
{
	free(*state);
	return 0;
}

static void
say(const struct server *s, const char *text)
{
	assert_int_equal(write(s->in, text, strlen(text)), strlen(text));
}

/* Reads until a newline. */
static void
hear(const struct server *s, char *line, size_t size)
{
	size_t len = 0;

	while (len < size - 1 && read(s->out, line + len, 1) == 1)
		if (line[len++] == '\n')
			break;
	line[len] = '\0';
}

static int
end_of(struct server *s)
{
	int status = 0;

	close(s->in);
	close(s->out);
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	close(s->err);
	return status;
}

static void
test_end_of_input(void **state)
{
	struct server *s = *state;
	char line[256];

	say(s, "{\"jsonrpc\":\"2.0\",\"id\":1,");
	say(s, "\"method\":\"ping\"}\n");
	hear(s, line, sizeof(line));
	assert_string_equal(line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
	int status = end_of(s);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void
test_end_of_reader(void **state)
{
	struct server *s = *state;

	close(s->out);
	s->out = -1;
	say(s, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
	int status = 0; /* it ends although its input stays open */
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	assert_true(WIFEXITED(status));
	close(s->in);
	close(s->err);
}

static void
test_time_passes(void **state)
{
	struct server *s = *state;
	char line[512];

	say(s,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\","
	    "\"arguments\":{\"seconds\":0.05,\"steps\":1},\"_meta\":{\"progressToken\":7}}}\n");
	hear(s, line, sizeof(line));
	assert_non_null(strstr(line, "\"progressToken\":7,\"progress\":1,\"total\":1"));
	hear(s, line, sizeof(line));
	assert_non_null(strstr(line, "Done: 1 steps"));
	end_of(s);
}

static void
crash(struct server *s, const char *kind, char *err, size_t size)
{
	char line[64];
	ssize_t n;
	size_t len = 0;

	say(s, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
	       "call\",\"params\":{\"name\":\"crash\","
	       "\"arguments\":{\"kind\":\"");
	say(s, kind);
	say(s, "\"}}}\n");
	hear(s, line, sizeof(line));
	assert_string_equal(line, "");
	while (len < size - 1 && (n = read(s->err, err + len, size - 1 - len)) > 0)
		len += (size_t)n;
	err[len] = '\0';
}

static void
test_crash_by_abort(void **state)
{
	char err[512];

	crash(*state, "abort", err, sizeof(err));
	assert_non_null(strstr(err, "assertion failed"));
	int status = end_of(*state);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void
test_crash_by_exit(void **state)
{
	char err[512];

	crash(*state, "exit", err, sizeof(err));
	int status = end_of(*state);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

TEST_FILE(demo_serve)
{
	const struct CMUnitTest tests[] = {
		TEST(test_end_of_input),
		TEST(test_end_of_reader),
		TEST(test_time_passes),
		TEST(test_crash_by_abort),
		TEST(test_crash_by_exit),
	};

	signal(SIGPIPE, SIG_IGN);
	alarm(DEADLINE_S);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

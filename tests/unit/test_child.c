/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "fixture.h"
#include "loop/child.h"
#include "loop/stream.h"
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct child_ladder quick = { .grace_ms = 40, .kill_ms = 80 };

struct run {
	struct loop *loop;
	struct child *child;
	struct stream_in in;
	struct buf output;
	struct child_status status;
	bool exited, output_ended;
	int64_t exited_ms;
};

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct run *run = user;

	assert_false(run->exited);
	run->exited = true;
	run->exited_ms = clock_now_ms();
	run->status = *status;
}

static void
on_bytes(void *user, const char *bytes, size_t len)
{
	struct run *run = user;

	buf_add(&run->output, bytes, len);
}

static void
on_end(void *user, int error)
{
	struct run *run = user;

	assert_int_equal(error, 0);
	run->output_ended = true;
}

static void
run_init(struct run *run, struct child_options options)
{
	struct err err = { "" };

	*run = (struct run){ .loop = loop_create(NULL, NULL, NULL) };
	if (!options.ladder)
		options.ladder = &quick;
	run->child = child_spawn(run->loop, &options, on_exit_status, run, &err);
	if (!run->child)
		fail_msg("%s", err.text);
	stream_in_init(
	    &run->in, run->loop, child_fd(run->child, STDOUT_FILENO), on_bytes, on_end, run);
}

static void
run_finish(struct run *run)
{
	pid_t pid = child_pid(run->child);

	stream_in_finish(&run->in);
	child_destroy(run->child);
	TURN_UNTIL(run->loop, group_is_gone(pid));
	child_end_all(run->loop);
	loop_destroy(run->loop);
	buf_finish(&run->output);
}

static const char *const *
shell(const char *script)
{
	static const char *argv[] = { "sh", "-c", NULL, NULL };

	argv[2] = script;
	return argv;
}

static const char *const *
bad(const char *mode)
{
	static const char *argv[] = { NULL, NULL, NULL };

	argv[0] = fixture("badserver");
	argv[1] = mode;
	return argv;
}

/* A server that has answered has finished its setup. */
static void
wait_ready(struct run *run)
{
	static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

	assert_int_equal(
	    write(child_fd(run->child, STDIN_FILENO), ping, sizeof(ping) - 1), sizeof(ping) - 1);
	TURN_UNTIL(run->loop, strchr(buf_text(&run->output), '\n'));
}

/* ---- start ---- */

static void
test_what_cannot_start_is_told_at_once(void **state)
{
	char dir[] = "/tmp/child-XXXXXX", plain[64], text[64], script[64];
	const char *const bin_only[] = { "PATH=/nonexistent:/usr/bin", NULL };
	struct err err;

	assert_non_null(mkdtemp(dir));
	snprintf(plain, sizeof(plain), "%s/plain", dir);
	snprintf(text, sizeof(text), "%s/text", dir);
	snprintf(script, sizeof(script), "%s/script", dir);
	const struct {
		const char *name, *content;
		mode_t mode;
	} files[] = { { plain, "x", 0644 }, { text, "hello", 0755 },
		{ script, "#!/nonexistent/python\n", 0755 } };
	for (size_t i = 0; i < 3; i++) {
		FILE *f = fopen(files[i].name, "w");
		fputs(files[i].content, f);
		fclose(f);
		chmod(files[i].name, files[i].mode);
	}
	char path[80];
	snprintf(path, sizeof(path), "PATH=%s", dir);
	const char *const here[] = { path, NULL };
	const struct {
		const char *command, *cwd;
		const char *const *env;
		const char *expected;
	} cases[] = {
		{ "nosuch", NULL, NULL, "nosuch: command not found" },
		{ "nosuch", "/", bin_only, "nosuch: command not found" },
		{ "", NULL, NULL, "no command given" },
		{ NULL, NULL, NULL, "no command given" },
		{ "./nosuch", NULL, NULL, "./nosuch: no such file" },
		{ "/tmp", NULL, NULL, "/tmp: is a directory" },
		{ "./plain", dir, NULL, "./plain: not executable (no execute permission)" },
		{ "plain", NULL, here, "plain: not executable (no execute permission)" },
		{ "sh", "/nonexistent", NULL,
		    "working directory /nonexistent: No such file or directory" },
		{ "sh", "/dev/null", NULL, "working directory /dev/null: not a directory" },
		/* by exec itself */
		{ "text", NULL, here, "text: not executable (unknown format, or no #! line)" },
		{ "script", NULL, here, "script: its interpreter was not found" },
	};
	size_t count = ARRAY_LEN(cases) - (under_valgrind() ? 2 : 0);
	struct loop *loop = loop_create(NULL, NULL, NULL);
	for (size_t i = 0; i < count; i++) {
		const char *argv[] = { cases[i].command, NULL };
		struct child_options options = {
			.argv = argv, .cwd = cases[i].cwd, .env = cases[i].env
		};
		assert_null(child_spawn(loop, &options, on_exit_status, NULL, &err));
		assert_string_equal(err.text, cases[i].expected);
	}
	loop_destroy(loop);
	unlink(plain);
	unlink(text);
	unlink(script);
	rmdir(dir);
}

static void
test_the_child_gets_arguments_directory_and_environment(void **state)
{
	const char *const env[] = { "CHILD_A=1 2", "CHILD_B=new", NULL };
	const char *argv[] = { "sh", "-c", "printf '%s|' \"$@\" \"$PWD\" \"$CHILD_A\" \"$CHILD_B\"",
		"sh", "a b", "$HOME;*", "", NULL };
	struct run run;

	setenv("CHILD_B", "old", 1);
	run_init(&run, (struct child_options){ .argv = argv, .cwd = "/usr", .env = env });
	TURN_UNTIL(run.loop, run.output_ended && run.exited);
	assert_string_equal(buf_text(&run.output), "a b|$HOME;*||/usr|1 2|new|");
	assert_int_equal(run.status.exit_code, 0);
	run_finish(&run);
}

/* With a short list, only its variables and the given ones are passed. */
static void
test_the_child_inherits_what_is_named(void **state)
{
	const char *const inherits[] = { "PATH", "CHILD_A*", "CHILD_F", NULL };
	const char *const env[] = { "CHILD_C=given", NULL };
	const char *argv[] = { "env", NULL };
	struct run run;

	setenv("CHILD_A", "1", 1);
	setenv("CHILD_AB", "2", 1);
	setenv("CHILD_B", "3", 1);
	setenv("CHILD_F", "() { :; }", 1);
	run_init(&run, (struct child_options){ .argv = argv, .env = env, .inherits = inherits });
	TURN_UNTIL(run.loop, run.output_ended && run.exited);
	const char *out = buf_text(&run.output);
	assert_non_null(strstr(out, "PATH="));
	assert_non_null(strstr(out, "CHILD_A=1\n"));
	assert_non_null(strstr(out, "CHILD_AB=2\n"));
	assert_non_null(strstr(out, "CHILD_C=given\n"));
	assert_null(strstr(out, "CHILD_B"));
	assert_null(strstr(out, "CHILD_F"));
	assert_null(strstr(out, "HOME"));
	run_finish(&run);
	unsetenv("CHILD_A");
	unsetenv("CHILD_AB");
	unsetenv("CHILD_B");
	unsetenv("CHILD_F");
}

static void
assert_starts_clean(struct child_options options)
{
	struct run run;

	run_init(&run, options);
	TURN_UNTIL(run.loop, run.output_ended && run.exited);
	const char *fds = strstr(buf_text(&run.output), "0 1 2 ");
	assert_non_null(fds);
	assert_non_null(strstr(fds, "leads"));
	assert_non_null(strstr(buf_text(&run.output), "SigBlk:\t0000000000000000"));
	/* glibc leaves its two internal ones, 32 and 33, ignored */
	const char *ignored = strstr(buf_text(&run.output), "SigIgn:");
	assert_non_null(ignored);
	assert_int_equal(strtoull(ignored + strlen("SigIgn:"), NULL, 16) & 0x7fffffff, 0);
	assert_null(strstr(fds, " 50 "));
	assert_true(run.status.exit_code == (options.serve ? 3 : 0));
	run_finish(&run);
}

static const char shows_itself[] = "grep -E '^Sig(Blk|Ign)' /proc/self/status; "
				   "for f in /proc/$$/fd/*; do printf \"${f##*/} \"; done; "
				   "[ \"$(cut -d' ' -f6 /proc/$$/stat)\" = $$ ] && echo leads";

static int
serve_itself(int in_fd, int out_fd)
{
	char *script = mem_printf("%s; exit 3", shows_itself);

	assert_int_equal(in_fd, STDIN_FILENO);
	assert_int_equal(out_fd, STDOUT_FILENO);
	execvp("sh", (char *const *)shell(script));
	return 1;
}

static void
test_the_child_starts_clean(void **state)
{
	sigset_t set, old;

	int stray = fcntl(STDOUT_FILENO, F_DUPFD, 50); /* without close-on-exec */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	signal(SIGUSR2, SIG_IGN);
	assert_starts_clean((struct child_options){ .argv = shell(shows_itself) });
	assert_starts_clean(
	    (struct child_options){ .argv = shell("exit 4"), .serve = serve_itself });
	close(stray);
	signal(SIGUSR2, SIG_DFL);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void *
end_at_once(void *user)
{
	return user;
}

/* A server of this program is executed once there have been threads. */
static void
test_threads_prevent_a_copy(void **state)
{
	struct run run;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, end_at_once, NULL), 0);
	pthread_join(thread, NULL);
	run_init(&run, (struct child_options){ .argv = shell("exit 4"), .serve = serve_itself });
	TURN_UNTIL(run.loop, run.output_ended && run.exited);
	assert_int_equal(run.status.exit_code, 4);
	run_finish(&run);
}

/* ---- exit ---- */

static void
test_exits_and_signals_are_told_apart(void **state)
{
	static const struct {
		const char *script, *text;
	} cases[] = { { "exit 0", "exit code 0" }, { "exit 42", "exit code 42" },
		{ "kill -KILL $$", "killed by SIGKILL" }, { "kill -SEGV $$", "killed by SIGSEGV" },
		{ "kill -40 $$", "killed by signal 40" } };
	char text[64];

	for (size_t i = 0; i < 2 * ARRAY_LEN(cases); i++) {
		struct run run;
		run_init(&run, (struct child_options){
				   .argv = shell(cases[i / 2].script), .without_pidfd = i % 2 });
		TURN_UNTIL(run.loop, run.exited);
		child_status_text(&run.status, text, sizeof(text));
		assert_string_equal(text, cases[i / 2].text);
		assert_false(run.status.stopped || run.status.signalled);
		run_finish(&run);
	}
}

/* ---- the ladder ---- */

static void
climb(const char *mode, bool without_pidfd, int64_t least_ms, const char *expected)
{
	struct run run;
	char text[64];

	run_init(&run, (struct child_options){ .argv = bad(mode), .without_pidfd = without_pidfd });
	wait_ready(&run);
	int64_t start = clock_now_ms();
	child_stop(run.child);
	child_stop(run.child);
	assert_int_equal(child_fd(run.child, STDIN_FILENO), -1);
	TURN_UNTIL(run.loop, run.exited);
	child_status_text(&run.status, text, sizeof(text));
	assert_string_equal(text, expected);
	assert_true(run.status.stopped);
	assert_int_equal(run.status.signalled, least_ms > 0);
	assert_true(run.exited_ms - start >= least_ms);
	TURN_UNTIL(run.loop, group_is_gone(child_pid(run.child)));
	run_finish(&run);
}

static void
test_the_ladder_goes_only_as_far_as_needed(void **state)
{
	for (int without_pidfd = 0; without_pidfd < 2; without_pidfd++) {
		climb("good", without_pidfd, 0, "exit code 0");
		climb("ignores-eof", without_pidfd, 40, "killed by SIGTERM");
		climb("ignores-sigterm", without_pidfd, 120, "killed by SIGKILL");
	}
}

static void
test_the_rest_of_a_group_ends_with_its_leader(void **state)
{
	struct run run;

	climb("leaves-sleeper", false, 0, "exit code 0");
	/* and without a request, with descendants that ignore SIGTERM */
	run_init(&run,
	    (struct child_options){ .argv = shell("trap '' TERM; sleep 1000 & echo; exit 7") });
	TURN_UNTIL(run.loop, run.exited);
	assert_int_equal(run.status.exit_code, 7);
	TURN_UNTIL(run.loop, group_is_gone(child_pid(run.child)));
	run_finish(&run);
}

static void
test_a_destroyed_child_is_stopped_in_the_background(void **state)
{
	struct run run;

	run_init(&run, (struct child_options){ .argv = bad("ignores-sigterm") });
	wait_ready(&run);
	pid_t pid = child_pid(run.child);
	stream_in_finish(&run.in);
	child_destroy(run.child);
	assert_false(group_is_gone(pid));
	TURN_UNTIL(run.loop, group_is_gone(pid));
	assert_false(run.exited);
	child_end_all(run.loop);
	loop_destroy(run.loop);
	buf_finish(&run.output);
}

/* ---- the end of the program ---- */

static void
test_end_all_leaves_nothing(void **state)
{
	static const char *const modes[] = { "good", "ignores-eof", "ignores-sigterm",
		"leaves-sleeper" };
	struct run runs[4];
	struct loop *loop = loop_create(NULL, NULL, NULL);

	for (size_t i = 0; i < 4; i++) {
		run_init(&runs[i], (struct child_options){ .argv = bad(modes[i]) });
		wait_ready(&runs[i]);
		stream_in_finish(&runs[i].in);
	}
	for (size_t i = 0; i < 4; i++) {
		child_end_all(runs[i].loop);
		assert_true(group_is_gone(child_pid(runs[i].child)));
		child_destroy(runs[i].child);
		loop_destroy(runs[i].loop);
		buf_finish(&runs[i].output);
		assert_false(runs[i].exited);
	}
	child_end_all(loop); /* without children */
	child_hand_over(loop);
	loop_destroy(loop);
}

static struct loop *crashing;

static void
on_crash(int signal_number)
{
	child_hand_over(crashing);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* A separate program: it starts the server, prints the server's pid, and ends in one of the
 * ways. */
static void
program(const char *mode, bool crash)
{
	struct run run;

	run_init(&run, (struct child_options){ .argv = bad(mode) });
	wait_ready(&run);
	dprintf(STDOUT_FILENO, "%d\n", (int)child_pid(run.child));
	if (crash) {
		crashing = run.loop;
		signal(SIGUSR1, on_crash);
		raise(SIGUSR1);
	}
	child_hand_over(run.loop);
	stream_in_finish(&run.in);
	child_destroy(run.child);
	loop_destroy(run.loop);
	buf_finish(&run.output);
	_exit(0);
}

static void
hand_over(const char *mode, bool crash)
{
	int out[2];
	char text[32] = "";
	size_t len = 0;

	assert_int_equal(pipe(out), 0);
	int64_t start = clock_now_ms();
	pid_t pid = fork();
	if (pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		program(mode, crash);
	}
	close(out[1]);
	/* like $(program): up to the end of the pipe */
	for (ssize_t n; (n = read(out[0], text + len, sizeof(text) - 1 - len)) > 0;)
		len += (size_t)n;
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(out[0]);
	pid_t group = (pid_t)strtol(text, NULL, 10);
	assert_true(group > 1);
	assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, crash ? SIGUSR1 : 0);
	struct loop *loop = loop_create(NULL, NULL, NULL);
	TURN_UNTIL(loop, group_is_gone(group));
	/* The ladder continues in the guard: the stubborn server needs 120 ms after the
	 * hand-over. */
	if (!strcmp(mode, "ignores-sigterm"))
		assert_true(clock_now_ms() - start >= 120);
	loop_destroy(loop);
}

static void
test_handing_over_leaves_nothing(void **state)
{
	hand_over("good", false);
	hand_over("ignores-eof", false);
	hand_over("ignores-sigterm", false);
	hand_over("leaves-sleeper", false);
	hand_over("ignores-sigterm", true);
}

/* Guards of the tests before end on their own. */
static void
reap_all(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		continue;
}

/* Return a process started next to the child. */
static pid_t
guard_of(const struct run *run)
{
	char path[64], text[256] = "";

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	for (char *at = text, *end; *at; at = end) {
		pid_t pid = (pid_t)strtol(at, &end, 10);
		if (pid > 0 && pid != child_pid(run->child))
			return pid;
		if (end == at)
			break;
	}
	fail_msg("no guard among %s", text);
	return -1;
}

/* The child's loop must not turn after a hand-over, so another one does. */
static void
wait_gone_after_hand_over(struct run *run)
{
	struct loop *other = loop_create(NULL, NULL, NULL);

	TURN_UNTIL(other, (waitpid(-1, NULL, WNOHANG), group_is_gone(child_pid(run->child))));
	loop_destroy(other);
	stream_in_finish(&run->in);
	child_destroy(run->child);
	loop_destroy(run->loop);
	buf_finish(&run->output);
}

static void
test_handing_over_does_without_the_guard(void **state)
{
	struct run run;

	reap_all();
	run_init(&run, (struct child_options){ .argv = bad("ignores-sigterm") });
	wait_ready(&run);
	pid_t guard = guard_of(&run);
	kill(guard, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)guard, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	child_hand_over(run.loop);
	wait_gone_after_hand_over(&run);
}

/*
 * When mcpane leaves its terminal, the kernel sends SIGHUP to the group of both: on a busy machine
 * before the guard has run its first instruction. On one processor the guard waits until we do.
 */
static void
test_the_guard_survives_an_early_signal(void **state)
{
	cpu_set_t all, one;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	for (int i = 0; i < 20; i++) {
		struct run run;
		reap_all();
		assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
		run_init(&run, (struct child_options){ .argv = bad("ignores-eof") });
		kill(guard_of(&run), SIGHUP);
		child_hand_over(run.loop);
		assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
		wait_gone_after_hand_over(&run);
	}
}

static void
test_handing_over_returns_at_once(void **state)
{
	static const struct child_ladder long_one = { .grace_ms = 600000, .kill_ms = 600000 };
	struct run run;

	reap_all();
	run_init(&run, (struct child_options){ .argv = bad("ignores-eof"), .ladder = &long_one });
	wait_ready(&run);
	pid_t pid = child_pid(run.child);
	int64_t start = clock_now_ms();
	child_hand_over(run.loop);
	int64_t took = clock_now_ms() - start;
	assert_true(took < fixture_deadline_ms());
	assert_false(group_is_gone(pid));
	kill(-pid, SIGKILL); /* the guard ends with it */
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	int status = -1;
	assert_true(waitpid(-1, &status, 0) > 0);
	assert_int_equal(status, 0);
	stream_in_finish(&run.in);
	child_destroy(run.child);
	loop_destroy(run.loop);
	buf_finish(&run.output);
}

TEST_FILE(child)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_cannot_start_is_told_at_once),
		cmocka_unit_test(test_the_child_gets_arguments_directory_and_environment),
		cmocka_unit_test(test_the_child_inherits_what_is_named),
		cmocka_unit_test(test_the_child_starts_clean),
		cmocka_unit_test(test_exits_and_signals_are_told_apart),
		cmocka_unit_test(test_the_ladder_goes_only_as_far_as_needed),
		cmocka_unit_test(test_the_rest_of_a_group_ends_with_its_leader),
		cmocka_unit_test(test_a_destroyed_child_is_stopped_in_the_background),
		cmocka_unit_test(test_end_all_leaves_nothing),
		cmocka_unit_test(test_handing_over_leaves_nothing),
		cmocka_unit_test(test_handing_over_does_without_the_guard),
		cmocka_unit_test(test_the_guard_survives_an_early_signal),
		cmocka_unit_test(test_handing_over_returns_at_once),
		cmocka_unit_test(test_threads_prevent_a_copy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* SIGKILL at random moments, KILLS of them (8): each call whose result was seen is in the history,
 * once. The screen and the command line write into the same file meanwhile. */
#include "e2e.h"
#include "program.h"
#include "test.h"

#include "base/mem.h"

#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KILLS = 8, SCREEN_MS = 100, COMMAND_MS = 40 };

static char home[] = "/tmp/mcpane-kills-XXXXXX";
static unsigned seed;
static size_t seen_on_screen, seen_in_output;

static int
set_up(void **state)
{
	const char *wanted = getenv("KILLS_SEED");

	seed = wanted ? (unsigned)strtoul(wanted, NULL, 10) : (unsigned)getpid();
	print_message("KILLS_SEED=%u\n", seed);
	setenv("XDG_STATE_HOME", mkdtemp(home), 1);
	return 0;
}

static int
tear_down(void **state)
{
	char *command = mem_printf("rm -rf %s", home);

	e2e_teardown(state);
	unsetenv("XDG_STATE_HOME");
	int status = system(command);
	free(command);
	return status;
}

static int
below(int most)
{
	seed = seed * 1103515245 + 12345;
	return (int)(seed / 65536 % (unsigned)most);
}

/* The first column of the only row. */
static int64_t
ask_file(const char *sql)
{
	char *path = mem_printf("%s/mcpane/history.db", home);
	sqlite3_stmt *s = NULL;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	int64_t number = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	free(path);
	return number;
}

/* "5 calls · last 2 ms": they have all ended. */
static int64_t
calls_shown(struct terminal *t)
{
	const char *bar = terminal_row(t, 35), *end = strstr(bar, " · last ");

	while (end && end > bar && (end[-1] < '0' || end[-1] > '9'))
		end--;
	while (end && end > bar && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return end ? strtol(end, NULL, 10) : 0;
}

/* One call after another, until the program is killed; every other time not before a result is
 * shown. Returns how many were seen to end. */
static int64_t
stream_calls(struct terminal *t, int round, int64_t *sent)
{
	bool wait = round % 2;
	int64_t seen = 0, shown;

	for (int left = below(SCREEN_MS); left >= 0; left -= 1 + below(4)) {
		terminal_keys(t, "f5");
		++*sent;
		if (wait)
			terminal_wait_text(t, " · last ");
		wait = false;
		terminal_watch(t, below(5));
		shown = calls_shown(t);
		seen = shown > seen ? shown : seen;
	}
	kill(terminal_pid(t), SIGKILL);
	assert_int_equal(terminal_wait_exit(t), -SIGKILL);
	shown = calls_shown(t);
	return shown > seen ? shown : seen;
}

/* The history stores the call of a large reply immediately, and the reply later. */
static void
expect_screen_kept(int64_t last, bool is_big, int64_t sent, int64_t seen)
{
	char *rows = mem_printf("SELECT count(*) FROM call WHERE id>%lld AND key='%s'",
	    (long long)last, is_big ? "rows" : "list_users");
	char *ids =
	    mem_printf("SELECT count(DISTINCT json_extract(CAST(reply AS TEXT),'$.id')) FROM"
		       " body JOIN call USING(id) WHERE id>%lld AND key='list_users'",
		(long long)last);
	int64_t kept = ask_file(rows), different = is_big ? kept : ask_file(ids);

	if (kept < seen || kept > sent || different != kept)
		fail_msg("%d calls were seen and %d made; the history has %d, with %d ids",
		    (int)seen, (int)sent, (int)kept, (int)different);
	free(rows);
	free(ids);
}

static void
expect_command_kept(const char *place, const struct program *p)
{
	char *rows =
	    mem_printf("SELECT count(*) FROM call JOIN body USING(id) WHERE reply IS NOT NULL AND"
		       " body.arguments LIKE '%%\"%s\"%%'",
		place);
	int64_t kept = ask_file(rows);
	bool seen = p->out.len > 0 && p->out.data[p->out.len - 1] == '\n';

	seen_in_output += seen;
	if (kept > 1 || kept < seen)
		fail_msg("%s: seen %d times, kept %d times", place, seen, (int)kept);
	free(rows);
}

/* The next program opens it, and says nothing about damage. */
static void
expect_sound(void)
{
	struct program p;

	program_run(&p, ARGV(terminal_program(), "history", "--json"));
	assert_int_equal(p.exit_code, 0);
	assert_string_equal(buf_text(&p.err), "");
	program_free(&p);
}

/* Each fourth time as soon as there is output. */
static void
kill_command(struct program *p, int round)
{
	if (round % 4 == 0)
		poll(&(struct pollfd){ .fd = p->out_fd, .events = POLLIN }, 1, 20000);
	else
		poll(NULL, 0, below(COMMAND_MS));
	kill(p->pid, SIGKILL);
}

static void
kill_both(void **state, int round)
{
	char *place = mem_printf("place-%d.", round), *location = mem_printf("location=%s", place);
	char *setting = mem_printf("XDG_STATE_HOME=%s", home);
	bool is_big = round % 3 == 2;
	int64_t sent = 0;
	struct program p;

	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--demo"), .env = ARGV(setting) });
	terminal_wait_text(t, "list_users");
	e2e_run(t, is_big ? "tool rows" : "tool list_users");
	if (is_big)
		e2e_run(t, "set count 3000");
	int64_t last = round > 0 ? ask_file("SELECT coalesce(max(id),0) FROM call") : 0;
	program_start(
	    &p, ARGV(terminal_program(), "call", "get_weather_data", location, "--json", "--demo"));
	if (round % 3 == 0)
		kill_command(&p, round);
	int64_t seen = stream_calls(t, round, &sent);
	if (round % 3 != 0)
		kill_command(&p, round);
	program_finish(&p, "", 0);
	e2e_teardown(state);
	expect_sound();
	expect_screen_kept(last, is_big, sent, seen);
	expect_command_kept(place, &p);
	seen_on_screen += (size_t)seen;
	program_free(&p);
	free(setting);
	free(location);
	free(place);
}

static void
test_kills(void **state)
{
	const char *wanted = getenv("KILLS");
	int kills = wanted ? atoi(wanted) : KILLS;

	for (int round = 0; round < kills; round++)
		kill_both(state, round);
	print_message("%d kills; %zu calls were seen on the screen, %zu in the output\n", kills,
	    seen_on_screen, seen_in_output);
	assert_true(seen_on_screen > 0 && seen_in_output > 0);
	assert_int_equal(ask_file("SELECT count(*) FROM pragma_integrity_check"
				  " WHERE integrity_check='ok'"),
	    1);
}

TEST_FILE(kills)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(
	    test_kills, set_up, tear_down) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

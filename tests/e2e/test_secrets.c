/* SPDX-License-Identifier: MIT */
/* A value that is a secret in one place is hidden in all that is kept or reported. */
#include "e2e.h"
#include "program.h"
#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORD "open-sesame-77"
#define TOKEN "tok12345678"
#define PIN "pin-4711-x"
#define GIVEN "cliSecret77"

static const char *const secrets[] = { WORD, TOKEN, PIN, GIVEN };

static void
expect_none(const char *where, const struct buf *text)
{
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
		if (memmem(buf_text(text), text->len, secrets[i], strlen(secrets[i])))
			fail_msg("%s has %s:\n%.3000s", where, secrets[i], buf_text(text));
}

static struct buf
read_clean(const char *path)
{
	struct buf text = BUF_INIT;
	struct err err;

	if (!path_read_file(path, &text, &err))
		fail_msg("%s", err.text);
	assert_true(text.len > 0);
	expect_none(path, &text);
	return text;
}

#define LOGIN                                                                  \
	"{\"call\":\"login\",\"arguments\":{\"user\":\"ann\",\"word\":\"" WORD \
	"\",\"token\":\"" TOKEN "\",\"deep\":{\"pin\":\"" PIN "\"}}}"
/* Every kind of step that prints a value, in separate files, because the first failing step ends a
 * recipe. */
static const char *const recipes[] = {
	"{\"steps\":[" LOGIN ",{\"pick\":\".\"},{\"pick\":\".seen[0].token\"}]}",
	"{\"steps\":[" LOGIN ",{\"pick\":\".seen[0].word\",\"save\":\"x\"},{\"call\":\"login\","
	"\"arguments\":{\"user\":\"${x}\"},"
	"\"expect\":{\"equals\":{\"seen\":[]}}}]}",
	"{\"steps\":[" LOGIN ",{\"assert\":\".seen == []\"}]}",
	"{\"steps\":[" LOGIN
	",{\"assert\":\".seen[0].deep.pin == 1\",\"message\":\"no ${password}\"}]}",
	"{\"steps\":[{\"call\":\"login\",\"arguments\":{\"user\":\"${password}\"}},{\"pick\":\"."
	"seen[0].user\"},"
	"{\"call\":\"login\",\"arguments\":{\"user\":\"${password}\"},\"expect\":{\"part\":{"
	"\"seen\":[{\"user\":"
	"\"other\"}]}}}]}",
	"{\"steps\":[" LOGIN
	",{\"call\":\"login\",\"arguments\":{\"word\":\"${password}\"},\"expect\":{\"text\":"
	"{\"equals\":\"other\"}}}]}",
};

static void
test_reports(void **state)
{
	static const char *const formats[] = { "text", "json", "junit", "tap", "github" };
	char path[] = "/tmp/mcpane-secrets-XXXXXX";
	struct err err;
	struct program p;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < ARRAY_LEN(recipes); i++)
		for (size_t k = 0; k < ARRAY_LEN(formats); k++) {
			assert_true(path_write_file(path, recipes[i], strlen(recipes[i]), &err));
			p = (struct program){ 0 };
			program_run(&p, ARGV(terminal_program(), "run", path, "--format",
					    formats[k], "--var", "password=" GIVEN, "--",
					    terminal_fixture("badserver"), "says-secrets"));
			expect_none(formats[k], &p.out);
			expect_none(formats[k], &p.err);
			if (i == 1 && !strstr(buf_text(&p.out), "hidden"))
				fail_msg("nothing is hidden:\n%s", buf_text(&p.out));
			program_free(&p);
		}
	unlink(path);
}

static void
expect_private(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	if ((st.st_mode & 0777) != 0600)
		fail_msg("%s has mode %o", path, st.st_mode & 0777);
}

static void
write_by(struct terminal *t, const char *command, const char *path)
{
	char *line = mem_printf("%s %s", command, path);

	e2e_run(t, line);
	e2e_wait(t, "wrote ");
	e2e_press(t, "esc");
	free(line);
}

/* Files written by the screen: journal, recording, history, dump. */
static void
test_screen(void **state)
{
	static const char *const commands[] = { "export-journal jsonl", "dump" };
	struct terminal *t = e2e_bad(state, NULL, ARGV("says-secrets"));
	char *recording = e2e_file(t, "s.jsonl", NULL);
	char *line = mem_printf("record session %s", recording);
	struct buf text;

	e2e_wait(t, "login");
	e2e_run(t, line);
	e2e_wait(t, "recording the session to");
	e2e_run(t, "set word \"" WORD "\"");
	e2e_run(t, "set token \"" TOKEN "\"");
	e2e_run(t, "set deep {\"pin\":\"" PIN "\"}");
	e2e_press(t, "f5");
	e2e_wait(t, WORD); /* the screen shows the value */
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		char *path = e2e_file(t, commands[i] + strlen(commands[i]) - 3, NULL);
		write_by(t, commands[i], path);
		expect_private(path);
		text = read_clean(path);
		assert_non_null(strstr(buf_text(&text), "(hidden)"));
		buf_finish(&text);
		free(path);
	}
	e2e_run(t, "record session stop");
	e2e_wait(t, "wrote ");
	expect_private(recording);
	text = read_clean(recording);
	buf_finish(&text);
	/* the call can be repeated with the typed values */
	e2e_run(t, "set user \"bob\"");
	e2e_press(t, "f5");
	e2e_wait(t, "bob ");
	e2e_see(t, "text   " WORD);
	e2e_leave(t);
	free(recording);
	free(line);
}

/* The arguments of a past call come back without their secrets, which are not sent as (hidden). */
static void
test_hidden_is_not_sent(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("says-secrets"));

	e2e_wait(t, "login");
	e2e_run(t, "set word \"(hidden)\""); /* as the history gives them back after a restart */
	e2e_run(t, "set token \"" TOKEN "\"");
	e2e_press(t, "f5");
	e2e_wait(t, "Call it anyway?");
	e2e_see(t, "The history keeps no secrets");
	e2e_answer(t, "enter"); /* Fix */
	e2e_run(t, "set word \"" WORD "\"");
	e2e_press(t, "f5");
	e2e_wait(t, "1 call");
	e2e_see(t, "text   " WORD);
	e2e_leave(t);
}

/* The bytes that `mcpane call` stores. */
static void
test_history(void **state)
{
	char home[] = "/tmp/mcpane-secrets-XXXXXX";
	struct program p = { 0 };

	assert_non_null(mkdtemp(home));
	setenv("XDG_STATE_HOME", home, 1);
	program_run(&p, ARGV(terminal_program(), "call", "login", "word=" WORD, "token=" TOKEN,
			    "deep:={\"pin\":\"" PIN "\"}", "--", terminal_fixture("badserver"),
			    "says-secrets"));
	assert_int_equal(p.exit_code, 0);
	program_free(&p);
	p = (struct program){ 0 };
	program_run(&p, ARGV(terminal_program(), "history", "--json"));
	expect_none("history --json", &p.out);
	if (!strstr(buf_text(&p.out), "(hidden)"))
		fail_msg("%s", buf_text(&p.out));
	program_free(&p);
	char *files = mem_printf("cat %s/mcpane/history.db*", home);
	p = (struct program){ 0 };
	program_run(&p, ARGV("/bin/sh", "-c", files));
	assert_true(p.out.len > 1000);
	expect_none(files, &p.out);
	program_free(&p);
	free(files);
	files = mem_printf("rm -rf %s", home);
	assert_int_equal(system(files), 0);
	free(files);
}

TEST_FILE(secrets)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports),
		cmocka_unit_test_teardown(test_screen, e2e_teardown),
		cmocka_unit_test_teardown(test_hidden_is_not_sent, e2e_teardown),
		cmocka_unit_test(test_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

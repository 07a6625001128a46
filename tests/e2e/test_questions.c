/* SPDX-License-Identifier: MIT */
/* Server requests, on the screen and without one, in both eras. */
#include "e2e.h"
#include "program.h"

#include "base/mem.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const eras[] = { "modern", "legacy" };

/* ---- without a screen ---- */

static void
expect(const char *const *argv, int exit_code, const char *out)
{
	struct program p = { 0 };

	program_run(&p, argv);
	if (p.exit_code != exit_code || !strstr(buf_text(&p.out), out))
		fail_msg("%s: exit %d, not printed: %s\n%.1000s\n%.1000s", argv[5], p.exit_code,
		    out, buf_text(&p.out), buf_text(&p.err));
	program_free(&p);
}

#define CALL(tool, ...)                                                                 \
	(const char *const[])                                                           \
	{                                                                               \
		terminal_program(), "call", "--demo", "--json", "--era", eras[i], tool, \
		    __VA_ARGS__, NULL                                                   \
	}

static void
test_forms_without_a_screen(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		expect(CALL("ask_form", "--json"), 0,
		    "\"structuredContent\":{\"action\":\"decline\"}");
		expect(CALL("ask_form", "--elicit", "cancel"), 0, "{\"action\":\"cancel\"}");
		expect(CALL("ask_form", "--elicit", "accept"), 0, "{\"action\":\"decline\"}");
		expect(CALL("ask_form", "--elicit", "guess"), 0,
		    "\"day\":\"2026-08-01\",\"pieces\":3,\"express\":true,\"size\":\"M\"");
		expect(CALL("ask_form", "--elicit", "{\"name\":\"Ada\",\"pieces\":1.50}"), 0,
		    "\"content\":{\"name\":\"Ada\",\"pieces\":1.50}");
		expect(CALL("ask_form", "--elicit", "perhaps"), 1, "");
		expect(CALL("ask_url", "--elicit", "accept"), 0, "{\"action\":\"decline\"}");
	}
}

static void
complains(const char *const *argv, const char *what)
{
	struct program p = { 0 };

	program_run(&p, argv);
	if (!strstr(buf_text(&p.err), what))
		fail_msg("%s: not said: %s\n%.1000s", argv[5], what, buf_text(&p.err));
	program_free(&p);
}

/* An answer is sent unchanged; its problems are reported. */
static void
test_flaws_of_answers_are_said(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		complains(CALL("ask_form", "--elicit", "accept"),
		    "declined: the form requires name, without a default; --elicit JSON");
		complains(CALL("ask_form", "--elicit", "{\"name\":\"A\",\"pieces\":1}"),
		    "breaks the requestedSchema: /name: expected at least 2 characters");
		complains(CALL("ask_sampling", "--sampling-reply", "{\"content\":5}"),
		    "content is neither a block nor an array of blocks");
		complains(CALL("ask_sampling", "--sampling-command", "sh -c 'echo no >&2; exit 1'"),
		    "the command ended with exit code 1: no");
	}
}

static void
test_samplings_without_a_screen(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		expect(CALL("ask_sampling", "--sampling-reply", "It rains."), 0,
		    "\"content\":{\"type\":\"text\",\"text\":\"It rains.\"}");
		expect(CALL("ask_sampling", "--sampling-command", "sh -c 'grep -c maxTokens'"), 0,
		    "\"content\":{\"type\":\"text\",\"text\":\"1\"}");
		expect(CALL("ask_sampling", "--sampling-command", "false"), 5, "");
		/* not declared at all */
		expect(CALL("ask_sampling", "--json"), 5, "");
		expect(CALL("ask_sampling", "--sampling-command", "'open"), 1, "");
		expect(CALL("ask_sampling", "--sampling-reply", "@/nowhere"), 1, "");
	}
}

static void
test_roots_without_a_screen(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		expect(CALL("ask_roots", "--root", "/usr/../usr", "--root", "file:///tmp"), 0,
		    "{\"roots\":[{\"uri\":\"file:///usr\",\"name\":\"usr\"},"
		    "{\"uri\":\"file:///tmp\",\"name\":\"tmp\"}]}");
		expect(CALL("ask_roots", "--root", "/nowhere/at/all"), 1, "");
	}
}

/* ---- on the screen ---- */

static struct terminal *
start_demo(void **state, const char *era, const char *browser)
{
	char *named = mem_printf("BROWSER=%s", browser);
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){
				 .argv = (const char *const[]){ "--demo", "--era", era, NULL },
				 .env = (const char *const[]){ named, NULL },
			     });

	free(named);
	e2e_wait(t, "list_users");
	return t;
}

static void
test_form_on_the_screen(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		struct terminal *t = start_demo(state, eras[i], "false");
		e2e_run(t, "tool ask_form");
		e2e_press(t, "f5");
		e2e_wait(t, "during the call of ask_form");
		/* the rest keeps working */
		e2e_press(t, "esc esc");
		e2e_see(t, "1 question F4");
		e2e_run(t, "tool list_users");
		e2e_press(t, "f5");
		e2e_wait(t, "Alice");
		e2e_press(t, "f4");
		e2e_see(t, "during the call of ask_form");
		e2e_press(t, "f5");
		e2e_see(t, "Send this answer anyway?");
		e2e_press(t, "esc enter");
		terminal_type(t, "Ada");
		e2e_press(t, "f5");
		e2e_run(t, "tool ask_form");
		e2e_wait(t, "Ada");
		e2e_see_not(t, "question F4");
		e2e_leave(t);
		e2e_teardown(state);
	}
	*state = NULL;
}

/* Typing into a question does not answer it; declining asks for confirmation. */
static void
test_typing_does_not_turn_a_question_down(void **state)
{
	struct terminal *t = start_demo(state, "modern", "false");

	e2e_run(t, "tool ask_form");
	e2e_press(t, "f5");
	e2e_wait(t, "during the call of ask_form");
	e2e_answer(t, "");
	terminal_type(t, "Carol X");
	terminal_barrier(t);
	e2e_see(t, "during the call of ask_form");
	e2e_see(t, "Carol X");
	e2e_press(t, "f9");
	e2e_see(t, "Cancel without sending it?");
	e2e_answer(t, "enter");
	e2e_see(t, "Carol X");
	e2e_press(t, "f8");
	e2e_see(t, "Decline without sending it?");
	e2e_answer(t, "y");
	e2e_wait(t, "decline");
	e2e_press(t, "f5");
	e2e_wait(t, "during the call of ask_form");
	e2e_answer(t, "f9"); /* nothing was filled in */
	e2e_wait(t, "cancelled");
	e2e_leave(t);
}

static void
test_url_opens_by_consent_alone(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		char opener[] = "/tmp/mcpane-opener-XXXXXX", *opened;
		int fd = mkstemp(opener);
		assert_true(fd >= 0);
		opened = mem_printf("%s.url", opener);
		dprintf(fd, "#!/bin/sh\nprintf '%%s' \"$1\" > %s.part\nmv %s.part %s\n", opened,
		    opened, opened);
		fchmod(fd, 0700);
		close(fd);
		struct terminal *t = start_demo(state, eras[i], opener);
		e2e_run(t, "tool ask_url");
		e2e_press(t, "f5");
		e2e_wait(t, "the host is punycode");
		e2e_answer(t, "X C"); /* no letter turns a question down */
		e2e_see(t, "the host is punycode");
		assert_int_equal(access(opened, F_OK), -1);
		e2e_run(t, "answer");
		e2e_wait(t, "opened by");
		e2e_file_has(
		    opened, "https://pay.xn--mnchen-3ya.example/confirm?order=1001&token=");
		if (i == 0)
			e2e_press(t, "f5");
		e2e_wait(t, "\"action\":\"accept\"");
		e2e_leave(t);
		e2e_teardown(state);
		unlink(opener);
		unlink(opened);
		free(opened);
	}
	*state = NULL;
}

static void
test_sampling_on_the_screen(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		struct terminal *t =
		    e2e_demo(state, (const char *const[]){ "--era", eras[i], "--sampling-command",
					"sh -c 'echo drafted: $(grep -c city)'", NULL });
		e2e_run(t, "tool ask_sampling");
		e2e_press(t, "f5");
		e2e_wait(t, "uses get_weather");
		e2e_press(t, "ctrl-g");
		e2e_wait(t, "drafted: ");
		terminal_type(t, " and Checked, Xed, rH"); /* no letter is a command */
		e2e_press(t, "f5");
		e2e_wait(t, "and Checked, Xed, rH");
		e2e_leave(t);
		e2e_teardown(state);
	}
	*state = NULL;
}

static void
test_roots_on_the_screen(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		struct terminal *t = start_demo(state, eras[i], "false");
		e2e_run(t, "tool ask_roots");
		e2e_press(t, "f5");
		e2e_wait(t, "No roots yet");
		e2e_answer(t, "C X");
		e2e_see(t, "No roots yet");
		e2e_run(t, "root add /usr");
		e2e_see(t, "file:///usr");
		e2e_press(t, "f5");
		e2e_wait(t, "roots");
		e2e_press(t, "f5"); /* again: no question this time */
		e2e_wait(t, "2 calls");
		e2e_see(t, "file:///usr");
		e2e_see_not(t, "question F4");
		e2e_leave(t);
		e2e_teardown(state);
	}
	*state = NULL;
}

static void
test_cancelled_call_takes_its_question_along(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		struct terminal *t = start_demo(state, eras[i], "false");
		e2e_run(t, "tool ask_form");
		e2e_press(t, "f5");
		e2e_wait(t, "during the call of ask_form");
		e2e_press(t, "ctrl-c");
		e2e_wait(t, "cancelled");
		e2e_see_not(t, "question F4");
		e2e_leave(t);
		e2e_teardown(state);
	}
	*state = NULL;
}

TEST_FILE(questions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms_without_a_screen),
		cmocka_unit_test(test_flaws_of_answers_are_said),
		cmocka_unit_test(test_samplings_without_a_screen),
		cmocka_unit_test(test_roots_without_a_screen),
		cmocka_unit_test_teardown(test_form_on_the_screen, e2e_teardown),
		cmocka_unit_test_teardown(test_typing_does_not_turn_a_question_down, e2e_teardown),
		cmocka_unit_test_teardown(test_url_opens_by_consent_alone, e2e_teardown),
		cmocka_unit_test_teardown(test_sampling_on_the_screen, e2e_teardown),
		cmocka_unit_test_teardown(test_roots_on_the_screen, e2e_teardown),
		cmocka_unit_test_teardown(
		    test_cancelled_call_takes_its_question_along, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Questions in the interface: which open by themselves, when keys count, and what must be visible
 * first. */
#include "base/vec.h"
#include "workbench/workbench.h"

#include "client/question.h"
#include "test.h"
#include "wire.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOLS                                                                          \
	"{'name':'echo','inputSchema':{'type':'object'}},"                             \
	"{'name':'either','inputSchema':{'type':'object','anyOf':[{'required':['a']}," \
	"{'required':['b']}]}}"

static const char form[] =
    "{'jsonrpc':'2.0','id':'f','method':'elicitation/create','params':{'message':'Who are you?',"
    "'requestedSchema':{'type':'object','properties':{'name':{'type':'string',"
    "'title':'Full name'}}}}}";
static const char second[] =
    "{'jsonrpc':'2.0','id':'g','method':'elicitation/create','params':{'message':'And why?',"
    "'requestedSchema':{'type':'object','properties':{'why':{'type':'string'}}}}}";

struct scene {
	struct wire wire;
	struct workbench *wb;
	struct grid grid;
	struct buf screen;
	char opened[64], copied[64];
};

static bool
open_url(void *user, const char *url, struct err *err)
{
	struct scene *s = user;

	strncpy(s->opened, url, sizeof(s->opened) - 1);
	return true;
}

static void
copy(void *user, const char *text, size_t len)
{
	struct scene *s = user;

	memcpy(s->copied, text, len < sizeof(s->copied) ? len : sizeof(s->copied) - 1);
}

static size_t
running(void *user)
{
	return server_running(((struct scene *)user)->wire.server);
}

static const struct effects effects = {
	.open_url = open_url,
	.copy = copy,
	.running = running,
};

static int
set_up(void **state)
{
	static const struct server_options options = {
		.session = { .era = ERA_LEGACY,
		    .can = { .elicitation_form = true, .elicitation_url = true, .roots = true } }
	};
	struct scene *s = calloc(1, sizeof(*s));

	wire_open(&s->wire, &options);
	wire_connect(&s->wire, TOOLS);
	s->wb = workbench_create(&effects, s);
	workspace_set_server(workbench_workspace(s->wb), s->wire.server);
	grid_init(&s->grid, 80, 24);
	*state = s;
	return 0;
}

static int
tear_down(void **state)
{
	struct scene *s = *state;

	workbench_destroy(s->wb);
	grid_finish(&s->grid);
	buf_finish(&s->screen);
	wire_close(&s->wire);
	free(s);
	return 0;
}

static bool
shows(struct scene *s, const char *text)
{
	workbench_draw(s->wb, &s->grid, s->wire.now_us);
	buf_clear(&s->screen);
	grid_to_text(&s->grid, &s->screen);
	return strstr(buf_text(&s->screen), text) != NULL;
}

static void
look(struct scene *s, int ms)
{
	shows(s, "");
	s->wire.now_us += (int64_t)ms * 1000;
}

static void
resize(struct scene *s, int width, int height)
{
	grid_finish(&s->grid);
	grid_init(&s->grid, width, height);
}

static void
press(struct scene *s, const char *name)
{
	struct key key;

	assert_true(key_from_name(&key, name));
	look(s, 1);
	workbench_key(s->wb, &key, s->wire.now_us);
}

static void
see(struct scene *s, const char *text)
{
	if (!shows(s, text))
		fail_msg("%s is not on\n%s", text, buf_text(&s->screen));
}

static void
see_not(struct scene *s, const char *text)
{
	if (shows(s, text))
		fail_msg("%s is on\n%s", text, buf_text(&s->screen));
}

static void
ask_url(struct scene *s, const char *url)
{
	char line[16384];

	snprintf(line, sizeof(line),
	    "{'jsonrpc':'2.0','id':'u','method':'elicitation/create','params':{'mode':'url',"
	    "'message':'Pay','url':'%s','elicitationId':'e1'}}",
	    url);
	press(s, "f5");
	wire_say(&s->wire, line);
	look(s, 500);
}

static void
test_opens_by_itself(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	wire_say(&s->wire, form);
	see(s, "Who are you?");
	see(s, "during the call of echo");
	see(s, "string · Full name");
	see(s, "Esc commands");
	press(s, "esc");
	see(s, "Esc later");
	press(s, "esc");
	see_not(s, "Who are you?");
	see(s, "1 question F4");
	press(s, "f4");
	see(s, "Who are you?");
	press(s, "f4");
	see_not(s, "Who are you?");
}

static void
test_not_after_another_key(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	press(s, "down");
	wire_say(&s->wire, form);
	see_not(s, "Who are you?");
	see(s, "1 question F4");
}

static void
test_not_over_a_prompt_or_a_text(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	workbench_run(s->wb, "command", s->wire.now_us);
	wire_say(&s->wire, form);
	see_not(s, "Who are you?");
	press(s, "esc");
	see_not(s, "Who are you?");
	see(s, "1 question F4");
}

static void
test_not_what_it_asks_on_its_own(void **state)
{
	struct scene *s = *state;

	wire_say(&s->wire, form);
	see_not(s, "Who are you?");
	press(s, "f5");
	see(s, "1 question F4");
	press(s, "f4");
	see(s, "outside a call");
}

/* F5 twice, Enter, and the rest of a text: none of them was meant for it. */
static void
test_early_keys_answer_nothing(void **state)
{
	static const char *const early[] = { "f5", "enter", "N", "S", "f4", "q" };
	struct scene *s = *state;

	press(s, "f5");
	wire_say(&s->wire, form);
	for (size_t i = 0; i < ARRAY_LEN(early); i++) {
		press(s, early[i]);
		look(s, 300); /* each restarts the wait */
		see(s, "Who are you?");
		assert_int_equal(server_info(s->wire.server)->questions.len, 1);
	}
	look(s, 200);
	press(s, "f5");
	assert_int_equal(server_info(s->wire.server)->questions.len, 0);
	assert_non_null(strstr(wire_last(&s->wire), "accept"));
}

static void
test_declining_is_one_key_at_once(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	wire_say(&s->wire, form);
	press(s, "f8");
	assert_non_null(strstr(wire_last(&s->wire), "decline"));
	see_not(s, "Decline F8");
}

/* A follow-up question of the same call opens by itself. If two are waiting, the second opens after
 * the first, and a key for the first does not answer it. */
static void
test_one_after_the_other(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	wire_say(&s->wire, form);
	look(s, 500);
	press(s, "f5");
	see_not(s, "Decline F8");
	wire_say(&s->wire, second);
	see(s, "And why?");
	look(s, 500);
	wire_say(&s->wire, form);
	press(s, "f5");
	see(s, "Who are you?");
	press(s, "f5");
	assert_int_equal(server_info(s->wire.server)->questions.len, 1);
	look(s, 500);
	press(s, "f5");
	assert_int_equal(server_info(s->wire.server)->questions.len, 0);
}

static void
test_says_why_it_went(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	wire_say(&s->wire, form);
	see(s, "Who are you?");
	wire_say(&s->wire, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
			   "'params':{'requestId':'f','reason':'too \\u001b[31m slow'}}");
	see(s, "This request is closed: cancelled by the server: too");
	wire_say(&s->wire, second);
	see(s, "] shows the next of 1.");
	look(s, 500);
	press(s, "]");
	see(s, "And why?");
	wire_end(&s->wire, "exit code 3");
	see(s, "This request is closed: ");
	press(s, "esc");
	see_not(s, "is closed");
}

static void
test_cancelling_the_call_closes_it(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	wire_say(&s->wire, form);
	see(s, "Who are you?");
	press(s, "ctrl-c");
	see_not(s, "questions");
}

static void
test_long_message(void **state)
{
	struct scene *s = *state;
	char line[8192] = "{'jsonrpc':'2.0','id':'f','method':'elicitation/create','params':{"
			  "'requestedSchema':{'type':'object','properties':{'name':{'type':"
			  "'string'}}},'message':'";

	for (int i = 0; i < 60; i++)
		snprintf(line + strlen(line), 20, "line %d.\\n", i);
	strcat(line, "'}}");
	press(s, "f5");
	wire_say(&s->wire, line);
	look(s, 500);
	see(s, "m shows the whole message");
	see(s, "line 5.");
	see_not(s, "line 59.");
	press(s, "esc");
	press(s, "m");
	press(s, "end");
	see(s, "line 59.");
	press(s, "U"); /* the form is not seen: its keys do nothing */
	press(s, "enter");
	see(s, "line 5.");
	see(s, "Decline F8");
}

static void
test_url_is_seen_whole(void **state)
{
	struct scene *s = *state;
	char url[6000] = "https://example.com/";

	memset(url + strlen(url), 'a', 5000);
	ask_url(s, url);
	see(s, "Host: example.com");
	press(s, "f5");
	see(s, "read all of the URL first");
	assert_string_equal(s->opened, "");
	for (int height = 1; height < 24; height++) { /* until a row of it is on the screen */
		resize(s, 80, height);
		press(s, "end");
		if (shows(s, "aaa"))
			break;
		press(s, "f5");
		assert_string_equal(s->opened, "");
	}
	resize(s, 80, 24);
	press(s, "end");
	see(s, "aaa");
	press(s, "f5");
	assert_memory_equal(s->opened, url, sizeof(s->opened) - 1);
	assert_int_equal(server_info(s->wire.server)->questions.len, 0);
}

static void
test_unsafe_url_has_no_button(void **state)
{
	struct scene *s = *state;

	ask_url(s, "javascript:alert(1)");
	see(s, "cannot be opened");
	see_not(s, "Open F5");
	see_not(s, "F5 open");
	press(s, "f5");
	see(s, "cannot be opened");
	assert_string_equal(s->opened, "");
	press(s, "y");
	assert_string_equal(s->copied, "javascript:alert(1)");
	press(s, "f8");
	assert_non_null(strstr(wire_last(&s->wire), "decline"));
}

static void
test_form_without_a_schema(void **state)
{
	struct scene *s = *state;

	press(s, "f5");
	wire_say(&s->wire, "{'jsonrpc':'2.0','id':'f','method':'elicitation/create',"
			   "'params':{'message':'m','requestedSchema':'yes'}}");
	see(s, "requestedSchema is missing");
	see(s, "nothing to fill in");
}

/* A problem of the arguments as a whole has no path. */
static void
test_problem_of_the_whole(void **state)
{
	struct scene *s = *state;

	workbench_run(s->wb, "tool either", s->wire.now_us);
	press(s, "f5");
	see(s, "╭ Call it anyway? ─");
	see(s, "│ one of a or b is required");
	see_not(s, "│ : ");
}

TEST_FILE(asked)
{
#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		WITH(test_problem_of_the_whole),
		WITH(test_opens_by_itself),
		WITH(test_not_after_another_key),
		WITH(test_not_over_a_prompt_or_a_text),
		WITH(test_not_what_it_asks_on_its_own),
		WITH(test_early_keys_answer_nothing),
		WITH(test_declining_is_one_key_at_once),
		WITH(test_one_after_the_other),
		WITH(test_says_why_it_went),
		WITH(test_cancelling_the_call_closes_it),
		WITH(test_long_message),
		WITH(test_url_is_seen_whole),
		WITH(test_unsafe_url_has_no_button),
		WITH(test_form_without_a_schema),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The way from a refusal to a token by keys, on the screen: what to press shows, every step can be
 * looked at, and none shows a secret. */
#include "auth_scene.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "e2e.h"
#include "host/stores.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct terminal *
start_screen(void **state, const char *browser)
{
	char *home = mem_printf("XDG_STATE_HOME=%s", scene.home);
	char *named = mem_printf("BROWSER=%s", browser);
	struct terminal *t = e2e_start(state, &(struct terminal_options){
						  .argv = (const char *const[]){ scene.url, NULL },
						  .env = (const char *const[]){ home, named, NULL },
					      });

	free(home);
	free(named);
	return t;
}

static void
authorize(struct terminal *t)
{
	e2e_wait(t, "must authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "ready for the browser");
	e2e_press(t, "O");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc");
	e2e_wait(t, "whoami");
}

/* No process may be left, including the server. */
static void
leave(struct terminal *t)
{
	end_server();
	e2e_leave(t);
}

static int
close_screen(void **state)
{
	close_scene(state); /* first, because the terminal reaps every child */
	return e2e_teardown(state);
}

static void
test_by_keys(void **state)
{
	open_scene("");
	struct terminal *t = start_screen(state, "visitor");
	e2e_wait(t, "the server requires authorization");
	e2e_see(t, "A shows what it asks for");
	e2e_press(t, "A");
	e2e_wait(t, "must authorize this, for read offline_access");
	assert_int_equal(logged("/register"), 0); /* the user has not agreed yet */
	e2e_press(t, "O");
	e2e_wait(t, "ready for the browser");
	e2e_see(t, "/as1/authorize?response_type=code&client_id=client-of-as1-1");
	assert_int_equal(logged("/authorize"), 0);
	e2e_press(t, "O");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc");
	e2e_wait(t, "whoami");
	e2e_press(t, "f5");
	e2e_wait(t, "call 1 by client-of-as1-1");
	/* every step can be looked at, and holds no secret */
	e2e_press(t, "A");
	for (int i = 0; i < 12; i++) {
		e2e_press(t, "enter");
		e2e_see_not(t, "-shh");
		e2e_press(t, "esc");
		e2e_press(t, "up");
	}
	e2e_press(t, "esc w");
	e2e_wait(t, "authorization: token request");
	terminal_assert_never(t, "-shh");
	leave(t);
}

/* The file has the value, the screen does not. */
static void
check_written(struct terminal *t, const char *verb, const char *has, const char *has_not)
{
	char *path = mem_printf("%s/written", scene.home);
	char *command = mem_printf("%s %s", verb, path);
	struct buf text = BUF_INIT;

	e2e_run(t, command);
	e2e_wait(t, "wrote ");
	assert_true(path_read_file(path, &text, NULL));
	assert_non_null(strstr(buf_text(&text), has));
	assert_null(strstr(buf_text(&text), has_not));
	assert_null(strstr(buf_text(&text), "-shh"));
	buf_finish(&text);
	unlink(path);
	free(command);
	free(path);
}

/* The browser is elsewhere: its last address is pasted. The code in it shows nowhere, though the
 * user sees that it is the right address. */
static void
test_by_pasting(void **state)
{
	open_scene("");
	struct terminal *t = start_screen(state, "/nonexistent/browser");
	e2e_wait(t, "must authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "ready for the browser");
	e2e_press(t, "O");
	e2e_wait(t, "No such file");
	e2e_press(t, "P");
	terminal_type(t, "CODE-shh");
	e2e_wait(t, "********");
	e2e_press(t, "ctrl-u");
	terminal_type(t, "http://127.0.0.1:1/callback?code=CODE-shh&state=guessed");
	e2e_wait(t, "http://127.0.0.1:1/callback?code=********&state=guessed");
	e2e_press(t, "enter");
	e2e_wait(t, "not the address");
	e2e_see(t, "callback?code=********"); /* the text stays, so that it can be corrected */
	e2e_press(t, "esc");
	check_written(t, "dump", "127.0.0.1", "-shh");
	e2e_press(t, "P");
	e2e_see_not(t, "code=****");
	e2e_press(t, "esc w");
	check_written(t, "dump", "127.0.0.1", "-shh");
	e2e_press(t, "A ctrl-k");
	e2e_answer(t, "y");
	e2e_wait(t, "nothing is stored");
	terminal_assert_never(t, "-shh");
	leave(t);
}

/* A line with a code in it does not come back in the prompt, however much of the command's name was
 * typed, and be it wrong. */
static void
test_not_in_the_history(void **state)
{
	static const char *const lines[] = {
		"authorize http://127.0.0.1:1/callback?code=CODE-shh&state=x",
		" :autho http://127.0.0.1:1/callback?code=CODE-shh&state=x",
		"athorise http://127.0.0.1:1/callback?code=CODE-shh&state=x",
		"client-i me SECRET-shh",
	};
	open_scene("");
	struct terminal *t = start_screen(state, "/nonexistent/browser");
	e2e_wait(t, "must authorize this");
	e2e_run(t, "theme light");
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		e2e_run(t, lines[i]);
	char *pipe_path = e2e_file(t, "pipe", NULL);
	assert_int_equal(
	    mkfifo(pipe_path, 0600), 0); /* a pipe without a writer: mcpane does not wait */
	char *line = mem_printf("client-id me @%s", pipe_path);
	e2e_run(t, line);
	e2e_see(t, "/pipe is not a regular file");
	free(line);
	assert_int_equal(unlink(pipe_path), 0);
	free(pipe_path);
	for (int i = 0; i < 6; i++) {
		e2e_press(t, "alt-x");
		for (int k = 0; k < i; k++)
			e2e_press(t, "up");
		e2e_see_not(t, "-shh");
		if (i == 1)
			e2e_see(t, "theme light");
		e2e_press(t, "esc");
	}
	leave(t);
}

/* The address on a screen that is wide enough for it to be one line. */
static char *
address_on_screen(struct terminal *t)
{
	int row, col;

	assert_true(terminal_find(t, "/as1/authorize?", &row, &col));
	const char *text = strstr(terminal_row(t, row), "http://");
	assert_non_null(text);
	return mem_strndup(text, strcspn(text, " "));
}

static void
test_pasted_in_the_end(void **state)
{
	struct program visitor = { 0 };

	open_scene("");
	char *home = mem_printf("XDG_STATE_HOME=%s", scene.home);
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){ .argv = (const char *const[]){ scene.url, NULL },
		.env = (const char *const[]){ home, "BROWSER", "DISPLAY", "WAYLAND_DISPLAY", NULL },
		.cols = 500 });
	free(home);
	e2e_wait(t, "must authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "ready for the browser");
	e2e_press(t, "O");
	e2e_wait(t, "no browser is here");
	char *url = address_on_screen(t);
	program_run(
	    &visitor, (const char *const[]){ terminal_fixture("visitor"), url, "stop", NULL });
	free(url);
	e2e_press(t, "P");
	buf_truncate(&visitor.out, visitor.out.len - 1); /* its line end */
	terminal_paste(t, buf_text(&visitor.out));
	e2e_press(t, "enter");
	e2e_wait(t, "authorized until");
	program_free(&visitor);
	e2e_press(t, "esc");
	e2e_wait(t, "whoami");
	leave(t);
}

/* A server's author sees each step whole, and can hand all of them on. */
static void
test_failure_on_the_screen(void **state)
{
	open_scene("nopkce");
	struct terminal *t = start_screen(state, "visitor");
	e2e_wait(t, "✗ authorization failed");
	e2e_see(t, "without PKCE by S256 it must not be used");
	e2e_press(t, "A");
	e2e_wait(t, "authorization server metadata");
	e2e_press(t, "enter");
	e2e_wait(t, "token_endpoint_auth_methods_supported");
	check_written(t, "write", "token_endpoint_auth_methods_supported", "the server refuses");
	e2e_press(t, "y");
	e2e_wait(t, "copied the selection");
	e2e_press(t, "esc");
	e2e_see(t, "y      copy all steps");
	check_written(t, "write", "the server refuses: 401: Bearer", "nothing of that");
	check_written(t, "write", "token_endpoint_auth_methods_supported", "nothing of that");
	leave(t);
}

static void
test_step_up_on_the_screen(void **state)
{
	open_scene("stepup");
	struct terminal *t = start_screen(state, "visitor");
	authorize(t);
	e2e_press(t, "f5");
	e2e_wait(t, "must authorize this");
	e2e_press(t, "A O");
	e2e_wait(t, "ready for the browser");
	e2e_press(t, "O");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc");
	e2e_wait(t, "call 1 by client-of-as1-1 for read offline_access write");
	leave(t);
}

/* A call that waits for the user may be given up, and is not made when he agrees in the end. */
static void
test_cancelled_while_waiting(void **state)
{
	open_scene("stepup");
	struct terminal *t = start_screen(state, "visitor");
	authorize(t);
	e2e_press(t, "f5");
	e2e_wait(t, "must authorize this");
	e2e_press(t, "ctrl-c");
	e2e_wait(t, "cancelled");
	e2e_press(t, "A O");
	e2e_wait(t, "ready for the browser");
	e2e_press(t, "O");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc f5");
	e2e_wait(t, "call 1 by client-of-as1-1");
	assert_int_equal(logged("\"tools/call\" -> 200"), 1);
	leave(t);
}

/* The requested scopes and the key are visible, in a small window too. */
static void
test_what_to_press(void **state)
{
	open_scene("");
	char *home = mem_printf("XDG_STATE_HOME=%s", scene.home);
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .argv = ARGV(scene.url),
						  .env = (const char *const[]){ home, NULL },
						  .rows = 24,
						  .cols = 80 });
	free(home);
	e2e_wait(t, "must authorize this");
	e2e_see(t, "A shows what it asks for");
	e2e_see(t, "not authorized");
	e2e_see(t, "A authorize");
	e2e_see_not(t, "connecting");
	e2e_press(t, "A");
	e2e_wait(t, "O  agree");
	e2e_press(t, "O");
	e2e_wait(t, "O  open this in the browser");
	e2e_see(t, "Y  copy the URL");
	e2e_see(t, "P  paste");
	leave(t);
}

/* A visit that is none of ours, and the state that an authorization server forgot. */
static void
test_stray_on_the_screen(void **state)
{
	open_scene("badstate");
	struct terminal *t = start_screen(state, "visitor");
	e2e_wait(t, "must authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "ready for the browser");
	e2e_press(t, "O");
	e2e_wait(t, "`state` differs from the one that was sent");
	e2e_see(t, "waiting for the browser");
	/* begun again, it is registered again */
	e2e_press(t, "R");
	e2e_wait(t, "ready for the browser");
	assert_int_equal(logged("/register"), 2);
	leave(t);
}

/* One of two runs renews the token; the other reads the new one from the file, because its own
 * refresh token was used. */
static void
test_another_run_renews(void **state)
{
	open_scene("onecall rotate");
	run_once(0, "call --login URL whoami", "call 1");
	struct terminal *t = start_screen(state, "visitor");
	e2e_wait(t, "whoami");
	run_once(0, "call URL whoami", "call 2");
	assert_int_equal(logged("refresh_token -> 200"), 1);
	e2e_press(t, "f5");
	e2e_wait(t, "call 3 by client-of-as1-1");
	assert_int_equal(logged("refresh_token -> 400"), 0);
	e2e_press(t, "w");
	e2e_wait(t, "another mcpane process has a newer token");
	leave(t);
}

/* The refresh token is good once: it is not sent while another run has it in its hands. */
static void
test_refresh_token_in_turns(void **state)
{
	char issuer[80];
	int claim;

	open_scene("onecall rotate");
	run_once(0, "call --login URL whoami", "call 1");
	snprintf(issuer, sizeof(issuer), "%.*s/as1", (int)strlen(scene.url) - 4, scene.url);
	char *file = tokens_file();
	assert_true(token_store_claim(file, issuer, scene.url, &claim));
	free(file);
	struct terminal *t = start_screen(state, "visitor");
	e2e_wait(t, "whoami");
	e2e_press(t, "f5");
	e2e_press(t, "A");
	e2e_wait(t, "token request by refresh token");
	assert_int_equal(logged("/token refresh_token"), 0);
	close(claim);
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc");
	e2e_wait(t, "call 2 by client-of-as1-1");
	assert_int_equal(logged("/token refresh_token -> 200"), 1);
	leave(t);
}

/* A command on a terminal without a browser: over SSH, say. */
static void
test_pasted_into_a_command(void **state)
{
	struct program visitor = { 0 };

	open_scene("");
	char *home = mem_printf("XDG_STATE_HOME=%s", scene.home);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("call", "--login", scene.url, "whoami"),
		       .env = (const char *const[]){ home, "BROWSER", "DISPLAY=:0",
			   "WAYLAND_DISPLAY", "SSH_CONNECTION=1 2 3 4", NULL },
		       .cols = 500 });
	free(home);
	terminal_wait_text(t, "paste the address of that page here");
	assert_true(
	    terminal_find(t, "no browser is here; open this where there is one", NULL, NULL));
	char *url = address_on_screen(t);
	terminal_type(t, "http://127.0.0.1:1/callback?code=1&state=2\r");
	terminal_wait_text(t, "not the address that the browser should return to");
	program_run(
	    &visitor, (const char *const[]){ terminal_fixture("visitor"), url, "stop", NULL });
	free(url);
	buf_truncate(&visitor.out, visitor.out.len - 1); /* its line end */
	terminal_type(t, buf_text(&visitor.out));
	terminal_type(t, "\r");
	terminal_wait_text(t, "call 1 by client-of-as1-1");
	assert_int_equal(terminal_wait_exit(t), 0);
	program_free(&visitor);
	end_server();
}

static void
test_forgotten_tokens_are_revoked(void **state)
{
	open_scene("revokes");
	struct terminal *t = start_screen(state, "visitor");
	authorize(t);
	e2e_run(t, "forget-tokens!");
	e2e_run(t, "journal");
	e2e_wait(t, "the tokens were revoked at");
	assert_int_equal(logged("/as1/revoke refresh_token of client-of-as1-1 -> 200"), 1);
	leave(t);
}

/* An issuer that differs by a `/`: the pane reports it, and one key accepts it. */
static void
test_issuer_slash_is_accepted(void **state)
{
	open_scene("slash");
	struct terminal *t = start_screen(state, "visitor");
	e2e_press(t, "A");
	e2e_wait(t, "they differ by the `/` at the end");
	e2e_wait(t, "O accept the issuer");
	assert_int_equal(logged("/register"), 0);
	e2e_press(t, "R"); /* asks again, and accepts nothing */
	e2e_wait(t, "they differ by the `/` at the end");
	assert_int_equal(logged("/register"), 0);
	e2e_press(t, "O");
	e2e_wait(t, "ready for the browser");
	e2e_press(t, "O");
	e2e_wait(t, "authorized until");
	leave(t);
}

TEST_FILE(authorize_keys)
{
#define SCREEN(test) cmocka_unit_test_setup_teardown(test, NULL, close_screen)
	const struct CMUnitTest tests[] = {
		SCREEN(test_by_keys),
		SCREEN(test_by_pasting),
		SCREEN(test_not_in_the_history),
		SCREEN(test_pasted_in_the_end),
		SCREEN(test_failure_on_the_screen),
		SCREEN(test_forgotten_tokens_are_revoked),
		SCREEN(test_issuer_slash_is_accepted),
		SCREEN(test_step_up_on_the_screen),
		SCREEN(test_cancelled_while_waiting),
		SCREEN(test_what_to_press),
		SCREEN(test_stray_on_the_screen),
		SCREEN(test_another_run_renews),
		SCREEN(test_refresh_token_in_turns),
		SCREEN(test_pasted_into_a_command),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

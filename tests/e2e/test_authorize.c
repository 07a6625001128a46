/* The whole way from a refusal to a token: by a script with a browser in the small, and by keys on
 * the screen; what goes wrong is said; secrets show nowhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/path.h"
#include "e2e.h"
#include "program.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An authorization server, and where this program keeps what it remembers. */
struct scene {
	struct program server;
	char home[64], log[80], url[64];
	struct buf logged;
};

static struct scene scene;

static void
open_scene(const char *flags)
{
	char words[128], *rest = NULL;
	const char *argv[16] = { mem_strdup(terminal_fixture("authserver")), scene.log };
	char line[32] = "";
	size_t n = 2, len = 0;

	snprintf(scene.home, sizeof(scene.home), "/tmp/mcpane-auth-XXXXXX");
	assert_non_null(mkdtemp(scene.home));
	snprintf(scene.log, sizeof(scene.log), "%s/log", scene.home);
	snprintf(words, sizeof(words), "%s", flags);
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		argv[n++] = w;
	program_start(&scene.server, argv);
	free((char *)argv[0]);
	while (len < sizeof(line) - 1 && read(scene.server.out_fd, line + len, 1) == 1 &&
	       line[len] != '\n')
		len++;
	snprintf(
	    scene.url, sizeof(scene.url), "http://127.0.0.1:%d/mcp", (int)strtol(line, NULL, 10));
	setenv("XDG_STATE_HOME", scene.home, 1);
	setenv("BROWSER", terminal_fixture("visitor"), 1);
}

static char *
tokens_file(void)
{
	return mem_printf("%s/mcpane/tokens.json", scene.home);
}

static void
end_server(void)
{
	if (scene.server.pid == 0)
		return;
	program_finish(&scene.server, "", 0);
	program_free(&scene.server);
	scene.server = (struct program){ 0 };
}

static int
close_scene(void **state)
{
	char *folder = mem_printf("%s/mcpane", scene.home);
	static const char *const names[] = { "tokens.json", "tokens.json.broken" };
	(void)state;

	end_server();
	for (size_t i = 0; i < 2; i++) {
		char *path = mem_printf("%s/%s", folder, names[i]);
		unlink(path);
		free(path);
	}
	rmdir(folder);
	unlink(scene.log);
	rmdir(scene.home);
	free(folder);
	buf_finish(&scene.logged);
	scene = (struct scene){ 0 };
	unsetenv("XDG_STATE_HOME");
	unsetenv("BROWSER");
	return 0;
}

static const char *
log_text(void)
{
	buf_clear(&scene.logged);
	assert_true(path_read_file(scene.log, &scene.logged, NULL));
	return buf_text(&scene.logged);
}

static size_t
logged(const char *line)
{
	size_t count = 0;

	for (const char *at = log_text(); (at = strstr(at, line)); at += strlen(line))
		count++;
	return count;
}

/* Runs mcpane with words and then the URL; out and err are checked for secrets. */
static void
run(struct program *p, int exit_code, const char *words)
{
	const char *argv[16] = { mem_strdup(terminal_program()) };
	char *copy = mem_strdup(words), *rest = NULL;
	size_t n = 1;

	for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		argv[n++] = strcmp(w, "URL") == 0 ? scene.url : w;
	program_run(p, argv);
	assert_null(strstr(buf_text(&p->out), "shh"));
	assert_null(strstr(buf_text(&p->err), "shh"));
	if (p->exit_code != exit_code)
		fail_msg("exit code %d: %s%s", p->exit_code, buf_text(&p->err), buf_text(&p->out));
	free((char *)argv[0]);
	free(copy);
}

static void
run_once(int exit_code, const char *words, const char *said)
{
	struct program p = { 0 };

	run(&p, exit_code, words);
	if (!strstr(buf_text(&p.err), said) && !strstr(buf_text(&p.out), said))
		fail_msg("not said: %s\n%s%s", said, buf_text(&p.err), buf_text(&p.out));
	program_free(&p);
}

/* ---- scripts ---- */

static void
test_login_once(void **state)
{
	struct stat st;
	(void)state;

	open_scene("");
	run_once(3, "list URL", "--login opens the browser");
	assert_int_equal(logged("/register"), 0);
	run_once(0, "call --login URL whoami", "by client-of-as1-1 for read offline_access");
	assert_int_equal(logged("POST /as1/register -> 201"), 1);
	assert_int_equal(logged("authorization_code -> 200"), 1);
	/* kept: neither browser nor registration any more */
	run_once(0, "call URL whoami", "by client-of-as1-1");
	assert_int_equal(logged("/authorize"), 1);
	char *path = tokens_file();
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	free(path);
	run_once(0, "logout URL", "forgotten");
	run_once(3, "list URL", "has to authorize this");
	run_once(0, "logout URL", "nothing was kept");
}

static void
test_refresh(void **state)
{
	(void)state;
	open_scene("onecall");
	run_once(0, "call --login URL whoami", "call 1");
	run_once(0, "call URL whoami", "call 2");
	assert_int_equal(logged("refresh_token -> 200"), 1);
	assert_int_equal(logged("/authorize"), 1);
}

static void
test_no_refresh_token(void **state)
{
	(void)state;
	open_scene("onecall norefresh");
	run_once(0, "call --login URL whoami", "call 1");
	run_once(3, "call URL whoami", "has to authorize this");
}

static void
test_step_up(void **state)
{
	(void)state;
	open_scene("stepup");
	run_once(0, "call --login URL whoami", "for read offline_access write");
	assert_int_equal(logged("/register"), 1);
	assert_int_equal(logged("/authorize"), 2);
}

static void
test_step_up_has_a_limit(void **state)
{
	(void)state;
	open_scene("always403");
	run_once(3, "call --login URL whoami", "after 3 authorizations");
	assert_int_equal(logged("/authorize"), 3);
}

static void
test_migration(void **state)
{
	(void)state;
	open_scene("migrate");
	run_once(0, "call --login URL whoami", "client-of-as1");
	run_once(0, "call --login URL whoami", "client-of-as2");
	assert_int_equal(logged("POST /as2/register"), 1);
	assert_int_equal(logged("POST /as2/token refresh_token"), 0);
}

static void
test_confidential_client(void **state)
{
	(void)state;
	open_scene("secret");
	run_once(0, "call --login URL whoami", "call 1");
}

static void
test_old_servers(void **state)
{
	(void)state;
	open_scene("noprm");
	run_once(0, "call --login URL whoami", "call 1");
	assert_int_equal(logged("GET /.well-known/oauth-authorization-server -> 200"), 1);
	close_scene(NULL);
	open_scene("nodocs");
	run_once(0, "call --login URL whoami", "call 1");
	assert_int_equal(logged("POST /token authorization_code -> 200"), 1);
}

static void
test_given_client(void **state)
{
	(void)state;
	open_scene("noregister");
	run_once(3, "call --login URL whoami", "registers nobody by itself");
	setenv("AUTH_TEST_SECRET", "pw-shh", 1);
	run_once(0,
	    "call --login --client-id mine --client-secret env:AUTH_TEST_SECRET --scope read URL "
	    "whoami",
	    "by mine for read");
	unsetenv("AUTH_TEST_SECRET");
	run_once(1, "call --client-secret env:AUTH_TEST_NONE URL whoami", "has no AUTH_TEST_NONE");
	run_once(1, "call --client-key /nonexistent URL whoami", "cannot open");
}

/* Made for tests: it opens nothing. */
static const char key_pem[] = "-----BEGIN PRIVATE KEY-----\n"
			      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgW8QWluaN++Y08zLS\n"
			      "h6WLRG53Fh5ozbGebv0Vo/+ih0ihRANCAATocUUuef48QOAv+0VhoG3KwZ8l52vz\n"
			      "iVEVhXjCNJs0W8Z0ITr7HBI32r3NaIT8svaDNAWPIWOUFYLhAVK1WkOh\n"
			      "-----END PRIVATE KEY-----\n";

static void
test_client_credentials(void **state)
{
	char path[80], words[200];
	(void)state;

	open_scene("norefresh");
	setenv("AUTH_TEST_SECRET", "pw-shh", 1);
	run_once(0,
	    "call --client-credentials --client-id svc --client-secret env:AUTH_TEST_SECRET URL "
	    "whoami",
	    "call 1 by basic for read");
	unsetenv("AUTH_TEST_SECRET");
	assert_int_equal(logged("/authorize"), 0);
	run_once(0, "logout URL", "forgotten");
	snprintf(path, sizeof(path), "%s/key", scene.home);
	assert_true(path_write_private(path, key_pem, strlen(key_pem), NULL));
	snprintf(words, sizeof(words), "call --client-id svc --client-key %s URL whoami", path);
	run_once(0, words, "call 2 by assertion for read");
	unlink(path);
	run_once(0, "logout URL", "forgotten");
	run_once(3, "call --client-credentials URL whoami", "--client-id names the client");
}

static void
test_what_goes_wrong_is_said(void **state)
{
	static const char *const cases[][2] = {
		{ "denied", "access_denied: not today" },
		{ "mismatch", "speaks of another resource" },
		{ "nopkce", "code_challenge_methods_supported is missing" },
		{ "badissuer", "its issuer is" },
		{ "wrongiss", "comes from another issuer" },
		{ "html", "no authorization server metadata" },
		{ "private", "token_endpoint is not to be used" },
	};
	(void)state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		open_scene(cases[i][0]);
		run_once(3, "call --login URL whoami", cases[i][1]);
		assert_int_equal(logged("/token"), 0);
		close_scene(NULL);
	}
	open_scene("");
}

static void
test_broken_file(void **state)
{
	char *path;
	(void)state;

	open_scene("");
	path = tokens_file();
	assert_true(path_write_private(path, "{\"servers\":[", 12, NULL));
	run_once(0, "call --login URL whoami", "call 1");
	char *broken = mem_printf("%s.broken", path);
	assert_int_equal(access(broken, F_OK), 0);
	free(broken);
	free(path);
	run_once(0, "call URL whoami", "call 2");
}

/* ---- the screen ---- */

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

/* Nobody may be left, the server neither. */
static void
leave(struct terminal *t)
{
	end_server();
	e2e_leave(t);
}

static int
close_screen(void **state)
{
	close_scene(state); /* first: the terminal reaps whatever has ended */
	return e2e_teardown(state);
}

static void
test_by_keys(void **state)
{
	open_scene("");
	struct terminal *t = start_screen(state, terminal_fixture("visitor"));
	e2e_wait(t, "the server wants authorization");
	e2e_see(t, "A shows what it asks for");
	e2e_press(t, "A");
	e2e_wait(t, "has to authorize this, for read offline_access");
	assert_int_equal(logged("/register"), 0); /* nobody agreed yet */
	e2e_press(t, "a");
	e2e_wait(t, "the browser's turn");
	e2e_see(t, "/as1/authorize?response_type=code&client_id=client-of-as1-1");
	assert_int_equal(logged("/authorize"), 0);
	e2e_press(t, "a");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc");
	e2e_wait(t, "whoami");
	e2e_press(t, "f5");
	e2e_wait(t, "call 1 by client-of-as1-1");
	/* every step can be looked at, and holds no secret */
	e2e_press(t, "A");
	for (int i = 0; i < 12; i++) {
		e2e_press(t, "enter");
		e2e_see_not(t, "shh");
		e2e_press(t, "esc");
		e2e_press(t, "up");
	}
	e2e_press(t, "esc w");
	e2e_wait(t, "authorization: token request");
	terminal_assert_never(t, "shh");
	leave(t);
}

/* The browser is elsewhere: its last address is pasted. */
static void
test_by_pasting(void **state)
{
	open_scene("");
	struct terminal *t = start_screen(state, "/nonexistent/browser");
	e2e_wait(t, "has to authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "the browser's turn");
	e2e_press(t, "a");
	e2e_wait(t, "No such file");
	e2e_press(t, "p");
	terminal_type(t, "http://127.0.0.1:1/callback?code=CODE-shh&state=guessed");
	e2e_press(t, "enter");
	e2e_wait(t, "not the address");
	e2e_press(t, "esc f");
	e2e_press(t, "y");
	e2e_wait(t, "nothing is kept");
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
	e2e_wait(t, "has to authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "the browser's turn");
	e2e_press(t, "a");
	e2e_wait(t, "no browser is here");
	char *url = address_on_screen(t);
	program_run(
	    &visitor, (const char *const[]){ terminal_fixture("visitor"), url, "stop", NULL });
	free(url);
	e2e_press(t, "p");
	buf_truncate(&visitor.out, visitor.out.len - 1); /* its line end */
	terminal_paste(t, buf_text(&visitor.out));
	e2e_press(t, "enter");
	e2e_wait(t, "authorized until");
	program_free(&visitor);
	e2e_press(t, "esc");
	e2e_wait(t, "whoami");
	leave(t);
}

static void
test_failure_on_the_screen(void **state)
{
	open_scene("nopkce");
	struct terminal *t = start_screen(state, terminal_fixture("visitor"));
	e2e_wait(t, "the authorization failed");
	e2e_see(t, "without PKCE by S256 it is not to be used");
	e2e_press(t, "A");
	e2e_wait(t, "authorization server metadata");
	e2e_press(t, "enter");
	e2e_wait(t, "token_endpoint_auth_methods_supported");
	leave(t);
}

static void
test_step_up_on_the_screen(void **state)
{
	open_scene("stepup");
	struct terminal *t = start_screen(state, terminal_fixture("visitor"));
	e2e_wait(t, "has to authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "the browser's turn");
	e2e_press(t, "a");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc");
	e2e_wait(t, "whoami");
	e2e_press(t, "f5");
	e2e_wait(t, "has to authorize this");
	e2e_press(t, "A a");
	e2e_wait(t, "the browser's turn");
	e2e_press(t, "a");
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
	struct terminal *t = start_screen(state, terminal_fixture("visitor"));
	e2e_wait(t, "has to authorize this");
	e2e_run(t, "authorize");
	e2e_wait(t, "the browser's turn");
	e2e_press(t, "a");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc");
	e2e_wait(t, "whoami");
	e2e_press(t, "f5");
	e2e_wait(t, "has to authorize this");
	e2e_press(t, "ctrl-c");
	e2e_wait(t, "cancelled");
	e2e_press(t, "A a");
	e2e_wait(t, "the browser's turn");
	e2e_press(t, "a");
	e2e_wait(t, "authorized until");
	e2e_press(t, "esc f5");
	e2e_wait(t, "call 1 by client-of-as1-1");
	assert_int_equal(logged("\"tools/call\" -> 200"), 1);
	leave(t);
}

int
main(void)
{
#define SCRIPT(test) cmocka_unit_test_setup_teardown(test, NULL, close_scene)
#define SCREEN(test) cmocka_unit_test_setup_teardown(test, NULL, close_screen)
	const struct CMUnitTest tests[] = {
		SCRIPT(test_login_once),
		SCRIPT(test_refresh),
		SCRIPT(test_no_refresh_token),
		SCRIPT(test_step_up),
		SCRIPT(test_step_up_has_a_limit),
		SCRIPT(test_migration),
		SCRIPT(test_confidential_client),
		SCRIPT(test_old_servers),
		SCRIPT(test_given_client),
		SCRIPT(test_client_credentials),
		SCRIPT(test_what_goes_wrong_is_said),
		SCRIPT(test_broken_file),
		SCREEN(test_by_keys),
		SCREEN(test_by_pasting),
		SCREEN(test_pasted_in_the_end),
		SCREEN(test_failure_on_the_screen),
		SCREEN(test_step_up_on_the_screen),
		SCREEN(test_cancelled_while_waiting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

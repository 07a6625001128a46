/* SPDX-License-Identifier: MIT */
/* Servers over HTTP that do wrong, seen through the whole program: Streamable HTTP, and HTTP+SSE
 * below /sse. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "e2e.h"
#include "fixture.h"
#include "interop.h"
#include "program.h"
#include "terminal_figures.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct web_server server;

/* Port 0: any; else the one it had before. */
static void
start_server(int port)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", port);
	web_server_start(&server, (const char *[]){ terminal_fixture("httpfault"), text, NULL });
}

static int
set_up(void **state)
{
	start_server(0);
	return 0;
}

static int
tear_down(void **state)
{
	web_server_stop(&server);
	return *state ? e2e_teardown(state) : 0;
}

static int
server_port(void)
{
	return (int)strtol(strrchr(server.url, ':') + 1, NULL, 10);
}

/* ---- commands for scripts ---- */

/* mcpane call URL/path go, with an option or two. Says how long it took, in ms. */
static int64_t
call(const char *url, const char *option, int exit_code, const char *expected)
{
	struct program p = { 0 };
	int64_t began = clock_now_ms();

	program_run(&p, (const char *[]){ terminal_program(), "call", url, "go", "--timeout", "20s",
			    option, NULL });
	int64_t took = clock_now_ms() - began;
	if (p.exit_code != exit_code || strstr(buf_text(&p.err), "hunter2") ||
	    (!strstr(buf_text(&p.out), expected) && !strstr(buf_text(&p.err), expected)))
		fail_msg("%s: exit %d, not %d, or no \"%s\":\n%.2000s\n%.2000s", url, p.exit_code,
		    exit_code, expected, buf_text(&p.out), buf_text(&p.err));
	program_free(&p);
	return took;
}

static int64_t
call_path(const char *path, int exit_code, const char *expected)
{
	char url[360];

	snprintf(url, sizeof(url), "%s%s", server.url, path);
	return call(url, NULL, exit_code, expected);
}

/* The same of both transports. */
static int64_t
call_both(const char *path, int exit_code, const char *expected)
{
	char sse[40];

	snprintf(sse, sizeof(sse), "/sse%s", path);
	call_path(sse, exit_code, expected);
	return call_path(path, exit_code, expected);
}

static void
test_answers(void **state)
{
	call_both("/ok", 0, "all done");
	call_both("/bytes", 0, "caf\xc3\xa9 all done");
	call_both("/moved", 0, "all done");
	call_both("/big", 0, "all done");
	assert_true(call_path("/resumed", 0, "all done") >= 50); /* its retry: */
}

static void
test_refusals(void **state)
{
	call_both("/reset", 4, "in the middle of the response");
	call_both("/redirect", 4, "to another origin: not followed; if the server is there, give");
	call_both("/busy", 4, "the server asks to retry in 7200 s: closed for stocktaking");
	assert_true(call_both("/later", 0, "all done") >= 1000);
}

static void
test_forgotten_session(void **state)
{
	call_path("/lost404", 4, "forgot the session");
	web_server_stop(&server);
	start_server(0);
	call_path("/lost400", 4, "forgot the session");
	web_server_stop(&server);
	start_server(0);
	call_path("/sse/lost404", 4, "HTTP 404 Not Found");
}

static void
test_unreachable(void **state)
{
	char url[300];

	call("http://127.0.0.1:1/mcp", NULL, 4,
	    "connection to 127.0.0.1 port 1: Connection refused");
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/ok", server_port());
	call(url, NULL, 4, "does not speak TLS: perhaps the URL begins with http://");
	call("http://[::1]:1/", NULL, 4, "port 1");
	snprintf(url, sizeof(url), "http://joe:hunter2@127.0.0.1:%d/nothing", server_port());
	call(url, NULL, 4, ": no MCP server is there, neither Streamable HTTP nor HTTP+SSE");
	call_both("/private", 3, "not authorized");
	call_both("/nothing", 4, "neither Streamable HTTP nor HTTP+SSE");
	setenv("http_proxy", "http://joe:hunter2@127.0.0.1:1", 1);
	call_both("/ok", 4, "through the proxy http://127.0.0.1:1 of the environment");
	setenv("NO_PROXY", "127.0.0.1", 1);
	call_both("/ok", 0, "all done");
	unsetenv("NO_PROXY");
	unsetenv("http_proxy");
}

/* A secret in a URL is sent, but never shown; call() checks the output. */
static void
test_secret_query(void **state)
{
	call_both("/ok?token=hunter2", 0, "all done");
	call_both("/nothing?api_key=hunter2", 4, "/nothing?api_key=(hidden): no MCP server");
	call_both("/redirect?key=hunter2", 4, "to another origin: not followed");
	call_both("/private?a=b&Signature=hunter2#c", 3, "?a=b&Signature=(hidden)#c: server");
	call("htt://h/?token=hunter2", NULL, 1,
	    "htt://h/?token=(hidden): a server's URL starts with http://");
	call("http://h:99999/?token=hunter2", NULL, 4, "http://h:99999/?token=(hidden)");
}

/* A server file can request HTTP+SSE directly. */
static void
call_by_file(const char *url, const char *expected)
{
	char path[] = "/tmp/mcpane-test-XXXXXX";
	char *text = mem_printf("{\"mcpServers\":{\"s\":{\"type\":\"sse\",\"url\":\"%s\"}}}", url);
	int fd = mkstemp(path);
	struct program p = { 0 };

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	program_run(&p, (const char *[]){ terminal_program(), "call", "--trust", "--config", path,
			    "go", "--timeout", "5s", NULL });
	unlink(path);
	free(text);
	if (p.exit_code != 4 || !strstr(buf_text(&p.err), expected))
		fail_msg("exit %d, no \"%s\": %s", p.exit_code, expected, buf_text(&p.err));
	program_free(&p);
}

static void
test_unreachable_events(void **state)
{
	char url[80];

	call_by_file(
	    "http://127.0.0.1:1/sse", "connection to 127.0.0.1 port 1: Connection refused");
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/sse/ok", server_port());
	call_by_file(url, "does not speak TLS: perhaps the URL begins with http://");
	call_by_file("http://joe:hunter2@127.0.0.1:99999/", "http://127.0.0.1:99999/");
}

static void
test_slow_head(void **state)
{
	char url[300];

	snprintf(url, sizeof(url), "%s/loris", server.url);
	call(url, "--timeout=500ms", 4, "timed out after 500 ms (head of the response, for 0.");
	snprintf(url, sizeof(url), "%s/mute", server.url);
	call(url, "--timeout=500ms", 4, "timed out after 500 ms (first byte, for 0.");
	snprintf(url, sizeof(url), "%s/sse/loris", server.url);
	call(url, "--timeout=500ms", 4, "timed out after 500 ms (head of the response, for 0.");
	snprintf(url, sizeof(url), "%s/sse/mute", server.url);
	call(
	    url, "--timeout=500ms", 4, "timed out after 500 ms (event stream: body, silent for 0.");
}

/* ---- the screen ---- */

static bool
has_loaded(struct terminal *t, const char *library)
{
	char path[64];
	struct buf maps = BUF_INIT;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)terminal_pid(t));
	assert_true(path_read_file(path, &maps, NULL));
	bool has = strstr(buf_text(&maps), library) != NULL;
	buf_finish(&maps);
	return has;
}

static struct terminal *
open_screen(void **state, const char *path)
{
	char url[300];

	snprintf(url, sizeof(url), "%s%s", server.url, path);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV(url), .rows = 36, .cols = 120 });
	e2e_wait(t, "does what the path says");
	return t;
}

/* Like e2e_leave(), but the server keeps running. */
static void
leave(struct terminal *t)
{
	terminal_keys(t, "ctrl-q");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_assert_restored(t);
}

/* Presses keys that move about; returns the longest time until all was drawn, in ms. */
static double
slowest_key(struct terminal *t, int presses)
{
	static const char *const keys[] = { "tab", "down", "shift-tab", "up" };
	double slowest = 0;

	for (int i = 0; i < presses; i++) {
		int64_t began = clock_now_us();
		terminal_keys(t, keys[i % 4]);
		terminal_barrier(t);
		double took = (double)(clock_now_us() - began) / 1000;
		slowest = took > slowest ? took : slowest;
	}
	return slowest;
}

/* Nor on the screen, in no pane. */
/* A value of the user's environment in a URL of a file, in a parameter of any name. */
static void
test_variable_in_a_url(void **state)
{
	char folder[] = "/tmp/mcpane-url-XXXXXX";
	assert_non_null(mkdtemp(folder));
	char *path = mem_printf("%s/mcp.json", folder);
	char *text =
	    mem_printf("{\"mcpServers\":{\"one\":{\"url\":\"%s/ok?k=${WORD}&a=b\"}}}", server.url);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--config", path, "--server", "one"),
		       .env = ARGV("WORD=hunter2"),
		       .rows = 36,
		       .cols = 120 });

	e2e_wait(t, "does what the path says");
	e2e_press(t, "w / ");
	terminal_type(t, "POST\r");
	terminal_barrier(t);
	e2e_press(t, "home enter");
	e2e_see(t, "/ok?k=${WORD}&a=b HTTP/1.1");
	e2e_see_not(t, "hunter2");
	e2e_press(t, "esc");
	leave(t);
	unlink(path);
	rmdir(folder);
	free(text);
	free(path);
}

static void
test_secret_query_on_screen(void **state)
{
	struct terminal *t = open_screen(state, "/moved?token=hunter2");
	static const char *const views[] = { "", "w", "esc i", "esc S", "esc" };

	for (size_t i = 0; i < ARRAY_LEN(views); i++) {
		e2e_press(t, views[i]);
		e2e_see_not(t, "hunter2");
	}
	e2e_press(t, "f5");
	e2e_wait(t, "all done");
	e2e_press(t, "S");
	e2e_see(t, "?token=(hidden)");
	e2e_press(t, "esc");
	leave(t);
}

/* Who does not use HTTP does not pay for it. */
static void
test_not_loaded(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	assert_false(has_loaded(t, "libcurl") || has_loaded(t, "libcrypto"));
	leave(t);
}

static void
test_loaded(void **state)
{
	struct terminal *t = open_screen(state, "/ok");

	assert_true(has_loaded(t, "libcurl"));
	leave(t);
}

/* An endless answer is not kept in memory, and can be stopped. */
static void
endless(void **state, const char *path)
{
	struct terminal *t = open_screen(state, path);

	e2e_press(t, "f5");
	e2e_wait(t, "running");
	slowest_key(t, 40);
	e2e_run(t, "cancel");
	e2e_wait(t, "cancelled");
	terminal_assert_memory(t, 250);
	leave(t);
}

static void
test_endless(void **state)
{
	endless(state, "/endless");
}

static void
test_endless_events(void **state)
{
	endless(state, "/sse/endless");
}

static void
slow(void **state, const char *path)
{
	struct terminal *t = open_screen(state, path);

	e2e_press(t, "f5");
	e2e_wait(t, "running");
	print_message("slowest key %.1f ms\n", slowest_key(t, 12));
	e2e_wait(t, "waiting for: head of the response, for ");
	e2e_run(t, "cancel");
	e2e_wait(t, "cancelled");
	e2e_press(t, "w");
	e2e_see(t, "it waited for: head of the response");
	e2e_press(t, "esc");
	leave(t);
}

static void
test_slow_servers(void **state)
{
	slow(state, "/loris");
}

static void
test_slow_servers_events(void **state)
{
	slow(state, "/sse/loris");
}

/* A thousand messages a second: none is dropped, and keys are answered. How fast is reported, as
 * it depends on what else the machine does; each barrier has a deadline. */
static void
flood(void **state, const char *below)
{
	long seconds = fixture_flood_s();
	char path[32], all[32];

	snprintf(path, sizeof(path), "%s/flood%ld", below, seconds);
	snprintf(all, sizeof(all), " %ld 000 lines of ", seconds);
	struct terminal *t = open_screen(state, path);
	int64_t until = clock_now_ms() + seconds * 1000;
	double slowest = 0, sum = 0;
	int rounds = 0;
	while (clock_now_ms() < until) {
		double took = slowest_key(t, 4);
		slowest = took > slowest ? took : slowest;
		sum += took;
		rounds++;
	}
	print_message(
	    "slowest key %.1f ms, mean of the slowest of four %.1f ms\n", slowest, sum / rounds);
	e2e_press(t, "w /");
	terminal_type(t, "method:notifications/message dir:in\r");
	e2e_wait(t, all);
	leave(t);
}

static void
test_flood(void **state)
{
	flood(state, "");
}

static void
test_flood_events(void **state)
{
	flood(state, "/sse");
}

/* ---- a server that is started again under an open session ---- */

static void
restart_server(void)
{
	int port = server_port();

	web_server_stop(&server);
	start_server(port);
}

/* The GET stream finds out: a new session without anybody's doing. */
static void
test_restart_while_idle(void **state)
{
	struct terminal *t = open_screen(state, "/quiet");

	e2e_press(t, "w");
	e2e_wait(t, "GET: 200 OK");
	restart_server();
	e2e_wait(t, "GET: 404 Not Found");
	e2e_wait(t, "): initial");
	e2e_press(t, "esc f5");
	e2e_wait(t, "all done");
	leave(t);
}

/* Of HTTP+SSE the stream is the connection: where it ends, another is opened. */
static void
test_restart_events_while_idle(void **state)
{
	struct terminal *t = open_screen(state, "/sse/quiet");

	restart_server();
	e2e_wait(t, "the connection ended: ");
	e2e_see(t, "; connecting again in 1 s");
	terminal_wait_gone(t, "the connection ended");
	e2e_wait(t, "●");
	e2e_press(t, "f5");
	e2e_wait(t, "all done");
	leave(t);
}

/* One key reconnects at once, also after automatic attempts failed. */
static void
test_restart_events_by_key(void **state)
{
	struct terminal *t = open_screen(state, "/sse/quiet");
	int port = server_port();

	web_server_stop(&server);
	e2e_wait(t, "; connecting again in 1 s");
	e2e_see(t, "R reconnect");
	e2e_wait(t, "Connection refused; connecting again in 1 s");
	start_server(port);
	e2e_press(t, "R");
	e2e_wait(t, "httpfault 1 ");
	e2e_press(t, "f5");
	e2e_wait(t, "all done");
	leave(t);
}

/* A server that is gone does not look as if it were there: the GET stream, which is opened again a
 * few times, finds out, or the next call; and either finds it back. */
static void
test_gone_is_told(void **state)
{
	struct terminal *t = open_screen(state, "/quiet");
	int port = server_port();

	e2e_wait(t, "●");
	web_server_stop(&server);
	e2e_wait(t, "○");
	e2e_see(t, "not reached: connection to 127.0.0.1");
	start_server(port);
	e2e_wait(t, "●");
	e2e_press(t, "f5");
	e2e_wait(t, "all done");
	leave(t);
}

static void
test_gone_is_told_by_a_call(void **state)
{
	struct terminal *t = open_screen(state, "/modern");
	int port = server_port();

	e2e_wait(t, "●");
	web_server_stop(&server);
	e2e_press(t, "f5");
	e2e_wait(t, "○");
	start_server(port);
	e2e_press(t, "f5");
	e2e_wait(t, "●");
	e2e_wait(t, "all done");
	leave(t);
}

/* The modern era has no session to lose. */
static void
test_restart_modern(void **state)
{
	struct terminal *t = open_screen(state, "/modern");

	e2e_see(t, "2026-07-28");
	restart_server();
	e2e_press(t, "f5");
	e2e_wait(t, "all done");
	leave(t);
}

/* Without one the next call does. A call before the new session is open is refused. */
static void
test_restart_and_call(void **state)
{
	struct terminal *t = open_screen(state, "/ok");

	restart_server();
	e2e_press(t, "f5");
	e2e_wait(t, "forgot the session");
	do
		e2e_press(t, "f5");
	while (strstr(terminal_screen(t), "the server is still connecting"));
	e2e_wait(t, "all done");
	leave(t);
}

/* A server that is gone for good is reported as such, and one key tries again. */
static void
test_gone(void **state)
{
	struct terminal *t = open_screen(state, "/ok");
	int port = server_port();

	web_server_stop(&server);
	e2e_press(t, "f5");
	e2e_wait(t, "Connection refused");
	e2e_press(t, "R");
	e2e_wait(t, "R reconnects, w shows the messages, S lists the servers");
	e2e_see(t, "R reconnect");
	e2e_press(t, "f5");
	e2e_see(t, "not connected: R reconnects");
	start_server(port);
	e2e_press(t, "R");
	e2e_wait(t, "httpfault 1 ");
	e2e_press(t, "f5");
	e2e_wait(t, "all done");
	leave(t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Ctrl-C at a question ends the session: the loop waits for the answer to DELETE, and asks no more.
 */
static void
test_interrupted_question(void **state)
{
	char url[360];

	snprintf(url, sizeof(url), "%s/asking", server.url);
	struct terminal *t = terminal_start(&(struct terminal_options){
	    .argv = ARGV(terminal_program(), "call", url, "go", "--timeout", "60s") });
	terminal_wait_text(t, "color: string");
	terminal_type(t, "\x03");
	assert_int_equal(terminal_wait_exit(t), 130);
	assert_false(terminal_find(t, "withdrawn", NULL, NULL));
	terminal_close(t);
}

/* The open line of the journal shows what HTTP said before both messages. */
static void
test_heads_in_the_journal(void **state)
{
	struct terminal *t = open_screen(state, "/");

	e2e_press(t, "f5");
	e2e_wait(t, "all done");
	e2e_run(t, "wire");
	e2e_run(t, "filter tool:go");
	e2e_press(t, "end enter");
	e2e_see(t, "POST / HTTP/1.1");
	e2e_see(t, "Content-Type: application/json");
	e2e_see(t, "Mcp-Session-Id: (hidden)");
	e2e_see(t, "HTTP 200 OK");
	e2e_see(t, "\"method\": \"tools/call\"");
	e2e_see(t, "\"text\": \"all done\"");
	e2e_press(t, "esc");
	leave(t);
}

/* A request that the user wrote, with an id of any kind: its failure and its answer are its own. */
static void
test_by_hand(void **state)
{
	struct terminal *t = open_screen(state, "/failing");

	e2e_run(t, "send {\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"ping\"}");
	e2e_run(t, "send {\"jsonrpc\":\"2.0\",\"id\":9007199254740991,\"method\":\"ping\"}");
	e2e_run(t, "send {\"jsonrpc\":\"2.0\",\"id\":\"yours\",\"method\":\"tools/list\"}");
	e2e_run(t, "wire");
	e2e_run(t, "filter id:mine dir:out");
	e2e_wait(t, "ping → ✗ HTTP 500");
	e2e_press(t, "end enter"); /* with the head of the answer, although it is not a reply */
	e2e_see(t, "POST /failing HTTP/1.1");
	e2e_see(t, "HTTP 500 Internal Server Error");
	e2e_press(t, "esc");
	e2e_run(t, "filter id:9007199254740991 dir:out");
	e2e_wait(t, "ping → ✗ HTTP 500");
	e2e_run(t, "filter id:yours dir:out");
	e2e_wait(t, "tools/list → 1 tools");
	e2e_press(t, "end enter");
	e2e_see(t, "HTTP 200 OK");
	e2e_press(t, "esc esc esc");
	leave(t);
}

TEST_FILE(http_faults)
{
	const struct CMUnitTest tests[] = {
		TEST(test_answers),
		TEST(test_heads_in_the_journal),
		TEST(test_interrupted_question),
		TEST(test_by_hand),
		TEST(test_refusals),
		TEST(test_forgotten_session),
		TEST(test_unreachable),
		TEST(test_unreachable_events),
		TEST(test_secret_query),
		TEST(test_slow_head),
		TEST(test_secret_query_on_screen),
		TEST(test_variable_in_a_url),
		TEST(test_not_loaded),
		TEST(test_loaded),
		TEST(test_endless),
		TEST(test_endless_events),
		TEST(test_slow_servers),
		TEST(test_slow_servers_events),
		TEST(test_flood),
		TEST(test_flood_events),
		TEST(test_restart_while_idle),
		TEST(test_restart_events_while_idle),
		TEST(test_restart_events_by_key),
		TEST(test_restart_modern),
		TEST(test_gone_is_told),
		TEST(test_gone_is_told_by_a_call),
		TEST(test_restart_and_call),
		TEST(test_gone),
	};

	unsetenv("http_proxy");
	unsetenv("https_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* A tap between clients and an HTTP server. The test plays both ends, or mcpane is the client of a
 * real server. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "e2e.h"
#include "fixture.h"
#include "interop.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char folder[64];

/* The tap, and the server that it forwards to: a socket of this test. */
static struct stage {
	struct program tap;
	int listener, port; /* of the server */
	int tap_port;
	char *file, *url;
} stage;

static int
make_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/mcpane-tap-http-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	return setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int
remove_folder(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);
	int status = system(command);

	free(command);
	return status;
}

/* ---- sockets ---- */

static int
listen_here(int *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&at, len), 0);
	assert_int_equal(listen(fd, 16), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

static int
dial_port(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

static int
dial(void)
{
	return dial_port(stage.tap_port);
}

static void
wait_fd(int fd, short events, const char *what)
{
	struct pollfd one = { .fd = fd, .events = events };

	if (poll(&one, 1, (int)fixture_deadline_ms()) < 1)
		fail_msg("never came: %s", what);
}

static int
accept_one(void)
{
	wait_fd(stage.listener, POLLIN, "a connection to the server");
	int fd = accept(stage.listener, NULL, NULL);

	assert_true(fd >= 0);
	return fd;
}

static void
put(int fd, const char *text)
{
	size_t len = strlen(text);

	assert_int_equal(send(fd, text, len, MSG_NOSIGNAL), len);
}

/* Append input until it contains the text; NULL: until the end. */
static void
get_until(int fd, struct buf *got, const char *text)
{
	char bytes[65536];

	while (!text || !strstr(buf_text(got), text)) {
		wait_fd(fd, POLLIN, text ? text : "the end");
		ssize_t n = read(fd, bytes, sizeof(bytes));
		if (n <= 0 && text)
			fail_msg("ended before %s: %s", text, buf_text(got));
		if (n <= 0)
			return;
		buf_add(got, bytes, (size_t)n);
	}
}

static void
expect_end(int fd)
{
	struct buf rest = BUF_INIT;

	get_until(fd, &rest, NULL);
	buf_finish(&rest);
}

static void
expect_in(const struct buf *got, const char *text)
{
	if (!strstr(buf_text(got), text))
		fail_msg("no %s in:\n%s", text, buf_text(got));
}

static void
expect_not_in(const struct buf *got, const char *text)
{
	if (strcasestr(buf_text(got), text))
		fail_msg("%s in:\n%s", text, buf_text(got));
}

/* ---- the tap ---- */

/* Its first line is the URL for clients. */
static void
read_url(struct program *p, char **url)
{
	struct buf line = BUF_INIT;

	get_until(p->out_fd, &line, "\n");
	*url = mem_strndup(line.data, strcspn(line.data, "\n"));
	buf_finish(&line);
}

static void
start_tap_of(const char *server, const char *name)
{
	char *program = mem_strdup(terminal_program());

	stage.file = mem_printf("%s/%s", folder, name);
	program_start(&stage.tap,
	    (const char *const[]){ program, "tap", "--output", stage.file, "--listen",
		"127.0.0.1:0", "--allow-origin", "http://localhost:6274", server, NULL });
	read_url(&stage.tap, &stage.url);
	stage.tap_port = (int)strtol(strrchr(stage.url, ':') + 1, NULL, 10);
	free(program);
}

static void
start_tap(const char *name)
{
	char *server;

	stage.listener = listen_here(&stage.port);
	server = mem_printf("http://127.0.0.1:%d/mcp", stage.port);
	start_tap_of(server, name);
	free(server);
}

/* The content of the recording. */
static void
end_tap(struct buf *recorded)
{
	kill(stage.tap.pid, SIGTERM);
	program_finish(&stage.tap, "", 0);
	if (stage.tap.exit_code != 0)
		fail_msg("exit %d: %s", stage.tap.exit_code, buf_text(&stage.tap.err));
	if (recorded)
		assert_true(path_read_regular(stage.file, recorded, NULL, NULL));
	if (stage.listener > 0)
		close(stage.listener);
	program_free(&stage.tap);
	free(stage.file);
	free(stage.url);
	stage = (struct stage){ 0 };
}

static long
memory_kib(const char *row)
{
	char path[64], line[128];
	long kib = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)stage.tap.pid);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, row, strlen(row)) == 0)
			kib = strtol(line + strlen(row), NULL, 10);
	fclose(f);
	assert_true(kib > 0);
#ifdef __SANITIZE_ADDRESS__ /* needs more for everything */
	kib /= 8;
#endif
	return kib;
}

/* ---- what passes ---- */

static void
test_heads_and_bodies(void **state)
{
	struct buf request = BUF_INIT, response = BUF_INIT, recorded = BUF_INIT;

	start_tap("heads.jsonl");
	int client = dial();
	put(client, "POST /mcp?a=1%20b&c HTTP/1.1\r\nHost: localhost\r\nX-One: 1\r\nx-ONE: \t2\r\n"
		    "Authorization: Bearer sk-93ab27\r\nMcp-Session-Id: s-1\r\nAccept: text/x\r\n"
		    "Connection: keep-alive, X-Mine\r\nX-Mine: no\r\nTE: trailers\r\n"
		    "Keep-Alive: 3\r\nAccept-Encoding: gzip\r\nOrigin: http://localhost:6274\r\n"
		    "Content-Length: 46\r\n\r\n"
		    "{\"jsonrpc\":\"2.0\",\r\n\"id\":1,\"method\":\"ping\" \n}\n ");
	int server = accept_one();
	get_until(server, &request, "}\n ");
	expect_in(&request, "POST /mcp?a=1%20b&c HTTP/1.1\r\nHost: 127.0.0.1:");
	expect_in(&request, "\r\nX-One: 1\r\n");
	expect_in(&request, "\r\nx-ONE: 2\r\n");
	expect_in(&request, "\r\nAuthorization: Bearer sk-93ab27\r\nMcp-Session-Id: s-1\r\n");
	expect_in(&request, "\r\nAccept: text/x\r\n");
	expect_in(&request, "\r\nOrigin: http://localhost:6274\r\n");
	expect_in(&request, "\r\nAccept-Encoding: identity\r\n");
	expect_in(&request, "\r\nContent-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\r\n\"id\"");
	expect_not_in(&request, "X-Mine");
	expect_not_in(&request, "\r\nTE:");
	expect_not_in(&request, "Keep-Alive");
	expect_not_in(&request, "User-Agent");
	expect_not_in(&request, "Content-Type");
	put(server,
	    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"a\", scope=\"b\"\r\n"
	    "WWW-Authenticate: Basic realm=\"c\"\r\nConnection: X-Hop\r\nX-Hop: 1\r\n"
	    "Content-Type: application/json; charset=utf-8\r\nContent-Length: 29\r\n\r\n"
	    "{\"error\":\n\"access_token=qq9\"}");
	get_until(client, &response, "qq9\"}");
	expect_in(&response, "HTTP/1.1 401 Unauthorized\r\n");
	expect_in(&response, "WWW-Authenticate: Bearer realm=\"a\", scope=\"b\"\r\n"
			     "WWW-Authenticate: Basic realm=\"c\"\r\n");
	expect_in(&response, "Content-Length: 29\r\n\r\n{\"error\":\n\"access");
	expect_not_in(&response, "X-Hop");
	close(client);
	close(server);
	end_tap(&recorded);
	expect_in(&recorded,
	    "\"direction\":\"sent\",\"exchange\":1,\"message\":{\"jsonrpc\":\"2.0\",  \"id\":1,");
	expect_in(&recorded, "POST /mcp?a=1%20b&c: 401 Unauthorized");
	expect_in(
	    &recorded, "the body is not a message: {\\\"error\\\": \\\"access_token=(hidden)");
	expect_not_in(&recorded, "sk-93ab27");
	expect_not_in(&recorded, "qq9");
	buf_finish(&request);
	buf_finish(&response);
	buf_finish(&recorded);
}

static void
test_statuses(void **state)
{
	static const struct {
		const char *request, *response, *whole;
	} rows[] = {
		{ "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n",
		    "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
		    "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n" },
		{ "DELETE /mcp HTTP/1.1\r\nHost: [::1]:1\r\n\r\n",
		    "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
		    "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n" },
		{ "GET /a/../b//./c HTTP/1.1\r\nHost: localhost\r\n\r\n",
		    "HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
		    "HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: "
		    "0\r\n\r\n" },
		{ "HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
		    "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n",
		    "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" },
		{ "GET /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: old\r\n\r\n",
		    "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone",
		    "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone" },
		{ "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
		    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 405 Method Not Allowed\r\nAllow: "
		    "POST\r\n"
		    "Content-Length: 0\r\n\r\n",
		    "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n" },
	};

	start_tap("statuses.jsonl");
	int client = dial();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf request = BUF_INIT, response = BUF_INIT;
		put(client, rows[i].request);
		/* a new connection for each: no order of them is assumed */
		int server = accept_one();
		get_until(server, &request, "\r\n\r\n");
		size_t line = strcspn(rows[i].request, "\r");
		assert_memory_equal(buf_text(&request), rows[i].request, line);
		put(server, rows[i].response);
		shutdown(server, SHUT_WR);
		get_until(client, &response, rows[i].whole);
		assert_string_equal(buf_text(&response), rows[i].whole);
		close(server);
		buf_finish(&request);
		buf_finish(&response);
	}
	close(client);
	end_tap(NULL);
}

/* Each event is there before the next is sent. */
static void
test_events(void **state)
{
	struct buf request = BUF_INIT, response = BUF_INIT, recorded = BUF_INIT;

	start_tap("events.jsonl");
	int client = dial();
	put(client, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
	int server = accept_one();
	get_until(server, &request, "\r\n\r\n");
	put(server, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
		    "Transfer-Encoding: chunked\r\n\r\n");
	get_until(client, &response, "\r\n\r\n"); /* the head alone, too */
	for (int i = 0; i < 20; i++) {
		char event[200], chunk[240], wanted[40];
		snprintf(wanted, sizeof(wanted), "\"n%d\"}\n\n", i);
		snprintf(event, sizeof(event), "id: %d\ndata: {\"jsonrpc\":\"2.0\",\"method\":%s",
		    i, wanted);
		snprintf(chunk, sizeof(chunk), "%zx\r\n%s\r\n", strlen(event), event);
		put(server, chunk);
		get_until(client, &response, wanted);
	}
	put(server, "0\r\n\r\n");
	get_until(client, &response, "\r\n0\r\n\r\n");
	close(client);
	close(server);
	end_tap(&recorded);
	expect_in(&recorded,
	    "\"received\",\"exchange\":1,\"message\":{\"jsonrpc\":\"2.0\",\"method\":\"n0\"}}");
	expect_in(&recorded,
	    "\"received\",\"exchange\":1,\"message\":{\"jsonrpc\":\"2.0\",\"method\":\"n19\"}}");
	buf_finish(&request);
	buf_finish(&response);
	buf_finish(&recorded);
}

static void
test_two_clients(void **state)
{
	int clients[2], servers[2];

	start_tap("two.jsonl");
	for (int i = 0; i < 2; i++) {
		struct buf request = BUF_INIT;
		clients[i] = dial();
		put(clients[i], "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
				"Transfer-Encoding: chunked\r\n\r\n");
		char body[200];
		snprintf(body, sizeof(body),
		    "20\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\"\r\n7\r\n:\"call%d\r\n2\r\n\"}"
		    "\r\n"
		    "0\r\n\r\n",
		    i);
		put(clients[i], body);
		servers[i] = accept_one();
		get_until(servers[i], &request, i ? "\"call1\"}" : "\"call0\"}");
		expect_in(&request, "\r\nContent-Length: 41\r\n");
		buf_finish(&request);
	}
	for (int i = 1; i >= 0; i--) { /* the later one is answered first */
		struct buf response = BUF_INIT;
		put(servers[i], i ? "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
				  : "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nzero");
		get_until(clients[i], &response, i ? "\r\n\r\none" : "\r\n\r\nzero");
		buf_finish(&response);
		close(clients[i]);
		close(servers[i]);
	}
	end_tap(NULL);
}

/* ---- ends ---- */

static void
test_client_goes(void **state)
{
	struct buf request = BUF_INIT, recorded = BUF_INIT;

	start_tap("client-goes.jsonl");
	for (int streams = 0; streams < 2; streams++) {
		int client = dial();
		put(client, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
		int server = accept_one();
		get_until(server, &request, "\r\n\r\n");
		if (streams) {
			struct buf response = BUF_INIT;
			put(server, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
			get_until(client, &response, "\r\n\r\n");
			buf_finish(&response);
		}
		close(client);
		expect_end(server);
		close(server);
		buf_clear(&request);
	}
	fcntl(stage.tap.err_fd, F_SETFL, O_NONBLOCK);
	char told[1000];
	ssize_t n = read(stage.tap.err_fd, told, sizeof(told) - 1);
	told[n > 0 ? n : 0] = '\0';
	assert_null(strstr(told, "the server does not answer"));
	end_tap(&recorded);
	expect_in(&recorded, "GET /mcp: the client has gone");
	buf_finish(&request);
	buf_finish(&recorded);
}

/* It sends its last word and leaves: the server hears it, as it would without the tap. */
static void
test_last_word(void **state)
{
	struct buf request = BUF_INIT;

	start_tap("last-word.jsonl");
	for (int i = 0; i < 20; i++) {
		int client = dial();
		put(client, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: 1\r\n\r\n");
		close(client);
		int server = accept_one();
		buf_clear(&request);
		get_until(server, &request, "Mcp-Session-Id: 1\r\n");
		expect_end(server);
		close(server);
	}
	end_tap(NULL);
	buf_finish(&request);
}

static void
test_server_goes(void **state)
{
	static const char get[] = "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n";
	struct buf request = BUF_INIT, response = BUF_INIT, recorded = BUF_INIT;

	start_tap("server-goes.jsonl");
	int client = dial();
	put(client, get);
	int server = accept_one();
	get_until(server, &request, "\r\n\r\n");
	put(server, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
		    "Transfer-Encoding: chunked\r\n\r\n5\r\nabc\n\n\r\n");
	get_until(client, &response, "abc\n\n");
	close(server);
	get_until(client, &response, NULL); /* no last chunk: it was cut */
	expect_not_in(&response, "\r\n0\r\n");
	close(client);

	client = dial(); /* it ends at once with its first words: they come all the same */
	put(client, get);
	server = accept_one();
	buf_clear(&request);
	get_until(server, &request, "\r\n\r\n");
	put(server, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
		    "Transfer-Encoding: chunked\r\n\r\n5\r\nxyz\n\n\r\n");
	close(server);
	buf_clear(&response);
	get_until(client, &response, NULL);
	expect_in(&response, "HTTP/1.1 200 OK\r\n");
	expect_in(&response, "xyz\n\n");
	expect_not_in(&response, "\r\n0\r\n");
	close(client);

	client = dial(); /* it ends without a response */
	put(client, get);
	server = accept_one();
	buf_clear(&request);
	get_until(server, &request, "\r\n\r\n");
	close(server);
	buf_clear(&response);
	get_until(client, &response, "\r\n\r\nmcpane tap: no response from the server: ");
	expect_in(&response, "HTTP/1.1 502 Bad Gateway\r\n");
	close(client);

	close(stage.listener); /* connections are refused */
	stage.listener = 0;
	client = dial();
	put(client, get);
	buf_clear(&response);
	get_until(client, &response, "\r\n\r\nmcpane tap: no response from the server: ");
	expect_in(&response, "HTTP/1.1 502 Bad Gateway\r\n");
	close(client);
	end_tap(&recorded);
	expect_in(&recorded, "\"direction\":\"note\",\"text\":\"GET /mcp: 127.0.0.1 port ");
	buf_finish(&request);
	buf_finish(&response);
	buf_finish(&recorded);
}

/* ---- who may come ---- */

static void
test_foreign(void **state)
{
	static const char *const heads[] = { "Host: evil.example", "Host: evil.example:80",
		"Host: localhost.evil.example", "Host: localhost\r\nHost: evil.example", "X: y",
		"Host: localhost\r\nOrigin: https://evil.example",
		"Host: localhost\r\nOrigin: null",
		"Host: localhost\r\nOrigin: http://localhost:6275",
		"Host: localhost\r\nOrigin: http://localhost\r\nOrigin: https://evil.example",
		"Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors",
		"Host: localhost\r\nSec-Fetch-Site: same-site",
		"Host: localhost\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site",
		"Host: 127.0.0.1\r\nOrigin: http://127.0.0.1.evil.example" };
	struct buf recorded = BUF_INIT;

	start_tap("foreign.jsonl");
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		struct buf response = BUF_INIT;
		int client = dial();
		char *head = mem_printf("GET /mcp HTTP/1.%d\r\n%s\r\n\r\n", i != 4, heads[i]);
		put(client, head);
		get_until(client, &response, NULL);
		expect_in(&response, " 403 Forbidden\r\n");
		expect_in(&response, "refused: a request");
		close(client);
		free(head);
		buf_finish(&response);
	}
	struct pollfd server = { .fd = stage.listener, .events = POLLIN };
	assert_int_equal(poll(&server, 1, 0), 0); /* it heard of none */
	end_tap(&recorded);
	expect_in(&recorded, "refused: a request for the host \\\"evil.example:80\\\"");
	expect_in(&recorded, "refused: a request from a page of another site, Origin "
			     "\\\"https://evil.example\\\"");
	buf_finish(&recorded);
}

/* One GET, to the server and back. */
static void
pass_one(const char *head)
{
	struct buf heard = BUF_INIT, response = BUF_INIT;
	int client = dial();
	char *request = mem_printf("GET /mcp HTTP/1.1\r\n%s\r\n\r\n", head);

	put(client, request);
	int server = accept_one();
	get_until(server, &heard, "\r\n\r\n");
	put(server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
	get_until(client, &response, "hi");
	expect_in(&response, " 200 OK\r\n");
	close(server);
	close(client);
	free(request);
	buf_finish(&heard);
	buf_finish(&response);
}

/* Host and Origin: the listener itself, user input, and allowed pages. */
static void
test_own_pages(void **state)
{
	start_tap("pages.jsonl");
	char *own = mem_printf("Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
			       "Sec-Fetch-Site: same-origin",
	    stage.tap_port, stage.tap_port);

	pass_one(own);
	pass_one("Host: localhost\r\nSec-Fetch-Site: none");
	pass_one("Host: localhost\r\nOrigin: http://localhost:6274\r\nSec-Fetch-Site: cross-site");
	free(own);
	end_tap(NULL);
}

/* Connections that say nothing, or never end their head, take no place from those that do. */
static void
test_idle_clients(void **state)
{
	enum { IDLE = 600 };
	static int idle[IDLE];

	start_tap("idle.jsonl");
	for (int i = 0; i < IDLE; i++) {
		idle[i] = dial();
		if (i % 2)
			(void)send(idle[i], "GET /mcp HTTP/1.1\r\nX: ", 22, MSG_NOSIGNAL);
	}
	pass_one("Host: localhost");
	for (int i = 0; i < IDLE; i++)
		close(idle[i]);
	end_tap(NULL);
}

/* Bytes that are not HTTP, and too much of it, end their connection and nothing else. */
static void
test_garbage(void **state)
{
	static const char *const texts[] = { "\x16\x03\x01\x02garbage\r\n\r\n", "GET\r\n\r\n",
		"GET http://evil.example/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"GET /mcp HTTP/1.1\r\nHost: localhost\r\nNo colon\r\n\r\n" };
	struct buf response = BUF_INIT;

	start_tap("garbage.jsonl");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		int client = dial();
		put(client, texts[i]);
		shutdown(client, SHUT_WR);
		get_until(client, &response, NULL);
		expect_not_in(&response, " 200 ");
		close(client);
	}
	int client = dial();
	char *line = mem_zalloc(1 << 20);
	memset(line, 'a', (1 << 20) - 1);
	put(client, "GET /");
	send(client, line, 1 << 20, MSG_NOSIGNAL);
	get_until(client, &response, NULL);
	close(client);
	client = dial();
	put(client, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
	close(accept_one()); /* it lives */
	buf_clear(&response);
	get_until(client, &response, " 502 ");
	close(client);
	end_tap(NULL);
	free(line);
	buf_finish(&response);
}

/* ---- big and slow ---- */

#define BIG ((size_t)32 << 20)

static void *
send_all(int fd, const char *bytes, size_t len, int other, size_t wanted)
{
	struct buf got = BUF_INIT;

	buf_reserve(&got, wanted);
	while (len > 0 || got.len < wanted) {
		struct pollfd both[] = { { .fd = fd, .events = len > 0 ? POLLOUT : 0 },
			{ .fd = other, .events = POLLIN } };
		if (poll(both, 2, (int)fixture_deadline_ms()) < 1)
			fail_msg("stuck with %zu bytes left, %zu there", len, got.len);
		if (both[0].revents & POLLOUT) {
			ssize_t n = send(fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
			assert_true(n > 0 || errno == EAGAIN);
			bytes += n > 0 ? n : 0;
			len -= n > 0 ? (size_t)n : 0;
		}
		if (both[1].revents) {
			char *room = buf_reserve(&got, 1 << 20);
			ssize_t n = read(other, room, 1 << 20);
			assert_true(n > 0);
			buf_commit(&got, (size_t)n);
		}
	}
	return buf_detach(&got);
}

static void
test_big(void **state)
{
	char *big = mem_zalloc(BIG + 1), *got, head[200];
	struct buf seen = BUF_INIT;

	memset(big, 'x', BIG);
	memcpy(big, "{\"jsonrpc\":\"2.0\",\"method\":\"", 27);
	memcpy(big + BIG - 2, "\"}", 2);
	start_tap("big.jsonl");
	int client = dial();
	snprintf(head, sizeof(head),
	    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n", BIG);
	put(client, head);
	send(client, big, 1, 0);
	/* the body continues when it is available */
	size_t at = 1;
	while (at < BIG) {
		wait_fd(client, POLLOUT, "room");
		ssize_t n = send(client, big + at, BIG - at, MSG_DONTWAIT | MSG_NOSIGNAL);
		assert_true(n > 0 || errno == EAGAIN);
		at += n > 0 ? (size_t)n : 0;
	}
	int server = accept_one();
	get_until(server, &seen, "\r\n\r\n");
	const char *body = strstr(seen.data, "\r\n\r\n") + 4;
	size_t there = (size_t)(seen.data + seen.len - body);
	assert_memory_equal(body, big, there);
	got = send_all(client, NULL, 0, server, BIG - there);
	assert_memory_equal(got, big + there, BIG - there);
	free(got);
	snprintf(head, sizeof(head),
	    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
	    BIG);
	put(server, head);
	got = send_all(server, big, BIG, client, BIG + strlen(head));
	assert_memory_equal(strstr(got, "\r\n\r\n") + 4, big, BIG);
	free(got);
	long most = memory_kib("VmHWM:");
	print_message("a body of 32 MiB each way: %ld MiB at most\n", most >> 10);
	assert_true(most < 320L << 10);
	close(client);
	close(server);
	end_tap(NULL);
	free(big);
	buf_finish(&seen);
}

/* The server's stream stops; nothing piles up in between. */
static void
test_slow_client(void **state)
{
	static char piece[65536];
	struct buf request = BUF_INIT, response = BUF_INIT;
	size_t sent = 0;

	start_tap("slow.jsonl");
	int client = dial();
	put(client, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
	int server = accept_one();
	get_until(server, &request, "\r\n\r\n");
	put(server, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
	get_until(client, &response, "\r\n\r\n");
	memset(piece, ':', sizeof(piece)); /* a comment */
	long before = memory_kib("VmRSS:");
	for (;;) {
		struct pollfd out = { .fd = server, .events = POLLOUT };
		if (poll(&out, 1, 500) == 0)
			break;
		ssize_t n = send(server, piece, sizeof(piece), MSG_DONTWAIT | MSG_NOSIGNAL);
		sent += n > 0 ? (size_t)n : 0;
		assert_true(sent < (size_t)64 << 20); /* the sockets' buffers, no more */
	}
	assert_true(memory_kib("VmRSS:") - before < 4 << 10);
	close(server); /* and all of it comes, when the client reads */
	buf_clear(&response);
	get_until(client, &response, "\r\n0\r\n\r\n");
	assert_true(response.len > sent);
	close(client);
	end_tap(NULL);
	buf_finish(&request);
	buf_finish(&response);
}

/* ---- with mcpane as the client ---- */

/* A subcommand, and arguments after the server. */
static void
run_call(const char *const *words, const char *const *server, struct program *p)
{
	const char *argv[24] = { terminal_program(), *words++ };
	size_t n = 2;
	bool is_url = !server[1];

	if (is_url)
		argv[n++] = server[0];
	for (; *words; words++)
		argv[n++] = *words;
	for (; !is_url && *server; server++)
		argv[n++] = *server;
	assert_true(n < ARRAY_LEN(argv));
	program_run(p, argv);
	if (p->exit_code != 0)
		fail_msg("exit %d: %s %s", p->exit_code, buf_text(&p->out), buf_text(&p->err));
}

/* The same bytes from the server, through the tap, and from the replay of its recording. */
static void
test_replay(void **state)
{
	static const char *const calls[][6] = { { "list", "--json" },
		{ "call", "echo", "text=hi", "--json" } };
	struct web_server server;
	struct program direct, tapped, replayed;

	char *program = mem_strdup(terminal_program());
	web_server_start(&server, (const char *const[]){ fixture("webserver"), NULL });
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		char name[32];
		snprintf(name, sizeof(name), "replay-%zu.jsonl", i);
		start_tap_of(server.url, name);
		char *file = mem_strdup(stage.file);
		run_call(calls[i], (const char *const[]){ server.url, NULL }, &direct);
		run_call(calls[i], (const char *const[]){ stage.url, NULL }, &tapped);
		assert_string_equal(buf_text(&tapped.out), buf_text(&direct.out));
		end_tap(NULL);
		run_call(calls[i],
		    (const char *const[]){ "--", program, "replay", file, "--speed", "max", NULL },
		    &replayed);
		assert_string_equal(buf_text(&replayed.out), buf_text(&direct.out));
		program_free(&direct);
		program_free(&tapped);
		program_free(&replayed);
		free(file);
	}
	web_server_stop(&server);
	free(program);
}

static int
by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* A request and its response, in a quiet moment of the machine. */
static int64_t
round_trip_us(int port)
{
	static const char body[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}";
	enum { ROUNDS = 400 };
	int64_t took[ROUNDS];
	int fd = dial_port(port);

	char *request =
	    mem_printf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
		       "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
		strlen(body), body);
	for (int i = 0; i < ROUNDS; i++) {
		struct buf got = BUF_INIT;
		int64_t since = clock_now_us();
		put(fd, request);
		get_until(fd, &got, "here I am\"}]}}");
		took[i] = clock_now_us() - since;
		buf_finish(&got);
	}
	close(fd);
	free(request);
	qsort(took, ROUNDS, sizeof(*took), by_value);
	return took[ROUNDS / 4];
}

static void
test_requests_pass_one_by_one(void **state)
{
	struct web_server server;

	web_server_start(&server, (const char *const[]){ fixture("webserver"), NULL });
	start_tap_of(server.url, "latency.jsonl");
	int64_t floor_us = round_trip_us((int)strtol(strrchr(server.url, ':') + 1, NULL, 10));
	int64_t tap_us = round_trip_us(stage.tap_port);
	print_message("a request and its response: %d us; recorded by a tap %d us\n", (int)floor_us,
	    (int)tap_us);
	end_tap(NULL);
	web_server_stop(&server);
}

static void
test_attach(void **state)
{
	struct web_server server;
	struct program call;

	char *runtime = mem_printf("XDG_RUNTIME_DIR=%s", folder);
	web_server_start(&server, (const char *const[]){ fixture("webserver"), NULL });
	start_tap_of(server.url, "attach.jsonl");
	const struct terminal_options options = {
		.argv = (const char *const[]){ "tap", "--attach", NULL },
		.env = (const char *const[]){ runtime, NULL },
	};
	struct terminal *t = e2e_start(state, &options);
	run_call((const char *const[]){ "call", "echo", "text=hi", NULL },
	    (const char *const[]){ stage.url, NULL }, &call);
	e2e_wait(t, "here I am");
	end_tap(NULL);
	e2e_leave(t);
	program_free(&call);
	web_server_stop(&server);
	free(runtime);
}

static void
test_command_line(void **state)
{
	static const struct {
		const char *words[5], *why;
	} rows[] = {
		{ { "tap", "--listen", "127.0.0.1:0" }, "the server's URL is missing" },
		{ { "tap", "http://localhost/" }, "a URL goes with --listen" },
		{ { "record", "/tmp/x", "http://localhost/" }, "a URL goes with --listen" },
		{ { "tap", "--listen", "evil.example:0", "http://localhost/" },
		    "not an address and a port" },
		{ { "tap", "--listen", "127.0.0.1:99999", "http://localhost/" },
		    "not an address and a port" },
		{ { "tap", "--listen", "127.0.0.1:0", "ftp://localhost/" },
		    "not an http or https URL" },
		{ { "tap", "--attach", "--listen", "127.0.0.1:0" }, "--attach shows a tap" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *argv[7] = { terminal_program() };
		struct program p;
		memcpy(argv + 1, rows[i].words, sizeof(rows[i].words));
		program_run(&p, argv);
		assert_int_not_equal(p.exit_code, 0);
		if (!strstr(buf_text(&p.err), rows[i].why))
			fail_msg("no \"%s\": %s", rows[i].why, buf_text(&p.err));
		program_free(&p);
	}
}

TEST_FILE(tap_http)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads_and_bodies),
		cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_two_clients),
		cmocka_unit_test(test_client_goes),
		cmocka_unit_test(test_last_word),
		cmocka_unit_test(test_server_goes),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_own_pages),
		cmocka_unit_test(test_idle_clients),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_big),
		cmocka_unit_test(test_slow_client),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_requests_pass_one_by_one),
		cmocka_unit_test_teardown(test_attach, e2e_teardown),
		cmocka_unit_test(test_command_line),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

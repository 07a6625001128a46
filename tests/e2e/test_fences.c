/* SPDX-License-Identifier: MIT */
/* The fences around an app, each alone: a Chromium started without the others meets every way out
 * that a page knows (tests/apps/evil/network.html). Without any of them the same page gets out, so
 * the listeners would notice. */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "engine/parts.h"
#include "fixture.h"
#include "listeners.h"
#include "loop/child.h"
#include "real_engine.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A relay between the engine and Chromium: with `lets_through` it turns the engine's refusals into
 * permissions. */
struct relay {
	struct stream_in in[2];
	struct stream_out out[2];
	int ends[2]; /* to the engine, to Chromium */
	struct buf message;
	bool lets_through;
};

struct world {
	struct loop *loop;
	struct child *child;
	struct engine_process process;
	struct engine_folder folder;
	struct relay relay;
	struct engine *engine;
	struct app_view *view;
	char *said; /* by the page */
	struct listeners outside;
	size_t connections, datagrams;
	struct buf lines; /* the first line that each connection has sent; "" for one without */
};

/* ---- listeners ---- */

/* Accept connections; each gets a moment to send its request. */
static void
take_arrivals(struct world *w)
{
	char bytes[4096];

	while (recv(w->outside.udp, bytes, sizeof(bytes), 0) >= 0)
		w->datagrams++;
	for (int fd; (fd = accept(w->outside.tcp, NULL, NULL)) >= 0; close(fd)) {
		struct timeval moment = { .tv_usec = 200000 };
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof(moment));
		ssize_t len = recv(fd, bytes, sizeof(bytes) - 1, 0);
		bytes[len > 0 ? len : 0] = '\0';
		bytes[strcspn(bytes, "\r\n")] = '\0';
		buf_addf(&w->lines, "%.60s\n", bytes);
		w->connections++;
	}
}

/* ---- Chromium ---- */

static void
forward(struct stream_out *out, const char *bytes, size_t len)
{
	assert_true(stream_out_add(out, bytes, len));
	stream_out_flush(out);
}

static void
from_chromium(void *user, const char *bytes, size_t len)
{
	forward(&((struct relay *)user)->out[0], bytes, len);
}

static void
from_engine(void *user, const char *bytes, size_t len)
{
	struct relay *r = user;
	const char *nul;

	buf_add(&r->message, bytes, len);
	while (r->message.len > 0 && (nul = memchr(r->message.data, 0, r->message.len))) {
		struct buf one = BUF_INIT;
		buf_add(&one, r->message.data, (size_t)(nul - r->message.data));
		if (r->lets_through) {
			buf_replace(&one, "Fetch.failRequest", "Fetch.continueRequest");
			buf_replace(&one, ",\"errorReason\":\"BlockedByClient\"", "");
		}
		buf_add_char(&one, '\0');
		forward(&r->out[1], one.data, one.len);
		buf_finish(&one);
		buf_consume(&r->message, (size_t)(nul - r->message.data) + 1);
	}
}

static void
ignore_exit(void *user, const struct child_status *status)
{
}

/* Like engine/launch, but without its measures against network access, and possibly without
 * namespaces. Chromium's own protection of local networks is off, because it would hide a failure
 * of ours. */
static int
start_bare(struct world *w, bool namespaces)
{
	static const char *const nothing[] = { NULL };
	static const struct child_ladder quick = { .grace_ms = 0, .kill_ms = 300 };
	struct err err = { "" };
	uid_t uid = geteuid() == 0 ? 65534 : 0;
	char *program = engine_find(NULL, &err);
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	if (!namespaces)
		assert_true(
		    engine_folder_create(&w->folder, engine_folders_parent(), uid, uid, &err));
	char *files = namespaces ? mem_strdup("/dev/shm") : mem_printf("%s/files", w->folder.path);
	char *home = mem_printf("HOME=%s", files),
	     *data = mem_printf("--user-data-dir=%s/p", files);
	const char *argv[] = { program, "--remote-debugging-pipe", "--no-first-run",
		"--disable-gpu", "--hide-scrollbars", "--site-per-process",
		"--block-new-web-contents", "--disable-background-networking",
		"--disable-component-update", "--disable-dev-shm-usage",
		"--allow-loopback-in-peer-connection",
		"--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,"
		"PrivateNetworkAccessSendPreflights,LocalNetworkAccessChecksWebRTC",
		data, "about:blank", NULL };
	const char *env[] = { home, "PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL };
	const struct child_confinement confined = { .passed = ends[1],
		.uid = uid,
		.gid = uid,
		.namespaces = namespaces,
		.hidden = nothing };
	w->child = child_spawn(w->loop,
	    &(struct child_options){ .argv = argv,
		.env = env,
		.inherits = nothing,
		.ladder = &quick,
		.confined = &confined },
	    ignore_exit, NULL, &err);
	assert_string_equal(err.text, "");
	close(ends[1]);
	free(program);
	free(files);
	free(home);
	free(data);
	return ends[0];
}

/* As the program starts it if namespaces are not available. */
static int
start_with_options(struct world *w)
{
	struct err err = { "" };
	char *program = engine_find(NULL, &err);

	w->process.fence = FENCE_PLAIN;
	w->process.on_exit = ignore_exit;
	assert_true(engine_launch(&w->process, w->loop, program, &err));
	free(program);
	return w->process.socket;
}

/* ---- the page ---- */

static void
on_frame(void *user, const struct app_view_frame *frame)
{
	struct world *w = user;

	free(w->said);
	w->said = mem_strdup(frame->text);
	app_view_drawn(w->view);
}

static void
read_page(struct world *w, struct buf *html)
{
	char number[16];
	struct err err;

	assert_true(path_read_file("tests/apps/evil/network.html", html, &err));
	buf_replace(html, "<!-- mcp.js -->",
	    "<script>const mcp={start:()=>{parent.postMessage(1,'*');return Promise.resolve()}}"
	    "</script>");
	snprintf(number, sizeof(number), "%d", w->outside.tcp_port);
	buf_replace(html, "{{TCP}}", number);
	snprintf(number, sizeof(number), "%d", w->outside.udp_port);
	buf_replace(html, "{{UDP}}", number);
}

#define STRICT                                                                                \
	"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' "            \
	"'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; " \
	"frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'"

static void
open_page(struct world *w, const char *csp)
{
	struct app_view_events events = { .user = w, .on_frame = on_frame };
	struct buf html = BUF_INIT;

	read_page(w, &html);
	const struct app_view_options options = { .html = buf_text(&html),
		.html_len = html.len,
		.csp = csp,
		.size = { 640, 320, 160, 80 },
		.world_script = "globalThis.collect=()=>document.body.innerText",
		.collect = "collect()",
		.load_ms = 60000 };
	w->view = app_view_open(w->engine, &options, &events);
	buf_finish(&html);
}

static void
world_run(struct world *w, int chromium, bool asks_engine, const char *csp)
{
	struct engine_options options = { .start_ms = 60000 };
	int ends[2];

	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
	w->relay.lets_through = !asks_engine;
	w->relay.ends[0] = ends[1];
	w->relay.ends[1] = chromium;
	for (int i = 0; i < 2; i++) {
		stream_in_init(&w->relay.in[i], w->loop, w->relay.ends[i],
		    i == 0 ? from_engine : from_chromium, NULL, &w->relay);
		stream_out_init(&w->relay.out[i], w->loop, w->relay.ends[i], (size_t)96 << 20);
	}
	options.peer = ends[0];
	w->engine = engine_create(w->loop, &options, NULL);
	open_page(w, csp);
	int64_t until_ms = clock_now_ms() + 6 * fixture_deadline_ms();
	while (!w->said || !strstr(w->said, "ways tried")) {
		assert_true(clock_now_ms() < until_ms);
		loop_turn(w->loop, 20);
		take_arrivals(w);
	}
	/* wait for packets in flight */
	for (int64_t end_ms = clock_now_ms() + 500; clock_now_ms() < end_ms;) {
		loop_turn(w->loop, 20);
		take_arrivals(w);
	}
	print_message("%zu connections, %zu datagrams; %s\n%s", w->connections, w->datagrams,
	    strstr(w->said, "ways tried"), buf_text(&w->lines));
}

static int
setup(void **state)
{
	struct world *w = mem_zalloc(sizeof(*w));

	w->loop = loop_create(NULL, NULL, NULL);
	w->folder.lock = w->process.folder.lock = -1;
	listeners_open(&w->outside);
	*state = w;
	return 0;
}

static int
teardown(void **state)
{
	struct world *w = *state;

	app_view_close(w->view);
	engine_destroy(w->engine);
	if (w->child)
		kill(-child_pid(w->child), SIGKILL);
	child_destroy(w->child);
	engine_process_finish(&w->process);
	engine_folder_remove(&w->folder);
	for (int i = 0; i < 2; i++) {
		stream_in_finish(&w->relay.in[i]);
		stream_out_finish(&w->relay.out[i]);
		close(w->relay.ends[i]);
	}
	child_end_all(w->loop);
	loop_destroy(w->loop);
	buf_finish(&w->relay.message);
	buf_finish(&w->lines);
	free(w->said);
	listeners_close(&w->outside);
	free(w);
	return 0;
}

/* ---- each alone ---- */

/* Else nothing that follows proves anything. */
static void
test_without_fences_it_gets_out(void **state)
{
	struct world *w = *state;

	world_run(w, start_bare(w, false), false, NULL);
	assert_non_null(strstr(buf_text(&w->lines), "GET /fetch HTTP/1.1"));
	assert_non_null(strstr(buf_text(&w->lines), "GET /socket HTTP/1.1"));
	assert_non_null(strstr(buf_text(&w->lines), "GET /img HTTP/1.1"));
	assert_true(w->datagrams > 0);
}

static void
test_namespace_alone(void **state)
{
	struct world *w = *state;

	world_run(w, start_bare(w, true), false, NULL);
	assert_int_equal(w->connections, 0);
	assert_int_equal(w->datagrams, 0);
}

static void
test_options_alone(void **state)
{
	struct world *w = *state;

	world_run(w, start_with_options(w), false, NULL);
	assert_int_equal(w->connections, 0);
	assert_int_equal(w->datagrams, 0);
}

/* A content security policy does not cover WebRTC. */
static void
test_policy_alone(void **state)
{
	struct world *w = *state;

	world_run(w, start_bare(w, false), false, STRICT);
	assert_null(strstr(buf_text(&w->lines), "HTTP/1"));
}

/* Nor does interception, nor of sockets and of connections ahead of a request. */
static void
test_interception_alone(void **state)
{
	struct world *w = *state;

	world_run(w, start_bare(w, false), true, NULL);
	buf_replace(&w->lines, "GET /socket HTTP/1.1", "");
	assert_null(strstr(buf_text(&w->lines), "HTTP/1"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

TEST_FILE(fences)
{
	const struct CMUnitTest tests[] = {
		TEST(without_fences_it_gets_out),
		TEST(namespace_alone),
		TEST(options_alone),
		TEST(policy_alone),
		TEST(interception_alone),
	};

	if (!real_engine_is_here())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

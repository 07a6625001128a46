/* SPDX-License-Identifier: MIT */
/* A recording instead of a server, and the time line to move along it. */
#include "e2e.h"
#include "program.h"
#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/mcpane-open-XXXXXX";

/* A line of a recording, a second after the last, with ' for ". */
static void
add(struct buf *file, const char *members)
{
	static int second;

	buf_addf(file, "{\"time\":\"2026-07-28T12:%02d:%02d.5Z\",", 3 + second / 60, second % 60);
	second++;
	for (; *members; members++)
		buf_add_char(file, *members == '\'' ? '"' : *members);
	buf_add_str(file, "}\n");
}

#define SENT "'direction':'sent','message':{'jsonrpc':'2.0',"
#define RECEIVED "'direction':'received','message':{'jsonrpc':'2.0',"
#define USERS(name) "{'content':[],'structuredContent':{'users':[{'name':'" name "','age':4}]}}"

static int
write_recording(void **state)
{
	struct buf file = BUF_INIT;
	int fd = mkstemp(path);

	add(&file, "'mcpane':'session','version':1,'server':'node s.js','secrets':'hidden'");
	add(&file,
	    SENT "'id':'i','method':'initialize','params':{'protocolVersion':'2025-06-18'}}");
	add(&file, RECEIVED "'id':'i','result':{'protocolVersion':'2025-06-18','capabilities':"
			    "{'tools':{}},'serverInfo':{'name':'their-server','version':'7'}}}");
	add(&file, SENT "'id':1,'method':'tools/list'}");
	add(&file, RECEIVED "'id':1,'result':{'tools':[{'name':'users','inputSchema':{'type':"
			    "'object'},'outputSchema':{'type':'object','properties':{'users':"
			    "{'type':'array','items':{'type':'object','properties':{'name':{'type':"
			    "'string'},'age':{'type':'string'}}}}}}},{'name':'other','inputSchema':"
			    "{'type':'object'}}]}}");
	add(&file, SENT "'id':2,'method':'tools/call','params':{'name':'users'}}");
	buf_add_str(&file, "{\"time\": this line is damaged\n");
	add(&file, RECEIVED "'id':2,'result':" USERS("Adelheid") "}");
	add(&file, "'direction':'stderr','text':'one more time'");
	add(&file, SENT "'id':3,'method':'tools/call','params':{'name':'users'}}");
	add(&file, RECEIVED "'id':3,'result':" USERS("Balthasar") "}");
	add(&file, SENT "'id':4,'method':'tools/call','params':{'name':'other'}}");
	add(&file, "'direction':'exit','code':3,'text':'exit code 3'");
	bool ok = fd >= 0 && path_write_fd(fd, file.data, file.len);
	buf_finish(&file);
	return ok ? close(fd) : -1;
}

static int
remove_recording(void **state)
{
	return unlink(path);
}

static struct terminal *
open_recording(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("open", path), .env = ARGV("TZ=UTC") });

	e2e_wait(t, "11/11 · 1 damaged");
	return t;
}

/* All panes are as if it had just happened. */
static void
test_all_of_it(void **state)
{
	struct terminal *t = open_recording(state);

	e2e_see(t, "12:03:11.500");
	e2e_see(t, "exit code 3"); /* the last call, and what ended it */
	e2e_run(t, "tool users");
	e2e_see(t, "Balthasar");
	e2e_see_not(t, "Adelheid");
	e2e_see(t, "expected a string");
	e2e_press(t, "w");
	e2e_see(t, "initialize");
	e2e_see(t, "1.0 s    108 B"); /* as long as it took */
	e2e_see(t, "one more time");
	e2e_see(t, "12:03:08.5");
	e2e_leave(t);
}

static void
test_time_line(void **state)
{
	struct terminal *t = open_recording(state);

	e2e_run(t, "time-line 5");
	e2e_wait(t, "5/11");
	e2e_see(t, "❚❚ 12:03:05.500");
	e2e_see(t, "users");
	e2e_see(t, "running 0"); /* the call was just made */
	e2e_see_not(t, "Adelheid");
	e2e_press(t, "alt-.");
	e2e_wait(t, "6/11");
	e2e_see(t, "Adelheid");
	e2e_press(t, "alt-. alt-. alt-.");
	e2e_wait(t, "9/11");
	e2e_see(t, "Balthasar");
	e2e_press(t, "alt-,");
	e2e_wait(t, "8/11");
	e2e_see_not(t, "Balthasar");
	e2e_run(t, "time-line start");
	e2e_wait(t, "0/11");
	e2e_see_not(t, "their-server");
	e2e_run(t, "time-line 2");
	e2e_wait(t, "2/11");
	e2e_run(t, "time-line end");
	e2e_wait(t, "11/11");
	e2e_run(t, "tool users");
	e2e_see(t, "Balthasar");
	e2e_run(t, "time-line nonsense");
	e2e_see(t, "a line number, +N, -N, start, end, play [SPEED] or pause");
	e2e_leave(t);
}

/* The mouse on the bar; and it plays. */
static void
test_bar(void **state)
{
	struct terminal *t = open_recording(state);

	terminal_click(t, 0, 70); /* about the middle */
	e2e_wait(t, "❚❚ 12:03:0");
	e2e_see_not(t, "11/11");
	e2e_run(t, "time-line start");
	e2e_wait(t, "0/11");
	e2e_run(t, "time-line play 100");
	e2e_wait(t, "11/11");
	e2e_see(t, "exit code 3");
	e2e_leave(t);
}

/* Nothing can be sent, and that is said. */
static void
test_answers_nobody(void **state)
{
	struct terminal *t = open_recording(state);

	e2e_run(t, "time-line 9");
	e2e_wait(t, "9/11");
	e2e_run(t, "call");
	e2e_see(t, "a recording cannot answer calls: mcpane replay makes a server of it");
	e2e_run(t, "restart");
	e2e_wait(t, "11/11");
	e2e_leave(t);
}

static void
test_no_recording(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("open", "/nonexistent.jsonl") });

	e2e_wait(t, "cannot read /nonexistent.jsonl");
	e2e_leave(t);
	e2e_teardown(state);
	t = e2e_start(state, &(struct terminal_options){ .argv = ARGV("open", "/etc/passwd") });
	e2e_wait(t, "no line of it is of a recording");
	e2e_leave(t);
}

/* ---- a running tap ---- */

static void
say(const struct program *p, const char *line)
{
	assert_int_equal(write(p->in, line, strlen(line)), strlen(line));
}

/* The second terminal shows earlier messages, new ones, and the end. */
static void
test_attach(void **state)
{
	char folder[] = "/tmp/mcpane-tap-XXXXXX", *runtime, *socket, *program, *remove;
	struct stat status;
	struct program p;

	assert_non_null(mkdtemp(folder));
	runtime = mem_printf("XDG_RUNTIME_DIR=%s", folder);
	remove = mem_printf("rm -rf %s", folder);
	program = mem_strdup(terminal_program());
	setenv("XDG_RUNTIME_DIR", folder, 1);
	program_start(&p, ARGV(program, "tap", "--", program, "--serve-demo"));
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		"\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
		"\"name\":\"x\",\"version\":\"1\"}}}\n");
	char byte;
	assert_int_equal(read(p.out_fd, &byte, 1), 1); /* it runs */
	socket = mem_printf("%s/mcpane/tap-%d.sock", folder, (int)p.pid);
	assert_int_equal(stat(socket, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){ .argv = ARGV("tap", "--attach"), .env = ARGV(runtime) });
	e2e_wait(t, "2/2");
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n");
	e2e_wait(t, "bad_rows");
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
		"\"name\":\"list_users\",\"arguments\":{}}}\n");
	e2e_wait(t, "Charlie");
	e2e_press(t, "alt-,");
	e2e_wait(t, "5/6");
	program_finish(&p, "", 0);
	assert_int_equal(p.exit_code, 0);
	e2e_run(t, "time-line end");
	e2e_wait(t, "8/8");
	e2e_leave(t);
	assert_int_equal(stat(socket, &status), -1);
	e2e_teardown(state);
	t = e2e_start(state,
	    &(struct terminal_options){ .argv = ARGV("tap", "--attach"), .env = ARGV(runtime) });
	e2e_wait(t, "no tap is running");
	e2e_leave(t);
	unsetenv("XDG_RUNTIME_DIR");
	program_free(&p);
	assert_int_equal(system(remove), 0);
	free(runtime);
	free(socket);
	free(program);
	free(remove);
}

TEST_FILE(open)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_all_of_it, e2e_teardown),
		cmocka_unit_test_teardown(test_time_line, e2e_teardown),
		cmocka_unit_test_teardown(test_bar, e2e_teardown),
		cmocka_unit_test_teardown(test_answers_nobody, e2e_teardown),
		cmocka_unit_test_teardown(test_no_recording, e2e_teardown),
		cmocka_unit_test_teardown(test_attach, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, write_recording, remove_recording);
}

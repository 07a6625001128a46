/* SPDX-License-Identifier: MIT */
/* The journal as a user has it, on servers of both transports and on one that does wrong: a request
 * edited and sent again, anything sent raw, and exports that hold no secret unless that is wanted.
 */
#include "e2e.h"
#include "interop.h"
#include "test.h"

#include "base/mem.h"
#include "base/path.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

#define SECRET "sk-93ab27c1d4e5f6"
#define TYPED                                                  \
	"send! "                                               \
	"{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"x/" \
	"y\",\"params\":{\"api_token\":\"" SECRET "\"}}"

static struct web_server server;

static struct terminal *
start(void **state, const char *const *argv)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = argv,
				 .env = ARGV("VISUAL", "EDITOR=sh tests/fixtures/editor.sh") });

	e2e_wait(t, "●");
	return t;
}

static void
export_to(struct terminal *t, const char *format, const char *path)
{
	char *line = mem_printf("export-journal %s %s", format, path);

	e2e_run(t, line);
	e2e_wait(t, "wrote ");
	e2e_press(t, "esc");
	e2e_run(t, "pane journal");
	free(line);
}

/* Each line, or the whole, is JSON. */
static struct buf
read_export(const char *path, bool lines, bool has_secret)
{
	struct buf text = BUF_INIT;

	assert_true(path_read_file(path, &text, NULL));
	assert_true(text.len > 100);
	for (const char *at = buf_text(&text); *at;) {
		size_t len = lines ? strcspn(at, "\n") : strlen(at);
		struct json_doc *doc = json_parse(at, len, NULL, NULL);
		if (!doc)
			fail_msg("no JSON: %.300s", at);
		json_doc_destroy(doc);
		at += len + (at[len] == '\n');
	}
	if ((strstr(buf_text(&text), SECRET) != NULL) != has_secret)
		fail_msg("%s %s the secret:\n%.3000s", path, has_secret ? "lacks" : "has",
		    buf_text(&text));
	return text;
}

/* Send the typed message, and the last request of this name, edited. */
static void
send_by_hand(struct terminal *t, const char *tool, const char *other, const char *answer)
{
	char *edited = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\","
				  "\"params\":{\"name\":\"%s\",\"arguments\":{}}}\r",
	    other);
	char *filter = mem_printf("filter tool:%s", tool);

	e2e_run(t, TYPED);
	e2e_run(t, "wire");
	e2e_run(t, "filter id:mine");
	e2e_wait(t, "x/y");
	e2e_run(t, filter);
	e2e_press(t, "end ctrl-e");
	terminal_wait_text(t, "sh tests/fixtures/editor.sh");
	terminal_wait_text(t, "\"arguments\"");
	terminal_type(t, edited);
	terminal_wait_gone(t, "sh tests/fixtures/editor.sh");
	e2e_run(t, "clear-find");
	e2e_wait(t, answer);
	free(edited);
	free(filter);
}

static void
test_stdio(void **state)
{
	char *program = mem_strdup(terminal_program());
	struct terminal *t = start(state, ARGV("--era", "legacy", "--", program, "--serve-demo"));
	char *jsonl = e2e_file(t, "j.jsonl", NULL), *kept = e2e_file(t, "k.jsonl", NULL);

	e2e_run(t, "tool list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "Alice");
	send_by_hand(t, "list_users", "list_usurp", "Unknown tool: list_usurp");
	export_to(t, "jsonl", jsonl);
	export_to(t, "--with-secrets jsonl", kept);
	struct buf text = read_export(jsonl, true, false);
	assert_non_null(strstr(buf_text(&text), "list_usurp"));
	buf_finish(&text);
	text = read_export(kept, true, true);
	buf_finish(&text);
	e2e_run(t, "export-journal har /tmp/none");
	e2e_wait(t, "HTTP");
	e2e_leave(t);
	free(program);
	free(jsonl);
	free(kept);
}

static void
test_http(void **state)
{
	web_server_start(&server, (const char *[]){ terminal_fixture("httpfault"), "0", NULL });
	struct terminal *t = start(state, ARGV("-H", "Authorization: Bearer " SECRET, server.url));
	char *jsonl = e2e_file(t, "j.jsonl", NULL), *har = e2e_file(t, "j.har", NULL);
	char *curl = e2e_file(t, "j.sh", NULL);
	struct buf text = BUF_INIT;

	e2e_wait(t, "go");
	e2e_run(t, "tool go");
	e2e_press(t, "f5");
	e2e_wait(t, "done");
	send_by_hand(t, "go", "gone", "gone → ");
	export_to(t, "jsonl", jsonl);
	export_to(t, "har", har);
	e2e_run(t, "filter tool:go");
	e2e_press(t, "end");
	export_to(t, "curl", curl);
	text = read_export(jsonl, true, false);
	buf_finish(&text);
	text = read_export(har, false, false);
	assert_non_null(strstr(buf_text(&text), "\"entries\""));
	assert_non_null(strstr(buf_text(&text), "tools/call"));
	buf_finish(&text);
	assert_true(path_read_file(curl, &text, NULL));
	assert_non_null(strstr(buf_text(&text), "curl "));
	assert_non_null(strstr(buf_text(&text), "tools/call"));
	assert_null(strstr(buf_text(&text), SECRET));
	buf_finish(&text);
	e2e_leave(t);
	web_server_stop(&server);
	free(jsonl);
	free(har);
	free(curl);
}

/* Bytes that are no UTF-8, and answers to nothing. */
static void
test_broken(void **state)
{
	static const char *const modes[] = { "invalid-utf8", "unknown-ids", "garbage-first" };

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		char *bad = mem_strdup(terminal_fixture("badserver"));
		struct terminal *t = start(state, ARGV("--", bad, modes[i]));
		char *jsonl = e2e_file(t, "j.jsonl", NULL);
		e2e_run(t, "tool echo");
		e2e_run(t, "call!");
		e2e_wait(t, "last ");
		e2e_run(t, TYPED);
		e2e_run(t, "wire");
		e2e_press(t, "end .");
		export_to(t, "jsonl", jsonl);
		struct buf text = read_export(jsonl, true, false);
		assert_non_null(strstr(buf_text(&text), "tools/call"));
		buf_finish(&text);
		e2e_leave(t);
		e2e_teardown(state);
		free(jsonl);
		free(bad);
	}
}

TEST_FILE(journal)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_stdio, e2e_teardown),
		cmocka_unit_test_teardown(test_http, e2e_teardown),
		cmocka_unit_test_teardown(test_broken, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

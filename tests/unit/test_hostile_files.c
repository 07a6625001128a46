/* SPDX-License-Identifier: MIT */
/* A project brings its server files: any content is read in little time, and the list reports what
 * was left out. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/server_file.h"
#include "fixture.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 100000 };

/* The piece so often, %d being its number, with commas between. */
static void
add_many(struct buf *out, const char *piece, int count)
{
	char *json = quoted(piece);
	const char *number = strstr(json, "%d");

	for (int i = 0; i < count; i++)
		buf_addf(
		    out, "%s%.*s%d%s", i ? "," : "", (int)(number - json), json, i, number + 2);
	free(json);
}

/* Each took minutes in quadratic time, and has the deadline of a test. */

/* The file as this many servers; the last one reports what was left out. */
static void
assert_read(struct buf *text, const char *path, size_t count, const char *trouble)
{
	struct server_file c;
	struct err err = { "" };
	int64_t start = clock_now_ms();

	if (!server_file_parse(&c, buf_text(text), text->len, path, &err))
		fail_msg("%s", err.text);
	assert_in_range(clock_now_ms() - start, 0, fixture_deadline_ms());
	assert_int_equal(c.len, count);
	const char *found = c.items[count - 1].trouble;
	if (!found || strcmp(found, trouble) != 0)
		fail_msg("%s, not %s", found, trouble);
	server_file_finish(&c);
	buf_finish(text);
}

static void
test_servers(void **state)
{
	struct buf text = BUF_INIT;
	struct server_file c;
	struct err err;

	buf_add_str(&text, "{\"mcpServers\":{");
	add_many(&text, "'s%d':{'command':'x'}", MANY);
	buf_add_str(&text, "}}");
	assert_true(server_file_parse(&c, buf_text(&text), text.len, ".mcp.json", &err));
	assert_string_equal(c.items[999].name, "s999");
	assert_null(c.items[999].trouble);
	assert_string_equal(c.items[1000].name, "99000 more");
	server_file_finish(&c);
	assert_read(&text, ".mcp.json", 1001, "only the first 1000 servers of a file are listed");
}

static void
test_lists(void **state)
{
	static const char *const entries[][2] = {
		{ "'command':'x','args':[", "'$HOME%d'" },
		{ "'url':'http://x','headers':[", "{'h%d':'v'}" },
		{ "'command':'x','more':[", "%d" },
	};

	for (size_t i = 0; i < ARRAY_LEN(entries); i++) {
		struct buf text = BUF_INIT;
		char *head = quoted(entries[i][0]);
		buf_addf(&text, "{\"mcpServers\":{\"s\":{%s", head);
		add_many(&text, entries[i][1], MANY);
		buf_add_str(&text, "]}}}");
		assert_read(&text, "f.json", 1, "a list in it has more than 1000 items");
		free(head);
	}
}

static void
test_variables(void **state)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "{\"inputs\":[");
	add_many(&text, "{'id':'i%d','type':'promptString'}", MANY);
	buf_add_str(&text, "],\"servers\":{\"s\":{\"command\":\"${input:i99999}\"}}}");
	assert_read(&text, "f.json", 1, "its file has more than 1000 inputs");

	buf_add_str(&text, "{\"inputs\":[");
	add_many(&text, "{'id':'i%d','type':'promptString'}", 1000);
	buf_add_str(&text, "],\"servers\":{\"s\":{\"command\":\"x\",\"cwd\":\"");
	for (int i = 0; i < 10 * MANY; i++)
		buf_add_str(&text, "${input:i999}");
	buf_add_str(&text, "\"}}}");
	assert_read(&text, "f.json", 1, "its file uses more than 10000 variables");

	buf_add_str(&text, "{\"servers\":{\"s\":{\"command\":\"");
	for (int i = 0; i < 50 * MANY; i++)
		buf_add_str(&text, "${");
	buf_add_str(&text, "\"}}}");
	assert_read(&text, "f.json", 1, "its file uses more than 10000 variables");
}

static void
test_published(void **state)
{
	static const char *const packages[][2] = {
		{ "'packageArguments':[",
		    "{'type':'positional','valueHint':'a%d','isRequired':true}" },
		{ "'environmentVariables':[", "{'name':'A%d','isRequired':true}" },
	};
	static const char says[] =
	    "it has more packages, arguments or variables than a user can fill in";

	for (size_t i = 0; i < ARRAY_LEN(packages); i++) {
		struct buf text = BUF_INIT;
		char *head = quoted(packages[i][0]);
		buf_addf(&text,
		    "{\"name\":\"a/"
		    "b\",\"packages\":[{\"registryType\":\"npm\",\"identifier\":\"x\","
		    "%s",
		    head);
		add_many(&text, packages[i][1], MANY);
		buf_add_str(&text, "]}]}");
		assert_read(&text, "server.json", 1, says);
		free(head);
	}
	struct buf text = BUF_INIT;
	buf_add_str(&text, "{\"name\":\"a/b\",\"remotes\":[{\"url\":\"http://x/");
	for (int i = 0; i < 20 * MANY; i++)
		buf_add_str(&text, "{z}");
	buf_add_str(&text, "\",\"variables\":{");
	add_many(&text, "'a%d':{}", 1000);
	buf_add_str(&text, "}}]}");
	assert_read(&text, "server.json", 1, says);
}

static void
test_env_file(void **state)
{
	char path[] = "/tmp/mcpane-env-XXXXXX";
	struct buf text = BUF_INIT;
	struct server_file c;
	struct err err;
	int fd = mkstemp(path);

	for (int i = 0; i < MANY; i++)
		buf_addf(&text, "A%d=1\n", i);
	assert_true(path_write_file(path, buf_text(&text), text.len, &err));
	buf_clear(&text);
	buf_addf(&text, "{\"servers\":{\"s\":{\"command\":\"x\",\"envFile\":\"%s\"}}}", path);
	char *file = mem_printf("%s.json", path);
	assert_true(path_write_file(file, buf_text(&text), text.len, &err));
	int64_t start = clock_now_ms();
	assert_true(server_file_load(&c, file, false, NULL, &err));
	assert_in_range(clock_now_ms() - start, 0, fixture_deadline_ms());
	assert_string_equal(c.items[0].trouble, "its envFile has more than 1000 variables");
	server_file_finish(&c);
	unlink(path);
	unlink(file);
	close(fd);
	free(file);
	buf_finish(&text);
}

TEST_FILE(hostile_files)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_servers),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_env_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

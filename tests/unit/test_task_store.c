/* SPDX-License-Identifier: MIT */
/* Tasks between two runs. */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "at_once.h"
#include "host/stores.h"
#include "client/tasks.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
on_send(void *user, const struct outbound *message)
{
}

static struct server *
make(const char *tasks)
{
	struct server_options options = { .calls_after = 0 };
	struct server *s = server_create("s", "s", &options, on_send, NULL);
	struct json_doc *doc = json_parse(tasks, strlen(tasks), NULL, NULL);

	server_tasks_load(s, json_root(doc));
	json_doc_destroy(doc);
	return s;
}

static void
save(const char *url, const char *tasks)
{
	struct target t = { .url = (char *)url };
	struct server *s = make(tasks);
	struct err err;

	assert_true(task_store_save(&t, s, &err));
	server_destroy(s);
}

static size_t
load(const char *url)
{
	struct target t = { .url = (char *)url };
	struct server *s = make("[]");

	task_store_load(&t, s);
	size_t count = server_info(s)->tasks;
	if (count > 0)
		assert_string_equal(server_task_at(s, 0)->id, url);
	server_destroy(s);
	return count;
}

static void
test_kept_by_server(void **state)
{
	struct stat info;

	assert_int_equal(load("a"), 0);
	save("a", "[{\"taskId\":\"a\",\"status\":\"working\",\"tool\":\"t\",\"ttlMs\":5,"
		  "\"createdAt\":\"then\"}]");
	save("b", "[{\"taskId\":\"b\"},{\"taskId\":\"b2\"}]");
	assert_int_equal(load("a"), 1);
	assert_int_equal(load("b"), 2);
	char *path = path_of(PATH_STATE, "tasks.json");
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	save("a", "[]");
	assert_int_equal(load("a"), 0);
	assert_int_equal(load("b"), 2);
	free(path);
}

enum { PROGRAMS = 8 };

static bool
save_numbered(int number)
{
	char url[] = { (char)('a' + number), '\0' }, tasks[32];

	snprintf(tasks, sizeof(tasks), "[{\"taskId\":\"%s\"}]", url);
	save(url, tasks);
	return true;
}

/* Programs that save at the same moment lose no task. */
static void
test_at_once(void **state)
{
	at_once(PROGRAMS, save_numbered);
	for (int i = 0; i < PROGRAMS; i++) {
		char url[] = { (char)('a' + i), '\0' };
		assert_int_equal(load(url), 1);
		save(url, "[]");
	}
}

/* A pipe instead of the file is reported, and not waited for. */
static void
test_pipe(void **state)
{
	char *path = path_of(PATH_STATE, "tasks.json");
	struct target t = { .url = (char *)"a" };
	struct server *s = make("[{\"taskId\":\"a\"}]");
	struct err err;

	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(load("a"), 0);
	assert_false(task_store_save(&t, s, &err));
	assert_non_null(strstr(err.text, "is not a regular file"));
	assert_int_equal(unlink(path), 0);
	server_destroy(s);
	free(path);
}

/* A bad file means no tasks; a file that is not JSON is kept under another name. */
static void
test_broken_files(void **state)
{
	static const char *const texts[] = { "", "[", "7", "[]", "{\"x\":1}", "{\"x\":[{}]}" };
	char *path = path_of(PATH_STATE, "tasks.json");

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		assert_true(path_write_private(path, texts[i], strlen(texts[i]), NULL));
		assert_int_equal(load("a"), 0);
		save("a", "[{\"taskId\":\"a\"}]");
		assert_int_equal(load("a"), 1);
		save("a", "[]");
	}
	char *broken = path_of(PATH_STATE, "tasks.json.broken");
	assert_int_equal(access(broken, F_OK), 0);
	unlink(broken);
	free(broken);
	free(path);
}

TEST_FILE(task_store)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept_by_server),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_broken_files),
	};
	char folder[] = "/tmp/mcpane-tasks-XXXXXX";

	if (!mkdtemp(folder) || setenv("XDG_STATE_HOME", folder, 1) != 0)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	char *path = path_of(PATH_STATE, "tasks.json"),
	     *lock = path_of(PATH_STATE, "tasks.json.lock"),
	     *inner = mem_printf("%s/mcpane", folder);
	unlink(path);
	unlink(lock);
	free(lock);
	rmdir(inner);
	rmdir(folder);
	free(path);
	free(inner);
	return failed;
}

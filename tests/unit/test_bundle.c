/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/bundle.h"
#include "host/server_file.h"
#include "quoted.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bundles as python3 packs them, good and hostile. */

static char folder[] = "/tmp/mcpane-bundle-XXXXXX";

static const char script[] =
    "import json, struct, zipfile\n"
    "m = json.dumps({'manifest_version': '0.3', 'name': 'hello', 'server': {'type': 'binary',\n"
    "    'entry_point': 'bin/run'}})\n"
    "def entry(name, mode=0o100644):\n"
    "    i = zipfile.ZipInfo('x'); i.filename = name; i.create_system = 3\n"
    "    i.external_attr = mode << 16; i.compress_type = zipfile.ZIP_DEFLATED\n"
    "    return i\n"
    "def pack(file, *entries, manifest=m):\n"
    "    with zipfile.ZipFile(file + '.mcpb', 'w', zipfile.ZIP_DEFLATED) as z:\n"
    "        if manifest is not None: z.writestr('manifest.json', manifest)\n"
    "        for e in entries: z.writestr(e[0], e[1] if len(e) > 1 else 'text')\n"
    "run = (entry('bin/run', 0o100755), '#!/bin/sh\\n')\n"
    "pack('good', run, (entry('lib/', 0o40755), ''), ('lib/a/b.txt',))\n"
    "pack('parent', (entry('../x'),))\n"
    "pack('inner', (entry('a/../../x'),))\n"
    "pack('absolute', (entry('/tmp/x'),))\n"
    "pack('drive', (entry('c:x'),))\n"
    "pack('backslash', (entry('a\\\\b'),))\n"
    "pack('double', (entry('a//b'),))\n"
    "pack('control', (entry('a\\033[2Jb'),))\n"
    "pack('long', (entry('a/' * 600 + 'x'),))\n"
    "pack('link', (entry('x', 0o120777), '/etc/passwd'))\n"
    "pack('fifo', (entry('x', 0o010644), ''))\n"
    "pack('bomb', ('x', b'\\0' * (40 << 20)))\n"
    "pack('many', *[('f%d' % i, '') for i in range(20001)])\n"
    "pack('no_manifest', run, manifest=None)\n"
    "pack('bad_manifest', manifest='{\\n x')\n"
    "pack('list', manifest='[]')\n"
    "pack('twice', (entry('a'),), (entry('a'),))\n"
    "pack('below', (entry('a'),), (entry('a/b'),))\n"
    "with zipfile.ZipFile('crc.mcpb', 'w') as z:\n"
    "    z.writestr('manifest.json', m); z.writestr('x', 'the text of a file')\n"
    "b = open('crc.mcpb', 'rb').read().replace(b'the text', b'the TEXT')\n"
    "open('crc.mcpb', 'wb').write(b)\n"
    "b = open('good.mcpb', 'rb').read()\n"
    "open('cut.mcpb', 'wb').write(b[:-30])\n"
    "open('zip64.mcpb', 'wb').write(b + b'PK\\6\\7' + b'\\0' * 16)\n"
    "open('text.mcpb', 'w').write('not a zip')\n";

static int
set_up(void **state)
{
	struct err err;

	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	setenv("HOME", "/home/me", 1);
	setenv("XDG_CACHE_HOME", folder, 1);
	return !path_write_file("make.py", script, sizeof(script) - 1, &err) ||
	       system("python3 -W ignore make.py") != 0;
}

static int
tear_down(void **state)
{
	char *command = mem_printf("rm -r %s", folder);
	int failed = chdir("/") != 0 || system(command) != 0;

	free(command);
	return failed;
}

static void
load(struct server_file *c, const char *name)
{
	struct err err;
	char *path = mem_printf("%s.mcpb", name);

	if (!server_file_load(c, path, false, NULL, &err))
		fail_msg("%s", err.text);
	free(path);
}

/* Unpack every prefix of a bundle. */
static size_t
count_unpacked(void)
{
	DIR *dir = opendir("mcpane/bundles");
	size_t n = 0;

	for (struct dirent *e; dir && (e = readdir(dir));)
		n += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

static void
test_unpacked(void **state)
{
	struct server_file c;
	struct err err;
	struct stat is;

	load(&c, "good");
	const struct target *t = &c.items[0];
	assert_true(c.published); /* it is approved first */
	assert_string_equal(t->name, "hello");
	assert_int_equal(strncmp(t->argv[0], t->cwd, strlen(t->cwd)), 0);
	assert_int_equal(count_unpacked(), 0); /* reading unpacks nothing */
	assert_true(bundle_unpack(t, NULL, &err));
	assert_int_equal(stat(t->argv[0], &is), 0);
	assert_int_equal(is.st_mode & 07777, 0700);
	assert_int_equal(stat(t->cwd, &is), 0);
	assert_int_equal(is.st_mode & 07777, 0700);
	char *other = mem_printf("%s/lib/a/b.txt", t->cwd);
	assert_int_equal(stat(other, &is), 0);
	assert_int_equal(is.st_mode & 07777, 0600);
	assert_int_equal(is.st_size, 4);
	unlink(other);
	assert_true(bundle_unpack(t, NULL, &err)); /* an unpacked bundle is reused */
	assert_int_not_equal(stat(other, &is), 0);
	assert_int_equal(count_unpacked(), 1);
	free(other);
	server_file_finish(&c);
}

/* The approved files are the ones that run. */
static void
test_changed(void **state)
{
	struct server_file c;
	struct err err;
	size_t before = count_unpacked();

	assert_int_equal(system("cp list.mcpb a.mcpb; printf x >>a.mcpb; cp good.mcpb b.mcpb; "
				"printf x >>b.mcpb"),
	    0);
	load(&c, "b");
	assert_int_equal(rename("a.mcpb", "b.mcpb"), 0);
	assert_false(bundle_unpack(&c.items[0], NULL, &err));
	assert_string_equal(err.text, "b.mcpb has changed: start again");
	assert_int_equal(count_unpacked(), before);
	server_file_finish(&c);
}

static void
test_refused(void **state)
{
	static const char *const rows[][2] = {
		{ "parent", "refused: it contains a path that leaves the folder" },
		{ "inner", "refused: it contains a path that leaves the folder" },
		{ "absolute", "refused: it contains an absolute path" },
		{ "drive", "refused: it contains an absolute path" },
		{ "backslash", "refused: it contains an absolute path" },
		{ "double", "refused: it contains a path that leaves the folder" },
		{ "control", "refused: it contains a control character in a name" },
		{ "long", "refused: it contains a name that is too long" },
		{ "link", "refused: it contains a symbolic link" },
		{ "fifo", "refused: it contains a device or the like" },
		{ "bomb", "refused: it contains far more bytes than the file can hold" },
		{ "many", "more than 20000 entries" },
		{ "zip64", "more than 20000 entries" },
		{ "no_manifest", "it has no manifest.json that can be read" },
		{ "bad_manifest", "manifest.json:2:2: expected" },
		{ "cut", "not a zip" },
		{ "text", "not a zip" },
		{ "missing", "No such file or directory" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *path = mem_printf("%s.mcpb", rows[i][0]);
		struct buf out = BUF_INIT;
		struct err err = { "" };
		assert_false(bundle_read(path, &out, &err));
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], err.text);
		buf_finish(&out);
		free(path);
	}
}

/* Found only while it is unpacked: nothing of it stays. */
static void
test_broken(void **state)
{
	static const char *const names[] = { "twice", "below", "crc" };
	size_t before = count_unpacked();

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct server_file c;
		struct err err = { "" };
		load(&c, names[i]);
		assert_false(bundle_unpack(&c.items[0], NULL, &err));
		assert_non_null(strstr(err.text, "cannot be unpacked: entry"));
		assert_int_equal(count_unpacked(), before);
		server_file_finish(&c);
	}
}

/* ---- manifests ---- */

static const char *
value(void *user, const struct target_input *input)
{
	return input->otherwise ? input->otherwise : "typed";
}

static void
describe(struct buf *out, const struct target *t)
{
	struct target run;

	for (size_t i = 0; i < t->inputs.len; i++)
		buf_addf(out, "?%s%s %s; ", t->inputs.items[i].id,
		    t->inputs.items[i].password ? "*" : "", t->inputs.items[i].description);
	assert_true(target_fill(&run, t, value, NULL, NULL));
	for (size_t i = 0; run.argv && run.argv[i]; i++)
		buf_addf(out, "[%s]", run.argv[i]);
	for (size_t i = 0; run.env && run.env[i]; i++)
		buf_addf(out, " %s", run.env[i]);
	if (t->trouble)
		buf_addf(out, "! %s", t->trouble);
	target_finish(&run);
}

/* Members after manifest_version; ' means ". */
static const char *const manifests[][2] = {
	{ "'server':{'type':'node','entry_point':'server/index.js'}",
	    "[node][/B/server/index.js]" },
	{ "'server':{'type':'python','entry_point':'a.py','mcp_config':{}}", "[python3][/B/a.py]" },
	{ "'server':{'type':'uv','entry_point':'a.py'}", "[uv][run][--directory][/B][/B/a.py]" },
	{ "'server':{'type':'binary','entry_point':'a'}", "[/B/a]" },
	{ "'server':{'type':'cobol','entry_point':'a'}",
	    "! its manifest names no command and no entry point of a known type" },
	{ "'server':{'type':'node'}",
	    "! its manifest names no command and no entry point of a known type" },
	{ "'server':{'type':'node','mcp_config':{'command':'${__dirname}/n','args':['${HOME}',"
	  "'${DESKTOP}${/}x','${','${__dirname','$y'],'env':{'A':'${DOCUMENTS}','B':'1'}}}",
	    "[/B/n][/home/me][/home/me/Desktop/x][${][${__dirname][$y] A=/home/me/Documents B=1" },
	{ "'server':{'mcp_config':{'command':'a','args':['1'],'env':{'A':'1','B':'2'},"
	  "'platform_overrides':{'win32':{'command':'w'},'linux':{'command':'l','args':[],"
	  "'env':{'B':'3'}}}}}",
	    "[l] A=1 B=3" },
	{ "'server':{'mcp_config':{'command':'a','args':['${user_config.k}','${user_config.d}',"
	  "'-${user_config.d}','${user_config.n}','${user_config.f}','${user_config.o}.']}},"
	  "'user_config':{'k':{'type':'string','title':'Key','description':'of it','sensitive':"
	  "true,'required':true},'d':{'type':'directory','title':'D','multiple':true,'default':"
	  "['${HOME}/a b','/c']},'n':{'type':'number','default':2,'min':1,'max':5},'f':{'type':"
	  "'boolean'},'o':{'type':'file'},'unused':{'type':'string','required':true}}",
	    "?k* Key: of it; ?d D (directory, or several with a comma between); ?n  (number from 1 "
	    "to 5); ?f  (boolean); ?o  (file); [a][typed][/home/me/a b][/c][-/home/me/a "
	    "b,/c][2][false][.]" },
	{ "'server':{'mcp_config':{'command':'a','args':['${user_config.k}']}}",
	    "[a][]! no input with id k" },
};

static void
assert_manifest(const char *text, const char *expected)
{
	struct buf servers = BUF_INIT, out = BUF_INIT;
	struct server_file c;
	struct err err = { "" };
	char *json = quoted(text);
	struct json_doc *doc = json_parse(json, strlen(json), NULL, NULL);

	assert_non_null(doc);
	bundle_manifest_to_servers(json_root(doc), "/B", &servers);
	if (!server_file_parse(&c, buf_text(&servers), servers.len, "x.mcpb", &err))
		fail_msg("%s: %s", buf_text(&servers), err.text);
	describe(&out, &c.items[0]);
	assert_string_equal(buf_text(&out), expected);
	server_file_finish(&c);
	json_doc_destroy(doc);
	buf_finish(&servers);
	buf_finish(&out);
	free(json);
}

static void
test_manifests(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(manifests); i++) {
		char *text = mem_printf("{'manifest_version':'0.4',%s}", manifests[i][0]);
		assert_manifest(text, manifests[i][1]);
		free(text);
	}
	assert_manifest(
	    "{'dxt_version':'0.1','server':{'type':'node','entry_point':'i'}}", "[node][/B/i]");
	assert_manifest("{'manifest_version':'9','server':{'type':'node','entry_point':'i'}}",
	    "! its manifest_version is none of 0.1 to 0.4");
	assert_manifest("[]", "! its manifest_version is none of 0.1 to 0.4");
}

TEST_FILE(bundle)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unpacked),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_manifests),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

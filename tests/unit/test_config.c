#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "host/target.h"
#include "quoted.h"

#include <stdlib.h>
#include <string.h>

static bool
parse(struct config *c, const char *text, struct err *err)
{
	char *json = quoted(text);
	bool ok = config_parse(c, json, strlen(json), "f.json", err);

	free(json);
	return ok;
}

/* "name: argv… | env… | cwd | trouble" of the one entry. */
static void
assert_entry(const char *entry, const char *expected)
{
	struct config c;
	struct err err = { "" };
	struct buf text = BUF_INIT, out = BUF_INIT;

	buf_addf(&text, "{'mcpServers':{'s':%s}}", entry);
	if (!parse(&c, buf_text(&text), &err))
		fail_msg("%s", err.text);
	const struct target *t = &c.items[0];
	assert_string_equal(t->name, "s");
	assert_non_null(t->label);
	for (size_t i = 0; t->argv && t->argv[i]; i++)
		buf_addf(&out, "[%s]", t->argv[i]);
	for (size_t i = 0; t->env && t->env[i]; i++)
		buf_addf(&out, " %s", t->env[i]);
	if (t->cwd)
		buf_addf(&out, " in %s", t->cwd);
	if (t->trouble)
		buf_addf(&out, " ! %s", t->trouble);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&text);
	buf_finish(&out);
	config_finish(&c);
	assert_null(c.items);
}

static void
assert_refused(const char *text, const char *why)
{
	struct config c;
	struct err err = { "" };

	assert_false(parse(&c, text, &err));
	assert_string_equal(err.text, why);
	config_finish(&c);
}

static void
test_commands(void **state)
{
	(void)state;
	assert_entry("{'command':'node'}", "[node]");
	assert_entry("{'command':'node','args':['a b','','$X'],'env':{'A':'1','B':''},'cwd':'/tmp',"
		     "'type':'stdio','unknown':{'kept':true}}",
	    "[node][a b][][$X] A=1 B= in /tmp");
	assert_entry("{'command':'x','args':null,'env':null,'cwd':null}", "[x]");
	assert_entry("{'command':'x','args':[],'env':{}}", "[x]");
}

static void
test_wrong_types(void **state)
{
	(void)state;
	assert_entry("{'command':'x','args':'y'}", "[x] ! args is of type string, not array");
	assert_entry("{'command':'x','args':['y',3,'z']}",
	    "[x][y][z] ! args has something that is not a string");
	assert_entry("{'command':'x','env':['A=1']}", "[x] ! env is of type array, not object");
	assert_entry("{'command':'x','env':{'A':1,'B':'2'}}", "[x] B=2 ! env: A is not a string");
	assert_entry("{'command':'x','cwd':7}", "[x] ! cwd is of type number, not string");
	assert_entry(
	    "{'command':'x','args':{},'cwd':7}", "[x] ! args is of type object, not array");
	assert_entry("{'command':''}", " ! it has no command");
	assert_entry("{'command':['x']}", " ! it has no command");
	assert_entry("{}", " ! it has no command");
	assert_entry("[]", " ! it is of type array, not object");
	assert_entry("null", " ! it is of type null, not object");
}

static void
test_not_stdio(void **state)
{
	struct config c;

	(void)state;
	assert_entry("{'url':'https://x/mcp'}", " ! HTTP is not there yet");
	assert_entry(
	    "{'type':'http','url':'https://x/mcp','headers':{}}", " ! HTTP is not there yet");
	assert_entry("{'type':'sse','command':'x'}", " ! transport sse is not there yet");
	assert_true(parse(&c, "{'mcpServers':{'s':{'url':'https://x/mcp'}}}", NULL));
	assert_string_equal(c.items[0].label, "https://x/mcp");
	config_finish(&c);
}

static void
test_label(void **state)
{
	struct config c;

	(void)state;
	assert_true(parse(&c, "{'mcpServers':{'s':{'command':'npx','args':['-y','@x/y']}}}", NULL));
	assert_string_equal(c.items[0].label, "npx -y @x/y");
	config_finish(&c);
}

static void
test_find(void **state)
{
	struct config c;

	(void)state;
	assert_true(parse(&c,
	    "{'x':1,'mcpServers':{'one':{'command':'1'},'3':{'command':'2'},'two':{'command':'3'},"
	    "'two':{'command':'4'},'':{'command':'5'}}}",
	    NULL));
	assert_int_equal(c.len, 5);
	assert_ptr_equal(config_find(&c, "one"), &c.items[0]);
	assert_ptr_equal(config_find(&c, "1"), &c.items[0]);
	assert_ptr_equal(config_find(&c, "3"), &c.items[1]); /* a name counts before a number */
	assert_ptr_equal(config_find(&c, "two"), &c.items[2]);
	assert_ptr_equal(config_find(&c, "4"), &c.items[3]);
	assert_ptr_equal(config_find(&c, ""), &c.items[4]);
	static const char *const none[] = { "0", "6", "-1", "+1", " 1", "1x", "ONE",
		"18446744073709551617", "99999999999999999999999" };
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_null(config_find(&c, none[i]));
	config_finish(&c);
}

static void
test_refused(void **state)
{
	(void)state;
	assert_refused("{'mcpServers':{}}", "f.json: mcpServers is empty");
	assert_refused("{}", "f.json: there is no object mcpServers in it");
	assert_refused("{'mcpServers':[]}", "f.json: there is no object mcpServers in it");
	assert_refused("[1]", "f.json: there is no object mcpServers in it");
	assert_refused("{'MCPSERVERS':{'a':{}}}", "f.json: there is no object mcpServers in it");
}

static void
test_not_json(void **state)
{
	static const struct {
		const char *text, *where;
	} rows[] = {
		{ "", "f.json:1:1: " },
		{ "{\n  'mcpServers': {\n    'a': {,\n", "f.json:3:11: " },
		{ "{'mcpServers':{'a':{'command':'x',}}}", "f.json:1:35: " },
		{ "{} x", "f.json:1:4: " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct config c;
		struct err err = { "" };
		assert_false(parse(&c, rows[i].text, &err));
		assert_memory_equal(err.text, rows[i].where, strlen(rows[i].where));
		assert_int_equal(c.len, 0);
		config_finish(&c);
	}
}

static void
test_load(void **state)
{
	struct config c;
	struct err err = { "" };

	(void)state;
	assert_false(config_load(&c, "/nowhere/at/all.json", &err));
	assert_non_null(strstr(err.text, "/nowhere/at/all.json"));
	config_finish(&c);
}

static void
test_target_from_command(void **state)
{
	char *argv[] = { (char *)"/usr/bin/env", (char *)"a b", (char *)"", NULL };
	struct target t;

	(void)state;
	target_from_command(&t, argv);
	assert_string_equal(t.name, "env");
	assert_string_equal(t.label, "/usr/bin/env a b ");
	assert_string_equal(t.argv[1], "a b");
	assert_string_equal(t.argv[2], "");
	assert_null(t.argv[3]);
	assert_null(t.env);
	assert_null(t.trouble);
	target_finish(&t);
	assert_null(t.argv);
	struct err err;
	assert_true(target_from_demo(&t, &err));
	assert_string_equal(t.name, "demo");
	assert_string_equal(t.argv[1], "--serve-demo");
	target_finish(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_not_stdio),
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_target_from_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

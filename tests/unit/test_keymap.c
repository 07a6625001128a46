/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "test.h"
#include "ui/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
find(const struct keymap *km, const char *context, const char *name)
{
	struct key key;

	assert_true(key_from_name(&key, name));
	const struct keymap_row *row = keymap_find(km, context, &key);
	return row ? row->command : "-";
}

static const char *
key_for(const struct keymap *km, const char *context, const char *command)
{
	static char name[32];

	return keymap_key_for(km, context, command, false, name, sizeof(name)) ? name : "-";
}

static bool
bind(struct keymap *km, const char *text, struct err *err)
{
	char *copy = mem_strdup(text);
	struct keymap_line line;
	bool ok = keymap_split(copy, &line, err) && keymap_bind(km, &line, NULL, err);

	free(copy);
	return ok;
}

static bool
parse(struct keymap *km, const char *text, struct err *err)
{
	bool ok = true;

	for (; ok && *text; text += strcspn(text, "\n"), text += *text == '\n')
		ok = bind(km, text, err);
	return ok;
}

static void
test_contexts(void **state)
{
	struct keymap km = { 0 };
	assert_true(parse(&km,
	    "bind global ctrl-p palette\r\n"
	    "  bind\tglobal   q   quit\n"
	    "bind table s sort next \"a b\"\n"
	    "bind table q back\n"
	    "unbind table ctrl-p",
	    NULL));
	assert_string_equal(find(&km, "tools", "ctrl-p"), "palette");
	assert_string_equal(find(&km, "tools", "q"), "quit");
	assert_string_equal(find(&km, "table", "q"), "back");
	assert_string_equal(find(&km, "table", "s"), "sort next \"a b\"");
	assert_string_equal(find(&km, "tools", "s"), "-");
	assert_string_equal(find(&km, "table", "ctrl-p"), "-");
	assert_string_equal(key_for(&km, "tools", "quit"), "q");
	assert_string_equal(key_for(&km, "table", "quit"), "-");
	assert_string_equal(key_for(&km, "table", "back"), "q");
	assert_string_equal(key_for(&km, "tools", "nothing"), "-");
	keymap_finish(&km);
	assert_string_equal(find(&km, "table", "q"), "-");
}

static void
test_rebinding(void **state)
{
	struct keymap km = { 0 };
	assert_true(bind(&km, "bind global f5 call", NULL));
	assert_true(bind(&km, "bind global ctrl-r call", NULL));
	assert_string_equal(key_for(&km, "x", "call"), "Ctrl-R");
	assert_true(bind(&km, "bind global F5 call", NULL));
	assert_string_equal(key_for(&km, "x", "call"), "F5");
	assert_true(bind(&km, "bind global f5 cancel", NULL));
	assert_string_equal(find(&km, "x", "f5"), "cancel");
	assert_string_equal(key_for(&km, "x", "call"), "Ctrl-R");
	assert_true(bind(&km, "bind global # comment", NULL));
	assert_string_equal(find(&km, "x", "#"), "comment");
	keymap_finish(&km);
}

/* A view has its own keys in the pane that shows it; the last matching row wins. */
static void
test_several_contexts(void **state)
{
	struct keymap km = { 0 };
	assert_true(parse(&km,
	    "bind global s watch\nbind structured v view\nbind table s sort\nbind chart s series",
	    NULL));
	assert_string_equal(find(&km, "structured table", "s"), "sort");
	assert_string_equal(find(&km, "structured chart", "s"), "series");
	assert_string_equal(find(&km, "structured tree", "s"), "watch");
	assert_string_equal(find(&km, "structured table", "v"), "view");
	assert_string_equal(find(&km, "structured tab", "s"), "watch");
	assert_string_equal(key_for(&km, "structured table", "sort"), "s");
	assert_string_equal(key_for(&km, "structured chart", "sort"), "-");
	assert_string_equal(key_for(&km, "structured table", "watch"), "-");
	assert_true(parse(&km, "bind structured s zoom", NULL));
	assert_string_equal(find(&km, "structured table", "s"), "zoom");
	keymap_finish(&km);
}

static void
test_errors(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "bind global q quit\nbind global hyper-x quit", "no key is called hyper-x" },
		{ "bond global q quit", "expected bind or unbind: bond" },
		{ "bind global q", "expected: bind CONTEXT KEY COMMAND" },
		{ "bind", "expected: bind CONTEXT KEY COMMAND" },
		{ "unbind global", "expected: unbind CONTEXT KEY" },
		{ "unbind global q quit", "expected: unbind CONTEXT KEY" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct keymap km = { 0 };
		struct err err;
		assert_false(parse(&km, cases[i].text, &err));
		assert_string_equal(err.text, cases[i].error);
		keymap_finish(&km);
	}
}

/* Whole names only. */
static void
test_context_of_several(void **state)
{
	assert_true(keymap_has_context("structured table", "table"));
	assert_true(keymap_has_context("structured table", "structured"));
	assert_false(keymap_has_context("structured table", "tab"));
	assert_false(keymap_has_context("structured table", "structure"));
	assert_false(keymap_has_context("servers", "server"));
	assert_false(keymap_has_context("", "table"));
}

TEST_FILE(keymap)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_rebinding),
		cmocka_unit_test(test_several_contexts),
		cmocka_unit_test(test_context_of_several),
		cmocka_unit_test(test_errors),
	};
	return cmocka_run_group_tests_name("keymap", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Twice the text, at most twice the work: every fuzz target, so every parser of foreign bytes. Each
 * is a test of its name.
 */
#include "../fuzz/fuzz.h"
#include "doubling.h"
#include "test.h"

#include "base/vec.h"

#include <locale.h>
#include <string.h>

/* They get every pattern alone, and inside these texts. */
#define AFTER(target, text)                        \
	{                                          \
		.name = (target), .before = (text) \
	}
#define IN_JSON(target, text, end)                                               \
	{                                                                        \
		.name = (target), .before = (text), .after = (end), .json = true \
	}
#define TOOL "{\"name\":\"a\",\"inputSchema\":{}}\n"
static const struct doubling more[] = {
	{ .name = "diff", .bytes = 32 << 10 }, /* edits are looked for up to a bound */
	{ .name = "secret", .hides = true },
	{ .name = "redact", .hides = true },
	{ .name = "redact", .before = "{\"a\":\"", .after = "\"}", .json = true, .hides = true },
	{ .name = "redact", .before = "{\"secret\":{\"name\":\"key\",\"value\":[", .hides = true },
	AFTER("text_data", "| a | b |\n|---|---|\n"),
	AFTER("text_data", "a,b,c\n"),
	AFTER("html", "<p>"),
	AFTER("html", "<table><tr><td>"),
	AFTER("html", "<pre>"),
	AFTER("ansi", "\x1b[1m"),
	IN_JSON("session",
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"",
	    "\"}}\n"),
	IN_JSON("model",
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"",
	    "\"}}\n"),
	AFTER("model", "!"),
	IN_JSON("journal", "r{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"text\":\"",
	    "\"}]}}"),
	AFTER("journal", "n"),
	AFTER("journal", "e"),
	IN_JSON("findings", "{\"name\":\"a\",\"inputSchema\":{},\"description\":\"",
	    "\"}\n{\"content\":[]}"),
	IN_JSON("findings", TOOL "{\"content\":[{\"type\":\"text\",\"text\":\"",
	    "\"}],\"structuredContent\":{\"a\":1,\"users\":[\"c\"]}}"),
	IN_JSON("findings",
	    TOOL
	    "{\"content\":[{\"type\":\"text\",\"text\":\"ok 1\"}],\"structuredContent\":{\"a\":\"",
	    "\"}}"),
	IN_JSON("app_bridge", "{\"jsonrpc\":\"2.0\",\"method\":\"ui/message\",\"params\":{\"a\":\"",
	    "\"}}\n"),
	AFTER("app_text", "<html><body>"),
	IN_JSON("schema", "{\"type\":\"object\",\"description\":\"", "\"}\n{}"),
	IN_JSON("schema", "{}\n{\"a\":\"", "\"}"),
};

/* Targets whose bytes are typed by the user, one that is a socket, and one that repeats its
 * input. */
static const char *const left_out[] = { "command", "keymap", "loopback", "repeat" };

static void
test_target(void **state)
{
	const struct fuzz_target *target = *state;
	struct doubling row = { .name = target->name, .run = target->run };
	size_t failed = 0;
	bool is_plain = true;

	for (size_t i = 0; i < ARRAY_LEN(more); i++)
		if (strcmp(more[i].name, target->name) == 0) {
			row = more[i];
			row.run = target->run;
			is_plain = is_plain && row.bytes == 0;
			failed += doubling_check(&row);
		}
	row = (struct doubling){ .name = target->name, .run = target->run };
	failed += is_plain ? doubling_check(&row) : 0;
	assert_int_equal(failed, 0);
}

static bool
is_left_out(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(left_out); i++)
		if (strcmp(left_out[i], name) == 0)
			return true;
	return false;
}

TEST_FILE(parsers)
{
	static struct CMUnitTest tests[256];
	size_t count = 0;

	for (const struct fuzz_target *t = FUZZ_TARGETS; t->name && count < ARRAY_LEN(tests); t++)
		if (!is_left_out(t->name))
			tests[count++] =
			    (struct CMUnitTest){ t->name, test_target, NULL, NULL, (void *)t };
	setlocale(LC_CTYPE, "C.UTF-8");
	return _cmocka_run_group_tests("parsers", tests, count, NULL, NULL);
}

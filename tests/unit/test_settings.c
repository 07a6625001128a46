/* SPDX-License-Identifier: MIT */
/* The user's configuration: one table for the file, ":set", completion and the palette. */
#include "base/vec.h"
#include "test.h"

#include "../../src/app/settings.h"

#include <string.h>

static const struct effects effects;

static bool
parse(struct settings *s, const char *text, struct err *err)
{
	struct workbench *wb = workbench_create(&effects, NULL);
	bool ok = settings_parse(wb, s, text, strlen(text), "f", err);

	workbench_destroy(wb);
	return ok;
}

static void
test_values(void **state)
{
	static const struct {
		const char *name, *value, *shown, *error; /* an error: the value stays */
	} rows[] = {
		{ "theme", "nord", "nord", NULL },
		{ "theme", "", "nord", "theme wants a name" },
		{ "pictures", "sixel", "sixel", NULL },
		{ "pictures", "big", "sixel", "pictures are auto, cells, kitty or sixel, not big" },
		{ "editor", "screen", "screen", NULL },
		{ "editor", "window", "screen", "editor is pane or screen, not window" },
		{ "pager", "less -R", "less -R", NULL },
		{ "pager", "", "less -R", "pager wants a command" },
		{ "player", "mpv", "mpv", NULL },
		{ "open", "image/* feh %s", "image/* feh %s; xdg-open for other types", NULL },
		{ "open", "image/png pane chafa",
		    "image/png pane chafa; image/* feh %s; xdg-open for other types", NULL },
		{ "history", "off", "off", NULL },
		{ "history", "maybe", "off", "history is on or off, not maybe" },
		{ "history-size", "64M", "64M", NULL },
		{ "history-size", "1000", "1000", NULL },
		{ "history-size", "much", "1000",
		    "history-size: expected a size such as 256M, not much" },
		{ "history-days", "30", "30", NULL },
		{ "history-days", "0", "30", "history-days: expected a number of days, not 0" },
		{ "pictres", "auto", "", "there is no setting pictres; did you mean pictures?" },
	};
	struct settings s = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { "" };
		struct buf shown = BUF_INIT;
		bool ok = settings_set(&s, rows[i].name, rows[i].value, &err);
		assert_int_equal(ok, rows[i].error == NULL);
		assert_string_equal(err.text, rows[i].error ? rows[i].error : "");
		settings_add_value(&s, rows[i].name, &shown);
		assert_string_equal(buf_text(&shown), rows[i].shown);
		buf_finish(&shown);
	}
	settings_finish(&s);
}

/* Each has a value before anything is set, and help. */
static void
test_table(void **state)
{
	const struct setting_info *setting;
	struct settings s = { 0 };

	for (size_t i = 0; (setting = settings_at(i)); i++) {
		struct buf shown = BUF_INIT;
		settings_add_value(&s, setting->name, &shown);
		assert_true(shown.len > 0 && *setting->values && *setting->help);
		buf_finish(&shown);
	}
}

static void
test_file(void **state)
{
	static const char *const bad[][2] = {
		{ "theme nord\nset big yes", "f:2: there is no setting big" },
		{ "pictres auto", "f:1: there is no setting pictres; did you mean pictures?" },
		{ "bind nopane x call", "f:1: no pane or view is named nopane" },
		{ "bind\ttoools x call",
		    "f:1: no pane or view is named toools; did you mean tools?" },
		{ "unbind tabel x", "f:1: no pane or view is named tabel; did you mean table?" },
		{ "bind tools x nosuchcmd",
		    "f:1: no command is named nosuchcmd (? lists all commands)" },
		{ "bind tools x plaette red",
		    "f:1: no command is named plaette; did you mean palette?" },
		{ "bind tools x prev", "f:1: prev could be previous-kind or previous-error" },
		{ "bind tools x qui", "f:1: type quit in full; Tab completes it" },
		{ "set", "f:1: there is no setting set" },
		{ "bind global", "f:1: expected: bind CONTEXT KEY COMMAND" },
		{ "bindx a b c", "f:1: there is no setting bindx" },
		{ "b global f9 quit", "f:1: there is no setting b" },
	};
	struct settings s = { 0 };
	struct err err = { "" };

	assert_true(parse(&s,
	    "# mine\n\n  set\tpictures   cells # as ever\r\nhistory-days\t7\n"
	    "bind global # palette\nset pager less -R",
	    &err));
	assert_int_equal(s.pictures, BACKEND_PICTURES_CELLS);
	assert_int_equal(s.history.max_days, 7);
	assert_string_equal(s.pager, "less -R");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_false(parse(&s, bad[i][0], &err));
		assert_string_equal(err.text, bad[i][1]);
	}
	settings_finish(&s);
}

TEST_FILE(settings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

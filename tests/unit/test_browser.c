/* SPDX-License-Identifier: MIT */
/* Starting the browser: the words of $BROWSER unchanged, the URL as one argument, no shell. */
#include "host/user_programs.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "fixture.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every character that a URL may have and a shell would make something of. */
#define URL "https://as.example/a?b=$(touch%20x)&c=`id`;d='*'|e=~!#f"
#define SAFE_URL "https://as.example/a?b=$(touch%20x)&c=;id;d='*'&e=~!"

static struct loop *loop;
static char folder[] = "/tmp/mcpane-browser-XXXXXX";
static char script[64], seen[80], how[128];
static bool ended, went_well;

static int
open_folder(void **state)
{
	static const char text[] = "#!/bin/sh\nfor word; do printf '<%s>\\n' \"$word\"; done "
				   ">\"$0.seen\"\ntest \"$1\" != fail\n";

	assert_non_null(mkdtemp(folder));
	snprintf(script, sizeof(script), "%s/browser", folder);
	snprintf(seen, sizeof(seen), "%s.seen", script);
	assert_true(path_write_private(script, text, strlen(text), NULL));
	assert_int_equal(chmod(script, 0700), 0);
	loop = loop_create(NULL, NULL, NULL);
	assert_non_null(loop);
	return 0;
}

static int
close_folder(void **state)
{
	loop_destroy(loop);
	unlink(script);
	unlink(seen);
	rmdir(folder);
	unsetenv("BROWSER");
	return 0;
}

static void
on_end(void *user, bool ok, const char *text)
{
	ended = true;
	went_well = ok;
	snprintf(how, sizeof(how), "%s", text);
}

static void
set_browser(const char *after)
{
	char *value = mem_printf("%s%s", script, after);

	setenv("BROWSER", value, 1);
	free(value);
}

static void
check_words(const char *after, const char *words)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };

	set_browser(after);
	ended = false;
	struct browser *b = browser_open(loop, SAFE_URL, on_end, NULL, &err);
	if (!b)
		fail_msg("%s", err.text);
	assert_string_equal(b->name, "browser");
	TURN_UNTIL(loop, ended);
	browser_destroy(b);
	assert_true(path_read_file(seen, &text, NULL));
	assert_string_equal(buf_text(&text), words);
	buf_finish(&text);
}

static void
test_words(void **state)
{
	check_words("", "<" SAFE_URL ">\n");
	assert_true(went_well);
	assert_string_equal(how, "opened by browser");
	check_words(" --new  %s $HOME", "<--new>\n<" SAFE_URL ">\n<$HOME>\n");
	check_words(" 'a b' \"%s\" c\\ d", "<a b>\n<" SAFE_URL ">\n<c d>\n");
	check_words(":/nonexistent/other", "<" SAFE_URL ">\n");
	check_words(" fail", "<fail>\n<" SAFE_URL ">\n");
	assert_false(went_well);
	assert_string_equal(how, "browser ended with exit code 1");
	struct err err = { "" };
	set_browser(" 'a");
	assert_null(browser_open(loop, SAFE_URL, on_end, NULL, &err));
	assert_string_equal(err.text, "$BROWSER: a quote does not end");
}

static void
test_refused(void **state)
{
	static const char *const urls[] = { "javascript:alert(1)", "file:///etc/passwd",
		"http://as.example/a", "vbscript:x", "data:text/html,x", "-h", "https://a@b/",
		URL };
	struct err err;

	set_browser("");
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		err.text[0] = '\0';
		assert_null(browser_open(loop, urls[i], on_end, NULL, &err));
		assert_true(err.text[0] != '\0');
	}
	if (under_valgrind())
		return;
	setenv("BROWSER", "/nonexistent/browser", 1);
	assert_null(browser_open(loop, SAFE_URL, on_end, NULL, &err));
	assert_non_null(strstr(err.text, "/nonexistent/browser: No such file"));
}

static void
test_likely(void **state)
{
	assert_true(browser_is_likely());
	setenv("BROWSER", "", 1);
	setenv("DISPLAY", ":0", 1);
	unsetenv("SSH_TTY");
	unsetenv("SSH_CONNECTION");
	assert_true(browser_is_likely());
	setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22", 1);
	assert_false(browser_is_likely());
	unsetenv("SSH_CONNECTION");
	unsetenv("DISPLAY");
	unsetenv("WAYLAND_DISPLAY");
	assert_false(browser_is_likely());
}

TEST_FILE(browser)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_likely),
	};
	return cmocka_run_group_tests(tests, open_folder, close_folder);
}

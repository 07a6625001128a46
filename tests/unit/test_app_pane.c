/* SPDX-License-Identifier: MIT */
/* The pane of an app and its positions. The test plays the engine, the demo is the server. */
#include "one_stage.h"
#include "stage_app.h"
#include "test.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static struct app *app;

static void
open_with(const char *capabilities)
{
	stage_use_apps(&stage);
	stage_run(&stage, "app plan_budget");
	app = stage_app(&stage);
	fake_apps_shake(app, capabilities, stage.now_us);
	stage_text(&stage);
	fake_apps_frame(app, "the plan", stage.now_us);
	see("the plan");
}

static void
say(const char *message)
{
	fake_apps_say(app, message, stage.now_us);
	stage_settle(&stage, 0);
}

#define REQUEST(id, method, params) \
	"{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':" params "}"
#define WANT_MODE(mode) REQUEST("5", "ui/request-display-mode", "{'mode':'" mode "'}")

static void
expect_told(const char *text)
{
	if (!strstr(buf_text(&stage.apps.told), text))
		fail_msg("no %s in %s", text, buf_text(&stage.apps.told));
	buf_clear(&stage.apps.told);
}

static void
expect_posted(const char *text)
{
	if (!strstr(buf_text(&stage.apps.posted), text))
		fail_msg("no %s in %s", text, buf_text(&stage.apps.posted));
	buf_clear(&stage.apps.posted);
}

/* Without an engine a tool with an app is a tool like any other; one key says why. */
static void
test_no_engine(void **state)
{
	stage_lack_engine(&stage, "install it: apt install chromium-headless-shell");
	stage_run(&stage, "tool plan_budget");
	stage_run(&stage, "call");
	see("structuredContent");
	see("content · for the model");
	see("Alt-v app");
	assert_null(server_app_at(stage.server, 0));
	stage_keys(&stage, "alt-v");
	see("apt install chromium-headless-shell");
	see("does not run");
	see_not("content · for the model");
	stage_keys(&stage, "alt-v");
	see("structuredContent");
}

static void
test_keyboard(void **state)
{
	open_with("");
	stage_keys(&stage, "enter");
	see("Ctrl-] leave");
	stage_keys(&stage, "a q tab esc f5 shift-left");
	expect_told("key a 0\nkey q 0\nkey Tab 0\nkey Escape 0\nkey F5 0\nkey ArrowLeft 8\n");
	assert_false(stage.quit);
	stage_keys(&stage, "ctrl-] w");
	see("journal");
}

/* Return the ASCII text that starts at a cell. */
static const char *
cell_text(int at)
{
	static char text[16];
	const struct cell *c = &stage.grid.cells[at];
	int n = 0, end = stage.grid.width * stage.grid.height;

	for (; n < 15 && at + n < end && c[n].ch < 0x80; n++)
		text[n] = (char)c[n].ch;
	text[n] = '\0';
	return text;
}

/* The page receives mouse movement over it and its end; a drag stays with the page until the button
 * is released. */
static void
test_mouse(void **state)
{
	int x = 0, y = 0;

	open_with("");
	assert_true(stage.grid.follows_mouse);
	for (int i = 0; i < stage.grid.width * stage.grid.height; i++)
		if (strncmp(cell_text(i), "the plan", 8) == 0) {
			x = i % stage.grid.width;
			y = i / stage.grid.width;
		}
	assert_true(x > 0 && y > 0);
	buf_clear(&stage.apps.told);
	stage_mouse(&stage, MOUSE_MOVE, 1, 1); /* was never over it */
	stage_mouse(&stage, MOUSE_MOVE, x + 2, y + 2);
	stage_mouse(&stage, MOUSE_MOVE, x, y - 2);
	stage_mouse(&stage, MOUSE_MOVE, 1, 1);
	assert_string_equal(buf_text(&stage.apps.told), "move 20,40\nmove 4,-24\n");
	buf_clear(&stage.apps.told);
	stage_drag(&stage, x, y, x, y - 2);
	expect_told("move 4,8\npress 4,8\nmove 4,-8\nmove 4,-24\nrelease 4,-24\n");
	stage_keys(&stage, "ctrl-] ?"); /* a dialog is in front */
	buf_clear(&stage.apps.told);
	stage_mouse(&stage, MOUSE_MOVE, x + 2, y + 2);
	assert_string_equal(buf_text(&stage.apps.told), "");
}

/* A permission is granted only after its question was on the screen. */
static void
test_wishes(void **state)
{
	open_with("");
	say(REQUEST("1", "ui/open-link", "{'url':'https://example.com/a'}"));
	stage_run(&stage, "grant"); /* at once */
	assert_int_equal(app_facts(app)->wish_count, 1);
	see("The app wants to open https://example.com/a in the browser");
	stage_keys(&stage, "O");
	assert_string_equal(buf_text(&stage.written), "browser\nhttps://example.com/a");
	expect_posted("\"id\":1,\"result\":{}");
	see_not("The app wants to");
	say(REQUEST("2", "ui/open-link", "{'url':'https://example.com/b'}"));
	stage_text(&stage);
	stage_keys(&stage, "X");
	expect_posted("the user refused");
	stage_keys(&stage, "O"); /* there is nothing to grant */
	see("the app asks for nothing");
}

/* A long address is shown to its end. */
static void
test_long_wish(void **state)
{
	open_with("");
	say(REQUEST("1", "ui/open-link",
	    "{'url':'https://example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-"
	    "end'}"));
	see("example.com");
	see("-end");
	see("O grants, X refuses");
}

static void
test_download(void **state)
{
	open_with("");
	say(REQUEST("1", "ui/download-file",
	    "{'contents':[{'type':'resource','resource':{'uri':'file:///etc/pass wd','text':'x,y'}"
	    "}]}"));
	see("The app wants to save pass_wd");
	stage_keys(&stage, "O");
	stage_text(&stage);
	assert_string_equal(buf_text(&stage.written), "pass_wd\nx,y");
}

static void
test_broken_and_again(void **state)
{
	open_with("");
	fake_apps_fail(&stage.apps, app, "Chromium was killed", stage.now_us);
	see("Chromium was killed");
	see("R try again");
	stage_keys(&stage, "R");
	see("─ starts");
	assert_int_equal(fake_apps_open(&stage.apps), 1);
}

/* ---- the whole screen ---- */

static void
test_whole_screen(void **state)
{
	open_with("'availableDisplayModes':['inline','fullscreen']");
	say(WANT_MODE("fullscreen"));
	see_not("Tools 31");
	expect_posted("{\"mode\":\"fullscreen\"}");
	stage_keys(&stage, "esc");
	see("Tools 31");
	expect_posted("\"displayMode\":\"inline\"");
	assert_int_equal(app_facts(app)->display, APP_DISPLAY_INLINE);
	stage_run(&stage, "app full");
	see_not("Tools 31");
	expect_posted("\"displayMode\":\"fullscreen\"");
	stage_keys(&stage, "w esc"); /* the journal above it changes nothing */
	see_not("Tools 31");
	say(WANT_MODE("inline"));
	see("Tools 31");
	stage_run(&stage, "app full");
	stage_text(&stage);
	stage_keys(&stage, "z");
	see("Tools 31");
	assert_int_equal(app_facts(app)->display, APP_DISPLAY_INLINE);
}

/* An app cannot take the whole screen while the user works elsewhere. */
static void
test_whole_screen_refused(void **state)
{
	open_with("'availableDisplayModes':['inline','fullscreen']");
	stage_run(&stage, "pane form");
	say(WANT_MODE("fullscreen"));
	see("Tools 31");
	see("the app wants the whole screen: :app full gives it");
	expect_posted("\"displayMode\":\"inline\"");
}

static void
test_whole_screen_ends_with_the_app(void **state)
{
	open_with("");
	stage_run(&stage, "app full");
	see_not("Tools 31");
	stage_run(&stage, "app close");
	see("Tools 31");
}

/* ---- a corner of it ---- */

static void
test_floats(void **state)
{
	open_with("'availableDisplayModes':['inline','pip']");
	say(WANT_MODE("pip"));
	expect_posted("{\"mode\":\"pip\"}");
	see("structuredContent");
	see("app ▸ pages");
	fake_apps_frame(app, "small plan", stage.now_us);
	see("small plan");
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	see("structuredContent");
	see("small plan"); /* in every layout */
	stage_keys(&stage, "w");
	see("small plan");
	stage_keys(&stage, "esc alt-v");
	buf_clear(&stage.apps.told);
	stage_keys(&stage, "x");
	expect_told("key x 0");
	stage_keys(&stage, "ctrl-] w");
	see("journal");
	assert_string_equal(buf_text(&stage.apps.told), "");
	stage_keys(&stage, "esc");
	stage_run(&stage, "app pip"); /* back */
	see_not("small plan");
	expect_posted("\"displayMode\":\"inline\"");
	assert_int_equal(fake_apps_open(&stage.apps), 1);
	stage_run(&stage, "app plan_budget");
	see("app ▸ pages");
}

static void
test_floats_with_the_mouse(void **state)
{
	open_with("");
	stage_run(&stage, "app pip");
	stage_text(&stage);
	buf_clear(&stage.apps.told);
	stage_click(&stage, 110, 30);
	expect_told("press ");
	see("Ctrl-] leaves");
	stage_click(&stage, 60, 2); /* outside the app */
	see("Alt-V enters");
	stage_keys(&stage, "esc w");
	see("journal");
}

/* A second app takes over the pane; the floating one returns to its result. */
static void
test_one_floats(void **state)
{
	open_with("");
	stage_run(&stage, "app pip");
	stage_run(&stage, "tool watch_machine");
	stage_run(&stage, "call");
	struct app *other = server_app_at(stage.server, 1);
	see("Alt-V enters"); /* the new one is hidden by its result */
	stage_run(&stage, "app full");
	assert_int_equal(app_facts(app)->display, APP_DISPLAY_INLINE);
	assert_ptr_equal(workspace_app(workbench_workspace(stage.wb)), other);
	stage_run(&stage, "app close");
	stage_run(&stage, "app plan_budget");
	stage_run(&stage, "app pip");
	stage_run(&stage, "app close");
	assert_null(server_floating_app(stage.server));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)

TEST_FILE(app_pane)
{
	const struct CMUnitTest tests[] = {
		CASE(test_no_engine),
		CASE(test_keyboard),
		CASE(test_mouse),
		CASE(test_wishes),
		CASE(test_long_wish),
		CASE(test_download),
		CASE(test_broken_and_again),
		CASE(test_whole_screen),
		CASE(test_whole_screen_refused),
		CASE(test_whole_screen_ends_with_the_app),
		CASE(test_floats),
		CASE(test_floats_with_the_mouse),
		CASE(test_one_floats),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

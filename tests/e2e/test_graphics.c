/* SPDX-License-Identifier: MIT */
/* Pictures in the graphics of a terminal that answers that it has them: the test is the terminal.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "e2e.h"
#include "host/app_house.h"
#include "test.h"

#define SIZE "\033[6;20;10t"
#define KITTY "\033_Gi=31;OK\033\\" SIZE "\033[?62c"
#define SIXEL "\033[?1;0;64S" SIZE "\033[?62;4c"

static const char placed[] = "\033_Ga=p,", sent[] = "\033_Ga=t,", removed[] = "\033_Ga=d,d=i,",
		  sixel[] = "\033P0;1;0q";

static size_t seen; /* bytes of the log that were looked at */

static int
times_since(struct terminal *t, const char *bytes)
{
	size_t len;
	const char *log = terminal_log(t, &len), *at = log + seen;
	int times = 0;

	while ((at = memmem(at, len - (size_t)(at - log), bytes, strlen(bytes)))) {
		times++;
		at++;
	}
	return times;
}

static void
look_away(struct terminal *t)
{
	terminal_log(t, &seen);
}

static bool
was_sent(struct terminal *t, void *bytes)
{
	return times_since(t, bytes) > 0;
}

static struct terminal *
show_picture(void **state, const char *device)
{
	const char *const *argv = ARGV("--demo");
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = argv, .device = device });

	seen = 0;
	e2e_wait(t, "list_users");
	e2e_run(t, "tool mixed_content");
	e2e_press(t, "f5");
	e2e_wait(t, "image/png");
	return t;
}

/* The position of the block's picture, below the line with its facts. */
static char *
at_picture(struct terminal *t, const char *bytes)
{
	int row, col;

	e2e_see(t, "image/png");
	terminal_find(t, "image/png", &row, &col);
	return mem_printf("\033[%d;%dH%s", row + 2, col + 1, bytes);
}

static void
check_place(struct terminal *t, const char *bytes)
{
	char *place = at_picture(t, bytes);

	assert_true(times_since(t, place) > 0);
	free(place);
}

static void
test_kitty(void **state)
{
	struct terminal *t = show_picture(state, KITTY);

	terminal_wait_until(t, was_sent, (void *)placed);
	terminal_barrier(t);
	assert_int_equal(times_since(t, sent), 1);
	check_place(t, placed);
	e2e_see_not(t, "▀");
	/* help covers it whole */
	look_away(t);
	e2e_press(t, "?");
	assert_int_equal(times_since(t, removed), 1);
	assert_int_equal(times_since(t, placed), 0);
	look_away(t);
	e2e_press(t, "esc");
	check_place(t, placed);
	assert_int_equal(times_since(t, sent), 0);
	/* another result has another picture */
	look_away(t);
	e2e_press(t, "f5");
	terminal_wait_until(t, was_sent, (void *)placed);
	terminal_barrier(t);
	assert_int_equal(times_since(t, sent), 1);
	terminal_assert_never(t, sixel);
	/* another tool: it leaves */
	look_away(t);
	e2e_run(t, "tool list_users");
	assert_true(times_since(t, removed) > 0);
	e2e_run(t, "tool mixed_content");
	terminal_wait_until(t, was_sent, (void *)placed);
	look_away(t);
	e2e_leave(t);
	assert_int_equal(times_since(t, "\033_Ga=d,d=I,i=7168880,"), 1);
}

static void
test_sixel(void **state)
{
	struct terminal *t = show_picture(state, SIXEL);

	terminal_wait_until(t, was_sent, (void *)sixel);
	terminal_barrier(t);
	check_place(t, sixel);
	terminal_assert_never(t, sent);
	look_away(t);
	e2e_press(t, "?");
	assert_int_equal(times_since(t, sixel), 0);
	look_away(t);
	e2e_press(t, "esc");
	check_place(t, sixel);
	look_away(t);
	e2e_run(t, "pictures cells");
	assert_int_equal(times_since(t, "\033[2J") + times_since(t, "\033[J"), 1);
	e2e_see(t, "▀");
	look_away(t);
	e2e_run(t, "pictures kitty");
	e2e_see(t, "does not answer that it has kitty graphics");
	e2e_run(t, "pictures auto");
	assert_true(times_since(t, sixel) > 0);
	e2e_leave(t);
}

static void
test_no_answer(void **state)
{
	struct terminal *t = show_picture(state, NULL);

	e2e_wait(t, "▀");
	e2e_run(t, "pictures sixel");
	e2e_press(t, "? esc");
	terminal_assert_never(t, sent);
	terminal_assert_never(t, placed);
	terminal_assert_never(t, "\033P");
	e2e_leave(t);
	terminal_assert_never(t, "\033_Ga=d");
}

/* tmux would show the question for kitty as a title. */
static void
test_in_tmux(void **state)
{
	const char *const *argv = ARGV("--demo");
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){
		       .argv = argv, .env = ARGV("TERM=tmux-256color"), .device = SIXEL });

	seen = 0;
	e2e_wait(t, "list_users");
	terminal_assert_never(t, "\033_G");
	e2e_run(t, "tool mixed_content");
	e2e_press(t, "f5");
	terminal_wait_until(t, was_sent, (void *)sixel);
	e2e_leave(t);
}

/* The page of an app in pixels: each picture replaces the previous one. */
static void
test_app_in_pixels(void **state)
{
	if (!app_house_can_run(NULL)) {
		print_message("SKIPPED: chromium-headless-shell is not installed\n");
		skip();
	}
	const char *const *argv = ARGV("--demo");
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){ .rows = 40, .cols = 120, .argv = argv, .device = KITTY });
	seen = 0;
	e2e_wait(t, "list_users");
	e2e_run(t, "app plan_budget");
	e2e_wait(t, "Share evenly");
	e2e_run(t, "app-look pixels");
	terminal_wait_until(t, was_sent, (void *)placed);
	e2e_wait(t, "pixels · ");
	e2e_see_not(t, "Share evenly"); /* it is in the picture */
	look_away(t);
	e2e_press(t, "enter");
	e2e_press(t, "tab");
	e2e_press(t, "right");
	terminal_wait_until(t, was_sent, (void *)sent);
	terminal_wait_until(t, was_sent, (void *)removed);
	terminal_wait_until(t, was_sent, (void *)placed);
	e2e_press(t, "ctrl-]");
	e2e_run(t, "app-look cell");
	e2e_wait(t, "Share evenly");
	e2e_leave(t);
}

TEST_FILE(graphics)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_kitty, e2e_teardown),
		cmocka_unit_test_teardown(test_sixel, e2e_teardown),
		cmocka_unit_test_teardown(test_no_answer, e2e_teardown),
		cmocka_unit_test_teardown(test_in_tmux, e2e_teardown),
		cmocka_unit_test_teardown(test_app_in_pixels, e2e_teardown),
	};

	return cmocka_run_group_tests_name("graphics", tests, NULL, NULL);
}

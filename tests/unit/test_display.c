/* SPDX-License-Identifier: MIT */
/* The display on a pseudo terminal whose other end is slow. */
#include "app/display.h"
#include "fixture.h"
#include "test.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

struct scene {
	struct loop *loop;
	int master, slave;
	struct display *display;
	int draws;
};

static void
on_key(void *user, const struct key *key)
{
}

/* Each frame differs from the one before in all cells. */
static void
draw(void *user, struct grid *grid)
{
	struct scene *s = user;

	s->draws++;
	for (int i = 0; i < grid->width * grid->height; i++)
		grid->cells[i] = (struct cell){ .ch = (uint32_t)('a' + (i + s->draws) % 26),
			.style.ink = STYLE_RGB((uint32_t)(i % 2 ? 0xff0000 : 0x00ff00)) };
}

static int64_t
next_frame_us(void *user, int64_t now_us)
{
	return INT64_MAX;
}

static bool
is_busy(void *user)
{
	return false;
}

static void
on_gone(void *user)
{
	fail_msg("the terminal is gone");
}

static void
start(struct scene *s)
{
	static const struct display_events events = { on_key, draw, next_frame_us, is_busy,
		on_gone };
	struct winsize size = { .ws_row = 60, .ws_col = 200 };
	struct theme theme;
	struct err err;

	setenv("TERM", "xterm-256color", 1);
	assert_true(theme_builtin(&theme, "dark"));
	*s = (struct scene){ .loop = loop_create(NULL, NULL, NULL) };
	assert_int_equal(openpty(&s->master, &s->slave, NULL, NULL, &size), 0);
	fcntl(s->master, F_SETFL, O_NONBLOCK);
	s->display = display_create(s->loop,
	    &(struct backend_options){ .fd = s->slave, .colors = PAINT_RGB }, false, &events, s,
	    &err);
	assert_non_null(s->display);
	display_set_theme(s->display, &theme);
}

static void
receive(const struct scene *s)
{
	char bytes[65536];

	while (read(s->master, bytes, sizeof(bytes)) > 0)
		continue;
}

static void
finish(struct scene *s)
{
	receive(s);
	display_destroy(s->display);
	loop_destroy(s->loop);
	close(s->master);
	close(s->slave);
}

static bool
receives_until(struct scene *s, int draws)
{
	receive(s);
	return s->draws >= draws;
}

/* The loop sleeps until there is room: it draws nothing that could not be shown, and no timer is
 * due again and again. */
static void
test_full_terminal_is_waited_for(void **state)
{
	struct scene s;

	start(&s);
	loop_turn(s.loop, 0); /* a frame is more than the terminal takes */
	assert_int_equal(s.draws, 1);
	display_dirty(s.display);
	for (int i = 0; i < 20; i++)
		loop_turn(s.loop, 20);
	assert_int_equal(s.draws, 1);
	TURN_UNTIL(s.loop, receives_until(&s, 2));
	finish(&s);
}

TEST_FILE(display)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_terminal_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

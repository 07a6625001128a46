/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/vec.h"
#include "loop/loop.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <string.h>

static int64_t
fake_clock(void *user)
{
	return *(int64_t *)user;
}

/* ---- timers ---- */

struct log {
	struct loop *loop;
	int64_t now;
	int64_t fired[3000];
	size_t len;
};

struct logged {
	struct loop_timer timer;
	struct log *log;
	int64_t value;
};

static void
note(void *user)
{
	struct logged *t = user;

	t->log->fired[t->log->len++] = t->value;
}

static struct logged
logged(struct log *log, int64_t value)
{
	return (struct logged){ .timer = { .fn = note }, .log = log, .value = value };
}

static void
log_init(struct log *log)
{
	*log = (struct log){ .now = 1000 };
	log->loop = loop_create(fake_clock, &log->now, NULL);
	assert_non_null(log->loop);
}

static void
test_timers_fire_in_order(void **state)
{
	enum { N = 2000 };
	struct log log;
	struct logged *timers = calloc(N, sizeof(*timers));

	log_init(&log);
	srand(7);
	for (int i = 0; i < N; i++) {
		int64_t at = 1001 + rand() % 500;
		timers[i] = logged(&log, at);
		timers[i].timer.user = &timers[i];
		loop_timer_set(log.loop, &timers[i].timer, at);
	}
	size_t cancelled = 0;
	for (int i = 0; i < N; i += 3, cancelled++)
		loop_timer_cancel(&timers[i].timer);
	loop_timer_cancel(&timers[0].timer);
	loop_turn(log.loop, 0);
	assert_int_equal(log.len, 0);
	while (log.now < 1500) {
		log.now += 50;
		loop_turn(log.loop, 0);
		for (size_t i = 0; i < log.len; i++)
			assert_true(log.fired[i] <= log.now);
	}
	assert_int_equal(log.len, N - cancelled);
	for (size_t i = 1; i < log.len; i++)
		assert_true(log.fired[i - 1] <= log.fired[i]);
	loop_destroy(log.loop);
	free(timers);
}

static void
test_equal_times_keep_their_order_and_moving_works(void **state)
{
	struct log log;
	struct logged t[5];

	log_init(&log);
	for (int i = 0; i < 5; i++) {
		t[i] = logged(&log, i);
		t[i].timer.user = &t[i];
		loop_timer_set(log.loop, &t[i].timer, 1010);
	}
	loop_timer_set(log.loop, &t[1].timer, 1005); /* earlier */
	loop_timer_set(log.loop, &t[0].timer, 1010); /* after the timers of the same time */
	log.now = 1010;
	loop_turn(log.loop, 0);
	const int64_t expected[] = { 1, 2, 3, 4, 0 };
	assert_int_equal(log.len, ARRAY_LEN(expected));
	assert_memory_equal(log.fired, expected, sizeof(expected));
	loop_destroy(log.loop);
}

struct again {
	struct loop_timer timer;
	struct loop *loop;
	int times;
};

static void
set_into_the_past(void *user)
{
	struct again *t = user;

	t->times++;
	loop_timer_set(t->loop, &t->timer, 0);
}

static void
test_a_timer_that_sets_itself_starves_nobody(void **state)
{
	struct log log;

	log_init(&log);
	struct again greedy = { .timer = { .fn = set_into_the_past, .user = &greedy },
		.loop = log.loop };
	struct logged other = logged(&log, 1);
	other.timer.user = &other;
	loop_timer_set(log.loop, &greedy.timer, 0);
	loop_timer_set(log.loop, &other.timer, 1000);
	loop_turn(log.loop, -1);
	assert_int_equal(log.len, 1);
	assert_in_range(greedy.times, 1, 2);
	loop_destroy(log.loop);
	assert_null(greedy.timer.loop);
}

static void
stop_loop(void *user)
{
	loop_stop(user);
}

static void
test_real_timers_do_not_fire_early(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct loop_timer timer = { .fn = stop_loop, .user = loop };
	int64_t start = clock_now_ms();
	loop_timer_set(loop, &timer, loop_now_ms(loop) + 15);
	loop_run(loop);
	assert_true(clock_now_ms() - start >= 15);
	loop_destroy(loop);
}

/* ---- descriptors ---- */

struct end {
	struct loop *loop;
	int fds[2];
	struct loop_watch *watch;
	struct end *victim;
	int calls;
	unsigned ready;
};

static void
end_init(struct end *e, struct loop *loop, loop_fd_fn *fn)
{
	*e = (struct end){ .loop = loop };
	assert_int_equal(pipe2(e->fds, O_NONBLOCK | O_CLOEXEC), 0);
	e->watch = loop_watch_fd(loop, e->fds[0], LOOP_READ, fn, e);
}

static void
end_finish(struct end *e)
{
	loop_watch_remove(e->watch);
	close(e->fds[0]);
	if (e->fds[1] >= 0)
		close(e->fds[1]);
}

static void
on_end(void *user, unsigned ready)
{
	struct end *e = user;

	e->calls++;
	e->ready = ready;
	if (e->victim) {
		loop_watch_remove(e->victim->watch);
		e->victim->watch = NULL;
	}
}

static void
poke(const struct end *e)
{
	assert_int_equal(write(e->fds[1], "x", 1), 1);
}

static void
test_a_callback_may_remove_any_watch(void **state)
{
	struct end a, b, c;

	struct loop *loop = loop_create(NULL, NULL, NULL);
	end_init(&a, loop, on_end);
	end_init(&b, loop, on_end);
	end_init(&c, loop, on_end);
	a.victim = &b;
	c.victim = &c;
	poke(&a);
	poke(&b);
	poke(&c);
	loop_turn(loop, 0);
	loop_turn(loop, 0);
	assert_int_equal(a.calls, 2);
	assert_int_equal(b.calls, 0);
	assert_int_equal(c.calls, 1);
	end_finish(&a);
	end_finish(&b);
	end_finish(&c);
	loop_destroy(loop);
}

static struct end reused;

static void
replace_victim(void *user, unsigned ready)
{
	struct end *e = user;

	if (e->calls++)
		return;
	int number = e->victim->fds[0];
	end_finish(e->victim);
	e->victim->watch = NULL;
	end_init(&reused, e->loop, on_end);
	assert_true(reused.fds[0] == number || reused.fds[1] == number);
}

static void
test_a_reused_descriptor_number_gets_no_old_event(void **state)
{
	struct end a, b;

	struct loop *loop = loop_create(NULL, NULL, NULL);
	end_init(&a, loop, replace_victim);
	end_init(&b, loop, on_end);
	a.victim = &b;
	poke(&a);
	poke(&b);
	loop_turn(loop, 0);
	loop_turn(loop, 0);
	assert_int_equal(a.calls, 2);
	assert_int_equal(b.calls, 0);
	assert_int_equal(reused.calls, 0);
	poke(&reused);
	loop_turn(loop, 0);
	assert_int_equal(reused.calls, 1);
	end_finish(&a);
	end_finish(&reused);
	loop_destroy(loop);
}

static void
test_a_hangup_is_told_to_who_wants_and_wakes_nobody_else(void **state)
{
	struct end e;

	struct loop *loop = loop_create(NULL, NULL, NULL);
	end_init(&e, loop, on_end);
	close(e.fds[1]);
	e.fds[1] = -1;
	loop_turn(loop, 0);
	assert_int_equal(e.calls, 1);
	assert_int_equal(e.ready, LOOP_READ);
	loop_watch_modify(e.watch, 0);
	int64_t start = clock_now_ms();
	loop_turn(loop, 20);
	assert_true(clock_now_ms() - start >= 19);
	assert_int_equal(e.calls, 1);
	end_finish(&e);
	loop_destroy(loop);
}

/* ---- idle, stop ---- */

struct idle {
	struct loop *loop;
	int turns;
};

static void
count_turns(void *user)
{
	struct idle *idle = user;

	if (++idle->turns == 3)
		loop_stop(idle->loop);
}

static void
test_idle_runs_once_a_turn(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct idle idle = { .loop = loop };
	struct end e;
	end_init(&e, loop, on_end);
	loop_on_idle(loop, count_turns, &idle);
	poke(&e); /* never read: each turn finds it */
	loop_run(loop);
	end_finish(&e);
	assert_int_equal(idle.turns, 3);
	loop_on_idle(loop, NULL, NULL);
	loop_stop(loop); /* before the run */
	loop_run(loop);
	loop_destroy(loop);
}

static void
test_nothing_to_do_is_one_sleep(void **state)
{
	struct end e;
	struct idle idle = { 0 };

	struct loop *loop = loop_create(NULL, NULL, NULL);
	end_init(&e, loop, on_end);
	struct loop_watch *signals = loop_watch_signal(loop, SIGWINCH, NULL, NULL);
	struct loop_timer timer = { .fn = stop_loop, .user = loop };
	loop_on_idle(loop, count_turns, &idle);
	loop_timer_set(loop, &timer, loop_now_ms(loop) + 40);
	loop_run(loop);
	assert_int_equal(idle.turns, 1);
	loop_watch_remove(signals);
	end_finish(&e);
	loop_destroy(loop);
}

/* ---- signals ---- */

static int seen[65];

static void
on_signal(void *user, int signal_number)
{
	struct loop_watch **self = user;

	seen[signal_number]++;
	if (self)
		loop_watch_remove(*self);
}

static void
test_signals_come_as_callbacks(void **state)
{
	static const int all[] = { SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGCHLD, SIGTSTP };
	struct loop_watch *watches[ARRAY_LEN(all)], *once;

	for (size_t i = 0; i < ARRAY_LEN(all);
	     i++) /* in a shell's background job some are ignored */
		signal(all[i], SIG_DFL);
	struct loop *loop = loop_create(NULL, NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		watches[i] = loop_watch_signal(loop, all[i], on_signal, NULL);
	once = loop_watch_signal(loop, SIGTERM, on_signal, &once);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		raise(all[i]);
	loop_turn(loop, 1000);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		assert_int_equal(seen[all[i]], all[i] == SIGTERM ? 2 : 1);
	raise(SIGTERM);
	loop_turn(loop, 1000);
	assert_int_equal(seen[SIGTERM], 3);
	struct loop_watch *resumed = loop_watch_signal(loop, SIGCONT, on_signal, &resumed);
	raise(SIGCONT);
	loop_turn(loop, 1000);
	assert_int_equal(seen[SIGCONT], 1);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		loop_watch_remove(watches[i]);
	sigset_t blocked;
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		assert_false(sigismember(&blocked, all[i]));
	loop_destroy(loop);
}

static void
test_an_ignored_signal_stays_ignored(void **state)
{
	signal(SIGHUP, SIG_IGN);
	seen[SIGHUP] = 0;
	struct loop *loop = loop_create(NULL, NULL, NULL);
	loop_watch_signal(loop, SIGHUP, on_signal, NULL);
	raise(SIGHUP);
	loop_turn(loop, 0);
	assert_int_equal(seen[SIGHUP], 0);
	loop_destroy(loop);
	signal(SIGHUP, SIG_DFL);
}

static void
on_nothing_ready(void *user, unsigned ready)
{
}

/* poll() refuses more descriptors than there may be: dormant ones and signals do not count. */
static void
test_as_many_are_watched_as_may_be_open(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct rlimit was, few;
	struct pollfd many[20];
	int ends[2];

	getrlimit(RLIMIT_NOFILE, &was);
	assert_int_equal(pipe(ends), 0);
	for (int i = 0; i < 20; i++)
		loop_watch_signal(loop, SIGUSR1, NULL, NULL);
	for (int i = 0; i < 20; i++)
		loop_watch_fd(loop, ends[0], 0, on_nothing_ready, NULL);
	few = (struct rlimit){ 10, was.rlim_max };
	setrlimit(RLIMIT_NOFILE, &few);
	loop_turn(loop, 0);
	assert_null(loop_trouble(loop));
	/* valgrind keeps the limit to itself: the system would let the loop wait for ever */
	for (size_t i = 0; i < ARRAY_LEN(many); i++)
		many[i] = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	if (poll(many, ARRAY_LEN(many), 0) >= 0) {
		setrlimit(RLIMIT_NOFILE, &was);
		loop_destroy(loop);
		close(ends[0]);
		close(ends[1]);
		skip();
	}
	for (int i = 0; i < 20; i++)
		loop_watch_fd(loop, ends[0], LOOP_READ, on_nothing_ready, NULL);
	loop_run(loop); /* comes back */
	assert_non_null(strstr(loop_trouble(loop), "Invalid argument"));
	setrlimit(RLIMIT_NOFILE, &was);
	loop_destroy(loop);
	close(ends[0]);
	close(ends[1]);
}

TEST_FILE(loop)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timers_fire_in_order),
		cmocka_unit_test(test_equal_times_keep_their_order_and_moving_works),
		cmocka_unit_test(test_a_timer_that_sets_itself_starves_nobody),
		cmocka_unit_test(test_real_timers_do_not_fire_early),
		cmocka_unit_test(test_a_callback_may_remove_any_watch),
		cmocka_unit_test(test_a_reused_descriptor_number_gets_no_old_event),
		cmocka_unit_test(test_a_hangup_is_told_to_who_wants_and_wakes_nobody_else),
		cmocka_unit_test(test_idle_runs_once_a_turn),
		cmocka_unit_test(test_nothing_to_do_is_one_sleep),
		cmocka_unit_test(test_signals_come_as_callbacks),
		cmocka_unit_test(test_an_ignored_signal_stays_ignored),
		cmocka_unit_test(test_as_many_are_watched_as_may_be_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

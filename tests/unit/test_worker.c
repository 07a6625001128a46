/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "fixture.h"
#include "loop/worker.h"
#include "test.h"

enum { LONG_MS = 600000 };

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct task {
	struct job job;
	pthread_t ran_in, done_in;
	bool ran, done;
	atomic_bool started;
	atomic_bool *gate; /* run() waits for it, or for the stop */
	bool heedless;     /* not for the stop */
	sigset_t blocked;
	size_t *order, turn;
};

static void
run(struct job *job)
{
	struct task *t = (struct task *)job;

	t->ran_in = pthread_self();
	t->ran = true;
	pthread_sigmask(SIG_SETMASK, NULL, &t->blocked);
	atomic_store(&t->started, true);
	while (t->gate && !atomic_load(t->gate) && (t->heedless || !job_is_stopped(job)))
		sched_yield();
}

static void
done(struct job *job)
{
	struct task *t = (struct task *)job;

	assert_false(t->done);
	t->done = true;
	t->done_in = pthread_self();
	if (t->order)
		t->turn = ++*t->order;
}

static struct task
task(atomic_bool *gate)
{
	return (struct task){ .job = { .run = run, .done = done }, .gate = gate };
}

static size_t
threads(void)
{
	char text[4096] = "";
	FILE *f = fopen("/proc/self/status", "r");

	size_t len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	return (size_t)strtoul(strstr(text, "Threads:") + strlen("Threads:"), NULL, 10);
}

static void
test_a_job_runs_elsewhere_and_ends_here(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct worker *worker = worker_create(loop);
	struct task t = task(NULL);

	size_t before = threads();
	worker_submit(worker, &t.job);
	assert_false(t.done);
	size_t with = threads();
	assert_true(with > before);
	TURN_UNTIL(loop, t.done);
	assert_true(t.ran);
	assert_false(pthread_equal(t.ran_in, pthread_self()));
	assert_true(pthread_equal(t.done_in, pthread_self()));
	/* signals are the loop's, faults their thread's */
	assert_true(sigismember(&t.blocked, SIGTERM) && sigismember(&t.blocked, SIGWINCH));
	assert_false(sigismember(&t.blocked, SIGSEGV) || sigismember(&t.blocked, SIGABRT));
	/* the thread that is there is used again */
	for (int i = 0; i < 50; i++) {
		t = task(NULL);
		worker_submit(worker, &t.job);
		TURN_UNTIL(loop, t.done);
	}
	assert_true(worker_destroy(worker, LONG_MS));
	TURN_UNTIL(loop, threads() == with - 1);
	loop_destroy(loop);
}

static void
test_nothing_is_started_unasked(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	size_t before = threads();

	struct worker *worker = worker_create(loop);
	loop_turn(loop, 0);
	assert_int_equal(threads(), before);
	assert_true(worker_destroy(worker, LONG_MS));
	assert_true(worker_destroy(NULL, LONG_MS));
	loop_destroy(loop);
}

static void
test_one_that_takes_long_holds_up_nobody(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct worker *worker = worker_create(loop);
	atomic_bool gate = false;
	struct task slow = task(&gate), quick[100];
	size_t order = 0;

	worker_submit(worker, &slow.job);
	for (size_t i = 0; i < 100; i++) {
		quick[i] = task(NULL);
		quick[i].order = &order;
		worker_submit(worker, &quick[i].job);
	}
	TURN_UNTIL(loop, order == 100);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(quick[i].turn, i + 1);
	assert_false(slow.done);
	atomic_store(&gate, true);
	TURN_UNTIL(loop, slow.done);
	assert_true(worker_destroy(worker, LONG_MS));
	loop_destroy(loop);
}

/* done() is called exactly once for every job, however it ended. */
static void
test_the_end_stops_what_is_left(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct worker *worker = worker_create(loop);
	atomic_bool gate = false;
	struct task tasks[20];

	for (size_t i = 0; i < 20; i++) {
		tasks[i] = task(&gate);
		worker_submit(worker, &tasks[i].job);
	}
	TURN_UNTIL(loop, atomic_load(&tasks[0].started) && atomic_load(&tasks[1].started));
	assert_false(tasks[0].done);
	assert_true(worker_destroy(worker, LONG_MS));
	for (size_t i = 0; i < 20; i++) {
		assert_true(tasks[i].done);
		assert_int_equal(tasks[i].ran, i < 2);
	}
	loop_destroy(loop);
}

/* A required job runs at the end although others are stopped; the end waits briefly for a running
 * one, and for no other. */
static void
test_the_end_waits_a_moment(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct worker *worker = worker_create(loop);
	atomic_bool gate = false;
	struct task wanted[20], busy[2] = { task(&gate), task(&gate) }, other = task(NULL);

	worker_submit(worker, &busy[0].job);
	worker_submit(worker, &busy[1].job);
	TURN_UNTIL(loop, atomic_load(&busy[0].started) && atomic_load(&busy[1].started));
	worker_submit(worker, &other.job);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		wanted[i] = task(NULL);
		wanted[i].job.at_end = true;
		worker_submit(worker, &wanted[i].job);
	}
	assert_true(worker_destroy(worker, LONG_MS));
	assert_true(other.done && !other.ran);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_true(wanted[i].ran && wanted[i].done);

	/* static, because their threads outlive the function */
	static atomic_bool never;
	static struct task endless[2], waiting;
	worker = worker_create(loop);
	for (size_t i = 0; i < 2; i++) {
		endless[i] = task(&never);
		endless[i].job.at_end = endless[i].heedless = true;
		worker_submit(worker, &endless[i].job);
	}
	TURN_UNTIL(loop, atomic_load(&endless[0].started) && atomic_load(&endless[1].started));
	waiting = task(NULL);
	waiting.job.at_end = true;
	worker_submit(worker, &waiting.job);
	assert_false(worker_destroy(worker, 10));
	assert_true(waiting.done && !waiting.ran);
	assert_false(endless[0].done || endless[1].done);
	loop_destroy(loop);
}

/* A job that was stopped before its turn is not begun. */
static void
test_a_stopped_job_is_not_begun(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct worker *worker = worker_create(loop);
	struct task t = task(NULL);

	job_stop(&t.job);
	worker_submit(worker, &t.job);
	TURN_UNTIL(loop, t.done);
	assert_false(t.ran);
	assert_true(worker_destroy(worker, LONG_MS));
	loop_destroy(loop);
}

static void
test_without_descriptors_it_runs_at_once(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct worker *worker = worker_create(loop);
	struct task t = task(NULL);
	struct rlimit was, none;

	getrlimit(RLIMIT_NOFILE, &was);
	none = was;
	none.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &none);
	worker_submit(worker, &t.job);
	setrlimit(RLIMIT_NOFILE, &was);
	assert_true(t.ran && !t.done);
	assert_true(pthread_equal(t.ran_in, pthread_self()));
	TURN_UNTIL(loop, t.done);
	assert_true(worker_destroy(worker, LONG_MS));
	loop_destroy(loop);
}

TEST_FILE(worker)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_job_runs_elsewhere_and_ends_here),
		cmocka_unit_test(test_nothing_is_started_unasked),
		cmocka_unit_test(test_one_that_takes_long_holds_up_nobody),
		cmocka_unit_test(test_the_end_stops_what_is_left),
		cmocka_unit_test(test_the_end_waits_a_moment),
		cmocka_unit_test(test_a_stopped_job_is_not_begun),
		cmocka_unit_test(test_without_descriptors_it_runs_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

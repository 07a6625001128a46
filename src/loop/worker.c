/* SPDX-License-Identifier: MIT */
#include "loop/worker.h"

#include "base/mem.h"
#include "base/vec.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2 };

/* The size of the main thread's stack, because validation against a schema recurses deeply. */
#define STACK_BYTES ((size_t)8 << 20)

struct job_list {
	struct job **items;
	size_t len, cap;
};

struct worker {
	struct loop *loop;
	int finished_fd; /* readable if a thread has finished a job; -1 before the first */
	struct loop_watch *watch;
	struct loop_timer timer; /* delivers jobs that ran without a thread */
	pthread_t threads[THREADS];
	size_t thread_count;
	pthread_mutex_t mutex; /* for all members below */
	pthread_cond_t wake;
	struct job_list waiting, finished;
	struct job *running[THREADS];
	size_t idle;
	bool ending;
};

/* ---- in the threads ---- */

static void *
thread(void *user)
{
	struct worker *w = user;

	pthread_mutex_lock(&w->mutex);
	while (w->waiting.len > 0 || !w->ending) {
		if (w->waiting.len == 0) {
			w->idle++;
			pthread_cond_wait(&w->wake, &w->mutex);
			w->idle--;
			continue;
		}
		struct job **mine = w->running, *job = w->waiting.items[0];
		VEC_REMOVE(&w->waiting, 0);
		while (*mine) /* there is a slot for each thread */
			mine++;
		*mine = job;
		pthread_mutex_unlock(&w->mutex);
		if (!job_is_stopped(job))
			job->run(job);
		pthread_mutex_lock(&w->mutex);
		*mine = NULL;
		*VEC_PUSH(&w->finished) = job;
		ssize_t n = write(w->finished_fd, &(uint64_t){ 1 }, sizeof(uint64_t));
		(void)n; /* a full counter is readable as well */
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

/* ---- in the loop's thread ---- */

static void
deliver(void *user)
{
	struct worker *w = user;

	pthread_mutex_lock(&w->mutex);
	struct job_list finished = w->finished;
	w->finished = (struct job_list){ 0 };
	pthread_mutex_unlock(&w->mutex);
	for (size_t i = 0; i < finished.len; i++)
		job_end(finished.items[i]);
	free(finished.items);
}

static void
on_finished(void *user, unsigned ready)
{
	struct worker *w = user;
	uint64_t count;
	ssize_t n = read(w->finished_fd, &count, sizeof(count));

	(void)n;
	deliver(w);
}

struct worker *
worker_create(struct loop *loop)
{
	struct worker *w = mem_zalloc(sizeof(*w));

	w->loop = loop;
	w->finished_fd = -1;
	w->timer = (struct loop_timer){ .fn = deliver, .user = w };
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->wake, NULL);
	return w;
}

/* The loop handles all signals except the synchronous ones of a thread. */
static void
start_thread(struct worker *w)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	pthread_attr_t attr;
	sigset_t blocked, before;

	sigfillset(&blocked);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		sigdelset(&blocked, own[i]);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	w->thread_count += pthread_create(&w->threads[w->thread_count], &attr, thread, w) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
}

/* Is there, or will there be, a thread for the waiting jobs? */
static bool
has_thread(struct worker *w)
{
	if (w->finished_fd < 0) {
		w->finished_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (w->finished_fd < 0)
			return false;
		w->watch = loop_watch_fd(w->loop, w->finished_fd, LOOP_READ, on_finished, w);
	}
	pthread_mutex_lock(&w->mutex);
	bool busy = w->idle <= w->waiting.len;
	pthread_mutex_unlock(&w->mutex);
	if (busy && w->thread_count < THREADS)
		start_thread(w);
	return w->thread_count > 0;
}

void
worker_submit(struct worker *w, struct job *job)
{
	bool later = has_thread(w);

	if (!later && !job_is_stopped(job))
		job->run(job);
	pthread_mutex_lock(&w->mutex);
	*VEC_PUSH(later ? &w->waiting : &w->finished) = job;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->mutex);
	if (!later)
		loop_timer_set(w->loop, &w->timer, loop_now_ms(w->loop));
}

/* Stops the running and the waiting jobs. */
static void
stop_jobs(struct worker *w, bool those_at_end)
{
	for (size_t i = 0; i < THREADS; i++)
		if (w->running[i] && (those_at_end || !w->running[i]->at_end))
			job_stop(w->running[i]);
	for (size_t i = 0; i < w->waiting.len; i++)
		if (those_at_end || !w->waiting.items[i]->at_end)
			job_stop(w->waiting.items[i]);
}

bool
worker_destroy(struct worker *w, int wait_ms)
{
	struct timespec until;
	bool ended = true;

	if (!w)
		return true;
	pthread_mutex_lock(&w->mutex);
	w->ending = true;
	stop_jobs(w, false);
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->mutex);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += wait_ms / 1000;
	until.tv_nsec += wait_ms % 1000 * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	for (size_t i = 0; i < w->thread_count && ended; i++)
		ended = pthread_clockjoin_np(w->threads[i], NULL, CLOCK_MONOTONIC, &until) == 0;
	if (!ended) { /* time is up, and no thread begins another job */
		pthread_mutex_lock(&w->mutex);
		stop_jobs(w, true);
		for (size_t i = 0; i < w->waiting.len; i++)
			*VEC_PUSH(&w->finished) = w->waiting.items[i];
		w->waiting.len = 0;
		pthread_mutex_unlock(&w->mutex);
	}
	deliver(w);
	loop_timer_cancel(&w->timer);
	loop_watch_remove(w->watch);
	if (!ended)
		return false;
	if (w->finished_fd >= 0)
		close(w->finished_fd);
	free(w->waiting.items);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->mutex);
	free(w);
	return true;
}

#include "host/confined.h"

#include "base/mem.h"
#include "base/vec.h"
#include "loop/child.h"
#include "loop/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Concurrent processes. */
enum { AT_ONCE = 2 };

struct confined_run {
	struct confined *confined;
	struct confined_job *job;
	struct child *child;
	struct stream_in in;
	struct stream_out out;
	struct loop_timer timer;
	bool exited, ended; /* the process and its output */
	char how[64];       /* it exited */
};

struct confined {
	struct loop *loop;
	char *program;
	int limit_ms;
	struct {
		struct confined_job **items;
		size_t len, cap;
	} waiting;
	struct {
		struct confined_run **items;
		size_t len, cap;
	} running;
};

static void start_next(struct confined *confined);

static void
release(struct confined_job *job)
{
	buf_finish(&job->request);
	buf_finish(&job->answer);
	free(job);
}

static void
finish(struct confined_job *job, const char *ended)
{
	job->done(job, ended);
	release(job);
}

/* Frees r. */
static void
conclude(struct confined_run *r, const char *ended)
{
	struct confined *confined = r->confined;
	struct confined_job *job = r->job;
	char how[sizeof(r->how)];

	snprintf(how, sizeof(how), "%s", ended);
	for (size_t i = 0; i < confined->running.len; i++)
		if (confined->running.items[i] == r)
			VEC_REMOVE(&confined->running, i);
	loop_timer_cancel(&r->timer);
	stream_in_finish(&r->in);
	stream_out_finish(&r->out);
	child_destroy(r->child);
	free(r);
	finish(job, how);
}

static void
check_end(struct confined_run *r)
{
	struct confined *confined = r->confined;

	if (!r->exited || !r->ended)
		return;
	conclude(r, r->how);
	start_next(confined);
}

static void
on_exited(void *user, const struct child_status *status)
{
	struct confined_run *r = user;

	child_status_text(status, r->how, sizeof(r->how));
	r->exited = true;
	check_end(r);
}

static void
on_bytes(void *user, const char *bytes, size_t len)
{
	struct confined_run *r = user;

	buf_add(&r->job->answer, bytes, len);
}

static void
on_end(void *user, int error)
{
	struct confined_run *r = user;

	r->ended = true;
	check_end(r);
}

static void
on_timer(void *user)
{
	struct confined_run *r = user;
	struct confined *confined = r->confined;

	conclude(r, "it took too long");
	start_next(confined);
}

static void
send_request(struct confined_run *r)
{
	struct buf *request = &r->job->request;

	stream_out_init(
	    &r->out, r->confined->loop, child_fd(r->child, STDIN_FILENO), request->len + 1);
	BUG_IF(!stream_out_add(&r->out, buf_text(request), request->len));
	buf_finish(request);
	stream_out_flush(&r->out);
}

static bool
start(struct confined *confined, struct confined_job *job, struct err *err)
{
	static const struct child_ladder at_once = { 0, 0 };
	static const char *const inherits[] = { "LD_LIBRARY_PATH", NULL }; /* to find libraries */
	const char *argv[] = { confined->program, job->option, NULL };
	struct child_options options = { .argv = argv, .ladder = &at_once, .inherits = inherits };
	struct confined_run *r = mem_zalloc(sizeof(*r));
	int limit_ms = job->limit_ms ? job->limit_ms : confined->limit_ms;

	*r = (struct confined_run){ .confined = confined, .job = job };
	r->timer = (struct loop_timer){ .fn = on_timer, .user = r };
	r->child = child_spawn(confined->loop, &options, on_exited, r, err);
	if (!r->child) {
		free(r);
		return false;
	}
	job->answer.max = job->answer_max;
	child_close_fd(r->child, STDERR_FILENO);
	stream_in_init(
	    &r->in, confined->loop, child_fd(r->child, STDOUT_FILENO), on_bytes, on_end, r);
	loop_timer_set(confined->loop, &r->timer, loop_now_ms(confined->loop) + limit_ms);
	*VEC_PUSH(&confined->running) = r;
	send_request(r);
	return true;
}

static void
start_next(struct confined *confined)
{
	while (confined->waiting.len > 0 && confined->running.len < AT_ONCE) {
		struct confined_job *job = confined->waiting.items[0];
		struct err err = { "it is not wanted" };
		VEC_REMOVE(&confined->waiting, 0);
		if ((job->unwanted && *job->unwanted) || !start(confined, job, &err))
			finish(job, err.text);
	}
}

/* ---- interface ---- */

struct confined *
confined_create(struct loop *loop, const char *program, int limit_ms)
{
	struct confined *confined = mem_zalloc(sizeof(*confined));

	*confined =
	    (struct confined){ .loop = loop, .program = mem_strdup(program), .limit_ms = limit_ms };
	return confined;
}

void
confined_destroy(struct confined *confined)
{
	if (!confined)
		return;
	while (confined->running.len > 0)
		conclude(confined->running.items[0], "the program ends");
	while (confined->waiting.len > 0) {
		struct confined_job *job = confined->waiting.items[0];
		VEC_REMOVE(&confined->waiting, 0);
		finish(job, "the program ends");
	}
	free(confined->running.items);
	free(confined->waiting.items);
	free(confined->program);
	free(confined);
}

bool
confined_submit(struct confined *confined, struct confined_job *job, struct err *err)
{
	if (confined->running.len >= AT_ONCE)
		*VEC_PUSH(&confined->waiting) = job;
	else if (!start(confined, job, err)) {
		release(job);
		return false;
	}
	return true;
}

void
confined_stop(struct confined *confined, struct confined_job *job)
{
	for (size_t i = 0; i < confined->running.len; i++)
		if (confined->running.items[i]->job == job) {
			conclude(confined->running.items[i], "it was stopped");
			start_next(confined);
			return;
		}
	for (size_t i = 0; i < confined->waiting.len; i++)
		if (confined->waiting.items[i] == job)
			VEC_REMOVE(&confined->waiting, i);
	finish(job, "it was stopped");
}

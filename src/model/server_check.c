#include "server_priv.h"

#include "base/mem.h"

#include <stdlib.h>

/* What is smaller is judged within a millisecond or so, but for what a schema makes long: that
 * begins anew, as a job. */
#define CHECK_LATER_BYTES ((size_t)256 << 10)
#define CHECK_LATER_STEPS ((size_t)100000)

/* A result that is checked while everything else goes on. It reads the call's trees and schema, so
 * a call that is let go meanwhile is kept until the check has ended. */
struct check {
	struct job job;        /* first */
	struct server *server; /* NULL: the call was let go */
	struct call *call;
	struct report *report;
};

static void
run(struct job *job)
{
	struct check *k = (struct check *)job;

	k->report = verdict_check(
	    &k->call->verdict, k->call->result.structured, &(struct check_options){ .job = job });
}

static void
done(struct job *job)
{
	struct check *k = (struct check *)job;
	struct server *s = k->server;
	struct call *c = k->call;

	c->check = NULL;
	if (s && !job_is_stopped(job)) {
		verdict_end(&c->verdict, k->report);
		server_note_verdict(s, c);
		s->generation++;
		s->on_checked(s->jobs_user);
	} else {
		report_destroy(k->report);
		if (!s)
			call_destroy(c);
	}
	free(k);
}

static bool
judge_soon(struct call *c)
{
	const struct check_options some = { .max_steps = CHECK_LATER_STEPS };

	if (c->raw && c->raw->len >= CHECK_LATER_BYTES)
		return false;
	struct report *report = verdict_check(&c->verdict, c->result.structured, &some);
	if (report_is_cut(report)) {
		report_destroy(report);
		return false;
	}
	verdict_end(&c->verdict, report);
	return true;
}

void
server_check(struct server *s, struct call *c)
{
	if (c->verdict.kind != VERDICT_CHECKING)
		return;
	if (!s->submit)
		call_judge(c);
	if (!s->submit || judge_soon(c))
		return;
	struct check *k = mem_zalloc(sizeof(*k));
	*k = (struct check){ .job = { .run = run, .done = done }, .server = s, .call = c };
	c->check = k;
	s->submit(s->jobs_user, &k->job);
}

void
server_let_go(struct call *c)
{
	if (!c->check) {
		call_destroy(c);
		return;
	}
	c->check->server = NULL;
	job_stop(&c->check->job);
}

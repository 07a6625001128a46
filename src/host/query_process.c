#include "host/query.h"

#include "base/mem.h"
#include "host/confined.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MEMORY_MB 512
enum { LIMIT_MS = 5000, CPU_SECONDS = 6 };

/* The request is this header, the expression and the value. */
struct query_request {
	uint32_t expression, value; /* bytes */
};
/* The answer is this header and the results. */
struct reply {
	uint64_t count, at, more;
	struct err trouble;
};

struct querying {
	struct confined_job work; /* first */
	struct query_job *job;
};

/* False: the process did not say all of it. */
static bool
take_reply(struct query_answer *answer, struct buf *bytes)
{
	struct reply reply;

	if (bytes->overflowed || bytes->len < sizeof(reply))
		return false;
	memcpy(&reply, bytes->data, sizeof(reply));
	reply.trouble.text[sizeof(reply.trouble.text) - 1] = '\0';
	buf_consume(bytes, sizeof(reply));
	*answer = (struct query_answer){ .text = *bytes,
		.count = (size_t)reply.count,
		.more = reply.more != 0,
		.at = (size_t)reply.at,
		.trouble = reply.trouble };
	*bytes = (struct buf)BUF_INIT;
	return true;
}

static void
on_done(struct confined_job *work, const char *ended)
{
	struct querying *q = (struct querying *)work;
	struct query_job *job = q->job;

	if (!take_reply(&job->answer, &work->answer)) {
		job->answer = (struct query_answer){ .at = QUERY_NOWHERE };
		err_set(&job->answer.trouble, "jq gave no result: %s", ended);
	}
	job->work = NULL;
	job->done(job);
}

bool
query_submit(struct confined *confined, struct query_job *job)
{
	struct query_request head = { (uint32_t)strlen(job->expression), (uint32_t)job->value.len };
	struct querying *q = mem_zalloc(sizeof(*q));

	job->answer = (struct query_answer){ .at = QUERY_NOWHERE };
	*q = (struct querying){ .work = { .option = QUERY_OPTION,
				    .done = on_done,
				    .limit_ms = LIMIT_MS,
				    .answer_max = sizeof(struct reply) + QUERY_MAX_ANSWER + 2 },
		.job = job };
	buf_add(&q->work.request, &head, sizeof(head));
	buf_add(&q->work.request, job->expression, head.expression);
	buf_add(&q->work.request, buf_text(&job->value), job->value.len);
	buf_finish(&job->value);
	job->work = q;
	if (confined_submit(confined, &q->work, &job->answer.trouble))
		return true;
	job->work = NULL;
	return false;
}

void
query_stop(struct confined *confined, struct query_job *job)
{
	confined_stop(confined, &((struct querying *)job->work)->work);
}

/* ---- the process ---- */

/* A signal handler may call it: it only calls write(). NOLINTBEGIN(bugprone-signal-handler) */
static int
write_reply(const struct query_answer *answer)
{
	struct reply reply = { .count = answer->count,
		.at = answer->at,
		.more = answer->more,
		.trouble = answer->trouble };

	bool ok = confined_write(&reply, sizeof(reply)) &&
		  confined_write(buf_text(&answer->text), answer->text.len);
	return ok ? 0 : 1;
}
/* NOLINTEND(bugprone-signal-handler) */

static struct query_answer crashed = { .at = QUERY_NOWHERE };

/* libjq ends by abort() if memory runs out, which becomes SIGSEGV if no signal can be sent. */
static void
on_crash(int signal_number)
{
	_exit(write_reply(&crashed));
}

int
query_serve(void)
{
	static const struct confined_limits limits = { .memory_bytes = (size_t)MEMORY_MB << 20,
		.cpu_seconds = CPU_SECONDS,
		.calls_fail = true };
	static char *no_environment[] = { NULL };
	static char expression[QUERY_MAX_EXPRESSION + 1];
	struct buf json = { .max = QUERY_MAX_BYTES };
	struct query_answer answer;
	struct query_request head;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!confined_read(&head, sizeof(head)) || head.expression > QUERY_MAX_EXPRESSION ||
	    !confined_read(expression, head.expression) || !buf_reserve(&json, head.value) ||
	    !confined_read(json.data, head.value))
		return 1;
	buf_commit(&json, head.value);
	err_set(&crashed.trouble, "jq crashed, or needs more than %d MiB of memory", MEMORY_MB);
	signal(SIGSEGV, on_crash);
	signal(SIGABRT, on_crash);
	query_load(NULL); /* query_run() reports a missing library */
	environ = no_environment;
	close(STDIN_FILENO);
	close(STDERR_FILENO); /* jq's own `stderr` writes there */
	confined_enter(&limits);
	query_run(expression, buf_text(&json), json.len, &answer);
	_exit(write_reply(&answer)); /* exit handlers may need forbidden system calls */
}

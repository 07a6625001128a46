/* SPDX-License-Identifier: MIT */
#include "host/confined.h"

#include "base/mem.h"
#include "base/vec.h"
#include "loop/child.h"
#include "loop/stream.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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
free_job(struct confined_job *job)
{
	buf_finish(&job->request);
	buf_finish(&job->answer);
	free(job);
}

static void
finish_job(struct confined_job *job, const char *ended)
{
	job->done(job, ended);
	free_job(job);
}

/* Frees r and starts the next one. */
static void
end_run(struct confined_run *r, const char *ended)
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
	finish_job(job, how);
	start_next(confined);
}

static void
check_end(struct confined_run *r)
{
	if (r->exited && r->ended)
		end_run(r, r->how);
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
confined_on_end(void *user, int error)
{
	struct confined_run *r = user;

	r->ended = true;
	check_end(r);
}

static void
confined_on_timer(void *user)
{
	end_run(user, "it took too long");
}

static bool
start_run(struct confined *confined, struct confined_job *job, struct err *err)
{
	static const struct child_ladder at_once = { 0, 0 };
	static const char *const inherits[] = { "LD_LIBRARY_PATH", NULL }; /* to find libraries */
	const char *argv[] = { confined->program, job->option, NULL };
	struct child_options options = { .argv = argv, .ladder = &at_once, .inherits = inherits };
	struct confined_run *r = mem_zalloc(sizeof(*r));
	int limit_ms = job->limit_ms ? job->limit_ms : confined->limit_ms;

	*r = (struct confined_run){ .confined = confined, .job = job };
	r->timer = (struct loop_timer){ .fn = confined_on_timer, .user = r };
	r->child = child_spawn(confined->loop, &options, on_exited, r, err);
	if (!r->child) {
		free(r);
		return false;
	}
	job->answer.max = job->answer_max;
	child_close_fd(r->child, STDERR_FILENO);
	stream_in_init(&r->in, confined->loop, child_fd(r->child, STDOUT_FILENO), on_bytes,
	    confined_on_end, r);
	loop_timer_set(confined->loop, &r->timer, loop_now_ms(confined->loop) + limit_ms);
	*VEC_PUSH(&confined->running) = r;
	struct buf *request = &r->job->request;
	stream_out_init(
	    &r->out, r->confined->loop, child_fd(r->child, STDIN_FILENO), request->len + 1);
	BUG_IF(!stream_out_add(&r->out, buf_text(request), request->len));
	buf_finish(request);
	stream_out_flush(&r->out);
	return true;
}

static void
start_next(struct confined *confined)
{
	while (confined->waiting.len > 0 && confined->running.len < AT_ONCE) {
		struct confined_job *job = confined->waiting.items[0];
		struct err err = { "it is not wanted" };
		VEC_REMOVE(&confined->waiting, 0);
		if ((job->unwanted && *job->unwanted) || !start_run(confined, job, &err))
			finish_job(job, err.text);
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
	while (confined->waiting.len > 0) { /* first: the end of a run starts the next one */
		struct confined_job *job = confined->waiting.items[0];
		VEC_REMOVE(&confined->waiting, 0);
		finish_job(job, "the program ends");
	}
	while (confined->running.len > 0)
		end_run(confined->running.items[0], "the program ends");
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
	else if (!start_run(confined, job, err)) {
		free_job(job);
		return false;
	}
	return true;
}

/* Input that exploits this process can only compute and send bytes. */

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#if defined(__SANITIZE_ADDRESS__)
/* sanitizers map terabytes, open files of /proc and send signals: limits only */
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static void
limit(int what, size_t most)
{
	setrlimit(what, &(struct rlimit){ most, most });
}

#if defined(ARCH) && !defined(SANITIZED)

/* System calls allowed unconditionally. malloc() may map memory, but never executable memory. */
static const uint32_t allowed[] = { SYS_read, SYS_write, SYS_exit, SYS_exit_group, SYS_brk,
	SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_rt_sigreturn, SYS_getrandom };
static const uint32_t mapping[] = { SYS_mmap, SYS_mprotect };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define SKIP_UNLESS_BIT(value, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (value), 0, (skipped))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))

static void
filter_calls(const struct confined_limits *limits)
{
	uint32_t forbidden =
	    limits->calls_fail ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_KILL_PROCESS;
	struct sock_filter code[5 + 2 * ARRAY_LEN(allowed) + 5 * ARRAY_LEN(mapping)] = {
		LOAD(arch),
		SKIP_UNLESS_EQUAL(ARCH, 1),
		LOAD(nr),
	};
	size_t n = 3;

	for (size_t i = 0; i < ARRAY_LEN(allowed); i++) {
		code[n++] = (struct sock_filter)SKIP_UNLESS_EQUAL(allowed[i], 1);
		code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	for (size_t i = 0; i < ARRAY_LEN(mapping); i++) {
		code[n++] = (struct sock_filter)SKIP_UNLESS_EQUAL(mapping[i], 4);
		code[n++] = (struct sock_filter)LOAD(args[2]); /* the low half: little-endian */
		code[n++] = (struct sock_filter)SKIP_UNLESS_BIT(PROT_EXEC, 1);
		code[n++] = (struct sock_filter)RETURN(forbidden);
		code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	code[n++] = (struct sock_filter)RETURN(forbidden);
	struct sock_fprog program = { .len = (unsigned short)n, .filter = code };
	/* If the kernel or container refuses the filter, the limits and the empty process
	 * remain. */
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#endif

void
confined_enter(const struct confined_limits *limits)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, limits->cpu_seconds);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, 0);
#ifndef SANITIZED
	limit(RLIMIT_AS, limits->memory_bytes);
#endif
#if defined(ARCH) && !defined(SANITIZED)
	filter_calls(limits);
#endif
}

bool
confined_read(void *to, size_t len)
{
	for (char *at = to; len > 0;) {
		ssize_t n = read(STDIN_FILENO, at, len);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

bool
confined_write(const void *from, size_t len)
{
	for (const char *at = from; len > 0;) {
		ssize_t n = write(STDOUT_FILENO, at, len);
		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

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

static void
on_query_done(struct confined_job *work, const char *ended)
{
	struct query_job *job = work->user;
	struct reply reply;

	if (work->answer.overflowed || work->answer.len < sizeof(reply)) {
		job->answer = (struct query_answer){ .at = QUERY_NOWHERE };
		err_set(&job->answer.trouble, "jq gave no result: %s", ended);
	} else {
		memcpy(&reply, work->answer.data, sizeof(reply));
		reply.trouble.text[sizeof(reply.trouble.text) - 1] = '\0';
		buf_consume(&work->answer, sizeof(reply));
		job->answer = (struct query_answer){ .text = work->answer,
			.count = (size_t)reply.count,
			.more = reply.more != 0,
			.at = (size_t)reply.at,
			.trouble = reply.trouble };
		work->answer = (struct buf)BUF_INIT;
	}
	job->work = NULL;
	job->done(job);
}

bool
query_submit(struct confined *confined, struct query_job *job)
{
	struct query_request head = { (uint32_t)strlen(job->expression), (uint32_t)job->value.len };
	struct confined_job *work = mem_zalloc(sizeof(*work));

	job->answer = (struct query_answer){ .at = QUERY_NOWHERE };
	*work = (struct confined_job){ .option = QUERY_OPTION,
		.done = on_query_done,
		.user = job,
		.limit_ms = LIMIT_MS,
		.answer_max = sizeof(struct reply) + QUERY_MAX_ANSWER + 2 };
	buf_add(&work->request, &head, sizeof(head));
	buf_add(&work->request, job->expression, head.expression);
	buf_add(&work->request, buf_text(&job->value), job->value.len);
	buf_finish(&job->value);
	job->work = work;
	if (confined_submit(confined, work, &job->answer.trouble))
		return true;
	job->work = NULL;
	return false;
}

void
query_stop(struct confined *confined, struct query_job *job)
{
	struct confined_job *stopped = job->work;

	for (size_t i = 0; i < confined->running.len; i++)
		if (confined->running.items[i]->job == stopped) {
			end_run(confined->running.items[i], "it was stopped");
			return;
		}
	for (size_t i = 0; i < confined->waiting.len; i++)
		if (confined->waiting.items[i] == stopped)
			VEC_REMOVE(&confined->waiting, i);
	finish_job(stopped, "it was stopped");
}

/* ---- the process ---- */

/* A signal handler may call it: it only calls write(). NOLINTBEGIN(bugprone-signal-handler) */
static int
write_query_reply(const struct query_answer *answer)
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
	_exit(write_query_reply(&crashed));
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
	_exit(write_query_reply(&answer)); /* exit handlers may need forbidden system calls */
}

/* SPDX-License-Identifier: MIT */
#include "host/sampler.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "loop/child.h"
#include "loop/stream.h"
#include "client/question.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STDERR_MAX ((size_t)4096)
/* How often to check whether the request was withdrawn. */
#define LOOK_MS 250

struct sampling_job {
	struct sampler *sampler;
	struct server *server;
	uint64_t question;
	bool send; /* send the answer; else keep it as a draft */
	struct child *child;
	struct buf request, out, errors;
	size_t written;
	struct loop_watch *input;
	struct stream_in output, complaints;
	struct loop_timer look;
	int64_t limit_ms;
	bool exited, output_ended, errors_ended;
	struct child_status status;
};

struct sampler {
	struct loop *loop;
	char *command;
	void (*on_change)(void *user);
	void *user;
	struct {
		struct sampling_job **items;
		size_t len, cap;
	} jobs;
};

/* ---- the end of a job ---- */

static void
destroy_job(struct sampling_job *j)
{
	loop_timer_cancel(&j->look);
	if (j->input)
		loop_watch_remove(j->input);
	stream_in_finish(&j->output);
	stream_in_finish(&j->complaints);
	child_destroy(j->child);
	buf_finish(&j->request);
	buf_finish(&j->out);
	buf_finish(&j->errors);
	free(j);
}

/* trouble NULL: the answer is complete. */
static void
end_job(struct sampling_job *j, const char *trouble)
{
	struct question *q = server_find_question(j->server, j->question);
	struct sampler *s = j->sampler;

	while (j->out.len > 0 && strchr("\n\r \t", j->out.data[j->out.len - 1]))
		buf_truncate(&j->out, j->out.len - 1);
	if (q)
		q->working = false;
	if (q && !j->send) {
		question_set(&q->trouble, trouble, trouble ? strlen(trouble) : 0);
		if (!trouble)
			question_set(&q->draft, buf_text(&j->out), j->out.len);
		server_changed(j->server);
	} else if (q && trouble) {
		server_note_question(j->server, j->question, trouble, clock_now_us());
		server_decline(j->server, j->question, clock_now_us());
	} else if (q) {
		struct buf result = BUF_INIT;
		question_sampling_result(buf_text(&j->out), j->out.len, &result);
		const char *flaw = question_sampling_flaw(q, &result);
		if (flaw)
			server_note_question(j->server, j->question, flaw, clock_now_us());
		server_answer(
		    j->server, j->question, buf_text(&result), result.len, clock_now_us());
		buf_finish(&result);
	}
	for (size_t i = 0; i < s->jobs.len; i++)
		if (s->jobs.items[i] == j)
			VEC_REMOVE(&s->jobs, i);
	destroy_job(j);
	s->on_change(s->user);
}

static void
check_end(struct sampling_job *j)
{
	char status[64], text[400];
	const char *last = buf_text(&j->errors);

	if (!j->exited || !j->output_ended || !j->errors_ended)
		return;
	if (j->status.exit_code == 0 && j->out.len > 0) {
		end_job(j, NULL);
		return;
	}
	child_status_text(&j->status, status, sizeof(status));
	if (j->status.exit_code == 0)
		snprintf(text, sizeof(text), "the command printed nothing");
	else
		snprintf(text, sizeof(text), "the command ended with %s%s%.*s", status,
		    *last ? ": " : "", (int)(strcspn(last, "\n") < 280 ? strcspn(last, "\n") : 280),
		    last);
	end_job(j, text);
}

/* ---- running ---- */

static void
on_look(void *user)
{
	struct sampling_job *j = user;
	struct loop *loop = j->sampler->loop;

	if (!server_find_question(j->server, j->question))
		end_job(j, "the server no longer waits for it");
	else if (loop_now_ms(loop) >= j->limit_ms)
		end_job(j, "the command took too long and was ended");
	else
		loop_timer_set(loop, &j->look, loop_now_ms(loop) + LOOK_MS);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct sampling_job *j = user;

	j->exited = true;
	j->status = *status;
	check_end(j);
}

static void
on_output(void *user, const char *bytes, size_t len)
{
	struct sampling_job *j = user;

	if (!buf_add(&j->out, bytes, len))
		end_job(j, "the command printed more than a mebibyte");
}

static void
on_output_end(void *user, int error)
{
	struct sampling_job *j = user;

	j->output_ended = true;
	check_end(j);
}

static void
on_complaint(void *user, const char *bytes, size_t len)
{
	struct sampling_job *j = user;
	size_t room = STDERR_MAX - j->errors.len;

	buf_add(&j->errors, bytes, len < room ? len : room);
}

static void
on_complaint_end(void *user, int error)
{
	struct sampling_job *j = user;

	j->errors_ended = true;
	check_end(j);
}

/* A command need not read its input. */
static void
on_input_ready(void *user, unsigned ready)
{
	struct sampling_job *j = user;
	size_t left = j->request.len - j->written;

	ssize_t n =
	    write(child_fd(j->child, STDIN_FILENO), buf_text(&j->request) + j->written, left);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	j->written += n > 0 ? (size_t)n : left;
	if (j->written >= j->request.len) {
		loop_watch_remove(j->input);
		j->input = NULL;
		child_close_fd(j->child, STDIN_FILENO);
	}
}

static bool
start_job(struct sampling_job *j, struct err *err)
{
	struct loop *loop = j->sampler->loop;
	struct strings words = { 0 };

	if (!strings_split_command(&words, j->sampler->command, err))
		return false;
	struct child_options options = { .argv = (const char *const *)strings_argv(&words) };
	j->child = child_spawn(loop, &options, on_exit_status, j, err);
	strings_finish(&words);
	if (!j->child)
		return false;
	stream_in_init(
	    &j->output, loop, child_fd(j->child, STDOUT_FILENO), on_output, on_output_end, j);
	stream_in_init(&j->complaints, loop, child_fd(j->child, STDERR_FILENO), on_complaint,
	    on_complaint_end, j);
	j->input =
	    loop_watch_fd(loop, child_fd(j->child, STDIN_FILENO), LOOP_WRITE, on_input_ready, j);
	j->limit_ms = loop_now_ms(loop) + SAMPLER_TIMEOUT_MS;
	j->look = (struct loop_timer){ .fn = on_look, .user = j };
	loop_timer_set(loop, &j->look, loop_now_ms(loop) + LOOK_MS);
	return true;
}

static bool
start(struct sampler *s, struct server *server, struct question *q, bool send, struct err *err)
{
	struct sampling_job *j = mem_zalloc(sizeof(*j));

	*j = (struct sampling_job){
		.sampler = s, .server = server, .question = q->id, .send = send
	};
	buf_init(&j->out, SAMPLER_MAX_BYTES);
	question_request(q, &j->request);
	buf_add_char(&j->request, '\n');
	if (!start_job(j, err)) {
		destroy_job(j);
		return false;
	}
	*VEC_PUSH(&s->jobs) = j;
	q->working = true;
	question_set(&q->trouble, NULL, 0);
	server_changed(server);
	return true;
}

/* ---- interface ---- */

struct sampler *
sampler_create(struct loop *loop, const char *command, void (*on_change)(void *user), void *user)
{
	struct sampler *s = mem_zalloc(sizeof(*s));

	s->loop = loop;
	s->command = mem_strdup(command);
	s->on_change = on_change;
	s->user = user;
	return s;
}

void
sampler_destroy(struct sampler *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->jobs.len; i++)
		destroy_job(s->jobs.items[i]);
	free(s->jobs.items);
	free(s->command);
	free(s);
}

bool
sampler_draft(struct sampler *s, struct server *server, uint64_t question, struct err *err)
{
	struct question *q = server_find_question(server, question);

	if (!s->command)
		return err_set(err, "no sampling command: set one with --sampling-command");
	if (!q || q->working)
		return err_set(err, "the request was withdrawn");
	return start(s, server, q, false, err);
}

void
sampler_answer_all(struct sampler *s, struct server *server)
{
	struct err err = { "" };

	for (size_t i = server_info(server)->questions.len; i-- > 0;) {
		if (i >= server_info(server)->questions.len)
			continue;
		struct question *q = server_info(server)->questions.items[i];
		if (q->kind != QUESTION_SAMPLING || q->working)
			continue;
		if (!s->command || !start(s, server, q, true, &err)) {
			server_note_question(server, q->id, err.text, clock_now_us());
			server_decline(server, q->id, clock_now_us());
		}
	}
}

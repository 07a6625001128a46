/* SPDX-License-Identifier: MIT */
#include "host/user_programs.h"

#include "auth/auth_url.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/vec.h"
#include "client/question.h"
#include "client/server.h"
#include "loop/child.h"
#include "loop/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limits of the text of standard error that is kept. */
enum { PLAYER_ERRORS_MAX = 1024, SAMPLER_ERRORS_MAX = 280 };

static const char *
environment(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

bool
browser_is_likely(void)
{
	if (environment("BROWSER"))
		return true;
	bool remote = environment("SSH_CONNECTION") || environment("SSH_TTY");
	return !remote && (environment("DISPLAY") || environment("WAYLAND_DISPLAY"));
}

static void
on_child_signal(void *user, int signal_number)
{
	struct browser *b = user;
	int status = 0;

	if (waitpid(b->pid, &status, WNOHANG) != b->pid)
		return;
	loop_watch_remove(b->watch);
	b->watch = NULL;
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	char *how = ok ? mem_printf("opened by %s", b->name)
		    : WIFEXITED(status)
			? mem_printf("%s ended with exit code %d", b->name, WEXITSTATUS(status))
			: mem_printf("%s was killed", b->name);
	b->on_end(b->user, ok, how);
	free(how);
}

struct browser *
browser_run(
    struct loop *loop, struct strings *words, browser_end_fn *on_end, void *user, struct err *err)
{
	char **argv = strings_argv(words);
	struct browser *b = mem_zalloc(sizeof(*b));
	*b = (struct browser){
		.name = mem_strdup(path_file_name(argv[0])), .on_end = on_end, .user = user
	};
	/* before it starts: some exit at once */
	b->watch = loop_watch_signal(loop, SIGCHLD, on_child_signal, b);
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
	int error = spawn_plainly(&b->pid, argv[0], &files, true, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	if (error) {
		err_set(err, "%s: %s", argv[0], strerror(error));
		browser_destroy(b);
		b = NULL;
	}
	return b;
}

struct browser *
browser_open(
    struct loop *loop, const char *url, browser_end_fn *on_end, void *user, struct err *err)
{
	const char *variable = environment("BROWSER");
	struct strings words = { 0 };
	struct err why;

	if (!auth_url_is_safe(url, err))
		return NULL;
	/* the first command of $BROWSER, which is separated by colons; %s is replaced by the URL,
	 * without %s the URL is appended */
	variable = variable ? variable : "xdg-open";
	char *first = mem_strndup(variable, strcspn(variable, ":"));
	bool ok = strings_split_command_on(&words, first, url, &why);
	free(first);
	if (!ok) {
		err_set(err, "$BROWSER: %s", why.text);
		return NULL;
	}
	struct browser *b = browser_run(loop, &words, on_end, user, err);
	strings_finish(&words);
	return b;
}

void
browser_destroy(struct browser *b)
{
	if (!b)
		return;
	loop_watch_remove(b->watch);
	free(b->name);
	free(b);
}

/* ---- a program whose output is read ---- */

struct program {
	struct child *child;
	char *name;
	struct stream_in output_stream, errors_stream;
	struct buf output, errors; /* errors: the beginning of its standard error */
	size_t errors_most; /* the rest is read and dropped, so that the program does not block */
	bool exited, output_ended, errors_ended;
	struct child_status status;
	/* May free the program. trouble: "" if the exit code is 0. */
	void (*on_end)(void *user, const char *trouble);
	void *user;
};

static void
program_check_end(struct program *p)
{
	struct buf trouble = BUF_INIT;
	char how[64];

	if (!p->exited || !p->output_ended || !p->errors_ended)
		return;
	if (p->status.exit_code != 0) {
		const char *words = buf_text(&p->errors);
		child_status_text(&p->status, how, sizeof(how));
		buf_addf(&trouble, "%s ended with %s%s%.*s", p->name, how, *words ? ": " : "",
		    (int)strcspn(words, "\n"), words);
	}
	p->on_end(p->user, buf_text(&trouble));
	buf_finish(&trouble);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct program *p = user;

	p->exited = true;
	p->status = *status;
	program_check_end(p);
}

static void
on_output(void *user, const char *bytes, size_t len)
{
	struct program *p = user;

	if (!p->output_ended && !buf_add(&p->output, bytes, len))
		p->on_end(p->user, "the command printed more than a mebibyte");
}

static void
on_output_end(void *user, int error)
{
	struct program *p = user;

	if (p->output_ended) /* nobody waits for it */
		return;
	p->output_ended = true;
	program_check_end(p);
}

static void
on_errors(void *user, const char *bytes, size_t len)
{
	struct program *p = user;
	size_t room = p->errors_most - p->errors.len;

	buf_add(&p->errors, bytes, len < room ? len : room);
}

static void
on_errors_end(void *user, int error)
{
	struct program *p = user;

	p->errors_ended = true;
	program_check_end(p);
}

/* Frees the words. A program whose output_ended is already set has its output dropped. */
static bool
program_start(struct program *p, struct loop *loop, struct strings *words,
    const struct child_ladder *ladder, struct err *err)
{
	struct child_options options = { .argv = (const char *const *)strings_argv(words),
		.ladder = ladder };

	p->child = child_spawn(loop, &options, on_exit_status, p, err);
	strings_finish(words);
	if (!p->child)
		return false;
	stream_in_init(&p->output_stream, loop, child_fd(p->child, STDOUT_FILENO), on_output,
	    on_output_end, p);
	stream_in_init(&p->errors_stream, loop, child_fd(p->child, STDERR_FILENO), on_errors,
	    on_errors_end, p);
	return true;
}

static void
program_finish(struct program *p)
{
	stream_in_finish(&p->output_stream);
	stream_in_finish(&p->errors_stream);
	child_destroy(p->child);
	buf_finish(&p->output);
	buf_finish(&p->errors);
	free(p->name);
}

/* ---- sounds ---- */

struct player {
	struct program program;
	char *path;
	void (*on_end)(void *user, const char *why);
	void *user;
};

/* aplay plays other formats than WAV as noise. */
static const struct {
	const char *command, *only; /* only: files with that ending; NULL: all */
} known_players[] = {
	{ "paplay", NULL },
	{ "pw-play", NULL },
	{ "aplay -q", ".wav" },
	{ "ffplay -nodisp -autoexit -loglevel error", NULL },
	{ "mpv --no-video --no-terminal", NULL },
	{ "afplay", NULL },
};

void
player_destroy(struct player *p)
{
	if (!p)
		return;
	program_finish(&p->program);
	if (p->path)
		unlink(p->path);
	free(p->path);
	free(p);
}

static bool
player_spawn(struct player *p, struct loop *loop, const char *command, struct err *err)
{
	static const struct child_ladder ladder = { .grace_ms = 0, .kill_ms = 500 };
	struct strings words = { 0 };

	if (!strings_split_command_on(&words, command, p->path, err))
		return false;
	p->program = (struct program){ .name = mem_strdup(path_file_name(words.items[0])),
		.errors_most = PLAYER_ERRORS_MAX,
		.output_ended = true,
		.on_end = p->on_end,
		.user = p->user };
	if (!program_start(&p->program, loop, &words, &ladder, err)) {
		free(p->program.name);
		p->program.name = NULL;
		return false;
	}
	child_close_fd(p->program.child, STDIN_FILENO);
	return true;
}

struct player *
player_start(struct loop *loop, const struct player_job *job, struct err *err)
{
	struct player *p = mem_zalloc(sizeof(*p));
	struct buf names = BUF_INIT;

	p->on_end = job->on_end;
	p->user = job->user;
	p->path = path_write_temporary(job->ending, job->bytes, job->len, err);
	bool ok = p->path && job->command && player_spawn(p, loop, job->command, err);
	for (size_t i = 0; p->path && !job->command && i < ARRAY_LEN(known_players) && !ok; i++) {
		const char *command = known_players[i].command, *only = known_players[i].only;
		bool fits = !only || strcmp(only, job->ending) == 0;
		ok = fits && player_spawn(p, loop, command, err);
		if (fits)
			buf_addf(&names, "%s%.*s", names.len ? ", " : "",
			    (int)strcspn(command, " "), command);
	}
	if (p->path && !job->command && !ok)
		err_set(err, "no player of sounds is installed (%s), and the settings name none",
		    buf_text(&names));
	buf_finish(&names);
	if (ok)
		return p;
	player_destroy(p);
	return NULL;
}

/* ---- sampling commands ---- */

/* How often to check whether the request was withdrawn. */
#define LOOK_MS 250

struct sampling_job {
	struct program program;
	struct sampler *sampler;
	struct server *server;
	uint64_t question;
	bool send; /* send the answer; else keep it as a draft */
	struct buf request;
	size_t written;
	struct loop_watch *input;
	struct loop_timer look;
	int64_t limit_ms;
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

static void
sampling_job_destroy(struct sampling_job *j)
{
	loop_timer_cancel(&j->look);
	if (j->input)
		loop_watch_remove(j->input);
	program_finish(&j->program);
	buf_finish(&j->request);
	free(j);
}

/* trouble: "" if the command answered. */
static void
end_job(void *user, const char *trouble)
{
	struct sampling_job *j = user;
	struct question *q = server_find_question(j->server, j->question);
	struct sampler *s = j->sampler;
	struct buf *out = &j->program.output;

	if (!*trouble && out->len == 0)
		trouble = "the command printed nothing";
	while (out->len > 0 && strchr("\n\r \t", out->data[out->len - 1]))
		buf_truncate(out, out->len - 1);
	if (q)
		q->working = false;
	if (q && !j->send) {
		question_set(&q->trouble, *trouble ? trouble : NULL, strlen(trouble));
		if (!*trouble)
			question_set(&q->draft, buf_text(out), out->len);
		server_changed(j->server);
	} else if (q && *trouble) {
		server_note_question(j->server, j->question, trouble, clock_now_us());
		server_decline(j->server, j->question, false, clock_now_us());
	} else if (q) {
		struct buf result = BUF_INIT;
		question_sampling_result(buf_text(out), out->len, &result);
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
	sampling_job_destroy(j);
	s->on_change(s->user);
}

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

/* A command need not read its input. */
static void
on_input_ready(void *user, unsigned ready)
{
	struct sampling_job *j = user;
	size_t left = j->request.len - j->written;

	ssize_t n = write(
	    child_fd(j->program.child, STDIN_FILENO), buf_text(&j->request) + j->written, left);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	j->written += n > 0 ? (size_t)n : left;
	if (j->written >= j->request.len) {
		loop_watch_remove(j->input);
		j->input = NULL;
		child_close_fd(j->program.child, STDIN_FILENO);
	}
}

static bool
user_programs_start(
    struct sampler *s, struct server *server, struct question *q, bool send, struct err *err)
{
	struct sampling_job *j = mem_zalloc(sizeof(*j));
	struct program *p = &j->program;
	struct strings words = { 0 };

	*j = (struct sampling_job){ .program = { .name = mem_strdup("the command"),
					.errors_most = SAMPLER_ERRORS_MAX,
					.on_end = end_job,
					.user = j },
		.sampler = s,
		.server = server,
		.question = q->id,
		.send = send };
	buf_init(&p->output, SAMPLER_MAX_BYTES);
	question_request(q, &j->request);
	buf_add_char(&j->request, '\n');
	if (!strings_split_command(&words, s->command, err) ||
	    !program_start(p, s->loop, &words, NULL, err)) {
		sampling_job_destroy(j);
		return false;
	}
	j->input =
	    loop_watch_fd(s->loop, child_fd(p->child, STDIN_FILENO), LOOP_WRITE, on_input_ready, j);
	j->limit_ms = loop_now_ms(s->loop) + SAMPLER_TIMEOUT_MS;
	j->look = (struct loop_timer){ .fn = on_look, .user = j };
	loop_timer_set(s->loop, &j->look, loop_now_ms(s->loop) + LOOK_MS);
	*VEC_PUSH(&s->jobs) = j;
	q->working = true;
	question_set(&q->trouble, NULL, 0);
	server_changed(server);
	return true;
}

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
		sampling_job_destroy(s->jobs.items[i]);
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
	return user_programs_start(s, server, q, false, err);
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
		if (!s->command || !user_programs_start(s, server, q, true, &err)) {
			server_note_question(server, q->id, err.text, clock_now_us());
			server_decline(server, q->id, false, clock_now_us());
		}
	}
}

/* SPDX-License-Identifier: MIT */
#include "engine/parts.h"

#include "base/mem.h"
#include "base/vec.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limit of a process tree that grows while it is read. */
enum { PROCESSES_MAX = 1000 };

static size_t
read_file(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, out, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static int64_t
field(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at ? strtoll(at + strlen(name), NULL, 10) * 1024 : 0;
}

static bool
is_renderer(pid_t pid)
{
	char path[64], line[4096];

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	size_t len = read_file(path, line, sizeof(line));
	return memmem(line, len, "--type=renderer", strlen("--type=renderer")) != NULL;
}

struct memory_use {
	int64_t bytes;
	pid_t biggest; /* renderer; 0: none */
	int64_t biggest_bytes;
};

/* Return the memory of a process and its descendants. */
static struct memory_use
memory_use_read(pid_t root)
{
	struct memory_use use = { 0 };
	struct {
		pid_t *items;
		size_t len, cap;
	} pids = { 0 };

	*VEC_PUSH(&pids) = root;
	for (size_t i = 0; i < pids.len; i++) {
		pid_t pid = pids.items[i];
		/* Leave out mapped files: all processes share the program. */
		char path[64], text[4096];
		snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
		read_file(path, text, sizeof(text));
		int64_t bytes = field(text, "\nRssAnon:") + field(text, "\nRssShmem:");
		use.bytes += bytes;
		if (bytes > use.biggest_bytes && is_renderer(pid)) {
			use.biggest = pid;
			use.biggest_bytes = bytes;
		}
		/* Chromium's processes are started by its main thread or by a zygote. */
		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
		read_file(path, text, sizeof(text));
		for (char *at = text, *end; pids.len < PROCESSES_MAX; at = end) {
			long child = strtol(at, &end, 10);
			if (end == at || child <= 1)
				break;
			*VEC_PUSH(&pids) = (pid_t)child;
		}
	}
	free(pids.items);
	return use;
}

enum { TICK_MS = 500, LAST_WORDS_MAX = 16384, EXIT_WAIT_MS = 500 };
/* Interval and timeout of pings. */
enum { TICKS_PER_QUESTION = 4, ANSWER_MS = 6000, UNANSWERED_MAX = 10 };

static void launch(struct engine *e);

static void
set_state(struct engine *e, enum engine_state state)
{
	e->status.state = state;
	if (e->events.on_state)
		e->events.on_state(e->events.user);
}

const struct engine_status *
engine_status(struct engine *e)
{
	e->status.views = 0;
	for (const struct app_view *v = e->views; v; v = v->next)
		e->status.views++;
	return &e->status;
}

/* ---- end ---- */

static void
release(struct engine *e)
{
	devtools_finish(&e->devtools);
	for (int i = 0; i < 2; i++)
		stream_in_finish(&e->said_in[i]);
	engine_process_finish(&e->process);
	loop_timer_cancel(&e->start_timer);
	loop_timer_cancel(&e->end_timer);
	loop_timer_cancel(&e->tick_timer);
	loop_timer_cancel(&e->idle_timer);
	e->question = 0;
	e->status.pid = 0;
	e->status.memory_bytes = 0;
}

static void
engine_fail(struct engine *e, const char *reason)
{
	char now[sizeof(e->status.reason)];

	release(e);
	snprintf(e->status.reason, sizeof(e->status.reason), "%s", reason);
	set_state(e, ENGINE_FAILED);
	/* A callback may open or close views, and restart the engine. */
	snprintf(now, sizeof(now), "%s", e->status.reason);
	for (bool again = true; again;) {
		again = false;
		for (struct app_view *v = e->views; v && !again; v = v->next)
			if (v->stage != STAGE_ENDED) {
				v->attempts = 2; /* do not restart the engine for each view */
				app_view_fail(v, "%s", now);
				again = e->status.state == ENGINE_FAILED;
			}
	}
}

/* Retry once during the start, because it sometimes fails without a reason. */
static void
lost(struct engine *e, const char *reason)
{
	bool starting = e->status.state == ENGINE_STARTING,
	     sandbox = starting && (strstr(buf_text(&e->said), "--no-sandbox") != NULL);

	if (sandbox && e->options.allow_unsandboxed && e->fence != FENCE_NONE) {
		e->fence = FENCE_NONE;
		e->attempts = 0;
	} else if (sandbox) {
		engine_fail(e,
		    "Chromium cannot sandbox what apps run here: it needs user namespaces, or "
		    "type: apt install chromium-sandbox");
		return;
	}
	if (!starting || e->options.peer || e->attempts >= 2) {
		engine_fail(e, reason);
		return;
	}
	release(e);
	launch(e);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct engine *e = user;
	char how[64], reason[256];

	e->process.exited = true;
	char bytes[4096];
	ssize_t n;
	while ((n = read(child_fd(e->process.child, STDERR_FILENO), bytes, sizeof(bytes))) > 0)
		buf_add(&e->said, bytes, (size_t)n);
	child_status_text(status, how, sizeof(how));
	snprintf(reason, sizeof(reason), "Chromium has ended: %s", how);
	/* Append the last line of its output without a prefix like "[0101/120000.1:FATAL:a.cc:1] ",
	 * but not later, when the output repeats messages of apps. */
	const char *said = buf_text(&e->said), *end = said + e->said.len;
	while (end > said && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	const char *line = end;
	while (line > said && line[-1] != '\n')
		line--;
	const char *text = *line == '[' ? strstr(line, "] ") : NULL;
	line = text && text < end ? text + 2 : line;
	size_t len = strlen(reason);
	if (e->status.state == ENGINE_STARTING && end > line)
		snprintf(reason + len, sizeof(reason) - len, ": %.*s", (int)(end - line), line);
	lost(e, reason);
}

static void
on_end_timer(void *user)
{
	struct engine *e = user;

	if (e->useless)
		engine_fail(e, e->why);
	else
		lost(e, e->why);
}

/* If the process has ended too, its exit status is a better reason. */
static void
on_devtools_end(void *user, const char *why)
{
	struct engine *e = user;

	snprintf(e->why, sizeof(e->why), "the connection to Chromium has ended: %s", why);
	loop_timer_set(
	    e->loop, &e->end_timer, loop_now_ms(e->loop) + (e->process.child ? EXIT_WAIT_MS : 0));
}

/* Deferred, because the connection is still delivering messages. */
static void
give_up_soon(struct engine *e)
{
	e->useless = true;
	loop_timer_set(e->loop, &e->end_timer, loop_now_ms(e->loop));
}

static void
on_said(void *user, const char *bytes, size_t len)
{
	struct engine *e = user;

	if (e->said.len > LAST_WORDS_MAX / 2)
		buf_consume(&e->said, e->said.len - LAST_WORDS_MAX / 4);
	if (len > LAST_WORDS_MAX / 4) {
		bytes += len - LAST_WORDS_MAX / 4;
		len = LAST_WORDS_MAX / 4;
	}
	buf_add(&e->said, bytes, len);
}

/* ---- start ---- */

static void
on_start_timer(void *user)
{
	lost(user, "Chromium does not answer");
}

static void
on_version(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct engine *e = user;
	const char *product = json_get_string(result, "product");
	const char *slash = product ? strchr(product, '/') : NULL;
	long major = slash ? strtol(slash + 1, NULL, 10) : 0;

	if (problem)
		return; /* the timer or the end of the connection reports it */
	snprintf(e->status.version, sizeof(e->status.version), "%s",
	    product ? product : "a program without a version");
	if (major < ENGINE_MIN_VERSION) {
		snprintf(e->why, sizeof(e->why), "%.64s is too old: apps need version %d or newer",
		    e->status.version, ENGINE_MIN_VERSION);
		give_up_soon(e);
		return;
	}
	loop_timer_cancel(&e->start_timer);
	e->attempts = e->unanswered = 0;
	e->status.start_took_ms = (int)(loop_now_ms(e->loop) - e->status.started_ms);
	loop_timer_set(e->loop, &e->tick_timer, loop_now_ms(e->loop) + TICK_MS);
	set_state(e, ENGINE_READY);
	for (struct app_view *v = e->views; v && e->status.state == ENGINE_READY; v = v->next)
		if (!v->closed && v->stage == STAGE_WAITING)
			app_view_begin(v);
	engine_views_changed(e);
}

/* ---- events of Chromium ---- */

static void
on_event(void *user, const char *session, const char *method, const cJSON *params)
{
	struct engine *e = user;

	const char *frame = json_get_string(params, "frameId");
	bool is_download = !*session && strcmp(method, "Browser.downloadWillBegin") == 0;

	for (struct app_view *v = e->views; v; v = v->next) {
		if (is_download && frame && strcmp(v->app_frame, frame) == 0) {
			app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_DOWNLOAD,
					     .url = json_get_string(params, "url") });
			return;
		}
		if (*session && app_view_on_event(v, session, method, params))
			return;
	}
}

/* Report it to all views, because the session was dropped with the message. */
static void
on_dropped(void *user, size_t bytes)
{
	struct engine *e = user;
	char text[96];

	snprintf(text, sizeof(text), "a message of %zu MiB from Chromium", bytes >> 20);
	for (struct app_view *v = e->views; v; v = v->next)
		app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_DROPPED, .text = text });
}

static bool
start_process(struct engine *e, struct err *err)
{
	char *program = engine_find(e->options.program, err);
	struct engine_process *p = &e->process;

	if (!program)
		return false;
	snprintf(e->status.program, sizeof(e->status.program), "%s", program);
	p->fence = e->fence;
	p->webgl = e->options.webgl;
	p->on_exit = on_exit_status;
	p->user = e;
	bool ok = engine_launch(p, e->loop, program, err);
	free(program);
	if (!ok)
		return false;
	e->status.pid = child_pid(p->child);
	e->status.unsandboxed = p->fence == FENCE_NONE;
	snprintf(e->status.network, sizeof(e->status.network), "%s",
	    p->fence == FENCE_FULL ? "none: a separate network namespace"
				   : "none by Chromium's options only");
	child_close_fd(p->child, STDIN_FILENO);
	for (int i = 0; i < 2; i++)
		stream_in_init(&e->said_in[i], e->loop, child_fd(p->child, STDOUT_FILENO + i),
		    on_said, NULL, e);
	return true;
}

static void
launch(struct engine *e)
{
	struct err err = { "the peer has ended" };
	int peer = e->options.peer;

	e->attempts++;
	e->useless = false;
	buf_clear(&e->said);
	if (peer < 0 || (!peer && !start_process(e, &err))) {
		engine_fail(e, err.text);
		return;
	}
	if (peer)
		e->options.peer = -1; /* only the first start uses it */
	struct devtools_events events = { e, on_event, on_dropped, on_devtools_end };
	devtools_init(&e->devtools, e->loop, peer ? peer : e->process.socket, &events);
	devtools_call(&e->devtools, NULL, "Browser.getVersion", NULL, on_version, e);
	loop_timer_set(e->loop, &e->start_timer,
	    loop_now_ms(e->loop) + (e->options.start_ms ? e->options.start_ms : ENGINE_START_MS));
}

void
engine_start(struct engine *e)
{
	if (e->status.state == ENGINE_STARTING || e->status.state == ENGINE_READY)
		return;
	e->attempts = 0;
	e->fence = FENCE_FULL;
	e->status.reason[0] = '\0';
	e->status.started_ms = loop_now_ms(e->loop);
	set_state(e, ENGINE_STARTING);
	launch(e);
}

/* ---- checks while it runs ---- */

/* Return a value that grows while Chromium works: bytes sent plus processor time. */
static uint64_t
work_of(const struct engine *e)
{
	char path[64], stat[1024] = "";
	unsigned long user = 0, system = 0; /* in clock ticks (proc(5)) */

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)e->status.pid);
	if (e->status.pid)
		read_file(path, stat, sizeof(stat));
	const char *name_end = strrchr(stat, ')');
	if (name_end)
		sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
		    &system);
	return e->devtools.received + user + system;
}

/* Detect a process that was stopped or hangs: views cannot detect it, and it would never end. A
 * process that still works is only slow, on a busy machine or with a huge message. */
static void
on_answer(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct engine *e = user;

	e->question = 0;
	if (!problem)
		e->unanswered = 0;
	if (!problem || e->status.state != ENGINE_READY)
		return;
	if (work_of(e) != e->work_then && ++e->unanswered < UNANSWERED_MAX)
		return;
	snprintf(e->why, sizeof(e->why), "Chromium stopped responding and was ended");
	give_up_soon(e);
}

static void
on_tick(void *user)
{
	struct engine *e = user;

	loop_timer_set(e->loop, &e->tick_timer, loop_now_ms(e->loop) + TICK_MS);
	e->ticks++;
	for (struct app_view *v = e->views; v; v = v->next)
		app_view_tick(v);
	if (!e->question && e->ticks % TICKS_PER_QUESTION == 0) {
		e->work_then = work_of(e);
		devtools_begin(&e->devtools, NULL, "Browser.getVersion");
		e->question = devtools_send(&e->devtools, ANSWER_MS, on_answer, e);
	}
	if (!e->status.pid)
		return;
	int64_t most =
	    e->options.max_memory_mib ? e->options.max_memory_mib : ENGINE_MAX_MEMORY_MIB;
	struct memory_use use = memory_use_read(e->status.pid);
	int64_t now = loop_now_ms(e->loop);
	bool again = e->memory_ended_ms && now - e->memory_ended_ms < 2 * (int64_t)TICK_MS;
	e->status.memory_bytes = use.bytes;
	if (use.bytes <= most << 20 || again)
		return;
	e->memory_ended_ms = now;
	if (use.biggest)
		kill(use.biggest, SIGKILL);
	else
		engine_fail(e, "Chromium used too much memory, and was ended");
}

static void
on_idle(void *user)
{
	struct engine *e = user;

	release(e);
	set_state(e, ENGINE_STOPPED);
}

void
engine_views_changed(struct engine *e)
{
	bool runs = e->status.state == ENGINE_READY || e->status.state == ENGINE_STARTING;
	int idle_ms = e->options.idle_ms ? e->options.idle_ms : ENGINE_IDLE_MS;

	if (e->views || !runs)
		loop_timer_cancel(&e->idle_timer);
	else
		loop_timer_set(e->loop, &e->idle_timer, loop_now_ms(e->loop) + idle_ms);
}

/* ---- create and destroy ---- */

static void
on_bury(void *user)
{
	struct engine *e = user;

	while (e->closed) {
		struct app_view *v = e->closed;
		e->closed = v->next_closed;
		app_view_bury(v);
	}
}

struct engine *
engine_create(
    struct loop *loop, const struct engine_options *options, const struct engine_events *events)
{
	struct engine *e = mem_zalloc(sizeof(*e));

	e->loop = loop;
	e->options = *options;
	if (events)
		e->events = *events;
	e->process = (struct engine_process){ .socket = -1, .folder = { .lock = -1 } };
	buf_init(&e->said, LAST_WORDS_MAX);
	e->start_timer = (struct loop_timer){ .fn = on_start_timer, .user = e };
	e->end_timer = (struct loop_timer){ .fn = on_end_timer, .user = e };
	e->tick_timer = (struct loop_timer){ .fn = on_tick, .user = e };
	e->idle_timer = (struct loop_timer){ .fn = on_idle, .user = e };
	e->bury_timer = (struct loop_timer){ .fn = on_bury, .user = e };
	engine_folders_sweep(engine_folders_parent());
	return e;
}

void
engine_destroy(struct engine *e)
{
	if (!e)
		return;
	BUG_IF(e->views != NULL);
	release(e);
	on_bury(e);
	loop_timer_cancel(&e->bury_timer);
	buf_finish(&e->said);
	free(e);
}

/* SPDX-License-Identifier: MIT */
#include "host/tap.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/url.h"
#include "base/vec.h"
#include "loop/child.h"
#include "loop/stream.h"
#include "mcp/frame.h"
#include "mcp/recording.h"
#include "net/fetch.h"
#include "net/http_proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- attached clients ---- */

/* The first lines, which identify the server, and the last lines are kept. */
#define HEAD_BYTES ((size_t)1 << 20)
#define KEPT_BYTES ((size_t)16 << 20)
#define VISITOR_BYTES ((size_t)64 << 20) /* that a visitor has not read: it is dropped */
#define VISITORS_MOST 8
#define LAST_MS 300

struct visitor {
	int fd;
	struct stream_out out;
};

/*
 * A tap's socket, mode 0600 in a folder of the user. A client that connects gets the lines of the
 * recording, beginning with the past lines that are kept.
 */
struct listener {
	struct loop *loop;
	struct loop_watch *watch;
	int fd;
	char *path;
	struct buf kept;
	size_t head; /* of it: never dropped */
	struct visitor *visitors[VISITORS_MOST];
};

/* ---- visitors ---- */

static void
drop_visitor(struct listener *l, int i)
{
	struct visitor *v = l->visitors[i];

	if (!v)
		return;
	stream_out_finish(&v->out);
	close(v->fd);
	free(v);
	l->visitors[i] = NULL;
}

static void
tell_visitor(struct listener *l, int i, const char *bytes, size_t len)
{
	struct visitor *v = l->visitors[i];

	if (!v)
		return;
	bool ok = stream_out_add(&v->out, bytes, len);
	stream_out_flush(&v->out);
	if (!ok || v->out.error)
		drop_visitor(l, i);
}

static void
on_visitor(void *user, unsigned ready)
{
	struct listener *l = user;
	struct ucred who = { .uid = (uid_t)-1 };
	socklen_t len = sizeof(who);
	int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), i = 0;

	while (i < VISITORS_MOST && l->visitors[i])
		i++;
	if (fd < 0)
		return;
	/* the folder keeps other users out; this does too */
	bool is_ours = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 &&
		       (who.uid == geteuid() || who.uid == 0);
	if (i == VISITORS_MOST || !is_ours) {
		close(fd);
		return;
	}
	l->visitors[i] = mem_zalloc(sizeof(*l->visitors[i]));
	l->visitors[i]->fd = fd;
	stream_out_init(&l->visitors[i]->out, l->loop, fd, VISITOR_BYTES);
	tell_visitor(l, i, buf_text(&l->kept), l->kept.len);
}

/* ---- lines ---- */

static void
listener_add(struct listener *l, const char *line, size_t len)
{
	if (l->kept.len + len > KEPT_BYTES) { /* drop the older half of the lines after the head */
		struct buf rest = BUF_INIT;
		size_t from = l->head + (l->kept.len - l->head) / 2;
		const char *end = memchr(l->kept.data + from, '\n', l->kept.len - from);
		buf_add(&rest, l->kept.data, l->head);
		if (end)
			buf_add(&rest, end + 1, (size_t)(l->kept.data + l->kept.len - end - 1));
		buf_finish(&l->kept);
		l->kept = rest;
	}
	if (l->kept.len + len <= KEPT_BYTES)
		buf_add(&l->kept, line, len);
	if (l->kept.len <= HEAD_BYTES)
		l->head = l->kept.len;
	for (int i = 0; i < VISITORS_MOST; i++)
		tell_visitor(l, i, line, len);
}

/* ---- the socket ---- */

/* NULL: there can be none. */
static struct listener *
listener_create(struct loop *loop)
{
	struct listener *l = mem_zalloc(sizeof(*l));
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	char name[40];

	snprintf(name, sizeof(name), "tap-%ld.sock", (long)getpid());
	l->loop = loop;
	l->path = path_of(PATH_RUNTIME, name);
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (l->path && l->fd >= 0 && strlen(l->path) < sizeof(at.sun_path)) {
		memcpy(at.sun_path, l->path, strlen(l->path) + 1);
		path_make_folders(l->path);
		unlink(l->path); /* of a process that had our number */
		mode_t mask = umask(0177);
		if (bind(l->fd, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(l->fd, 4) == 0)
			l->watch = loop_watch_fd(loop, l->fd, LOOP_READ, on_visitor, l);
		umask(mask);
	}
	if (l->watch)
		return l;
	if (l->fd >= 0)
		close(l->fd);
	free(l->path);
	free(l);
	return NULL;
}

/* First sends pending lines, for a short time. */
static void
listener_destroy(struct listener *l)
{
	int64_t until_ms = clock_now_ms() + LAST_MS;

	if (!l)
		return;
	/* visitors that read get the last lines; the others are not waited for */
	for (int i = 0; i < VISITORS_MOST; i++) {
		struct visitor *v = l->visitors[i];
		while (v && stream_out_waiting(&v->out) > 0 && clock_now_ms() < until_ms) {
			struct pollfd out = { .fd = v->fd, .events = POLLOUT };
			poll(&out, 1, (int)(until_ms - clock_now_ms()));
			stream_out_flush(&v->out);
		}
		drop_visitor(l, i);
	}
	loop_watch_remove(l->watch);
	close(l->fd);
	unlink(l->path);
	buf_finish(&l->kept);
	free(l->path);
	free(l);
}

/* ---- the recording ---- */

/*
 * The destinations of a tap's recording: a file, if one is given, and attached clients. The server
 * has priority: a failed write is reported once, and the rest is not recorded.
 */
struct tape {
	const struct tap_options *options;
	struct recording_writer writer;
	int file;                  /* -1: none, or it could not be written */
	struct listener *listener; /* NULL: clients cannot attach */
};

/*
 * Copies bytes from one descriptor to another. Each piece is written before it is recorded.
 * Reading pauses while the reader is slow. When either side ends, the owner closes the other.
 */
struct passage {
	int from, to; /* non-blocking */
	/* Called after the write; len 0: the stream or its reader has ended. */
	void (*on_bytes)(struct passage *p, const char *bytes, size_t len);
	/* All is written. The last call; the owner closes both descriptors. */
	void (*on_done)(struct passage *p);
	void *user;
	/* its own */
	struct loop_watch *in, *out;
	struct buf pending;
	size_t written; /* of it */
	size_t last;    /* bytes until the end; SIZE_MAX: at the end of the stream */
	bool ended, done;
};

static void
on_recorded(void *user, const char *text, size_t len)
{
	struct tape *t = user;
	char why[300];

	if (t->listener)
		listener_add(t->listener, text, len);
	if (t->file < 0 || path_write_fd(t->file, text, len))
		return;
	snprintf(
	    why, sizeof(why), "cannot continue writing %s: %s", t->options->file, strerror(errno));
	close(t->file);
	t->file = -1;
	t->options->tell(why);
}

static bool
tape_open(struct tape *t, const struct tap_options *options, struct err *err)
{
	char *name, *told;

	*t = (struct tape){ .options = options, .file = -1 };
	if (!options->file)
		return true;
	t->file = path_create_new(options->file, 0600, &name, err);
	if (t->file < 0)
		return false;
	if (strcmp(name, options->file) != 0) {
		told =
		    mem_printf("%s is there already: this session goes to %s", options->file, name);
		options->tell(told);
		free(told);
	}
	free(name);
	return true;
}

static void
tape_add(struct tape *t, enum recording_kind kind, const char *bytes, size_t len)
{
	recording_writer_add(
	    &t->writer, &(struct recording_entry){
			    .kind = kind, .wall_us = clock_wall_us(), .bytes = bytes, .len = len });
}

static void
tape_start(struct tape *t, struct loop *loop, const char *server)
{
	t->listener = listener_create(loop); /* without it clients cannot attach */
	t->writer.on_line = on_recorded;
	t->writer.user = t;
	t->writer.with_secrets = t->options->with_secrets;
	recording_writer_init(&t->writer);
	tape_add(t, RECORDING_HEADING, server, strlen(server));
}

static void
tape_close(struct tape *t, const struct recording_entry *ending)
{
	if (t->writer.on_line) {
		recording_writer_finish(&t->writer, clock_wall_us());
		if (ending)
			recording_writer_add(&t->writer, ending);
		buf_finish(&t->writer.line);
	}
	listener_destroy(t->listener);
	if (t->file >= 0)
		close(t->file);
}

#define CHUNK ((size_t)64 << 10)

static void
passage_stop_reading(struct passage *p)
{
	if (p->ended)
		return;
	p->ended = true;
	loop_watch_remove(p->in);
	p->in = NULL;
	p->on_bytes(p, NULL, 0);
}

static void
passage_end(struct passage *p)
{
	if (p->done)
		return;
	passage_stop_reading(p);
	p->done = true;
	loop_watch_remove(p->out);
	p->out = NULL;
	buf_finish(&p->pending);
	p->on_done(p);
}

/* Returns how much was written; the rest waits. False: the reader has ended. */
static bool
write_some(struct passage *p, const char *bytes, size_t len, size_t *done)
{
	*done = 0;
	while (*done < len) {
		ssize_t n = write(p->to, bytes + *done, len - *done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		*done += (size_t)n;
	}
	return true;
}

static void
on_writable(void *user, unsigned ready)
{
	struct passage *p = user;
	size_t done;

	if (!write_some(p, p->pending.data + p->written, p->pending.len - p->written, &done)) {
		passage_end(p);
		return;
	}
	p->written += done;
	if (p->written < p->pending.len)
		return;
	buf_clear(&p->pending);
	p->written = 0;
	loop_watch_modify(p->out, 0);
	if (p->ended)
		passage_end(p);
	else
		loop_watch_modify(p->in, LOOP_READ);
}

static void
on_readable(void *user, unsigned ready)
{
	struct passage *p = user;
	char bytes[CHUNK];
	size_t most = p->last < CHUNK ? p->last : CHUNK, done;
	ssize_t n = most > 0 ? read(p->from, bytes, most) : 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		passage_end(p);
		return;
	}
	bool is_read = write_some(p, bytes, (size_t)n, &done);
	if (is_read && done < (size_t)n) {
		buf_add(&p->pending, bytes + done, (size_t)n - done);
		if (p->in)
			loop_watch_modify(p->in, 0);
		loop_watch_modify(p->out, LOOP_WRITE);
	}
	p->on_bytes(p, bytes, (size_t)n);
	if (p->last != SIZE_MAX)
		p->last -= (size_t)n;
	if (!is_read || (p->last == 0 && p->pending.len == 0))
		passage_end(p);
	else if (p->last == 0)
		passage_stop_reading(p);
}

enum { TO_SERVER, TO_CLIENT, ERRORS, PASSAGES };

struct tap {
	const struct tap_options *options;
	struct loop *loop;
	struct child *child;
	struct passage passages[PASSAGES];
	struct child_status status;
	bool exited;
	struct tape tape;
};

static const enum recording_kind stream_kinds[PASSAGES] = {
	[TO_SERVER] = RECORDING_SENT,
	[TO_CLIENT] = RECORDING_RECEIVED,
	[ERRORS] = RECORDING_STDERR,
};

/* ---- the streams ---- */

static void
on_passed(struct passage *p, const char *bytes, size_t len)
{
	struct tap *t = p->user;

	recording_writer_feed(
	    &t->tape.writer, stream_kinds[p - t->passages], bytes, len, clock_wall_us());
}

static void
on_passage_done(struct passage *p)
{
	struct tap *t = p->user;
	int which = (int)(p - t->passages);

	int null = open("/dev/null", (which == STDIN_FILENO ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, which);
		close(null);
	}
	child_close_fd(t->child, which);
	if (which == TO_SERVER && !t->exited)
		tape_add(&t->tape, RECORDING_CLOSED, "", 0);
	if (t->exited && t->passages[TO_CLIENT].done && t->passages[ERRORS].done)
		loop_stop(t->loop);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct tap *t = user;

	t->exited = true;
	t->status = *status;
	for (int i = TO_CLIENT; i <= ERRORS; i++) { /* they end after what can be read now */
		struct passage *p = &t->passages[i];
		int n = 0;
		if (p->ended || p->last != SIZE_MAX)
			continue;
		p->last = ioctl(p->from, FIONREAD, &n) == 0 && n > 0 ? (size_t)n : 0;
		if (p->last > 0)
			continue;
		passage_stop_reading(p);
		if (p->pending.len == 0)
			passage_end(p);
	}
	if (t->passages[TO_CLIENT].done && t->passages[ERRORS].done)
		loop_stop(t->loop);
}

/* Others may share our streams, and would not expect that reads of them fail: so pipes and
 * terminals are opened again; only a socket, which cannot be, is changed. */
static void
make_non_blocking(int fd)
{
	struct stat status;
	char path[40];
	int mode = fd == STDIN_FILENO ? O_RDONLY : O_WRONLY, again = -1;

	if (fstat(fd, &status) < 0 || S_ISREG(status.st_mode))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))
		again = open(path, mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (again >= 0) {
		dup2(again, fd);
		close(again);
	} else {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	}
}

/* ---- signals and the end ---- */

static void
on_signal(void *user, int signal_number)
{
	struct tap *t = user;

	if (!t->exited)
		kill(child_pid(t->child), signal_number);
}

static bool
tap_start(struct tap *t, struct err *err)
{
	struct child_options options = { .argv = (const char *const *)t->options->command };

	t->loop = loop_create(NULL, NULL, err);
	if (!t->loop || !tape_open(&t->tape, t->options, err))
		return false;
	t->child = child_spawn(t->loop, &options, on_exit_status, t, err);
	if (!t->child)
		return false;
	struct buf server = BUF_INIT;
	for (char *const *word = t->options->command; *word; word++)
		buf_addf(&server, "%s%s", word == t->options->command ? "" : " ", *word);
	tape_start(&t->tape, t->loop, buf_text(&server));
	buf_finish(&server);
	static const int all[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		loop_watch_signal(t->loop, all[i], on_signal, t);
	for (int i = 0; i < PASSAGES; i++) {
		int theirs = child_fd(t->child, i);
		make_non_blocking(i);
		t->passages[i] = (struct passage){
			.from = i == TO_SERVER ? STDIN_FILENO : theirs,
			.to = i == TO_SERVER ? theirs : i,
			.on_bytes = on_passed,
			.on_done = on_passage_done,
			.user = t,
			.last = SIZE_MAX,
		};
		struct passage *p = &t->passages[i];
		p->in = loop_watch_fd(t->loop, p->from, LOOP_READ, on_readable, p);
		p->out = loop_watch_fd(t->loop, p->to, 0, on_writable, p);
	}
	return true;
}

int
tap_run(const struct tap_options *options, struct err *err)
{
	struct tap t = { .options = options, .tape.file = -1 };
	const struct child_status *status = &t.status;
	bool ok = tap_start(&t, err);
	char how[64];
	sigset_t only;

	if (ok)
		loop_run(t.loop);
	for (int i = 0; t.child && i < PASSAGES; i++) {
		loop_watch_remove(t.passages[i].in);
		loop_watch_remove(t.passages[i].out);
		buf_finish(&t.passages[i].pending);
	}
	child_status_text(status, how, sizeof(how));
	tape_close(&t.tape, &(struct recording_entry){ .kind = RECORDING_EXIT,
				.wall_us = clock_wall_us(),
				.bytes = how,
				.len = strlen(how),
				.exit_code = status->exit_code,
				.signal_number = status->signal_number });
	if (t.child) {
		child_hand_over(t.loop);
		child_destroy(t.child);
	}
	loop_destroy(t.loop);
	if (!ok || status->signal_number == 0)
		return ok ? status->exit_code : -1;
	/* exit like the server, without another core file */
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	signal(status->signal_number, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, status->signal_number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(status->signal_number);
	return 128 + status->signal_number;
}

#define MESSAGE_MOST ((size_t)128 << 20)
#define REFUSAL_MOST ((size_t)2000) /* of a body that is not a message, in a note */

struct http_tap {
	const struct tap_options *options;
	struct loop *loop;
	struct http_proxy *proxy;
	struct tape tape;
	char *path; /* of the server's URL: messages go there */
	bool unreachable;
};

/* The type of the body of a response. */
enum answer_kind { ANSWER_OTHER, ANSWER_JSON, ANSWER_EVENTS, ANSWER_PACKED };

/* The state of a request in progress. */
struct heard {
	struct http_tap *tap;
	struct proxied *request;
	enum answer_kind kind;
	bool sent_message; /* its body was one */
	struct sse events;
	struct frame body;
};

static void
http_note(struct http_tap *t, const char *text)
{
	tape_add(&t->tape, RECORDING_NOTE, text, strlen(text));
}

/* ---- messages ---- */

/* Other JSON that passes is of OAuth. */
static bool
is_message(const char *bytes, size_t len)
{
	struct json_doc *doc = json_parse(bytes, len, NULL, NULL);
	const cJSON *root = doc ? json_root(doc) : NULL;

	if (cJSON_IsArray(root)) /* a batch */
		root = json_first(root);
	bool is = json_get(root, "jsonrpc") != NULL;
	json_doc_destroy(doc);
	return is;
}

static void
record_line(const struct heard *h, enum recording_kind kind, struct frame_line line)
{
	recording_writer_add(&h->tap->tape.writer, &(struct recording_entry){ .kind = kind,
						       .wall_us = clock_wall_us(),
						       .bytes = line.bytes->data,
						       .len = line.bytes->len,
						       .dropped = line.dropped,
						       .exchange = h->request->number });
}

static void
on_sent(void *user, struct frame_line line)
{
	struct heard *h = user;
	const char *path = h->tap->path;
	size_t len = strlen(path);
	const char *target = h->request->target;
	bool is_endpoint =
	    strncmp(target, path, len) == 0 && (target[len] == '\0' || target[len] == '?');

	h->sent_message = is_endpoint || is_message(line.bytes->data, line.bytes->len);
	if (h->sent_message)
		record_line(h, RECORDING_SENT, line);
	blob_unref(line.bytes);
}

static void
on_request(void *user, struct proxied *p)
{
	struct heard *h = mem_zalloc(sizeof(*h));
	struct frame body;

	p->thing = h;
	h->tap = user;
	h->request = p;
	if (p->body_len == 0 || strcmp(p->method, "POST") != 0)
		return;
	frame_init(&body, MESSAGE_MOST, on_sent, h);
	frame_feed_body(&body, p->body, p->body_len);
	frame_end(&body);
	frame_finish(&body);
}

/* ---- responses ---- */

static void
on_event(void *user, struct sse_event event)
{
	struct heard *h = user;
	char text[200];

	if (strcmp(event.type, "message") == 0) {
		record_line(h, RECORDING_RECEIVED, event.data);
	} else {
		snprintf(text, sizeof(text), "an event of type \"%s\": %.100s", event.type,
		    event.data.bytes->data);
		http_note(h->tap, text);
	}
	blob_unref(event.data.bytes);
}

/* An error that is not a message is recorded as a note, for the user. */
static void
on_answer(void *user, struct frame_line line)
{
	struct heard *h = user;
	struct buf text = BUF_INIT;
	bool fits = h->sent_message && h->request->status < 300;

	if (fits || is_message(line.bytes->data, line.bytes->len)) {
		record_line(h, RECORDING_RECEIVED, line);
	} else if (h->sent_message) {
		buf_addf(&text, "%s %.200s: the body is not a message: ", h->request->method,
		    h->request->target);
		buf_add(&text, line.bytes->data,
		    line.bytes->len < REFUSAL_MOST ? line.bytes->len : REFUSAL_MOST);
		http_note(h->tap, buf_text(&text));
	}
	blob_unref(line.bytes);
	buf_finish(&text);
}

static bool
has_type(const char *value, const char *type)
{
	size_t len = strlen(type);

	return value && strncasecmp(value, type, len) == 0 && strchr("; \t", value[len]);
}

static bool
add_whole(struct buf *out, const void *user, const char *line, size_t len)
{
	return buf_add(out, line, len);
}

static void
tell_reach(struct http_tap *t, const char *trouble)
{
	char text[500];

	if (t->unreachable == (trouble != NULL))
		return;
	t->unreachable = trouble != NULL;
	snprintf(text, sizeof(text), "the server %s%.400s",
	    trouble ? "does not answer: " : "answers", trouble ? trouble : "");
	t->options->tell(text);
}

static void
on_head(void *user, struct proxied *p)
{
	struct heard *h = p->thing;

	tell_reach(h->tap, NULL);
	char *type = header_find(p->answer_headers, "Content-Type", 0);
	char *coding = header_find(p->answer_headers, "Content-Encoding", 0);
	h->kind = coding && strcasecmp(coding, "identity") != 0 ? ANSWER_PACKED
		  : has_type(type, "text/event-stream")         ? ANSWER_EVENTS
		  : has_type(type, "application/json")          ? ANSWER_JSON
								: ANSWER_OTHER;
	free(type);
	free(coding);
	header_line_fn *add = h->tap->options->with_secrets ? add_whole : NULL;
	struct buf text = BUF_INIT;
	buf_addf(&text, "%s %.400s: %s", p->method, p->target, p->status_text);
	if (h->kind == ANSWER_PACKED)
		buf_add_str(&text, ", compressed: its messages are not recorded");
	header_lines_add(&text, "> ", p->headers, add, NULL);
	header_lines_add(&text, "< ", p->answer_headers, add, NULL);
	http_note(h->tap, buf_text(&text));
	buf_finish(&text);
	if (h->kind == ANSWER_EVENTS)
		sse_init(&h->events, MESSAGE_MOST, on_event, h);
	else if (h->kind != ANSWER_PACKED)
		frame_init(
		    &h->body, h->kind == ANSWER_JSON ? MESSAGE_MOST : REFUSAL_MOST, on_answer, h);
}

static void
on_body(void *user, struct proxied *p, const char *bytes, size_t len)
{
	struct heard *h = p->thing;

	if (h->kind == ANSWER_EVENTS)
		sse_feed(&h->events, bytes, len);
	else if (h->kind != ANSWER_PACKED)
		frame_feed_body(&h->body, bytes, len);
}

static void
tap_on_end(void *user, struct proxied *p, const char *trouble)
{
	struct http_tap *t = user;
	struct heard *h = p->thing;
	char *text;

	if (trouble) {
		text = mem_printf("%s %.400s: %.400s", p->method, p->target, trouble);
		http_note(t, text);
		free(text);
	}
	if (trouble && !p->status && !p->client_gone)
		tell_reach(t, trouble);
	if (h->kind == ANSWER_EVENTS) {
		sse_end(&h->events);
		sse_finish(&h->events);
	} else if (p->status) {
		frame_end(&h->body);
		frame_finish(&h->body);
	}
	free(h);
	p->thing = NULL;
}

static void
on_refused(void *user, const char *why)
{
	struct http_tap *t = user;

	http_note(t, why);
	t->options->tell(why);
}

/* ---- the tap ---- */

static const struct http_proxy_events proxy_events = {
	.on_request = on_request,
	.on_head = on_head,
	.on_body = on_body,
	.on_end = tap_on_end,
	.on_refused = on_refused,
};

static void
on_http_signal(void *user, int signal_number)
{
	loop_stop(((struct http_tap *)user)->loop);
}

static bool
http_tap_start(struct http_tap *t, struct err *err)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	const struct http_proxy_options options = { .listen = t->options->listen,
		.url = t->options->url,
		.insecure = t->options->insecure,
		.origins = t->options->origins,
		.origin_count = t->options->origin_count };

	t->loop = loop_create(NULL, NULL, err);
	if (!t->loop || !tape_open(&t->tape, t->options, err))
		return false;
	t->proxy = http_proxy_create(t->loop, &options, &proxy_events, t, err);
	if (!t->proxy)
		return false;
	struct http_proxy_view view = http_proxy_view(t->proxy);
	struct url u;
	url_split(&u, view.url, strlen(view.url));
	t->path = mem_strndup(u.path.at, u.path.len);
	tape_start(&t->tape, t->loop, t->options->url);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		loop_watch_signal(t->loop, signals[i], on_http_signal, t);
	if (!view.is_local)
		t->options->tell("other machines can reach this address, and the server behind it");
	t->options->listening(view.url);
	return true;
}

int
tap_http_run(const struct tap_options *options, struct err *err)
{
	struct http_tap t = { .options = options, .tape.file = -1 };
	bool ok = http_tap_start(&t, err);

	if (ok)
		loop_run(t.loop);
	http_proxy_destroy(t.proxy);
	tape_close(&t.tape, NULL);
	loop_destroy(t.loop);
	free(t.path);
	return ok ? 0 : -1;
}

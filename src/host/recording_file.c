/* SPDX-License-Identifier: MIT */
#include "host/recording_file.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "client/target.h"
#include "loop/stream.h"
#include "mcp/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)64 << 10)

bool
recording_file_open(struct recording_file *f, const char *path, struct err *err)
{
	struct stat status;

	*f = (struct recording_file){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (f->fd < 0)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	if (fstat(f->fd, &status) == 0 && S_ISREG(status.st_mode))
		return true;
	recording_file_close(f);
	return err_set(err, "cannot read %s: it is not a file", path);
}

void
recording_file_close(struct recording_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* ---- scanning ---- */

struct scan {
	struct recording_file *file;
	struct replay *replay;
};

static void
on_scanned_line(void *user, const char *text, size_t len, uint64_t offset)
{
	struct scan *s = user;
	struct recording_file *f = s->file;
	struct err err = { "" };
	bool ok = text ? replay_add(s->replay, text, len, offset, &err)
		       : err_set(&err, "it has %zu bytes, which is too long", len);

	f->lines++;
	if (ok)
		return;
	if (f->damaged++ == 0)
		snprintf(f->trouble, sizeof(f->trouble), "line %zu: %.160s", f->lines, err.text);
}

bool
recording_file_scan(struct recording_file *f, struct replay *replay, struct err *err)
{
	struct scan scan = { .file = f, .replay = replay };
	struct recording_lines lines = { .on_line = on_scanned_line, .user = &scan };
	char bytes[PIECE_BYTES];
	ssize_t n;

	f->lines = f->damaged = 0;
	for (off_t at = 0; (n = pread(f->fd, bytes, sizeof(bytes), at)) > 0; at += n)
		recording_feed(&lines, bytes, (size_t)n);
	int why = errno;
	recording_feed_end(&lines);
	if (n < 0)
		return err_set(err, "cannot read the recording: %s", strerror(why));
	if (f->lines == 0)
		return err_set(err, "the recording is empty");
	return f->damaged < f->lines || err_set(err, "this is not a recording: %.200s", f->trouble);
}

bool
recording_file_load(const struct recording_file *f, uint64_t offset, size_t len, struct buf *out)
{
	char *room = buf_reserve(out, len);
	size_t got = 0;

	while (room && got < len) {
		ssize_t n = pread(f->fd, room + got, len - got, (off_t)(offset + got));
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	if (room)
		buf_commit(out, len);
	return room != NULL;
}

#define SLICE_US 4000
#define TO_END SIZE_MAX

struct recorded_line {
	uint64_t offset;
	uint32_t len;
	int64_t wall_us;
};

struct playback {
	struct transport transport; /* first */
	struct loop *loop;
	struct transport_events events;
	void *user;
	struct recording_file file;
	int tap; /* the socket of one; -1: a file */
	struct stream_in in;
	off_t written; /* bytes of the tap written to the file */
	struct recording_lines lines;
	off_t read; /* of the file */
	struct {
		struct recorded_line *items;
		size_t len, cap;
	} places;
	struct loop_timer timer;
	struct time_line line;
	size_t target;                 /* lines to show; TO_END: all */
	int64_t base_us, base_wall_us; /* of playing: now, and then */
	bool held, closed;             /* closed: the client has closed its end */
	bool busy, destroyed;
};

/* ---- reading ---- */

static void
on_line(void *user, const char *text, size_t len, uint64_t offset)
{
	struct playback *p = user;
	struct recording_entry e;
	struct buf bytes = BUF_INIT;
	bool ok = text && len < UINT32_MAX && recording_read(text, len, &e, &bytes, NULL);

	buf_finish(&bytes);
	p->line.damaged += !ok;
	if (!ok || e.kind == RECORDING_HEADING)
		return;
	/* times never fall, and a line without one has that of the line before */
	int64_t wall_us = e.wall_us > p->line.last_us ? e.wall_us : p->line.last_us;
	if (p->places.len == 0)
		p->line.first_us = wall_us;
	p->line.last_us = wall_us;
	*VEC_PUSH(&p->places) =
	    (struct recorded_line){ .offset = offset, .len = (uint32_t)len, .wall_us = wall_us };
	p->line.count = p->places.len;
}

/* False: there is no more now. */
static bool
read_some(struct playback *p)
{
	char bytes[PIECE_BYTES];
	ssize_t n = pread(p->file.fd, bytes, sizeof(bytes), p->read);

	if (n > 0) {
		p->read += n;
		recording_feed(&p->lines, bytes, (size_t)n);
		return true;
	}
	p->line.reading = false;
	if (p->line.grows)
		return false;
	recording_feed_end(&p->lines);
	if (p->places.len == 0)
		p->events.on_ended(p->user, "no line of it is of a recording");
	return false;
}

/* ---- showing ---- */

static void
show_entry(struct playback *p, const struct recording_entry *e)
{
	if (e->kind == RECORDING_SENT || e->kind == RECORDING_RECEIVED) {
		struct raw_message raw;
		raw_message_init(
		    &raw, (struct frame_line){ .bytes = blob_from_bytes(e->bytes, e->len),
			      .dropped = e->dropped,
			      .unterminated = e->unterminated,
			      .stream = e->exchange });
		raw.is_sent = e->kind == RECORDING_SENT;
		p->events.on_message(p->user, &raw);
	} else if (e->kind == RECORDING_CLOSED) {
		p->closed = true;
		p->events.on_note(p->user, "the client closed the server's input", 0);
	} else if (e->kind == RECORDING_EXIT && !p->closed) {
		p->events.on_ended(p->user, e->len > 0 ? e->bytes : "it ended");
	} else {
		struct buf text = BUF_INIT;
		buf_add(&text, e->bytes, e->len);
		if (e->kind == RECORDING_STDERR && !e->unterminated)
			buf_add_char(&text, '\n');
		if (e->kind == RECORDING_STDERR)
			p->events.on_stderr(p->user, buf_text(&text), text.len);
		else
			p->events.on_note(p->user, buf_text(&text), 0);
		buf_finish(&text);
	}
}

/* ---- slices ---- */

static size_t
playback_wanted(const struct playback *p)
{
	return p->target < p->places.len ? p->target : p->places.len;
}

static void
playback_plan(struct playback *p)
{
	bool at_once = p->line.at < playback_wanted(p) || p->line.reading;
	int64_t wait_us = 0;

	p->line.live = p->target == TO_END;
	p->line.target = p->line.at < playback_wanted(p) ? (int64_t)playback_wanted(p) : -1;
	if (p->held || (!at_once && p->line.speed <= 0)) {
		loop_timer_cancel(&p->timer);
		return;
	}
	if (!at_once) {
		wait_us = p->places.items[p->target].wall_us - p->base_wall_us;
		wait_us =
		    (int64_t)((double)wait_us / p->line.speed) - (clock_now_us() - p->base_us);
	}
	loop_timer_set(
	    p->loop, &p->timer, loop_now_ms(p->loop) + (wait_us > 0 ? wait_us / 1000 + 1 : 0));
}

static void
recording_file_on_timer(void *user)
{
	struct playback *p = user;
	int64_t until_us = clock_now_us() + SLICE_US;
	bool more = true;

	p->busy = true;
	while (more && !p->held && !p->destroyed && clock_now_us() < until_us) {
		if (p->line.speed > 0) { /* the target moves with the clock */
			int64_t passed_us =
			    (int64_t)((double)(clock_now_us() - p->base_us) * p->line.speed);
			while (p->target < p->places.len &&
			       p->places.items[p->target].wall_us - p->base_wall_us <= passed_us)
				p->target++;
			if (p->target >= p->places.len && !p->line.reading) {
				p->line.speed = 0;
				p->target = TO_END;
			}
		}
		if (p->line.at >= playback_wanted(p)) {
			more = p->line.reading && read_some(p);
			continue;
		}
		const struct recorded_line *place = &p->places.items[p->line.at++];
		struct buf line = BUF_INIT, bytes = BUF_INIT;
		struct recording_entry e;
		p->line.at_us = place->wall_us;
		p->transport.at_us = place->wall_us - p->transport.epoch_us;
		if (recording_file_load(&p->file, place->offset, place->len, &line) &&
		    recording_read(buf_text(&line), line.len, &e, &bytes, NULL))
			show_entry(p, &e);
		else
			p->events.on_note(
			    p->user, "the recording has changed: a line of it is gone", 0);
		buf_finish(&line);
		buf_finish(&bytes);
	}
	p->busy = false;
	if (p->destroyed)
		free(p);
	else
		playback_plan(p);
}

static void
playback_seek(void *owner, size_t at, double speed)
{
	struct playback *p = owner;

	p->target = at >= p->places.len && !p->line.reading && speed == 0 ? TO_END : at;
	p->line.speed = speed;
	if (at < p->line.at) {
		p->line.at = 0;
		p->line.at_us = p->line.first_us;
		p->closed = false;
		p->transport.at_us = p->line.first_us - p->transport.epoch_us;
		p->events.on_rewind(p->user);
	}
	p->base_us = clock_now_us();
	p->base_wall_us =
	    at > 0 && at <= p->places.len ? p->places.items[at - 1].wall_us : p->line.first_us;
	playback_plan(p);
}

/* ---- a running tap: its lines go to a file without a name ---- */

static int
connect_to(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = strlen(path) < sizeof(at.sun_path) ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)
						    : -1;

	if (fd < 0)
		return -1;
	memcpy(at.sun_path, path, strlen(path) + 1);
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Sockets of taps that were killed are removed. */
static int
connect_newest(const char *folder)
{
	DIR *d = opendir(folder);
	struct timespec newest = { 0 };
	int found = -1;

	for (const struct dirent *e; d && (e = readdir(d));) {
		struct stat status;
		if (strncmp(e->d_name, "tap-", 4) != 0 || !path_has_ending(e->d_name, ".sock"))
			continue;
		char *path = mem_printf("%s/%s", folder, e->d_name);
		int fd = stat(path, &status) == 0 ? connect_to(path) : -1;
		bool newer = status.st_mtim.tv_sec > newest.tv_sec ||
			     (status.st_mtim.tv_sec == newest.tv_sec &&
				 status.st_mtim.tv_nsec > newest.tv_nsec);
		if (fd < 0 && errno == ECONNREFUSED)
			unlink(path);
		if (fd >= 0 && newer) {
			newest = status.st_mtim;
			if (found >= 0)
				close(found);
			found = fd;
		} else if (fd >= 0) {
			close(fd);
		}
		free(path);
	}
	if (d)
		closedir(d);
	return found;
}

/* Connects to the tap of that process, or to the newest: a blocking descriptor; -1 with err. */
static int
connect_to_tap(const char *pid, struct err *err)
{
	char *name = mem_printf("tap-%.20s.sock", pid), *path = path_of(PATH_RUNTIME, name);
	int fd = -1;

	if (path && *pid && strspn(pid, "0123456789") == strlen(pid)) {
		fd = connect_to(path);
	} else if (path && !*pid) {
		*strrchr(path, '/') = '\0';
		fd = connect_newest(path);
	}
	if (fd < 0 && *pid)
		err_set(err, "no tap has the process number %.20s", pid);
	else if (fd < 0)
		err_set(err, "no tap is running: mcpane tap -- COMMAND, mcpane tap --listen "
			     "127.0.0.1:0 URL, mcpane record FILE -- COMMAND");
	free(name);
	free(path);
	return fd;
}

static void
on_told(void *user, const char *bytes, size_t len)
{
	struct playback *p = user;
	ssize_t n = pwrite(p->file.fd, bytes, len, p->written);

	if (n > 0)
		p->written += n;
	p->line.reading = true;
	if (n < (ssize_t)len) {
		stream_in_finish(&p->in);
		p->line.grows = false;
		p->events.on_note(p->user, "no memory for the messages of the tap", 0);
	}
	playback_plan(p);
}

static void
on_tap_end(void *user, int error)
{
	struct playback *p = user;

	p->line.grows = false;
	p->line.reading = true; /* the rest of the last line */
	playback_plan(p);
}

static bool
attach_to_tap(struct playback *p, const char *pid, struct err *err)
{
	const char *folder = getenv("TMPDIR");

	p->tap = connect_to_tap(pid, err);
	if (p->tap < 0)
		return false;
	p->file.fd =
	    open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (p->file.fd < 0) {
		close(p->tap);
		return err_set(err, "cannot make a temporary file: %s", strerror(errno));
	}
	fcntl(p->tap, F_SETFL, O_NONBLOCK);
	p->line.grows = true;
	stream_in_init(&p->in, p->loop, p->tap, on_told, on_tap_end, p);
	return true;
}

/* ---- the transport ---- */

static bool
send_message(struct transport *t, const struct outbound *message, struct err *err)
{
	return err_set(err, "a recording cannot answer calls");
}

static void
playback_hold(struct transport *t, bool held)
{
	struct playback *p = (struct playback *)t;

	p->held = held;
	if (!p->busy)
		playback_plan(p);
}

static void
playback_destroy(struct transport *t)
{
	struct playback *p = (struct playback *)t;

	loop_timer_cancel(&p->timer);
	stream_in_finish(&p->in);
	if (p->tap >= 0)
		close(p->tap);
	recording_file_close(&p->file);
	buf_finish(&p->lines.pending);
	free(p->places.items);
	p->destroyed = true;
	if (!p->busy)
		free(p);
}

static const struct transport_ops playback_ops = {
	.send = send_message, .hold = playback_hold, .destroy = playback_destroy
};

struct transport *
playback_create(struct loop *loop, const char *path, const struct transport_events *events,
    void *user, const struct time_line **line, struct err *err)
{
	struct playback *p = mem_zalloc(sizeof(*p));

	p->transport.ops = &playback_ops;
	p->loop = loop;
	p->events = *events;
	p->user = user;
	p->line =
	    (struct time_line){ .target = -1, .reading = true, .seek = playback_seek, .owner = p };
	size_t prefix = strlen(RECORDING_OF_TAP);
	p->tap = -1;
	if (strncmp(path, RECORDING_OF_TAP, prefix) == 0
		? !attach_to_tap(p, path + prefix, err)
		: !recording_file_open(&p->file, path, err)) {
		free(p);
		return NULL;
	}
	p->lines = (struct recording_lines){ .on_line = on_line, .user = p };
	p->timer = (struct loop_timer){ .fn = recording_file_on_timer, .user = p };
	p->transport.epoch_us = clock_wall_us() - clock_now_us();
	p->target = TO_END;
	playback_plan(p);
	*line = &p->line;
	return &p->transport;
}

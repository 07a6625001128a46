/* SPDX-License-Identifier: MIT */
#include "listener.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "loop/stream.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

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
drop(struct listener *l, int i)
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
tell(struct listener *l, int i, const char *bytes, size_t len)
{
	struct visitor *v = l->visitors[i];

	if (!v)
		return;
	bool ok = stream_out_add(&v->out, bytes, len);
	stream_out_flush(&v->out);
	if (!ok || v->out.error)
		drop(l, i);
}

/* The folder keeps others out; this does too. */
static bool
is_ours(int fd)
{
	struct ucred who = { .uid = (uid_t)-1 };
	socklen_t len = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 &&
	       (who.uid == geteuid() || who.uid == 0);
}

static void
on_visitor(void *user, unsigned ready)
{
	struct listener *l = user;
	int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), i = 0;

	while (i < VISITORS_MOST && l->visitors[i])
		i++;
	if (fd < 0)
		return;
	if (i == VISITORS_MOST || !is_ours(fd)) {
		close(fd);
		return;
	}
	l->visitors[i] = mem_zalloc(sizeof(*l->visitors[i]));
	l->visitors[i]->fd = fd;
	stream_out_init(&l->visitors[i]->out, l->loop, fd, VISITOR_BYTES);
	tell(l, i, buf_text(&l->kept), l->kept.len);
}

/* ---- lines ---- */

/* Drops the older half of the lines after the head. */
static void
make_room(struct listener *l)
{
	struct buf rest = BUF_INIT;
	size_t from = l->head + (l->kept.len - l->head) / 2;
	const char *end = memchr(l->kept.data + from, '\n', l->kept.len - from);

	buf_add(&rest, l->kept.data, l->head);
	if (end)
		buf_add(&rest, end + 1, (size_t)(l->kept.data + l->kept.len - end - 1));
	buf_finish(&l->kept);
	l->kept = rest;
}

void
listener_add(struct listener *l, const char *line, size_t len)
{
	if (l->kept.len + len > KEPT_BYTES)
		make_room(l);
	if (l->kept.len + len <= KEPT_BYTES)
		buf_add(&l->kept, line, len);
	if (l->kept.len <= HEAD_BYTES)
		l->head = l->kept.len;
	for (int i = 0; i < VISITORS_MOST; i++)
		tell(l, i, line, len);
}

/* ---- the socket ---- */

static bool
bind_to(struct listener *l, struct err *err)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };

	if (strlen(l->path) >= sizeof(at.sun_path))
		return err_set(err, "the path of the socket is too long: %.120s", l->path);
	memcpy(at.sun_path, l->path, strlen(l->path) + 1);
	path_make_folders(l->path);
	unlink(l->path); /* of a process that had our number */
	mode_t mask = umask(0177);
	bool ok = bind(l->fd, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(l->fd, 4) == 0;
	umask(mask);
	return ok || err_set(err, "cannot listen at %.120s: %s", l->path, strerror(errno));
}

struct listener *
listener_create(struct loop *loop, struct err *err)
{
	struct listener *l = mem_zalloc(sizeof(*l));
	char name[40];

	snprintf(name, sizeof(name), "tap-%ld.sock", (long)getpid());
	l->loop = loop;
	l->path = path_runtime(name);
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	bool ok = l->path || err_set(err, "there is no folder for a socket: HOME is not set");
	ok = ok && (l->fd >= 0 || err_set(err, "no socket: %s", strerror(errno)));
	if (ok && bind_to(l, err)) {
		l->watch = loop_watch_fd(loop, l->fd, LOOP_READ, on_visitor, l);
		return l;
	}
	if (l->fd >= 0)
		close(l->fd);
	free(l->path);
	free(l);
	return NULL;
}

void
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
		drop(l, i);
	}
	loop_watch_remove(l->watch);
	close(l->fd);
	unlink(l->path);
	buf_finish(&l->kept);
	free(l->path);
	free(l);
}

/* ---- the other end ---- */

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

int
listener_connect(const char *pid, struct err *err)
{
	char *name = mem_printf("tap-%.20s.sock", pid), *path = path_runtime(name);
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

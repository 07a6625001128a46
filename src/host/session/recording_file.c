#include "host/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)

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
	recording_line_fn *take;
	void *user;
};

static void
on_line(void *user, const char *text, size_t len, uint64_t offset)
{
	struct scan *s = user;
	struct recording_file *f = s->file;
	struct err err = { "" };
	bool ok = text ? s->take(s->user, text, len, offset, &err)
		       : err_set(&err, "it has %zu bytes, which is too long", len);

	f->lines++;
	if (ok)
		return;
	if (f->damaged++ == 0)
		snprintf(f->trouble, sizeof(f->trouble), "line %zu: %.160s", f->lines, err.text);
}

bool
recording_file_scan(struct recording_file *f, recording_line_fn *take, void *user, struct err *err)
{
	struct scan scan = { .file = f, .take = take, .user = user };
	struct recording_lines lines = { .on_line = on_line, .user = &scan };
	char bytes[READ_BYTES];
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

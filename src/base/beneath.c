/* SPDX-License-Identifier: MIT */
#include "base/beneath.h"

#include "base/mem.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct beneath {
	const char *folder, *name;
	int fd; /* of the folder that was reached */
	int depth;
	bool missing; /* why it failed */
};

/* why: errno of the part of name that ends after len bytes. */
static bool
refuse(struct beneath *w, size_t len, int why, struct err *err)
{
	const char *name = w->name, *between = "/";
	size_t start = len;
	struct stat st;

	while (start > 0 && name[start - 1] != '/')
		start--;
	char *part = mem_strndup(name + start, len - start);
	bool link = fstatat(w->fd, part, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
	size_t n = strlen(w->folder);
	if (n == 0 || w->folder[n - 1] == '/')
		between = "";
	free(part);
	w->missing = !link && (why == ENOENT || why == ENOTDIR);
	if (link)
		return err_set(err, "%s%s%.*s is a symbolic link, which is not followed", w->folder,
		    between, (int)len, name);
	if (why == EINVAL)
		return err_set(
		    err, "%s%s%.*s is not a regular file", w->folder, between, (int)len, name);
	return err_set(
	    err, "cannot open %s%s%.*s: %s", w->folder, between, (int)len, name, strerror(why));
}

/* Enter the folder name[start..len). */
static bool
step(struct beneath *w, size_t start, size_t len, bool make, struct err *err)
{
	enum { FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
	char *part = mem_strndup(w->name + start, len - start);
	int fd = -1;

	if (*part == '\0' || strcmp(part, ".") == 0) {
		free(part);
		return true;
	}
	w->depth += strcmp(part, "..") == 0 ? -1 : 1;
	if (w->depth < 0) {
		err_set(err, "%s leads out of its folder", w->name);
	} else {
		fd = openat(w->fd, part, FOLDER);
		if (fd < 0 && errno == ENOENT && make &&
		    (mkdirat(w->fd, part, 0777) == 0 || errno == EEXIST))
			fd = openat(w->fd, part, FOLDER);
		if (fd < 0)
			refuse(w, len, errno, err);
	}
	free(part);
	if (fd < 0)
		return false;
	close(w->fd);
	w->fd = fd;
	return true;
}

static bool
walk(struct beneath *w, bool make, const char **last, struct err *err)
{
	size_t at = 0;

	w->fd = open(*w->folder ? w->folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	w->missing = w->fd < 0 && errno == ENOENT;
	if (w->fd < 0)
		return err_set(err, "cannot open %s: %s", w->folder, strerror(errno));
	for (const char *slash; (slash = strchr(w->name + at, '/'));) {
		size_t len = (size_t)(slash - w->name);
		if (!step(w, at, len, make, err)) {
			close(w->fd);
			return false;
		}
		at = len + 1;
	}
	*last = w->name + at;
	return true;
}

int
beneath_open(const char *folder, const char *name, bool make, const char **last, struct err *err)
{
	struct beneath w = { .folder = folder, .name = name };

	return walk(&w, make, last, err) ? w.fd : -1;
}

bool
beneath_read(const char *folder, const char *name, struct buf *out, bool *there, struct err *err)
{
	struct beneath w = { .folder = folder, .name = name };
	const char *last;
	struct stat st;

	bool ok = walk(&w, false, &last, err);
	if (ok) {
		/* O_NONBLOCK, because opening a FIFO waits for its writer */
		int fd =
		    openat(w.fd, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
		ok = is_file ? path_read_fd(fd, name, out, err)
			     : refuse(&w, strlen(name), fd < 0 ? errno : EINVAL, err);
		if (fd >= 0)
			close(fd);
		close(w.fd);
	}
	if (there)
		*there = !w.missing;
	return ok || (there && w.missing);
}

/* Writes a new file in the same folder, with the old mode, and renames it over the old one. */
static bool
replace(int folder, const char *last, const struct stat *old, const void *bytes, size_t len)
{
	char *name = mem_printf("%s.%ld", last, (long)getpid());
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(folder, name, flags, old ? old->st_mode & 0777 : 0666);
	bool ok = fd >= 0 && path_write_fd(fd, bytes, len) && fsync(fd) == 0;

	if (fd >= 0 && old)
		(void)fchmod(fd, old->st_mode & 0777);
	if (fd >= 0) {
		ok = close(fd) == 0 && ok;
		ok = ok && renameat(folder, name, folder, last) == 0;
		int why = errno;
		if (ok)
			(void)fsync(folder);
		else
			unlinkat(folder, name, 0);
		errno = why;
	}
	free(name);
	return ok;
}

bool
beneath_write(const char *folder, const char *name, const void *bytes, size_t len, struct err *err)
{
	struct beneath w = { .folder = folder, .name = name };
	const char *last;
	struct stat old;
	bool ok = false;

	if (!walk(&w, true, &last, err))
		return false;
	bool exists = fstatat(w.fd, last, &old, AT_SYMLINK_NOFOLLOW) == 0;
	if (exists && !S_ISREG(old.st_mode))
		refuse(&w, strlen(name), EINVAL, err);
	else if (exists && (!(old.st_mode & 0222) || faccessat(w.fd, last, W_OK, 0) != 0))
		err_set(err, "cannot write %s: %s", name, strerror(EACCES));
	else
		ok = replace(w.fd, last, exists ? &old : NULL, bytes, len) ||
		     err_set(err, "cannot write %s: %s", name, strerror(errno));
	close(w.fd);
	return ok;
}

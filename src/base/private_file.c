/* SPDX-License-Identifier: MIT */
#include "base/private_file.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TURN_BYTE 0 /* of the lock file; claims are on those after it */

/* Ours alone, or made so. */
static bool
is_own(int fd, mode_t kind, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if ((st.st_mode & S_IFMT) != kind)
		return err_set(err, "%s is not a regular file", path);
	if (st.st_uid != geteuid())
		return err_set(err, "%s belongs to another user: it is not used", path);
	if (st.st_mode & 077) /* not every file system has modes */
		(void)fchmod(fd, st.st_mode & 0700);
	return true;
}

/* Opens the folder of path. Returns -1 with err, or with an empty err if it does not exist. */
static int
open_folder(const char *path, bool shared, struct err *err)
{
	size_t len = (size_t)(path_file_name(path) - path);
	char *folder = len > 0 ? mem_strndup(path, len) : mem_strdup(".");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno != ENOENT)
		err_set(err, "cannot open %s: %s", folder, strerror(errno));
	if (fd >= 0 && !shared && !is_own(fd, S_IFDIR, folder, err)) {
		close(fd);
		fd = -1;
	}
	free(folder);
	return fd;
}

static int
open_lock(int folder, const char *path)
{
	char *name = mem_printf("%s.lock", path_file_name(path));
	int fd = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0)
		(void)fchmod(fd, 0600); /* independent of the umask */
	free(name);
	return fd;
}

/* Returns 0, EAGAIN if it is taken, or another errno. The lock belongs to the open file, not to the
 * process: two in one program exclude each other, too. */
static int
lock_byte(int fd, off_t at)
{
	struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };

	if (fcntl(fd, F_OFD_SETLK, &range) == 0)
		return 0;
	return errno == EACCES ? EAGAIN : errno;
}

static bool
wait_for_turn(int fd, const char *path, struct err *err)
{
	int64_t until_ms = clock_now_ms() + PRIVATE_FILE_WAIT_MS;
	int why;

	while ((why = lock_byte(fd, TURN_BYTE)) == EAGAIN && clock_now_ms() < until_ms)
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	if (why == EAGAIN)
		return err_set(err, "%s is held by another program: nothing is written", path);
	return why == 0 || err_set(err, "%s cannot be locked: %s", path, strerror(why));
}

static bool
open_file(struct private_file *f, const char *path, bool shared, struct err *err)
{
	struct err why = { "" };

	path_make_folders(path);
	*f = (struct private_file){
		.folder = open_folder(path, shared, &why), .lock = -1, .shared = shared
	};
	if (f->folder < 0)
		return err_set(err, "%s", why.text[0] ? why.text : "its folder does not exist");
	f->path = mem_strdup(path);
	f->lock = open_lock(f->folder, path);
	if (f->lock < 0)
		err_set(&why, "%s cannot be locked: %s", path, strerror(errno));
	if (f->lock >= 0 && wait_for_turn(f->lock, path, &why))
		return true;
	private_file_close(f);
	return err_set(err, "%s", why.text);
}

bool
private_file_open(struct private_file *f, const char *path, struct err *err)
{
	return open_file(f, path, false, err);
}

bool
private_file_open_shared(struct private_file *f, const char *path, struct err *err)
{
	return open_file(f, path, true, err);
}

void
private_file_close(struct private_file *f)
{
	if (f->lock >= 0)
		close(f->lock);
	if (f->folder >= 0)
		close(f->folder);
	free(f->path);
	*f = (struct private_file){ .folder = -1, .lock = -1 };
}

static bool
read_in(int folder, const char *path, struct buf *out, bool *there, struct err *err)
{
	int fd = openat(folder, path_file_name(path),
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	*there = fd >= 0 || errno != ENOENT;
	if (fd < 0 && errno == ELOOP)
		return err_set(err, "%s is a symbolic link, which is not followed", path);
	if (fd < 0)
		return !*there || err_set(err, "cannot open %s: %s", path, strerror(errno));
	bool ok = is_own(fd, S_IFREG, path, err) && path_read_fd(fd, path, out, err);
	close(fd);
	return ok;
}

bool
private_file_read(const struct private_file *f, struct buf *out, bool *there, struct err *err)
{
	if (f->shared)
		return path_read_regular(f->path, out, there, err);
	return read_in(f->folder, f->path, out, there, err);
}

bool
private_file_look(const char *path, struct buf *out, bool *there, struct err *err)
{
	struct err why = { "" };
	int folder = open_folder(path, false, &why);

	*there = false;
	if (folder < 0)
		return !why.text[0] || err_set(err, "%s", why.text);
	bool ok = read_in(folder, path, out, there, err);
	close(folder);
	return ok;
}

/* We hold the lock: a temporary file that is there was left by a program that died. */
static bool
replace(const struct private_file *f, const char *name, const void *bytes, size_t len)
{
	unlinkat(f->folder, name, 0);
	int fd =
	    openat(f->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool ok =
	    fd >= 0 && fchmod(fd, 0600) == 0 && path_write_fd(fd, bytes, len) && fsync(fd) == 0;

	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	ok = ok && renameat(f->folder, name, f->folder, path_file_name(f->path)) == 0;
	if (ok)
		(void)fsync(f->folder);
	return ok;
}

bool
private_file_write(const struct private_file *f, const void *bytes, size_t len, struct err *err)
{
	if (f->shared)
		return access(f->path, F_OK) == 0 ? path_write_file(f->path, bytes, len, err)
						  : path_write_private(f->path, bytes, len, err);
	char *name = mem_printf("%s.new", path_file_name(f->path));
	bool ok = replace(f, name, bytes, len);
	int why = errno;

	if (!ok)
		unlinkat(f->folder, name, 0);
	free(name);
	return ok || err_set(err, "cannot write %s: %s", f->path, strerror(why));
}

bool
private_file_set_aside(const struct private_file *f, struct err *err)
{
	char *name = mem_printf("%s.broken", path_file_name(f->path));
	bool ok = renameat(f->folder, path_file_name(f->path), f->folder, name) == 0;

	free(name);
	return ok || err_set(err, "%s cannot be moved aside: %s", f->path, strerror(errno));
}

bool
private_file_claim(const char *path, uint32_t what, int *fd)
{
	int folder = open_folder(path, false, NULL);

	*fd = folder >= 0 ? open_lock(folder, path) : -1;
	if (folder >= 0)
		close(folder);
	int why = *fd >= 0 ? lock_byte(*fd, TURN_BYTE + 1 + (off_t)what) : 0;
	if (why == 0)
		return true;
	close(*fd);
	*fd = -1;
	return why != EAGAIN;
}

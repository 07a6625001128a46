/* SPDX-License-Identifier: MIT */
/*
 * Files of the user: reading and replacing them, private ones that programs take turns to change,
 * and those that a project names; then the folders of this program.
 */
#include "base/path.h"

#include "base/beneath.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Reads an open file to its end, bounded by out->max. name: for err. */
static bool
read_fd(int fd, const char *name, struct buf *out, struct err *err)
{
	enum { CHUNK = 64 * 1024 };

	for (;;) {
		/* Near the bound ask for the rest and one byte more, to tell full from too
		 * long. */
		size_t want = CHUNK;
		if (out->max && out->max - out->len < want)
			want = out->max - out->len;
		char extra;
		char *to = want > 0 ? buf_reserve(out, want) : &extra;
		ssize_t got = read(fd, to, want > 0 ? want : 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, "cannot read %s: %s", name, strerror(errno));
		if (got == 0)
			return true;
		if (want == 0)
			return err_set(err, "%s is longer than %zu bytes", name, out->max);
		buf_commit(out, (size_t)got);
	}
}

bool
path_read_file(const char *path, struct buf *out, struct err *err)
{
	if (strcmp(path, "-") == 0)
		return read_fd(STDIN_FILENO, "standard input", out, err);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, "cannot open %s: %s", path, strerror(errno));
	bool ok = read_fd(fd, path, out, err);
	close(fd);
	return ok;
}

/* O_NONBLOCK, as opening a FIFO waits for its writer. */
bool
path_read_regular(const char *path, struct buf *out, bool *there, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool missing = fd < 0 && (errno == ENOENT || errno == ENOTDIR);
	struct stat status;

	if (there)
		*there = !missing;
	if (there && missing)
		return true;
	if (fd < 0)
		return err_set(err, "cannot open %s: %s", path, strerror(errno));
	bool ok = fstat(fd, &status) == 0 && S_ISREG(status.st_mode)
		      ? read_fd(fd, path, out, err)
		      : err_set(err, "%s is not a regular file", path);
	close(fd);
	return ok;
}

bool
path_write_fd(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t put = write(fd, bytes, len);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		bytes += put;
		len -= (size_t)put;
	}
	return true;
}

/* A new file beside target, with its mode if it is there, else with this one; the name goes to
 * *name. */
static int
open_temporary(const char *target, const struct stat *old, mode_t mode, char **name)
{
	int fd = -1;

	for (int attempt = 0; attempt < 100; attempt++) {
		*name = mem_printf("%s.%ld-%d", target, (long)getpid(), attempt);
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    old ? old->st_mode & 0777 : mode);
		if (fd >= 0 || errno != EEXIST)
			break;
		free(*name);
		*name = NULL;
	}
	if (fd >= 0 && old)
		(void)fchmod(fd, old->st_mode & 07777);
	return fd;
}

int
path_create_new(const char *path, mode_t mode, char **name, struct err *err)
{
	const char *last = path_file_name(path), *dot = strrchr(last, '.');
	size_t stem = dot && dot > last ? (size_t)(dot - path) : strlen(path);
	int fd = -1;

	*name = NULL;
	for (int number = 1; number <= 1000 && fd < 0; number++) {
		free(*name);
		*name = number == 1 ? mem_strdup(path)
				    : mem_printf("%.*s-%d%s", (int)stem, path, number, path + stem);
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		return fd;
	err_set(err, "cannot write %s: %s", *name, strerror(errno));
	free(*name);
	*name = NULL;
	return -1;
}

char *
path_write_new(const char *path, const void *bytes, size_t len, struct err *err)
{
	char *name;
	int fd = path_create_new(path, 0600, &name, err);

	if (fd < 0)
		return NULL;
	bool ok = path_write_fd(fd, bytes, len);
	ok = close(fd) == 0 && ok;
	if (ok)
		return name;
	err_set(err, "cannot write %s: %s", name, strerror(errno));
	unlink(name);
	free(name);
	return NULL;
}

bool
path_has_ending(const char *path, const char *ending)
{
	size_t len = strlen(path), n = strlen(ending);

	return len > n && strcmp(path + len - n, ending) == 0;
}

const char *
path_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *
path_next_program(const char **path, const char *name)
{
	const char *folder = *path, *end = folder ? strchrnul(folder, ':') : NULL;

	if (!folder)
		return NULL;
	*path = *end ? end + 1 : NULL;
	return mem_printf(
	    "%.*s%s%s", (int)(end - folder), folder, end == folder ? "./" : "/", name);
}

/* Write the bytes to fd, a new file called `made`, and rename it to name. On failure remove it, and
 * errno says why. */
static bool
rename_made(int folder, int fd, const char *made, const char *name, const void *bytes, size_t len)
{
	if (fd < 0)
		return false;
	bool ok = path_write_fd(fd, bytes, len) && fsync(fd) == 0;
	ok = close(fd) == 0 && ok;
	ok = ok && renameat(folder, made, folder, name) == 0;
	int why = errno;
	if (!ok)
		unlinkat(folder, made, 0);
	else if (folder != AT_FDCWD)
		(void)fsync(folder);
	errno = why;
	return ok;
}

static bool
replace(const char *target, const struct stat *old, mode_t mode, const void *bytes, size_t len)
{
	char *made = NULL;
	int fd = open_temporary(target, old, mode, &made);
	bool ok = rename_made(AT_FDCWD, fd, made, target, bytes, len);

	free(made);
	if (!ok)
		return false;
	/* After a crash of the machine the name refers to the old file or to the new one. */
	size_t above = (size_t)(path_file_name(target) - target);
	char *folder = above ? mem_strndup(target, above) : mem_strdup(".");
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(folder);
	return true;
}

bool
path_write_with_mode(const char *path, mode_t mode, const void *bytes, size_t len, struct err *err)
{
	struct stat old;
	bool exists = stat(path, &old) == 0, ok;

	if (exists && !S_ISREG(old.st_mode)) {
		/* a device or a pipe: a rename would replace it by a file */
		int fd = open(path, O_WRONLY | O_CLOEXEC);
		ok = fd >= 0 && path_write_fd(fd, bytes, len);
		if (fd >= 0)
			ok = close(fd) == 0 && ok;
	} else if (exists && (!(old.st_mode & 0222) || access(path, W_OK) != 0)) {
		errno = EACCES; /* the folder may be writable, but this file is protected */
		ok = false;
	} else {
		char *real = realpath(path, NULL); /* a rename onto a link would replace the link */
		ok = replace(real ? real : path, exists ? &old : NULL, mode, bytes, len);
		free(real);
	}
	return ok || err_set(err, "cannot write %s: %s", path, strerror(errno));
}

bool
path_write_file(const char *path, const void *bytes, size_t len, struct err *err)
{
	return path_write_with_mode(path, 0666, bytes, len, err);
}

void
path_make_folders(const char *path)
{
	char *copy = mem_strdup(path);

	for (char *at = copy + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		(void)mkdir(copy, 0700);
		*at = '/';
	}
	free(copy);
}

bool
path_write_private(const char *path, const void *bytes, size_t len, struct err *err)
{
	static const struct stat mode = { .st_mode = 0600 };
	char *real = realpath(path, NULL);

	path_make_folders(path);
	bool ok = replace(real ? real : path, &mode, 0600, bytes, len);
	free(real);
	return ok || err_set(err, "cannot write %s: %s", path, strerror(errno));
}

char *
path_write_temporary(const char *ending, const void *bytes, size_t len, struct err *err)
{
	const char *folder = getenv("TMPDIR");
	char *path = mem_printf("%s/mcpane-XXXXXX%s", folder && *folder ? folder : "/tmp", ending);
	int fd = mkostemps(path, (int)strlen(ending), O_CLOEXEC);
	bool ok = fd >= 0 && path_write_fd(fd, bytes, len);

	if (!ok)
		err_set(err, "cannot %s a temporary file: %s", fd < 0 ? "make" : "write",
		    strerror(errno));
	if (fd >= 0) {
		close(fd);
		if (!ok)
			unlink(path);
	}
	if (ok)
		return path;
	free(path);
	return NULL;
}

/* ---- private files ---- */

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

bool
private_file_open(struct private_file *f, const char *path, bool shared, struct err *err)
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
	int trouble = f->lock >= 0 ? lock_byte(f->lock, TURN_BYTE) : errno;
	int64_t until_ms = clock_now_ms() + PRIVATE_FILE_WAIT_MS;
	while (f->lock >= 0 && trouble == EAGAIN && clock_now_ms() < until_ms) {
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
		trouble = lock_byte(f->lock, TURN_BYTE);
	}
	if (trouble == 0)
		return true;
	if (f->lock >= 0 && trouble == EAGAIN)
		err_set(err, "%s is held by another program: nothing is written", path);
	else
		err_set(err, "%s cannot be locked: %s", path, strerror(trouble));
	private_file_close(f);
	return false;
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
	bool ok = is_own(fd, S_IFREG, path, err) && read_fd(fd, path, out, err);
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

bool
private_file_write(const struct private_file *f, const void *bytes, size_t len, struct err *err)
{
	if (f->shared)
		return access(f->path, F_OK) == 0 ? path_write_file(f->path, bytes, len, err)
						  : path_write_private(f->path, bytes, len, err);
	char *made = mem_printf("%s.new", path_file_name(f->path));
	unlinkat(f->folder, made, 0); /* with the lock held it is left from a program that died */
	int fd =
	    openat(f->folder, made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool ok = true;
	if (fd >= 0 && fchmod(fd, 0600) < 0) { /* independent of the umask */
		ok = err_set(err, "cannot write %s: %s", f->path, strerror(errno));
		close(fd);
		unlinkat(f->folder, made, 0);
	}
	ok = ok && (rename_made(f->folder, fd, made, path_file_name(f->path), bytes, len) ||
		       err_set(err, "cannot write %s: %s", f->path, strerror(errno)));
	free(made);
	return ok;
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

/* ---- files beneath a folder ---- */

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
		ok = is_file ? read_fd(fd, name, out, err)
			     : refuse(&w, strlen(name), fd < 0 ? errno : EINVAL, err);
		if (fd >= 0)
			close(fd);
		close(w.fd);
	}
	if (there)
		*there = !w.missing;
	return ok || (there && w.missing);
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
	if (exists && !S_ISREG(old.st_mode)) {
		refuse(&w, strlen(name), EINVAL, err);
	} else if (exists && (!(old.st_mode & 0222) || faccessat(w.fd, last, W_OK, 0) != 0)) {
		err_set(err, "cannot write %s: %s", name, strerror(EACCES));
	} else {
		char *made = mem_printf("%s.%ld", last, (long)getpid());
		int fd = openat(w.fd, made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    exists ? old.st_mode & 0777 : 0666);
		if (fd >= 0 && exists)
			(void)fchmod(fd, old.st_mode & 0777);
		ok = rename_made(w.fd, fd, made, last, bytes, len) ||
		     err_set(err, "cannot write %s: %s", name, strerror(errno));
		free(made);
	}
	close(w.fd);
	return ok;
}

/* ---- the folders of this program ---- */

static const struct {
	const char *variable, *otherwise;
} folders[] = {
	[PATH_CONFIG] = { "XDG_CONFIG_HOME", ".config" },
	[PATH_STATE] = { "XDG_STATE_HOME", ".local/state" },
	[PATH_CACHE] = { "XDG_CACHE_HOME", ".cache" },
	[PATH_RUNTIME] = { "XDG_RUNTIME_DIR", NULL },
};

char *
path_of(enum path_folder which, const char *name)
{
	const char *folder = getenv(folders[which].variable), *home = getenv("HOME");

	if (folder && folder[0] == '/') /* XDG: a relative path is to be ignored */
		return mem_printf("%s/mcpane/%s", folder, name);
	if (which == PATH_RUNTIME)
		return path_of(PATH_STATE, name);
	if (home && home[0])
		return mem_printf("%s/%s/mcpane/%s", home, folders[which].otherwise, name);
	return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "base/path.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
path_read_fd(int fd, const char *name, struct buf *out, struct err *err)
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
		return path_read_fd(STDIN_FILENO, "standard input", out, err);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, "cannot open %s: %s", path, strerror(errno));
	bool ok = path_read_fd(fd, path, out, err);
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
		      ? path_read_fd(fd, path, out, err)
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

/* The path with a number before its ending. */
static char *
numbered(const char *path, int number)
{
	const char *name = path_file_name(path), *dot = strrchr(name, '.');
	size_t stem = dot && dot > name ? (size_t)(dot - path) : strlen(path);

	if (number == 1)
		return mem_strdup(path);
	return mem_printf("%.*s-%d%s", (int)stem, path, number, path + stem);
}

int
path_create_new(const char *path, mode_t mode, char **name, struct err *err)
{
	int fd = -1;

	*name = NULL;
	for (int number = 1; number <= 1000 && fd < 0; number++) {
		free(*name);
		*name = numbered(path, number);
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

/* After a crash of the machine the name refers to the old file or to the new one. */
static void
sync_folder(const char *target)
{
	const char *slash = strrchr(target, '/');
	size_t len = slash == target ? 1 : slash ? (size_t)(slash - target) : 0;
	char *folder = len ? mem_strndup(target, len) : mem_strdup(".");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(folder);
}

static bool
replace(const char *target, const struct stat *old, mode_t mode, const void *bytes, size_t len)
{
	char *temporary = NULL;
	int fd = open_temporary(target, old, mode, &temporary);
	bool ok = fd >= 0 && path_write_fd(fd, bytes, len) && fsync(fd) == 0;

	if (fd >= 0) {
		ok = close(fd) == 0 && ok;
		ok = ok && rename(temporary, target) == 0;
		if (ok)
			sync_folder(target);
		int why = errno;
		if (!ok)
			unlink(temporary);
		errno = why;
	}
	free(temporary);
	return ok;
}

static bool
write_file(const char *path, mode_t mode, const void *bytes, size_t len, struct err *err)
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
	return write_file(path, 0666, bytes, len, err);
}

bool
path_write_export(const char *path, const void *bytes, size_t len, struct err *err)
{
	return write_file(path, 0600, bytes, len, err);
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

/* XDG: a relative path is to be ignored. */
static char *
in_folder(const char *variable, const char *otherwise, const char *name)
{
	const char *folder = getenv(variable);
	const char *home = getenv("HOME");

	if (folder && folder[0] == '/')
		return mem_printf("%s/mcpane/%s", folder, name);
	if (home && home[0])
		return mem_printf("%s/%s/mcpane/%s", home, otherwise, name);
	return NULL;
}

char *
path_config(const char *name)
{
	return in_folder("XDG_CONFIG_HOME", ".config", name);
}

char *
path_state(const char *name)
{
	return in_folder("XDG_STATE_HOME", ".local/state", name);
}

char *
path_runtime(const char *name)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");

	return folder && folder[0] == '/' ? mem_printf("%s/mcpane/%s", folder, name)
					  : path_state(name);
}

char *
path_cache(const char *name)
{
	return in_folder("XDG_CACHE_HOME", ".cache", name);
}

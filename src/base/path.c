#include "base/path.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
read_all(int fd, const char *name, struct buf *out, struct err *err)
{
	enum { CHUNK = 64 * 1024 };

	for (;;) {
		/* Near the bound ask for what is left and one byte more, to tell full from too
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
		return read_all(STDIN_FILENO, "standard input", out, err);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, "cannot open %s: %s", path, strerror(errno));
	bool ok = read_all(fd, path, out, err);
	close(fd);
	return ok;
}

static bool
write_all(int fd, const char *bytes, size_t len)
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

/* mkstemp() makes the file for its owner alone; a file that is replaced keeps its mode, a new
 * one gets what open() would have given it. */
static void
copy_mode(int fd, const char *path)
{
	struct stat old;

	if (stat(path, &old) == 0) {
		(void)fchmod(fd, old.st_mode & 07777);
		return;
	}
	mode_t mask = umask(0);
	umask(mask);
	(void)fchmod(fd, 0666 & ~mask);
}

bool
path_write_file(const char *path, const void *bytes, size_t len, struct err *err)
{
	struct stat old;
	/* Renaming onto a link would replace the link. */
	char *real = realpath(path, NULL);
	const char *target = real ? real : path;
	char *temporary = mem_printf("%s.XXXXXX", target);
	bool ok = false;
	int fd = -1;

	if (stat(target, &old) == 0 && S_ISDIR(old.st_mode))
		errno = EISDIR;
	else
		fd = mkstemp(temporary);
	if (fd >= 0) {
		copy_mode(fd, target);
		ok = write_all(fd, bytes, len);
		ok = close(fd) == 0 && ok;
		ok = ok && rename(temporary, target) == 0;
	}
	if (!ok) {
		err_set(err, "cannot write %s: %s", path, strerror(errno));
		if (fd >= 0)
			unlink(temporary);
	}
	free(temporary);
	free(real);
	return ok;
}

char *
path_config(const char *name)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (config && config[0] == '/') /* XDG: a relative path is to be ignored */
		return mem_printf("%s/mcpane/%s", config, name);
	if (home && home[0])
		return mem_printf("%s/.config/mcpane/%s", home, name);
	return NULL;
}

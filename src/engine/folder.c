#include "engine/parts.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* PREFIX is a folder of ours with a lock that is held as long as it is used, and a folder for the
 * process, which may be another user: it can neither touch the lock nor put something else in place
 * of its folder. */
#define PREFIX "mcpane-engine-"
enum { DEPTH_MAX = 32, YOUNG_S = 60 };

const char *
engine_folders_parent(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && folder[0] == '/' ? folder : "/tmp";
}

/* Never follows a symbolic link: what lies in it was written by a stranger. */
static void
empty(int folder, int depth)
{
	DIR *list = folder >= 0 ? fdopendir(folder) : NULL;

	if (!list) {
		if (folder >= 0)
			close(folder);
		return;
	}
	for (const struct dirent *e = readdir(list); e; e = readdir(list)) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (unlinkat(folder, e->d_name, 0) == 0 || depth >= DEPTH_MAX)
			continue;
		empty(openat(folder, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
		    depth + 1);
		unlinkat(folder, e->d_name, AT_REMOVEDIR);
	}
	closedir(list);
}

static void
remove_tree(int parent, const char *name)
{
	empty(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void
engine_folder_remove(struct engine_folder *f)
{
	if (!f->path)
		return;
	remove_tree(AT_FDCWD, f->path);
	if (f->lock >= 0)
		close(f->lock);
	free(f->path);
	*f = (struct engine_folder){ .lock = -1 };
}

static bool
fill(struct engine_folder *f, uid_t uid, gid_t gid)
{
	char *lock = mem_printf("%s/lock", f->path), *inner = mem_printf("%s/files", f->path);
	bool ok = false;

	f->lock = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ok = f->lock >= 0 && flock(f->lock, LOCK_EX | LOCK_NB) == 0 && mkdir(inner, 0700) == 0 &&
	     (uid == 0 || (chown(inner, uid, gid) == 0 && chmod(f->path, 0711) == 0));
	free(lock);
	free(inner);
	return ok;
}

bool
engine_folder_create(
    struct engine_folder *f, const char *parent, uid_t uid, gid_t gid, struct err *err)
{
	*f = (struct engine_folder){ mem_printf("%s/" PREFIX "XXXXXX", parent), -1 };
	if (mkdtemp(f->path) && fill(f, uid, gid))
		return true;
	err_set(err, "no folder for Chromium's files in %.120s: %s", parent, strerror(errno));
	engine_folder_remove(f);
	return false;
}

/* Nobody holds its lock, and it is not one that is being made. */
static bool
is_left(int parent, const char *name)
{
	char *path = mem_printf("%s/lock", name);
	int lock = openat(parent, path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	free(path);
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode) ||
	    st.st_uid != geteuid()) {
		if (lock >= 0)
			close(lock);
		return false;
	}
	if (lock < 0)
		return time(NULL) - st.st_mtime > YOUNG_S;
	bool left = flock(lock, LOCK_EX | LOCK_NB) == 0;
	close(lock);
	return left;
}

void
engine_folders_sweep(const char *parent)
{
	DIR *list = opendir(parent);

	for (const struct dirent *e = list ? readdir(list) : NULL; e; e = readdir(list))
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) == 0 &&
		    is_left(dirfd(list), e->d_name))
			remove_tree(dirfd(list), e->d_name);
	if (list)
		closedir(list);
}

/* SPDX-License-Identifier: MIT */
#include "engine/parts.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "loop/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The folder PREFIX... is ours and contains a lock, held while it is in use, and a folder for the
 * process. The process may run as another user: it can neither touch the lock nor replace its
 * folder. */
#define PREFIX "mcpane-engine-"
enum { DEPTH_MAX = 32, YOUNG_S = 60 };

const char *
engine_folders_parent(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && folder[0] == '/' ? folder : "/tmp";
}

/* Never follow a symbolic link, because an untrusted process wrote the files. */
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

bool
engine_folder_create(
    struct engine_folder *f, const char *parent, uid_t uid, gid_t gid, struct err *err)
{
	*f = (struct engine_folder){ mem_printf("%s/" PREFIX "XXXXXX", parent), -1 };
	bool ok = mkdtemp(f->path);
	char *lock = mem_printf("%s/lock", f->path), *inner = mem_printf("%s/files", f->path);
	if (ok) {
		f->lock = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		ok = f->lock >= 0 && flock(f->lock, LOCK_EX | LOCK_NB) == 0 &&
		     mkdir(inner, 0700) == 0 &&
		     (uid == 0 || (chown(inner, uid, gid) == 0 && chmod(f->path, 0711) == 0));
	}
	if (!ok) {
		err_set(
		    err, "no folder for Chromium's files in %.120s: %s", parent, strerror(errno));
		engine_folder_remove(f);
	}
	free(lock);
	free(inner);
	return ok;
}

/* Whether a folder is unused: its lock is free, and it is not being created. */
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

/* ---- find the program ---- */

/* Programs before scripts that start them; the one without window support first. */
static const char *const known[] = {
	"/usr/lib/chromium/chromium-headless-shell",
	"chromium-headless-shell",
	"chrome-headless-shell",
	"/usr/lib/chromium/chromium",
	"chromium",
	"chromium-browser",
	"google-chrome-stable",
	"google-chrome",
};

static char *
find_one(const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? realpath(name, NULL) : NULL;
	path = path ? path : "/usr/bin:/bin";
	for (char *file; (file = path_next_program(&path, name)); free(file))
		if (file[0] == '/' && access(file, X_OK) == 0)
			return file;
	return NULL;
}

char *
engine_find(const char *wanted, struct err *err)
{
	char *found = wanted ? find_one(wanted) : NULL;

	if (wanted && !found)
		err_set(err, "%.150s: no such program", wanted);
	if (wanted)
		return found;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if ((found = find_one(known[i])))
			return found;
	err_set(err, "apps need Chromium; type: apt install chromium-headless-shell");
	return NULL;
}

/* ---- start ---- */

/* A spare renderer uses memory, and slows down those that start. */
#define WITHOUT_FEATURES                                                                          \
	"--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication," \
	"DialMediaRouteProvider,SpareRendererForSitePerProcess"
static const char *const always[] = { "--remote-debugging-pipe", "--disable-quic", "--no-first-run",
	"--no-default-browser-check", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--disable-default-apps",
	"--disable-extensions", "--disable-breakpad", "--disable-crash-reporter",
	"--disable-domain-reliability", "--metrics-recording-only", "--mute-audio",
	"--password-store=basic", "--use-mock-keychain", "--hide-scrollbars", "--site-per-process",
	"--block-new-web-contents", "--window-size=800,600", WITHOUT_FEATURES,
	"--allow-pre-commit-input", /* keys before the app's first picture are not lost */
	/* Disable networking, even if the namespace has no network. */
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9",
	"--proxy-bypass-list=<-loopback>" };

struct arguments {
	const char **items;
	size_t len, cap;
};

static void
add_arguments(struct arguments *a, const char *program, enum engine_fence fence, bool webgl)
{
	bool knows_windows = !strstr(program, "headless-shell");

	*VEC_PUSH(a) = program;
	if (knows_windows)
		*VEC_PUSH(a) = "--headless=new";
	for (size_t i = 0; i < ARRAY_LEN(always); i++)
		*VEC_PUSH(a) = always[i];
	if (webgl) {
		*VEC_PUSH(a) = "--use-angle=swiftshader";
		*VEC_PUSH(a) = "--enable-unsafe-swiftshader";
	} else {
		*VEC_PUSH(a) = "--disable-gpu";
		*VEC_PUSH(a) = "--disable-software-rasterizer"; /* 3D in software, which is slow */
	}
	if (fence != FENCE_FULL)
		*VEC_PUSH(a) = "--disable-dev-shm-usage";
	if (fence == FENCE_NONE)
		*VEC_PUSH(a) = "--no-sandbox";
	/* Each page is a process that delays the others; a headless Chromium needs no first page.
	 */
	if (knows_windows)
		*VEC_PUSH(a) = "about:blank";
}

/* The user and group "nobody". */
enum { NOBODY = 65534 };

static bool
launch_start(struct engine_process *p, struct loop *loop, const char *program,
    struct child_confinement *confined, struct err *err)
{
	static const struct child_ladder quick = { .grace_ms = 0, .kill_ms = 300 };
	static const char *const nothing[] = { NULL };
	struct arguments argv = { 0 }, hidden = { 0 };

	p->folder = (struct engine_folder){ .lock = -1 };
	if (p->fence != FENCE_FULL && !engine_folder_create(&p->folder, engine_folders_parent(),
					  confined->uid, confined->gid, err))
		return false;
	char *files =
	    p->folder.path ? mem_printf("%s/files", p->folder.path) : mem_strdup("/dev/shm");
	char *home = mem_printf("HOME=%s", files), *tmp = mem_printf("TMPDIR=%s", files);
	char *data = mem_printf("--user-data-dir=%s/profile", files);
	const char *env[] = { home, tmp, "PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL };

	add_arguments(&argv, program, p->fence, p->webgl);
	*VEC_PUSH(&argv) = data;
	*VEC_PUSH(&argv) = NULL;
	/* Hide the folders of users, except the one that contains the program. */
	static const char *const private[] = { "/home", "/root", "/tmp", "/var/tmp", "/mnt",
		"/media", "/srv" };
	for (size_t i = 0; i < ARRAY_LEN(private); i++) {
		size_t len = strlen(private[i]);
		if (strncmp(program, private[i], len) != 0 || program[len] != '/')
			*VEC_PUSH(&hidden) = private[i];
	}
	*VEC_PUSH(&hidden) = NULL;
	confined->namespaces = p->fence == FENCE_FULL;
	confined->hidden = hidden.items;
	p->child = child_spawn(loop,
	    &(struct child_options){ .argv = argv.items,
		.env = env,
		.inherits = nothing,
		.ladder = &quick,
		.confined = confined },
	    p->on_exit, p->user, err);
	free(argv.items);
	free(hidden.items);
	free(files);
	free(home);
	free(tmp);
	free(data);
	return p->child != NULL;
}

bool
engine_launch(struct engine_process *p, struct loop *loop, const char *program, struct err *err)
{
	uid_t uid = geteuid() == 0 ? NOBODY : 0;
	int ends[2];

	p->exited = false;
	/* It reads from descriptor 3 and writes to 4; one socket may serve both. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_set(err, "no socket for Chromium: %s", strerror(errno));
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	struct child_confinement confined = { .passed = ends[1], .uid = uid, .gid = uid };
	bool ok = launch_start(p, loop, program, &confined, err);
	if (!ok && p->fence == FENCE_FULL) { /* a kernel or a container without namespaces */
		p->fence = FENCE_PLAIN;
		ok = launch_start(p, loop, program, &confined, err);
	}
	close(ends[1]);
	p->socket = ok ? ends[0] : -1;
	if (!ok) {
		close(ends[0]);
		engine_folder_remove(&p->folder);
	}
	return ok;
}

void
engine_process_finish(struct engine_process *p)
{
	/* Do not wait for an orderly exit if there is a folder: the process must end before its
	 * files are removed. */
	if (p->child && p->folder.path && !p->exited)
		kill(-child_pid(p->child), SIGKILL);
	child_destroy(p->child);
	p->child = NULL;
	engine_folder_remove(&p->folder);
}

#include "engine/parts.h"

#include "base/mem.h"
#include "base/vec.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A tree of processes that grows faster than it is read ends somewhere. */
enum { PROCESSES_MAX = 1000 };

static size_t
read_file(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, out, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static int64_t
field(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at ? strtoll(at + strlen(name), NULL, 10) * 1024 : 0;
}

/* Files in memory are left out: the program is the same in all of them. */
static int64_t
bytes_of(pid_t pid)
{
	char path[64], status[4096];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	read_file(path, status, sizeof(status));
	return field(status, "\nRssAnon:") + field(status, "\nRssShmem:");
}

uint64_t
processor_ticks(pid_t pid)
{
	char path[64], stat[1024];
	unsigned long user = 0, system = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	read_file(path, stat, sizeof(stat));
	const char *name_end = strrchr(stat, ')');
	if (name_end)
		sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
		    &system);
	return (uint64_t)user + system;
}

static bool
is_renderer(pid_t pid)
{
	char path[64], line[4096];

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	size_t len = read_file(path, line, sizeof(line));
	return memmem(line, len, "--type=renderer", strlen("--type=renderer")) != NULL;
}

struct pids {
	pid_t *items;
	size_t len, cap;
};

/* The main thread starts all of Chromium's processes, or a zygote's does. */
static void
add_children(struct pids *pids, pid_t of)
{
	char path[64], text[4096];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)of, (int)of);
	read_file(path, text, sizeof(text));
	for (char *at = text, *end; pids->len < PROCESSES_MAX; at = end) {
		long pid = strtol(at, &end, 10);
		if (end == at || pid <= 1)
			break;
		*VEC_PUSH(pids) = (pid_t)pid;
	}
}

struct memory_use
memory_use_read(pid_t root)
{
	struct memory_use use = { 0 };
	struct pids pids = { 0 };

	*VEC_PUSH(&pids) = root;
	for (size_t i = 0; i < pids.len; i++) {
		pid_t pid = pids.items[i];
		int64_t bytes = bytes_of(pid);
		use.bytes += bytes;
		if (bytes > use.biggest_bytes && is_renderer(pid)) {
			use.biggest = pid;
			use.biggest_bytes = bytes;
		}
		add_children(&pids, pid);
	}
	free(pids.items);
	return use;
}

/* SPDX-License-Identifier: MIT */
#include "processes.h"

#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"

struct process {
	pid_t pid, parent;
	char state;
	unsigned long long started; /* clock ticks since boot */
	bool guard;                 /* mcpane's process that ends servers if mcpane cannot */
	bool ours;
};

struct process_list {
	struct process *items;
	size_t len, cap;
};

void
processes_adopt_orphans(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static size_t
read_proc(pid_t pid, const char *file, char *buffer, size_t size)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	FILE *f = fopen(path, "re");
	buffer[0] = '\0';
	if (!f)
		return 0;
	size_t len = fread(buffer, 1, size - 1, f);
	fclose(f);
	buffer[len] = '\0';
	return len;
}

/* proc(5): the name is in parentheses and may hold any byte, so search for the last one. */
static bool
read_stat(pid_t pid, struct process *process)
{
	char text[1024];
	int parent;
	read_proc(pid, "stat", text, sizeof(text));
	const char *rest = strrchr(text, ')');

	*process = (struct process){ .pid = pid };
	if (!rest ||
	    sscanf(rest + 1,
		" %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		&process->state, &parent, &process->started) != 3)
		return false;
	process->parent = parent;
	process->guard = strstr(text, "(mcpane-guard)") != NULL;
	return process->state != 'Z' && process->state != 'X';
}

static bool
has_mark(pid_t pid, const char *mark)
{
	static const size_t most = 1 << 20;
	if (*mark == '\0') /* Chromium's process titles leave empty strings in its environment */
		return false;
	char *environment = mem_alloc(most);
	size_t len = read_proc(pid, "environ", environment, most);
	bool found = false;

	for (size_t at = 0; at < len && !found; at += strlen(environment + at) + 1)
		found = strcmp(environment + at, mark) == 0;
	free(environment);
	return found;
}

void
processes_init(struct processes *p, pid_t root, const char *mark)
{
	struct process process;
	read_stat(root, &process);
	*p = (struct processes){ root, mark, process.started };
}

static void
read_all(struct process_list *list)
{
	DIR *proc = opendir("/proc");

	for (struct dirent *entry; proc && (entry = readdir(proc));) {
		struct process process;
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_stat((pid_t)strtol(entry->d_name, NULL, 10), &process))
			*VEC_PUSH(list) = process;
	}
	if (proc)
		closedir(proc);
}

/* A child of the test that is older than the program does not belong to it. One tick is 10 ms. */
static bool
is_orphan(const struct processes *p, const struct process *process)
{
	bool is_younger = process->started > p->root_started ||
			  (process->started == p->root_started && process->pid > p->root);

	return process->parent == getpid() && is_younger;
}

static bool
descends(const struct processes *p, const struct process_list *list, const struct process *process)
{
	if (process->parent == p->root)
		return true;
	for (size_t i = 0; i < list->len; i++) {
		if (list->items[i].ours && list->items[i].pid == process->parent)
			return true;
	}
	return false;
}

size_t
processes_find(const struct processes *p, pid_t *pids, size_t max)
{
	struct process_list list = { 0 };
	size_t count = 0;
	bool changed = true;

	read_all(&list);
	for (size_t i = 0; i < list.len; i++) {
		struct process *process = &list.items[i];
		process->guard = process->guard && process->parent == p->root;
		process->ours = process->pid != p->root && process->pid != getpid() &&
				(is_orphan(p, process) || has_mark(process->pid, p->mark));
	}
	while (changed) {
		changed = false;
		for (size_t i = 0; i < list.len; i++) {
			struct process *process = &list.items[i];
			if (process->ours || process->pid == p->root ||
			    !descends(p, &list, process))
				continue;
			process->ours = changed = true;
		}
	}
	for (size_t i = 0; i < list.len; i++) {
		if (list.items[i].ours && !list.items[i].guard && count++ < max)
			pids[count - 1] = list.items[i].pid;
	}
	free(list.items);
	return count;
}

void
processes_name(pid_t pid, char *name, size_t size)
{
	size_t len = read_proc(pid, "cmdline", name, size);

	if (len == 0)
		snprintf(name, size, "?");
	for (size_t i = 0; i + 1 < len; i++) {
		if (name[i] == '\0')
			name[i] = ' ';
	}
}

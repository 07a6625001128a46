/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "terminal_priv.h"
#include "terminal_figures.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* DEC private modes and their values before the program starts. */
static const struct {
	int number;
	bool set;
	const char *what;
} MODES[] = {
	{ 1, false, "application cursor keys" },
	{ 7, true, "wrapping at the margin" },
	{ 25, true, "the cursor" },
	{ 47, false, "the alternate screen" },
	{ 66, false, "the application keypad" },
	{ 1000, false, "mouse clicks" },
	{ 1002, false, "mouse drags" },
	{ 1003, false, "mouse motion" },
	{ 1004, false, "focus events" },
	{ 1005, false, "UTF-8 mouse" },
	{ 1006, false, "SGR mouse" },
	{ 1016, false, "mouse positions in pixels" },
	{ 1047, false, "the alternate screen" },
	{ 1049, false, "the alternate screen" },
	{ 2004, false, "bracketed paste" },
	{ 2026, false, "synchronized output" },
	{ 2031, false, "color scheme events" },
};

static bool
same_settings(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc)) == 0;
}

void
terminal_assert_restored_at(struct terminal *t, const char *file, int line)
{
	struct termios now;

	for (size_t i = 0; i < ARRAY_LEN(MODES); i++) {
		if (terminal_mode(t, MODES[i].number, MODES[i].set) != MODES[i].set)
			terminal_fail(t, file, line, "%s (mode %d) was left %s", MODES[i].what,
			    MODES[i].number, MODES[i].set ? "off" : "on");
	}
	if (tcgetattr(t->slave, &now) != 0 || !same_settings(&now, &t->before))
		terminal_fail(t, file, line, "the line settings were not restored");
}

/* ---- program paths ---- */
static const char *
from_environment(const char *name)
{
	const char *value = getenv(name);

	if (!value || !*value) {
		print_message("%s is not set: run by make test\n", name);
		skip();
	}
	return value;
}

const char *
terminal_program(void)
{
	return from_environment("MCPANE");
}

const char *
terminal_fixture(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", from_environment("FIXTURES"), name);
	return path;
}

pid_t
terminal_pid(const struct terminal *t)
{
	return t->pid;
}

const char *
terminal_home(const struct terminal *t)
{
	return t->home;
}

/* ---- figures ---- */
static uint64_t
proc_figure(const char *path, const char *key)
{
	char line[256];
	uint64_t value = 0;
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f)) {
		size_t len = strlen(key);
		if (strncmp(line, key, len) == 0 && line[len] == ':')
			value = strtoull(line + len + 1, NULL, 10);
	}
	if (f)
		fclose(f);
	return value;
}

/* /proc/PID/status counts only the first thread. */
static uint64_t
count_wakeups(pid_t pid)
{
	char path[512];
	uint64_t count = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);

	for (struct dirent *task; tasks && (task = readdir(tasks));) {
		snprintf(path, sizeof(path), "/proc/%d/task/%s/status", (int)pid, task->d_name);
		if (task->d_name[0] != '.')
			count += proc_figure(path, "voluntary_ctxt_switches");
	}
	if (tasks)
		closedir(tasks);
	return count;
}

struct terminal_figures
terminal_figures(struct terminal *t)
{
	char status[64], io[64];

	snprintf(status, sizeof(status), "/proc/%d/status", (int)t->pid);
	snprintf(io, sizeof(io), "/proc/%d/io", (int)t->pid);
	return (struct terminal_figures){
		.started_us = t->started_us,
		.frames = t->escapes.frames,
		.bytes = t->bytes,
		.write_calls = proc_figure(io, "syscw"),
		.wakeups = count_wakeups(t->pid),
		.peak_kib = proc_figure(status, "VmHWM"),
		.now_kib = proc_figure(status, "VmRSS"),
	};
}

/* The address sanitizer keeps up to 256 MiB of freed memory. */
#ifdef __SANITIZE_ADDRESS__
enum { MEMORY_FACTOR = 5, QUARANTINE_MIB = 256 };
#else
enum { MEMORY_FACTOR = 1, QUARANTINE_MIB = 0 };
#endif

void
terminal_assert_memory(struct terminal *t, uint64_t most_mib)
{
	uint64_t most = most_mib * MEMORY_FACTOR + QUARANTINE_MIB;

	assert_in_range(terminal_figures(t).peak_kib, 0, most * 1024);
}

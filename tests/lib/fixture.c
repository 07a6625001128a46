/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
fixture(const char *name)
{
	static char path[4096];
	const char *dir = getenv("FIXTURES");

	if (dir) {
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		return path;
	}
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[len < 0 ? 0 : len] = '\0';
	char *tests = strstr(path, "/tests/");
	size_t at = tests ? (size_t)(tests - path) : 0;
	snprintf(path + at, sizeof(path) - at, "/tests/fixtures/%s", name);
	return path;
}

bool
under_valgrind(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	return preloaded && strstr(preloaded, "valgrind");
}

static long
number_from(const char *variable, long otherwise)
{
	const char *text = getenv(variable);
	long number = text ? strtol(text, NULL, 10) : 0;

	return number > 0 ? number : otherwise;
}

int64_t
fixture_deadline_ms(void)
{
	return number_from("MCPANE_TEST_DEADLINE_MS", 60000);
}

int
fixture_flood_s(void)
{
	return (int)number_from("FLOOD_S", 2);
}

static bool
lives_in_group(const char *pid, pid_t group)
{
	char path[300], line[512], state = 'Z';
	int of = 0;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	FILE *file = fopen(path, "r");
	if (!file)
		return false;
	if (fgets(line, sizeof(line), file)) {
		const char *rest = strrchr(line, ')');
		if (!rest || sscanf(rest + 1, " %c %*d %d", &state, &of) != 2)
			of = 0;
	}
	fclose(file);
	return of == group && state != 'Z' && state != 'X';
}

bool
group_is_gone(pid_t group)
{
	DIR *proc = opendir("/proc");
	bool found = false;

	for (struct dirent *entry; proc && !found && (entry = readdir(proc));)
		found = isdigit((unsigned char)entry->d_name[0]) &&
			lives_in_group(entry->d_name, group);
	if (proc)
		closedir(proc);
	return !found;
}

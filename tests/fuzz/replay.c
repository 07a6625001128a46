/* SPDX-License-Identifier: MIT */
/* replay NAME: runs the fuzz target once over every file of tests/fuzz/corpus/NAME. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static void
replay(const struct fuzz_target *target, const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return;
	static uint8_t bytes[1 << 20];
	size_t size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees the end */
	memcpy(exact, bytes, size);
	target->run(exact, size);
	free(exact);
}

static int
usage(const char *program)
{
	fprintf(stderr, "usage: %s NAME; NAME is one of:\n", program);
	for (const struct fuzz_target *target = FUZZ_TARGETS; target->name; target++)
		fprintf(stderr, "  %s\n", target->name);
	return 2;
}

int
main(int argc, char **argv)
{
	const struct fuzz_target *target = FUZZ_TARGETS;
	char dir[512], path[1024];

	if (argc != 2)
		return usage(argv[0]);
	while (target->name && strcmp(target->name, argv[1]) != 0)
		target++;
	if (!target->name)
		return usage(argv[0]);
	snprintf(dir, sizeof(dir), "tests/fuzz/corpus/%s", target->name);
	DIR *d = opendir(dir);
	if (!d) {
		fprintf(stderr, "no corpus in %s\n", dir);
		return 1;
	}
	int files = 0;
	for (struct dirent *e; (e = readdir(d));) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		replay(target, path);
		files++;
	}
	closedir(d);
	printf("%s: %d inputs replayed\n", target->name, files);
	return files > 0 ? 0 : 1;
}

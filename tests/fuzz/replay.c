/* Runs a fuzz target once over every file of its corpus: replay_NAME reads tests/fuzz/corpus/NAME.
 */
#include "fuzz.h"

#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return;
	static uint8_t bytes[1 << 20];
	size_t size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees the end */
	memcpy(exact, bytes, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

int
main(int argc, char **argv)
{
	char dir[512], path[1024];
	const char *name = strstr(argv[0], "replay_");
	(void)argc;
	if (!name)
		return 2;
	snprintf(dir, sizeof(dir), "tests/fuzz/corpus/%s", name + strlen("replay_"));
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
		replay(path);
		files++;
	}
	closedir(d);
	printf("%s: %d inputs replayed\n", name, files);
	return files > 0 ? 0 : 1;
}

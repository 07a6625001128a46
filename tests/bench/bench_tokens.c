/* SPDX-License-Identifier: MIT */
/* bench_tokens: how far tokens_estimate() is from real tokenizers. Reads the lines of tokens.mjs,
 * "KIND O200K CL100K PATH", from standard input; a line each for a kind of text and a tokenizer:
 * the error of the sum of all files, and the errors of single files in order. */
#include "base/buf.h"
#include "base/vec.h"
#include "client/lens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENIZERS = 2, KINDS_MAX = 40 };
static const char *const names[TOKENIZERS] = { "o200k", "cl100k" };

struct errors {
	double *items; /* in percent */
	size_t len, cap;
	double estimated, counted;
};

static struct kind {
	char name[40];
	struct errors errors[TOKENIZERS];
} kinds[KINDS_MAX];

static struct kind *
find_kind(const char *name)
{
	size_t i = 0;

	while (i < KINDS_MAX - 1 && kinds[i].name[0] && strcmp(kinds[i].name, name) != 0)
		i++;
	snprintf(kinds[i].name, sizeof(kinds[i].name), "%s", name);
	return &kinds[i];
}

static bool
estimate_file(const char *path, size_t *tokens)
{
	struct buf text = BUF_INIT;
	char part[65536];
	FILE *f = fopen(path, "rb");

	if (!f)
		return false;
	for (size_t n; (n = fread(part, 1, sizeof(part), f)) > 0;)
		buf_add(&text, part, n);
	fclose(f);
	*tokens = tokens_estimate(buf_text(&text), text.len);
	buf_finish(&text);
	return true;
}

static void
add(struct kind *kind, size_t estimate, const double counted[TOKENIZERS])
{
	for (int i = 0; i < TOKENIZERS; i++) {
		struct errors *e = &kind->errors[i];
		*VEC_PUSH(e) = 100 * ((double)estimate / counted[i] - 1);
		e->estimated += (double)estimate;
		e->counted += counted[i];
	}
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print(const struct kind *kind, int i)
{
	const struct errors *e = &kind->errors[i];
	size_t last = e->len - 1;

	qsort(e->items, e->len, sizeof(*e->items), compare);
	printf("  %-18s %-7s %4zu files, %8.0f tokens: sum %+5.1f %%, files %+6.1f .. %+5.1f .. "
	       "%+5.1f .. %+5.1f .. %+6.1f %%\n",
	    kind->name, names[i], e->len, e->counted, 100 * (e->estimated / e->counted - 1),
	    e->items[0], e->items[last / 20], e->items[last / 2], e->items[last - last / 20],
	    e->items[last]);
}

int
main(void)
{
	char line[4096], name[40], path[3900];
	double counted[TOKENIZERS];
	struct kind *all = &kinds[KINDS_MAX - 1];

	snprintf(all->name, sizeof(all->name), "all");
	printf("tokens_estimate(): least, 5 %%, median, 95 %% and most error of a file\n");
	while (fgets(line, sizeof(line), stdin)) {
		size_t estimate;
		if (sscanf(line, "%39s %lf %lf %3899[^\n]", name, &counted[0], &counted[1], path) !=
			4 ||
		    counted[0] < 1 || counted[1] < 1 || !estimate_file(path, &estimate))
			continue;
		add(find_kind(name), estimate, counted);
		add(all, estimate, counted);
	}
	for (size_t k = 0; k < KINDS_MAX; k++)
		for (int i = 0; i < TOKENIZERS && kinds[k].errors[i].len > 0; i++) {
			print(&kinds[k], i);
			free(kinds[k].errors[i].items);
		}
	return 0;
}

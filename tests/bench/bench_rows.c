/* SPDX-License-Identifier: MIT */
/* bench_rows COUNT WIDE: a result of COUNT rows from its last byte to the screen, then moving and
 * sorting in it, and peak memory. WIDE is true or false: ten columns or four. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "measure.h"
#include "terminal.h"
#include "terminal_figures.h"
#include "test.h"

/* The keys and commands this depends on. */
#define SHOW_TABLE ":pane structured\r:zoom\r"
#define SORT ":sort temp"

struct figures {
	struct samples shown, megabytes, page, page_bytes, scroll, sort, peak, now;
};

static bool
has_city(const char *text)
{
	static const char *const cities[] = { "Lisbon", "Berlin", "Osaka", "Lima", "Nairobi",
		"Oslo", "Quito", "Perth", "Seoul", "Tunis", "Turin", "Zagreb" };

	for (size_t i = 0; i < ARRAY_LEN(cities); i++) {
		if (strstr(text, cities[i]))
			return true;
	}
	return false;
}

static bool
shows_rows(struct terminal *t, void *ctx)
{
	return has_city(terminal_screen(t));
}

static int
first_row(struct terminal *t)
{
	int row = 0;

	while (row < 35 && !has_city(terminal_row(t, row)))
		row++;
	return row;
}

struct line {
	int row;
	char text[1024];
};

static bool
has_changed(struct terminal *t, void *ctx)
{
	const struct line *line = ctx;
	const char *now = terminal_row(t, line->row);

	return has_city(now) && strcmp(now, line->text) != 0;
}

/* From a key to the frame in which the first row has become another one. */
static double
time_key(struct terminal *t, const char *key)
{
	struct line line = { .row = first_row(t) };

	snprintf(line.text, sizeof(line.text), "%s", terminal_row(t, line.row));
	double start = measure_now_ms();
	terminal_keys(t, key);
	terminal_wait_until(t, has_changed, &line);
	return measure_now_ms() - start;
}

static void
time_pages(struct terminal *t, struct figures *f)
{
	terminal_keys(
	    t, "pgdn"); /* may do no more than move the selection to the end of the page */
	terminal_barrier(t);
	for (int i = 0; i < 8; i++) {
		uint64_t before = terminal_figures(t).bytes;
		samples_add(&f->page, time_key(t, "pgdn"));
		samples_add(&f->page_bytes, (double)(terminal_figures(t).bytes - before) / 1024);
	}
	/* The selection is on the last line now, or will be soon: then one step scrolls. */
	terminal_keys(t, "end");
	terminal_barrier(t);
	terminal_keys(t, "home");
	terminal_barrier(t);
	for (int i = 0; i < 60; i++)
		terminal_keys(t, "down");
	terminal_barrier(t);
	for (int i = 0; i < 8; i++)
		samples_add(&f->scroll, time_key(t, "down"));
}

static void
run(struct figures *f, const char *count, const char *wide)
{
	char *set_count = mem_printf("set count %s", count);
	char *set_wide = mem_printf("set wide %s", wide);
	char note[] = "/tmp/bench-XXXXXX";
	int file = mkstemp(note);
	const char *tap = terminal_fixture("tap");
	const char *const argv[] = { terminal_program(), "-c", "tool rows", "-c", set_count, "-c",
		set_wide, "-c", "call", "--", tap, note, terminal_program(), "--serve-demo", NULL };

	if (file < 0 || ftruncate(file, 16) != 0)
		exit(1);
	const volatile uint64_t *handed = mmap(NULL, 16, PROT_READ, MAP_SHARED, file, 0);
	struct terminal *t = terminal_start(&(struct terminal_options){ .argv = argv });
	terminal_wait_until(t, shows_rows, NULL);
	samples_add(&f->shown, measure_now_ms() - (double)handed[0] / 1000);
	samples_add(&f->megabytes, (double)handed[1] / 1e6);
	terminal_type(t, SHOW_TABLE);
	terminal_barrier(t);
	terminal_type(t, SORT);
	terminal_barrier(t);
	samples_add(&f->sort, time_key(t, "enter"));
	time_pages(t, f);
	struct terminal_figures used = terminal_figures(t);
	samples_add(&f->peak, (double)used.peak_kib / 1024);
	samples_add(&f->now, (double)used.now_kib / 1024);
	terminal_close(t);
	close(file);
	unlink(note);
	free(set_count);
	free(set_wide);
}

static void
report(const struct figures *f, const char *count, bool million)
{
	measure_title("%s rows, %.2f MB", count, samples_median(&f->megabytes));
	measure_print("last byte to rows on the screen", &f->shown, "ms", NULL,
	    million ? NULL : "aim 30",
	    million ? "visidata 2.11 from a file 3600" : "mcp-tui 700, inspector TUI 7800");
	measure_print("page down", &f->page, "ms", NULL, "aim 2",
	    million ? NULL : "mcp-tui 9-27, inspector TUI 1300-2000");
	measure_print("page down, to the terminal", &f->page_bytes, "KiB", NULL, NULL, NULL);
	measure_print("one line down, scrolling", &f->scroll, "ms", NULL, NULL,
	    million ? "visidata 6.4 (CPU)" : NULL);
	measure_print(
	    "sort by a number", &f->sort, "ms", NULL, NULL, million ? "visidata 5200 (CPU)" : NULL);
	measure_print("memory, VmHWM", &f->peak, "MiB", NULL, million ? NULL : "aim 18",
	    million ? "visidata 795" : "mcp-tui 51.6, inspector TUI 581-687 (RSS)");
	measure_print("memory, VmRSS", &f->now, "MiB", NULL, NULL, NULL);
}

int
main(int argc, char **argv)
{
	struct figures f = { 0 };

	if (argc != 3)
		return 2;
	bool million = strtol(argv[1], NULL, 10) >= 1000000;
	for (size_t i = 0, runs = million ? 5 : measure_runs(); i < runs; i++)
		run(&f, argv[1], argv[2]);
	report(&f, argv[1], million);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* bench_start LABEL TOOL [COMMAND...]: time from the start to the tools on the screen, and time of
 * `list`, compared with the floor: a bare exchange with the same server. Without a command: the
 * demo server. TOOL is the name of one of the server's tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "measure.h"
#include "terminal.h"
#include "terminal_figures.h"
#include "test.h"

enum { ARGS_MOST = 32 };

struct figures {
	struct samples floor, paint, tools, list, peak, now;
};

/* mcpane [FIRST] (--demo | -- COMMAND...) */
static void
target(const char **argv, const char *first, char **command)
{
	size_t n = 0;

	argv[n++] = terminal_program();
	if (first)
		argv[n++] = first;
	argv[n++] = *command ? "--" : "--demo";
	while (*command && n < ARGS_MOST - 1)
		argv[n++] = *command++;
	argv[n] = NULL;
}

static bool
is_painted(struct terminal *t, void *ctx)
{
	const char *screen = terminal_screen(t);

	return screen[strspn(screen, "\n")] != '\0';
}

static void
run_tui(struct figures *f, const char *tool, char **command)
{
	const char *argv[ARGS_MOST];

	target(argv, NULL, command);
	struct terminal *t = terminal_start(&(struct terminal_options){ .argv = argv });
	double start = (double)terminal_figures(t).started_us / 1000;
	terminal_wait_until(t, is_painted, NULL);
	samples_add(&f->paint, measure_now_ms() - start);
	terminal_wait_text(t, tool);
	samples_add(&f->tools, measure_now_ms() - start);
	terminal_barrier(t);
	struct terminal_figures used = terminal_figures(t);
	samples_add(&f->peak, (double)used.peak_kib / 1024);
	samples_add(&f->now, (double)used.now_kib / 1024);
	terminal_close(t);
}

static bool
run_floor(struct figures *f, char **command)
{
	const char *const demo[] = { terminal_program(), "--serve-demo", NULL };
	double start = measure_now_ms();

	if (!exchange_run(*command ? (const char *const *)command : demo)) {
		fprintf(stderr, "the server did not list its tools\n");
		return false;
	}
	samples_add(&f->floor, measure_now_ms() - start);
	return true;
}

static bool
run_list(struct figures *f, char **command)
{
	const char *argv[ARGS_MOST];

	target(argv, "list", command);
	double start = measure_now_ms();
	int code = exchange_run_to_end(argv);
	if (code != 0) {
		fprintf(stderr, "mcpane list ended with code %d\n", code);
		return false;
	}
	samples_add(&f->list, measure_now_ms() - start);
	return true;
}

static void
report(const char *label, const struct figures *f, bool quote)
{
	measure_title("%s", label);
	measure_print("floor: initialize, tools/list, SIGKILL", &f->floor, "ms", NULL, NULL, NULL);
	measure_print("start to first painted frame", &f->paint, "ms", NULL, "aim 10",
	    "mcp-tui 40, inspector TUI 1190");
	measure_print("start to tools on the screen", &f->tools, "ms", &f->floor, "aim 1.05 x",
	    quote ? "mcp-tui 423, inspector TUI 2411 (their floor 413)" : NULL);
	measure_print("list, to its end", &f->list, "ms", &f->floor, "aim 1.15 x",
	    quote ? "inspector 1.0.3 1580, mcporter 1597, inspector 2.12 2962, mcp-tui 5408"
		  : NULL);
	measure_print("memory with tools listed, VmHWM", &f->peak, "MiB", NULL, "aim 10",
	    "mcp-tui 16.1, inspector TUI 180 (RSS)");
	measure_print("memory with tools listed, VmRSS", &f->now, "MiB", NULL, NULL, NULL);
}

int
main(int argc, char **argv)
{
	struct figures f = { 0 };

	if (argc < 3)
		return 2;
	for (size_t i = 0, runs = measure_runs() + 1; i < runs; i++) {
		if (!run_floor(&f, argv + 3) || !run_list(&f, argv + 3))
			return 1;
		run_tui(&f, argv[2], argv + 3);
		if (i == 0) /* warms the caches up */
			f = (struct figures){ 0 };
	}
	report(argv[1], &f, argc > 3); /* the peers were measured with a server of npm */
	return 0;
}

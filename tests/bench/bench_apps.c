/* SPDX-License-Identifier: MIT */
/* bench_apps: apps in the real engine. From a command to an app that answers, from a click to its
 * tools/call and to other cells, and what apps cost that rest, that move, and that are many. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/app_house.h"
#include "measure.h"
#include "processes.h"
#include "terminal.h"
#include "terminal_figures.h"
#include "test.h"

enum { CLICKS = 20, REST_MS = 3000 };

static char log_path[] = "/tmp/bench-apps-XXXXXX";

static struct terminal *
start(void)
{
	char *log = mem_printf("LOG=%s", log_path);
	struct terminal *t = terminal_start(&(struct terminal_options){ .rows = 45,
	    .cols = 120,
	    .argv = ARGV(terminal_program(), "--", terminal_fixture("appserver"),
		"tests/apps/bench", log) });

	terminal_wait_text(t, "still");
	terminal_barrier(t);
	free(log);
	return t;
}

static double
open_app(struct terminal *t, const char *name, const char *text)
{
	char command[64];

	snprintf(command, sizeof(command), ":app %s\r", name);
	double since = measure_now_ms();
	terminal_type(t, command);
	terminal_wait_text(t, text);
	return measure_now_ms() - since;
}

/* ---- resources used by mcpane's child processes, except the server ---- */

struct use {
	double pss_mib, cpu_ms;
};

static double
read_pss_mib(int pid)
{
	char path[64], line[128];
	long kib = 0;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Pss: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return (double)kib / 1024;
}

/* To the nanosecond: ticks of 10 ms say little of a process that rests. */
static double
read_cpu_ms(int pid)
{
	char path[64], file[400];
	double sum = 0;
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		unsigned long long ns = 0;
		snprintf(file, sizeof(file), "%s/%s/schedstat", path, entry->d_name);
		FILE *f = fopen(file, "r");
		if (f && fscanf(f, "%llu", &ns) == 1)
			sum += (double)ns / 1e6;
		if (f)
			fclose(f);
	}
	if (tasks)
		closedir(tasks);
	return sum;
}

static struct use
use_of(struct terminal *t)
{
	struct processes below;
	pid_t pids[64];
	struct use use = { .cpu_ms = read_cpu_ms(terminal_pid(t)) };

	processes_init(&below, terminal_pid(t), "MCPANE_BENCH=apps");
	size_t count = processes_find(&below, pids, 64);
	for (size_t i = 0; i < count && i < 64; i++) {
		char name[64];
		processes_name(pids[i], name, sizeof(name));
		if (strcmp(name, "appserver") == 0)
			continue;
		use.pss_mib += read_pss_mib(pids[i]);
		use.cpu_ms += read_cpu_ms(pids[i]);
	}
	return use;
}

/* ---- figures ---- */

static void
measure_start(void)
{
	struct samples first = { 0 }, second = { 0 };

	for (size_t i = 0, runs = measure_runs(); i < runs; i++) {
		struct terminal *t = start();
		samples_add(&first, open_app(t, "still", "nothing moves here"));
		samples_add(&second, open_app(t, "click", "nothing yet"));
		terminal_close(t);
	}
	measure_print("command to the first app's text", &first, "ms", NULL, "aim 600", NULL);
	measure_print("command to the next app's text", &second, "ms", NULL, NULL, NULL);
}

static off_t
log_size(void)
{
	struct stat s;

	return stat(log_path, &s) == 0 ? s.st_size : 0;
}

static void
click(struct terminal *t, const char *text)
{
	int row = 0, col = 0;

	if (terminal_find(t, text, &row, &col))
		terminal_click(t, row, col + 2);
}

static void
measure_clicks(void)
{
	struct samples called = { 0 }, answered = { 0 }, changed = { 0 };
	struct terminal *t = start();

	open_app(t, "click", "nothing yet");
	for (int i = 1; i <= 2 * CLICKS; i++) {
		char text[32];
		bool calls = i % 2;
		off_t before = log_size();
		snprintf(text, sizeof(text), calls ? "answered call %d;" : "change %d;", i);
		terminal_watch(t, 100);
		double since = measure_now_ms();
		click(t, calls ? "Call the server" : "Change a cell");
		terminal_watch(t, 0);
		while (calls && log_size() == before && measure_now_ms() - since < 5000)
			terminal_watch(t, 1);
		if (calls)
			samples_add(&called, measure_now_ms() - since);
		terminal_wait_text(t, text);
		samples_add(calls ? &answered : &changed, measure_now_ms() - since);
	}
	terminal_close(t);
	measure_print("click to tools/call at the server", &called, "ms", NULL, "aim 60", NULL);
	measure_print("click to its answer in cells", &answered, "ms", NULL, NULL, NULL);
	measure_print("click to other cells", &changed, "ms", NULL, "aim 80", NULL);
}

static void
measure_rest(void)
{
	struct terminal *t = start();

	open_app(t, "still", "nothing moves here");
	terminal_watch(t, 2000); /* its start is over */
	struct use before = use_of(t);
	struct terminal_figures drawn = terminal_figures(t);
	terminal_watch(t, REST_MS);
	struct use after = use_of(t);
	measure_print_one("an app at rest, of a core",
	    (after.cpu_ms - before.cpu_ms) / REST_MS * 100, "%", "aim 0.5", NULL);
	measure_print_one("an app at rest, frames in 3 s",
	    terminal_figures(t).frames - drawn.frames, "frames", "aim 0", NULL);
	measure_print_one(
	    "memory of the engine with one app, PSS", after.pss_mib, "MiB", NULL, NULL);
	open_app(t, "click", "nothing yet");
	open_app(t, "animated", "frame 1");
	measure_print_one(
	    "memory of the engine with three apps, PSS", use_of(t).pss_mib, "MiB", NULL, NULL);
	before = use_of(t);
	drawn = terminal_figures(t);
	terminal_watch(t, REST_MS);
	after = use_of(t);
	struct terminal_figures since = terminal_figures(t);
	double frames = since.frames - drawn.frames;
	measure_print_one("an animated app", frames * 1e3 / REST_MS, "frames/s", NULL, NULL);
	measure_print_one("an animated app, of a core",
	    (after.cpu_ms - before.cpu_ms) / REST_MS * 100, "%", NULL, NULL);
	measure_print_one("an animated app, to the terminal",
	    frames > 0 ? (double)(since.bytes - drawn.bytes) / frames : 0, "bytes/frame", NULL,
	    NULL);
	terminal_close(t);
}

int
main(void)
{
	measure_title("apps");
	if (!app_house_can_run(NULL)) {
		printf("  SKIPPED: chromium-headless-shell is not installed\n");
		return 0;
	}
	close(mkstemp(log_path));
	measure_start();
	measure_clicks();
	measure_rest();
	unlink(log_path);
	return 0;
}

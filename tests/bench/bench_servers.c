/* SPDX-License-Identifier: MIT */
/* bench_servers: the memory of the program with ten servers open, beside that with one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "interop.h"
#include "measure.h"
#include "terminal.h"
#include "terminal_figures.h"
#include "test.h"

enum { SERVERS = 10 };

struct figures {
	struct samples peak, now;
};

static char *
write_config(const char *entry)
{
	char *path = mem_printf("/tmp/bench-servers-%d.json", (int)getpid());
	struct buf text = BUF_INIT;
	struct err err;

	buf_add_str(&text, "{\"mcpServers\":{");
	for (int i = 1; i <= SERVERS; i++)
		buf_addf(&text, "%s\"demo%d\":%s", i > 1 ? "," : "", i, entry);
	buf_add_str(&text, "}}");
	if (!path_write_file(path, buf_text(&text), text.len, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	buf_finish(&text);
	return path;
}

static void
open_servers(struct terminal *t, int from, int to, const char *tool)
{
	char command[32];

	for (int i = from; i <= to; i++) {
		snprintf(command, sizeof(command), ":server demo%d\r", i);
		terminal_type(t, command);
		terminal_wait_text(t, tool);
		terminal_barrier(t);
	}
}

static void
sample(struct terminal *t, struct figures *f)
{
	struct terminal_figures used = terminal_figures(t);

	samples_add(&f->peak, (double)used.peak_kib / 1024);
	samples_add(&f->now, (double)used.now_kib / 1024);
}

static void
print(const char *what, const struct figures *f)
{
	char line[64];

	snprintf(line, sizeof(line), "memory with %s, VmHWM", what);
	measure_print(line, &f->peak, "MiB", NULL, NULL, NULL);
	snprintf(line, sizeof(line), "memory with %s, VmRSS", what);
	measure_print(line, &f->now, "MiB", NULL, NULL, NULL);
}

static void
measure(const char *label, const char *entry, const char *tool)
{
	struct figures one = { 0 }, ten = { 0 };
	char *config = write_config(entry);

	for (size_t i = 0, runs = measure_runs(); i < runs; i++) {
		struct terminal *t = terminal_start(&(struct terminal_options){
		    .argv = ARGV(terminal_program(), "--config", config) });
		terminal_wait_text(t, "demo10");
		open_servers(t, 1, 1, tool);
		sample(t, &one);
		open_servers(t, 2, SERVERS, tool);
		sample(t, &ten);
		terminal_close(t);
	}
	unlink(config);
	free(config);
	measure_title("several servers, %s", label);
	print("one server", &one);
	print("ten servers", &ten);
}

int
main(void)
{
	struct web_server web;
	char *demo =
	    mem_printf("{\"command\":\"%s\",\"args\":[\"--serve-demo\"]}", terminal_program());

	measure("the demo by stdio", demo, "list_users");
	web_server_start(&web, ARGV(terminal_fixture("webserver")));
	char *entry = mem_printf("{\"type\":\"http\",\"url\":\"%s\"}", web.url);
	measure("one tool by HTTP", entry, "echo");
	web_server_stop(&web);
	free(entry);
	free(demo);
	return 0;
}

/* bench_servers: the memory of the program with ten demo servers open, beside that with one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "measure.h"
#include "terminal.h"
#include "terminal_figures.h"

enum { SERVERS = 10 };

struct figures {
	struct samples peak, now;
};

static char *
write_config(void)
{
	char *path = mem_printf("/tmp/bench-servers-%d.json", (int)getpid());
	struct buf text = BUF_INIT;
	struct err err;

	buf_add_str(&text, "{\"mcpServers\":{");
	for (int i = 1; i <= SERVERS; i++)
		buf_addf(&text, "%s\"demo%d\":{\"command\":\"%s\",\"args\":[\"--serve-demo\"]}",
		    i > 1 ? "," : "", i, terminal_program());
	buf_add_str(&text, "}}");
	if (!path_write_file(path, buf_text(&text), text.len, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	buf_finish(&text);
	return path;
}

static void
open_servers(struct terminal *t, int from, int to)
{
	char command[32];

	for (int i = from; i <= to; i++) {
		snprintf(command, sizeof(command), ":server demo%d\r", i);
		terminal_type(t, command);
		terminal_wait_text(t, "list_users");
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

int
main(void)
{
	struct figures one = { 0 }, ten = { 0 };
	char *config = write_config();

	for (size_t i = 0, runs = measure_runs(); i < runs; i++) {
		struct terminal *t = terminal_start(&(struct terminal_options){
		    .argv = ARGV(terminal_program(), "--config", config) });
		terminal_wait_text(t, "demo10");
		open_servers(t, 1, 1);
		sample(t, &one);
		open_servers(t, 2, SERVERS);
		terminal_wait_processes(t, SERVERS);
		sample(t, &ten);
		terminal_close(t);
	}
	unlink(config);
	free(config);
	measure_title("several servers");
	measure_print("memory with one server, VmHWM", &one.peak, "MiB", NULL, NULL, NULL);
	measure_print("memory with one server, VmRSS", &one.now, "MiB", NULL, NULL, NULL);
	measure_print("memory with ten servers, VmHWM", &ten.peak, "MiB", NULL, NULL, NULL);
	measure_print("memory with ten servers, VmRSS", &ten.now, "MiB", NULL, NULL, NULL);
	return 0;
}

/* bench_turns ROWS: a table of so many rows is sorted and filtered in jobs, as on the screen, and
 * keys move in it meanwhile: how long a key would have to wait for a turn of the interface's
 * thread, and how long each job takes. */
#include "base/buf.h"
#include "json/doc.h"
#include "loop/worker.h"
#include "measure.h"
#include "render/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct scene {
	struct loop *loop;
	struct worker *worker;
	struct jobs jobs;
	struct json_doc *doc;
	struct render_input in;
	void *state;
	struct grid grid;
	double longest_ms; /* turn, in processor time: others use the machine too */
};

static double
cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct json_doc *
make_rows(size_t count)
{
	static const char *const cities[] = { "Lisbon", "Berlin", "Osaka", "Lima", "Nairobi" };
	struct buf text = BUF_INIT;
	unsigned seed = 1;

	buf_add_char(&text, '[');
	for (size_t i = 0; i < count; i++) {
		seed = seed * 1103515245 + 12345;
		buf_addf(&text, "%s{\"id\":%zu,\"city\":\"%s\",\"temp\":%d.%u}", i ? "," : "", i,
		    cities[(seed >> 8) % 5], (int)(seed >> 16) % 60 - 20, seed >> 12 & 7);
	}
	buf_add_char(&text, ']');
	struct blob *blob = blob_take_buf(&text);
	struct json_options options = { .blob = blob, .lazy_bytes = 1 };
	struct json_doc *doc = json_parse(blob->data, blob->len, &options, NULL);
	blob_unref(blob);
	return doc;
}

static void
submit(void *user, struct job *job)
{
	struct scene *s = user;

	worker_submit(s->worker, job);
}

/* The rest of a turn that began at `since`: its frame. */
static void
end_turn(struct scene *s, double since)
{
	struct render_env env = { .in = &s->in, .focused = true };

	surface_clear(surface_whole(&s->grid), style_of(ROLE_TEXT));
	render_table.draw(s->state, &env, surface_whole(&s->grid));
	double took = cpu_ms() - since;
	s->longest_ms = took > s->longest_ms ? took : s->longest_ms;
}

static void
press_down(struct scene *s)
{
	struct render_env env = { .in = &s->in, .focused = true };
	double since = cpu_ms();

	render_table.key(s->state, &env, &(struct key){ .kind = KEY_DOWN });
	end_turn(s, since);
}

/* Runs a command, and turns until its job is done. */
static void
run(struct scene *s, const char *verb, const char *arg)
{
	struct render_env env = { .in = &s->in, .focused = true };
	struct buf why = BUF_INIT;
	double start = measure_now_ms(), since = cpu_ms();
	char what[64];

	if (!*verb)
		render_table.sync(s->state, &env);
	else if (strcmp(verb, "filter") == 0)
		render_table.filter(s->state, arg);
	else if (!renderer_run(&render_table, s->state, &env, verb, arg, &why))
		fprintf(stderr, "%s\n", buf_text(&why));
	end_turn(s, since);
	while (s->jobs.open > 0) {
		press_down(s);
		since = cpu_ms();
		loop_turn(s->loop, 5);
		end_turn(s, since);
	}
	snprintf(what, sizeof(what), "%s %s", *verb ? verb : "columns", arg);
	measure_print_one(what, measure_now_ms() - start, "ms", NULL, NULL);
	buf_finish(&why);
}

int
main(int argc, char **argv)
{
	struct scene s = { .loop = loop_create(NULL, NULL, NULL) };

	if (argc != 2 || !s.loop)
		return 2;
	measure_title("%s rows in jobs, keys meanwhile", argv[1]);
	s.worker = worker_create(s.loop);
	s.jobs = (struct jobs){ .submit = submit, .user = &s };
	s.doc = make_rows(strtoul(argv[1], NULL, 10));
	s.in =
	    (struct render_input){ .value = json_root(s.doc), .docs = { s.doc }, .jobs = &s.jobs };
	s.state = calloc(1, render_table.state_size);
	grid_init(&s.grid, 120, 36);
	run(&s, "", "");
	run(&s, "sort", "temp");
	run(&s, "filter", "lisbon");
	run(&s, "sort", "city desc");
	run(&s, "filter", "");
	measure_print_one("longest turn, processor time", s.longest_ms, "ms", "aim 5", NULL);
	render_table.finish(s.state);
	free(s.state);
	worker_destroy(s.worker);
	loop_destroy(s.loop);
	json_doc_destroy(s.doc);
	grid_finish(&s.grid);
	return 0;
}

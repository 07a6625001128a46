/* SPDX-License-Identifier: MIT */
/* bench_turns ROWS: filters, sorts and counts a table of ROWS rows in jobs, as on the screen, while
 * keys move in it. Measures how long a key waits for a turn of the interface's thread, and how long
 * each job takes, also in processor time, because the machine may be shared. From five million rows
 * on: only from the text to the screen, and peak memory. */
#include "base/buf.h"
#include "json/doc.h"
#include "loop/worker.h"
#include "measure.h"
#include "view/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct scene {
	struct loop *loop;
	struct worker *worker;
	struct jobs jobs;
	struct json_doc *doc;
	struct view_input in;
	void *state;
	struct grid grid;
	double longest_ms; /* turn, in processor time: others use the machine too */
	bool counts;       /* the focused table counts the selected column, another job */
};

static double
clock_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct blob *
make_rows(size_t count)
{
	static const char *const cities[] = { "Lisbon", "Berlin", "Osaka", "Lima", "Nairobi" };
	struct buf text = BUF_INIT;
	unsigned seed = 1;

	buf_add_char(&text, '[');
	for (size_t i = 0; i < count; i++) {
		seed = seed * 1103515245 + 12345;
		buf_addf(&text, "%s{\"id\":%zu,\"city\":\"%s\",\"name\":\"n%u\",\"temp\":%d.%u}",
		    i ? "," : "", i, cities[(seed >> 8) % 5], seed >> 10,
		    (int)(seed >> 16) % 60 - 20, seed >> 12 & 7);
	}
	buf_add_char(&text, ']');
	return blob_take_buf(&text);
}

static struct json_doc *
parse_rows(struct blob *blob)
{
	struct json_options options = { .blob = blob, .lazy_bytes = 1 };

	return json_parse(blob->data, blob->len, &options, NULL);
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
	struct view_env env = { .in = &s->in, .focused = s->counts };

	surface_clear(surface_whole(&s->grid), style_of(ROLE_TEXT));
	view_table.draw(s->state, &env, surface_whole(&s->grid));
	double took = clock_ms(CLOCK_THREAD_CPUTIME_ID) - since;
	s->longest_ms = took > s->longest_ms ? took : s->longest_ms;
}

static void
press_down(struct scene *s)
{
	struct view_env env = { .in = &s->in, .focused = true };
	double since = clock_ms(CLOCK_THREAD_CPUTIME_ID);

	view_table.key(s->state, &env, &(struct key){ .kind = KEY_DOWN });
	end_turn(s, since);
}

/* Processor time of the jobs, that is, of the other threads of the process. */
static double
job_cpu_ms(void)
{
	return clock_ms(CLOCK_PROCESS_CPUTIME_ID) - clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

static void
add_processor(char *out, size_t size, const char *aim, double ms)
{
	snprintf(out, size, "%s%sprocessor %.0f ms", aim ? aim : "", aim ? ", " : "", ms);
}

/* Runs a command, and turns until its job is done. */
static void
run(struct scene *s, const char *verb, const char *arg, const char *aim)
{
	struct view_env env = { .in = &s->in, .focused = true };
	struct buf why = BUF_INIT;
	struct view view = { .ops = &view_table, .state = s->state, .in = &s->in };
	double start = measure_now_ms(), since = clock_ms(CLOCK_THREAD_CPUTIME_ID),
	       cpu = job_cpu_ms();
	char what[64], words[64];

	env.why = &why;
	if (!*verb)
		view_table.sync(s->state, &env);
	else if (strcmp(verb, "filter") == 0)
		view_table.filter(s->state, &env, arg);
	else if (strcmp(verb, "statistics") != 0)
		view_run(&view, &env, verb, arg);
	else if (view_run(&view, &env, "column", arg))
		s->counts = true;
	end_turn(s, since);
	if (why.len > 0)
		fprintf(stderr, "%s\n", buf_text(&why));
	while (s->jobs.open > 0) {
		press_down(s);
		since = clock_ms(CLOCK_THREAD_CPUTIME_ID);
		loop_turn(s->loop, 5);
		end_turn(s, since);
	}
	snprintf(what, sizeof(what), "%s %s", *verb ? verb : "columns", arg);
	add_processor(words, sizeof(words), aim, job_cpu_ms() - cpu);
	measure_print_one(what, measure_now_ms() - start, "ms", words, NULL);
	s->counts = false;
	buf_finish(&why);
}

static double
peak_mib(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)used.ru_maxrss / 1024;
}

/* The text is there; parsing it and the first frame are not a job here. */
static void
show_rows(struct scene *s, const char *count, bool huge)
{
	struct view_env env = { .in = &s->in, .focused = true };
	struct blob *blob = make_rows(strtoul(count, NULL, 10));
	double start = measure_now_ms(), cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
	char words[64];

	measure_title("%s rows, %.0f MB, in jobs, keys meanwhile", count, (double)blob->len / 1e6);
	s->doc = parse_rows(blob);
	s->in =
	    (struct view_input){ .value = json_root(s->doc), .docs = { s->doc }, .jobs = &s->jobs };
	view_table.sync(s->state, &env);
	end_turn(s, clock_ms(CLOCK_THREAD_CPUTIME_ID));
	add_processor(words, sizeof(words), huge ? "aim 800" : NULL,
	    clock_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	measure_print_one(
	    "from the text to the first frame", measure_now_ms() - start, "ms", words, NULL);
	measure_print_one("memory, peak", peak_mib() * 1.048576 / ((double)blob->len / 1e6),
	    "of the text", huge ? "aim 1.5" : NULL, NULL);
	blob_unref(blob);
	while (s->jobs.open > 0)
		loop_turn(s->loop, 5);
}

static void
run_all(struct scene *s)
{
	run(s, "", "", NULL);
	run(s, "filter", "lisbon", "aim 250");
	run(s, "filter", "", NULL);
	run(s, "filter", "temp > 20 and city ~ \"li\"", "aim 250");
	run(s, "sort", "city, temp desc", NULL);
	run(s, "filter", "", NULL);
	run(s, "sort", "temp", "aim 250");
	run(s, "sort", "name", "aim 500");
	run(s, "statistics", "temp", "aim 500");
	run(s, "statistics", "name", "aim 500");
	measure_print_one("longest turn, processor time", s->longest_ms, "ms", "aim 5", NULL);
}

int
main(int argc, char **argv)
{
	struct scene s = { .loop = loop_create(NULL, NULL, NULL) };

	if (argc != 2 || !s.loop)
		return 2;
	bool huge = strtoul(argv[1], NULL, 10) >= 5000000;
	s.worker = worker_create(s.loop);
	s.jobs = (struct jobs){ .submit = submit, .user = &s };
	s.state = calloc(1, view_table.state_size);
	grid_init(&s.grid, 120, 36);
	show_rows(&s, argv[1], huge);
	if (!huge)
		run_all(&s);
	view_table.finish(s.state);
	free(s.state);
	worker_destroy(s.worker, 60000);
	loop_destroy(s.loop);
	json_doc_destroy(s.doc);
	grid_finish(&s.grid);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* bench_calls LABEL COMMAND... or bench_calls LABEL URL: calls per second and latency of a call
 * over the program's connection and loop, compared with the floor: a raw client that writes a line,
 * polls and reads a line, with the same server in the same run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "exchange.h"
#include "host/connection.h"
#include "measure.h"

enum { CALLS = 2000, AT_ONCE = 16 };

struct figures {
	struct samples rate, median, slow;
};

struct lap {
	double took_us[CALLS];
	size_t count;
	int64_t started_us, ended_us;
};

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
lap_add(struct lap *lap, int64_t since_us)
{
	lap->ended_us = clock_now_us();
	lap->took_us[lap->count++] = (double)(lap->ended_us - since_us);
}

static void
take_lap(struct figures *f, struct lap *lap)
{
	double seconds = (double)(lap->ended_us - lap->started_us) / 1e6;

	qsort(lap->took_us, lap->count, sizeof(*lap->took_us), by_value);
	samples_add(&f->rate, (double)lap->count / seconds);
	samples_add(&f->median, lap->took_us[lap->count / 2]);
	samples_add(&f->slow, lap->took_us[lap->count * 99 / 100]);
}

/* ---- the floor ---- */

static bool
run_floor(struct figures *f, char *const *command, const char *url)
{
	static struct lap lap;
	char call[256];
	struct exchange *e =
	    url ? exchange_open_web(url) : exchange_open((const char *const *)command);

	if (!e)
		return false;
	lap.count = 0;
	lap.started_us = clock_now_us();
	for (int i = 0; i < CALLS; i++) {
		int64_t start_us = clock_now_us();
		int len = snprintf(call, sizeof(call),
		    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":"
		    "{\"name\":\"echo\",\"arguments\":{\"text\":\"hello\"}}}\n",
		    i + 10);
		if (!exchange_line(e, call, (size_t)len))
			return false;
		lap_add(&lap, start_us);
	}
	exchange_close(e);
	take_lap(f, &lap);
	return true;
}

/* ---- the program's own way ---- */

struct client {
	struct loop *loop;
	struct connection *connection;
	struct lap lap;
	struct {
		uint64_t call;
		int64_t since_us;
	} open[AT_ONCE];
	size_t at_once, made;
};

static void
ignore(void *user)
{
}

static void
call_again(struct client *c, size_t slot)
{
	static const char arguments[] = "{\"text\":\"hello\"}";
	struct server *s = connection_info(c->connection).server;
	const struct primitive *tool = &server_info(s)->lists[PRIMITIVE_TOOL].list.items[0];

	c->open[slot].call = 0;
	if (c->made == CALLS)
		return;
	c->made++;
	c->open[slot].since_us = clock_now_us();
	c->open[slot].call =
	    server_ask(s, tool, arguments, sizeof(arguments) - 1, c->open[slot].since_us, NULL);
	connection_touch(c->connection);
}

static bool
run_calls(struct client *c, size_t at_once)
{
	struct server *s = connection_info(c->connection).server;

	c->lap.count = c->made = 0;
	c->lap.started_us = clock_now_us();
	for (size_t i = 0; i < at_once; i++)
		call_again(c, i);
	while (c->lap.count < CALLS && server_info(s)->phase == SERVER_READY) {
		loop_turn(c->loop, -1);
		for (size_t i = 0; i < at_once; i++) {
			const struct call *call =
			    c->open[i].call ? server_find_call(s, c->open[i].call) : NULL;
			if (!call || call->state == CALL_RUNNING)
				continue;
			lap_add(&c->lap, c->open[i].since_us);
			call_again(c, i);
		}
	}
	return c->lap.count == CALLS;
}

static bool
open_client(struct client *c, const struct target *target)
{
	struct connection_options options = {
		.server.session = { .client_name = "bench", .client_version = "1" },
		.ladder = child_default_ladder,
	};
	struct err err = { "" };

	c->loop = loop_create(NULL, NULL, &err);
	c->connection = connection_create(c->loop, target, &options, ignore, NULL);
	if (!connection_start(c->connection, &err))
		return false;
	const struct server *s = connection_info(c->connection).server;
	while (server_info(s)->phase == SERVER_STARTING || server_info(s)->phase == SERVER_LISTING)
		loop_turn(c->loop, -1);
	return server_info(s)->phase == SERVER_READY;
}

static void
close_client(struct client *c)
{
	child_hand_over(c->loop);
	connection_destroy(c->connection);
	loop_destroy(c->loop);
}

static bool
run_program(struct figures *one, struct figures *many, const struct target *target)
{
	struct client *c = mem_zalloc(sizeof(*c));
	bool good = open_client(c, target) && run_calls(c, 1);

	if (good)
		take_lap(one, &c->lap);
	good = good && run_calls(c, AT_ONCE);
	if (good)
		take_lap(many, &c->lap);
	close_client(c);
	free(c);
	return good;
}

static void
report(const char *label, const struct figures *floor, const struct figures *one,
    const struct figures *many)
{
	measure_title("calls: %s", label);
	measure_print("floor: calls a second, one by one", &floor->rate, "/s", NULL, NULL, NULL);
	measure_print("floor: a call, median", &floor->median, "us", NULL, NULL, NULL);
	measure_print("floor: a call, 99 of 100", &floor->slow, "us", NULL, NULL, NULL);
	measure_print("calls a second, one by one", &one->rate, "/s", &floor->rate, NULL, NULL);
	measure_print("a call, median", &one->median, "us", &floor->median, NULL, NULL);
	measure_print("a call, 99 of 100", &one->slow, "us", &floor->slow, NULL, NULL);
	measure_print("calls a second, 16 at once", &many->rate, "/s", &floor->rate, NULL, NULL);
}

int
main(int argc, char **argv)
{
	struct figures floor = { 0 }, one = { 0 }, many = { 0 };
	struct target target = { 0 };

	if (argc < 3)
		return 2;
	const char *url = strncmp(argv[2], "http://", 7) == 0 ? argv[2] : NULL;
	if (url)
		target_from_url(&target, url, NULL);
	else
		target_from_command(&target, argv + 2);
	for (size_t i = 0, runs = measure_runs() + 1; i < runs; i++) {
		if (!run_floor(&floor, argv + 2, url) || !run_program(&one, &many, &target))
			return 1;
		if (i == 0) /* warms the caches up */
			floor = one = many = (struct figures){ 0 };
	}
	report(argv[1], &floor, &one, &many);
	target_finish(&target);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "client/chain.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/splice.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[BATCH_STATES] = { "waiting", "running", "done", "failed",
	"not called" };

struct batch *
batch_create(const struct batch_wish *wish, struct strings *values)
{
	struct batch *b = mem_zalloc(sizeof(*b));

	*b = (struct batch){
		.server = wish->server,
		.kind = wish->primitive->kind,
		.key = mem_strdup(wish->primitive->key),
		.pointer = mem_strdup(wish->pointer),
		.arguments = mem_strdup(wish->arguments),
		.rows = mem_zalloc((values->len ? values->len : 1) * sizeof(*b->rows)),
		.count = values->len,
		.at_once = wish->at_once,
		.id = wish->id,
		.version = 1,
	};
	for (size_t i = 0; i < values->len; i++)
		b->rows[i].input = values->items[i];
	values->len = 0;
	strings_finish(values);
	b->in_state[BATCH_WAITING] = b->count;
	return b;
}

void
batch_destroy(struct batch *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->count; i++) {
		free(b->rows[i].input);
		free(b->rows[i].json);
	}
	free(b->rows);
	free(b->key);
	free(b->pointer);
	free(b->arguments);
	free(b);
}

static void
set_state(struct batch *b, struct batch_row *row, enum batch_state state)
{
	b->in_state[row->state]--;
	b->in_state[state]++;
	row->state = state;
	b->version++;
}

/* ---- the outcome of a call ---- */

#define TOO_LARGE "(too large to keep here)"

static void
keep(struct batch *b, struct batch_row *row, struct buf *json)
{
	b->bytes -= row->json ? strlen(row->json) : 0;
	free(row->json);
	row->json = buf_detach(json);
	b->bytes += strlen(row->json);
}

/* The members of an object, without its braces. */
static void
take_members(struct batch *b, struct batch_row *row, const struct call *c, bool failed, bool whole)
{
	struct buf json = { .max = BATCH_RESULT_MAX + 4096 };
	char ms[32];
	struct json_writer w = { .out = &json, .comma = true };

	snprintf(ms, sizeof(ms), "%.1f", (double)(c->ended_us - c->started_us) / 1000);
	json_write_member_json(&w, "ms", ms);
	if (c->verdict.kind != VERDICT_NONE)
		json_write_member_string(&w, "verdict", verdict_looks[c->verdict.kind].name);
	if (failed) {
		struct buf text = { .max = BATCH_RESULT_MAX };
		if (c->state == CALL_DONE)
			call_add_texts(c, &text);
		json_write_member_string(&w, "error",
		    text.overflowed ? TOO_LARGE
		    : text.len > 0  ? buf_text(&text)
		    : c->error_text ? c->error_text
				    : call_state_names[c->state]);
		buf_finish(&text);
	} else if (whole) {
		struct call_data data;
		call_data_read(&data, c, BATCH_RESULT_MAX);
		if (data.too_large)
			json_write_member_string(&w, "result", TOO_LARGE);
		else if (data.value)
			json_write_member_value(&w, "result", data.value);
		call_data_finish(&data);
	} else
		json_write_member_string(&w, "result", TOO_LARGE);
	bool fits = !json.overflowed && json.len <= BATCH_RESULT_MAX &&
		    b->bytes + json.len <= BATCH_BYTES_MAX;
	if (fits || !whole)
		keep(b, row, &json);
	buf_finish(&json);
	if (!fits && whole)
		take_members(b, row, c, false, false);
}

/* ---- running ---- */

static bool
write_arguments(
    const struct batch *b, const struct batch_row *row, struct buf *out, struct err *err)
{
	struct strings keys = { 0 };
	struct buf token = BUF_INIT;
	const char *at = b->pointer;

	while (json_pointer_next(&at, &token))
		strings_add(&keys, buf_text(&token));
	bool ok = json_splice_set(b->arguments, strlen(b->arguments),
	    (const char *const *)strings_argv(&keys), row->input, out, err);
	strings_finish(&keys);
	buf_finish(&token);
	return ok;
}

static void
start(struct batch *b, struct batch_row *row, int64_t now_us)
{
	const struct primitive *p =
	    primitive_list_find(&server_info(b->server)->lists[b->kind].list, b->key, 0);
	struct buf arguments = BUF_INIT;
	struct err err = { "the server no longer lists it" };

	row->call = 0;
	if (p && p->unusable)
		err_set(&err, "%s", p->problem);
	else if (p && write_arguments(b, row, &arguments, &err))
		row->call =
		    server_ask(b->server, p, buf_text(&arguments), arguments.len, now_us, &err);
	buf_finish(&arguments);
	if (row->call)
		set_state(b, row, BATCH_RUNNING);
	else {
		/* The row shows the reason instead of a result. */
		struct buf json = BUF_INIT;
		struct json_writer w = { .out = &json, .comma = true };
		json_write_member_string(&w, "error", err.text);
		keep(b, row, &json);
		set_state(b, row, BATCH_FAILED);
	}
}

/* Mark the waiting rows as stopped. */
static void
give_up(struct batch *b, const char *trouble)
{
	for (size_t i = b->next; i < b->count; i++)
		if (b->rows[i].state == BATCH_WAITING)
			set_state(b, &b->rows[i], BATCH_STOPPED);
	b->trouble = trouble;
}

/* Take the results of ended calls. Rows start in order, so the running ones are before `next`. */
static void
take_ended(struct batch *b)
{
	size_t left = b->in_state[BATCH_RUNNING];

	for (size_t i = b->first; left > 0 && i < b->count; i++) {
		struct batch_row *row = &b->rows[i];
		if (row->state != BATCH_RUNNING)
			continue;
		left--;
		const struct call *c = server_find_call(b->server, row->call);
		if (!c || (c->state != CALL_RUNNING && c->verdict.kind != VERDICT_CHECKING)) {
			bool failed = !c || call_is_error(c);
			if (c) {
				row->kept = c->kept;
				take_members(b, row, c, failed, true);
			}
			set_state(b, row, failed ? BATCH_FAILED : BATCH_DONE);
		}
	}
	while (b->first < b->count && b->rows[b->first].state != BATCH_RUNNING &&
	       b->rows[b->first].state != BATCH_WAITING)
		b->first++;
}

bool
batch_step(struct batch *b, int64_t now_us)
{
	uint64_t before = b->version;

	take_ended(b);
	while (b->in_state[BATCH_RUNNING] < b->at_once && b->in_state[BATCH_WAITING] > 0) {
		if (server_info(b->server)->phase != SERVER_READY) {
			give_up(b, "the server is not connected");
			break;
		}
		while (b->rows[b->next].state != BATCH_WAITING)
			b->next++;
		start(b, &b->rows[b->next], now_us);
	}
	return b->version != before;
}

void
batch_stop(struct batch *b, int64_t now_us)
{
	give_up(b, NULL);
	for (size_t i = b->first; i < b->count; i++)
		if (b->rows[i].state == BATCH_RUNNING)
			server_cancel(b->server, b->rows[i].call, now_us);
	take_ended(b);
}

size_t
batch_retry(struct batch *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->count; i++) {
		struct batch_row *row = &b->rows[i];
		if (row->state != BATCH_FAILED && row->state != BATCH_STOPPED)
			continue;
		set_state(b, row, BATCH_WAITING);
		count++;
	}
	b->next = b->first = 0;
	b->trouble = NULL;
	return count;
}

/* ---- the table ---- */

void
batch_add_json(const struct batch *b, struct buf *out)
{
	buf_add_char(out, '[');
	for (size_t i = 0; i < b->count; i++) {
		const struct batch_row *row = &b->rows[i];
		bool ended = row->state == BATCH_DONE || row->state == BATCH_FAILED;
		buf_addf(out, "%s{\"input\":%s,\"state\":\"%s\"%s}", i > 0 ? "," : "", row->input,
		    state_names[row->state], ended && row->json ? row->json : "");
	}
	buf_add_char(out, ']');
}

void
batch_add_summary(const struct batch *b, struct buf *out)
{
	static const enum batch_state told[] = { BATCH_DONE, BATCH_FAILED, BATCH_RUNNING,
		BATCH_WAITING, BATCH_STOPPED };
	const char *between = ": ";

	units_add_counted(out, b->count, "call");
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		if (b->in_state[told[i]] == 0)
			continue;
		buf_add_str(out, between);
		units_add_count(out, b->in_state[told[i]]);
		buf_addf(out, " %s", state_names[told[i]]);
		between = ", ";
	}
}

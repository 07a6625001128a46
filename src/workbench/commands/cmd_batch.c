/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "json/pointer.h"
#include "json/print.h"
#include "client/chain.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One call for each value that was passed on. */

enum { ASKS_ABOVE = 20 /* calls of a tool that only reads */ };

void
batch_disarm(struct workbench *wb)
{
	strings_finish(&wb->armed.values);
	free(wb->armed.pointer);
	wb->armed = (struct armed){ 0 };
}

/* Is the first value still in this form? */
bool
batch_is_armed(struct workbench *wb)
{
	struct armed *a = &wb->armed;
	struct buf json = BUF_INIT, first = BUF_INIT, typed = BUF_INIT;

	if (a->values.len == 0 || wb->ws.desk != a->desk || !a->desk->form)
		return false;
	form_to_json(a->desk->form, &json);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	const cJSON *value = doc ? json_pointer_find(json_root(doc), a->pointer) : NULL;
	if (value)
		json_print(&first, value);
	workspace_add_plain(&wb->ws, a->values.items[0], &typed);
	bool same = value && strcmp(buf_text(&first), buf_text(&typed)) == 0;
	buf_finish(&typed);
	json_doc_destroy(doc);
	buf_finish(&json);
	buf_finish(&first);
	if (!same)
		batch_disarm(wb);
	return same;
}

/* ---- while it is under way ---- */

static struct workbench *
of_work(const struct pane_work *work)
{
	return (struct workbench *)((char *)work - offsetof(struct workbench, batch_work));
}

static unsigned
percent(const struct pane_work *work)
{
	const struct batch *b = of_work(work)->ws.batch;
	size_t open = b->in_state[BATCH_WAITING] + b->in_state[BATCH_RUNNING];

	return b->count ? (unsigned)((b->count - open) * 100 / b->count) : 100;
}

/* Names the keys that call again: those of the batch pane work only there. */
static void
say_over(struct workbench *wb)
{
	const struct batch *b = wb->ws.batch;
	struct buf text = BUF_INIT;
	bool good = b->in_state[BATCH_DONE] == b->count;
	bool in_pane = workbench_focused(wb) == PANE_batch;
	char again[64], pane[64];

	batch_add_summary(b, &text);
	if (b->trouble)
		buf_addf(&text, "; %s", b->trouble);
	bool has_key =
	    !good && keymap_key_for(&wb->keymap, "batch", "call-each failed", again, sizeof(again));
	if (has_key && in_pane)
		buf_addf(&text, "; %s calls again what failed", again);
	else if (has_key && keymap_key_for(&wb->keymap, KEYMAP_GLOBAL, "batch", pane, sizeof(pane)))
		buf_addf(&text, "; %s, then %s calls again what failed", pane, again);
	workbench_say(wb, good ? ROLE_OK : ROLE_WARNING, "%s", buf_text(&text));
	buf_finish(&text);
}

void
batch_advance(struct workbench *wb)
{
	struct batch *b = wb->ws.batch;

	if (!b || wb->work != &wb->batch_work)
		return;
	if (batch_step(b, wb->now_us))
		wb->ws.generation++;
	if (!batch_is_over(b))
		return;
	workbench_work_is_over(wb, &wb->batch_work);
	say_over(wb);
}

static void
stop(struct pane_work *work)
{
	struct workbench *wb = of_work(work);

	batch_stop(wb->ws.batch, wb->now_us);
	wb->ws.generation++;
	batch_advance(wb);
}

static bool
run(struct workbench *wb)
{
	snprintf(wb->batch_work.text, sizeof(wb->batch_work.text), "%.60s, once for each value",
	    wb->ws.batch->key);
	wb->batch_work.percent = percent;
	wb->batch_work.stop = stop;
	if (!workbench_work(wb, &wb->batch_work))
		return false;
	workbench_focus(wb, PANE_batch);
	batch_advance(wb);
	return true;
}

/* ---- the beginning ---- */

static bool
start(struct workbench *wb)
{
	struct armed *a = &wb->armed;
	const struct primitive *p = workspace_primitive(&wb->ws);
	struct buf arguments = BUF_INIT;

	if (!p || !batch_is_armed(wb))
		return workbench_refuse(wb, "pass the values of a column on first: > in a table");
	if (wb->work)
		return workbench_work(wb, &wb->batch_work); /* says why not */
	if (!call_add_arguments(wb, &arguments)) {
		buf_finish(&arguments);
		return false;
	}
	wb->ws.desk->sends_secrets |= call_secret(wb) != NULL;
	uint64_t id = wb->ws.batch ? wb->ws.batch->id + 1 : 1;
	batch_destroy(wb->ws.batch);
	wb->ws.batch = batch_create(&(struct batch_wish){ .id = id,
					.server = wb->ws.server,
					.primitive = p,
					.pointer = a->pointer,
					.arguments = buf_text(&arguments),
					.at_once = wb->ws.batch_at_once },
	    &a->values);
	buf_finish(&arguments);
	batch_disarm(wb);
	return run(wb);
}

static bool
again(struct workbench *wb)
{
	if (wb->work)
		return workbench_work(wb, &wb->batch_work);
	if (!wb->ws.batch || batch_retry(wb->ws.batch) == 0)
		return workbench_refuse(wb, "no call of a batch has failed");
	wb->ws.batch->at_once = wb->ws.batch_at_once;
	return run(wb);
}

bool
cmd_call_each_now(struct workbench *wb, const char *arg)
{
	if (strcmp(arg, "failed") == 0)
		return again(wb);
	bool ok = start(wb);
	if (ok && wb->ws.desk && wb->ws.desk->form)
		wb->ws.desk->sent = form_view(wb->ws.desk->form).version;
	return ok;
}

/* "order_id: "ORD-1", "ORD-2" … and 35 more; else {"status":"paid"}" */
static void
add_values(struct workbench *wb, struct buf *out)
{
	enum { NAMED = 3, BRIEF = 40 };
	const struct armed *a = &wb->armed;

	buf_addf(out, "%.60s: ", a->pointer + 1);
	for (size_t i = 0; i < a->values.len && i < NAMED; i++) {
		buf_add_str(out, i > 0 ? ", " : "");
		utf8_add_cut(out, a->values.items[i], strlen(a->values.items[i]), BRIEF);
	}
	if (a->values.len > NAMED)
		buf_addf(out, " and %s more", units_count(a->values.len - NAMED).text);
	buf_add_str(out, "\n");
}

/* Asks, unless the tool says that it only reads and there are few calls; a command given at the
 * start of the program has decided that. */
static bool
ask(struct workbench *wb, const struct primitive *p, size_t count, const char *command)
{
	static const struct confirm_words words = { "Call it once for each value?", "Do not call",
		"Call each", NULL };
	bool reads = p->kind != PRIMITIVE_TOOL || p->read_only == HINT_TRUE;
	const struct form *form = wb->armed.values.len > 0 ? wb->ws.desk->form : NULL;
	size_t problems = form ? form_check(wb->ws.desk->form) : 0;
	const char *secret = form ? call_secret(wb) : NULL;
	struct buf text = BUF_INIT;

	wb->ws.generation++;
	if (wb->queue.advancing || (problems == 0 && !secret && reads && count <= ASKS_ABOVE))
		return cmd_call_each_now(wb, strchr(command, ' ') ? "failed" : "");
	if (secret)
		buf_addf(&text,
		    "The project fills in ${%.60s} with a secret of your environment, and the "
		    "server gets it.\n",
		    secret);
	if (problems > 0)
		confirm_add_problems(form, "argument", &text);
	buf_addf(&text, "%.60s would be called ", p->name);
	units_add_counted(&text, count, "time");
	buf_addf(&text, ", %zu at a time.\n", wb->ws.batch_at_once);
	if (wb->armed.values.len > 0)
		add_values(wb, &text);
	if (primitive_is_destructive(p))
		buf_add_str(&text, "The server marks it as destructive.\n");
	else if (!reads)
		buf_add_str(&text, "The server does not say that it only reads.\n");
	buf_add_str(&text, "Ctrl-C stops it.");
	return confirm_open(wb, &words, buf_detach(&text), "%s", command);
}

bool
cmd_call_each(struct workbench *wb, const char *arg)
{
	const struct batch *b = wb->ws.batch;
	const struct primitive *p = workspace_primitive(&wb->ws);

	if (strcmp(arg, "failed") == 0) {
		size_t count = b ? b->in_state[BATCH_FAILED] + b->in_state[BATCH_STOPPED] : 0;
		p = b ? primitive_list_find(&server_info(b->server)->lists[b->kind].list, b->key, 0)
		      : NULL;
		return p && count > 0 ? ask(wb, p, count, "call-each! failed")
				      : workbench_refuse(wb, "no call of a batch has failed");
	}
	if (!p || !batch_is_armed(wb))
		return workbench_refuse(wb, "pass the values of a column on first: > in a table");
	return ask(wb, p, wb->armed.values.len, "call-each!");
}

bool
batch_arm(struct workbench *wb, const char *pointer, struct strings *values)
{
	size_t problems = form_check(wb->ws.desk->form);

	batch_disarm(wb);
	wb->armed = (struct armed){
		.values = *values, .desk = wb->ws.desk, .pointer = mem_strdup(pointer)
	};
	*values = (struct strings){ 0 };
	if (problems == 0)
		return cmd_call_each(wb, "");
	return workbench_say(wb, ROLE_WARNING,
	    "the first of %s values is filled in: fill in the rest, then F5 calls once for each",
	    units_count(wb->armed.values.len).text);
}

/* The items of a JSON array, unchanged. */
static bool
take_items(const char *json, struct strings *out, struct err *err)
{
	struct json_doc *doc = json_parse(json, strlen(json), NULL, NULL);
	const cJSON *list = doc ? json_root(doc) : NULL;
	bool ok = (json_type(list) == JSON_ARRAY && json_count(list) > 0) ||
		  err_set(err, "usage: each FIELD ARRAY, as in each id [1,2,3]");

	ok = ok && (json_count(list) <= BATCH_ROWS_MAX ||
		       err_set(err, "at most %s values can be passed on",
			   units_count(BATCH_ROWS_MAX).text));
	for (const cJSON *item = ok ? json_first(list) : NULL; item; item = item->next) {
		struct buf text = BUF_INIT;
		json_print(&text, item);
		strings_take(out, buf_detach(&text));
	}
	json_doc_destroy(doc);
	return ok;
}

bool
cmd_each(struct workbench *wb, const char *arg)
{
	struct strings values = { 0 };
	struct buf pointer = BUF_INIT;
	struct err err = { "" };

	if (!wb->ws.desk || !wb->ws.desk->form)
		return workbench_refuse(wb, "no form is shown");
	const char *array = strstr(arg, " ["); /* the name before it may have blanks */
	char *name = mem_strndup(arg, array ? (size_t)(array - arg) : strlen(arg));
	struct field *field = NULL;
	bool ok = take_items(array ? array : "", &values, &err) &&
		  (field = form_reach_field(wb->ws.desk->form, name, &err)) != NULL;
	if (ok) {
		field_pointer(field, &pointer);
		ok = pass_fill_in(wb, buf_text(&pointer), values.items[0], &err);
	}
	ok = ok ? batch_arm(wb, buf_text(&pointer), &values) : workbench_refuse(wb, err.text);
	strings_finish(&values);
	buf_finish(&pointer);
	free(name);
	return ok;
}

/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/text_match.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "client/app.h"
#include "client/chain.h"
#include "client/tasks.h"
#include "json/pointer.h"
#include "json/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read the variables of the project again if the arguments refer to one. */
static bool
renew_variables(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	struct buf text = BUF_INIT;
	struct err err = { "" };

	form_to_json(ws->desk->form, &text);
	bool ok = !strstr(buf_text(&text), "${") || !ws->collection.host ||
		  workspace_use_environment(ws, ws->collection.environment.name, &err);
	buf_finish(&text);
	return ok ? true : workbench_refuse(wb, err.text);
}

/* Append the arguments of the form with the values of the variables. */
static bool
fill_in(struct workbench *wb, struct buf *out)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };

	form_adapt(wb->ws.desk->form);
	form_to_json(wb->ws.desk->form, &text);
	bool ok = workspace_fill(&wb->ws, buf_text(&text), text.len, out, &err) ||
		  workbench_refuse(wb, err.text);
	buf_finish(&text);
	return ok;
}

/* Return the variable whose secret would be sent, unless the user has agreed to send them; NULL:
 * none. */
static const char *
call_secret(const struct workbench *wb)
{
	const struct desk *desk = wb->ws.desk;
	struct buf text = BUF_INIT;

	if (desk->sends_secrets)
		return NULL;
	form_to_json(desk->form, &text);
	const char *secret =
	    environment_secret_in(&wb->ws.collection.environment, buf_text(&text), text.len);
	buf_finish(&text);
	return secret;
}

static bool
send_arguments(struct workbench *wb, const char *arguments, size_t len)
{
	struct workspace *ws = &wb->ws;
	struct err err = { "" };

	uint64_t call =
	    server_ask(ws->server, workspace_primitive(ws), arguments, len, wb->now_us, &err);
	if (call == 0 && !server_info(ws->server)->session && start_shown(wb) == SIZE_MAX)
		return workbench_refuse(
		    wb, "only past calls of this server are here: S starts a server");
	enum server_phase phase = server_info(ws->server)->phase;
	if (call == 0 && phase >= SERVER_FAILED)
		return workbench_refuse(wb, server_info(ws->server)->is_remote
						? "not connected: R reconnects"
						: "not connected: R restarts it");
	if (call == 0 && phase == SERVER_STARTING)
		return workbench_refuse(wb, "nothing was sent: the server is still connecting");
	if (call == 0)
		return workbench_refuse(wb, err.text);
	ws->desk->agreed |= primitive_is_destructive(workspace_primitive(ws));
	workspace_show_call(ws, call);
	const struct call *c = server_find_call(ws->server, call);
	ws->desk->shows_app = c && call_has_app(c) && server_info(ws->server)->runs_apps &&
			      server_open_app(ws->server, call, wb->now_us, NULL) != NULL;
	workbench_follow(wb, call);
	return true;
}

static bool
send_call(struct workbench *wb)
{
	struct buf arguments = BUF_INIT;

	bool ok =
	    fill_in(wb, &arguments) && send_arguments(wb, buf_text(&arguments), arguments.len);
	buf_finish(&arguments);
	wb->ws.desk->sends_secrets |= ok && call_secret(wb) != NULL;
	if (ok)
		wb->ws.desk->sent = form_view(wb->ws.desk->form).version;
	return ok;
}

/* ---- one call for each value that was passed on ---- */

enum { ASKS_ABOVE = 20 /* calls of a tool that only reads */ };

void
batch_disarm(struct workbench *wb)
{
	strings_finish(&wb->armed.values);
	free(wb->armed.pointer);
	wb->armed = (struct armed){ 0 };
}

/* Whether the form would be called once for each value: is the first one still in it? */
static bool
batch_is_armed(struct workbench *wb)
{
	struct armed *a = &wb->armed;
	struct buf json = BUF_INIT, typed = BUF_INIT;

	if (a->values.len == 0 || wb->ws.desk != a->desk || !a->desk->form)
		return false;
	form_to_json(a->desk->form, &json);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	char *first = json_text(doc ? json_pointer_find(json_root(doc), a->pointer) : NULL);
	workspace_add_plain(&wb->ws, a->values.items[0], &typed);
	bool same = first && strcmp(first, buf_text(&typed)) == 0;
	buf_finish(&typed);
	json_doc_destroy(doc);
	buf_finish(&json);
	free(first);
	if (!same)
		batch_disarm(wb);
	return same;
}

static unsigned
batch_percent(const struct pane_work *work)
{
	const struct workbench *wb = work->owner;
	const struct batch *b = wb->ws.batch;
	size_t open = b->in_state[BATCH_WAITING] + b->in_state[BATCH_RUNNING];

	return b->count ? (unsigned)((b->count - open) * 100 / b->count) : 100;
}

/* Names the keys that call again: those of the batch pane work only there. */
static void
report_batch(struct workbench *wb)
{
	const struct batch *b = wb->ws.batch;
	struct buf text = BUF_INIT;
	bool good = b->in_state[BATCH_DONE] == b->count;
	bool in_pane = workbench_focused(wb) == PANE_batch;
	char run_batch_again[64], pane[64];

	batch_add_summary(b, &text);
	if (b->trouble)
		buf_addf(&text, "; %s", b->trouble);
	bool has_key = !good && keymap_key_for(&wb->keymap, "batch", "call-each failed", false,
				    run_batch_again, sizeof(run_batch_again));
	if (has_key && in_pane)
		buf_addf(&text, "; %s calls again what failed", run_batch_again);
	else if (has_key &&
		 keymap_key_for(&wb->keymap, KEYMAP_GLOBAL, "batch", false, pane, sizeof(pane)))
		buf_addf(&text, "; %s, then %s calls again what failed", pane, run_batch_again);
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
	report_batch(wb);
}

static void
stop_batch(struct pane_work *work)
{
	struct workbench *wb = work->owner;

	batch_stop(wb->ws.batch, wb->now_us);
	wb->ws.generation++;
	batch_advance(wb);
}

/* Replaces the batch by one of the values that were passed on. */
static bool
create_batch(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	struct buf arguments = BUF_INIT;

	if (!renew_variables(wb) || !fill_in(wb, &arguments)) {
		buf_finish(&arguments);
		return false;
	}
	ws->desk->sends_secrets |= call_secret(wb) != NULL;
	uint64_t id = ws->batch ? ws->batch->id + 1 : 1;
	batch_destroy(ws->batch);
	ws->batch = batch_create(&(struct batch_wish){ .id = id,
				     .server = ws->server,
				     .primitive = workspace_primitive(ws),
				     .pointer = wb->armed.pointer,
				     .arguments = buf_text(&arguments) },
	    &wb->armed.values);
	buf_finish(&arguments);
	batch_disarm(wb);
	return true;
}

/* failed: the calls of the batch that failed are made again. */
static bool
start_batch(struct workbench *wb, bool failed)
{
	struct workspace *ws = &wb->ws;

	if (wb->work)
		return workbench_work(wb, &wb->batch_work); /* says why not */
	if (failed && (!ws->batch || batch_retry(ws->batch) == 0))
		return workbench_refuse(wb, "no call of a batch has failed");
	if (!failed && !create_batch(wb))
		return false;
	ws->batch->at_once = ws->batch_at_once;
	snprintf(wb->batch_work.text, sizeof(wb->batch_work.text), "%.60s, once for each value",
	    ws->batch->key);
	wb->batch_work.owner = wb;
	wb->batch_work.percent = batch_percent;
	wb->batch_work.stop = stop_batch;
	workbench_work(wb, &wb->batch_work);
	workbench_focus(wb, PANE_batch);
	batch_advance(wb);
	if (!failed && ws->desk && ws->desk->form)
		ws->desk->sent = form_view(ws->desk->form).version;
	return true;
}

/* Asks, unless the tool says that it only reads and there are few calls; a command given at the
 * start of the program has decided that. failed: the calls are those of the batch that failed. */
static bool
ask_for_each(struct workbench *wb, const struct primitive *p, size_t count, bool failed)
{
	static const struct confirm_words words = { "Call it once for each value?", "Do not call",
		"Call each", NULL };
	enum { NAMED = 3, BRIEF = 40 };
	bool reads = p->kind != PRIMITIVE_TOOL || p->read_only == HINT_TRUE;
	const struct form *form = wb->armed.values.len > 0 ? wb->ws.desk->form : NULL;
	size_t problems = form ? form_check(wb->ws.desk->form) : 0;
	const char *secret = form ? call_secret(wb) : NULL;
	struct buf text = BUF_INIT;

	wb->ws.generation++;
	if (wb->queue.advancing || (problems == 0 && !secret && reads && count <= ASKS_ABOVE))
		return start_batch(wb, failed);
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
	/* "order_id: "ORD-1", "ORD-2", "ORD-3" and 35 more" */
	const struct strings *values = &wb->armed.values;
	if (values->len > 0)
		buf_addf(&text, "%.60s: ", wb->armed.pointer + 1);
	for (size_t i = 0; i < values->len && i < NAMED; i++) {
		buf_add_str(&text, i > 0 ? ", " : "");
		utf8_add_cut(&text, values->items[i], strlen(values->items[i]), BRIEF);
	}
	if (values->len > NAMED)
		buf_addf(&text, " and %s more", units_count(values->len - NAMED).text);
	buf_add_str(&text, values->len > 0 ? "\n" : "");
	if (primitive_is_destructive(p))
		buf_add_str(&text, "The server marks it as destructive.\n");
	else if (!reads)
		buf_add_str(&text, "The server does not say that it only reads.\n");
	buf_add_str(&text, "Ctrl-C stops it.");
	return confirm_open(wb, &words, buf_detach(&text), "call-each!%s", failed ? " failed" : "");
}

static bool
cmd_call_each(struct workbench *wb, const char *arg, int asks)
{
	const struct batch *b = wb->ws.batch;
	const struct primitive *p = workspace_primitive(&wb->ws);
	bool failed = strcmp(arg, "failed") == 0;

	if (!failed && (!p || !batch_is_armed(wb)))
		return workbench_refuse(wb, "pass the values of a column on first: > in a table");
	if (!asks)
		return start_batch(wb, failed);
	if (failed) {
		size_t count = b ? b->in_state[BATCH_FAILED] + b->in_state[BATCH_STOPPED] : 0;
		p = b ? primitive_list_find(&server_info(b->server)->lists[b->kind].list, b->key, 0)
		      : NULL;
		return p && count > 0 ? ask_for_each(wb, p, count, true)
				      : workbench_refuse(wb, "no call of a batch has failed");
	}
	return ask_for_each(wb, p, wb->armed.values.len, false);
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
		return cmd_call_each(wb, "", true);
	return workbench_say(wb, ROLE_WARNING,
	    "the first of %s values is filled in: fill in the rest, then F5 calls once for each",
	    units_count(wb->armed.values.len).text);
}

/* "FIELD ARRAY": the items are passed on unchanged. */
static bool
cmd_each(struct workbench *wb, const char *arg)
{
	struct strings values = { 0 };
	struct buf pointer = BUF_INIT;
	struct err err = { "" };

	if (!wb->ws.desk || !wb->ws.desk->form)
		return workbench_refuse(wb, "no form is shown");
	const char *array = strstr(arg, " ["); /* the name before it may have blanks */
	struct json_doc *doc = array ? json_parse(array, strlen(array), NULL, NULL) : NULL;
	const cJSON *list = doc ? json_root(doc) : NULL;
	bool ok = (json_type(list) == JSON_ARRAY && json_count(list) > 0) ||
		  err_set(&err, "usage: each FIELD ARRAY, as in each id [1,2,3]");
	ok = ok && (json_count(list) <= BATCH_ROWS_MAX ||
		       err_set(&err, "at most %s values can be passed on",
			   units_count(BATCH_ROWS_MAX).text));
	for (const cJSON *item = ok ? json_first(list) : NULL; item; item = item->next)
		strings_take(&values, json_text(item));
	json_doc_destroy(doc);
	char *name = ok ? mem_strndup(arg, (size_t)(array - arg)) : NULL;
	struct field *field = ok ? form_reach_field(wb->ws.desk->form, name, &err) : NULL;
	if (field)
		field_pointer(field, &pointer);
	ok = field && pass_fill_in(wb, buf_text(&pointer), values.items[0], &err);
	ok = ok ? batch_arm(wb, buf_text(&pointer), &values) : workbench_refuse(wb, err.text);
	strings_finish(&values);
	buf_finish(&pointer);
	free(name);
	return ok;
}

/* Why the selection cannot be called, read or fetched; NULL if it can. */
static const char *
cannot_call(const struct workspace *ws)
{
	if (!ws->server)
		return "no server is connected";
	if (!ws->desk)
		return "nothing is selected";
	if (!workspace_primitive(ws))
		return "the server no longer lists it";
	if (workspace_primitive(ws)->unusable)
		return workspace_primitive(ws)->problem;
	if (!ws->desk->form)
		return "its definition is broken: F2 shows the problems";
	return NULL;
}

/* Asks if the arguments have problems, and before the first call of a destructive tool; a command
 * given at the start of the program has decided that. `anyway` is the command for yes; NULL: do not
 * ask. */
static bool
call_or_ask(struct workbench *wb, const char *anyway)
{
	static const struct confirm_words problem = { "Call it anyway?", "Fix", "Call anyway",
		"fix-arguments" };
	static const struct confirm_words danger = { "Call a destructive tool?", "Do not call",
		"Call", NULL };
	static const struct confirm_words leak = { "Send a secret?", "Do not call", "Call", NULL };
	const char *why = cannot_call(&wb->ws);

	if (why)
		return workbench_refuse(wb, why);
	if (!renew_variables(wb))
		return false;
	if (!anyway)
		return send_call(wb);
	struct desk *desk = wb->ws.desk;
	bool destructive = primitive_is_destructive(workspace_primitive(&wb->ws));
	size_t problems = form_check(desk->form);
	const char *secret = call_secret(wb);
	/* the arguments of a past call have a secret that the history did not keep */
	struct buf text = BUF_INIT;
	form_to_json(desk->form, &text);
	bool hidden = strstr(buf_text(&text), "\"" SECRET_HIDDEN "\"") != NULL;
	buf_finish(&text);
	wb->ws.generation++;
	bool agreed = !secret && (!destructive || desk->agreed);
	if (problems == 0 && !hidden && (agreed || wb->queue.advancing))
		return send_call(wb);
	if (secret)
		buf_addf(&text,
		    "The project fills in ${%.60s} with a secret of your environment, and the "
		    "server gets it. This is asked once.\n",
		    secret);
	confirm_add_problems(desk->form, "argument", &text);
	if (hidden)
		buf_add_str(&text,
		    "The history keeps no secrets: " SECRET_HIDDEN " would be sent instead.\n");
	if (destructive)
		buf_addf(&text, "The server marks %.60s as destructive.%s", desk->key,
		    desk->agreed ? "" : " This is asked once.");
	return confirm_open(wb,
	    problems > 0 || hidden   ? &problem
	    : secret && !destructive ? &leak
				     : &danger,
	    buf_detach(&text), "%s", anyway);
}

bool
cmd_call(struct workbench *wb, const char *arg, int how)
{
	const struct primitive *tool = workspace_primitive(&wb->ws);
	struct server *s = wb->ws.server;
	bool asks = how & CALL_ASKS;

	if (!(how & CALL_AS_TASK))
		return asks && batch_is_armed(wb) ? cmd_call_each(wb, "", true)
						  : call_or_ask(wb, asks ? "call!" : NULL);
	if (!s || !tool || tool->kind != PRIMITIVE_TOOL)
		return workbench_refuse(wb, "no tool is selected");
	if (!server_prefer_tasks(s, tool->definition, true))
		return workbench_refuse(wb, "this tool cannot be called as a task");
	bool ok = call_or_ask(wb, asks ? "call-task!" : NULL);
	server_prefer_tasks(s, tool->definition, false);
	return ok;
}

/* The same call in the legacy era. The server has to be connected in that era first, so the command
 * puts itself into the queue, with the call that it is about. */
static bool
cmd_call_legacy(struct workbench *wb, const char *arg)
{
	struct workspace *ws = &wb->ws;
	size_t choice = start_shown(wb);
	uint64_t id = *arg == '#' ? strtoull(arg + 1, NULL, 10) : 0;
	const struct call *c = id ? server_find_call(ws->server, id) : workspace_call(ws);
	char again[48];

	if (!c || !c->wants_legacy || choice == SIZE_MAX)
		return workbench_refuse(wb, "the call shown does not need the legacy era");
	if (id) {
		workspace_select_call(ws, c);
		const char *why = cannot_call(ws);
		return why ? workbench_refuse(wb, why)
			   : send_arguments(wb, c->arguments, strlen(c->arguments));
	}
	snprintf(again, sizeof(again), "call-legacy #%" PRIu64, c->id);
	server_set_era(ws->server, ERA_LEGACY);
	if (!start_again(wb, choice))
		return false;
	workbench_enqueue(wb, again);
	return workbench_say(wb, ROLE_DIM, "called again in the legacy era; :era auto goes back");
}

static bool
cmd_fix_arguments(struct workbench *wb, const char *arg)
{
	workbench_focus(wb, PANE_form);
	return workbench_run(wb, "next-problem first", wb->now_us);
}

/* A form's field comes before a setting of its name; "/theme" is always a field. */
static bool
is_setting(const struct workbench *wb, const char *name)
{
	const struct setting_info *setting;
	const struct form *form = wb->ws.desk ? wb->ws.desk->form : NULL;

	if (form && form_find(form, name))
		return false;
	for (size_t i = 0; (setting = wb->effects->setting(i)); i++)
		if (strcmp(setting->name, name) == 0)
			return true;
	return false;
}

bool
commands_set_setting(struct workbench *wb, const char *name, const char *value)
{
	struct buf now = BUF_INIT;
	struct err err = { "" };

	if (*value && !wb->effects->set_setting(wb->user, name, value, &err))
		return workbench_refuse(wb, err.text);
	wb->effects->add_setting(wb->user, name, &now);
	workbench_say(wb, *value ? ROLE_OK : ROLE_TEXT, "%s: %s", name, buf_text(&now));
	buf_finish(&now);
	return true;
}

/* Suggests a field or a setting for a name that is most likely misspelled. */
static bool
refuse_name(struct workbench *wb, const char *name)
{
	const struct field *root = form_view(wb->ws.desk->form).root;
	const struct setting_info *setting;
	struct did_you_mean meant;

	did_you_mean_init(&meant, name, strlen(name));
	for (size_t i = 0; i < field_view(root).child_count; i++)
		did_you_mean_try(&meant, field_view(field_child(root, i)).name);
	for (size_t i = 0; (setting = wb->effects->setting(i)); i++)
		did_you_mean_try(&meant, setting->name);
	return workbench_say(wb, ROLE_ERROR,
	    "no argument or setting is called %.40s%s (:argument adds one that the schema lacks)",
	    name, did_you_mean_or(&meant, ""));
}

/* adds: the argument is one that the schema may lack; otherwise the name may be of a setting. */
static bool
cmd_set(struct workbench *wb, const char *arg, int adds)
{
	struct form *form = wb->ws.desk ? wb->ws.desk->form : NULL;
	char *name = strings_next_word(&arg);
	struct err err = { "" };
	bool ok = false;

	if (!adds && is_setting(wb, name)) {
		ok = commands_set_setting(wb, name, arg);
	} else if (!*name || !*arg) {
		workbench_refuse(wb, adds ? "usage: argument NAME JSON"
					  : "usage: set FIELD JSON, or set SETTING [VALUE]");
	} else if (!form) {
		workbench_say(
		    wb, ROLE_ERROR, "no form is shown, and no setting is called %.40s", name);
	} else {
		ok = form_set(form, name, arg, adds ? FORM_EXTRA_ADDED : FORM_EXTRA_REFUSED, &err);
		wb->ws.generation++;
		if (ok)
			workbench_say(wb, ROLE_OK,
			    adds ? "%.80s is sent with the call" : "%.80s is set", name);
		else if (err.text[0])
			workbench_refuse(wb, err.text);
		else
			refuse_name(wb, name);
	}
	free(name);
	return ok;
}

/* The form of the question on top, if any, or else of the selection. */
static struct form *
active_form(const struct workbench *wb)
{
	const struct question *q =
	    wb->overlay == PANE_questions ? workspace_question(&wb->ws) : NULL;

	return q ? q->form : wb->ws.desk ? wb->ws.desk->form : NULL;
}

bool
commands_edit(struct workbench *wb, struct edited edited, const char *text, size_t len)
{
	struct err err = { "" };

	if (!wb->effects->edit(wb->user, text, len, &err)) {
		free(edited.field);
		return workbench_refuse(wb, err.text);
	}
	free(wb->edited.field);
	wb->edited = edited;
	return true;
}

static bool
cmd_edit(struct workbench *wb, const char *arg)
{
	bool one = *arg != '\0';
	struct edited edited = { .what = one ? EDITED_FIELD : EDITED_ARGUMENTS,
		.desk = wb->ws.desk };
	struct buf text = BUF_INIT;
	struct err err = { "" };

	if (!one && !wb->ws.desk && wb->ws.server)
		return cmd_edit_server(wb, "");
	struct form *form = one ? active_form(wb) : wb->ws.desk ? wb->ws.desk->form : NULL;
	if (!form)
		return workbench_refuse(wb, "no form is shown");
	if (one) {
		const struct question *q =
		    wb->overlay == PANE_questions ? workspace_question(&wb->ws) : NULL;
		edited.question = q ? q->id : 0;
		edited.field = strings_next_word(&arg);
		struct field *field = form_reach_field(form, edited.field, &err);
		if (!field) {
			free(edited.field);
			return workbench_refuse(wb, err.text);
		}
		field_to_text(field, &text);
	} else {
		form_to_json_pretty(form, &text);
	}
	buf_add_char(&text, '\n');
	bool ok = commands_edit(wb, edited, buf_text(&text), text.len);
	buf_finish(&text);
	return ok;
}

/* Edited text without a field goes to the clipboard. */
static void
give_back(struct workbench *wb, const char *text, size_t len, const char *why)
{
	wb->effects->copy(wb->user, text, len);
	workbench_say(wb, ROLE_WARNING, "%s: the text is in the clipboard", why);
}

/* desk: that of the edited field; NULL: another is shown now. */
static void
take_field(struct workbench *wb, const struct desk *desk, const char *text, size_t len)
{
	const struct question *q = wb->edited.question && wb->ws.server
				       ? server_find_question(wb->ws.server, wb->edited.question)
				       : NULL;
	struct form *form = q ? q->form : desk && !wb->edited.question ? desk->form : NULL;
	struct field *field = form ? form_find(form, wb->edited.field) : NULL;

	if (!field) {
		give_back(wb, text, len, "the edited field is no longer shown");
		return;
	}
	if (!field_from_text(field, text, len))
		workbench_say(wb, ROLE_WARNING, "kept as typed, but it is not valid JSON");
	form_check_given(form);
}

/* ---- messages that the user writes, past the forms ---- */

static bool
send_text(struct workbench *wb, const char *text, size_t len, bool new_id)
{
	struct workspace *ws = &wb->ws;
	uint64_t call = 0;

	if (!ws->server || !server_send_text(ws->server, text, len, new_id, wb->now_us, &call))
		return workbench_refuse(wb, "not connected: nothing was sent");
	if (call) { /* it is a call like others: its result is shown, and checked */
		workspace_select_call(ws, server_find_call(ws->server, call));
		workbench_follow(wb, call);
	}
	return workbench_say(
	    wb, ROLE_OK, "sent %s bytes; the journal shows the reply", units_count(len).text);
}

/* Asks before it sends a text that a server would not expect. */
static bool
send_checked(struct workbench *wb, const char *text, size_t len, bool new_id)
{
	static const struct confirm_words words = { "Send it?", "Keep it", "Send", NULL };
	const struct session *session = wb->ws.server ? server_info(wb->ws.server)->session : NULL;
	char why[200];

	if (!session || session_check_text(session, text, len, why, sizeof(why)))
		return send_text(wb, text, len, new_id);
	char *line = mem_strndup(text, len);
	for (char *at = line; *at; at++)
		*at = *at == '\n' || *at == '\r' ? ' ' : *at;
	confirm_open(wb, &words,
	    mem_printf("This is not a message that a server expects: %s.", why), "send! %s", line);
	free(line);
	return true;
}

enum { SEND_CHECKED, SEND_NOW, SEND_AGAIN };

static bool
cmd_send(struct workbench *wb, const char *arg, int how)
{
	if (*arg == '\0')
		return workbench_say(wb, ROLE_ERROR, "usage: send%s JSON",
		    how == SEND_AGAIN ? "-again!"
		    : how == SEND_NOW ? "!"
				      : "");
	return how == SEND_CHECKED ? send_checked(wb, arg, strlen(arg), false)
				   : send_text(wb, arg, strlen(arg), how == SEND_AGAIN);
}

/* Asks about each call of a destructive tool, unlike for a call of the form: a line of the journal
 * is soon mistaken for another. */
bool
commands_send_again(struct workbench *wb, const char *text, size_t len)
{
	static const struct confirm_words words = { "Call a destructive tool again?", "Do not call",
		"Call again", NULL };
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	const cJSON *message = doc ? json_root(doc) : NULL;
	const char *method = json_get_string(message, "method");
	const char *name = json_get_string(json_get(message, "params"), "name");
	const struct primitive *tool = NULL;

	if (wb->ws.server && method && name && strcmp(method, "tools/call") == 0)
		tool = primitive_list_find(
		    &server_info(wb->ws.server)->lists[PRIMITIVE_TOOL].list, name, 0);
	bool asks = tool && primitive_is_destructive(tool) && !wb->queue.advancing;
	if (asks)
		confirm_open(wb, &words,
		    mem_printf("The server marks %.60s as destructive. The same request was sent "
			       "before.",
			name),
		    "send-again! %.*s", (int)len, text);
	json_doc_destroy(doc);
	return asks || send_text(wb, text, len, true);
}

/* ---- text from the editor ---- */

void
workbench_on_edited(
    struct workbench *wb, const char *text, size_t len, const char *why, int64_t now_us)
{
	/* the user may have selected another form while the editor was open in the terminal pane */
	struct desk *desk = wb->ws.desk == wb->edited.desk ? wb->ws.desk : NULL;
	struct json_error where;

	wb->now_us = now_us;
	wb->ws.generation++;
	if (!text) {
		workbench_refuse(wb, why);
		return;
	}
	while (len > 0 && strchr(" \n\r\t", text[len - 1]))
		len--;
	switch (wb->edited.what) {
	case EDITED_MESSAGE:
		if (len > 0)
			send_checked(wb, text, len, true);
		else
			workbench_say(wb, ROLE_DIM, "the text is empty: nothing was sent");
		break;
	case EDITED_FIELD:
		take_field(wb, desk, text, len);
		break;
	case EDITED_RECIPE:
		commands_take_recipe(wb, text, len);
		break;
	case EDITED_ANSWER:
	case EDITED_REQUEST:
		commands_take_answer(wb, text, len);
		break;
	case EDITED_ARGUMENTS:
		if (!desk || !desk->form) {
			give_back(
			    wb, text, len, "the form of the edited arguments is no longer shown");
		} else if (!form_load_json(desk->form, text, len, &where)) {
			form_load_raw(desk->form, text, len);
			workbench_say(wb, ROLE_WARNING,
			    "kept as typed, but it is not valid JSON: line %u column %u: %s",
			    where.line, where.column, where.text);
		}
	}
}

/* ---- a file into a string ---- */

#define FILE_MAX ((size_t)12 << 20)

/* "FIELD [raw|base64] PATH"; without raw or base64 the schema and the bytes decide. */
static bool
cmd_file(struct workbench *wb, const char *arg)
{
	struct form *form = active_form(wb);
	struct buf bytes = { .max = FILE_MAX }, text = BUF_INIT;
	struct err err = { "" };

	if (!form)
		return workbench_refuse(wb, "no form is shown");
	char *name = strings_next_word(&arg);
	bool raw = strncmp(arg, "raw ", 4) == 0, base64 = strncmp(arg, "base64 ", 7) == 0;
	arg += raw ? 4 : base64 ? 7 : 0;
	arg += strspn(arg, " ");
	struct field *field = *arg ? form_reach_field(form, name, &err) : NULL;
	free(name);
	if (!*arg)
		return workbench_refuse(wb, "usage: file FIELD [raw|base64] PATH");
	bool ok = field && wb->effects->read_file(wb->user, arg, &bytes, &err);
	bool is_text = ok && !memchr(buf_text(&bytes), 0, bytes.len) &&
		       utf8_first_invalid(buf_text(&bytes), bytes.len) == bytes.len;
	if (ok && raw && !is_text)
		ok = err_set(&err, "the file is not text: load it as base64");
	if (ok) {
		raw = raw || (is_text && !base64 && !field_view(field).base64);
		if (!raw)
			base64_add(&text, bytes.data, bytes.len, BASE64_PLAIN);
		field_put_string(
		    field, buf_text(raw ? &bytes : &text), (raw ? &bytes : &text)->len);
		workbench_say(wb, ROLE_OK, "%s bytes as %s", units_count(bytes.len).text,
		    raw ? "text" : "base64");
	}
	buf_finish(&bytes);
	buf_finish(&text);
	form_check_given(form);
	wb->ws.generation++;
	return ok || workbench_refuse(wb, err.text);
}

/* clang-format off */
const struct command call_commands[] = {
	COMMAND_WITH("call", "ctrl-r r f5", "", "call the tool, read the resource, get the prompt", cmd_call, CALL_ASKS),
	COMMAND_WITH("call!", "", "", "call without confirmation, whatever the arguments", cmd_call, CALL_AT_ONCE),
	COMMAND("call-legacy", "O", "", "repeat the failed call in the legacy era, in which servers can send requests", cmd_call_legacy),
	COMMAND("fix-arguments", "", "", "go to the first field with a problem", cmd_fix_arguments),
	COMMAND_WITH("set", "", "NAME [VALUE]", "set a form field, by name or JSON Pointer, or a setting", cmd_set, false),
	COMMAND_WITH("argument", "", "NAME JSON", "set an argument that the schema may lack", cmd_set, true),
	COMMAND("edit", "ctrl-e", "[FIELD]", "edit the arguments or one field in $EDITOR", cmd_edit),
	COMMAND("file", "", "FIELD [raw|base64] PATH", "put a file into a form field", cmd_file),
	COMMAND_WITH("call-task", "", "", "call the tool as a task, if it supports that", cmd_call, CALL_AS_TASK | CALL_ASKS),
	COMMAND_WITH("call-task!", "", "", "call as a task without confirmation", cmd_call, CALL_AS_TASK),
	COMMAND_WITH("send", "", "JSON", "send a message as typed; the journal shows it and the reply", cmd_send, SEND_CHECKED),
	COMMAND_WITH("send!", "", "JSON", "send a message without confirmation", cmd_send, SEND_NOW),
	COMMAND_WITH("send-again!", "", "JSON", "send a request under a new id, without confirmation", cmd_send, SEND_AGAIN),
	COMMAND_WITH("call-each", "", "[failed]", "call the tool once per value, or repeat the failed calls", cmd_call_each, true),
	COMMAND_WITH("call-each!", "", "[failed]", "the same without confirmation", cmd_call_each, false),
	COMMAND("each", "", "FIELD ARRAY", "make a batch: put the first item into a field; the call then offers to repeat for each item", cmd_each),
	{ 0 },
};
/* clang-format on */

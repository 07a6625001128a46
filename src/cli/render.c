/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text_match.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "client/app.h"
#include "engine/engine.h"
#include "host/app_house.h"
#include "json/print.h"
#include "json/write.h"
#include "ui/backend.h"
#include "ui/paint.h"
#include "view/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * `mcpane render`: one app that runs without a screen, for as long as the steps of the command line
 * take.
 *
 * Calls the tool, opens its app in the engine, runs the steps, and prints the picture and the
 * messages. Requests to the user are refused, or granted with --yes.
 */

enum { START_US = 60 * 1000000, STEP_US = 10 * 1000000, END_US = 1000000 };
/* An app rests if it has not changed for REST_US. An app that never rests is drawn after
 * RESTLESS_US.
 */
enum { REST_US = 250000, RESTLESS_US = 2 * 1000000 };

struct render_outcome {    /* of a step */
	int64_t took_us;   /* -1: it was not its turn */
	char trouble[200]; /* "": it worked */
};

struct render_wish {
	char *text; /* untrusted */
	bool granted;
};

struct render {
	struct client client; /* first: client_wait() passes only the client */
	const struct options *o;
	uint64_t call;
	bool started;
	char trouble[300];               /* why the app is broken; "" */
	struct render_outcome *outcomes; /* of o->steps */
	struct {
		struct render_wish *items;
		size_t len, cap;
	} wishes;
	struct strings files; /* that the app gave */
	struct buf picture;   /* as text */

	/* the wait under way */
	struct loop_timer timer;
	int64_t from_us, deadline_us;
	int64_t changed_us;     /* the app did something */
	size_t frames, scanned; /* seen; searched */
	const struct option_step *step;
	bool (*done)(struct render *r);
	const char *wait_trouble; /* NULL: none; lives as long as the app */
	bool worked;              /* done() */
	int x, y;                 /* where the click goes, in CSS pixels */
	bool is_disabled;         /* the element to click */
	struct buf png;
	char png_trouble[200];
};

/* NULL: it is gone. */
static struct app *
render_app(const struct render *r)
{
	return r->call ? server_find_app(client_server(&r->client), r->call) : NULL;
}

static const struct call *
call_of(const struct render *r)
{
	return r->call ? server_find_call(client_server(&r->client), r->call) : NULL;
}

bool
render_check(const struct options *o, struct err *err)
{
	struct theme theme;

	if (o->call.json + o->render.text + o->render.ansi > 1)
		return err_set(err, "--json, --text and --ansi exclude each other");
	if (o->connect.apps == APPS_NEVER)
		return err_set(err, "render goes without --apps never");
	return !o->screen.theme || theme_builtin(&theme, o->screen.theme) ||
	       err_set(err, "--theme: render knows the themes that are built in, not \"%.80s\"",
		   o->screen.theme);
}

/* ---- the report: the picture and the messages ---- */

static const char *const step_names[] = { "wait", "click", "type", "press" };

static const char *const note_names[] = {
	[APP_VIEW_CONSOLE] = "console",
	[APP_VIEW_EXCEPTION] = "exception",
	[APP_VIEW_VIOLATION] = "violation",
	[APP_VIEW_BLOCKED] = "blocked",
	[APP_VIEW_POPUP] = "popup",
	[APP_VIEW_DIALOG] = "dialog",
	[APP_VIEW_DOWNLOAD] = "download",
	[APP_VIEW_NAVIGATION] = "navigation",
	[APP_VIEW_DROPPED] = "dropped",
	[APP_VIEW_CARRIED] = "network",
};

static const struct app_facts *
facts_of(const struct render *r)
{
	const struct app *a = render_app(r);

	return a ? app_facts(a) : NULL;
}

/* Keeps the picture of now: as text, in that many colors. */
static void
render_take_picture(struct render *r, int colors)
{
	const struct app_facts *f = facts_of(r);
	struct grid grid;

	if (!f || !f->cells)
		return;
	if (colors == PAINT_MONO) {
		app_cells_add_text(f->cells, &r->picture);
	} else {
		grid_init(&grid, f->cells->cols, f->cells->rows);
		render_app_cells(surface_whole(&grid), f->cells, 0xffffff);
		output_add_surface(&r->picture, surface_whole(&grid), colors);
		grid_finish(&grid);
	}
	while (r->picture.len > 1 && strcmp(r->picture.data + r->picture.len - 2, "\n\n") == 0)
		buf_truncate(&r->picture, r->picture.len - 1);
}

/* ---- as one object ---- */

/* us: null if it is negative. */
static void
write_ms(struct json_writer *w, const char *key, int64_t us)
{
	json_write_key(w, key);
	if (us < 0)
		json_write_null(w);
	else
		json_write_int(w, us / 1000);
}

static void
write_picture(struct json_writer *w, const struct render *r, const struct app_facts *f)
{
	const struct app_cells *c = f->cells;
	const char *at = buf_text(&r->picture);

	json_write_member_int(w, "columns", f->cols);
	json_write_member_int(w, "rows", f->rows);
	json_write_member_array(w, "text");
	while (*at) {
		size_t len = strcspn(at, "\n");
		json_write_stringn(w, at, len);
		at += len + (at[len] == '\n');
	}
	json_write_array_end(w);
	json_write_member_int(w, "lostCharacters", c ? (int64_t)c->facts.lost : 0);
	json_write_member_int(w, "pageHeight", c ? (int64_t)c->facts.page_height : 0);
	json_write_member_array(w, "targets");
	for (size_t i = 0; c && i < c->target_count; i++) {
		const struct app_target *t = &c->targets[i];
		json_write_object(w);
		json_write_member_string(w, "role", t->role);
		json_write_member_string(w, "name", t->name);
		json_write_member_int(w, "column", t->col);
		json_write_member_int(w, "row", t->row);
		json_write_member_bool(w, "disabled", t->is_disabled);
		json_write_member_bool(w, "checked", t->is_checked);
		json_write_member_bool(w, "focused", t->is_focused);
		json_write_member_bool(w, "editable", t->is_editable);
		json_write_object_end(w);
	}
	json_write_array_end(w);
}

static void
write_notes(struct json_writer *w, const struct app_facts *f)
{
	json_write_member_array(w, "notes");
	for (size_t i = 0; i < f->note_count; i++) {
		const struct app_note *n = &f->notes[i];
		json_write_object(w);
		json_write_member_string(w, "kind", note_names[n->kind]);
		json_write_member_bool(w, "error", n->is_error);
		json_write_member_string(w, "text", n->text);
		json_write_member_string(w, "where", n->where[0] ? n->where : NULL);
		json_write_member_string(w, "advice", n->advice[0] ? n->advice : NULL);
		json_write_member_int(w, "ms", (n->at_us - f->opened_us) / 1000);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_member_int(w, "notesDropped", (int64_t)f->notes_dropped);
}

/* The requests of the app to the user, and its data for the model. */
static void
write_wishes(struct json_writer *w, const struct render *r, const struct app_facts *f)
{
	json_write_member_array(w, "asked");
	for (size_t i = 0; i < r->wishes.len; i++) {
		json_write_object(w);
		json_write_member_string(w, "text", r->wishes.items[i].text);
		json_write_member_bool(w, "granted", r->wishes.items[i].granted);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_member_array(w, "files");
	for (size_t i = 0; i < r->files.len; i++)
		json_write_string(w, r->files.items[i]);
	json_write_array_end(w);
	json_write_key(w, "modelContext");
	if (f->bridge && f->bridge->context)
		json_write_value(w, f->bridge->context);
	else
		json_write_null(w);
	json_write_member_array(w, "messages");
	for (size_t i = 0; i < f->messages->len; i++)
		json_write_raw(w, f->messages->items[i], strlen(f->messages->items[i]));
	json_write_array_end(w);
}

static void
write_bridge(struct json_writer *w, const struct app_facts *f)
{
	static const char *const from[] = { [JOURNAL_SENT] = "host",
		[JOURNAL_RECEIVED] = "app",
		[JOURNAL_STDERR] = "host",
		[JOURNAL_NOTE] = "mcpane" };
	const struct journal_info *log = journal_info(f->log);

	json_write_member_object(w, "app");
	json_write_member_string(w, "name", f->bridge ? f->bridge->app_name : "");
	json_write_member_string(w, "version", f->bridge ? f->bridge->app_version : "");
	json_write_member_string(w, "protocol", f->bridge ? f->bridge->protocol : "");
	json_write_object_end(w);
	json_write_member_array(w, "bridge");
	for (size_t i = 0; i < log->count; i++) {
		const struct journal_entry *e = journal_at(f->log, i);
		struct json_doc *doc = NULL;
		if (e->kind != JOURNAL_NOTE && e->dropped == 0)
			doc = json_parse(e->bytes->data, e->bytes->len, NULL, NULL);
		json_write_object(w);
		json_write_member_string(w, "from", from[e->kind]);
		json_write_member_int(w, "ms", (e->at_us - f->opened_us) / 1000);
		json_write_key(w, doc ? "message" : "text");
		if (doc)
			json_write_value(w, json_root(doc));
		else
			json_write_stringn(w, e->bytes->data, e->bytes->len);
		if (e->dropped > 0)
			json_write_member_int(w, "bytesDropped", (int64_t)e->dropped);
		if (e->flaw)
			json_write_member_string(w, "flaw", e->flaw);
		json_write_object_end(w);
		json_doc_destroy(doc);
	}
	json_write_array_end(w);
	json_write_member_int(w, "bridgeEvicted", (int64_t)log->evicted);
}

static void
render_add_json(const struct render *r, struct buf *out)
{
	const struct app_facts *f = facts_of(r);
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "tool", r->o->call.tool);
	json_write_member_string(&w, "error", r->trouble[0] ? r->trouble : NULL);
	json_write_member_array(&w, "steps");
	for (size_t i = 0; i < r->o->render.steps.len; i++) {
		const struct render_outcome *outcome = &r->outcomes[i];
		const struct option_step *step = &r->o->render.steps.items[i];
		json_write_object(&w);
		json_write_member_string(&w, step_names[step->kind], step->text);
		write_ms(&w, "ms", outcome->took_us);
		json_write_member_string(
		    &w, "error", outcome->trouble[0] ? outcome->trouble : NULL);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	if (f) {
		json_write_member_string(&w, "resource", f->uri);
		json_write_member_string(&w, "state", app_life_names[f->life]);
		write_ms(&w, "readyMs", f->ready_us);
		json_write_member_string(&w, "csp", app_csp_names[f->csp]);
		json_write_member_string(&w, "policy", buf_text(&f->policy->header));
		write_picture(&w, r, f);
		write_notes(&w, f);
		write_wishes(&w, r, f);
		write_bridge(&w, f);
	}
	json_write_object_end(&w);
}

/* On standard error. */
static void
render_say(const struct render *r)
{
	const struct app_facts *f = facts_of(r);
	struct buf text = BUF_INIT;

	for (size_t i = 0; f && i < f->note_count; i++) {
		const struct app_note *n = &f->notes[i];
		say("%s: %.900s", note_names[n->kind], n->text);
		say_lines(n->where, strlen(n->where));
		say_lines(n->advice, strlen(n->advice));
	}
	for (size_t i = 0; i < r->wishes.len; i++)
		say("the app wanted to %s: %s", r->wishes.items[i].text,
		    r->wishes.items[i].granted ? "granted" : "refused; --yes grants it");
	for (size_t i = 0; i < r->files.len; i++)
		say("saved %s", r->files.items[i]);
	if (f && f->bridge && f->bridge->context) {
		json_print_pretty(&text, f->bridge->context, 2);
		say("the model context:");
		say_lines(buf_text(&text), text.len);
	}
	for (size_t i = 0; f && i < f->messages->len; i++) {
		say("a message for the conversation:");
		say_lines(f->messages->items[i], strlen(f->messages->items[i]));
	}
	size_t messages = f ? journal_info(f->log)->count : 0;
	if (messages > 0)
		say("bridge:");
	for (size_t i = 0; i < messages; i++) {
		const struct journal_entry *e = journal_at(f->log, i);
		buf_clear(&text);
		if (e->kind == JOURNAL_NOTE)
			buf_add(&text, e->bytes->data, e->bytes->len);
		else
			buf_addf(&text, "%s %s%s%s%s%s%s%s",
			    e->kind == JOURNAL_SENT ? "to the app" : "from the app",
			    e->method ? e->method : "",
			    e->message == MESSAGE_RESULT || e->message == MESSAGE_ERROR
				? " (response)"
				: "",
			    e->tool ? " " : "", e->tool ? e->tool : "", e->brief ? ": " : "",
			    e->brief ? e->brief : "", e->flaw ? " (flawed)" : "");
		say_lines(buf_text(&text), text.len);
	}
	buf_finish(&text);
	for (size_t i = 0; i < r->o->render.steps.len; i++)
		if (r->outcomes[i].trouble[0])
			say("--%s \"%s\": %s", step_names[r->o->render.steps.items[i].kind],
			    r->o->render.steps.items[i].text, r->outcomes[i].trouble);
	if (r->trouble[0])
		say("%s: %s", r->o->call.tool, r->trouble);
}

/* ---- requests and files of the app ---- */

/* Acknowledges the frame, because the engine sends the next one only then. */
static void
render_look(struct render *r, struct app *a)
{
	const struct app_facts *f = app_facts(a);
	bool busy = (f->view && f->view->inputs > 0) || (f->bridge && f->bridge->asks > 0);
	struct app_file file;
	struct err err;

	while (f->wish_count > 0) {
		const struct app_wish *wish = &f->wishes[0];
		*VEC_PUSH(&r->wishes) =
		    (struct render_wish){ mem_strdup(wish->text), r->o->render.yes };
		app_answer(a, wish->token, r->o->render.yes, clock_now_us());
		connection_touch(r->client.connection);
	}
	while (app_take_file(a, &file)) { /* in the working directory, where none is overwritten */
		if (access(file.name, F_OK) == 0)
			say("%s is there already: the file of the app was not saved", file.name);
		else if (!path_write_file(file.name, file.bytes.data, file.bytes.len, &err))
			say("%s", err.text);
		else
			strings_add(&r->files, file.name);
		buf_finish(&file.bytes);
	}
	if (busy || (f->frames != r->frames && f->cells && f->cells->facts.changed > 0))
		r->changed_us = clock_now_us();
	r->frames = f->frames;
	app_drawn(a);
}

/* Nothing has happened in the app for a moment, and it waits for nothing. */
static bool
render_rests(struct render *r)
{
	const struct app_facts *f = app_facts(render_app(r));
	int64_t now_us = clock_now_us();

	if (!f->view || f->view->hung || f->view->inputs > 0 || f->bridge->asks > 0)
		return false;
	return now_us - r->changed_us >= REST_US || now_us - r->from_us >= RESTLESS_US;
}

/* ---- waiting ---- */

#define RENDER_LATE "it did not appear in time" /* a trouble: the app runs, done() stays false */

static const char *
why_late(const struct app *a)
{
	const struct app_facts *f = app_facts(a);

	if (f->life == APP_READING)
		return "its page did not come in time";
	if (!f->view || f->view->state != APP_VIEW_RUNNING)
		return "its page did not load in time";
	if (f->view->hung)
		return "its script does not end";
	if (f->bridge->phase == APP_LOADING)
		return "it sent no ui/initialize in time";
	if (f->bridge->phase == APP_INITIALIZING)
		return "it sent no ui/notifications/initialized in time";
	if (f->view->inputs > 0)
		return "it did not take the input in time";
	return f->frames == 0 ? "no picture came in time" : RENDER_LATE;
}

static void
on_alarm(void *user)
{
	/* the turn of the loop is all that is wanted */
}

static bool
render_is_over(const struct client *c)
{
	struct render *r = c->user;
	struct app *a = render_app(r);
	const struct app_facts *f = a ? app_facts(a) : NULL;

	r->worked = false;
	r->wait_trouble = !f                                     ? "the app has closed itself"
			  : f->life == APP_BROKEN                ? f->reason
			  : f->life == APP_STARTING && f->bridge ? f->bridge->trouble
								 : NULL;
	if (r->wait_trouble)
		return true;
	render_look(r, a);
	r->worked = r->done(r);
	if (!r->worked && clock_now_us() >= r->deadline_us)
		r->wait_trouble = why_late(a);
	if (r->worked || r->wait_trouble)
		return true;
	int64_t now_us = clock_now_us(), at_us = r->deadline_us;
	int64_t rests_us = r->changed_us + REST_US, restless_us = r->from_us + RESTLESS_US;
	if (rests_us > now_us && rests_us < at_us)
		at_us = rests_us;
	if (restless_us > now_us && restless_us < at_us)
		at_us = restless_us;
	int64_t wait_ms = at_us > now_us ? (at_us - now_us) / 1000 + 1 : 0;
	loop_timer_set(r->client.loop, &r->timer, loop_now_ms(r->client.loop) + wait_ms);
	return false;
}

/* Waits for done() until the deadline. False: trouble has the reason, one line. */
static bool
render_wait(
    struct render *r, int64_t limit_us, bool (*done)(struct render *r), char *trouble, size_t size)
{
	r->done = done;
	r->worked = false;
	r->wait_trouble = NULL;
	r->from_us = r->changed_us = clock_now_us();
	r->deadline_us = r->from_us + limit_us;
	r->timer = (struct loop_timer){ .fn = on_alarm };
	r->client.user = r;
	client_wait(&r->client, render_is_over);
	loop_timer_cancel(&r->timer);
	if (!r->worked)
		snprintf(trouble, size, "%s", r->wait_trouble ? r->wait_trouble : "a signal came");
	return r->worked;
}

/* ---- the start ---- */

/* The call has its own limits of time. */
static bool
has_started(struct render *r)
{
	const struct app_facts *f = app_facts(render_app(r));
	const struct call *c = call_of(r);

	if (c && c->state == CALL_RUNNING)
		r->deadline_us += clock_now_us() - r->from_us;
	if (c && c->state == CALL_RUNNING)
		r->from_us = clock_now_us();
	/* The first pictures may come before the style and the text. */
	return f->life == APP_ALIVE && f->bridge->result_sent && f->cells &&
	       f->cells->facts.page_height > 0 && render_rests(r);
}

static bool
was_read(struct render *r)
{
	return app_facts(render_app(r))->life != APP_READING;
}

/* False: the command line is wrong, and that was said. An app that does not start is trouble. */
static bool
render_start(struct render *r, int64_t limit_us)
{
	if (!render_wait(r, limit_us, was_read, r->trouble, sizeof(r->trouble)))
		return true;
	for (size_t i = 0; i < r->o->render.allowed.len; i++) { /* before its page asks for any */
		const char *text = r->o->render.allowed.items[i];
		if (!*text || !app_find_domain(render_app(r), text)) {
			client_fail(&r->client,
			    "--allow: the app declares no domain \"%.100s\" that it could reach; "
			    "mcpane apps lists those it declares",
			    text);
			return false;
		}
		server_allow_domain(client_server(&r->client), text);
	}
	r->started = render_wait(r, limit_us, has_started, r->trouble, sizeof(r->trouble));
	if (!r->started)
		return true;
	/* an app that throws while it starts is broken, even if it shows something */
	const struct app_facts *f = app_facts(render_app(r));
	for (size_t i = 0; i < f->note_count && !r->trouble[0]; i++)
		if (f->notes[i].kind == APP_VIEW_EXCEPTION)
			snprintf(r->trouble, sizeof(r->trouble),
			    "an exception while it started: %s", f->notes[i].text);
	return true;
}

/* Returns 0, or the exit code after reporting the failure. */
static int
open_app(struct render *r, const struct call_source *source)
{
	struct client *c = &r->client;
	struct server *s = client_server(c);
	const struct primitive *tool =
	    primitive_list_find(&server_info(s)->lists[PRIMITIVE_TOOL].list, r->o->call.tool, 0);
	struct theme theme;
	struct err err;

	if (tool && !tool->unusable && !tool->app.resource) {
		client_fail(
		    c, "%s has no app; mcpane apps lists the tools that have one", r->o->call.tool);
		return CLI_EXIT_TOOL_ERROR;
	}
	theme_builtin(&theme, r->o->screen.theme ? r->o->screen.theme : "dark");
	render_app_colors(&theme, &c->apps->context);
	server_use_apps(s, c->apps);
	int code = client_send_call(c, r->o, source, &r->call);
	if (code)
		return code;
	struct app *a = server_open_app(s, r->call, clock_now_us(), &err);
	if (!a) {
		client_fail(c, "%s", err.text);
		return CLI_EXIT_TOOL_ERROR;
	}
	if (r->o->render.size.cols > 0)
		app_set_stage(
		    a, r->o->render.size.cols, r->o->render.size.rows, true, clock_now_us());
	else
		app_set_stage(a, app_facts(a)->cols, app_facts(a)->rows, true, clock_now_us());
	if (r->o->render.csp != APP_CSP_STRICT)
		app_reload(a, (enum app_csp)r->o->render.csp, clock_now_us());
	return 0;
}

/* ---- steps ---- */

/* Steps wait for a condition, never for a time: the element must exist, and the app must have taken
 * its input. */

/* Without what differs between lines and columns: each run of blanks is one. */
static void
add_squeezed(struct buf *out, const char *text)
{
	bool blank = false;

	for (; *text; text++) {
		if (*text == ' ' || *text == '\n' || *text == '\t') {
			blank = true;
			continue;
		}
		if (blank && out->len > 0)
			buf_add_char(out, ' ');
		blank = false;
		buf_add_char(out, *text);
	}
}

static bool
shows_text(struct render *r)
{
	struct buf raw = BUF_INIT, page = BUF_INIT, sought = BUF_INIT;
	const struct app_cells *cells = facts_of(r)->cells;

	if (!cells || r->scanned == r->frames)
		return false;
	r->scanned = r->frames;
	app_cells_add_text(cells, &raw);
	add_squeezed(&page, buf_text(&raw));
	add_squeezed(&sought, r->step->text);
	bool found = strstr(buf_text(&page), buf_text(&sought)) != NULL;
	buf_finish(&raw);
	buf_finish(&page);
	buf_finish(&sought);
	return found;
}

static bool
step_is_named(const struct app_target *t, const char *name, bool whole)
{
	struct buf own = BUF_INIT, wanted = BUF_INIT;
	struct substring part;

	add_squeezed(&own, t->name);
	add_squeezed(&wanted, name);
	substring_init(&part, buf_text(&wanted), wanted.len);
	bool fits = whole ? strcmp(buf_text(&own), buf_text(&wanted)) == 0
			  : substring_is_in(&part, buf_text(&own), own.len);
	substring_finish(&part);
	buf_finish(&own);
	buf_finish(&wanted);
	return fits;
}

/* The columns of the text in a row; false: it is not there. */
static bool
find_in_row(const struct app_cells *c, int row, const char *text, int *first, int *last)
{
	const struct app_cell *cells = &c->cells[(size_t)row * (size_t)c->cols];
	size_t len = strlen(text);

	for (int start = 0; start < c->cols; start++) {
		size_t at = 0;
		int col = start;
		for (; col < c->cols && at < len; col++) {
			char bytes[4];
			size_t n = cells[col].ch ? utf8_encode(cells[col].ch, bytes) : 0;
			if (n > len - at || memcmp(bytes, text + at, n) != 0)
				break;
			at += n;
		}
		if (at < len)
			continue;
		*first = start;
		*last = col - 1;
		return true;
	}
	return false;
}

/* Finds the middle of the element with the name, else of the text. A page that still grows may move
 * it before the click arrives. */
static bool
find_place(struct render *r)
{
	const struct app_cells *c = facts_of(r)->cells;
	const struct app_target *target = NULL;
	int first, last;

	for (int whole = 1; c && whole >= 0 && !target; whole--)
		for (size_t i = 0; i < c->target_count && !target; i++)
			if (step_is_named(&c->targets[i], r->step->text, whole))
				target = &c->targets[i];
	r->is_disabled = target && target->is_disabled;
	if (target) {
		r->x = (int)target->x;
		r->y = (int)target->y;
		return !target->is_disabled && render_rests(r);
	}
	for (int row = 0; c && row < c->rows; row++) {
		if (!find_in_row(c, row, r->step->text, &first, &last))
			continue;
		r->x = (first + last + 1) * c->cell_width / 2;
		r->y = row * c->cell_height + c->cell_height / 2;
		return render_rests(r);
	}
	return false;
}

/* False: there is no such key. */
static bool
step_press(struct render *r, const struct app_view_ops *ops, struct app_view *view)
{
	static const struct {
		const char *name;
		int bit;
	} all[] = { { "Alt+", APP_VIEW_ALT }, { "Ctrl+", APP_VIEW_CTRL },
		{ "Meta+", APP_VIEW_META }, { "Shift+", APP_VIEW_SHIFT } };
	const char *name = r->step->text;
	int modifiers = 0;

	for (size_t i = 0; i < ARRAY_LEN(all);) { /* in any order, before the key */
		size_t len = strlen(all[i].name);
		bool here = strncmp(name, all[i].name, len) == 0 && name[len];
		modifiers |= here ? all[i].bit : 0;
		name += here ? len : 0;
		i = here ? 0 : i + 1;
	}
	return ops->key(view, name, modifiers);
}

static bool
run_step(struct render *r, struct render_outcome *outcome, int64_t limit_us)
{
	struct app_view_mouse mouse = { .kind = APP_VIEW_MOVE, .clicks = 1 };
	char *trouble = outcome->trouble;
	size_t size = sizeof(outcome->trouble);
	const enum option_step_kind kind = r->step->kind;
	const struct app_view_ops *ops;

	r->scanned = 0;
	r->is_disabled = false;
	if ((kind == STEP_WAIT || kind == STEP_CLICK) &&
	    !render_wait(r, limit_us, kind == STEP_WAIT ? shows_text : find_place, trouble, size)) {
		const struct app_facts *f = facts_of(r);
		const struct app_cells *c = f ? f->cells : NULL;
		if (strcmp(trouble, RENDER_LATE) != 0)
			return false;
		if (r->is_disabled)
			snprintf(trouble, size, "it is disabled");
		else if (c && c->facts.page_height > (double)(c->rows * c->cell_height) + 1)
			snprintf(trouble, size,
			    "it did not appear in time; the page continues below: --size shows "
			    "more");
		return false;
	}
	struct app_view *view = app_view_of(render_app(r), &ops);
	if (kind == STEP_WAIT || !view)
		return view != NULL;
	if (kind == STEP_CLICK) {
		mouse.x = r->x;
		mouse.y = r->y;
		ops->mouse(view, &mouse); /* menus and sliders want to see it arrive */
		mouse.kind = APP_VIEW_PRESS;
		mouse.button = 1;
		ops->mouse(view, &mouse);
		mouse.kind = APP_VIEW_RELEASE;
		ops->mouse(view, &mouse);
	} else if (kind == STEP_TYPE) {
		ops->text(view, r->step->text, strlen(r->step->text));
	} else if (!step_press(r, ops, view)) {
		snprintf(trouble, size, "there is no such key");
		return false;
	}
	return render_wait(r, limit_us, render_rests, trouble, size);
}

/* ---- the picture of the page ---- */

static bool
has_png(struct render *r)
{
	return r->png.len > 0 || r->png_trouble[0] != '\0';
}

static void
on_png(void *user, const char *png, size_t len, const char *problem)
{
	struct render *r = user;

	if (png)
		buf_add(&r->png, png, len);
	if (problem)
		snprintf(r->png_trouble, sizeof(r->png_trouble), "%s", problem);
}

static bool
save_png(struct render *r)
{
	const struct app_view_ops *ops;
	struct app *a = render_app(r);
	struct app_view *view = a ? app_view_of(a, &ops) : NULL;
	struct err err = { "" };

	if (!view)
		err_set(&err, "there is no page");
	else
		ops->screenshot(view, on_png, r);
	if (view && render_wait(r, STEP_US, has_png, r->png_trouble, sizeof(r->png_trouble)) &&
	    !r->png_trouble[0])
		path_write_file(r->o->render.png, r->png.data, r->png.len, &err);
	if (r->png_trouble[0])
		err_set(&err, "%s", r->png_trouble);
	if (err.text[0])
		say("--png: %s", err.text);
	buf_finish(&r->png);
	return !err.text[0];
}

/* ---- the end ---- */

static bool
is_gone(const struct client *c)
{
	const struct render *r = (const struct render *)c;

	return !render_app(r) || clock_now_us() >= r->deadline_us;
}

static int
exit_code(struct render *r, bool stepped)
{
	const struct engine_status *engine = app_house_engine(r->client.apps);
	const struct call *c = call_of(r);
	int code = c ? client_call_code(&r->client, c) : CLI_EXIT_OK;

	if (r->client.end_code)
		return r->client.end_code;
	if (server_info(client_server(&r->client))->phase >= SERVER_FAILED)
		return client_say_failure(&r->client, r->o->call.tool, "", false);
	if (code == CLI_EXIT_FORBIDDEN || code == CLI_EXIT_UNREACHABLE)
		return code;
	if (!r->started && engine && engine->state == ENGINE_FAILED)
		return CLI_EXIT_NO_ENGINE;
	return r->trouble[0] || !stepped ? CLI_EXIT_BROKEN_APP : code;
}

static int
render_run(struct render *r, struct buf *out, bool *safe)
{
	int64_t limit_us = r->o->connect.timeout_ms * 1000;
	int colors = r->o->render.text ? PAINT_MONO : output_colors(r->o->screen.colors);
	struct buf json = BUF_INIT;

	if (r->o->render.ansi && r->o->screen.colors == BACKEND_COLORS_AUTO)
		colors = PAINT_RGB;
	if (!render_start(r, limit_us ? limit_us : START_US))
		return CLI_EXIT_USAGE;
	bool stepped = r->started; /* false: a step failed; its outcome has the reason */
	for (size_t i = 0; stepped && i < r->o->render.steps.len; i++) {
		int64_t began_us = clock_now_us();
		r->step = &r->o->render.steps.items[i];
		stepped = run_step(r, &r->outcomes[i], limit_us ? limit_us : STEP_US);
		r->outcomes[i].took_us = clock_now_us() - began_us;
	}
	*safe = r->o->call.raw || (colors != PAINT_MONO && !r->o->call.json);
	render_take_picture(r, r->o->call.json ? PAINT_MONO : colors);
	bool saved = r->client.end_code || !r->o->render.png || save_png(r);
	if (r->client.end_code)
		return r->client.end_code;
	if (r->o->call.json) {
		render_add_json(r, &json);
		output_take_json(out, &json, r->o->call.raw);
	} else {
		buf_add(out, buf_text(&r->picture), r->picture.len);
	}
	int failed = output_write(out, *safe);
	buf_clear(out);
	if (call_of(r))
		result_say(call_of(r), true);
	if (!r->o->call.json)
		render_say(r);
	else if (r->trouble[0])
		say("%s: %s", r->o->call.tool, r->trouble);
	int code = exit_code(r, stepped);
	struct app *a = render_app(r);
	if (a && !r->client.end_code) { /* it hears that it ends, and has a moment */
		struct loop *loop = r->client.loop;
		app_close(a, "the picture was taken", clock_now_us());
		r->deadline_us = clock_now_us() + END_US;
		loop_timer_set(loop, &r->timer, loop_now_ms(loop) + END_US / 1000 + 1);
		client_wait(&r->client, is_gone);
		loop_timer_cancel(&r->timer);
	}
	return failed ? failed : code == CLI_EXIT_OK && !saved ? CLI_EXIT_USAGE : code;
}

int
cli_render(const struct options *o)
{
	struct render r = { .client = { .lists = 1u << PRIMITIVE_TOOL | 1u << PRIMITIVE_RESOURCE,
				.runs_apps = true },
		.o = o };
	struct call_source source = { .given = BUF_INIT };
	struct buf out = BUF_INIT;
	struct err err = { "" };
	char *program = engine_find(o->connect.apps_engine, &err);
	bool safe = o->call.raw;
	int code = CLI_EXIT_NO_ENGINE;

	r.outcomes = mem_zalloc((o->render.steps.len + 1) * sizeof(*r.outcomes));
	for (size_t i = 0; i < o->render.steps.len; i++)
		r.outcomes[i].took_us = -1;
	if (!program) {
		client_fail(&r.client, "%s", err.text);
	} else if (!call_source_read(&source, o, &err)) {
		client_fail(&r.client, "%s", err.text);
		code = CLI_EXIT_USAGE;
	} else {
		code = client_open(&r.client, o);
		code = code ? code : open_app(&r, &source);
		code = code ? code : render_run(&r, &out, &safe);
	}
	free(program);
	call_source_finish(&source);
	code = client_end(&r.client, o, code, &out);
	for (size_t i = 0; i < r.wishes.len; i++)
		free(r.wishes.items[i].text);
	free(r.wishes.items);
	strings_finish(&r.files);
	buf_finish(&r.picture);
	buf_finish(&r.png);
	free(r.outcomes);
	return code;
}

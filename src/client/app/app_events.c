#include "app.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the bridge and the page of an app report. */

enum { NOTES_MAX = 1000, NOTE_BYTES = 4096 };
enum { BRIEF_BYTES = 64 << 10 }; /* of a message of ours, for its line in the journal */

/* ---- notes ---- */

static void
finish_note(struct app_note *note)
{
	free(note->text);
	free(note->where);
	free(note->advice);
}

static void
add_note(struct app *a, const struct app_note *note)
{
	if (a->notes.len == NOTES_MAX) {
		finish_note(&a->notes.items[0]);
		VEC_REMOVE(&a->notes, 0);
		a->facts.notes_dropped++;
	}
	*VEC_PUSH(&a->notes) = *note;
	a->notes.items[a->notes.len - 1].id = a->facts.notes_dropped + a->notes.len;
	a->facts.notes = a->notes.items;
	a->facts.note_count = a->notes.len;
	a->facts.errors += note->is_error;
	app_changed(a);
}

void
app_notes_finish(struct app *a)
{
	for (size_t i = 0; i < a->notes.len; i++)
		finish_note(&a->notes.items[i]);
	free(a->notes.items);
}

const char *const app_note_names[] = {
	[APP_VIEW_CONSOLE] = "console",
	[APP_VIEW_EXCEPTION] = "exception",
	[APP_VIEW_VIOLATION] = "violation",
	[APP_VIEW_BLOCKED] = "blocked",
	[APP_VIEW_POPUP] = "window",
	[APP_VIEW_DIALOG] = "dialog",
	[APP_VIEW_DOWNLOAD] = "download",
	[APP_VIEW_NAVIGATION] = "left",
	[APP_VIEW_DROPPED] = "lost",
	[APP_VIEW_CARRIED] = "network",
};

static const struct {
	const char *verb; /* before the text */
	bool is_error;
} note_kinds[] = {
	[APP_VIEW_CONSOLE] = { "", false },
	[APP_VIEW_EXCEPTION] = { "", true },
	[APP_VIEW_VIOLATION] = { "the policy forbids ", true },
	[APP_VIEW_BLOCKED] = { "no network for ", true },
	[APP_VIEW_POPUP] = { "a window was not opened: ", true },
	[APP_VIEW_DIALOG] = { "a dialog was dismissed: ", false },
	[APP_VIEW_DOWNLOAD] = { "a download was denied: ", true },
	[APP_VIEW_NAVIGATION] = { "the page left for ", true },
	[APP_VIEW_DROPPED] = { "lost: ", true },
	[APP_VIEW_CARRIED] = { "", false },
};

/* What a violation is about; code that was no file has no URL. */
static const char *
blocked_by(const struct app_view_note *n)
{
	static const struct {
		const char *type, *what; /* of ContentSecurityPolicyViolationType in DevTools */
	} types[] = {
		{ "kEvalViolation", "eval" },
		{ "kWasmEvalViolation", "wasm-eval" },
		{ "kInlineViolation", "inline" },
	};

	for (size_t i = 0; i < ARRAY_LEN(types) && n->url[0] == '\0'; i++)
		if (strcmp(types[i].type, n->text) == 0)
			return types[i].what;
	return n->url;
}

/* Libraries try eval() and do without; if code needs it, an exception follows. */
static bool
is_error(const struct app_view_note *n)
{
	if (n->kind == APP_VIEW_CONSOLE || n->kind == APP_VIEW_CARRIED)
		return strcmp(n->level, "error") == 0;
	if (n->kind == APP_VIEW_VIOLATION && strcmp(blocked_by(n), "eval") == 0)
		return false;
	return note_kinds[n->kind].is_error;
}

static char *
note_text(const struct app_view_note *n)
{
	const char *what = n->kind == APP_VIEW_BLOCKED || n->kind == APP_VIEW_POPUP ||
				   n->kind == APP_VIEW_DOWNLOAD || n->kind == APP_VIEW_NAVIGATION
			       ? n->url
			       : n->text;

	if (n->kind == APP_VIEW_VIOLATION)
		return mem_printf(
		    "%s%.1000s: %.2000s", note_kinds[n->kind].verb, n->directive, blocked_by(n));
	if (n->kind == APP_VIEW_CONSOLE && n->level[0])
		return mem_printf("%.20s: %.*s", n->level, NOTE_BYTES, n->text);
	return mem_printf("%s%.*s", note_kinds[n->kind].verb, NOTE_BYTES, what);
}

static char *
note_where(const struct app_view_note *n)
{
	if (n->line > 0)
		return mem_printf("%.1000s:%d", n->url, n->line);
	return mem_strdup("");
}

void
app_on_view_note(struct app *a, const struct app_view_note *n, int64_t now_us)
{
	struct buf advice = BUF_INIT;

	if (n->kind == APP_VIEW_VIOLATION)
		app_policy_advise(n->directive, blocked_by(n), &advice);
	else if (n->kind == APP_VIEW_BLOCKED)
		app_reach_advise(a, n->url, n->text, &advice);
	add_note(a, &(struct app_note){ .kind = n->kind,
			.text = note_text(n),
			.where = note_where(n),
			.advice = mem_strdup(buf_text(&advice)),
			.at_us = now_us,
			.is_error = is_error(n) });
	buf_finish(&advice);
}

/* ---- the page ---- */

void
app_on_view_state(struct app *a, int64_t now_us)
{
	a->server->now_us = now_us;
	if (a->facts.view && a->facts.view->state == APP_VIEW_FAILED)
		app_break(a, "%s", a->facts.view->reason);
	app_changed(a);
}

void
app_on_view_message(struct app *a, const char *json, size_t len, int64_t now_us)
{
	a->server->now_us = now_us;
	if (a->bridge)
		app_bridge_on_message(a->bridge, json, len, now_us);
	app_changed(a);
}

static void
note_frame_flaw(struct app *a, const char *what, const struct err *err)
{
	add_note(a, &(struct app_note){ .kind = APP_VIEW_DROPPED,
			.text = mem_printf("%s: %s", what, err->text),
			.where = mem_strdup(""),
			.advice = mem_strdup(""),
			.at_us = a->server->now_us,
			.is_error = true });
}

/* ---- pictures ---- */

/* A picture and its text, until the picture is decoded. */
struct frame_job {
	struct job job; /* first */
	struct app *app;
	char *png, *text;
	size_t len;
	int cols, rows;
	struct app_decoded decoded;
	bool ok;
	struct err err;
};

static void
show_frame(struct app *a, const char *text)
{
	struct err err;

	if (text && !app_cells_take_text(&a->cells, text, strlen(text), &err))
		note_frame_flaw(a, "the text of the page", &err);
	app_cells_draw(&a->cells);
	a->facts.cells = &a->cells;
	a->facts.frames++;
	a->waits = true;
	app_changed(a);
}

static void
run_frame(struct job *job)
{
	struct frame_job *k = (struct frame_job *)job;

	k->ok = app_frame_prepare(k->png, k->len, k->cols, k->rows, &k->decoded, &k->err);
}

static void
end_frame(struct job *job)
{
	struct frame_job *k = (struct frame_job *)job;
	struct app *a = k->app;

	if (!job_is_stopped(job)) {
		if (k->ok)
			app_cells_take_decoded(&a->cells, k->png, k->len, &k->decoded);
		else
			note_frame_flaw(a, "a picture", &k->err);
		show_frame(a, k->text);
		if (a->facts.house->on_answer)
			a->facts.house->on_answer(a->facts.house);
	}
	app_decoded_finish(&k->decoded);
	free(k->png);
	free(k->text);
	free(k);
}

/* A page in pixels has many: decoding them takes longer than a frame of the terminal may. */
static bool
is_large(const struct app_facts *f)
{
	enum { AT_ONCE = 256 * 1024 };
	int pixels = f->cols * f->rows * f->cell_height * f->cell_height / 2;

	return f->mode == APP_PIXELS && pixels > AT_ONCE;
}

static void
start_frame(struct app *a, const struct app_view_frame *frame)
{
	struct server *s = a->server;
	struct frame_job *k = mem_zalloc(sizeof(*k));

	*k = (struct frame_job){ .job = { .run = run_frame, .done = end_frame },
		.app = a,
		.png = mem_dup(frame->png, frame->png_len),
		.text = mem_strdup(frame->text),
		.len = frame->png_len,
		.cols = a->facts.cols,
		.rows = a->facts.rows };
	job_drop(&a->decoding);
	a->decoding = &k->job;
	k->job.slot = &a->decoding;
	s->submit(s->jobs_user, &k->job);
}

/* An animation may move less than the picture can tell. */
static bool
is_shown(const struct app *a, const struct app_view_frame *frame)
{
	return a->facts.cells && !a->decoding &&
	       app_cells_have_frame(&a->cells, frame->png, frame->png_len) &&
	       (!frame->text ||
		   app_cells_have_text(&a->cells, frame->text, strlen(frame->text)));
}

void
app_on_view_frame(struct app *a, const struct app_view_frame *frame, int64_t now_us)
{
	const struct app_facts *f = &a->facts;
	struct err err;

	a->server->now_us = now_us;
	if (!a->has_cells)
		app_cells_init(&a->cells, f->cols, f->rows, f->cell_height, f->mode);
	a->has_cells = true;
	if (is_shown(a, frame)) {
		a->waits = true;
		app_drawn(a);
		return;
	}
	if (a->server->submit && is_large(f) &&
	    !app_cells_have_frame(&a->cells, frame->png, frame->png_len)) {
		start_frame(a, frame);
		return;
	}
	if (!app_cells_take_frame(&a->cells, frame->png, frame->png_len, &err))
		note_frame_flaw(a, "a picture", &err);
	show_frame(a, frame->text);
}

void
app_drawn(struct app *a)
{
	bool waits = a->waits;

	a->waits = false; /* the next frame may come at once */
	if (waits && a->view)
		a->facts.house->views->drawn(a->view);
}

/* ---- the bridge ---- */

static void
on_send(void *user, const char *json, size_t len)
{
	struct app *a = user;

	if (a->view)
		a->facts.house->views->post(a->view, json, len);
}

static void
on_line(void *user, const struct app_line *line)
{
	struct app *a = user;
	bool is_read = line->doc || line->dropped > 0 || line->bytes->len > BRIEF_BYTES;
	struct json_doc *own =
	    is_read ? NULL : json_parse(line->bytes->data, line->bytes->len, NULL, NULL);

	journal_add(a->log, &(struct journal_args){
				.kind = line->is_sent ? JOURNAL_SENT : JOURNAL_RECEIVED,
				.message = line->kind,
				.at_us = line->at_us,
				.bytes = line->bytes,
				.dropped = line->dropped,
				.method = line->method,
				.rpc_id = line->id,
				.flaw = line->flaw,
				.is_error = line->is_error,
				.request = line->is_sent ? line->request : 0,
				.doc = line->doc ? line->doc : own,
			    });
	json_doc_destroy(own);
	app_changed(a);
}

static void
on_note(void *user, const char *text, int64_t at_us)
{
	struct app *a = user;
	struct blob *bytes = blob_from_bytes(text, strlen(text));

	journal_add(
	    a->log, &(struct journal_args){ .kind = JOURNAL_NOTE, .at_us = at_us, .bytes = bytes });
	blob_unref(bytes);
	app_changed(a);
}

static void
on_log(void *user, const struct app_log *log)
{
	struct app *a = user;
	struct buf text = BUF_INIT;

	if (log->data && json_string(log->data))
		buf_add_str(&text, json_string(log->data));
	else if (log->data)
		json_print(&text, log->data);
	app_on_view_note(a,
	    &(struct app_view_note){ .kind = APP_VIEW_CONSOLE,
		.level = log->level,
		.text = buf_text(&text),
		.url = log->logger ? log->logger : "",
		.directive = "" },
	    a->server->now_us);
	buf_finish(&text);
}

static void
on_phase(struct app *a)
{
	switch (a->facts.bridge->phase) {
	case APP_READY:
		a->facts.life = APP_ALIVE;
		a->facts.ready_us = a->server->now_us - a->facts.started_us;
		break;
	case APP_CLOSING:
		a->facts.life = APP_ENDING;
		break;
	case APP_GONE:
		a->is_gone = true;
		break;
	default:
		break;
	}
}

static void
on_change(void *user, enum app_change change)
{
	struct app *a = user;

	if (!a->bridge)
		return; /* it is being created */
	if (change == APP_CHANGE_PHASE)
		on_phase(a);
	else if (change == APP_CHANGE_TEARDOWN)
		app_bridge_close(a->bridge, "the app asked for it", a->server->now_us);
	app_changed(a);
}

static const cJSON *
definition_at(void *user, enum app_list list, size_t index)
{
	static const enum primitive_kind kinds[] = {
		[APP_LIST_TOOLS] = PRIMITIVE_TOOL,
		[APP_LIST_RESOURCES] = PRIMITIVE_RESOURCE,
		[APP_LIST_TEMPLATES] = PRIMITIVE_TEMPLATE,
		[APP_LIST_PROMPTS] = PRIMITIVE_PROMPT,
	};
	const struct app *a = user;
	const struct primitive_list *l = &a->server->listers[kinds[list]].list;

	return index < l->len ? l->items[index].definition : NULL;
}

const struct app_events app_bridge_events = {
	.on_send = on_send,
	.on_line = on_line,
	.on_note = on_note,
	.on_ask = app_on_ask,
	.on_ask_end = app_on_ask_end,
	.on_log = on_log,
	.on_change = on_change,
	.definition_at = definition_at,
};

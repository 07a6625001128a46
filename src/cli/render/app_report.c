/* SPDX-License-Identifier: MIT */
#include "render.h"

#include "cli/print/print.h"
#include "json/print.h"
#include "json/write.h"
#include "view/app.h"
#include "ui/paint.h"

#include <string.h>

/* The picture of the app and its messages: as text, and as one JSON object. */

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

void
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

static void
write_picture(struct json_writer *w, const struct render *r, const struct app_facts *f)
{
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
	json_write_member_int(w, "lostCharacters", f->cells ? (int64_t)f->cells->facts.lost : 0);
	json_write_member_int(w, "pageHeight", f->cells ? (int64_t)f->cells->facts.page_height : 0);
}

static void
write_targets(struct json_writer *w, const struct app_cells *c)
{
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
write_steps(struct json_writer *w, const struct render *r)
{
	json_write_member_array(w, "steps");
	for (size_t i = 0; i < r->o->render.steps.len; i++) {
		const struct render_outcome *outcome = &r->outcomes[i];
		json_write_object(w);
		json_write_member_string(w, step_names[r->o->render.steps.items[i].kind],
		    r->o->render.steps.items[i].text);
		json_write_key(w, "ms");
		if (outcome->took_us < 0)
			json_write_null(w);
		else
			json_write_int(w, outcome->took_us / 1000);
		json_write_member_string(w, "error", outcome->trouble[0] ? outcome->trouble : NULL);
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
write_entry(struct json_writer *w, const struct journal_entry *e, int64_t opened_us)
{
	static const char *const from[] = { [JOURNAL_SENT] = "host",
		[JOURNAL_RECEIVED] = "app",
		[JOURNAL_STDERR] = "host",
		[JOURNAL_NOTE] = "mcpane" };
	struct json_doc *doc = e->kind == JOURNAL_NOTE || e->dropped > 0
				   ? NULL
				   : json_parse(e->bytes->data, e->bytes->len, NULL, NULL);

	json_write_object(w);
	json_write_member_string(w, "from", from[e->kind]);
	json_write_member_int(w, "ms", (e->at_us - opened_us) / 1000);
	if (doc) {
		json_write_member_value(w, "message", json_root(doc));
	} else {
		json_write_key(w, "text");
		json_write_stringn(w, e->bytes->data, e->bytes->len);
	}
	if (e->dropped > 0)
		json_write_member_int(w, "bytesDropped", (int64_t)e->dropped);
	if (e->flaw)
		json_write_member_string(w, "flaw", e->flaw);
	json_write_object_end(w);
	json_doc_destroy(doc);
}

static void
write_bridge(struct json_writer *w, const struct app_facts *f)
{
	const struct journal_info *log = journal_info(f->log);

	json_write_member_object(w, "app");
	json_write_member_string(w, "name", f->bridge ? f->bridge->app_name : "");
	json_write_member_string(w, "version", f->bridge ? f->bridge->app_version : "");
	json_write_member_string(w, "protocol", f->bridge ? f->bridge->protocol : "");
	json_write_object_end(w);
	json_write_member_array(w, "bridge");
	for (size_t i = 0; i < log->count; i++)
		write_entry(w, journal_at(f->log, i), f->opened_us);
	json_write_array_end(w);
	json_write_member_int(w, "bridgeEvicted", (int64_t)log->evicted);
}

void
render_add_json(const struct render *r, struct buf *out)
{
	const struct app_facts *f = facts_of(r);
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "tool", r->o->call.tool);
	json_write_member_string(&w, "error", r->trouble[0] ? r->trouble : NULL);
	write_steps(&w, r);
	if (f) {
		json_write_member_string(&w, "resource", f->uri);
		json_write_member_string(&w, "state", app_life_names[f->life]);
		json_write_key(&w, "readyMs");
		if (f->ready_us < 0)
			json_write_null(&w);
		else
			json_write_int(&w, f->ready_us / 1000);
		json_write_member_string(&w, "csp", app_csp_names[f->csp]);
		json_write_member_string(&w, "policy", buf_text(&f->policy->header));
		write_picture(&w, r, f);
		write_targets(&w, f->cells);
		write_notes(&w, f);
		write_wishes(&w, r, f);
		write_bridge(&w, f);
	}
	json_write_object_end(&w);
}

/* ---- for people ---- */

static void
say_bridge(const struct app_facts *f)
{
	const struct journal_info *log = journal_info(f->log);

	if (log->count > 0)
		say("bridge:");
	for (size_t i = 0; i < log->count; i++) {
		const struct journal_entry *e = journal_at(f->log, i);
		struct buf line = BUF_INIT;
		if (e->kind == JOURNAL_NOTE)
			buf_add(&line, e->bytes->data, e->bytes->len);
		else
			buf_addf(&line, "%s %s%s%s%s%s%s%s",
			    e->kind == JOURNAL_SENT ? "to the app" : "from the app",
			    e->method ? e->method : "",
			    e->message == MESSAGE_RESULT || e->message == MESSAGE_ERROR
				? " (response)"
				: "",
			    e->tool ? " " : "", e->tool ? e->tool : "", e->brief ? ": " : "",
			    e->brief ? e->brief : "", e->flaw ? " (flawed)" : "");
		say_lines(buf_text(&line), line.len);
		buf_finish(&line);
	}
}

static void
say_for_model(const struct app_facts *f)
{
	struct buf context = BUF_INIT;

	if (f->bridge && f->bridge->context) {
		json_print_pretty(&context, f->bridge->context, 2);
		say("the model context:");
		say_lines(buf_text(&context), context.len);
	}
	buf_finish(&context);
	for (size_t i = 0; i < f->messages->len; i++) {
		say("a message for the conversation:");
		say_lines(f->messages->items[i], strlen(f->messages->items[i]));
	}
}

void
render_say(const struct render *r)
{
	const struct app_facts *f = facts_of(r);

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
	if (f) {
		say_for_model(f);
		say_bridge(f);
	}
	for (size_t i = 0; i < r->o->render.steps.len; i++)
		if (r->outcomes[i].trouble[0])
			say("--%s \"%s\": %s", step_names[r->o->render.steps.items[i].kind],
			    r->o->render.steps.items[i].text, r->outcomes[i].trouble);
	if (r->trouble[0])
		say("%s: %s", r->o->call.tool, r->trouble);
}

/* SPDX-License-Identifier: MIT */
#include "app.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/primitive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WISHES_MAX = 16, MESSAGES_MAX = 200, FILES_MAX = 32 };

enum { NOTES_MAX = 1000, NOTE_BYTES = 4096 };
enum { BRIEF_BYTES = 64 << 10 }; /* of a message of ours, for its line in the journal */

/* ---- requests to the server on behalf of an app; the journal records them like all others ---- */

uint64_t
server_relay_keep(
    struct server *s, uint64_t request, const struct relay_owner *owner, struct err *err)
{
	if (request == 0) {
		err_set(err, "the server is not connected");
		return 0;
	}
	*VEC_PUSH(&s->apps.relays) = (struct relay){ .request = request, .owner = *owner };
	s->generation++;
	return request;
}

static uint64_t
send_relay(struct server *s, const char *method, const cJSON *params,
    const struct relay_owner *owner, struct err *err)
{
	struct buf text = BUF_INIT;
	uint64_t request = 0;

	if (s->session && strcmp(method, "tools/call") == 0) {
		const cJSON *arguments = json_get(params, "arguments");
		const char *name = json_get_string(params, "name");
		const struct primitive *tool =
		    name ? primitive_list_find(&s->listers[PRIMITIVE_TOOL].list, name, 0) : NULL;
		if (arguments)
			json_print(&text, arguments);
		const struct session_call call = { .name = name ? name : "",
			.arguments = arguments ? buf_text(&text) : NULL,
			.len = text.len,
			.definition = tool ? tool->definition : NULL };
		request = session_call(s->session, &call, server_now_ms(s));
	} else if (s->session) {
		/* The members of params but _meta, whose tokens are ours to give. */
		struct json_writer w;
		json_write_init(&w, &text);
		json_write_object(&w);
		for (const cJSON *member = json_first(params); member; member = member->next)
			if (strcmp(member->string, "_meta") != 0)
				json_write_member_value(&w, member->string, member);
		json_write_object_end(&w);
		request = session_request(
		    s->session, method, buf_text(&text), text.len, server_now_ms(s));
	}
	buf_finish(&text);
	return server_relay_keep(s, request, owner, err);
}

static struct relay *
find_relay(struct server *s, uint64_t request)
{
	for (size_t i = 0; i < s->apps.relays.len; i++)
		if (s->apps.relays.items[i].request == request)
			return &s->apps.relays.items[i];
	return NULL;
}

bool
server_relay_on_reply(struct server *s, uint64_t request, struct session_reply *reply)
{
	struct relay *found = find_relay(s, request);

	if (!found)
		return false;
	struct relay_owner owner = found->owner;
	VEC_REMOVE(&s->apps.relays, (size_t)(found - s->apps.relays.items));
	owner.on_reply(owner.user, request, reply);
	return true;
}

void
server_relay_on_progress(
    struct server *s, uint64_t request, const struct session_progress *progress)
{
	struct relay *found = find_relay(s, request);

	if (found && found->owner.on_progress)
		found->owner.on_progress(found->owner.user, request, progress);
}

/* ---- requests of the app that the server answers ---- */

static struct app_asked *
find_asked(struct app *a, uint64_t token, uint64_t request)
{
	for (size_t i = 0; i < a->asked.len; i++) {
		struct app_asked *each = &a->asked.items[i];
		if (token ? each->token == token : each->request == request)
			return each;
	}
	return NULL;
}

/* ---- files for the user ---- */

static void
add_file(struct app *a, const char *name, const char *text, const char *blob)
{
	struct app_file file = { 0 };

	if (a->files.len >= FILES_MAX || (!text && !blob))
		return;
	snprintf(file.name, sizeof(file.name), "%s", name);
	if (text)
		buf_add_str(&file.bytes, text);
	else
		base64_decode(&file.bytes, blob, strlen(blob));
	*VEC_PUSH(&a->files) = file;
}

/* ---- replies of the server ---- */

static void
on_asked_reply(void *user, uint64_t request, struct session_reply *reply)
{
	struct app *a = user;
	struct app_asked *found = find_asked(a, 0, request);

	if (!found)
		return;
	struct app_asked asked = *found;
	VEC_REMOVE(&a->asked, (size_t)(found - a->asked.items));
	if (asked.token == 0) {
		/* The first content that a resource link of a download leads to. */
		const cJSON *content = json_first(json_get(reply->value, "contents"));
		if (reply->kind == REPLY_RESULT)
			add_file(a, asked.file, json_get_string(content, "text"),
			    json_get_string(content, "blob"));
	} else {
		struct buf text = BUF_INIT;
		if (reply->kind == REPLY_RESULT) {
			json_print(&text, reply->value);
			app_bridge_answer(
			    a->bridge, asked.token, buf_text(&text), text.len, a->server->now_us);
		} else {
			int64_t code = reply->kind == REPLY_ERROR ? reply->code : APP_ERROR;
			app_bridge_refuse(
			    a->bridge, asked.token, code, reply->text, a->server->now_us);
		}
		buf_finish(&text);
	}
	app_changed(a);
}

static void
on_asked_progress(void *user, uint64_t request, const struct session_progress *progress)
{
	struct app *a = user;
	struct app_asked *asked = find_asked(a, 0, request);
	struct buf text = BUF_INIT;

	if (!asked)
		return;
	struct json_writer w;
	json_write_init(&w, &text);
	json_write_object(&w);
	if (progress->value)
		json_write_member_value(&w, "progress", progress->value);
	if (progress->total)
		json_write_member_value(&w, "total", progress->total);
	if (progress->message)
		json_write_member_string(&w, "message", progress->message);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	app_bridge_progress(a->bridge, asked->token, json_root(doc), a->server->now_us);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
relay_ask(struct app *a, uint64_t token, const char *method, const cJSON *params)
{
	const struct relay_owner owner = { on_asked_reply, on_asked_progress, a };
	struct err err;
	uint64_t request = send_relay(a->server, method, params, &owner, &err);

	if (request == 0) {
		app_bridge_refuse(a->bridge, token, APP_ERROR, err.text, a->server->now_us);
		return;
	}
	*VEC_PUSH(&a->asked) = (struct app_asked){ .token = token, .request = request };
}

/* ---- wishes ---- */

static void
drop_wish(struct app *a, struct app_wish *wish)
{
	free(wish->text);
	free(wish->url);
	json_doc_destroy(wish->doc);
	VEC_REMOVE(&a->wishes, (size_t)(wish - a->wishes.items));
	app_changed(a);
}

static struct app_wish *
find_wish(struct app *a, uint64_t token)
{
	for (size_t i = 0; i < a->wishes.len; i++)
		if (a->wishes.items[i].token == token)
			return &a->wishes.items[i];
	return NULL;
}

static void
add_wish(struct app *a, const struct app_ask *ask, char *text)
{
	if (a->wishes.len == WISHES_MAX) {
		free(text);
		app_bridge_refuse(a->bridge, ask->token, APP_ERROR,
		    "too many requests wait for the user", a->server->now_us);
		return;
	}
	*VEC_PUSH(&a->wishes) = (struct app_wish){ .token = ask->token,
		.kind = ask->kind,
		.text = text,
		.url = ask->kind == APP_ASK_LINK ? mem_strdup(ask->name) : NULL,
		.doc = json_doc_ref(ask->doc),
		.value = ask->kind == APP_ASK_TOOL ? ask->params : ask->value };
}

static void
ask_download(struct app *a, const struct app_ask *ask)
{
	struct buf text = BUF_INIT;
	struct app_download file;
	size_t count = 0;

	buf_add_str(&text, "save ");
	for (const cJSON *block = json_first(ask->value); block && count < FILES_MAX;
	     block = block->next)
		if (app_download_read(&file, block))
			buf_addf(&text, "%s%s", count++ ? ", " : "", file.name);
	if (count > 0)
		add_wish(a, ask, mem_strdup(buf_text(&text)));
	else
		app_bridge_refuse(a->bridge, ask->token, ERROR_INVALID_PARAMS,
		    "contents has neither an embedded resource nor a resource link",
		    a->server->now_us);
	buf_finish(&text);
}

/* The question counts lines, because a shell runs each pasted line. */
static void
ask_copy(struct app *a, const struct app_ask *ask)
{
	enum { SHOWN = 200 };
	const char *text = cJSON_GetStringValue(ask->value);
	struct buf question = BUF_INIT;
	size_t lines = 1;

	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	buf_add_str(&question, "copy ");
	units_add_counted(&question, strlen(text), "byte");
	if (lines > 1)
		buf_addf(&question, " in %zu lines", lines);
	buf_add_str(&question, " to the clipboard: ");
	utf8_add_cut(&question, text, strlen(text), SHOWN);
	add_wish(a, ask, buf_detach(&question));
}

static void
on_ask(void *user, const struct app_ask *ask)
{
	struct app *a = user;
	const struct primitive *tool;
	struct buf text = BUF_INIT;

	switch (ask->kind) {
	case APP_ASK_TOOL:
		tool = primitive_list_find(&a->server->listers[PRIMITIVE_TOOL].list, ask->name, 0);
		if (tool && primitive_is_destructive(tool))
			add_wish(a, ask, mem_printf("call the destructive tool %s", ask->name));
		else
			relay_ask(a, ask->token, ask->method, ask->params);
		break;
	case APP_ASK_RESOURCE:
		relay_ask(a, ask->token, ask->method, ask->params);
		break;
	case APP_ASK_LINK:
		add_wish(a, ask, mem_printf("open %s in the browser", ask->name));
		break;
	case APP_ASK_DOWNLOAD:
		ask_download(a, ask);
		break;
	case APP_ASK_MESSAGE:
		/* mcpane has no conversation; it stores the message for the author of the app. */
		if (a->messages.len == MESSAGES_MAX)
			strings_remove(&a->messages, 0);
		json_print(&text, ask->value);
		strings_take(&a->messages, buf_detach(&text));
		app_bridge_answer(a->bridge, ask->token, NULL, 0, a->server->now_us);
		break;
	case APP_ASK_DISPLAY_MODE:
		if (a->shown) /* only an app on the screen can change its display mode */
			app_set_display(a, ask->mode, a->server->now_us);
		app_bridge_answer(a->bridge, ask->token, NULL, 0, a->server->now_us);
		break;
	case APP_ASK_SAMPLING:
		app_bridge_refuse(
		    a->bridge, ask->token, APP_ERROR, "sampling is not offered", a->server->now_us);
		break;
	case APP_ASK_COPY:
		ask_copy(a, ask);
		break;
	}
	app_changed(a);
}

static void
on_ask_end(void *user, uint64_t token, const char *why)
{
	struct app *a = user;
	struct app_asked *asked = find_asked(a, token, 0);
	struct app_wish *wished = find_wish(a, token);

	if (asked) {
		uint64_t request = asked->request;
		VEC_REMOVE(&a->asked, (size_t)(asked - a->asked.items));
		if (find_relay(a->server, request))
			session_cancel(a->server->session, request, why, server_now_ms(a->server));
	}
	if (wished)
		drop_wish(a, wished);
}

/* ---- the user's answer ---- */

bool
app_answer(struct app *a, uint64_t token, bool grants, int64_t now_us)
{
	struct app_wish *granted = find_wish(a, token);

	if (!granted)
		return false;
	a->server->now_us = now_us;
	if (!grants) {
		drop_wish(a, granted);
		return app_bridge_refuse(a->bridge, token, APP_ERROR, "the user refused", now_us);
	}
	if (granted->kind == APP_ASK_TOOL) {
		relay_ask(a, token, "tools/call", granted->value);
	} else {
		if (granted->kind == APP_ASK_DOWNLOAD) {
			struct app_download file;
			for (const cJSON *block = json_first(granted->value); block;
			     block = block->next)
				if (!app_download_read(&file, block))
					continue;
				else if (file.uri) {
					const struct relay_owner owner = { on_asked_reply, NULL,
						a };
					struct app_asked asked = { 0 };
					struct err err;
					asked.request = server_relay_keep(a->server,
					    server_request(
						a->server, "resources/read", "uri", file.uri),
					    &owner, &err);
					snprintf(asked.file, sizeof(asked.file), "%s", file.name);
					if (asked.request != 0)
						*VEC_PUSH(&a->asked) = asked;
				} else
					add_file(a, file.name, file.text, file.blob);
		}
		app_bridge_answer(a->bridge, token, NULL, 0, now_us);
	}
	granted = find_wish(a, token); /* the bridge may have ended it */
	if (granted)
		drop_wish(a, granted);
	return true;
}

bool
app_take_file(struct app *a, struct app_file *out)
{
	if (a->files.len == 0)
		return false;
	*out = a->files.items[0];
	VEC_REMOVE(&a->files, 0);
	return true;
}

static void
finish_note(struct app_note *note)
{
	free(note->text);
	free(note->where);
	free(note->advice);
}

/* Tokens belong to one bridge, so a restarted page has no open requests. */
void
app_asks_forget(struct app *a, const char *why)
{
	struct server *s = a->server;

	for (size_t i = s->apps.relays.len; i-- > 0;) {
		if (i >= s->apps.relays.len || s->apps.relays.items[i].owner.user != a)
			continue;
		uint64_t request = s->apps.relays.items[i].request;
		VEC_REMOVE(&s->apps.relays, i);
		if (s->session)
			session_cancel(s->session, request, why, server_now_ms(s));
	}
	a->reading = 0;
	a->asked.len = 0;
	while (a->wishes.len > 0)
		drop_wish(a, &a->wishes.items[0]);
}

void
app_events_finish(struct app *a)
{
	app_asks_forget(a, "the app was closed");
	free(a->asked.items);
	free(a->wishes.items);
	for (size_t i = 0; i < a->files.len; i++)
		buf_finish(&a->files.items[i].bytes);
	free(a->files.items);
	strings_finish(&a->messages);
	for (size_t i = 0; i < a->notes.len; i++)
		finish_note(&a->notes.items[i]);
	free(a->notes.items);
}

/* ---- notes ---- */

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

const struct app_note_kind app_note_kinds[] = {
	[APP_VIEW_CONSOLE] = { "console", "", false },
	[APP_VIEW_EXCEPTION] = { "exception", "", true },
	[APP_VIEW_VIOLATION] = { "violation", "the policy forbids ", true },
	[APP_VIEW_BLOCKED] = { "blocked", "no network for ", true },
	[APP_VIEW_POPUP] = { "window", "a window was not opened: ", true },
	[APP_VIEW_DIALOG] = { "dialog", "a dialog was dismissed: ", false },
	[APP_VIEW_DOWNLOAD] = { "download", "a download was denied: ", true },
	[APP_VIEW_NAVIGATION] = { "left", "the page left for ", true },
	[APP_VIEW_DROPPED] = { "lost", "lost: ", true },
	[APP_VIEW_CARRIED] = { "network", "", false },
};

/* The subject of a violation. Code that is not a file has no URL. */
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

static char *
note_text(const struct app_view_note *n)
{
	const char *what = n->kind == APP_VIEW_BLOCKED || n->kind == APP_VIEW_POPUP ||
				   n->kind == APP_VIEW_DOWNLOAD || n->kind == APP_VIEW_NAVIGATION
			       ? n->url
			       : n->text;

	const char *verb = app_note_kinds[n->kind].verb;

	if (n->kind == APP_VIEW_VIOLATION)
		return mem_printf("%s%.1000s: %.2000s", verb, n->directive, blocked_by(n));
	if (n->kind == APP_VIEW_CONSOLE && n->level[0])
		return mem_printf("%.20s: %.*s", n->level, NOTE_BYTES, n->text);
	return mem_printf("%s%.*s", verb, NOTE_BYTES, what);
}

/* Append the reason why a request was blocked, and the remedy. */
static void
advise_reach(const struct app *a, const char *url, const char *type, struct buf *out)
{
	const struct app_request r = { .url = url, .type = type, .method = "GET" };
	const char *refusal = app_request_refusal(&r);
	const struct app_domain *domain = app_request_domain(&r, &a->policy, NULL);

	if (refusal)
		buf_add_str(out, refusal);
	else if (domain && !strings_have(&a->server->apps.allowed, domain->text))
		buf_addf(out,
		    ":app-allow %s lets it through, after a question; so does mcpane render "
		    "--allow",
		    domain->text);
}

void
app_on_view_note(struct app *a, const struct app_view_note *n, int64_t now_us)
{
	struct buf advice = BUF_INIT;
	/* libraries try eval() and work without it; if code needs it, an exception follows */
	bool is_eval = n->kind == APP_VIEW_VIOLATION && strcmp(blocked_by(n), "eval") == 0;
	bool is_error = n->kind == APP_VIEW_CONSOLE || n->kind == APP_VIEW_CARRIED
			    ? strcmp(n->level, "error") == 0
			    : app_note_kinds[n->kind].is_error && !is_eval;

	if (n->kind == APP_VIEW_VIOLATION)
		app_policy_advise(n->directive, blocked_by(n), &advice);
	else if (n->kind == APP_VIEW_BLOCKED)
		advise_reach(a, n->url, n->text, &advice);
	add_note(a,
	    &(struct app_note){ .kind = n->kind,
		.text = note_text(n),
		.where = n->line > 0 ? mem_printf("%.1000s:%d", n->url, n->line) : mem_strdup(""),
		.advice = mem_strdup(buf_text(&advice)),
		.at_us = now_us,
		.is_error = is_error });
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

void
app_on_view_frame(struct app *a, const struct app_view_frame *frame, int64_t now_us)
{
	enum { AT_ONCE = 256 * 1024 }; /* pixels; decoding more takes longer than a frame may */
	const struct app_facts *f = &a->facts;
	int pixels = f->cols * f->rows * f->cell_height * f->cell_height / 2;
	struct err err;

	a->server->now_us = now_us;
	if (!a->has_cells)
		app_cells_init(&a->cells, f->cols, f->rows, f->cell_height, f->mode);
	a->has_cells = true;
	if (a->facts.cells && !a->decoding &&
	    app_cells_have_frame(&a->cells, frame->png, frame->png_len) &&
	    (!frame->text || app_cells_have_text(&a->cells, frame->text, strlen(frame->text)))) {
		a->waits = true;
		app_drawn(a);
		return;
	}
	if (a->server->submit && f->mode == APP_PIXELS && pixels > AT_ONCE &&
	    !app_cells_have_frame(&a->cells, frame->png, frame->png_len)) {
		struct server *s = a->server;
		struct frame_job *k = mem_zalloc(sizeof(*k));
		*k = (struct frame_job){ .job = { .run = run_frame, .done = end_frame },
			.app = a,
			.png = mem_dup(frame->png, frame->png_len),
			.text = mem_strdup(frame->text),
			.len = frame->png_len,
			.cols = f->cols,
			.rows = f->rows };
		job_drop(&a->decoding);
		a->decoding = &k->job;
		k->job.slot = &a->decoding;
		s->submit(s->jobs_user, &k->job);
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

	if (log->data && cJSON_GetStringValue(log->data))
		buf_add_str(&text, cJSON_GetStringValue(log->data));
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
on_change(void *user, enum app_change change)
{
	struct app *a = user;

	if (!a->bridge)
		return; /* it is being created */
	if (change == APP_CHANGE_PHASE) {
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
	} else if (change == APP_CHANGE_TEARDOWN)
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
	.on_ask = on_ask,
	.on_ask_end = on_ask_end,
	.on_log = on_log,
	.on_change = on_change,
	.definition_at = definition_at,
};

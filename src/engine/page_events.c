/* SPDX-License-Identifier: MIT */
#include "engine/parts.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/embedded.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of each second, above those of ordinary programs. */
enum { MESSAGES_MAX = 2000, NOTES_MAX = 500, TEXT_MAX = 16384 };

/* ---- messages ---- */

static void
count_second(struct app_view *v)
{
	int64_t second = loop_now_ms(v->engine->loop) / 1000;

	if (second == v->second)
		return;
	v->second = second;
	v->messages = v->notes = 0;
}

static const char *
or_empty(const char *text)
{
	return text ? text : "";
}

void
app_view_note(struct app_view *v, struct app_view_note note)
{
	count_second(v);
	if (v->closed || !v->events.on_note || v->notes > NOTES_MAX)
		return;
	if (v->notes++ == NOTES_MAX)
		note = (struct app_view_note){ .kind = APP_VIEW_DROPPED,
			.text = "more than 500 notes in a second" };
	note.level = or_empty(note.level);
	note.text = or_empty(note.text);
	note.url = or_empty(note.url);
	note.directive = or_empty(note.directive);
	v->events.on_note(v->events.user, &note);
}

static void
on_binding_called(struct app_view *v, const char *session, const cJSON *params)
{
	const char *name = json_get_string(params, "name"),
		   *payload = json_get_string(params, "payload");

	if (!name || !payload)
		return;
	if (strcmp(session, v->app) == 0 && strcmp(name, "__mcpane_changed") == 0)
		app_view_pictures_soon(v);
	if (strcmp(session, v->page) != 0)
		return;
	if (strcmp(name, "__mcpane_dropped") == 0)
		app_view_note(
		    v, (struct app_view_note){ .kind = APP_VIEW_DROPPED, .text = payload });
	if (strcmp(name, "__mcpane_message") != 0)
		return;
	count_second(v);
	if (++v->messages > MESSAGES_MAX)
		app_view_fail(v, "the app sent more than %d messages in a second, and was ended",
		    MESSAGES_MAX);
	else if (v->events.on_message)
		v->events.on_message(v->events.user, payload, strlen(payload));
}

/* ---- notes ---- */

static int
line_of(const cJSON *from)
{
	const cJSON *line = json_get(from, "lineNumber");
	double number = cJSON_IsNumber(line) ? line->valuedouble : -1;

	return number >= 0 && number < 1e9 ? (int)number + 1 : 0;
}

static void
add_page_events_value(struct buf *out, const cJSON *remote)
{
	const cJSON *preview = json_get(remote, "preview");

	if (preview && !json_get_string(remote, "subtype")) { /* an object: {name: value, …} */
		const char *separator = "";
		buf_add_char(out, '{');
		for (const cJSON *p = json_first(json_get(preview, "properties")); p; p = p->next) {
			const char *name = json_get_string(p, "name");
			const char *value = json_get_string(p, "value");
			buf_addf(
			    out, "%s%s: %s", separator, name ? name : "?", value ? value : "…");
			separator = ", ";
		}
		buf_add_str(out, cJSON_IsTrue(json_get(preview, "overflow")) ? ", …}" : "}");
		return;
	}
	const cJSON *value = json_get(remote, "value");
	const char *text = cJSON_GetStringValue(value);

	if (!text && !value) /* an object, NaN, a function */
		text = json_get_string(remote, "unserializableValue");
	if (!text && !value)
		text = json_get_string(remote, "description");
	if (text)
		buf_add(out, text, strnlen(text, TEXT_MAX));
	else if (value)
		json_print_brief(out, value, TEXT_MAX);
}

static void
on_console(struct app_view *v, const char *session, const cJSON *params)
{
	struct buf text = BUF_INIT;
	const cJSON *frame = json_first(json_get(json_get(params, "stackTrace"), "callFrames"));

	buf_init(&text, 2 * TEXT_MAX);
	for (const cJSON *a = json_first(json_get(params, "args")); a; a = a->next) {
		if (text.len > 0)
			buf_add_char(&text, ' ');
		add_page_events_value(&text, a);
	}
	app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_CONSOLE,
			     .level = json_get_string(params, "type"),
			     .text = buf_text(&text),
			     .url = json_get_string(frame, "url"),
			     .line = line_of(frame) });
	buf_finish(&text);
}

static void
on_exception(struct app_view *v, const char *session, const cJSON *params)
{
	const cJSON *details = json_get(params, "exceptionDetails");
	const char *text = json_get_string(json_get(details, "exception"), "description");

	app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_EXCEPTION,
			     .text = text ? text : json_get_string(details, "text"),
			     .url = json_get_string(details, "url"),
			     .line = line_of(details) });
}

/* Violations come as issues, and refused requests are reported below. */
static void
on_log(struct app_view *v, const char *session, const cJSON *params)
{
	const cJSON *entry = json_get(params, "entry");
	const char *source = json_get_string(entry, "source");

	if (source && (strcmp(source, "security") == 0 || strcmp(source, "network") == 0))
		return;
	app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_CONSOLE,
			     .level = json_get_string(entry, "level"),
			     .text = json_get_string(entry, "text"),
			     .url = json_get_string(entry, "url"),
			     .line = line_of(entry) });
}

static void
on_issue(struct app_view *v, const char *session, const cJSON *params)
{
	const cJSON *details = json_get(
	    json_get(json_get(params, "issue"), "details"), "contentSecurityPolicyIssueDetails");
	const char *url = json_get_string(details, "blockedURL");

	if (!details)
		return;
	app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_VIOLATION,
			     .directive = json_get_string(details, "violatedDirective"),
			     .text = json_get_string(details, "contentSecurityPolicyViolationType"),
			     .url = url,
			     .line = line_of(json_get(details, "sourceCodeLocation")) });
}

static void
on_dialog(struct app_view *v, const char *session, const cJSON *params)
{
	app_view_command(v, session, "Page.handleJavaScriptDialog", "\"accept\":false");
	app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_DIALOG,
			     .level = json_get_string(params, "type"),
			     .text = json_get_string(params, "message") });
}

static void
on_popup(struct app_view *v, const char *session, const cJSON *params)
{
	app_view_note(v, (struct app_view_note){
			     .kind = APP_VIEW_POPUP, .url = json_get_string(params, "url") });
}

static void
on_crash(struct app_view *v, const char *session, const cJSON *params)
{
	const struct engine *e = v->engine;
	int64_t now = loop_now_ms(e->loop);

	if (e->memory_ended_ms && now - e->memory_ended_ms < 5000)
		app_view_fail(v, "the app used too much memory (%d MiB are allowed), and was ended",
		    e->options.max_memory_mib ? e->options.max_memory_mib : ENGINE_MAX_MEMORY_MIB);
	else
		app_view_fail(v, "the app has crashed");
}

bool
app_view_on_event(struct app_view *v, const char *session, const char *method, const cJSON *params)
{
	static const struct {
		const char *method;
		void (*fn)(struct app_view *v, const char *session, const cJSON *params);
	} events[] = {
		{ "Page.screencastFrame", app_view_on_picture },
		{ "Runtime.bindingCalled", on_binding_called },
		{ "Runtime.consoleAPICalled", on_console },
		{ "Runtime.exceptionThrown", on_exception },
		{ "Log.entryAdded", on_log },
		{ "Audits.issueAdded", on_issue },
		{ "Page.javascriptDialogOpening", on_dialog },
		{ "Page.windowOpen", on_popup },
		{ "Inspector.targetCrashed", on_crash },
	};

	if (strcmp(session, v->page) != 0 && strcmp(session, v->app) != 0)
		return false;
	if (v->closed || v->stage == STAGE_ENDED)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		if (strcmp(events[i].method, method) == 0) {
			events[i].fn(v, session, params);
			return true;
		}
	app_view_opening_event(v, session, method, params);
	return true;
}

/* Every request of a view: the carrier page and the app are served here, the owner may carry
 * others, the rest is refused. */

struct response {
	const char *type, *csp;
	const void *bytes;
	size_t len;
};

static void
write_header(struct json_writer *w, const char *name, const char *value)
{
	json_write_object(w);
	json_write_member_string(w, "name", name);
	json_write_member_string(w, "value", value);
	json_write_object_end(w);
}

static void
fulfill(struct app_view *v, const char *session, const char *request, const struct response *r)
{
	struct devtools *d = &v->engine->devtools;
	struct buf body = BUF_INIT;

	base64_add(&body, r->bytes, r->len, BASE64_PLAIN);
	struct json_writer *w = devtools_begin(d, session, "Fetch.fulfillRequest");
	json_write_member_string(w, "requestId", request);
	json_write_member_int(w, "responseCode", 200);
	json_write_member_array(w, "responseHeaders");
	write_header(w, "content-type", r->type);
	write_header(w, "cache-control", "no-store");
	write_header(w, "x-content-type-options", "nosniff");
	write_header(w, "referrer-policy", "no-referrer");
	write_header(w, "permissions-policy",
	    "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), "
	    "hid=()");
	if (r->csp)
		write_header(w, "content-security-policy", r->csp);
	json_write_array_end(w);
	json_write_member_string(w, "body", buf_text(&body));
	devtools_send(d, 0, NULL, NULL);
	buf_finish(&body);
}

static void
page_events_fail(struct app_view *v, const char *session, const char *request, const char *reason)
{
	struct json_writer *w = devtools_begin(&v->engine->devtools, session, "Fetch.failRequest");

	json_write_member_string(w, "requestId", request);
	json_write_member_string(w, "errorReason", reason);
	devtools_send(&v->engine->devtools, 0, NULL, NULL);
}

/* ---- requests that the owner carries ---- */

enum { CARRIED_MAX = 256 };

/* Event streams are treated as fetches. */
static const char *
type_of(const cJSON *params)
{
	const char *accept =
	    json_get_string(json_get(json_get(params, "request"), "headers"), "Accept");

	return accept && strstr(accept, "text/event-stream")
		   ? "EventSource"
		   : json_get_string(params, "resourceType");
}

static bool
hand_on(struct app_view *v, const char *session, const char *paused, const cJSON *params)
{
	const cJSON *request = json_get(params, "request");
	const char *method = json_get_string(request, "method");
	struct buf body = { .max = APP_REQUEST_BODY_MAX };

	if (!v->events.on_request || !method || strcmp(session, v->app) != 0 ||
	    v->requests.len >= CARRIED_MAX)
		return false;
	uint64_t id = ++v->last_request;
	*VEC_PUSH(&v->requests) =
	    (struct app_view_request){ id, mem_strdup(session), mem_strdup(paused) };
	const cJSON *entries = json_first(json_get(request, "postDataEntries"));
	bool whole = entries || !cJSON_IsTrue(json_get(request, "hasPostData"));
	for (const cJSON *e = entries; e && whole; e = e->next) {
		const char *bytes = json_get_string(e, "bytes");
		whole = bytes && base64_decode(&body, bytes, strlen(bytes));
	}
	const struct app_request handed = { .id = id,
		.url = json_get_string(request, "url"),
		.method = method,
		.type = type_of(params),
		.headers = json_get(request, "headers"),
		.body = body.len > 0 ? body.data : NULL,
		.body_len = body.len,
		.lacks_body = !whole };
	bool taken = v->events.on_request(v->events.user, &handed);
	buf_finish(&body);
	if (!taken && v->requests.len > 0) {
		v->requests.len--;
		free(v->requests.items[v->requests.len].session);
		free(v->requests.items[v->requests.len].request);
	}
	return taken;
}

static void
pass_response(struct app_view *v, const struct app_view_request *to, const struct app_response *r)
{
	struct devtools *d = &v->engine->devtools;
	struct buf body = BUF_INIT;
	struct json_writer *w = devtools_begin(d, to->session, "Fetch.fulfillRequest");

	json_write_member_string(w, "requestId", to->request);
	json_write_member_int(w, "responseCode", r->status);
	const char *phrase_end = r->reason; /* Chromium refuses an invalid phrase */
	while (*phrase_end >= ' ' && *phrase_end < 0x7f)
		phrase_end++;
	if (*r->reason && !*phrase_end)
		json_write_member_string(w, "responsePhrase", r->reason);
	json_write_member_array(w, "responseHeaders");
	for (const char *lines = r->headers; *lines;) {
		size_t len = strcspn(lines, "\n"), name = strcspn(lines, ":\n");
		const char *value = lines + name + (lines[name] == ':');
		value += strspn(value, " \t");
		char *key = mem_strndup(lines, name), *text = NULL;
		if (value <= lines + len)
			text = mem_strndup(value, (size_t)(lines + len - value));
		bool valid = text && strspn(key, HTTP_TOKEN) == name &&
			     utf8_first_invalid(text, strlen(text)) == strlen(text);
		if (valid && app_response_has(lines, name))
			write_header(w, key, text);
		free(key);
		free(text);
		lines += len + (lines[len] == '\n');
	}
	json_write_array_end(w);
	base64_add(&body, r->body, r->body_len, BASE64_PLAIN);
	json_write_member_string(w, "body", buf_text(&body));
	devtools_send(d, 0, NULL, NULL);
	buf_finish(&body);
}

void
app_view_respond(struct app_view *v, uint64_t id, const struct app_response *response)
{
	for (size_t i = 0; i < v->requests.len; i++) {
		struct app_view_request to = v->requests.items[i];
		if (to.id != id)
			continue;
		VEC_REMOVE(&v->requests, i);
		if (response)
			pass_response(v, &to, response);
		else
			page_events_fail(v, to.session, to.request, "Failed");
		free(to.session);
		free(to.request);
		return;
	}
}

/* ---- each request ---- */

void
app_view_serve(struct app_view *v, const char *session, const cJSON *params)
{
	const struct app_view_options *o = &v->options;
	const char *request = json_get_string(params, "requestId"),
		   *url = json_get_string(json_get(params, "request"), "url"),
		   *type = type_of(params);
	struct devtools *d = &v->engine->devtools;

	if (!request || !url || !type)
		return;
	size_t origin = strlen(v->status.origin);
	bool in_app = strncmp(url, v->status.origin, origin) == 0 && url[origin] == '/';
	const char *path = in_app ? url + origin : NULL;
	bool document = strcmp(type, "Document") == 0;
	if (document && strcmp(url, CARRIER_URL) == 0 && strcmp(session, v->page) == 0) {
		const struct embedded_file *page = embedded_find(page_files, "carrier.html");
		char *csp =
		    mem_printf("default-src 'none'; style-src 'unsafe-inline'; frame-src %s",
			v->status.origin);
		struct response r = { "text/html; charset=utf-8", csp, page->bytes, page->len };
		fulfill(v, session, request, &r);
		free(csp);
	} else if (path && strcmp(path, "/") == 0 && document) {
		struct response r = { "text/html; charset=utf-8", o->csp, o->html, o->html_len };
		fulfill(v, session, request, &r);
	} else if (path && o->file_path && strcmp(path, o->file_path) == 0) {
		struct response r = { o->file_type, NULL, o->file, o->file_len };
		fulfill(v, session, request, &r);
	} else if (strncmp(url, "data:", 5) == 0 || strncmp(url, "blob:", 5) == 0) {
		json_write_member_string(
		    devtools_begin(d, session, "Fetch.continueRequest"), "requestId", request);
		devtools_send(d, 0, NULL, NULL);
	} else if (!hand_on(v, session, request, params)) {
		page_events_fail(v, session, request, "BlockedByClient");
		app_view_note(v,
		    (struct app_view_note){ .kind = APP_VIEW_BLOCKED, .url = url, .text = type });
	}
}

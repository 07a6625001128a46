#include "engine/parts.h"

#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <string.h>

/* More than a program says in a second. */
enum { MESSAGES_MAX = 2000, NOTES_MAX = 500, TEXT_MAX = 16384 };

bool
app_view_has_session(const struct app_view *v, const char *session)
{
	return strcmp(session, v->page) == 0 || strcmp(session, v->app) == 0;
}

/* ---- what the owner hears ---- */

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
take_app_message(struct app_view *v, const char *text)
{
	count_second(v);
	if (++v->messages > MESSAGES_MAX)
		app_view_fail(v, "the app sent more than %d messages in a second, and was ended",
		    MESSAGES_MAX);
	else if (v->events.on_message)
		v->events.on_message(v->events.user, text, strlen(text));
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
	if (strcmp(name, "__mcpane_message") == 0)
		take_app_message(v, payload);
	else if (strcmp(name, "__mcpane_dropped") == 0)
		app_view_note(
		    v, (struct app_view_note){ .kind = APP_VIEW_DROPPED, .text = payload });
}

/* ---- notes ---- */

static int
line_of(const cJSON *from)
{
	const cJSON *line = json_get(from, "lineNumber");
	double number = cJSON_IsNumber(line) ? line->valuedouble : -1;

	return number >= 0 && number < 1e9 ? (int)number + 1 : 0;
}

/* An object, as far as Chromium shows it: {name: value, …}. */
static void
add_preview(struct buf *out, const cJSON *preview)
{
	const char *separator = "";

	buf_add_char(out, '{');
	for (const cJSON *p = json_first(json_get(preview, "properties")); p; p = p->next) {
		const char *name = json_get_string(p, "name"), *value = json_get_string(p, "value");
		buf_addf(out, "%s%s: %s", separator, name ? name : "?", value ? value : "…");
		separator = ", ";
	}
	buf_add_str(out, json_is_true(json_get(preview, "overflow")) ? ", …}" : "}");
}

static void
add_value(struct buf *out, const cJSON *remote)
{
	const char *subtype = json_get_string(remote, "subtype");

	if (json_get(remote, "preview") && !subtype) {
		add_preview(out, json_get(remote, "preview"));
		return;
	}
	const cJSON *value = json_get(remote, "value");
	const char *text = json_string(value);

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
		add_value(&text, a);
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

/* Violations come as issues, and refused requests from served.c. */
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

static void
on_screencast(struct app_view *v, const char *session, const cJSON *params)
{
	if (strcmp(session, v->page) == 0)
		app_view_on_picture(v, params);
}

void
app_view_on_event(struct app_view *v, const char *session, const char *method, const cJSON *params)
{
	static const struct {
		const char *method;
		void (*fn)(struct app_view *v, const char *session, const cJSON *params);
	} events[] = {
		{ "Page.screencastFrame", on_screencast },
		{ "Runtime.bindingCalled", on_binding_called },
		{ "Runtime.consoleAPICalled", on_console },
		{ "Runtime.exceptionThrown", on_exception },
		{ "Log.entryAdded", on_log },
		{ "Audits.issueAdded", on_issue },
		{ "Page.javascriptDialogOpening", on_dialog },
		{ "Page.windowOpen", on_popup },
		{ "Inspector.targetCrashed", on_crash },
	};

	if (v->closed || v->stage == STAGE_ENDED)
		return;
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		if (strcmp(events[i].method, method) == 0) {
			events[i].fn(v, session, params);
			return;
		}
	app_view_opening_event(v, session, method, params);
}

/* SPDX-License-Identifier: MIT */
#include "engine/parts.h"

#include "base/embedded.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { PING_MS = 3000, TICKS_PER_PING = 4 };

const struct app_view_status *
app_view_status(struct app_view *v)
{
	if (v->status.state == APP_VIEW_OPENING)
		v->status.took_ms = (int)(loop_now_ms(v->engine->loop) - v->opened_ms);
	return &v->status;
}

static void
app_view_changed(struct app_view *v)
{
	if (!v->closed && v->events.on_state)
		v->events.on_state(v->events.user);
}

/* ---- open, close ---- */

/* The texts that a view copies from its options. */
/* clang-format off */
#define OPTION_TEXTS(X) \
	X(csp) X(style) X(page_script) X(world_script) X(collect) X(undress) X(dress) \
	X(file_path) X(file_type)
/* clang-format on */

static void
on_load_timer(void *user)
{
	struct app_view *v = user;

	if (v->stage < STAGE_LOADED)
		app_view_fail(v, "the app has not loaded in time");
}

/* Deferred, so that the owner has the view before its first callback. */
static void
on_open_timer(void *user)
{
	struct app_view *v = user;

	if (!v->closed && v->stage == STAGE_WAITING) {
		v->status.state = APP_VIEW_OPENING;
		v->status.reason[0] = '\0';
		v->opened_ms = loop_now_ms(v->engine->loop);
		engine_start(v->engine);
		if (v->engine->status.state == ENGINE_READY && v->stage == STAGE_WAITING)
			app_view_begin(v);
	}
}

struct app_view *
app_view_open(
    struct engine *e, const struct app_view_options *options, const struct app_view_events *events)
{
	struct app_view *v = mem_zalloc(sizeof(*v));

	v->engine = e;
	v->events = *events;
	v->options = *options;
	v->options.html = mem_dup(options->html ? options->html : "", options->html_len);
	v->options.file = options->file_len > 0 ? mem_dup(options->file, options->file_len) : NULL;
#define COPY(text) v->options.text = mem_strdup(options->text);
	OPTION_TEXTS(COPY)
#undef COPY
	v->status.hidden = options->hidden;
	v->opened_ms = loop_now_ms(e->loop);
	v->load_timer = (struct loop_timer){ .fn = on_open_timer, .user = v };
	struct app_view **last = &e->views;
	while (*last)
		last = &(*last)->next;
	*last = v;
	engine_views_changed(e);
	loop_timer_set(e->loop, &v->load_timer, loop_now_ms(e->loop));
	return v;
}

/* Forget the page and dispose of it in the engine. */
static void
app_view_end(struct app_view *v)
{
	struct devtools *d = &v->engine->devtools;

	devtools_forget(d, v);
	if (*v->context && v->engine->status.state == ENGINE_READY) {
		struct json_writer *w = devtools_begin(d, NULL, "Target.disposeBrowserContext");
		json_write_member_string(w, "browserContextId", v->context);
		devtools_send(d, 0, NULL, NULL);
	}
	app_view_pictures_forget(v);
	app_view_input_forget(v);
	for (size_t i = 0; i < v->requests.len; i++) {
		free(v->requests.items[i].session);
		free(v->requests.items[i].request);
	}
	v->requests.len = 0;
	for (struct app_view_asked *a = v->asked, *next; a; a = next) {
		next = a->next;
		devtools_forget(d, a);
		free(a);
	}
	v->asked = NULL;
	v->context[0] = v->target[0] = v->page[0] = v->app[0] = '\0';
	v->app_frame[0] = v->carrier_frame[0] = '\0';
	v->carrier_committed = false;
	v->carrier_world = v->app_world = 0;
	v->awaited = 0;
	v->ping_id = 0;
	v->sheet[0] = '\0';
	v->status.hung = false;
	v->status.inputs = 0;
	v->stage = STAGE_ENDED;
}

void
app_view_close(struct app_view *v)
{
	struct engine *e = v ? v->engine : NULL;

	if (!v || v->closed)
		return;
	v->closed = true;
	app_view_end(v);
	loop_timer_cancel(&v->load_timer);
	for (struct app_view **link = &e->views; *link; link = &(*link)->next)
		if (*link == v) {
			*link = v->next;
			break;
		}
	v->next_closed = e->closed;
	e->closed = v;
	loop_timer_set(e->loop, &e->bury_timer, loop_now_ms(e->loop));
	engine_views_changed(e);
}

void
app_view_bury(struct app_view *v)
{
	devtools_forget(&v->engine->devtools, v);
	app_view_pictures_forget(v);
	buf_finish(&v->picture.png);
	free(v->requests.items);
	free((void *)v->options.html);
	free((void *)v->options.file);
#define FREE(text) free((void *)v->options.text);
	OPTION_TEXTS(FREE)
#undef FREE
	free(v);
}

/* ---- events of the engine ---- */

static void
on_pong(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	bool hung = problem != NULL;

	v->ping_id = 0;
	if (v->closed || v->stage != STAGE_LOADED || v->status.hung == hung)
		return;
	v->status.hung = hung;
	app_view_changed(v);
	if (!v->closed && !hung) /* its texts were not requested meanwhile */
		app_view_pictures_again(v);
}

static void
ping(struct app_view *v)
{
	struct devtools *d = &v->engine->devtools;
	struct json_writer *w = devtools_begin(d, v->app, "Runtime.evaluate");

	json_write_member_string(w, "expression", "1");
	v->ping_id = devtools_send(d, PING_MS, on_pong, v);
}

void
app_view_tick(struct app_view *v)
{
	if (v->closed || v->stage != STAGE_LOADED || !*v->app || v->ping_id)
		return;
	if (v->status.hung || (!v->status.hidden && v->engine->ticks % TICKS_PER_PING == 0))
		ping(v);
}

/* ---- commands of the owner ---- */

void
app_view_command(struct app_view *v, const char *session, const char *method, const char *members)
{
	devtools_call(&v->engine->devtools, session, method, members, NULL, NULL);
}

void
app_view_terminate_script(struct app_view *v)
{
	if (*v->app)
		app_view_command(v, v->app, "Runtime.terminateExecution", NULL);
	if (*v->app && !v->ping_id)
		ping(v);
}

void
app_view_post(struct app_view *v, const char *json, size_t len)
{
	struct devtools *d = &v->engine->devtools;

	if (!v->carrier_world || v->stage < STAGE_APP || v->stage == STAGE_ENDED)
		return;
	struct json_writer *w = devtools_begin(d, v->page, "Runtime.callFunctionOn");
	json_write_member_string(w, "functionDeclaration", "(text) => deliver(text)");
	json_write_member_int(w, "executionContextId", v->carrier_world);
	json_write_member_array(w, "arguments");
	json_write_object(w);
	json_write_key(w, "value");
	json_write_stringn(w, json, len);
	json_write_object_end(w);
	json_write_array_end(w);
	devtools_send(d, 0, NULL, NULL);
}

void
app_view_show(struct app_view *v, bool shown)
{
	char members[128];

	v->status.hidden = v->options.hidden = !shown;
	if (!v->carrier_world || v->stage < STAGE_APP || v->stage == STAGE_ENDED)
		return;
	snprintf(members, sizeof(members),
	    "\"functionDeclaration\":\"() => show(%s)\",\"executionContextId\":%lld",
	    shown ? "true" : "false", (long long)v->carrier_world);
	app_view_command(v, v->page, "Runtime.callFunctionOn", members);
	if (shown)
		app_view_pictures_start(v);
	else
		app_view_pictures_stop(v);
}

void
app_view_resize(struct app_view *v, const struct app_view_size *size)
{
	char members[128];

	v->options.size = *size;
	if (v->stage < STAGE_CARRIER || v->stage == STAGE_ENDED)
		return;
	snprintf(members, sizeof(members),
	    "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false", size->width,
	    size->height);
	app_view_command(v, v->page, "Emulation.setDeviceMetricsOverride", members);
	if (v->picture.running) {
		app_view_pictures_stop(v);
		app_view_pictures_start(v);
	}
}

void
app_view_set_dark(struct app_view *v, bool dark)
{
	char members[160];

	v->options.dark = dark;
	if (v->stage < STAGE_CARRIER || v->stage == STAGE_ENDED)
		return;
	snprintf(members, sizeof(members),
	    "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"},"
	    "{\"name\":\"prefers-reduced-motion\",\"value\":\"reduce\"}]",
	    dark ? "dark" : "light");
	app_view_command(v, v->page, "Emulation.setEmulatedMedia", members);
	if (*v->app)
		app_view_command(v, v->app, "Emulation.setEmulatedMedia", members);
}

/* Longer messages are dropped: escaped, they must fit into DEVTOOLS_IN_MAX. */
enum { MESSAGE_MAX = 16 << 20, LOAD_MS = 15000 };

/* ---- failing ---- */

/* Retry once if the page fails before its app runs. */
void
app_view_fail(struct app_view *v, const char *format, ...)
{
	bool was_loading = v->stage > STAGE_WAITING && v->stage < STAGE_LOADED;

	if (v->closed || v->stage == STAGE_ENDED)
		return;
	FORMAT_INTO(v->status.reason, format);
	app_view_end(v);
	if (was_loading && v->attempts < 2 && v->engine->status.state == ENGINE_READY) {
		app_view_begin(v);
		return;
	}
	loop_timer_cancel(&v->load_timer);
	v->status.state = APP_VIEW_FAILED;
	app_view_changed(v);
}

static bool
failed(struct app_view *v, const char *what, const char *problem)
{
	if (problem)
		app_view_fail(v, "the app cannot be opened: %s: %.160s", what, problem);
	return problem != NULL;
}

static void
copy_id(char out[64], const cJSON *from, const char *key)
{
	const char *text = json_get_string(from, key);

	snprintf(out, 64, "%s", text ? text : "");
}

/* ---- the app's session ---- */

static void
on_world_ready(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	app_view_pictures_again(user);
}

static void
read_world(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	const cJSON *number = json_get(result, "executionContextId");
	struct devtools *d = &v->engine->devtools;

	if (problem || !cJSON_IsNumber(number))
		return; /* another document has replaced it */
	v->app_world = (int64_t)number->valuedouble;
	struct json_writer *w = devtools_begin(d, v->app, "Runtime.evaluate");
	json_write_member_int(w, "contextId", v->app_world);
	json_write_member_string(w, "expression", v->options.world_script);
	devtools_send(d, 0, on_world_ready, v);
}

static void
read_sheet(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	struct devtools *d = &v->engine->devtools;
	const char *sheet = json_get_string(result, "styleSheetId");

	if (!sheet)
		return;
	snprintf(v->sheet, sizeof(v->sheet), "%s", sheet);
	app_view_set_style(v, v->options.style);
	devtools_send(d, 0, NULL, NULL);
}

void
app_view_set_style(struct app_view *v, const char *style)
{
	struct json_writer *w =
	    devtools_begin(&v->engine->devtools, v->app, "CSS.setStyleSheetText");

	json_write_member_string(w, "styleSheetId", v->sheet);
	json_write_member_string(w, "text", style);
}

/* Each document has separate worlds and style sheets. */
static void
dress_document(struct app_view *v, const char *frame)
{
	struct devtools *d = &v->engine->devtools;

	v->app_world = 0;
	v->sheet[0] = '\0';
	if (v->options.style) {
		json_write_member_string(
		    devtools_begin(d, v->app, "CSS.createStyleSheet"), "frameId", frame);
		devtools_send(d, 0, read_sheet, v);
	}
	if (v->options.world_script) {
		struct json_writer *w = devtools_begin(d, v->app, "Page.createIsolatedWorld");
		json_write_member_string(w, "frameId", frame);
		json_write_member_string(w, "worldName", "mcpane");
		devtools_send(d, 0, read_world, v);
	}
}

static void
on_attached(struct app_view *v, const char *session, const cJSON *params)
{
	static const char *const domains[] = { "Page.enable", "Runtime.enable", "Log.enable",
		"DOM.enable", "CSS.enable", "Audits.enable", NULL };
	struct devtools *d = &v->engine->devtools;
	const cJSON *info = json_get(params, "targetInfo");
	const char *type = json_get_string(info, "type"),
		   *target = json_get_string(params, "sessionId");

	if (!target)
		return;
	if (type && strcmp(type, "iframe") == 0 && strcmp(session, v->page) == 0) {
		copy_id(v->app, params, "sessionId");
		copy_id(v->app_frame, info, "targetId");
		for (const char *const *domain = domains; *domain; domain++)
			app_view_command(v, v->app, *domain, NULL);
		app_view_command(
		    v, v->app, "Fetch.enable", "\"patterns\":[{\"urlPattern\":\"*\"}]");
		app_view_command(v, v->app, "Target.setAutoAttach",
		    "\"autoAttach\":true,\"waitForDebuggerOnStart\":true,\"flatten\":true");
		app_view_set_dark(v, v->options.dark);
		if (v->options.world_script)
			app_view_command(v, v->app, "Runtime.addBinding",
			    "\"name\":\"__mcpane_changed\",\"executionContextName\":\"mcpane\"");
		if (v->options.page_script) {
			json_write_member_string(
			    devtools_begin(d, v->app, "Page.addScriptToEvaluateOnNewDocument"),
			    "source", v->options.page_script);
			devtools_send(d, 0, NULL, NULL);
		}
	}
	app_view_command(v, target, "Runtime.runIfWaitingForDebugger", NULL);
}

static void
on_detached(struct app_view *v, const char *session, const cJSON *params)
{
	const char *gone = json_get_string(params, "sessionId");

	if (gone && strcmp(gone, v->app) == 0) {
		v->app[0] = '\0';
		v->app_world = 0;
		v->ping_id = 0;
	}
}

/* Called before it is known whether the navigation is allowed. */
static void
on_request_to_navigate(struct app_view *v, const char *session, const cJSON *params)
{
	const char *frame = json_get_string(params, "frameId"),
		   *url = json_get_string(params, "url");

	if (frame && url && strcmp(frame, v->app_frame) == 0)
		snprintf(v->goes_to, sizeof(v->goes_to), "%s", url);
}

/* ---- the page around the app ---- */

static void
on_carrier_runs(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	const char *text = json_get_string(json_get(result, "exceptionDetails"), "text");

	if (failed(v, "its page", problem ? problem : text))
		return;
	if (v->status.hidden)
		app_view_show(v, false);
	else
		app_view_pictures_start(v);
}

static void
on_carrier_world(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	const cJSON *number = json_get(result, "executionContextId");
	const struct embedded_file *script = embedded_find(page_files, "carrier.js");
	const char *function = memmem(script->bytes, script->len, "\n(origin", strlen("\n(origin"));
	struct devtools *d = &v->engine->devtools;

	BUG_IF(!function);
	if (!cJSON_IsNumber(number) && !problem)
		problem = "no world";
	if (failed(v, "its page", problem))
		return;
	v->carrier_world = (int64_t)number->valuedouble;
	v->stage = STAGE_APP;
	struct json_writer *w = devtools_begin(d, v->page, "Runtime.callFunctionOn");
	json_write_key(w, "functionDeclaration");
	json_write_stringn(w, function, script->len - (size_t)(function - script->bytes));
	json_write_member_int(w, "executionContextId", v->carrier_world);
	json_write_member_array(w, "arguments");
	json_write_object(w);
	json_write_member_string(w, "value", v->status.origin);
	json_write_object_end(w);
	json_write_object(w);
	json_write_member_int(w, "value", MESSAGE_MAX);
	json_write_object_end(w);
	json_write_array_end(w);
	devtools_send(d, 0, on_carrier_runs, v);
}

static void
on_navigated(struct app_view *v, const char *session, const cJSON *params)
{
	const cJSON *frame = json_get(params, "frame");
	const char *url = json_get_string(frame, "url"), *id = json_get_string(frame, "id");

	if (strcmp(session, v->page) == 0) {
		/* about:blank has a load event too, which may be late */
		if (url && strcmp(url, CARRIER_URL) == 0 && v->stage == STAGE_CARRIER) {
			copy_id(v->carrier_frame, frame, "id");
			v->carrier_committed = true;
		}
		return;
	}
	if (!id || !url || strcmp(id, v->app_frame) != 0)
		return;
	/* The carrier page blocks other navigation, so the app ends at an error page. */
	bool stays = strncmp(url, v->status.origin, strlen(v->status.origin)) == 0;
	if (v->stage == STAGE_LOADED)
		app_view_note(v, (struct app_view_note){ .kind = APP_VIEW_NAVIGATION,
				     .url = stays ? url : v->goes_to });
	if (v->closed)
		return;
	if (stays)
		dress_document(v, id);
	else
		app_view_fail(v, "the app has left its page for %.150s", v->goes_to);
}

static void
on_loaded(struct app_view *v, const char *session, const cJSON *params)
{
	struct devtools *d = &v->engine->devtools;

	if (strcmp(session, v->page) == 0 && v->stage == STAGE_CARRIER && v->carrier_committed) {
		v->carrier_committed = false;
		struct json_writer *w = devtools_begin(d, v->page, "Page.createIsolatedWorld");
		json_write_member_string(w, "frameId", v->carrier_frame);
		json_write_member_string(w, "worldName", "carrier");
		devtools_send(d, 0, on_carrier_world, v);
	} else if (strcmp(session, v->app) == 0 && v->stage == STAGE_APP) {
		v->stage = STAGE_LOADED;
		loop_timer_cancel(&v->load_timer);
		v->status.state = APP_VIEW_RUNNING;
		v->status.reason[0] = '\0';
		v->status.took_ms = (int)(loop_now_ms(v->engine->loop) - v->opened_ms);
		app_view_changed(v);
		if (!v->closed)
			app_view_pictures_again(v);
		app_view_input_begin(v);
	}
}

/* ---- a page ---- */

static void
on_carrier_url(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	const char *text = json_get_string(result, "errorText");

	failed(user, "its page", problem ? problem : text);
}

static void
on_setup(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;

	if (failed(v, "setup", problem) || --v->awaited > 0)
		return;
	v->stage = STAGE_CARRIER;
	app_view_resize(v, &v->options.size);
	app_view_set_dark(v, v->options.dark);
	devtools_call(&v->engine->devtools, v->page, "Page.navigate", "\"url\":\"" CARRIER_URL "\"",
	    on_carrier_url, v);
}

/* Answer about the world of the page. */
#define CARRIER_BINDING(name) "\"name\":\"" name "\",\"executionContextName\":\"carrier\""

static void
on_session(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	static const char *const setup[][2] = {
		{ "Page.enable", NULL },
		{ "Runtime.enable", NULL },
		{ "Fetch.enable", "\"patterns\":[{\"urlPattern\":\"*\"}]" },
		{ "Target.setAutoAttach",
		    "\"autoAttach\":true,\"waitForDebuggerOnStart\":true,\"flatten\":true" },
		{ "Emulation.setFocusEmulationEnabled", "\"enabled\":true" },
		{ "Runtime.addBinding", CARRIER_BINDING("__mcpane_message") },
		{ "Runtime.addBinding", CARRIER_BINDING("__mcpane_dropped") },
		{ NULL, NULL },
	};
	struct app_view *v = user;

	if (failed(v, "session", problem))
		return;
	copy_id(v->page, result, "sessionId");
	v->stage = STAGE_SETUP;
	for (size_t i = 0; setup[i][0]; i++) {
		v->awaited++;
		devtools_call(&v->engine->devtools, v->page, setup[i][0], setup[i][1], on_setup, v);
	}
}

static void
on_target(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	struct devtools *d = &v->engine->devtools;

	if (failed(v, "page", problem))
		return;
	copy_id(v->target, result, "targetId");
	struct json_writer *w = devtools_begin(d, NULL, "Target.attachToTarget");
	json_write_member_string(w, "targetId", v->target);
	json_write_member_bool(w, "flatten", true);
	devtools_send(d, 0, on_session, v);
}

static void
on_context(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	struct devtools *d = &v->engine->devtools;

	if (failed(v, "context", problem))
		return;
	copy_id(v->context, result, "browserContextId");
	struct json_writer *w = devtools_begin(d, NULL, "Browser.setDownloadBehavior");
	json_write_member_string(w, "behavior", "deny");
	json_write_member_string(w, "browserContextId", v->context);
	json_write_member_bool(w, "eventsEnabled", true);
	devtools_send(d, 0, NULL, NULL);
	w = devtools_begin(d, NULL, "Target.createTarget");
	json_write_member_string(w, "url", "about:blank");
	json_write_member_string(w, "browserContextId", v->context);
	devtools_send(d, 0, on_target, v);
}

void
app_view_begin(struct app_view *v)
{
	struct loop *loop = v->engine->loop;
	uint64_t random;

	v->attempts++;
	v->stage = STAGE_TARGET;
	v->status.state = APP_VIEW_OPENING;
	while (getrandom(&random, sizeof(random), 0) != sizeof(random))
		continue;
	snprintf(
	    v->status.origin, sizeof(v->status.origin), "https://a%016" PRIx64 ".invalid", random);
	v->load_timer.fn = on_load_timer;
	loop_timer_set(loop, &v->load_timer,
	    loop_now_ms(loop) + (v->options.load_ms ? v->options.load_ms : LOAD_MS));
	devtools_call(&v->engine->devtools, NULL, "Target.createBrowserContext",
	    "\"disposeOnDetach\":true", on_context, v);
}

/* ---- events ---- */

void
app_view_opening_event(
    struct app_view *v, const char *session, const char *method, const cJSON *params)
{
	static const struct {
		const char *method;
		void (*fn)(struct app_view *v, const char *session, const cJSON *params);
	} events[] = {
		{ "Fetch.requestPaused", app_view_serve },
		{ "Page.frameRequestedNavigation", on_request_to_navigate },
		{ "Page.frameNavigated", on_navigated },
		{ "Page.loadEventFired", on_loaded },
		{ "Target.attachedToTarget", on_attached },
		{ "Target.detachedFromTarget", on_detached },
		{ NULL, NULL },
	};

	for (size_t i = 0; events[i].method; i++)
		if (strcmp(events[i].method, method) == 0)
			events[i].fn(v, session, params);
}

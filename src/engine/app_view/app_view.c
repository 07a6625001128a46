#include "engine/parts.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PING_MS = 3000, TICKS_PER_PING = 4 };

const struct app_view_status *
app_view_status(struct app_view *v)
{
	if (v->status.state == APP_VIEW_OPENING)
		v->status.took_ms = (int)(loop_now_ms(v->engine->loop) - v->opened_ms);
	return &v->status;
}

void
app_view_changed(struct app_view *v)
{
	if (!v->closed && v->events.on_state)
		v->events.on_state(v->events.user);
}

/* ---- open, close ---- */

static void
copy_options(struct app_view *v, const struct app_view_options *o)
{
	v->options = *o;
	v->options.html = mem_dup(o->html ? o->html : "", o->html_len);
	v->options.csp = mem_strdup(o->csp);
	v->options.style = mem_strdup(o->style);
	v->options.page_script = mem_strdup(o->page_script);
	v->options.world_script = mem_strdup(o->world_script);
	v->options.collect = mem_strdup(o->collect);
	v->options.undress = mem_strdup(o->undress);
	v->options.dress = mem_strdup(o->dress);
	v->options.file_path = mem_strdup(o->file_path);
	v->options.file_type = mem_strdup(o->file_type);
	v->options.file = o->file_len > 0 ? mem_dup(o->file, o->file_len) : NULL;
}

static void
free_options(struct app_view *v)
{
	free((char *)v->options.html);
	free((char *)v->options.csp);
	free((char *)v->options.style);
	free((char *)v->options.page_script);
	free((char *)v->options.world_script);
	free((char *)v->options.collect);
	free((char *)v->options.undress);
	free((char *)v->options.dress);
	free((char *)v->options.file_path);
	free((char *)v->options.file_type);
	free((void *)v->options.file);
}

static void
on_load_timer(void *user)
{
	struct app_view *v = user;

	if (v->stage < STAGE_LOADED)
		app_view_fail(v, "the app has not loaded in time");
}

static void
wait_for_engine(struct app_view *v)
{
	v->stage = STAGE_WAITING;
	v->status.state = APP_VIEW_OPENING;
	v->status.reason[0] = '\0';
	v->opened_ms = loop_now_ms(v->engine->loop);
	engine_start(v->engine);
	if (v->engine->status.state == ENGINE_READY && v->stage == STAGE_WAITING)
		app_view_begin(v);
}

/* Turns of the loop later, so that the owner has the view before its first callback. */
static void
on_open_timer(void *user)
{
	struct app_view *v = user;

	v->load_timer.fn = on_load_timer;
	if (!v->closed && v->stage == STAGE_WAITING)
		wait_for_engine(v);
}

struct app_view *
app_view_open(
    struct engine *e, const struct app_view_options *options, const struct app_view_events *events)
{
	struct app_view *v = mem_zalloc(sizeof(*v));

	v->engine = e;
	v->events = *events;
	copy_options(v, options);
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
	free_options(v);
	free(v);
}

/* ---- what the engine tells ---- */

void
app_view_on_ready(struct app_view *v)
{
	v->load_timer.fn = on_load_timer;
	if (!v->closed && v->stage == STAGE_WAITING)
		app_view_begin(v);
}

void
app_view_on_lost(struct app_view *v, const char *reason)
{
	if (v->closed)
		return;
	v->attempts = 2; /* a dead engine is not tried again for each view */
	app_view_fail(v, "%s", reason);
}

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
	if (!v->closed && !hung) /* its texts were not asked for meanwhile */
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

/* ---- what the owner wants ---- */

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

/* Calls a function of carrier.js. */
static struct json_writer *
begin_call(struct app_view *v, const char *function)
{
	struct json_writer *w =
	    devtools_begin(&v->engine->devtools, v->page, "Runtime.callFunctionOn");

	json_write_member_string(w, "functionDeclaration", function);
	json_write_member_int(w, "executionContextId", v->carrier_world);
	json_write_member_array(w, "arguments");
	json_write_object(w);
	json_write_key(w, "value");
	return w;
}

static void
send_call(struct app_view *v, struct json_writer *w)
{
	json_write_object_end(w);
	json_write_array_end(w);
	devtools_send(&v->engine->devtools, 0, NULL, NULL);
}

void
app_view_post(struct app_view *v, const char *json, size_t len)
{
	if (!v->carrier_world || v->stage < STAGE_APP || v->stage == STAGE_ENDED)
		return;
	struct json_writer *w = begin_call(v, "(text) => deliver(text)");
	json_write_stringn(w, json, len);
	send_call(v, w);
}

void
app_view_show(struct app_view *v, bool shown)
{
	v->status.hidden = v->options.hidden = !shown;
	if (!v->carrier_world || v->stage < STAGE_APP || v->stage == STAGE_ENDED)
		return;
	struct json_writer *w = begin_call(v, "(shown) => show(shown)");
	json_write_bool(w, shown);
	send_call(v, w);
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

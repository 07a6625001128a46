#include "engine/parts.h"

#include "base/base64.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A picture waits so long for the texts that belong to it. */
enum { TEXT_MS = 700, SOON_MS = 40, LATE_MS = 500, PNG_MAX = 32 << 20 };
enum { FRAME_MS = 33 };
/* Chromium drops pictures while this many are unconfirmed. */
enum { UNCONFIRMED_MAX = 3, REST_MS = 100 };

/* The number of a picture that was shown before. */
enum { AGAIN = -1 };

/* ---- the screencast: a picture whenever something has changed ---- */

static void
confirm(struct app_view *v, int64_t number)
{
	char members[48];

	if (number == AGAIN)
		return;
	snprintf(members, sizeof(members), "\"sessionId\":%lld", (long long)number);
	app_view_command(v, v->page, "Page.screencastFrameAck", members);
}

void
app_view_pictures_start(struct app_view *v)
{
	char members[128];

	snprintf(members, sizeof(members), "\"format\":\"png\",\"maxWidth\":%d,\"maxHeight\":%d",
	    v->options.size.picture_width, v->options.size.picture_height);
	app_view_command(v, v->page, "Page.startScreencast", members);
	v->picture.running = true;
	v->picture.count = 0;
}

void
app_view_pictures_stop(struct app_view *v)
{
	app_view_command(v, v->page, "Page.stopScreencast", NULL);
	loop_timer_cancel(&v->picture.rest);
	v->picture.running = v->picture.fresh = false;
}

static void
on_rest(void *user)
{
	app_view_pictures_stop(user);
	app_view_pictures_start(user);
}

/* The first picture of another screencast shows what a dropped one would have shown. */
static void
begin_again_in(struct app_view *v, int ms)
{
	v->picture.rest.fn = on_rest;
	v->picture.rest.user = v;
	loop_timer_set(v->engine->loop, &v->picture.rest, loop_now_ms(v->engine->loop) + ms);
}

void
app_view_pictures_forget(struct app_view *v)
{
	loop_timer_cancel(&v->picture.again);
	loop_timer_cancel(&v->picture.next);
	loop_timer_cancel(&v->picture.rest);
	free(v->picture.text);
	v->picture.text = NULL;
	v->picture.text_id = 0;
	v->picture.running = v->picture.fresh = v->picture.outruns = false;
	v->picture.unconfirmed = 0;
	v->undressed = 0;
}

static void
on_soon(void *user)
{
	app_view_pictures_again(user);
}

static void
ask_again_in(struct app_view *v, int ms)
{
	v->picture.again.fn = on_soon;
	v->picture.again.user = v;
	loop_timer_set(v->engine->loop, &v->picture.again, loop_now_ms(v->engine->loop) + ms);
}

/* A picture may come while the texts of the one before are asked for. It does not wait for its own,
 * which nobody would see on a page that moves, but gets them if it stays. */
static void
hand_out(struct app_view *v)
{
	struct app_view_frame frame = { buf_text(&v->picture.png), v->picture.png.len,
		v->picture.text };

	if (!v->picture.fresh || v->picture.text_id)
		return;
	v->picture.fresh = false;
	v->picture.unconfirmed = v->picture.number;
	v->picture.out_ms = loop_now_ms(v->engine->loop);
	if (v->picture.outruns)
		ask_again_in(v, SOON_MS);
	v->picture.outruns = false;
	if (v->events.on_frame)
		v->events.on_frame(v->events.user, &frame);
	else
		app_view_drawn(v);
}

static void
on_text(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;

	v->picture.text_id = 0;
	free(v->picture.text);
	v->picture.text = mem_strdup(json_get_string(json_get(result, "result"), "value"));
	if (problem) /* it may come yet, and nothing else would ask for it */
		ask_again_in(v, LATE_MS);
	hand_out(v);
}

/* In the world of ours. */
static uint64_t
evaluate(
    struct app_view *v, const char *expression, int within_ms, devtools_answer_fn *fn, void *user)
{
	struct devtools *d = &v->engine->devtools;
	struct json_writer *w = devtools_begin(d, v->app, "Runtime.evaluate");

	json_write_member_string(w, "expression", expression);
	json_write_member_bool(w, "returnByValue", true);
	json_write_member_bool(w, "awaitPromise", true);
	json_write_member_int(w, "contextId", v->app_world);
	return devtools_send(d, within_ms, fn, user);
}

static void
complete(struct app_view *v)
{
	bool asks = *v->app && v->stage == STAGE_LOADED && !v->status.hung;

	if (!v->picture.fresh || v->picture.unconfirmed || v->picture.text_id)
		return;
	loop_timer_cancel(&v->picture.again);
	if (asks && v->options.collect && v->app_world)
		v->picture.text_id = evaluate(v, v->options.collect, TEXT_MS, on_text, v);
	hand_out(v);
}

/* Shows the last picture again, with new texts: it may have come before there were any. */
void
app_view_pictures_again(struct app_view *v)
{
	bool has_texts = v->stage == STAGE_LOADED && (v->app_world || !v->options.world_script);

	if (!has_texts || v->picture.fresh || v->picture.png.len == 0 || !v->picture.running)
		return;
	v->picture.number = AGAIN;
	v->picture.fresh = true;
	complete(v);
}

void
app_view_pictures_soon(struct app_view *v)
{
	if (!v->picture.text_id) /* that answer knows of it */
		ask_again_in(v, SOON_MS);
}

/* Only the newest picture is kept; the engine sends few before the first is confirmed. */
void
app_view_on_picture(struct app_view *v, const cJSON *params)
{
	const char *data = json_get_string(params, "data");
	const cJSON *number = json_get(params, "sessionId");

	if (!data || !cJSON_IsNumber(number) || !v->picture.running)
		return;
	if (++v->picture.count >= UNCONFIRMED_MAX)
		begin_again_in(v, REST_MS);
	if (v->picture.fresh)
		confirm(v, v->picture.number);
	v->picture.fresh = false;
	if (v->undressed > 0) {
		confirm(v, (int64_t)number->valuedouble);
		return;
	}
	buf_clear(&v->picture.png);
	v->picture.png.max = PNG_MAX;
	v->picture.number = (int64_t)number->valuedouble;
	v->picture.fresh = base64_decode(&v->picture.png, data, strlen(data));
	v->picture.outruns = v->picture.text_id != 0;
	if (v->picture.fresh)
		complete(v);
	else
		confirm(v, v->picture.number);
	app_view_input_go_on(v);
}

/* No picture is made before the last one is confirmed. */
static void
on_next(void *user)
{
	struct app_view *v = user;

	if (v->picture.running)
		confirm(v, v->picture.unconfirmed);
	v->picture.unconfirmed = 0;
	complete(v);
}

/* An app that rested is answered at once, one that moves as often as eyes can tell, and less often
 * if drawing it takes more than half of the time. The next one comes in a turn of its own: whoever
 * has just drawn could not draw it yet, and would miss it. */
void
app_view_drawn(struct app_view *v)
{
	int64_t now = loop_now_ms(v->engine->loop), took = now - v->picture.out_ms;

	if (v->closed || !v->picture.unconfirmed)
		return;
	v->picture.next.fn = on_next;
	v->picture.next.user = v;
	loop_timer_set(v->engine->loop, &v->picture.next,
	    took < FRAME_MS / 2 ? v->picture.out_ms + FRAME_MS : now + took);
}

/* ---- questions ---- */

static void
reply(struct app_view_asked *a, const cJSON *result, const char *problem)
{
	const char *data = json_get_string(result, "data");
	struct buf png = BUF_INIT;

	if (a->nodes) {
		a->nodes(a->user, json_get(result, "nodes"), problem);
		return;
	}
	if (!problem && (!data || !base64_decode(&png, data, strlen(data))))
		problem = "no picture came";
	a->png(a->user, problem ? NULL : buf_text(&png), png.len, problem);
	buf_finish(&png);
}

/* With all that reads it as text again. */
static void
dress(struct app_view *v)
{
	if (v->options.dress && v->app_world)
		evaluate(v, v->options.dress, 0, NULL, NULL);
	if (*v->sheet) {
		app_view_set_style(v, v->options.style);
		devtools_send(&v->engine->devtools, 0, NULL, NULL);
	}
}

static void
on_asked(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view_asked *a = user, **link = &a->view->asked;

	while (*link != a)
		link = &(*link)->next;
	*link = a->next;
	if (a->png && a->view->undressed > 0 && --a->view->undressed == 0)
		dress(a->view);
	reply(a, result, problem);
	free(a);
}

/* NULL: it was answered. */
static struct app_view_asked *
begin_asking(struct app_view *v, const struct app_view_asked *what)
{
	struct app_view_asked *a = mem_dup(what, sizeof(*what));

	if (v->closed || v->stage != STAGE_LOADED || !*v->app) {
		reply(a, NULL, "the app does not run");
		free(a);
		return NULL;
	}
	a->next = v->asked;
	a->view = v;
	v->asked = a;
	return a;
}

static void
on_shown(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view_asked *a = user;

	devtools_call(&a->view->engine->devtools, a->view->page, "Page.captureScreenshot",
	    "\"format\":\"png\"", on_asked, a);
}

static void
on_undressed(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view_asked *a = user;
	struct app_view *v = a->view;

	if (v->options.undress && v->app_world)
		evaluate(v, v->options.undress, 0, on_shown, a);
	else
		on_shown(a, id, NULL, NULL);
}

/* As its author sees the page: without what has its text disappear. */
void
app_view_screenshot(struct app_view *v, app_view_png_fn *fn, void *user)
{
	struct app_view_asked *a =
	    begin_asking(v, &(struct app_view_asked){ .png = fn, .user = user });

	if (a && *v->sheet) {
		v->undressed++;
		app_view_set_style(v, "");
		devtools_send(&v->engine->devtools, 0, on_undressed, a);
	} else if (a) {
		on_shown(a, 0, NULL, NULL);
	}
}

void
app_view_reader(struct app_view *v, app_view_nodes_fn *fn, void *user)
{
	struct app_view_asked *a =
	    begin_asking(v, &(struct app_view_asked){ .nodes = fn, .user = user });

	if (a)
		devtools_call(
		    &v->engine->devtools, v->app, "Accessibility.getFullAXTree", NULL, on_asked, a);
}

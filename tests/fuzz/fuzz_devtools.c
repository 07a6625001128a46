/* SPDX-License-Identifier: MIT */
/* Any bytes from what should be Chromium, while an app runs: nothing but callbacks with texts. The
 * first byte says how much of the opening has been done. */
#include "fuzz.h"

#include "engine/parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static size_t total;

static void
on_message(void *user, const char *json, size_t len)
{
	total += strlen(json) == len;
}

static void
on_frame(void *user, const struct app_view_frame *frame)
{
	for (size_t i = 0; i < frame->png_len; i++)
		total += (unsigned char)frame->png[i];
	total += frame->text ? strlen(frame->text) : 0;
	app_view_drawn(*(struct app_view **)user);
}

static void
on_note(void *user, const struct app_view_note *note)
{
	total +=
	    strlen(note->level) + strlen(note->text) + strlen(note->url) + strlen(note->directive);
}

static void
pretend(struct app_view *v, enum app_view_stage stage)
{
	struct engine *e = v->engine;

	e->status.state = ENGINE_READY;
	loop_timer_cancel(&v->load_timer);
	app_view_begin(v);
	v->stage = stage;
	snprintf(v->page, sizeof(v->page), "P");
	snprintf(v->app, sizeof(v->app), "A");
	snprintf(v->app_frame, sizeof(v->app_frame), "F");
	v->picture.running = true;
	v->carrier_world = v->app_world = 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct app_view *v = NULL;
	struct app_view_events events = {
		.user = &v, .on_message = on_message, .on_frame = on_frame, .on_note = on_note
	};
	struct app_view_options view = { .html = "x",
		.html_len = 1,
		.file_path = "/f",
		.file_type = "t",
		.file = "f",
		.file_len = 1,
		.collect = "c",
		.style = "s" };
	int ends[2];

	if (size < 1 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
		return 0;
	struct engine_options options = { .peer = ends[0] };
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct engine *engine = engine_create(loop, &options, NULL);
	engine_start(engine);
	v = app_view_open(engine, &view, &events);
	if (data[0] % 8)
		pretend(v, (enum app_view_stage)(data[0] % STAGE_ENDED));
	devtools_feed(&engine->devtools, (const char *)data + 1, size - 1);
	loop_turn(loop, 0);
	demand(strlen(app_view_status(v)->reason) < sizeof(app_view_status(v)->reason));
	app_view_close(v);
	engine_destroy(engine);
	close(ends[1]);
	loop_destroy(loop);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#ifndef ENGINE_APP_VIEW_H
#define ENGINE_APP_VIEW_H

#include "apps/policy.h"
#include "apps/view.h"
#include "engine/engine.h"

/*
 * One app in the engine: a document with a random origin, in an iframe of a page that only forwards
 * messages. Its cookies and storage are deleted when the view is closed. Messages are opaque JSON.
 *
 * The engine sends a picture after a change, and the next one only after app_view_drawn(): the
 * terminal sets the pace, and an idle app uses no processor time.
 *
 * Callbacks may call any function here, including app_view_close().
 */
struct app_view_events {
	void *user;
	void (*on_state)(void *user); /* the status changed */
	void (*on_message)(void *user, const char *json, size_t len);
	void (*on_frame)(void *user, const struct app_view_frame *frame);
	void (*on_note)(void *user, const struct app_view_note *note);
	/* The engine has no network. Return true if app_view_respond() will follow; otherwise the
	 * request is reported as blocked. NULL: block every request. */
	bool (*on_request)(void *user, const struct app_request *request);
};

/* Open a view and start the engine if necessary. Errors are reported by app_view_status(), never at
 * once. */
struct app_view *app_view_open(struct engine *engine, const struct app_view_options *options,
    const struct app_view_events *events);
void app_view_close(struct app_view *view); /* no callback follows. NULL-safe */

const struct app_view_status *app_view_status(struct app_view *view);

/* Post a JSON text to the app. It is lost before the document begins to load: the app sends the
 * first message. */
void app_view_post(struct app_view *view, const char *json, size_t len);
void app_view_drawn(struct app_view *view); /* the last frame was drawn: request the next */
void app_view_resize(struct app_view *view, const struct app_view_size *size);
void app_view_set_dark(struct app_view *view, bool dark);
/* false: stop pictures and animations */
void app_view_show(struct app_view *view, bool shown);
/* Terminate the running script, for example an endless loop; the app stays open. */
void app_view_terminate_script(struct app_view *view);

/* ---- input ---- */
void app_view_mouse(struct app_view *view, const struct app_view_mouse *mouse);
/* A key by its name, as in KeyboardEvent.key: "Enter", "ArrowLeft", "F5", "a". False: unknown. */
bool app_view_key(struct app_view *view, const char *name, int modifiers);
void app_view_text(struct app_view *view, const char *utf8, size_t len); /* typed or pasted */

/* ---- requests ---- */
/* Answer a request; response NULL: it failed. Answers to requests that were abandoned are ignored.
 */
void app_view_respond(struct app_view *view, uint64_t request, const struct app_response *response);

/* ---- screenshots and the accessibility tree ---- */
void app_view_screenshot(struct app_view *view, app_view_png_fn *fn, void *user); /* at full size */
void app_view_reader(struct app_view *view, app_view_nodes_fn *fn, void *user);

#endif

#ifndef ENGINE_APP_VIEW_H
#define ENGINE_APP_VIEW_H

#include "apps/policy.h"
#include "apps/view.h"
#include "engine/engine.h"

/*
 * One app in the engine: a document of its own origin, in an iframe of a page that only carries
 * messages to and from it. Its cookies and storage end with it. Messages are opaque JSON.
 *
 * A picture comes when something has changed, and the next one only after app_view_drawn(): so the
 * terminal sets the pace, and an idle app costs nothing.
 *
 * Callbacks may call any function here, also app_view_close().
 */
struct app_view_events {
	void *user;
	void (*on_state)(void *user); /* anything in the status */
	void (*on_message)(void *user, const char *json, size_t len);
	void (*on_frame)(void *user, const struct app_view_frame *frame);
	void (*on_note)(void *user, const struct app_view_note *note);
	/* The engine reaches no network itself. True: app_view_respond() follows; else it is told
	 * as blocked. NULL: all are. */
	bool (*on_request)(void *user, const struct app_request *request);
};

/* Starts the engine if it does not run. Never fails at once: see app_view_status(). */
struct app_view *app_view_open(struct engine *engine, const struct app_view_options *options,
    const struct app_view_events *events);
void app_view_close(struct app_view *view); /* no callback follows. NULL-safe */

const struct app_view_status *app_view_status(struct app_view *view);

/* A JSON text to the app. Before its document has begun to load it is lost: the app speaks first.
 */
void app_view_post(struct app_view *view, const char *json, size_t len);
void app_view_drawn(struct app_view *view); /* the last frame was used; the next may come */
void app_view_resize(struct app_view *view, const struct app_view_size *size);
void app_view_set_dark(struct app_view *view, bool dark);
/* false: no pictures, and its animations rest. */
void app_view_show(struct app_view *view, bool shown);
/* Ends the script that runs now, as one in an endless loop; the app stays. */
void app_view_terminate_script(struct app_view *view);

/* ---- input ---- */
void app_view_mouse(struct app_view *view, const struct app_view_mouse *mouse);
/* A key by its name, as in KeyboardEvent.key: "Enter", "ArrowLeft", "F5", "a". False: unknown. */
bool app_view_key(struct app_view *view, const char *name, int modifiers);
void app_view_text(struct app_view *view, const char *utf8, size_t len); /* typed or pasted */

/* ---- requests ---- */
/* response NULL: it failed. What nobody waits for any more is ignored. */
void app_view_respond(struct app_view *view, uint64_t request, const struct app_response *response);

/* ---- questions ---- */
void app_view_screenshot(struct app_view *view, app_view_png_fn *fn, void *user); /* at full size */
void app_view_reader(struct app_view *view, app_view_nodes_fn *fn, void *user);

#endif

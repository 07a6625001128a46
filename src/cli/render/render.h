/* SPDX-License-Identifier: MIT */
#ifndef CLI_RENDER_RENDER_H
#define CLI_RENDER_RENDER_H

#include "cli/client.h"
#include "client/app.h"

/* `mcpane render`: one app that runs without a screen, for as long as the steps of the command line
 * take. */

struct render_outcome {    /* of a step */
	int64_t took_us;   /* -1: it was not its turn */
	char trouble[200]; /* "": it worked */
};

struct render_wish {
	char *text; /* untrusted */
	bool granted;
};

struct render {
	struct client client; /* first: client_wait() passes only the client */
	const struct options *o;
	uint64_t call;
	bool started;
	char trouble[300];               /* why the app is broken; "" */
	struct render_outcome *outcomes; /* of o->steps */
	struct {
		struct render_wish *items;
		size_t len, cap;
	} wishes;
	struct strings files; /* that the app gave */
	struct buf picture;   /* as text */

	/* the wait under way */
	struct loop_timer timer;
	int64_t from_us, deadline_us;
	int64_t changed_us;     /* the app did something */
	size_t frames, scanned; /* seen; searched */
	const struct option_step *step;
	int x, y;                     /* where the click goes, in CSS pixels */
	bool is_disabled, is_unknown; /* of the element to click; of the key */
	struct buf png;
	char png_trouble[200];
};

struct app *render_app(const struct render *r); /* NULL: it is gone */

/* ---- app_report.c ---- */
/* Keeps the picture of now: as text, in that many colors. */
void render_take_picture(struct render *r, int colors);
void render_add_json(const struct render *r, struct buf *out);
void render_say(const struct render *r); /* on standard error */

#endif

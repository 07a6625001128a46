/* SPDX-License-Identifier: MIT */
#ifndef PANE_APP_APP_PANE_H
#define PANE_APP_APP_PANE_H

#include "client/app.h"
#include "pane/pane.h"
#include "ui/page.h"

enum app_text_kind { APP_TEXT_NONE, APP_TEXT_SOURCE, APP_TEXT_READER };

struct app_pane {
	bool typing;  /* the page has the keyboard */
	bool hovered; /* the mouse was over it */
	/* of the last press, for double clicks */
	int64_t pressed_us;
	int pressed_x, pressed_y, clicks;
	uint64_t wish; /* the request on the screen, and the time of its first drawing */
	int64_t wish_us;
	uint64_t call; /* the call of the app */
	struct {
		enum app_text_kind kind;
		size_t version; /* of the text on the page */
		struct page page;
	} text; /* instead of the picture */
};

/* app_keys.c: true if the page got it. */
bool app_keys_send(struct app *a, const struct key *key);
bool app_keys_mouse(struct app_pane *p, struct app *a, const struct key *key, int64_t now_us);

#endif

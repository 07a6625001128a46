/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKE_APPS_H
#define TESTS_FAKE_APPS_H

#include "client/app.h"

/* Apps without an engine: records the calls of the bridge, and the test sends the messages of the
 * pages. JSON is written with ' for ". */
struct fake_view {
	struct app *app;
	struct app_view_status status;
	bool is_open;
};

struct fake_apps {
	struct app_house house; /* must come first */
	int prepared;           /* number of prepare() calls */
	struct fake_view views[16];
	size_t count;      /* views opened so far, including closed ones */
	struct buf told;   /* calls except post(), one per line */
	struct buf posted; /* posted messages, one per line */
};

void fake_apps_init(struct fake_apps *f, const char *trouble); /* trouble is "" if apps can run */
void fake_apps_finish(struct fake_apps *f);
size_t fake_apps_open(const struct fake_apps *f); /* number of open views */

/* The app's page sends a message. */
void fake_apps_say(struct app *a, const char *message, int64_t now_us);
/* The page sends ui/initialize with these appCapabilities, then ui/notifications/initialized. */
void fake_apps_shake(struct app *a, const char *capabilities, int64_t now_us);
/* The engine draws a picture with this text in its first row. */
void fake_apps_frame(struct app *a, const char *text, int64_t now_us);
/* The engine fails. */
void fake_apps_fail(struct fake_apps *f, struct app *a, const char *why, int64_t now_us);

#endif

#ifndef TESTS_FAKE_APPS_H
#define TESTS_FAKE_APPS_H

#include "client/app.h"

/* A house of apps whose engine is the test: it notes what it is told, and says what pages would
 * say. JSON is written with ' for ". */
struct fake_view {
	struct app *app;
	struct app_view_status status;
	bool is_open;
};

struct fake_apps {
	struct app_house house; /* must come first */
	int prepared;           /* how often it was told to expect an app */
	struct fake_view views[16];
	size_t count;      /* that were opened, also those that are closed again */
	struct buf told;   /* one line for each call but post() */
	struct buf posted; /* one message a line */
};

void fake_apps_init(struct fake_apps *f, const char *trouble); /* "": they run */
void fake_apps_finish(struct fake_apps *f);
size_t fake_apps_open(const struct fake_apps *f); /* views */

/* What the page of the app says. */
void fake_apps_say(struct app *a, const char *message, int64_t now_us);
/* ui/initialize with these appCapabilities, and initialized. */
void fake_apps_shake(struct app *a, const char *capabilities, int64_t now_us);
/* A picture with this text in its first row. */
void fake_apps_frame(struct app *a, const char *text, int64_t now_us);
/* The engine gives up. */
void fake_apps_fail(struct fake_apps *f, struct app *a, const char *why, int64_t now_us);

#endif

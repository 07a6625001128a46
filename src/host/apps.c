#include "host/apps.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engine/app_view.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct apps {
	struct app_house house; /* must come first */
	struct loop *loop;
	struct engine_options options;
	struct engine *engine; /* NULL: no app was opened yet */
	char locale[32], time_zone[64];
	void (*on_change)(void *user);
	void *user;
};

/* ---- from the engine to the model ---- */

static void
changed(const struct app *app)
{
	const struct apps *apps = (const struct apps *)app_house_of(app);

	apps->on_change(apps->user);
}

static void
on_state(void *user)
{
	app_on_view_state(user, clock_now_us());
	changed(user);
}

static void
on_message(void *user, const char *json, size_t len)
{
	app_on_view_message(user, json, len, clock_now_us());
	changed(user);
}

static void
on_frame(void *user, const struct app_view_frame *frame)
{
	app_on_view_frame(user, frame, clock_now_us());
	changed(user);
}

static void
on_note(void *user, const struct app_view_note *note)
{
	app_on_view_note(user, note, clock_now_us());
	changed(user);
}

static struct app_view *
open_view(struct app *app, const struct app_view_options *options)
{
	const struct app_view_events events = { app, on_state, on_message, on_frame, on_note };
	struct apps *apps = (struct apps *)app_house_of(app);

	if (!apps->engine)
		apps->engine = engine_create(apps->loop, &apps->options, NULL);
	return app_view_open(apps->engine, options, &events);
}

static const struct app_view_ops views = {
	.open = open_view,
	.close = app_view_close,
	.status = app_view_status,
	.post = app_view_post,
	.drawn = app_view_drawn,
	.resize = app_view_resize,
	.set_dark = app_view_set_dark,
	.show = app_view_show,
	.terminate_script = app_view_terminate_script,
	.mouse = app_view_mouse,
	.key = app_view_key,
	.text = app_view_text,
	.screenshot = app_view_screenshot,
	.reader = app_view_reader,
};

/* ---- the surroundings ---- */

/* "en_US.UTF-8" is "en-US" to a page. */
static void
read_locale(struct apps *apps)
{
	const char *name = setlocale(LC_MESSAGES, NULL);
	size_t len = name ? strcspn(name, ".@") : 0;

	snprintf(apps->locale, sizeof(apps->locale), "%.*s", (int)len, name ? name : "");
	for (char *c = apps->locale; *c; c++)
		if (*c == '_')
			*c = '-';
	if (strlen(apps->locale) < 2 || strcmp(apps->locale, "POSIX") == 0)
		snprintf(apps->locale, sizeof(apps->locale), "en-US");
}

/* The name in the tz database: TZ, or where /etc/localtime leads. */
static void
read_time_zone(struct apps *apps)
{
	static const char folder[] = "/zoneinfo/";
	const char *tz = getenv("TZ");
	char path[PATH_MAX];
	ssize_t len = tz && *tz ? -1 : readlink("/etc/localtime", path, sizeof(path) - 1);

	if (len > 0) {
		path[len] = '\0';
		const char *at = strstr(path, folder);
		tz = at ? at + strlen(folder) : NULL;
	}
	snprintf(apps->time_zone, sizeof(apps->time_zone), "%s",
	    tz && *tz ? tz + (*tz == ':') : "UTC");
}

struct apps *
apps_create(struct loop *loop, const struct engine_options *options,
    void (*on_change)(void *user), void *user)
{
	struct apps *apps = mem_zalloc(sizeof(*apps));
	struct err err = { 0 };
	char *program = engine_find(options->program, &err);

	apps->on_change = on_change;
	apps->user = user;
	read_locale(apps);
	read_time_zone(apps);
	apps->loop = loop;
	apps->options = *options;
	apps->house = (struct app_house){
		.views = &views,
		.context = { .locale = apps->locale,
		    .time_zone = apps->time_zone,
		    .user_agent = "mcpane/" VERSION,
		    .is_dark = true,
		    .has_mouse = true },
	};
	if (!program)
		snprintf(apps->house.trouble, sizeof(apps->house.trouble), "%s", err.text);
	free(program);
	return apps;
}

void
apps_destroy(struct apps *apps)
{
	if (!apps)
		return;
	engine_destroy(apps->engine);
	free(apps);
}

struct app_house *
apps_house(struct apps *apps)
{
	return &apps->house;
}

bool
apps_can_run(void)
{
	struct err err;
	char *program = engine_find(NULL, &err);
	bool found = program != NULL;

	free(program);
	return found;
}

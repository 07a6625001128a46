#include "host/app_house.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "engine/app_view.h"
#include "host/app_network.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct inside {
	struct app_house house; /* must come first */
	struct loop *loop;
	struct engine_options options;
	struct app_network network;
	struct engine *engine; /* NULL: no app was opened yet */
	char locale[32], time_zone[64];
	void (*on_change)(void *user);
	void *user;
};

/* ---- from the engine to the model ---- */

static void
changed(const struct app *app)
{
	const struct inside *in = (const struct inside *)app_facts(app)->house;

	in->on_change(in->user);
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

static bool
on_request(void *user, const struct app_request *request)
{
	struct inside *in = (struct inside *)app_facts(user)->house;

	return app_network_carry(&in->network, user, request);
}

static struct engine *
engine_of(struct inside *in)
{
	if (!in->engine)
		in->engine = engine_create(in->loop, &in->options, NULL);
	return in->engine;
}

static struct app_view *
open_view(struct app *app, const struct app_view_options *options)
{
	const struct app_view_events events = { app, on_state, on_message, on_frame, on_note,
		on_request };
	struct inside *in = (struct inside *)app_facts(app)->house;

	return app_view_open(engine_of(in), options, &events);
}

static void
close_view(struct app_house *house, struct app_view *view)
{
	app_network_forget(&((struct inside *)house)->network, view);
	app_view_close(view);
}

static struct app_engine
tell_engine(const struct app_house *house)
{
	const struct inside *in = (const struct inside *)house;

	if (!in->engine)
		return (struct app_engine){ "", "", 0 };
	const struct engine_status *s = engine_status(in->engine);
	return (struct app_engine){ s->program, s->version, s->memory_bytes };
}

static void
on_answer(struct app_house *house)
{
	struct inside *in = (struct inside *)house;

	in->on_change(in->user);
}

static const struct app_view_ops views = {
	.open = open_view,
	.engine = tell_engine,
	.close = close_view,
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

/* The locale of messages (POSIX, 8.2), which the program itself does not use: "en_US.UTF-8" is
 * "en-US" to a page. */
static void
read_locale(struct inside *in)
{
	static const char *const variables[] = { "LC_ALL", "LC_MESSAGES", "LANG" };
	const char *name = NULL;

	for (size_t i = 0; i < ARRAY_LEN(variables) && !(name && *name); i++)
		name = getenv(variables[i]);
	size_t len = name ? strcspn(name, ".@") : 0;

	snprintf(in->locale, sizeof(in->locale), "%.*s", (int)len, name ? name : "");
	for (char *c = in->locale; *c; c++)
		if (*c == '_')
			*c = '-';
	if (strlen(in->locale) < 2 || strcmp(in->locale, "POSIX") == 0)
		snprintf(in->locale, sizeof(in->locale), "en-US");
}

/* The name in the tz database: TZ, or where /etc/localtime leads. */
static void
read_time_zone(struct inside *in)
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
	snprintf(in->time_zone, sizeof(in->time_zone), "%s", tz && *tz ? tz + (*tz == ':') : "UTC");
}

static void
look_for_engine(struct app_house *house)
{
	const struct inside *in = (const struct inside *)house;
	struct err err = { "" };

	free(engine_find(in->options.program, &err));
	snprintf(house->trouble, sizeof(house->trouble), "%s", err.text);
}

/* A failure is told when an app is opened, and tried again then. */
static void
prepare(struct app_house *house)
{
	struct inside *in = (struct inside *)house;

	if (house->trouble[0] == '\0' && engine_status(engine_of(in))->state == ENGINE_STOPPED)
		engine_start(in->engine);
}

struct app_house *
app_house_create(
    struct loop *loop, const struct options *options, void (*on_change)(void *user), void *user)
{
	struct inside *in = mem_zalloc(sizeof(*in));

	in->on_change = on_change;
	in->user = user;
	read_locale(in);
	read_time_zone(in);
	in->loop = loop;
	in->network = (struct app_network){ .loop = loop, .on_change = on_change, .user = user };
	in->options = (struct engine_options){
		.program = options->apps_engine,
		.max_memory_mib = (int)(options->apps_memory >> 20),
	};
	in->house = (struct app_house){
		.views = &views,
		.on_answer = on_answer,
		.look_again = look_for_engine,
		.prepare = prepare,
		.context = { .locale = in->locale,
		    .time_zone = in->time_zone,
		    .user_agent = "mcpane/" VERSION,
		    .is_dark = true,
		    .has_mouse = true },
	};
	look_for_engine(&in->house);
	return &in->house;
}

void
app_house_destroy(struct app_house *house)
{
	struct inside *in = (struct inside *)house;

	if (!in)
		return;
	engine_destroy(in->engine);
	free(in);
}

const struct engine_status *
app_house_engine(const struct app_house *house)
{
	const struct inside *in = (const struct inside *)house;

	return in->engine ? engine_status(in->engine) : NULL;
}

bool
app_house_can_run(const char *program)
{
	struct err err;
	char *path = engine_find(program, &err);
	bool found = path != NULL;

	free(path);
	return found;
}

/* SPDX-License-Identifier: MIT */
#include "host/app_house.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "client/app.h"
#include "engine/app_view.h"
#include "net/fetch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "apps/policy.h"

/*
 * Carries requests of apps to the domains that the user allowed: by our own HTTP client, which has
 * no cookies and no passwords, and leads to private addresses only if the domain is one. A few at a
 * time, bounded in size and time; a redirect goes back to the engine, whose next request is checked
 * like the first.
 */
struct app_network {
	struct loop *loop;
	struct carried_request *first; /* in the order in which they came */
	void (*on_change)(void *user);
	void *user;
};

enum { AT_ONCE = 6, TIMEOUT_MS = 30000 };

struct carried_request {
	struct carried_request *next;
	struct app_network *network;
	struct app *app;
	struct app_view *view;
	struct fetch *fetch; /* NULL: it waits for its turn */
	uint64_t id;
	char *method, *url, *body, *domain;
	size_t body_len;
	struct strings headers;
	bool public_only;
};

static void start_some(struct app_network *n);

static void
drop_carried(struct carried_request *e)
{
	struct carried_request **link = &e->network->first;

	while (*link != e)
		link = &(*link)->next;
	*link = e->next;
	fetch_cancel(e->fetch);
	strings_finish(&e->headers);
	free(e->method);
	free(e->url);
	free(e->body);
	free(e->domain);
	free(e);
}

static void
end_carried(struct carried_request *e, const struct fetch_answer *answer)
{
	struct app_network *n = e->network;
	const struct app_response response = { .status = answer->status,
		.reason = answer->reason,
		.headers = answer->headers,
		.body = answer->body,
		.body_len = answer->body_len };
	const struct app_carried carried = { .method = e->method,
		.url = e->url,
		.status = answer->status,
		.error = answer->error,
		.bytes = answer->body_len,
		.took_ms = answer->took_ms };

	app_view_respond(e->view, e->id, answer->error ? NULL : &response);
	app_on_carried(e->app, &carried, clock_now_us());
	drop_carried(e);
	start_some(n);
	n->on_change(n->user);
}

static const struct fetch_answer forbidden_answer = { .error =
							  "the user has forbidden it meanwhile" };

static void
on_carried(void *user, const struct fetch_answer *answer)
{
	struct carried_request *e = user;
	bool allowed = strings_have(app_facts(e->app)->allowed, e->domain);

	end_carried(e, allowed ? answer : &forbidden_answer);
}

static void
start_some(struct app_network *n)
{
	int running = 0;

	for (struct carried_request *e = n->first; e && running < AT_ONCE; e = e->next, running++) {
		if (e->fetch)
			continue;
		struct err err = { "" };
		const struct fetch_request request = { .method = e->method,
			.url = e->url,
			.headers = (const char *const *)strings_argv(&e->headers),
			.body = e->body,
			.body_len = e->body_len,
			.max_body = APP_RESPONSE_BODY_MAX,
			.timeout_ms = TIMEOUT_MS,
			.public_only = e->public_only };
		bool allowed = strings_have(app_facts(e->app)->allowed, e->domain);
		if (allowed)
			e->fetch = fetch_start(n->loop, &request, on_carried, e, &err);
		if (e->fetch)
			continue;
		const struct fetch_answer failed = { .error = err.text };
		end_carried(e, allowed ? &failed : &forbidden_answer); /* starts others */
		return;
	}
}

static bool
app_network_carry(struct app_network *n, struct app *app, const struct app_request *request)
{
	const struct app_view_ops *ops;
	const struct app_facts *facts = app_facts(app);
	const struct app_domain *domain = /* NULL: the request must not go out */
	    app_request_refusal(request)
		? NULL
		: app_request_domain(request, facts->policy, facts->allowed);
	struct app_view *view = app_view_of(app, &ops);
	struct carried_request **last = &n->first;

	if (!domain || !view)
		return false;
	struct carried_request *e = mem_zalloc(sizeof(*e));
	*e = (struct carried_request){ .network = n,
		.app = app,
		.view = view,
		.id = request->id,
		.method = mem_strdup(request->method),
		.url = mem_strndup(request->url, strcspn(request->url, "#")),
		.body = request->body ? mem_dup(request->body, request->body_len) : NULL,
		.body_len = request->body_len,
		.domain = mem_strdup(domain->text),
		.public_only = !app_domain_is_address(domain->text) };
	app_request_headers(request, ops->status(view)->origin, &e->headers);
	while (*last)
		last = &(*last)->next;
	*last = e;
	start_some(n);
	return true;
}

struct app_house_state {
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
house_changed(struct app_house *house)
{
	const struct app_house_state *in = (const struct app_house_state *)house;

	in->on_change(in->user);
}

static void
on_state(void *user)
{
	app_on_view_state(user, clock_now_us());
	house_changed(app_facts(user)->house);
}

static void
on_message(void *user, const char *json, size_t len)
{
	app_on_view_message(user, json, len, clock_now_us());
	house_changed(app_facts(user)->house);
}

static void
on_frame(void *user, const struct app_view_frame *frame)
{
	app_on_view_frame(user, frame, clock_now_us());
	house_changed(app_facts(user)->house);
}

static void
on_note(void *user, const struct app_view_note *note)
{
	app_on_view_note(user, note, clock_now_us());
	house_changed(app_facts(user)->house);
}

static bool
on_request(void *user, const struct app_request *request)
{
	struct app_house_state *in = (struct app_house_state *)app_facts(user)->house;

	return app_network_carry(&in->network, user, request);
}

static struct app_view *
open_view(struct app *app, const struct app_view_options *options)
{
	const struct app_view_events events = { app, on_state, on_message, on_frame, on_note,
		on_request };
	struct app_house_state *in = (struct app_house_state *)app_facts(app)->house;

	if (!in->engine)
		in->engine = engine_create(in->loop, &in->options, NULL);
	return app_view_open(in->engine, options, &events);
}

static void
close_view(struct app_house *house, struct app_view *view)
{
	struct app_network *n = &((struct app_house_state *)house)->network;

	for (struct carried_request *e = n->first, *next; e; e = next) {
		next = e->next;
		if (e->view == view)
			drop_carried(e);
	}
	start_some(n);
	app_view_close(view);
}

static struct app_engine
tell_engine(const struct app_house *house)
{
	const struct app_house_state *in = (const struct app_house_state *)house;

	if (!in->engine)
		return (struct app_engine){ "", "", 0 };
	const struct engine_status *s = engine_status(in->engine);
	return (struct app_engine){ s->program, s->version, s->memory_bytes };
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
read_locale(struct app_house_state *in)
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
read_time_zone(struct app_house_state *in)
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
	const struct app_house_state *in = (const struct app_house_state *)house;
	struct err err = { "" };

	free(engine_find(in->options.program, &err));
	snprintf(house->trouble, sizeof(house->trouble), "%s", err.text);
}

/* Opening an app reports a failure and tries again. */
static void
start_engine(struct app_house *house)
{
	struct app_house_state *in = (struct app_house_state *)house;

	if (house->trouble[0])
		return;
	if (!in->engine)
		in->engine = engine_create(in->loop, &in->options, NULL);
	if (engine_status(in->engine)->state == ENGINE_STOPPED)
		engine_start(in->engine);
}

struct app_house *
app_house_create(
    struct loop *loop, const struct options *options, void (*on_change)(void *user), void *user)
{
	struct app_house_state *in = mem_zalloc(sizeof(*in));

	in->on_change = on_change;
	in->user = user;
	read_locale(in);
	read_time_zone(in);
	in->loop = loop;
	in->network = (struct app_network){ .loop = loop, .on_change = on_change, .user = user };
	in->options = (struct engine_options){
		.program = options->connect.apps_engine,
		.max_memory_mib = (int)(options->connect.apps_memory >> 20),
	};
	in->house = (struct app_house){
		.views = &views,
		.on_answer = house_changed,
		.look_again = look_for_engine,
		.prepare = start_engine,
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
	struct app_house_state *in = (struct app_house_state *)house;

	if (!in)
		return;
	engine_destroy(in->engine);
	free(in);
}

const struct engine_status *
app_house_engine(const struct app_house *house)
{
	const struct app_house_state *in = (const struct app_house_state *)house;

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

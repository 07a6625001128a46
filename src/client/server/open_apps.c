#include "client/app/app.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* The apps of a server that are open. */

void
server_use_apps(struct server *s, struct app_house *house)
{
	s->apps.house = house;
	s->info.shows_apps = house != NULL;
	s->info.runs_apps = house && house->trouble[0] == '\0';
}

struct app *
server_app_at(const struct server *s, size_t index)
{
	return index < s->apps.len ? s->apps.items[index] : NULL;
}

struct app *
server_find_app(const struct server *s, uint64_t call)
{
	for (size_t i = 0; i < s->apps.len; i++) {
		const struct app_facts *f = &s->apps.items[i]->facts;
		if (f->call == call && f->life != APP_ENDING)
			return s->apps.items[i];
	}
	return NULL;
}

struct app *
server_floating_app(const struct server *s)
{
	for (size_t i = 0; i < s->apps.len; i++) {
		const struct app_facts *f = &s->apps.items[i]->facts;
		if (f->display == APP_DISPLAY_PIP && f->life != APP_ENDING)
			return s->apps.items[i];
	}
	return NULL;
}

void
server_drop_app(struct server *s, struct app *a)
{
	for (size_t i = 0; i < s->apps.len; i++)
		if (s->apps.items[i] == a)
			VEC_REMOVE(&s->apps, i--);
	app_destroy(a);
	s->generation++;
}

/* The app that nobody has looked at for longest gives way. */
static void
make_room(struct server *s)
{
	struct app *oldest = NULL;
	size_t open = 0;

	for (size_t i = 0; i < s->apps.len; i++) {
		struct app *each = s->apps.items[i];
		if (each->facts.life == APP_ENDING)
			continue;
		open++;
		if (!oldest || each->facts.shown_us < oldest->facts.shown_us)
			oldest = each;
	}
	if (open >= APPS_OPEN_MAX)
		app_close(oldest, "other apps were opened", s->now_us);
}

struct app *
server_open_app(struct server *s, uint64_t call, int64_t now_us, struct err *err)
{
	const struct call *c = server_find_call(s, call);
	struct app *a = server_find_app(s, call);

	s->now_us = now_us;
	if (a)
		return a;
	if (!c || !call_has_app(c)) {
		err_set(err, c ? "this tool has no app" : "the call is no longer kept");
		return NULL;
	}
	if (!s->apps.house) {
		err_set(err, "apps do not run here");
		return NULL;
	}
	make_room(s);
	a = app_create(s, c);
	*VEC_PUSH(&s->apps) = a;
	app_start(a);
	return a;
}

void
server_apps_on_call_end(struct server *s, const struct call *c)
{
	struct app *a = server_find_app(s, c->id);

	if (a)
		app_on_call_end(a, c);
}

void
server_apps_refresh(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	for (size_t i = 0; i < s->apps.len; i++)
		app_refresh(s->apps.items[i]);
}

void
server_apps_on_notification(struct server *s, const char *method)
{
	static const struct {
		const char *method;
		enum app_list list;
	} lists[] = {
		{ "notifications/tools/list_changed", APP_LIST_TOOLS },
		{ "notifications/resources/list_changed", APP_LIST_RESOURCES },
		{ "notifications/prompts/list_changed", APP_LIST_PROMPTS },
	};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (size_t k = 0; k < s->apps.len && strcmp(lists[i].method, method) == 0; k++)
			app_on_list(s->apps.items[k], lists[i].list);
}

int64_t
server_apps_next_time(const struct server *s)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < s->apps.len; i++) {
		int64_t time = app_next_time(s->apps.items[i]);
		next = time < next ? time : next;
	}
	return next;
}

void
server_apps_on_time(struct server *s)
{
	for (size_t i = s->apps.len; i-- > 0;) {
		struct app *a = s->apps.items[i];
		app_on_time(a);
		if (a->is_gone)
			server_drop_app(s, a);
	}
}

void
server_apps_finish(struct server *s)
{
	while (s->apps.len > 0)
		server_drop_app(s, s->apps.items[0]);
	free(s->apps.items);
	s->apps.items = NULL;
	s->apps.len = s->apps.cap = 0;
	strings_finish(&s->apps.allowed);
}

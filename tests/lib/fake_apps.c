/* SPDX-License-Identifier: MIT */
#include "fake_apps.h"

#include "quoted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fake_apps *
fake_of(struct app_view *view)
{
	return (struct fake_apps *)app_facts(((struct fake_view *)view)->app)->house;
}

static void
tell(struct app_view *view, const char *what)
{
	buf_addf(&fake_of(view)->told, "%s\n", what);
}

static struct app_view *
open_view(struct app *app, const struct app_view_options *options)
{
	struct fake_apps *f = (struct fake_apps *)app_facts(app)->house;
	struct fake_view *v = &f->views[f->count % 16];

	if (v->is_open)
		abort(); /* tests never open this many */
	f->count++;
	*v = (struct fake_view){ .app = app, .is_open = true };
	v->status.hidden = options->hidden;
	v->status.state = APP_VIEW_RUNNING;
	v->status.took_ms = 120;
	buf_addf(&f->told, "open %dx%d %s\n", options->size.width, options->size.height,
	    options->csp ? options->csp : "-");
	return (struct app_view *)v;
}

static void
close_view(struct app_house *house, struct app_view *view)
{
	tell(view, "close");
	((struct fake_view *)view)->is_open = false;
}

static const struct app_view_status *
status_of(struct app_view *view)
{
	return &((struct fake_view *)view)->status;
}

static void
post(struct app_view *view, const char *json, size_t len)
{
	struct buf *out = &fake_of(view)->posted;

	buf_add(out, json, len);
	buf_add_char(out, '\n');
}

static void
drawn(struct app_view *view)
{
	tell(view, "drawn");
}

static void
resize(struct app_view *view, const struct app_view_size *size)
{
	buf_addf(&fake_of(view)->told, "size %dx%d\n", size->width, size->height);
}

static void
set_dark(struct app_view *view, bool dark)
{
	tell(view, dark ? "dark" : "light");
}

static void
show(struct app_view *view, bool shown)
{
	tell(view, shown ? "show" : "hide");
}

static void
terminate_script(struct app_view *view)
{
	tell(view, "terminate");
}

static void
mouse(struct app_view *view, const struct app_view_mouse *mouse)
{
	static const char *const kinds[] = { "move", "press", "release", "wheel" };

	buf_addf(&fake_of(view)->told, "%s %d,%d\n", kinds[mouse->kind], mouse->x, mouse->y);
}

static bool
key(struct app_view *view, const char *name, int modifiers)
{
	buf_addf(&fake_of(view)->told, "key %s %d\n", name, modifiers);
	return true;
}

static void
text(struct app_view *view, const char *utf8, size_t len)
{
	buf_addf(&fake_of(view)->told, "text %.*s\n", (int)len, utf8);
}

/* The first bytes of a picture. The tests only keep them. */
static void
screenshot(struct app_view *view, app_view_png_fn *fn, void *user)
{
	fn(user, "\x89PNG", 4, NULL);
}

static void
reader(struct app_view *view, app_view_nodes_fn *fn, void *user)
{
	static const char tree[] =
	    "[{\"nodeId\":\"1\",\"role\":{\"value\":\"RootWebArea\"},\"name\":{\"value\":"
	    "\"Budget\"},\"childIds\":[\"2\",\"3\"]},"
	    "{\"nodeId\":\"2\",\"role\":{\"value\":\"heading\"},\"name\":{\"value\":\"Plan a "
	    "budget\"},\"properties\":[{\"name\":\"level\",\"value\":{\"value\":2}}]},"
	    "{\"nodeId\":\"3\",\"role\":{\"value\":\"slider\"},\"name\":{\"value\":\"Rent\"},"
	    "\"value\":{\"value\":\"35\"}}]";
	struct json_doc *doc = json_parse(tree, sizeof(tree) - 1, NULL, NULL);

	fn(user, json_root(doc), NULL);
	json_doc_destroy(doc);
}

static struct app_engine
tell_engine(const struct app_house *house)
{
	return (struct app_engine){ "/usr/bin/shell", "HeadlessChrome/156.0.1.2", 250 << 20 };
}

static const struct app_view_ops views = {
	.open = open_view,
	.engine = tell_engine,
	.close = close_view,
	.status = status_of,
	.post = post,
	.drawn = drawn,
	.resize = resize,
	.set_dark = set_dark,
	.show = show,
	.terminate_script = terminate_script,
	.mouse = mouse,
	.key = key,
	.text = text,
	.screenshot = screenshot,
	.reader = reader,
};

static void
prepare(struct app_house *house)
{
	((struct fake_apps *)house)->prepared++;
}

void
fake_apps_init(struct fake_apps *f, const char *trouble)
{
	*f = (struct fake_apps){
		.house = { .views = &views,
		    .prepare = prepare,
		    .context = { .locale = "en-US", .time_zone = "UTC", .is_dark = true },
		    .has_fullscreen = true,
		    .has_pip = true }
	};
	snprintf(f->house.trouble, sizeof(f->house.trouble), "%s", trouble);
}

void
fake_apps_finish(struct fake_apps *f)
{
	buf_finish(&f->told);
	buf_finish(&f->posted);
}

size_t
fake_apps_open(const struct fake_apps *f)
{
	size_t open = 0;

	for (size_t i = 0; i < 16; i++)
		open += f->views[i].is_open;
	return open;
}

void
fake_apps_say(struct app *a, const char *message, int64_t now_us)
{
	char *json = quoted(message);

	app_on_view_message(a, json, strlen(json), now_us);
	free(json);
}

void
fake_apps_shake(struct app *a, const char *capabilities, int64_t now_us)
{
	struct buf message = BUF_INIT;

	buf_addf(&message,
	    "{'jsonrpc':'2.0','id':0,'method':'ui/initialize','params':{'appInfo':{'name':"
	    "'pages','version':'1'},'appCapabilities':{%s},'protocolVersion':'2026-01-26'}}",
	    capabilities);
	fake_apps_say(a, buf_text(&message), now_us);
	fake_apps_say(a, "{'jsonrpc':'2.0','method':'ui/notifications/initialized'}", now_us);
	buf_finish(&message);
}

void
fake_apps_frame(struct app *a, const char *text, int64_t now_us)
{
	/* 4 by 4 dark gray pixels */
	static const char png[] =
	    "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x04"
	    "\x00\x00\x00\x04\x08\x00\x00\x00\x00\x8c\x9a\xc1\xa2\x00\x00\x00\x0e\x49\x44\x41"
	    "\x54\x78\xda\x63\x50\x00\x02\x06\x54\x02\x00\x14\x14\x02\x01\x11\x7d\x6d\xf0\x00"
	    "\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";
	struct buf json = BUF_INIT;

	buf_addf(&json,
	    "{\"text\":[[0,0,%zu,16,\"%s\",16777215,255,0]],\"boxes\":[],\"frames\":[],\"targets\":"
	    "[],"
	    "\"caret\":null,\"page\":[800,560,0,0],\"more\":false}",
	    strlen(text) * 8, text);
	const struct app_view_frame frame = {
		.png = png, .png_len = sizeof(png) - 1, .text = buf_text(&json)
	};
	app_on_view_frame(a, &frame, now_us);
	buf_finish(&json);
}

void
fake_apps_fail(struct fake_apps *f, struct app *a, const char *why, int64_t now_us)
{
	for (size_t i = 0; i < 16; i++) {
		struct fake_view *v = &f->views[i];
		if (!v->is_open || v->app != a)
			continue;
		v->status.state = APP_VIEW_FAILED;
		snprintf(v->status.reason, sizeof(v->status.reason), "%s", why);
	}
	app_on_view_state(a, now_us);
}

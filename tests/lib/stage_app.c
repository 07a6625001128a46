#include "stage_app.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct app_view {
	struct app_view_status status;
};

static struct app_view *
open_view(struct app *app, const struct app_view_options *options)
{
	struct app_view *v = mem_zalloc(sizeof(*v));

	v->status.state = APP_VIEW_RUNNING;
	v->status.took_ms = 120;
	return v;
}

static struct app_engine
tell_engine(const struct app_house *house)
{
	return (struct app_engine){ "/usr/bin/shell", "HeadlessChrome/156.0.1.2", 250 << 20 };
}

static void
close_view(struct app_view *view)
{
	free(view);
}

static const struct app_view_status *
status_of(struct app_view *view)
{
	return &view->status;
}

static void
ignore(struct app_view *view)
{
}

static void
ignore_flag(struct app_view *view, bool on)
{
}

static void
ignore_text(struct app_view *view, const char *text, size_t len)
{
}

static void
ignore_size(struct app_view *view, const struct app_view_size *size)
{
}

static void
ignore_mouse(struct app_view *view, const struct app_view_mouse *mouse)
{
}

static bool
ignore_key(struct app_view *view, const char *name, int modifiers)
{
	return true;
}

/* The first bytes of a picture: who asked only keeps them. */
static void
take_picture(struct app_view *view, app_view_png_fn *fn, void *user)
{
	fn(user, "\x89PNG", 4, NULL);
}

static void
read_page(struct app_view *view, app_view_nodes_fn *fn, void *user)
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

static const struct app_view_ops views = {
	.open = open_view,
	.engine = tell_engine,
	.close = close_view,
	.status = status_of,
	.post = ignore_text,
	.drawn = ignore,
	.resize = ignore_size,
	.set_dark = ignore_flag,
	.show = ignore_flag,
	.terminate_script = ignore,
	.mouse = ignore_mouse,
	.key = ignore_key,
	.text = ignore_text,
	.screenshot = take_picture,
	.reader = read_page,
};

void
stage_use_apps(struct stage *s)
{
	static struct app_house house;

	house = (struct app_house){
		.views = &views,
		.context = { .locale = "en-US", .time_zone = "UTC", .is_dark = true },
		.has_fullscreen = true,
	};
	server_use_apps(s->server, &house);
}

static struct app *
app_of(struct stage *s)
{
	struct app *a = server_app_at(s->server, 0);

	assert_non_null(a);
	return a;
}

void
stage_app_says(struct stage *s, const char *json)
{
	s->now_us += 1000;
	app_on_view_message(app_of(s), json, strlen(json), s->now_us);
	stage_settle(s, 0);
}

void
stage_app_note(struct stage *s, const char *words)
{
	char *parts[3];
	size_t kind = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		parts[i] = strings_next_word(&words);
	while (strcmp(app_note_names[kind], parts[0]) != 0)
		assert_true(++kind <= APP_VIEW_DROPPED);
	for (size_t i = 1; i < ARRAY_LEN(parts); i++)
		if (strcmp(parts[i], "-") == 0)
			parts[i][0] = '\0';
	s->now_us += 1000;
	app_on_view_note(app_of(s),
	    &(struct app_view_note){ .kind = (enum app_view_note_kind)kind,
		.level = parts[1],
		.directive = parts[1],
		.url = parts[2],
		.text = words,
		.line = kind <= APP_VIEW_EXCEPTION && *parts[2] ? 12 : 0 },
	    s->now_us);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		free(parts[i]);
}

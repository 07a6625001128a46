#include "app.h"

#include "apps/page.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The life of an app: its resource is read, its page opened in the engine, the bridge brings it the
 * call that it was opened for. */

enum { LOG_BYTES = 16 << 20, RESULT_BYTES = 32 << 20, INIT_US = 30 * 1000000 };
enum { COLS_LEAST = 10, ROWS_LEAST = 4 };

const char *const app_life_names[] = {
	[APP_READING] = "reads the page",
	[APP_STARTING] = "starts",
	[APP_ALIVE] = "runs",
	[APP_ENDING] = "ends",
	[APP_BROKEN] = "does not run",
};

void
app_changed(struct app *a)
{
	a->facts.wishes = a->wishes.items;
	a->facts.wish_count = a->wishes.len;
	a->server->generation++;
}

const struct app_facts *
app_facts(const struct app *a)
{
	return &a->facts;
}

const char *
app_name(const struct app *a)
{
	return a->bridge && a->facts.bridge->app_name[0] ? a->facts.bridge->app_name : a->tool;
}

struct app_view *
app_view_of(const struct app *a, const struct app_view_ops **ops)
{
	*ops = a->facts.house->views;
	return a->view;
}

bool
app_is_named(const struct json_doc *definition)
{
	struct app_tool tool;

	app_tool_read(&tool, json_root(definition));
	return tool.resource != NULL;
}

bool
call_has_app(const struct call *c)
{
	return c->kind == PRIMITIVE_TOOL && c->definition && app_is_named(c->definition);
}

/* ---- the page ---- */

static struct app_view_size
page_size(const struct app *a)
{
	const struct app_facts *f = &a->facts;
	struct app_view_size size = { f->cols * f->cell_height / 2, f->rows * f->cell_height,
		f->cols * APP_FRAME_CELL_WIDTH, f->rows * APP_FRAME_CELL_HEIGHT };

	if (f->mode == APP_PIXELS) { /* the terminal may show each of them */
		size.picture_width = size.width;
		size.picture_height = size.height;
	}
	return size;
}

static struct app_context
surroundings(const struct app *a)
{
	struct app_context c = a->facts.house->context;

	if (a->facts.pretense.theme != APP_AS_IT_IS)
		c.is_dark = a->facts.pretense.theme == APP_DARK;
	if (*a->facts.pretense.locale)
		c.locale = a->facts.pretense.locale;
	c.tool = json_root(a->definition);
	c.call_id = a->call_id;
	c.mode = a->facts.display;
	c.modes = 1u << APP_DISPLAY_INLINE |
		  (unsigned)a->facts.house->has_fullscreen << APP_DISPLAY_FULLSCREEN |
		  (unsigned)a->facts.house->has_pip << APP_DISPLAY_PIP;
	c.width = page_size(a).width;
	c.height = page_size(a).height;
	return c;
}

static void
forget_view(struct app *a)
{
	if (a->view)
		a->facts.house->views->close(a->facts.house, a->view);
	a->view = NULL;
	a->facts.view = NULL;
	a->shot[0] = '\0';
	a->waits = false;
	job_drop(&a->decoding);
}

static void
forget_bridge(struct app *a)
{
	app_bridge_destroy(a->bridge);
	a->bridge = NULL;
	a->facts.bridge = NULL;
}

void
app_break(struct app *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(a->reason, sizeof(a->reason), format, args);
	va_end(args);
	app_asks_forget(a, "the app does not run");
	forget_view(a);
	a->facts.life = APP_BROKEN;
	app_changed(a);
}

/* The one permission that a terminal can grant, copy by copy. */
static bool
may_copy(const struct app *a)
{
	return a->page.resource.permissions >> APP_CLIPBOARD_WRITE & 1;
}

static void
open_view(struct app *a)
{
	struct buf style = BUF_INIT, hook = BUF_INIT, walker = BUF_INIT, font = BUF_INIT;
	enum app_mode mode = a->facts.mode;

	app_page_add_style(&style, mode, a->facts.cell_height);
	app_page_add_walker(&walker, mode, a->facts.cell_height);
	if (mode != APP_PIXELS)
		app_page_add_canvas_hook(&hook, a->facts.cell_height);
	if (may_copy(a))
		app_page_add_copy_hook(&hook);
	if (mode == APP_CELL)
		app_font_add(&font);
	const struct app_view_options options = {
		.html = buf_text(&a->page.html),
		.html_len = a->page.html.len,
		.csp = buf_text(&a->policy.header),
		.size = page_size(a),
		.dark = surroundings(a).is_dark,
		.hidden = !a->shown,
		.style = style.len > 0 ? buf_text(&style) : NULL,
		.page_script = hook.len > 0 ? buf_text(&hook) : NULL,
		.world_script = buf_text(&walker),
		.collect = "__collect()",
		.undress = "__undress()",
		.dress = "__dress()",
		.file_path = APP_FONT_PATH,
		.file_type = APP_FONT_TYPE,
		.file = font.data,
		.file_len = font.len,
	};
	a->view = a->facts.house->views->open(a, &options);
	a->facts.view = a->facts.house->views->status(a->view);
	buf_finish(&style);
	buf_finish(&hook);
	buf_finish(&walker);
	buf_finish(&font);
}

static void
start_bridge(struct app *a)
{
	const struct app_bridge_options options = {
		.host_name = "mcpane",
		.host_version = VERSION,
		.can = APP_CAN_OPEN_LINKS | APP_CAN_DOWNLOAD | APP_CAN_CALL_TOOLS |
		       APP_CAN_READ_RESOURCES | APP_CAN_LIST_PROMPTS | APP_CAN_MESSAGE |
		       (may_copy(a) ? APP_CAN_COPY : 0),
		.policy = &a->policy,
		.permissions = may_copy(a) ? 1u << APP_CLIPBOARD_WRITE : 0,
		.init_us = INIT_US,
	};
	const struct app_context context = surroundings(a);

	a->bridge = app_bridge_create(
	    &options, &context, &app_bridge_events, a, &a->facts.bridge, a->server->now_us);
}

/* What the app was opened for: in whatever state it is, the bridge waits for the right moment. */
static void
bring_call(struct app *a)
{
	const struct call *c = server_find_call(a->server, a->facts.call);
	struct buf input = BUF_INIT;
	struct json_doc *doc =
	    c ? json_parse(c->arguments, strlen(c->arguments), NULL, NULL) : NULL;

	app_arguments_add(
	    &input, json_get(json_root(a->definition), "inputSchema"), doc ? json_root(doc) : NULL);
	app_bridge_input(a->bridge, buf_text(&input), input.len, a->server->now_us);
	json_doc_destroy(doc);
	buf_finish(&input);
	if (!c)
		app_bridge_cancelled(a->bridge, "the call is no longer kept", a->server->now_us);
	else if (c->state != CALL_RUNNING)
		app_on_call_end(a, c);
}

void
app_on_call_end(struct app *a, const struct call *c)
{
	struct buf text = BUF_INIT;

	if (!a->bridge)
		return; /* bring_call() comes later */
	if (c->state != CALL_DONE) {
		app_bridge_cancelled(a->bridge, c->error_text ? c->error_text : "the call failed",
		    a->server->now_us);
	} else if (c->raw && c->raw->len > RESULT_BYTES) {
		app_bridge_cancelled(a->bridge,
		    a->facts.withheld = "the result is too large for an app", a->server->now_us);
	} else {
		json_print(&text, c->value);
		app_bridge_result(a->bridge, buf_text(&text), text.len, a->server->now_us);
	}
	buf_finish(&text);
	app_changed(a);
}

static const cJSON *
list_entry(const struct app *a)
{
	const struct primitive *p =
	    primitive_list_find(&a->server->listers[PRIMITIVE_RESOURCE].list, a->uri, 0);

	return p ? p->definition : NULL;
}

static void
make_policy(struct app *a)
{
	app_policy_finish(&a->policy);
	app_policy_init(&a->policy, &a->page.resource, a->facts.csp);
}

static void
run_page(struct app *a)
{
	a->facts.life = APP_STARTING;
	start_bridge(a);
	open_view(a);
	bring_call(a);
	app_changed(a);
}

static void
on_page(void *user, uint64_t request, struct session_reply *reply)
{
	struct app *a = user;
	struct err err;

	if (request != a->reading)
		return; /* it was reloaded meanwhile */
	a->reading = 0;
	if (reply->kind != REPLY_RESULT) {
		app_break(a, "its page %.60s cannot be read: %.150s", a->uri, reply->text);
		return;
	}
	app_html_finish(&a->page);
	json_doc_destroy(a->page_doc);
	a->page_doc = reply->doc;
	reply->doc = NULL;
	a->facts.read = reply->value;
	bool ok = app_html_read(&a->page, a->facts.read, a->uri, list_entry(a), &err);
	make_policy(a);
	if (a->facts.house->look_again)
		a->facts.house->look_again(a->facts.house);
	if (!ok)
		app_break(a, "%s", err.text);
	else if (a->facts.house->trouble[0] != '\0')
		app_break(a, "%s", a->facts.house->trouble);
	else
		run_page(a);
}

void
app_start(struct app *a)
{
	const struct relay_owner owner = { .on_reply = on_page, .user = a };
	struct err err;

	app_asks_forget(a, "the app starts again");
	forget_view(a);
	forget_bridge(a);
	a->reason[0] = '\0';
	a->facts.life = APP_READING;
	a->facts.errors = 0;
	a->facts.withheld = "";
	a->facts.started_us = a->server->now_us;
	a->facts.ready_us = -1;
	if (a->facts.house->prepare) /* it takes longer than reading the page */
		a->facts.house->prepare(a->facts.house);
	a->reading = server_relay_read(a->server, a->uri, &owner, &err);
	if (a->reading == 0)
		app_break(a, "%s", err.text);
	app_changed(a);
}

struct app *
app_create(struct server *s, const struct call *c)
{
	struct app *a = mem_zalloc(sizeof(*a));
	struct app_tool tool;

	app_tool_read(&tool, json_root(c->definition));
	a->server = s;
	a->definition = json_doc_ref(c->definition);
	a->uri = mem_strdup(tool.resource);
	a->tool = mem_strdup(c->key);
	/* 0: it was made by an earlier run. Rounds of input send other requests, but what the app
	 * is told of its call does not change. */
	if (c->request != 0)
		a->call_id = mem_printf("%llu", (unsigned long long)c->request);
	a->log = journal_create(LOG_BYTES);
	journal_set_clock(
	    a->log, journal_info(s->journal)->wall_us, journal_info(s->journal)->zone_s);
	a->facts = (struct app_facts){
		.house = s->apps.house,
		.call = c->id,
		.tool = a->tool,
		.uri = a->uri,
		.reason = a->reason,
		.withheld = "",
		.reader = "",
		.page = &a->page,
		.policy = &a->policy,
		.log = a->log,
		.messages = &a->messages,
		.allowed = &s->apps.allowed,
		.cols = 100,
		.rows = 35,
		.cell_height = APP_USUAL_CELL_HEIGHT,
		.opened_us = s->now_us,
		.ready_us = -1,
	};
	return a;
}

void
app_destroy(struct app *a)
{
	forget_view(a);
	app_asks_finish(a);
	forget_bridge(a);
	if (a->has_cells)
		app_cells_finish(&a->cells);
	app_notes_finish(a);
	app_looks_finish(a);
	app_policy_finish(&a->policy);
	app_html_finish(&a->page);
	json_doc_destroy(a->page_doc);
	json_doc_destroy(a->definition);
	journal_destroy(a->log);
	free(a->uri);
	free(a->tool);
	free(a->call_id);
	free(a);
}

void
app_close(struct app *a, const char *why, int64_t now_us)
{
	a->server->now_us = now_us;
	if (a->bridge && a->view && a->facts.life != APP_BROKEN) {
		a->facts.life = APP_ENDING;
		app_bridge_close(a->bridge, why, now_us);
	} else {
		server_drop_app(a->server, a);
	}
}

void
app_reload(struct app *a, enum app_csp csp, int64_t now_us)
{
	a->server->now_us = now_us;
	if (csp != APP_CSP_KINDS)
		a->facts.csp = csp;
	app_start(a);
}

/* ---- surroundings ---- */

static void
send_context(struct app *a)
{
	const struct app_context context = surroundings(a);

	if (a->bridge)
		app_bridge_set_context(a->bridge, &context, a->server->now_us);
}

void
app_refresh(struct app *a)
{
	if (a->view)
		a->facts.house->views->set_dark(a->view, surroundings(a).is_dark);
	send_context(a);
}

static void
resize(struct app *a)
{
	const struct app_view_size size = page_size(a);

	if (a->has_cells)
		app_cells_finish(&a->cells);
	a->has_cells = false;
	a->facts.cells = NULL;
	a->waits = a->waits || a->decoding; /* else no other frame came */
	job_drop(&a->decoding);
	if (a->view)
		a->facts.house->views->resize(a->view, &size);
	send_context(a);
}

void
app_pretend(struct app *a, const struct app_pretense *pretense, int64_t now_us)
{
	a->facts.pretense = *pretense;
	a->server->now_us = now_us;
	if (pretense->cols > 0) {
		a->facts.cols = pretense->cols;
		a->facts.rows = pretense->rows;
		resize(a);
	}
	app_refresh(a);
	app_changed(a);
}

void
app_set_stage(struct app *a, int cols, int rows, bool shown, int64_t now_us)
{
	a->server->now_us = now_us;
	if (a->facts.pretense.cols > 0) {
		cols = a->facts.cols;
		rows = a->facts.rows;
	}
	if (shown && (cols != a->facts.cols || rows != a->facts.rows) && cols >= COLS_LEAST &&
	    rows >= ROWS_LEAST) {
		a->facts.cols = cols;
		a->facts.rows = rows;
		resize(a);
	}
	if (shown != a->shown && a->view)
		a->facts.house->views->show(a->view, shown);
	if (shown)
		a->facts.shown_us = now_us;
	a->shown = shown;
}

void
app_set_cell_height(struct app *a, int css_pixels, int64_t now_us)
{
	a->server->now_us = now_us;
	a->facts.cell_height = css_pixels;
	resize(a);
	if (a->facts.mode != APP_PIXELS)
		app_start(a); /* style and script know the height */
}

void
app_set_mode(struct app *a, enum app_mode mode, int64_t now_us)
{
	a->server->now_us = now_us;
	a->facts.mode = mode;
	resize(a);
	app_start(a);
}

bool
app_set_display(struct app *a, enum app_display display, int64_t now_us)
{
	a->server->now_us = now_us;
	if ((surroundings(a).modes >> display & 1) == 0)
		return false;
	if (display == a->facts.display)
		return true;
	if (display == APP_DISPLAY_PIP && server_floating_app(a->server)) /* one floats */
		app_set_display(server_floating_app(a->server), APP_DISPLAY_INLINE, now_us);
	a->facts.display = display;
	send_context(a);
	app_changed(a);
	return true;
}

/* ---- time ---- */

int64_t
app_next_time(const struct app *a)
{
	if (a->is_gone)
		return 0;
	return a->bridge ? app_bridge_next_time(a->bridge) : INT64_MAX;
}

void
app_on_time(struct app *a)
{
	if (a->bridge && app_bridge_next_time(a->bridge) <= a->server->now_us)
		app_bridge_on_time(a->bridge, a->server->now_us);
}

void
app_on_list(struct app *a, enum app_list list)
{
	if (a->bridge)
		app_bridge_list_changed(a->bridge, list, a->server->now_us);
}

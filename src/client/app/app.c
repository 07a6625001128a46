/* SPDX-License-Identifier: MIT */
#include "app.h"

#include "apps/page.h"
#include "apps/reader.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/findings.h"
#include "json/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The life cycle of an app: read the resource, open the page in the engine, send the call over the
 * bridge. */

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

	if (f->mode == APP_PIXELS) { /* the terminal can show every pixel */
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

/* The only permission that a terminal can grant, for one copy at a time. */
static bool
may_copy(const struct app *a)
{
	return a->page.resource.permissions >> APP_CLIPBOARD_WRITE & 1;
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

static void
bring_result(struct app *a, const struct call *c)
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

/* Send the call for which the app was opened. The bridge holds it until the app is ready. */
static void
bring_call(struct app *a)
{
	const struct call *c = server_find_call(a->server, a->facts.call);
	struct buf input = BUF_INIT;
	struct json_doc *doc =
	    c ? json_parse(c->arguments, strlen(c->arguments), NULL, NULL) : NULL;

	app_arguments_add(
	    &input, json_get(json_root(a->definition), "inputSchema"), doc ? json_root(doc) : NULL);
	app_bridge_input(a->bridge, buf_text(&input), input.len, false, a->server->now_us);
	json_doc_destroy(doc);
	buf_finish(&input);
	if (!c)
		app_bridge_cancelled(a->bridge, "the call is no longer kept", a->server->now_us);
	else if (c->state != CALL_RUNNING)
		bring_result(a, c);
}

static void
run_page(struct app *a)
{
	struct buf style = BUF_INIT, hook = BUF_INIT, walker = BUF_INIT, font = BUF_INIT;
	enum app_mode mode = a->facts.mode;

	a->facts.life = APP_STARTING;
	start_bridge(a);
	app_page_add_style(&style, mode, a->facts.cell_height);
	app_page_add_walker(&walker, mode, a->facts.cell_height);
	app_page_add_hooks(&hook, mode, a->facts.cell_height, may_copy(a));
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
	const struct primitive *listed =
	    primitive_list_find(&a->server->listers[PRIMITIVE_RESOURCE].list, a->uri, 0);
	bool ok = app_html_read(
	    &a->page, a->facts.read, a->uri, listed ? listed->definition : NULL, &err);
	app_policy_finish(&a->policy);
	app_policy_init(&a->policy, &a->page.resource, a->facts.csp);
	if (a->facts.house->look_again)
		a->facts.house->look_again(a->facts.house);
	if (!ok)
		app_break(a, "%s", err.text);
	else if (a->facts.house->trouble[0] != '\0')
		app_break(a, "%s", a->facts.house->trouble);
	else
		run_page(a);
}

static void
start_app(struct app *a)
{
	const struct relay_owner owner = { .on_reply = on_page, .user = a };
	struct err err;

	app_asks_forget(a, "the app starts again");
	forget_view(a);
	app_bridge_destroy(a->bridge);
	a->bridge = NULL;
	a->facts.bridge = NULL;
	a->reason[0] = '\0';
	a->facts.life = APP_READING;
	a->facts.errors = 0;
	a->facts.withheld = "";
	a->facts.started_us = a->server->now_us;
	a->facts.ready_us = -1;
	if (a->facts.house->prepare) /* it takes longer than reading the page */
		a->facts.house->prepare(a->facts.house);
	a->reading = server_relay_keep(
	    a->server, server_request(a->server, "resources/read", "uri", a->uri), &owner, &err);
	if (a->reading == 0)
		app_break(a, "%s", err.text);
	app_changed(a);
}

static struct app *
create_app(struct server *s, const struct call *c)
{
	struct app *a = mem_zalloc(sizeof(*a));
	struct app_tool tool;

	app_tool_read(&tool, json_root(c->definition));
	a->server = s;
	a->definition = json_doc_ref(c->definition);
	a->uri = mem_strdup(tool.resource);
	a->tool = mem_strdup(c->key);
	/* 0: it was made by an earlier run. Rounds of input send other requests, but the id that
	 * the app gets does not change. */
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

static void
drop_app(struct server *s, struct app *a)
{
	for (size_t i = 0; i < s->apps.len; i++)
		if (s->apps.items[i] == a)
			VEC_REMOVE(&s->apps, i--);
	forget_view(a);
	app_events_finish(a);
	app_bridge_destroy(a->bridge);
	if (a->has_cells)
		app_cells_finish(&a->cells);
	buf_finish(&a->reader);
	findings_finish(&a->found);
	app_policy_finish(&a->policy);
	app_html_finish(&a->page);
	json_doc_destroy(a->page_doc);
	json_doc_destroy(a->definition);
	journal_destroy(a->log);
	free(a->uri);
	free(a->tool);
	free(a->call_id);
	free(a);
	s->generation++;
}

void
app_close(struct app *a, const char *why, int64_t now_us)
{
	a->server->now_us = now_us;
	if (a->bridge && a->view && a->facts.life != APP_BROKEN) {
		a->facts.life = APP_ENDING;
		app_bridge_close(a->bridge, why, now_us);
	} else {
		drop_app(a->server, a);
	}
}

void
app_reload(struct app *a, enum app_csp csp, int64_t now_us)
{
	a->server->now_us = now_us;
	if (csp != APP_CSP_KINDS)
		a->facts.csp = csp;
	start_app(a);
}

/* ---- surroundings ---- */

static void
send_context(struct app *a)
{
	const struct app_context context = surroundings(a);

	if (a->bridge)
		app_bridge_set_context(a->bridge, &context, a->server->now_us);
}

static void
refresh_app(struct app *a)
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
	refresh_app(a);
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
		start_app(a); /* style and script depend on the height */
}

void
app_set_mode(struct app *a, enum app_mode mode, int64_t now_us)
{
	a->server->now_us = now_us;
	a->facts.mode = mode;
	resize(a);
	start_app(a);
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

/* ---- other forms of the page: as a screen reader reads it, and as a picture ---- */

static void
answered(struct app *a)
{
	app_changed(a);
	if (a->facts.house->on_answer)
		a->facts.house->on_answer(a->facts.house);
}

static void
on_nodes(void *user, const cJSON *nodes, const char *problem)
{
	struct app *a = user;

	buf_clear(&a->reader);
	if (problem)
		buf_add_str(&a->reader, problem);
	else
		app_reader_add(&a->reader, nodes);
	if (a->reader.len == 0)
		buf_add_str(&a->reader, "the page has nothing for a screen reader");
	a->facts.reader = buf_text(&a->reader);
	a->facts.reader_count++;
	answered(a);
}

bool
app_ask_reader(struct app *a)
{
	if (!a->view)
		return false;
	a->facts.house->views->reader(a->view, on_nodes, a);
	return true;
}

static void
on_png(void *user, const char *png, size_t len, const char *problem)
{
	struct app *a = user;
	struct app_file file = { 0 };

	snprintf(file.name, sizeof(file.name), "%s", a->shot);
	a->shot[0] = '\0';
	if (problem) {
		app_on_view_note(a,
		    &(struct app_view_note){ .kind = APP_VIEW_DROPPED,
			.level = "",
			.text = problem,
			.url = "",
			.directive = "" },
		    a->server->now_us);
	} else {
		buf_add(&file.bytes, png, len);
		*VEC_PUSH(&a->files) = file;
	}
	answered(a);
}

bool
app_shoot(struct app *a, const char *file, struct err *err)
{
	if (!a->view)
		return err_set(err, "the app does not run");
	if (a->shot[0])
		return err_set(err, "a picture is being taken");
	if (strlen(file) >= sizeof(a->shot))
		return err_set(err, "the name is too long: at most %zu bytes", sizeof(a->shot) - 1);
	snprintf(a->shot, sizeof(a->shot), "%s", file);
	a->facts.house->views->screenshot(a->view, on_png, a);
	return true;
}

/* ---- findings about its page and its run ---- */

enum { WAITS_US = 6 * 1000000 }; /* after that, silence is a finding */

const struct findings *
app_findings(struct app *a, int64_t now_us)
{
	const struct call *c = server_find_call(a->server, a->facts.call);
	const struct app_facts *f = &a->facts;
	struct app_found_of now = { .read = f->read, .withheld = f->withheld, .life = f->life };

	if (f->bridge) {
		now.phase = f->bridge->phase;
		now.trouble = f->bridge->trouble;
	}
	if (c) {
		now.raw = c->raw;
		now.call = c->state + 1u;
	}
	now.is_late = f->life == APP_STARTING && now_us - f->started_us > WAITS_US;
	if (a->is_searched && memcmp(&now, &a->found_of, sizeof(now)) == 0)
		return &a->found;
	findings_finish(&a->found);
	a->found = (struct findings){ 0 };
	a->found_of = now;
	a->is_searched = true;
	if (f->read)
		findings_of_app(
		    &a->found, &(struct finding_app){ .uri = f->uri, .result = f->read });
	findings_of_run(&a->found, &(struct finding_run){ f, c, now_us });
	return &a->found;
}

/* ---- the network: domains that the user allows, until the program ends ---- */

void
server_allow_domain(struct server *s, const char *domain)
{
	if (!strings_have(&s->apps.allowed, domain))
		strings_add(&s->apps.allowed, domain);
	s->generation++;
}

bool
server_forbid_domains(struct server *s)
{
	bool had = s->apps.allowed.len > 0;

	strings_finish(&s->apps.allowed);
	s->generation++;
	return had;
}

const struct app_domain *
app_find_domain(const struct app *a, const char *text)
{
	const struct strings *allowed = &a->server->apps.allowed;

	for (size_t i = 0; i < a->policy.domains.len; i++) {
		const struct app_domain *d = &a->policy.domains.items[i];
		bool wanted = *text ? strcmp(d->text, text) == 0 : !strings_have(allowed, d->text);
		if (wanted && !app_domain_stays_offline(d))
			return d;
	}
	return NULL;
}

size_t
app_reaches(const struct app *a)
{
	const struct strings *allowed = &a->server->apps.allowed;
	size_t count = 0;

	for (size_t i = 0; i < allowed->len; i++)
		for (size_t k = 0; k < a->policy.domains.len; k++) {
			const struct app_domain *d = &a->policy.domains.items[k];
			if (!d->refusal && strcmp(d->text, allowed->items[i]) == 0) {
				count++;
				break; /* a domain can be declared twice */
			}
		}
	return count;
}

void
app_on_carried(struct app *a, const struct app_carried *c, int64_t now_us)
{
	struct buf text = BUF_INIT;

	a->facts.carried++;
	buf_addf(&text, "%s %s: ", c->method, c->url);
	if (c->error)
		buf_add_str(&text, c->error);
	else
		buf_addf(&text, "%d, %s bytes, %lld ms", c->status, units_count(c->bytes).text,
		    (long long)c->took_ms);
	app_on_view_note(a,
	    &(struct app_view_note){ .kind = APP_VIEW_CARRIED,
		.level = c->error ? "error" : "",
		.text = buf_text(&text),
		.url = c->url,
		.directive = "" },
	    now_us);
	buf_finish(&text);
}

/* ---- the open apps of a server ---- */

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

/* Close the app that was shown longest ago. */
static void
close_oldest(struct server *s)
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
	close_oldest(s);
	a = create_app(s, c);
	*VEC_PUSH(&s->apps) = a;
	start_app(a);
	return a;
}

void
server_apps_on_call_end(struct server *s, const struct call *c)
{
	struct app *a = server_find_app(s, c->id);

	if (a)
		bring_result(a, c);
}

void
server_apps_refresh(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	for (size_t i = 0; i < s->apps.len; i++)
		refresh_app(s->apps.items[i]);
}

void
server_apps_on_list_changed(struct server *s, enum app_list list)
{
	for (size_t i = 0; i < s->apps.len; i++)
		if (s->apps.items[i]->bridge)
			app_bridge_list_changed(s->apps.items[i]->bridge, list, s->now_us);
}

int64_t
server_apps_next_time(const struct server *s)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < s->apps.len; i++) {
		const struct app *a = s->apps.items[i];
		int64_t time = a->is_gone  ? 0
			       : a->bridge ? app_bridge_next_time(a->bridge)
					   : INT64_MAX;
		next = time < next ? time : next;
	}
	return next;
}

void
server_apps_on_time(struct server *s)
{
	for (size_t i = s->apps.len; i-- > 0;) {
		struct app *a = s->apps.items[i];
		if (a->bridge && app_bridge_next_time(a->bridge) <= a->server->now_us)
			app_bridge_on_time(a->bridge, a->server->now_us);
		if (a->is_gone)
			drop_app(s, a);
	}
}

void
server_apps_finish(struct server *s)
{
	while (s->apps.len > 0)
		drop_app(s, s->apps.items[0]);
	free(s->apps.items);
	s->apps.items = NULL;
	s->apps.len = s->apps.cap = 0;
	strings_finish(&s->apps.allowed);
}

/* SPDX-License-Identifier: MIT */
#include "client/target.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "client/app.h"
#include "json/equal.h"
#include "json/write.h"
#include "mcp/primitive.h"
#include "client/recipe_player.h"
#include "pane/workspace.h"

#include <stdlib.h>
#include <string.h>

const char *
target_shown(const struct target *t, const char *text)
{
	for (size_t i = 0; i < t->shown.len; i++)
		if (t->shown.items[i].text == text)
			return t->shown.items[i].shown;
	return text;
}

void
workspace_init(struct workspace *w)
{
	*w = (struct workspace){ .batch_at_once = BATCH_AT_ONCE };
}

static void
comparison_finish(struct comparison *c)
{
	free(c->name);
	for (int i = 0; i < 2; i++) {
		free(c->sides[i].when);
		free(c->sides[i].arguments);
		json_doc_destroy(c->sides[i].doc);
		json_doc_destroy(c->sides[i].definition);
	}
	*c = (struct comparison){ 0 };
}

void
workspace_finish(struct workspace *w)
{
	for (size_t i = 0; i < w->desks.len; i++) {
		struct desk *d = w->desks.items[i];
		form_destroy(d->form);
		json_doc_destroy(d->doc);
		free(d->key);
		free(d->saved);
		free(d->saved_arguments);
		free(d);
	}
	free(w->desks.items);
	recipe_show_destroy(w->recipe);
	for (size_t i = 0; i < w->past.len; i++)
		server_destroy(w->past.items[i]);
	free(w->past.items);
	batch_destroy(w->batch);
	strings_finish(&w->muted);
	strings_finish(&w->looked);
	queries_finish(&w->queries);
	environment_finish(&w->collection.environment);
	comparison_finish(&w->comparison);
	workspace_init(w);
}

bool
workspace_mutes(const struct workspace *w, const struct found *finding)
{
	return w->muted.len > 0 && strings_have(&w->muted, finding->kind->name);
}

/* Return the desk of the server selected last, in one tab or in all (PRIMITIVE_KINDS). */
static struct desk *
last_chosen(const struct workspace *w, enum primitive_kind tab)
{
	struct desk *last = NULL;

	for (size_t i = 0; i < w->desks.len; i++) {
		struct desk *d = w->desks.items[i];
		if (d->server == w->server && (!last || d->chosen > last->chosen) &&
		    (tab == PRIMITIVE_KINDS || workspace_tab_of(d->kind) == tab))
			last = d;
	}
	return last;
}

void
workspace_set_server(struct workspace *w, struct server *server)
{
	w->generation = workspace_generation(w) + 1;
	if (w->server != server)
		w->question = 0;
	w->server = server;
	w->lists_seen = 0;
	w->desk = last_chosen(w, PRIMITIVE_KINDS);
	w->tab = w->desk ? workspace_tab_of(w->desk->kind) : PRIMITIVE_TOOL;
	w->tab_chosen = w->desk != NULL;
}

const struct primitive_list *
workspace_list(const struct workspace *w, enum primitive_kind kind)
{
	return w->server ? &server_info(w->server)->lists[kind].list : NULL;
}

static struct form *
make_form(const struct primitive *p)
{
	struct json_doc *schema = primitive_make_schema(p);
	struct json_doc *doc = schema ? schema : p->doc;
	const cJSON *takes = schema ? json_root(schema) : p->input_schema;
	/* a tool needs no usable inputSchema, but a template needs its variables */
	bool callable = p->has_key && (takes || p->kind == PRIMITIVE_TOOL);
	struct form *form = callable ? form_create(doc, takes, FORM_DEFAULTS_SHOWN) : NULL;

	json_doc_destroy(schema);
	return form;
}

/* Make a form for the changed definition and load the typed values. */
static void
desk_renew(struct desk *d, struct json_doc *doc, const cJSON *definition)
{
	struct buf text = BUF_INIT;
	struct form *old = d->form;
	struct json_doc *old_doc = d->doc;
	bool touched = old && form_view(old).version != d->untouched;

	d->doc = json_part(doc, definition);
	primitive_decode(&d->copy, d->kind, d->doc, json_root(d->doc));
	d->form = make_form(&d->copy);
	d->untouched = d->form ? form_view(d->form).version : 0;
	if (d->form && touched) {
		form_to_json(old, &text);
		form_load_raw(d->form, buf_text(&text), text.len);
		d->untouched = UINT64_MAX;
	}
	form_destroy(old);
	json_doc_destroy(old_doc);
	buf_finish(&text);
}

/* Return whether the form has values that were never sent. Folds and checks change the version too,
 * so compare the values. */
static bool
is_unsent(const struct desk *d)
{
	uint64_t version = d->form ? form_view(d->form).version : d->untouched;
	struct buf now = BUF_INIT;

	if (version == d->untouched || version == d->sent)
		return false;
	struct form *fresh = make_form(&d->copy);
	const struct call *call = d->shown_call ? server_find_call(d->server, d->shown_call) : NULL;
	form_to_json(d->form, &now);
	bool same = (fresh && form_equal(fresh, d->form)) ||
		    (call && strcmp(call->arguments, buf_text(&now)) == 0) ||
		    (d->saved_arguments && strcmp(d->saved_arguments, buf_text(&now)) == 0);
	form_destroy(fresh);
	buf_finish(&now);
	return !same;
}

size_t
workspace_unsent(const struct workspace *w, const struct desk **one)
{
	size_t count = 0;

	for (size_t i = 0; i < w->desks.len; i++)
		if (is_unsent(w->desks.items[i])) {
			*one = w->desks.items[i];
			count++;
		}
	return count;
}

static struct desk *
find_desk(struct workspace *w, enum primitive_kind kind, const char *key, size_t nth)
{
	for (size_t i = 0; i < w->desks.len; i++) {
		struct desk *d = w->desks.items[i];
		if (d->server == w->server && d->kind == kind && d->nth == nth &&
		    strcmp(d->key, key) == 0)
			return d;
	}
	return NULL;
}

static struct desk *
add_desk(struct workspace *w, const struct primitive *p)
{
	struct desk *d = mem_zalloc(sizeof(*d));

	d->server = w->server;
	d->kind = p->kind;
	d->key = mem_strdup(p->key);
	d->nth = p->nth;
	desk_renew(d, p->doc, p->definition);
	*VEC_PUSH(&w->desks) = d;
	return d;
}

static bool
fill(void *user, const char *json, size_t len, bool shown, struct buf *out)
{
	struct buf filled = BUF_INIT;

	bool ok = memmem(json, len, "${", 2) && workspace_fill(user, json, len, &filled, NULL) &&
		  (filled.len != len || memcmp(filled.data, json, len) != 0);
	if (ok &&
	    !(shown && secret_hide_values(out, buf_text(&filled), filled.len, SECRET_VALUES_GIVEN)))
		buf_add(out, buf_text(&filled), filled.len);
	buf_finish(&filled);
	return ok;
}

static void
workspace_choose(struct workspace *w, struct desk *d)
{
	if (d->form)
		form_fill_by(d->form, &(struct form_filler){ fill, w });
	w->desk = d;
	w->tab = workspace_tab_of(d->kind);
	d->chosen = ++w->generation;
}

bool
workspace_select(struct workspace *w, enum primitive_kind kind, size_t index)
{
	const struct primitive_list *list = workspace_list(w, kind);

	if (!list || index >= list->len)
		return false;
	const struct primitive *p = &list->items[index];
	struct desk *d = find_desk(w, kind, p->key, p->nth);
	workspace_choose(w, d ? d : add_desk(w, p));
	return true;
}

bool
workspace_select_name(struct workspace *w, enum primitive_kind kind, const char *key)
{
	const struct primitive_list *list = workspace_list(w, kind);
	const struct primitive *p = list ? primitive_list_find(list, key, 0) : NULL;

	return p && workspace_select(w, kind, (size_t)(p - list->items));
}

void
workspace_select_uri(struct workspace *w, const char *uri)
{
	struct buf text = BUF_INIT;
	struct json_writer writer;

	if (!w->server || workspace_select_name(w, PRIMITIVE_RESOURCE, uri))
		return;
	struct desk *d = find_desk(w, PRIMITIVE_RESOURCE, uri, 0);
	if (!d) {
		json_write_init(&writer, &text);
		json_write_object(&writer);
		json_write_member_string(&writer, "uri", uri);
		json_write_member_string(&writer, "name", uri);
		json_write_object_end(&writer);
		struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
		struct primitive p;
		primitive_decode(&p, PRIMITIVE_RESOURCE, doc, json_root(doc));
		p.key = uri; /* the requested URI, because the label may be cut */
		d = add_desk(w, &p);
		json_doc_destroy(doc);
		buf_finish(&text);
	}
	d->unlisted = true;
	workspace_choose(w, d);
}

enum primitive_kind
workspace_tab_of(enum primitive_kind kind)
{
	return kind == PRIMITIVE_TEMPLATE ? PRIMITIVE_RESOURCE : kind;
}

static bool
select_first(struct workspace *w, enum primitive_kind tab)
{
	return workspace_select(w, tab, 0) ||
	       (tab == PRIMITIVE_RESOURCE && workspace_select(w, PRIMITIVE_TEMPLATE, 0));
}

void
workspace_show_tab(struct workspace *w, enum primitive_kind kind)
{
	enum primitive_kind tab = workspace_tab_of(kind);
	struct desk *d = last_chosen(w, tab);

	w->tab = tab;
	w->tab_chosen = true;
	w->desk = NULL;
	w->generation++;
	if (d)
		workspace_choose(w, d);
	else
		select_first(w, tab);
}

/* Select the primitive of a call. If the server no longer lists it, make a desk of its definition
 * at the time of the call. */
static void
choose_called(struct workspace *w, const struct call *c)
{
	struct primitive p;

	if (c->kind != PRIMITIVE_RESOURCE && workspace_select_name(w, c->kind, c->key))
		return;
	struct desk *d = find_desk(w, c->kind, c->key, 0);
	if (!d && !c->definition) {
		workspace_select_uri(w, c->key);
		return;
	}
	if (!d) {
		primitive_decode(&p, c->kind, c->definition, json_root(c->definition));
		p.key = c->key;
		d = add_desk(w, &p);
		d->unlisted = true;
	}
	workspace_choose(w, d);
}

void
workspace_select_call(struct workspace *w, const struct call *c)
{
	choose_called(w, c);
	workspace_show_call(w, c->id);
}

/* Show the last call of a recording, as in a live session, until the user selects another one. */
static void
follow_recording(struct workspace *w)
{
	const struct server_info *info = server_info(w->server);
	const struct call *last = info->calls ? server_call_at(w->server, info->calls - 1) : NULL;

	if (last && last->id != w->followed) {
		w->followed = last->id;
		workspace_select_call(w, last);
	}
	if (!w->desk || workspace_call(w))
		return;
	last = server_last_call(w->server, w->desk->kind, w->desk->key);
	if (last)
		workspace_show_call(w, last->id);
}

void
workspace_sync(struct workspace *w)
{
	if (w->server && server_info(w->server)->time_line)
		follow_recording(w);
	if (!w->server || server_lists_generation(w->server) == w->lists_seen)
		return;
	w->lists_seen = server_lists_generation(w->server);
	w->generation++;
	for (size_t i = 0; i < w->desks.len; i++) {
		struct desk *d = w->desks.items[i];
		if (d->server != w->server)
			continue;
		const struct primitive *p =
		    primitive_list_find(workspace_list(w, d->kind), d->key, d->nth);
		if (p && !(d->doc && json_equal(json_root(d->doc), p->definition))) {
			desk_renew(d, p->doc, p->definition);
			if (d->form)
				form_fill_by(d->form, &(struct form_filler){ fill, w });
		}
	}
	if (w->desk || select_first(w, w->tab) || w->tab_chosen)
		return;
	for (int kind = 0; kind <= PRIMITIVE_PROMPT &&
			   !lister_is_busy(&server_info(w->server)->lists[PRIMITIVE_TOOL]);
	     kind++)
		if (workspace_select(w, (enum primitive_kind)kind, 0))
			return;
}

const struct primitive *
workspace_primitive(const struct workspace *w)
{
	const struct desk *d = w->desk;
	const struct primitive *p =
	    d ? primitive_list_find(workspace_list(w, d->kind), d->key, d->nth) : NULL;

	return !p && d && d->unlisted ? &d->copy : p;
}

size_t
workspace_primitive_index(const struct workspace *w)
{
	const struct primitive *p = workspace_primitive(w);

	return p && p != &w->desk->copy ? (size_t)(p - workspace_list(w, w->desk->kind)->items)
					: SIZE_MAX;
}

const struct call *
workspace_call(const struct workspace *w)
{
	return w->desk && w->desk->shown_call ? server_find_call(w->server, w->desk->shown_call)
					      : NULL;
}

struct app *
workspace_app(const struct workspace *w)
{
	struct app *floating = w->server ? server_floating_app(w->server) : NULL;

	if (floating || !w->desk || !w->desk->shown_call)
		return floating;
	return server_find_app(w->server, w->desk->shown_call);
}

bool
workspace_shows_app(const struct workspace *w)
{
	const struct app *a = w->desk && w->desk->shows_app ? workspace_app(w) : NULL;

	return a && app_facts(a)->display != APP_DISPLAY_PIP;
}

void
workspace_show_call(struct workspace *w, uint64_t call)
{
	if (!w->desk)
		return;
	w->desk->shown_call = call;
	w->generation++;
}

/* ---- calls of the history ---- */

static void
send_nothing(void *user, const struct outbound *message)
{
}

/* Return the server of this name: the shown one, a started one, or a stand-in for past calls. */
static struct server *
server_named(struct workspace *w, const struct history_call *h)
{
	const struct server_options options = { 0 };

	if (w->server && strcmp(server_info(w->server)->name, h->server) == 0)
		return w->server;
	for (size_t i = 0; i < w->choice_count; i++)
		if (w->choices[i].server && strcmp(w->choices[i].target->name, h->server) == 0)
			return w->choices[i].server;
	for (size_t i = 0; i < w->past.len; i++)
		if (strcmp(server_info(w->past.items[i])->name, h->server) == 0)
			return w->past.items[i];
	struct server *s = server_create(h->server, h->label, &options, send_nothing, NULL);
	server_set_clock(s, w->history.wall_us, w->history.zone_s);
	*VEC_PUSH(&w->past) = s;
	return s;
}

/* Return the server that has a call of the history or loads it, and its number there. NULL: the
 * call is gone. */
static struct server *
workspace_find_kept(
    struct workspace *w, uint64_t id, int64_t now_us, uint64_t *call, struct err *err)
{
	struct history_call h = { 0 };

	for (size_t i = 0; i <= w->choice_count; i++) {
		struct server *s = i < w->choice_count ? w->choices[i].server : w->server;
		const struct call *c = s ? server_find_kept(s, id) : NULL;
		if (c) {
			*call = c->id;
			return s;
		}
	}
	if (!w->history.host || !w->history.host->find(w->history.user, id, true, &h)) {
		err_set(err, "this call is no longer in the history");
		return NULL;
	}
	struct server *s = server_named(w, &h);
	*call = server_recall(s, &h, now_us);
	history_finish(&h);
	return s;
}

bool
workspace_show_kept(struct workspace *w, uint64_t id, int64_t now_us, struct err *err)
{
	uint64_t call = 0;
	struct server *s = workspace_find_kept(w, id, now_us, &call, err);

	if (!s)
		return false;
	if (s != w->server)
		workspace_set_server(w, s);
	workspace_select_call(w, server_find_call(s, call));
	return true;
}

uint64_t
workspace_generation(const struct workspace *w)
{
	return w->generation + (w->server ? server_generation(w->server) : 0);
}

struct question *
workspace_question(const struct workspace *w)
{
	return w->server ? server_find_question(w->server, w->question) : NULL;
}

bool
workspace_next_question(struct workspace *w, int by)
{
	size_t count = w->server ? server_info(w->server)->questions.len : 0;

	if (count == 0) {
		w->question = 0;
		return false;
	}
	size_t at = 0;
	while (at < count && server_info(w->server)->questions.items[at]->id != w->question)
		at++;
	at = at == count ? 0 : (at + count + (size_t)(by % (int)count)) % count;
	w->question = server_info(w->server)->questions.items[at]->id;
	w->generation++;
	return true;
}

/* ---- the variables of the project, read at the first reference ---- */

bool
workspace_use_environment(struct workspace *w, const char *name, struct err *err)
{
	struct workspace_collection *c = &w->collection;
	struct environments all = { 0 };
	struct environment used;

	if (!c->host)
		return err_set(err, "there is no project here");
	bool ok = c->host->environments(c->user, &all, err) &&
		  environments_use(&all, name, c->host, c->user, &used, err);
	environments_finish(&all);
	if (!ok)
		return false;
	environment_finish(&c->environment);
	c->environment = used;
	c->read = true;
	w->generation++;
	return true;
}

bool
workspace_fill(struct workspace *w, const char *json, size_t len, struct buf *out, struct err *err)
{
	struct workspace_collection *c = &w->collection;
	bool strict = (w->desk && w->desk->saved) || c->environment.name;

	if (!memmem(json, len, "${", 2) || !c->host) {
		buf_add(out, json, len);
		return true;
	}
	if (!c->read && !workspace_use_environment(w, NULL, err))
		return false;
	if (environment_fill(&c->environment, json, len, out, err))
		return true;
	if (!strict)
		buf_add(out, json, len);
	return !strict;
}

void
workspace_add_plain(const struct workspace *w, const char *text, struct buf *out)
{
	struct buf plain = BUF_INIT;

	buf_add_str(&plain, text);
	if (w->collection.host)
		buf_replace(&plain, "${", "$${");
	buf_add(out, buf_text(&plain), plain.len);
	buf_finish(&plain);
}

void
workspace_set_saved(struct workspace *w, const char *name, const char *arguments)
{
	if (!w->desk)
		return;
	char *saved = name ? mem_strdup(name) : NULL;
	char *saved_arguments = name ? mem_strdup(arguments) : NULL;
	free(w->desk->saved);
	free(w->desk->saved_arguments);
	w->desk->saved = saved;
	w->desk->saved_arguments = saved_arguments;
	w->generation++;
}

/* ---- the comparison of two calls ---- */

struct found_call {
	struct server *server;
	const struct call *call;
	int64_t wall_us; /* of its start */
};

static bool
find_compared(
    struct workspace *w, struct call_ref ref, int64_t now_us, struct found_call *f, struct err *err)
{
	uint64_t id = ref.call;

	f->server = w->server;
	if (ref.kept)
		f->server = workspace_find_kept(w, ref.kept, now_us, &id, err);
	if (ref.kept && !f->server)
		return false;
	f->call = f->server ? server_find_call(f->server, id) : NULL;
	if (!f->call)
		return err_set(err, "that call is no longer here");
	if (f->call->state == CALL_RUNNING)
		return err_set(err, "that call is still running");
	if (!f->call->doc || !f->call->value)
		return err_set(err, "that call has no reply to compare");
	f->wall_us = f->call->started_us + journal_info(server_info(f->server)->journal)->wall_us;
	return true;
}

static void
take_side(struct comparison_side *side, const struct found_call *f, int zone_s)
{
	const struct history_call when = { .id = HISTORY_ID(f->wall_us > 0 ? f->wall_us : 0, 0),
		.zone_s = zone_s };
	struct buf text = BUF_INIT;
	const struct call *c = f->call;

	history_add_time(&when, &text);
	*side = (struct comparison_side){
		.when = buf_detach(&text),
		.arguments = mem_strdup(c->arguments ? c->arguments : ""),
		.doc = json_doc_ref(c->doc),
		.definition = c->definition ? json_doc_ref(c->definition) : NULL,
		.value = c->value,
		.bytes = c->raw ? c->raw->len : 0,
	};
	result_texts_init(&side->texts, &c->result);
}

/* Take each side at once: loading a call of the history may make its server drop another one. */
bool
workspace_compare(
    struct workspace *w, struct call_ref a, struct call_ref b, int64_t now_us, struct err *err)
{
	const struct call_ref refs[2] = { a, b };
	struct comparison c = { .version = w->comparison.version + 1 };
	struct found_call found[2];
	char *names[2] = { NULL, NULL };
	bool ok = true;

	for (int i = 0; i < 2 && ok; i++) {
		ok = find_compared(w, refs[i], now_us, &found[i], err);
		if (ok) {
			take_side(&c.sides[i], &found[i], w->history.zone_s);
			names[i] = mem_strdup(call_name(found[i].call));
		}
	}
	if (ok && c.sides[0].doc == c.sides[1].doc)
		ok = err_set(err, "that is one call: choose two");
	if (ok && found[1].wall_us < found[0].wall_us) {
		struct comparison_side later = c.sides[0];
		c.sides[0] = c.sides[1];
		c.sides[1] = later;
		char *name = names[0];
		names[0] = names[1];
		names[1] = name;
	}
	if (ok) {
		bool one_tool = strcmp(names[0], names[1]) == 0;
		for (int i = 0; i < 2 && !one_tool; i++) {
			json_doc_destroy(c.sides[i].definition);
			c.sides[i].definition = NULL;
		}
		c.name =
		    one_tool ? mem_strdup(names[0]) : mem_printf("%s → %s", names[0], names[1]);
		comparison_finish(&w->comparison);
		w->comparison = c;
		w->generation++;
	} else {
		comparison_finish(&c);
	}
	free(names[0]);
	free(names[1]);
	return ok;
}

/* ---- the previous call ---- */

static bool
find_in_history(const struct workspace *w, const struct server *s, enum primitive_kind kind,
    const char *key, uint64_t before, struct history_call *out)
{
	const struct workspace_history *history = &w->history;

	return history->host &&
	       history->host->last(history->user, server_info(s)->name, kind, key, before, out);
}

bool
workspace_compare_before(struct workspace *w, struct call_ref ref, int64_t now_us, struct err *err)
{
	const struct call *shown = workspace_call(w);
	struct history_call h;
	struct found_call f;

	if (ref.kept == 0 && ref.call == 0 && !shown)
		return err_set(
		    err, "no result is shown: call a tool twice, or choose in the history");
	if (ref.kept == 0 && ref.call == 0)
		ref.call = shown->id;
	if (!find_compared(w, ref, now_us, &f, err))
		return false;
	const struct call *before = NULL; /* of the same primitive, with a reply */
	for (size_t i = 0; i < server_info(f.server)->calls; i++) {
		const struct call *c = server_call_at(f.server, i);
		if (c != f.call && c->kind == f.call->kind && strcmp(c->key, f.call->key) == 0 &&
		    c->value && c->doc && c->state != CALL_RUNNING &&
		    c->started_us <= f.call->started_us &&
		    (!before || c->started_us >= before->started_us))
			before = c;
	}
	uint64_t id = f.call->kept ? f.call->kept : HISTORY_ID(f.wall_us, 0);
	struct call_ref other = { 0 };
	if (find_in_history(w, f.server, f.call->kind, f.call->key, id, &h)) {
		other.kept = h.id;
		history_finish(&h);
	}
	if (before && (other.kept == 0 || before->kept == 0 || before->kept >= other.kept))
		other = before->kept ? (struct call_ref){ .kept = before->kept }
				     : (struct call_ref){ .call = before->id };
	if (other.kept == 0 && other.call == 0)
		return err_set(
		    err, "there is no earlier call of %.80s to compare with", f.call->key);
	return workspace_compare(w, other, ref, now_us, err);
}

/* ---- the definition at the last call ---- */

void
workspace_note_looked(struct workspace *w, const struct json_doc *definition)
{
	char hash[SHA256_HEX];
	struct buf text = BUF_INIT;

	if (history_add_definition(definition, &text, hash) && !strings_have(&w->looked, hash)) {
		if (w->looked.len >= LOOKED_MAX)
			strings_remove(&w->looked, 0);
		strings_add(&w->looked, hash);
		w->looks++;
		w->generation++;
	}
	buf_finish(&text);
}

struct json_doc *
workspace_called_definition(const struct workspace *w, struct buf *when)
{
	const struct desk *d = w->desk;
	const struct call *last = d ? server_last_call(d->server, d->kind, d->key) : NULL;
	struct history_call h = { .zone_s = w->history.zone_s };
	struct json_doc *doc = NULL;

	if (last && last->definition) {
		h.id = HISTORY_ID(
		    last->started_us + journal_info(server_info(d->server)->journal)->wall_us, 0);
		history_add_time(&h, when);
		return json_doc_ref(last->definition);
	}
	if (!d || !find_in_history(w, d->server, d->kind, d->key, INT64_MAX, &h))
		return NULL;
	if (h.definition)
		doc = json_parse(h.definition, strlen(h.definition), NULL, NULL);
	history_add_time(&h, when);
	history_finish(&h);
	return doc;
}

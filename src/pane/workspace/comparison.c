/* SPDX-License-Identifier: MIT */
#include "pane/workspace.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct found_call {
	struct server *server;
	const struct call *call;
	int64_t wall_us; /* of its start */
};

static void
finish_side(struct comparison_side *s)
{
	free(s->when);
	free(s->arguments);
	json_doc_destroy(s->doc);
	json_doc_destroy(s->definition);
	*s = (struct comparison_side){ 0 };
}

void
comparison_finish(struct comparison *c)
{
	free(c->name);
	finish_side(&c->sides[0]);
	finish_side(&c->sides[1]);
	*c = (struct comparison){ 0 };
}

static bool
find(
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
		ok = find(w, refs[i], now_us, &found[i], err);
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

/* Return the previous call of the same primitive with a reply, or NULL. */
static const struct call *
before_here(const struct server *s, const struct call *later)
{
	const struct call *best = NULL;

	for (size_t i = 0; i < server_info(s)->calls; i++) {
		const struct call *c = server_call_at(s, i);
		if (c != later && c->kind == later->kind && strcmp(c->key, later->key) == 0 &&
		    c->value && c->doc && c->state != CALL_RUNNING &&
		    c->started_us <= later->started_us &&
		    (!best || c->started_us >= best->started_us))
			best = c;
	}
	return best;
}

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
	if (!find(w, ref, now_us, &f, err))
		return false;
	const struct call *before = before_here(f.server, f.call);
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

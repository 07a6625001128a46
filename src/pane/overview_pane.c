/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/findings.h"
#include "client/journal.h"
#include "client/lens.h"
#include "client/server.h"
#include "json/print.h"
#include "mcp/session.h"
#include "pane/content/content.h"
#include "pane/pane_text.h"
#include "ui/page.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Server requests by method, each counted once while it is in the journal. */
static const char *const asked_names[] = {
	"elicitation/create", "sampling/createMessage", "roots/list", "ping",
	"inputRequests", /* 2026-07-28: results of type input_required */
};
enum { ASKED_COUNT = ARRAY_LEN(asked_names) };

struct overview {
	struct page page;            /* first */
	const struct server *server; /* only compared */
	uint64_t asked_seen;         /* the last journal entry counted */
	size_t asked[ASKED_COUNT];
	struct overview_costs {
		const struct server *server; /* the server counted, and the state of its lists */
		uint64_t lists;
		struct job *job;
		struct tool_costs *counted; /* NULL: not yet */
		size_t order;
		bool changed; /* the page does not have them yet */
	} costs;
	bool stale; /* written when the pane is visible, not at every change */
	struct pane_picture icon;
	const cJSON *icons; /* only compared */
	int64_t icons_of;   /* the session that sent them */
};

/*
 * The cost of the tools for a model before the first call: hosts send it the name, description and
 * inputSchema of each. A job counts them.
 */
#define AT_ONCE 32                      /* tools counted without a thread, */
#define AT_ONCE_BYTES ((size_t)4 << 20) /* if their lists are not larger in memory */
#define ROWS_MAX 200                    /* tools listed */
#define COST_COLS 28

struct cost_size {
	size_t bytes, tokens; /* tokens are an estimate */
};

struct tool_cost {
	char *name;
	uint32_t nth; /* in the list */
	struct cost_size said, whole;
};

struct tool_costs {
	struct job job; /* first */
	struct overview_costs *owner;
	struct primitive *tools; /* while it runs */
	size_t len;
	struct tool_cost *items;
	char *text; /* the instructions, while it runs */
	struct cost_size instructions, said, whole;
};

static void
measure(const cJSON *value, struct buf *json, struct cost_size *size)
{
	buf_clear(json);
	json_print(json, value);
	size->bytes += json->len;
	size->tokens += tokens_estimate(buf_text(json), json->len);
}

static void
count_costs_run(struct job *job)
{
	static const char *const SAID[] = { "name", "description", "inputSchema" };
	struct tool_costs *k = (struct tool_costs *)job;
	struct buf json = BUF_INIT;

	k->instructions.bytes = strlen(k->text);
	k->instructions.tokens = tokens_estimate(k->text, k->instructions.bytes);
	for (size_t i = 0; i < k->len && job_goes_on(job, i); i++) {
		struct tool_cost *c = &k->items[i];
		for (size_t m = 0; m < ARRAY_LEN(SAID); m++) {
			const cJSON *member = json_get(k->tools[i].definition, SAID[m]);
			if (member)
				measure(member, &json, &c->said);
		}
		measure(k->tools[i].definition, &json, &c->whole);
		k->said.bytes += c->said.bytes;
		k->said.tokens += c->said.tokens;
		k->whole.bytes += c->whole.bytes;
		k->whole.tokens += c->whole.tokens;
	}
	buf_finish(&json);
}

static void
forget_tools(struct tool_costs *k)
{
	for (size_t i = 0; k->tools && i < k->len; i++)
		json_doc_destroy(k->tools[i].doc);
	free(k->tools);
	free(k->text);
	k->tools = NULL;
	k->text = NULL;
}

static void
costs_destroy(struct tool_costs *k)
{
	if (!k)
		return;
	forget_tools(k);
	for (size_t i = 0; i < k->len; i++)
		free(k->items[i].name);
	free(k->items);
	free(k);
}

/* ---- the order ---- */

static int
compare_tokens(const void *a, const void *b)
{
	const struct tool_cost *x = a, *y = b;

	if (x->said.tokens != y->said.tokens)
		return x->said.tokens < y->said.tokens ? 1 : -1;
	return x->nth < y->nth ? -1 : 1;
}

static int
compare_names(const void *a, const void *b)
{
	const struct tool_cost *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : x->nth < y->nth ? -1 : 1;
}

static int
compare_places(const void *a, const void *b)
{
	const struct tool_cost *x = a, *y = b;

	return x->nth < y->nth ? -1 : 1;
}

static const struct {
	const char *name;
	int (*compare)(const void *a, const void *b);
} ORDERS[] = {
	{ "tokens", compare_tokens },
	{ "name", compare_names },
	{ "place in the list", compare_places },
};

static void
sort_costs(struct overview_costs *costs)
{
	if (costs->counted)
		qsort(costs->counted->items, costs->counted->len, sizeof(struct tool_cost),
		    ORDERS[costs->order].compare);
}

/* ---- counting ---- */

static void
count_costs_done(struct job *job)
{
	struct tool_costs *k = (struct tool_costs *)job;

	if (job_is_stopped(job)) {
		costs_destroy(k);
		return;
	}
	forget_tools(k);
	costs_destroy(k->owner->counted);
	k->owner->counted = k;
	k->owner->changed = true;
	sort_costs(k->owner);
}

static void
count_costs(struct overview_costs *costs, const struct view_env *env)
{
	const struct server *s = env->ws->server;
	const struct session *session = server_info(s)->session;
	uint64_t lists = server_lists_generation(s);
	const struct primitive_list *list = &server_info(s)->lists[PRIMITIVE_TOOL].list;

	if (costs->server == s && costs->lists == lists)
		return;
	if (costs->server != s) {
		job_drop(&costs->job);
		costs_destroy(costs->counted);
		costs->counted = NULL;
	}
	costs->server = s;
	costs->lists = lists;
	struct tool_costs *k = mem_zalloc(sizeof(*k));
	*k = (struct tool_costs){ .job = { .run = count_costs_run, .done = count_costs_done },
		.owner = costs,
		.text = mem_strdup(session ? session_info(session)->instructions : ""),
		.len = list->len,
		.tools = mem_alloc((list->len + 1) * sizeof(*k->tools)),
		.items = mem_zalloc((list->len + 1) * sizeof(*k->items)) };
	size_t bytes = 0;
	for (size_t i = 0; i < list->len; i++) {
		if (i == 0 || list->items[i].doc != list->items[i - 1].doc)
			bytes += json_doc_memory(list->items[i].doc); /* of a page of tools */
		k->tools[i] = list->items[i];
		json_doc_ref(list->items[i].doc);
		k->items[i].name = mem_strdup(list->items[i].name);
		k->items[i].nth = (uint32_t)i;
	}
	bool is_small = list->len <= AT_ONCE && bytes <= AT_ONCE_BYTES;
	job_start(is_small ? NULL : env->jobs, &k->job, &costs->job);
}

/* ---- the section ---- */

/* all: show the share of these tokens; 0: show no share. */
static void
add_cost(
    struct page *p, const char *key, const struct cost_size *size, size_t all, const char *note)
{
	char share[20] = "";

	if (all > 0)
		snprintf(share, sizeof(share), " · %3.0f %%",
		    100.0 * (double)size->tokens / (double)all);
	page_rowf(p, COST_COLS, key, ROLE_TEXT, "≈ %7s %s · %8s%s%s",
	    units_count(size->tokens).text, size->tokens == 1 ? "token " : "tokens",
	    pane_bytes(size->bytes).text, share, note);
}

static void
write_costs(struct page *p, const struct overview_costs *costs)
{
	const struct tool_costs *k = costs->counted;
	struct buf key = BUF_INIT;

	if (!k) {
		page_text(p, 0, ROLE_DIM, "being counted");
		return;
	}
	if (k->instructions.bytes > 0)
		add_cost(p, "instructions", &k->instructions, 0, "");
	units_add_counted(&key, k->len, "tool");
	add_cost(p, buf_text(&key), &k->said, 0, " of names, descriptions and inputSchemas");
	buf_finish(&key);
	add_cost(p, "whole definitions", &k->whole, 0, "");
	if (k->len > 0)
		page_textf(p, 0, ROLE_DIM, "By %s:", ORDERS[costs->order].name);
	for (size_t i = 0; i < k->len && i < ROWS_MAX; i++)
		add_cost(p, k->items[i].name, &k->items[i].said, k->said.tokens, "");
	if (k->len > ROWS_MAX)
		page_textf(p, 0, ROLE_HINT, "… and %s more", units_count(k->len - ROWS_MAX).text);
}

/* Count the server requests that are new in the journal. */
static void
count_asked(struct overview *o, const struct journal *journal)
{
	static const char sign[] = "\"input_required\"";
	size_t i = o->asked_seen ? journal_index(journal, o->asked_seen) + 1 : 0;

	if (o->asked_seen && !journal_find(journal, o->asked_seen))
		i = 0; /* dropped: all remaining entries are newer */
	for (; i < journal_info(journal)->count; i++) {
		const struct journal_entry *e = journal_at(journal, i);
		size_t most = e->bytes->len < 4096 ? e->bytes->len : 4096;
		o->asked_seen = e->id;
		if (e->kind != JOURNAL_RECEIVED)
			continue;
		if (e->message == MESSAGE_RESULT &&
		    memmem(e->bytes->data, most, sign, strlen(sign)))
			o->asked[ASKED_COUNT - 1]++;
		for (size_t n = 0; n + 1 < ASKED_COUNT; n++)
			if (e->message == MESSAGE_REQUEST && e->method)
				o->asked[n] += strcmp(e->method, asked_names[n]) == 0;
	}
}

#define KEY_COLS 18

static void
row(struct page *p, const char *key, const char *text)
{
	if (text && *text)
		page_row(p, KEY_COLS, key, ROLE_TEXT, text);
}

/* ---- identity ---- */

static void
add_identity(struct page *p, const struct session *session)
{
	const cJSON *info = session_info(session)->server_info;
	const cJSON *first = json_first(json_get(info, "icons"));

	row(p, "name", session_info(session)->server_name);
	row(p, "title", session_info(session)->server_title);
	row(p, "version", session_info(session)->server_version);
	row(p, "description", json_get_string(info, "description"));
	row(p, "website", json_get_string(info, "websiteUrl"));
	for (const cJSON *icon = first; icon; icon = icon->next) {
		struct buf text = BUF_INIT;
		pane_icon_describe(icon, &text);
		row(p, icon == first ? "icons" : "", buf_text(&text));
		buf_finish(&text);
	}
}

/* ---- connection ---- */

static void
add_connection(struct page *p, const struct view_env *env)
{
	const struct server *s = env->ws->server;
	const struct session *session = server_info(s)->session;
	const struct server_choice *c = NULL;
	const char *trouble = server_info(s)->trouble;
	bool down = *trouble || server_info(s)->phase >= SERVER_FAILED;
	bool unreached = down && server_info(s)->phase == SERVER_READY;

	for (size_t i = 0; !c && i < env->ws->choice_count; i++)
		if (env->ws->choices[i].server == s)
			c = &env->ws->choices[i];
	page_rowf(p, KEY_COLS, "state", down ? ROLE_ERROR : ROLE_TEXT, "%s%s%s",
	    unreached ? "not reached" : server_phase_name(server_info(s)->phase),
	    *trouble ? ": " : "", trouble);
	if (down)
		page_row(p, KEY_COLS, "", ROLE_HINT, "R reconnects");
	if (session && session_info(session)->protocol[0]) {
		page_rowf(p, KEY_COLS, "protocol", ROLE_TEXT, "%s, %s",
		    session_info(session)->protocol,
		    session_info(session)->modern ? "modern: stateless, each request "
						    "is self-contained"
						  : "legacy: begins with initialize");
		if (session_info(session)->speaks_both)
			page_row(p, KEY_COLS, "", ROLE_HINT,
			    session_info(session)->modern
				? "the server also speaks the legacy era: :era legacy"
				: "the server also speaks the modern era: :era modern");
	}
	row(p, "transport", c && c->target->url ? "HTTP" : "stdio");
	if (server_info(s)->connect_us >= 0)
		page_rowf(p, KEY_COLS, "connected in", ROLE_TEXT,
		    "%s from start to the end of the handshake",
		    pane_duration(server_info(s)->connect_us).text);
	if (!c)
		return;
	row(p, c->target->url ? "URL" : "command", c->target->label);
	if (c->pid > 0 && server_info(s)->phase < SERVER_FAILED)
		page_rowf(p, KEY_COLS, "process", ROLE_TEXT, "%ld", c->pid);
	row(p, "folder", target_shown(c->target, c->target->cwd));
	pane_add_names(p, KEY_COLS, "env", c->target->env, "=");
	pane_add_names(p, KEY_COLS, "headers", c->target->headers, ":");
	row(p, "file", c->target->file);
}

/* ---- capabilities ---- */

static void
add_capabilities(struct page *p, const cJSON *can)
{
	static const char *const groups[] = { "extensions", "experimental" };
	struct buf text = BUF_INIT;

	if (!can) {
		page_text(p, 0, ROLE_DIM, "The server declares none.");
		return;
	}
	for (const cJSON *c = json_first(can); c; c = c->next) {
		if (strcmp(c->string, groups[0]) == 0 || strcmp(c->string, groups[1]) == 0)
			continue;
		buf_clear(&text);
		json_print_brief(&text, c, 400);
		row(p, c->string, json_count(c) > 0 ? buf_text(&text) : "yes");
	}
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		for (const cJSON *e = json_first(json_get(can, groups[i])); e; e = e->next) {
			buf_clear(&text);
			json_print_brief(&text, e, 300);
			page_rowf(p, KEY_COLS, groups[i], ROLE_TEXT, "%s%s%s", e->string,
			    json_count(e) > 0 ? "  " : "",
			    json_count(e) > 0 ? buf_text(&text) : "");
		}
	buf_finish(&text);
}

static void
add_counts(struct page *p, const struct server *s)
{
	struct buf text = BUF_INIT;
	size_t before = p->len;

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const struct lister *l = &server_info(s)->lists[kind];
		size_t broken = 0;
		for (size_t i = 0; i < l->list.len; i++)
			broken += l->list.items[i].broken;
		buf_clear(&text);
		units_add_count(&text, l->list.len);
		if (broken > 0)
			buf_addf(&text, ", %s broken", units_count(broken).text);
		if (l->list.caching.is_said) {
			buf_add_str(&text, " · ");
			caching_describe(&l->list.caching, &text);
		}
		if (l->error[0])
			buf_addf(&text, "  ✗ %s", l->error);
		if (l->list.note[0])
			buf_addf(&text, "  %s", l->list.note);
		if (l->list.len > 0 || l->error[0])
			page_row(p, KEY_COLS, primitive_kinds[(enum primitive_kind)kind].plural,
			    l->error[0] ? ROLE_WARNING : ROLE_TEXT, buf_text(&text));
	}
	if (p->len == before)
		page_text(p, 0, ROLE_DIM, "no tools, resources or prompts");
	buf_finish(&text);
}

static void
add_ours(struct page *p, const struct session *session)
{
	const struct session_capabilities *c = session_info(session)->client_capabilities;
	const struct {
		bool is;
		const char *name;
	} rows[] = {
		{ c->elicitation_form, "form elicitation" },
		{ c->elicitation_url, "URL elicitation" },
		{ c->sampling, "sampling" },
		{ c->sampling_tools, "sampling with tools" },
		{ c->sampling_context, "sampling with context" },
		{ c->roots, "roots" },
	};
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].is)
			buf_addf(&text, "%s%s", text.len ? ", " : "", rows[i].name);
	for (size_t i = 0; i < c->extension_count; i++)
		buf_addf(&text, "%s%s", text.len ? ", " : "", c->extensions[i].id);
	page_text(p, 0, ROLE_TEXT, text.len ? buf_text(&text) : "none");
	buf_finish(&text);
}

/* ---- all of it ---- */

static void
add_session(struct page *p, const struct server *s, const struct session *session,
    const struct overview_costs *costs)
{
	/* 2026-07-28/server/utilities/caching */
	static const char *const caching[] = { "ttlMs", "cacheScope", "supportedVersions" };
	const struct strings *roots = server_info(s)->roots;
	bool has_roots = session_info(session)->client_capabilities->roots;
	struct handshake_findings findings = { 0 };

	page_head(p, "Findings");
	handshake_lint(s, &findings);
	for (size_t i = 0; i < findings.len; i++) {
		const struct handshake_finding *f = &findings.items[i];
		enum role role = f->serious ? ROLE_WARNING : ROLE_TEXT;
		page_mark_row(p, 2, role, f->serious ? "!" : "·", role, f->text);
	}
	if (findings.len == 0)
		page_mark_row(p, 2, ROLE_OK, "✓", ROLE_TEXT, "no problems in the handshake");
	free(findings.items);
	page_head(p, "Capabilities");
	add_capabilities(p, session_info(session)->server_capabilities);
	for (size_t i = 0; i < ARRAY_LEN(caching); i++) {
		const cJSON *value = json_get(session_info(session)->init_result, caching[i]);
		struct buf text = BUF_INIT;
		if (value)
			json_print_brief(&text, value, 200);
		row(p, caching[i], buf_text(&text));
		buf_finish(&text);
	}
	page_head(p, "Tools, resources and prompts");
	add_counts(p, s);
	page_head(p, "Client capabilities");
	add_ours(p, session);
	if (has_roots && roots->len == 0)
		page_text(p, 0, ROLE_DIM, "No roots: :root add FOLDER sends a folder.");
	for (size_t i = 0; has_roots && i < roots->len; i++)
		page_row(p, 8, "root", ROLE_TEXT, roots->items[i]);
	if (session_info(session)->instructions[0]) {
		page_head(p, "Instructions");
		page_text(p, 0, ROLE_TEXT, session_info(session)->instructions);
	}
	page_head(p, "Cost for a model before the first call");
	write_costs(p, costs);
}

/* Describe the shown server, which must exist. */
static void
overview_write(struct overview *o, const struct view_env *env)
{
	const struct server *s = env->ws->server;
	const struct session *session = server_info(s)->session;
	bool known = session && session_info(session)->init_result;
	struct page *p = &o->page;

	page_clear(p);
	count_asked(o, server_info(s)->journal);
	if (known) {
		page_head(p, "Server");
		add_identity(p, session);
	}
	page_head(p, "Connection");
	add_connection(p, env);
	if (known)
		add_session(p, s, session, &o->costs);
	page_head(p, "Server requests");
	size_t before = p->len;
	for (size_t i = 0; i < ASKED_COUNT; i++)
		if (o->asked[i] > 0)
			page_rowf(p, 28, asked_names[i], ROLE_TEXT, "%zu", o->asked[i]);
	if (p->len == before)
		page_text(p, 0, ROLE_DIM, "Nothing yet.");
	if (server_stderr_tail(s, NULL)[0]) {
		page_head(p, "End of stderr");
		page_text(p, 0, ROLE_STDERR, server_stderr_tail(s, NULL));
	}
}

enum { ICON_COLS = 16, ICON_ROWS = 8, LEAST_COLS = 60 };

static void
overview_finish(void *state)
{
	struct overview *o = state;

	job_drop(&o->costs.job);
	costs_destroy(o->costs.counted);
	pane_picture_finish(&o->icon);
}

static void
overview_sync(void *state, const struct view_env *env)
{
	struct overview *o = state;

	o->stale = true;
	if (env->ws->server == o->server)
		return;
	o->server = env->ws->server;
	o->asked_seen = 0;
	memset(o->asked, 0, sizeof(o->asked));
	page_clear(&o->page);
	o->page.top = 0;
}

static bool
overview_renew(void *state, const struct view_env *env)
{
	struct overview *o = state;

	if (env->ws->server)
		count_costs(&o->costs, env);
	if ((o->stale || o->costs.changed) && env->ws->server)
		overview_write(o, env);
	o->stale = false;
	o->costs.changed = false;
	return env->ws->server;
}

static void
overview_draw(void *state, const struct view_env *env, struct surface s)
{
	struct overview *o = state;

	if (!overview_renew(o, env)) {
		pane_draw_server_state(env, s);
		return;
	}
	const struct server_info *info = server_info(env->ws->server);
	const cJSON *icons =
	    info->session ? json_get(session_info(info->session)->server_info, "icons") : NULL;
	if (icons != o->icons || info->connect_us != o->icons_of) {
		o->icons = icons;
		o->icons_of = info->connect_us;
		pane_picture_load_icon(&o->icon, env, icons);
	}
	int cols;
	pane_picture_rows(&o->icon, ICON_COLS, ICON_ROWS, &cols);
	o->page.aside = cols > 0 && s.width >= LEAST_COLS ? cols + 2 : 0;
	page_draw(&o->page, s, ROLE_NONE, env->focused);
	int top = (int)(o->page.top < ICON_ROWS ? o->page.top : ICON_ROWS);
	if (o->page.aside > 0)
		pane_picture_draw(&o->icon,
		    surface_sub(s, s.width - cols, 0, cols, ICON_ROWS - top), ICON_COLS, ICON_ROWS,
		    top);
}

static enum role
overview_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	if (env->ws->server)
		buf_addf(title, "overview ▸ %s", server_info(env->ws->server)->name);
	buf_add_str(facts, "F3 closes");
	return ROLE_DIM;
}

static bool
act_sort(void *state, const struct view_env *env, const char *arg)
{
	struct overview *o = state;

	if (!env->ws->server)
		return false;
	count_costs(&o->costs, env);
	o->costs.order = (o->costs.order + 1) % ARRAY_LEN(ORDERS);
	sort_costs(&o->costs);
	o->stale = true;
	return true;
}

static const struct view_action actions[] = {
	{ "sort-costs", "s", "", "sort the tools by cost, by name, or in the server's order",
	    act_sort, "sort costs" },
	{ "copy-page", "y", "", "copy this page to the clipboard", pane_act_copy, "copy" },
	{ 0 },
};

static const char *
overview_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	return env->ws->server ? action->hint : NULL;
}

const struct view_ops pane_overview = {
	.title = "overview",
	.help = "the server: capabilities, instructions, connection, findings and the cost for a "
		"model",
	.state_size = sizeof(struct overview),
	.actions = actions,
	.finish = overview_finish,
	.sync = overview_sync,
	.heading = overview_heading,
	.draw = overview_draw,
	.page = overview_renew,
	.hint = overview_hint,
};

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
#include "pane/pane.h"
#include "pane/pane_text.h"
#include "ui/page.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Server requests by method, each counted once while it is in the journal. */
enum { OVERVIEW_ASKED = 5 };

struct overview_asked {
	uint64_t seen; /* the last journal entry counted */
	size_t count[OVERVIEW_ASKED];
};

static const char *const asked_names[OVERVIEW_ASKED] = {
	"elicitation/create", "sampling/createMessage", "roots/list", "ping",
	"inputRequests", /* 2026-07-28: results of type input_required */
};

/* The cost of the tools for a model, once it is counted. */
struct cost_size {
	size_t bytes, tokens; /* an estimate */
};
struct tool_costs;
struct overview_costs {
	const struct server *server; /* whose they are, and the state of its lists */
	uint64_t lists;
	struct job *job;
	struct tool_costs *counted; /* NULL: not yet */
	size_t order;
	bool changed; /* the page has not got them yet */
};

/*
 * The cost of the tools for a model before the first call: hosts hand on the name, description and
 * inputSchema of each. A job counts them.
 */
#define AT_ONCE 32                      /* tools counted without a job's thread, */
#define AT_ONCE_BYTES ((size_t)4 << 20) /* if their lists are no larger in memory */
#define ROWS_MAX 200                    /* written */
#define COST_COLS 28

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
run(struct job *job)
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
sort(struct overview_costs *costs)
{
	if (costs->counted)
		qsort(costs->counted->items, costs->counted->len, sizeof(struct tool_cost),
		    ORDERS[costs->order].compare);
}

/* the next order */
static void
overview_sort_costs(struct overview_costs *costs)
{
	costs->order = (costs->order + 1) % ARRAY_LEN(ORDERS);
	sort(costs);
}

/* ---- counting ---- */

static void
done(struct job *job)
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
	sort(k->owner);
}

static bool
is_small(const struct primitive_list *list)
{
	size_t bytes = 0;

	if (list->len > AT_ONCE)
		return false;
	for (size_t i = 0; i < list->len; i++) /* the tools of a page share its JSON */
		if (i == 0 || list->items[i].doc != list->items[i - 1].doc)
			bytes += json_doc_memory(list->items[i].doc);
	return bytes <= AT_ONCE_BYTES;
}

static void
overview_forget_costs(struct overview_costs *costs)
{
	job_drop(&costs->job);
	costs_destroy(costs->counted);
	costs->counted = NULL;
	costs->server = NULL;
}

static void
overview_count_costs(struct overview_costs *costs, const struct view_env *env)
{
	const struct server *s = env->ws->server;
	const struct session *session = server_info(s)->session;
	uint64_t lists = server_lists_generation(s);
	const struct primitive_list *list = &server_info(s)->lists[PRIMITIVE_TOOL].list;

	if (costs->server == s && costs->lists == lists)
		return;
	if (costs->server != s)
		overview_forget_costs(costs);
	costs->server = s;
	costs->lists = lists;
	struct tool_costs *k = mem_zalloc(sizeof(*k));
	*k = (struct tool_costs){ .job = { .run = run, .done = done },
		.owner = costs,
		.text = mem_strdup(session ? session_info(session)->instructions : ""),
		.len = list->len,
		.tools = mem_alloc((list->len + 1) * sizeof(*k->tools)),
		.items = mem_zalloc((list->len + 1) * sizeof(*k->items)) };
	for (size_t i = 0; i < list->len; i++) {
		k->tools[i] = list->items[i];
		json_doc_ref(list->items[i].doc);
		k->items[i].name = mem_strdup(list->items[i].name);
		k->items[i].nth = (uint32_t)i;
	}
	job_start(is_small(list) ? NULL : env->jobs, &k->job, &costs->job);
}

/* ---- the section ---- */

/* So that the digits of the rows stand below one another. */
static void
add_right(struct buf *out, const struct buf *number, int cols)
{
	buf_addf(out, "%*s%s", cols > (int)number->len ? cols - (int)number->len : 0, "",
	    buf_text(number));
}

/* all: the tokens that it is a share of; 0: no share is told. */
static void
add_row(struct page *p, const char *key, const struct cost_size *size, size_t all, const char *what)
{
	enum { COUNT_COLS = 7, BYTES_COLS = 8, SHARE_COLS = 3 };
	struct buf text = BUF_INIT, number = BUF_INIT;

	buf_add_str(&text, "≈ ");
	units_add_count(&number, size->tokens);
	add_right(&text, &number, COUNT_COLS);
	buf_add_str(&text, size->tokens == 1 ? " token  · " : " tokens · ");
	buf_clear(&number);
	pane_add_bytes(&number, size->bytes);
	add_right(&text, &number, BYTES_COLS);
	if (all > 0)
		buf_addf(
		    &text, " · %*.0f %%", SHARE_COLS, 100.0 * (double)size->tokens / (double)all);
	buf_add_str(&text, what);
	page_row(p, COST_COLS, key, ROLE_TEXT, buf_text(&text));
	buf_finish(&number);
	buf_finish(&text);
}

static void
overview_write_costs(struct page *p, const struct overview_costs *costs)
{
	const struct tool_costs *k = costs->counted;
	struct buf key = BUF_INIT;

	if (!k) {
		page_text(p, 0, ROLE_DIM, "being counted");
		return;
	}
	if (k->instructions.bytes > 0)
		add_row(p, "instructions", &k->instructions, 0, "");
	units_add_counted(&key, k->len, "tool");
	add_row(p, buf_text(&key), &k->said, 0, " of names, descriptions and inputSchemas");
	add_row(p, "whole definitions", &k->whole, 0, "");
	if (k->len > 0) {
		buf_clear(&key);
		buf_addf(&key, "By %s:", ORDERS[costs->order].name);
		page_text(p, 0, ROLE_DIM, buf_text(&key));
	}
	for (size_t i = 0; i < k->len && i < ROWS_MAX; i++)
		add_row(p, k->items[i].name, &k->items[i].said, k->said.tokens, "");
	if (k->len > ROWS_MAX) {
		buf_clear(&key);
		buf_addf(&key, "… and %s more", units_count(k->len - ROWS_MAX).text);
		page_text(p, 0, ROLE_HINT, buf_text(&key));
	}
	buf_finish(&key);
}

/* Writes the overview section by section. */

static bool
wants_input(const struct journal_entry *e)
{
	static const char sign[] = "\"input_required\"";
	size_t most = e->bytes->len < 4096 ? e->bytes->len : 4096;

	return e->message == MESSAGE_RESULT && memmem(e->bytes->data, most, sign, strlen(sign));
}

static void
count(struct overview_asked *asked, const struct journal_entry *e)
{
	if (e->kind != JOURNAL_RECEIVED)
		return;
	if (wants_input(e))
		asked->count[OVERVIEW_ASKED - 1]++;
	if (e->message != MESSAGE_REQUEST || !e->method)
		return;
	for (size_t i = 0; i + 1 < OVERVIEW_ASKED; i++)
		asked->count[i] += strcmp(e->method, asked_names[i]) == 0;
}

static void
overview_count_asked(struct overview_asked *asked, const struct journal *journal)
{
	size_t i = asked->seen ? journal_index(journal, asked->seen) + 1 : 0;

	if (asked->seen && !journal_find(journal, asked->seen))
		i = 0; /* dropped: all remaining entries are newer */
	for (; i < journal_info(journal)->count; i++) {
		const struct journal_entry *e = journal_at(journal, i);
		asked->seen = e->id;
		count(asked, e);
	}
}

#define KEY_COLS 18

static void
row(struct page *p, const char *key, const char *text)
{
	if (text && *text)
		page_row(p, KEY_COLS, key, ROLE_TEXT, text);
}

static const struct server_choice *
choice_of(const struct view_env *env)
{
	for (size_t i = 0; i < env->ws->choice_count; i++)
		if (env->ws->choices[i].server == env->ws->server)
			return &env->ws->choices[i];
	return NULL;
}

/* ---- identity ---- */

static void
add_icons(struct page *p, const cJSON *icons)
{
	for (const cJSON *icon = json_first(icons); icon; icon = icon->next) {
		struct buf text = BUF_INIT;
		pane_icon_describe(icon, &text);
		row(p, icon == json_first(icons) ? "icons" : "", buf_text(&text));
		buf_finish(&text);
	}
}

static void
add_identity(struct page *p, const struct session *session)
{
	const cJSON *info = session_info(session)->server_info;

	row(p, "name", session_info(session)->server_name);
	row(p, "title", session_info(session)->server_title);
	row(p, "version", session_info(session)->server_version);
	row(p, "description", json_get_string(info, "description"));
	row(p, "website", json_get_string(info, "websiteUrl"));
	add_icons(p, json_get(info, "icons"));
}

/* ---- how it is reached ---- */

static void
add_names(struct page *p, const char *key, char *const *pairs, const char *end)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; pairs && pairs[i]; i++)
		buf_addf(&names, "%s%.*s", i ? ", " : "", (int)strcspn(pairs[i], end), pairs[i]);
	row(p, key, buf_text(&names));
	buf_finish(&names);
}

static void
add_target(struct page *p, const struct server_choice *c)
{
	char pid[32];

	row(p, c->target->url ? "URL" : "command", c->target->label);
	if (c->pid > 0 && server_info(c->server)->phase < SERVER_FAILED) {
		snprintf(pid, sizeof(pid), "%ld", c->pid);
		row(p, "process", pid);
	}
	row(p, "folder", target_shown(c->target, c->target->cwd));
	add_names(p, "env", c->target->env, "=");
	add_names(p, "headers", c->target->headers, ":");
	row(p, "file", c->target->file);
}

static void
add_connection(struct page *p, const struct view_env *env)
{
	const struct server *s = env->ws->server;
	const struct session *session = server_info(s)->session;
	const struct server_choice *c = choice_of(env);
	struct buf text = BUF_INIT;
	bool down = server_info(s)->trouble[0] || server_info(s)->phase >= SERVER_FAILED;
	bool unreached = down && server_info(s)->phase == SERVER_READY;

	buf_add_str(&text, unreached ? "not reached" : server_phase_name(server_info(s)->phase));
	if (server_info(s)->trouble[0])
		buf_addf(&text, ": %s", server_info(s)->trouble);
	page_row(p, KEY_COLS, "state", down ? ROLE_ERROR : ROLE_TEXT, buf_text(&text));
	if (down)
		page_row(p, KEY_COLS, "", ROLE_HINT, "R reconnects");
	if (session && session_info(session)->protocol[0]) {
		buf_clear(&text);
		buf_addf(&text, "%s, %s", session_info(session)->protocol,
		    session_info(session)->modern ? "modern: stateless, each request "
						    "is self-contained"
						  : "legacy: begins with initialize");
		row(p, "protocol", buf_text(&text));
		if (session_info(session)->speaks_both)
			page_row(p, KEY_COLS, "", ROLE_HINT,
			    session_info(session)->modern
				? "the server also speaks the legacy era: :era legacy"
				: "the server also speaks the modern era: :era modern");
	}
	row(p, "transport", c && c->target->url ? "HTTP" : "stdio");
	if (server_info(s)->connect_us >= 0) {
		buf_clear(&text);
		pane_add_duration(&text, server_info(s)->connect_us);
		buf_add_str(&text, " from start to the end of the handshake");
		row(p, "connected in", buf_text(&text));
	}
	if (c)
		add_target(p, c);
	buf_finish(&text);
}

/* ---- capabilities ---- */

static void
add_member(struct page *p, const cJSON *capability)
{
	struct buf text = BUF_INIT;

	if (json_count(capability) > 0)
		json_print_brief(&text, capability, 400);
	else
		buf_add_str(&text, "yes");
	row(p, capability->string, buf_text(&text));
	buf_finish(&text);
}

static void
add_capabilities(struct page *p, const cJSON *can)
{
	if (!can) {
		page_text(p, 0, ROLE_DIM, "The server declares none.");
		return;
	}
	for (const cJSON *c = json_first(can); c; c = c->next)
		if (strcmp(c->string, "extensions") != 0 && strcmp(c->string, "experimental") != 0)
			add_member(p, c);
	static const char *const groups[] = { "extensions", "experimental" };
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		for (const cJSON *e = json_first(json_get(can, groups[i])); e; e = e->next) {
			struct buf text = BUF_INIT;
			buf_add_str(&text, e->string);
			if (json_count(e) > 0) {
				buf_add_str(&text, "  ");
				json_print_brief(&text, e, 300);
			}
			row(p, groups[i], buf_text(&text));
			buf_finish(&text);
		}
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
		if (broken > 0) {
			buf_add_str(&text, ", ");
			units_add_count(&text, broken);
			buf_add_str(&text, " broken");
		}
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

/* ---- server requests, findings ---- */

static void
add_asked(struct page *p, const struct overview_asked *asked)
{
	char text[32];
	bool any = false;

	for (size_t i = 0; i < OVERVIEW_ASKED; i++) {
		if (asked->count[i] == 0)
			continue;
		snprintf(text, sizeof(text), "%zu", asked->count[i]);
		page_row(p, 28, asked_names[i], ROLE_TEXT, text);
		any = true;
	}
	if (!any)
		page_text(p, 0, ROLE_DIM, "Nothing yet.");
}

/* 2026-07-28/server/utilities/caching. */
static void
add_caching(struct page *p, const cJSON *hello)
{
	static const char *const keys[] = { "ttlMs", "cacheScope", "supportedVersions" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const cJSON *value = json_get(hello, keys[i]);
		struct buf text = BUF_INIT;
		if (value)
			json_print_brief(&text, value, 200);
		row(p, keys[i], buf_text(&text));
		buf_finish(&text);
	}
}

static void
add_findings(struct page *p, const struct server *s)
{
	struct handshake_findings findings = { 0 };

	handshake_lint(s, &findings);
	for (size_t i = 0; i < findings.len; i++) {
		const struct handshake_finding *f = &findings.items[i];
		enum role role = f->serious ? ROLE_WARNING : ROLE_TEXT;
		page_mark_row(p, 2, role, f->serious ? "!" : "·", role, f->text);
	}
	if (findings.len == 0)
		page_mark_row(p, 2, ROLE_OK, "✓", ROLE_TEXT, "no problems in the handshake");
	free(findings.items);
}

static void
add_roots(struct page *p, const struct server *s)
{
	const struct strings *roots = server_info(s)->roots;

	if (!session_info(server_info(s)->session)->client_capabilities->roots)
		return;
	if (roots->len == 0)
		page_text(p, 0, ROLE_DIM, "No roots: :root add FOLDER sends a folder.");
	for (size_t i = 0; i < roots->len; i++)
		page_row(p, 8, "root", ROLE_TEXT, roots->items[i]);
}

static void
head(struct page *p, const char *text)
{
	if (p->len > 0)
		page_gap(p);
	page_head(p, text);
}

static void
add_session(struct page *p, const struct server *s, const struct session *session,
    const struct overview_costs *costs)
{
	head(p, "Capabilities");
	add_capabilities(p, session_info(session)->server_capabilities);
	add_caching(p, session_info(session)->init_result);
	head(p, "Tools, resources and prompts");
	add_counts(p, s);
	head(p, "Client capabilities");
	add_ours(p, session);
	add_roots(p, s);
	if (session_info(session)->instructions[0]) {
		head(p, "Instructions");
		page_text(p, 0, ROLE_TEXT, session_info(session)->instructions);
	}
	head(p, "Cost for a model before the first call");
	overview_write_costs(p, costs);
}

/* Describes the shown server, which must exist. Adds new requests to asked. */
static void
overview_write(struct page *p, struct overview_asked *asked, const struct overview_costs *costs,
    const struct view_env *env)
{
	const struct server *s = env->ws->server;
	const struct session *session = server_info(s)->session;
	bool known = session && session_info(session)->init_result;

	page_clear(p);
	overview_count_asked(asked, server_info(s)->journal);
	if (known) {
		page_head(p, "Server");
		add_identity(p, session);
	}
	head(p, "Connection");
	add_connection(p, env);
	if (known) {
		head(p, "Findings");
		add_findings(p, s);
		add_session(p, s, session, costs);
	}
	head(p, "Server requests");
	add_asked(p, asked);
	if (server_stderr_tail(s, NULL)[0]) {
		head(p, "End of stderr");
		page_text(p, 0, ROLE_STDERR, server_stderr_tail(s, NULL));
	}
}

/* The server: identity, capabilities, instructions and findings. */
struct overview {
	struct page page;
	const struct server *server; /* only compared */
	struct overview_asked asked;
	struct overview_costs costs;
	bool stale; /* written when the pane is visible, not at every change */
	struct pane_picture icon;
	const cJSON *icons; /* only compared */
	int64_t icons_of;   /* the session that sent them */
};

enum { ICON_COLS = 16, ICON_ROWS = 8, LEAST_COLS = 60 };

static void
finish(void *state)
{
	struct overview *o = state;

	page_finish(&o->page);
	overview_forget_costs(&o->costs);
	pane_picture_finish(&o->icon);
}

static void
sync(void *state, const struct view_env *env)
{
	struct overview *o = state;

	o->stale = true;
	if (env->ws->server == o->server)
		return;
	o->server = env->ws->server;
	o->asked = (struct overview_asked){ 0 };
	page_clear(&o->page);
	o->page.top = 0;
}

static void
renew_icon(struct overview *o, const struct view_env *env)
{
	const struct session *session = server_info(env->ws->server)->session;
	const cJSON *info = session ? session_info(session)->server_info : NULL;
	const cJSON *icons = json_get(info, "icons");
	int64_t connect_us = server_info(env->ws->server)->connect_us;

	if (icons == o->icons && connect_us == o->icons_of)
		return;
	o->icons = icons;
	o->icons_of = connect_us;
	pane_picture_load_icon(&o->icon, env, icons);
}

/* To the right of the identity, if there is room. */
static void
draw_icon(struct overview *o, struct surface s)
{
	int cols = pane_picture_cols(&o->icon, ICON_COLS, ICON_ROWS);
	int top = (int)(o->page.top < ICON_ROWS ? o->page.top : ICON_ROWS);

	if (o->page.aside > 0)
		pane_picture_draw(&o->icon,
		    surface_sub(s, s.width - cols, 0, cols, ICON_ROWS - top), ICON_COLS, ICON_ROWS,
		    top);
}

static void
renew(struct overview *o, const struct view_env *env)
{
	if (env->ws->server)
		overview_count_costs(&o->costs, env);
	if ((o->stale || o->costs.changed) && env->ws->server)
		overview_write(&o->page, &o->asked, &o->costs, env);
	o->stale = false;
	o->costs.changed = false;
}

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct overview *o = state;

	renew(o, env);
	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	renew_icon(o, env);
	int cols = pane_picture_cols(&o->icon, ICON_COLS, ICON_ROWS);
	o->page.aside = cols > 0 && s.width >= LEAST_COLS ? cols + 2 : 0;
	page_draw(&o->page, s, ROLE_NONE, env->focused);
	draw_icon(o, s);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	if (env->ws->server)
		buf_addf(title, "overview ▸ %s", server_info(env->ws->server)->name);
	buf_add_str(facts, "F3 closes");
	return ROLE_DIM;
}

static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	renew(state, env);
	page_to_text(&((struct overview *)state)->page, out);
}

static bool
act_sort(void *state, const struct view_env *env, const char *arg)
{
	struct overview *o = state;

	if (!env->ws->server)
		return false;
	overview_count_costs(&o->costs, env);
	overview_sort_costs(&o->costs);
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
hint(void *state, const struct view_env *env, const struct view_action *action)
{
	return env->ws->server ? action->hint : NULL;
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct overview *o = state;

	renew(o, env);
	*out = seek_page(&o->page);
	return env->ws->server;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	return page_key(&((struct overview *)state)->page, key);
}

const struct view_ops pane_overview = {
	.title = "overview",
	.help = "the server: capabilities, instructions, connection, findings about them, and what "
		"they cost a model",
	.state_size = sizeof(struct overview),
	.actions = actions,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.seek = seek,
	.copy = copy,
	.hint = hint,
};


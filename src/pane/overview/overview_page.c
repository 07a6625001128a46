#include "overview.h"

#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "mcp/session.h"
#include "client/findings.h"
#include "client/server.h"
#include "pane/content/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the overview section by section. */

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
		page_row(p, 28, overview_asked_names[i], ROLE_TEXT, text);
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

void
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

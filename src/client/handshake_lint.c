/* SPDX-License-Identifier: MIT */
#include "client/findings.h"
#include "client/server.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/vec.h"
#include "base/units.h"
#include "mcp/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_US 2000000
#define LONG_INSTRUCTIONS 8192
#define LOOKED_AT_MAX ((size_t)256 << 10) /* bytes of one string examined: a millisecond or two */

static void __attribute__((format(printf, 3, 4)))
add(struct handshake_findings *out, bool serious, const char *format, ...)
{
	struct handshake_finding *f = VEC_PUSH(out);

	f->serious = serious;
	FORMAT_INTO(f->text, format);
}

static bool
has_hidden(const char *text)
{
	struct glyph g;

	for (size_t at = 0, len = strnlen(text, LOOKED_AT_MAX); at < len;) {
		at += glyph_next(text + at, len - at, &g);
		if (g.kind > GLYPH_TAB && at < LOOKED_AT_MAX)
			return true;
	}
	return false;
}

/* 2025-11-25/schema, Implementation. */
static void
lint_info(const struct session_info *session, struct handshake_findings *out)
{
	static const char *const texts[] = { "name", "title", "version", "description",
		"websiteUrl" };
	const cJSON *info = session->server_info;
	const char *site = json_get_string(info, "websiteUrl");

	if (!info) {
		add(out, false, "it does not identify itself (no serverInfo)");
		return;
	}
	if (!session->server_name[0])
		add(out, true, "serverInfo has no name");
	if (!session->server_version[0])
		add(out, true, "serverInfo has no version");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const char *text = json_get_string(info, texts[i]);
		if (text && has_hidden(text))
			add(out, true, "serverInfo.%s contains invisible characters", texts[i]);
	}
	if (site && !is_web_url(site))
		add(out, true, "serverInfo.websiteUrl is not a web address");
	size_t index = 0;
	for (const cJSON *icon = json_first(json_get(info, "icons")); icon;
	     icon = icon->next, index++) {
		const char *src = json_get_string(icon, "src");
		if (!src)
			add(out, true, "serverInfo.icons/%zu has no src", index);
		else if (strncmp(src, "https://", 8) != 0 && strncmp(src, "data:", 5) != 0)
			add(out, true, "serverInfo.icons/%zu is neither an https: nor a data: URI",
			    index);
	}
}

/* Compares the declared capabilities with the lists. */
static void
lint_lists(const struct server *s, const cJSON *can, struct handshake_findings *out)
{
	static const struct {
		enum primitive_kind kind;
		const char *capability;
	} rows[] = {
		{ PRIMITIVE_TOOL, "tools" },
		{ PRIMITIVE_PROMPT, "prompts" },
	};

	if (!can)
		add(out, true, "it declares no capabilities");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct lister *l = &server_info(s)->lists[rows[i].kind];
		bool declared = json_get(can, rows[i].capability) != NULL;
		if (declared && l->complete && l->list.len == 0)
			add(out, false, "it declares %s and lists none", rows[i].capability);
	}
	for (const cJSON *c = json_first(can); c; c = c->next)
		if (!cJSON_IsObject(c))
			add(out, true, "the capability %.60s is not an object", c->string);
}

void
handshake_lint(const struct server *s, struct handshake_findings *out)
{
	static const char *const known[] = { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
		"2026-07-28" };
	const struct server_info *server = server_info(s);
	const struct session_info *info = server->session ? session_info(server->session) : NULL;
	bool is_known = false;
	size_t bad = 0, lines = journal_info(server->journal)->count;

	if (!info || !info->init_result)
		return;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		is_known = is_known || strcmp(info->protocol, known[i]) == 0;
	if (!is_known)
		add(out, true, "the protocol version %.40s was never published", info->protocol);
	else if (strcmp(info->protocol, "2025-06-18") < 0)
		add(out, false, "%s has neither structuredContent nor outputSchema",
		    info->protocol);
	lint_info(info, out);
	size_t len = strlen(info->instructions);
	if (has_hidden(info->instructions))
		add(out, true, "instructions contain invisible characters: a model reads them");
	if (len > LOOKED_AT_MAX)
		add(out, true, "only the first 256 KiB of the instructions were examined");
	if (len > LONG_INSTRUCTIONS)
		add(out, false,
		    "instructions are %s bytes long: a model reads them in every conversation",
		    units_count(len).text);
	lint_lists(s, info->server_capabilities, out);
	/* Standard output is reserved for the protocol (transports, stdio). */
	for (size_t i = 0; i < lines && i < 200; i++) {
		const struct journal_entry *e = journal_at(server->journal, i);
		bad += e->kind == JOURNAL_RECEIVED &&
		       (e->message == MESSAGE_INVALID || e->message == MESSAGE_NOT_JSON);
	}
	if (bad > 0)
		add(out, true, "%zu of its first lines %s no message of the protocol", bad,
		    bad == 1 ? "is" : "are");
	if (server->connect_us > SLOW_US)
		add(out, false, "the handshake took %.1f s: users wait for it at every start",
		    (double)server->connect_us / 1e6);
}

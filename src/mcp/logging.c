#include "mcp/logging.h"

#include "era_priv.h"
#include "methods_priv.h"
#include "outgoing_priv.h"

#include <stdio.h>
#include <string.h>

#define META_LOG_LEVEL "io.modelcontextprotocol/logLevel"

static const char *const names[LOG_LEVELS] = {
	[LOG_LEVEL_NONE] = "none",
	[LOG_LEVEL_DEBUG] = "debug",
	[LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_NOTICE] = "notice",
	[LOG_LEVEL_WARNING] = "warning",
	[LOG_LEVEL_ERROR] = "error",
	[LOG_LEVEL_CRITICAL] = "critical",
	[LOG_LEVEL_ALERT] = "alert",
	[LOG_LEVEL_EMERGENCY] = "emergency",
};

const char *
log_level_name(enum log_level level)
{
	return names[level];
}

enum log_level
log_level_from_name(const char *name)
{
	for (size_t i = 1; name && i < LOG_LEVELS; i++)
		if (strcmp(names[i], name) == 0)
			return (enum log_level)i;
	return LOG_LEVEL_NONE;
}

static bool
is_declared(const struct session *s)
{
	return json_get(s->capabilities, "logging") != NULL;
}

static void
send_level(struct session *s)
{
	char members[40];
	struct outgoing_request r = {
		.method = "logging/setLevel", .members = members, .kind = REQUEST_LEVEL
	};

	r.len =
	    (size_t)snprintf(members, sizeof(members), "\"level\":\"%s\"", names[s->inner.level]);
	outgoing_request(s, &r);
}

bool
session_set_log_level(struct session *s, enum log_level level, int64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->state != SESSION_READY || !is_declared(s))
		return false;
	s->inner.level = level;
	if (!s->era->modern && level != LOG_LEVEL_NONE)
		send_level(s);
	return true;
}

enum log_level
session_log_level(const struct session *s)
{
	return s->inner.level;
}

void
level_on_ready(struct session *s)
{
	if (s->inner.level != LOG_LEVEL_NONE && is_declared(s))
		send_level(s);
}

void
level_on_answer(struct session *s, struct incoming *in)
{
	char text[SESSION_TEXT_MAX];

	if (in->message.kind == MESSAGE_RESULT)
		return;
	text_of_error(&in->message, text, sizeof(text));
	session_note(s, 0, "logging/setLevel: %s", text);
}

void
level_on_failure(struct session *s, uint64_t id, const char *why, bool may_return)
{
	(void)id;
	(void)may_return;
	session_note(s, 0, "logging/setLevel: %s", why);
}

/* Messages never come on a subscription's stream: there a level would mean nothing. */
void
level_write_meta(const struct session *s, struct json_writer *meta, const char *method)
{
	if (s->era->modern && s->inner.level != LOG_LEVEL_NONE &&
	    strcmp(method, "subscriptions/listen") != 0)
		json_write_member_string(meta, META_LOG_LEVEL, names[s->inner.level]);
}

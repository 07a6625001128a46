#include "era_priv.h"
#include "outgoing_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How the era is found out: see mcp/session.h. */

static void
open_era(struct session *s, const struct era *era, bool claim)
{
	struct buf members = BUF_INIT;
	struct json_writer w;

	s->era = era;
	s->state = SESSION_OPENING;
	json_write_init(&w, &members);
	era->write_handshake(s, &w);
	struct outgoing_request r = {
		.method = era->handshake,
		.members = buf_text(&members),
		.len = members.len,
		.claim = claim,
	};
	s->handshake = outgoing_request(s, &r);
	buf_finish(&members);
}

void
handshake_start(struct session *s)
{
	if (s->wanted_era == ERA_MODERN)
		open_era(s, &era_modern, false);
	else
		open_era(s, &era_legacy, s->wanted_era == ERA_AUTO);
	s->events.on_state(s->user);
}

/* Adds to what is known of the failure; an earlier attempt's text stays in front. */
static void __attribute__((format(printf, 2, 3)))
add_failure(struct session *s, const char *format, ...)
{
	size_t len = strlen(s->failure);
	va_list args;

	if (len > 0 && len < sizeof(s->failure) - 3) {
		memcpy(s->failure + len, "; ", 3);
		len += 2;
	}
	va_start(args, format);
	vsnprintf(s->failure + len, sizeof(s->failure) - len, format, args);
	va_end(args);
}

static void
fail(struct session *s)
{
	s->state = SESSION_FAILED;
	s->events.on_state(s->user);
}

static void
succeed(struct session *s, struct incoming *in)
{
	const cJSON *result = in->message.result;

	json_doc_destroy(s->hello);
	s->hello = in->doc;
	in->doc = NULL;
	s->era->read_hello(s, result);
	s->capabilities = json_get(result, "capabilities");
	s->instructions = json_get_string(result, "instructions");
	s->failure[0] = '\0';
	s->state = SESSION_READY;
	if (s->era->modern)
		subscription_open(s);
	else
		outgoing_notification(s, "notifications/initialized");
	s->events.on_state(s->user);
}

/* What we speak of the versions an error lists. */
static void
find_common(const cJSON *error, bool *modern, const char **legacy)
{
	const cJSON *supported = json_get(json_get(error, "data"), "supported");

	*modern = false;
	*legacy = NULL;
	for (const cJSON *v = json_first(supported); v; v = v->next) {
		const char *version = json_string(v);
		if (version && strcmp(version, MODERN_VERSION) == 0)
			*modern = true;
		const char *known = era_legacy_version(version);
		if (known && (!*legacy || strcmp(known, *legacy) > 0))
			*legacy = known;
	}
}

/* The answer was an error: is there another way to open? */
static bool
try_again(struct session *s, const cJSON *error)
{
	bool common_modern, first_refusal = !s->era->modern && !s->initialize_failed;
	const char *common_legacy;

	find_common(error, &common_modern, &common_legacy);
	if (!s->era->modern)
		s->initialize_failed = true;
	if (!s->version_retried && common_modern && s->era->modern) {
		s->version_retried = true;
		open_era(s, &era_modern, false);
		return true;
	}
	if (!s->version_retried && common_legacy && !common_modern && s->wanted_era != ERA_MODERN) {
		s->version_retried = true;
		s->asked_version = common_legacy;
		open_era(s, &era_legacy, false);
		return true;
	}
	if (first_refusal && s->wanted_era == ERA_AUTO) {
		open_era(s, &era_modern, false);
		return true;
	}
	return false;
}

void
handshake_on_answer(struct session *s, struct incoming *in)
{
	const struct message *m = &in->message;
	char text[160];

	pending_end(&s->pending, s->handshake, PENDING_ANSWERED);
	s->handshake = 0;
	if (m->kind == MESSAGE_RESULT) {
		succeed(s, in);
		return;
	}
	text_of_error(m, text, sizeof(text));
	add_failure(s, "%s: %s", s->era->handshake, text);
	if (!try_again(s, m->error))
		fail(s);
}

/* The request stays open: a server may take its time, and a late answer still counts. */
void
handshake_on_timeout(struct session *s)
{
	struct pending_request *r = pending_find(&s->pending, s->handshake);

	r->deadline_ms = r->limit_ms = INT64_MAX;
	add_failure(s, "%s: no answer in %lld ms", s->era->handshake, (long long)s->timeout_ms);
	fail(s);
}

void
handshake_on_closed(struct session *s)
{
	add_failure(s, "%s: the server closed the connection", s->era->handshake);
}

#include "methods_priv.h"
#include "outgoing_priv.h"

/* What a server may ask of a client (2025-11-25:client/). All of it is refused, at once, in the way
 * the specification has for it, so that no call of ours ever waits for us. */

/* Our call it belongs to, when that can be known. */
static uint64_t
find_owner(const struct session *s, const cJSON *params)
{
	const cJSON *token = json_get(json_get(params, "_meta"), "progressToken");
	bool is_single = session_open_requests(s) == 1;
	uint64_t only = 0;

	for (size_t i = 0; i < s->pending.len; i++) {
		const struct pending_request *r = &s->pending.items[i];
		if (requests_is_internal(s, r->id))
			continue;
		if (json_type(token) == JSON_NUMBER && token->valuedouble == (double)r->id)
			return r->owner;
		only = is_single ? r->owner : 0;
	}
	return only;
}

void
asked_report(struct session *s, const char *method, const cJSON *params, const char *answer,
    uint64_t request)
{
	struct session_asked news = {
		.method = method,
		.message = json_get_string(params, "message"),
		.answer = answer,
		.request = request ? request : find_owner(s, params),
	};

	s->events.on_asked(s->user, &news);
}

void
asked_ping(struct session *s, const struct message *m)
{
	outgoing_result(s, m, "{}");
}

void
asked_refuse_elicitation(struct session *s, const struct message *m)
{
	outgoing_result(s, m, "{\"action\":\"decline\"}");
	asked_report(s, m->method, m->params, "declined", 0);
}

void
asked_refuse_sampling(struct session *s, const struct message *m)
{
	outgoing_error(s, m, -1, "User rejected sampling request");
	asked_report(s, m->method, m->params, "refused: not supported", 0);
}

void
asked_refuse_roots(struct session *s, const struct message *m)
{
	outgoing_error(s, m, ERROR_METHOD_NOT_FOUND, "Roots not supported");
	asked_report(s, m->method, m->params, "refused: not supported", 0);
}

void
asked_unknown(struct session *s, const struct message *m)
{
	outgoing_error(s, m, ERROR_METHOD_NOT_FOUND, "Method not found");
	asked_report(s, m->method, m->params, "refused: unknown method", 0);
}

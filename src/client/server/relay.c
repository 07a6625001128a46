#include "server.h"

#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/primitive.h"

#include <string.h>

/* Requests that are made for somebody else, such as an app: the journal has them like all others,
 * and the reply goes to whoever made them. */

/* The members of params but _meta, whose tokens are ours to give. */
static void
write_params(struct buf *out, const cJSON *params)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	for (const cJSON *member = json_first(params); member; member = member->next)
		if (strcmp(member->string, "_meta") != 0)
			json_write_member_value(&w, member->string, member);
	json_write_object_end(&w);
}

static uint64_t
call_tool(struct server *s, const cJSON *params)
{
	const cJSON *arguments = json_get(params, "arguments");
	const char *name = json_get_string(params, "name");
	const struct primitive *tool =
	    name ? primitive_list_find(&s->listers[PRIMITIVE_TOOL].list, name, 0) : NULL;
	struct session_call call = { .name = name ? name : "" };
	struct buf text = BUF_INIT;

	if (arguments) {
		json_print(&text, arguments);
		call.arguments = buf_text(&text);
		call.len = text.len;
	}
	call.definition = tool ? tool->definition : NULL;
	uint64_t request = session_call(s->session, &call, server_now_ms(s));
	buf_finish(&text);
	return request;
}

static uint64_t
keep(struct server *s, uint64_t request, const struct relay_owner *owner, struct err *err)
{
	if (request == 0) {
		err_set(err, "the server is not connected");
		return 0;
	}
	*VEC_PUSH(&s->apps.relays) = (struct relay){ .request = request, .owner = *owner };
	s->generation++;
	return request;
}

uint64_t
server_relay(struct server *s, const char *method, const cJSON *params,
    const struct relay_owner *owner, struct err *err)
{
	struct buf text = BUF_INIT;
	uint64_t request = 0;

	if (s->session && strcmp(method, "tools/call") == 0) {
		request = call_tool(s, params);
	} else if (s->session) {
		write_params(&text, params);
		request = session_request(
		    s->session, method, buf_text(&text), text.len, server_now_ms(s));
	}
	buf_finish(&text);
	return keep(s, request, owner, err);
}

uint64_t
server_relay_read(
    struct server *s, const char *uri, const struct relay_owner *owner, struct err *err)
{
	struct buf text = BUF_INIT;
	struct json_writer w;
	uint64_t request = 0;

	json_write_init(&w, &text);
	json_write_object(&w);
	json_write_member_string(&w, "uri", uri);
	json_write_object_end(&w);
	if (s->session)
		request = session_request(
		    s->session, "resources/read", buf_text(&text), text.len, server_now_ms(s));
	buf_finish(&text);
	return keep(s, request, owner, err);
}

static struct relay *
find(struct server *s, uint64_t request)
{
	for (size_t i = 0; i < s->apps.relays.len; i++)
		if (s->apps.relays.items[i].request == request)
			return &s->apps.relays.items[i];
	return NULL;
}

void
server_relay_cancel(struct server *s, uint64_t request, const char *why)
{
	if (find(s, request))
		session_cancel(s->session, request, why, server_now_ms(s));
}

void
server_relay_leave(struct server *s, const void *user, const char *why)
{
	for (size_t i = s->apps.relays.len; i-- > 0;) {
		if (i >= s->apps.relays.len || s->apps.relays.items[i].owner.user != user)
			continue;
		uint64_t request = s->apps.relays.items[i].request;
		VEC_REMOVE(&s->apps.relays, i);
		if (s->session)
			session_cancel(s->session, request, why, server_now_ms(s));
	}
}

bool
server_relay_on_reply(struct server *s, uint64_t request, struct session_reply *reply)
{
	struct relay *found = find(s, request);

	if (!found)
		return false;
	struct relay_owner owner = found->owner;
	VEC_REMOVE(&s->apps.relays, (size_t)(found - s->apps.relays.items));
	owner.on_reply(owner.user, request, reply);
	return true;
}

bool
server_relay_on_progress(
    struct server *s, uint64_t request, const struct session_progress *progress)
{
	struct relay *found = find(s, request);

	if (found && found->owner.on_progress)
		found->owner.on_progress(found->owner.user, request, progress);
	return found != NULL;
}

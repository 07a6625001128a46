#include "base/vec.h"
#include "era.h"
#include "mcp/features/features.h"
#include "mcp/server_request/server_request.h"

#include <stddef.h>
#include <string.h>

/* The methods of MCP: see struct method. */
static const struct method methods[] = {
	{ "initialize", ERAS_LEGACY, FROM_CLIENT, .traits = 0 },
	{ "server/discover", ERAS_MODERN, FROM_CLIENT, .traits = 0 },
	{ "ping", ERAS_LEGACY, FROM_BOTH, .traits = ONLY_READS, .on_message = server_request_ping },
	{ "tools/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "tools/call", ERAS_BOTH, FROM_CLIENT, .traits = MAY_REPORT | MAY_WANT_INPUT | MAY_BE_TASK,
	    .subject = "name" },
	{ "resources/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "resources/templates/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "resources/read", ERAS_BOTH, FROM_CLIENT,
	    .traits = ONLY_READS | MAY_REPORT | MAY_WANT_INPUT, .subject = "uri" },
	{ "resources/subscribe", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS,
	    .on_result = watch_on_result, .on_failure = watch_on_failure },
	{ "resources/unsubscribe", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS },
	{ "resources/directory/read", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "skills/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "skills/get", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "prompts/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "prompts/get", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS | MAY_REPORT | MAY_WANT_INPUT,
	    .subject = "name" },
	{ "completion/complete", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "logging/setLevel", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS },
	{ "subscriptions/listen", ERAS_MODERN, FROM_CLIENT, .traits = 0,
	    .on_result = subscription_on_result, .on_failure = subscription_on_failure },
	{ "tasks/get", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "tasks/result", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "tasks/list", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS },
	{ "tasks/cancel", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "tasks/update", ERAS_MODERN, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "notifications/tasks/status", ERAS_LEGACY, FROM_SERVER, .traits = 0 },
	{ "notifications/tasks", ERAS_MODERN, FROM_SERVER, .traits = 0 },
	{ "roots/list", ERAS_LEGACY, FROM_SERVER, .traits = 0, .on_message = server_request_take },
	{ "sampling/createMessage", ERAS_LEGACY, FROM_SERVER, .traits = 0,
	    .on_message = server_request_take },
	{ "elicitation/create", ERAS_LEGACY, FROM_SERVER, .traits = 0,
	    .on_message = server_request_take },
	{ "notifications/initialized", ERAS_LEGACY, FROM_CLIENT, .traits = 0 },
	{ "notifications/cancelled", ERAS_BOTH, FROM_BOTH, .traits = 0,
	    .on_message = incoming_cancelled },
	{ "notifications/progress", ERAS_BOTH, FROM_BOTH, .traits = 0,
	    .on_message = incoming_progress },
	{ "notifications/message", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/tools/list_changed", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/prompts/list_changed", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/resources/list_changed", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/resources/updated", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/roots/list_changed", ERAS_LEGACY, FROM_CLIENT, .traits = 0 },
	{ "notifications/elicitation/complete", ERAS_LEGACY, FROM_SERVER, .traits = 0 },
	{ "notifications/subscriptions/acknowledged", ERAS_MODERN, FROM_SERVER, .traits = 0,
	    .on_message = subscription_on_acknowledged },
};

const struct method *
method_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(methods); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

const char *const session_era_names[ERA_COUNT] = {
	[ERA_AUTO] = "auto",
	[ERA_MODERN] = "modern",
	[ERA_LEGACY] = "legacy",
};

enum session_era
session_era_find(const char *name)
{
	int era = 0;

	while (era < ERA_COUNT && strcmp(session_era_names[era], name) != 0)
		era++;
	return (enum session_era)era;
}

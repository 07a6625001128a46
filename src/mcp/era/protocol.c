#include "base/vec.h"
#include "era.h"
#include "mcp/features/features.h"
#include "mcp/server_request/server_request.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* The methods of MCP: id, name, eras, who may send it, traits, the member of params that names its
 * subject, the handler if we receive it. */
#define METHODS(X)                                                                                \
	X(INITIALIZE, "initialize", LEGACY, CLIENT, 0, NULL, NULL)                                \
	X(DISCOVER, "server/discover", MODERN, CLIENT, 0, NULL, NULL)                             \
	X(PING, "ping", LEGACY, BOTH, ONLY_READS, NULL, server_request_ping)                      \
	X(TOOLS_LIST, "tools/list", BOTH, CLIENT, ONLY_READS, NULL, NULL)                         \
	X(TOOLS_CALL, "tools/call", BOTH, CLIENT, MAY_REPORT | MAY_WANT_INPUT | MAY_BE_TASK,      \
	    "name", NULL)                                                                         \
	X(RESOURCES_LIST, "resources/list", BOTH, CLIENT, ONLY_READS, NULL, NULL)                 \
	X(TEMPLATES_LIST, "resources/templates/list", BOTH, CLIENT, ONLY_READS, NULL, NULL)       \
	X(RESOURCES_READ, "resources/read", BOTH, CLIENT,                                         \
	    ONLY_READS | MAY_REPORT | MAY_WANT_INPUT, "uri", NULL)                                \
	X(SUBSCRIBE, "resources/subscribe", LEGACY, CLIENT, ONLY_READS, NULL, NULL)               \
	X(UNSUBSCRIBE, "resources/unsubscribe", LEGACY, CLIENT, ONLY_READS, NULL, NULL)           \
	X(PROMPTS_LIST, "prompts/list", BOTH, CLIENT, ONLY_READS, NULL, NULL)                     \
	X(PROMPTS_GET, "prompts/get", BOTH, CLIENT, ONLY_READS | MAY_REPORT | MAY_WANT_INPUT,     \
	    "name", NULL)                                                                         \
	X(COMPLETE, "completion/complete", BOTH, CLIENT, ONLY_READS, NULL, NULL)                  \
	X(SET_LEVEL, "logging/setLevel", LEGACY, CLIENT, ONLY_READS, NULL, NULL)                  \
	X(LISTEN, "subscriptions/listen", MODERN, CLIENT, 0, NULL, NULL)                          \
	X(TASKS_GET, "tasks/get", BOTH, CLIENT, ONLY_READS, "taskId", NULL)                       \
	X(TASKS_RESULT, "tasks/result", LEGACY, CLIENT, ONLY_READS, "taskId", NULL)               \
	X(TASKS_LIST, "tasks/list", LEGACY, CLIENT, ONLY_READS, NULL, NULL)                       \
	X(TASKS_CANCEL, "tasks/cancel", BOTH, CLIENT, ONLY_READS, "taskId", NULL)                 \
	X(TASKS_UPDATE, "tasks/update", MODERN, CLIENT, ONLY_READS, "taskId", NULL)               \
	X(TASK_STATUS, "notifications/tasks/status", LEGACY, SERVER, 0, NULL, NULL)               \
	X(TASK_NOTICE, "notifications/tasks", MODERN, SERVER, 0, NULL, NULL)                      \
	X(ROOTS_LIST, "roots/list", LEGACY, SERVER, 0, NULL, server_request_take)                 \
	X(SAMPLING, "sampling/createMessage", LEGACY, SERVER, 0, NULL, server_request_take)       \
	X(ELICITATION, "elicitation/create", LEGACY, SERVER, 0, NULL, server_request_take)        \
	X(INITIALIZED, "notifications/initialized", LEGACY, CLIENT, 0, NULL, NULL)                \
	X(CANCELLED, "notifications/cancelled", BOTH, BOTH, 0, NULL, incoming_cancelled)          \
	X(PROGRESS, "notifications/progress", BOTH, BOTH, 0, NULL, incoming_progress)             \
	X(MESSAGE, "notifications/message", BOTH, SERVER, 0, NULL, NULL)                          \
	X(TOOLS_CHANGED, "notifications/tools/list_changed", BOTH, SERVER, 0, NULL, NULL)         \
	X(PROMPTS_CHANGED, "notifications/prompts/list_changed", BOTH, SERVER, 0, NULL, NULL)     \
	X(RESOURCES_CHANGED, "notifications/resources/list_changed", BOTH, SERVER, 0, NULL, NULL) \
	X(RESOURCE_UPDATED, "notifications/resources/updated", BOTH, SERVER, 0, NULL, NULL)       \
	X(ROOTS_CHANGED, "notifications/roots/list_changed", LEGACY, CLIENT, 0, NULL, NULL)       \
	X(ELICITED, "notifications/elicitation/complete", LEGACY, SERVER, 0, NULL, NULL)          \
	X(ACKNOWLEDGED, "notifications/subscriptions/acknowledged", MODERN, SERVER, 0, NULL,      \
	    subscription_on_acknowledged)

enum method_id {
#define X(id, name, eras, from, traits, subject, handle) METHOD_##id,
	METHODS(X)
#undef X
	    METHOD_COUNT
};

static const struct method methods[] = {
#define X(id, text, in, by, with, about, fn) \
	[METHOD_##id] = { .name = (text),    \
		.eras = ERAS_##in,           \
		.from = FROM_##by,           \
		.traits = (with),            \
		.subject = (about),          \
		.handle = (fn) },
	METHODS(X)
#undef X
};
static_assert(ARRAY_LEN(methods) == METHOD_COUNT, "a row for every method");

const struct method *
method_find(const char *name)
{
	for (size_t i = 0; name && i < METHOD_COUNT; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

/* JSON-RPC 2.0, section 5.1; 2026-07-28/basic; the last two are from earlier releases. */
static const struct {
	int64_t code;
	const char *name;
} names[] = {
	{ -32700, "Parse error" },
	{ -32600, "Invalid Request" },
	{ -32601, "Method not found" },
	{ -32602, "Invalid params" },
	{ -32603, "Internal error" },
	{ -32020, "HeaderMismatch" },
	{ -32021, "MissingRequiredClientCapability" },
	{ -32022, "UnsupportedProtocolVersion" },
	{ -32002, "Resource not found" },
	{ -32042, "URLElicitationRequired" },
};

const char *
error_name(int64_t code)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].code == code)
			return names[i].name;
	return NULL;
}

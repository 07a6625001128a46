#ifndef MCP_INVOKE_H
#define MCP_INVOKE_H

#include "mcp/primitive.h"
#include "mcp/session.h"

/*
 * Uses a primitive: tools/call, prompts/get, resources/read. Prompts and templates get an input
 * schema of our own, so that one form serves all kinds.
 */

/* An input schema for a prompt, a template or a skill (`file`); an empty one for a resource; NULL
 * for a tool, which has its own. A broken definition is used as far as possible. Caller destroys.
 */
struct json_doc *primitive_make_schema(const struct primitive *p);

/* Sends the request. arguments_json is as in struct session_call; for a template it has the
 * variables. Appends the URI of a resource or template to uri. Returns the request, or 0 with err.
 */
uint64_t primitive_invoke(struct session *s, const struct primitive *p, const char *arguments_json,
    size_t len, struct buf *uri, int64_t now_ms, struct err *err);

#endif

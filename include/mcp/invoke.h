#ifndef MCP_INVOKE_H
#define MCP_INVOKE_H

#include "mcp/offers.h"
#include "mcp/session.h"

/*
 * Asking for what is offered: tools/call, prompts/get, resources/read. What a
 * prompt and a template take is said by an input schema of our own, so that all
 * kinds are filled in alike.
 */

/* What an offer takes; of a tool NULL: it has its own. A resource takes nothing. What of a broken
 * definition can be used is. Caller destroys. */
struct json_doc *offer_make_schema(const struct offer *o);

/* Sends the request. arguments_json as in struct session_call; a template is expanded with it. uri:
 * what is read is appended, of a resource or template. Returns the request, 0: err says why. */
uint64_t offer_invoke(struct session *s, const struct offer *o, const char *arguments_json,
    size_t len, struct buf *uri, int64_t now_ms, struct err *err);

#endif

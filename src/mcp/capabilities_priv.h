#ifndef MCP_CAPABILITIES_PRIV_H
#define MCP_CAPABILITIES_PRIV_H

#include "json/write.h"
#include "mcp/capabilities.h"

/* A copy with memory of its own. */
void capabilities_copy(struct session_capabilities *to, const struct session_capabilities *from);
void capabilities_finish(struct session_capabilities *c);
/* The object ClientCapabilities as the era has it. */
void capabilities_write(const struct session_capabilities *c, struct json_writer *w, bool modern);

#endif

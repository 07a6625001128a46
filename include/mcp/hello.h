#ifndef MCP_HELLO_H
#define MCP_HELLO_H

#include "mcp/session.h"

/* What both sides said in the handshake, whole; borrowed from the session. */
const cJSON *session_hello(const struct session *s); /* the result; NULL: there is none */
/* name, title, version, description, websiteUrl, icons...; NULL when it did not say */
const cJSON *session_server_info(const struct session *s);
const struct session_capabilities *session_declared(const struct session *s); /* ours */

#endif

#ifndef MCP_ERROR_NAME_H
#define MCP_ERROR_NAME_H

#include <stdint.h>

/* What JSON-RPC 2.0 and the releases of MCP call an error code: "Invalid params"; NULL for one that
 * has no meaning of its own. */
const char *error_name(int64_t code);

#endif

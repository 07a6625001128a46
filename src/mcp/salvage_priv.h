#ifndef MCP_SALVAGE_PRIV_H
#define MCP_SALVAGE_PRIV_H

#include <stddef.h>
#include <stdint.h>

/*
 * The id of an answer that cannot be read: it is no JSON, too deep, or only its head was kept. To
 * be one it needs, at its top level, a whole number as "id", a "result" or "error", and no
 * "method". 0: it is none of that.
 */
uint64_t salvage_answer_id(const char *bytes, size_t len);

#endif

#ifndef MODEL_DEFINITION_H
#define MODEL_DEFINITION_H

#include "mcp/primitive.h"
#include "schema/findings.h"

/*
 * Finds the flaws in a tool's definition: checks its two schemas against their metaschemas and
 * MCP's own rules. Pointers are into the definition: "/inputSchema/properties/id/type". Runs on
 * demand, so a list of thousands of tools costs nothing.
 */

/* library: keeps the metaschemas between calls. Finds nothing for other kinds of primitives. */
void definition_find(
    struct schema_findings *findings, const struct primitive *p, struct schema_library *library);
size_t definition_errors(const struct schema_findings *findings); /* among those kept */

#endif

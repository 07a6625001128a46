#ifndef MODEL_DEFINITION_H
#define MODEL_DEFINITION_H

#include "mcp/offers.h"
#include "schema/findings.h"

/*
 * What is wrong with a tool's definition: its two schemas by their metaschemas and by what MCP asks
 * of them. Pointers are in the definition: "/inputSchema/properties/id/type". Found when it is
 * asked for: a list of thousands of tools costs nothing.
 */

/* library: keeps the metaschemas between calls. Nothing is found of other kinds of offers. */
void definition_find(
    struct schema_findings *findings, const struct offer *o, struct schema_library *library);
size_t definition_errors(const struct schema_findings *findings); /* of those kept */

#endif

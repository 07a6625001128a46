#ifndef MCP_PARAM_HEADERS_H
#define MCP_PARAM_HEADERS_H

#include "json/doc.h"

/*
 * x-mcp-header: arguments of a tool that HTTP mirrors into Mcp-Param-NAME
 * (2026-07-28/basic/transports/streamable-http.mdx, "Custom Headers from Tool
 * Parameters"). An annotation that breaks a rule makes the tool one that must not be
 * called over HTTP.
 */
struct param_headers {
	struct param_header {
		char *name;
		char *pointer; /* of the value in the arguments */
	} * items;
	size_t len, cap;
};

/* input_schema may be NULL. False: it breaks a rule, and problem (size bytes) says which; nothing
 * is kept then. */
bool param_headers_read(
    struct param_headers *h, const cJSON *input_schema, char *problem, size_t size);
void param_headers_finish(struct param_headers *h);
/* What goes into the header for a value: NULL where it is left out. Caller frees. */
char *param_header_value(const cJSON *value);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef MCP_PARAM_HEADERS_H
#define MCP_PARAM_HEADERS_H

#include "json/doc.h"

/*
 * x-mcp-header: arguments of a tool that HTTP mirrors into Mcp-Param-NAME
 * (2026-07-28/basic/transports/streamable-http.mdx, "Custom Headers from Tool Parameters"). A tool
 * with an annotation that breaks a rule must not be called over HTTP.
 */
struct param_headers {
	struct param_header {
		char *name;
		char *pointer; /* to the value in the arguments */
	} * items;
	size_t len, cap;
};

/* input_schema may be NULL. False: an annotation breaks a rule, problem (size bytes) says which,
 * and *h is empty. */
bool param_headers_read(
    struct param_headers *h, const cJSON *input_schema, char *problem, size_t size);
void param_headers_finish(struct param_headers *h);
/* The text of the header for a value; NULL if the header is left out. Caller frees. */
char *param_header_value(const cJSON *value);

#endif

#ifndef MCP_CAPABILITIES_H
#define MCP_CAPABILITIES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The client capabilities that a session declares, in initialize (2025-11-25/basic/lifecycle.mdx)
 * and in every request of 2026-07-28. The session keeps a copy. It refuses server requests that
 * need an undeclared capability.
 */
struct session_extension {
	const char *id;       /* "io.modelcontextprotocol/ui" */
	const char *settings; /* a JSON object; NULL and anything else count as {} */
};

struct session_capabilities {
	bool elicitation_form, elicitation_url;
	bool sampling;
	bool sampling_tools;   /* with sampling: the server may use tools and toolChoice */
	bool sampling_context; /* with sampling: the server may use includeContext */
	bool roots;            /* with listChanged in the legacy era */
	const struct session_extension *extensions;
	size_t extension_count;
};

#endif

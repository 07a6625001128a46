#ifndef MCP_CAPABILITIES_H
#define MCP_CAPABILITIES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What a client says it can, in initialize (2025-11-25/basic/lifecycle.mdx) and in every request of
 * 2026-07-28. A session takes a copy. What is not declared is refused when a server asks for it.
 */
struct session_extension {
	const char *id;       /* "io.modelcontextprotocol/ui" */
	const char *settings; /* a JSON object; anything else, and NULL, is {} */
};

struct session_capabilities {
	bool elicitation_form, elicitation_url;
	bool sampling;
	bool sampling_tools;   /* with sampling: tools and toolChoice may be given */
	bool sampling_context; /* with sampling: includeContext other than none */
	bool roots;            /* with listChanged where that exists */
	const struct session_extension *extensions;
	size_t extension_count;
};

#endif

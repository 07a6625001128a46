#include "mcp/error_name.h"

#include <stddef.h>

/* JSON-RPC 2.0, section 5.1; 2026-07-28/basic; the last two are of earlier releases. */
static const struct {
	int64_t code;
	const char *name;
} names[] = {
	{ -32700, "Parse error" },
	{ -32600, "Invalid Request" },
	{ -32601, "Method not found" },
	{ -32602, "Invalid params" },
	{ -32603, "Internal error" },
	{ -32020, "HeaderMismatch" },
	{ -32021, "MissingRequiredClientCapability" },
	{ -32022, "UnsupportedProtocolVersion" },
	{ -32002, "Resource not found" },
	{ -32042, "URLElicitationRequired" },
};

const char *
error_name(int64_t code)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].code == code)
			return names[i].name;
	return NULL;
}

#ifndef RPC_OUTBOUND_H
#define RPC_OUTBOUND_H

#include "rpc/message.h"

#include <stddef.h>
#include <stdint.h>

/*
 * One message on its way out, with what a transport has to know of it beside its
 * bytes. stdio needs the bytes alone; Streamable HTTP makes headers of the rest
 * (2026-07-28/basic/transports/streamable-http.mdx, "Standard Request Headers").
 * Everything is borrowed for the call.
 */
struct outbound {
	const char *line; /* the JSON text without a line break */
	size_t len;
	enum message_kind kind;
	const char *method;  /* of a request or notification; of an answer: the request's */
	uint64_t id;         /* of a request of ours, as in the text; 0: none */
	uint64_t cancels;    /* of notifications/cancelled: our request it ends; 0: none */
	const char *version; /* MCP-Protocol-Version; NULL: none is agreed on yet */
	bool modern;         /* 2026-07-28 and later: no sessions, Mcp-Method and the like */
	const char *name;    /* Mcp-Name, not yet encoded; NULL: none */
	struct outbound_param {
		const char *name; /* of Mcp-Param-NAME */
		char *value;      /* as it goes into the header, encoded where it has to be */
	} * params;
	size_t param_count;
};

#endif

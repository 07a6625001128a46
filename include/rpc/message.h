#ifndef RPC_MESSAGE_H
#define RPC_MESSAGE_H

#include "json/doc.h"

/*
 * JSON-RPC 2.0: what kind of thing a parsed value is. Nothing here judges MCP.
 * All pointers are into the value given.
 */
enum message_kind {
	MESSAGE_REQUEST,      /* method and id */
	MESSAGE_NOTIFICATION, /* method, no id */
	MESSAGE_RESULT,       /* id and result */
	MESSAGE_ERROR,        /* error (its id may be null or absent) */
	MESSAGE_BATCH,        /* an array: 2025-03-26 only */
	MESSAGE_INVALID,      /* JSON, but none of these: `flaw` says why */
	MESSAGE_NOT_JSON,     /* never from message_classify(): for lines that do not parse */
};

struct message {
	enum message_kind kind;
	const cJSON *id; /* number, string or null; NULL when absent */
	const char *method;
	const cJSON *params;
	const cJSON *result;
	const cJSON *error;
	const char
	    *flaw; /* also set for a usable message that breaks a rule ("jsonrpc is not 2.0") */
};

void message_classify(const cJSON *value, struct message *m);
const char *message_kind_name(enum message_kind kind); /* "request", "not JSON" */

#endif

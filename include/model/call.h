#ifndef MODEL_CALL_H
#define MODEL_CALL_H

#include "mcp/content.h"
#include "mcp/events.h"
#include "model/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* One invocation: tools/call, prompts/get or resources/read with its arguments, its reply and, of a
 * tool, its verdict. Named by id everywhere else. */
enum call_state {
	CALL_RUNNING,
	CALL_DONE,    /* a result came, maybe with isError */
	CALL_REFUSED, /* JSON-RPC error */
	CALL_INVALID, /* an answer that is neither result nor error */
	CALL_TIMED_OUT,
	CALL_CANCELLED,
	CALL_DIED,  /* the server's stream ended before it answered */
	CALL_LOST,  /* the transport lost it */
	CALL_INPUT, /* the server asked for input, which was refused */
};

struct call {
	uint64_t id;
	uint64_t request; /* of the session */
	enum call_state state;
	enum offer_kind kind;
	char *key;                   /* of the offer: a tool's name, a resource's URI */
	char *uri;                   /* that is read; NULL: of a tool or prompt */
	char *arguments;             /* JSON as sent */
	struct json_doc *definition; /* as it was when the call was made; may be NULL */
	const cJSON *output_schema;  /* in definition; NULL for none */
	int64_t started_us, ended_us;

	/* progress, as text: exact digits; NULL while unknown */
	char *progress, *progress_total, *progress_message;
	double progress_share; /* 0..1; < 0: unknown */

	char *task; /* the task it became and how that stands, for people; NULL: none */

	/* the reply */
	struct blob *raw;     /* the line as it came; NULL when none */
	struct json_doc *doc; /* NULL when none */
	const cJSON *value;   /* the result or the error object in doc */
	struct result result; /* of CALL_DONE */
	struct verdict verdict;
	struct check *check; /* of the server, while CHECKING; NULL: none */
	size_t held;         /* call_memory() as the server counted it when the call ended */
	int64_t error_code;
	char *error_text;  /* what happened, for all states but RUNNING and DONE; else NULL */
	bool wants_legacy; /* it failed as the server cannot ask in this era, and it speaks both */
	uint64_t stderr_from; /* bytes that the server had written there when it began */
	char *stderr_tail;    /* ended without an answer: what it wrote last; NULL: nothing */

	struct {
		char **items; /* "elicitation/create: Your name? (declined)" */
		size_t len, cap;
	} asked; /* what the server asked for meanwhile */
};

/* The error_text of what the user has cancelled; the server is told the same. */
#define CALL_CANCEL_REASON "cancelled by the user"

const char *call_state_name(enum call_state state); /* "done", "protocol error"... */
bool call_is_answered(const struct call *c);        /* ended, and by the server's word */
bool call_is_error(const struct call *c);           /* ended, and not a result without isError */
int64_t call_elapsed_us(const struct call *c, int64_t now_us);
size_t call_memory(const struct call *c); /* bytes held */

const char *call_name(const struct call *c); /* for people: the URI, else the key */
/* "done"; of a protocol error its code and what that is called too: "protocol error -32602 (Invalid
 * params)". */
void call_add_state(const struct call *c, struct buf *out);
/* What an error comes down to for people, or what helps: "the server has no such resource"; NULL:
 * no more than it says. */
const char *call_explain(const struct call *c);

/* For the server that owns it. */
/* Of a tool; another kind is set before the reply comes. Takes the definition, which may be NULL:
 * the list may be renewed while the result is still looked at. */
struct call *call_create(uint64_t id, const char *key, struct json_doc *definition,
    const char *arguments_json, size_t len, int64_t now_us);
void call_destroy(struct call *c);
void call_on_progress(struct call *c, const struct session_progress *p);
void call_on_asked(struct call *c, const struct session_server_request *asked);
/* Takes what reply gives away; a result that has to be checked is left CHECKING. */
void call_take_reply(struct call *c, struct session_reply *reply, int64_t now_us);
void call_judge(struct call *c); /* checks it, if so */
/* It failed, and says that in this era no request reaches the client. */
bool call_lacks_requests(const struct call *c);

#endif

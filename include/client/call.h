/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_CALL_H
#define CLIENT_CALL_H

#include "base/strings.h"
#include "data/text_data.h"
#include "mcp/content.h"
#include "mcp/events.h"
#include "mcp/skill.h"
#include "client/findings.h"
#include "client/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* One invocation: tools/call, prompts/get or resources/read with its arguments, its reply and,
 * for a tool, its verdict. Everything else refers to it by id. */
enum call_state {
	CALL_RUNNING,
	CALL_DONE,    /* a result arrived, maybe with isError */
	CALL_REFUSED, /* JSON-RPC error */
	CALL_INVALID, /* the answer is neither a result nor an error */
	CALL_TIMED_OUT,
	CALL_CANCELLED,
	CALL_DIED,            /* the server's stream ended before it answered */
	CALL_TRANSPORT_ERROR, /* the transport lost it */
	CALL_INPUT,           /* the server asked for input, which was declined */
};

struct call {
	uint64_t id;
	uint64_t request; /* id in the session */
	enum call_state state;
	enum primitive_kind kind;
	char *key;                   /* of the primitive: a tool's name, a resource's URI */
	char *uri;                   /* the URI that is read; NULL for a tool or prompt */
	char *arguments;             /* JSON as sent; "": too long for the history */
	struct json_doc *definition; /* at the time of the call; may be NULL */
	const cJSON *output_schema;  /* points into definition; NULL if none */
	int64_t started_us, ended_us;

	/* progress as strings with exact digits; NULL while unknown */
	char *progress, *progress_total, *progress_message;
	double progress_share; /* 0..1; < 0: unknown */

	char *task; /* the task it became and its state, for people; NULL if none */

	/* the reply */
	struct blob *raw;     /* the line as received; NULL if none */
	uint64_t reply;       /* its entry in the journal; 0 if none */
	struct json_doc *doc; /* NULL if none */
	const cJSON *value;   /* the result or error object in doc */
	struct result result; /* of CALL_DONE */
	struct verdict verdict;
	struct skill_check skill; /* of a file of a skill */
	struct findings findings; /* about the result of a tool, once reviewed */
	bool reviewed;
	struct check *check; /* owned by the server, while a job reads the result; else NULL */
	size_t held;         /* call_memory() when the call ended, as the server counted it */
	int64_t error_code;
	char *error_text;      /* what happened, for all states but RUNNING and DONE; else NULL */
	bool asked_out_of_era; /* the server sent a request that the era does not have */
	/* it failed because the server cannot send requests in this era, and it speaks both */
	bool wants_legacy;
	bool by_hand;         /* the user wrote the request: the session does not know it */
	int64_t late_us;      /* the time from the time-out to the reply; 0: in time */
	uint64_t stderr_from; /* bytes the server had written to stderr when the call began */
	char *
	    stderr_tail; /* if it ended without an answer, the last lines of stderr; NULL if none */

	uint64_t kept; /* its id in the history (client/history.h); 0: it is not in it */
	bool is_past;  /* read from the history: made by an earlier run or another program */

	/* server requests during the call: "elicitation/create: Your name? (declined)" */
	struct strings server_requests;
};

/* The error_text of a call the user cancelled; also sent to the server. */
#define CALL_CANCEL_REASON "cancelled by the user"

extern const char *const call_state_names[]; /* "done", "protocol error"... */
bool call_is_answered(const struct call *c); /* ended by the server's answer */
bool call_is_error(const struct call *c);    /* ended, and not with a result without isError */
int64_t call_elapsed_us(const struct call *c, int64_t now_us);
size_t call_memory(const struct call *c); /* bytes held */

const char *call_name(const struct call *c); /* for people: the URI, else the key */
/* "done"; for a protocol error its code and name too: "protocol error -32602 (Invalid params)". */
void call_add_state(const struct call *c, struct buf *out);
/* The error's plain meaning or a remedy: "the server has no such resource"; NULL if error_text
 * says it all. */
const char *call_explain(const struct call *c);

/* The first texts of a result that are not empty; a result may have half a million blocks. */
#define RESULT_TEXTS_MAX 64
struct result_texts {
	struct result_text {
		const char *text; /* as in the result */
		size_t len, block;
	} items[RESULT_TEXTS_MAX];
	size_t len;
};
void result_texts_init(struct result_texts *t, const struct result *r);
/* Sets *doc to the data of the first text that is data as a whole (data/text_data.h), or else to
 * the tables of the first text that has some and says more, and returns that text. NULL: none of
 * them has data, or a text before is longer than max. job may be NULL. */
const struct result_text *result_texts_read(const struct result_texts *t, size_t max,
    struct job *job, struct json_doc **doc, enum text_data_kind *kind);

/* Returns the string that is structuredContent, or its only member, if it looks like a JSON object
 * or array: SDKs wrap a returned text like this. Its JSON Pointer is appended. NULL: none. */
const cJSON *call_wrapped_text(const struct call *c, struct buf *pointer);

/*
 * The data of a result, by one rule for all who want it: structuredContent, or else the data that
 * result_texts_read() finds, or else all texts as one string, a newline between two. A result
 * without texts has none.
 */
struct call_data {
	const cJSON *value;       /* NULL: none */
	struct json_doc *doc;     /* a reference to the doc of value */
	enum text_data_kind kind; /* of the text that has it; TEXT_DATA_NONE: it is no such data */
	size_t block;             /* of that text, from 0 */
	bool too_large;           /* there may be data, but a text is longer than max */
};
/* max: bytes of the texts; structuredContent has no bound. */
void call_data_read(struct call_data *d, const struct call *c, size_t max);
void call_data_finish(struct call_data *d);
/* All texts, a newline between two. */
void call_add_texts(const struct call *c, struct buf *out);

/* Only for the server that owns the call. */
/* Creates a tool call; for another kind, set it before the reply comes. Takes the definition, which
 * may be NULL: the list may be renewed while the result is on the screen. */
struct call *call_create(uint64_t id, const char *key, struct json_doc *definition,
    const char *arguments_json, size_t len, int64_t now_us);
void call_destroy(struct call *c);
void call_on_progress(struct call *c, const struct session_progress *p);
void call_on_server_request(struct call *c, const struct session_server_request *request);
/* Takes the document of the reply. The verdict of a result with an outputSchema is CHECKING. */
void call_take_reply(struct call *c, struct session_reply *reply, int64_t now_us);
void call_check(struct call *c);  /* checks the result, or the file, if it is CHECKING */
void call_review(struct call *c); /* finds the findings, unless they were */
/* Returns whether the call failed because the server cannot send requests to the client in this
 * era: it sent one, or the error has a known phrase. */
bool call_lacks_requests(const struct call *c);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef MCP_CONTENT_H
#define MCP_CONTENT_H

#include "json/doc.h"
#include "mcp/primitive.h"

#include <stdbool.h>
#include <stddef.h>
#include "mcp/session.h"

/*
 * The decoded result of tools/call, prompts/get or resources/read. All pointers are into the doc
 * given, which must outlive it. Content that breaks the specification is kept, with the reason. A
 * result may have half a million blocks, so the size of struct content_block matters.
 */
enum content_kind {
	CONTENT_TEXT,
	CONTENT_IMAGE,
	CONTENT_AUDIO,
	CONTENT_RESOURCE_LINK,
	CONTENT_RESOURCE, /* embedded: text or data */
	CONTENT_UNKNOWN,
};

struct content_block {
	enum content_kind kind;
	bool readable;    /* uri is complete, so resources/read can use it */
	const char *type; /* a label; "" if absent */
	const char *role; /* of a prompt's message: "user", "assistant"; else NULL */
	const char *text; /* of TEXT, and of RESOURCE with text; else NULL */
	size_t text_len;
	const char *data;     /* base64: of IMAGE, AUDIO, and of RESOURCE with a blob; else NULL */
	size_t data_len;      /* in base64 */
	size_t decoded_bytes; /* 0 if data is not base64 */
	const char *mime, *uri, *name, *title, *description; /* labels; NULL if absent */
	const cJSON *size;     /* of RESOURCE_LINK: a number; NULL if absent */
	const cJSON *audience; /* an array; NULL if absent */
	const cJSON *priority; /* a number; NULL if absent */
	const char *last_modified;
	const cJSON *block;
	char *problem; /* what is wrong with it; NULL if nothing is */
};

extern const char *const content_kind_names[]; /* "text", "resource_link"; "unknown" */
/* block is in doc. content_finish() frees only what the block owns. */
void content_decode(struct content_block *c, struct json_doc *doc, const cJSON *block);
void content_finish(struct content_block *c);
/* Text as the server sent it: our trees hold U+0000 as C0 80. */
void content_add_text(struct buf *out, const char *text, size_t len);
/* The bytes of a block: its text, or its data decoded. False: it has neither, or no base64. */
bool content_add_bytes(struct buf *out, const struct content_block *c);

struct result {
	const cJSON *value;
	bool is_error;
	/* the type of content, contents or messages; anything but JSON_ARRAY is wrong */
	enum json_type content;
	struct content_block *blocks;
	size_t len;
	/* structuredContent; NULL only if absent, because null is a node. For a resource whose only
	 * content is a JSON text of limited size: the parsed text */
	const cJSON *structured;
	struct json_doc *parsed; /* owns the parsed text; may be NULL */
	const char *description; /* of a prompt; NULL if absent */
	const cJSON *meta;       /* _meta; NULL if absent */
	char problem[120];       /* "content is missing"; "" if nothing is wrong */
};

/* kind: the primitive that the result is from. */
void result_init_of(
    struct result *r, enum primitive_kind kind, struct json_doc *doc, const cJSON *value);
void result_finish(struct result *r); /* leaves it zeroed */

/* The number of bytes that strict base64 (RFC 4648 section 4, padded) decodes to; false if the text
 * is not strict base64. */
bool base64_decoded_size(const char *text, size_t len, size_t *bytes);

/* The MIME type that the first bytes prove: "image/png", "image/jpeg", "audio/wav"...; NULL if
 * unknown. 12 bytes are enough. */
const char *media_type_of(const void *bytes, size_t len);
/* Does the declared type contradict the one found? Only if it is a type that bytes can prove.
 * Parameters and case are ignored. */
bool media_type_differs(const char *said, const char *found);

/*
 * Work that outlives its request. In 2025-11-25 tasks are experimental, and the client asks for
 * one (basic/utilities/tasks.mdx). In 2026-07-28 they are the extension
 * io.modelcontextprotocol/tasks, and the server decides (SEP-2663). One decoder reads both; only
 * the way to fetch a result differs.
 */
enum task_status {
	TASK_WORKING,
	TASK_INPUT_REQUIRED,
	TASK_COMPLETED,
	TASK_FAILED,
	TASK_CANCELLED,
	TASK_UNKNOWN, /* any other status */
};

/* All pointers are into the decoded value. */
struct task {
	const char *id;
	enum task_status status;
	const char *message;                    /* NULL if absent */
	const char *created;                    /* unparsed; NULL if absent */
	int64_t ttl_ms, poll_ms;                /* -1 if unlimited or absent */
	const cJSON *result, *error, *requests; /* only in the extension; NULL if absent */
};

/* Decodes a result of tools/call, tasks/get and the like, or the params of a notification. False:
 * it has no task id. */
bool task_decode(struct task *t, const cJSON *value);
extern const char *const task_status_names[]; /* "working", "input_required"... */
bool task_is_over(enum task_status status);

enum task_support { TASKS_FORBIDDEN, TASKS_OPTIONAL, TASKS_REQUIRED };
/* The tool's taskSupport if this session can ask for tasks; always TASKS_FORBIDDEN in 2026-07-28,
 * because there the server decides. */
enum task_support session_task_support(const struct session *s, const cJSON *definition);
/* From now on, also ask for a task if that is optional. */
void session_prefer_tasks(struct session *s, bool prefer);

/* Passes the input requests of a task to on_question, then sends tasks/update. requests: an object
 * like `inputRequests`. Returns the request for on_reply; 0: not ready, or nothing can be asked. */
uint64_t session_answer_task(
    struct session *s, const char *task_id, const cJSON *requests, int64_t now_ms);

#endif

#ifndef MCP_CONTENT_H
#define MCP_CONTENT_H

#include "json/doc.h"
#include "mcp/offers.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The result of tools/call, prompts/get or resources/read, taken apart. Everything points into the
 * doc given, which must outlive it. What breaks the specification is kept and explained. There may
 * be half a million blocks: each byte of theirs counts.
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
	bool readable;    /* uri is all of it, so that it can be asked for */
	const char *type; /* a label, as the server says it; "" when it does not */
	const char
	    *role; /* whose message it is of a prompt: "user", "assistant"; NULL: of no prompt */
	const char *text; /* of TEXT, and of RESOURCE with text; NULL otherwise */
	size_t text_len;
	const char *data; /* base64: of IMAGE, AUDIO, and of RESOURCE with a blob; NULL otherwise */
	size_t data_len;  /* in base64 */
	size_t decoded_bytes; /* what it decodes to; 0 when it is not base64 */
	const char *mime, *uri, *name, *title, *description; /* labels, NULL when absent */
	const cJSON *size;     /* of RESOURCE_LINK: a number, NULL when absent */
	const cJSON *audience; /* array, NULL when absent */
	const cJSON *priority; /* number, NULL when absent */
	const char *last_modified;
	const cJSON *block;
	char *problem; /* what is wrong with it; NULL for nothing */
};

const char *content_kind_name(enum content_kind kind); /* "text", "resource_link"; "unknown" */
/* block is in doc. content_finish() frees what a block owns, nothing more. */
void content_decode(struct content_block *c, struct json_doc *doc, const cJSON *block);
/* One of the contents of a resource: a resource without the block around it. */
void content_decode_resource(struct content_block *c, struct json_doc *doc, const cJSON *contents);
void content_finish(struct content_block *c);

struct result {
	const cJSON *value;
	bool is_error;
	/* of content, contents or messages: JSON_ARRAY as it should be, JSON_ABSENT, or something
	 * else */
	enum json_type content;
	struct content_block *blocks;
	size_t len;
	/* structuredContent, NULL only when absent: null is a node; of a resource that is one JSON
	 * text not too large, what it says */
	const cJSON *structured;
	struct json_doc *parsed; /* that text; NULL: none */
	const char *description; /* of a prompt's messages, NULL when absent */
	const cJSON *meta;       /* _meta, NULL when absent */
	char problem[120];       /* "content is a string, not an array"; "" for nothing */
};

/* Of a tool, a prompt, or a resource, read by its own URI or by a template. */
void result_init_of(
    struct result *r, enum offer_kind kind, struct json_doc *doc, const cJSON *value);
void result_finish(struct result *r); /* frees what it made; leaves it zeroed */

/* How many bytes strict base64 (RFC 4648 section 4, padded) stands for; false when it is not that.
 */
bool base64_decoded_size(const char *text, size_t len, size_t *bytes);

/* What bytes are, by how they begin: "image/png", "image/jpeg", "audio/wav" and the like; NULL when
 * that is not known. 12 bytes are enough. */
const char *media_type_of(const void *bytes, size_t len);
/* The type said is one that could be told by its bytes, and is not what was found. Its parameters
 * and case do not count. */
bool media_type_differs(const char *said, const char *found);

#endif

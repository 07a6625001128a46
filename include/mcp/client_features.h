/* SPDX-License-Identifier: MIT */
#ifndef MCP_CLIENT_FEATURES_H
#define MCP_CLIENT_FEATURES_H

#include "json/doc.h"

/*
 * The params of elicitation/create (2026-07-28/client/elicitation.mdx). All pointers are into the
 * tree given.
 */
enum elicitation_mode {
	ELICITATION_FORM, /* also without a mode */
	ELICITATION_URL,
	ELICITATION_OTHER,
};

struct elicitation {
	enum elicitation_mode mode;
	const char *message;        /* "" if absent */
	const cJSON *schema;        /* of a form: an object, or NULL */
	const char *url;            /* of mode url; "" if absent */
	const char *elicitation_id; /* of mode url, until 2025-11-25; NULL if absent */
};

void elicitation_decode(struct elicitation *e, const cJSON *params);
/* Why the user cannot be asked at all; NULL if that is possible. Lesser defects are left to the
 * screen. */
const char *elicitation_flaw(const struct elicitation *e);

/*
 * The params and the result of sampling/createMessage (2026-07-28/client/sampling.mdx). All
 * pointers are into the tree given.
 */
struct sampling {
	const cJSON *messages; /* an array, or NULL */
	const char *system_prompt;
	const char *include_context; /* "none", "thisServer", "allServers"; NULL if absent */
	const cJSON *max_tokens;     /* a number, or NULL */
	const cJSON *temperature, *stop_sequences, *preferences, *metadata; /* NULL: absent */
	const cJSON *tools, *tool_choice;
};

void sampling_decode(struct sampling *s, const cJSON *params);
/* Why the request cannot be answered, including the rules for tool_use and tool_result blocks; NULL
 * if it can. */
const char *sampling_flaw(const struct sampling *s);

/* Iterates over the content of a message, which is one block or an array: returns the block after
 * the one given, or the first for NULL. */
const cJSON *sampling_next_block(const cJSON *content, const cJSON *block);

/* Return the flaw of a CreateMessageResult for this request; NULL: valid. */
const char *sampling_result_flaw(const struct sampling *s, const cJSON *result);

#endif

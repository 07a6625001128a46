#ifndef MCP_CLIENT_FEATURES_H
#define MCP_CLIENT_FEATURES_H

#include "json/doc.h"

/*
 * The parameters of elicitation/create (2026-07-28/client/elicitation.mdx). Everything points into
 * the tree given.
 */
enum elicitation_mode {
	ELICITATION_FORM, /* also where no mode is given */
	ELICITATION_URL,
	ELICITATION_OTHER,
};

struct elicitation {
	enum elicitation_mode mode;
	const char *message;        /* "" when there is none */
	const cJSON *schema;        /* of a form: an object; NULL: there is none */
	const char *url;            /* of URL; "" when there is none */
	const char *elicitation_id; /* of URL, until 2025-11-25; NULL when there is none */
};

void elicitation_decode(struct elicitation *e, const cJSON *params);
/* Why it cannot be asked at all; NULL: it can. What merely lacks is left to who shows it. */
const char *elicitation_flaw(const struct elicitation *e);

/*
 * The parameters of sampling/createMessage (2026-07-28/client/sampling.mdx) and its result.
 * Everything points into the tree given.
 */
struct sampling {
	const cJSON *messages; /* an array; NULL when it is not one */
	const char *system_prompt;
	const char *include_context; /* "none", "thisServer", "allServers"; NULL: not given */
	const cJSON *max_tokens;     /* a number; NULL when it is not one */
	const cJSON *temperature, *stop_sequences, *preferences, *metadata; /* NULL: absent */
	const cJSON *tools, *tool_choice;
};

void sampling_decode(struct sampling *s, const cJSON *params);
/* Why it cannot be answered, the rules for tool_use and tool_result blocks included; NULL: it can.
 */
const char *sampling_flaw(const struct sampling *s);

/* The block of a message's content (one block, or an array of them) after the one given; NULL gives
 * the first. */
const cJSON *sampling_next_block(const cJSON *content, const cJSON *block);

/* What is wrong with a CreateMessageResult for this request; NULL for nothing. */
const char *sampling_result_flaw(const struct sampling *s, const cJSON *result);

#endif

#ifndef MCP_ELICITATION_H
#define MCP_ELICITATION_H

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

#endif

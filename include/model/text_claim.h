#ifndef MODEL_TEXT_CLAIM_H
#define MODEL_TEXT_CLAIM_H

#include "model/call.h"

/*
 * The tool declares an outputSchema, structuredContent is missing, and a text block is JSON:
 * perhaps the schema was meant for that text. The verdict stays "missing", because clients look
 * only in structuredContent; this says what they would find.
 */
struct text_claim {
	const cJSON *schema; /* in the call's definition */
	const char *text;    /* in its doc */
	size_t len;
	size_t number; /* of the block in content, from 1 */
};

/* The first text that begins as JSON. False: it is not such a call, or has no such text. */
bool text_claim_find(const struct call *c, struct text_claim *out);
/* Appends a sentence, or nothing if the text is not JSON or the schema does not compile. In any
 * thread; job may be NULL. */
void text_claim_check(const struct text_claim *claim, struct job *job, struct buf *out);

#endif

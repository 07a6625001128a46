#ifndef MCP_SALVAGE_PRIV_H
#define MCP_SALVAGE_PRIV_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a message that cannot be read was about: it is no JSON, too deep, or only its head was kept.
 * An answer has, at its top level, a whole number as "id", a "result" or "error", and no "method";
 * a request a "method", neither of the others, and as "id" a whole number or a short string that
 * escapes nothing.
 */
#define SALVAGED_ID_MAX 72

struct salvaged {
	uint64_t answers;           /* 0: it is no answer */
	char asks[SALVAGED_ID_MAX]; /* the id as JSON; "": it is no request */
};

void salvage(struct salvaged *out, const char *bytes, size_t len);

#endif

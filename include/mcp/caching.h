#ifndef MCP_CACHING_H
#define MCP_CACHING_H

#include "base/buf.h"
#include "json/doc.h"

/* How long a server says that a result stays good, and for whom
 * (2026-07-28/server/utilities/caching.mdx). Only shown: nothing is polled by it, and what the user
 * asks for is always asked for. */
struct caching {
	bool is_said;   /* ttlMs or cacheScope is there */
	int64_t ttl_ms; /* 0 where absent or negative */
	char scope[16]; /* "public", "private"; "" when absent */
};

void caching_read(struct caching *c, const cJSON *result);
/* Of a list in pages: the shortest time, the narrowest scope. */
void caching_join(struct caching *c, const cJSON *result);
/* "fresh for 30 s, private"; nothing where nothing is said. */
void caching_describe(const struct caching *c, struct buf *out);

#endif

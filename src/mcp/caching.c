#include "mcp/caching.h"

#include <stdio.h>
#include <string.h>

void
caching_read(struct caching *c, const cJSON *result)
{
	const cJSON *ttl = json_get(result, "ttlMs");
	const char *scope = json_get_string(result, "cacheScope");

	*c = (struct caching){ .is_said = ttl || scope };
	if (json_type(ttl) == JSON_NUMBER && ttl->valuedouble > 0)
		c->ttl_ms = ttl->valuedouble < 1e15 ? (int64_t)ttl->valuedouble : (int64_t)1e15;
	snprintf(c->scope, sizeof(c->scope), "%s", scope ? scope : "");
}

void
caching_join(struct caching *c, const cJSON *result)
{
	struct caching page;

	caching_read(&page, result);
	if (page.ttl_ms < c->ttl_ms)
		c->ttl_ms = page.ttl_ms;
	if (strcmp(page.scope, "public") != 0)
		memcpy(c->scope, page.scope, sizeof(c->scope));
	c->is_said = c->is_said || page.is_said;
}

static void
add_time(struct buf *out, int64_t ms)
{
	if (ms % 1000 != 0)
		buf_addf(out, "%lld ms", (long long)ms);
	else if (ms < 120 * 1000)
		buf_addf(out, "%lld s", (long long)(ms / 1000));
	else if (ms < 2 * 3600 * 1000)
		buf_addf(out, "%lld min", (long long)(ms / 60000));
	else
		buf_addf(out, "%lld h", (long long)(ms / 3600000));
}

void
caching_describe(const struct caching *c, struct buf *out)
{
	if (!c->is_said)
		return;
	if (c->ttl_ms > 0) {
		buf_add_str(out, "fresh for ");
		add_time(out, c->ttl_ms);
	} else {
		buf_add_str(out, "stale at once");
	}
	if (c->scope[0])
		buf_addf(out, ", %s", c->scope);
}

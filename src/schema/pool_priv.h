#ifndef SCHEMA_POOL_PRIV_H
#define SCHEMA_POOL_PRIV_H

#include "base/hash.h"

#include <stddef.h>

struct pool;

/* Zeroed memory that lives as long as the pool; NULL is an empty one. */
void *pool_alloc(struct pool **pool, size_t size);
char *pool_text(struct pool **pool, const char *text, size_t len);
void pool_destroy(struct pool *pool);

#endif

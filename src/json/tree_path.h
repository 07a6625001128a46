#ifndef JSON_TREE_PATH_H
#define JSON_TREE_PATH_H

#include "base/vec.h"
#include "json/doc.h"

#include <stdlib.h>

/* The containers around the current node of a walk, outermost first. A tree may be as deep as
 * memory allows, so nothing here recurses. Release with free(path->items). */
struct path {
	const cJSON **items;
	size_t len, cap;
};

static inline void
path_push(struct path *path, const cJSON *container)
{
	*VEC_PUSH(path) = container;
}

/* NULL outside everything. */
static inline const cJSON *
path_top(const struct path *path)
{
	return path->len > 0 ? path->items[path->len - 1] : NULL;
}

#endif

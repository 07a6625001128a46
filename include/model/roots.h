#ifndef MODEL_ROOTS_H
#define MODEL_ROOTS_H

#include "base/buf.h"
#include "base/err.h"

/*
 * The folders and files a server is told of by roots/list (2026-07-28/client/roots.mdx): file://
 * URIs, each once, in the order they were added.
 */
struct roots {
	char **items;
	size_t len, cap;
};

void roots_finish(struct roots *r);
/* An absolute path, which becomes a URI, or a file:// URI. False: it is neither, or unsafe. True
 * also when it is there already. */
bool roots_add(struct roots *r, const char *path_or_uri, struct err *err);
bool roots_remove(struct roots *r, const char *path_or_uri); /* false: it is not there */
/* Why it must not be told as a root; NULL: it may be. */
const char *roots_uri_flaw(const char *uri);
void roots_result(const struct roots *r, struct buf *out); /* ListRootsResult */

#endif

#ifndef MODEL_ROOTS_H
#define MODEL_ROOTS_H

#include "base/strings.h"

/*
 * The folders and files reported to a server by roots/list (2026-07-28/client/roots.mdx): file://
 * URIs, each once, in the order they were added.
 */
/* Adds an absolute path, which becomes a URI, or a file:// URI. False if it is neither, or
 * unsafe. True also if it is a root already. */
bool roots_add(struct strings *r, const char *path_or_uri, struct err *err);
bool roots_remove(struct strings *r, const char *path_or_uri); /* false if it is not a root */
/* Why the URI must not be a root; NULL if it may be. */
const char *roots_uri_flaw(const char *uri);
void roots_result(const struct strings *r, struct buf *out); /* ListRootsResult */

#endif

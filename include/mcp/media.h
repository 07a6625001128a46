#ifndef MCP_MEDIA_H
#define MCP_MEDIA_H

#include <stdbool.h>
#include <stddef.h>

/* What bytes are, by how they begin: "image/png", "image/jpeg", "audio/wav" and the like; NULL when
 * that is not known. 12 bytes are enough. */
const char *media_type_of(const void *bytes, size_t len);
/* The type said is one that could be told by its bytes, and is not what was found. Its parameters
 * and case do not count. */
bool media_type_differs(const char *said, const char *found);

#endif

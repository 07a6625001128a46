#ifndef RPC_HEADER_VALUE_H
#define RPC_HEADER_VALUE_H

#include "base/buf.h"

/* A text of the body as the value of an HTTP header (Mcp-Name, Mcp-Param-*): as it is where it is
 * printable ASCII without blanks at its ends, else =?base64?...?= of its UTF-8
 * (2026-07-28/basic/transports/streamable-http.mdx, "Value Encoding"). text is as json/doc.h has
 * strings: C0 80 stands for NUL. */
void header_value_add(struct buf *out, const char *text);

#endif

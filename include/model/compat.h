#ifndef MODEL_COMPAT_H
#define MODEL_COMPAT_H

#include "model/call.h"

/*
 * What other programs make of a result: short neutral lines, said only where they do something
 * else than show it. Facts about the TypeScript SDK (ajv), the Python SDK (jsonschema) and the
 * official Inspector, as of 2026.
 */

/* Appends the lines for a call, a '\n' between; nothing where all is well or nothing is known.
 * Returns how many. Not made safe for a terminal. */
size_t hosts_add_lines(const struct call *c, struct buf *out);

#endif

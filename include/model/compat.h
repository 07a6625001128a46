#ifndef MODEL_COMPAT_H
#define MODEL_COMPAT_H

#include "model/call.h"

/*
 * How other programs treat a result: short neutral lines, only if they do something other than show
 * it. Facts about the TypeScript SDK (ajv), the Python SDK (jsonschema) and the official Inspector,
 * as of 2026.
 */

/* Appends the lines for a call, separated by '\n'; nothing if all is well or unknown. Returns
 * the number of lines. Not made safe for a terminal. */
size_t compat_add_lines(const struct call *c, struct buf *out);

#endif

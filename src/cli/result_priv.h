#ifndef CLI_RESULT_PRIV_H
#define CLI_RESULT_PRIV_H

#include "base/buf.h"
#include "model/call.h"

/* What a finished call came to. */

/* For people: content, then structuredContent. width: of a terminal; 0: nothing is cut. */
void result_add_text(const struct call *c, int width, struct buf *out);
/* {"result": …, "validation": {…}}, or "error" instead of "result". */
void result_add_json(const struct call *c, struct buf *out);
/* Verdict, violations, errors: on standard error. quiet: only what is wrong. */
void result_say(const struct call *c, bool quiet);

#endif

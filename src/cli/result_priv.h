#ifndef CLI_RESULT_PRIV_H
#define CLI_RESULT_PRIV_H

#include "base/buf.h"
#include "model/call.h"

/* What a finished call came to. */

/* For people: content, then structuredContent. width: of a terminal; 0: nothing is cut. */
void result_add_text(const struct call *c, int width, struct buf *out);
/* Text as the server meant it: our trees hold U+0000 as C0 80. */
void result_add_exact(struct buf *out, const char *text, size_t len);
/* {"result": …, "validation": {…}}, or "error" instead of "result". */
void result_add_json(const struct call *c, struct buf *out);
/* The texts and bytes of a resource to a file, "-" for standard output, just as they are. Returns
 * the exit code; what went wrong was said. */
int result_write(const struct call *c, const char *path);
/* Verdict, violations, errors: on standard error. quiet: only what is wrong. */
void result_say(const struct call *c, bool quiet);

#endif

#ifndef HOST_TARGET_H
#define HOST_TARGET_H

#include "base/err.h"
#include "client/target.h"

void target_finish(struct target *t);
/* For `mcpane https://host/mcp`, named after the host. Takes headers (NULL: none). */
void target_from_url(struct target *t, const char *url, char **headers);
/* Moves user:password@ of the URL into a header, so that it is never shown. A URL with inputs
 * there keeps it until target_fill(). */
void target_hide_login(struct target *t);
char *target_url_without_login(const char *url); /* caller frees */
/* The same, with secret query parameters hidden too. */
char *target_url_to_show(const char *url);
/* For `mcpane -- COMMAND ARG...`, named after the command. */
void target_from_command(struct target *t, char *const *argv);
/* The demo server: this program with --serve-demo. */
bool target_from_demo(struct target *t, struct err *err);

/* For `mcpane open FILE`, named after the file. */
void target_from_recording(struct target *t, const char *path);

/* For `mcpane tap --attach [PID]`; pid may be NULL. */
void target_from_tap(struct target *t, const char *pid);

/* The value of an input; NULL: unknown. */
typedef const char *target_input_fn(void *user, const struct target_input *input);
/* Copies t with values in place of its inputs. False: one has no value; err names it, out is
 * finished. */
bool target_fill(struct target *out, const struct target *t, target_input_fn *value, void *user,
    struct err *err);

#endif

#ifndef CONFIG_TARGET_H
#define CONFIG_TARGET_H

#include "base/err.h"
#include "model/target.h"

void target_finish(struct target *t);
/* `mcpane https://host/mcp`: named after the host. Takes headers (NULL: none). */
void target_from_url(struct target *t, const char *url, char **headers);
/* A URL's user:password@ becomes a header of its own, so that it is shown nowhere; one with inputs
 * in it stays until target_fill(). */
void target_hide_login(struct target *t);
char *target_url_without_login(const char *url); /* caller frees */
/* The same, and without what its query names as secrets. */
char *target_url_to_show(const char *url);
/* `mcpane -- COMMAND ARG...`: named after the command. */
void target_from_command(struct target *t, char *const *argv);
/* The demo server: this program with --serve-demo. */
bool target_from_demo(struct target *t, struct err *err);

/* The value of an input, or NULL: none is known. */
typedef const char *target_input_fn(void *user, const struct target_input *input);
/* A copy of t with values in place of its inputs. False: one has no value; err says which, out is
 * finished. */
bool target_fill(struct target *out, const struct target *t, target_input_fn *value, void *user,
    struct err *err);

#endif

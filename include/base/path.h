#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>

/* Appends the whole file to out, bounded by out->max. "-" reads standard input. */
bool path_read_file(const char *path, struct buf *out, struct err *err);

/* Writes the file anew by a temporary beside it and a rename; into what is not a regular file. */
bool path_write_file(const char *path, const void *bytes, size_t len, struct err *err);

/* The same for what is nobody else's: mode 0600, and folders that are missing are made, 0700. */
bool path_write_private(const char *path, const void *bytes, size_t len, struct err *err);

/* "<XDG_CONFIG_HOME or ~/.config>/mcpane/<name>"; NULL where neither is set. Caller frees. */
char *path_config(const char *name);
/* "<XDG_STATE_HOME or ~/.local/state>/mcpane/<name>": what the program remembers. Likewise. */
char *path_state(const char *name);

#endif

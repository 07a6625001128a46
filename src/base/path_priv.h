#ifndef BASE_PATH_PRIV_H
#define BASE_PATH_PRIV_H

#include "base/path.h"

/* The rest of what is open, bounded by out->max; name is for err. */
bool path_read_fd(int fd, const char *name, struct buf *out, struct err *err);
bool path_write_fd(int fd, const char *bytes, size_t len); /* errno says why not */
/* The folders above the file, 0700. What is wrong with them shows when the file is opened. */
void path_make_folders(const char *path);

#endif

#ifndef BASE_PATH_FD_H
#define BASE_PATH_FD_H

#include "base/path.h"

/* Reads to the end, bounded by out->max; name is for err. */
bool path_read_fd(int fd, const char *name, struct buf *out, struct err *err);

#endif

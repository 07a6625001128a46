#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>

/*
 * Files whose names come out of a file that somebody else wrote. Such a name means a file below a
 * folder, and no part of it is a symbolic link: whoever wrote the project could point a link
 * anywhere. Only the folder itself is opened as the user named it ("": the working directory).
 *
 * The walk opens each part from the descriptor of the one before, so that a part which is replaced
 * by a link meanwhile is not followed either. ".." never leads above the folder.
 */

/* Appends the file to out, bounded by out->max. A file that does not exist: true and *there false,
 * or an error if there is NULL. */
bool beneath_read(
    const char *folder, const char *name, struct buf *out, bool *there, struct err *err);
/* Replaces the file as path_write_file() does, and makes the folders of name. */
bool beneath_write(
    const char *folder, const char *name, const void *bytes, size_t len, struct err *err);

/* The descriptor of the folder that name is in; *last: the last part of name, "" if it ends in a
 * slash. make: folders that are missing are made. -1: err says why. */
int beneath_open(
    const char *folder, const char *name, bool make, const char **last, struct err *err);

#endif

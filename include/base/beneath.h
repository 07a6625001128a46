/* SPDX-License-Identifier: MIT */
#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>

/*
 * Files named by a project's own files, which the user may not have written. Such a name refers to
 * a file under a folder, and no part of the path may be a symbolic link: it could point anywhere.
 * Only the folder itself is opened as the user named it ("": the working directory).
 *
 * Each part is opened relative to the descriptor of the part before it, so a part that is replaced
 * by a link during the walk is not followed either. ".." never leads above the folder.
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

/* SPDX-License-Identifier: MIT */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Appends the whole file to out, bounded by out->max. "-" reads standard input; a pipe is waited
 * for: only for a name that the user typed for a command without a screen. */
bool path_read_file(const char *path, struct buf *out, struct err *err);
/* The same for every other file. A FIFO, device or folder is an error, and nothing is waited for.
 * A file that does not exist: true and *there false, or an error if there is NULL. */
bool path_read_regular(const char *path, struct buf *out, bool *there, struct err *err);

/* Writes a temporary file in the same folder and renames it to path; both are on the disk when this
 * returns. Anything but a regular file is written directly. */
bool path_write_file(const char *path, const void *bytes, size_t len, struct err *err);

/* The same with the mode of a new file. */
bool path_write_with_mode(
    const char *path, mode_t mode, const void *bytes, size_t len, struct err *err);

/* A file that did not exist: NAME.EXT, or NAME-2.EXT and so on if there is one. Returns a
 * descriptor to write to, -1 with err if there can be none; *name is its path, which the caller
 * frees. */
int path_create_new(const char *path, mode_t mode, char **name, struct err *err);
/* The same with these bytes in it and mode 0600. Returns its path; NULL: err says why not. */
char *path_write_new(const char *path, const void *bytes, size_t len, struct err *err);

/* All bytes to a descriptor that blocks; errno says why not. */
bool path_write_fd(int fd, const char *bytes, size_t len);

/* path_write_file() for a private file: mode 0600; creates missing folders with mode 0700. */
bool path_write_private(const char *path, const void *bytes, size_t len, struct err *err);

/* A new private file with these bytes in $TMPDIR or /tmp, mode 0600. The caller frees the path and
 * removes the file. NULL: err says why not. */
char *path_write_temporary(const char *ending, const void *bytes, size_t len, struct err *err);

/* The part after the last slash; the whole path without one. */
const char *path_file_name(const char *path);
/* Return the path of a program in the first folder of a PATH, where the empty folder is ".", and
 * move *path to the rest; NULL after the last one. Caller frees. */
char *path_next_program(const char **path, const char *name);
/* ".toml": does the path end so, after something else? */
bool path_has_ending(const char *path, const char *ending);

enum path_folder {
	PATH_CONFIG,  /* "<XDG_CONFIG_HOME or ~/.config>/mcpane" */
	PATH_STATE,   /* "<XDG_STATE_HOME or ~/.local/state>/mcpane": the program's memory */
	PATH_CACHE,   /* "<XDG_CACHE_HOME or ~/.cache>/mcpane": files that can be made again */
	PATH_RUNTIME, /* "<XDG_RUNTIME_DIR>/mcpane", else PATH_STATE: sockets of running programs */
};
/* The path of a file in such a folder; NULL if the variable and HOME are not set. Caller frees. */
char *path_of(enum path_folder which, const char *name);
/* Makes the folders above the file, 0700. If that fails, opening the file will fail. */
void path_make_folders(const char *path);

#endif

#ifndef BASE_PRIVATE_FILE_H
#define BASE_PRIVATE_FILE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A file with secrets: mode 0600 in a folder of mode 0700, both the user's own. It is replaced as a
 * whole, and is on the disk before it has its name: whatever happens, the one before or the new one
 * is there. Programs that change it take turns, by locks on NAME.lock beside it, which end with the
 * program that holds them. A symbolic link in its place, a file or a folder of somebody else's is
 * left alone and said; wider modes are narrowed.
 */
struct private_file {
	char *path;
	int folder, lock;
};

/* How long a turn is waited for. */
#define PRIVATE_FILE_WAIT_MS 1000

/* Our turn to change it, until it is closed; the folder is made where it is missing. False: nothing
 * is to be closed. */
bool private_file_open(struct private_file *f, const char *path, struct err *err);
void private_file_close(struct private_file *f);
/* Appends all of it to out, bounded by out->max. There is none: true, *there is false. */
bool private_file_read(const struct private_file *f, struct buf *out, bool *there, struct err *err);
bool private_file_write(
    const struct private_file *f, const void *bytes, size_t len, struct err *err);
/* Becomes NAME.broken. */
bool private_file_set_aside(const struct private_file *f, struct err *err);

/* The same as private_file_read() at any time: between two changes. */
bool private_file_look(const char *path, struct buf *out, bool *there, struct err *err);

/* A claim on one thing of many that the file is about, for as long as the descriptor is open.
 * False: another has it. True with *fd -1: where nothing can be locked all have it. */
bool private_file_claim(const char *path, uint32_t what, int *fd);

#endif

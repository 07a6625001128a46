/* SPDX-License-Identifier: MIT */
#ifndef BASE_PRIVATE_FILE_H
#define BASE_PRIVATE_FILE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A file of the user that this program reads, changes and writes. The new content is on the disk
 * before it gets the name: after a crash the old or the new file is there. Programs that change it
 * take turns by locking NAME.lock in the same folder; a lock ends with its program.
 *
 * Such a file has mode 0600 in a folder of mode 0700, both owned by the user. A symbolic link, or a
 * file or folder of another user, is refused; wider modes are narrowed. The user also edits shared
 * files: there, links are followed and modes are kept.
 */
struct private_file {
	char *path;
	int folder, lock;
	bool shared;
};

/* How long a turn is waited for. */
#define PRIVATE_FILE_WAIT_MS 3000

/* Our turn to change it, until it is closed; a missing folder is made. False: nothing is to be
 * closed. */
bool private_file_open(struct private_file *f, const char *path, bool shared, struct err *err);
void private_file_close(struct private_file *f);
/* Appends all of it to out, bounded by out->max. There is none: true, *there is false. */
bool private_file_read(const struct private_file *f, struct buf *out, bool *there, struct err *err);
bool private_file_write(
    const struct private_file *f, const void *bytes, size_t len, struct err *err);
/* Becomes NAME.broken. */
bool private_file_set_aside(const struct private_file *f, struct err *err);

/* Reads the file without a lock: its content between two changes. path_read_regular() reads shared
 * files. */
bool private_file_look(const char *path, struct buf *out, bool *there, struct err *err);

/* A claim on one thing of many that the file is about, for as long as the descriptor is open.
 * False: another has it. True with *fd -1: where nothing can be locked all have it. */
bool private_file_claim(const char *path, uint32_t what, int *fd);

#endif

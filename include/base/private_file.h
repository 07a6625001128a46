#ifndef BASE_PRIVATE_FILE_H
#define BASE_PRIVATE_FILE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A file of the user's that this program reads, changes and writes. It is replaced as a whole, and
 * is on the disk before it has its name: after a crash the old or the new one is there. Programs
 * that change it take turns, by locks on NAME.lock beside it, which end with the program that holds
 * them.
 *
 * Such a file has mode 0600 in a folder of mode 0700, both the user's own. A symbolic link in its
 * place and a file or a folder of another user are refused; wider modes are narrowed. A shared file
 * is one that the user edits too: a link is followed, and modes stay as they are.
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
bool private_file_open(struct private_file *f, const char *path, struct err *err);
bool private_file_open_shared(struct private_file *f, const char *path, struct err *err);
void private_file_close(struct private_file *f);
/* Appends all of it to out, bounded by out->max. There is none: true, *there is false. */
bool private_file_read(const struct private_file *f, struct buf *out, bool *there, struct err *err);
bool private_file_write(
    const struct private_file *f, const void *bytes, size_t len, struct err *err);
/* Becomes NAME.broken. */
bool private_file_set_aside(const struct private_file *f, struct err *err);

/* Reads outside of a turn: the file as it is between two changes. Never for a shared file, which
 * path_read_regular() reads. */
bool private_file_look(const char *path, struct buf *out, bool *there, struct err *err);

/* A claim on one thing of many that the file is about, for as long as the descriptor is open.
 * False: another has it. True with *fd -1: where nothing can be locked all have it. */
bool private_file_claim(const char *path, uint32_t what, int *fd);

#endif

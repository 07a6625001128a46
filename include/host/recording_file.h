/* SPDX-License-Identifier: MIT */
#ifndef HOST_RECORDING_FILE_H
#define HOST_RECORDING_FILE_H

#include "mcp/recording.h"
#include "mcp/time_line.h"
#include "net/transport.h"

#include <stdbool.h>

/* A recording on the disk (mcp/recording.h), read line by line, so it can be of any size. */
struct recording_file {
	int fd;
	size_t lines, damaged; /* lines read, and of these skipped */
	char trouble[200];     /* the first of these: "line 3: it is not JSON: …" */
};

bool recording_file_open(struct recording_file *f, const char *path, struct err *err);
void recording_file_close(struct recording_file *f);

/* Adds all lines to the replay, in order. False: it cannot be read, or none of its lines. */
struct replay;
bool recording_file_scan(struct recording_file *f, struct replay *replay, struct err *err);
/* Appends bytes of it. False: the file has become shorter. */
bool recording_file_load(
    const struct recording_file *f, uint64_t offset, size_t len, struct buf *out);

/*
 * A recording instead of a server: a transport that reports the recorded lines, those of the
 * client too, with their times. It sends nothing. It keeps only the offset of each line and works
 * in slices of a few milliseconds.
 */

/* path: a file, or the socket of a running tap, whose lines are kept in a file that has no name. */
struct transport *playback_create(struct loop *loop, const char *path,
    const struct transport_events *events, void *user, const struct time_line **line,
    struct err *err);

#endif

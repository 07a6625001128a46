/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RECORDED_H
#define TESTS_RECORDED_H

#include "base/buf.h"
#include "mcp/recording.h"

/* The bytes of all messages of one kind in a recording, including line breaks. An unreadable line,
 * or a file readable by others, fails the cmocka test. */
struct recorded {
	enum recording_kind kind;
	struct buf bytes;
	size_t lines; /* lines of the file */
};

void recorded_read(struct recorded *r, const char *path, enum recording_kind kind);

#endif

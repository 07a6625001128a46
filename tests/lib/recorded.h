#ifndef TESTS_RECORDED_H
#define TESTS_RECORDED_H

#include "base/buf.h"
#include "mcp/recording.h"

/* The bytes of all messages of a kind in a recording, each with a line break if it had one. A line
 * that cannot be read, or a file that others may read, fails the cmocka test. */
struct recorded {
	enum recording_kind kind;
	struct buf bytes;
	size_t lines; /* of the file */
};

void recorded_read(struct recorded *r, const char *path, enum recording_kind kind);

#endif

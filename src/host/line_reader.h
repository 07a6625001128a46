/* SPDX-License-Identifier: MIT */
#ifndef HOST_LINE_READER_H
#define HOST_LINE_READER_H

#include "loop/worker.h"
#include "mcp/message.h"

struct reading;

/* Reads the lines of one stream in order. A large line is parsed in a thread while later lines
 * wait. */
struct line_reader {
	struct worker *worker; /* NULL: no threads */
	/* Takes ownership of the line's content. */
	void (*on_line)(void *user, struct raw_message *line);
	void (*on_busy)(void *user); /* line_reader_busy() changed */
	void *user;
	/* its own */
	struct reading *reading;
	struct {
		struct raw_message *items;
		size_t len, cap;
	} waiting;
};

/* Takes the content of the line. */
void line_reader_add(struct line_reader *r, struct raw_message *line);
/* Size of the line being parsed in a thread; 0: none. */
size_t line_reader_busy(const struct line_reader *r);
/* Drops everything unread; no callback follows. */
void line_reader_drop(struct line_reader *r);

#endif

#ifndef HOST_READER_PRIV_H
#define HOST_READER_PRIV_H

#include "loop/worker.h"
#include "mcp/raw_message.h"
#include "rpc/frame.h"

#include <stddef.h>

struct reading;

/* Reads the lines of one stream in order: a big one in a thread, while those after it wait. */
struct reader {
	struct worker *worker; /* NULL: every line at once */
	/* Takes what the line holds. */
	void (*on_line)(void *user, struct raw_message *line);
	void (*on_busy)(void *user); /* reader_busy() has changed */
	void *user;
	/* its own */
	struct reading *reading;
	struct {
		struct raw_message *items;
		size_t len, cap;
	} waiting;
};

/* Takes the reference in it. */
void reader_add(struct reader *r, struct frame_line line);
/* Bytes of the line that is in a thread's hands; 0: none is. */
size_t reader_busy(const struct reader *r);
/* Lets go of all that is not through; nothing more is called for it. */
void reader_drop(struct reader *r);

#endif

#ifndef HOST_PASTED_H
#define HOST_PASTED_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Servers in a form in which documentation shows them: a client's whole file, its inner object,
 * one entry with or without its name, a command such as "claude mcp add NAME -- COMMAND", or the
 * command line of a server.
 */
enum pasted {
	PASTED_ELSE,   /* none of these */
	PASTED_BROKEN, /* err says why */
	PASTED_SERVERS,
};

/* Appends a server file with mcpServers and inputs. */
enum pasted pasted_to_file(const char *text, struct buf *out, struct err *err);
/* Tells what such a file would run, short enough to be on the screen at once. */
bool pasted_tell(const char *file, struct buf *told, struct err *err);

#endif

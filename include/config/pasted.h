#ifndef CONFIG_PASTED_H
#define CONFIG_PASTED_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Servers in a form in which documentation shows them: a client's whole file, its inner object,
 * one entry with or without its name, or a command such as "claude mcp add NAME -- COMMAND".
 */
enum pasted {
	PASTED_ELSE,   /* none of these */
	PASTED_BROKEN, /* err says why */
	PASTED_SERVERS,
};

/* Appends one JSON object with an entry for each name. */
enum pasted pasted_to_entries(const char *text, struct buf *out, struct err *err);

#endif

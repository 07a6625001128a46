#ifndef TESTS_WIRE_H
#define TESTS_WIRE_H

#include "client/server.h"

/* A struct server without a process: the test says what comes, and sees what was sent. Lines are
 * written with ' for ". One millisecond passes with everything that happens. */
struct wire {
	struct server *server;
	struct {
		char **items;
		size_t len, cap;
	} sent;
	int64_t now_us;
	char params[200]; /* of the last message: "NAME=VALUE " of each Mcp-Param header */
};

void wire_open(struct wire *w, const struct server_options *options); /* not started */
void wire_close(struct wire *w);
void wire_start(struct wire *w);
void wire_say(struct wire *w, const char *line);
/* Answers the last request of that method: member is "'result':{…}" or "'error':{…}". */
void wire_answer(struct wire *w, const char *method, const char *member);
void wire_stderr(struct wire *w, const char *text);
void wire_end(struct wire *w, const char *how);
/* Starts, answers the handshake of the era asked for and the list with these tools. */
void wire_connect(struct wire *w, const char *tools);
uint64_t wire_call(struct wire *w, const char *tool, const char *arguments);
const char *wire_last(const struct wire *w);                 /* the line sent last; "" when none */
size_t wire_count(const struct wire *w, const char *method); /* messages of it that were sent */

#endif

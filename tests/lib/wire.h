/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WIRE_H
#define TESTS_WIRE_H

#include "client/server.h"

/* A struct server without a process: the test sends the server's lines and reads the client's.
 * Lines are written with ' for ". Every event takes one millisecond. */
struct wire {
	struct server *server;
	struct {
		char **items;
		size_t len, cap;
	} sent;
	int64_t now_us;
	char params[200]; /* Mcp-Param headers of the last message, each as "NAME=VALUE " */
};

void wire_open(struct wire *w, const struct server_options *options); /* without starting it */
void wire_close(struct wire *w);
void wire_start(struct wire *w);
void wire_say(struct wire *w, const char *line);
/* Answer the last request of this method. member is "'result':{…}" or "'error':{…}". */
void wire_answer(struct wire *w, const char *method, const char *member);
void wire_stderr(struct wire *w, const char *text);
void wire_end(struct wire *w, const char *how);
/* Start, answer the handshake of the requested era and the list of tools. */
void wire_connect(struct wire *w, const char *tools);
uint64_t wire_call(struct wire *w, const char *tool, const char *arguments);
const char *wire_last(const struct wire *w);                 /* the last line sent, or "" */
size_t wire_count(const struct wire *w, const char *method); /* messages sent with it */

#endif

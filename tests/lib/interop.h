/* SPDX-License-Identifier: MIT */
#ifndef TESTS_INTEROP_H
#define TESTS_INTEROP_H

#include "base/buf.h"
#include "json/doc.h"

#include <stdbool.h>

/*
 * Runs of mcpane's scripting commands against servers of other authors, with their JSON output.
 * Anything unexpected fails the cmocka test.
 */
struct run {
	int exit_status; /* 128 + signal if a signal killed it */
	struct buf out, err;
	struct json_doc *doc;
	const cJSON *json; /* parsed standard output */
};

/* Run the program with arguments up to NULL. It must exit with exit_status and print JSON. A
 * previous run is freed first, so begin with a zeroed struct. */
void run(struct run *r, int exit_status, ...);
/* The same, with the NULL-terminated arguments that name the server in their place. */
void run_to(struct run *r, const char *const *server, int exit_status, ...);
void run_finish(struct run *r);

/* Return a value of the output by JSON Pointer. */
const cJSON *run_at(const struct run *r, const char *pointer);
void expect_text(const struct run *r, const char *pointer, const char *text);
void expect_number(const struct run *r, const char *pointer, const char *text);
void expect_within(const struct run *r, const char *pointer, const char *part);
void expect_type(const struct run *r, const char *pointer, enum json_type type);
/* Return the tool of that name in the output of `list --json`. */
const cJSON *run_tool(const struct run *r, const char *name);

/* Call `travel`, a tool that elicits the number of nights by a form: once with a typed answer, once
 * with the form's defaults, once declined. */
void expect_travel(const char *const *server);

/* Run a script that installs dependencies of the tests. Returns false if it cannot run on this
 * machine (exit code INTEROP_SKIPPED), after printing the reason. Any other failure ends the
 * program. */
#define INTEROP_SKIPPED 77
bool interop_ready(const char *command, size_t tests);

/* An HTTP server: a command whose first line of output is its URL. */
struct web_server {
	int pid;
	char url[256];
};
void web_server_start(struct web_server *s, const char *const *argv);
void web_server_stop(struct web_server *s);

#endif

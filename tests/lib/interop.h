#ifndef TESTS_INTEROP_H
#define TESTS_INTEROP_H

#include "base/buf.h"
#include "json/doc.h"

#include <stdbool.h>

/*
 * The program's commands for scripts against servers that other people wrote: one run, and what it
 * printed as JSON. Whatever is not as expected fails the cmocka test.
 */
struct run {
	int exit_status; /* 128 + signal when it was killed */
	struct buf out, err;
	struct json_doc *doc;
	const cJSON *json; /* what it printed */
};

/* Runs the program with arguments up to NULL; it has to exit with exit_status and to print JSON. A
 * run is finished first: begin with a zeroed one. */
void run(struct run *r, int exit_status, ...);
/* The same with the arguments that say which server it is, NULL-terminated, where they belong. */
void run_to(struct run *r, const char *const *server, int exit_status, ...);
void run_finish(struct run *r);

/* By JSON Pointer in what was printed. */
const cJSON *run_at(const struct run *r, const char *pointer);
void expect_text(const struct run *r, const char *pointer, const char *text);
void expect_number(const struct run *r, const char *pointer, const char *text);
void expect_within(const struct run *r, const char *pointer, const char *part);
void expect_type(const struct run *r, const char *pointer, enum json_type type);
/* The tool of that name in what `list --json` printed. */
const cJSON *run_tool(const struct run *r, const char *name);

/* Calls `travel`, a tool that asks by a form how many nights: what is asked is answered as typed,
 * by the form's defaults, or not at all. */
void expect_travel(const char *const *server);

/* Runs a script that installs what so many tests need. False: that cannot be done here, as the
 * script said and this has said loudly; the exit code is INTEROP_SKIPPED. Another failure ends the
 * program. */
#define INTEROP_SKIPPED 77
bool interop_ready(const char *command, size_t tests);

/* A server of HTTP: a command whose first line of output is its URL. */
struct web_server {
	int pid;
	char url[256];
};
void web_server_start(struct web_server *s, const char *const *argv);
void web_server_stop(struct web_server *s);

#endif

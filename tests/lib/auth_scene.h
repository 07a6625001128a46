/* SPDX-License-Identifier: MIT */
#ifndef AUTH_SCENE_H
#define AUTH_SCENE_H

#include "program.h"

/* Two MCP servers that require tokens, their authorization servers (fixtures/authserver), and a
 * state directory for the program under test (XDG_STATE_HOME). */
struct auth_scene {
	struct program server;
	char home[64], log[80], url[64], second[64];
	struct buf logged;
};
extern struct auth_scene scene;

void open_scene(const char *flags); /* flags of the fixture, separated by spaces */
int close_scene(void **state);
void end_server(void);
char *tokens_file(void); /* free with free() */
const char *log_text(void);
size_t logged(const char *line); /* number of lines in the server's log equal to this one */
/* Runs mcpane with words, in which URL and SECOND are replaced by the servers' URLs. Fails unless
 * it exits with exit_code and its output contains said and no secret. */
void run_once(int exit_code, const char *words, const char *said);

#endif

#ifndef AUTH_SCENE_H
#define AUTH_SCENE_H

#include "program.h"

/* Two MCP servers that want tokens, their authorization servers (fixtures/authserver), and where
 * this program keeps what it remembers: a folder of its own, in the environment as XDG_STATE_HOME.
 */
struct auth_scene {
	struct program server;
	char home[64], log[80], url[64], second[64];
	struct buf logged;
};
extern struct auth_scene scene;

void open_scene(const char *flags); /* of the fixture, space between */
int close_scene(void **state);
void end_server(void);
char *tokens_file(void); /* caller frees */
const char *log_text(void);
size_t logged(const char *line); /* how often the server's log has it */
/* Runs mcpane with words, URL and SECOND among them replaced: the exit code is that, what is said
 * has that in it, and no secret. */
void run_once(int exit_code, const char *words, const char *said);

#endif

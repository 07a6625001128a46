#ifndef CONFIG_SERVER_FILE_H
#define CONFIG_SERVER_FILE_H

#include "base/err.h"
#include "config/target.h"

#include <stddef.h>

/*
 * Server files of this and of other clients, with comments and trailing commas:
 *   mcpServers    Claude, Cursor, Gemini, Inspector, Windsurf, Cline
 *   servers       VS Code's mcp.json, with its inputs; mcp.servers of its settings
 *   context_servers   Zed's settings
 * An entry that cannot be started is kept, with its trouble said; keys that are not known mean
 * nothing. In every string these stand for something else:
 *   ${VAR} ${VAR:-default} ${env:VAR}    of the environment; without a value: the entry's trouble
 *   ${input:ID}                          stays: it is asked for at the start
 *   ${userHome} ${workspaceFolder} ${workspaceFolderBasename} ${pathSeparator} ${/}
 * workspaceFolder is the folder that has the .vscode, .cursor or .gemini the file lies in, else
 * ours.
 */
struct server_file {
	struct target *items;
	size_t len, cap;
	const char *key; /* the object at the root that has them; NULL: it is deeper */
};

/* Reads envFiles too. A file that does not exist: true and *there false, or an error if there is
 * NULL. */
bool server_file_load(struct server_file *c, const char *path, bool *there, struct err *err);
/* The same from text, without reading any file. */
bool server_file_parse(
    struct server_file *c, const char *text, size_t len, const char *path, struct err *err);
void server_file_finish(struct server_file *c);

#endif

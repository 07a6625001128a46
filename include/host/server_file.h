/* SPDX-License-Identifier: MIT */
#ifndef HOST_SERVER_FILE_H
#define HOST_SERVER_FILE_H

#include "base/err.h"
#include "host/target.h"
#include "json/doc.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Server files of this and other clients; comments and trailing commas are allowed:
 *   mcpServers    Claude, Cursor, Gemini, Inspector, Windsurf, Cline
 *   servers       VS Code's mcp.json, with its inputs; mcp.servers of its settings
 *   context_servers   Zed's settings
 *   mcp_servers, mcp, extensions   Codex (TOML), opencode, Goose (YAML)
 *   packages, remotes   server.json of the MCP registry
 *   a bundle (host/bundle.h), which only server_file_load() reads
 * An entry that cannot be started, or is too large, is kept with the reason; unknown members are
 * ignored. Every string may contain:
 *   ${VAR} ${VAR:-default} ${env:VAR}    an environment variable; an error if it is unset
 *   ${input:ID}                          asked for at start
 *   ${userHome} ${workspaceFolder} ${workspaceFolderBasename} ${pathSeparator} ${/}
 * workspaceFolder is the folder that contains the file's .vscode, .cursor or .gemini, else the
 * current folder.
 */
enum {
	SERVER_FILE_MOST = 1000, /* servers, inputs, and items of any list of an entry */
	SERVER_FILE_MOST_VARIABLES = 10000,
};

struct server_file {
	struct target *items;
	size_t len, cap;
	bool published;  /* a server.json of the registry */
	const char *key; /* the member of the root with the servers; NULL: nested deeper */
};

/* Reads envFiles too. of_project: the file was found in the working directory; then neither it nor
 * an envFile that it names is read through a symbolic link. If the file does not exist: true with
 * *there false, or an error if there is NULL. */
bool server_file_load(
    struct server_file *c, const char *path, bool of_project, bool *there, struct err *err);
/* Parses text without reading any file. */
bool server_file_parse(
    struct server_file *c, const char *text, size_t len, const char *path, struct err *err);
void server_file_finish(struct server_file *c);

/*
 * Other MCP clients and the files with their servers. A file is JSON, TOML or YAML by the end of
 * its name.
 */
struct server_client {
	const char *name;
	const char *user[3];    /* in the home folder; .config/ is $XDG_CONFIG_HOME */
	const char *project[3]; /* in the current folder */
	const char *key;        /* the member of the root with the servers */
	bool settings;          /* the file has other settings too and can be without servers */
	bool projects;          /* so have the members of `projects`, named after a folder */
	bool dollar;            /* $NAME is a variable too */
};

/* The end has no name. */
extern const struct server_client server_clients[];

/* The client that reads this file; NULL: none that is known. */
const struct server_client *server_client_of(const char *path);
/* Returns the object with the servers of its file; NULL if there is none. client NULL: any may have
 * written the file. *inputs: of these servers; *key: as in struct server_file. */
const cJSON *server_file_entries(
    const cJSON *root, const struct server_client *client, const cJSON **inputs, const char **key);
/* Returns the path of its file `user`; NULL if HOME is not set. The caller frees. */
char *server_client_path(const char *user);
/* Returns the path with ~ for the home folder. The caller frees. */
char *server_client_shorten(const char *path);

#endif

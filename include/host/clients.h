#ifndef HOST_CLIENTS_H
#define HOST_CLIENTS_H

#include <stdbool.h>

/*
 * Other MCP clients and the files with their servers. A file is JSON, TOML or YAML by the end of
 * its name.
 */
struct server_client {
	const char *name;
	const char *user[3];    /* below the home folder; .config/ is $XDG_CONFIG_HOME */
	const char *project[3]; /* below the current folder */
	const char *key;        /* the member of the root with the servers */
	bool settings;          /* the file has other things too: it need not have servers */
	bool projects;          /* so do the members of `projects`, named after a folder */
	bool dollar;            /* $NAME is a variable too */
};

/* The end has no name. */
extern const struct server_client server_clients[];

/* The client that reads this file; NULL: none that is known. */
const struct server_client *server_client_of(const char *path);
/* The path of its file `user`; NULL: there is no home folder. Caller frees. */
char *server_client_path(const char *user);
/* With ~ in place of the home folder. Caller frees. */
char *server_client_shorten(const char *path);

#endif

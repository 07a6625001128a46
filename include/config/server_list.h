#ifndef CONFIG_SERVER_LIST_H
#define CONFIG_SERVER_LIST_H

#include "base/err.h"
#include "config/target.h"
#include "model/choice.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The servers that are known, in order, and who named each: those of files given, or of those
 * looked for: .mcp.json and .vscode/mcp.json of the folder we are in, and the user's own
 * <config>/servers.json.
 */
struct server_list_entry {
	struct target target;
	enum choice_origin origin;
};

struct server_list {
	struct server_list_entry *items;
	size_t len, cap;
	struct {
		struct server_list_trouble {
			char *path, *why; /* why: with the path in it */
			enum choice_origin origin;
		} * items;
		size_t len, cap;
	} troubles; /* files that were found and cannot be read */
};

void server_list_finish(struct server_list *list);
void server_list_take(struct server_list *list, struct target *target, enum choice_origin origin);
/* False: the file cannot be read, or names no server. */
bool server_list_add_file(
    struct server_list *list, const char *path, enum choice_origin origin, struct err *err);
/* Files that are not there are no trouble. */
void server_list_add_found(struct server_list *list);
void server_list_add_own(struct server_list *list); /* of these only the user's */
/* By name, else by number from 1; SIZE_MAX: none. */
size_t server_list_find(const struct server_list *list, const char *name);

#endif

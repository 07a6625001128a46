#ifndef HOST_ROSTER_H
#define HOST_ROSTER_H

#include "base/err.h"
#include "host/target.h"
#include "model/choice.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The servers that are known, in order, and who named each: those of files given, or of those
 * looked for: .mcp.json and .vscode/mcp.json of the folder we are in, and the user's own
 * <config>/servers.json.
 */
struct roster_entry {
	struct target target;
	enum choice_origin origin;
};

struct roster {
	struct roster_entry *items;
	size_t len, cap;
	struct {
		struct roster_trouble {
			char *path, *why; /* why: with the path in it */
			enum choice_origin origin;
		} * items;
		size_t len, cap;
	} troubles; /* files that were found and cannot be read */
};

void roster_finish(struct roster *r);
void roster_take(struct roster *r, struct target *target, enum choice_origin origin);
/* False: the file cannot be read, or names no server. */
bool roster_add_file(
    struct roster *r, const char *path, enum choice_origin origin, struct err *err);
/* Files that are not there are no trouble. */
void roster_add_found(struct roster *r);
void roster_add_own(struct roster *r); /* of these only the user's */
/* By name, else by number from 1; SIZE_MAX: none. */
size_t roster_find(const struct roster *r, const char *name);

/* The user's own file; NULL: there is no folder for it. Caller frees. */
char *roster_own_file(void);

#endif

#ifndef DATA_DRIFT_H
#define DATA_DRIFT_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * The changes between two definitions of a tool, a prompt, a resource or a whole server, in words,
 * each with its meaning to those who use it:
 *   breaking       a call that was right may be refused now, or a result may not be what its reader
 *                  knows: an input schema allows less, an output schema promises less, or
 *                  a tool is gone
 *   routing        names, descriptions and hints: a model may choose another tool, or use it
 *                  otherwise
 *   informational  all else
 * In doubt a change of a schema is breaking. Definitions may be hostile: the work and the number of
 * changes that are kept are bounded.
 */
enum drift_class { DRIFT_INFORMATIONAL, DRIFT_ROUTING, DRIFT_BREAKING, DRIFT_CLASSES };
extern const char *const drift_class_names[DRIFT_CLASSES];

struct drift_change {
	enum drift_class class;
	char *subject; /* "tool update_user", "server" */
	char *text;    /* "role: enum lost \"viewer\"" */
};

struct drift {
	struct drift_change *items; /* the first DRIFT_MAX, and each that says what was cut */
	size_t len, cap;
	size_t counts[DRIFT_CLASSES]; /* all */
	bool
	    is_cut; /* definitions were too large to look at everything: this is told as a change */
	size_t cost; /* of the definitions under way */
};
#define DRIFT_MAX 2000

/* Zeroed to begin with. Each adds to what is there. */
void drift_add_tool(struct drift *d, const cJSON *a, const cJSON *b);
/* Two snapshots (data/snapshot.h), or results of tools/list and the like. */
void drift_add_server(struct drift *d, const cJSON *a, const cJSON *b);
void drift_finish(struct drift *d);

static inline size_t
drift_count(const struct drift *d)
{
	return d->counts[DRIFT_INFORMATIONAL] + d->counts[DRIFT_ROUTING] +
	       d->counts[DRIFT_BREAKING];
}

/* "3 breaking changes, 1 routing change"; "no difference". */
void drift_add_counts(const struct drift *d, struct buf *out);
/* On one line, the breaking ones first: "role: enum lost "viewer"; limit: maximum 500 → 100;
 * breaking for callers: yes". */
void drift_add_line(const struct drift *d, struct buf *out);
/* A heading for each subject and a line for each change; without colors and escapes. */
void drift_add_text(const struct drift *d, struct buf *out);

#endif

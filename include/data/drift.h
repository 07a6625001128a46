/* SPDX-License-Identifier: MIT */
#ifndef DATA_DRIFT_H
#define DATA_DRIFT_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * The changes between two definitions of a tool, prompt, resource or server, in words, classified
 * by their effect on clients:
 *   breaking       a valid call may be refused now, or a result may differ from its old schema: an
 *                  input schema allows less, an output schema allows more, or a tool was removed
 *   routing        names, descriptions and hints: a model may choose another tool, or call it
 *                  differently
 *   informational  everything else
 * A schema change that cannot be decided is breaking. Definitions can be hostile, so the work and
 * the number of changes kept are bounded.
 */
enum drift_class { DRIFT_INFORMATIONAL, DRIFT_ROUTING, DRIFT_BREAKING, DRIFT_CLASSES };
extern const char *const drift_class_names[DRIFT_CLASSES];

struct drift_change {
	enum drift_class class;
	char *subject; /* "tool update_user", "server" */
	char *text;    /* "role: enum lost \"viewer\"" */
};

struct drift {
	struct drift_change
	    *items; /* the first DRIFT_MAX, and one for each definition that is_cut */
	size_t len, cap;
	size_t counts[DRIFT_CLASSES]; /* all */
	bool is_cut; /* the definitions were too large to compare; reported as a change */
	size_t cost; /* of the current definitions */
};
#define DRIFT_MAX 2000

/* Append the changes to a drift, which is zeroed at first. */
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
/* One line, breaking changes first: "role: enum lost "viewer"; limit: maximum 500 → 100;
 * breaking for callers: yes". */
void drift_add_line(const struct drift *d, struct buf *out);
/* A heading for each subject and a line for each change; without colors and escapes. */
void drift_add_text(const struct drift *d, struct buf *out);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_SKILLS_H
#define CLIENT_SKILLS_H

#include "mcp/skill.h"
#include "client/server.h"

/*
 * The skills of a server: its list, entries asked for one by one, the folder read last, and the
 * user's consent. All of it belongs to this server, because a skill is its server and its URI. A
 * file is read as a call (server_ask() with the skill; the argument `file` is its name), whose
 * `skill` says whether it agrees with the entry.
 */

/* The listed ones, each in its newest version, then those that only skills/get knows. */
size_t server_skill_count(const struct server *s);
const struct primitive *server_skill_at(const struct server *s, size_t index);
/* By its URI, by its folder ("acme/billing/refunds"), or by its name if no other has it. NULL:
 * none; *several: the name is that of more than one. */
const struct primitive *server_skill_find(const struct server *s, const char *name, bool *several);
/* The latest call that read a file; NULL: none. */
const struct call *server_skill_call(
    const struct server *s, const struct primitive *skill, const char *file);

/* The same if the file need not be read again: it is verified against the current entry, and no
 * list or entry has come or been announced since. NULL: read it. */
const struct call *server_skill_read_before(
    const struct server *s, const struct primitive *skill, const char *file);

/* skills/get: the entry as it is now, listed or not. */
bool server_skill_get(struct server *s, const char *uri, int64_t now_us, struct err *err);
/* resources/directory/read. name ends with a slash; "./" is the folder of the skill. */
bool server_skill_browse(struct server *s, const struct primitive *skill, const char *name,
    int64_t now_us, struct err *err);

/* Consent is bound to the entry's files and their digests: another entry revokes it. It is not kept
 * over the end of the program. False: it cannot be bound, err says why. */
bool server_skill_approve(struct server *s, const struct primitive *skill, struct err *err);
void server_skill_revoke(struct server *s, const struct primitive *skill);
bool server_skill_is_approved(const struct server *s, const struct primitive *skill);
/* Returns whether the content of a call is verified and its current skill is approved. Otherwise
 * err has the reason. */
bool server_skill_may_use(const struct server *s, const struct call *c, struct err *err);

struct skills_info {
	uint64_t entries;           /* rises when an entry comes, changes or goes */
	bool asking;                /* skills/get is in flight */
	const char *trouble;        /* why the last one failed; "" */
	const char *folder;         /* the URI of the folder read last; "" */
	const struct lister *files; /* its resources */
};
struct skills_info server_skills(const struct server *s);

#endif

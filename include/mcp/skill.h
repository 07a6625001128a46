/* SPDX-License-Identifier: MIT */
#ifndef MCP_SKILL_H
#define MCP_SKILL_H

#include "base/err.h"
#include "base/sha256.h"
#include "mcp/content.h"
#include "mcp/primitive.h"

/*
 * The Skills extension (SEP-2640): a skill is a folder of resources with a SKILL.md, listed as an
 * entry that names each file with its digest and size. An entry is a primitive whose key is the URI
 * of its SKILL.md; a file is read by resources/read, only on request, and compared with the entry.
 * A match proves that entry and file agree, not that either is to be trusted.
 */
#define SKILLS_EXTENSION "io.modelcontextprotocol/skills"
#define SKILL_FILES_MAX 512
#define SKILL_BYTES_MAX ((size_t)16 << 20) /* of all its files */

/* Fills in what only skills have; primitive_decode() calls it. */
void skill_decode(struct primitive *p);

/* The files of an entry; NULL if it is "dynamic". */
const cJSON *skill_files(const cJSON *entry);
/* One of them by its URI; NULL: not listed. */
const cJSON *skill_file(const cJSON *entry, const char *uri);
size_t skill_file_size(const cJSON *file); /* SIZE_MAX: not a size */
size_t skill_bytes(const cJSON *entry); /* of all its files; more than SKILL_BYTES_MAX: too large */
/* A file's name inside the folder of the skill ("references/FORMS.md"); its URI if it lies
 * elsewhere. */
const char *skill_file_name(const char *skill, const char *uri);
/* Appends the URI of a file or, if the name ends with a slash, of a folder in the skill. False: the
 * name leads out of it, or the entry does not list the file. */
bool skill_add_uri(
    const struct primitive *skill, const char *name, struct buf *uri, struct err *err);

/* The outcome of reading a file of a skill. */
enum skill_state {
	SKILL_UNREAD,
	SKILL_CHECKING,
	SKILL_VERIFIED,
	SKILL_DYNAMIC, /* nothing to compare with, but its frontmatter is the entry's */
	SKILL_FAILED,  /* the bytes are not those of the entry: they are shown, never used */
};
struct skill_check {
	enum skill_state state;
	char text[240];
};
/* entry: the one at the time of the request. */
void skill_verify(
    struct skill_check *check, const cJSON *entry, const char *uri, const struct result *result);

/* Compute the digest that a consent is bound to, of each file's URI and digest. False: it cannot be
 * bound, because the skill is dynamic or its entry is broken. */
bool skill_set_digest(const struct primitive *skill, char hex[SHA256_HEX]);

#endif

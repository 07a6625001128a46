/* SPDX-License-Identifier: MIT */
#ifndef MCP_PRIMITIVE_H
#define MCP_PRIMITIVE_H

#include "base/buf.h"
#include "base/strings.h"
#include "json/doc.h"
#include "mcp/app_metadata.h"
#include "mcp/session.h"

/* How long a result stays fresh, and for whom (2026-07-28/server/utilities/caching.mdx). It is only
 * shown: nothing is polled or cached because of it. */
struct caching {
	bool is_said;   /* ttlMs or cacheScope is present */
	int64_t ttl_ms; /* 0 if absent or negative */
	char scope[16]; /* "public", "private"; "" if absent */
};

void caching_read(struct caching *c, const cJSON *result);
/* Adds a page of a list: the shortest time and the narrowest scope count. */
void caching_join(struct caching *c, const cJSON *result);
/* Appends "fresh for 30 s, private", or nothing if the server did not say. */
void caching_describe(const struct caching *c, struct buf *out);

/*
 * A primitive of a server: a tool, resource, resource template, prompt or skill. Nothing is
 * dropped: a definition that breaks the specification is marked as broken, with the reason.
 */
enum primitive_kind {
	PRIMITIVE_TOOL,
	PRIMITIVE_RESOURCE,
	PRIMITIVE_TEMPLATE,
	PRIMITIVE_PROMPT,
	PRIMITIVE_SKILL, /* see mcp/skill.h */
	PRIMITIVE_KINDS
};

enum hint { HINT_ABSENT, HINT_FALSE, HINT_TRUE };

struct primitive {
	enum primitive_kind kind;
	const char *name; /* never NULL; "(no name)" if absent */
	/* Identifies it in requests: the URI of a resource, the URI template of a template, else
	 * the name; the URI of its SKILL.md for a skill. Never NULL. */
	const char *key;
	const char *title; /* `title`, or annotations.title of a tool; NULL if absent */
	const char *description;
	const cJSON *definition;
	struct json_doc *doc; /* contains definition; borrowed */
	bool has_key;         /* key can be used in requests */
	bool broken;
	char problem[160]; /* why it is broken; else "" */
	/* never called: see session_tool_is_usable(), skill_decode(); problem has the reason */
	bool unusable;
	size_t nth, of; /* the nth (from 0) of `of` primitives with this kind and key */

	/* of a tool */
	enum hint read_only, destructive, idempotent, open_world; /* untrusted hints */
	const cJSON *input_schema;                                /* an object, or NULL */
	const cJSON *output_schema; /* an object or boolean, or NULL */
	struct app_tool app;        /* its app, and who may call it */

	/* of a resource or a template; NULL if absent */
	const char *mime;
	const cJSON *size;        /* a number */
	const cJSON *annotations; /* an object: audience, priority, lastModified */

	const cJSON *arguments; /* of a prompt: an array, or NULL */
};

/* Marked as such; a tool that only reads cannot be. */
static inline bool
primitive_is_destructive(const struct primitive *p)
{
	return p->destructive == HINT_TRUE && p->read_only != HINT_TRUE;
}

extern const struct primitive_kind_info {
	const char *name, *plural;             /* "tool", "tools" */
	const char *key;                       /* the member that identifies it in requests */
	const char *list_method, *list_member; /* "tools/list", and the array in its result */
	const char *capability;                /* the server has to declare it */
	const char *extension;                 /* and this one; NULL: none */
	const char *names; /* the member that has name and description; NULL: the definition */
} primitive_kinds[PRIMITIVE_KINDS];

/* definition is in doc, which must outlive *o because all pointers are into it. Names, titles and
 * types are labels, cut if too long; a primitive with a key that long is broken. Sets nth to 0 and
 * of to 1. */
void primitive_decode(
    struct primitive *p, enum primitive_kind kind, struct json_doc *doc, const cJSON *definition);
const cJSON *primitive_icons(const struct primitive *p); /* an array, or NULL */

/* Marks it as broken; only the first problem is kept. */
void primitive_add_problem(struct primitive *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct primitive_list {
	struct primitive *items;
	size_t len, cap;
	struct primitive *
	    *by_key; /* all items, sorted by key and nth; NULL before primitive_list_number() */
	struct {
		struct json_doc **items;
		size_t len, cap;
	} docs;                 /* the pages, owned */
	struct caching caching; /* of the whole list */
	char note[160];         /* why the list may be incomplete; else "" */
};

/* Does the output schema of a tool allow an array, as the result or as a member of it? */
bool primitive_returns_array(const struct primitive *tool);

/* The nth (from 0) primitive with this key in a numbered list, or NULL. */
const struct primitive *primitive_list_find(
    const struct primitive_list *list, const char *key, size_t nth);
/* Numbers primitives with the same key and builds the index; call it once the list is complete. */
void primitive_list_number(struct primitive_list *list);

/*
 * Uses a primitive: tools/call, prompts/get, resources/read. We write input schemas for prompts and
 * templates, so that one form serves all kinds.
 */

/* An input schema for a prompt, a template or a skill (`file`); an empty one for a resource; NULL
 * for a tool, which has its own. A broken definition is used as far as possible. Caller destroys.
 */
struct json_doc *primitive_make_schema(const struct primitive *p);

/* Send the request. arguments_json is as in struct session_call; for a template it has the
 * variables;
 * "": none. Append the URI of a resource or template to uri. Return the request, or 0 with err. */
uint64_t primitive_invoke(struct session *s, const struct primitive *p, const char *arguments_json,
    struct buf *uri, int64_t now_ms, struct err *err);

/*
 * Fetches the list of one kind of primitives, page by page, and again when the server says that it
 * changed. The old list stays until the new one is complete, and also if that fails. A cursor is
 * opaque and may be "". If the server calls a cursor invalid, the lister starts over, once.
 */
struct lister {
	enum primitive_kind kind;
	const char *folder;         /* borrowed: list the resources of this folder, by
				       resources/directory/read; NULL: all of the server's */
	struct primitive_list list; /* the last complete list */
	uint64_t generation;        /* incremented when list, error or busy changes */
	bool complete;              /* a list has been complete before */
	char error[240];            /* why the last attempt failed; "" if it did not */
	bool unanswered;            /* it failed because the server did not answer */

	struct primitive_list next; /* being fetched */
	uint64_t request;           /* of the open page; 0 if not busy */
	uint64_t given_up;          /* being cancelled: its reply also belongs to the lister */
	bool restarted;             /* after an invalid cursor */
	bool watches;               /* another client's pages, as they come */
	struct strings cursors;     /* already used */
	int64_t changed_ms,
	    last_changed_ms; /* the first and the last notification to act on; < 0: none */
};

void lister_init(struct lister *l, enum primitive_kind kind);
void lister_finish(struct lister *l);
/* Does the server declare such primitives? One that declares no capabilities at all may have tools.
 */
bool lister_is_declared(const struct lister *l, const struct session *s);
/* Requests the first page and cancels an unfinished listing. If the server does not declare such
 * primitives, the list is empty and no request is sent. */
void lister_start(struct lister *l, struct session *s, int64_t now_ms);
/* An onlooker only: the client has requested the first page, or a later one. */
void lister_watch(struct lister *l, uint64_t request, bool is_later);
/* Takes the reply and requests the next page. False, and untouched, if it is not the lister's
 * reply. */
bool lister_on_reply(struct lister *l, struct session *s, uint64_t request,
    struct session_reply *reply, int64_t now_ms);
/* notifications/.../list_changed arrived. The list is fetched again 60 ms after the last one of a
 * burst, at most 500 ms after the first, but not before an unfinished listing ends. */
void lister_on_changed(struct lister *l, int64_t now_ms);
int64_t lister_next_time(const struct lister *l); /* INT64_MAX: never */
void lister_on_time(struct lister *l, struct session *s, int64_t now_ms);
bool lister_is_busy(const struct lister *l);

#endif

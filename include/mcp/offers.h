#ifndef MCP_OFFERS_H
#define MCP_OFFERS_H

#include "base/buf.h"
#include "json/doc.h"

/* How long a server says that a result stays good, and for whom
 * (2026-07-28/server/utilities/caching.mdx). Only shown: nothing is polled by it, and what the user
 * asks for is always asked for. */
struct caching {
	bool is_said;   /* ttlMs or cacheScope is there */
	int64_t ttl_ms; /* 0 where absent or negative */
	char scope[16]; /* "public", "private"; "" when absent */
};

void caching_read(struct caching *c, const cJSON *result);
/* Of a list in pages: the shortest time, the narrowest scope. */
void caching_join(struct caching *c, const cJSON *result);
/* "fresh for 30 s, private"; nothing where nothing is said. */
void caching_describe(const struct caching *c, struct buf *out);

/*
 * What a server offers: tools, resources, resource templates and prompts, each as
 * an offer. A definition that breaks the specification is an offer all the same,
 * marked as broken with a sentence that says why: nothing is dropped.
 */
enum offer_kind { OFFER_TOOL, OFFER_RESOURCE, OFFER_TEMPLATE, OFFER_PROMPT, OFFER_KINDS };

enum hint { HINT_ABSENT, HINT_FALSE, HINT_TRUE };

struct offer {
	enum offer_kind kind;
	const char *name; /* never NULL: "(no name)" when there is none */
	/* What it is told apart and asked for by: a resource's URI, a template's URI template, else
	 * the name. Never NULL. */
	const char *key;
	const char *title; /* `title`, of a tool else annotations.title; NULL when absent */
	const char *description;
	const cJSON *definition;
	bool has_key; /* there is a string to ask for it by */
	bool broken;
	char problem[160]; /* of a broken one; else "" */
	size_t nth, of;    /* the nth (from 0) of so many offers of this kind and key */

	/* of a tool */
	enum hint read_only, destructive, idempotent, open_world; /* untrusted hints */
	const cJSON *input_schema;  /* an object; NULL when absent or something else */
	const cJSON *output_schema; /* an object or boolean; NULL when absent or something else */
	bool unusable; /* never called: see session_tool_is_usable(); problem has the reason */

	/* of a resource or a template; NULL when absent */
	const char *mime;
	const cJSON *size;        /* a number */
	const cJSON *annotations; /* an object: audience, priority, lastModified */

	const cJSON *arguments; /* of a prompt: an array; NULL when absent or something else */
};

/* "tool", "resource", "template", "prompt"; "tools" ... */
const char *offer_kind_name(enum offer_kind kind);
const char *offer_kind_plural(enum offer_kind kind);

/* definition is in doc, which all pointers are into and which must outlive *o. Names, titles and
 * types are labels; what cannot be asked for by its whole key is broken. nth and of are set to 0
 * and 1. */
void offer_decode(
    struct offer *o, enum offer_kind kind, struct json_doc *doc, const cJSON *definition);
const cJSON *offer_icons(const struct offer *o); /* an array, NULL for none */

struct offer_list {
	struct offer *items;
	size_t len, cap;
	struct offer *
	    *by_key; /* all of them, sorted by key and nth; NULL before they are numbered */
	struct {
		struct json_doc **items;
		size_t len, cap;
	} docs;                 /* the pages, owned */
	struct caching caching; /* what the server says of how long it is good */
	char note[160];         /* why it may not be all of them; "" for nothing */
};

void offer_list_finish(struct offer_list *list);
/* The nth (from 0) offer of that key in a numbered list; NULL when there is none. */
const struct offer *offer_list_find(const struct offer_list *list, const char *key, size_t nth);
/* Numbers offers of the same key and makes them findable; call it once the list is complete. */
void offer_list_number(struct offer_list *list);

#endif

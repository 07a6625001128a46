#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "json/doc.h"
#include "mcp/session.h"

/*
 * The tools of a server. A definition that breaks the specification is a tool all
 * the same, marked as broken with a sentence that says why: nothing is dropped.
 */
enum hint { HINT_ABSENT, HINT_FALSE, HINT_TRUE };

struct tool {
	const char *name;  /* never NULL: "(no name)" when there is none */
	const char *title; /* `title`, NULL when absent */
	const char *description;
	const char *annotation_title;
	enum hint read_only, destructive, idempotent, open_world; /* untrusted hints */
	const cJSON *input_schema;  /* an object; NULL when absent or something else */
	const cJSON *output_schema; /* an object or boolean; NULL when absent or something else */
	const cJSON *definition;
	bool has_name; /* there is a string to call it by */
	bool broken;
	char problem[160]; /* of a broken one; else "" */
	size_t nth, of;    /* the nth (from 0) of so many tools of this name */
};

/* All pointers are into definition, which must outlive *t. nth and of are set to 0 and 1. */
void tool_decode(struct tool *t, const cJSON *definition);
const char *tool_label(const struct tool *t); /* title, annotations.title or name */

struct tool_list {
	struct tool *items;
	size_t len, cap;
	struct {
		struct json_doc **items;
		size_t len, cap;
	} docs;         /* the pages, owned */
	char note[160]; /* why it may not be all of them; "" for nothing */
};

void tool_list_finish(struct tool_list *list);
/* The nth (from 0) tool of that name; NULL when there is none. */
const struct tool *tool_list_find(const struct tool_list *list, const char *name, size_t nth);
size_t tool_list_memory(const struct tool_list *list);

/*
 * Gets the list, page by page, and gets it again when the server says that it
 * changed. The old list stays until the new one is complete, or for good when
 * that fails.
 */
struct tool_lister {
	struct tool_list list; /* what is known */
	uint64_t generation;   /* raised when list, error or busy changed */
	bool complete;         /* a list was got, ever */
	char error[240];       /* why the last attempt failed; "" when it did not */

	struct tool_list next; /* under way */
	uint64_t request;      /* the page asked for; 0: not busy */
	uint64_t given_up;     /* being cancelled: its reply is the lister's too */
	struct {
		char **items;
		size_t len, cap;
	} cursors; /* already used */
	int64_t changed_ms,
	    last_changed_ms; /* first and last notice not yet acted upon; < 0: none */
};

void tool_lister_init(struct tool_lister *l);
void tool_lister_finish(struct tool_lister *l);
/* Asks for the first page; a listing under way is given up. A server that declares no tools has
 * none and is not asked. */
void tool_lister_start(struct tool_lister *l, struct session *s, int64_t now_ms);
/* False: not the lister's reply, untouched. Otherwise consumed, and the next page asked for. */
bool tool_lister_on_reply(struct tool_lister *l, struct session *s, uint64_t request,
    struct session_reply *reply, int64_t now_ms);
/* notifications/tools/list_changed came: the list is got again 60 ms after the last of a burst, at
 * most 500 ms after its first, but not before a listing under way has ended. */
void tool_lister_on_changed(struct tool_lister *l, int64_t now_ms);
int64_t tool_lister_next_time(const struct tool_lister *l); /* INT64_MAX: never */
void tool_lister_on_time(struct tool_lister *l, struct session *s, int64_t now_ms);
bool tool_lister_is_busy(const struct tool_lister *l);

#endif

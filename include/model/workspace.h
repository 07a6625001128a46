#ifndef MODEL_WORKSPACE_H
#define MODEL_WORKSPACE_H

#include "model/server.h"
#include "schema/form.h"

/*
 * What the user is looking at: one server, one of its tools, that tool's form and
 * the call whose result is shown. Panes share it; each tool keeps its own form
 * and its own last call while the user looks at others, also of other servers.
 */
struct desk {
	const struct server *server;
	uint64_t chosen;      /* the workspace's generation when it was selected last */
	char *tool;           /* name */
	size_t nth;           /* 0, or which of several tools of that name */
	struct json_doc *doc; /* a copy of the definition the form was made from */
	struct form *form;    /* NULL for a broken tool */
	uint64_t untouched;   /* the form's version while nothing has been typed into it */
	uint64_t shown_call;  /* 0: never called */
};

/* A server the user may choose; strings are borrowed. */
struct server_choice {
	const char *name;
	const char *label;   /* its command line or URL */
	const char *trouble; /* why it cannot be started; NULL: it can */
};

struct workspace {
	const struct server_choice *choices; /* borrowed; NULL: only the one server */
	size_t choice_count;
	struct server *server; /* borrowed; NULL: none chosen */
	struct {
		struct desk **items;
		size_t len, cap;
	} desks;
	struct desk *desk;   /* the selected tool; NULL: none */
	uint64_t generation; /* raised by every change here */
	uint64_t tools_seen; /* the tool list's at the last workspace_sync() */
};

void workspace_init(struct workspace *w);
void workspace_finish(struct workspace *w);
/* The tool that was selected there last is so again. A server stays until workspace_finish(). */
void workspace_set_server(struct workspace *w, struct server *server);

/* Selects the index-th tool of the list, making its desk when it is new. False: no such tool. */
bool workspace_select(struct workspace *w, size_t tool_index);
bool workspace_select_name(struct workspace *w, const char *name);
/* To be called before a frame: where the tool list was renewed keeps the selection by name, renews
 * a form whose definition changed (what was typed is carried over), selects the first tool when
 * none was.
 */
void workspace_sync(struct workspace *w);

const struct offer *workspace_offer(
    const struct workspace *w);                         /* NULL: none, or gone from the list */
size_t workspace_tool_index(const struct workspace *w); /* SIZE_MAX: none */
const struct call *workspace_call(const struct workspace *w); /* the shown one; NULL: none */
void workspace_show_call(struct workspace *w, uint64_t call);
uint64_t workspace_generation(const struct workspace *w); /* of everything visible */

#endif

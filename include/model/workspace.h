#ifndef MODEL_WORKSPACE_H
#define MODEL_WORKSPACE_H

#include "model/choice.h"
#include "model/server.h"
#include "form/form.h"

/*
 * What the user is looking at: one server, one of its tools, resources, templates or
 * prompts, its form and the call whose result is shown. Panes share it; each offer
 * keeps its own form and its own last call while the user looks at others, also of
 * other servers.
 */
struct desk {
	const struct server *server;
	uint64_t chosen; /* the workspace's generation when it was selected last */
	enum offer_kind kind;
	char *key;            /* the offer's: a tool's name, a resource's URI */
	size_t nth;           /* 0, or which of several offers of that key */
	struct json_doc *doc; /* a copy of the definition the form was made from */
	struct offer copy;    /* of that definition */
	bool unlisted;        /* a resource asked for by its URI, which no list need have */
	struct form *form;    /* NULL for a broken definition */
	uint64_t untouched;   /* the form's version while nothing has been typed into it */
	uint64_t shown_call;  /* 0: never called */
};

struct workspace {
	const struct server_choice *choices; /* borrowed; NULL: only the one server */
	size_t choice_count;
	struct server *server; /* borrowed; NULL: none chosen */
	struct {
		struct desk **items;
		size_t len, cap;
	} desks;
	enum offer_kind tab; /* tools, resources (templates too) or prompts are looked at */
	bool tab_chosen;     /* by the user: it stays though it may be empty */
	struct desk *desk;   /* the selected offer; NULL: none */
	uint64_t question;   /* of the server, looked at; it may have gone */
	size_t violation;    /* looked at last, in the report of violation_call */
	uint64_t violation_call;
	uint64_t generation; /* raised by every change here */
	uint64_t lists_seen; /* the lists' at the last workspace_sync() */
};

void workspace_init(struct workspace *w);
void workspace_finish(struct workspace *w);
/* The offer that was selected there last is so again. A server stays until workspace_finish(). */
void workspace_set_server(struct workspace *w, struct server *server);

/* Selects the index-th offer of a list, making its desk when it is new. False: none such. */
bool workspace_select(struct workspace *w, enum offer_kind kind, size_t index);
bool workspace_select_name(struct workspace *w, enum offer_kind kind, const char *key);
/* A resource by its URI, whether or not it is listed. */
void workspace_select_uri(struct workspace *w, const char *uri);
/* Shows what there is of a kind: what was selected there last, else the first, else nothing. */
void workspace_show_tab(struct workspace *w, enum offer_kind kind);
/* To be called before a frame: where a list was renewed keeps the selection by key, renews a form
 * whose definition changed (what was typed is carried over), selects the first offer when none was.
 */
void workspace_sync(struct workspace *w);

const struct offer *workspace_offer(
    const struct workspace *w);                          /* NULL: none, or gone from the list */
size_t workspace_offer_index(const struct workspace *w); /* in its list; SIZE_MAX: none */
enum offer_kind workspace_tab_of(enum offer_kind kind);  /* where a kind is shown */
const struct call *workspace_call(const struct workspace *w); /* the shown one; NULL: none */
void workspace_show_call(struct workspace *w, uint64_t call);
struct question *workspace_question(const struct workspace *w); /* NULL: none, or gone */
/* Looks at the open question so many places from the one looked at; the first when that has gone.
 * False: none is open; the next that comes will be looked at. */
bool workspace_next_question(struct workspace *w, int by);
uint64_t workspace_generation(const struct workspace *w); /* of everything visible */

#endif

/* SPDX-License-Identifier: MIT */
#ifndef PANE_WORKSPACE_H
#define PANE_WORKSPACE_H

#include "client/chain.h"
#include "client/choice.h"
#include "client/history.h"
#include "client/server.h"
#include "form/form.h"
#include "recipe/collection.h"

/*
 * The user's current view: one server, one of its tools, resources, templates or prompts, its form
 * and the call whose result is shown. Panes share it; each primitive keeps its own form and last
 * call while the user looks at others, even on other servers.
 */
struct desk {
	const struct server *server;
	uint64_t chosen; /* the workspace's generation at its last selection */
	enum primitive_kind kind;
	char *key;             /* of the primitive: a tool's name, a resource's URI */
	size_t nth;            /* its index among primitives with the same key */
	struct json_doc *doc;  /* the definition the form was made from, shared */
	struct primitive copy; /* parsed from that definition */
	bool unlisted;         /* a resource requested by URI that no list contains */
	struct form *form;     /* NULL if the definition is broken */
	uint64_t untouched;    /* the form's version while nothing is typed into it */
	uint64_t shown_call;   /* 0 if never called */
	uint64_t sent;         /* the form's version when it was sent last */
	bool sends_secrets;    /* the user agreed that variables with secrets are sent */
	bool agreed;           /* the user agreed to call this destructive tool */
	char *saved;           /* the saved call in the form; NULL: none */
	char *saved_arguments; /* its arguments when it was loaded; NULL: none */
	bool shows_app;        /* an open app replaces content and structuredContent */
};

/* Expressions of jq, kept from run to run. */
struct queries {
	struct strings history;  /* typed, the newest last */
	struct strings defaults; /* jq_line.c reads them */
};

/* The kept calls of all servers. */
struct workspace_history {
	const struct history_host *host; /* NULL: no history */
	void *user;                      /* for host */
	int64_t wall_us;                 /* 1970 plus our clock */
	int zone_s;
};

/* The collection of the project, and the variables in use. */
struct workspace_collection {
	const struct collection_host *host; /* NULL: no project */
	void *user;                         /* for host */
	struct environment environment;
	bool read; /* environment has the variables of the file */
};

/*
 * Two calls that the user compares. Their documents are shared, so they outlive the calls.
 */
struct comparison_side {
	char *when, *arguments;
	struct json_doc *doc, *definition; /* the definition at that time; NULL if it is
					    unknown, or the other is of another tool */
	const cJSON *value;                /* the result or error in doc */
	struct result_texts texts;         /* in doc */
	size_t bytes;                      /* of the reply */
};

struct comparison {
	char *name; /* of the primitive, or "A → B" of two */
	struct comparison_side sides[2];
	uint64_t version; /* rises; 0: nothing is compared */
};

/* A call: of the history, or of the server shown. */
struct call_ref {
	uint64_t kept, call; /* one of them; the other is 0 */
};

enum { LOOKED_MAX = 500 }; /* hashes */

struct workspace {
	const struct server_choice *choices; /* borrowed; NULL: only the one server */
	size_t choice_count;
	struct server *server; /* borrowed; NULL if none is chosen */
	struct {
		struct desk **items;
		size_t len, cap;
	} desks;
	enum primitive_kind tab; /* the list shown: tools, resources (with templates) or prompts */
	bool tab_chosen;         /* by the user: stays even if it is empty */
	struct desk *desk;       /* the selected primitive; NULL if none */
	uint64_t question;       /* the server's question that is shown; it may be gone */
	size_t violation;        /* the violation selected last, in the report of violation_call */
	uint64_t violation_call;
	bool shows_bridge;     /* the journal is that of the app, if one is open */
	struct strings muted;  /* ids of findings that the user does not want to see */
	struct strings looked; /* hashes of changed definitions that the user has seen, bounded */
	uint64_t looks;        /* rises with each of them */
	struct queries queries;
	struct workspace_history history;
	struct workspace_collection collection;
	struct batch *batch;  /* the last one; NULL: none */
	size_t batch_at_once; /* calls of a batch that run at the same time */
	struct comparison comparison;
	struct {
		struct server **items;
		size_t len, cap;
	} past;                     /* stand-ins for servers of calls from the history */
	struct recipe_show *recipe; /* that runs, or ran last; NULL: none */
	uint64_t generation;        /* raised by every change here */
	uint64_t followed;          /* the last call of a recording when it was shown */
	uint64_t lists_seen;        /* generation of the lists at the last workspace_sync() */
};

void workspace_init(struct workspace *w);
void workspace_finish(struct workspace *w);
/* Restores the selection made there last. The server must live until workspace_finish(). */
void workspace_set_server(struct workspace *w, struct server *server);

/* Selects the primitive at index in a list, creating its desk if it is new. False if the index is
 * out of range. */
bool workspace_select(struct workspace *w, enum primitive_kind kind, size_t index);
bool workspace_select_name(struct workspace *w, enum primitive_kind kind, const char *key);
/* Selects a resource by URI, listed or not. */
void workspace_select_uri(struct workspace *w, const char *uri);
/* Shows a kind's list with its last selection, else the first, else none. */
void workspace_show_tab(struct workspace *w, enum primitive_kind kind);
/* Call it before each frame. After a list was renewed it keeps the selection by key, renews a
 * form whose definition changed (keeping typed values), and selects the first primitive if none
 * was. */
void workspace_sync(struct workspace *w);

const struct primitive *workspace_primitive(
    const struct workspace *w); /* NULL if none, or gone from the list */
/* The number of forms with something of the user's that was never sent, and one of them. */
size_t workspace_unsent(const struct workspace *w, const struct desk **one);
const struct primitive_list *workspace_list(
    const struct workspace *w, enum primitive_kind kind);       /* NULL: there is no server */
size_t workspace_primitive_index(const struct workspace *w);    /* in its list; SIZE_MAX if none */
enum primitive_kind workspace_tab_of(enum primitive_kind kind); /* the tab that shows a kind */
const struct call *workspace_call(const struct workspace *w);   /* the one shown; NULL if none */
/* Returns the floating app, else that of the shown call, even if its result covers the app; NULL:
 * no app is open. */
struct app *workspace_app(const struct workspace *w);
/* Returns whether the app replaces the result; false while it floats. */
bool workspace_shows_app(const struct workspace *w);
/* Returns whether the user muted this kind of finding. */
bool workspace_mutes(const struct workspace *w, const struct found *finding);
void workspace_show_call(struct workspace *w, uint64_t call); /* of the selected primitive */
/* Selects the primitive of a call of the shown server, listed or not, and shows the call. */
void workspace_select_call(struct workspace *w, const struct call *c);
/* Shows a call of the history, a live one if it is still there: selects its server and primitive.
 * A server that was not started is replaced by one without a connection. */
bool workspace_show_kept(struct workspace *w, uint64_t id, int64_t now_us, struct err *err);
/* The earlier call becomes the first side. False: a call is gone, runs, or has no reply. */
bool workspace_compare(
    struct workspace *w, struct call_ref a, struct call_ref b, int64_t now_us, struct err *err);
/* Compares the call, or the shown one if both are 0, with the previous call of its primitive. */
bool workspace_compare_before(
    struct workspace *w, struct call_ref ref, int64_t now_us, struct err *err);
/* Returns the definition of the selection at its last call of any run, and the time of that call.
 * The caller destroys it. NULL: unknown. */
struct json_doc *workspace_called_definition(const struct workspace *w, struct buf *when);
/* Notes that the user has seen the change of this definition since the last call. */
void workspace_note_looked(struct workspace *w, const struct json_doc *definition);
struct question *workspace_question(const struct workspace *w); /* NULL if none, or gone */
/* Moves by this many places to another open question; to the first if the current one is gone.
 * False if none is open; then the next one to arrive is shown. */
bool workspace_next_question(struct workspace *w, int by);
uint64_t workspace_generation(const struct workspace *w); /* rises with everything visible */

/* Reads the variables with the values of this environment; NULL or "": without one. False: nothing
 * changed. */
bool workspace_use_environment(struct workspace *w, const char *name, struct err *err);
/* Appends the arguments with the values of the variables. A missing variable is an error in a saved
 * call and while an environment is in use; else the arguments are appended unchanged. */
bool workspace_fill(
    struct workspace *w, const char *json, size_t len, struct buf *out, struct err *err);
/* Appends a text from a server with "${" escaped: workspace_fill() restores the text. */
void workspace_add_plain(const struct workspace *w, const char *text, struct buf *out);
/* Notes the saved call in the selected form and its arguments; NULL: none. */
void workspace_set_saved(struct workspace *w, const char *name, const char *arguments);

/* ---- structured/jq_line.c ---- */
void queries_finish(struct queries *q);
/* "" removes it. False: it cannot be kept: several lines, a secret, or too long. */
bool queries_set_default(struct queries *q, const struct desk *desk, const char *expression);
void queries_load(struct queries *q, const char *text); /* of any content */
void queries_add(const struct queries *q, struct buf *out);

#endif

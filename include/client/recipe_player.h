/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_RECIPE_PLAYER_H
#define CLIENT_RECIPE_PLAYER_H

#include "base/strings.h"
#include "mcp/primitive.h"
#include "client/server.h"
#include "recipe/report.h"
#include "recipe/run.h"

/*
 * Plays a recipe on a server: makes the calls that its run wants, and hands jq and snapshots on to
 * its owner. Without I/O. Call recipe_player_advance() after each change of the server.
 */
struct recipe_player;

struct recipe_player_host {
	/* The same as in struct effects (pane/effects.h). */
	bool (*query)(void *query_user, struct query_job *job);
	void (*stop_query)(void *query_user, struct query_job *job);
	/* jq has answered: recipe_player_advance() should come soon, but not from within. */
	void (*on_answer)(void *query_user);
	void *query_user;
	/* Appends the file, which is named relative to the recipe. value: the expected content;
	 * *written: it has been written now, and nothing is read. False: err has the reason. */
	bool (*snapshot)(void *user, const char *file, const struct buf *value, struct buf *out,
	    bool *written, struct err *err);
	/* May the next step begin now? NULL: it may. */
	bool (*may_begin)(void *user);
	/* May the call be made now? False: not yet, or never. NULL: all may. */
	bool (*may_call)(void *user, const struct primitive *primitive, const char *arguments);
	void (*on_record)(void *user, const struct recipe_record *record);
	void *user;
};

/* Takes given. recipe is borrowed. NULL: err says why, and nothing was called. */
struct recipe_player *recipe_player_create(const struct recipe *recipe, const char *environment,
    struct variables *given, const struct recipe_player_host *host, struct err *err);
void recipe_player_destroy(struct recipe_player *p);
/* Runs until it has to wait. */
void recipe_player_advance(struct recipe_player *p, struct server *s, int64_t now_us);
/* Cancels the running step; the others do not run. */
void recipe_player_stop(struct recipe_player *p, struct server *s, const char *why, int64_t now_us);

struct recipe_player_view {
	struct recipe_run_view run;
	const struct recipe_want *want;
	uint64_t call;   /* that is running; 0: none */
	int64_t wake_us; /* recipe_player_advance() has something to do then; 0: no delay */
};
struct recipe_player_view recipe_player_view(const struct recipe_player *p);

/* ---- a recipe in the full screen ---- */
/*
 * The recipe that the full screen runs, or ran last: it can be paused, taken step by step and
 * stopped, and waits for the user before a tool that is marked as destructive. Panes read it.
 */
struct recipe_show_host {
	bool (*query)(void *user, struct query_job *job); /* as in struct effects */
	void (*stop_query)(void *user, struct query_job *job);
	/* beneath_read(): name comes out of the recipe */
	bool (*read_beneath)(
	    void *user, const char *folder, const char *name, struct buf *out, struct err *err);
	void (*changed)(void *user); /* recipe_show_advance() should come soon */
	void *user;
};

struct recipe_show {
	struct recipe_show_host host;
	char *path;
	struct recipe *recipe;
	struct recipe_player *player;
	struct server *server;       /* borrowed: it lives as long as the workspace */
	struct recipe_report report; /* one suite: its cases are the steps done */
	bool paused;
	size_t allowed;               /* steps that may begin although it is paused */
	bool trusts;                  /* no tool is asked about */
	struct strings agreed;        /* tools that the user agreed to */
	char *asks;                   /* the destructive tool that it waits for; NULL: none */
	char *arguments;              /* of that call, in short */
	int64_t started_us, ended_us; /* ended_us: 0 while it runs */
	uint64_t changes;
	bool advancing;
};

/* words: the path of the recipe, then variables, as for --var, and "--env NAME"; text: of that
 * file; project: variables that win over the file's. NULL: err says why. */
struct recipe_show *recipe_show_create(const struct strings *words, const struct buf *text,
    const struct variables *project, struct server *server, const struct recipe_show_host *host,
    struct err *err);
void recipe_show_destroy(struct recipe_show *s); /* NULL-safe */
/* Runs until it has to wait. True: something has changed. */
bool recipe_show_advance(struct recipe_show *s, int64_t now_us);
/* The end of a delay; 0: none. */
static inline int64_t
recipe_show_wake_us(const struct recipe_show *s)
{
	return s && !s->ended_us ? recipe_player_view(s->player).wake_us : 0;
}
void recipe_show_agree(struct recipe_show *s); /* to the tool that it asks for */
void recipe_show_stop(struct recipe_show *s, int64_t now_us);

#endif

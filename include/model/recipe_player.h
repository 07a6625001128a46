#ifndef MODEL_RECIPE_PLAYER_H
#define MODEL_RECIPE_PLAYER_H

#include "mcp/primitive.h"
#include "model/server.h"
#include "recipe/run.h"

/*
 * Plays a recipe on a server: makes the calls that its run wants, and hands jq and snapshots on to
 * its owner. Without I/O. Call recipe_player_advance() after each change of the server.
 */
struct recipe_player;

struct recipe_player_host {
	/* As in struct pane_host. */
	bool (*query)(void *user, struct query_job *job);
	void (*stop_query)(void *user, struct query_job *job);
	/* Appends the file, which is named relative to the recipe. value: what it would have to be;
	 * *written: it is that from now on, and nothing is read. False: err says why not. */
	bool (*snapshot)(void *user, const char *file, const struct buf *value, struct buf *out,
	    bool *written, struct err *err);
	/* May the call be made now? False: not yet, or never. NULL: all may. */
	bool (*may_call)(void *user, const struct primitive *primitive, const char *arguments);
	void (*on_record)(void *user, const struct recipe_record *record);
	/* jq has answered: recipe_player_advance() should come soon, but not from within. */
	void (*on_answer)(void *user);
	void *user;
};

/* Takes given. recipe is borrowed. NULL: err says why, and nothing was called. */
struct recipe_player *recipe_player_create(const struct recipe *recipe, const char *environment,
    struct variables *given, const struct recipe_player_host *host, struct err *err);
void recipe_player_destroy(struct recipe_player *p);
/* Goes on as far as it can. */
void recipe_player_advance(struct recipe_player *p, struct server *s, int64_t now_us);
/* Cancels what is running; the rest is not run. */
void recipe_player_stop(struct recipe_player *p, struct server *s, const char *why, int64_t now_us);

struct recipe_player_view {
	struct recipe_run_view run;
	const struct recipe_want *want;
	uint64_t call; /* that is running; 0: none */
};
struct recipe_player_view recipe_player_view(const struct recipe_player *p);

#endif

#ifndef APP_SERVERS_H
#define APP_SERVERS_H

#include "config/options.h"
#include "host/connection.h"
#include "model/choice.h"
#include "workbench/workbench.h"

/*
 * The servers of the screen: those that may be chosen, and the connections of those that were. A
 * connection lives on when its entry goes from its file.
 */
struct servers;

struct servers_events {
	void (*on_change)(void *user); /* after anything that may have changed one */
	/* What may be chosen, until it comes again. */
	void (*on_choices)(void *user, const struct server_choice *choices, size_t count);
};

/* All arguments are borrowed. */
struct servers *servers_create(struct loop *loop, struct worker *worker,
    const struct options *options, const struct servers_events *events, void *user);
void servers_destroy(struct servers *s);

/* Those that the command line means; without any, those that are found. */
bool servers_load(struct servers *s, struct err *err);
/* Their files may have changed. What is connected stays, whatever became of its file. */
void servers_reload(struct servers *s);

bool servers_start(struct servers *s, size_t choice, struct err *err); /* or again */
bool servers_stop(struct servers *s, size_t choice, struct err *err);
/* Before the program's end: ends HTTP sessions, CONNECTION_FAREWELL_MS at most. NULL-safe. */
void servers_farewell(struct servers *s);
bool servers_approve(struct servers *s, size_t choice, struct err *err);
const struct target_input *servers_wanted(const struct servers *s, size_t choice);
void servers_give(struct servers *s, size_t choice, const char *id, const char *value);

bool servers_authorize(
    struct servers *s, size_t choice, enum workbench_auth what, const char *text, struct err *err);
/* In the user's own file; the choices are those after it. */
bool servers_add(struct servers *s, const char *name, char *const *words, struct err *err);
bool servers_remove(struct servers *s, size_t choice, struct err *err);
bool servers_disable(struct servers *s, size_t choice, bool disabled, struct err *err);
/* The file it is in, or the user's own; NULL: there is none. Caller frees. */
char *servers_file(const struct servers *s, size_t choice);

size_t servers_running(const struct servers *s); /* calls, of all */
/* To be called after a server was asked for something. */
void servers_touch(struct servers *s);

#endif

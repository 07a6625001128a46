/* SPDX-License-Identifier: MIT */
#ifndef HOST_USER_PROGRAMS_H
#define HOST_USER_PROGRAMS_H

#include "base/err.h"
#include "loop/loop.h"

#include <stddef.h>
#include <sys/types.h>

/*
 * The user's web browser: $BROWSER, else xdg-open, started without a shell in its own session,
 * detached from our terminal. It outlives this program.
 */
/* how: "opened by xdg-open", "xdg-open ended with exit code 3". Called once, from the loop;
 * never for a browser that stays in the foreground. */
typedef void browser_end_fn(void *user, bool ok, const char *how);

struct browser {
	char *name; /* of its program */

	/* its own */
	pid_t pid;
	struct loop_watch *watch;
	browser_end_fn *on_end;
	void *user;
};

/* True if $BROWSER is set or this machine has a display. */
bool browser_is_likely(void);

/* url: http or https; the caller checks too. NULL with err: it cannot be started. */
struct browser *browser_open(
    struct loop *loop, const char *url, browser_end_fn *on_end, void *user, struct err *err);
/* Another program of the user, started likewise: a command of words without a shell. */
struct strings;
struct browser *browser_run(
    struct loop *loop, struct strings *words, browser_end_fn *on_end, void *user, struct err *err);
void browser_destroy(struct browser *b); /* does not end the program. NULL-safe */

/*
 * Plays a sound with a program of the user, without a shell, in a separate session. The sound is a
 * temporary file of mode 0600, which is removed with the player.
 */
struct player;

struct player_job {
	const char *command; /* words, of which %s is the file, or it comes last; NULL: the first
			      * program known that there is */
	const char *bytes;
	size_t len;
	const char *ending; /* of the file's name, ".wav" */
	/* Once, from the loop; may destroy the player. why: "" if it played the sound. */
	void (*on_end)(void *user, const char *why);
	void *user;
};

/* The job and its strings are borrowed for the call. */
struct player *player_start(struct loop *loop, const struct player_job *job, struct err *err);
void player_destroy(struct player *p); /* stops it; NULL-safe */

/*
 * Answers sampling requests with a command of the user's, started without a shell: it gets the
 * request as JSON on standard input and prints a text or a CreateMessageResult. Time and size
 * are bounded. One command per request; several may run at once.
 */
struct sampler;
struct server;

#define SAMPLER_MAX_BYTES ((size_t)1 << 20)
#define SAMPLER_TIMEOUT_MS (120 * 1000)

/* command: words, "quoted" or 'quoted' if they contain spaces; NULL: none. on_change is called
 * after a request is drafted or answered. Servers must outlive the sampler. */
struct sampler *sampler_create(
    struct loop *loop, const char *command, void (*on_change)(void *user), void *user);
void sampler_destroy(struct sampler *s); /* ends running commands; NULL-safe */

/* The output becomes the request's draft, a failure its error. */
bool sampler_draft(struct sampler *s, struct server *server, uint64_t question, struct err *err);
/* Without a user: answers every waiting sampling request, or declines it if that fails. */
void sampler_answer_all(struct sampler *s, struct server *server);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef HOST_SAMPLER_H
#define HOST_SAMPLER_H

#include "loop/loop.h"
#include "client/server.h"

/*
 * Answers sampling requests with a command of the user's, started without a shell: it gets the
 * request as JSON on standard input and prints a text or a CreateMessageResult. Time and size
 * are bounded. One command per request; several may run at once.
 */
struct sampler;

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

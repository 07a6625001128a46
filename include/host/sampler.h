#ifndef HOST_SAMPLER_H
#define HOST_SAMPLER_H

#include "loop/loop.h"
#include "model/server.h"

/*
 * Answers samplings by a command of the user's, started without a shell: it gets the request as
 * JSON on its standard input, and what it prints is the answer, a text or a CreateMessageResult.
 * Bounded in time and size. One command a question, several at once.
 */
struct sampler;

#define SAMPLER_MAX_BYTES ((size_t)1 << 20)
#define SAMPLER_TIMEOUT_MS (120 * 1000)

/* command: words, "quoted" or 'quoted' where they hold spaces; NULL: there is none. on_change comes
 * after a question was drafted or answered. Servers must outlive the sampler. */
struct sampler *sampler_create(
    struct loop *loop, const char *command, void (*on_change)(void *user), void *user);
void sampler_destroy(struct sampler *s); /* ends what is at work; NULL-safe */

/* The answer becomes the question's draft, trouble its trouble. */
bool sampler_draft(struct sampler *s, struct server *server, uint64_t question, struct err *err);
/* For those who answer unseen: every sampling that waits is answered, or declined where that fails.
 */
void sampler_answer_all(struct sampler *s, struct server *server);

#endif

#ifndef APP_BUNDLES_H
#define APP_BUNDLES_H

#include "base/strings.h"
#include "host/target.h"
#include "loop/worker.h"

/*
 * The long work on bundles, beside the loop. A job lies in its slot until done() is called there,
 * with the reason if it failed, else NULL; job_drop() ends it early and without done().
 */
typedef void bundles_done_fn(void *user, const char *why);

/* Reads bundles ahead, see host/bundle.h. A bundle that cannot be read is not a failure here. */
void bundles_read_ahead(struct worker *worker, struct job **slot, struct strings *paths_taken,
    bundles_done_fn *done, void *user);
/* The target may go meanwhile. */
void bundles_unpack(struct worker *worker, struct job **slot, const struct target *target,
    bundles_done_fn *done, void *user);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef HOST_APP_HOUSE_H
#define HOST_APP_HOUSE_H

#include "host/options.h"
#include "engine/engine.h"
#include "client/app.h"

/*
 * Runs apps: one engine for the apps of all servers, started when the first app opens. Events of
 * the engine go to the models of the apps (client/app.h).
 */

/* options are borrowed: they select the engine and limit its memory. on_change is called after
 * every possible change of an app. Starts nothing. Without an engine, trouble is the reason that
 * no app runs. The caller may change the context. */
struct app_house *app_house_create(
    struct loop *loop, const struct options *options, void (*on_change)(void *user), void *user);
void app_house_destroy(struct app_house *house); /* after all servers; NULL-safe */

const struct engine_status *app_house_engine(const struct app_house *house); /* NULL: unused */
/* Returns whether the program for the engine exists (see engine_options.program). Starts
 * nothing. */
bool app_house_can_run(const char *program);

#endif

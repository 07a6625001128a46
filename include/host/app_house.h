#ifndef HOST_APP_HOUSE_H
#define HOST_APP_HOUSE_H

#include "host/options.h"
#include "engine/engine.h"
#include "client/app.h"

/*
 * Where apps run: one engine for the apps of all servers, started when the first app opens. What
 * the engine reports goes to the models of the apps (client/app.h).
 */

/* options are borrowed: which engine, and what it may use. on_change is called after every possible change of an app. Starts nothing;
 * without an engine its trouble says why no app runs. The caller may change its context. */
struct app_house *app_house_create(struct loop *loop, const struct options *options,
    void (*on_change)(void *user), void *user);
void app_house_destroy(struct app_house *house); /* after all servers; NULL-safe */

const struct engine_status *app_house_engine(const struct app_house *house); /* NULL: unused */
/* Is there a program for the engine? As engine_options.program; starts nothing. */
bool app_house_can_run(const char *program);

#endif

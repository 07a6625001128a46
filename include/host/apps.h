#ifndef HOST_APPS_H
#define HOST_APPS_H

#include "engine/engine.h"
#include "model/app.h"

/*
 * Where apps run: one engine for the apps of all servers, started when the first app opens. It
 * carries what the engine reports into the models of the apps (model/app.h).
 */
struct apps;

/* options are borrowed. on_change is called after every possible change of an app. Starts nothing;
 * without an engine its house says why no app runs. */
struct apps *apps_create(struct loop *loop, const struct engine_options *options,
    void (*on_change)(void *user), void *user);
void apps_destroy(struct apps *apps); /* after all servers; NULL-safe */
/* For servers (server_use_apps()); its context may be changed. */
struct app_house *apps_house(struct apps *apps);
bool apps_can_run(void); /* is there a program for the engine? Starts nothing */

#endif

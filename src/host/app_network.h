#ifndef HOST_APP_NETWORK_H
#define HOST_APP_NETWORK_H

#include "apps/reach.h"
#include "loop/loop.h"

/*
 * Carries requests of apps to the domains that the user allowed: by our own HTTP client, which has
 * no cookies and no passwords, and leads to private addresses only if the domain is one. A few at a
 * time, bounded in size and time; a redirect goes back to the engine, whose next request is checked
 * like the first.
 */
struct app;
struct app_view;

struct app_network {
	struct loop *loop;
	struct app_errand *first; /* in the order in which they came */
	void (*on_change)(void *user);
	void *user;
};

/* False: it must not go out, and nothing follows. */
bool app_network_carry(struct app_network *n, struct app *app, const struct app_request *request);
/* Nothing follows for that view any more. */
void app_network_forget(struct app_network *n, const struct app_view *view);

#endif

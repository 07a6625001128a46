#ifndef PANE_SERVERS_SERVER_STATE_H
#define PANE_SERVERS_SERVER_STATE_H

#include "pane/pane.h"
#include "ui/page.h"

/* What there is to say of a server that is not, or not quite, there. */

/* Why nothing can be selected: no server, not connected, opening, in trouble, an empty list. */
void server_state_write(struct page *page, const struct pane_env *env);
#define STDERR_LINES 8 /* of a server or call that ended */

/* Why it is not there, what helps, and its last words. */
void server_state_write_trouble(struct page *page, const struct server *server);
/* Nothing while no authorization is wanted: then false. */
bool server_state_write_authorization(struct page *page, const struct server *server);
/* Last lines of stderr, as many as asked for, after the line of them that says why. Nothing where
 * there are none. */
void server_state_write_stderr(struct page *page, const char *title, const char *tail, int lines);
/* What it hangs on, where the transport can tell: a name, a connection, the first byte. */
void server_state_write_wait(struct page *page, const struct server *server, uint64_t request);

#endif

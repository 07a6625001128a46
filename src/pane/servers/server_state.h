#ifndef PANE_SERVERS_SERVER_STATE_H
#define PANE_SERVERS_SERVER_STATE_H

#include "pane/pane.h"
#include "ui/page.h"

/* The state of a server that is not ready. */

/* Why nothing can be selected: no server, disconnected, connecting, failed, an empty list. */
void server_state_write(struct page *page, const struct pane_env *env);
#define STDERR_LINES 8 /* of an ended server or call */

/* Why it failed, what to do, and the end of its stderr. */
void server_state_write_trouble(struct page *page, const struct server *server);
/* False, and nothing written, if no authorization is needed. */
bool server_state_write_authorization(struct page *page, const struct server *server);
/* The last `lines` of stderr, below the line that explains the failure. Empty if there are none. */
void server_state_write_stderr(struct page *page, const char *title, const char *tail, int lines);
/* What it waits for, if the transport knows: DNS, a connection, the first byte. */
void server_state_write_wait(struct page *page, const struct server *server, uint64_t request);

#endif

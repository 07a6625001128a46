#ifndef APP_SERVERS_PRIV_H
#define APP_SERVERS_PRIV_H

#include "cli/authorization.h"
#include "host/inputs.h"
#include "host/trust.h"
#include "servers.h"

struct item {
	struct target target; /* as its file has it */
	enum choice_origin origin;
	struct target run,
	    before; /* with values for its inputs: of the last start, and the one before */
	struct connection *connection; /* NULL: never started */
	uint64_t serial;
	char mark[SHA256_HEX]; /* of a project's; "" otherwise */
	bool approved;
	struct dangers dangers;
	char *folder; /* of a project's */
};

struct servers {
	struct loop *loop;
	struct worker *worker;
	const struct cli_options *options;
	const struct servers_events *events;
	void *user;
	struct inputs inputs;
	struct cli_authorization authorization;
	bool prepared;
	struct {
		struct item **items;
		size_t len, cap;
	} items;
	struct {
		struct server_choice *items;
		size_t len, cap;
	} choices;
	uint64_t last_serial;
	bool added; /* the user's own file is wanted, whatever the command line names */
};

/* ---- servers_list.c ---- */
void servers_item_destroy(struct item *item);
/* NULL: there is none. */
struct item *servers_item_at(const struct servers *s, size_t choice, struct err *err);
/* Tells the choices as they are now. */
void servers_publish(struct servers *s);

#endif

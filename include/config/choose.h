#ifndef CONFIG_CHOOSE_H
#define CONFIG_CHOOSE_H

#include "config/options.h"
#include "config/inputs.h"
#include "config/server_list.h"
#include "config/target.h"

/* Fills the list with every server the command line names; if it names none, with every server
 * found. */
bool server_list_choose(struct server_list *list, const struct options *o, struct err *err);
/* Adds the values of --input. */
void inputs_add_given(struct inputs *in, const struct options *o);
/* Chooses the server to run. A file with a single server needs no name. False: no server, an
 * ambiguous name (err lists them), not approved, or an input has no value. */
bool target_choose(struct target *run, const struct options *o, struct err *err);

#endif

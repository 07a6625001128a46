#ifndef CONFIG_CHOOSE_H
#define CONFIG_CHOOSE_H

#include "config/options.h"
#include "config/inputs.h"
#include "config/server_list.h"
#include "config/target.h"

/* All that the command line names; where it names none, all that is found. */
bool server_list_choose(struct server_list *list, const struct options *o, struct err *err);
/* Values of --input. */
void inputs_add_given(struct inputs *in, const struct options *o);
/* The only server of a file that was named needs no name. False: there is none, it must be named
 * (err lists the names), it was not approved, or a value is missing. */
bool target_choose(struct target *run, const struct options *o, struct err *err);

#endif

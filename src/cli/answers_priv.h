#ifndef CLI_ANSWERS_PRIV_H
#define CLI_ANSWERS_PRIV_H

#include "cli/options.h"
#include "model/answers.h"

/* The options about what servers ask: checked, their files read. */
bool answers_read(struct cli_options *o, struct err *err);
void answers_finish(struct cli_options *o);
/* What they come to; strings are the options'. */
void answers_apply(
    const struct cli_options *o, struct session_capabilities *can, struct answer_policy *policy);

#endif

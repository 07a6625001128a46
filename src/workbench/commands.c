#include "commands_priv.h"

const struct command commands[] = {
#define X(name, keys, args, help, run) { name, keys, args, help, false, run },
#define W(name, keys, args, help, run) { name, keys, args, help, true, run },
	COMMANDS(X, W)
#undef X
#undef W
	    { 0 },
};

bool
workbench_refuse(struct workbench *wb, const char *why)
{
	return workbench_say(wb, ROLE_ERROR, "%s", why);
}

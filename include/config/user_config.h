#ifndef CONFIG_USER_CONFIG_H
#define CONFIG_USER_CONFIG_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The user's own server file, changed entry by entry: all else in it, comments too, stays as it is.
 * Programs that change it take turns (base/private_file.h). False: nothing was changed, err says
 * why.
 */

/* words: a URL, or NAME=value for the environment and then a command with its arguments;
 * NULL-terminated. Makes the file, readable for the user alone, where there is none. */
bool user_config_add(const char *name, char *const *words, struct err *err);
bool user_config_remove(const char *name, struct err *err);
bool user_config_disable(const char *name, bool disabled, struct err *err);

/* Its path; NULL: neither XDG_CONFIG_HOME nor HOME is set. Caller frees. */
char *user_config_path(void);

#endif

#ifndef CONFIG_PROJECT_H
#define CONFIG_PROJECT_H

#include "base/sha256.h"
#include "config/options.h"
#include "config/target.h"
#include "recipe/collection.h"

/*
 * The folder .mcpane of the project that the working directory belongs to: saved calls and
 * environments, see recipe/collection.h. It is looked for from the working directory upwards, not
 * above the root of a repository or the home directory, and has to be a folder of this user.
 * Links are not followed, and nothing in it is executed. The environment that the user chose is in
 * <state>/environments, by the path of that folder.
 */

/* The mark of config/trust.h for one question: may this project send that variable of the process's
 * environment to this server? */
void project_secret_mark(const struct target *t, const char *env, char mark[SHA256_HEX]);

extern const struct collection_host project_host; /* its user is not used */

/* The variables of the environment, and over them NAME=VALUE and NAME:=JSON of --var. The caller
 * finishes it either way. all: as the host reads them. */
bool project_environment(const struct environments *all, const char *name,
    const struct option_strings *given, struct environment *out, struct err *err);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef HOST_PROJECT_H
#define HOST_PROJECT_H

#include "host/options.h"
#include "recipe/collection.h"

/*
 * The folder .mcpane of the project that the working directory belongs to: saved calls and
 * environments, see recipe/collection.h. It is looked for from the working directory upwards, not
 * above the root of a repository or the home directory, and has to be a folder of this user.
 * Links are not followed, and nothing in it is executed. The environment that the user chose is in
 * <state>/environments, by the path of that folder.
 */

extern const struct collection_host project_host; /* its user is not used */

/* The variables of the environment, and over them NAME=VALUE and NAME:=JSON of --var. The caller
 * finishes it either way. all: as the host reads them. */
bool project_environment(const struct environments *all, const char *name,
    const struct option_strings *given, struct environment *out, struct err *err);

#endif

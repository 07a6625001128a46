#ifndef WORKBENCH_COMMANDS_RECIPE_COMMANDS_H
#define WORKBENCH_COMMANDS_RECIPE_COMMANDS_H

#include <stddef.h>

/* cmd_recipe.c, cmd_record.c: rows of COMMANDS. */
#define RECIPE_COMMANDS(X)                                                                        \
	X("run", "", "FILE [NAME=VALUE...] [--env NAME]",                                         \
	    "run a recipe; without a file the last one", cmd_run)                                 \
	X("walk", "", "FILE [NAME=VALUE...] [--env NAME]", "run a recipe step by step", cmd_walk) \
	X("agree-to-call", "", "", "let the recipe call the destructive tool", cmd_agree_to_call) \
	X("stop-recipe", "", "", "stop the recipe", cmd_stop_recipe)                              \
	X("edit-recipe", "", "[FILE]", "edit a recipe in $EDITOR", cmd_edit_recipe)               \
	X("record", "", "[stop FILE|cancel|session FILE|session stop]",                           \
	    "record your calls as a recipe, then write it; or the wire as a session", cmd_record)

struct workbench;
void commands_take_recipe(struct workbench *wb, const char *text, size_t len); /* an edited one */

#endif

#ifndef CONFIG_INPUTS_H
#define CONFIG_INPUTS_H

#include "config/target.h"

/*
 * Values for ${input:ID}: those given on the command line for every file, those typed for one
 * file only, and those of the environment, MCPANE_INPUT_ID in capitals with _ for what is neither
 * letter nor digit. They live as long as the program and are written nowhere.
 */
struct inputs {
	struct input_value {
		char *file; /* NULL: any */
		char *id, *value;
	} * items;
	size_t len, cap;
};

void inputs_finish(struct inputs *in); /* wipes them */
void inputs_set(struct inputs *in, const char *file, const char *id, const char *value);
/* NULL: none is known. */
const char *inputs_find(const struct inputs *in, const char *file, const char *id);
/* The first input of t without a value; NULL: all are known. */
const struct target_input *inputs_missing(const struct inputs *in, const struct target *t);
/* t with all its values. False: one is missing. */
bool inputs_fill(
    const struct inputs *in, struct target *out, const struct target *t, struct err *err);

#endif

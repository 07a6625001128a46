#ifndef HOST_INPUTS_H
#define HOST_INPUTS_H

#include "host/target.h"

/*
 * Values for ${input:ID}: from the command line (for every file), typed by the user (for one
 * file), or from the environment as MCPANE_INPUT_ID, upper case with _ for any character that is
 * not a letter or digit. Kept in memory only.
 */
struct inputs {
	struct input_value {
		char *file; /* NULL: every file */
		char *id, *value;
	} * items;
	size_t len, cap;
};

void inputs_finish(struct inputs *in); /* overwrites the values */
void inputs_set(struct inputs *in, const char *file, const char *id, const char *value);
/* False: the value is none of its options, or not a number within its limits. */
bool inputs_take(const struct target_input *input, const char *value, struct err *err);
/* NULL: unknown. */
const char *inputs_find(const struct inputs *in, const char *file, const char *id);
/* The first input of t without a value that it takes; NULL: none is missing. */
const struct target_input *inputs_missing(const struct inputs *in, const struct target *t);
/* Copies t with every value filled in. False: one is missing. */
bool inputs_fill(
    const struct inputs *in, struct target *out, const struct target *t, struct err *err);

#endif

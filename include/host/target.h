/* SPDX-License-Identifier: MIT */
#ifndef HOST_TARGET_H
#define HOST_TARGET_H

#include "base/err.h"
#include "client/target.h"

void target_finish(struct target *t);
/* For `mcpane https://host/mcp`, named after the host. Takes headers (NULL: none). */
void target_from_url(struct target *t, const char *url, char **headers);
/* Moves user:password@ of the URL into a header, so that it is never shown. A URL with inputs
 * there keeps it until target_fill(). */
void target_hide_login(struct target *t);
char *target_url_without_login(const char *url); /* caller frees */
/* The same, with secret query parameters hidden too. */
char *target_url_to_show(const char *url);
/* For `mcpane -- COMMAND ARG...`, named after the command. */
void target_from_command(struct target *t, char *const *argv);
/* The demo server: this program with --serve-demo. */
bool target_from_demo(struct target *t, struct err *err);

/* The input of that id; NULL: it has none. */
const struct target_input *target_find_input(const struct target *t, const char *id, size_t len);
/* The value of an input; NULL: unknown. */
typedef const char *target_input_fn(void *user, const struct target_input *input);
/* Copies t with values instead of its inputs. False: one has no value; err names it, out is
 * finished. */
bool target_fill(struct target *out, const struct target *t, target_input_fn *value, void *user,
    struct err *err);

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

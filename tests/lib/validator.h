/* SPDX-License-Identifier: MIT */
#ifndef VALIDATOR_H
#define VALIDATOR_H

#include "schema/schema.h"

/* Validates with one schema in every possible way: fast, collecting and lazily, with and without
 * plans, with values as nodes and as lazy arrays. The results must agree. If one of them is
 * undecided, so is the verdict. */
struct validator {
	const cJSON *text; /* source of the schema */
	struct schema *planned, *plain;
	struct schema_problem problem; /* set if neither compiles */
};

enum validity {
	IS_INVALID,
	IS_VALID,
	IS_UNDECIDED,
	IS_REFUSED,     /* the schema does not compile */
	IS_INCONSISTENT /* two ways disagree: a defect of the validator */
};

void validator_init(
    struct validator *validator, const cJSON *schema, const struct schema_options *options);
void validator_finish(struct validator *validator);
enum validity validate(const struct validator *validator, const cJSON *value);

/* Return the parsed file. Exits with a message if it cannot be read. */
struct json_doc *load_document(const char *path);

#endif

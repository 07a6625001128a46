#ifndef VALIDATOR_H
#define VALIDATOR_H

#include "schema/library.h"

/* One schema in every way it can be used: quickly, collecting and as needed, with plans and
 * without, its values as nodes and with lazy arrays. No two may contradict
 * each other; if one is undecided, the verdict is. */
struct validator {
	const cJSON *text; /* the schema's */
	struct schema *planned, *plain;
	struct schema_problem problem; /* where neither compiles */
};

enum validity {
	IS_INVALID,
	IS_VALID,
	IS_UNDECIDED,
	IS_REFUSED,     /* the schema does not compile */
	IS_INCONSISTENT /* no two ways may differ: a fault of the checker */
};

void validator_init(
    struct validator *validator, const cJSON *schema, const struct schema_options *options);
void validator_finish(struct validator *validator);
enum validity validate(const struct validator *validator, const cJSON *value);

/* A file's tree; exits with a message where it cannot be read. */
struct json_doc *load_document(const char *path);

#endif

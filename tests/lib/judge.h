#ifndef JUDGE_H
#define JUDGE_H

#include "schema/library.h"

/* One schema in every way it can be used: quickly, collecting and as needed, with plans and
 * without, its values as nodes and with lazy arrays. Each way has to come to the same verdict. */
struct judge {
	const cJSON *text; /* the schema's */
	struct schema *planned, *plain;
	struct schema_problem problem; /* where neither compiles */
};

enum judgement {
	JUDGED_INVALID,
	JUDGED_VALID,
	JUDGED_UNDECIDED,
	JUDGED_REFUSED,  /* the schema does not compile */
	JUDGED_VARIOUSLY /* no two ways may differ: a fault of the checker */
};

void judge_init(struct judge *judge, const cJSON *schema, const struct schema_options *options);
void judge_finish(struct judge *judge);
enum judgement judge(const struct judge *judge, const cJSON *value);

/* A file's tree; exits with a message where it cannot be read. */
struct json_doc *judge_load(const char *path);

#endif

#ifndef SCHEMA_ANNOTATIONS_H
#define SCHEMA_ANNOTATIONS_H

#include "base/buf.h"
#include "schema/schema.h"

/*
 * What a schema says about a value besides whether it is valid: title, description, default,
 * examples, deprecated, readOnly, writeOnly, format, content… and keywords nobody knows, of every
 * subschema that applies to it. A branch that does not hold says nothing (2020-12 core, 7.7.1).
 */
enum annotate_mode {
	ANNOTATE_VALID,  /* an invalid value has no annotations, as in the specification */
	ANNOTATE_ANYWAY, /* only branches of anyOf, oneOf, if and contains are left out */
};

struct walk_step;

struct annotation {
	const cJSON *node;   /* of the instance; a child of it for a member or an item */
	const char *keyword; /* "title" */
	const cJSON *value;  /* in the schema's text */
	const struct walk_step *way;
};

/* False: no more are wanted. The annotation lives for the call only. */
typedef bool annotation_fn(void *ctx, const struct annotation *annotation);

/* Outer values before what is in them. False: there may be more, either
 * because the callback said so or because it would take too long. */
bool schema_annotations(const struct schema *schema, const cJSON *instance, enum annotate_mode mode,
    annotation_fn *fn, void *ctx);

/* Append where it is about and where it comes from, as report.h has it. */
void annotation_instance_path(const struct annotation *annotation, struct buf *out);
void annotation_keyword_path(const struct annotation *annotation, struct buf *out);
bool annotation_absolute_path(const struct annotation *annotation, struct buf *out);

#endif

#ifndef SCHEMA_ANNOTATIONS_H
#define SCHEMA_ANNOTATIONS_H

#include "base/buf.h"
#include "schema/schema.h"

/*
 * The annotations of a value: title, description, default, examples, deprecated, readOnly,
 * writeOnly, format, content… and unknown keywords, from every subschema that applies to it. A
 * subschema that fails contributes none (2020-12 core, 7.7.1).
 */
enum annotate_mode {
	ANNOTATE_VALID,  /* an invalid value has no annotations, as the specification says */
	ANNOTATE_ANYWAY, /* drops only the failed branches of anyOf, oneOf, if and contains */
};

struct walk_step;

struct annotation {
	const cJSON *node; /* in the instance; the member or item if the annotation is about one */
	const char *keyword; /* "title" */
	const cJSON *value;  /* in the schema's tree */
	const struct walk_step *step;
};

/* Returns false to stop. The annotation is valid only during the call. */
typedef bool annotation_fn(void *ctx, const struct annotation *annotation);

/* Visits outer values before inner ones. Returns false if it stopped early, either because the
 * callback asked for it or because it would take too long. */
bool schema_annotations(const struct schema *schema, const cJSON *instance, enum annotate_mode mode,
    annotation_fn *fn, void *ctx);

/* Append the locations of the value and of the keyword, in the format of report.h. */
void annotation_instance_path(const struct annotation *annotation, struct buf *out);
void annotation_keyword_path(const struct annotation *annotation, struct buf *out);
bool annotation_absolute_path(const struct annotation *annotation, struct buf *out);

#endif

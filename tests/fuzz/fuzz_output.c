#include "fuzz.h"

#include "schema/annotations.h"
#include "schema/output.h"

#include <stdlib.h>
#include <string.h>

typedef void output_fn(struct json_writer *w, const struct report *report);

static void
findings(struct json_writer *w, const struct report *report)
{
	json_write_object(w);
	output_findings(w, report);
	json_write_object_end(w);
}

/* Whatever is said of whatever it is said about, it is JSON. */
static void
write_all(const struct report *report)
{
	static output_fn *const WRITERS[] = { output_flag, output_basic, findings };
	const struct json_options options = { .max_depth = 10000 };

	for (size_t i = 0; i < sizeof(WRITERS) / sizeof(*WRITERS); i++) {
		struct buf out = { .max = 8 << 20 };
		struct json_writer w;
		json_write_init(&w, &out);
		WRITERS[i](&w, report);
		struct json_doc *doc = json_parse(buf_text(&out), out.len, &options, NULL);
		if (!doc && !out.overflowed)
			abort();
		json_doc_destroy(doc);
		buf_finish(&out);
	}
}

static bool
read_one(void *ctx, const struct annotation *a)
{
	struct buf out = BUF_INIT;

	annotation_instance_path(a, &out);
	annotation_keyword_path(a, &out);
	annotation_absolute_path(a, &out);
	buf_finish(&out);
	return --*(size_t *)ctx > 0;
}

/* A schema and an instance, parted by the first NUL or, where there is none, the first line end. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = memchr(data, 0, size);

	if (!cut)
		cut = memchr(data, '\n', size);
	if (!cut)
		return 0;
	size_t len = (size_t)(cut - data), most = 1000;
	struct json_doc *text = json_parse((const char *)data, len, NULL, NULL);
	struct json_doc *value = json_parse((const char *)cut + 1, size - len - 1, NULL, NULL);
	if (text && value) {
		const struct schema_options options = { .uri = "https://example.org/schema" };
		const struct check_options limits = { .max_steps = 200000, .max_violations = 100 };
		struct schema *schema = schema_compile(json_root(text), &options, NULL);
		struct report *report =
		    schema ? schema_check(schema, json_root(value), &limits) : NULL;
		if (report) {
			write_all(report);
			schema_annotations(
			    schema, json_root(value), ANNOTATE_ANYWAY, read_one, &most);
		}
		report_destroy(report);
		schema_destroy(schema);
	}
	json_doc_destroy(text);
	json_doc_destroy(value);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "fuzz.h"

#include "json/print.h"
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

/* Every report of any value is JSON, and lazy arrays give the same one. */
static void
write_all(const struct report *report, struct buf *all)
{
	static output_fn *const WRITERS[] = { output_flag, output_basic, findings };
	const struct json_options options = { .max_depth = 10000 };

	for (size_t i = 0; i < ARRAY_LEN(WRITERS); i++) {
		struct buf out = { .max = 8 << 20 };
		struct json_writer w;
		json_write_init(&w, &out);
		WRITERS[i](&w, report);
		struct json_doc *doc = json_parse(buf_text(&out), out.len, &options, NULL);
		if (!doc && !out.overflowed)
			abort();
		buf_add(all, buf_text(&out), out.len);
		json_doc_destroy(doc);
		buf_finish(&out);
	}
}

struct reader {
	struct buf *all;
	size_t left;
};

static bool
read_one(void *ctx, const struct annotation *a)
{
	struct reader *r = ctx;

	annotation_instance_path(a, r->all);
	annotation_keyword_path(a, r->all);
	annotation_absolute_path(a, r->all);
	return --r->left > 0;
}

static void
use(const struct schema *schema, const cJSON *value, struct buf *all)
{
	const struct check_options limits = { .max_steps = 200000, .max_violations = 100 };
	struct report *report = schema_check(schema, value, &limits);
	struct reader reader = { .all = all, .left = 1000 };

	write_all(report, all);
	schema_annotations(schema, value, ANNOTATE_ANYWAY, read_one, &reader);
	report_destroy(report);
}

static struct json_doc *
parse_lazily(const cJSON *value, struct buf *text)
{
	json_print(text, value);
	return json_parse(
	    buf_text(text), text->len, &(struct json_options){ .lazy_bytes = 1 }, NULL);
}

/* A schema and an instance, separated by the first NUL or, without one, by the first line end. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct schema_options options = {
		.uri = "https://example.org/schema",
		.asserts_content = true,
		.strict_integers = true,
	};
	const uint8_t *cut = memchr(data, 0, size);

	if (!cut)
		cut = memchr(data, '\n', size);
	if (!cut)
		return 0;
	size_t len = (size_t)(cut - data);
	struct json_doc *text = json_parse((const char *)data, len, NULL, NULL);
	struct json_doc *value = json_parse((const char *)cut + 1, size - len - 1, NULL, NULL);
	struct schema *schema =
	    text && value ? schema_compile(json_root(text), &options, NULL) : NULL;
	if (schema) {
		struct buf again = BUF_INIT, said = BUF_INIT, lazily = BUF_INIT;
		struct json_doc *lazy = parse_lazily(json_root(value), &again);
		demand(lazy);
		use(schema, json_root(value), &said);
		use(schema, json_root(lazy), &lazily);
		demand(strcmp(buf_text(&said), buf_text(&lazily)) == 0);
		buf_finish(&said);
		buf_finish(&lazily);
		json_doc_destroy(lazy);
		buf_finish(&again);
	}
	schema_destroy(schema);
	json_doc_destroy(text);
	json_doc_destroy(value);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Findings and lenses of an arbitrary definition, the first line, and an arbitrary result, the
 * rest: they end, stay within their bounds, and each text is one line. */
#include "fuzz.h"

#include "base/mem.h"
#include "client/call.h"
#include "client/lens.h"
#include "schema/schema.h"

#include <string.h>

static void
check_findings(const struct findings *f)
{
	demand(f->len <= FINDINGS_MAX);
	for (size_t i = 0; i < f->len; i++) {
		demand(f->items[i].kind && f->items[i].pointer && !strchr(f->items[i].text, '\n'));
		demand(!f->items[i].pointer[0] || f->items[i].pointer[0] == '/' ||
		       strchr(f->items[i].pointer, '#'));
	}
}

static void
look_at_tool(struct json_doc *doc)
{
	struct schema_library *library = schema_library_create();
	struct findings f = { 0 };
	struct primitive p;

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		primitive_decode(&p, (enum primitive_kind)kind, doc, json_root(doc));
		findings_of_tool(&f, &p, library);
		check_findings(&f);
		findings_finish(&f);
	}
	schema_library_destroy(library);
}

static void
look_at_result(struct json_doc *definition, struct json_doc *result)
{
	struct session_reply reply = {
		.kind = REPLY_RESULT, .doc = result, .value = json_root(result)
	};
	struct call *read = call_create(2, "file:///a", NULL, "{}", 2, 0);
	struct call *c = call_create(1, "t", definition, "{}", 2, 0);
	struct lens_view views[LENS_COUNT];

	call_take_reply(c, &reply, 20000000);
	call_check(c);
	call_review(c);
	check_findings(&c->findings);
	findings_of_read(&c->findings, c, read);
	check_findings(&c->findings);
	const struct lens_input in = { .result = c->result, .verdict = c->verdict.kind };
	lens_look(views, &in, NULL);
	for (size_t i = 0; i < LENS_COUNT; i++)
		demand(views[i].text.len <= LENS_TEXT_MAX &&
		       views[i].tokens <= 3 * views[i].bytes + 1);
	lens_views_finish(views);
	call_destroy(c);
	call_destroy(read);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end = memchr(text, '\n', size);
	size_t first = end ? (size_t)(end - text) : size;
	struct json_doc *definition = json_parse(text, first, NULL, NULL);
	struct json_doc *result = end ? json_parse(end + 1, size - first - 1, NULL, NULL) : NULL;

	if (definition)
		look_at_tool(definition);
	if (result)
		look_at_result(definition ? json_doc_ref(definition) : NULL, result);
	json_doc_destroy(definition);
	return 0;
}

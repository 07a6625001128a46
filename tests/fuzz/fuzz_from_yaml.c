/* SPDX-License-Identifier: MIT */
/* YAML: it is refused with a reason and a place, or gives JSON without a key twice that prints and
 * parses again as the same value. */
#include "fuzz.h"

#include "json/equal.h"
#include "json/print.h"
#include "json/from_yaml.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_error why = { 0 };
	struct buf out = BUF_INIT;
	struct json_doc *doc = yaml_parse((const char *)data, size, &why);

	demand(doc || (why.line > 0 && why.column > 0 && why.text[0]));
	if (doc) {
		json_print(&out, json_root(doc));
		struct json_doc *again = json_parse(buf_text(&out), out.len, NULL, NULL);
		demand(again && json_equal(json_root(doc), json_root(again)));
		json_doc_destroy(again);
	}
	json_doc_destroy(doc);
	buf_finish(&out);
	return 0;
}

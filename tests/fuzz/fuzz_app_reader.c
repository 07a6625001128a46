/* SPDX-License-Identifier: MIT */
/* Any JSON as the accessibility tree of a page: the text is bounded, and has a line for a node at
 * most. */
#include "fuzz.h"

#include "apps/reader.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *doc = json_parse((const char *)data, size, NULL, NULL);
	struct buf out = BUF_INIT;
	size_t lines = 0;

	if (!doc)
		return 0;
	app_reader_add(&out, json_root(doc));
	for (size_t i = 0; i < out.len; i++)
		lines += out.data[i] == '\n';
	demand(lines <= json_count(json_root(doc)) + 1);
	demand(out.len < ((size_t)256 << 10) + ((size_t)20 << 10));
	demand(out.len == 0 || out.data[out.len - 1] == '\n');
	buf_finish(&out);
	json_doc_destroy(doc);
	return 0;
}

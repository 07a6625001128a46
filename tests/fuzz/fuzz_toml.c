/* SPDX-License-Identifier: MIT */
/* A TOML file of any bytes is refused at a place within it, or becomes JSON. */
#include "fuzz.h"

#include "host/server_file/entry.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_error where = { 0 };
	struct buf out = BUF_INIT;

	if (server_file_toml((const char *)data, size, &out, &where)) {
		struct json_doc *doc = json_parse(buf_text(&out), out.len, NULL, &where);
		demand(doc || strstr(where.text, "nested"));
		json_doc_destroy(doc);
	} else {
		demand(where.line > 0 && where.column > 0 && where.text[0]);
	}
	buf_finish(&out);
	return 0;
}

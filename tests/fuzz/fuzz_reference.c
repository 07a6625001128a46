/* SPDX-License-Identifier: MIT */
/* A reference to another call, as typed: it names a tool that there is, an age that is one, and an
 * expression that is the rest of the text. */
#include "fuzz.h"

#include "base/vec.h"
#include "client/chain.h"

#include <stdlib.h>
#include <string.h>

static struct primitive_list *
make_tools(void)
{
	static const char json[] = "[{\"name\":\"a\"},{\"name\":\"a.b\"},{\"name\":\"list_users\"},"
				   "{\"name\":\"odd (x) | y\"}]";
	static struct primitive_list list;
	static struct json_doc *doc;

	if (doc)
		return &list;
	doc = json_parse(json, sizeof(json) - 1, NULL, NULL);
	for (const cJSON *tool = json_first(json_root(doc)); tool; tool = tool->next)
		primitive_decode(VEC_PUSH(&list), PRIMITIVE_TOOL, doc, tool);
	primitive_list_number(&list);
	return &list;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = BUF_INIT;
	struct call_reference r;
	struct err err;

	buf_add(&text, data, size);
	const char *typed = buf_text(&text);
	if (call_reference_read(&r, typed, make_tools(), &err)) {
		size_t name = strlen(r.tool->key), rest = r.query.len;
		size_t made = rest > 0 && buf_text(&r.query)[0] == '.' ? 1 : 0;
		demand(typed[0] == '@' && strncmp(typed + 1, r.tool->key, name) == 0);
		demand(r.max_age_us >= 0 && rest <= strlen(typed) + 1);
		demand(
		    strcmp(typed + strlen(typed) - (rest - made), buf_text(&r.query) + made) == 0);
	} else {
		demand(r.query.len == 0 && (err.text[0] == '\0' || r.tool));
	}
	buf_finish(&r.query);
	buf_finish(&text);
	return 0;
}

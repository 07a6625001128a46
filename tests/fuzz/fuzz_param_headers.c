/* SPDX-License-Identifier: MIT */
/* x-mcp-header: a schema on the first line, arguments on the rest. Names are tokens and differ,
 * values are printable. */
#include "fuzz.h"

#include "json/pointer.h"
#include "mcp/param_headers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void
check_value(const cJSON *value)
{
	char *text = param_header_value(value);

	for (const char *c = text; c && *c; c++)
		if (*c < 0x20 || *c > 0x7e)
			abort();
	free(text);
}

static void
check_names(const struct param_headers *h)
{
	for (size_t i = 0; i < h->len; i++) {
		if (strpbrk(h->items[i].name, " :\r\n\t") || !*h->items[i].name)
			abort();
		for (size_t k = 0; k < i; k++)
			if (strcasecmp(h->items[i].name, h->items[k].name) == 0)
				abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *line = size > 0 ? memchr(data, '\n', size) : NULL;
	size_t len = line ? (size_t)(line - text) : size;
	struct json_doc *schema = json_parse(text, len, NULL, NULL);
	struct json_doc *arguments = line ? json_parse(line + 1, size - len - 1, NULL, NULL) : NULL;
	struct param_headers h;
	char problem[160] = "";

	if (schema && param_headers_read(&h, json_root(schema), problem, sizeof(problem))) {
		check_names(&h);
		for (size_t i = 0; i < h.len && arguments; i++)
			check_value(json_pointer_find(json_root(arguments), h.items[i].pointer));
		param_headers_finish(&h);
	} else if (schema && !problem[0]) {
		abort();
	}
	if (arguments)
		check_value(json_root(arguments));
	json_doc_destroy(schema);
	json_doc_destroy(arguments);
	return 0;
}

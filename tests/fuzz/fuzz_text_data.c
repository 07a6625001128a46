/* SPDX-License-Identifier: MIT */
/* Any text is data or none; a table that was made of one is JSON whose rows are objects. */
#include "fuzz.h"

#include "json/print.h"
#include "data/text_data.h"

#include <string.h>

static void
demand_rows(const cJSON *array)
{
	demand(json_type(array) == JSON_ARRAY && json_count(array) > 0);
	for (const cJSON *row = json_first(array); row; row = row->next)
		demand(json_type(row) == JSON_OBJECT);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct json_doc *doc = NULL;
	struct json_error error = { 0 };
	enum text_data_kind kind = text_data_read(text, size, NULL, &doc, &error);

	const cJSON *root = json_root(doc);

	text_data_begins_json(text, size);
	demand(!doc || !error.text[0]);
	demand((doc != NULL) == (kind != TEXT_DATA_NONE));
	if (kind == TEXT_DATA_CSV || kind == TEXT_DATA_TSV)
		demand_rows(root);
	bool markdown = kind == TEXT_DATA_MARKDOWN || kind == TEXT_DATA_TABLES;
	if (markdown && json_type(root) == JSON_ARRAY)
		demand_rows(root);
	else if (markdown)
		for (const cJSON *table = json_first(root); table; table = table->next)
			demand_rows(table);
	if (kind == TEXT_DATA_JSON_LINES)
		demand(json_type(root) == JSON_ARRAY && json_count(root) > 1);
	json_doc_destroy(doc);
	return 0;
}

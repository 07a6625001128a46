/* SPDX-License-Identifier: MIT */
/* Any filter on any table: an error position is inside its text, selecting by it gives the same
 * rows as filtering, and the filter made from a cell shows its row. Input: the filter up to a zero
 * byte, then the value. */
#include "fuzz.h"

#include "base/mem.h"
#include "data/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void
check_cells(struct table *t)
{
	struct buf text = BUF_INIT;

	for (size_t c = 0; c < t->columns.len && c < 4; c++) {
		buf_clear(&text);
		if (t->row_count == 0 || !table_filter_of_cell(t, 0, c, false, &text))
			continue;
		table_filter(t, buf_text(&text));
		demand(t->shown > 0 && t->order[0] == 0);
	}
	buf_finish(&text);
}

static void
check_filter(struct table *t, const char *filter)
{
	struct filter_fault fault;
	enum filter_look look = table_filter_look(t, filter, &fault);

	demand(fault.at + fault.len <= strlen(filter));
	demand((look == FILTER_LOOK_WRONG) == (fault.text[0] != '\0'));
	table_filter(t, filter);
	size_t shown = t->shown;
	demand(look != FILTER_LOOK_WRONG || shown == t->row_count);
	table_filter(t, NULL);
	table_select_matching(t, filter);
	demand(t->selected.count == shown);
	for (size_t i = 0; i < t->columns.len; i++)
		if (strcasecmp(t->columns.items[i].name, "@selected") == 0)
			return;
	table_filter(t, "not @selected");
	demand(t->shown == t->row_count - shown);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	struct table_spots spots;

	if (!zero)
		return 0;
	size_t len = (size_t)(zero - data);
	struct json_doc *doc = json_parse((const char *)zero + 1, size - len - 1, NULL, NULL);
	if (!doc)
		return 0;
	char *filter = mem_strndup((const char *)data, len);
	shape_find(&spots, json_root(doc), NULL);
	for (size_t i = 0; i < spots.len && i < 4; i++) {
		struct table table;
		table_init(&table, &spots.items[i], NULL);
		check_filter(&table, filter);
		check_cells(&table);
		table_finish(&table);
	}
	shape_finish(&spots);
	free(filter);
	json_doc_destroy(doc);
	return 0;
}

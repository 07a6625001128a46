#ifndef DATA_TEXT_DATA_H
#define DATA_TEXT_DATA_H

#include "json/doc.h"

/*
 * The data that a text is, read as an ordinary doc, so that whoever shows JSON shows it too. The
 * detection is strict, because prose must not become a table:
 *   JSON        the whole text is an object or an array, maybe within one ``` fence
 *   JSON Lines  two lines or more, each an object, or each an array
 *   CSV, TSV    a line of different names, then lines with just as many cells, separated by commas,
 *               semicolons or tabs (RFC 4180); an array of objects
 *   Markdown    every table of the text (GFM): an array of objects, or an object of such arrays by
 *               the heading above each; known to be all of the text, or not
 * In a table a JSON number is a number with its exact digits, true and false are booleans, all else
 * is a string; an empty cell is absent, but "" in quotes is an empty string.
 */
enum text_data_kind {
	TEXT_DATA_NONE,
	TEXT_DATA_JSON,
	TEXT_DATA_JSON_LINES,
	TEXT_DATA_CSV,
	TEXT_DATA_TSV,
	TEXT_DATA_MARKDOWN, /* one or more tables, below headings or not */
	TEXT_DATA_TABLES,   /* the tables in other Markdown text: the text says more */
};
extern const char *const text_data_names[]; /* "JSON", "Markdown tables" */

/* Returns its kind and sets *doc, NULL for TEXT_DATA_NONE; error (may be NULL) then has a text if
 * it begins as JSON does and no prose, but is not, perhaps because it was cut. Arrays of 2 MiB or
 * more are lazy. It takes time in proportion to len; job (may be NULL): the work this is part of,
 * which stops it. */
enum text_data_kind text_data_read(
    const char *text, size_t len, struct job *job, struct json_doc **doc, struct json_error *error);
/* Of several texts the first that is data as a whole counts; the tables of a text that says more
 * only if there is none. */
static inline bool
text_data_outranks(enum text_data_kind kind, enum text_data_kind other)
{
	return other == TEXT_DATA_NONE     ? kind != TEXT_DATA_NONE
	       : other == TEXT_DATA_TABLES ? kind != TEXT_DATA_NONE && kind != TEXT_DATA_TABLES
					   : false;
}
/* Could a text with this beginning be JSON or JSON Lines? Looks at a few bytes. */
bool text_data_begins_json(const char *text, size_t len);

#endif

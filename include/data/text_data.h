/* SPDX-License-Identifier: MIT */
#ifndef DATA_TEXT_DATA_H
#define DATA_TEXT_DATA_H

#include "json/doc.h"

/*
 * Recognizes data in text and reads it as a JSON document, so that all views of JSON can show it.
 * The detection is strict, because prose must not become a table:
 *   JSON        the whole text is an object or an array, perhaps in a ``` fence
 *   JSON Lines  two lines or more, each an object, or each an array
 *   CSV, TSV    a line of different names, then lines with the same number of cells, separated by
 *               commas, semicolons or tabs (RFC 4180); becomes an array of objects
 *   Markdown    all tables of the text (GFM): one becomes an array of objects, several an object
 *               of arrays, named by the headings before them
 * In a table, JSON numbers keep their exact digits, true and false are booleans, and anything else
 * is a string. An empty cell is absent, but "" in quotes is an empty string.
 */
enum text_data_kind {
	TEXT_DATA_NONE,
	TEXT_DATA_JSON,
	TEXT_DATA_JSON_LINES,
	TEXT_DATA_CSV,
	TEXT_DATA_TSV,
	TEXT_DATA_MARKDOWN, /* only tables and headings */
	TEXT_DATA_TABLES,   /* tables in Markdown with other text */
};
extern const char *const text_data_names[]; /* "JSON", "Markdown tables" */

/* Return the kind and set *doc, NULL for TEXT_DATA_NONE. error (may be NULL) then has a text if the
 * text begins like JSON but is not valid, perhaps because it was cut. Arrays of 2 MiB or more are
 * lazy. The time is proportional to len; job (may be NULL) can stop it. */
enum text_data_kind text_data_read(
    const char *text, size_t len, struct job *job, struct json_doc **doc, struct json_error *error);
/* Return whether a text of this kind is preferred to an earlier text of the other kind: the first
 * text that is data as a whole wins, before tables in other Markdown. */
static inline bool
text_data_outranks(enum text_data_kind kind, enum text_data_kind other)
{
	return other == TEXT_DATA_NONE     ? kind != TEXT_DATA_NONE
	       : other == TEXT_DATA_TABLES ? kind != TEXT_DATA_NONE && kind != TEXT_DATA_TABLES
					   : false;
}
/* Return whether a text can be JSON or JSON Lines, from its first bytes. */
bool text_data_begins_json(const char *text, size_t len);

#endif

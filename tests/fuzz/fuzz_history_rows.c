/* SPDX-License-Identifier: MIT */
/* Rows of a history file with any values, even ids of a wrong type: the list, a search, each whole
 * row, and the queries of the form and of a comparison. */
#include "fuzz.h"

#include "base/mem.h"
#include "base/path.h"
#include "host/history.h"
#include "json/doc.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static const char columns_of_call[] =
    "INSERT OR REPLACE INTO call(id, server, kind, key, uri, state, verdict, is_error, pinned,"
    " took_us, bytes, held, name, arguments, text, error, more)"
    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
static const char columns_of_body[] =
    "INSERT OR REPLACE INTO body(id, label, error_code, hash, arguments, reply)"
    " VALUES(?,?,?,?,?,?)";

static struct history *history;
static sqlite3 *db;

static void
open_file(void)
{
	static char folder[] = "/tmp/mcpane-fuzz-history-XXXXXX";
	struct err err;

	demand(mkdtemp(folder) != NULL);
	char *path = mem_printf("%s/history.db", folder);
	history = history_create(&(struct history_options){ .path = path });
	demand(history_host.off(history) == NULL);
	demand(history_prune(history, &err));
	demand(sqlite3_open(path, &db) == SQLITE_OK);
	/* both have it open: nothing stays behind */
	char *command = mem_printf("rm -rf %s", folder);
	demand(sqlite3_exec(db, "PRAGMA synchronous=OFF", NULL, NULL, NULL) == SQLITE_OK);
	demand(system(command) == 0);
	free(command);
	free(path);
}

/* Up to a 0xff. */
static size_t
text_length(const uint8_t *data, size_t size)
{
	const uint8_t *end = size > 0 ? memchr(data, 0xff, size) : NULL;

	return end ? (size_t)(end - data) : size;
}

/* A byte for the type, and the value. */
static void
bind(sqlite3_stmt *s, int index, const uint8_t **data, size_t *size)
{
	uint8_t type = *size > 0 ? **data % 6 : 5;
	int64_t number = 0;
	size_t len = *size > 0 ? 1 : 0;

	*data += len;
	*size -= len;
	if (type < 2) {
		len = type == 0 ? 1 : 8;
		len = len < *size ? len : *size;
		memcpy(&number, *data, len);
		sqlite3_bind_int64(s, index, number);
	} else if (type < 4) {
		len = text_length(*data, *size);
		if (type == 2)
			sqlite3_bind_text(
			    s, index, (const char *)*data, (int)len, SQLITE_TRANSIENT);
		else
			sqlite3_bind_blob(s, index, *data, (int)len, SQLITE_TRANSIENT);
		len += len < *size;
	} else {
		len = 0;
		if (type == 4)
			sqlite3_bind_double(s, index, 1e300);
		else
			sqlite3_bind_null(s, index);
	}
	*data += len;
	*size -= len;
}

static void
insert(const char *sql, int columns, const uint8_t **data, size_t *size)
{
	sqlite3_stmt *s;

	demand(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK);
	for (int i = 1; i <= columns; i++)
		bind(s, i, data, size);
	sqlite3_step(s); /* an id that is not an integer is refused */
	sqlite3_finalize(s);
}

static void
look_at(uint64_t id)
{
	struct history_call h, last;
	struct buf json = BUF_INIT;

	demand(id != 0);
	if (!history_host.find(history, id, true, &h))
		return;
	demand(h.id == id);
	history_add_json(&h, true, &json);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	demand(doc != NULL);
	json_doc_destroy(doc);
	buf_finish(&json);
	if (history_host.last(
		history, h.server, (enum primitive_kind)h.kind, h.key, INT64_MAX, &last))
		history_finish(&last);
	struct strings sets = { 0 };
	history_host.arguments(history, h.server, (enum primitive_kind)h.kind, h.key, 10, &sets);
	strings_finish(&sets);
	history_finish(&h);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct filter_clock clock = { INT64_C(1785240000000000), 0 };
	struct history_ids ids = { 0 };
	struct history_call none;
	struct filter filter = { 0 };

	if (!history)
		open_file();
	sqlite3_exec(db, "BEGIN;DELETE FROM call;DELETE FROM body", NULL, NULL, NULL);
	for (int i = size > 0 ? data[0] % 3 : 0; i >= 0; i--) {
		insert(columns_of_call, 17, &data, &size);
		insert(columns_of_body, 6, &data, &size);
	}
	demand(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
	char *words = mem_strndup((const char *)data, text_length(data, size));
	for (int all = 0; all < 2; all++) {
		filter_set(&filter, history_words, all ? "" : words, &clock);
		history_host.list(history, &filter, NULL, &ids);
		for (size_t i = 0; i < ids.len; i++)
			look_at(ids.items[i]);
	}
	demand(!history_host.find(history, 0, true, &none));
	demand(history_host.off(history) == NULL);
	filter_finish(&filter);
	free(ids.items);
	free(words);
	return 0;
}

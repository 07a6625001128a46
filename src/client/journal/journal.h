#ifndef CLIENT_JOURNAL_JOURNAL_H
#define CLIENT_JOURNAL_JOURNAL_H

#include "json/write.h"
#include "client/journal.h"

/* brief.c: what a message says, in one line */
void journal_describe(struct journal_entry *e, const cJSON *message);

/* timings.c */
void timings_finish(struct timings *t);
void timings_add_request(struct timings *t, const struct journal_entry *request);
void timings_add_reply(
    struct timings *t, const struct journal_entry *request, const struct journal_entry *reply);
void timings_add_error(struct timings *t, const struct journal_entry *request);

/* ---- export.c writes what exporter.c chooses and copies ---- */

/* An entry and, for formats of exchanges, what belongs to it: copies that any thread may read. */
struct export_item {
	struct journal_entry entry, note, reply;
	bool has_note, has_reply;
};

struct export_run {
	const char *url;
	bool with_secrets;
	size_t written; /* lines or exchanges */
	struct buf out;
	struct json_writer w; /* of a file that is one JSON value */
};

struct export_format {
	const char *name;
	const char *needs_http;              /* why it cannot be had without; NULL: it can */
	bool exchanges;                      /* requests with their replies, not every message */
	bool selected;                       /* the selected message alone */
	void (*begin)(struct export_run *x); /* may be NULL, like end */
	void (*write)(struct export_run *x, const struct export_item *item);
	void (*end)(struct export_run *x);
	const char *none; /* what to say of an empty export */
};
extern const struct export_format export_formats[]; /* ended by a row without a name */

#endif

#ifndef MODEL_JOURNAL_EXPORT_H
#define MODEL_JOURNAL_EXPORT_H

#include "base/err.h"
#include "base/job.h"
#include "model/journal.h"

/*
 * The journal as a file: jsonl, one message a line with its time and direction; har, HAR 1.2 of the
 * HTTP exchanges; curl, the command that sends one request again. Secrets are hidden by their names
 * (base/secret.h) unless asked for; those of HTTP heads are hidden in any case, because the journal
 * has never had them.
 */
struct journal_export {
	const struct journal *journal;
	const uint64_t *ids; /* the lines to export, rising; of an exchange its request */
	size_t count;
	uint64_t selected; /* for curl */
	const char *url;   /* of the server, safe to show; NULL: not reached over HTTP */
	bool with_secrets;
};

extern const char *const journal_formats; /* "jsonl|har|curl" */
/* At once. */
bool journal_export(
    const struct journal_export *x, const char *format, struct buf *out, struct err *err);

/*
 * The same in slices, beside a journal that goes on. Each slice is copied on the thread of the
 * journal and written on any. Entries that come later are left out, as are those that the journal
 * drops before their turn.
 */
struct journal_exporter;
/* Copies what x says. NULL: there is no such export. */
struct journal_exporter *journal_exporter_create(
    const struct journal_export *x, const char *format, struct err *err);
void journal_exporter_destroy(struct journal_exporter *e);
/* Copies the next slice. False: there are no more. */
bool journal_exporter_take(struct journal_exporter *e, const struct journal *j);
void journal_exporter_write(struct journal_exporter *e, struct job *job); /* job: may be NULL */
unsigned journal_exporter_percent(const struct journal_exporter *e);
/* After the last slice: the whole file, valid until destroy. NULL: it would be empty. */
const struct buf *journal_exporter_end(struct journal_exporter *e, struct err *err);

#endif

#ifndef MODEL_JOURNAL_EXPORT_H
#define MODEL_JOURNAL_EXPORT_H

#include "base/err.h"
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
bool journal_export(
    const struct journal_export *x, const char *format, struct buf *out, struct err *err);

#endif

#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include "base/buf.h"
#include "base/substring.h"

/*
 * The one filter language of lists, as typed: words that must all match an entry. NAME:VALUE asks
 * for a part of the entry, any other word is searched for in all of it, ignoring ASCII case; `-`
 * before a word means "not". The words are a table of the list, ended by the row for "any other".
 */
struct filter_word {
	const char *name;    /* "method"; NULL in the last row */
	const char *example; /* a value, for the hint: "tools/call"; NULL: not in the hint */
	const char *values;  /* all that it can have, with blanks between; NULL: any */
	bool (*match)(const struct substring *value, const void *entry);
};

/* Zeroed memory matches everything. */
struct filter {
	struct filter_term {
		const struct filter_word *word;
		struct substring value;
		bool negated;
	} * items;
	size_t len, cap;
};

void filter_set(struct filter *f, const struct filter_word *words, const char *text);
void filter_finish(struct filter *f);
bool filter_matches(const struct filter *f, const void *entry);
/* "text method:tools/call dir:in -word" */
void filter_add_hint(const struct filter_word *words, struct buf *out);

extern const struct filter_word journal_words[]; /* of struct journal_entry */
extern const struct filter_word log_words[];     /* of struct log_entry */
extern const struct filter_word task_words[];    /* of struct server_task */
extern const struct filter_word history_words[]; /* of struct history_call */
extern const struct filter_word note_words[];    /* of struct app_note */

#endif

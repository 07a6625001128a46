/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_FILTER_H
#define CLIENT_FILTER_H

#include "base/buf.h"
#include "base/err.h"
#include "base/text_match.h"

#include <stdint.h>

/* A typed value, and its times if its word has a read function. */
struct filter_text {
	struct substring text;
	int64_t from_us, to_us; /* since 1970, UTC; to_us is the first one behind */
};

struct filter_clock {
	int64_t now_us; /* since 1970, UTC */
	int zone_s;     /* the user's clock is ahead of UTC */
};

/*
 * The one filter language of lists, as typed: words that must all match an entry. NAME:VALUE asks
 * for a part of the entry, any other word is searched for in all of it, ignoring ASCII case; `-`
 * before a word means "not". The words are a table of the list, ended by the row for "any other".
 */
struct filter_word {
	const char *name;    /* "method"; NULL in the last row */
	const char *example; /* a value, for the hint: "tools/call"; NULL: not in the hint */
	const char *values;  /* all that it can have, with blanks between; NULL: any */
	bool (*match)(const struct filter_text *value, const void *entry); /* or NULL */
	/* Offsets of char * in the entry, ended by 0: or one of them contains the value. */
	size_t texts[6];
	/* Reads a value when it is set: false, it has no meaning. NULL: any value has one. */
	bool (*read)(const struct filter_word *word, struct filter_text *value,
	    const struct filter_clock *clock, struct err *err);
	/* For the last row: an unknown NAME:VALUE is an error, and quotes allow any text:
	 * "a text", tool:"a name". */
	bool strict;
};

/* Zeroed memory matches everything. */
struct filter {
	struct filter_term {
		const struct filter_word *word;
		struct filter_text value;
		bool negated;
	} * items;
	size_t len, cap;
	struct err wrong; /* the first word that has no meaning, and so no effect; "": none */
};

/* clock: NULL if no word of the table has times. */
void filter_set(struct filter *f, const struct filter_word *words, const char *text,
    const struct filter_clock *clock);
void filter_finish(struct filter *f);
bool filter_term_holds(const struct filter_term *t, const void *entry);
bool filter_matches(const struct filter *f, const void *entry);
/* "text method:tools/call dir:in -word" */
void filter_add_hint(const struct filter_word *words, struct buf *out);

extern const struct filter_word journal_words[]; /* of struct journal_entry */
extern const struct filter_word log_words[];     /* of struct log_entry */
extern const struct filter_word task_words[];    /* of struct server_task */
extern const struct filter_word history_words[]; /* of struct history_call */
extern const struct filter_word note_words[];    /* of struct app_note */

#endif

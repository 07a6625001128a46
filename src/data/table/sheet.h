#ifndef DATA_TABLE_SHEET_H
#define DATA_TABLE_SHEET_H

#include "json/write.h"
#include "table.h"

/* The job that makes a sheet. */
struct sheet_job {
	struct job job; /* first */
	struct table *owner;
	struct table made;
	char **names; /* of its columns */
	struct sheet_wish wish;
	struct sheet *sheet;
	struct buf text; /* of its value */
	struct json_writer out;
};

/* Each writes the value; false: stopped. */
bool sheet_statistics(struct sheet_job *k);
bool sheet_groups(struct sheet_job *k);
/* What the job does, "grouping". */
const char *sheet_work(const struct job *job);
/* As part of the whole, counted in percent; false: stop. */
bool sheet_goes_on(struct sheet_job *k, size_t done, size_t all);
/* A member: a number of ours, one of the table as it was written, and the sum with its mean. */
void sheet_write_number(struct json_writer *w, const char *key, double value);
void sheet_write_extreme(struct json_writer *w, const char *key, const char *text, double value);
void sheet_write_sum(struct json_writer *w, const struct number_stats *s);

/* ---- stats.c ---- */

/* Some of many numbers, at even steps: all of them, then every second, every fourth and so on. */
struct number_sample {
	double *items;
	size_t len, cap;
	size_t seen, step; /* numbers, and how many make one that is kept; 0 to begin with */
};
void number_sample_add(struct number_sample *s, double value, size_t max); /* max: even */
/* From the least to the most, a bar for each part of the range; nothing if they are all one. */
void number_sample_add_bars(const struct number_sample *s, int bars, struct buf *out);

#endif

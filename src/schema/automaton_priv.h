#ifndef SCHEMA_AUTOMATON_PRIV_H
#define SCHEMA_AUTOMATON_PRIV_H

#include <stddef.h>
#include <stdint.h>

/*
 * A pattern without back references, matched in time linear in the text. Threads may share one. If
 * the complete tables are too large, each run fills in tables of its own as far as it needs them.
 */
struct automaton;
struct automaton_tables;

/* What one run needs; zero it before use. */
struct automaton_run {
	struct automaton_tables *tables[4]; /* its own, of the last patterns */
	unsigned next;
	uint8_t *room; /* for a text: classes and results of looks */
	size_t room_size;
	size_t spent; /* steps visited to fill in tables, at most AUTOMATON_MAX_SPENT */
	size_t work;  /* not charged yet */
};
#define AUTOMATON_MAX_SPENT 60000000
#define AUTOMATON_MAX_LOOKS 6
#define AUTOMATON_MAX_SIZE 200000

/* max_work: for complete tables. NULL if the pattern has a back reference or is too large. */
struct automaton *automaton_create(const char *pattern, size_t max_work);
void automaton_destroy(struct automaton *automaton);
/* 1: it matches, 0: it does not, -1: the run has spent too much. */
int automaton_match(struct automaton *automaton, const char *text, struct automaton_run *run);
void automaton_run_finish(struct automaton_run *run);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef PANE_PANE_TEXT_H
#define PANE_PANE_TEXT_H

#include "base/units.h"
#include "json/query.h"
#include "pane/pane.h"
#include "ui/list.h"
#include "ui/page.h"
#include "view/rows.h"

/* Text and keys shared by panes. */

struct units_text pane_bytes(size_t bytes);           /* "121 B", "1.4 MB" */
void pane_add_age(struct buf *out, int64_t us);       /* "40 s", "3 h", "12 days" */
void pane_add_tokens(struct buf *out, size_t tokens); /* "≈ 41 tokens" */

/* Indexed by finding severity. */
extern const struct finding_look {
	const char *mark;
	enum role role;
} pane_finding_looks[FINDING_SEVERITIES];

/* Draws a line at row y, with the title or NULL, and the page in the rest of s. */
void pane_draw_below(struct surface s, int y, enum role role, const char *title, struct page *page);
/* Adds a row with the names of "NAME=value" pairs, if any: the values may be secrets. */
void pane_add_names(
    struct page *page, int columns, const char *key, char *const *pairs, const char *end);
/* Wraps the text from row y; returns the rows used. */
int pane_draw_text(struct surface s, int y, enum role role, const char *text);

/* The state of the server while no primitive can be selected. */
void pane_draw_server_state(const struct view_env *env, struct surface s);

/* Draws the filter line of a list: the filter, or a hint of its syntax. words: NULL if the filter
 * is plain text. */
void pane_draw_filter(struct surface s, const struct rows *rows, const struct filter_word *words);
/* An action of a list with a filter line: sets the filter; without a text, edits it. */
bool pane_act_filter(void *state, const struct view_env *env, const char *text);

/* validation_pane.c: the location of a violation in the schema. */
void violation_add_schema_path(const struct report *report, size_t index, struct buf *out);

/* Runs a command with arguments. */
bool pane_run(const struct view_env *env, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* For VIEW_ACTION_WITH: runs the command. */
bool pane_act_run(void *state, const struct view_env *env, const char *arg, const char *command);
/* An action: runs `copy`, so that both say the same. */
bool pane_act_copy(void *state, const struct view_env *env, const char *arg);

/* Scrolls `top` over count lines by arrows, paging and the wheel. */
bool pane_scroll_key(size_t *top, size_t count, const struct key *key);

/* A jq query that another process runs for a pane. While it runs, the jobs count it. */
struct pane_query {
	struct query_job job; /* first */
	bool running;         /* the job has not ended */
	bool dropped;         /* its answer is not needed */
	/* Set by the pane; take() takes the answer of the job. */
	const struct pane_host *host;
	void *user;
	struct jobs *jobs;
	void (*take)(struct pane_query *q);
};

/* Takes the value. The expression must outlive the job. */
void pane_query_run(struct pane_query *q, const char *expression, struct buf value);
void pane_query_stop(struct pane_query *q);

/* ---- server_state.c: what is shown in place of a result ---- */
/* Rows of the reason why nothing can be selected, with all of stderr. */
int server_state_rows(const struct view_env *env, int width);
/* Never called, error, timed out, cancelled, or the server is gone. Empty if nothing is selected.
 */
void call_state_write(struct page *page, const struct view_env *env);
/* Advice about a failed call; NULL: none. */
const char *call_state_help(const struct call *c);
/* A running call: time, progress, the reason for the wait, the key that cancels it. */
void call_state_draw_running(const struct view_env *env, struct surface s);
int call_state_running_rows(const struct view_env *env, int width);

#endif

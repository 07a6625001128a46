/* SPDX-License-Identifier: MIT */
#ifndef PANE_STRUCTURED_STRUCTURED_H
#define PANE_STRUCTURED_STRUCTURED_H

#include "base/strings.h"
#include "data/text_data.h"
#include "json/query.h"
#include "pane/pane_text.h"
#include "schema/report.h"
#include "ui/dropdown.h"
#include "ui/edit.h"
#include "ui/page.h"
#include "ui/wrap.h"
#include "view/views.h"

/* ---- structured_detail.c: the pages shown instead of a view ---- */

/* A cell or node opened by Enter: its whole value and its violations. Closed if all zero. */
struct detail {
	bool open;
	char *pointer;
	char *type;
	char *violations; /* one per line, then its schema; "" for none */
	char *text;
	bool is_json;
	struct wrap wrap; /* of text */
	size_t top;
	int y, height; /* of the text, as last drawn */
};

/* node: NULL for a missing member at pointer. report may be NULL. Neither is kept. */
void detail_show(
    struct detail *d, const cJSON *node, const char *pointer, const struct report *report);
void detail_close(struct detail *d);
void detail_draw(struct detail *d, struct surface s);
bool detail_key(struct detail *d, const struct key *key);
struct text_blocks;
/* Writes the reason for the absence, and an outline of the outputSchema. */
void absent_write(struct page *page, const struct view_env *env, const struct text_blocks *texts);
/* Whether the result has no structuredContent, nor promised any. */
bool absent_is_normal(const struct text_blocks *texts, const struct call *call);

/* ---- text_blocks.c ---- */

/* The data in the text blocks of a result, among the texts of result_texts_init(). Nothing is read
 * before text_blocks_read(), and long texts are read in a job. changed() is called when all texts
 * are read, possibly at once. */
struct text_blocks {
	struct block_data {
		size_t index; /* in content */
		enum text_data_kind kind;
		size_t bytes; /* of the text */
		struct json_doc *doc;
	} * items; /* in the order of content */
	size_t len, cap;
	struct broken_json {
		size_t index;
		struct json_error error; /* without a text: every text was valid */
	} broken;                        /* the first text that begins as JSON but is invalid */
	enum { TEXT_UNREAD, TEXT_READING, TEXT_READ } state;
	struct job *job;
	void (*changed)(void *user);
	void *user;
};

/* Whether the text of a completed call can be data: of a tool, or of a resource of such a type. */
bool text_blocks_serve(const struct call *call);
/* The call's result has content. Further calls do nothing. */
void text_blocks_read(struct text_blocks *t, const struct call *call, struct jobs *jobs);
void text_blocks_forget(struct text_blocks *t); /* can be read again */
/* Replaces the items by the data of one text in doc. A long text is read in a job; then t can end
 * up without items. False: the text is not JSON, and t is unchanged. */
bool text_blocks_open(
    struct text_blocks *t, const struct result_text *text, struct json_doc *doc, struct jobs *jobs);

/* ---- jq_line.c ---- */

/* Completions of a jq expression: words that replace its text from `from` on. */
struct query_words {
	size_t from;
	struct strings words, notes; /* a note for each word: "array", "jq" */
};

/* value: the value of `.`; may be NULL. */
void query_complete(const char *text, size_t len, const cJSON *value, struct query_words *out);

/* The value that a query is run on. */
struct queried {
	const cJSON *value;       /* NULL: none */
	struct json_doc *doc;     /* contains it */
	size_t bytes;             /* about */
	const struct desk *owner; /* each keeps its own expression */
};

/*
 * A jq expression, the line in which it is typed, and its result, which is shown instead of the
 * value. The expression of an owner applies to its later values until it is emptied. A result stays
 * while a later expression is wrong or running.
 */
struct query {
	struct pane_query run; /* first; the pane sets its host */
	struct queried of;
	struct json_doc *doc;       /* of the result; NULL: the value itself is shown */
	const cJSON *result;        /* the only one, or an array of them; NULL: none */
	size_t bytes;               /* of result */
	size_t count;               /* of results in doc */
	bool more;                  /* jq had more results */
	char *title;                /* "jq .users[]" */
	uint64_t version;           /* rises when another result, or none, is to be shown */
	struct query_answer answer; /* the last one, without its text */

	char *asked; /* the expression of run */
	struct job *printing;

	struct edit edit;
	bool typing;  /* the line is open */
	char *before; /* the expression when it was opened */
	struct query_words completion;
	size_t completed; /* the word inserted by Tab; SIZE_MAX: none */
	struct dropdown menu;
	int menu_x, menu_y;   /* of the pane in the surface that the menu was drawn on */
	struct queries *kept; /* the workspace's; the pane sets it */
	size_t recalled;      /* index in its history of the text; len: none */

	struct {
		struct remembered {
			const struct desk *owner;
			char *expression;
		} * items;
		size_t len, cap;
	} remembered;
};

void query_init(struct query *q);
void query_finish(struct query *q);
void query_set_value(struct query *q, struct queried of);
/* "" ends the query. */
void query_set(struct query *q, const char *expression);
bool query_is_on(const struct query *q);
/* "3 results"; nothing for one result. */
void query_add_count(const struct query *q, struct buf *out);
enum { QUERY_LINE_ROWS = 2 };
void query_open(struct query *q);
bool query_key(struct query *q, const struct key *key);
void query_draw(struct query *q, bool focused, struct surface s);
struct surface query_pop_up(struct query *q, struct surface screen, struct surface inner);

#endif

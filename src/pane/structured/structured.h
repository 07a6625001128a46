#ifndef PANE_STRUCTURED_STRUCTURED_H
#define PANE_STRUCTURED_STRUCTURED_H

#include "base/strings.h"
#include "json/doc.h"
#include "json/query.h"
#include "data/text_data.h"
#include "pane/pane.h"
#include "view/views.h"
#include "schema/report.h"
#include "ui/dropdown.h"
#include "ui/edit.h"
#include "ui/input.h"
#include "ui/page.h"
#include "ui/seek.h"
#include "ui/surface.h"

/* The cell or node that Enter opened: its whole value and its violations. All zero is closed. */
struct detail {
	bool open;
	char *pointer;
	char *type;
	char *trouble; /* one line per violation; "" for none */
	char *text;
	bool is_json;
	struct wrap wrap; /* of text */
	size_t top;
	int y, height; /* of the text, as last drawn */
};

/* node: NULL for a missing member at pointer. report may be NULL. Neither is kept. */
void detail_show(
    struct detail *d, const cJSON *node, const char *pointer, const struct report *report);
/* Is there such a node, or a report of its absence? Lazy array items are not parsed for this. */
bool detail_exists(const struct view_input *in, const char *pointer);
void detail_close(struct detail *d);
void detail_draw(struct detail *d, struct surface s);
struct seekable detail_seek(struct detail *d);
bool detail_key(struct detail *d, const struct key *key);
/* Of structuredContent as compact JSON, about. */
size_t detail_bytes_of(const struct call *call);

/* The data in the text blocks of a result. Nothing is read before text_blocks_read(), and long
 * texts are read in a job; changed() comes when all are, maybe at once. Only the texts of
 * result_texts_init() are looked at. */
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
		struct json_error error; /* its text is empty: there is none */
	} broken;                        /* the first text that should be JSON, but is not */
	enum { TEXT_UNREAD, TEXT_READING, TEXT_READ } state;
	struct job *job;
	void (*changed)(void *user);
	void *user;
};

/* Of a tool, or of a resource whose type says that its text is data; it is done. */
bool text_blocks_serve(const struct call *call);
/* The call's result has content. Does nothing if it was called before. */
void text_blocks_read(struct text_blocks *t, const struct call *call, struct jobs *jobs);
void text_blocks_forget(struct text_blocks *t); /* can be read again */
/* The item for the first such block from a position in content on, else for the first of all. */
size_t text_blocks_from(const struct text_blocks *t, size_t index);
/* Replaces what t has by the data of one text in doc, if it begins as JSON does. A long one is read
 * in a job; then there may be nothing after all. False: it is not JSON, and t is unchanged. */
bool text_blocks_open(struct text_blocks *t, const struct result_text *text, struct json_doc *doc,
    struct jobs *jobs);

/* ---- structured_detail.c: without a value, why, and what the outputSchema promises ---- */
void absent_write(struct page *page, const struct view_env *env, const struct text_blocks *texts);
void absent_add_facts(const struct text_blocks *texts, const struct call *call, struct buf *facts);
/* Nothing came, and nothing was promised. */
bool absent_says_nothing(const struct text_blocks *texts, const struct call *call);

/* ---- jq ---- */

/* What may follow an expression of jq: words that replace its text from `from` on. */
struct query_words {
	size_t from;
	struct strings words, notes; /* a note each: "array", "jq" */
};

/* value: what `.` is; may be NULL. */
void query_complete(const char *text, size_t len, const cJSON *value, struct query_words *out);

/* The value that a query is about. */
struct queried {
	const cJSON *value;       /* NULL: there is none */
	struct json_doc *doc;     /* it is in this one */
	size_t bytes;             /* about */
	const struct desk *owner; /* each keeps its own expression */
};

/*
 * An expression of jq on a value: the line in which it is typed, and its result, which is shown
 * in place of the value. The expression of an owner stays for its later values until it is emptied.
 * A result stays while a later expression is wrong or under way.
 */
struct query {
	struct queried of;
	struct json_doc *doc;       /* of the result; NULL: the value itself is shown */
	const cJSON *result;        /* the only one, or an array of them; NULL: there was none */
	size_t bytes;               /* of it */
	size_t count;               /* of results in doc */
	bool more;                  /* there would have been more */
	char *title;                /* "jq .users[]" */
	uint64_t version;           /* rises when another result, or none, is to be shown */
	struct query_answer answer; /* the last one, without its text */

	struct query_job job;
	char *asked;  /* its expression */
	bool running; /* the job is under way */
	bool dropped; /* and nobody wants its result */
	struct job *printing;
	const struct pane_host *host; /* the pane sets these three */
	void *user;
	struct jobs *jobs;

	struct edit edit;
	bool typing;  /* the line is open */
	char *before; /* the expression when it was opened */
	struct query_words completion;
	size_t completed; /* the word that Tab put there; SIZE_MAX: none */
	struct dropdown menu;
	int menu_x, menu_y;   /* of the pane in the surface that the menu was drawn on */
	struct queries *kept; /* the workspace's; the pane sets it, too */
	size_t recalled;      /* the line of its history in the field; len: none */

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
bool query_is_live(const struct query *q); /* asked at each key, not only by Enter */
/* "3 results"; nothing if there is just one. */
void query_add_count(const struct query *q, struct buf *out);

/* ---- query_line.c ---- */
enum { QUERY_LINE_ROWS = 2 };
void query_open(struct query *q);
bool query_key(struct query *q, const struct key *key);
void query_draw(struct query *q, bool focused, struct surface s);
struct surface query_pop_up(struct query *q, struct surface screen, struct surface inner);

/* ---- the pane ---- */

struct structured {
	struct views views;
	int chosen;    /* the view the user chose; -1: automatic */
	uint64_t call; /* the call of the result */
	size_t bytes;  /* of the value as compact JSON, or of the text it is read from */
	size_t tokens; /* of what is shown, as compact JSON; estimated */
	struct view_input whole; /* structuredContent; its value is NULL if there is none */
	struct text_blocks texts;
	const struct desk *desk; /* for it the user chose: */
	size_t wanted;           /* the data in the text block at this index; or as below */
	size_t shown;            /* item of texts; or STRUCTURED, or OPENED */
	struct text_blocks opened; /* a string of what was shown, as data */
	char *opened_from;         /* "structuredContent/result" */
	bool opened_by_user;       /* else because it is all there is */
	enum call_state call_state;
	const struct report *report; /* may arrive after the value */
	struct detail detail;
	struct query query;
	bool has_chart;         /* the value shown can be drawn */
	uint64_t answered;      /* its version that is shown */
	struct page absent;     /* in place of a value */
	int order_x, order_end; /* the position of the sort order in the title */
};

/* In place of a text block: structuredContent if there is any, or the only string in it as data. */
#define STRUCTURED SIZE_MAX
#define AS_IT_CAME (SIZE_MAX - 1) /* wanted: structuredContent, even if it is such a string */
#define OPENED (SIZE_MAX - 2)     /* shown: the data in opened */

/* The string at the pointer of what is shown, as data. False: it is not, or has violations. */
bool structured_open_text(
    struct structured *p, const struct view_env *env, const cJSON *string, const char *pointer);
/* Shows another source. */
void structured_want(struct structured *p, const struct view_env *env, size_t wanted);
void structured_show_answer(struct structured *p);

/* ---- structured_actions.c ---- */
extern const struct view_action structured_actions[];
bool structured_open_detail(void *state, const struct view_env *env, const char *arg);

#endif

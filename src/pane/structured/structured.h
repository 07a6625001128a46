#ifndef PANE_STRUCTURED_STRUCTURED_H
#define PANE_STRUCTURED_STRUCTURED_H

#include "json/doc.h"
#include "json/text_data.h"
#include "pane/pane.h"
#include "render/views.h"
#include "schema/report.h"
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
bool detail_exists(const struct render_input *in, const char *pointer);
void detail_close(struct detail *d);
void detail_draw(struct detail *d, struct surface s);
struct seekable detail_seek(struct detail *d);
bool detail_key(struct detail *d, const struct key *key);

/* The data in the text blocks of a result. Nothing is read before text_blocks_read(), and long
 * texts are read in a job; changed() comes when all are, maybe at once. Only the first 64 texts are
 * looked at. */
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

/* ---- absent.c: without a value, why, and what the outputSchema promises ---- */
void absent_write(struct page *page, const struct pane_env *env, const struct text_blocks *texts);
void absent_add_facts(const struct text_blocks *texts, const struct call *call, struct buf *facts);
/* Nothing came, and nothing was promised. */
bool absent_says_nothing(const struct text_blocks *texts, const struct call *call);

#endif

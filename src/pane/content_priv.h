#ifndef PANE_CONTENT_PRIV_H
#define PANE_CONTENT_PRIV_H

#include "pane_picture.h"
#include "ui/page.h"
#include "ui/wrap.h"

/* What a block has beside a text. */
struct block_more {
	char *facts; /* "image/png · 68 B · for user · priority 0.9" */
	struct wrap facts_wrap;
	struct pane_picture picture;
	char *text; /* made for a block that has none */
};

/* A block as it is shown: one line of facts, then the picture or the text where there is some. Most
 * of half a million are plain text, so that the rest is elsewhere. */
struct block_view {
	const char *text; /* NULL: none */
	size_t text_len;
	struct wrap wrap;
	struct block_more *more; /* NULL: nothing */
	const char *problem;     /* of the content block; "" for none */
	const char *label;
	const char *uri; /* that can be read; NULL: none */
	bool is_json;    /* the text is, and laid out */
};

struct content {
	struct block_view *blocks;
	size_t len;
	uint64_t call;
	enum call_state call_state;
	size_t top;   /* first line shown */
	size_t lines; /* in all, at the last width */
	size_t bytes; /* of text */
	size_t blob_bytes;
	size_t looked_at; /* blocks whose picture was decoded, or have none */
	size_t link;      /* the block whose URI is selected; NO_LINK: none */
	int label_cols;
	int width, height, blocks_y; /* of the blocks, at the last drawing */
	struct page state;           /* in place of the blocks where there is no result */
};

#define NO_LINK SIZE_MAX

/* ---- content_draw.c ---- */
/* Bytes of huge texts that are broken into lines in one frame. */
#define WRAP_SLICE ((size_t)512 << 10)
const char *content_facts(const struct block_view *b); /* "" for none */
/* Takes what it breaks into lines from the budget; at its end the number is an estimate. */
size_t content_block_lines(struct block_view *b, int width, size_t *budget);
void content_draw(void *state, const struct pane_env *env, struct surface s);
int content_want(void *state, const struct pane_env *env, int width);

#endif

#ifndef PANE_CONTENT_PRIV_H
#define PANE_CONTENT_PRIV_H

#include "pane_picture.h"
#include "ui/page.h"
#include "ui/wrap.h"

/* A block as it is shown: one line of facts, then the picture or the text where there is some. */
struct block_view {
	char *facts; /* "image/png · 68 B · for user · priority 0.9"; "" for plain text */
	char *text;  /* NULL: none */
	size_t text_len;
	struct wrap wrap, facts_wrap;
	struct pane_picture picture;
	bool is_json;        /* the text is, and laid out */
	const char *problem; /* of the content block; "" for none */
	const char *label;
	const char *uri; /* that can be read; NULL: none */
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
size_t content_block_lines(struct block_view *b, int width);
void content_draw(void *state, const struct pane_env *env, struct surface s);
int content_want(void *state, const struct pane_env *env, int width);

#endif

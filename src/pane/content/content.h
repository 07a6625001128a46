#ifndef PANE_CONTENT_CONTENT_H
#define PANE_CONTENT_CONTENT_H

#include "pane/pane.h"
#include "ui/page.h"
#include "ui/wrap.h"

/* A server's picture in a pane, as cells. It is there when another process has decoded it. Zeroed
 * memory has none; it stays where it is. */
struct pane_picture {
	struct picture_load *load; /* under way; NULL: none */
	struct picture picture;    /* no larger than can be drawn */
	struct picture shown;      /* as it was drawn last */
	struct err trouble;        /* why it is not drawn; "" when it is, or there is none */
};

void pane_picture_finish(struct pane_picture *p); /* leaves it zeroed */
/* Of base64, where that is of a picture at all. The text need not stay. */
void pane_picture_load(
    struct pane_picture *p, const struct pane_env *env, const char *base64, size_t len);
/* The first of a definition's icons that can be drawn: of a data: URI; nothing is fetched. */
void pane_picture_load_icon(struct pane_picture *p, const struct pane_env *env, const cJSON *icons);

/* Where an icon is, of what type, in what sizes. */
void pane_icon_describe(const cJSON *icon, struct buf *out);

/* Rows and columns that it takes in so many columns and rows; 0: there is none. */
int pane_picture_rows(const struct pane_picture *p, int max_cols, int max_rows);
int pane_picture_cols(const struct pane_picture *p, int max_cols, int max_rows);
/* In s, as large as that, with `skip` rows of it above s. */
void pane_picture_draw(
    struct pane_picture *p, struct surface s, int max_cols, int max_rows, int skip);

/* What there is to say of the shown call where there is no result to show. */

/* Never called, refused, timed out, cancelled, the server gone. Nothing where nothing is selected.
 */
void call_state_write(struct page *page, const struct pane_env *env);
/* Running: its clock, its progress, what it waits for, how to cancel it. */
void call_state_draw_running(const struct pane_env *env, struct surface s);
int call_state_running_rows(const struct pane_env *env, int width);

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

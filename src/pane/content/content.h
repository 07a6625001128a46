/* SPDX-License-Identifier: MIT */
#ifndef PANE_CONTENT_CONTENT_H
#define PANE_CONTENT_CONTENT_H

#include "mcp/content.h"
#include "pane/pane.h"
#include "ui/page.h"
#include "ui/wrap.h"
#include "view/meant.h"

/* ---- pane_media.c ---- */

/* An image from a server, drawn in cells after another process has decoded it. Zeroed memory is an
 * empty image; the struct must not move. */
struct pane_picture {
	struct picture_load *load; /* running; NULL: none */
	struct picture picture;    /* at most the drawable size */
	struct picture shown;      /* as last drawn */
	struct err trouble;        /* why it is not drawn; "" if drawn or empty */
	char note[40];             /* "the first of 12 frames"; "" for none */
};

void pane_picture_finish(struct pane_picture *p);
/* Loads base64, if it is an image. The text is not kept. */
void pane_picture_load(
    struct pane_picture *p, const struct view_env *env, const char *base64, size_t len);
/* Loads the first icon that can be drawn. Only data: URIs: nothing is fetched. */
void pane_picture_load_icon(struct pane_picture *p, const struct view_env *env, const cJSON *icons);
/* Appends the source, type and sizes of an icon. */
void pane_icon_describe(const cJSON *icon, struct buf *out);
/* Returns the rows used within the given bounds; 0: no image. cols: may be NULL. */
int pane_picture_rows(const struct pane_picture *p, int max_cols, int max_rows, int *cols);
/* Draws into s at that size; `skip` rows are above s. */
void pane_picture_draw(
    struct pane_picture *p, struct surface s, int max_cols, int max_rows, int skip);

/* Audio from a server, drawn as a waveform after another process has decoded it. Zeroed memory is
 * empty; the struct must not move. */
struct pane_audio {
	struct audio_load *load; /* running; NULL: none */
	struct audio audio;
	struct err trouble; /* why it is not drawn; "" if drawn or empty */
	char note[160];     /* its duration, rate, channels and format; "" until they are known */
};

bool pane_audio_is(const struct content_block *c);
void pane_audio_finish(struct pane_audio *a);
/* Loads the data of a block. They are not kept. */
void pane_audio_load(
    struct pane_audio *a, const struct view_env *env, const struct content_block *c);
int pane_audio_rows(const struct pane_audio *a);
/* Draws as wide as s; `skip` rows are above s. */
void pane_audio_draw(const struct pane_audio *a, struct surface s, int skip);

/* ---- the pane ---- */

/* The text of a block as rendered, in addition to the raw text that the model gets. */
struct meant {
	enum meant_kind kind;
	bool raw;           /* the raw text is shown */
	char *json;         /* of JSON: formatted; owned */
	size_t json_len;    /* bytes */
	struct rich rich;   /* of the other kinds: the layout for width */
	int width;          /* 0: not laid out yet */
	struct err trouble; /* why the layout failed, or "" */
	struct job *job;    /* makes the layout; NULL: none */
};

/* The facts of a block besides its text. */
struct block_more {
	char *facts; /* "image/png · 68 B · for user · priority 0.9" */
	struct wrap facts_wrap;
	struct pane_picture picture;
	struct pane_audio audio;
	struct meant meant;
	char *text; /* made for a block without one */
};

/* A block as shown: one line of facts, then the image or the text, if any. There can be half a
 * million blocks, mostly plain text, so the rest is allocated separately. */
struct block_view {
	const char *text; /* NULL: none */
	size_t text_len;
	struct wrap wrap;
	struct block_more *more; /* NULL: nothing */
	const char *problem;     /* "" for none */
	const char *label;
	const char *uri; /* that the server can read; NULL: none */
	bool is_json;    /* the text is formatted JSON */
};

/* A link that was followed in the pane: the result with the link, and the result it led to. */
struct trail_step {
	uint64_t from, to; /* calls */
	size_t top, link;
	uint32_t link_in;
};
enum { TRAIL_MAX = 16 };

struct content {
	struct block_view *blocks;
	size_t len;
	uint64_t call;
	enum call_state call_state;
	size_t top;    /* first line shown */
	size_t lines;  /* total, at the last width */
	size_t bytes;  /* of text */
	size_t tokens; /* of the text, estimated */
	size_t blob_bytes;
	size_t looked_at;        /* blocks whose image was decoded or that have none */
	size_t link;             /* the block whose URI is selected; NO_LINK: none */
	uint32_t link_in;        /* or the link in its text, from 1 */
	size_t meant;            /* blocks up to the last one with a rendered text */
	bool kinds[MEANT_KINDS]; /* kinds of the rendered texts */
	bool links_in;           /* a rendered text has links */
	bool wants_raw;          /* the user's choice: texts as the model gets them */
	bool raw;                /* that, or a rendered text could hide something */
	uint64_t shown;          /* changes with the texts that are shown */
	struct trail_step trail[TRAIL_MAX];
	int trail_len;
	struct trail_step back; /* a position to restore; from 0: none */
	bool has_audio;
	bool may_be_data; /* as-data can show a text as a table */
	int label_cols;
	int width, height, blocks_y; /* of the blocks, as last drawn */
	int pane_width;              /* likewise; 0: never */
	int picture_rows;            /* at most, of a picture */
	struct page state;           /* shown without a result */
};

#define NO_LINK SIZE_MAX

/* ---- content_pane.c: the lines and the drawing of blocks ---- */
#define WRAP_SLICE ((size_t)512 << 10) /* bytes of huge texts wrapped in one frame */
/* Wraps within the budget; once it is used up, the count is an estimate. */
size_t content_block_lines(
    const struct content *p, struct block_view *b, int width, size_t *budget);
const struct rich *meant_rich(const struct block_view *b); /* NULL: shown as text */
void meant_show(struct content *p);                        /* raw or rendered */
/* "Markdown", "raw"; NULL: all texts are plain. */
const char *meant_word(const struct content *p);

/* ---- content_actions.c: links, bytes for files and programs ---- */
extern const struct view_action content_actions[];
const char *content_hint(void *state, const struct view_env *env, const struct view_action *a);
void content_first_link(struct content *p);
/* Whether Escape leads back to a result with a link. */
bool content_can_go_back(const void *state);
/* Selects the link under a click; follows it if it was selected. */
void content_press(struct content *p, const struct view_env *env, int x, int y);
/* The first block on the screen; NO_LINK: none. */
size_t content_block_in_sight(struct content *p);

#endif

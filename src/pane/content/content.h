#ifndef PANE_CONTENT_CONTENT_H
#define PANE_CONTENT_CONTENT_H

#include "pane/pane.h"
#include "mcp/content.h"
#include "view/meant.h"
#include "ui/page.h"
#include "ui/wrap.h"

/* An image from a server, drawn in cells once another process has decoded it. Zeroed memory is an
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
/* The first icon that can be drawn. Only data: URIs: nothing is fetched. */
void pane_picture_load_icon(struct pane_picture *p, const struct view_env *env, const cJSON *icons);

/* The source, type and sizes of an icon. */
void pane_icon_describe(const cJSON *icon, struct buf *out);

/* The rows and columns used within the given bounds; 0: no image. */
int pane_picture_rows(const struct pane_picture *p, int max_cols, int max_rows);
int pane_picture_cols(const struct pane_picture *p, int max_cols, int max_rows);
/* Draws into s at that size; `skip` rows are above s. */
void pane_picture_draw(
    struct pane_picture *p, struct surface s, int max_cols, int max_rows, int skip);

/* Audio from a server, drawn as a waveform once another process has decoded it. Zeroed memory is
 * none; the struct must not move. */
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
/* As wide as s; `skip` rows are above it. */
void pane_audio_draw(const struct pane_audio *a, struct surface s, int skip);

/* The state of the shown call if it has no result. */

/* Never called, error, timed out, cancelled, or the server is gone. Empty if nothing is selected.
 */
void call_state_write(struct page *page, const struct view_env *env);
/* What the user can do about a call that failed; NULL: nothing is known. */
const char *call_state_help(const struct call *c);
/* Running: time, progress, what it waits for, how to cancel it. */
void call_state_draw_running(const struct view_env *env, struct surface s);
int call_state_running_rows(const struct view_env *env, int width);

/* A text as it is meant, beside the text as the model gets it. */
struct meant {
	enum meant_kind kind;
	bool raw;           /* shown as the model gets it */
	char *json;         /* of JSON: laid out; owned */
	size_t json_len;    /* its bytes */
	struct rich rich;   /* of the others, for that width */
	int width;          /* 0: not laid out yet */
	struct err trouble; /* why there is no layout; "" if there is */
	struct job *job;    /* that makes it; NULL: none */
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

/* A block as shown: one line of facts, then the image or the text, if any. There may be half a
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

/* A link that was followed in place: the result with the link, and the one that it led to. */
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
	size_t tokens; /* of it, estimated */
	size_t blob_bytes;
	size_t looked_at;        /* blocks whose image was decoded or that have none */
	size_t link;             /* the block whose URI is selected; NO_LINK: none */
	uint32_t link_in;        /* or the link in its text, from 1 */
	size_t meant;            /* blocks up to the last one that is meant as something */
	bool kinds[MEANT_KINDS]; /* that there are */
	bool links_in;           /* some text as it is meant has links */
	bool wants_raw;          /* the user's choice: texts as the model gets them */
	bool raw;                /* that, or a text could hide something as it is meant */
	uint64_t shown;          /* changes with the texts that are shown */
	struct trail_step trail[TRAIL_MAX];
	int trail_len;
	struct trail_step back; /* to be shown as it was left; from 0: none */
	bool has_audio;
	bool may_be_data; /* a text that as-data shows as a table */
	int label_cols;
	int width, height, blocks_y; /* of the blocks, as last drawn */
	int pane_width;              /* likewise; 0: never */
	int picture_rows;            /* the most of a picture */
	struct page state;           /* shown if there is no result */
};

#define NO_LINK SIZE_MAX

/* ---- content_blocks.c ---- */
/* Bytes of huge texts wrapped in one frame. */
#define WRAP_SLICE ((size_t)512 << 10)
struct block_more *content_more(struct block_view *b); /* made if there is none */
const char *content_facts(const struct block_view *b); /* "" for none */
/* Wraps within the budget; once it is used up, the count is an estimate. */
size_t content_block_lines(
    const struct content *p, struct block_view *b, int width, size_t *budget);
/* Loads the next image of the result; false: there is none. */
bool content_load_picture(struct content *p, const struct view_env *env);
void content_draw(void *state, const struct view_env *env, struct surface s);
int content_want(void *state, const struct view_env *env, int width);

/* The text as it is shown. */
const char *content_text(const struct block_view *b, size_t *len);

/* ---- content_meant.c ---- */
/* Bytes of a result that are looked at to tell what they are. */
#define MEANT_LOOK ((size_t)512 << 10)
/* Notes what the block is meant as. */
void meant_recognize(
    struct content *p, struct block_view *b, const struct content_block *c, size_t *look_budget);
void meant_finish(struct meant *m);
/* Lays out the texts that have no rows of this width yet; false: the next frame has to go on.
 * is_guess: the pane may get another width, so rows of any width will do. */
bool meant_lay_out(struct content *p, const struct view_env *env, int width, bool is_guess);
/* NULL: it is shown as text. */
const struct rich *meant_rich(const struct block_view *b);
void meant_show(struct content *p); /* raw or not */
/* "Markdown", "raw"; NULL: there is nothing but plain text. */
const char *meant_word(const struct content *p);
bool act_as_meant(void *state, const struct view_env *env, const char *arg);

/* ---- content_links.c ---- */
void content_first_link(struct content *p);
/* Does Escape lead back to a result with a link? */
bool content_can_go_back(const void *state);
void content_go_back(struct content *p, const struct view_env *env);
void content_add_trail(const struct content *p, const struct view_env *env, struct buf *out);
bool act_follow(void *state, const struct view_env *env, const char *arg);
bool act_next_link(void *state, const struct view_env *env, const char *arg);
bool act_previous_link(void *state, const struct view_env *env, const char *arg);
bool act_copy_link(void *state, const struct view_env *env, const char *arg);
/* A click on a link selects it, on the selected one follows it. */
bool content_press(struct content *p, const struct view_env *env, int x, int y);
void content_show_block(struct content *p, size_t index);
/* The block drawn at a row of the pane, and the row within it; NO_LINK: none. */
size_t content_block_at(struct content *p, int y, size_t *row);
bool content_run(const struct view_env *env, const char *command, const char *arg);

/* ---- content_bytes.c ---- */
bool act_save_block(void *state, const struct view_env *env, const char *arg);
bool act_open_block(void *state, const struct view_env *env, const char *arg);
bool act_play(void *state, const struct view_env *env, const char *arg);

#endif

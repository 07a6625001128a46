#ifndef PANE_PICTURE_H
#define PANE_PICTURE_H

#include "pane/pane.h"

/* A server's picture in a pane, as cells. It is there when another process has decoded it. Zeroed
 * memory has none; it stays where it is. */
struct pane_picture {
	struct picture_load *load; /* under way; NULL: none */
	struct picture picture;  /* no larger than can be drawn */
	struct picture shown;    /* as it was drawn last */
	struct err trouble;      /* why it is not drawn; "" when it is, or there is none */
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

#endif

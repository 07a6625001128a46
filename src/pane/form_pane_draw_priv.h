#ifndef PANE_FORM_PANE_DRAW_PRIV_H
#define PANE_FORM_PANE_DRAW_PRIV_H

#include "form_pane_priv.h"

/* form_pane_rows.c: the fields */
void form_pane_draw_rows(struct form_pane *p, const struct pane_env *env, struct surface s, int y0);
/* Lines of all fields, whichever is selected: the pane must not grow and shrink under the cursor.
 */
int form_pane_rows_lines(struct form_pane *p, const struct form *form, int width);

/* form_pane_side.c: what stands beside or under a field, as one text in one role */
enum role form_pane_side_text(const struct form_pane *p, const struct form_row *row, bool selected,
    bool wide, struct buf *out);
int form_pane_side_lines(struct form_pane *p, const struct buf *text, int width, bool selected);
void form_pane_draw_side(
    struct form_pane *p, struct surface s, const struct buf *text, enum role role, bool selected);

/* form_pane_value.c: the field itself */
void form_pane_draw_value(const struct form_row *row, struct surface s);
int form_pane_value_lines(const struct form_row *row); /* of a text of many lines */

/* form_pane_preview.c */
void form_pane_draw_preview(struct form_pane *p, const struct form *form, struct surface s);

#endif

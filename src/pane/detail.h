#ifndef PANE_DETAIL_H
#define PANE_DETAIL_H

#include "json/doc.h"
#include "schema/report.h"
#include "ui/input.h"
#include "ui/surface.h"
#include "ui/seek.h"

/* The cell or node that Enter opened: its whole value and all that is wrong with it. All zero is
 * closed. */
struct detail {
	bool open;
	char *pointer;
	char *type;
	char *trouble; /* a line for each violation; "" for none */
	char *text;
	bool is_json;
	struct wrap wrap; /* of text */
	size_t top;
	int y, height; /* of the text, at the last drawing */
};

/* node: NULL for a member that is missing, at pointer. report may be NULL. Both are used no longer.
 */
void detail_show(
    struct detail *d, const cJSON *node, const char *pointer, const struct report *report);
void detail_close(struct detail *d);
void detail_draw(struct detail *d, struct surface s);
struct seekable detail_seek(struct detail *d);
bool detail_key(struct detail *d, const struct key *key);

#endif

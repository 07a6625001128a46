#ifndef PANE_STRUCTURED_STRUCTURED_H
#define PANE_STRUCTURED_STRUCTURED_H

#include "json/doc.h"
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
void detail_close(struct detail *d);
void detail_draw(struct detail *d, struct surface s);
struct seekable detail_seek(struct detail *d);
bool detail_key(struct detail *d, const struct key *key);

/* An outline of the declared outputSchema. */
void promise_write(struct page *page, const cJSON *output_schema);

#endif

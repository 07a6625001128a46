#ifndef PANE_VIOLATION_PRIV_H
#define PANE_VIOLATION_PRIV_H

#include "pane/pane.h"
#include "ui/wrap.h"

/* All there is to say of one violation: where it is, what was found and expected, the value, the
 * keyword's place in the schema and the schema around it. */
struct violation_view {
	bool open;
	struct buf text;
	struct {
		struct violation_part {
			size_t start; /* of text */
			enum role role;
		} * items;
		size_t len, cap;
	} parts;
	struct wrap wrap;
	size_t top;
	int height; /* at the last drawing */
};

void violation_view_open(struct violation_view *v, const struct report *report, size_t index);
void violation_view_close(struct violation_view *v); /* releases all of it; may be opened again */
int violation_view_rows(const struct violation_view *v); /* wanted, where none is broken */
void violation_view_draw(struct violation_view *v, struct surface s, bool focused);
/* Where a violation is, a missing member included: "/rows/1/id", "(the value)". */
void violation_add_path(const struct report *report, size_t index, struct buf *out);
/* Where in the schema it comes from. */
void violation_add_schema_path(const struct report *report, size_t index, struct buf *out);

#endif

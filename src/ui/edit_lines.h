#ifndef UI_EDIT_LINES_H
#define UI_EDIT_LINES_H

#include "ui/edit.h"

/* Bounds of the line around an offset; a single-line edit is one line. */
size_t edit_line_start(const struct edit *e, size_t at);
size_t edit_line_end(const struct edit *e, size_t at);
/* Offset of the character at a column of the line that starts at `start`, its end past that. */
size_t edit_at_column(const struct edit *e, size_t start, size_t column);
/* Start of line number n, or of the last line. */
size_t edit_line(const struct edit *e, int n);

#endif

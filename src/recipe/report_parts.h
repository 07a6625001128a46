#ifndef RECIPE_REPORT_PARTS_H
#define RECIPE_REPORT_PARTS_H

#include "recipe/report.h"

/* ---- recipe_report.c ---- */
struct recipe_counts report_counts(const struct recipe_report *r, int64_t *took_us);
void report_add_safe(struct buf *out, const char *text); /* on one line, as the screen has it */

/* ---- report_ci.c ---- */
void report_add_junit(const struct recipe_report *r, struct buf *out);
void report_add_tap(const struct recipe_report *r, struct buf *out);
void report_add_github(const struct recipe_report *r, struct buf *out); /* a step summary */

#endif

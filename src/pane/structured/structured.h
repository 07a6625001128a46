#ifndef PANE_STRUCTURED_STRUCTURED_H
#define PANE_STRUCTURED_STRUCTURED_H

#include "json/doc.h"
#include "pane/pane.h"
#include "render/render.h"
#include "schema/report.h"
#include "ui/input.h"
#include "ui/page.h"
#include "ui/seek.h"
#include "ui/surface.h"

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

/* One value in every renderer: a state for each, of which one is shown. A view is synced when it is
 * shown and not before, so raw JSON of a huge value costs nothing unseen. */
struct views {
	struct render_input in; /* set by views_set_input() */
	void *states[RENDERER_COUNT];
	uint64_t synced[RENDERER_COUNT]; /* the input's generation each knows */
	enum renderer_id shown;
};

void views_init(struct views *v);
void views_finish(struct views *v);
/* Another value; its generation is given by the views. Follow with views_show(). */
void views_set_input(struct views *v, struct render_input in);
/* The same value, with what there is to say about it. */
void views_set_report(struct views *v, const struct pane_env *env, const struct report *report);
void views_show(struct views *v, const struct pane_env *env, enum renderer_id view);
bool views_work(struct views *v);                          /* of the one shown, as in render.h */
const struct render_ops *views_ops(const struct views *v); /* of the one shown */
void *views_state(const struct views *v);
struct render_env views_env(const struct views *v, const struct pane_env *env);
bool views_seek(struct views *v, struct seekable *out); /* of the one shown, as in render.h */
bool views_key(struct views *v, const struct pane_env *env, const struct key *key);

/* What a declared outputSchema says that results look like, as an outline. */
void promise_write(struct page *page, const cJSON *output_schema);

#endif

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

/* One value in every renderer: each has a state, one is shown. Only the visible view is synced, so
 * raw JSON of a huge value costs nothing unseen. */
struct views {
	struct render_input in; /* set by views_set_input() */
	void *states[RENDERER_COUNT];
	uint64_t synced[RENDERER_COUNT]; /* the input generation each view has seen */
	enum renderer_id shown;
};

void views_init(struct views *v);
void views_finish(struct views *v);
/* Sets another value and its generation. Call views_show() next. */
void views_set_input(struct views *v, struct render_input in);
/* The same value with a new report. */
void views_set_report(struct views *v, const struct pane_env *env, const struct report *report);
void views_show(struct views *v, const struct pane_env *env, enum renderer_id view);
bool views_work(struct views *v);                          /* of the one shown, as in render.h */
const struct render_ops *views_ops(const struct views *v); /* of the one shown */
void *views_state(const struct views *v);
struct render_env views_env(const struct views *v, const struct pane_env *env);
bool views_seek(struct views *v, struct seekable *out); /* of the one shown, as in render.h */
bool views_key(struct views *v, const struct pane_env *env, const struct key *key);

/* An outline of the declared outputSchema. */
void promise_write(struct page *page, const cJSON *output_schema);

#endif

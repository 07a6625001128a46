#include "render.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/text_match.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

/* Steps wait for a condition: what they are about has to be there, and the app has to have taken
 * what it got. So they never depend on how fast a machine is. */

/* Without what differs between lines and columns: each run of blanks is one. */
static void
add_squeezed(struct buf *out, const char *text)
{
	bool blank = false;

	for (; *text; text++) {
		if (*text == ' ' || *text == '\n' || *text == '\t') {
			blank = true;
			continue;
		}
		if (blank && out->len > 0)
			buf_add_char(out, ' ');
		blank = false;
		buf_add_char(out, *text);
	}
}

static const struct app_cells *
cells_of(const struct render *r)
{
	return app_facts(render_app(r))->cells;
}

/* ---- wait ---- */

static bool
shows_text(struct render *r)
{
	struct buf raw = BUF_INIT, page = BUF_INIT, sought = BUF_INIT;
	const struct app_cells *cells = cells_of(r);

	if (!cells || r->scanned == r->frames)
		return false;
	r->scanned = r->frames;
	app_cells_add_text(cells, &raw);
	add_squeezed(&page, buf_text(&raw));
	add_squeezed(&sought, r->step->text);
	bool found = strstr(buf_text(&page), buf_text(&sought)) != NULL;
	buf_finish(&raw);
	buf_finish(&page);
	buf_finish(&sought);
	return found;
}

/* ---- click ---- */

static bool
is_named(const struct app_target *t, const char *name, bool whole)
{
	struct buf own = BUF_INIT, wanted = BUF_INIT;
	struct substring part;

	add_squeezed(&own, t->name);
	add_squeezed(&wanted, name);
	substring_init(&part, buf_text(&wanted), wanted.len);
	bool fits = whole ? strcmp(buf_text(&own), buf_text(&wanted)) == 0
			  : substring_is_in(&part, buf_text(&own), own.len);
	substring_finish(&part);
	buf_finish(&own);
	buf_finish(&wanted);
	return fits;
}

static const struct app_target *
find_target(const struct app_cells *cells, const char *name)
{
	for (int whole = 1; whole >= 0; whole--)
		for (size_t i = 0; i < cells->target_count; i++)
			if (is_named(&cells->targets[i], name, whole))
				return &cells->targets[i];
	return NULL;
}

/* The columns of the text in a row; false: it is not there. */
static bool
find_in_row(const struct app_cells *c, int row, const char *text, int *first, int *last)
{
	const struct app_cell *cells = &c->cells[(size_t)row * (size_t)c->cols];
	size_t len = strlen(text);

	for (int start = 0; start < c->cols; start++) {
		size_t at = 0;
		int col = start;
		for (; col < c->cols && at < len; col++) {
			char bytes[4];
			size_t n = cells[col].ch ? utf8_encode(cells[col].ch, bytes) : 0;
			if (n > len - at || memcmp(bytes, text + at, n) != 0)
				break;
			at += n;
		}
		if (at < len)
			continue;
		*first = start;
		*last = col - 1;
		return true;
	}
	return false;
}

/* The middle of what has the name, else of the text wherever it is. */
static bool
find_place(struct render *r)
{
	const struct app_cells *c = cells_of(r);
	const struct app_target *target = c ? find_target(c, r->step->text) : NULL;
	int first, last;

	r->is_disabled = target && target->is_disabled;
	if (target) {
		r->x = (int)target->x;
		r->y = (int)target->y;
		return !target->is_disabled;
	}
	for (int row = 0; c && row < c->rows; row++) {
		if (!find_in_row(c, row, r->step->text, &first, &last))
			continue;
		r->x = (first + last + 1) * c->cell_width / 2;
		r->y = row * c->cell_height + c->cell_height / 2;
		return true;
	}
	return false;
}

/* A page that still grows may move it before the click arrives. */
static bool
finds_place(struct render *r)
{
	return find_place(r) && render_rests(r);
}

static void
click(struct render *r, const struct app_view_ops *ops, struct app_view *view)
{
	struct app_view_mouse mouse = { .kind = APP_VIEW_MOVE, .x = r->x, .y = r->y, .clicks = 1 };

	ops->mouse(view, &mouse); /* menus and sliders want to see it arrive */
	mouse.kind = APP_VIEW_PRESS;
	mouse.button = 1;
	ops->mouse(view, &mouse);
	mouse.kind = APP_VIEW_RELEASE;
	ops->mouse(view, &mouse);
}

/* ---- keys ---- */

static void
type(struct render *r, const struct app_view_ops *ops, struct app_view *view)
{
	ops->text(view, r->step->text, strlen(r->step->text));
}

/* Removes "Shift+" and the like from the front of *name. */
static int
take_modifiers(const char **name)
{
	static const struct {
		const char *name;
		int bit;
	} all[] = { { "Alt+", APP_VIEW_ALT }, { "Ctrl+", APP_VIEW_CTRL },
		{ "Meta+", APP_VIEW_META }, { "Shift+", APP_VIEW_SHIFT } };
	int bits = 0;

	for (size_t i = 0; i < ARRAY_LEN(all);) {
		size_t len = strlen(all[i].name);
		bool here = strncmp(*name, all[i].name, len) == 0 && (*name)[len];
		bits |= here ? all[i].bit : 0;
		*name += here ? len : 0;
		i = here ? 0 : i + 1;
	}
	return bits;
}

static void
press(struct render *r, const struct app_view_ops *ops, struct app_view *view)
{
	const char *name = r->step->text;
	int modifiers = take_modifiers(&name);

	r->is_unknown = !ops->key(view, name, modifiers);
}

/* ---- one after the other ---- */

static const struct {
	bool (*ready)(struct render *r); /* NULL: at once */
	void (*act)(struct render *r, const struct app_view_ops *ops, struct app_view *view);
} kinds[] = {
	[STEP_WAIT] = { shows_text, NULL },
	[STEP_CLICK] = { finds_place, click },
	[STEP_TYPE] = { NULL, type },
	[STEP_PRESS] = { NULL, press },
};

/* What an app that does not change is missing; NULL: trouble says all. */
static const char *
hint(const struct render *r)
{
	const struct app *a = render_app(r);
	const struct app_cells *c = a ? app_facts(a)->cells : NULL;

	if (r->is_disabled)
		return "it is disabled";
	if (c && c->facts.page_height > (double)(c->rows * c->cell_height) + 1)
		return "it did not come in time; the page goes on below: --size shows more";
	return NULL;
}

static bool
run_step(struct render *r, struct render_outcome *outcome, int64_t limit_us)
{
	char *trouble = outcome->trouble;
	const struct app_view_ops *ops;

	r->scanned = 0;
	r->is_disabled = r->is_unknown = false;
	if (kinds[r->step->kind].ready && !render_wait(r, limit_us, kinds[r->step->kind].ready,
					      trouble, sizeof(outcome->trouble))) {
		bool late = strcmp(trouble, RENDER_LATE) == 0;
		if (late && hint(r))
			snprintf(trouble, sizeof(outcome->trouble), "%s", hint(r));
		return false;
	}
	struct app_view *view = app_view_of(render_app(r), &ops);
	if (!kinds[r->step->kind].act || !view)
		return view != NULL;
	kinds[r->step->kind].act(r, ops, view);
	if (r->is_unknown)
		snprintf(trouble, sizeof(outcome->trouble), "there is no such key");
	return !r->is_unknown &&
	       render_wait(r, limit_us, render_rests, trouble, sizeof(outcome->trouble));
}

bool
render_run_steps(struct render *r, int64_t limit_us)
{
	bool worked = true;

	for (size_t i = 0; worked && i < r->o->steps.len; i++) {
		int64_t began_us = clock_now_us();
		r->step = &r->o->steps.items[i];
		worked = run_step(r, &r->outcomes[i], limit_us);
		r->outcomes[i].took_us = clock_now_us() - began_us;
	}
	return worked;
}

#include "form_pane_priv.h"
#include "offer_words.h"

#include "base/glyph.h"
#include "pane_text.h"

#include <string.h>
#include <strings.h>

#define WIDE_COLS 64  /* from here on facts stand beside the fields */
#define EDIT_LINES 10 /* of a text being edited in its row */
#define FACT_LINES 6  /* of the selected row */
#define ROWS_MEASURED 300

/* Columns of a row: label, widget, facts. */
struct columns {
	int label_x, widget_x, widget_width;
	int facts_x, facts_width; /* 0: no room, facts go under the selected field */
};

static struct columns
columns_of(const struct form_pane *p, int width)
{
	struct columns c = { .label_x = 0 };
	int label = p->label_cols < 8 ? 8 : p->label_cols;

	if (label > width * 28 / 100)
		label = width * 28 / 100;
	c.widget_x = c.label_x + label + 2;
	int rest = width - c.widget_x;
	c.widget_width = rest;
	if (width >= WIDE_COLS) {
		c.widget_width = rest * 38 / 100;
		if (c.widget_width > 36)
			c.widget_width = 36;
		c.facts_x = c.widget_x + c.widget_width + 2;
		c.facts_width = width - c.facts_x;
	}
	return c;
}

static bool
is_selected(const struct form_pane *p, size_t row)
{
	return p->button == BUTTON_NONE && p->row == row;
}

/* ---- what stands beside a field ---- */

/* One that says no more than the name is left out. */
static bool
shows_title(const struct field *field)
{
	const char *title = field_title(field), *name = field_name(field);

	return title && *title && name && strcasecmp(title, name) != 0;
}

static void
facts_text(const struct form_pane *p, const struct form_row *row, bool selected, struct buf *out)
{
	const struct field *field = row->field;
	const char *description = field_description(field);

	if (selected && form_pane_label_columns(row) > p->label_room && field_name(field))
		buf_addf(out, "%s: ", field_name(field));
	if (shows_title(field))
		buf_addf(out, "%s · ", field_title(field));
	if (description && *description)
		buf_addf(out, "%s · ", description);
	if (!field_is_item(field) || selected)
		field_facts(field, out);
}

/* The trouble of a row: its own, or how many places below it where it is folded. */
static enum role
trouble_text(const struct form_pane *p, const struct form_row *row, bool selected, struct buf *out)
{
	size_t below = field_problems_below(row->field);

	if (row->kind == FORM_ROW_ADD)
		return ROLE_NONE;
	if (selected && p->editing && p->edit_error[0])
		buf_addf(out, "✗ not JSON, %s", p->edit_error);
	else if (field_problem(row->field))
		buf_addf(out, "✗ %s", field_problem(row->field));
	else if (below > 0 && field_is_folded(row->field))
		buf_addf(out, "✗ %zu problem%s inside", below, below == 1 ? "" : "s");
	return out->len > 0 ? ROLE_ERROR : ROLE_NONE;
}

/* The lines of a row beside (or under) its widget, as one text in one role. */
static enum role
side_text(const struct form_pane *p, const struct form_row *row, bool selected, bool wide,
    struct buf *out)
{
	enum role role = trouble_text(p, row, selected, out);

	if (role != ROLE_NONE || row->kind == FORM_ROW_ADD)
		return role;
	if (wide || selected)
		facts_text(p, row, selected, out);
	return ROLE_DIM;
}

static int
side_lines(struct form_pane *p, const struct buf *text, int width, bool selected)
{
	if (text->len == 0 || width < 1)
		return 0;
	if (!selected)
		return 1;
	wrap_set(&p->wrap, buf_text(text), text->len, width);
	wrap_work(&p->wrap, FACT_LINES, 4096);
	size_t rows = wrap_rows(&p->wrap);
	return rows < FACT_LINES ? (int)rows : FACT_LINES;
}

static int
widget_lines(const struct form_pane *p, const struct form_row *row, bool selected, int most)
{
	int lines = 1;

	if (row->kind == FORM_ROW_ADD)
		return 1;
	if (!field_parent(row->field))
		return most;
	if (selected && p->editing) {
		for (const char *at = edit_text(&p->edit);
		     lines < EDIT_LINES && (at = strchr(at, '\n')); at++)
			lines++;
		return lines;
	}
	return form_pane_value_lines(row->field);
}

static bool
is_long(const struct form_pane *p, const struct form_row *row, bool selected)
{
	return row->kind == FORM_ROW_FIELD && widget_lines(p, row, selected, 2) > 1;
}

static int
row_height(struct form_pane *p, const struct form *form, size_t index, const struct columns *c,
    int width, int most, bool selected)
{
	struct form_row row = form_row_at(form, index);
	bool beside = c->facts_width > 0 && !is_long(p, &row, selected);
	int lines = widget_lines(p, &row, selected, most);
	struct buf text = BUF_INIT;

	side_text(p, &row, selected, c->facts_width > 0, &text);
	if (!field_parent(row.field) && row.kind == FORM_ROW_FIELD)
		lines = most;
	else if (beside)
		lines = side_lines(p, &text, c->facts_width, selected) > lines
			    ? side_lines(p, &text, c->facts_width, selected)
			    : lines;
	else
		lines += side_lines(p, &text, width - c->widget_x, selected);
	buf_finish(&text);
	return lines;
}

/* ---- one row ---- */

static void
draw_label(const struct form_row *row, struct surface s, const struct columns *c, bool selected)
{
	const struct field *field = row->field;
	int x = c->label_x + 2 * (int)row->depth;
	int room = c->widget_x - 1 - x;
	struct style style = style_of(selected ? ROLE_TITLE : ROLE_DIM);

	if (row->kind == FORM_ROW_ADD)
		surface_text(s, x, 0, room, style_of(selected ? ROLE_ACCENT : ROLE_HINT), "+ add");
	else if (field_is_item(field))
		surface_textf(s, x, 0, room, style, "[%zu]", field_index(field));
	else if (field_name(field))
		x += surface_text(
		    s, x, 0, room, style, field_name(field)[0] ? field_name(field) : "\"\"");
	if (row->kind == FORM_ROW_FIELD && field_is_required(field) && x < c->widget_x - 3)
		surface_text(s, x + 1, 0, 1, style_of(ROLE_ACCENT), "*");
}

static void
draw_side(
    struct form_pane *p, struct surface s, const struct buf *text, enum role role, bool selected)
{
	if (text->len == 0 || s.height < 1)
		return;
	if (!selected) {
		surface_text(s, 0, 0, -1, style_of(role), buf_text(text));
		return;
	}
	wrap_set(&p->wrap, buf_text(text), text->len, s.width);
	wrap_draw(&p->wrap, s, style_of(role), 0);
}

static void
draw_widget(struct form_pane *p, const struct form_row *row, struct surface s, bool selected)
{
	if (row->kind == FORM_ROW_ADD)
		return;
	if (selected && p->editing) {
		struct style style = style_on(ROLE_TEXT, ROLE_FIELD_FOCUS);
		surface_clear(s, style);
		edit_draw(&p->edit, surface_sub(s, 1, 0, s.width - 2, s.height), style, true, NULL);
	} else {
		form_pane_draw_value(row->field, s);
	}
}

static void
draw_row(struct form_pane *p, const struct pane_env *env, const struct form *form, size_t index,
    struct surface s, const struct columns *c)
{
	struct form_row row = form_row_at(form, index);
	bool selected = is_selected(p, index), is_root = !field_parent(row.field);
	bool long_text = is_long(p, &row, selected);
	bool beside = c->facts_width > 0 && !long_text;
	int x = is_root ? 0 : c->widget_x;
	int width = beside ? c->widget_width : s.width - x;
	struct buf text = BUF_INIT;
	enum role role = side_text(p, &row, selected, c->facts_width > 0, &text);
	int under = beside || is_root ? 0 : side_lines(p, &text, width, selected);

	if (is_root && (role == ROLE_ERROR || s.height > 3))
		under = 1;
	if (!is_root)
		draw_label(&row, s, c, selected);
	if (beside)
		draw_side(p, surface_sub(s, c->facts_x, 0, c->facts_width, s.height), &text, role,
		    selected);
	else if (!is_root || role == ROLE_ERROR)
		draw_side(
		    p, surface_sub(s, x, s.height - under, width, under), &text, role, selected);
	buf_finish(&text);
	if (selected && !is_root)
		surface_select_row(s, 0, env->focused);
	int lines = is_root ? s.height - under : widget_lines(p, &row, selected, s.height);
	draw_widget(p, &row, surface_sub(s, x, 0, width, lines), selected);
}

/* ---- all rows ---- */

/* Moves the window so that the selected row is whole in it. */
static void
follow(struct form_pane *p, const struct form *form, const struct columns *c, struct surface s)
{
	if (!p->follow)
		return;
	size_t row = p->button == BUTTON_NONE ? p->row : form_row_count(form) - 1;
	if (row < p->top)
		p->top = row;
	int used = row_height(p, form, row, c, s.width, s.height, is_selected(p, row));
	size_t top = row;
	while (top > p->top) {
		used += row_height(p, form, top - 1, c, s.width, s.height, false);
		if (used > s.height)
			break;
		top--;
	}
	p->top = top;
}

static void
draw_rows(struct form_pane *p, const struct pane_env *env, const struct form *form,
    struct surface s, int y0)
{
	struct columns c = columns_of(p, s.width);
	size_t count = form_row_count(form);
	int y = 0;

	p->hit_count = 0;
	p->widget_x = field_kind(form_root(form)) == FIELD_JSON ? 0 : c.widget_x;
	p->label_room = c.widget_x - 1;
	if (count > 0)
		follow(p, form, &c, s);
	for (size_t i = p->top; i < count && y < s.height; i++) {
		int height = row_height(p, form, i, &c, s.width, s.height, is_selected(p, i));
		draw_row(p, env, form, i, surface_sub(s, 0, y, s.width, height), &c);
		if (p->hit_count < FORM_PANE_HITS)
			p->hits[p->hit_count++] = (struct form_hit){ i, y + y0, height };
		y += height;
	}
	if (count == 0)
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    p->look ? "nothing to fill in" : offer_words_of(env)->no_fields);
	else if (p->top > 0 || y > s.height || p->top + (size_t)p->hit_count < count)
		surface_scrollbar(s, env->focused, count, p->top);
}

/* ---- around them ---- */

static const char *
description(const struct form_pane *p, const struct pane_env *env)
{
	const struct offer *tool = form_pane_look(p)->bare ? NULL : workspace_offer(env->ws);

	return tool && tool->description ? tool->description : "";
}

static int
description_lines(struct form_pane *p, const struct pane_env *env, int width, int most)
{
	const char *text = description(p, env);

	if (!*text || most < 1)
		return 0;
	wrap_set(&p->wrap, text, strlen(text), width);
	wrap_work(&p->wrap, (size_t)most + 1, 65536);
	return wrap_rows(&p->wrap) < (size_t)most ? (int)wrap_rows(&p->wrap) : most;
}

/* Lines of all fields, whichever is selected: the pane must not grow and shrink under the cursor.
 */
static int
fields_lines(struct form_pane *p, const struct form *form, int width)
{
	struct columns c = columns_of(p, width);
	size_t count = form_row_count(form);
	int lines = count == 0, more = 0;

	for (size_t i = 0; i < count && i < ROWS_MEASURED; i++) {
		int plain = row_height(p, form, i, &c, width, 12, false);
		int chosen = row_height(p, form, i, &c, width, 12, true);
		lines += plain;
		more = chosen - plain > more ? chosen - plain : more;
	}
	return lines + more;
}

/* At the top, in what room the fields leave, but at least a third of the pane; F2 shows the whole.
 */
static int
draw_description(struct form_pane *p, const struct pane_env *env, struct surface s, int fields)
{
	int least = s.height > 9 ? s.height / 5 : s.height > 3;
	int most = s.height - fields > least ? s.height - fields : least;
	int rows = description_lines(p, env, s.width, most);

	if (rows == 0)
		return 0;
	wrap_draw(&p->wrap, surface_sub(s, 0, 0, s.width, rows), style_of(ROLE_TEXT), 0);
	if (wrap_rows(&p->wrap) > (size_t)rows)
		surface_text_right(s, s.width, rows - 1, 5, style_of(ROLE_HINT), " … F2");
	return rows + (s.height - rows > fields || s.height - rows > 8);
}

static const char *
button_label(const struct form_pane *p, const struct pane_env *env, int button)
{
	bool first_of_offer = !p->look && button == BUTTON_CALL;

	return first_of_offer ? offer_words_of(env)->button
			      : form_pane_look(p)->buttons[button].label;
}

static void
draw_buttons(struct form_pane *p, const struct pane_env *env, struct surface s)
{
	const struct form *form = form_pane_form(p, env);
	size_t problems = form_problem_count(form);
	int count = form_pane_buttons(p, env);
	int x = s.width;

	for (int i = 0; i < count; i++)
		x -= (int)strlen(button_label(p, env, i)) + (i > 0) * 2;
	if (problems > 0 && x > 16)
		surface_textf(s, 0, 0, x - 2, style_of(ROLE_ERROR), "✗ %zu problem%s", problems,
		    problems == 1 ? "" : "s");
	for (int i = 0; i < count; i++) {
		bool selected = p->button == i && env->focused;
		bool lit = selected || (i == BUTTON_CALL && !(env->focused && p->button > 0));
		p->buttons_x[i] = x;
		struct style style = style_of(lit ? ROLE_BUTTON_FOCUS : ROLE_BUTTON);
		if (selected)
			style.attr = ATTR_BOLD;
		x += surface_text(s, x, 0, -1, style, button_label(p, env, i)) + 2;
	}
	for (int i = count; i <= BUTTON_COUNT; i++)
		p->buttons_x[i] = x;
}

static void
draw_nothing(const struct pane_env *env, struct surface s)
{
	const struct offer *tool = workspace_offer(env->ws);

	if (!env->ws->desk) {
		pane_draw_server_state(env, s);
		return;
	}
	surface_textf(s, 0, 0, -1, style_of(ROLE_ERROR), "✗ this %s's definition is broken",
	    offer_kind_name(env->ws->desk->kind));
	if (tool)
		surface_text(s, 0, 1, -1, style_of(ROLE_TEXT), tool->problem);
	surface_text(s, 0, 3, -1, style_of(ROLE_HINT), "F2 shows the definition as it came");
}

/* What is wrong with the definition of what the form is for; NULL: nothing that is known. */
static const char *
definition_problem(const struct form_pane *p, const struct pane_env *env)
{
	const struct offer *o = form_pane_look(p)->bare ? NULL : workspace_offer(env->ws);

	return o && o->broken ? o->problem : NULL;
}

static int
notes_lines(const struct form_pane *p, const struct pane_env *env, const struct form *form)
{
	const struct field *root = form_root(form);

	return (definition_problem(p, env) != NULL) + (form_schema_problem(form)[0] != '\0') +
	       (field_problem(root) && field_kind(root) != FIELD_JSON);
}

static int
draw_notes(const struct form_pane *p, const struct pane_env *env, const struct form *form,
    struct surface s)
{
	const struct field *root = form_root(form);
	int y = 0;

	if (definition_problem(p, env) && s.height > 2)
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", definition_problem(p, env));
	if (form_schema_problem(form)[0] && s.height > 3)
		surface_textf(s, 0, y++, -1, style_of(ROLE_WARNING),
		    "not checked, the %s is broken: %s", form_pane_look(p)->schema,
		    form_schema_problem(form));
	if (field_problem(root) && field_kind(root) != FIELD_JSON && s.height > 3)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", field_problem(root));
	return y;
}

void
form_pane_draw(void *state, const struct pane_env *env, struct surface s)
{
	struct form_pane *p = state;
	const struct form *form = form_pane_form(p, env);

	p->hit_count = 0;
	p->buttons_y = -1;
	if (!form || s.height < 1) {
		draw_nothing(env, s);
		return;
	}
	int top = draw_description(
	    p, env, surface_sub(s, 0, 0, s.width, s.height - 1), fields_lines(p, form, s.width));
	top += draw_notes(p, env, form, surface_sub(s, 0, top, s.width, s.height - top));
	int bottom = s.height > 2 ? 1 : 0;
	struct surface rows = surface_sub(s, 0, top, s.width, s.height - top - bottom);
	draw_rows(p, env, form, rows, top);
	if (bottom) {
		p->buttons_y = s.height - 1;
		draw_buttons(p, env, surface_sub(s, 0, s.height - 1, s.width, 1));
	}
	struct field *field = form_pane_selected(p, env);
	if (p->menu && field)
		form_pane_menu_draw(p, field, surface_sub(s, 0, 0, s.width, s.height));
	else
		form_pane_complete_draw(p, env, s);
}

int
form_pane_want(void *state, const struct pane_env *env, int width)
{
	struct form_pane *p = state;
	const struct form *form = form_pane_form(p, env);

	if (!form)
		return env->ws->desk ? 4 : 14;
	int lines = description_lines(p, env, width, 12);
	lines += notes_lines(p, env, form) + fields_lines(p, form, width) + 1;
	lines += form_pane_complete_rows(p, env);
	return lines + (form_row_count(form) > 0 || lines > 3);
}

#include "form_pane.h"

#include "base/glyph.h"
#include "pane/tools/tools.h"

#include <string.h>
#include <strings.h>

#define WIDE_COLS 64  /* from this width on, facts are beside the fields */
#define EDIT_LINES 10 /* of a text edited in its row */
#define ROWS_MEASURED 300
#define FACT_LINES 6 /* of the selected row */

/* Columns of a row: label, widget, facts. */
struct columns {
	int label_x, widget_x, widget_width;
	int facts_x, facts_width; /* 0: facts go below the selected field */
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

/* All arguments as one JSON text. */
static bool
is_whole(const struct form_row *row)
{
	return row->kind == FORM_ROW_FIELD && !field_view(row->field).parent &&
	       field_view(row->field).kind == FIELD_JSON;
}

static int
widget_lines(const struct form_pane *p, const struct form_row *row, bool selected, int most)
{
	int lines = 1;

	if (row->kind == FORM_ROW_ADD || form_pane_is_chooser(row))
		return 1;
	if (is_whole(row))
		return most;
	if (selected && p->editing) {
		for (const char *at = edit_text(&p->edit);
		     lines < EDIT_LINES && (at = strchr(at, '\n')); at++)
			lines++;
		return lines;
	}
	return form_pane_value_lines(row);
}

static bool
is_long(const struct form_pane *p, const struct form_row *row, bool selected)
{
	return row->kind != FORM_ROW_ADD && widget_lines(p, row, selected, 2) > 1;
}

/* A title that equals the name is left out. */
static bool
shows_title(const struct field *field)
{
	const char *title = field_view(field).title, *name = field_view(field).name;

	return title && *title && name && strncasecmp(title, name, LABEL_BYTES) != 0;
}

static void
add_label(struct buf *out, const char *text, const char *after)
{
	label_add(out, text);
	buf_add_str(out, after);
}

static void
facts_text(const struct form_pane *p, const struct form_row *row, bool selected, struct buf *out)
{
	const struct field *field = row->field;
	const char *description = field_view(field).description;

	if (row->kind == FORM_ROW_VALUE) {
		field_value_facts(field, out);
		return;
	}
	if (selected && form_pane_label_columns(row) > p->label_room && field_view(field).name)
		add_label(out, field_view(field).name, ": ");
	if (shows_title(field))
		add_label(out, field_view(field).title, " · ");
	if (description && *description)
		add_label(out, description, " · ");
	if (!field_view(field).item || selected)
		field_facts(field, out);
}

/* A violation is shown in the row of its value, if that has a row. */
static bool
has_value_below(const struct form_row *row)
{
	enum field_kind kind = field_view(row->field).kind;

	return form_pane_is_chooser(row) && field_view(row->field).state == FIELD_SET &&
	       !field_view(row->field).folded && kind != FIELD_OBJECT && kind != FIELD_ARRAY &&
	       kind != FIELD_CONST;
}

/* The problem of a row, or the number of problems below it if it is folded. */
static enum role
trouble_text(const struct form_pane *p, const struct form_row *row, bool selected, struct buf *out)
{
	size_t below = field_view(row->field).problems_below;

	if (row->kind == FORM_ROW_ADD || has_value_below(row))
		return ROLE_NONE;
	if (selected && p->editing && p->edit_error[0])
		buf_addf(out, "✗ not JSON, %s", p->edit_error);
	else if (field_view(row->field).problem)
		buf_addf(out, "✗ %s", field_view(row->field).problem);
	else if (below > 0 && field_view(row->field).folded)
		buf_addf(out, "✗ %zu problem%s inside", below, below == 1 ? "" : "s");
	return out->len > 0 ? ROLE_ERROR : ROLE_NONE;
}

static enum role
form_pane_side_text(const struct form_pane *p, const struct form_row *row, bool selected, bool wide,
    struct buf *out)
{
	if (selected && p->naming) {
		buf_add_str(
		    out, p->naming == NAMING_NEW ? "the name of the new property" : "its new name");
		return ROLE_DIM;
	}
	enum role role = trouble_text(p, row, selected, out);
	if (role != ROLE_NONE || row->kind == FORM_ROW_ADD)
		return role;
	if (wide || selected)
		facts_text(p, row, selected, out);
	return ROLE_DIM;
}

static int
form_pane_side_lines(struct form_pane *p, const struct buf *text, int width, bool selected)
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
row_height(struct form_pane *p, const struct form *form, size_t index, const struct columns *c,
    int width, int most, bool selected)
{
	struct form_row row = form_row_at(form, index);
	bool beside = c->facts_width > 0 && !is_long(p, &row, selected);
	int lines = widget_lines(p, &row, selected, most);
	struct buf text = BUF_INIT;

	form_pane_side_text(p, &row, selected, c->facts_width > 0, &text);
	if (is_whole(&row))
		lines = most;
	else if (beside)
		lines = form_pane_side_lines(p, &text, c->facts_width, selected) > lines
			    ? form_pane_side_lines(p, &text, c->facts_width, selected)
			    : lines;
	else
		lines += form_pane_side_lines(p, &text, width - c->widget_x, selected);
	buf_finish(&text);
	return lines;
}

/* ---- one row ---- */

static void
draw_label(const struct form_row *row, struct surface s, const struct columns *c, bool selected)
{
	const struct field *field = row->field;
	bool required = row->kind == FORM_ROW_FIELD && field_view(field).required;
	int x = c->label_x + 2 * (int)row->depth;
	int room = c->widget_x - 1 - x - 2 * required;
	struct style style = style_of(selected ? ROLE_TITLE : ROLE_DIM);

	if (row->kind == FORM_ROW_ADD)
		surface_text(s, x, 0, room, style_of(selected ? ROLE_ACCENT : ROLE_HINT), "+ add");
	else if (row->kind == FORM_ROW_VALUE || !field_view(field).parent)
		surface_text(
		    s, x, 0, room, style, row->kind == FORM_ROW_VALUE ? "value" : "variant");
	else if (field_view(field).item)
		surface_textf(s, x, 0, room, style, "[%zu]", field_view(field).index);
	else if (field_view(field).name)
		x += surface_text(s, x, 0, room, style,
		    field_view(field).name[0] ? field_view(field).name : "\"\"");
	if (required)
		surface_text(s, x + 1, 0, 1, style_of(ROLE_ACCENT), "*");
}

static void
draw_widget(struct form_pane *p, const struct form_row *row, struct surface s, bool selected)
{
	if (selected && p->editing) {
		struct style style = style_on(ROLE_TEXT, ROLE_FIELD_FOCUS);
		surface_clear(s, style);
		edit_draw(&p->edit, surface_sub(s, 1, 0, s.width - 2, s.height), style, true, NULL);
	} else if (row->kind != FORM_ROW_ADD) {
		form_pane_draw_value(row, s);
	}
}

static void
form_pane_draw_side(
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
draw_row(struct form_pane *p, const struct pane_env *env, const struct form *form, size_t index,
    struct surface s, const struct columns *c)
{
	struct form_row row = form_row_at(form, index);
	bool selected = is_selected(p, index), is_root = is_whole(&row);
	bool long_text = is_long(p, &row, selected);
	bool beside = c->facts_width > 0 && !long_text;
	int x = is_root ? 0 : c->widget_x;
	int width = beside ? c->widget_width : s.width - x;
	struct buf text = BUF_INIT;
	enum role role = form_pane_side_text(p, &row, selected, c->facts_width > 0, &text);
	int under = beside || is_root ? 0 : form_pane_side_lines(p, &text, width, selected);

	if (is_root && (role == ROLE_ERROR || s.height > 3))
		under = 1;
	if (!is_root)
		draw_label(&row, s, c, selected);
	if (beside)
		form_pane_draw_side(p, surface_sub(s, c->facts_x, 0, c->facts_width, s.height),
		    &text, role, selected);
	else if (!is_root || role == ROLE_ERROR)
		form_pane_draw_side(
		    p, surface_sub(s, x, s.height - under, width, under), &text, role, selected);
	buf_finish(&text);
	if (selected && !is_root)
		surface_select_row(s, 0, env->focused);
	int lines = is_root ? s.height - under : widget_lines(p, &row, selected, s.height);
	draw_widget(p, &row, surface_sub(s, x, 0, width, lines), selected);
}

/* ---- all rows ---- */

int
form_pane_row_y(const struct form_pane *p)
{
	for (int i = 0; i < p->hit_count; i++)
		if (p->hits[i].row == p->row)
			return p->hits[i].y;
	return 0;
}

/* Scrolls until the selected row is fully visible. */
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

/* Rows differ in height, so the scroll bar counts lines; rows off screen count as one line. */
static void
draw_scrollbar(struct form_pane *p, const struct pane_env *env, const struct form *form,
    const struct columns *c, struct surface s)
{
	size_t count = form_row_count(form), lines = 0, above = 0;

	for (size_t i = 0; i < count; i++) {
		if (i == p->top)
			above = lines;
		lines += i < ROWS_MEASURED ? (size_t)row_height(p, form, i, c, s.width, s.height,
						 is_selected(p, i))
					   : 1;
	}
	surface_scrollbar(s, env->focused, lines, above);
}

static const char *
no_fields(const struct form_pane *p, const struct pane_env *env)
{
	const struct primitive *primitive = p->look ? NULL : workspace_primitive(env->ws);

	if (p->look)
		return "nothing to fill in";
	if (primitive && primitive->kind == PRIMITIVE_TOOL && !primitive->input_schema)
		return "without an inputSchema there are no fields; J edits the arguments as JSON";
	return primitive_words_of(env)->no_fields;
}

void
form_pane_draw_rows(struct form_pane *p, const struct pane_env *env, struct surface s, int y0)
{
	const struct form *form = form_pane_form(p, env);
	struct columns c = columns_of(p, s.width);
	size_t count = form_row_count(form);
	int y = 0;

	p->hit_count = 0;
	p->widget_x = field_view(form_root(form)).kind == FIELD_JSON ? 0 : c.widget_x;
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
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), no_fields(p, env));
	else if (p->top > 0 || y > s.height || p->top + (size_t)p->hit_count < count)
		draw_scrollbar(p, env, form, &c, s);
}

int
form_pane_rows_lines(struct form_pane *p, const struct form *form, int width)
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

#define FACT_LINES 6 /* of the selected row */

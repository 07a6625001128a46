#include "form_pane.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "pane/tools/tools.h"

#include <string.h>
#include <strings.h>

#define WIDE_COLS 64  /* from this width on, facts are beside the fields */
#define EDIT_LINES 10 /* of a text edited in its row */
#define ROWS_MEASURED 300
#define FACT_LINES 6 /* of the selected row */
#define HINT_ROOM 3  /* lines that the buttons leave free for hints that wrap */

/* Columns of a row: label, widget, facts. */
struct columns {
	int width, height; /* of the surface */
	int widget_x, widget_width;
	int facts_x, facts_width; /* 0: facts go below the selected field */
};

static struct columns
columns_of(const struct form_pane *p, int width, int height)
{
	struct columns c = { .width = width, .height = height };
	int label = p->label_cols < 8 ? 8 : p->label_cols;

	if (label > width * 28 / 100)
		label = width * 28 / 100;
	c.widget_x = label + 2;
	c.widget_width = width - c.widget_x;
	if (width >= WIDE_COLS) {
		c.widget_width = c.widget_width * 38 / 100;
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
	return row->kind == FORM_ROW_FIELD && !row->view.parent && row->view.kind == FIELD_JSON;
}

static int
widget_lines(const struct form_pane *p, const struct form_row *row, bool edited, int most)
{
	int lines = 1;

	if (row->kind == FORM_ROW_ADD || form_pane_is_chooser(row))
		return 1;
	if (is_whole(row))
		return most;
	if (edited) {
		for (const char *at = edit_text(&p->edit);
		     lines < EDIT_LINES && (at = strchr(at, '\n')); at++)
			lines++;
		return lines;
	}
	return form_pane_value_lines(row);
}

/* A title that equals the name is left out. */
static bool
shows_title(const struct field_view *v)
{
	return v->title && *v->title &&
	       (!v->name || strncasecmp(v->title, v->name, LABEL_BYTES) != 0);
}

/* A description may have lines; a row that is not selected has only one. */
static void
add_prose(struct buf *out, const char *text, bool one_line)
{
	size_t len = label_length(text), start = out->len;

	buf_add_str(out, start > 0 ? " · " : "");
	glyph_add_dedented(out, text, len);
	buf_add_str(out, text[len] ? "…" : "");
	for (size_t i = start; one_line && i < out->len; i++)
		if (out->data[i] == '\n')
			out->data[i] = ' ';
}

/* What a reference to a variable stands for comes first. */
static void
add_filled(const struct field *field, struct buf *out)
{
	struct buf value = BUF_INIT;

	if (field_add_filled(field, &value)) {
		buf_add_str(out, "= ");
		buf_add(out, buf_text(&value), value.len < 200 ? value.len : 200);
		buf_add_str(out, value.len < 200 ? " · " : "… · ");
	}
	buf_finish(&value);
}

static void
facts_text(const struct form_pane *p, const struct form_row *row, bool selected, struct buf *out)
{
	const struct field_view *v = &row->view;

	if (row->kind == FORM_ROW_VALUE) {
		field_value_facts(row->field, out);
		return;
	}
	if (selected && form_pane_label_columns(row) > p->label_room && v->name) {
		label_add(out, v->name);
		buf_add_str(out, ": ");
	}
	add_filled(row->field, out);
	if (!v->item || v->fixed || selected)
		field_facts(row->field, out);
	if (v->parent && v->kind == FIELD_OBJECT) {
		struct buf rules = { .max = LABEL_BYTES };
		field_rules(row->field, false, &rules);
		buf_addf(out, rules.len > 0 ? ", %s" : "%s", buf_text(&rules));
		buf_finish(&rules);
	}
	if (shows_title(v))
		add_prose(out, v->title, !selected);
	if (v->description && *v->description)
		add_prose(out, v->description, !selected);
}

/* A violation is shown in the row of its value, if that has a row. */
static bool
has_value_below(const struct form_row *row)
{
	enum field_kind kind = row->view.kind;

	return form_pane_is_chooser(row) && row->view.state == FIELD_SET && !row->view.folded &&
	       kind != FIELD_OBJECT && kind != FIELD_ARRAY && kind != FIELD_CONST;
}

/* The problem of a row, or the number of problems below it if it is folded. */
static enum role
trouble_text(const struct form_pane *p, const struct form_row *row, bool edited, struct buf *out)
{
	size_t below = row->view.problems_below;

	if (row->kind == FORM_ROW_ADD || has_value_below(row))
		return ROLE_NONE;
	if (edited && p->edit_error[0])
		buf_addf(out, "✗ not JSON, %s", p->edit_error);
	else if (row->view.problem)
		buf_addf(out, "✗ %s", row->view.problem);
	else if (below > 0 && row->view.folded)
		buf_addf(out, "✗ %zu problem%s inside", below, plural(below));
	return out->len > 0 ? ROLE_ERROR : ROLE_NONE;
}

/* A row as it is drawn, with the text beside or below its widget. */
struct drawn_row {
	struct form_row row;
	bool selected, edited, whole, beside;
	struct buf text;
	enum role role;
	int widget, side; /* lines */
};

static enum role
side_text(const struct form_pane *p, const struct drawn_row *d, bool wide, struct buf *out)
{
	const struct form_row *row = &d->row;

	if (d->edited && p->naming) {
		buf_add_str(
		    out, p->naming == NAMING_NEW ? "the name of the new property" : "its new name");
		return ROLE_DIM;
	}
	enum role role = trouble_text(p, row, d->edited, out);
	if (role == ROLE_NONE && row->kind != FORM_ROW_ADD) {
		role = ROLE_DIM;
		if (wide || d->selected)
			facts_text(p, row, d->selected, out);
	}
	if (d->edited && p->moment != MOMENT_NONE)
		buf_addf(out, " · Ctrl-N %s, ↑↓ change a part",
		    p->moment == MOMENT_DATE ? "today" : "now");
	return role;
}

static int
side_lines(struct form_pane *p, const struct drawn_row *d, int width)
{
	if (d->text.len == 0 || width < 1)
		return 0;
	if (!d->selected)
		return 1;
	wrap_set(&p->wrap, buf_text(&d->text), d->text.len, width);
	wrap_work(&p->wrap, FACT_LINES, 4096);
	size_t rows = wrap_rows(&p->wrap);
	return rows < FACT_LINES ? (int)rows : FACT_LINES;
}

static struct drawn_row
measure(struct form_pane *p, const struct form *form, const struct columns *c, size_t index,
    bool selected)
{
	struct drawn_row d = { .row = form_row_at(form, index), .selected = selected };

	d.whole = is_whole(&d.row);
	d.edited = p->editing && is_selected(p, index);
	d.widget = widget_lines(p, &d.row, d.edited, c->height);
	d.beside = c->facts_width > 0 && widget_lines(p, &d.row, d.edited, 2) == 1;
	d.role = side_text(p, &d, c->facts_width > 0, &d.text);
	if (!d.whole)
		d.side = side_lines(p, &d, d.beside ? c->facts_width : c->width - c->widget_x);
	return d;
}

static int
height_of(const struct drawn_row *d)
{
	if (!d->beside)
		return d->widget + d->side;
	return d->side > d->widget ? d->side : d->widget;
}

static int
row_height(struct form_pane *p, const struct form *form, const struct columns *c, size_t index,
    bool selected)
{
	struct drawn_row d = measure(p, form, c, index, selected);

	buf_finish(&d.text);
	return height_of(&d);
}

/* ---- one row ---- */

static void
draw_label(const struct drawn_row *d, struct surface s, const struct columns *c)
{
	const struct field_view *v = &d->row.view;
	bool own = d->row.kind == FORM_ROW_FIELD;
	const struct {
		bool applies;
		enum role role;
		const char *mark;
	} marks[] = {
		{ own && v->required, ROLE_ACCENT, "*" },
		{ own && v->read_only, ROLE_DIM, "=" },
		{ own && v->deprecated, ROLE_WARNING, "×" },
	};
	int x = 2 * (int)d->row.depth, room = c->widget_x - 1 - x;
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		room -= 2 * marks[i].applies;
	struct style style = style_of(d->selected ? ROLE_TITLE : ROLE_DIM);

	if (d->row.kind == FORM_ROW_ADD)
		surface_text(
		    s, x, 0, room, style_of(d->selected ? ROLE_ACCENT : ROLE_HINT), "+ add");
	else if (d->row.kind == FORM_ROW_VALUE || !v->parent)
		surface_text(
		    s, x, 0, room, style, d->row.kind == FORM_ROW_VALUE ? "value" : "variant");
	else if (v->item)
		surface_textf(s, x, 0, room, style, "[%zu]", v->index);
	else if (v->name)
		x += surface_text(s, x, 0, room, style, v->name[0] ? v->name : "\"\"");
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (marks[i].applies)
			x += 1 +
			     surface_text(s, x + 1, 0, 1, style_of(marks[i].role), marks[i].mark);
}

static void
draw_widget(struct form_pane *p, const struct drawn_row *d, struct surface s)
{
	if (d->edited) {
		struct style style = style_on(ROLE_TEXT, ROLE_FIELD_FOCUS);
		surface_clear(s, style);
		int type = p->naming ? 0 : form_pane_draw_type(&d->row, s, ROLE_FIELD_FOCUS);
		edit_draw(&p->edit, surface_sub(s, 1, 0, s.width - 2 - type, s.height), style, true,
		    NULL);
	} else if (d->row.kind != FORM_ROW_ADD) {
		form_pane_draw_value(&d->row, s);
	}
}

static void
draw_side(struct form_pane *p, const struct drawn_row *d, struct surface s)
{
	if (d->text.len == 0 || s.height < 1)
		return;
	if (!d->selected) {
		surface_text(s, 0, 0, -1, style_of(d->role), buf_text(&d->text));
		return;
	}
	wrap_set(&p->wrap, buf_text(&d->text), d->text.len, s.width);
	wrap_draw(&p->wrap, s, style_of(d->role), 0);
}

/* All arguments as JSON have no label, and only the problem is below them. */
static void
draw_whole(struct form_pane *p, const struct drawn_row *d, struct surface s)
{
	int under = d->role == ROLE_ERROR || s.height > 3;

	if (d->role == ROLE_ERROR)
		draw_side(p, d, surface_sub(s, 0, s.height - under, s.width, under));
	draw_widget(p, d, surface_sub(s, 0, 0, s.width, s.height - under));
}

static void
draw_row(struct form_pane *p, const struct view_env *env, const struct drawn_row *d,
    struct surface s, const struct columns *c)
{
	int width = d->beside ? c->widget_width : s.width - c->widget_x;

	draw_label(d, s, c);
	if (d->beside)
		draw_side(p, d, surface_sub(s, c->facts_x, 0, c->facts_width, s.height));
	else
		draw_side(p, d, surface_sub(s, c->widget_x, s.height - d->side, width, d->side));
	if (d->selected)
		surface_select_row(s, 0, env->focused);
	draw_widget(p, d, surface_sub(s, c->widget_x, 0, width, d->widget));
}

/* ---- all rows ---- */

/* The first of the rows, not before `least`, that end with this one and fit. */
static size_t
first_above(
    struct form_pane *p, const struct form *form, const struct columns *c, size_t row, size_t least)
{
	int used = row_height(p, form, c, row, is_selected(p, row));

	for (; row > least; row--) {
		used += row_height(p, form, c, row - 1, is_selected(p, row - 1));
		if (used > c->height)
			break;
	}
	return row;
}

/* Scrolls until the selected row is fully visible, and never past the last page. */
static void
follow(struct form_pane *p, const struct form *form, const struct columns *c)
{
	size_t last = form_row_count(form) - 1;
	size_t row = p->button == BUTTON_NONE ? p->row : last;

	if (p->follow)
		p->top = row < p->top ? row : first_above(p, form, c, row, p->top);
	size_t page = first_above(p, form, c, last, 0);
	p->top = p->top < page ? p->top : page;
}

/* Rows differ in height, so the scroll bar counts lines; rows off screen count as one line. */
static void
draw_scrollbar(struct form_pane *p, const struct view_env *env, const struct form *form,
    const struct columns *c, struct surface s)
{
	size_t count = form_row_count(form), lines = 0, above = 0;

	for (size_t i = 0; i < count; i++) {
		if (i == p->top)
			above = lines;
		lines +=
		    i < ROWS_MEASURED ? (size_t)row_height(p, form, c, i, is_selected(p, i)) : 1;
	}
	surface_scrollbar(s, env->focused, lines, above);
}

static const char *
no_fields(const struct form_pane *p, const struct view_env *env)
{
	const struct primitive *primitive = p->look ? NULL : workspace_primitive(env->ws);

	if (p->look)
		return "nothing to fill in";
	if (primitive && primitive->kind == PRIMITIVE_TOOL && !primitive->input_schema)
		return "without an inputSchema there are no fields; J edits the arguments as JSON";
	return primitive_words_of(env)->no_fields;
}

void
form_pane_draw_rows(struct form_pane *p, const struct view_env *env, struct surface s, int y0)
{
	const struct form *form = form_pane_form(p, env);
	struct columns c = columns_of(p, s.width, s.height);
	size_t count = form_row_count(form);
	int y = 0;

	p->hit_count = 0;
	p->widget_x = field_view(form_view(form).root).kind == FIELD_JSON ? 0 : c.widget_x;
	if (count > 0)
		follow(p, form, &c);
	for (size_t i = p->top; i < count && y < s.height; i++) {
		struct drawn_row d = measure(p, form, &c, i, is_selected(p, i));
		int height = height_of(&d);
		struct surface area = surface_sub(s, 0, y, s.width, height);
		if (d.whole)
			draw_whole(p, &d, area);
		else
			draw_row(p, env, &d, area, &c);
		buf_finish(&d.text);
		if (i == p->row) {
			p->widget_y = y + y0;
			p->widget_rows = d.widget;
			p->hint_rows = height;
		}
		if (p->hit_count < FORM_PANE_HITS)
			p->hits[p->hit_count++] = (struct form_hit){ i, y + y0, height };
		surface_spot(s, -1, y);
		y += height;
	}
	if (count == 0)
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), no_fields(p, env));
	else if (p->top > 0 || y > s.height || p->top + (size_t)p->hit_count < count)
		draw_scrollbar(p, env, form, &c, s);
}

struct form_room
form_pane_room(struct form_pane *p, const struct form *form, int width)
{
	struct columns c = columns_of(p, width, 12);
	size_t count = form_row_count(form);
	int lines = count == 0, more = 0, now = 0;

	p->label_room = c.widget_x - 1;
	for (size_t i = 0; i < count && i < ROWS_MEASURED; i++) {
		int plain = row_height(p, form, &c, i, false);
		int chosen = row_height(p, form, &c, i, true) - plain;
		lines += plain;
		more = chosen > more ? chosen : more;
		now = is_selected(p, i) ? chosen : now;
	}
	int kept = more < HINT_ROOM ? more : HINT_ROOM;
	return (struct form_room){ lines + more, lines + (now > kept ? now : kept) };
}

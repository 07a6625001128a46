/* SPDX-License-Identifier: MIT */
#include "form_pane.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "pane/pane_text.h"
#include "pane/tools/tools.h"

#include <string.h>
#include <strings.h>

#define TEXT_LINES 8  /* of a value in a row that is not edited */
#define EDIT_LINES 10 /* of a text edited in its row */
#define BRIEF_BYTES 400
#define PREVIEW_BYTES (1 << 20) /* wrapped per frame */
#define WIDE_COLS 64            /* from this width on, facts are to the right of the fields */
#define ROWS_MEASURED 300
#define FACT_LINES 6 /* of the selected row */
#define HINT_ROOM 3  /* lines that the buttons leave free for hints that wrap */

/* ---- the value of a field ---- */

static const char *
line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

static int
draw_brief(const struct field *field, struct surface s, struct style style, int columns)
{
	struct buf text = BUF_INIT;

	field_brief(field, BRIEF_BYTES, &text);
	int used = surface_text(s, 1, 0, columns, style, buf_text(&text));
	buf_finish(&text);
	return used;
}

/* Draw the fold mark and the summary of an object or array. */
static void
draw_container(const struct form_row *row, struct surface s)
{
	static const char *const units[][2] = { { "field", "fields" }, { "item", "items" },
		{ "property", "properties" } };
	const struct field_view *v = &row->view;
	size_t kind = v->kind == FIELD_ARRAY ? 1 : v->map ? 2 : 0;

	surface_text(s, 0, 0, -1, style_of(ROLE_ACCENT), v->folded ? "▸" : "▾");
	if (v->folded && v->kind == FIELD_OBJECT)
		draw_brief(
		    row->field, surface_sub(s, 1, 0, s.width - 1, 1), style_of(ROLE_DIM), -1);
	else
		surface_textf(s, 2, 0, -1, style_of(ROLE_DIM), "%zu %s",
		    v->child_count - v->hidden_count,
		    units[kind][v->child_count - v->hidden_count != 1]);
}

static void
draw_set(const struct form_row *row, struct surface s)
{
	static const enum role inks[] = {
		[FIELD_STRING] = ROLE_TEXT,
		[FIELD_NUMBER] = ROLE_NUMBER,
		[FIELD_INTEGER] = ROLE_NUMBER,
		[FIELD_BOOLEAN] = ROLE_BOOLEAN,
		[FIELD_ENUM] = ROLE_TEXT,
		[FIELD_CONST] = ROLE_DIM,
		[FIELD_ARRAY] = ROLE_TEXT,
		[FIELD_JSON] = ROLE_STRING,
	};
	enum field_kind kind = row->view.kind;
	struct style style = style_on(inks[kind], ROLE_FIELD);
	struct style hint = style_on(ROLE_HINT, ROLE_FIELD);

	if (kind == FIELD_ARRAY && row->view.child_count == 0) {
		surface_text(s, 1, 0, s.width - 4, hint, "none");
		return;
	}
	if (kind == FIELD_ENUM) { /* the label, and the value that is sent if it differs and fits */
		struct buf value = { .max = BRIEF_BYTES };
		int x = 3 + draw_brief(row->field, s, style, s.width - 4);
		field_choice_value(row->field, row->view.choice, &value);
		if (x + (int)glyph_columns(buf_text(&value), value.len) <= s.width - 3)
			surface_text(s, x, 0, -1, hint, buf_text(&value));
		buf_finish(&value);
		return;
	}
	if (kind == FIELD_ARRAY || kind == FIELD_BOOLEAN || kind == FIELD_CONST) {
		draw_brief(row->field, s, style, s.width - (kind == FIELD_ARRAY ? 4 : 2));
		return;
	}
	if (row->view.text_len == 0) {
		surface_text(s, 1, 0, -1, hint, "\"\"");
		return;
	}
	const char *at = row->view.text, *end = at + row->view.text_len;
	for (int y = 0; y < s.height && at <= end; y++) {
		const char *stop = line_end(at, end);
		bool more = y == s.height - 1 && stop < end;
		struct surface line = surface_sub(s, 1, y, s.width - (more ? 4 : 2), 1);
		surface_textn(line, 0, 0, style, at, (size_t)(stop - at));
		if (more)
			surface_text(s, s.width - 2, y, 1, hint, "…");
		at = stop + 1;
	}
}

/* Draw a field without a value: null, a hint, or the default of the schema. */
static void
draw_unset(const struct form_row *row, struct surface s)
{
	const cJSON *value = field_default(row->field);
	struct style style = style_on(ROLE_ABSENT, ROLE_FIELD);
	struct buf text = BUF_INIT;

	if (row->view.state == FIELD_NULL) {
		style = style_on(ROLE_NULL_VALUE, ROLE_FIELD);
		buf_add_str(&text, "null");
	} else if (row->view.state == FIELD_SET) {
		style = style_on(ROLE_HINT, ROLE_FIELD);
		buf_add_str(&text, row->view.required ? "required" : "no value yet");
	} else {
		buf_add_str(&text, value ? "default " : "omitted");
		if (cJSON_GetStringValue(value) && *cJSON_GetStringValue(value))
			label_add(&text, cJSON_GetStringValue(value));
		else if (value)
			json_print_brief(&text, value, BRIEF_BYTES);
	}
	surface_text(s, 1, 0, s.width - 2, style, buf_text(&text));
	buf_finish(&text);
}

/* Draw the type of an inferred value at the right edge. Return the columns used. */
static int
draw_type(const struct form_row *row, struct surface s, enum role ground)
{
	const char *type = field_sent_type(row->field);
	int columns = type ? (int)strlen(type) + 1 : 0;

	if (!type || s.width < columns + 8)
		return 0;
	surface_text_right(s, s.width - 1, 0, columns, style_on(ROLE_HINT, ground), type);
	return columns;
}

static void
draw_value(const struct form_row *row, struct surface s)
{
	const struct field_view *v = &row->view;
	bool is_set = v->state == FIELD_SET;
	bool many = v->option_count > 0, chooser = form_pane_is_chooser(row);

	if (is_set && v->filled && !many && !chooser &&
	    (v->kind == FIELD_OBJECT || v->kind == FIELD_ARRAY)) {
		draw_container(row, s);
		return;
	}
	if (is_set && v->kind == FIELD_CONST && !chooser) { /* nothing to fill in */
		draw_brief(row->field, s, style_of(ROLE_DIM), s.width - 2);
		return;
	}
	surface_clear(s, style_on(ROLE_TEXT, ROLE_FIELD));
	if (chooser && is_set) { /* the variant, with a summary of its fields if they are folded */
		struct style style = style_on(ROLE_TEXT, ROLE_FIELD);
		struct style dim = style_on(ROLE_DIM, ROLE_FIELD);
		int room = s.width - 4;
		int x = 1 + surface_text(
				s, 1, 0, room, style, field_variant_name(row->field, v->variant));
		if (v->folded && v->filled && x + 4 <= room) {
			x += surface_text(s, x, 0, room - x, dim, " ▸ ");
			draw_brief(row->field, surface_sub(s, x - 1, 0, s.width - x + 1, 1), dim,
			    room - x + 1);
		}
	} else if (is_set && v->filled)
		draw_set(
		    row, surface_sub(s, 0, 0, s.width - draw_type(row, s, ROLE_FIELD), s.height));
	else
		draw_unset(row, s);
	if (chooser || v->kind == FIELD_ENUM || many)
		surface_text(s, s.width - 2, 0, -1, style_on(ROLE_ACCENT, ROLE_FIELD), "▾");
}

/* ---- the rows ---- */

/* Columns of a row: label, widget, facts. */
struct columns {
	int width, height; /* of the surface */
	int widget_x, widget_width;
	int facts_x, facts_width; /* 0: the facts are below the selected field */
};

static struct columns
draw_columns_of(const struct form_pane *p, int width, int height)
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

static int
widget_lines(const struct form_pane *p, const struct form_row *row, bool edited)
{
	int lines = 1;

	if (row->kind == FORM_ROW_ADD || form_pane_is_chooser(row))
		return 1;
	if (edited) {
		for (const char *at = edit_text(&p->edit);
		     lines < EDIT_LINES && (at = strchr(at, '\n')); at++)
			lines++;
		return lines;
	}
	const struct field_view *v = &row->view;
	const char *at = v->text, *end = at + v->text_len;
	if (v->state != FIELD_SET || (v->kind != FIELD_STRING && v->kind != FIELD_JSON))
		return 1;
	while (lines < TEXT_LINES && (at = line_end(at, end)) < end) {
		at++;
		lines++;
	}
	return lines;
}

/* Append a title or description; an unselected row shows it on one line. */
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

static void
facts_text(const struct form_pane *p, const struct form_row *row, bool selected, struct buf *out)
{
	const struct field_view *v = &row->view;
	struct buf filled = BUF_INIT;

	if (row->kind == FORM_ROW_VALUE) {
		field_value_facts(row->field, out);
		return;
	}
	if (selected && form_pane_label_columns(row) > p->label_room && v->name) {
		label_add(out, v->name);
		buf_add_str(out, ": ");
	}
	if (field_add_filled(row->field, &filled)) { /* the values of variables come first */
		buf_add_str(out, "= ");
		buf_add(out, buf_text(&filled), filled.len < 200 ? filled.len : 200);
		buf_add_str(out, filled.len < 200 ? " · " : "… · ");
	}
	buf_finish(&filled);
	if (!v->item || v->fixed || selected)
		field_facts(row->field, out);
	if (v->parent && v->kind == FIELD_OBJECT) {
		struct buf rules = { .max = LABEL_BYTES };
		field_rules(row->field, false, &rules);
		buf_addf(out, rules.len > 0 ? ", %s" : "%s", buf_text(&rules));
		buf_finish(&rules);
	}
	if (v->title && *v->title && (!v->name || strncasecmp(v->title, v->name, LABEL_BYTES) != 0))
		add_prose(out, v->title, !selected);
	if (v->description && *v->description)
		add_prose(out, v->description, !selected);
}

/* Append the problem of a row, or the number of problems inside if it is folded. */
static enum role
problem_text(const struct form_pane *p, const struct form_row *row, bool edited, struct buf *out)
{
	enum field_kind kind = row->view.kind;
	size_t below = row->view.problems_below;
	/* The next row has the value and shows its problem. */
	bool has_value_row = form_pane_is_chooser(row) && row->view.state == FIELD_SET &&
			     !row->view.folded && kind != FIELD_OBJECT && kind != FIELD_ARRAY &&
			     kind != FIELD_CONST;

	if (row->kind == FORM_ROW_ADD || has_value_row)
		return ROLE_NONE;
	if (edited && p->edit_error[0])
		buf_addf(out, "✗ not JSON, %s", p->edit_error);
	else if (row->view.problem)
		buf_addf(out, "✗ %s", row->view.problem);
	else if (below > 0 && row->view.folded)
		buf_addf(out, "✗ %zu problem%s inside", below, plural(below));
	return out->len > 0 ? ROLE_ERROR : ROLE_NONE;
}

/* A row as drawn, with the text to the right of its widget or below it. */
struct drawn_row {
	struct form_row row;
	bool selected, edited, beside;
	bool whole; /* all arguments as one JSON text */
	struct buf text;
	enum role role;
	int widget, side, height; /* lines; height: of both */
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
	enum role role = problem_text(p, row, d->edited, out);
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

static struct drawn_row
measure(struct form_pane *p, const struct form *form, const struct columns *c, size_t index,
    bool selected)
{
	struct drawn_row d = { .row = form_row_at(form, index), .selected = selected };

	d.whole =
	    d.row.kind == FORM_ROW_FIELD && !d.row.view.parent && d.row.view.kind == FIELD_JSON;
	d.edited = p->editing && is_selected(p, index);
	bool fills = d.whole && !form_pane_is_chooser(&d.row);
	d.widget = fills ? c->height : widget_lines(p, &d.row, d.edited);
	d.beside = c->facts_width > 0 && !fills && d.widget == 1;
	d.role = side_text(p, &d, c->facts_width > 0, &d.text);
	int width = d.beside ? c->facts_width : c->width - c->widget_x;
	d.side = !d.whole && d.text.len > 0 && width >= 1;
	if (d.selected && d.side > 0) {
		wrap_set(&p->wrap, buf_text(&d.text), d.text.len, width);
		wrap_work(&p->wrap, FACT_LINES, 4096);
		size_t rows = wrap_rows(&p->wrap);
		d.side = rows < FACT_LINES ? (int)rows : FACT_LINES;
	}
	d.height = !d.beside ? d.widget + d.side : d.side > d.widget ? d.side : d.widget;
	return d;
}

static int
row_height(struct form_pane *p, const struct form *form, const struct columns *c, size_t index,
    bool selected)
{
	struct drawn_row d = measure(p, form, c, index, selected);

	buf_finish(&d.text);
	return d.height;
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
		int type = p->naming ? 0 : draw_type(&d->row, s, ROLE_FIELD_FOCUS);
		edit_draw(&p->edit, surface_sub(s, 1, 0, s.width - 2 - type, s.height), style, true,
		    NULL);
	} else if (d->row.kind != FORM_ROW_ADD) {
		draw_value(&d->row, s);
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

static void
draw_draw_row(struct form_pane *p, const struct view_env *env, const struct drawn_row *d,
    struct surface s, const struct columns *c)
{
	int width = d->beside ? c->widget_width : s.width - c->widget_x;

	if (d->whole) { /* without a label or facts; a problem is below the text */
		int under = d->role == ROLE_ERROR || s.height > 3;
		if (d->role == ROLE_ERROR)
			draw_side(p, d, surface_sub(s, 0, s.height - under, s.width, under));
		draw_widget(p, d, surface_sub(s, 0, 0, s.width, s.height - under));
		return;
	}
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

/* Return the first row, at or after `least`, from which all rows up to this one fit. */
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

static void
draw_rows(struct form_pane *p, const struct view_env *env, struct surface s, int y0)
{
	const struct form *form = form_pane_form(p, env);
	struct columns c = draw_columns_of(p, s.width, s.height);
	size_t count = form_row_count(form);
	int y = 0;

	p->hit_count = 0;
	p->widget_x = field_view(form_view(form).root).kind == FIELD_JSON ? 0 : c.widget_x;
	if (count > 0) { /* until the selected row is fully visible, not past the last page */
		size_t row = p->button == BUTTON_NONE ? p->row : count - 1;
		if (p->follow)
			p->top = row < p->top ? row : first_above(p, form, &c, row, p->top);
		size_t page = first_above(p, form, &c, count - 1, 0);
		p->top = p->top < page ? p->top : page;
	}
	for (size_t i = p->top; i < count && y < s.height; i++) {
		struct drawn_row d = measure(p, form, &c, i, is_selected(p, i));
		draw_draw_row(p, env, &d, surface_sub(s, 0, y, s.width, d.height), &c);
		buf_finish(&d.text);
		if (i == p->row) {
			p->widget_y = y + y0;
			p->widget_rows = d.widget;
			p->hint_rows = d.height;
		}
		if (p->hit_count < FORM_PANE_HITS)
			p->hits[p->hit_count++] = (struct form_hit){ i, y + y0, d.height };
		surface_spot(s, -1, y);
		y += d.height;
	}
	if (count == 0) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), no_fields(p, env));
	} else if (p->top > 0 || y > s.height || p->top + (size_t)p->hit_count < count) {
		size_t lines = 0, above = 0; /* rows differ in height */
		for (size_t i = 0; i < count; i++) {
			if (i == p->top)
				above = lines;
			lines += i < ROWS_MEASURED
				     ? (size_t)row_height(p, form, &c, i, is_selected(p, i))
				     : 1;
		}
		surface_scrollbar(s, env->focused, lines, above);
	}
}

/* The lines of all fields. */
struct room {
	int most; /* for any selection, so that the height of the pane is stable */
	int now;  /* up to the buttons, which do not move unless a hint is very long */
};

static struct room
measure_room(struct form_pane *p, const struct form *form, int width)
{
	struct columns c = draw_columns_of(p, width, 12);
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
	return (struct room){ lines + more, lines + (now > kept ? now : kept) };
}

/* ---- the pane ---- */

static int
description_lines(struct form_pane *p, const struct view_env *env, int width, int most)
{
	const struct primitive *tool =
	    form_pane_look(p)->bare ? NULL : workspace_primitive(env->ws);
	const char *text = tool && tool->description ? tool->description : "";

	if (!*text || most < 1)
		return 0;
	wrap_set(&p->wrap, text, strlen(text), width);
	wrap_work(&p->wrap, (size_t)most + 1, 65536);
	return wrap_rows(&p->wrap) < (size_t)most ? (int)wrap_rows(&p->wrap) : most;
}

static const char *
button_label(const struct form_pane *p, const struct view_env *env, int button)
{
	bool first_of_primitive = !p->look && button == BUTTON_CALL;

	return first_of_primitive ? primitive_words_of(env)->button
				  : form_pane_look(p)->buttons[button].label;
}

/* Draw the buttons from the column of the values, or further left if they do not fit. */
static void
draw_buttons(struct form_pane *p, const struct view_env *env, struct surface s)
{
	const struct form *form = form_pane_form(p, env);
	size_t problems = form_view(form).problems;
	int count = form_pane_buttons(p, env);
	int x = s.width;

	for (int i = 0; i < count; i++)
		x -= (int)strlen(button_label(p, env, i)) + (i > 0) * 2;
	if (x > 0) {
		int values = form_row_count(form) > 0 ? p->widget_x : 0;
		x = values < x ? values : x;
	}
	for (int i = 0; i < count; i++) {
		bool selected = p->button == i && env->focused;
		bool lit = selected || (i == BUTTON_CALL && !(env->focused && p->button > 0));
		p->buttons_x[i] = x;
		surface_spot(s, x, 0);
		struct style style = style_of(lit ? ROLE_BUTTON_FOCUS : ROLE_BUTTON);
		if (selected)
			style.attr = ATTR_BOLD;
		x += surface_text(s, x, 0, -1, style, button_label(p, env, i)) + 2;
	}
	for (int i = count; i <= BUTTON_COUNT; i++)
		p->buttons_x[i] = x;
	if (problems > 0 && x + 4 <= s.width)
		surface_textf(s, x, 0, -1, style_of(ROLE_ERROR),
		    x + 13 <= s.width ? "✗ %zu problem%s" : "✗ %zu", problems, plural(problems));
}

static void
draw_nothing(const struct view_env *env, struct surface s)
{
	const struct primitive *tool = workspace_primitive(env->ws);

	if (!env->ws->desk) {
		pane_draw_server_state(env, s);
		return;
	}
	surface_textf(s, 0, 0, -1, style_of(ROLE_ERROR), "✗ this %s's definition is broken",
	    primitive_kinds[env->ws->desk->kind].name);
	if (tool)
		surface_text(s, 0, 1, -1, style_of(ROLE_TEXT), tool->problem);
	surface_text(
	    s, 0, 3, -1, style_of(ROLE_HINT), "F2 shows the definition as the server sent it");
}

/* Draw up to four lines above the fields. Return their number; without a surface only count. */
static int
draw_notes(const struct form_pane *p, const struct view_env *env, const struct form *form,
    const struct surface *s)
{
	const struct primitive *primitive =
	    form_pane_look(p)->bare ? NULL : workspace_primitive(env->ws);
	const struct field_view root = field_view(form_view(form).root);
	const char *broken = form_view(form).schema_problem;
	struct buf rules = { .max = LABEL_BYTES };
	const char *problem = root.kind != FIELD_JSON ? root.problem : NULL;

	if (!problem)
		field_rules(form_view(form).root, false, &rules);
	const struct {
		const char *text, *about;
		int room;
		bool hint;
	} notes[] = {
		{ primitive && primitive->broken ? primitive->problem : NULL, NULL, 2, false },
		{ *broken ? broken : NULL, form_pane_look(p)->schema, 3, false },
		{ problem, NULL, 3, false },
		{ rules.len > 0 ? buf_text(&rules) : NULL, NULL, 3, true },
	};
	int y = 0;

	for (size_t i = 0; i < ARRAY_LEN(notes); i++) {
		if (!notes[i].text || (s && s->height <= notes[i].room))
			continue;
		if (s && notes[i].about)
			surface_textf(*s, 0, y, -1, style_of(ROLE_WARNING),
			    "not checked, the %s is broken: %s", notes[i].about, notes[i].text);
		else if (s && notes[i].hint)
			surface_text(*s, 0, y, -1, style_of(ROLE_HINT), notes[i].text);
		else if (s)
			surface_textf(*s, 0, y, -1, style_of(ROLE_ERROR), "✗ %s", notes[i].text);
		y++;
	}
	buf_finish(&rules);
	return y;
}

/* Draw the JSON that is sent instead of the fields. */
static void
draw_preview(struct form_pane *p, const struct form *form, struct surface s)
{
	struct buf text = BUF_INIT, sent = BUF_INIT, size = BUF_INIT;
	bool is_json = form_to_json_shown(form, &sent, &text);

	units_add_counted(&size, sent.len, "byte");
	surface_textf(s, 0, 0, -1, style_of(is_json ? ROLE_HINT : ROLE_WARNING), "%s · %s",
	    is_json ? "arguments" : "arguments: not valid JSON", buf_text(&size));
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);
	wrap_set(&p->wrap, buf_text(&text), text.len, body.width);
	size_t page = body.height > 0 ? (size_t)body.height : 0;
	wrap_work(&p->wrap, p->preview_top < SIZE_MAX - page ? p->preview_top + page + 1 : SIZE_MAX,
	    PREVIEW_BYTES);
	size_t rows = wrap_rows(&p->wrap), last = rows > page ? rows - page : 0;
	if (p->preview_top > last)
		p->preview_top = last;
	wrap_draw(&p->wrap, body, style_of(ROLE_TEXT), p->preview_top);
	wrap_set(&p->wrap, "", 0, 1); /* the cache is keyed by addresses, which may be reused */
	buf_finish(&text);
	buf_finish(&sent);
	buf_finish(&size);
}

void
form_pane_draw(void *state, const struct view_env *env, struct surface s)
{
	struct form_pane *p = state;
	const struct form *form = form_pane_form(p, env);

	p->hit_count = 0;
	p->filling = p->filling && env->focused;
	p->widget_rows = p->hint_rows = 0;
	p->buttons_y = -1;
	if (!form || s.height < 1) {
		draw_nothing(env, s);
		return;
	}
	if (p->preview) {
		draw_preview(p, form, s);
		return;
	}
	struct room room = measure_room(p, form, s.width);
	/* The description has the rows that the fields leave, at least a fifth of a high pane. */
	int room_above = s.height - 1;
	int least = room_above > 9 ? room_above / 5 : room_above > 3;
	int most = room_above - room.most > least ? room_above - room.most : least;
	int top = description_lines(p, env, s.width, most);
	if (top > 0) {
		wrap_draw(&p->wrap, surface_sub(s, 0, 0, s.width, top), style_of(ROLE_TEXT), 0);
		if (wrap_rows(&p->wrap) > (size_t)top)
			surface_text_right(s, s.width, top - 1, 5, style_of(ROLE_HINT), " … F2");
		top += room_above - top > room.most || room_above - top > 8;
	}
	struct surface notes = surface_sub(s, 0, top, s.width, s.height - top);
	top += draw_notes(p, env, form, &notes);
	int bottom = s.height > 2 ? 1 : 0, height = s.height - top - bottom;
	bool whole = field_view(form_view(form).root).kind == FIELD_JSON;
	if (!whole && room.now < height)
		height = room.now;
	draw_rows(p, env, surface_sub(s, 0, top, s.width, height), top);
	if (bottom) {
		p->buttons_y = top + height;
		draw_buttons(p, env, surface_sub(s, 0, p->buttons_y, s.width, 1));
	}
}

int
form_pane_want(void *state, const struct view_env *env, int width)
{
	struct form_pane *p = state;
	const struct form *form = form_pane_form(p, env);

	if (!form)
		return env->ws->desk ? 4 : server_state_rows(env, width);
	int lines = description_lines(p, env, width, 12);
	lines += lines > 0; /* a blank line */
	return lines + draw_notes(p, env, form, NULL) + measure_room(p, form, width).most + 1;
}

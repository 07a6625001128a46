#include "form_pane_draw_priv.h"

#include "base/glyph.h"

#include <string.h>
#include <strings.h>

#define FACT_LINES 6 /* of the selected row */

/* One that says no more than the name is left out. */
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

/* What is wrong with a value is said in its own row, where it has one. */
static bool
has_value_below(const struct form_row *row)
{
	enum field_kind kind = field_view(row->field).kind;

	return form_pane_is_chooser(row) && field_view(row->field).state == FIELD_SET &&
	       !field_view(row->field).folded && kind != FIELD_OBJECT && kind != FIELD_ARRAY &&
	       kind != FIELD_CONST;
}

/* The trouble of a row: its own, or how many places below it where it is folded. */
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

enum role
form_pane_side_text(const struct form_pane *p, const struct form_row *row, bool selected, bool wide,
    struct buf *out)
{
	if (selected && p->naming) {
		buf_add_str(out,
		    p->naming == NAMING_NEW ? "the name of the new entry" : "its name from now on");
		return ROLE_DIM;
	}
	enum role role = trouble_text(p, row, selected, out);
	if (role != ROLE_NONE || row->kind == FORM_ROW_ADD)
		return role;
	if (wide || selected)
		facts_text(p, row, selected, out);
	return ROLE_DIM;
}

int
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

void
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

#include "form_pane_priv.h"

#include "base/glyph.h"

#include <string.h>

#define MENU_ROWS 12
#define SIDE 0x2502 /* a line at each side, seen in every theme */
#define MENU_COLS 44
#define MENU_MEASURED 200

enum entries { ENTRY_CHOICE, ENTRY_OPTION, ENTRY_VARIANT };

static size_t
has_omitted(const struct form_row *row)
{
	const struct field *field = row->field;

	return row->kind == FORM_ROW_FIELD && field_parent(field) && !field_is_item(field) &&
	       !field_is_entry(field) && !field_is_required(field);
}

static size_t
has_null(const struct form_row *row)
{
	return row->kind == FORM_ROW_FIELD && field_is_nullable(row->field);
}

static size_t
first_entry(const struct form_row *row)
{
	return has_omitted(row) + has_null(row);
}

static enum entries
kind_of(const struct form_row *row)
{
	if (form_pane_is_chooser(row))
		return ENTRY_VARIANT;
	return field_option_count(row->field) > 0 ? ENTRY_OPTION : ENTRY_CHOICE;
}

size_t
form_pane_menu_choices(const struct form_row *row)
{
	switch (kind_of(row)) {
	case ENTRY_VARIANT:
		return field_variant_count(row->field);
	case ENTRY_OPTION:
		return field_option_count(row->field);
	case ENTRY_CHOICE:
		break;
	}
	return field_kind(row->field) == FIELD_ENUM ? field_choice_count(row->field) : 0;
}

static size_t
menu_count(const struct form_row *row)
{
	return first_entry(row) + form_pane_menu_choices(row);
}

/* What is chosen so far: the first of several. */
static size_t
first_choice(const struct form_row *row)
{
	const struct field *field = row->field;
	size_t i = 0, count = form_pane_menu_choices(row);

	if (kind_of(row) == ENTRY_VARIANT)
		return field_variant(field);
	if (kind_of(row) == ENTRY_CHOICE)
		return field_is_filled(field) ? field_choice(field) : 0;
	while (i < count && !field_option_is_on(field, i))
		i++;
	return i < count ? i : 0;
}

void
form_pane_menu_open(struct form_pane *p, const struct form_row *row)
{
	p->menu = true;
	p->menu_top = 0;
	if (field_state(row->field) == FIELD_SET)
		p->menu_at = first_entry(row) + first_choice(row);
	else if (kind_of(row) == ENTRY_OPTION)
		p->menu_at = first_entry(row);
	else
		p->menu_at = field_state(row->field) == FIELD_NULL ? has_omitted(row) : 0;
}

static void
choose_entry(struct field *field, enum entries kind, size_t index)
{
	switch (kind) {
	case ENTRY_VARIANT:
		field_set_variant(field, index);
		break;
	case ENTRY_OPTION:
		field_option_set(field, index, !field_option_is_on(field, index));
		break;
	case ENTRY_CHOICE:
		field_set_choice(field, index);
		break;
	}
}

static void
choose(struct form_pane *p, const struct pane_env *env, const struct form_row *row)
{
	struct field *field = row->field;
	size_t first = first_entry(row);
	bool omit = has_omitted(row) && p->menu_at == 0;

	/* Another option may be ticked next. */
	p->menu = kind_of(row) == ENTRY_OPTION && p->menu_at >= first;
	if (p->menu_at >= first)
		choose_entry(field, kind_of(row), p->menu_at - first);
	else
		field_set_state(field, omit ? FIELD_OMITTED : FIELD_NULL);
	form_check_given(form_pane_form(p, env));
	form_pane_changed(env);
}

static void
entry_label(const struct form_row *row, size_t index, struct buf *out)
{
	size_t first = first_entry(row);

	if (index < first) {
		buf_add_str(out, has_omitted(row) && index == 0 ? "omitted" : "null");
		return;
	}
	switch (kind_of(row)) {
	case ENTRY_VARIANT:
		buf_add_str(out, field_variant_name(row->field, index - first));
		break;
	case ENTRY_OPTION:
		buf_add_str(out, field_option_is_on(row->field, index - first) ? "[x] " : "[ ] ");
		field_option_label(row->field, index - first, out);
		break;
	case ENTRY_CHOICE:
		field_choice_label(row->field, index - first, out);
		break;
	}
}

/* The next entry, round and round, that starts with the letter typed. */
static void
jump_to_letter(struct form_pane *p, const struct form_row *row, uint32_t letter)
{
	size_t count = menu_count(row);
	struct buf label = BUF_INIT;

	for (size_t i = 1; i <= count; i++) {
		size_t at = (p->menu_at + i) % count;
		buf_clear(&label);
		entry_label(row, at, &label);
		const char *text = buf_text(&label);
		if (kind_of(row) == ENTRY_OPTION && *text == '[')
			text += strlen("[x] ");
		if (((unsigned char)*text | 0x20u) == (letter | 0x20u)) {
			p->menu_at = at;
			break;
		}
	}
	buf_finish(&label);
}

static void
move(struct form_pane *p, size_t count, int by)
{
	size_t step = (size_t)(by < 0 ? -by : by);

	if (by < 0)
		p->menu_at -= step < p->menu_at ? step : p->menu_at;
	else
		p->menu_at = p->menu_at + step < count ? p->menu_at + step : count - 1;
}

static bool
mouse(struct form_pane *p, const struct pane_env *env, const struct form_row *row,
    const struct key *key)
{
	size_t count = menu_count(row);

	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN) {
		move(p, count, key->action == MOUSE_WHEEL_UP ? -1 : 1);
	} else if (key->action == MOUSE_PRESS) {
		int y = key->y - p->menu_y;
		if (y < 0 || y >= p->menu_rows || key->x < p->menu_x ||
		    key->x >= p->menu_x + p->menu_width) {
			p->menu = false;
		} else {
			p->menu_at = p->menu_top + (size_t)y;
			choose(p, env, row);
		}
	}
	return true;
}

bool
form_pane_menu_key(struct form_pane *p, const struct pane_env *env, const struct key *key)
{
	struct form_row row;

	if (!form_pane_row(p, env, &row) || form_pane_menu_choices(&row) == 0) {
		p->menu = false;
		return false;
	}
	size_t count = menu_count(&row);
	switch (key->kind) {
	case KEY_MOUSE:
		return mouse(p, env, &row, key);
	case KEY_ESCAPE:
		p->menu = false;
		return true;
	case KEY_ENTER:
		choose(p, env, &row);
		return true;
	case KEY_UP:
		move(p, count, -1);
		return true;
	case KEY_DOWN:
		move(p, count, 1);
		return true;
	case KEY_PAGE_UP:
		move(p, count, -MENU_ROWS);
		return true;
	case KEY_PAGE_DOWN:
		move(p, count, MENU_ROWS);
		return true;
	case KEY_HOME:
		p->menu_at = 0;
		return true;
	case KEY_END:
		p->menu_at = count - 1;
		return true;
	case KEY_CHAR:
		if (key->mods & (MOD_CTRL | MOD_ALT))
			break;
		if (key->ch == ' ')
			choose(p, env, &row);
		else
			jump_to_letter(p, &row, key->ch);
		return true;
	default:
		break;
	}
	p->menu = false;
	return false;
}

static int
menu_width(const struct form_row *row, int least, int most)
{
	struct buf label = BUF_INIT;
	size_t count = menu_count(row);
	int width = least;

	for (size_t i = 0; i < count && i < MENU_MEASURED && width < most; i++) {
		buf_clear(&label);
		entry_label(row, i, &label);
		int columns = (int)glyph_columns(buf_text(&label), label.len) + 3;
		if (columns > width)
			width = columns;
	}
	buf_finish(&label);
	return width < most ? width : most;
}

static int
row_y(const struct form_pane *p)
{
	for (int i = 0; i < p->hit_count; i++)
		if (p->hits[i].row == p->row)
			return p->hits[i].y;
	return 0;
}

/* Of the pane, so that the menu that is open has room in it. */
int
form_pane_menu_lines(struct form_pane *p, const struct pane_env *env)
{
	struct form_row row;

	if (!p->menu || !form_pane_row(p, env, &row))
		return 0;
	size_t count = menu_count(&row);
	return row_y(p) + 1 + (count < MENU_ROWS ? (int)count : MENU_ROWS);
}

/* Below its field, or above where there is more room. s is the area of the rows. */
void
form_pane_menu_draw(struct form_pane *p, const struct form_row *row, struct surface s)
{
	size_t count = menu_count(row);
	struct buf label = BUF_INIT;
	int y = row_y(p);
	int below = s.height - y - 1, above = y;
	int room = below >= above || below >= (int)count ? below : above;
	int rows = count < MENU_ROWS ? (int)count : MENU_ROWS;
	p->menu_rows = rows < room ? rows : room;
	p->menu_y = room == below ? y + 1 : y - p->menu_rows;
	p->menu_x = p->widget_x;
	p->menu_width =
	    menu_width(row, 18, s.width - p->menu_x < MENU_COLS ? s.width - p->menu_x : MENU_COLS);
	if (p->menu_at < p->menu_top)
		p->menu_top = p->menu_at;
	if (p->menu_at >= p->menu_top + (size_t)p->menu_rows)
		p->menu_top = p->menu_at - (size_t)p->menu_rows + 1;
	struct surface box = surface_sub(s, p->menu_x, p->menu_y, p->menu_width, p->menu_rows);
	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	for (int i = 0; i < p->menu_rows; i++) {
		surface_put(s, p->menu_x - 1, p->menu_y + i, style_of(ROLE_FOCUS), SIDE);
		surface_put(
		    s, p->menu_x + p->menu_width, p->menu_y + i, style_of(ROLE_FOCUS), SIDE);
	}
	for (int i = 0; i < p->menu_rows && p->menu_top + (size_t)i < count; i++) {
		size_t at = p->menu_top + (size_t)i;
		bool choice = at >= first_entry(row);
		buf_clear(&label);
		entry_label(row, at, &label);
		surface_text(box, 1, i, box.width - 2,
		    style_on(choice ? ROLE_TEXT : ROLE_HINT, ROLE_DIALOG), buf_text(&label));
		if (at == p->menu_at)
			surface_restyle(box, 0, i, box.width, ROLE_SELECTION, ATTR_BOLD);
	}
	if (p->menu_top > 0)
		surface_text(box, box.width - 1, 0, 1, style_on(ROLE_ACCENT, ROLE_DIALOG), "▴");
	if (p->menu_top + (size_t)p->menu_rows < count)
		surface_text(box, box.width - 1, p->menu_rows - 1, 1,
		    style_on(ROLE_ACCENT, ROLE_DIALOG), "▾");
	buf_finish(&label);
}

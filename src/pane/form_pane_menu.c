#include "form_pane_priv.h"

#include <string.h>

#define MENU_ROWS 12
#define SIDE 0x2502 /* a line at each side, seen in every theme */
#define MENU_COLS 44
#define MENU_MEASURED 200

static size_t
has_omitted(const struct field *field)
{
	return field_parent(field) && !field_is_item(field) && !field_is_required(field);
}

static size_t
has_null(const struct field *field)
{
	return field_is_nullable(field);
}

static bool
is_many(const struct field *field)
{
	return field_option_count(field) > 0;
}

static size_t
form_pane_menu_choices(const struct field *field)
{
	return is_many(field) ? field_option_count(field) : field_choice_count(field);
}

static size_t
form_pane_menu_count(const struct field *field)
{
	return has_omitted(field) + has_null(field) + form_pane_menu_choices(field);
}

/* What is chosen so far: the first of several. */
static size_t
first_choice(const struct field *field)
{
	size_t i = 0, count = form_pane_menu_choices(field);

	if (!is_many(field))
		return field_is_filled(field) ? field_choice(field) : 0;
	while (i < count && !field_option_is_on(field, i))
		i++;
	return i < count ? i : 0;
}

void
form_pane_menu_open(struct form_pane *p, struct field *field)
{
	size_t first = has_omitted(field) + has_null(field);

	p->menu = true;
	p->menu_top = 0;
	if (field_state(field) == FIELD_SET)
		p->menu_at = first + first_choice(field);
	else if (is_many(field))
		p->menu_at = first;
	else
		p->menu_at = field_state(field) == FIELD_NULL ? has_omitted(field) : 0;
}

static void
choose(struct form_pane *p, const struct pane_env *env, struct field *field)
{
	size_t first = has_omitted(field) + has_null(field);
	size_t at = p->menu_at - first;

	p->menu = is_many(field) && p->menu_at >= first; /* for the next tick */
	if (p->menu)
		field_option_set(field, at, !field_option_is_on(field, at));
	else if (p->menu_at >= first)
		field_set_choice(field, at);
	else
		field_set_state(
		    field, has_omitted(field) && p->menu_at == 0 ? FIELD_OMITTED : FIELD_NULL);
	form_check_given(form_pane_form(p, env));
	form_pane_changed(env);
}

static void
entry_label(const struct field *field, size_t index, struct buf *out)
{
	size_t first = has_omitted(field) + has_null(field);

	if (index >= first && is_many(field)) {
		buf_add_str(out, field_option_is_on(field, index - first) ? "[x] " : "[ ] ");
		field_option_label(field, index - first, out);
	} else if (index >= first) {
		field_choice_label(field, index - first, out);
	} else {
		buf_add_str(out, has_omitted(field) && index == 0 ? "omitted" : "null");
	}
}

/* The next entry, round and round, that starts with the letter typed. */
static void
jump_to_letter(struct form_pane *p, const struct field *field, uint32_t letter)
{
	size_t count = form_pane_menu_count(field);
	struct buf label = BUF_INIT;

	for (size_t i = 1; i <= count; i++) {
		size_t at = (p->menu_at + i) % count;
		buf_clear(&label);
		entry_label(field, at, &label);
		const char *text = buf_text(&label);
		if (is_many(field) && *text == '[')
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
mouse(struct form_pane *p, const struct pane_env *env, struct field *field, const struct key *key)
{
	size_t count = form_pane_menu_count(field);

	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN) {
		move(p, count, key->action == MOUSE_WHEEL_UP ? -1 : 1);
	} else if (key->action == MOUSE_PRESS) {
		int y = key->y - p->menu_y;
		if (y < 0 || y >= p->menu_rows || key->x < p->menu_x ||
		    key->x >= p->menu_x + p->menu_width) {
			p->menu = false;
		} else {
			p->menu_at = p->menu_top + (size_t)y;
			choose(p, env, field);
		}
	}
	return true;
}

bool
form_pane_menu_key(struct form_pane *p, const struct pane_env *env, const struct key *key)
{
	struct field *field = form_pane_selected(p, env);

	if (!field || form_pane_menu_choices(field) == 0) {
		p->menu = false;
		return false;
	}
	size_t count = form_pane_menu_count(field);
	switch (key->kind) {
	case KEY_MOUSE:
		return mouse(p, env, field, key);
	case KEY_ESCAPE:
		p->menu = false;
		return true;
	case KEY_ENTER:
		choose(p, env, field);
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
			choose(p, env, field);
		else
			jump_to_letter(p, field, key->ch);
		return true;
	default:
		break;
	}
	p->menu = false;
	return false;
}

static int
menu_width(const struct field *field, int least, int most)
{
	struct buf label = BUF_INIT;
	size_t count = form_pane_menu_count(field);
	int width = least;

	for (size_t i = 0; i < count && i < MENU_MEASURED && width < most; i++) {
		buf_clear(&label);
		entry_label(field, i, &label);
		if ((int)label.len + 3 > width)
			width = (int)label.len + 3;
	}
	buf_finish(&label);
	return width < most ? width : most;
}

/* Below its field, or above where there is more room. s is the area of the rows. */
void
form_pane_menu_draw(struct form_pane *p, const struct field *field, struct surface s)
{
	size_t count = form_pane_menu_count(field);
	struct buf label = BUF_INIT;
	int y = 0;

	for (int i = 0; i < p->hit_count; i++)
		if (p->hits[i].row == p->row)
			y = p->hits[i].y;
	int below = s.height - y - 1, above = y;
	int room = below >= above || below >= (int)count ? below : above;
	int rows = count < MENU_ROWS ? (int)count : MENU_ROWS;
	p->menu_rows = rows < room ? rows : room;
	p->menu_y = room == below ? y + 1 : y - p->menu_rows;
	p->menu_x = p->widget_x;
	p->menu_width = menu_width(
	    field, 18, s.width - p->menu_x < MENU_COLS ? s.width - p->menu_x : MENU_COLS);
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
		bool choice = at >= has_omitted(field) + has_null(field);
		buf_clear(&label);
		entry_label(field, at, &label);
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

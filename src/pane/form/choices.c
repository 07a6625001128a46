/* SPDX-License-Identifier: MIT */
#include "form_pane.h"

#include "base/glyph.h"
#include "base/text_match.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The choices, options or variants of a field, in a list that typing filters. */

enum entries { ENTRY_CHOICE, ENTRY_OPTION, ENTRY_VARIANT };

static size_t
has_omitted(const struct form_row *row)
{
	const struct field_view *v = &row->view;

	return row->kind == FORM_ROW_FIELD && v->parent && !v->item && !v->entry && !v->required;
}

/* The first entry after "omitted" and "null". */
static size_t
first_entry(const struct form_row *row)
{
	return has_omitted(row) + (row->kind == FORM_ROW_FIELD && row->view.nullable);
}

static enum entries
kind_of(const struct form_row *row)
{
	if (form_pane_is_chooser(row))
		return ENTRY_VARIANT;
	return row->view.option_count > 0 ? ENTRY_OPTION : ENTRY_CHOICE;
}

size_t
form_pane_menu_choices(const struct form_row *row)
{
	const size_t counts[] = {
		[ENTRY_CHOICE] = row->view.kind == FIELD_ENUM ? row->view.choice_count : 0,
		[ENTRY_OPTION] = row->view.option_count,
		[ENTRY_VARIANT] = row->view.variant_count,
	};

	return counts[kind_of(row)];
}

static void
entry_label(const struct form_row *row, size_t index, struct buf *out)
{
	size_t first = first_entry(row);

	if (index < first)
		buf_add_str(out, has_omitted(row) && index == 0 ? "omitted" : "null");
	else if (kind_of(row) == ENTRY_VARIANT)
		buf_add_str(out, field_variant_name(row->field, index - first));
	else
		field_choice_label(row->field, index - first, out);
}

/* ---- typing filters the entries ---- */

/* Show the entries whose title or value contains the typed text, and select the first that starts
 * with it. */
static void
filter_entries(struct form_pane *p, const struct form_row *row)
{
	size_t first = first_entry(row), count = first + form_pane_menu_choices(row);
	size_t starts = SIZE_MAX;
	bool has_values = kind_of(row) != ENTRY_VARIANT;
	const char *typed = edit_text(&p->edit);
	struct buf label = BUF_INIT, value = BUF_INIT;
	struct substring needle;

	substring_init(&needle, typed, p->edit.text.len);
	p->menu.shown.len = 0;
	for (size_t i = 0; i < count; i++) {
		buf_clear(&label);
		buf_clear(&value);
		entry_label(row, i, &label);
		bool matches = substring_is_in(&needle, buf_text(&label), label.len);
		if (!matches && has_values && i >= first) {
			field_choice_value(row->field, i - first, &value);
			matches = substring_is_in(&needle, buf_text(&value), value.len);
		}
		if (!matches)
			continue;
		if (starts == SIZE_MAX && strncasecmp(buf_text(&label), typed, needle.len) == 0)
			starts = p->menu.shown.len;
		*VEC_PUSH(&p->menu.shown) = i;
	}
	substring_finish(&needle);
	buf_finish(&label);
	buf_finish(&value);
	list_set_count(&p->menu.drop.list, p->menu.shown.len);
	list_select(&p->menu.drop.list, starts != SIZE_MAX ? starts : 0);
}

/* Return false if the key is not for text, such as Ctrl-Q. */
static bool
type_filter(struct form_pane *p, const struct form_row *row, const struct key *key)
{
	bool changed = false;
	bool types = key->kind == KEY_BACKSPACE || key->kind == KEY_PASTE ||
		     (key->kind == KEY_CHAR && !(key->mods & MOD_ALT));

	if (!types || !edit_key(&p->edit, key, &changed))
		return false;
	if (changed) {
		filter_entries(p, row);
		p->menu.chosen = p->edit.text.len > 0;
	}
	return true;
}

/* Return the index of the current choice; the first of several. */
static size_t
current_choice(const struct form_row *row)
{
	size_t i = 0, count = form_pane_menu_choices(row);

	if (kind_of(row) == ENTRY_VARIANT)
		return row->view.variant;
	if (kind_of(row) == ENTRY_CHOICE)
		return row->view.filled ? row->view.choice : 0;
	while (i < count && !field_option_is_on(row->field, i))
		i++;
	return i < count ? i : 0;
}

void
form_pane_menu_open(struct form_pane *p, const struct form_row *row)
{
	size_t first = first_entry(row), at = 0;

	if (row->view.state == FIELD_SET)
		at = first + current_choice(row);
	else if (kind_of(row) == ENTRY_OPTION)
		at = first;
	else if (row->view.state == FIELD_NULL)
		at = has_omitted(row);
	p->menu.open = p->filling = true;
	p->menu.chosen = false;
	p->menu.many = kind_of(row) == ENTRY_OPTION;
	p->edit.lines = false;
	edit_set(&p->edit, "", 0);
	filter_entries(p, row);
	list_select(&p->menu.drop.list, at);
}

/* ---- choosing ---- */

/* Choose the selected entry. An option is toggled and leaves the list open. */
static void
choose(struct form_pane *p, const struct view_env *env, const struct form_row *row)
{
	struct field *field = row->field;
	size_t first = first_entry(row);

	if (p->menu.shown.len == 0)
		return;
	size_t entry = p->menu.shown.items[p->menu.drop.list.selected];
	p->menu.open = p->menu.many && entry >= first;
	if (entry < first)
		field_set_state(field, has_omitted(row) && entry == 0 ? FIELD_OMITTED : FIELD_NULL);
	else if (kind_of(row) == ENTRY_VARIANT)
		field_set_variant(field, entry - first);
	else if (kind_of(row) == ENTRY_OPTION)
		field_option_set(field, entry - first, !field_option_is_on(field, entry - first));
	else
		field_set_choice(field, entry - first);
	form_pane_done(p, env);
}

bool
form_pane_menu_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	struct form_row row;
	bool typing = p->edit.text.len > 0;

	if (!form_pane_row(p, env, &row) || form_pane_menu_choices(&row) == 0) {
		p->menu.open = false;
		return false;
	}
	if (dropdown_key(&p->menu.drop, key)) {
		p->menu.chosen |= key->kind != KEY_MOUSE;
		return true;
	}
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		enum dropdown_hit hit = dropdown_press(&p->menu.drop, key);
		p->menu.open = hit != DROPDOWN_OUTSIDE;
		if (hit == DROPDOWN_ENTRY)
			choose(p, env, &row);
	} else if (key->kind == KEY_ESCAPE && typing) {
		edit_set(&p->edit, "", 0);
		filter_entries(p, &row);
		p->menu.chosen = false;
	} else if (key->kind == KEY_ESCAPE || (key->kind == KEY_ENTER && p->menu.many)) {
		p->menu.open = false;
	} else if (key->kind == KEY_TAB) {
		if (p->menu.chosen && !p->menu.many)
			choose(p, env, &row);
		p->menu.open = false;
		form_pane_edit_next(p, env, key->mods & MOD_SHIFT ? -1 : 1);
	} else if (key->kind == KEY_ENTER ||
		   (key->kind == KEY_CHAR && key->ch == ' ' && (p->menu.many || !typing))) {
		choose(p, env, &row);
	} else if (key->kind != KEY_MOUSE && !type_filter(p, &row, key)) {
		p->menu.open = false;
		return false;
	}
	return true;
}

/* ---- drawing ---- */

struct menu_drawing {
	const struct form_pane *p;
	const struct form_row *row;
};

static enum role
draw_entry(void *user, size_t index, struct buf *out)
{
	const struct menu_drawing *d = user;
	size_t entry = d->p->menu.shown.items[index], first = first_entry(d->row);

	if (entry >= first && d->p->menu.many)
		buf_add_str(
		    out, field_option_is_on(d->row->field, entry - first) ? "[x] " : "[ ] ");
	entry_label(d->row, entry, out);
	return entry >= first ? ROLE_TEXT : ROLE_HINT;
}

/* Append the value of a titled choice, and its description. */
static void
draw_aside(void *user, size_t index, struct buf *out)
{
	const struct menu_drawing *d = user;
	size_t entry = d->p->menu.shown.items[index], first = first_entry(d->row);

	if (entry < first || kind_of(d->row) == ENTRY_VARIANT)
		return;
	struct choice choice = field_choice(d->row->field, entry - first);
	struct buf value = { .max = LABEL_BYTES };
	field_choice_value(d->row->field, entry - first, &value);
	label_add(out, buf_text(&value));
	if (choice.description && *choice.description) {
		buf_add_str(out, value.len > 0 ? " · " : "");
		label_add(out, choice.description);
	}
	buf_finish(&value);
}

void
form_pane_menu_draw(
    struct form_pane *p, const struct form_row *row, struct surface screen, int x, int y)
{
	struct menu_drawing drawing = { p, row };
	struct buf title = BUF_INIT;

	if (p->edit.text.len > 0)
		buf_addf(&title, "/ %s", edit_text(&p->edit));
	struct dropdown_look look = {
		.x = x + p->widget_x + 1,
		.y = y + p->widget_y,
		.rows = p->widget_rows,
		.title = title.len > 0 ? buf_text(&title) : NULL,
		.note = p->menu.shown.len == 0 ? "no choice contains this text" : NULL,
		.note_role = ROLE_HINT,
		.entry = draw_entry,
		.aside = draw_aside,
		.user = &drawing,
	};
	dropdown_draw(&p->menu.drop, screen, &look);
	p->menu.drop.x -= x;
	p->menu.drop.y -= y;
	buf_finish(&title);
}

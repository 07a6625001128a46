#include "form_pane.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "pane/tools/tools.h"
#include "pane/pane_text.h"

#include <string.h>

static const char *
description(const struct form_pane *p, const struct view_env *env)
{
	const struct primitive *tool =
	    form_pane_look(p)->bare ? NULL : workspace_primitive(env->ws);

	return tool && tool->description ? tool->description : "";
}

static int
description_lines(struct form_pane *p, const struct view_env *env, int width, int most)
{
	const char *text = description(p, env);

	if (!*text || most < 1)
		return 0;
	wrap_set(&p->wrap, text, strlen(text), width);
	wrap_work(&p->wrap, (size_t)most + 1, 65536);
	return wrap_rows(&p->wrap) < (size_t)most ? (int)wrap_rows(&p->wrap) : most;
}

/* At the top, in the room that the fields leave, at least a third of the pane; F2 shows all of it.
 */
static int
draw_description(struct form_pane *p, const struct view_env *env, struct surface s, int fields)
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
button_label(const struct form_pane *p, const struct view_env *env, int button)
{
	bool first_of_primitive = !p->look && button == BUTTON_CALL;

	return first_of_primitive ? primitive_words_of(env)->button
				  : form_pane_look(p)->buttons[button].label;
}

/* They begin at the column of the values, or before it if they do not fit. */
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

/* The error in the definition behind the form; NULL: none known. */
static const char *
definition_problem(const struct form_pane *p, const struct view_env *env)
{
	const struct primitive *primitive =
	    form_pane_look(p)->bare ? NULL : workspace_primitive(env->ws);

	return primitive && primitive->broken ? primitive->problem : NULL;
}

/* Up to three lines above the fields. Without a surface they are only counted. */
static int
draw_notes(const struct form_pane *p, const struct view_env *env, const struct form *form,
    const struct surface *s)
{
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
		{ definition_problem(p, env), NULL, 2, false },
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
		form_pane_draw_preview(p, form, s);
		return;
	}
	struct form_room room = form_pane_room(p, form, s.width);
	int top = draw_description(p, env, surface_sub(s, 0, 0, s.width, s.height - 1), room.most);
	struct surface notes = surface_sub(s, 0, top, s.width, s.height - top);
	top += draw_notes(p, env, form, &notes);
	int bottom = s.height > 2 ? 1 : 0, height = s.height - top - bottom;
	bool whole = field_view(form_view(form).root).kind == FIELD_JSON;
	if (!whole && room.now < height)
		height = room.now;
	form_pane_draw_rows(p, env, surface_sub(s, 0, top, s.width, height), top);
	if (bottom) {
		p->buttons_y = top + height;
		draw_buttons(p, env, surface_sub(s, 0, p->buttons_y, s.width, 1));
	}
}

/* A menu dims the rest of the screen and gets all mouse events; suggestions do neither. */
struct surface
form_pane_pop_up(
    void *state, const struct view_env *env, struct surface screen, struct surface inner)
{
	struct form_pane *p = state;
	struct form_row row;
	int x = inner.x - screen.x, y = inner.y - screen.y;

	if (!p->menu.open || !form_pane_row(p, env, &row))
		return form_pane_suggest_draw(p, env, screen, x, y);
	surface_dim(screen);
	form_pane_menu_draw(p, &row, screen, x, y);
	return screen;
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
	lines += draw_notes(p, env, form, NULL) + form_pane_room(p, form, width).most + 1;
	return lines;
}

#define TEXT_LINES 8
#define BRIEF_BYTES 400

static const char *
line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

int
form_pane_value_lines(const struct form_row *row)
{
	const struct field_view *v = &row->view;
	const char *at = v->text, *end = at + v->text_len;
	int lines = 1;

	if (v->state != FIELD_SET || (v->kind != FIELD_STRING && v->kind != FIELD_JSON))
		return 1;
	while (lines < TEXT_LINES && (at = line_end(at, end)) < end) {
		at++;
		lines++;
	}
	return lines;
}

static void
draw_lines(const struct form_row *row, struct surface s, struct style style)
{
	const char *at = row->view.text, *end = at + row->view.text_len;

	for (int y = 0; y < s.height && at <= end; y++) {
		const char *stop = line_end(at, end);
		bool more = y == s.height - 1 && stop < end;
		surface_textn(s, 1, y, s.width - (more ? 4 : 2), style, at, (size_t)(stop - at));
		if (more)
			surface_text(s, s.width - 2, y, 1, style_on(ROLE_HINT, ROLE_FIELD), "…");
		at = stop + 1;
	}
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

/* The label of a choice, and the value that is sent if it is another and fits. */
static void
draw_choice(const struct form_row *row, struct surface s, struct style style)
{
	struct buf value = { .max = BRIEF_BYTES };
	int room = s.width - 4;
	int x = 2 + draw_brief(row->field, s, style, room);

	field_choice_value(row->field, row->view.choice, &value);
	if (x + 1 + (int)glyph_columns(buf_text(&value), value.len) <= s.width - 3)
		surface_text(s, x + 1, 0, -1, style_on(ROLE_HINT, ROLE_FIELD), buf_text(&value));
	buf_finish(&value);
}

/* Objects and arrays show a fold mark and a summary. */
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

	if (kind == FIELD_ARRAY && row->view.child_count == 0)
		surface_text(s, 1, 0, s.width - 4, style_on(ROLE_HINT, ROLE_FIELD), "none");
	else if (kind == FIELD_ENUM)
		draw_choice(row, s, style);
	else if (kind == FIELD_ARRAY)
		draw_brief(row->field, s, style, s.width - 4);
	else if (kind == FIELD_BOOLEAN || kind == FIELD_CONST)
		draw_brief(row->field, s, style, s.width - 2);
	else if (row->view.text_len == 0)
		surface_text(s, 1, 0, -1, style_on(ROLE_HINT, ROLE_FIELD), "\"\"");
	else
		draw_lines(row, s, style);
}

/* The chosen variant; its fields are below, or summarized here if folded. */
static void
draw_variant(const struct form_row *row, struct surface s)
{
	struct style style = style_on(ROLE_TEXT, ROLE_FIELD), dim = style_on(ROLE_DIM, ROLE_FIELD);
	int room = s.width - 4;
	int x = 1 + surface_text(
			s, 1, 0, room, style, field_variant_name(row->field, row->view.variant));

	if (!row->view.folded || !row->view.filled || x + 4 > room)
		return;
	x += surface_text(s, x, 0, room - x, dim, " ▸ ");
	draw_brief(row->field, surface_sub(s, x - 1, 0, s.width - x + 1, 1), dim, room - x + 1);
}

static void
draw_default(const cJSON *value, struct surface s)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "default ");
	if (json_string(value) && *json_string(value))
		label_add(&text, json_string(value));
	else
		json_print_brief(&text, value, BRIEF_BYTES);
	surface_text(s, 1, 0, s.width - 2, style_on(ROLE_ABSENT, ROLE_FIELD), buf_text(&text));
	buf_finish(&text);
}

static void
draw_unset(const struct form_row *row, struct surface s)
{
	const cJSON *otherwise = field_default(row->field);

	if (row->view.state == FIELD_NULL)
		surface_text(s, 1, 0, -1, style_on(ROLE_NULL_VALUE, ROLE_FIELD), "null");
	else if (row->view.state == FIELD_SET)
		surface_text(s, 1, 0, s.width - 2, style_on(ROLE_HINT, ROLE_FIELD),
		    row->view.required ? "required" : "no value yet");
	else if (otherwise)
		draw_default(otherwise, s);
	else
		surface_text(s, 1, 0, -1, style_on(ROLE_ABSENT, ROLE_FIELD), "omitted");
}

int
form_pane_draw_type(const struct form_row *row, struct surface s, enum role ground)
{
	const char *type = field_sent_type(row->field);
	int columns = type ? (int)strlen(type) + 1 : 0;

	if (!type || s.width < columns + 8)
		return 0;
	surface_text_right(s, s.width - 1, 0, columns, style_on(ROLE_HINT, ground), type);
	return columns;
}

void
form_pane_draw_value(const struct form_row *row, struct surface s)
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
	if (chooser && is_set)
		draw_variant(row, s);
	else if (is_set && v->filled)
		draw_set(row, surface_sub(s, 0, 0,
				  s.width - form_pane_draw_type(row, s, ROLE_FIELD), s.height));
	else
		draw_unset(row, s);
	if (chooser || v->kind == FIELD_ENUM || many)
		surface_text(s, s.width - 2, 0, -1, style_on(ROLE_ACCENT, ROLE_FIELD), "▾");
}

#include "form_pane_draw_priv.h"
#include "offer_words.h"

#include "pane_text.h"

#include <string.h>

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
	       (field_view(root).problem && field_view(root).kind != FIELD_JSON);
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
	if (field_view(root).problem && field_view(root).kind != FIELD_JSON && s.height > 3)
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", field_view(root).problem);
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
	if (p->preview) {
		form_pane_draw_preview(p, form, s);
		return;
	}
	int top = draw_description(p, env, surface_sub(s, 0, 0, s.width, s.height - 1),
	    form_pane_rows_lines(p, form, s.width));
	top += draw_notes(p, env, form, surface_sub(s, 0, top, s.width, s.height - top));
	int bottom = s.height > 2 ? 1 : 0;
	struct surface rows = surface_sub(s, 0, top, s.width, s.height - top - bottom);
	form_pane_draw_rows(p, env, rows, top);
	if (bottom) {
		p->buttons_y = s.height - 1;
		draw_buttons(p, env, surface_sub(s, 0, s.height - 1, s.width, 1));
	}
	struct form_row row;
	if (p->menu.open && form_pane_row(p, env, &row))
		form_pane_menu_draw(p, &row, surface_sub(s, 0, 0, s.width, s.height));
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
	lines += notes_lines(p, env, form) + form_pane_rows_lines(p, form, width) + 1;
	lines += form_pane_complete_rows(p, env);
	lines += form_row_count(form) > 0 || lines > 3;
	int menu = form_pane_menu_lines(p, env);
	return lines > menu ? lines : menu;
}

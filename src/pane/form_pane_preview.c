#include "form_pane_actions_priv.h"
#include "form_pane_draw_priv.h"

#include "base/quantity.h"

/* What the form comes to, in its place until it is left. */

bool
form_pane_act_preview(void *state, const struct pane_env *env, const char *arg)
{
	struct form_pane *p = state;
	(void)arg;

	if (!form_pane_form(p, env))
		return form_pane_refuse(env, "no form is shown");
	if (p->editing)
		form_pane_edit_end(p, env);
	p->preview = !p->preview;
	p->preview_top = 0;
	return true;
}

bool
form_pane_preview_key(struct form_pane *p, const struct key *key)
{
	static const struct {
		enum key_kind kind;
		uint32_t ch;
		int by;
	} moves[] = {
		{ KEY_UP, 'k', -1 },
		{ KEY_DOWN, 'j', 1 },
		{ KEY_PAGE_UP, 0, -10 },
		{ KEY_PAGE_DOWN, ' ', 10 },
		{ KEY_HOME, 'g', -1000000 },
	};
	bool wheel = key->kind == KEY_MOUSE &&
		     (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN);
	int by = wheel ? key->action == MOUSE_WHEEL_UP ? -3 : 3 : 0;

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		if (key->kind == moves[i].kind ||
		    (key->kind == KEY_CHAR && moves[i].ch && key->ch == moves[i].ch))
			by = moves[i].by;
	p->preview_top += by;
	if (p->preview_top < 0)
		p->preview_top = 0;
	if (by != 0)
		return true;
	p->preview = false;
	return key->kind == KEY_ESCAPE || key->kind == KEY_ENTER ||
	       (key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT)));
}

void
form_pane_draw_preview(struct form_pane *p, const struct form *form, struct surface s)
{
	struct buf text = BUF_INIT, sent = BUF_INIT, size = BUF_INIT;
	bool is_json = form_to_json(form, &sent);

	form_to_json_pretty(form, &text);
	quantity_add_counted(&size, sent.len, "byte");
	surface_textf(s, 0, 0, -1, style_of(is_json ? ROLE_HINT : ROLE_WARNING), "%s · %s",
	    is_json ? "what is sent" : "what is sent: it is not JSON", buf_text(&size));
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);
	wrap_set(&p->wrap, buf_text(&text), text.len, body.width);
	wrap_work(&p->wrap, (size_t)p->preview_top + (size_t)body.height + 1, 1 << 20);
	int rows = (int)wrap_rows(&p->wrap);
	if (p->preview_top > rows - body.height)
		p->preview_top = rows > body.height ? rows - body.height : 0;
	wrap_draw(&p->wrap, body, style_of(ROLE_TEXT), (size_t)p->preview_top);
	buf_finish(&text);
	buf_finish(&sent);
	buf_finish(&size);
}

#include "form_pane_actions_priv.h"
#include "form_pane_draw_priv.h"

#include "base/quantity.h"
#include "ui/scroll.h"

#include <stdint.h>

/* What the form comes to, in its place until it is left. */
enum { PAGE_ROWS = 10, WORK_BYTES = 1 << 20 };

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
	if (scroll_key(key, PAGE_ROWS, &p->preview_top))
		return true;
	bool closes = key->kind == KEY_ESCAPE || key->kind == KEY_ENTER ||
		      (key->kind == KEY_CHAR && key->mods == 0 && key->ch == 'p');

	p->preview = p->preview && !closes;
	return closes;
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
	size_t page = body.height > 0 ? (size_t)body.height : 0;
	wrap_work(&p->wrap, p->preview_top < SIZE_MAX - page ? p->preview_top + page + 1 : SIZE_MAX,
	    WORK_BYTES);
	size_t rows = wrap_rows(&p->wrap), last = rows > page ? rows - page : 0;
	if (p->preview_top > last)
		p->preview_top = last;
	wrap_draw(&p->wrap, body, style_of(ROLE_TEXT), p->preview_top);
	wrap_set(&p->wrap, "", 0, 1); /* it knows texts by their addresses, which may come again */
	buf_finish(&text);
	buf_finish(&sent);
	buf_finish(&size);
}

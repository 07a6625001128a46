#include "app_pane.h"

#include "pane/pane_text.h"

/* The page as text in place of its picture: its HTML, or as a screen reader tells it. */

/* Or closes it. True: it was opened. */
static bool
toggle(struct app_pane *p, enum app_text_kind kind)
{
	bool opens = p->text.kind != kind;

	p->text.kind = opens ? kind : APP_TEXT_NONE;
	p->text.version = 0;
	p->text.page.top = 0;
	p->typing = false;
	return opens;
}

bool
app_act_source(void *state, const struct view_env *env, const char *arg)
{
	if (!workspace_shows_app(env->ws))
		return pane_refuse(env, "no app is shown");
	toggle(state, APP_TEXT_SOURCE);
	return true;
}

bool
app_act_reader(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = workspace_shows_app(env->ws) ? workspace_app(env->ws) : NULL;

	if (!a || !app_facts(a)->view)
		return pane_refuse(env, "no app runs here");
	if (toggle(state, APP_TEXT_READER))
		app_ask_reader(a);
	return true;
}

const char *
app_text_title(const struct app_pane *p)
{
	static const char *const titles[] = {
		[APP_TEXT_NONE] = "",
		[APP_TEXT_SOURCE] = " · HTML",
		[APP_TEXT_READER] = " · as a screen reader tells it",
	};

	return titles[p->text.kind];
}

static const char *
text_of(const struct app_pane *p, const struct app_facts *f)
{
	if (p->text.kind == APP_TEXT_SOURCE)
		return f->page->html.len > 0 ? buf_text(&f->page->html) : "the page was not read";
	return *f->reader ? f->reader : "asking the page";
}

/* Written again if the app tells something else; nothing depends on its pictures. */
static void
renew(struct app_pane *p, const struct app_facts *f)
{
	size_t version =
	    1 + (p->text.kind == APP_TEXT_SOURCE ? f->page->html.len : f->reader_count);

	if (p->text.version == version)
		return;
	p->text.version = version;
	page_clear(&p->text.page);
	page_text(&p->text.page, 0, ROLE_TEXT, text_of(p, f));
}

void
app_text_draw(struct app_pane *p, const struct app_facts *f, struct surface s, bool focused)
{
	renew(p, f);
	page_draw(&p->text.page, s, ROLE_NONE, focused);
}

bool
app_text_key(struct app_pane *p, const struct key *key)
{
	if (key->kind != KEY_ESCAPE)
		return page_key(&p->text.page, key);
	p->text.kind = APP_TEXT_NONE;
	return true;
}

bool
app_text_is_open(const void *state)
{
	return ((const struct app_pane *)state)->text.kind != APP_TEXT_NONE;
}

bool
app_text_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct app_pane *p = state;

	*out = seek_page(&p->text.page);
	return app_text_is_open(p);
}

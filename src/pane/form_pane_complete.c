#include "form_pane_priv.h"

#include "json/write.h"

#include <string.h>
#include <strings.h>

/* What the server proposes for the text field being edited, or the schema's examples where it does
 * not, as a list below it. The server is asked while one types; nothing waits for it. */

#define PAUSE_MS 120
#define ROWS 7
#define COLS 44
#define SIDE 0x2502

/* The argument or variable a field is of: itself, or the list that it is an item of. */
static const struct field *
argument_of(const struct field *field)
{
	if (!field || field_kind(field) != FIELD_STRING)
		return NULL;
	while (field_is_item(field))
		field = field_parent(field);
	return field_parent(field) && !field_parent(field_parent(field)) ? field : NULL;
}

static const struct offer *
offer_of(const struct pane_env *env)
{
	return env->ws->server ? workspace_offer(env->ws) : NULL;
}

static bool
form_pane_completes(struct form_pane *p, const struct pane_env *env)
{
	const struct offer *o = offer_of(env);

	return p->editing && !p->look && o && completer_can(server_session(env->ws->server), o) &&
	       argument_of(form_pane_selected(p, env));
}

/* The other arguments that have a text by now. */
static void
write_context(const struct form *form, const struct field *apart, struct buf *out)
{
	const struct field *root = form_root(form);
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	for (size_t i = 0; i < field_child_count(root); i++) {
		const struct field *field = field_child(root, i);
		if (field == apart || field_kind(field) != FIELD_STRING ||
		    field_state(field) != FIELD_SET || field_text_len(field) == 0)
			continue;
		json_write_key(&w, field_name(field));
		json_write_stringn(&w, field_text(field), field_text_len(field));
	}
	json_write_object_end(&w);
}

void
form_pane_complete_ask(struct form_pane *p, const struct pane_env *env)
{
	struct buf context = BUF_INIT;

	p->drop = (struct form_drop){ 0 };
	if (!form_pane_completes(p, env))
		return;
	const struct field *argument = argument_of(form_pane_selected(p, env));
	write_context(form_pane_form(p, env), argument, &context);
	struct completion_question question = {
		.offer = offer_of(env),
		.argument = field_name(argument),
		.value = edit_text(&p->edit),
		.context = buf_text(&context),
	};
	server_complete(env->ws->server, &question, PAUSE_MS, env->now_us);
	buf_finish(&context);
}

void
form_pane_complete_end(struct form_pane *p, const struct pane_env *env)
{
	p->drop = (struct form_drop){ 0 };
	if (env->ws->server)
		server_complete(env->ws->server, NULL, 0, env->now_us);
}

/* What there is to choose from. */
struct proposals {
	const struct completion *of; /* NULL: examples */
	bool whole; /* the answer to just what is typed; else those of less typed that begin so */
	const char *values[COMPLETION_VALUES_MAX];
	size_t len;
};

static const struct field *
with_examples(struct form_pane *p, const struct pane_env *env)
{
	const struct field *field = p->editing && !p->naming ? form_pane_selected(p, env) : NULL;

	return field && field_kind(field) == FIELD_STRING && field_example(field, 0) ? field : NULL;
}

static void
gather_examples(struct proposals *s, const struct field *field, const char *typed)
{
	size_t len = strlen(typed);
	const char *example;

	for (size_t i = 0; i < COMPLETION_VALUES_MAX && (example = field_example(field, i)); i++)
		if (strncasecmp(example, typed, len) == 0)
			s->values[s->len++] = example;
}

static void
gather(struct proposals *s, const char *typed)
{
	size_t len = strlen(typed);

	for (size_t i = 0; i < s->of->len && s->len < COMPLETION_VALUES_MAX; i++)
		if (s->whole || strncasecmp(s->of->values[i], typed, len) == 0)
			s->values[s->len++] = s->of->values[i];
}

/* False: nothing. What is typed already is no choice. */
static bool
propose(struct form_pane *p, const struct pane_env *env, struct proposals *s)
{
	const char *typed = edit_text(&p->edit);

	*s = (struct proposals){ 0 };
	if (p->drop.hidden)
		return false;
	if (form_pane_completes(p, env)) {
		const struct completer *c = server_completer(env->ws->server);
		s->of = completer_answer(c);
		s->whole = s->of != NULL;
		if (!s->of)
			s->of = completer_nearest(c);
		if (!s->of)
			return false;
		gather(s, typed);
	} else if (with_examples(p, env)) {
		gather_examples(s, with_examples(p, env), typed);
	}
	if (p->drop.at >= s->len) { /* another list than the one it was chosen from */
		p->drop.at = 0;
		p->drop.chosen = false;
	}
	if (s->len == 1 && strcmp(s->values[0], typed) == 0)
		return false;
	return s->len > 0 || (s->whole && s->of->error[0]);
}

static void
take(struct form_pane *p, const struct pane_env *env, const char *value)
{
	edit_set(&p->edit, value, strlen(value));
	form_pane_edit_apply(p, env);
	p->drop.hidden = true;
}

static bool
move(struct form_pane *p, const struct proposals *k, ptrdiff_t by)
{
	ptrdiff_t at = p->drop.chosen ? (ptrdiff_t)p->drop.at + by : by > 0 ? 0 : -1;

	if (at < 0 && !p->drop.chosen)
		return false;
	p->drop.chosen = at >= 0;
	p->drop.at = at < 0 ? 0 : (size_t)at < k->len ? (size_t)at : k->len - 1;
	return true;
}

/* Tab takes what is chosen, or the first that what is typed may become; else it goes on. */
static bool
take_by_tab(struct form_pane *p, const struct pane_env *env, const struct proposals *k)
{
	const char *typed = edit_text(&p->edit);

	if (!p->drop.chosen && (!*typed || strcmp(typed, k->values[0]) == 0))
		return false;
	take(p, env, k->values[p->drop.at]);
	return true;
}

static bool
take_by_enter(struct form_pane *p, const struct pane_env *env, const struct proposals *k)
{
	if (!p->drop.chosen)
		return false;
	take(p, env, k->values[p->drop.at]);
	form_pane_edit_end(p, env);
	return true;
}

static bool
mouse(struct form_pane *p, const struct pane_env *env, const struct proposals *k,
    const struct key *key)
{
	int y = key->y - p->drop.y, x = key->x - p->drop.x;

	if (x < 0 || x >= p->drop.width || y < 0 || y >= p->drop.rows)
		return false;
	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN)
		return move(p, k, key->action == MOUSE_WHEEL_UP ? -1 : 1) || true;
	if (key->action != MOUSE_PRESS || p->drop.top + (size_t)y >= k->len)
		return true;
	p->drop.chosen = true;
	p->drop.at = p->drop.top + (size_t)y;
	return take_by_enter(p, env, k);
}

bool
form_pane_complete_key(struct form_pane *p, const struct pane_env *env, const struct key *key)
{
	struct proposals found, *k = &found;

	if (!propose(p, env, k) || k->len == 0 || (key->mods & (MOD_ALT | MOD_CTRL)))
		return false;
	switch (key->kind) {
	case KEY_DOWN:
		return move(p, k, 1);
	case KEY_UP:
		return move(p, k, -1);
	case KEY_PAGE_DOWN:
		return move(p, k, ROWS);
	case KEY_PAGE_UP:
		return move(p, k, -ROWS);
	case KEY_TAB:
		return !(key->mods & MOD_SHIFT) && take_by_tab(p, env, k);
	case KEY_ENTER:
		return take_by_enter(p, env, k);
	case KEY_ESCAPE:
		p->drop.hidden = true;
		return true;
	case KEY_MOUSE:
		return mouse(p, env, k, key);
	default:
		return false;
	}
}

/* ---- drawing ---- */

int
form_pane_complete_rows(struct form_pane *p, const struct pane_env *env)
{
	const struct field *field = with_examples(p, env);
	int rows = 0;

	if (form_pane_completes(p, env))
		return ROWS + 1;
	while (field && rows < ROWS && field_example(field, (size_t)rows))
		rows++;
	return rows;
}

/* How many there are, where they are not all here. */
static void
add_more(const struct proposals *s, struct buf *out)
{
	const struct completion *k = s->of;

	if (!s->whole)
		return;
	if (k->error[0])
		buf_addf(out, "no proposals: %s", k->error);
	else if (k->total != SIZE_MAX && k->total > k->len)
		buf_addf(out, "%zu of %zu", k->len, k->total);
	else if (k->has_more)
		buf_addf(out, "%zu, and there are more", k->len);
}

static void
place(struct form_pane *p, const struct proposals *k, bool more, struct surface s)
{
	struct form_drop *d = &p->drop;
	int y = 0;

	for (int i = 0; i < p->hit_count; i++)
		if (p->hits[i].row == p->row)
			y = p->hits[i].y;
	int below = s.height - y - 1, above = y;
	int want = (k->len < ROWS ? (int)k->len : ROWS) + more;
	bool up = below < want && above > below;
	d->rows = up ? above : below;
	d->rows = want < d->rows ? want : d->rows;
	d->y = up ? y - d->rows : y + 1;
	d->x = p->widget_x;
	d->width = s.width - d->x - 1 < COLS ? s.width - d->x - 1 : COLS;
	size_t fit = d->rows > more ? (size_t)(d->rows - more) : 1;
	if (d->at < d->top)
		d->top = d->at;
	if (d->at >= d->top + fit)
		d->top = d->at - fit + 1;
}

void
form_pane_complete_draw(struct form_pane *p, const struct pane_env *env, struct surface s)
{
	struct proposals found, *k = &found;
	struct buf more = BUF_INIT;

	p->drop.rows = 0;
	if (!propose(p, env, k))
		return;
	add_more(k, &more);
	place(p, k, more.len > 0, s);
	const struct form_drop *d = &p->drop;
	struct surface box = surface_sub(s, d->x, d->y, d->width, d->rows);
	int values = d->rows - (more.len > 0);
	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	for (int i = 0; i < d->rows; i++) {
		surface_put(s, d->x - 1, d->y + i, style_of(ROLE_FOCUS), SIDE);
		surface_put(s, d->x + d->width, d->y + i, style_of(ROLE_FOCUS), SIDE);
	}
	for (int i = 0; i < values && d->top + (size_t)i < k->len; i++) {
		size_t at = d->top + (size_t)i;
		surface_text(
		    box, 1, i, box.width - 2, style_on(ROLE_TEXT, ROLE_DIALOG), k->values[at]);
		if (d->chosen && at == d->at)
			surface_restyle(box, 0, i, box.width, ROLE_SELECTION, ATTR_BOLD);
	}
	if (d->top > 0)
		surface_text(box, box.width - 1, 0, 1, style_on(ROLE_ACCENT, ROLE_DIALOG), "▴");
	if (values > 0 && d->top + (size_t)values < k->len)
		surface_text(
		    box, box.width - 1, values - 1, 1, style_on(ROLE_ACCENT, ROLE_DIALOG), "▾");
	if (more.len > 0)
		surface_text(box, 1, box.height - 1, box.width - 2,
		    style_on(k->of->error[0] ? ROLE_WARNING : ROLE_HINT, ROLE_DIALOG),
		    buf_text(&more));
	buf_finish(&more);
}

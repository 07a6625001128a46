#include "actions.h"

#include "json/write.h"

#include <string.h>
#include <strings.h>

/* Values for the edited text field: completions from the server, or else those of earlier calls and
 * examples from the schema; names for an entry of a map. The server is asked while the user types;
 * nothing waits for it. */

#define PAUSE_MS 120

/* The argument or variable of a field: itself, or the array it is an item of. */
static const struct field *
argument_of(const struct field *field)
{
	if (!field || field_view(field).kind != FIELD_STRING)
		return NULL;
	while (field_view(field).item)
		field = field_view(field).parent;
	const struct field *parent = field_view(field).parent;
	return parent && !field_view(parent).parent ? field : NULL;
}

static const struct primitive *
primitive_of(const struct view_env *env)
{
	return env->ws->server ? workspace_primitive(env->ws) : NULL;
}

static bool
form_pane_completes(struct form_pane *p, const struct view_env *env)
{
	const struct primitive *primitive = primitive_of(env);

	return p->editing && !p->naming && !p->look && primitive &&
	       completer_can(server_info(env->ws->server)->session, primitive) &&
	       argument_of(form_pane_selected(p, env));
}

/* The other arguments that already have a value. */
static void
write_context(const struct form *form, const struct field *apart, struct buf *out)
{
	const struct field *root = form_view(form).root;
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	for (size_t i = 0; i < field_view(root).child_count; i++) {
		const struct field *field = field_child(root, i);
		const struct field_view v = field_view(field);
		if (field == apart || v.kind != FIELD_STRING || v.state != FIELD_SET || !v.text_len)
			continue;
		json_write_key(&w, v.name);
		json_write_stringn(&w, v.text, v.text_len);
	}
	json_write_object_end(&w);
}

void
form_pane_suggest_ask(struct form_pane *p, const struct view_env *env)
{
	struct buf context = BUF_INIT;

	p->suggested = (struct form_suggestions){ 0 };
	if (!form_pane_completes(p, env))
		return;
	const struct field *argument = argument_of(form_pane_selected(p, env));
	write_context(form_pane_form(p, env), argument, &context);
	struct completion_question question = {
		.primitive = primitive_of(env),
		.argument = field_view(argument).name,
		.value = edit_text(&p->edit),
		.context = buf_text(&context),
	};
	server_complete(env->ws->server, &question, PAUSE_MS, env->now_us);
	buf_finish(&context);
}

void
form_pane_suggest_end(struct form_pane *p, const struct view_env *env)
{
	p->suggested = (struct form_suggestions){ 0 };
	if (env->ws->server)
		server_complete(env->ws->server, NULL, 0, env->now_us);
}

/* The current suggestions. */
struct proposals {
	const struct completion *of; /* NULL: examples or names */
	bool
	    whole; /* the completions of the typed text, or those of a shorter text that match it */
	const struct form_references *from; /* those of another call; NULL: it is none */
	bool all;                           /* the last value stands for all of them */
	const char *values[COMPLETION_VALUES_MAX + 1];
	size_t len;
};

static void
gather_past(struct proposals *s, const struct strings *past, const char *typed)
{
	for (size_t i = 0; i < past->len && s->len < COMPLETION_VALUES_MAX; i++)
		if (strncasecmp(past->items[i], typed, strlen(typed)) == 0)
			s->values[s->len++] = past->items[i];
}

static void
gather_examples(
    struct proposals *s, const struct strings *past, const struct field *field, const char *typed)
{
	size_t len = strlen(typed);
	const char *example;

	if (!field || field_view(field).kind != FIELD_STRING)
		return;
	for (size_t i = 0; s->len < COMPLETION_VALUES_MAX && (example = field_example(field, i));
	     i++)
		if (strncasecmp(example, typed, len) == 0 && !strings_have(past, example))
			s->values[s->len++] = example;
}

/* The map whose entry is being named, or NULL. */
static const struct field *
map_of_name(struct form_pane *p, const struct view_env *env)
{
	const struct field *field = p->editing && p->naming ? form_pane_selected(p, env) : NULL;

	return field && p->naming == NAMING_AGAIN ? field_view(field).parent : field;
}

static void
gather_names(struct proposals *s, const struct field *map, const char *typed)
{
	const char *names[COMPLETION_VALUES_MAX];
	size_t count = field_free_names(map, names, COMPLETION_VALUES_MAX);

	for (size_t i = 0; i < count; i++)
		if (strncasecmp(names[i], typed, strlen(typed)) == 0)
			s->values[s->len++] = names[i];
}

static void
gather(struct proposals *s, const char *typed)
{
	size_t len = strlen(typed);

	for (size_t i = 0; i < s->of->len && s->len < COMPLETION_VALUES_MAX; i++)
		if (s->whole || strncasecmp(s->of->values[i], typed, len) == 0)
			s->values[s->len++] = s->of->values[i];
}

static void
gather_references(struct proposals *s)
{
	for (size_t i = 0; i < s->from->values.len && s->len < COMPLETION_VALUES_MAX; i++)
		s->values[s->len++] = s->from->values.items[i];
	s->all = s->from->all != NULL;
	if (s->all)
		s->values[s->len++] = "all of them: a call for each";
}

/* False: none. A value equal to the typed text is not offered. */
static bool
propose(struct form_pane *p, const struct view_env *env, struct proposals *s)
{
	const char *typed = edit_text(&p->edit);

	*s = (struct proposals){ 0 };
	if (p->suggested.hidden || p->passing)
		return false;
	s->from = form_pane_references(p);
	if (s->from) {
		gather_references(s);
	} else if (form_pane_completes(p, env)) {
		const struct completer *c = server_info(env->ws->server)->completer;
		s->of = completer_answer(c);
		s->whole = s->of != NULL;
		if (!s->of)
			s->of = completer_nearest(c);
		if (!s->of)
			return false;
		gather(s, typed);
	} else if (map_of_name(p, env)) {
		gather_names(s, map_of_name(p, env), typed);
	} else if (p->editing && !p->naming && !p->edit_is_json) {
		gather_past(s, &p->past.values, typed);
		gather_examples(s, &p->past.values, form_pane_selected(p, env), typed);
	}
	struct list *list = &p->suggested.drop.list;
	if (list->selected >= s->len) /* the list changed since the selection */
		p->suggested.chosen = false;
	list_set_count(list, s->len);
	if (s->len == 1 && strcmp(s->values[0], typed) == 0)
		return false;
	return s->len > 0 || (s->whole && s->of->error[0]) || (s->from && s->from->note[0]);
}

/* A value from a server refers to no variable. */
static void
take(struct form_pane *p, const struct view_env *env, const char *value)
{
	struct buf text = BUF_INIT;

	if (form_pane_references(p))
		workspace_add_plain(env->ws, value, &text);
	else
		buf_add_str(&text, value);
	edit_set(&p->edit, buf_text(&text), text.len);
	buf_finish(&text);
	form_pane_edit_apply(p, env);
	p->suggested.hidden = true;
}

/* Down enters the list, Up from its first row leaves it. */
static bool
move(struct form_pane *p, const struct key *key)
{
	struct form_suggestions *m = &p->suggested;

	if (!m->chosen && key->kind == KEY_UP)
		return false;
	if (!m->chosen)
		list_select(&m->drop.list, 0);
	else if (key->kind == KEY_UP && m->drop.list.selected == 0)
		m->chosen = false;
	else
		return dropdown_key(&m->drop, key);
	m->chosen = key->kind != KEY_UP;
	return true;
}

/* Tab accepts the selection, or else the first match; otherwise it moves on. */
static bool
take_by_tab(struct form_pane *p, const struct view_env *env, const struct proposals *k)
{
	const char *typed = edit_text(&p->edit);

	size_t at = p->suggested.drop.list.selected;

	if (!p->suggested.chosen && (!*typed || strcmp(typed, k->values[0]) == 0))
		return false;
	if (k->all && at + 1 == k->len)
		return form_pane_refer_to_all(p, env) || true;
	take(p, env, k->values[at]);
	return true;
}

static bool
take_by_enter(struct form_pane *p, const struct view_env *env, const struct proposals *k)
{
	size_t at = p->suggested.drop.list.selected;

	if (!p->suggested.chosen)
		return false;
	if (k->all && at + 1 == k->len)
		return form_pane_refer_to_all(p, env) || true;
	bool goes_on = k->from && k->values[at][0] == '@'; /* the name of a tool */
	take(p, env, k->values[at]);
	if (goes_on)
		return true;
	if (p->naming) {
		form_pane_name_take(p, env);
		return true;
	}
	form_pane_edit_end(p, env);
	form_pane_edit_next(p, env, 1);
	return true;
}

static bool
mouse(struct form_pane *p, const struct view_env *env, const struct proposals *k,
    const struct key *key)
{
	if (!p->suggested.drawn)
		return false;
	if (key->action != MOUSE_PRESS)
		return dropdown_key(&p->suggested.drop, key);
	enum dropdown_hit hit = dropdown_press(&p->suggested.drop, key);
	p->suggested.chosen |= hit == DROPDOWN_ENTRY;
	return hit == DROPDOWN_ENTRY ? take_by_enter(p, env, k) : hit == DROPDOWN_FRAME_HIT;
}

bool
form_pane_suggest_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	struct proposals found, *k = &found;

	if (!propose(p, env, k) || k->len == 0 || (key->mods & (MOD_ALT | MOD_CTRL)))
		return false;
	switch (key->kind) {
	case KEY_DOWN:
	case KEY_UP:
	case KEY_PAGE_DOWN:
	case KEY_PAGE_UP:
		return move(p, key);
	case KEY_TAB:
		return !(key->mods & MOD_SHIFT) && take_by_tab(p, env, k);
	case KEY_ENTER:
		return take_by_enter(p, env, k);
	case KEY_ESCAPE:
		p->suggested.hidden = true;
		return true;
	case KEY_MOUSE:
		return mouse(p, env, k, key);
	default:
		return false;
	}
}

/* ---- drawing ---- */

/* The total number, if the server sent only some. */
static void
add_more(const struct proposals *s, struct buf *out)
{
	const struct completion *k = s->of;

	if (s->from)
		buf_add_str(out, s->from->note);
	if (!s->whole)
		return;
	if (k->error[0])
		buf_addf(out, "no completions: %s", k->error);
	else if (k->total != SIZE_MAX && k->total > k->len)
		buf_addf(out, "%zu of %zu", k->len, k->total);
	else if (k->has_more)
		buf_addf(out, "%zu, and there are more", k->len);
}

static enum role
suggestion(void *user, size_t index, struct buf *out)
{
	const struct proposals *k = user;

	buf_add_str(out, k->values[index]);
	return ROLE_TEXT;
}

struct surface
form_pane_suggest_draw(
    struct form_pane *p, const struct view_env *env, struct surface screen, int x, int y)
{
	struct proposals found, *k = &found;
	struct buf more = BUF_INIT;

	p->suggested.drawn = p->hint_rows > 0 && propose(p, env, k);
	if (!p->suggested.drawn)
		return surface_sub(screen, 0, 0, 0, 0);
	add_more(k, &more);
	struct dropdown_look look = {
		.x = x + p->widget_x + 1,
		.y = y + p->widget_y,
		.rows = p->hint_rows,
		.unselected = !p->suggested.chosen,
		.note = more.len > 0 ? buf_text(&more) : NULL,
		.note_role = k->from                     ? k->from->role
			     : k->of && k->of->error[0] ? ROLE_WARNING
							: ROLE_HINT,
		.entry = suggestion,
		.user = k,
	};
	struct surface box = dropdown_draw(&p->suggested.drop, screen, &look);
	p->suggested.drop.x -= x;
	p->suggested.drop.y -= y;
	buf_finish(&more);
	return box;
}

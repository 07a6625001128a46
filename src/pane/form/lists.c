/* SPDX-License-Identifier: MIT */
#include "form_pane.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/text_match.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/chain.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/query.h"
#include "json/write.h"
#include "mcp/completer.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The lists at the edited field: its choices, and values that are suggested for its text. */

/*
 * ---- choices ----
 *
 * The choices, options or variants of a field, in a list that typing filters.
 */

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

void
form_pane_menu_open(struct form_pane *p, const struct form_row *row)
{
	size_t first = first_entry(row), at = 0;

	if (row->view.state == FIELD_SET && kind_of(row) == ENTRY_VARIANT) {
		at = first + row->view.variant;
	} else if (row->view.state == FIELD_SET && kind_of(row) == ENTRY_CHOICE) {
		at = first + (row->view.filled ? row->view.choice : 0);
	} else if (row->view.state == FIELD_SET) { /* the first option that is on, or the first */
		size_t i = 0, count = form_pane_menu_choices(row);
		while (i < count && !field_option_is_on(row->field, i))
			i++;
		at = first + (i < count ? i : 0);
	} else if (kind_of(row) == ENTRY_OPTION)
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
lists_choose(struct form_pane *p, const struct view_env *env, const struct form_row *row)
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
			lists_choose(p, env, &row);
	} else if (key->kind == KEY_ESCAPE && typing) {
		edit_set(&p->edit, "", 0);
		filter_entries(p, &row);
		p->menu.chosen = false;
	} else if (key->kind == KEY_ESCAPE || (key->kind == KEY_ENTER && p->menu.many)) {
		p->menu.open = false;
	} else if (key->kind == KEY_TAB) {
		if (p->menu.chosen && !p->menu.many)
			lists_choose(p, env, &row);
		p->menu.open = false;
		form_pane_edit_next(p, env, key->mods & MOD_SHIFT ? -1 : 1);
	} else if (key->kind == KEY_ENTER ||
		   (key->kind == KEY_CHAR && key->ch == ' ' && (p->menu.many || !typing))) {
		lists_choose(p, env, &row);
	} else if (key->kind != KEY_MOUSE) { /* typing filters; others, such as Ctrl-Q, close it */
		bool types = key->kind == KEY_BACKSPACE || key->kind == KEY_PASTE ||
			     (key->kind == KEY_CHAR && !(key->mods & MOD_ALT));
		bool changed = false;
		p->menu.open = types && edit_key(&p->edit, key, &changed);
		if (changed) {
			filter_entries(p, &row);
			p->menu.chosen = p->edit.text.len > 0;
		}
		return p->menu.open;
	}
	return true;
}

/*
 * Suggested values for the edited field: references to the results of other calls, else completions
 * from the server, else values of earlier calls and examples of the schema; for the name of a map
 * entry, free names. The server is asked while the user types; nothing waits for it.
 */

enum { SETS_MAX = 200, PAUSE_MS = 120, TOOLS_MAX = 20 };

/* ---- arguments of earlier calls ---- */

/* Append the arguments of this run's last call, even if it still runs; then of calls in the
 * history: pinned ones, then the newest. */
static void
gather_sets(const struct view_env *env, struct strings *out)
{
	const struct desk *desk = env->ws->desk;
	const struct workspace_history *history = &env->ws->history;
	const struct call *last = server_last_call(env->ws->server, desk->kind, desk->key);

	if (last)
		strings_add(out, last->arguments);
	if (history->host)
		history->host->arguments(history->user, server_info(env->ws->server)->name,
		    desk->kind, desk->key, SETS_MAX, out);
}

bool
form_pane_act_last(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	struct strings sets = { 0 };

	if (!form || !env->ws->server || !env->ws->desk || p->look)
		return view_refuse(env, "no form is shown");
	gather_sets(env, &sets);
	if (sets.len == 0)
		return view_refuse(env, "nothing has been called yet");
	/* Continue with the next older set if the form has not changed since the last one. */
	bool untouched = p->past.version == form_view(form).version && p->past.form == form;
	size_t at = untouched && p->past.filled < sets.len ? p->past.filled : 0;
	const char *set = sets.items[at];
	form_load_raw(form, set, strlen(set));
	char *text = mem_printf("filled in from earlier call %zu of %zu; again: the next; u "
				"restores your values%s",
	    at + 1, sets.len,
	    strstr(set, SECRET_HIDDEN) ? "; enter the secrets, which are not kept" : "");
	env->host->say(env->user, ROLE_DIM, text);
	free(text);
	strings_finish(&sets);
	form_pane_done(p, env);
	p->past.filled = at + 1;
	p->past.form = form;
	p->past.version = form_view(form).version;
	return true;
}

void
form_pane_read_past(struct form_pane *p, const struct view_env *env)
{
	const struct field *field = form_pane_selected(p, env);
	struct buf pointer = BUF_INIT;
	struct strings sets = { 0 };

	char number[JSON_NUMBER_TEXT_MAX];
	strings_finish(&p->past.values);
	if (!field || p->look || p->naming || p->moment != MOMENT_NONE || !env->ws->server ||
	    !env->ws->desk)
		return;
	field_pointer(field, &pointer);
	gather_sets(env, &sets);
	for (size_t i = 0; i < sets.len; i++) {
		struct json_doc *doc = json_parse(sets.items[i], strlen(sets.items[i]), NULL, NULL);
		const cJSON *value =
		    doc ? json_pointer_find(json_root(doc), buf_text(&pointer)) : NULL;
		const char *text = cJSON_GetStringValue(value);
		if (cJSON_IsNumber(value))
			text = json_number_text(value, number);
		if (text && *text && strlen(text) < LABEL_BYTES &&
		    strcmp(text, SECRET_HIDDEN) != 0 && !strings_have(&p->past.values, text))
			strings_add(&p->past.values, text);
		json_doc_destroy(doc);
	}
	strings_finish(&sets);
	buf_finish(&pointer);
}

/* ---- references ---- */

/*
 * A reference such as "@search_orders.orders[].id" in a field suggests the output of jq on the last
 * result of that tool. If the result is older than the reference allows and the tool is read-only,
 * the tool is called again with the same arguments. The reference itself is never sent: the user
 * chooses one of the values, or all.
 */
#define DATA_MAX ((size_t)4 << 20)

struct form_reference {
	struct pane_query run; /* first */
	char *text;            /* as typed */
	char *expression;      /* of the query */
	uint64_t asked;        /* the call whose data the query has or had; 0: none */
	uint64_t again;        /* the repeated call of this edit; 0: none */
	struct strings values; /* the first of them */
	char *all;             /* several values as a JSON array; else NULL */
	char note[300];        /* their number, or why there are none */
	enum role role;        /* of the note */
};

static void
set_note(struct form_reference *r, enum role role, const char *text)
{
	snprintf(r->note, sizeof(r->note), "%s", text);
	r->role = role;
}

static void
take_answer(struct pane_query *run)
{
	struct form_reference *r = (struct form_reference *)run;
	struct query_answer *answer = &run->job.answer;
	struct json_doc *doc =
	    answer->trouble.text[0] && answer->count == 0
		? NULL
		: json_parse(buf_text(&answer->text), answer->text.len, NULL, NULL);
	const cJSON *value = doc ? json_first(json_root(doc)) : NULL;
	char number[JSON_NUMBER_TEXT_MAX];
	struct buf text = BUF_INIT;

	for (; value && r->values.len < COMPLETION_VALUES_MAX; value = value->next) {
		buf_clear(&text);
		if (cJSON_IsNumber(value))
			buf_add_str(&text, json_number_text(value, number));
		else if (!cJSON_GetStringValue(value))
			json_print(&text, value);
		strings_add(&r->values,
		    cJSON_GetStringValue(value) ? cJSON_GetStringValue(value) : buf_text(&text));
	}
	free(r->all);
	r->all = answer->count > 1 ? buf_detach(&answer->text) : NULL;
	buf_clear(&text);
	if (answer->trouble.text[0])
		buf_addf(&text, "jq: %s", answer->trouble.text);
	else
		units_add_counted(&text, answer->count, "value");
	if (r->values.len < answer->count)
		buf_addf(&text, ", the first %zu are here", r->values.len);
	set_note(r, answer->trouble.text[0] ? ROLE_WARNING : ROLE_HINT, buf_text(&text));
	buf_finish(&text);
	json_doc_destroy(doc);
	query_answer_finish(answer);
}

/* Run the query of a reference on the result of a call. */
static void
run_query(struct form_reference *r, const struct call_reference *wanted, const struct call *c)
{
	struct buf data = { .max = DATA_MAX };
	struct call_data found;

	call_data_read(&found, c, DATA_MAX);
	bool has = found.value, too_large = found.too_large;
	if (has)
		json_print(&data, found.value);
	call_data_finish(&found);
	r->asked = c->id;
	if (!has || data.overflowed) {
		set_note(r, ROLE_WARNING,
		    has || too_large
			? "its data is too large here: > passes a value on from its table"
			: "its result has neither data nor text");
		buf_finish(&data);
		return;
	}
	set_note(r, ROLE_HINT, "jq …");
	free(r->expression);
	r->expression = mem_strdup(buf_text(&wanted->query));
	pane_query_run(&r->run, r->expression, data);
}

/* Return the call whose result is recent enough, or NULL with the reason in the note. */
static const struct call *
find_call(struct form_reference *r, const struct call_reference *wanted, const struct view_env *env)
{
	struct server *s = env->ws->server;
	const char *tool = wanted->tool->key;
	const struct call *c = call_reference_find(s, tool);
	const struct call *again = r->again ? server_find_call(s, r->again) : NULL;
	struct err err = { "" };
	char text[160];

	if (again && again->state == CALL_RUNNING) {
		snprintf(text, sizeof(text), "calling %.80s again …", tool);
	} else if (again && again != c && strcmp(again->key, tool) == 0) {
		snprintf(text, sizeof(text), "%.80s failed: H shows the call", tool);
	} else if (!c) {
		snprintf(text, sizeof(text), "no result of %.80s yet", tool);
	} else if (c == again || env->now_us - c->ended_us <= wanted->max_age_us) {
		return c;
	} else if (wanted->tool->read_only != HINT_TRUE) {
		snprintf(text, sizeof(text), "too old; not marked read-only: call %.60s", tool);
	} else {
		r->again = server_ask(
		    s, wanted->tool, c->arguments, strlen(c->arguments), env->now_us, &err);
		if (r->again) {
			snprintf(text, sizeof(text), "calling %.80s again …", tool);
			env->ws->generation++;
		} else { /* no new generation: it would try again at once, without end */
			snprintf(text, sizeof(text), "%.60s: %.90s", tool, err.text);
		}
	}
	set_note(r, ROLE_WARNING, text);
	return NULL;
}

static void
clear_reference(struct form_reference *r)
{
	pane_query_stop(&r->run);
	strings_finish(&r->values);
	free(r->all);
	r->all = NULL;
	r->note[0] = '\0';
	free(r->text);
	r->text = NULL;
	r->asked = 0;
}

void
form_pane_refer_end(struct form_pane *p)
{
	if (!p->reference)
		return;
	clear_reference(p->reference);
	free(p->reference->expression);
	free(p->reference);
	p->reference = NULL;
}

void
form_pane_refer(struct form_pane *p, const struct view_env *env)
{
	const char *typed = edit_text(&p->edit);
	struct call_reference wanted;
	struct err err;

	if (!p->editing || p->naming || p->look || !env->ws->server || typed[0] != '@' ||
	    p->edit.text.len > QUERY_MAX_EXPRESSION) {
		form_pane_refer_end(p);
		return;
	}
	if (!p->reference)
		p->reference = mem_zalloc(sizeof(*p->reference));
	struct form_reference *r = p->reference;
	r->run.host = env->host;
	r->run.user = env->user;
	r->run.jobs = env->jobs;
	r->run.take = take_answer;
	bool same = r->text && strcmp(r->text, typed) == 0;
	if (same && r->asked)
		return;
	if (!same) {
		clear_reference(r);
		r->text = mem_strdup(typed);
	}
	const struct server_info *info = server_info(env->ws->server);
	if (call_reference_read(&wanted, typed, &info->lists[PRIMITIVE_TOOL].list, &err)) {
		const struct call *c = find_call(r, &wanted, env);
		if (c)
			run_query(r, &wanted, c);
	} else if (err.text[0]) {
		set_note(r, ROLE_WARNING, err.text);
	} else if (!same) { /* the name is being typed: suggest tools that have a result */
		for (size_t i = info->calls; i-- > 0 && r->values.len < TOOLS_MAX;) {
			const struct call *c = server_call_at(env->ws->server, i);
			char *name = mem_printf("@%s", c->key);
			if (c->kind == PRIMITIVE_TOOL && c->state == CALL_DONE &&
			    strncmp(name, typed, strlen(typed)) == 0 &&
			    !strings_have(&r->values, name))
				strings_add(&r->values, name);
			free(name);
		}
	}
	buf_finish(&wanted.query);
}

/* ---- completions ---- */

/* Return the argument or variable of a field: itself, or the array that contains it as an item. */
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

/* Whether the server can complete the edited text. */
static bool
is_completed(struct form_pane *p, const struct view_env *env)
{
	const struct primitive *primitive = env->ws->server ? workspace_primitive(env->ws) : NULL;

	return p->editing && !p->naming && !p->look && primitive &&
	       completer_can(server_info(env->ws->server)->session, primitive) &&
	       argument_of(form_pane_selected(p, env));
}

void
form_pane_suggest_ask(struct form_pane *p, const struct view_env *env)
{
	struct buf context = BUF_INIT;

	p->suggested = (struct form_suggestions){ 0 };
	if (is_completed(p, env)) {
		const struct field *argument = argument_of(form_pane_selected(p, env));
		const struct field *root = form_view(form_pane_form(p, env)).root;
		struct json_writer w; /* the other arguments that already have a value */
		json_write_init(&w, &context);
		json_write_object(&w);
		for (size_t i = 0; i < field_view(root).child_count; i++) {
			const struct field *field = field_child(root, i);
			const struct field_view v = field_view(field);
			if (field == argument || v.kind != FIELD_STRING || v.state != FIELD_SET ||
			    !v.text_len)
				continue;
			json_write_key(&w, v.name);
			json_write_stringn(&w, v.text, v.text_len);
		}
		json_write_object_end(&w);
		struct completion_question question = {
			.primitive = workspace_primitive(env->ws),
			.argument = field_view(argument).name,
			.value = edit_text(&p->edit),
			.context = buf_text(&context),
		};
		server_complete(env->ws->server, &question, PAUSE_MS, env->now_us);
		buf_finish(&context);
	}
	form_pane_refer(p, env);
}

/* ---- the list ---- */

/* The current suggestions. */
struct proposals {
	const struct completion *of; /* NULL: not from the server */
	bool whole; /* of the typed text; else the matching ones of a shorter text */
	const struct form_reference *from; /* NULL: not from a reference */
	bool all;                          /* the last entry means all values */
	const char *values[COMPLETION_VALUES_MAX + 1];
	size_t len;
};

/* Add a value that starts with the typed text. */
static void
add_match(struct proposals *s, const char *value, const char *typed)
{
	if (s->len < COMPLETION_VALUES_MAX && strncasecmp(value, typed, strlen(typed)) == 0)
		s->values[s->len++] = value;
}

/* Gather values of earlier calls and examples of the schema. */
static void
gather_values(
    struct proposals *s, const struct strings *past, const struct field *field, const char *typed)
{
	const char *example;

	for (size_t i = 0; i < past->len; i++)
		add_match(s, past->items[i], typed);
	if (!field || field_view(field).kind != FIELD_STRING)
		return;
	for (size_t i = 0; s->len < COMPLETION_VALUES_MAX && (example = field_example(field, i));
	     i++)
		if (!strings_have(past, example))
			add_match(s, example, typed);
}

/* Gather the suggestions; a single one equal to the typed text does not count. Return false if
 * nothing is shown. */
static bool
propose(struct form_pane *p, const struct view_env *env, struct proposals *s)
{
	const char *typed = edit_text(&p->edit);
	const struct field *field = form_pane_selected(p, env);

	*s = (struct proposals){ .from = p->reference };
	if (p->suggested.hidden || p->passing)
		return false;
	if (s->from) {
		for (size_t i = 0; i < s->from->values.len; i++)
			add_match(s, s->from->values.items[i], "");
		s->all = s->from->all != NULL;
		if (s->all)
			s->values[s->len++] = "all of them: a call for each";
	} else if (is_completed(p, env)) {
		const struct completer *c = server_info(env->ws->server)->completer;
		s->of = completer_answer(c);
		s->whole = s->of != NULL;
		if (!s->of)
			s->of = completer_nearest(c);
		if (!s->of)
			return false;
		for (size_t i = 0; i < s->of->len; i++)
			add_match(s, s->of->values[i], s->whole ? "" : typed);
	} else if (p->editing && p->naming && field) {
		const struct field *map =
		    p->naming == NAMING_RENAME ? field_view(field).parent : field;
		const char *names[COMPLETION_VALUES_MAX];
		size_t count = field_free_names(map, names, COMPLETION_VALUES_MAX);
		for (size_t i = 0; i < count; i++)
			add_match(s, names[i], typed);
	} else if (p->editing && !p->naming && !p->edit_is_json) {
		gather_values(s, &p->past.values, field, typed);
	}
	struct list *list = &p->suggested.drop.list;
	if (list->selected >= s->len) /* the list changed since the selection */
		p->suggested.chosen = false;
	list_set_count(list, s->len);
	if (s->len == 1 && strcmp(s->values[0], typed) == 0)
		return false;
	return s->len > 0 || (s->whole && s->of->error[0]) || (s->from && s->from->note[0]);
}

/* Use the selected value as the text. Return false if it means all values: the edit has ended. */
static bool
take_value(struct form_pane *p, const struct view_env *env, const struct proposals *k)
{
	size_t at = p->suggested.drop.list.selected;
	struct buf text = BUF_INIT;

	if (k->all && at + 1 == k->len) { /* a command asks whether to call the tool for each */
		const struct field *field = form_pane_selected(p, env);
		if (!field)
			return false;
		buf_add_str(&text, "each ");
		field_pointer(field, &text);
		buf_addf(&text, " %s", p->reference->all);
		form_pane_edit_end(p, env);
		env->host->run(env->user, buf_text(&text));
		buf_finish(&text);
		return false;
	}
	if (p->reference) /* a value from a server contains no references to variables */
		workspace_add_plain(env->ws, k->values[at], &text);
	else
		buf_add_str(&text, k->values[at]);
	edit_set(&p->edit, buf_text(&text), text.len);
	buf_finish(&text);
	form_pane_edit_apply(p, env);
	p->suggested.hidden = true;
	return true;
}

/* Down enters the list, Up from its first row leaves it. */
static bool
step_suggestion(struct form_pane *p, const struct key *key)
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

static bool
take_by_enter(struct form_pane *p, const struct view_env *env, const struct proposals *k)
{
	if (!p->suggested.chosen)
		return false;
	/* The name of a tool only begins a reference. */
	bool is_tool = k->from && k->values[p->suggested.drop.list.selected][0] == '@';
	if (!take_value(p, env, k) || is_tool)
		return true;
	if (p->naming) {
		form_pane_name_take(p, env);
		return true;
	}
	form_pane_edit_end(p, env);
	form_pane_edit_next(p, env, 1);
	return true;
}

bool
form_pane_suggest_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	const char *typed = edit_text(&p->edit);
	struct proposals found, *k = &found;

	if (!propose(p, env, k) || k->len == 0 || (key->mods & (MOD_ALT | MOD_CTRL)))
		return false;
	switch (key->kind) {
	case KEY_DOWN:
	case KEY_UP:
	case KEY_PAGE_DOWN:
	case KEY_PAGE_UP:
		return step_suggestion(p, key);
	case KEY_TAB: /* accepts the selection, or else the first match */
		if ((key->mods & MOD_SHIFT) ||
		    (!p->suggested.chosen && (!*typed || strcmp(typed, k->values[0]) == 0)))
			return false;
		take_value(p, env, k);
		return true;
	case KEY_ENTER:
		return take_by_enter(p, env, k);
	case KEY_ESCAPE:
		p->suggested.hidden = true;
		return true;
	case KEY_MOUSE:
		if (!p->suggested.drawn)
			return false;
		if (key->action != MOUSE_PRESS)
			return dropdown_key(&p->suggested.drop, key);
		enum dropdown_hit hit = dropdown_press(&p->suggested.drop, key);
		if (hit != DROPDOWN_ENTRY)
			return hit == DROPDOWN_FRAME_HIT;
		p->suggested.chosen = true;
		return take_by_enter(p, env, k);
	default:
		return false;
	}
}

static enum role
draw_suggestion(void *user, size_t index, struct buf *out)
{
	const struct proposals *k = user;

	buf_add_str(out, k->values[index]);
	return ROLE_TEXT;
}

static struct surface
draw_suggestions(
    struct form_pane *p, const struct view_env *env, struct surface screen, int x, int y)
{
	struct proposals found, *k = &found;
	struct buf note = BUF_INIT;

	p->suggested.drawn = p->hint_rows > 0 && propose(p, env, k);
	if (!p->suggested.drawn)
		return surface_sub(screen, 0, 0, 0, 0);
	if (k->from)
		buf_add_str(&note, k->from->note);
	else if (k->whole && k->of->error[0])
		buf_addf(&note, "no completions: %s", k->of->error);
	else if (k->whole && k->of->total != SIZE_MAX && k->of->total > k->of->len)
		buf_addf(&note, "%zu of %zu", k->of->len, k->of->total);
	else if (k->whole && k->of->has_more)
		buf_addf(&note, "%zu, and there are more", k->of->len);
	struct dropdown_look look = {
		.x = x + p->widget_x + 1,
		.y = y + p->widget_y,
		.rows = p->hint_rows,
		.unselected = !p->suggested.chosen,
		.note = note.len > 0 ? buf_text(&note) : NULL,
		.note_role = k->from                    ? k->from->role
			     : k->of && k->of->error[0] ? ROLE_WARNING
							: ROLE_HINT,
		.entry = draw_suggestion,
		.user = k,
	};
	struct surface box = dropdown_draw(&p->suggested.drop, screen, &look);
	p->suggested.drop.x -= x;
	p->suggested.drop.y -= y;
	buf_finish(&note);
	return box;
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

/* A menu dims the rest of the screen and gets all mouse events; suggestions do neither. */
struct surface
form_pane_pop_up(
    void *state, const struct view_env *env, struct surface screen, struct surface inner)
{
	struct form_pane *p = state;
	struct form_row row;
	int x = inner.x - screen.x, y = inner.y - screen.y;

	if (!p->menu.open || !form_pane_row(p, env, &row))
		return draw_suggestions(p, env, screen, x, y);
	surface_dim(screen);
	struct menu_drawing drawing = { p, &row };
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
	return screen;
}

#include "workbench/commands/commands.h"

#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const palette_kinds[PALETTE_KIND_COUNT] = {
#define X(id, name) #name,
	PALETTE_KINDS(X)
#undef X
};

/* A primitive with a longer name or URI is found only in its list. */
enum { LINE_MAX = 1000, NOTE_MAX = 160, ITEMS_MAX = 200000 };
enum { LINES_MAX = LINE_MAX + 2 * FUZZY_TEXT_MAX + NOTE_MAX + 32 }; /* of a row's texts */

struct builder {
	struct workbench *wb;
	struct palette *p;
	struct map uses;
};

/* A row to add; a NULL text is absent. */
struct addition {
	enum palette_kind kind;
	const char *verb, *object; /* the line: "tool ", "list_users" */
	const char *name;          /* NULL: the object */
	const char *alias, *note;
	const char *context;
	size_t server;
	uint32_t place; /* in a list of the server, which has the note */
	bool asks, applies;
	bool searches_note;
};

/* Appends to memory that is reserved. */
static uint32_t
put(struct palette *p, const char *text, size_t len)
{
	uint32_t at = (uint32_t)p->text.len;

	memcpy(p->text.data + at, text, len);
	p->text.data[at + len] = '\0';
	p->text.len += len + 1;
	return at;
}

/* Of the first line. */
static size_t
note_length(const char *note)
{
	size_t len = strnlen(note, NOTE_MAX);
	const char *end = memchr(note, '\n', len);

	return end ? (size_t)(end - note) : len;
}

static void
add(struct builder *b, const struct addition *r)
{
	struct palette *p = b->p;
	size_t verb = strlen(r->verb), object = strnlen(r->object, LINE_MAX + 1);
	const char *name = r->name ? r->name : r->object, *alias = r->alias ? r->alias : "";
	size_t note = r->note ? note_length(r->note) : 0;

	if (object > LINE_MAX || object == 0 || p->all.len == ITEMS_MAX)
		return;
	struct palette_item *item = VEC_PUSH(&p->all);
	buf_reserve(&p->text, LINES_MAX);
	*item = (struct palette_item){
		.line = (uint32_t)p->text.len,
		.server = (uint32_t)r->server,
		.name_len = (uint16_t)strnlen(name, FUZZY_TEXT_MAX),
		.alias_len = (uint16_t)strnlen(alias, FUZZY_TEXT_MAX),
		.kind = (uint8_t)r->kind,
		.asks = r->asks,
		.applies = r->applies,
		.context = r->context,
	};
	put(p, r->verb, verb);
	p->text.len--; /* the line goes on */
	item->name = put(p, r->object, object);
	item->use =
	    (uint16_t)uses_find(&b->wb->uses, &b->uses, p->text.data + item->line, verb + object);
	if (r->name)
		item->name = put(p, name, item->name_len);
	item->alias = put(p, alias, item->alias_len);
	item->note = r->note ? put(p, r->note, note) : r->place;
	item->note_len = r->searches_note ? (uint16_t)note : 0;
	item->letters = fuzzy_letters(name, item->name_len) |
			fuzzy_letters(alias, item->alias_len) |
			fuzzy_letters(r->note, item->note_len) |
			fuzzy_letters(palette_kinds[r->kind], strlen(palette_kinds[r->kind]));
}

/* ---- commands and panes ---- */

static bool
is_there(const struct palette *p, const char *name)
{
	for (size_t i = 0; i < p->all.len; i++)
		if (*palette_text(p, p->all.items[i].line) == *name &&
		    strcmp(palette_text(p, p->all.items[i].line), name) == 0)
			return true;
	return false;
}

/* The command that shows or hides a pane is the pane's row. */
static bool
shows_pane(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!c->run && strcmp(c->name, name) == 0)
			return true;
	return false;
}

/* A name that several panes have does what it does in the pane in front. */
static void
add_commands(struct builder *b, bool in_front)
{
	const char *contexts = workbench_contexts(b->wb, workbench_focused(b->wb));
	struct command_info info;

	for (size_t i = 0; workbench_command_info(i, &info); i++) {
		struct buf aliases = BUF_INIT;
		bool is_in_front = strcmp(info.context, KEYMAP_GLOBAL) != 0 &&
				   keymap_has_context(contexts, info.context);
		if (is_in_front != in_front || info.alias_of || shows_pane(info.name) ||
		    is_there(b->p, info.name))
			continue;
		aliases_add_of(info.name, &aliases);
		add(b, &(struct addition){ .kind = PALETTE_COMMAND,
			   .verb = "",
			   .object = info.name,
			   .alias = buf_text(&aliases),
			   .note = info.help,
			   .context = info.context,
			   .asks = info.args[0] && info.args[0] != '[',
			   .applies = command_applies(b->wb, &info),
			   .searches_note = true });
		buf_finish(&aliases);
	}
}

static const char *
toggle_of(enum pane_id pane)
{
	for (const struct command *c = commands; c->name; c++)
		if (!c->run && c->pane == pane && *c->name)
			return c->name;
	return NULL;
}

static void
add_panes(struct builder *b)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		const char *toggle = toggle_of((enum pane_id)i);
		struct buf aliases = BUF_INIT;
		if (is_there(b->p, pane_table[i].ops->title)) /* a command of its name shows it */
			continue;
		if (toggle)
			aliases_add_of(toggle, &aliases);
		else if (strcasecmp(pane_table[i].name, pane_table[i].ops->title) != 0)
			buf_add_str(&aliases, pane_table[i].name);
		add(b, &(struct addition){ .kind = PALETTE_PANE,
			   .verb = toggle ? "" : "pane ",
			   .object = toggle ? toggle : pane_table[i].name,
			   .name = pane_table[i].ops->title,
			   .alias = buf_text(&aliases),
			   .note = pane_table[i].ops->help,
			   .applies = workbench_has(b->wb, (enum pane_id)i),
			   .searches_note = true });
		buf_finish(&aliases);
	}
}

/* ---- what servers list ---- */

static const struct {
	enum palette_kind kind;
	const char *verb;
	bool by_uri;
} listed[PRIMITIVE_KINDS] = {
	[PRIMITIVE_TOOL] = { PALETTE_TOOL, "tool ", false },
	[PRIMITIVE_RESOURCE] = { PALETTE_RESOURCE, "resource ", true },
	[PRIMITIVE_TEMPLATE] = { PALETTE_TEMPLATE, "template ", true },
	[PRIMITIVE_PROMPT] = { PALETTE_PROMPT, "prompt ", false },
	[PRIMITIVE_SKILL] = { PALETTE_SKILL, "skill ", true },
};

static void
add_list(struct builder *b, const struct server *s, enum primitive_kind kind, size_t server)
{
	const struct primitive_list *list = &server_info(s)->lists[kind].list;
	bool by_uri = listed[kind].by_uri;

	for (size_t i = 0; i < list->len; i++) {
		const struct primitive *p = &list->items[i];
		if (!p->has_key)
			continue;
		add(b, &(struct addition){ .kind = listed[kind].kind,
			   .verb = listed[kind].verb,
			   .object = p->key,
			   .name = by_uri ? p->name : NULL,
			   .alias = by_uri ? p->key : p->title,
			   .place = (uint32_t)i,
			   .server = server,
			   .applies = server == 0 });
	}
}

/* Looked up, because copying all descriptions costs more than the rest of the index. */
static const char *
listed_note(const struct workbench *wb, const struct palette_item *item, int kind)
{
	const struct server *s =
	    item->server > 0 ? wb->ws.choices[item->server - 1].server : wb->ws.server;
	const struct primitive_list *list = s ? &server_info(s)->lists[kind].list : NULL;
	const struct primitive *p =
	    list && item->note < list->len ? &list->items[item->note] : NULL;

	return !p ? "" : p->description ? p->description : p->title ? p->title : "";
}

const char *
palette_note(const struct workbench *wb, const struct palette_item *item, size_t *len)
{
	const char *note = NULL;

	for (int kind = 0; kind < PRIMITIVE_KINDS && !note; kind++)
		if (listed[kind].kind == (enum palette_kind)item->kind)
			note = listed_note(wb, item, kind);
	note = note ? note : palette_text(&wb->palette, item->note);
	*len = note_length(note);
	return note;
}

static void
add_servers(struct builder *b)
{
	const struct workspace *ws = &b->wb->ws;
	size_t shown = start_shown(b->wb);

	for (size_t i = 0; i < ws->choice_count; i++)
		add(b, &(struct addition){ .kind = PALETTE_SERVER,
			   .verb = "server ",
			   .object = ws->choices[i].target->name,
			   .note = ws->choices[i].target->label,
			   .server = i + 1,
			   .applies = true });
	for (int kind = 0; kind < PRIMITIVE_KINDS && ws->server; kind++)
		add_list(b, ws->server, (enum primitive_kind)kind, 0);
	for (size_t i = 0; i < ws->choice_count; i++)
		for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
			if (ws->choices[i].server && i != shown)
				add_list(
				    b, ws->choices[i].server, (enum primitive_kind)kind, i + 1);
}

static void
add_settings(struct builder *b)
{
	const struct workbench_host *host = b->wb->host;
	const struct workbench_setting *setting;

	for (size_t i = 0; host->setting && (setting = host->setting(b->wb->user, i)); i++) {
		struct buf note = BUF_INIT;
		buf_addf(&note, "%s: %s; now ", setting->help, setting->values);
		host->add_setting(b->wb->user, setting->name, &note);
		add(b, &(struct addition){ .kind = PALETTE_SETTING,
			   .verb = "set ",
			   .object = setting->name,
			   .note = buf_text(&note),
			   .asks = true,
			   .applies = true,
			   .searches_note = true });
		buf_finish(&note);
	}
}

static void
add_calls(struct builder *b)
{
	const struct palette_calls *calls = &b->p->calls;
	char id[24];

	for (size_t i = 0; i < calls->len; i++) {
		snprintf(id, sizeof(id), "%llu", (unsigned long long)calls->items[i].id);
		add(b, &(struct addition){ .kind = PALETTE_CALL,
			   .verb = "show-call ",
			   .object = id,
			   .name = calls->items[i].text,
			   .note = calls->items[i].note,
			   .applies = true });
	}
}

static void
add_theme(void *user, const char *name, const char *note)
{
	add(user, &(struct addition){ .kind = PALETTE_THEME,
		      .verb = "theme ",
		      .object = name,
		      .note = note,
		      .applies = true });
}

/* ---- what the project has ---- */

static void
add_saved(struct builder *b)
{
	const struct workspace_collection *c = &b->wb->ws.collection;
	struct saved_calls all = { 0 };

	if (!c->host)
		return;
	c->host->calls(c->user, &all, NULL);
	for (size_t i = 0; i < all.len; i++) {
		const struct saved_call *call = &all.items[i];
		add(b, &(struct addition){ .kind = PALETTE_SAVED,
			   .verb = "saved ",
			   .object = call->name,
			   .alias = call->key,
			   .note = call->trouble ? call->trouble : call->arguments,
			   .applies = !call->trouble });
	}
	saved_calls_finish(&all);
}

static void
add_environments(struct builder *b)
{
	const struct workspace_collection *c = &b->wb->ws.collection;
	struct environments all = { 0 };

	if (!c->host || !c->host->environments(c->user, &all, NULL))
		return;
	for (size_t i = 0; i < all.names.len; i++) {
		const char *name = all.names.items[i];
		bool used = c->environment.name && strcmp(c->environment.name, name) == 0;
		add(b, &(struct addition){ .kind = PALETTE_ENVIRONMENT,
			   .verb = "environment ",
			   .object = name,
			   .note = used ? "in use" : "values of ${name}",
			   .applies = true });
	}
	if (c->environment.name)
		add(b, &(struct addition){ .kind = PALETTE_ENVIRONMENT,
			   .verb = "environment ",
			   .object = "-",
			   .note = "the values of no environment",
			   .applies = true });
	environments_finish(&all);
}

/* Lists that come or grow while the palette is open, and another server. */
static uint64_t
state_of(const struct workbench *wb)
{
	const struct workspace *ws = &wb->ws;
	uint64_t state = (uint64_t)(uintptr_t)ws->server + 1;

	for (size_t i = 0; i <= ws->choice_count; i++) {
		const struct server *s = i ? ws->choices[i - 1].server : ws->server;
		for (int kind = 0; kind < PRIMITIVE_KINDS && s; kind++)
			state = state * 31 + server_info(s)->lists[kind].generation;
		state = state * 31 + 1;
	}
	return state | 1;
}

bool
palette_index(struct workbench *wb)
{
	struct palette *p = &wb->palette;
	struct builder b = { .wb = wb, .p = p };
	uint64_t state = state_of(wb);

	if (p->made_of == state)
		return false;
	p->made_of = state;
	p->all.len = p->found.len = 0;
	p->has_result = false;
	buf_clear(&p->text);
	uses_map(&wb->uses, &b.uses);
	add_commands(&b, true);
	add_commands(&b, false);
	add_panes(&b);
	add_servers(&b);
	add_saved(&b);
	add_environments(&b);
	workbench_themes(wb, add_theme, &b);
	add_settings(&b);
	add_calls(&b);
	map_finish(&b.uses);
	return true;
}

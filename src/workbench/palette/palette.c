/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Ctrl-P: everything that has a name, found by a few of its letters. */

/* ---- the lines that it ran, newest first, kept from run to run ---- */

static void
uses_finish(struct uses *u)
{
	for (size_t i = 0; i < u->len; i++)
		free(u->items[i].line);
	u->len = 0;
}

/* A line that holds a secret, or that the file could not hold, is not kept. */
static bool
may_be_kept(const char *line)
{
	struct buf hidden = BUF_INIT;
	bool plain = *line && *line != ' ' && strlen(line) <= USES_LINE_MAX;

	for (const char *c = line; plain && *c; c++)
		plain = (unsigned char)*c >= ' ' && *c != 0x7f;
	secret_hide_url(&hidden, line);
	plain = plain && strcmp(buf_text(&hidden), line) == 0;
	buf_finish(&hidden);
	return plain;
}

/* To the front, or from behind if it is read from a file. */
static void
uses_put(struct uses *u, size_t at, const char *line, unsigned count)
{
	if (u->len == USES_MAX)
		free(u->items[--u->len].line);
	memmove(&u->items[at + 1], &u->items[at], (u->len - at) * sizeof(*u->items));
	u->items[at] = (struct use){ mem_strdup(line), count };
	u->len++;
}

static size_t
uses_place_of(const struct uses *u, const char *line)
{
	size_t at = 0;

	while (at < u->len && strcmp(u->items[at].line, line) != 0)
		at++;
	return at;
}

void
uses_note(struct uses *u, const char *line)
{
	size_t at = uses_place_of(u, line);
	unsigned count = at < u->len ? u->items[at].count : 0;

	if (!may_be_kept(line))
		return;
	if (at < u->len) {
		free(u->items[at].line);
		memmove(&u->items[at], &u->items[at + 1], (--u->len - at) * sizeof(*u->items));
	}
	uses_put(u, 0, line, count < USES_COUNT_MAX ? count + 1 : count);
}

/* Half for how often, half for how lately. */
static unsigned
uses_find(const struct uses *u, const struct map *map, const char *line, size_t len)
{
	const struct use *use;

	if (u->len == 0)
		return 0;
	MAP_EACH(map, text_hash(u, line, len), use)
		if (strlen(use->line) == len && memcmp(use->line, line, len) == 0)
			return (use->count < USES_MAX ? use->count : USES_MAX) + USES_MAX -
			       (unsigned)(use - u->items);
	return 0;
}

void
workbench_load_uses(struct workbench *wb, const char *text)
{
	struct uses *u = &wb->uses;
	char line[USES_LINE_MAX + 1];
	unsigned count;
	int used;

	uses_finish(u);
	while (u->len < USES_MAX && *text) {
		size_t len = strcspn(text, "\n");
		bool fits = len < sizeof(line);
		if (fits && *text >= '1' && *text <= '9' &&
		    sscanf(text, "%4u %n", &count, &used) == 1 && (size_t)used < len &&
		    count <= USES_COUNT_MAX && text[used - 1] == ' ') {
			snprintf(line, sizeof(line), "%.*s", (int)len - used, text + used);
			if (may_be_kept(line) && uses_place_of(u, line) == u->len)
				uses_put(u, u->len, line, count);
		}
		text += len + (text[len] == '\n');
	}
}

void
workbench_add_uses(struct workbench *wb, struct buf *out)
{
	for (size_t i = 0; i < wb->uses.len; i++)
		buf_addf(out, "%u %s\n", wb->uses.items[i].count, wb->uses.items[i].line);
}

/* ---- the search ---- */

/* The typed words are searched in the names, the other names, the kind and the description. If the
 * text only grew, only the earlier result is searched. */

/* A word in a sentence has to begin there; that says less than any match in a name does. */
static bool
begins_word(const struct fuzzy *f, const char *text, size_t len)
{
	for (size_t i = 0; i + f->len <= len; i++) {
		size_t k = 0;
		if (i > 0 && text[i - 1] != ' ')
			continue;
		while (k < f->len && (char)ascii_lower((unsigned char)text[i + k]) == f->word[k])
			k++;
		if (k == f->len)
			return true;
	}
	return false;
}

static int
word_points(const struct palette *p, const struct palette_item *item, const struct fuzzy *f)
{
	const char *kind = palette_kinds[item->kind];

	if ((item->letters & f->letters) != f->letters)
		return 0;
	int best = fuzzy_match(f, palette_text(p, item->name), item->name_len, NULL);
	int other = item->alias_len
			? fuzzy_match(f, palette_text(p, item->alias), item->alias_len, NULL)
			: 0;
	best = other - 1 > best ? other - 1 : best;
	if (best > (int)f->len)
		return best;
	bool told =
	    strncmp(kind, f->word, f->len) == 0 ||
	    (item->note_len > 0 && begins_word(f, palette_text(p, item->note), item->note_len));
	return told ? (int)f->len + 1 : best > 0 ? best : other;
}

/* Larger is better: how well it matches, whether it applies now, its use, a short name. */
static uint64_t
rank_of(const struct palette *p, const struct palette_item *item)
{
	uint64_t points = 0;

	for (size_t i = 0; i < p->word_count; i++) {
		int of_word = word_points(p, item, &p->words[i]);
		if (of_word == 0)
			return 0;
		points += (uint64_t)of_word;
	}
	uint64_t shortness = p->word_count ? FUZZY_TEXT_MAX - item->name_len : 0;
	uint64_t rank = points << 32 | (uint64_t)item->use << 16 | shortness;
	return rank | (uint64_t)item->applies << 31 | (uint64_t)1 << 62;
}

static void
palette_search(struct palette *p, const char *typed)
{
	size_t len = strlen(p->searched);
	bool narrows = p->has_result && strncmp(typed, p->searched, len) == 0;
	size_t count = narrows ? p->found.len : p->all.len, kept = 0;

	const char *word = typed;
	p->word_count = p->best_count = 0;
	for (; *(word += strspn(word, " ")) && p->word_count < PALETTE_WORDS;
	     word += strcspn(word, " "))
		fuzzy_init(&p->words[p->word_count++], word, strcspn(word, " "));
	while (p->found.len < p->all.len) /* room for the first result */
		*VEC_PUSH(&p->found) = 0;
	for (size_t k = 0; k < count; k++) {
		uint32_t i = narrows ? p->found.items[k] : (uint32_t)k;
		uint64_t rank = rank_of(p, &p->all.items[i]);
		if (rank == 0)
			continue;
		p->found.items[kept++] = i;
		/* the best are in order; of equal ones the first comes first */
		size_t at = p->best_count;
		if (at == PALETTE_SHOWN && p->best[at - 1].rank >= rank)
			continue;
		at -= at == PALETTE_SHOWN;
		p->best_count = at + 1;
		for (; at > 0 && p->best[at - 1].rank < rank; at--)
			p->best[at] = p->best[at - 1];
		p->best[at] = (struct palette_rank){ rank, i };
	}
	p->found.len = kept;
	p->has_result = true;
	strncpy(p->searched, typed, PALETTE_TYPED_MAX);
	p->searched[PALETTE_TYPED_MAX] = '\0';
	list_set_count(&p->list, p->best_count);
	list_select(&p->list, 0);
}

/* ---- past calls: the newest of those with the same arguments ---- */

/* They come from the history in a job, so the palette opens without waiting for a file. */

enum { CALLS_READ = 3000, CALLS_MOST = 1000 };

struct call_list {
	struct job job; /* first */
	struct palette *palette;
	struct workspace_history history;
	struct palette_calls found;
	uint64_t changes;
};

static void
read_calls(struct job *job)
{
	struct call_list *l = (struct call_list *)job;
	const struct history_host *host = l->history.host;
	struct filter all = { 0 };
	struct history_ids ids = { 0 };
	struct map seen = { 0 };

	if (host && !host->off(l->history.user))
		host->list(l->history.user, &all, job, &ids);
	for (size_t i = 0; i < ids.len && i < CALLS_READ && l->found.len < CALLS_MOST; i++) {
		struct history_call h = { 0 };
		size_t at = 0;
		if (!job_goes_on(job, i))
			break;
		if (!host->find(l->history.user, ids.items[i], false, &h))
			continue;
		uint64_t hash = text_hash(l, h.key, strlen(h.key));
		hash = hash_word(hash, text_hash(l, h.server, strlen(h.server)));
		hash = hash_word(hash, text_hash(l, h.arguments, strlen(h.arguments)));
		if (!map_next(&seen, hash, &at)) {
			struct buf note = BUF_INIT;
			map_add(&seen, hash, l);
			buf_addf(&note, "%s %s · ", pane_call_look(h.verdict, h.is_error).mark,
			    h.server);
			history_add_time(&h, &note);
			*VEC_PUSH(&l->found) = (struct palette_call){ h.id,
				mem_printf("%s%s%s %s", h.name ? h.name : "", h.name ? ": " : "",
				    h.uri ? h.uri : h.key, h.arguments),
				buf_detach(&note) };
		}
		history_finish(&h);
	}
	map_finish(&seen);
	free(ids.items);
}

static void
palette_forget_calls(struct palette_calls *calls)
{
	for (size_t i = 0; i < calls->len; i++) {
		free(calls->items[i].text);
		free(calls->items[i].note);
	}
	free(calls->items);
	*calls = (struct palette_calls){ 0 };
}

static void
take_calls(struct job *job)
{
	struct call_list *l = (struct call_list *)job;

	if (!job_is_stopped(job)) {
		palette_forget_calls(&l->palette->calls);
		l->palette->calls = l->found;
		l->palette->calls_changes = l->changes;
		l->palette->made_of = 0;
		l->found = (struct palette_calls){ 0 };
	}
	palette_forget_calls(&l->found);
	free(l);
}

static void
palette_find_calls(struct workbench *wb)
{
	const struct workspace_history *history = &wb->ws.history;

	if (history->host)
		history->host->look(history->user);
	/* 0: calls that were never read */
	uint64_t changes = history->host ? history->host->changes(history->user) + 1 : 0;

	if (changes == wb->palette.calls_changes)
		return;
	struct call_list *l = mem_zalloc(sizeof(*l));
	l->job = (struct job){ .run = read_calls, .done = take_calls };
	l->palette = &wb->palette;
	l->history = *history;
	l->changes = changes;
	job_start(&wb->jobs, &l->job, &wb->palette.calls_job);
}

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

/* A row to index_add; a NULL text is absent. */
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
put_text(struct palette *p, const char *text, size_t len)
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
index_add(struct builder *b, const struct addition *r)
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
	put_text(p, r->verb, verb);
	p->text.len--; /* the line is longer */
	item->name = put_text(p, r->object, object);
	item->use =
	    (uint16_t)uses_find(&b->wb->uses, &b->uses, p->text.data + item->line, verb + object);
	if (r->name)
		item->name = put_text(p, name, item->name_len);
	item->alias = put_text(p, alias, item->alias_len);
	item->note = r->note ? put_text(p, r->note, note) : r->place;
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
	for (const struct command *c = pane_commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return true;
	return false;
}

/* If several panes have a name, the pane in front wins. */
static void
add_commands(struct builder *b, bool in_front)
{
	const char *contexts = workbench_contexts(b->wb, workbench_focused(b->wb));
	const struct command_info *info;

	for (size_t i = 0; (info = workbench_command_info(i)); i++) {
		struct buf aliases = BUF_INIT;
		bool is_in_front = strcmp(info->context, KEYMAP_GLOBAL) != 0 &&
				   keymap_has_context(contexts, info->context);
		if (is_in_front != in_front || info->alias_of || shows_pane(info->name) ||
		    is_there(b->p, info->name))
			continue;
		aliases_add_of(info->name, &aliases);
		index_add(b, &(struct addition){ .kind = PALETTE_COMMAND,
				 .verb = "",
				 .object = info->name,
				 .alias = buf_text(&aliases),
				 .note = info->help,
				 .context = info->context,
				 .asks = info->args[0] && info->args[0] != '[',
				 .applies = command_applies(b->wb, info),
				 .searches_note = true });
		buf_finish(&aliases);
	}
}

static const char *
toggle_of(enum pane_id pane)
{
	for (const struct command *c = pane_commands; c->name; c++)
		if (c->pane == pane && *c->name)
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
		index_add(b, &(struct addition){ .kind = PALETTE_PANE,
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
		index_add(b, &(struct addition){ .kind = listed[kind].kind,
				 .verb = listed[kind].verb,
				 .object = p->key,
				 .name = by_uri ? p->name : NULL,
				 .alias = by_uri ? p->key : p->title,
				 .place = (uint32_t)i,
				 .server = server,
				 .applies = server == 0 });
	}
}

/* Return the first line of the description of a row. A server's list has the descriptions, because
 * copying all of them costs more than the rest of the index. */
static const char *
palette_note(const struct workbench *wb, const struct palette_item *item, size_t *len)
{
	const struct server *s =
	    item->server > 0 ? wb->ws.choices[item->server - 1].server : wb->ws.server;
	const char *note = NULL;

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		if (listed[kind].kind != (enum palette_kind)item->kind)
			continue;
		const struct primitive_list *list = s ? &server_info(s)->lists[kind].list : NULL;
		const struct primitive *p =
		    list && item->note < list->len ? &list->items[item->note] : NULL;
		note = !p ? "" : p->description ? p->description : p->title ? p->title : "";
	}
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
		index_add(b, &(struct addition){ .kind = PALETTE_SERVER,
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
	const struct effects *effects = b->wb->effects;
	const struct setting_info *setting;

	for (size_t i = 0; (setting = effects->setting(i)); i++) {
		struct buf note = BUF_INIT;
		buf_addf(&note, "%s: %s; now ", setting->help, setting->values);
		effects->add_setting(b->wb->user, setting->name, &note);
		index_add(b, &(struct addition){ .kind = PALETTE_SETTING,
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
		index_add(b, &(struct addition){ .kind = PALETTE_CALL,
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
	index_add(user, &(struct addition){ .kind = PALETTE_THEME,
			    .verb = "theme ",
			    .object = name,
			    .note = note,
			    .applies = true });
}

/* ---- the project ---- */

static void
add_project(struct builder *b)
{
	const struct workspace_collection *c = &b->wb->ws.collection;
	struct saved_calls saved = { 0 };
	struct environments all = { 0 };

	if (!c->host)
		return;
	c->host->calls(c->user, &saved, NULL);
	for (size_t i = 0; i < saved.len; i++) {
		const struct saved_call *call = &saved.items[i];
		index_add(b, &(struct addition){ .kind = PALETTE_SAVED,
				 .verb = "saved ",
				 .object = call->name,
				 .alias = call->key,
				 .note = call->trouble ? call->trouble : call->arguments,
				 .applies = !call->trouble });
	}
	saved_calls_finish(&saved);
	if (!c->host->environments(c->user, &all, NULL))
		return;
	for (size_t i = 0; i < all.names.len; i++) {
		const char *name = all.names.items[i];
		bool used = c->environment.name && strcmp(c->environment.name, name) == 0;
		index_add(b, &(struct addition){ .kind = PALETTE_ENVIRONMENT,
				 .verb = "environment ",
				 .object = name,
				 .note = used ? "in use" : "values of ${name}",
				 .applies = true });
	}
	if (c->environment.name)
		index_add(b, &(struct addition){ .kind = PALETTE_ENVIRONMENT,
				 .verb = "environment ",
				 .object = "-",
				 .note = "the values of no environment",
				 .applies = true });
	environments_finish(&all);
}

static bool
palette_index(struct workbench *wb)
{
	struct palette *p = &wb->palette;
	struct builder b = { .wb = wb, .p = p };
	const struct workspace *ws = &wb->ws;
	uint64_t state = (uint64_t)(uintptr_t)ws->server + 1;

	/* lists that come or grow while the palette is open, and another server */
	for (size_t i = 0; i <= ws->choice_count; i++) {
		const struct server *s = i ? ws->choices[i - 1].server : ws->server;
		for (int kind = 0; kind < PRIMITIVE_KINDS && s; kind++)
			state = state * 31 + server_info(s)->lists[kind].generation;
		state = state * 31 + 1;
	}
	state |= 1;
	if (p->made_of == state)
		return false;
	p->made_of = state;
	p->all.len = p->found.len = 0;
	p->has_result = false;
	buf_clear(&p->text);
	for (struct use *u = wb->uses.items; u < wb->uses.items + wb->uses.len; u++)
		map_add(&b.uses, text_hash(&wb->uses, u->line, strlen(u->line)), u);
	add_commands(&b, true);
	add_commands(&b, false);
	add_panes(&b);
	add_servers(&b);
	add_project(&b);
	workbench_themes(wb, add_theme, &b);
	add_settings(&b);
	add_calls(&b);
	map_finish(&b.uses);
	return true;
}

/* ---- the dialog ---- */

enum { WIDTH = 100, WIDEST = 150, HEIGHT = 22, KIND_COLS = 9, NAME_SHARE = 45, KEY_COLS = 14 };

static void
palette_finish(struct workbench *wb)
{
	struct palette *p = &wb->palette;

	job_drop(&p->calls_job);
	palette_forget_calls(&p->calls);
	edit_finish(&p->edit);
	buf_finish(&p->text);
	free(p->all.items);
	free(p->found.items);
	*p = (struct palette){ 0 };
	uses_finish(&wb->uses);
}

static const struct palette_item *
item_at(const struct palette *p, size_t row)
{
	return row < p->best_count ? &p->all.items[p->best[row].item] : NULL;
}

/* A selected theme is shown, every other row the set one. */
static void
palette_preview(struct workbench *wb, bool wanted)
{
	struct palette *p = &wb->palette;
	const struct palette_item *item = item_at(p, p->list.selected);
	bool is_theme = wanted && item && item->kind == PALETTE_THEME;

	if (wb->effects->preview_theme && (is_theme || p->previews))
		wb->effects->preview_theme(wb->user, is_theme ? palette_text(p, item->name) : NULL);
	p->previews = is_theme;
}

static void
palette_leave(struct workbench *wb)
{
	palette_preview(wb, false);
	wb->dialog = NULL;
}

/* Lists that arrived meanwhile are indexed, too. */
static void
palette_refresh(struct workbench *wb)
{
	struct palette *p = &wb->palette;
	size_t selected = p->list.selected;

	if (!palette_index(wb))
		return;
	palette_search(p, edit_text(&p->edit));
	list_select(&p->list, selected);
}

static bool
cmd_palette(struct workbench *wb, const char *arg)
{
	struct palette *p = &wb->palette;

	wb->dialog = &dialog_palette;
	p->made_of = 0;
	p->list = (struct list){ 0 };
	p->name_cols = 0;
	palette_find_calls(wb);
	edit_set(&p->edit, arg, strnlen(arg, PALETTE_TYPED_MAX));
	palette_refresh(wb);
	return true;
}

/* The line continues after ":". */
static void
complete_line(struct workbench *wb, const struct palette_item *item)
{
	const struct command_info *info;
	const char *line = palette_text(&wb->palette, item->line);
	bool more = item->asks;

	for (size_t i = 0; !more && (info = workbench_command_info(i)); i++)
		more = info->args[0] && strcmp(info->name, line) == 0;
	char *text = mem_printf("%s%s", line, more ? " " : "");
	palette_leave(wb);
	prompt_open(wb, text);
	free(text);
}

static void
palette_run(struct workbench *wb, const struct palette_item *item)
{
	char *line = mem_strdup(palette_text(&wb->palette, item->line));
	size_t server = item->server;
	bool only_shows = item->kind == PALETTE_SERVER;

	uses_note(&wb->uses, line);
	if (item->asks) {
		complete_line(wb, item);
		free(line);
		return;
	}
	palette_leave(wb);
	if ((server == 0 || start_show(wb, server - 1)) && !only_shows && !wb->dialog)
		workbench_run(wb, line, wb->now_us);
	free(line);
}

static bool
palette_key(struct workbench *wb, const struct key *key)
{
	struct palette *p = &wb->palette;
	bool changed = false, used = true;

	palette_refresh(wb);
	const struct palette_item *item = item_at(p, p->list.selected);
	size_t row;
	bool pressed = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	bool outside = pressed && !rect_has(&p->box, key->x, key->y);
	if (outside || dialog_closes(key))
		palette_leave(wb);
	else if (pressed && list_row_at(&p->list, key->y - p->y, &row))
		palette_run(wb, item_at(p, row));
	else if (pressed)
		return true;
	else if (key->kind == KEY_ENTER && item)
		palette_run(wb, item);
	else if (key->kind == KEY_TAB && item)
		complete_line(wb, item);
	else if (!edit_key(&p->edit, key, &changed)) {
		bool steps = key->kind == KEY_CHAR && key->mods == MOD_CTRL &&
			     (key->ch == 'n' || key->ch == 'p');
		if (steps)
			list_move(&p->list, key->ch == 'n' ? 1 : -1);
		used = steps || (key->kind != KEY_CHAR && list_key(&p->list, key));
		palette_preview(wb, true);
	}
	if (changed) {
		palette_search(p, edit_text(&p->edit));
		palette_preview(wb, true);
	}
	return used;
}

/* ---- drawing ---- */

/* Draws the letters that a word of the search matched in another color, and cuts the text where it
 * no longer fits. Returns the columns. */
static int
draw_lit(const struct palette *p, struct surface s, enum role role, const char *text, size_t len)
{
	bool lit[FUZZY_TEXT_MAX] = { false };
	uint16_t at[FUZZY_LETTERS];
	int used = 0, room = (int)glyph_columns(text, len) > s.width ? s.width - 1 : s.width;

	for (size_t w = 0; w < p->word_count; w++)
		if (fuzzy_match(&p->words[w], text, len, at))
			for (size_t k = 0; k < p->words[w].len; k++)
				lit[at[k]] = true;
	for (size_t from = 0, to; from < len && used < s.width; from = to) {
		to = from + 1;
		while (to < len && (lit[to] == lit[from] || (text[to] & 0xc0) == 0x80))
			to++;
		struct style style = style_on(lit[from] ? ROLE_MATCH : role, ROLE_DIALOG);
		style.attr = lit[from] ? ATTR_BOLD : 0;
		bool fits = used + (int)glyph_columns(text + from, to - from) <= room;
		used +=
		    surface_textn(s, used, 0, style, text + from, fits ? to - from : len - from);
		if (!fits)
			break;
	}
	return used;
}

/* Return the columns of the widest visible name and a part of its other names, up to a share of the
 * room. The result never shrinks while the palette is open. */
static int
name_columns(struct palette *p, int room, int height)
{
	enum { LEAST = 24, GAP = 2, ALIAS_COLS = 14 };
	int cols = p->name_cols > LEAST ? p->name_cols : LEAST, most = room * NAME_SHARE / 100;

	for (int y = 0; y < height && cols < most; y++) {
		const struct palette_item *item = item_at(p, p->list.top + (size_t)y);
		if (!item)
			break;
		int name = (int)glyph_columns(palette_text(p, item->name), item->name_len);
		int alias = (int)glyph_columns(palette_text(p, item->alias), item->alias_len);
		name += alias > 0 ? GAP + (alias < ALIAS_COLS ? alias : ALIAS_COLS) : 0;
		cols = name > cols ? name : cols;
	}
	p->name_cols = cols;
	return cols < most ? cols : most;
}

static void
draw_item(
    struct workbench *wb, struct surface s, int y, const struct palette_item *item, int name_cols)
{
	const struct palette *p = &wb->palette;
	const struct style dim = style_on(ROLE_DIM, ROLE_DIALOG);
	enum role role = item->applies ? ROLE_TEXT : ROLE_DIM;
	const char *name = palette_text(p, item->name), *alias = palette_text(p, item->alias);
	size_t note_len;
	const char *note = palette_note(wb, item, &note_len);
	int x = KIND_COLS + name_cols + 2, end = s.width;
	/* its key in the pane in front, or of a pane's command in that pane */
	const char *line = palette_text(p, item->line);
	const char *context = workbench_contexts(wb, workbench_focused(wb));
	bool own = item->context && strcmp(item->context, KEYMAP_GLOBAL) != 0;
	char key[32];

	if (keymap_key_for(&wb->keymap, context, line, false, key, sizeof(key)) ||
	    (own && keymap_key_for(&wb->keymap, item->context, line, false, key, sizeof(key))))
		end -= 2 + surface_text_right(
			       s, s.width, y, KEY_COLS, style_on(ROLE_BAR_KEY, ROLE_DIALOG), key);
	surface_text(s, 0, y, KIND_COLS - 1, dim, palette_kinds[item->kind]);
	struct surface names = surface_sub(s, KIND_COLS, y, name_cols, 1);
	int used = draw_lit(p, names, role, name, item->name_len);
	if (item->alias_len > 0 && used + 4 < name_cols)
		draw_lit(p, surface_sub(names, used + 2, 0, name_cols, 1), ROLE_DIM, alias,
		    item->alias_len);
	if (item->server > 0 && item->kind != PALETTE_SERVER)
		x += surface_textf(s, x, y, NAME_SHARE, dim,
		    "%s: ", wb->ws.choices[item->server - 1].target->name);
	if (x < end)
		surface_textn(surface_sub(s, x, y, end - x, 1), 0, 0, dim, note, note_len);
}

static void
draw_rows(struct workbench *wb, struct surface s)
{
	struct palette *p = &wb->palette;
	const struct palette_item *item;

	p->y = s.y;
	list_set_height(&p->list, s.height);
	int name_cols = name_columns(p, s.width - KIND_COLS - KEY_COLS, s.height);
	if (p->best_count == 0)
		surface_text(s, 0, 0, -1, style_on(ROLE_HINT, ROLE_DIALOG),
		    "Nothing has these letters in this order.");
	for (int y = 0; y < s.height; y++) {
		item = item_at(p, p->list.top + (size_t)y);
		if (!item)
			break;
		draw_item(wb, s, y, item, name_cols);
		if (p->list.top + (size_t)y == p->list.selected)
			surface_select_row(s, y, true);
	}
	surface_scrollbar(s, true, p->best_count, p->list.top);
}

static void
palette_draw(struct workbench *wb, struct surface main, struct surface bar)
{
	enum { ABOVE_ROWS = 4 };
	struct palette *p = &wb->palette;
	struct buf facts = BUF_INIT;

	palette_refresh(wb);
	/* a row for each item found, below a fixed top */
	int wide = main.width * 3 / 4 < WIDEST ? main.width * 3 / 4 : WIDEST;
	int width = main.width < WIDTH ? main.width : wide > WIDTH ? wide : WIDTH;
	int most = main.height < HEIGHT ? main.height : HEIGHT;
	int rows = p->best_count ? (int)p->best_count + ABOVE_ROWS : ABOVE_ROWS + 1;
	struct surface box = surface_sub(main, (main.width - width) / 2, (main.height - most) / 2,
	    width, rows < most ? rows : most);
	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	p->box = (struct rect){ box.x, box.y, box.width, box.height };
	if (p->best_count < p->found.len) {
		buf_add_str(&facts, "the best ");
		units_add_count(&facts, p->best_count);
		buf_add_str(&facts, " of ");
	}
	units_add_count(&facts, p->found.len);
	buf_add_str(&facts, " found");
	struct surface inner =
	    surface_frame(box, true, "Find anything", buf_text(&facts), ROLE_DIM);
	buf_finish(&facts);
	surface_put(inner, 0, 0, style_on(ROLE_BAR_KEY, ROLE_DIALOG), '>');
	edit_draw(&p->edit, surface_sub(inner, 2, 0, inner.width - 2, 1),
	    style_on(ROLE_TEXT, ROLE_DIALOG), true,
	    "letters of a command, tool, resource, prompt, past call, setting, server, theme ...");
	surface_repeat(inner, 0, 1, inner.width, style_on(ROLE_BORDER, ROLE_DIALOG), 0x2500);
	draw_rows(
	    wb, surface_sub(inner, 0, 2, inner.width, inner.height > 2 ? inner.height - 2 : 0));
}

const struct dialog dialog_palette = {
	.key = palette_key,
	.draw = palette_draw,
	.finish = palette_finish,
	.keys = "Enter run  Tab complete after :  ↑↓ select  Esc close",
};

/* clang-format off */
const struct command palette_commands[] = {
	COMMAND("palette", "ctrl-p", "[TEXT]", "find a command, tool, skill, pane, past call, setting, theme and so on", cmd_palette),
	{ 0 },
};
/* clang-format on */

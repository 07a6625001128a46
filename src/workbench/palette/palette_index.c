/* SPDX-License-Identifier: MIT */
#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"
#include "client/history.h"
#include "workbench/commands/commands.h"
#include "workbench/palette/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Keeps the best in order; of equal ones the first comes first. */
static void
take_rank(struct palette *p, uint64_t rank, uint32_t item)
{
	size_t at = p->best_count;

	if (at == PALETTE_SHOWN && p->best[at - 1].rank >= rank)
		return;
	at -= at == PALETTE_SHOWN;
	p->best_count = at + 1;
	for (; at > 0 && p->best[at - 1].rank < rank; at--)
		p->best[at] = p->best[at - 1];
	p->best[at] = (struct palette_rank){ rank, item };
}

void
palette_search(struct palette *p, const char *typed)
{
	size_t len = strlen(p->searched);
	bool narrows = p->has_result && strncmp(typed, p->searched, len) == 0;
	size_t count = narrows ? p->found.len : p->all.len, kept = 0;

	const char *at = typed;
	p->word_count = p->best_count = 0;
	for (; *(at += strspn(at, " ")) && p->word_count < PALETTE_WORDS; at += strcspn(at, " "))
		fuzzy_init(&p->words[p->word_count++], at, strcspn(at, " "));
	while (p->found.len < p->all.len) /* room for the first result */
		*VEC_PUSH(&p->found) = 0;
	for (size_t k = 0; k < count; k++) {
		uint32_t i = narrows ? p->found.items[k] : (uint32_t)k;
		uint64_t rank = rank_of(p, &p->all.items[i]);
		if (rank == 0)
			continue;
		p->found.items[kept++] = i;
		take_rank(p, rank, i);
	}
	p->found.len = kept;
	p->has_result = true;
	strncpy(p->searched, typed, PALETTE_TYPED_MAX);
	p->searched[PALETTE_TYPED_MAX] = '\0';
	list_set_count(&p->list, p->best_count);
	list_select(&p->list, 0);
}

/* The past calls, for the palette: the newest of those with the same arguments. They come from the
 * history in a job, so the palette opens without waiting for a file. */

enum { CALLS_READ = 3000, CALLS_MOST = 1000 };

struct call_list {
	struct job job; /* first */
	struct palette *palette;
	struct workspace_history history;
	struct palette_calls found;
	uint64_t changes;
};

static void
add(struct call_list *l, const struct history_call *h)
{
	struct buf note = BUF_INIT;

	buf_addf(&note, "%s %s · ", pane_call_look(h->verdict, h->is_error).mark, h->server);
	history_add_time(h, &note);
	*VEC_PUSH(&l->found) = (struct palette_call){ h->id,
		mem_printf("%s%s%s %s", h->name ? h->name : "", h->name ? ": " : "",
		    h->uri ? h->uri : h->key, h->arguments),
		mem_strdup(buf_text(&note)) };
	buf_finish(&note);
}

static void
run(struct job *job)
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
			map_add(&seen, hash, l);
			add(l, &h);
		}
		history_finish(&h);
	}
	map_finish(&seen);
	free(ids.items);
}

void
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
done(struct job *job)
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

void
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
	l->job = (struct job){ .run = run, .done = done };
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
	put(p, r->verb, verb);
	p->text.len--; /* the line is longer */
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
		if (c->pane != PANE_COUNT && strcmp(c->name, name) == 0)
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
	for (const struct command *c = commands; c->name; c++)
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

	for (size_t i = 0; (setting = effects->setting(b->wb->user, i)); i++) {
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
add_saved(struct builder *b)
{
	const struct workspace_collection *c = &b->wb->ws.collection;
	struct saved_calls all = { 0 };

	if (!c->host)
		return;
	c->host->calls(c->user, &all, NULL);
	for (size_t i = 0; i < all.len; i++) {
		const struct saved_call *call = &all.items[i];
		index_add(b, &(struct addition){ .kind = PALETTE_SAVED,
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

#include "pane/pane.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "filter_line.h"
#include "pane_text.h"
#include "render/render.h"
#include "ui/list.h"
#include "ui/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct journal_pane {
	struct {
		uint64_t *items; /* ids of the entries that pass the filter */
		size_t len, cap;
	} shown;
	uint64_t looked_at; /* entries up to this id were filtered */
	struct journal_filter *filter;
	struct list list;
	struct filter_line line;
	bool follow; /* the selection stays on the newest */

	bool open; /* the selected entry is shown whole */
	bool raw;  /* as its exact bytes */
	uint64_t text_of;
	bool text_raw;
	bool text_json; /* laid out */
	char *text;
	size_t text_len;
	struct wrap wrap;
	size_t top;
	const struct journal *journal; /* only compared */
};

static void
init(void *state)
{
	struct journal_pane *p = state;

	filter_line_init(&p->line);
	wrap_init(&p->wrap);
	p->filter = journal_filter_create("");
	p->follow = true;
}

static void
finish(void *state)
{
	struct journal_pane *p = state;

	filter_line_finish(&p->line);
	wrap_finish(&p->wrap);
	journal_filter_destroy(p->filter);
	free(p->shown.items);
	free(p->text);
}

static const struct journal *
journal_of(const struct pane_env *env)
{
	return env->ws->server ? server_journal(env->ws->server) : NULL;
}

/* ---- which entries are shown ---- */

static void
drop_evicted(struct journal_pane *p, const struct journal *j)
{
	size_t gone = 0;

	while (gone < p->shown.len && !journal_find(j, p->shown.items[gone]))
		gone++;
	if (gone == 0)
		return;
	p->shown.len -= gone;
	memmove(p->shown.items, p->shown.items + gone, p->shown.len * sizeof(*p->shown.items));
	size_t selected = p->list.selected > gone ? p->list.selected - gone : 0;
	list_set_count(&p->list, p->shown.len);
	list_select(&p->list, selected);
}

/* Filters only what is new: the cost of a message does not depend on how many there are. */
static void
take_new(struct journal_pane *p, const struct journal *j)
{
	const struct journal_entry *first = journal_at(j, 0);
	size_t index = 0;

	if (first && p->looked_at >= first->id)
		index = (size_t)(p->looked_at - first->id) + 1;
	for (const struct journal_entry *e; (e = journal_at(j, index)); index++) {
		if (journal_filter_matches(p->filter, e))
			*VEC_PUSH(&p->shown) = e->id;
		p->looked_at = e->id;
	}
	list_set_count(&p->list, p->shown.len);
	if (p->follow && p->shown.len > 0)
		list_select(&p->list, p->shown.len - 1);
}

static void
refilter(struct journal_pane *p, const struct pane_env *env, const char *text)
{
	journal_filter_destroy(p->filter);
	p->filter = journal_filter_create(text);
	p->shown.len = 0;
	p->looked_at = 0;
	p->follow = true;
	if (journal_of(env))
		take_new(p, journal_of(env));
}

static void
sync(void *state, const struct pane_env *env)
{
	struct journal_pane *p = state;
	const struct journal *j = journal_of(env);

	if (j != p->journal) {
		p->journal = j;
		p->shown.len = 0;
		p->looked_at = 0;
		p->open = false;
	}
	if (!j)
		return;
	drop_evicted(p, j);
	take_new(p, j);
}

static const struct journal_entry *
selected(const struct journal_pane *p, const struct pane_env *env)
{
	const struct journal *j = journal_of(env);

	return j && p->list.selected < p->shown.len
		   ? journal_find(j, p->shown.items[p->list.selected])
		   : NULL;
}

/* ---- drawing ---- */

static const struct {
	const char *mark;
	enum role role;
} kinds[] = {
	[JOURNAL_SENT] = { "→", ROLE_SENT },
	[JOURNAL_RECEIVED] = { "←", ROLE_RECEIVED },
	[JOURNAL_STDERR] = { "│", ROLE_STDERR },
	[JOURNAL_NOTE] = { "●", ROLE_HINT },
};

static const char *
what(const struct journal_entry *e)
{
	if (e->kind == JOURNAL_STDERR)
		return "stderr";
	if (e->kind == JOURNAL_NOTE)
		return "mcpane";
	return message_kind_name(e->message);
}

static int
draw_facts(const struct journal_entry *e, int64_t start_us, struct surface s, int y)
{
	struct buf size = BUF_INIT, latency = BUF_INIT;
	char time[32];

	snprintf(time, sizeof(time), "%9.3f", (double)(e->at_us - start_us) / 1e6);
	pane_add_bytes(&size, e->bytes->len + e->dropped);
	if (e->latency_us >= 0)
		pane_add_duration(&latency, e->latency_us);
	surface_text(s, 0, y, 9, style_of(ROLE_HINT), time);
	surface_text(s, 11, y, 1, style_of(kinds[e->kind].role), kinds[e->kind].mark);
	surface_text(
	    s, 13, y, 13, style_of(e->flaw || e->is_error ? ROLE_ERROR : ROLE_DIM), what(e));
	surface_text_right(s, 35, y, 8, style_of(ROLE_DIM), buf_text(&size));
	surface_text_right(s, 44, y, 8, style_of(ROLE_NUMBER), buf_text(&latency));
	buf_finish(&size);
	buf_finish(&latency);
	return 46;
}

/* Over what draw_facts() and draw_entry() write. */
static void
draw_columns(struct surface s, int y)
{
	struct style style = style_of(ROLE_COLUMN);

	surface_text_right(s, 9, y, 9, style, "seconds");
	surface_text(s, 13, y, 13, style, "message");
	surface_text_right(s, 35, y, 8, style, "size");
	surface_text_right(s, 44, y, 8, style, "took");
	surface_text(s, 46, y, -1, style, "#id method bytes");
}

static void
draw_entry(
    const struct journal_pane *p, const struct pane_env *env, struct surface s, int y, size_t index)
{
	const struct journal_entry *e = journal_find(journal_of(env), p->shown.items[index]);

	if (!e)
		return;
	int x = draw_facts(e, journal_start_us(journal_of(env)), s, y);
	if (e->rpc_id)
		x += surface_textf(s, x, y, 10, style_of(ROLE_NUMBER), "#%s", e->rpc_id) + 1;
	if (e->method)
		x += surface_text(s, x, y, 30, style_of(ROLE_KEY_NAME), e->method) + 1;
	if (e->flaw)
		x += surface_textf(s, x, y, s.width / 2, style_of(ROLE_ERROR), "✗ %s", e->flaw) + 1;
	size_t len = e->bytes->len < 2000 ? e->bytes->len : 2000;
	bool own = e->kind == JOURNAL_STDERR || e->kind == JOURNAL_NOTE;
	if (x < s.width)
		surface_textn(
		    s, x, y, -1, style_of(own ? ROLE_TEXT : ROLE_HINT), e->bytes->data, len);
	if (index == p->list.selected)
		surface_select_row(s, y, env->focused);
}

/* The text of the entry that is open: its exact bytes, or laid out when it is JSON. */
static void
renew_text(struct journal_pane *p, const struct journal_entry *e)
{
	if (p->text && p->text_of == e->id && p->text_raw == p->raw)
		return;
	struct buf text = BUF_INIT;
	struct json_doc *doc = p->raw || e->message == MESSAGE_NOT_JSON || e->dropped
				   ? NULL
				   : json_parse(e->bytes->data, e->bytes->len, NULL, NULL);
	p->text_json = doc != NULL;
	if (doc)
		json_print_pretty(&text, json_root(doc), 2);
	else
		buf_add(&text, e->bytes->data, e->bytes->len);
	json_doc_destroy(doc);
	free(p->text);
	p->text_len = text.len;
	p->text = buf_detach(&text);
	p->text_of = e->id;
	p->text_raw = p->raw;
	p->top = 0;
}

static void
draw_open(struct journal_pane *p, const struct journal_entry *e, struct surface s, bool focused)
{
	struct buf line = BUF_INIT;

	surface_repeat(s, 0, 0, s.width, style_of(ROLE_BORDER), 0x2500);
	buf_addf(&line, " %s %s%s%s · %s · ", kinds[e->kind].mark, what(e), e->method ? " " : "",
	    e->method ? e->method : "", p->raw ? "exact bytes" : "laid out");
	pane_add_bytes(&line, e->bytes->len + e->dropped);
	if (e->latency_us >= 0) {
		buf_add_str(&line, " · after ");
		pane_add_duration(&line, e->latency_us);
	}
	buf_add_char(&line, ' ');
	surface_text(s, 2, 0, s.width - 4, style_of(ROLE_DIM), buf_text(&line));
	buf_finish(&line);
	int y = 1;
	if (e->flaw)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", e->flaw);
	if (e->dropped)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR),
		    "✗ %zu more bytes were over the bound of a message and are not kept",
		    e->dropped);
	struct surface body = surface_sub(s, 0, y, s.width, s.height - y);
	renew_text(p, e);
	wrap_set(&p->wrap, p->text, p->text_len, body.width);
	if (p->text_json)
		render_json_rows(&p->wrap, body, p->top);
	else
		wrap_draw(&p->wrap, body, style_of(ROLE_TEXT), p->top);
	surface_scrollbar(body, focused, wrap_rows(&p->wrap), p->top);
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = p->open ? selected(p, env) : NULL;
	int list_rows = s.height - 2;

	if (e) /* as few as there are, or a third */
		list_rows = p->shown.len < (size_t)s.height / 3 ? (int)p->shown.len : s.height / 3;

	if (!journal_of(env)) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), "no server is connected");
		return;
	}
	const char *filter = filter_line_text(&p->line);
	filter_line_draw(&p->line, s,
	    "filter: text, method:tools/call dir:in id:7 status:error kind:stderr -word");
	draw_columns(s, 1);
	struct surface body = surface_sub(s, 0, 2, s.width, list_rows);
	list_set_height(&p->list, body.height);
	for (int y = 0; y < body.height && p->list.top + (size_t)y < p->shown.len; y++)
		draw_entry(p, env, body, y, p->list.top + (size_t)y);
	if (p->shown.len == 0)
		surface_text(body, 0, 0, -1, style_of(ROLE_HINT),
		    filter[0] ? "nothing matches" : "nothing was said yet");
	surface_scrollbar(body, env->focused && !e, p->shown.len, p->list.top);
	if (e)
		draw_open(p, e, surface_sub(s, 0, 2 + list_rows, s.width, s.height - 2 - list_rows),
		    env->focused);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct journal_pane *p = state;
	const struct journal *j = journal_of(env);

	buf_add_str(title, "journal · every message, exact bytes");
	if (!j)
		return ROLE_DIM;
	if (p->shown.len != journal_count(j))
		buf_addf(facts, "%zu of ", p->shown.len);
	buf_addf(facts, "%zu entries · ", journal_count(j));
	pane_add_bytes(facts, journal_bytes(j));
	buf_add_str(facts, " of ");
	pane_add_bytes(facts, journal_max_bytes(j));
	if (journal_evicted(j) > 0)
		buf_addf(facts, " · %zu oldest dropped", journal_evicted(j));
	return journal_evicted(j) > 0 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_open(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;
	(void)env, (void)arg;

	p->open = !p->open;
	p->follow = false;
	return true;
}

static bool
act_filter(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;

	if (*arg == '\0' && env->focused && !p->line.open) {
		p->line.open = true;
		return true;
	}
	filter_line_set(&p->line, arg);
	refilter(p, env, arg);
	return true;
}

static bool
act_raw(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;
	(void)env, (void)arg;

	p->raw = !p->raw;
	p->open = true;
	return true;
}

static bool
act_pair(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = selected(p, env);
	(void)arg;

	for (size_t i = 0; e && e->pair && i < p->shown.len; i++) {
		if (p->shown.items[i] == e->pair) {
			p->follow = false;
			list_select(&p->list, i);
			return true;
		}
	}
	env->host->say(env->user, ROLE_WARNING, "this message has no pair in sight");
	return false;
}

static const struct pane_action actions[] = {
	{ "open-message", "enter", "", "show the message whole, or close it", act_open, "open" },
	{ "filter", "/", "[WORDS]",
	    "show only what matches: text, method: dir: id: status: kind: -not", act_filter,
	    "filter" },
	{ "raw", "v", "", "laid out, or the exact bytes", act_raw, "raw" },
	{ "pair", "p", "", "go from a request to its reply and back", act_pair, "pair" },
	{ 0 },
};

static bool
captures(const void *state)
{
	const struct journal_pane *p = state;

	return p->line.open || p->open;
}

static bool
filter_key(struct journal_pane *p, const struct pane_env *env, const struct key *key)
{
	enum filter_key used = filter_line_key(&p->line, key);

	if (used == FILTER_CHANGED)
		refilter(p, env, filter_line_text(&p->line));
	return used != FILTER_UNUSED;
}

/* While a message is open, paging moves in it and the arrows go to the next message. */
static bool
open_key(struct journal_pane *p, const struct pane_env *env, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;

	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER) {
		p->open = false;
		return true;
	}
	if (ch == 'v')
		return act_raw(p, env, "");
	if (ch == 'p')
		return act_pair(p, env, "");
	if (key->kind == KEY_PAGE_DOWN || key->kind == KEY_PAGE_UP || key->kind == KEY_HOME ||
	    key->kind == KEY_END || key->kind == KEY_MOUSE || ch == ' ')
		return pane_scroll_key(&p->top, wrap_rows(&p->wrap), key);
	return list_key(&p->list, key);
}

/* On the filter, or on a message: the selected one opens. */
static bool
press(struct journal_pane *p, const struct key *key)
{
	size_t index = p->list.top + (size_t)(key->y > 2 ? key->y - 2 : 0);

	p->follow = false;
	if (key->y == 0)
		p->line.open = true;
	else if (key->y < 2 || key->y - 2 >= p->list.height || index >= p->shown.len)
		return false;
	else if (index == p->list.selected)
		p->open = true;
	else
		list_select(&p->list, index);
	return true;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct journal_pane *p = state;

	if (p->line.open && key->kind != KEY_MOUSE)
		return filter_key(p, env, key);
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		return press(p, key);
	if (p->open)
		return open_key(p, env, key);
	if (!list_key(&p->list, key))
		return false;
	p->follow = p->shown.len > 0 && p->list.selected == p->shown.len - 1;
	return true;
}

static const char *
typing(const void *state)
{
	const struct journal_pane *p = state;

	return p->line.open ? "Enter keep  Esc show all"
			    : "Esc close  v raw  p pair  ↑↓ next message  PgDn scroll";
}

const struct pane_ops pane_journal = {
	.name = "journal",
	.title = "journal",
	.help = "every message both ways and the server's stderr, with the exact bytes",
	.slot = SLOT_OVERLAY,
	.state_size = sizeof(struct journal_pane),
	.actions = actions,
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.typing = typing,
};

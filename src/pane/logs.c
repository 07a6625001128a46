#include "pane/pane.h"

#include "base/mem.h"
#include "base/vec.h"
#include "filter_line.h"
#include "json/print.h"
#include "model/notices.h"
#include "pane_text.h"
#include "render/render.h"
#include "ui/list.h"
#include "ui/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct logs_pane {
	struct {
		uint64_t *items; /* ids of the entries that pass the filter */
		size_t len, cap;
	} shown;
	uint64_t looked_at;
	struct log_filter *filter;
	struct list list;
	struct filter_line line;
	bool follow; /* the selection stays on the newest */

	bool open; /* the selected entry is shown whole */
	uint64_t text_of;
	struct buf text;
	struct wrap wrap;
	size_t top;
	const struct logs *logs; /* only compared */
};

static void
init(void *state)
{
	struct logs_pane *p = state;

	filter_line_init(&p->line);
	wrap_init(&p->wrap);
	p->filter = log_filter_create("");
	p->follow = true;
}

static void
finish(void *state)
{
	struct logs_pane *p = state;

	filter_line_finish(&p->line);
	wrap_finish(&p->wrap);
	log_filter_destroy(p->filter);
	free(p->shown.items);
	buf_finish(&p->text);
}

static const struct logs *
logs_of(const struct pane_env *env)
{
	return env->ws->server ? server_logs(env->ws->server) : NULL;
}

/* ---- which entries are shown ---- */

static void
drop_evicted(struct logs_pane *p, const struct logs *l)
{
	size_t gone = 0;

	while (gone < p->shown.len && !logs_find(l, p->shown.items[gone]))
		gone++;
	if (gone == 0)
		return;
	p->shown.len -= gone;
	memmove(p->shown.items, p->shown.items + gone, p->shown.len * sizeof(*p->shown.items));
	size_t selected = p->list.selected > gone ? p->list.selected - gone : 0;
	list_set_count(&p->list, p->shown.len);
	list_select(&p->list, selected);
}

/* Filters only what is new. */
static void
take_new(struct logs_pane *p, const struct logs *l)
{
	uint64_t first = l->len > 0 ? l->items[0].id : 1;

	for (uint64_t id = p->looked_at >= first ? p->looked_at + 1 : first; id <= l->last_id;
	     id++) {
		const struct log_entry *e = logs_find(l, id);
		if (e && log_filter_matches(p->filter, e))
			*VEC_PUSH(&p->shown) = id;
	}
	p->looked_at = l->last_id;
	list_set_count(&p->list, p->shown.len);
	if (p->follow && p->shown.len > 0)
		list_select(&p->list, p->shown.len - 1);
}

static void
begin_anew(struct logs_pane *p)
{
	p->shown.len = 0;
	p->looked_at = 0;
	p->follow = true;
}

static void
sync(void *state, const struct pane_env *env)
{
	struct logs_pane *p = state;
	const struct logs *l = logs_of(env);

	if (l != p->logs) {
		p->logs = l;
		p->open = false;
		p->text_of = 0;
		begin_anew(p);
	}
	if (!l)
		return;
	drop_evicted(p, l);
	take_new(p, l);
}

static void
refilter(struct logs_pane *p, const struct pane_env *env, const char *text)
{
	log_filter_destroy(p->filter);
	p->filter = log_filter_create(text);
	begin_anew(p);
	if (logs_of(env))
		take_new(p, logs_of(env));
}

static const struct log_entry *
selected(const struct logs_pane *p, const struct pane_env *env)
{
	const struct logs *l = logs_of(env);

	return l && p->list.selected < p->shown.len ? logs_find(l, p->shown.items[p->list.selected])
						    : NULL;
}

/* ---- drawing ---- */

static enum role
level_role(enum log_level level)
{
	if (level >= LOG_LEVEL_ERROR)
		return ROLE_ERROR;
	if (level == LOG_LEVEL_WARNING)
		return ROLE_WARNING;
	return level <= LOG_LEVEL_DEBUG ? ROLE_HINT : ROLE_DIM;
}

enum { LEVEL_X = 11, LOGGER_X = 22, LOGGER_COLS = 16, DATA_X = LOGGER_X + LOGGER_COLS + 2 };

static void
draw_entry(
    const struct logs_pane *p, const struct pane_env *env, struct surface s, int y, size_t index)
{
	const struct log_entry *e = logs_find(logs_of(env), p->shown.items[index]);
	int64_t start_us = journal_start_us(server_journal(env->ws->server));
	size_t len;

	if (!e)
		return;
	len = e->data_len < 2000 ? e->data_len : 2000;
	surface_textf(
	    s, 0, y, 9, style_of(ROLE_HINT), "%9.3f", (double)(e->at_us - start_us) / 1e6);
	surface_text(s, LEVEL_X, y, LOGGER_X - LEVEL_X - 1, style_of(level_role(e->level)),
	    *e->level_name ? e->level_name : "(no level)");
	if (e->logger)
		surface_text(s, LOGGER_X, y, LOGGER_COLS, style_of(ROLE_KEY_NAME), e->logger);
	surface_textn(s, DATA_X, y, -1, style_of(ROLE_TEXT), e->data, len);
	if (index == p->list.selected)
		surface_select_row(s, y, env->focused);
}

static void
draw_columns(struct surface s, int y)
{
	struct style style = style_of(ROLE_COLUMN);

	surface_text_right(s, 9, y, 9, style, "seconds");
	surface_text(s, LEVEL_X, y, -1, style, "level");
	surface_text(s, LOGGER_X, y, -1, style, "logger");
	surface_text(s, DATA_X, y, -1, style, "data");
}

static void
renew_text(struct logs_pane *p, const struct log_entry *e)
{
	if (p->text_of == e->id)
		return;
	struct json_doc *doc = json_parse(e->data, e->data_len, NULL, NULL);
	buf_clear(&p->text);
	if (doc)
		json_print_pretty(&p->text, json_root(doc), 2);
	json_doc_destroy(doc);
	p->text_of = e->id;
	p->top = 0;
}

static void
draw_open(struct logs_pane *p, const struct log_entry *e, struct surface s, bool focused)
{
	surface_repeat(s, 0, 0, s.width, style_of(ROLE_BORDER), 0x2500);
	surface_textf(s, 2, 0, s.width - 4, style_of(level_role(e->level)), " %s%s%s ",
	    e->level_name, e->logger ? " · " : "", e->logger ? e->logger : "");
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);
	renew_text(p, e);
	wrap_set(&p->wrap, buf_text(&p->text), p->text.len, body.width);
	render_json_rows(&p->wrap, body, p->top);
	surface_scrollbar(body, focused, wrap_rows(&p->wrap), p->top);
}

static const char *
why_empty(const struct logs_pane *p, const struct pane_env *env)
{
	const struct session *session = server_session(env->ws->server);

	if (*filter_line_text(&p->line))
		return "nothing matches";
	if (!session || !json_get(session_capabilities(session), "logging"))
		return "This server declares no logging.";
	if (session_is_modern(session) && server_log_level(env->ws->server) == LOG_LEVEL_NONE)
		return "Nothing was logged: servers of this protocol log only when asked. + asks.";
	return "Nothing was logged yet. + asks for more.";
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct logs_pane *p = state;
	const struct log_entry *e = p->open ? selected(p, env) : NULL;
	int list_rows = s.height - 2;

	if (!logs_of(env)) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), "no server is connected");
		return;
	}
	if (e)
		list_rows = p->shown.len < (size_t)s.height / 3 ? (int)p->shown.len : s.height / 3;
	server_logs_seen(env->ws->server);
	filter_line_draw(&p->line, s, "filter: text level:warning logger:name -word");
	draw_columns(s, 1);
	struct surface body = surface_sub(s, 0, 2, s.width, list_rows);
	list_set_height(&p->list, body.height);
	for (int y = 0; y < body.height && p->list.top + (size_t)y < p->shown.len; y++)
		draw_entry(p, env, body, y, p->list.top + (size_t)y);
	if (p->shown.len == 0)
		surface_text(body, 0, 0, -1, style_of(ROLE_HINT), why_empty(p, env));
	surface_scrollbar(body, env->focused && !e, p->shown.len, p->list.top);
	if (e)
		draw_open(p, e, surface_sub(s, 0, 2 + list_rows, s.width, s.height - 2 - list_rows),
		    env->focused);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct logs_pane *p = state;
	const struct logs *l = logs_of(env);

	buf_add_str(title, "logs · what the server tells by notifications/message");
	if (!l)
		return ROLE_DIM;
	enum log_level asked = server_log_level(env->ws->server);
	if (p->shown.len != l->len)
		buf_addf(facts, "%zu of ", p->shown.len);
	buf_addf(facts, "%zu · asked for: %s", l->len, log_level_name(asked));
	if (l->evicted > 0)
		buf_addf(facts, " · %zu oldest dropped", l->evicted);
	return l->evicted > 0 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_open(void *state, const struct pane_env *env, const char *arg)
{
	struct logs_pane *p = state;
	(void)env, (void)arg;

	p->open = !p->open && p->shown.len > 0;
	p->follow = false;
	return true;
}

static bool
act_filter(void *state, const struct pane_env *env, const char *arg)
{
	struct logs_pane *p = state;

	if (*arg == '\0' && env->focused && !p->line.open) {
		p->line.open = true;
		return true;
	}
	filter_line_set(&p->line, arg);
	refilter(p, env, arg);
	return true;
}

static bool
ask(const struct pane_env *env, int level)
{
	char *line = mem_printf("log %s", log_level_name((enum log_level)level));
	bool ok = env->host->run(env->user, line);

	free(line);
	return ok;
}

/* From none the first step is to what is usual: info. */
static bool
act_more(void *state, const struct pane_env *env, const char *arg)
{
	int level = env->ws->server ? (int)server_log_level(env->ws->server) : LOG_LEVEL_NONE;
	(void)state, (void)arg;

	return ask(env, level == LOG_LEVEL_NONE   ? LOG_LEVEL_INFO
			: level > LOG_LEVEL_DEBUG ? level - 1
						  : LOG_LEVEL_DEBUG);
}

static bool
act_less(void *state, const struct pane_env *env, const char *arg)
{
	int level = env->ws->server ? (int)server_log_level(env->ws->server) : LOG_LEVEL_NONE;
	(void)state, (void)arg;

	return ask(
	    env, level == LOG_LEVEL_NONE || level + 1 == LOG_LEVELS ? LOG_LEVEL_NONE : level + 1);
}

static bool
act_clear(void *state, const struct pane_env *env, const char *arg)
{
	struct logs_pane *p = state;
	(void)arg;

	if (env->ws->server)
		server_logs_clear(env->ws->server);
	p->open = false;
	begin_anew(p);
	return true;
}

static const struct pane_action actions[] = {
	{ "open-log", "enter", "", "show the message whole, or close it", act_open, "open" },
	{ "filter-logs", "/", "[WORDS]", "show only what matches: text, level: logger: -not",
	    act_filter, "filter" },
	{ "log-more", "+", "", "ask for the next lower level too", act_more, "more" },
	{ "log-less", "-", "", "ask for less: the next higher level", act_less, "less" },
	{ "clear-logs", "X", "", "forget what was logged", act_clear, NULL },
	{ 0 },
};

static bool
captures(const void *state)
{
	const struct logs_pane *p = state;

	return p->line.open || p->open;
}

static bool
filter_key(struct logs_pane *p, const struct pane_env *env, const struct key *key)
{
	enum filter_key used = filter_line_key(&p->line, key);

	if (used == FILTER_CHANGED)
		refilter(p, env, filter_line_text(&p->line));
	return used != FILTER_UNUSED;
}

/* While a message is open, paging moves in it and the arrows go to the next one. */
static bool
open_key(struct logs_pane *p, const struct key *key)
{
	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER) {
		p->open = false;
		return true;
	}
	if (key->kind == KEY_PAGE_DOWN || key->kind == KEY_PAGE_UP || key->kind == KEY_HOME ||
	    key->kind == KEY_END || key->kind == KEY_MOUSE)
		return pane_scroll_key(&p->top, wrap_rows(&p->wrap), key);
	return list_key(&p->list, key);
}

static bool
press(struct logs_pane *p, const struct key *key)
{
	size_t row;

	if (key->y == 0) {
		p->line.open = true;
		return true;
	}
	if (!list_row_at(&p->list, key->y - 2, &row))
		return false;
	p->follow = false;
	p->open = p->open || row == p->list.selected;
	list_select(&p->list, row);
	return true;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct logs_pane *p = state;

	if (p->line.open && key->kind != KEY_MOUSE)
		return filter_key(p, env, key);
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		return press(p, key);
	if (p->open)
		return open_key(p, key);
	if (!list_key(&p->list, key))
		return false;
	p->follow = p->shown.len > 0 && p->list.selected == p->shown.len - 1;
	return true;
}

static const char *
typing(const void *state)
{
	const struct logs_pane *p = state;

	return p->line.open ? "Enter keep  Esc show all"
			    : "Esc close  ↑↓ next message  PgDn scroll";
}

const struct pane_ops pane_logs = {
	.name = "logs",
	.title = "logs",
	.help = "what the server logged, by level",
	.slot = SLOT_OVERLAY,
	.state_size = sizeof(struct logs_pane),
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

#include "pane/pane.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/print.h"
#include "model/notices.h"
#include "stream_list.h"

#include <stdlib.h>

struct logs_pane {
	struct stream_list stream;
	struct log_filter *filter;
	uint64_t text_of;
	struct buf text;
};

static void
finish(void *state)
{
	struct logs_pane *p = state;

	stream_list_finish(&p->stream);
	log_filter_destroy(p->filter);
	buf_finish(&p->text);
}

static const struct logs *
logs_of(const struct pane_env *env)
{
	return env->ws->server ? server_info(env->ws->server)->logs : NULL;
}

/* ---- which entries are shown ---- */

static bool
exists(const struct pane_env *env, uint64_t id)
{
	return logs_find(logs_of(env), id) != NULL;
}

static void
take_new(struct logs_pane *p, const struct logs *l)
{
	uint64_t first = l->len > 0 ? l->items[0].id : 1;
	uint64_t id = p->stream.looked_at >= first ? p->stream.looked_at + 1 : first;

	for (; id <= l->last_id; id++) {
		const struct log_entry *e = logs_find(l, id);
		if (e && log_filter_matches(p->filter, e))
			stream_list_add(&p->stream, id);
	}
	stream_list_settle(&p->stream, l->last_id);
}

static void
refilter(void *state, const struct pane_env *env, const char *text)
{
	struct logs_pane *p = state;

	log_filter_destroy(p->filter);
	p->filter = log_filter_create(text);
	stream_list_begin(&p->stream);
	if (logs_of(env))
		take_new(p, logs_of(env));
}

/* ---- drawing ---- */

static struct style
level_style(enum log_level level)
{
	static const struct {
		enum role role;
		uint8_t attr;
	} looks[LOG_LEVELS] = {
		[LOG_LEVEL_NONE] = { ROLE_HINT, 0 },
		[LOG_LEVEL_DEBUG] = { ROLE_HINT, 0 },
		[LOG_LEVEL_INFO] = { ROLE_DIM, 0 },
		[LOG_LEVEL_NOTICE] = { ROLE_TEXT, 0 },
		[LOG_LEVEL_WARNING] = { ROLE_WARNING, 0 },
		[LOG_LEVEL_ERROR] = { ROLE_ERROR, 0 },
		[LOG_LEVEL_CRITICAL] = { ROLE_ERROR, ATTR_BOLD },
		[LOG_LEVEL_ALERT] = { ROLE_ERROR, ATTR_BOLD },
		[LOG_LEVEL_EMERGENCY] = { ROLE_ERROR, ATTR_BOLD },
	};

	return (struct style){ looks[level].role, ROLE_NONE, looks[level].attr };
}

enum { LEVEL_X = 11, LOGGER_X = 22, LOGGER_COLS = 16, DATA_X = LOGGER_X + LOGGER_COLS + 2 };

static void
draw_row(const struct pane_env *env, struct surface s, int y, uint64_t id)
{
	const struct log_entry *e = logs_find(logs_of(env), id);
	int64_t start_us = journal_start_us(server_info(env->ws->server)->journal);
	size_t len;

	if (!e)
		return;
	len = e->data_len < 2000 ? e->data_len : 2000;
	surface_textf(
	    s, 0, y, 9, style_of(ROLE_HINT), "%9.3f", (double)(e->at_us - start_us) / 1e6);
	surface_text(s, LEVEL_X, y, LOGGER_X - LEVEL_X - 1, level_style(e->level),
	    *e->level_name ? e->level_name : "(no level)");
	if (e->logger)
		surface_text(s, LOGGER_X, y, LOGGER_COLS, style_of(ROLE_KEY_NAME), e->logger);
	surface_textn(s, DATA_X, y, -1, style_of(ROLE_TEXT), e->data, len);
}

static void
draw_heads(struct surface s, int y)
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
	struct json_doc *doc = e->is_text ? NULL : json_parse(e->data, e->data_len, NULL, NULL);
	buf_clear(&p->text);
	if (e->is_text)
		buf_add(&p->text, e->data, e->data_len);
	else if (doc)
		json_print_pretty(&p->text, json_root(doc), 2);
	json_doc_destroy(doc);
	p->text_of = e->id;
	p->stream.top = 0;
}

static void
draw_open(void *state, const struct pane_env *env, struct surface s, uint64_t id)
{
	struct logs_pane *p = state;
	const struct log_entry *e = logs_find(logs_of(env), id);

	if (!e)
		return;
	surface_textf(s, 2, 0, s.width - 4, level_style(e->level), " %s%s%s ", e->level_name,
	    e->logger ? " · " : "", e->logger ? e->logger : "");
	renew_text(p, e);
	stream_list_draw_text(&p->stream, env, surface_sub(s, 0, 1, s.width, s.height - 1),
	    buf_text(&p->text), p->text.len, !e->is_text);
}

static const char *
why_empty(void *state, const struct pane_env *env)
{
	const struct session *session = server_info(env->ws->server)->session;
	(void)state;

	if (!session || !json_get(session_info(session)->server_capabilities, "logging"))
		return "This server does not declare logging.";
	if (session_info(session)->modern &&
	    server_info(env->ws->server)->log_level == LOG_LEVEL_NONE)
		return "No log messages: in this protocol a server logs only on request. + "
		       "requests them.";
	return "No log messages yet. + asks for more.";
}

static const struct stream_ops stream = {
	.filter_hint = "filter: text level:warning logger:name -word",
	.exists = exists,
	.refilter = refilter,
	.why_empty = why_empty,
	.draw_heads = draw_heads,
	.draw_row = draw_row,
	.draw_open = draw_open,
};

static void
init(void *state)
{
	struct logs_pane *p = state;

	stream_list_init(&p->stream, &stream);
	p->filter = log_filter_create("");
}

/* Reads the entries of the workspace's server, from the start if it changed. */
static void
sync(void *state, const struct pane_env *env)
{
	struct logs_pane *p = state;
	const struct logs *l = logs_of(env);

	if (stream_list_show(&p->stream, l))
		p->text_of = 0;
	if (!l)
		return;
	stream_list_drop(&p->stream, env);
	take_new(p, l);
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct logs_pane *p = state;

	if (env->ws->server)
		server_logs_seen(env->ws->server);
	stream_list_draw(&p->stream, env, s);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct logs_pane *p = state;
	const struct logs *l = logs_of(env);

	buf_add_str(title, "logs · by notifications/message");
	if (!l)
		return ROLE_DIM;
	enum log_level asked = server_info(env->ws->server)->log_level;
	if (p->stream.shown.len != l->len) {
		units_add_count(facts, p->stream.shown.len);
		buf_add_str(facts, " of ");
	}
	units_add_counted(facts, l->len, "message");
	if (l->evicted > 0) {
		buf_add_str(facts, " · ");
		units_add_count(facts, l->evicted);
		buf_add_str(facts, " oldest dropped");
	}
	buf_addf(facts, " · asked for: %s", log_level_names[asked]);
	return l->evicted > 0 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
ask(const struct pane_env *env, int level)
{
	char *line = mem_printf("log %s", log_level_names[(enum log_level)level]);
	bool ok = env->host->run(env->user, line);

	free(line);
	return ok;
}

/* The first step from none is the usual level: info. */
static bool
act_more(void *state, const struct pane_env *env, const char *arg)
{
	int level = env->ws->server ? (int)server_info(env->ws->server)->log_level : LOG_LEVEL_NONE;
	(void)state, (void)arg;

	return ask(env, level == LOG_LEVEL_NONE   ? LOG_LEVEL_INFO
			: level > LOG_LEVEL_DEBUG ? level - 1
						  : LOG_LEVEL_DEBUG);
}

static bool
act_less(void *state, const struct pane_env *env, const char *arg)
{
	int level = env->ws->server ? (int)server_info(env->ws->server)->log_level : LOG_LEVEL_NONE;
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
	p->stream.open = false;
	stream_list_begin(&p->stream);
	return true;
}

static const struct pane_action actions[] = {
	{ "open-log", "enter", "", "show the whole message, or close it", stream_list_act_open,
	    "open" },
	{ "filter-logs", "", "[WORDS]", "show only matches: text, level: logger: -not",
	    stream_list_act_filter, NULL },
	{ "log-more", "+", "", "also ask for the next lower level", act_more, "more" },
	{ "log-less", "-", "", "ask only for the next higher level", act_less, "less" },
	{ "clear-logs", "X", "", "delete the log messages shown", act_clear, NULL },
	{ 0 },
};

static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct logs_pane *p = state;
	bool of_entry = action->run == stream_list_act_open;

	return stream_list_hint(&p->stream, env, action, of_entry);
}

static const char *
typing(const void *state)
{
	(void)state;
	return "Esc close  ↑↓ next message  PgDn scroll";
}

const struct pane_ops pane_logs = {
	.title = "logs",
	.help = "log messages of the server, by level",
	.state_size = sizeof(struct logs_pane),
	.actions = actions,
	.whole = "clear-logs",
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = stream_list_key,
	.captures = stream_list_captures,
	.hint = hint,
	.typing = typing,
	.filtered = stream_list_filtered,
	.filter = stream_list_filter,
	.seek = stream_list_seek,
};

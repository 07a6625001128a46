/* SPDX-License-Identifier: MIT */

#include "base/units.h"
#include "json/print.h"
#include "client/notices.h"
#include "pane/pane_text.h"
#include "stream_list.h"

/* ---- which entries are shown ---- */

/* Return the struct logs, or NULL. */
static const void *
source(const struct view_env *env)
{
	return env->ws->server ? server_info(env->ws->server)->logs : NULL;
}

static uint64_t
next(const struct view_env *env, uint64_t id)
{
	const struct logs *l = source(env);

	if (l->len == 0 || id >= l->last_id)
		return 0;
	return id < l->items[0].id ? l->items[0].id : id + 1;
}

static const void *
logs_pane_find(const struct view_env *env, uint64_t id)
{
	return logs_find(source(env), id);
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

enum { COL_TIME, COL_LEVEL, COL_LOGGER, COL_DATA };
static const struct stream_column columns[] = {
	[COL_TIME] = { "seconds", 0, 9, true },
	[COL_LEVEL] = { "level", 11, 10, false },
	[COL_LOGGER] = { "logger", 22, 16, false },
	[COL_DATA] = { "data", 40, -1, false },
	{ 0 },
};

static void
logs_draw_row(const struct view_env *env, struct surface s, int y, const void *entry)
{
	const struct log_entry *e = entry;
	size_t len = e->data_len < 2000 ? e->data_len : 2000;

	stream_cell_time(&columns[COL_TIME], s, y, env, e->at_us);
	stream_cell(&columns[COL_LEVEL], s, y, level_style(e->level),
	    *e->level_name ? e->level_name : "(no level)");
	stream_cell(
	    &columns[COL_LOGGER], s, y, style_of(ROLE_KEY_NAME), e->logger ? e->logger : "");
	surface_textn(s, columns[COL_DATA].x, y, style_of(ROLE_TEXT), e->data, len);
}

static void
add_whole(const void *entry, struct buf *out)
{
	const struct log_entry *e = entry;
	struct json_doc *doc = e->is_text ? NULL : json_parse(e->data, e->data_len, NULL, NULL);

	if (e->is_text)
		buf_add(out, e->data, e->data_len);
	else if (doc)
		json_print_pretty(out, json_root(doc), 2);
	json_doc_destroy(doc);
}

static void
draw_open(void *state, const struct view_env *env, struct surface s, const void *entry)
{
	const struct log_entry *e = entry;

	surface_textf(s, 2, 0, s.width - 4, level_style(e->level), " %s%s%s ", e->level_name,
	    e->logger ? " · " : "", e->logger ? e->logger : "");
	stream_list_draw_entry(state, env, s, e, !e->is_text);
}

static const char *
why_empty(const struct view_env *env)
{
	const struct session *session = server_info(env->ws->server)->session;

	if (!session || !json_get(session_info(session)->server_capabilities, "logging"))
		return "This server does not declare logging.";
	if (session_info(session)->modern &&
	    server_info(env->ws->server)->log_level == LOG_LEVEL_NONE)
		return "No log messages: in this protocol a server logs only on request. + "
		       "requests them.";
	return "No log messages yet. + asks for more.";
}

static void
logs_draw(void *state, const struct view_env *env, struct surface s)
{
	if (env->ws->server)
		server_logs_seen(env->ws->server);
	stream_list_draw(state, env, s);
}

static enum role
logs_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct logs *l = source(env);

	buf_add_str(title, "logs · by notifications/message");
	if (!l)
		return ROLE_DIM;
	enum log_level asked = server_info(env->ws->server)->log_level;
	stream_list_count(state, l->len, facts);
	units_add_counted(facts, l->len, "message");
	if (l->evicted > 0)
		buf_addf(facts, " · %s oldest dropped", units_count(l->evicted).text);
	buf_addf(facts, " · asked for: %s", log_level_names[asked]);
	return l->evicted > 0 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- commands and keys ---- */

/* Request another level. The first step from none is the usual level: info. */
static bool
change_level(void *state, const struct view_env *env, const char *arg, int by)
{
	int level = env->ws->server ? (int)server_info(env->ws->server)->log_level : LOG_LEVEL_NONE;

	if (by > 0)
		level =
		    level == LOG_LEVEL_NONE || level + 1 == LOG_LEVELS ? LOG_LEVEL_NONE : level + 1;
	else
		level = level == LOG_LEVEL_NONE   ? LOG_LEVEL_INFO
			: level > LOG_LEVEL_DEBUG ? level - 1
						  : LOG_LEVEL_DEBUG;
	return pane_run(env, "log %s", log_level_names[(enum log_level)level]);
}

VIEW_ACTION_WITH(act_more, change_level, -1)
VIEW_ACTION_WITH(act_less, change_level, 1)

static bool
act_clear(void *state, const struct view_env *env, const char *arg)
{
	if (env->ws->server)
		server_logs_clear(env->ws->server);
	((struct stream_list *)state)->follow = true;
	stream_list_sync(state, env);
	return true;
}

/* Copy the text, or the JSON as on the wire. */
static void
logs_copy(void *state, const struct view_env *env, const void *entry, struct buf *out)
{
	const struct log_entry *e = entry;

	buf_add(out, e->data, e->data_len);
}

static const struct view_action actions[] = {
	{ "open-log", "enter", "", "show the whole message, or close it", stream_act_open, "open" },
	{ "filter-logs", "", "[WORDS]", "show only matches: text, level: logger: -not",
	    pane_act_filter, NULL },
	{ "log-more", "+", "", "also request the next lower level", act_more, "more" },
	{ "log-less", "-", "", "request only the next higher level", act_less, "less" },
	{ "copy-log", "y", "", "copy the message; :write FILE saves it", pane_act_copy, "copy" },
	{ "clear-logs", "ctrl-x", "", "delete the log messages shown", act_clear, NULL },
	{ 0 },
};

static const struct stream_ops stream = {
	.rows = STREAM_ROWS,
	.words = log_words,
	.columns = columns,
	.actions = actions,
	.keys = "Esc close  y copy  ↑↓ next message  PgDn scroll",
	.source = source,
	.next = next,
	.find = logs_pane_find,
	.why_empty = why_empty,
	.draw_row = logs_draw_row,
	.draw_open = draw_open,
	.copy = logs_copy,
	.add_whole = add_whole,
};

const struct view_ops pane_logs = {
	.title = "logs",
	.help = "log messages of the server, by level",
	.state_size = sizeof(struct stream_list),
	.actions = actions,
	.whole = "clear-logs",
	.finish = stream_list_finish,
	.sync = stream_list_sync,
	.heading = logs_heading,
	.draw = logs_draw,
	.hint = stream_list_hint,
	.rows = &stream.rows,
	STREAM_CALLBACKS,
};

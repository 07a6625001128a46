/* SPDX-License-Identifier: MIT */
#include "content.h"

#include "json/print.h"
#include "pane/tools/tools.h"
#include "pane/pane_text.h"

#include <string.h>

#define WAIT_SHOWN_US 1000000        /* from then on a call may be stuck */
#define VALUE_MAX ((size_t)64 << 10) /* bytes of a formatted error; the journal has all */

/* ---- running ---- */

/* Draw a bar of the reported progress, or only the amount without a total. Return the next row. */
static int
draw_progress(const struct call *c, struct surface s, int y)
{
	int width = s.width > 44 ? 40 : s.width - 4;

	if (!c->progress)
		return y;
	if (c->progress_share >= 0 && width > 4) {
		int full = (int)(c->progress_share * width);
		surface_repeat(s, 0, y, full, style_of(ROLE_ACCENT), 0x2588);
		surface_repeat(s, full, y, width - full, style_of(ROLE_HINT), 0x2591);
		surface_textf(s, width + 1, y, -1, style_of(ROLE_NUMBER), "%s/%s", c->progress,
		    c->progress_total);
	} else {
		surface_textf(s, 0, y, -1, style_of(ROLE_NUMBER), "progress %s", c->progress);
	}
	return y + 1;
}

static void
draw_clock(const struct view_env *env, const struct call *c, struct surface s)
{
	const struct server_info *info = server_info(env->ws->server);
	struct buf text = BUF_INIT;
	size_t asks = 0;

	while (asks < info->questions && server_question_at(env->ws->server, asks)->call != c->id)
		asks++;
	pane_add_duration(&text, call_elapsed_us(c, env->now_us));
	int x = surface_text(s, 0, 0, -1, style_of(ROLE_ACCENT), "◐ running ");
	x += surface_text(s, x, 0, -1, style_of(ROLE_NUMBER), buf_text(&text)) + 3;
	buf_clear(&text);
	if (info->reading > 0) {
		pane_add_bytes(&text, info->reading);
		buf_add_str(&text, " received, being parsed   ");
	}
	buf_add_str(&text, asks < info->questions ? "waiting for your answer: F4   Ctrl-C cancels"
						  : "Ctrl-C cancels");
	surface_text(s, x, 0, -1, style_of(ROLE_HINT), buf_text(&text));
	buf_finish(&text);
}

/* Write the lines below the clock and the bar. stderr_lines: lines since the call started. */
static void
write_running(struct page *page, const struct view_env *env, const struct call *c, int stderr_lines)
{
	const struct server *server = env->ws->server;
	bool is_long = call_elapsed_us(c, env->now_us) > WAIT_SHOWN_US;

	if (c->progress_message)
		page_text(page, 0, ROLE_DIM, c->progress_message);
	if (c->task)
		page_text(page, 0, ROLE_ACCENT, c->task);
	if (is_long)
		server_state_write_wait(page, server, c->request);
	for (size_t i = 0; i < c->server_requests.len; i++)
		page_text(page, 0, ROLE_WARNING, c->server_requests.items[i]);
	server_state_write_authorization(page, server);
	if (is_long && stderr_lines > 0)
		server_state_write_stderr(page,
		    "stderr since the call started:", server_stderr_tail(server, c), stderr_lines);
}

void
call_state_draw_running(const struct view_env *env, struct surface s)
{
	const struct call *c = workspace_call(env->ws);
	struct page page = { 0 };

	draw_clock(env, c, s);
	int y = draw_progress(c, s, 1);
	for (int lines = s.height - y; lines >= 0; lines--) {
		page_clear(&page);
		write_running(&page, env, c, lines);
		if ((int)page_rows(&page, s.width) <= s.height - y)
			break;
	}
	page_draw(&page, surface_sub(s, 0, y, s.width, s.height - y), ROLE_NONE, env->focused);
	page_finish(&page);
}

int
call_state_running_rows(const struct view_env *env, int width)
{
	const struct call *c = workspace_call(env->ws);
	struct page page = { 0 };

	write_running(&page, env, c, STDERR_LINES);
	int rows = 1 + (c->progress != NULL) + (int)page_rows(&page, width);
	page_finish(&page);
	return rows;
}

/* ---- without a result ---- */

const char *
call_state_help(const struct call *c)
{
	if (c->wants_legacy)
		return "this server can send requests only in the legacy era: O calls again in it";
	return c->state == CALL_TIMED_OUT ? ":timeout 5m gives the next call more time"
					  : call_explain(c);
}

static void
write_failed(struct page *page, const struct call *c)
{
	bool cancelled = c->state == CALL_CANCELLED; /* by the user, not a failure */
	bool timed_out = c->state == CALL_TIMED_OUT && c->error_text; /* has the duration */
	struct buf text = BUF_INIT;

	buf_add_str(&text, cancelled ? "– " : "✗ ");
	if (timed_out) {
		buf_add_str(&text, c->error_text);
	} else {
		call_add_state(c, &text);
		buf_add_str(&text, " after ");
		pane_add_duration(&text, call_elapsed_us(c, 0));
	}
	page_text(page, 0, cancelled ? ROLE_DIM : ROLE_ERROR, buf_text(&text));
	if (!timed_out && c->error_text && c->error_text[0] &&
	    strcmp(c->error_text, CALL_CANCEL_REASON) != 0)
		page_text(page, 0, ROLE_TEXT, c->error_text);
	if (call_state_help(c))
		page_text(page, 0, ROLE_HINT, call_state_help(c));
	for (size_t i = 0; i < c->server_requests.len; i++)
		page_text(page, 0, ROLE_WARNING, c->server_requests.items[i]);
	if (c->stderr_tail)
		server_state_write_stderr(
		    page, "last lines of stderr:", c->stderr_tail, STDERR_LINES);
	buf_clear(&text);
	if (c->value) { /* the error object: code, message and data */
		json_print_pretty(&text, c->value, 2);
		bool is_cut = text.len > VALUE_MAX;
		if (is_cut)
			buf_truncate(&text, VALUE_MAX);
		page_text(page, 0, ROLE_DIM, buf_text(&text));
		if (is_cut)
			page_text(page, 0, ROLE_HINT, "… w shows the rest");
	}
	buf_finish(&text);
}

void
call_state_write(struct page *page, const struct view_env *env)
{
	const struct server_info *info = env->ws->server ? server_info(env->ws->server) : NULL;
	const struct call *c = workspace_call(env->ws);

	if (c) {
		write_failed(page, c);
		if (info->phase >= SERVER_FAILED && info->trouble[0] &&
		    !strstr(c->error_text ? c->error_text : "", info->trouble))
			server_state_write_trouble(page, env, STDERR_LINES);
		return;
	}
	if (!info || !env->ws->desk)
		return;
	if (info->phase >= SERVER_FAILED)
		server_state_write_trouble(page, env, STDERR_LINES);
	else if (workspace_primitive(env->ws) && info->phase == SERVER_READY)
		page_text(page, 0, ROLE_HINT,
		    env->ws->desk->form ? primitive_words_of(env)->idle : "cannot be called");
}

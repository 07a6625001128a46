/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/units.h"
#include "client/question.h"

#include <stdlib.h>
#include <string.h>

/* Commands for the shown question. */

static struct question *
need(struct workbench *wb)
{
	struct question *q = workspace_question(&wb->ws);

	if (!q)
		workbench_refuse(wb, "no question is shown: F4 shows the open questions");
	return q;
}

static bool
cmd_questions(struct workbench *wb, const char *arg)
{
	if (wb->overlay == PANE_questions)
		return asked_is_fresh(wb) || workbench_toggle(wb, PANE_questions);
	if (!workspace_question(&wb->ws))
		workspace_next_question(&wb->ws, 0);
	workbench_focus(wb, PANE_questions);
	return true;
}

/* Shows the next question, or the panes; later questions of the call open on arrival. */
static bool
go_on(struct workbench *wb, uint64_t call, const char *what)
{
	bool more = workspace_next_question(&wb->ws, 0);

	if (wb->overlay == PANE_questions && more)
		asked_appear(wb);
	else if (wb->overlay == PANE_questions)
		wb->overlay = -1;
	wb->asked.awaited_call = call;
	wb->ws.generation++;
	return workbench_say(wb, ROLE_OK, "%s", what);
}

/* ---- answering ---- */

static void
make_result(const struct question *q, struct buf *out)
{
	if (q->kind == QUESTION_FORM)
		question_accept_form(q, out);
	else if (q->kind == QUESTION_SAMPLING)
		question_sampling_result(q->draft, strlen(q->draft), out);
	else
		buf_add_str(out, "{\"action\":\"accept\"}");
}

static bool
cmd_answer_anyway(struct workbench *wb, const char *arg)
{
	const struct question *q = need(wb);
	struct buf result = BUF_INIT;

	if (!q)
		return false;
	uint64_t call = q->call;
	if (q->kind == QUESTION_ROOTS) {
		server_consent_to_roots(wb->ws.server, q->id, wb->now_us);
		return go_on(wb, call, "sent the roots");
	}
	if (q->kind == QUESTION_SAMPLING && !q->draft)
		return workbench_refuse(wb, "no answer yet: type one");
	make_result(q, &result);
	server_answer(wb->ws.server, q->id, buf_text(&result), result.len, wb->now_us);
	buf_finish(&result);
	return go_on(wb, call, "answered");
}

static bool
check_form(struct workbench *wb, const struct question *q)
{
	static const struct confirm_words anyway = { "Send this answer anyway?", "Fix",
		"Send anyway", "next-problem first" };
	struct buf text = BUF_INIT;
	size_t problems = form_check(q->form);

	wb->ws.generation++;
	if (problems == 0)
		return cmd_answer_anyway(wb, "");
	confirm_add_problems(q->form, "field", &text);
	return confirm_open(wb, &anyway, buf_detach(&text), "answer!");
}

static bool
check_sampling(struct workbench *wb, const struct question *q)
{
	static const struct confirm_words flawed = { "Send this answer anyway?", "Go back",
		"Send anyway", NULL };
	struct buf result = BUF_INIT;

	if (!q->draft || !q->draft[0])
		return workbench_refuse(wb, "no answer yet: type one");
	make_result(q, &result);
	const char *flaw = question_sampling_flaw(q, &result);
	buf_finish(&result);
	if (!flaw)
		return cmd_answer_anyway(wb, "");
	return confirm_open(wb, &flawed, mem_printf("%s.", flaw), "answer!");
}

static struct question *
need_url(struct workbench *wb)
{
	struct question *q = need(wb);

	if (q && q->kind == QUESTION_URL)
		return q;
	if (q)
		workbench_refuse(wb, "this request has no URL");
	return NULL;
}

/* The key is the consent, because the whole URL is on the screen. If the server waits only for the
 * consent, it is sent at once. */
static bool
cmd_open_url(struct workbench *wb, const char *arg)
{
	struct question *q = need_url(wb);
	struct err err = { "" };

	if (!q)
		return false;
	if (!q->link.openable)
		return workbench_say(wb, ROLE_ERROR, "cannot be opened: %s", q->link.refusal);
	if (!q->seen)
		return workbench_refuse(wb, "read all of the URL first: End shows the rest");
	if (!wb->effects->open_url(wb->user, q->elicitation.url, &err))
		return workbench_refuse(wb, err.text);
	q->opened = true;
	server_changed(wb->ws.server);
	if (q->sends_again)
		return workbench_say(wb, ROLE_OK, "opened; F5 when you are done in the browser");
	return cmd_answer_anyway(wb, "");
}

static bool
cmd_answer(struct workbench *wb, const char *arg)
{
	const struct question *q = need(wb);

	if (!q)
		return false;
	if (q->kind == QUESTION_FORM)
		return check_form(wb, q);
	if (q->kind == QUESTION_SAMPLING)
		return check_sampling(wb, q);
	if (q->kind == QUESTION_URL && !q->opened)
		return cmd_open_url(wb, arg);
	return cmd_answer_anyway(wb, arg);
}

/* Ways not to answer. */
static const struct denial {
	bool (*send)(struct server *s, uint64_t question, int64_t now_us);
	const char *said, *command;
	struct confirm_words words;
} refusals[] = {
	{ server_decline, "declined", "decline now",
	    { "Decline without sending it?", "Go back", "Decline", NULL } },
	{ server_dismiss, "cancelled", "dismiss now",
	    { "Cancel without sending it?", "Go back", "Cancel the question", NULL } },
};

/* Has the user made something of it that would be lost? */
static bool
has_input(const struct question *q)
{
	if (!q->form)
		return q->draft != NULL;
	struct form *fresh = form_create(q->doc, q->elicitation.schema, FORM_DEFAULTS_SENT);
	form_adapt(fresh); /* as the shown one is */
	bool same = form_equal(fresh, q->form);
	form_destroy(fresh);
	return !same;
}

static bool
cmd_turn_down(struct workbench *wb, const char *arg, int cancels)
{
	const struct denial *how = &refusals[cancels];
	const struct question *q = need(wb);
	uint64_t call = q ? q->call : 0;
	bool asks = strcmp(arg, "now") != 0;

	if (q && asks && has_input(q))
		return confirm_open(wb, &how->words,
		    mem_strdup("The server does not get what you have filled in, and it is lost."),
		    "%s", how->command);
	return q && how->send(wb->ws.server, q->id, wb->now_us) && go_on(wb, call, how->said);
}

/* ---- URLs ---- */

/* A web page that a result links to. */
static bool
cmd_browse(struct workbench *wb, const char *arg)
{
	static const struct confirm_words words = { "Open in the browser?", "Stay here", "Open",
		NULL };
	struct buf text = BUF_INIT;
	struct link link;

	link_inspect(&link, arg);
	if (!link.openable)
		return workbench_say(wb, ROLE_ERROR, "cannot be opened: %s", link.refusal);
	buf_addf(&text, "%s\n\nThe server's text links to this page of %.*s.\n", arg,
	    (int)link.host_len, arg + link.host);
	for (size_t i = 0; i < link.warning_count; i++)
		buf_addf(&text, "⚠ %s\n", link.warnings[i]);
	return confirm_open(wb, &words, buf_detach(&text), "browse! %s", arg);
}

static bool
cmd_browse_now(struct workbench *wb, const char *arg)
{
	struct link link;
	struct err err = { "" };

	link_inspect(&link, arg);
	if (!link.openable)
		return workbench_say(wb, ROLE_ERROR, "cannot be opened: %s", link.refusal);
	if (!wb->effects->open_url(wb->user, arg, &err))
		return workbench_refuse(wb, err.text);
	return workbench_say(wb, ROLE_OK, "opened in the browser");
}

static bool
cmd_copy_url(struct workbench *wb, const char *arg)
{
	struct question *q = need_url(wb);

	if (!q)
		return false;
	wb->effects->copy(wb->user, q->elicitation.url, strlen(q->elicitation.url));
	q->opened = true; /* the user may open it elsewhere */
	server_changed(wb->ws.server);
	return workbench_say(wb, ROLE_OK, "copied; F5 gives your consent");
}

/* ---- in $EDITOR ---- */

static bool
edit(struct workbench *wb, const struct question *q, enum edited_what what, struct buf *text)
{
	struct err err = { "" };

	buf_add_char(text, '\n');
	bool ok = wb->effects->edit(wb->user, buf_text(text), text->len, &err);
	wb->edited.what = what;
	wb->edited.question = q->id;
	buf_finish(text);
	return ok ? true : workbench_refuse(wb, err.text);
}

static bool
cmd_edit_answer(struct workbench *wb, const char *arg)
{
	const struct question *q = need(wb);
	struct buf text = BUF_INIT;

	if (!q)
		return false;
	if (q->kind == QUESTION_FORM)
		form_to_json_pretty(q->form, &text);
	else if (q->kind == QUESTION_SAMPLING)
		question_sampling_result(
		    q->draft ? q->draft : "", q->draft ? strlen(q->draft) : 0, &text);
	else
		return workbench_refuse(wb, "there is nothing to edit");
	return edit(wb, q, EDITED_ANSWER, &text);
}

static bool
cmd_edit_request(struct workbench *wb, const char *arg)
{
	const struct question *q = need(wb);
	struct buf text = BUF_INIT;

	if (!q)
		return false;
	if (q->kind != QUESTION_SAMPLING)
		return workbench_refuse(wb, "only a sampling request can be edited");
	question_request(q, &text);
	return edit(wb, q, EDITED_REQUEST, &text);
}

void
commands_take_edited(struct workbench *wb, const char *text, size_t len)
{
	struct question *q =
	    wb->ws.server ? server_find_question(wb->ws.server, wb->edited.question) : NULL;

	if (wb->edited.what == EDITED_RECIPE) {
		commands_take_recipe(wb, text, len);
		return;
	}
	if (!q) {
		workbench_refuse(wb, "the request is closed");
		return;
	}
	if (q->kind == QUESTION_FORM) {
		if (!form_load_json(q->form, text, len, NULL))
			form_load_raw(q->form, text, len);
	} else {
		question_set(
		    wb->edited.what == EDITED_REQUEST ? &q->request : &q->draft, text, len);
	}
	server_changed(wb->ws.server);
}

/* ---- a command of the user's ---- */

static bool
cmd_sample(struct workbench *wb, const char *arg)
{
	struct question *q = need(wb);
	struct err err = { "" };

	if (!q)
		return false;
	if (q->kind != QUESTION_SAMPLING)
		return workbench_refuse(wb, "this is not a sampling request");
	if (q->working)
		return workbench_refuse(wb, "the command is already running");
	if (!wb->effects->sample(wb->user, q->id, &err))
		return workbench_refuse(wb, err.text);
	return true;
}

/* ---- roots ---- */

static bool
cmd_root(struct workbench *wb, const char *arg)
{
	bool add = strncmp(arg, "add ", 4) == 0, remove = strncmp(arg, "remove ", 7) == 0;
	struct server *s = wb->ws.server;
	struct err err = { "" };
	bool ok;

	if (!s)
		return workbench_refuse(wb, "no server is connected");
	if (*arg == '\0') {
		wb->ws.question = workspace_question(&wb->ws) ? wb->ws.question : 0;
		workbench_focus(wb, PANE_questions);
		return true;
	}
	if (!add && !remove)
		return workbench_refuse(wb, "usage: root [add|remove PATH]");
	const char *given = arg + (add ? 4 : 7);
	char *path = strncmp(given, "file:", 5) == 0
			 ? mem_strdup(given)
			 : wb->effects->absolute_path(wb->user, given, &err);
	if (!path)
		return workbench_refuse(wb, err.text);
	if (add)
		ok = server_add_root(s, path, wb->now_us, &err);
	else
		ok = server_remove_root(s, path, wb->now_us) ||
		     err_set(&err, "%.200s is not a root", path);
	free(path);
	if (!ok)
		return workbench_refuse(wb, err.text);
	if (server_info(s)->questions.len > 0)
		return true; /* sending them is one more step */
	server_consent_to_roots(s, 0, wb->now_us);
	return workbench_say(wb, ROLE_OK, "%s; the server gets %zu root%s whenever it asks",
	    add ? "added" : "removed", server_info(s)->roots->len,
	    plural(server_info(s)->roots->len));
}

/* clang-format off */
const struct command question_commands[] = {
	COMMAND("questions", "Q f4", "", "show or hide the requests of the server", cmd_questions),
	COMMAND("answer", "", "", "answer the question shown", cmd_answer),
	COMMAND("answer!", "", "", "answer even if the answer has problems", cmd_answer_anyway),
	COMMAND_WITH("decline", "", "[now]", "decline the question shown", cmd_turn_down, false),
	COMMAND_WITH("dismiss", "", "[now]", "cancel the question shown", cmd_turn_down, true),
	COMMAND("open-url", "", "", "consent, and open the requested URL in a browser", cmd_open_url),
	COMMAND("browse", "", "URL", "ask, then open a web page in the browser", cmd_browse),
	COMMAND("browse!", "", "URL", "open a web page in the browser", cmd_browse_now),
	COMMAND("copy-url", "", "", "copy the requested URL", cmd_copy_url),
	COMMAND("edit-answer", "", "", "edit the answer as JSON in $EDITOR", cmd_edit_answer),
	COMMAND("edit-request", "", "", "edit the sampling request, for a command", cmd_edit_request),
	COMMAND("sample", "", "", "answer the sampling request by --sampling-command", cmd_sample),
	COMMAND("root", "", "[add|remove PATH]", "show or change the roots sent to the server", cmd_root),
	{ 0 },
};
/* clang-format on */

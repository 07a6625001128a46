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

static bool
send_answer(struct workbench *wb, const struct question *q, const char *result, size_t len)
{
	uint64_t call = q->call;

	server_answer(wb->ws.server, q->id, result, len, wb->now_us);
	return go_on(wb, call, "answered");
}

#define ACCEPTED "{\"action\":\"accept\"}"

/* Opens or copies the URL of the question. The key is the consent, because the whole URL is on the
 * screen. If the server waits only for the consent, it is sent at once. */
static bool
cmd_open_url(struct workbench *wb, const char *arg, int copies)
{
	struct question *q = need(wb);
	struct err err = { "" };

	if (!q)
		return false;
	if (q->kind != QUESTION_URL)
		return workbench_refuse(wb, "this request has no URL");
	if (copies) {
		wb->effects->copy(wb->user, q->elicitation.url, strlen(q->elicitation.url));
		q->opened = true; /* the user may open it elsewhere */
		server_changed(wb->ws.server);
		return workbench_say(wb, ROLE_OK, "copied; F5 gives your consent");
	}
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
	return send_answer(wb, q, ACCEPTED, strlen(ACCEPTED));
}

static bool
cmd_answer(struct workbench *wb, const char *arg, int anyway)
{
	static const struct confirm_words invalid = { "Send this answer anyway?", "Fix",
		"Send anyway", "next-problem first" };
	static const struct confirm_words flawed = { "Send this answer anyway?", "Go back",
		"Send anyway", NULL };
	const struct question *q = need(wb);
	struct buf result = BUF_INIT;
	const char *flaw = NULL;

	if (!q)
		return false;
	uint64_t call = q->call;
	if (q->kind == QUESTION_ROOTS) {
		server_consent_to_roots(wb->ws.server, q->id, wb->now_us);
		return go_on(wb, call, "sent the roots");
	}
	if (q->kind == QUESTION_FORM) {
		size_t problems = anyway ? 0 : form_check(q->form);
		wb->ws.generation++;
		if (problems > 0) {
			struct buf text = BUF_INIT;
			confirm_add_problems(q->form, "field", &text);
			return confirm_open(wb, &invalid, buf_detach(&text), "answer!");
		}
		question_accept_form(q, &result);
	} else if (q->kind == QUESTION_SAMPLING) {
		if (!q->draft || (!q->draft[0] && !anyway))
			return workbench_refuse(wb, "no answer yet: type one");
		question_sampling_result(q->draft, strlen(q->draft), &result);
		flaw = anyway ? NULL : question_sampling_flaw(q, &result);
	} else {
		if (!q->opened && !anyway)
			return cmd_open_url(wb, "", false);
		return send_answer(wb, q, ACCEPTED, strlen(ACCEPTED));
	}
	bool ok = flaw ? confirm_open(wb, &flawed, mem_printf("%s.", flaw), "answer!")
		       : send_answer(wb, q, buf_text(&result), result.len);
	buf_finish(&result);
	return ok;
}

/* Ways not to answer. */
static const struct denial {
	const char *said, *command;
	struct confirm_words words;
} refusals[] = {
	{ "declined", "decline now",
	    { "Decline without sending it?", "Go back", "Decline", NULL } },
	{ "cancelled", "dismiss now",
	    { "Cancel without sending it?", "Go back", "Cancel the question", NULL } },
};

static bool
cmd_turn_down(struct workbench *wb, const char *arg, int cancels)
{
	const struct denial *how = &refusals[cancels];
	const struct question *q = need(wb);

	if (!q)
		return false;
	uint64_t call = q->call;
	bool asks = strcmp(arg, "now") != 0, has_input = q->draft != NULL;
	if (asks && q->form) { /* as it is shown, without input */
		struct form *fresh = form_create(q->doc, q->elicitation.schema, FORM_DEFAULTS_SENT);
		form_adapt(fresh);
		has_input = !form_equal(fresh, q->form);
		form_destroy(fresh);
	}
	if (asks && has_input)
		return confirm_open(wb, &how->words,
		    mem_strdup("The server does not get what you have filled in, and it is lost."),
		    "%s", how->command);
	return server_decline(wb->ws.server, q->id, cancels, wb->now_us) &&
	       go_on(wb, call, how->said);
}

/* ---- URLs ---- */

/* Opens a web page that a result links to. */
static bool
cmd_browse(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words words = { "Open in the browser?", "Stay here", "Open",
		NULL };
	struct buf text = BUF_INIT;
	struct err err = { "" };
	struct link link;

	link_inspect(&link, arg);
	if (!link.openable)
		return workbench_say(wb, ROLE_ERROR, "cannot be opened: %s", link.refusal);
	if (!asks)
		return wb->effects->open_url(wb->user, arg, &err)
			   ? workbench_say(wb, ROLE_OK, "opened in the browser")
			   : workbench_refuse(wb, err.text);
	buf_addf(&text, "%s\n\nThe server's text links to this page of %.*s.\n", arg,
	    (int)link.host_len, arg + link.host);
	for (size_t i = 0; i < link.warning_count; i++)
		buf_addf(&text, "⚠ %s\n", link.warnings[i]);
	return confirm_open(wb, &words, buf_detach(&text), "browse! %s", arg);
}

/* ---- in $EDITOR ---- */

/* what: EDITED_ANSWER or EDITED_REQUEST */
static bool
cmd_edit_question(struct workbench *wb, const char *arg, int what)
{
	const struct question *q = need(wb);
	struct buf text = BUF_INIT;

	if (!q)
		return false;
	if (what == EDITED_REQUEST && q->kind != QUESTION_SAMPLING)
		return workbench_refuse(wb, "only a sampling request can be edited");
	if (what == EDITED_REQUEST)
		question_request(q, &text);
	else if (q->kind == QUESTION_FORM)
		form_to_json_pretty(q->form, &text);
	else if (q->kind == QUESTION_SAMPLING)
		question_sampling_result(
		    q->draft ? q->draft : "", q->draft ? strlen(q->draft) : 0, &text);
	else
		return workbench_refuse(wb, "there is nothing to edit");
	buf_add_char(&text, '\n');
	bool ok =
	    commands_edit(wb, (struct edited){ .what = (enum edited_what)what, .question = q->id },
		buf_text(&text), text.len);
	buf_finish(&text);
	return ok;
}

void
commands_take_answer(struct workbench *wb, const char *text, size_t len)
{
	struct question *q =
	    wb->ws.server ? server_find_question(wb->ws.server, wb->edited.question) : NULL;

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
	ok = server_change_root(s, path, add, wb->now_us, &err);
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
	COMMAND_WITH("answer", "", "", "answer the question shown", cmd_answer, false),
	COMMAND_WITH("answer!", "", "", "answer even if the answer has problems", cmd_answer, true),
	COMMAND_WITH("decline", "", "[now]", "decline the question shown", cmd_turn_down, false),
	COMMAND_WITH("dismiss", "", "[now]", "cancel the question shown", cmd_turn_down, true),
	COMMAND_WITH("open-url", "", "", "consent, and open the requested URL in a browser", cmd_open_url, false),
	COMMAND_WITH("browse", "", "URL", "ask, then open a web page in the browser", cmd_browse, true),
	COMMAND_WITH("browse!", "", "URL", "open a web page in the browser", cmd_browse, false),
	COMMAND_WITH("copy-url", "", "", "copy the requested URL", cmd_open_url, true),
	COMMAND_WITH("edit-answer", "", "", "edit the answer as JSON in $EDITOR", cmd_edit_question, EDITED_ANSWER),
	COMMAND_WITH("edit-request", "", "", "edit the sampling request, for a command", cmd_edit_question, EDITED_REQUEST),
	COMMAND("sample", "", "", "answer the sampling request by --sampling-command", cmd_sample),
	COMMAND("root", "", "[add|remove PATH]", "show or change the roots sent to the server", cmd_root),
	{ 0 },
};
/* clang-format on */

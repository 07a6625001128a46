/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/strings.h"
#include "json/equal.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* Calls that the project has saved, and the environment that their variables have values of. */

/* ---- the list of them ---- */

enum { NAME_COLS = 28, KEY_COLS = 24, SERVER_COLS = 12 };

static void
saved_finish(struct workbench *wb)
{
	saved_calls_finish(&wb->saved);
}

/* Whether the saved call is of the selected primitive. */
static bool
is_for_desk(const struct workbench *wb, const struct saved_call *call)
{
	const struct desk *desk = wb->ws.desk;

	return desk && call->key && strcmp(desk->key, call->key) == 0 &&
	       (int)desk->kind == call->kind;
}

static bool
saved_open(struct workbench *wb)
{
	struct workspace_collection *c = &wb->ws.collection;
	struct err err = { "" };

	saved_finish(wb);
	if (!c->host->calls(c->user, &wb->saved, &err))
		workbench_say(wb, ROLE_WARNING, "%s", err.text);
	if (wb->saved.len == 0)
		return workbench_refuse(wb, err.text[0] ? err.text
							: "no call is saved in this project: "
							  "Ctrl-S saves the form's arguments");
	list_dialog_open(wb, &dialog_saved, "Saved calls", wb->saved.len);
	/* select the saved call of the form, or else the first of this tool */
	const struct saved_calls *s = &wb->saved;
	const struct desk *desk = wb->ws.desk;
	for (size_t i = s->len; i-- > 0;)
		if (is_for_desk(wb, &s->items[i]))
			list_select(&wb->rows.list, i);
	for (size_t i = 0; desk && desk->saved && i < s->len; i++)
		if (strcmp(s->items[i].name, desk->saved) == 0)
			list_select(&wb->rows.list, i);
	return true;
}

static void
choose_saved(struct workbench *wb, size_t row)
{
	dialog_leave_for(wb, mem_printf("saved %s", wb->saved.items[row].name));
}

/* The arguments of the form are saved, under the name they have or a new one. */
static void
save_form(struct workbench *wb, size_t row)
{
	dialog_leave_for(wb, mem_strdup("save-call"));
}

static void
rename_saved(struct workbench *wb, size_t row)
{
	char *line = mem_printf("rename-saved \"%s\" ", wb->saved.items[row].name);

	dialog_leave(wb);
	prompt_open(wb, line);
	free(line);
}

static void
delete_saved(struct workbench *wb, size_t row)
{
	dialog_leave_for(wb, mem_printf("delete-saved %s", wb->saved.items[row].name));
}

static void
add_saved_text(const struct workbench *wb, size_t row, struct buf *out)
{
	const struct saved_call *c = &wb->saved.items[row];

	buf_addf(
	    out, "%s\n%s\n%s", c->name, c->key ? c->key : "", c->arguments ? c->arguments : "");
}

static void
draw_saved_row(struct workbench *wb, struct surface s, int y, size_t row)
{
	const struct saved_call *c = &wb->saved.items[row];
	bool wide = s.width > 90;
	int name = wide ? NAME_COLS : NAME_COLS - 6, key = wide ? KEY_COLS : KEY_COLS - 4;
	int x = name + 1;

	surface_text(s, 0, y, name,
	    style_on(is_for_desk(wb, c) ? ROLE_TITLE : ROLE_TEXT, ROLE_DIALOG), c->name);
	if (c->trouble) {
		surface_text(s, x, y, -1, style_on(ROLE_ERROR, ROLE_DIALOG), c->trouble);
		return;
	}
	surface_text(s, x, y, key, style_on(ROLE_ACCENT, ROLE_DIALOG), c->key);
	x += key + 1;
	if (wide && c->server)
		surface_text(s, x, y, SERVER_COLS, style_on(ROLE_DIM, ROLE_DIALOG), c->server);
	x += wide ? SERVER_COLS + 1 : 0;
	surface_text(s, x, y, -1, style_on(ROLE_DIM, ROLE_DIALOG), c->arguments);
}

static const struct list_dialog_action saved_keys[] = {
	{ "s", "save the form", save_form },
	{ "c", "rename", rename_saved },
	{ "d delete", "delete", delete_saved },
	{ 0 },
};

const struct dialog dialog_saved = {
	.key = list_dialog_key,
	.draw = list_dialog_draw,
	.finish = saved_finish,
	.add_keys = list_dialog_add_keys,
	.seek = list_dialog_seek,
	.front = FIND_SAVED,
	.rows = &(const struct list_dialog_ops){ .width = 110,
	    .verb = "open",
	    .choose = choose_saved,
	    .draw_row = draw_saved_row,
	    .add_text = add_saved_text,
	    .keys = saved_keys },
};

static struct workspace_collection *
need_collection(struct workbench *wb)
{
	if (wb->ws.collection.host)
		return &wb->ws.collection;
	workbench_refuse(wb, "there is no project here");
	return NULL;
}

/* ---- saving ---- */

/* Secrets are not written: a reference takes their place. secret: the member with a secret that the
 * node is in, by its name or by the tool's definition; NULL: none. tool: the definition if the
 * node is the arguments. Returns how many there were. */
static size_t
write_without_secrets(struct json_writer *w, struct secret_names *names, const cJSON *node,
    const char *secret, const cJSON *tool)
{
	bool object = json_type(node) == JSON_OBJECT;
	const char *text = cJSON_GetStringValue(node);
	size_t hidden = 0;

	if (secret && (json_type(node) == JSON_NUMBER || (text && *text && !strstr(text, "${")))) {
		char *value = json_text(node);
		char *reference = mem_printf("${%s}",
		    secret_names_take(names, variables_check_name(secret, NULL) ? secret : "secret",
			text ? text : value));
		json_write_string(w, reference);
		free(reference);
		free(value);
		return 1;
	}
	if (text) {
		struct buf kept = BUF_INIT;
		hidden = variables_add_without_secrets(names, text, false, &kept);
		json_write_stringn(w, buf_text(&kept), kept.len);
		buf_finish(&kept);
		return hidden;
	}
	if (!object && json_type(node) != JSON_ARRAY) {
		json_write_value(w, node);
		return 0;
	}
	object ? json_write_object(w) : json_write_array(w);
	for (const cJSON *child = json_first(node); child; child = child->next) {
		bool named = object && (json_is_secret_member(child) ||
					   json_is_password_argument(tool, child->string));
		if (object)
			json_write_key(w, child->string);
		hidden +=
		    write_without_secrets(w, names, child, named ? child->string : secret, NULL);
	}
	object ? json_write_object_end(w) : json_write_array_end(w);
	return hidden;
}

/* The arguments of the form; NULL: they cannot be saved, and the bottom bar says why. */
static char *
arguments_to_save(struct workbench *wb, size_t *hidden)
{
	struct buf text = BUF_INIT, plain = BUF_INIT;
	struct secret_names names = { 0 };
	struct json_writer w;

	form_adapt(wb->ws.desk->form);
	form_to_json(wb->ws.desk->form, &text);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	if (json_type(doc ? json_root(doc) : NULL) != JSON_OBJECT) {
		json_doc_destroy(doc);
		workbench_refuse(wb, "only arguments that are a JSON object can be saved");
		return NULL;
	}
	json_write_init(&w, &plain);
	*hidden =
	    write_without_secrets(&w, &names, json_root(doc), NULL, wb->ws.desk->copy.definition);
	secret_names_finish(&names);
	json_doc_destroy(doc);
	return buf_detach(&plain);
}

/* hidden: the secrets that the arguments had. */
static bool
save(struct workbench *wb, const struct saved_call *call, size_t hidden)
{
	struct workspace_collection *c = &wb->ws.collection;
	struct err err = { "" };
	char *path = NULL;

	bool ok = c->host->save(c->user, call, &path, &err);
	if (!ok)
		workbench_refuse(wb, err.text);
	else
		workspace_set_saved(&wb->ws, call->name, call->arguments);
	if (ok && hidden > 0)
		workbench_say(wb, ROLE_WARNING,
		    "saved, but its secrets are ${...}: environments.json has them by { \"env\": "
		    "\"NAME\" }; the file is %s",
		    path);
	else if (ok)
		workbench_say(wb, ROLE_OK, "saved to %s", path);
	free(path);
	return ok;
}

static bool
is_same_json(const char *a, const char *b)
{
	struct json_doc *x = json_parse(a, strlen(a), NULL, NULL);
	struct json_doc *y = json_parse(b, strlen(b), NULL, NULL);
	bool same = x && y && json_equal(json_root(x), json_root(y));

	json_doc_destroy(x);
	json_doc_destroy(y);
	return same;
}

/* Return why the user is asked before a saved call is replaced; NULL: all of it was seen here. The
 * caller frees. */
static char *
find_loss(const struct desk *desk, const struct saved_call *old, const struct saved_call *call)
{
	bool own = desk->saved && strcmp(desk->saved, call->name) == 0;

	if (old->trouble)
		return mem_printf(
		    "The content of %s.json will be lost, because it cannot be read: %s.",
		    old->name, old->trouble);
	if (old->kind != call->kind || strcmp(old->key, call->key) != 0)
		return mem_printf("%s is saved already, for %.60s.", old->name, old->key);
	if (is_same_json(old->arguments, call->arguments) ||
	    (own && is_same_json(old->arguments, desk->saved_arguments)))
		return NULL;
	return own ? mem_printf("Its arguments have changed since %s was opened here.", old->name)
		   : mem_printf("%s is saved already, with other arguments.", old->name);
}

static bool
save_named(struct workbench *wb, const char *name, bool over)
{
	static const struct confirm_words words = { "Save over it?", "Keep it", "Save", NULL };
	const struct desk *desk = wb->ws.desk;
	struct workspace_collection *c = &wb->ws.collection;
	struct saved_calls all = { 0 };
	size_t hidden = 0;
	struct saved_call call = {
		.name = (char *)name,
		.kind = (int)desk->kind,
		.key = desk->key,
		.server = (char *)server_info(wb->ws.server)->name,
		.arguments = arguments_to_save(wb, &hidden),
	};
	bool ok = call.arguments != NULL;

	if (!ok)
		return false;
	c->host->calls(c->user, &all, NULL);
	const struct saved_call *old = saved_calls_find(&all, name);
	char *loss = old && !over ? find_loss(desk, old, &call) : NULL;
	call.rest = old ? old->rest : NULL;
	ok = loss ? confirm_open(wb, &words, loss, "save-call! %s", name) : save(wb, &call, hidden);
	saved_calls_finish(&all);
	free(call.arguments);
	return ok;
}

static bool
cmd_save_call(struct workbench *wb, const char *name, int over)
{
	struct workspace_collection *c = need_collection(wb);
	const struct desk *desk = wb->ws.desk;
	struct err err = { "" };

	if (!c)
		return false;
	if (!wb->ws.server || !desk || !desk->form || (int)desk->kind >= SAVED_KINDS)
		return workbench_refuse(wb, "no form is shown");
	struct buf plain = BUF_INIT; /* a URI is saved unchanged, so that it is found again */
	bool has_secret = desk->kind == PRIMITIVE_RESOURCE &&
			  secret_hide_text(&plain, desk->key, strlen(desk->key));
	buf_finish(&plain);
	if (has_secret)
		return workbench_refuse(
		    wb, "its URI has a secret, which does not belong into the project's files");
	if (*name == '\0') {
		bool fits = desk->kind == PRIMITIVE_TOOL && saved_call_is_name(desk->key, NULL);
		const char *offered = desk->saved ? desk->saved : fits ? desk->key : "";
		char *line = mem_printf("save-call %.*s", SAVED_NAME_MAX, offered);
		prompt_open(wb, line);
		edit_select(&wb->prompt.edit, strlen("save-call "));
		free(line);
		return true;
	}
	return saved_call_is_name(name, &err) ? save_named(wb, name, over)
					      : workbench_refuse(wb, err.text);
}

/* ---- opening ---- */

/* On the server shown if it has it, or else on the one where it was saved. */
static bool
select_target(struct workbench *wb, const struct saved_call *call)
{
	const struct workspace *ws = &wb->ws;
	enum primitive_kind kind = (enum primitive_kind)call->kind;
	bool there =
	    ws->server && call->server && strcmp(server_info(ws->server)->name, call->server) == 0;

	for (size_t i = 0; !there && call->server && i < ws->choice_count; i++)
		there = strcmp(ws->choices[i].target->name, call->server) == 0 &&
			ws->choices[i].server && start_show(wb, i);
	if (!ws->server)
		return false;
	if (kind != PRIMITIVE_RESOURCE)
		return workspace_select_name(&wb->ws, kind, call->key);
	workspace_select_uri(&wb->ws, call->key);
	return true;
}

static bool
open_call(struct workbench *wb, const struct saved_call *call)
{
	if (call->trouble)
		return workbench_say(wb, ROLE_ERROR, "%s.json: %s", call->name, call->trouble);
	if (!select_target(wb, call))
		return workbench_say(wb, ROLE_WARNING,
		    "%.60s is for the %s %.60s%s%.60s, which is not listed here", call->name,
		    primitive_kinds[(enum primitive_kind)call->kind].name, call->key,
		    call->server ? " of " : "", call->server ? call->server : "");
	if (!wb->ws.desk->form)
		return workbench_refuse(wb, "its definition is broken: F2 shows what is wrong");
	struct err err = { "" };
	struct workspace_collection *c = &wb->ws.collection;
	bool read = workspace_use_environment(&wb->ws, c->environment.name, &err);
	workspace_set_saved(&wb->ws, call->name, call->arguments);
	form_load_raw(wb->ws.desk->form, call->arguments, strlen(call->arguments));
	form_check_given(wb->ws.desk->form);
	workbench_focus(wb, PANE_form);
	return read ? true : workbench_refuse(wb, err.text);
}

static bool
cmd_saved(struct workbench *wb, const char *arg)
{
	struct workspace_collection *c = need_collection(wb);
	struct saved_calls all = { 0 };
	struct err err = { "" };

	if (!c)
		return false;
	if (*arg == '\0')
		return saved_open(wb);
	c->host->calls(c->user, &all, &err);
	const struct saved_call *call = saved_calls_find(&all, arg);
	bool ok = call ? open_call(wb, call)
		       : workbench_say(wb, ROLE_ERROR, "no call is saved as %.60s", arg);
	saved_calls_finish(&all);
	return ok;
}

/* ---- names ---- */

static bool
cmd_rename_saved(struct workbench *wb, const char *arg)
{
	struct workspace_collection *c = need_collection(wb);
	struct strings names = { 0 };
	struct err err = { "usage: rename-saved NAME NEW; a name with blanks in quotes" };

	if (!c)
		return false;
	bool ok = strings_split_command(&names, arg, NULL) && names.len == 2 &&
		  c->host->rename(c->user, names.items[0], names.items[1], &err);
	const struct desk *desk = wb->ws.desk;
	if (!ok)
		workbench_refuse(wb, err.text);
	else if (desk && desk->saved && strcmp(desk->saved, names.items[0]) == 0)
		workspace_set_saved(&wb->ws, names.items[1], desk->saved_arguments);
	if (ok)
		workbench_say(wb, ROLE_OK, "renamed to %.80s", names.items[1]);
	strings_finish(&names);
	return ok;
}

static bool
cmd_delete_saved(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words words = { "Delete it?", "Keep it", "Delete", NULL };
	struct workspace_collection *c = need_collection(wb);
	struct err err = { "" };

	if (!c)
		return false;
	if (asks && *arg == '\0')
		return workbench_refuse(wb, "usage: delete-saved NAME");
	if (asks)
		return confirm_open(wb, &words,
		    mem_printf(
			"The file of the saved call %.80s is removed from the project.", arg),
		    "delete-saved! %s", arg);
	if (!c->host->remove(c->user, arg, &err))
		return workbench_refuse(wb, err.text);
	if (wb->ws.desk && wb->ws.desk->saved && strcmp(wb->ws.desk->saved, arg) == 0)
		workspace_set_saved(&wb->ws, NULL, NULL);
	return workbench_say(wb, ROLE_OK, "deleted %.80s", arg);
}

/* ---- environments ---- */

static bool
cmd_environment(struct workbench *wb, const char *arg)
{
	struct err err = { "" };
	bool none = strcmp(arg, "-") == 0;
	const struct workspace_collection *c = need_collection(wb);

	if (!c)
		return false;
	if (*arg == '\0') {
		prompt_open(wb, "environment "); /* which offers them */
		return true;
	}
	if (!workspace_use_environment(&wb->ws, none ? NULL : arg, &err))
		return workbench_refuse(wb, err.text);
	if (wb->ws.desk && wb->ws.desk->form)
		form_check_given(wb->ws.desk->form);
	if (!c->host->keep_environment(c->user, none ? NULL : arg, &err) && err.text[0])
		return workbench_say(wb, ROLE_WARNING, "not kept for the next start: %s", err.text);
	return none ? workbench_say(wb, ROLE_OK, "variables have the values of no environment")
		    : workbench_say(wb, ROLE_OK, "variables have the values of %.60s", arg);
}

/* clang-format off */
const struct command saved_commands[] = {
	COMMAND_WITH("save-call", "ctrl-s", "[NAME]", "save the arguments in the project, under a name or as GROUP/NAME", cmd_save_call, false),
	COMMAND_WITH("save-call!", "", "NAME", "save the arguments, replacing a saved call", cmd_save_call, true),
	COMMAND("saved", "ctrl-o", "[NAME]", "open a call that the project has saved", cmd_saved),
	COMMAND("rename-saved", "", "NAME NEW", "rename a saved call", cmd_rename_saved),
	COMMAND_IN_FULL_WITH("delete-saved", "", "NAME", "delete a saved call, after a question", cmd_delete_saved, true),
	COMMAND_IN_FULL_WITH("delete-saved!", "", "NAME", "delete a saved call", cmd_delete_saved, false),
	COMMAND("environment", "", "[NAME]", "choose the project's environment for ${name}; - for none", cmd_environment),
	{ 0 },
};
/* clang-format on */

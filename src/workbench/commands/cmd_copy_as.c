/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "json/print.h"
#include "json/write.h"
#include "client/call_code.h"
#include "client/history.h"

#include <stdlib.h>
#include <string.h>

/* Copies a call as a command line or a program: a call of the history, the shown call, or the call
 * that the form would make. */

#define CODE_MAX ((size_t)8 << 20) /* bytes of a copy by the terminal */

static void
take_form(struct history_call *h, const struct desk *desk)
{
	struct buf arguments = BUF_INIT, definition = BUF_INIT;

	form_adapt(desk->form);
	form_to_json(desk->form, &arguments);
	if (desk->kind == PRIMITIVE_TOOL && desk->doc)
		json_print(&definition, json_root(desk->doc));
	*h = (struct history_call){
		.kind = (int)desk->kind,
		.server = mem_strdup(server_info(desk->server)->name),
		.key = mem_strdup(desk->key),
		.arguments = buf_detach(&arguments),
		.uri = desk->kind == PRIMITIVE_RESOURCE ? mem_strdup(desk->key) : NULL,
		.definition = definition.len > 0 ? buf_detach(&definition) : NULL,
	};
	history_redact(h);
}

static bool
take_call(struct workbench *wb, const char *id, struct history_call *h, struct err *err)
{
	const struct workspace_history *history = &wb->ws.history;
	const struct call *shown = workspace_call(&wb->ws);
	enum pane_id focus = workbench_focused(wb);
	bool at_form = focus == PANE_form || focus == PANE_tools;

	if (*id == '#' && wb->ws.server)
		shown = server_find_call(wb->ws.server, strtoull(id + 1, NULL, 10));
	else if (*id)
		return (history->host &&
			   history->host->find(history->user, strtoull(id, NULL, 10), true, h)) ||
		       err_set(err, "the history has no such call");
	if (!shown && *id)
		return err_set(err, "this call is kept no longer");
	if (!shown && (!wb->ws.server || !wb->ws.desk || wb->ws.desk->kind == PRIMITIVE_SKILL))
		return err_set(err, "select a tool, resource or prompt first");
	if (shown && (*id || !at_form || !wb->ws.desk->form)) {
		history_take(h, wb->ws.server, shown, 0);
		history_redact(h);
		return true;
	}
	if (!wb->ws.desk->form)
		return err_set(err, "its definition is broken: F2 shows what is wrong with it");
	if (wb->ws.desk->kind == PRIMITIVE_TEMPLATE)
		return err_set(err, "a template has no address before it is called");
	take_form(h, wb->ws.desk);
	return true;
}

static bool
add_code(const struct workbench *wb, const struct call_code_format *format,
    const struct history_call *h, struct buf *out, struct err *err)
{
	const struct server_choice *choice = NULL;

	for (size_t i = 0; !choice && i < wb->ws.choice_count; i++)
		if (strcmp(wb->ws.choices[i].target->name, h->server) == 0)
			choice = &wb->ws.choices[i];
	const struct server_info *info =
	    choice && choice->server ? server_info(choice->server) : NULL;
	const struct session_info *session =
	    info && info->session ? session_info(info->session) : NULL;
	struct json_doc *definition =
	    h->definition ? json_parse(h->definition, strlen(h->definition), NULL, NULL) : NULL;
	if (!choice || (!choice->target->argv && !choice->target->url)) {
		json_doc_destroy(definition);
		return err_set(err, "how its server is started is not known here");
	}
	const struct call_code code = {
		.target = choice->target,
		.origin = choice->origin,
		.kind = (enum primitive_kind)h->kind,
		.key = h->key,
		.uri = h->uri,
		.arguments = h->arguments,
		.definition = definition ? json_root(definition) : NULL,
		.protocol = session ? session->protocol : "",
		.modern = session && session->modern,
		.is_authorized =
		    info && info->auth && auth_flow_info(info->auth).state == AUTH_AUTHORIZED,
	};
	bool ok = format->add(&code, out, err);
	json_doc_destroy(definition);
	return ok;
}

/* If the call was not made, its request. */
static void
add_json(const struct history_call *h, struct buf *out)
{
	struct json_writer w;

	if (h->id != 0) {
		history_add_json(h, true, out);
		return;
	}
	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, h->uri ? "uri" : "name", h->uri ? h->uri : h->key);
	if (!h->uri)
		json_write_member_json(&w, "arguments", h->arguments);
	json_write_object_end(&w);
}

static bool
copy(struct workbench *wb, const struct history_call *h, const char *name)
{
	const struct call_code_format *format = call_code_formats;
	struct buf out = { .max = CODE_MAX };
	struct err err = { "" };
	bool json = strcmp(name, "json") == 0, ok = true;
	bool left_out = !h->uri && h->arguments[0] == '\0'; /* by history_redact() */

	while (!json && format->name && strcmp(format->name, name) != 0)
		format++;
	if (left_out && (!json || h->id == 0))
		ok = err_set(&err, "its arguments are too long to copy: over 1 MiB");
	else if (json)
		add_json(h, &out);
	else if (format->name)
		ok = add_code(wb, format, h, &out, &err);
	else
		ok = err_set(&err, "usage: copy-as json|command|curl|python|typescript");
	if (ok && out.overflowed)
		ok = err_set(&err, "this is too much to copy");
	if (ok) {
		wb->effects->copy(wb->user, buf_text(&out), out.len);
		workbench_say(wb, ROLE_OK, "copied the %s, %s bytes%s%s",
		    json ? "call as JSON" : format->title, units_count(out.len).text,
		    left_out ? "; its arguments are left out: over 1 MiB" : "",
		    strstr(buf_text(&out), SECRET_HIDDEN) ? "; its secrets are hidden" : "");
	}
	buf_finish(&out);
	return ok || workbench_refuse(wb, err.text);
}

/* "[FORMAT] [ID]" */
bool
cmd_copy_as(struct workbench *wb, const char *arg)
{
	struct history_call h = { 0 };
	struct err err = { "" };
	bool has_format = *arg && strspn(arg, "#0123456789") != strlen(arg);
	char *format = has_format ? strings_next_word(&arg) : mem_strdup("");

	bool ok = take_call(wb, arg, &h, &err) || workbench_refuse(wb, err.text);
	if (ok && *format) {
		ok = copy(wb, &h, format);
	} else if (ok) {
		menu_begin(wb, "Copy the call as");
		menu_add(wb, "json",
		    *arg ? "with its reply" : "what is sent, or the call shown with its reply",
		    mem_printf("copy-as json %s", arg));
		for (const struct call_code_format *f = call_code_formats; f->name; f++)
			menu_add(wb, f->name, f->title, mem_printf("copy-as %s %s", f->name, arg));
	}
	history_finish(&h);
	free(format);
	return ok;
}

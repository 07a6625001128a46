#include "app.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/primitive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an app asks for. The server answers its calls and reads; links, downloads and destructive
 * tools wait for the user. */

enum { WISHES_MAX = 16, MESSAGES_MAX = 200, FILES_MAX = 32 };

/* ---- requests for the server ---- */

static struct app_asked *
find_asked(struct app *a, uint64_t token, uint64_t request)
{
	for (size_t i = 0; i < a->asked.len; i++) {
		struct app_asked *each = &a->asked.items[i];
		if (token ? each->token == token : each->request == request)
			return each;
	}
	return NULL;
}

static void
forget(struct app *a, struct app_asked *asked)
{
	VEC_REMOVE(&a->asked, (size_t)(asked - a->asked.items));
}

/* ---- files for the user ---- */

static void
add_file(struct app *a, const char *name, const char *text, const char *blob)
{
	struct app_file file = { 0 };

	if (a->files.len >= FILES_MAX || (!text && !blob))
		return;
	snprintf(file.name, sizeof(file.name), "%s", name);
	if (text)
		buf_add_str(&file.bytes, text);
	else
		base64_decode(&file.bytes, blob, strlen(blob));
	*VEC_PUSH(&a->files) = file;
}

/* The first content that a resource link of a download leads to. */
static void
take_linked(struct app *a, const char *name, const struct session_reply *reply)
{
	const cJSON *content = json_first(json_get(reply->value, "contents"));

	if (reply->kind == REPLY_RESULT)
		add_file(
		    a, name, json_get_string(content, "text"), json_get_string(content, "blob"));
}

/* ---- what the server says ---- */

static void
answer(struct app *a, uint64_t token, const struct session_reply *reply)
{
	struct buf text = BUF_INIT;

	if (reply->kind == REPLY_RESULT) {
		json_print(&text, reply->value);
		app_bridge_answer(a->bridge, token, buf_text(&text), text.len, a->server->now_us);
	} else {
		int64_t code = reply->kind == REPLY_ERROR ? reply->code : APP_ERROR;
		app_bridge_refuse(a->bridge, token, code, reply->text, a->server->now_us);
	}
	buf_finish(&text);
}

static void
on_reply(void *user, uint64_t request, struct session_reply *reply)
{
	struct app *a = user;
	struct app_asked *found = find_asked(a, 0, request);

	if (!found)
		return;
	struct app_asked asked = *found;
	forget(a, found);
	if (asked.token == 0)
		take_linked(a, asked.file, reply);
	else
		answer(a, asked.token, reply);
	app_changed(a);
}

static void
write_progress(struct buf *out, const struct session_progress *p)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	if (p->value)
		json_write_member_value(&w, "progress", p->value);
	if (p->total)
		json_write_member_value(&w, "total", p->total);
	if (p->message)
		json_write_member_string(&w, "message", p->message);
	json_write_object_end(&w);
}

static void
on_progress(void *user, uint64_t request, const struct session_progress *progress)
{
	struct app *a = user;
	struct app_asked *asked = find_asked(a, 0, request);
	struct buf text = BUF_INIT;

	if (!asked)
		return;
	write_progress(&text, progress);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	app_bridge_progress(a->bridge, asked->token, json_root(doc), a->server->now_us);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
relay(struct app *a, uint64_t token, const char *method, const cJSON *params)
{
	const struct relay_owner owner = { on_reply, on_progress, a };
	struct err err;
	uint64_t request = server_relay(a->server, method, params, &owner, &err);

	if (request == 0) {
		app_bridge_refuse(a->bridge, token, APP_ERROR, err.text, a->server->now_us);
		return;
	}
	*VEC_PUSH(&a->asked) = (struct app_asked){ .token = token, .request = request };
}

/* ---- wishes ---- */

static void
finish_wish(struct app_wish *wish)
{
	free(wish->text);
	free(wish->url);
	json_doc_destroy(wish->doc);
}

static void
drop_wish(struct app *a, struct app_wish *wish)
{
	finish_wish(wish);
	VEC_REMOVE(&a->wishes, (size_t)(wish - a->wishes.items));
	app_changed(a);
}

static struct app_wish *
find_wish(struct app *a, uint64_t token)
{
	for (size_t i = 0; i < a->wishes.len; i++)
		if (a->wishes.items[i].token == token)
			return &a->wishes.items[i];
	return NULL;
}

static void
wish(struct app *a, const struct app_ask *ask, char *text)
{
	if (a->wishes.len == WISHES_MAX) {
		free(text);
		app_bridge_refuse(a->bridge, ask->token, APP_ERROR,
		    "too many requests wait for the user", a->server->now_us);
		return;
	}
	*VEC_PUSH(&a->wishes) = (struct app_wish){ .token = ask->token,
		.kind = ask->kind,
		.text = text,
		.url = ask->kind == APP_ASK_LINK ? mem_strdup(ask->name) : NULL,
		.doc = json_doc_ref(ask->doc),
		.value = ask->kind == APP_ASK_TOOL ? ask->params : ask->value };
}

/* ---- each kind ---- */

static void
ask_tool(struct app *a, const struct app_ask *ask)
{
	const struct primitive *tool =
	    primitive_list_find(&a->server->listers[PRIMITIVE_TOOL].list, ask->name, 0);

	if (tool && primitive_is_destructive(tool))
		wish(a, ask, mem_printf("call the destructive tool %s", ask->name));
	else
		relay(a, ask->token, ask->method, ask->params);
}

static void
ask_resource(struct app *a, const struct app_ask *ask)
{
	relay(a, ask->token, ask->method, ask->params);
}

static void
ask_link(struct app *a, const struct app_ask *ask)
{
	wish(a, ask, mem_printf("open %s in the browser", ask->name));
}

static void
ask_download(struct app *a, const struct app_ask *ask)
{
	struct buf text = BUF_INIT;
	struct app_download file;
	size_t count = 0;

	buf_add_str(&text, "save ");
	for (const cJSON *block = json_first(ask->value); block && count < FILES_MAX;
	     block = block->next)
		if (app_download_read(&file, block))
			buf_addf(&text, "%s%s", count++ ? ", " : "", file.name);
	if (count > 0)
		wish(a, ask, mem_strdup(buf_text(&text)));
	else
		app_bridge_refuse(a->bridge, ask->token, ERROR_INVALID_PARAMS,
		    "contents has neither an embedded resource nor a resource link",
		    a->server->now_us);
	buf_finish(&text);
}

/* Line ends are told: what is pasted into a shell runs at each. */
static void
ask_copy(struct app *a, const struct app_ask *ask)
{
	enum { SHOWN = 200 };
	const char *text = json_string(ask->value);
	struct buf question = BUF_INIT;
	size_t lines = 1;

	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	buf_add_str(&question, "copy ");
	units_add_counted(&question, strlen(text), "byte");
	if (lines > 1)
		buf_addf(&question, " in %zu lines", lines);
	buf_add_str(&question, " to the clipboard: ");
	utf8_add_cut(&question, text, strlen(text), SHOWN);
	wish(a, ask, buf_detach(&question));
}

/* There is no conversation: the message is kept for whoever wrote the app. */
static void
ask_message(struct app *a, const struct app_ask *ask)
{
	struct buf text = BUF_INIT;

	if (a->messages.len == MESSAGES_MAX)
		strings_remove(&a->messages, 0);
	json_print(&text, ask->value);
	strings_take(&a->messages, buf_detach(&text));
	app_bridge_answer(a->bridge, ask->token, NULL, 0, a->server->now_us);
}

/* An app that nobody looks at takes no screen. */
static void
ask_display_mode(struct app *a, const struct app_ask *ask)
{
	if (a->shown)
		app_set_display(a, ask->mode, a->server->now_us);
	app_bridge_answer(a->bridge, ask->token, NULL, 0, a->server->now_us);
}

static void
ask_sampling(struct app *a, const struct app_ask *ask)
{
	app_bridge_refuse(
	    a->bridge, ask->token, APP_ERROR, "sampling is not offered", a->server->now_us);
}

void
app_on_ask(void *user, const struct app_ask *ask)
{
	static void (*const kinds[])(struct app *, const struct app_ask *) = {
		[APP_ASK_TOOL] = ask_tool,
		[APP_ASK_RESOURCE] = ask_resource,
		[APP_ASK_LINK] = ask_link,
		[APP_ASK_DOWNLOAD] = ask_download,
		[APP_ASK_MESSAGE] = ask_message,
		[APP_ASK_DISPLAY_MODE] = ask_display_mode,
		[APP_ASK_SAMPLING] = ask_sampling,
		[APP_ASK_COPY] = ask_copy,
	};
	struct app *a = user;

	kinds[ask->kind](a, ask);
	app_changed(a);
}

void
app_on_ask_end(void *user, uint64_t token, const char *why)
{
	struct app *a = user;
	struct app_asked *asked = find_asked(a, token, 0);
	struct app_wish *wished = find_wish(a, token);

	if (asked) {
		uint64_t request = asked->request;
		forget(a, asked);
		server_relay_cancel(a->server, request, why);
	}
	if (wished)
		drop_wish(a, wished);
}

/* ---- the user's answer ---- */

static void
read_linked(struct app *a, const struct app_download *file)
{
	const struct relay_owner owner = { on_reply, NULL, a };
	struct app_asked asked = { 0 };
	struct err err;

	asked.request = server_relay_read(a->server, file->uri, &owner, &err);
	snprintf(asked.file, sizeof(asked.file), "%s", file->name);
	if (asked.request != 0)
		*VEC_PUSH(&a->asked) = asked;
}

static void
save(struct app *a, const struct app_wish *granted)
{
	struct app_download file;

	for (const cJSON *block = json_first(granted->value); block; block = block->next)
		if (!app_download_read(&file, block))
			continue;
		else if (file.uri)
			read_linked(a, &file);
		else
			add_file(a, file.name, file.text, file.blob);
}

bool
app_grant(struct app *a, uint64_t token, int64_t now_us)
{
	struct app_wish *granted = find_wish(a, token);

	if (!granted)
		return false;
	a->server->now_us = now_us;
	if (granted->kind == APP_ASK_TOOL) {
		relay(a, token, "tools/call", granted->value);
	} else {
		if (granted->kind == APP_ASK_DOWNLOAD)
			save(a, granted);
		app_bridge_answer(a->bridge, token, NULL, 0, now_us);
	}
	granted = find_wish(a, token); /* the bridge may have ended it */
	if (granted)
		drop_wish(a, granted);
	return true;
}

bool
app_refuse(struct app *a, uint64_t token, int64_t now_us)
{
	struct app_wish *refused = find_wish(a, token);

	if (!refused)
		return false;
	a->server->now_us = now_us;
	drop_wish(a, refused);
	return app_bridge_refuse(a->bridge, token, APP_ERROR, "the user refused", now_us);
}

bool
app_take_file(struct app *a, struct app_file *out)
{
	if (a->files.len == 0)
		return false;
	*out = a->files.items[0];
	VEC_REMOVE(&a->files, 0);
	return true;
}

/* Tokens are those of a bridge: what one life of the page has asked for is nothing to the next. */
void
app_asks_forget(struct app *a, const char *why)
{
	server_relay_leave(a->server, a, why);
	a->reading = 0;
	a->asked.len = 0;
	while (a->wishes.len > 0)
		drop_wish(a, &a->wishes.items[0]);
}

void
app_asks_finish(struct app *a)
{
	app_asks_forget(a, "the app was closed");
	free(a->asked.items);
	free(a->wishes.items);
	for (size_t i = 0; i < a->files.len; i++)
		buf_finish(&a->files.items[i].bytes);
	free(a->files.items);
	strings_finish(&a->messages);
}

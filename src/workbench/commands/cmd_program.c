/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "json/write.h"
#include "ui/theme_files.h"

#include <stdlib.h>
#include <string.h>

bool
workbench_refuse(struct workbench *wb, const char *why)
{
	return workbench_say(wb, ROLE_ERROR, "%s", why);
}

/* A theme of the user with the name of another one takes its place. */
void
workbench_themes(
    struct workbench *wb, void (*each)(void *ctx, const char *name, const char *note), void *ctx)
{
	struct strings own = { 0 };
	struct theme theme;

	for (size_t i = 0; theme_files[i].name; i++)
		if (theme_builtin(&theme, theme_files[i].name))
			each(ctx, theme_files[i].name,
			    theme.is_light ? "on a light background" : "on a dark background");
	if (wb->effects->list_themes)
		wb->effects->list_themes(wb->user, &own);
	for (size_t i = 0; i < own.len; i++)
		if (!theme_builtin(&theme, own.items[i]))
			each(ctx, own.items[i], "in your folder of themes");
	strings_finish(&own);
}

enum { SETTING_THEME, SETTING_PICTURES };

static bool
cmd_setting(struct workbench *wb, const char *arg, int which)
{
	return commands_set_setting(wb, which == SETTING_THEME ? "theme" : "pictures", arg);
}

static bool
cmd_bind(struct workbench *wb, const char *arg, int binds)
{
	struct err err = { "" };
	char *line = mem_printf("%s %s", binds ? "bind" : "unbind", arg);
	bool ok = workbench_bind(wb, line, &err);

	free(line);
	if (!ok)
		return workbench_refuse(wb, err.text);
	char *context = strings_next_word(&arg), *key = strings_next_word(&arg);
	workbench_say(wb, ROLE_OK, *arg ? "%s in %s runs: %s" : "%s in %s does nothing now%s", key,
	    context, arg);
	free(context);
	free(key);
	return true;
}

bool
workbench_asks_to_replace(struct workbench *wb, const char *path, const char *command)
{
	static const struct confirm_words words = { "Replace the file?", "Keep it", "Replace",
		NULL };

	/* startup commands planned it */
	if (wb->queue.advancing || !wb->effects->has_file(wb->user, path))
		return false;
	return confirm_open(wb, &words, mem_printf("%s is already there.", path), "%s", command);
}

static bool
write_over(struct workbench *wb, const char *path, const char *bytes, size_t len)
{
	struct err err = { "" };

	if (!wb->effects->write_file(wb->user, path, bytes, len, &err))
		return workbench_refuse(wb, err.text);
	return workbench_say(wb, ROLE_OK, "wrote %s, %s bytes", path, units_count(len).text);
}

bool
workbench_write_file(struct workbench *wb, const char *path, const char *bytes, size_t len)
{
	if (!workbench_asks_to_replace(wb, path, "replace-file!"))
		return write_over(wb, path, bytes, len);
	free(wb->replacing.path);
	wb->replacing.path = mem_strdup(path);
	buf_clear(&wb->replacing.bytes);
	buf_add(&wb->replacing.bytes, bytes, len);
	return true;
}

static bool
cmd_replace_file_now(struct workbench *wb, const char *arg)
{
	char *path = wb->replacing.path;

	if (!path)
		return workbench_refuse(wb, "no file waits to be replaced");
	wb->replacing.path = NULL;
	bool ok = write_over(wb, path, buf_text(&wb->replacing.bytes), wb->replacing.bytes.len);
	buf_finish(&wb->replacing.bytes);
	free(path);
	return ok;
}

static bool
cmd_dump(struct workbench *wb, const char *arg)
{
	struct grid grid;
	struct buf text = BUF_INIT, plain = BUF_INIT;

	if (*arg == '\0')
		return workbench_refuse(wb, "usage: dump FILE");
	grid_init(&grid, wb->frame.width > 0 ? wb->frame.width : 120,
	    wb->frame.height > 0 ? wb->frame.height : 36);
	workbench_draw(wb, &grid, wb->now_us);
	grid_to_text(&grid, &text);
	const struct desk *desk = wb->ws.desk;
	if (desk && desk->form) { /* its secrets are hidden, whether it was sent or not */
		struct buf json = BUF_INIT;
		form_to_json(desk->form, &json);
		struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
		if (doc)
			json_note_secrets(
			    json_root(doc), NULL, json_get(desk->copy.definition, "inputSchema"));
		json_doc_destroy(doc);
		buf_finish(&json);
	}
	bool hides = secret_hide_values(&plain, buf_text(&text), text.len, SECRET_VALUES_CUT);
	const struct buf *shown = hides ? &plain : &text;
	bool ok = workbench_write_file(wb, arg, buf_text(shown), shown->len);
	buf_finish(&plain);
	buf_finish(&text);
	grid_finish(&grid);
	return ok;
}

enum { COPY_TO_CLIPBOARD, COPY_TO_FILE, COPY_TO_PAGER };

/* Copies or writes the text, or shows it in the pager: the selection of the pane, or else the raw
 * response. */
static bool
cmd_copy(struct workbench *wb, const char *arg, int where)
{
	enum pane_id id = workbench_focused(wb);
	struct view_env env = workbench_env(wb, id);
	const struct call *call = workspace_call(&wb->ws);
	struct buf selection = BUF_INIT;
	struct err err = { "" };
	bool ok = true;

	if (where == COPY_TO_CLIPBOARD && *arg) {
		wb->effects->copy(wb->user, arg, strlen(arg));
		return workbench_say(wb, ROLE_OK, "copied %s", arg);
	}
	if (where == COPY_TO_FILE && !*arg)
		return workbench_refuse(wb, "usage: write FILE");
	if (where == COPY_TO_PAGER && !wb->effects->page)
		return workbench_refuse(wb, "programs cannot run here");
	if (pane_table[id].ops->copy)
		pane_table[id].ops->copy(wb->panes[id].state, &env, "", &selection);
	else if (pane_table[id].ops->page && pane_table[id].ops->page(wb->panes[id].state, &env))
		page_to_text(wb->panes[id].state, &selection);
	bool selected = selection.len > 0;
	if (!selected && (!call || !call->raw))
		return workbench_refuse(wb, "there is no result to copy");
	const char *bytes = selected ? selection.data : call->raw->data;
	size_t len = selected ? selection.len : call->raw->len;
	if (where == COPY_TO_FILE) {
		ok = workbench_write_file(wb, arg, bytes, len);
	} else if (where == COPY_TO_PAGER) {
		bool is_json = len > 0 && (bytes[0] == '{' || bytes[0] == '[');
		ok = wb->effects->page(wb->user, bytes, len, is_json ? ".json" : ".txt", &err) ||
		     workbench_refuse(wb, err.text);
	} else {
		wb->effects->copy(wb->user, bytes, len);
		workbench_say(wb, ROLE_OK, "copied the %s, %s bytes",
		    selected ? "selection" : "reply", units_count(len).text);
	}
	buf_finish(&selection);
	return ok;
}

/* A program of the user opens data of a server only after a question that names both. A copy of the
 * data waits for the answer, because another result may be shown by then. */

void
file_to_open_finish(struct file_to_open *f)
{
	free(f->type);
	buf_finish(&f->bytes);
	*f = (struct file_to_open){ 0 };
}

bool
commands_ask_to_open(struct workbench *wb, const struct pane_file *file)
{
	static const struct confirm_words words = { "Open in a program?", "Stay here", "Open",
		NULL };
	struct file_to_open *f = &wb->file_to_open;
	struct buf text = BUF_INIT;

	if (!wb->effects->program_for)
		return workbench_refuse(wb, "programs cannot run here");
	file_to_open_finish(f);
	f->type = mem_strdup(file->type);
	f->ending = file->ending;
	buf_add(&f->bytes, file->bytes, file->len);
	buf_addf(&text,
	    "%s\n\n%s, %s bytes, from the server. The program may do more with it than show "
	    "it.",
	    wb->effects->program_for(wb->user, f->type), f->type, units_count(file->len).text);
	return confirm_open(wb, &words, buf_detach(&text), "open-file!");
}

static bool
cmd_open_file_now(struct workbench *wb, const char *arg)
{
	struct file_to_open *f = &wb->file_to_open;
	struct err err = { "" };

	if (!f->type)
		return workbench_refuse(wb, "no block was asked about: open-block does that");
	const struct pane_file file = {
		.type = f->type, .ending = f->ending, .bytes = f->bytes.data, .len = f->bytes.len
	};
	bool ok = wb->effects->open_file(wb->user, &file, &err);
	file_to_open_finish(f);
	return ok || workbench_refuse(wb, err.text);
}

static bool
cmd_command(struct workbench *wb, const char *arg)
{
	char *text = mem_printf("%s%s", arg, *arg ? " " : ""); /* its argument is next */

	prompt_open(wb, text);
	free(text);
	return true;
}

static bool
cmd_suspend(struct workbench *wb, const char *arg)
{
	struct err err = { "" };

	return wb->effects->suspend(wb->user, &err) ? true : workbench_refuse(wb, err.text);
}

/* Those that no history keeps. */
static size_t
count_lost(const struct server *s)
{
	size_t lost = 0;

	for (size_t i = 0; s && i < server_info(s)->calls; i++) {
		const struct call *c = server_call_at(s, i);
		lost += c->state != CALL_RUNNING && c->kept == 0;
	}
	return lost;
}

bool
cmd_quit(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words words = { "Quit?", "Stay", "Quit", NULL };
	const struct server *shown = wb->ws.server;
	const struct desk *desk = NULL;
	size_t running = asks ? wb->effects->running(wb->user) : 0, results = 0;
	struct buf text = BUF_INIT;

	if (asks && !wb->queue.advancing) { /* startup commands planned the end */
		size_t forms = workspace_unsent(&wb->ws, &desk), steps = wb->recording.calls;
		if (forms > 0)
			buf_addf(&text, "Your input for %.60s ", desk->key);
		if (forms > 1)
			buf_addf(&text, "and %zu other form%s ", forms - 1, plural(forms - 1));
		buf_add_str(&text, forms > 0 ? "was not sent and will be lost. " : "");
		if (wb->recording.recorder && steps > 0)
			buf_addf(&text,
			    "The recording of %zu step%s is not written: :record stop FILE writes "
			    "it. ",
			    steps, plural(steps));
		if (wb->work)
			buf_addf(&text, "Not done yet: %s. ", wb->work->text);
		results = count_lost(shown);
		for (size_t i = 0; i < wb->ws.choice_count; i++)
			if (wb->ws.choices[i].server != shown)
				results += count_lost(wb->ws.choices[i].server);
	}
	if (running == 0 && results == 0 && text.len == 0) {
		buf_finish(&text);
		wb->effects->quit(wb->user);
		return true;
	}
	if (running > 0) {
		units_add_counted(&text, running, "call");
		buf_addf(&text, " %s still running. ", running == 1 ? "is" : "are");
	}
	if (results > 0) {
		buf_add_str(&text, "The results of ");
		units_add_counted(&text, results, "call");
		buf_add_str(&text, " will be lost.");
	}
	return confirm_open(wb, &words, buf_detach(&text), "quit!");
}

void
workbench_load_queries(struct workbench *wb, const char *text)
{
	queries_load(&wb->ws.queries, text);
}

void
workbench_add_queries(struct workbench *wb, struct buf *out)
{
	queries_add(&wb->ws.queries, out);
}

/* A hash on each line. */
void
workbench_load_looked(struct workbench *wb, const char *text)
{
	char hash[SHA256_HEX];

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (strspn(text, "0123456789abcdef") == sizeof(hash) - 1 &&
		    wb->ws.looked.len < LOOKED_MAX) {
			snprintf(hash, sizeof(hash), "%s", text);
			strings_add(&wb->ws.looked, hash);
		}
}

void
workbench_add_looked(struct workbench *wb, struct buf *out)
{
	strings_join(&wb->ws.looked, "\n", out);
}

/* clang-format off */
const struct command program_commands[] = {
	COMMAND_WITH("pager", "alt-p", "", "show the text that copy would copy in your pager", cmd_copy, COPY_TO_PAGER),
	COMMAND_WITH("copy", "", "[TEXT]", "copy text, the selected message, the content block or the raw response", cmd_copy, COPY_TO_CLIPBOARD),
	COMMAND_WITH("write", "", "FILE", "like copy, but write to a file", cmd_copy, COPY_TO_FILE),
	COMMAND("replace-file!", "", "", "replace the file that was asked about", cmd_replace_file_now),
	COMMAND("open-file!", "", "", "open the block that open-block asked about", cmd_open_file_now),
	COMMAND("dump", "", "FILE", "write the screen to a file as text", cmd_dump),
	COMMAND_WITH("theme", "", "NAME", "choose a theme, and remember it", cmd_setting, SETTING_THEME),
	COMMAND_WITH("pictures", "", "auto|cells|kitty|sixel", "choose how pictures are drawn: by the terminal's graphics, or in cells", cmd_setting, SETTING_PICTURES),
	COMMAND_WITH("bind", "", "CONTEXT KEY COMMAND", "bind a key to a command, in a pane or in global", cmd_bind, true),
	COMMAND_WITH("unbind", "", "CONTEXT KEY", "unbind a key", cmd_bind, false),
	COMMAND("command", "alt-x :", "", "type a command; Tab completes it", cmd_command),
	COMMAND("suspend", "ctrl-z", "", "suspend to the shell; fg returns", cmd_suspend),
	COMMAND_IN_FULL_WITH("quit", "", "", "quit; asks first if anything would be lost", cmd_quit, true),
	COMMAND_IN_FULL_WITH("quit!", "ctrl-q", "", "quit without confirmation", cmd_quit, false),
	{ 0 },
};
/* clang-format on */

/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/vec.h"
#include "host/history.h"
#include "host/settings_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool
is_file(const char *name)
{
	return strchr(name, '/') || path_has_ending(name, ".theme");
}

static bool
theme_file(struct theme *theme, const char *path, struct err *err)
{
	struct buf text;

	buf_init(&text, SETTINGS_MAX_BYTES);
	bool ok = path_read_regular(path, &text, NULL, err) &&
		  theme_parse(theme, buf_text(&text), text.len, err);
	buf_finish(&text);
	return ok;
}

bool
settings_theme(struct theme *theme, const char *name, struct err *err)
{
	struct err trouble = { "" };
	struct buf names = BUF_INIT;

	if (is_file(name))
		return theme_file(theme, name, err);
	char *file = mem_printf("themes/%s.theme", name), *path = path_config(file);
	bool found = path && access(path, R_OK) == 0 && theme_file(theme, path, &trouble);
	free(path);
	free(file);
	if (found)
		return true;
	if (trouble.text[0])
		return err_set(err, "theme %s: %s", name, trouble.text);
	if (theme_builtin(theme, name))
		return true;
	for (size_t i = 0; theme_builtin_name(i); i++)
		buf_addf(&names, "%s%s", i ? ", " : "", theme_builtin_name(i));
	err_set(err, "unknown theme %s; themes: %s", name, buf_text(&names));
	buf_finish(&names);
	return false;
}

/* ---- the settings ---- */

static bool
take_command(char **setting, const char *name, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, "%s wants a command", name);
	free(*setting);
	*setting = mem_strdup(value);
	return true;
}

static bool
take_theme(struct settings *settings, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, "theme wants a name");
	free(settings->theme);
	settings->theme = mem_strndup(value, strcspn(value, " \t"));
	return true;
}

static void
add_theme(const struct settings *settings, struct buf *out)
{
	buf_add_str(out, settings->theme ? settings->theme : "chosen by the terminal's background");
}

static bool
take_pictures(struct settings *settings, const char *value, struct err *err)
{
	for (int i = 0; backend_pictures_names[i]; i++)
		if (strcmp(backend_pictures_names[i], value) == 0) {
			settings->pictures = (enum backend_pictures)i;
			return true;
		}
	return err_set(err, "pictures are auto, cells, kitty or sixel, not %.40s", value);
}

static void
add_pictures(const struct settings *settings, struct buf *out)
{
	buf_add_str(out, backend_pictures_names[settings->pictures]);
}

static bool
take_editor(struct settings *settings, const char *value, struct err *err)
{
	bool is_screen = strcmp(value, "screen") == 0;

	if (!is_screen && strcmp(value, "pane") != 0)
		return err_set(err, "editor is pane or screen, not %.40s", value);
	settings->editor_on_screen = is_screen;
	return true;
}

static void
add_editor(const struct settings *settings, struct buf *out)
{
	buf_add_str(out, settings->editor_on_screen ? "screen" : "pane");
}

static bool
take_pager(struct settings *settings, const char *value, struct err *err)
{
	return take_command(&settings->pager, "pager", value, err);
}

static void
add_pager(const struct settings *settings, struct buf *out)
{
	buf_add_str(out, settings->pager ? settings->pager : "$PAGER or less");
}

static bool
take_player(struct settings *settings, const char *value, struct err *err)
{
	return take_command(&settings->player, "player", value, err);
}

static void
add_player(const struct settings *settings, struct buf *out)
{
	buf_add_str(out, settings->player ? settings->player : "the first that is installed");
}

static bool
take_open(struct settings *settings, const char *value, struct err *err)
{
	size_t type = strcspn(value, " \t");
	const char *command = value + type + strspn(value + type, " \t");
	struct strings words = { 0 };
	struct err why = { "" };

	if (!strings_split_command(&words, command, &why))
		return err_set(err, "open %.80s: %s", value, why.text);
	strings_finish(&words);
	strings_take(&settings->programs, mem_printf("%.*s %s", (int)type, value, command));
	return true;
}

static void
add_open(const struct settings *settings, struct buf *out)
{
	for (size_t i = 0; i < settings->programs.len; i++)
		buf_addf(out, "%s; ", settings->programs.items[i]);
	buf_add_str(out, "xdg-open for other types");
}

static bool
take_history(struct settings *settings, const char *value, struct err *err)
{
	return history_settings_take(&settings->history, "history", value, err);
}

static void
add_history(const struct settings *settings, struct buf *out)
{
	buf_add_str(out, settings->history.off ? "off" : "on");
}

static bool
take_history_size(struct settings *settings, const char *value, struct err *err)
{
	return history_settings_take(&settings->history, "history-size", value, err);
}

static void
add_history_size(const struct settings *settings, struct buf *out)
{
	size_t bytes =
	    settings->history.max_bytes ? settings->history.max_bytes : HISTORY_DEFAULT_BYTES;
	bool whole = bytes % ((size_t)1 << 20) == 0;

	buf_addf(out, whole ? "%zuM" : "%zu", whole ? bytes >> 20 : bytes);
}

static bool
take_history_days(struct settings *settings, const char *value, struct err *err)
{
	return history_settings_take(&settings->history, "history-days", value, err);
}

static void
add_history_days(const struct settings *settings, struct buf *out)
{
	buf_addf(out, "%d",
	    settings->history.max_days ? settings->history.max_days : HISTORY_DEFAULT_DAYS);
}

static bool
take_parallel(struct settings *settings, const char *value, struct err *err)
{
	char *end;
	long count = strtol(value, &end, 10);

	if (!*value || *end || count < 1 || count > BATCH_AT_ONCE_MAX)
		return err_set(
		    err, "parallel wants 1 to %d calls, not %.40s", BATCH_AT_ONCE_MAX, value);
	settings->parallel = (size_t)count;
	return true;
}

static void
add_parallel(const struct settings *settings, struct buf *out)
{
	buf_addf(out, "%zu", settings->parallel ? settings->parallel : BATCH_AT_ONCE);
}

static const struct setting {
	struct setting_info shown; /* first */
	bool (*take)(struct settings *settings, const char *value, struct err *err);
	void (*add)(const struct settings *settings, struct buf *out);
} settings_table[] = {
#define X(name, id, values, help) { { name, values, help }, take_##id, add_##id },
	SETTINGS(X)
#undef X
};

const struct setting_info *
settings_at(size_t index)
{
	return index < ARRAY_LEN(settings_table) ? &settings_table[index].shown : NULL;
}

static const struct setting *
settings_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(settings_table); i++)
		if (strlen(settings_table[i].shown.name) == len &&
		    strncmp(settings_table[i].shown.name, name, len) == 0)
			return &settings_table[i];
	return NULL;
}

bool
settings_set(struct settings *settings, const char *name, const char *value, struct err *err)
{
	const struct setting *setting = settings_find(name, strlen(name));
	struct strings *programs = &settings->programs;
	size_t before = programs->len;

	if (!setting)
		return settings_refuse_name(name, strlen(name), err);
	if (!setting->take(settings, value, err))
		return false;
	if (programs->len > before) { /* the first that has a type counts: this one */
		char *last = programs->items[before];
		memmove(programs->items + 1, programs->items, before * sizeof(last));
		programs->items[0] = last;
	}
	return true;
}

void
settings_add_value(const struct settings *settings, const char *name, struct buf *out)
{
	const struct setting *setting = settings_find(name, strlen(name));

	if (setting)
		setting->add(settings, out);
}

/* ---- programs ---- */

/* Parameters of the type and case are ignored. */
const char *
settings_program_for(const struct settings *settings, const char *type)
{
	size_t type_len = strcspn(type, "; ");

	for (size_t i = 0; i < settings->programs.len; i++) {
		const char *line = settings->programs.items[i];
		size_t len = strcspn(line, " ");
		bool all = len > 0 && line[len - 1] == '*';
		bool fits = all ? len - 1 <= type_len : len > 0 && len == type_len;
		if (fits && strncasecmp(line, type, all ? len - 1 : len) == 0)
			return line + len + 1;
	}
	return "xdg-open";
}

static bool
take_line(struct workbench *wb, struct settings *settings, const char *text, struct err *err)
{
	struct settings_line line;

	if (!settings_line_read(&line, text))
		return true;
	if (line.binds)
		return workbench_bind(wb, text, err);
	const struct setting *setting = settings_find(line.name, line.name_len);
	if (!setting)
		return settings_refuse_name(line.name, line.name_len, err);
	char *value = mem_strndup(line.value, line.value_len);
	bool ok = setting->take(settings, value, err);
	free(value);
	return ok;
}

void
settings_finish(struct settings *settings)
{
	free(settings->theme);
	free(settings->pager);
	free(settings->player);
	strings_finish(&settings->programs);
	*settings = (struct settings){ 0 };
}

bool
settings_parse(struct workbench *wb, struct settings *settings, const char *text, size_t len,
    const char *path, struct err *err)
{
	const char *end = text + len;
	struct err why = { "" };
	bool ok = true;

	for (unsigned number = 1; ok && text < end; number++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;
		char *line = mem_strndup(text, (size_t)(stop - text));
		ok = take_line(wb, settings, line, &why) ||
		     err_set(err, "%s:%u: %s", path, number, why.text);
		free(line);
		text = newline ? newline + 1 : end;
	}
	return ok;
}

bool
settings_load(struct workbench *wb, struct settings *settings, struct err *err)
{
	char *path = path_config("config");
	struct buf text;
	bool there;

	buf_init(&text, SETTINGS_MAX_BYTES);
	bool ok = !path || (path_read_regular(path, &text, &there, err) &&
			       settings_parse(wb, settings, buf_text(&text), text.len, path, err));
	buf_finish(&text);
	free(path);
	return ok;
}

/* ---- state kept between runs ---- */

enum { KEPT_MAX_BYTES = 64 << 10 };

static const struct {
	const char *name;
	void (*load)(struct workbench *wb, const char *text);
	void (*add)(struct workbench *wb, struct buf *out);
} settings_kept[] = {
	{ "sizes", workbench_load_sizes, workbench_add_sizes },
	{ "first-call", workbench_load_first_call, workbench_add_first_call },
	{ "uses", workbench_load_uses, workbench_add_uses },
	{ "queries", workbench_load_queries, workbench_add_queries },
	{ "seen-definitions", workbench_load_looked, workbench_add_looked },
};

static void
read_kept(const char *path, struct buf *out)
{
	bool there;

	buf_init(out, KEPT_MAX_BYTES);
	if (!private_file_look(path, out, &there, NULL))
		buf_clear(out);
}

void
settings_recall(struct workbench *wb)
{
	for (size_t i = 0; i < ARRAY_LEN(settings_kept); i++) {
		char *path = path_state(settings_kept[i].name);
		struct buf text;
		if (!path)
			return;
		read_kept(path, &text);
		settings_kept[i].load(wb, buf_text(&text));
		buf_finish(&text);
		free(path);
	}
}

void
settings_keep(struct workbench *wb)
{
	for (size_t i = 0; i < ARRAY_LEN(settings_kept); i++) {
		char *path = path_state(settings_kept[i].name);
		struct buf before, now = BUF_INIT;
		if (!path)
			return;
		read_kept(path, &before);
		settings_kept[i].add(wb, &now);
		if (before.len != now.len ||
		    memcmp(buf_text(&before), buf_text(&now), now.len) != 0)
			path_write_private(path, buf_text(&now), now.len, NULL);
		buf_finish(&before);
		buf_finish(&now);
		free(path);
	}
}

char *
settings_recall_theme(void)
{
	char *path = path_state("theme"), *name = NULL;
	struct theme theme;
	struct buf text = BUF_INIT;

	if (path)
		read_kept(path, &text);
	if (text.len > 0)
		name = mem_strndup(buf_text(&text), strcspn(buf_text(&text), "\n"));
	if (name && !settings_theme(&theme, name, NULL)) {
		free(name);
		name = NULL;
	}
	buf_finish(&text);
	free(path);
	return name;
}

void
settings_keep_theme(const char *name)
{
	char *path = path_state("theme");
	bool elsewhere =
	    name && is_file(name) && *name != '/'; /* the next start has another folder */

	if (path && !name)
		unlink(path);
	else if (path && !elsewhere)
		path_write_private(path, name, strlen(name), NULL);
	free(path);
}

/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/vec.h"
#include "host/history.h"
#include "host/settings_file.h"
#include "ui/theme_files.h"

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
	char *file = mem_printf("themes/%s.theme", name), *path = path_of(PATH_CONFIG, file);
	bool found = path && access(path, R_OK) == 0 && theme_file(theme, path, &trouble);
	free(path);
	free(file);
	if (found)
		return true;
	if (trouble.text[0])
		return err_set(err, "theme %s: %s", name, trouble.text);
	if (theme_builtin(theme, name))
		return true;
	for (size_t i = 0; theme_files[i].name; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", theme_files[i].name);
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

enum setting {
#define X(name, id, values, help) SETTING_##id,
	SETTINGS(X)
#undef X
	    SETTING_COUNT
};

static const struct setting_info settings_table[] = {
#define X(name, id, values, help) { name, values, help },
	SETTINGS(X)
#undef X
};

static bool
settings_take(struct settings *settings, enum setting setting, const char *value, struct err *err)
{
	const char *name = settings_table[setting].name;
	char *end;
	long count;

	switch (setting) {
	case SETTING_THEME:
		if (!*value)
			return err_set(err, "theme wants a name");
		free(settings->theme);
		settings->theme = mem_strndup(value, strcspn(value, " \t"));
		return true;
	case SETTING_PICTURES:
		for (int i = 0; backend_pictures_names[i]; i++)
			if (strcmp(backend_pictures_names[i], value) == 0) {
				settings->pictures = (enum backend_pictures)i;
				return true;
			}
		return err_set(err, "pictures are auto, cells, kitty or sixel, not %.40s", value);
	case SETTING_EDITOR:
		if (strcmp(value, "screen") != 0 && strcmp(value, "pane") != 0)
			return err_set(err, "editor is pane or screen, not %.40s", value);
		settings->editor_on_screen = strcmp(value, "screen") == 0;
		return true;
	case SETTING_PAGER:
		return take_command(&settings->pager, name, value, err);
	case SETTING_PLAYER:
		return take_command(&settings->player, name, value, err);
	case SETTING_OPEN:
		return take_open(settings, value, err);
	case SETTING_PARALLEL:
		count = strtol(value, &end, 10);
		if (!*value || *end || count < 1 || count > BATCH_AT_ONCE_MAX)
			return err_set(err, "parallel wants 1 to %d calls, not %.40s",
			    BATCH_AT_ONCE_MAX, value);
		settings->parallel = (size_t)count;
		return true;
	default: /* of the history */
		return history_settings_take(&settings->history, name, value, err);
	}
}

const struct setting_info *
settings_at(size_t index)
{
	return index < ARRAY_LEN(settings_table) ? &settings_table[index] : NULL;
}

/* SETTING_COUNT: there is none of that name. */
static enum setting
settings_find(const char *name, size_t len)
{
	size_t i = 0;

	while (i < SETTING_COUNT && (strlen(settings_table[i].name) != len ||
					strncmp(settings_table[i].name, name, len) != 0))
		i++;
	return (enum setting)i;
}

bool
settings_set(struct settings *settings, const char *name, const char *value, struct err *err)
{
	enum setting setting = settings_find(name, strlen(name));
	struct strings *programs = &settings->programs;
	size_t before = programs->len;

	if (setting == SETTING_COUNT)
		return settings_refuse_name(name, strlen(name), err);
	if (!settings_take(settings, setting, value, err))
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
	const struct history_settings *history = &settings->history;
	size_t bytes = history->max_bytes ? history->max_bytes : HISTORY_DEFAULT_BYTES;
	bool whole = bytes % ((size_t)1 << 20) == 0;

	switch (settings_find(name, strlen(name))) {
	case SETTING_THEME:
		buf_add_str(
		    out, settings->theme ? settings->theme : "chosen by the terminal's background");
		break;
	case SETTING_PICTURES:
		buf_add_str(out, backend_pictures_names[settings->pictures]);
		break;
	case SETTING_EDITOR:
		buf_add_str(out, settings->editor_on_screen ? "screen" : "pane");
		break;
	case SETTING_PAGER:
		buf_add_str(out, settings->pager ? settings->pager : "$PAGER or less");
		break;
	case SETTING_PLAYER:
		buf_add_str(
		    out, settings->player ? settings->player : "the first that is installed");
		break;
	case SETTING_OPEN:
		for (size_t i = 0; i < settings->programs.len; i++)
			buf_addf(out, "%s; ", settings->programs.items[i]);
		buf_add_str(out, "xdg-open for other types");
		break;
	case SETTING_HISTORY:
		buf_add_str(out, history->off ? "off" : "on");
		break;
	case SETTING_HISTORY_SIZE:
		buf_addf(out, whole ? "%zuM" : "%zu", whole ? bytes >> 20 : bytes);
		break;
	case SETTING_HISTORY_DAYS:
		buf_addf(out, "%d", history->max_days ? history->max_days : HISTORY_DEFAULT_DAYS);
		break;
	case SETTING_PARALLEL:
		buf_addf(out, "%zu", settings->parallel ? settings->parallel : BATCH_AT_ONCE);
		break;
	case SETTING_COUNT:
		break;
	}
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
	enum setting setting = settings_find(line.name, line.name_len);
	if (setting == SETTING_COUNT)
		return settings_refuse_name(line.name, line.name_len, err);
	char *value = mem_strndup(line.value, line.value_len);
	bool ok = settings_take(settings, setting, value, err);
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
	char *path = path_of(PATH_CONFIG, "config");
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
		char *path = path_of(PATH_STATE, settings_kept[i].name);
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
		char *path = path_of(PATH_STATE, settings_kept[i].name);
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
	char *path = path_of(PATH_STATE, "theme"), *name = NULL;
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
	char *path = path_of(PATH_STATE, "theme");
	bool elsewhere =
	    name && is_file(name) && *name != '/'; /* the next start has another folder */

	if (path && !name)
		unlink(path);
	else if (path && !elsewhere)
		path_write_private(path, name, strlen(name), NULL);
	free(path);
}

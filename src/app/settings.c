#include "settings.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/units.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SETTINGS_MAX_BYTES ((size_t)1 << 20)

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

/* False with empty err: the file does not exist. */
static bool
user_theme(struct theme *theme, const char *name, struct err *err)
{
	char *file = mem_printf("themes/%s.theme", name);
	char *path = path_config(file);

	bool ok = path && access(path, R_OK) == 0 && theme_file(theme, path, err);
	free(path);
	free(file);
	return ok;
}

bool
settings_theme(struct theme *theme, const char *name, struct err *err)
{
	struct err trouble = { "" };
	struct buf names = BUF_INIT;

	if (is_file(name))
		return theme_file(theme, name, err);
	if (user_theme(theme, name, &trouble))
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

/* The value of "NAME VALUE", up to a comment; NULL: another setting. The caller frees. */
static char *
value_of(const char *line, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(line, name, len) != 0 || !strchr(" \t", line[len]))
		return NULL;
	line += len + strspn(line + len, " \t");
	len = strcspn(line, "#");
	while (len > 0 && strchr(" \t\r", line[len - 1]))
		len--;
	return mem_strndup(line, len);
}

static void
replace(char **setting, char *value)
{
	free(*setting);
	*setting = value;
}

static bool
take_command(char **setting, const char *name, char *value, struct err *err)
{
	if (*value) {
		replace(setting, value);
		return true;
	}
	free(value);
	return err_set(err, "%s wants a command", name);
}

static bool
take_editor(struct settings *settings, char *value, struct err *err)
{
	bool is_screen = strcmp(value, "screen") == 0;
	bool ok = is_screen || strcmp(value, "pane") == 0 ||
		  err_set(err, "editor is pane or screen, not %.40s", value);

	settings->editor_on_screen = is_screen;
	free(value);
	return ok;
}

static bool
take_pictures(struct settings *settings, char *value, struct err *err)
{
	bool ok = backend_pictures_from_name(value, &settings->pictures) ||
		  err_set(err, "pictures are auto, cells, kitty or sixel, not %.40s", value);

	free(value);
	return ok;
}

static bool
take_history(struct settings *settings, char *value, struct err *err)
{
	bool off = strcmp(value, "off") == 0;
	bool ok = off || strcmp(value, "on") == 0 ||
		  err_set(err, "history is on or off, not %.40s", value);

	settings->no_history = off;
	free(value);
	return ok;
}

static bool
take_history_size(struct settings *settings, char *value, struct err *err)
{
	bool ok = units_parse_size(value, &settings->history_bytes) ||
		  err_set(err, "history-size wants a size such as 256M, not %.40s", value);

	free(value);
	return ok;
}

static bool
take_history_days(struct settings *settings, char *value, struct err *err)
{
	char *end;
	long days = strtol(value, &end, 10);
	bool ok = (*value && !*end && days > 0 && days <= 36500) ||
		  err_set(err, "history-days wants a number of days, not %.40s", value);

	settings->history_days = ok ? (int)days : 0;
	free(value);
	return ok;
}

static bool
take_program(struct settings *settings, char *value, struct err *err)
{
	size_t type = strcspn(value, " \t");
	const char *command = value + type + strspn(value + type, " \t");
	struct strings words = { 0 };
	struct err why = { "" };

	if (!strings_split_command(&words, command, &why)) {
		err_set(err, "open %.80s: %s", value, why.text);
		free(value);
		return false;
	}
	strings_finish(&words);
	strings_take(&settings->programs, mem_printf("%.*s %s", (int)type, value, command));
	free(value);
	return true;
}

/* Parameters of the type and case are ignored. */
static bool
has_type(const char *pattern, size_t len, const char *type)
{
	size_t type_len = strcspn(type, "; ");

	if (pattern[len - 1] == '*')
		return len - 1 <= type_len && strncasecmp(pattern, type, len - 1) == 0;
	return len == type_len && strncasecmp(pattern, type, len) == 0;
}

const char *
settings_program_for(const struct settings *settings, const char *type)
{
	for (size_t i = 0; i < settings->programs.len; i++) {
		const char *line = settings->programs.items[i];
		size_t len = strcspn(line, " ");
		if (len > 0 && has_type(line, len, type))
			return line + len + 1;
	}
	return "xdg-open";
}

static bool
take_line(struct workbench *wb, struct settings *settings, const char *line, struct err *err)
{
	char *value;

	line += strspn(line, " \t");
	if (*line == '\0' || *line == '#')
		return true;
	if ((value = value_of(line, "theme"))) {
		value[strcspn(value, " \t")] = '\0';
		replace(&settings->theme, value);
	} else if ((value = value_of(line, "pager")))
		return take_command(&settings->pager, "pager", value, err);
	else if ((value = value_of(line, "player")))
		return take_command(&settings->player, "player", value, err);
	else if ((value = value_of(line, "open")))
		return take_program(settings, value, err);
	else if ((value = value_of(line, "history")))
		return take_history(settings, value, err);
	else if ((value = value_of(line, "history-size")))
		return take_history_size(settings, value, err);
	else if ((value = value_of(line, "history-days")))
		return take_history_days(settings, value, err);
	else if ((value = value_of(line, "editor")))
		return take_editor(settings, value, err);
	else if ((value = value_of(line, "pictures")))
		return take_pictures(settings, value, err);
	else
		return workbench_bind(wb, line, err);
	return true;
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

/* ---- what is kept from run to run ---- */

enum { KEPT_MAX_BYTES = 64 << 10 };

static const struct {
	const char *name;
	void (*load)(struct workbench *wb, const char *text);
	void (*add)(struct workbench *wb, struct buf *out);
} kept[] = {
	{ "sizes", workbench_load_sizes, workbench_add_sizes },
	{ "known-keys", workbench_load_known_keys, workbench_add_known_keys },
	{ "uses", workbench_load_uses, workbench_add_uses },
	{ "queries", workbench_load_queries, workbench_add_queries },
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
	for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
		char *path = path_state(kept[i].name);
		struct buf text;
		if (!path)
			return;
		read_kept(path, &text);
		kept[i].load(wb, buf_text(&text));
		buf_finish(&text);
		free(path);
	}
}

void
settings_keep(struct workbench *wb)
{
	for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
		char *path = path_state(kept[i].name);
		struct buf before, now = BUF_INIT;
		if (!path)
			return;
		read_kept(path, &before);
		kept[i].add(wb, &now);
		if (before.len != now.len ||
		    memcmp(buf_text(&before), buf_text(&now), now.len) != 0)
			path_write_private(path, buf_text(&now), now.len, NULL);
		buf_finish(&before);
		buf_finish(&now);
		free(path);
	}
}

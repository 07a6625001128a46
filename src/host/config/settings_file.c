/* SPDX-License-Identifier: MIT */
#include "host/settings_file.h"

#include "base/buf.h"
#include "base/text_match.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/units.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define X(name, id, values, help) name,
	SETTINGS(X)
#undef X
};

static bool
is_word(const char *word, size_t len, const char *wanted)
{
	return strlen(wanted) == len && strncmp(word, wanted, len) == 0;
}

bool
settings_line_read(struct settings_line *out, const char *line)
{
	static const char blank[] = " \t";

	*out = (struct settings_line){ .name = line + strspn(line, " \t\r") };
	if (*out->name == '\0' || *out->name == '#')
		return false;
	out->name_len = strcspn(out->name, blank);
	out->binds = is_word(out->name, out->name_len, "bind") ||
		     is_word(out->name, out->name_len, "unbind");
	if (is_word(out->name, out->name_len, "set") && out->name[out->name_len]) {
		out->name += out->name_len + strspn(out->name + out->name_len, blank);
		out->name_len = strcspn(out->name, blank);
	}
	out->value = out->name + out->name_len + strspn(out->name + out->name_len, blank);
	out->value_len = out->binds ? strlen(out->value) : strcspn(out->value, "#");
	while (out->value_len > 0 && strchr(" \t\r", out->value[out->value_len - 1]))
		out->value_len--;
	return true;
}

bool
settings_refuse_name(const char *name, size_t len, struct err *err)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, name, len);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		did_you_mean_try(&meant, names[i]);
	return err_set(err, "there is no setting %.*s%s", (int)(len < 40 ? len : 40), name,
	    did_you_mean_or(&meant, ""));
}

/* ---- the history ---- */

bool
history_settings_take(
    struct history_settings *h, const char *name, const char *value, struct err *err)
{
	if (strcmp(name, "history-days") == 0) {
		char *end;
		long days = strtol(value, &end, 10);
		if (!*value || *end || days <= 0 || days > 36500)
			return err_set(
			    err, "history-days: expected a number of days, not %.40s", value);
		h->max_days = (int)days;
		return true;
	}
	if (strcmp(name, "history-size") == 0)
		return units_parse_size(value, &h->max_bytes) ||
		       err_set(err, "history-size: expected a size such as 256M, not %.40s", value);
	if (strcmp(name, "history") != 0)
		return true;
	bool off = strcmp(value, "off") == 0;
	if (!off && strcmp(value, "on") != 0)
		return err_set(err, "history is on or off, not %.40s", value);
	h->off = off;
	return true;
}

static bool
take_line(struct history_settings *h, const char *text, struct err *err)
{
	struct settings_line line;
	bool known = false;

	if (!settings_line_read(&line, text) || line.binds)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		known |= is_word(line.name, line.name_len, names[i]);
	if (!known)
		return settings_refuse_name(line.name, line.name_len, err);
	char *name = mem_strndup(line.name, line.name_len);
	char *value = mem_strndup(line.value, line.value_len);
	bool ok = history_settings_take(h, name, value, err);
	free(name);
	free(value);
	return ok;
}

bool
history_settings_load(struct history_settings *h, struct err *err)
{
	char *path = path_of(PATH_CONFIG, "config");
	struct buf text = { .max = SETTINGS_MAX_BYTES };
	struct err why;
	bool there;
	bool ok = !path || path_read_regular(path, &text, &there, err);
	unsigned number = 1;

	for (const char *at = buf_text(&text); ok && *at; number++) {
		size_t len = strcspn(at, "\n");
		char *line = mem_strndup(at, len);
		ok = take_line(h, line, &why) ||
		     err_set(err, "%.150s:%u: %.100s", path, number, why.text);
		free(line);
		at += len + (at[len] != '\0');
	}
	buf_finish(&text);
	free(path);
	return ok;
}

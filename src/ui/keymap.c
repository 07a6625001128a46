#include "ui/keymap.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

void
keymap_finish(struct keymap *km)
{
	for (size_t i = 0; i < km->len; i++) {
		free(km->items[i].context);
		free(km->items[i].command);
	}
	free(km->items);
	*km = (struct keymap){ 0 };
}

/* The row of exactly this context. */
static struct keymap_row *
find_row(const struct keymap *km, const char *context, const struct key *key)
{
	for (size_t i = km->len; i-- > 0;) {
		struct keymap_row *row = &km->items[i];
		if (key_equal(&row->key, key) && strcmp(row->context, context) == 0)
			return row;
	}
	return NULL;
}

bool
keymap_bind(
    struct keymap *km, const char *context, const char *name, const char *command, struct err *err)
{
	struct key key;

	if (!key_from_name(&key, name))
		return err_set(err, "no key is called %.40s", name);
	/* a key that is bound anew moves to the end: the last one bound is the one that is shown */
	struct keymap_row *old = find_row(km, context, &key);
	if (old) {
		free(old->context);
		free(old->command);
		VEC_REMOVE(km, (size_t)(old - km->items));
	}
	*VEC_PUSH(km) = (struct keymap_row){
		.context = mem_strdup(context),
		.key = key,
		.command = *command ? mem_strdup(command) : NULL,
	};
	return true;
}

/* Cuts the next word off *text, which ends up at the word after it. */
static char *
take_word(char **text)
{
	char *word = *text;
	size_t len = strcspn(word, " \t");

	*text += len + strspn(word + len, " \t");
	word[len] = '\0';
	return word;
}

static bool
parse_line(struct keymap *km, char *line, int number, struct err *err)
{
	struct err why;

	line += strspn(line, " \t");
	line[strcspn(line, "\r")] = '\0';
	if (*line == '\0' || *line == '#')
		return true;
	const char *verb = take_word(&line);
	const char *context = take_word(&line);
	const char *key = take_word(&line);
	bool unbind = strcmp(verb, "unbind") == 0;
	if (!unbind && strcmp(verb, "bind") != 0)
		return err_set(err, "line %d: expected bind or unbind: %.40s", number, verb);
	if (*key == '\0' || (*line == '\0') != unbind)
		return err_set(err, "line %d: expected: %s CONTEXT KEY%s", number, verb,
		    unbind ? "" : " COMMAND");
	if (keymap_bind(km, context, key, line, &why))
		return true;
	return err_set(err, "line %d: %s", number, why.text);
}

bool
keymap_parse(struct keymap *km, const char *text, size_t len, struct err *err)
{
	bool ok = true;

	for (int number = 1; ok && len > 0; number++) {
		const char *end = memchr(text, '\n', len);
		size_t used = end ? (size_t)(end - text) : len;
		char *line = mem_strndup(text, used);
		ok = parse_line(km, line, number, err);
		free(line);
		used += end != NULL;
		text += used;
		len -= used;
	}
	return ok;
}

const char *
keymap_find(const struct keymap *km, const char *context, const struct key *key)
{
	const struct keymap_row *row = find_row(km, context, key);

	if (!row)
		row = find_row(km, KEYMAP_GLOBAL, key);
	return row ? row->command : NULL;
}

static bool
runs(const struct keymap *km, const struct keymap_row *row, const char *where, const char *context,
    const char *command)
{
	return row->command && strcmp(row->command, command) == 0 &&
	       strcmp(row->context, where) == 0 &&
	       keymap_find(km, context, &row->key) == row->command;
}

bool
keymap_keys_in(const struct keymap *km, const char *where, const char *context, const char *command,
    struct buf *out)
{
	char label[64];
	size_t start = out->len;

	for (size_t i = 0; i < km->len; i++) {
		if (!runs(km, &km->items[i], where, context, command))
			continue;
		key_to_label(&km->items[i].key, label, sizeof(label));
		buf_addf(out, "%s%s", out->len > start ? " " : "", label);
	}
	return out->len > start;
}

static bool
name_in(const struct keymap *km, const char *where, const char *context, const char *command,
    char *out, size_t size)
{
	for (size_t i = km->len; i-- > 0;) {
		if (!runs(km, &km->items[i], where, context, command))
			continue;
		key_to_label(&km->items[i].key, out, size);
		return true;
	}
	return false;
}

bool
keymap_key_for(
    const struct keymap *km, const char *context, const char *command, char *out, size_t size)
{
	return name_in(km, context, context, command, out, size) ||
	       name_in(km, KEYMAP_GLOBAL, context, command, out, size);
}

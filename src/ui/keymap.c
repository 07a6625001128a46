/* SPDX-License-Identifier: MIT */
#include "ui/keymap.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LAST_F = 24 };

/* The first name of a key is the one it is shown by. */
static const struct {
	const char *name;
	enum key_kind kind;
	uint32_t ch;
} names[] = {
	{ "enter", KEY_ENTER, 0 },
	{ "return", KEY_ENTER, 0 },
	{ "tab", KEY_TAB, 0 },
	{ "esc", KEY_ESCAPE, 0 },
	{ "escape", KEY_ESCAPE, 0 },
	{ "backspace", KEY_BACKSPACE, 0 },
	{ "delete", KEY_DELETE, 0 },
	{ "del", KEY_DELETE, 0 },
	{ "insert", KEY_INSERT, 0 },
	{ "ins", KEY_INSERT, 0 },
	{ "up", KEY_UP, 0 },
	{ "down", KEY_DOWN, 0 },
	{ "left", KEY_LEFT, 0 },
	{ "right", KEY_RIGHT, 0 },
	{ "home", KEY_HOME, 0 },
	{ "end", KEY_END, 0 },
	{ "pgup", KEY_PAGE_UP, 0 },
	{ "pageup", KEY_PAGE_UP, 0 },
	{ "pgdn", KEY_PAGE_DOWN, 0 },
	{ "pagedown", KEY_PAGE_DOWN, 0 },
	{ "space", KEY_CHAR, ' ' },
};

static const struct {
	const char *prefix;
	uint8_t mod;
} modifiers[] = {
	{ "ctrl-", MOD_CTRL },
	{ "alt-", MOD_ALT },
	{ "shift-", MOD_SHIFT },
};

static const char *
skip_modifiers(const char *text, uint8_t *mods)
{
	for (size_t i = 0; i < ARRAY_LEN(modifiers); i++) {
		size_t len = strlen(modifiers[i].prefix);
		if (strncasecmp(text, modifiers[i].prefix, len) == 0 && text[len] != '\0') {
			*mods |= modifiers[i].mod;
			return skip_modifiers(text + len, mods);
		}
	}
	return text;
}

bool
key_from_name(struct key *key, const char *text)
{
	uint8_t mods = 0;
	uint32_t ch;

	*key = (struct key){ 0 };
	text = skip_modifiers(text, &mods);
	size_t len = strlen(text);
	if (len > 0 && utf8_decode(text, len, &ch) == len && ch > ' ' && ch != 0x7f) {
		*key = char_key(ch, mods);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcasecmp(names[i].name, text) == 0) {
			*key =
			    (struct key){ .kind = names[i].kind, .ch = names[i].ch, .mods = mods };
			return true;
		}
	}
	char *end = NULL;
	bool is_f = (text[0] == 'f' || text[0] == 'F') && text[1] >= '1' && text[1] <= '9';
	unsigned long number = is_f ? strtoul(text + 1, &end, 10) : 0;
	if (!is_f || *end != '\0' || number > LAST_F)
		return false;
	*key = (struct key){ .kind = KEY_F, .ch = (uint32_t)number, .mods = mods };
	return true;
}

static void
base_name(const struct key *key, char *out, size_t size)
{
	if (key->kind == KEY_F) {
		snprintf(out, size, "f%u", (unsigned)key->ch);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (names[i].kind == key->kind &&
		    (key->kind != KEY_CHAR || names[i].ch == key->ch)) {
			snprintf(out, size, "%s", names[i].name);
			return;
		}
	}
	char bytes[5] = "";
	if (key->kind == KEY_CHAR)
		bytes[utf8_encode(key->ch, bytes)] = '\0';
	snprintf(out, size, "%s", bytes);
}

void
key_to_name(const struct key *key, char *out, size_t size)
{
	char base[16], prefix[24] = "";

	for (size_t i = 0, at = 0; i < ARRAY_LEN(modifiers); i++)
		if (key->mods & modifiers[i].mod)
			at += (size_t)snprintf(
			    prefix + at, sizeof(prefix) - at, "%s", modifiers[i].prefix);
	base_name(key, base, sizeof(base));
	snprintf(out, size, "%s%s", base[0] ? prefix : "", base);
}

void
key_to_label(const struct key *key, char *out, size_t size)
{
	key_to_name(key, out, size);
	if (strlen(out) < 2)
		return;
	for (char *at = out; *at;) {
		size_t len = strcspn(at, "-");
		bool letter = at[len] == '\0' && len == 1;
		if (!letter || key->mods == MOD_CTRL)
			*at = (char)ascii_upper(*at);
		at += len + (at[len] == '-');
	}
}

bool
key_equal(const struct key *a, const struct key *b)
{
	if (a->kind != b->kind || a->mods != b->mods)
		return false;
	switch (a->kind) {
	case KEY_NONE:
	case KEY_MOUSE:
	case KEY_PASTE:
	case KEY_REPORT:
		return false;
	case KEY_CHAR:
	case KEY_F:
	case KEY_BARRIER:
		return a->ch == b->ch;
	default:
		return true;
	}
}

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

bool
keymap_has_context(const char *contexts, const char *context)
{
	size_t len = strlen(context);

	for (const char *at = contexts; *(at += strspn(at, " ")); at += strcspn(at, " "))
		if (strncmp(at, context, len) == 0 && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

/* The last row of these contexts. */
static struct keymap_row *
find_row(const struct keymap *km, const char *contexts, const struct key *key)
{
	for (size_t i = km->len; i-- > 0;) {
		struct keymap_row *row = &km->items[i];
		if (key_equal(&row->key, key) && keymap_has_context(contexts, row->context))
			return row;
	}
	return NULL;
}

/* Each hint of a frame compares its command with hundreds of rows. */
static uint64_t
hash_of(const char *command)
{
	return text_hash(NULL, command, strlen(command));
}

bool
keymap_bind(struct keymap *km, const struct keymap_line *line, const void *target, struct err *err)
{
	struct key key;

	if (!key_from_name(&key, line->key))
		return err_set(err, "no key is called %.40s", line->key);
	/* A row that was bound before stays, hidden by this one. */
	struct keymap_row *row = VEC_PUSH(km);
	*row = (struct keymap_row){
		.context = mem_strdup(line->context),
		.key = key,
		.command = *line->command ? mem_strdup(line->command) : NULL,
		.hash = hash_of(line->command),
		.target = target,
		.arg = "",
	};
	if (row->command) {
		row->arg = row->command + strcspn(row->command, " \t");
		row->arg += strspn(row->arg, " \t");
	}
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

bool
keymap_split(char *text, struct keymap_line *out, struct err *err)
{
	char *rest = text + strspn(text, " \t");

	rest[strcspn(rest, "\r\n")] = '\0';
	for (size_t len = strlen(rest); len > 0 && strchr(" \t", rest[len - 1]); len--)
		rest[len - 1] = '\0';
	const char *verb = take_word(&rest);
	out->context = take_word(&rest);
	out->key = take_word(&rest);
	out->command = rest + strspn(rest, ":");
	bool unbind = strcmp(verb, "unbind") == 0;
	if (!unbind && strcmp(verb, "bind") != 0)
		return err_set(err, "expected bind or unbind: %.40s", verb);
	if (*out->key == '\0' || (*out->command == '\0') != unbind)
		return err_set(err, "expected: %s CONTEXT KEY%s", verb, unbind ? "" : " COMMAND");
	return true;
}

const struct keymap_row *
keymap_find(const struct keymap *km, const char *context, const struct key *key)
{
	const struct keymap_row *row = find_row(km, context, key);

	if (!row)
		row = find_row(km, KEYMAP_GLOBAL, key);
	return row && row->command ? row : NULL;
}

bool
keymap_runs(
    const struct keymap *km, const char *context, const struct key *key, const char *command)
{
	const struct keymap_row *row = keymap_find(km, context, key);

	return row && strcmp(row->command, command) == 0;
}

static bool
runs(const struct keymap *km, const struct keymap_row *row, const char *where, const char *context,
    const char *command, uint64_t hash)
{
	return row->hash == hash && row->command && strcmp(row->command, command) == 0 &&
	       keymap_has_context(where, row->context) &&
	       keymap_find(km, context, &row->key) == row;
}

bool
keymap_keys_in(const struct keymap *km, const char *where, const char *context, const char *command,
    struct buf *out)
{
	char label[64];
	size_t start = out->len;
	uint64_t hash = hash_of(command);

	for (size_t i = 0; i < km->len; i++) {
		if (!runs(km, &km->items[i], where, context, command, hash))
			continue;
		key_to_label(&km->items[i].key, label, sizeof(label));
		buf_addf(out, "%s%s", out->len > start ? " " : "", label);
	}
	return out->len > start;
}

bool
keymap_key_for(const struct keymap *km, const char *context, const char *command, bool chord,
    char *out, size_t size)
{
	const char *const where[] = { context, KEYMAP_GLOBAL };
	uint64_t hash = hash_of(command);

	for (size_t i = 0; i < ARRAY_LEN(where); i++)
		for (size_t row = km->len; row-- > 0;) {
			const struct key *key = &km->items[row].key;
			bool is_text = key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT));
			if ((chord && is_text) ||
			    !runs(km, &km->items[row], where[i], context, command, hash))
				continue;
			key_to_label(key, out, size);
			return true;
		}
	return false;
}

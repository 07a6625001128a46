/* SPDX-License-Identifier: MIT */
/* Copied command lines: two readers, with the rules of sh and of fish, restore every word. */
#include "fuzz.h"

#include "base/ascii.h"
#include "json/doc.h"
#include "client/call_code.h"

#include <stdlib.h>
#include <string.h>

/* Read the octal numbers of "$(printf '...')" after its beginning; return its end. */
static const char *
read_numbers(const char *at, struct buf *out)
{
	while (*at == '\\') {
		for (int i = 1; i <= 3; i++)
			demand(at[i] >= '0' && at[i] <= '7');
		buf_add_char(out, (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + at[3] - '0'));
		at += 4;
	}
	demand(strncmp(at, "')\"", 3) == 0);
	while (out->len > 0 && out->data[out->len - 1] == '\n') /* as shells do */
		buf_truncate(out, out->len - 1);
	return at + 3;
}

/* Called after an opening single quote; returns the end of the closing one. */
static const char *
read_quoted(const char *at, bool fish, struct buf *out)
{
	for (; *at != '\''; at++) {
		demand(*at);
		demand((unsigned char)*at >= ' ');
		demand(*at != '!'); /* csh's history */
		at += fish && *at == '\\' && (at[1] == '\\' || at[1] == '\'');
		buf_add_char(out, *at);
	}
	return at + 1;
}

/* Read the next word. Special characters must be quoted. */
static const char *
read_word(const char *at, bool fish, struct buf *out)
{
	static const char numbers[] = "\"$(printf '";

	buf_clear(out);
	demand(*at != '=' && *at != '%' && *at != '~');
	while (*at && *at != ' ' && *at != '\n') {
		if (*at == '\'') {
			at = read_quoted(at + 1, fish, out);
		} else if (*at == '\\') {
			demand(at[1] && strchr("\\'!", at[1]));
			buf_add_char(out, at[1]);
			at += 2;
		} else if (*at == '"') {
			struct buf part = BUF_INIT;
			demand(strncmp(at, numbers, strlen(numbers)) == 0);
			at = read_numbers(at + strlen(numbers), &part);
			buf_add(out, part.data, part.len);
			buf_finish(&part);
		} else {
			demand(strchr(ASCII_ALNUM "-_./:@%+,=", *at));
			buf_add_char(out, *at++);
		}
	}
	return at + (*at == ' ');
}

static void
check(const char *code, bool fish, const char *key, const char *value)
{
	struct buf word = BUF_INIT;

	while (*code == '#') /* lines for the reader of the command */
		code = strchr(code, '\n') + 1;
	code = read_word(code, fish, &word);
	demand(strcmp(buf_text(&word), "mcpane") == 0);
	code = read_word(code, fish, &word);
	demand(strcmp(buf_text(&word), "call") == 0);
	code = read_word(code, fish, &word);
	demand(strcmp(buf_text(&word), "--demo") == 0);
	code = read_word(code, fish, &word);
	demand(strcmp(buf_text(&word), key) == 0);
	code = read_word(code, fish, &word);
	demand(strcmp(buf_text(&word), "--args") == 0);
	code = read_word(code, fish, &word);
	struct json_doc *doc = json_parse(buf_text(&word), word.len, NULL, NULL);
	demand(doc && strcmp(json_get_string(json_root(doc), "a"), value) == 0);
	demand(strcmp(code, "\n") == 0);
	json_doc_destroy(doc);
	buf_finish(&word);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[] = "x";
	const struct target t = { .name = name };
	struct call_code c = { .target = &t, .origin = CHOICE_DEMO, .protocol = "" };
	char *text = malloc(size + 1);
	struct buf code = BUF_INIT, again = BUF_INIT;

	memcpy(text, data, size);
	text[size] = '\0';
	size_t key = strlen(text);
	struct json_doc *doc =
	    json_parse(text + (key < size) + key, size - key - (key < size), NULL, NULL);
	const char *value = doc ? cJSON_GetStringValue(json_root(doc)) : NULL;
	struct buf arguments = BUF_INIT;
	if (value && strlen(value) == strcspn(value, "\1")) {
		buf_add_str(&arguments, "{\"a\":");
		buf_add(&arguments, text + key + 1, size - key - 1);
		buf_add_str(&arguments, "}");
	} else {
		buf_add_str(&arguments, "{\"a\":\"\"}");
		value = "";
	}
	c.key = text;
	c.arguments = buf_text(&arguments);
	if (call_code_formats[0].add(&c, &code, NULL)) {
		check(buf_text(&code), false, text, value);
		check(buf_text(&code), true, text, value);
	} else {
		demand(text[0] == '-' || (key > 0 && text[key - 1] == '\n'));
	}
	code_add_text(&again, CODE_SHELL, text, NULL);
	demand(
	    again.len <= 12 * key + 32); /* a byte by its number between two others: 21 for two */
	buf_finish(&arguments);
	buf_finish(&code);
	buf_finish(&again);
	json_doc_destroy(doc);
	free(text);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "json/pointer.h"

#include "base/vec.h"
#include "json/rows.h"
#include "plain_text.h"

#include <stdlib.h>
#include <string.h>

void
json_pointer_add_key(struct buf *pointer, const char *key)
{
	buf_add_char(pointer, '/');
	for (;;) {
		size_t plain = strcspn(key, "~/");
		buf_add(pointer, key, plain);
		key += plain;
		if (!*key)
			break;
		buf_add_str(pointer, *key++ == '~' ? "~0" : "~1");
	}
}

void
json_pointer_add_index(struct buf *pointer, size_t index)
{
	buf_addf(pointer, "/%zu", index);
}

bool
json_pointer_next(const char **at, struct buf *token)
{
	const char *s = *at;

	buf_clear(token);
	if (*s++ != '/')
		return false;
	for (;;) {
		size_t plain = strcspn(s, "~/");
		buf_add(token, s, plain);
		s += plain;
		if (*s != '~')
			break;
		if (s[1] != '0' && s[1] != '1')
			return false;
		buf_add_char(token, s[1] == '0' ? '~' : '/');
		s += 2;
	}
	*at = s;
	return true;
}

bool
json_pointer_index(const char *digits, size_t count, size_t *index)
{
	*index = 0;
	if (!*digits || (digits[0] == '0' && digits[1]))
		return false;
	for (; *digits; digits++) {
		if (*digits < '0' || *digits > '9' || *index > count)
			return false;
		*index = *index * 10 + (size_t)(*digits - '0');
	}
	return *index < count;
}

const cJSON *
json_pointer_step(const cJSON *node, const char *token)
{
	size_t index;

	if (!cJSON_IsArray(node))
		return json_get(node, token);
	if (!json_pointer_index(token, json_count(node), &index))
		return NULL;
	const cJSON *item = node->child;
	while (item && index-- > 0)
		item = item->next;
	return item;
}

const cJSON *
json_pointer_find(const cJSON *root, const char *pointer)
{
	struct buf token = BUF_INIT;
	const cJSON *node = root;

	while (node && json_pointer_next(&pointer, &token))
		node = json_pointer_step(node, buf_text(&token));
	buf_finish(&token);
	return *pointer ? NULL : node;
}

bool
json_pointer_of(const cJSON *root, const cJSON *node, struct buf *pointer)
{
	struct {
		const cJSON **items;
		size_t len, cap;
	} path = { 0 }; /* the containers around `at` */
	const cJSON *at = root;

	while (at && at != node) {
		const cJSON *child = json_first(at);
		if (child) {
			*VEC_PUSH(&path) = at;
			at = child;
			continue;
		}
		while (path.len > 0 && !at->next)
			at = path.items[--path.len];
		at = path.len > 0 ? at->next : NULL;
	}
	for (size_t i = 0; at && i < path.len; i++) {
		const cJSON *next = i + 1 < path.len ? path.items[i + 1] : node;
		size_t index = 0;
		if (cJSON_IsObject(path.items[i])) {
			json_pointer_add_key(pointer, next->string);
			continue;
		}
		for (const cJSON *c = path.items[i]->child; c != next; c = c->next)
			index++;
		json_pointer_add_index(pointer, index);
	}
	free(path.items);
	return at != NULL;
}

/* The text and its tree, gone through side by side. */
struct walk {
	const char *at, *end, *line_start;
	unsigned line;
	bool key; /* a text is the name of a member */
	struct {
		struct pointer_level {
			const cJSON *next; /* the value that comes next */
			bool object;
		} * items;
		size_t len, cap;
	} levels;
};

/* Moves to the start of the next value and returns it; NULL at the end. */
static const cJSON *
next_value(struct walk *w)
{
	for (; w->at < w->end; w->at++) {
		switch (*w->at) {
		case '\n':
			w->line++;
			w->line_start = w->at + 1;
			break;
		case ' ':
		case '\t':
		case '\r':
		case ':':
			break;
		case ',':
			w->key = w->levels.items[w->levels.len - 1].object;
			break;
		case ']':
		case '}':
			w->key = false;
			if (--w->levels.len == 0)
				return NULL;
			break;
		default:
			if (!w->key)
				return w->levels.items[w->levels.len - 1].next;
			w->at = skip_string(w->at, w->end, NULL) - 1;
			w->key = false;
		}
	}
	return NULL;
}

/* Past a scalar, or into a container. */
static void
enter(struct walk *w, const cJSON *node)
{
	w->levels.items[w->levels.len - 1].next = node->next;
	/* A lazy array has no nodes to go along. */
	if (json_is_lazy(node) || (*w->at != '{' && *w->at != '[')) {
		const char *past = skip_value(w->at, w->end), *newline;
		while ((newline = memchr(w->at, '\n', (size_t)(past - w->at)))) {
			w->line++;
			w->line_start = w->at = newline + 1;
		}
		w->at = past;
		return;
	}
	w->key = *w->at == '{';
	*VEC_PUSH(&w->levels) =
	    (struct pointer_level){ .next = json_first(node), .object = w->key };
	w->at++;
}

void
json_positions(const char *text, size_t len, const cJSON *root, const cJSON *const *nodes,
    size_t count, struct json_position *positions)
{
	struct walk w = {
		.at = text,
		.end = text + len,
		.line_start = text,
		.line = 1,
	};
	size_t found = 0;

	*VEC_PUSH(&w.levels) = (struct pointer_level){ .next = root };
	while (found < count) {
		const cJSON *node = next_value(&w);
		if (!node)
			break;
		for (; found < count && nodes[found] == node; found++)
			positions[found] = (struct json_position){
				.offset = (size_t)(w.at - text),
				.line = w.line,
				.column = (unsigned)(w.at - w.line_start) + 1,
			};
		enter(&w, node);
	}
	for (; found < count; found++)
		positions[found] = (struct json_position){ 0 };
	free(w.levels.items);
}

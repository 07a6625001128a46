#include "json/position.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* The text and its tree, gone through side by side. */
struct walk {
	const char *at, *end, *line_start;
	unsigned line;
	bool key; /* a text is the name of a member */
	struct {
		struct level {
			const cJSON *next; /* the value that comes next */
			bool object;
		} * items;
		size_t len, cap;
	} levels;
};

static void
skip_string(struct walk *w)
{
	for (w->at++; w->at < w->end && *w->at != '"'; w->at++)
		w->at += *w->at == '\\';
	w->at++;
}

static void
skip_scalar(struct walk *w)
{
	if (*w->at == '"') {
		skip_string(w);
		return;
	}
	while (w->at < w->end && !strchr(",]} \t\r\n", *w->at))
		w->at++;
}

/* Moves to where the next value starts, which is returned; NULL at the end. */
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
			skip_string(w);
			w->at--;
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
	if (*w->at != '{' && *w->at != '[') {
		skip_scalar(w);
		return;
	}
	w->key = *w->at == '{';
	*VEC_PUSH(&w->levels) = (struct level){ .next = json_first(node), .object = w->key };
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

	*VEC_PUSH(&w.levels) = (struct level){ .next = root };
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

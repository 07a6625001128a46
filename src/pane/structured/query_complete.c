/* SPDX-License-Identifier: MIT */
#include "structured.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/print.h"
#include "json/rows.h"

#include <stdlib.h>
#include <string.h>

/*
 * Completes the end of a jq expression with the keys of the value there, and with functions of jq.
 * It follows paths, pipes and the arguments of common functions. After any other expression it
 * offers no keys.
 */

enum { NODES_MAX = 64, DEPTH_MAX = 32, WORDS_MAX = 200, NAME_MAX_BYTES = 200 };

/* Possible values of an expression; empty if unknown. */
struct nodes {
	const cJSON *items[NODES_MAX];
	size_t len;
	int wrapped; /* number of arrays that the expression made around them */
};

/* The input of a function's argument, and the function's result. */
enum flow { FLOW_UNKNOWN, FLOW_INPUT, FLOW_ITEMS, FLOW_ARRAY_OF_ARGUMENT };

static const struct jq_function {
	const char *name; /* with "(" if it takes an argument */
	enum flow argument, gives;
} functions[] = {
	{ "add", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "all(", FLOW_ITEMS, FLOW_UNKNOWN },
	{ "any(", FLOW_ITEMS, FLOW_UNKNOWN },
	{ "arrays", FLOW_UNKNOWN, FLOW_INPUT },
	{ "ascii_downcase", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "contains(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "del(", FLOW_INPUT, FLOW_INPUT },
	{ "empty", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "endswith(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "first", FLOW_UNKNOWN, FLOW_ITEMS },
	{ "flatten", FLOW_UNKNOWN, FLOW_INPUT },
	{ "from_entries", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "group_by(", FLOW_ITEMS, FLOW_UNKNOWN },
	{ "has(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "join(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "keys", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "last", FLOW_UNKNOWN, FLOW_ITEMS },
	{ "length", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "limit(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "map(", FLOW_ITEMS, FLOW_ARRAY_OF_ARGUMENT },
	{ "max_by(", FLOW_ITEMS, FLOW_ITEMS },
	{ "min_by(", FLOW_ITEMS, FLOW_ITEMS },
	{ "not", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "numbers", FLOW_UNKNOWN, FLOW_INPUT },
	{ "objects", FLOW_UNKNOWN, FLOW_INPUT },
	{ "paths", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "range(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "reverse", FLOW_UNKNOWN, FLOW_INPUT },
	{ "select(", FLOW_INPUT, FLOW_INPUT },
	{ "sort", FLOW_UNKNOWN, FLOW_INPUT },
	{ "sort_by(", FLOW_ITEMS, FLOW_INPUT },
	{ "split(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "startswith(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "strings", FLOW_UNKNOWN, FLOW_INPUT },
	{ "test(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "to_entries", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "tonumber", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "tostring", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "type", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "unique", FLOW_UNKNOWN, FLOW_INPUT },
	{ "unique_by(", FLOW_ITEMS, FLOW_INPUT },
	{ "values", FLOW_UNKNOWN, FLOW_INPUT },
	{ "with_entries(", FLOW_UNKNOWN, FLOW_UNKNOWN },
};

struct path_level {
	char close;
	bool steps;                         /* [...] after a value: an index into it */
	const struct jq_function *function; /* whose argument this is; NULL: none */
	struct nodes input, before;         /* the outer input, and the indexed value */
};

struct path_walk {
	const char *text;
	size_t len, at;
	struct nodes input; /* the value of `.` */
	struct nodes value; /* of the term before `at` */
	bool glued;         /* a step may follow that term */
	bool binds;         /* `as $x |` keeps the input */
	struct path_level levels[DEPTH_MAX];
	size_t depth;
	struct {
		struct json_reader **items;
		size_t len, cap;
	} readers; /* of the lazy arrays; they own the nodes of the items */
	struct query_words *out;
};

/* ---- values ---- */

static void
add_node(struct nodes *n, const cJSON *node)
{
	if (node && n->len < NODES_MAX)
		n->items[n->len++] = node;
}

static struct nodes
items_of(struct path_walk *w, const struct nodes *of)
{
	struct nodes n = *of;

	if (of->wrapped > 0) {
		n.wrapped--;
		return n;
	}
	n.len = 0;
	for (size_t i = 0; i < of->len; i++) {
		const cJSON *node = of->items[i];
		if (json_is_lazy(node)) {
			struct json_reader *r = json_reader_create(node, NODES_MAX);
			*VEC_PUSH(&w->readers) = r;
			for (size_t at = 0; at < json_count(node) && n.len < NODES_MAX; at++)
				add_node(&n, json_reader_at(r, at));
		}
		for (const cJSON *c = json_first(node); c && n.len < NODES_MAX; c = c->next)
			add_node(&n, c);
	}
	return n;
}

static struct nodes
members_of(const struct nodes *of, const char *key)
{
	struct nodes n = { .len = 0 };

	for (size_t i = 0; of->wrapped == 0 && i < of->len; i++)
		add_node(&n, json_get(of->items[i], key));
	return n;
}

static struct nodes
flow(struct path_walk *w, enum flow flow)
{
	return flow == FLOW_INPUT   ? w->input
	       : flow == FLOW_ITEMS ? items_of(w, &w->input)
				    : (struct nodes){ .len = 0 };
}

/* ---- words ---- */

static bool
starts_name(char c)
{
	return ascii_is_letter(c) || c == '_';
}

static size_t
name_end(const struct path_walk *w, size_t at)
{
	while (at < w->len && (starts_name(w->text[at]) || ascii_is_digit(w->text[at])))
		at++;
	return at;
}

static void
offer(struct query_words *out, const char *word, const char *note)
{
	if (out->words.len >= WORDS_MAX || strings_have(&out->words, word))
		return;
	strings_add(&out->words, word);
	strings_add(&out->notes, note);
}

/* Offer a key in its form after the dot, or the items of a key that is complete. */
static void
offer_key(struct path_walk *w, const cJSON *member, const char *typed, size_t typed_len)
{
	const char *key = member->string, *type = json_type_name(json_type(member));
	struct path_walk name = { .text = key, .len = strlen(key) };
	struct buf word = BUF_INIT;
	bool quoted = typed_len > 0 && *typed == '"';
	size_t skip = quoted;

	if (strncmp(key, typed + skip, typed_len - skip) != 0 || name.len > NAME_MAX_BYTES)
		return;
	if (!quoted && starts_name(*key) && name_end(&name, 0) == name.len)
		buf_add_str(&word, key);
	else
		json_print_string(&word, key, name.len);
	bool exact = word.len == typed_len, is_array = json_type(member) == JSON_ARRAY;
	if (exact && is_array)
		buf_add_str(&word, "[]");
	if (!exact || is_array)
		offer(w->out, buf_text(&word), exact ? "its items" : type);
	buf_finish(&word);
}

static void
offer_keys(struct path_walk *w, const struct nodes *of, size_t from)
{
	w->out->from = from;
	for (size_t i = 0; of->wrapped == 0 && i < of->len; i++) {
		if (!cJSON_IsObject(of->items[i]))
			continue;
		for (const cJSON *m = json_first(of->items[i]); m && w->out->words.len < WORDS_MAX;
		     m = m->next)
			offer_key(w, m, w->text + from, w->len - from);
	}
}

/* ---- the expression ---- */

/* Return the end of the string that begins at `at`, past the text if it is not closed. */
static size_t
string_end(const struct path_walk *w, size_t at)
{
	for (at++; at < w->len && w->text[at] != '"'; at++)
		if (w->text[at] == '\\')
			at++;
	return at < w->len ? at + 1 : w->len + 1;
}

static void
set_value(struct path_walk *w, struct nodes value)
{
	w->value = value;
	w->glued = true;
}

/* `.name`, `."name"`, `.`, `..`; the dot follows a value or begins one. */
static void
take_dot(struct path_walk *w)
{
	struct nodes of = w->glued ? w->value : w->input;
	char next = w->at + 1 < w->len ? w->text[w->at + 1] : '\0';
	size_t from = w->at + 1;
	char key[NAME_MAX_BYTES + 1];

	w->at = next == '"' ? string_end(w, from) : starts_name(next) ? name_end(w, from) : from;
	if (w->at > w->len || (w->at == w->len && next != '"'))
		offer_keys(w, &of, from);
	if (next == '.')
		set_value(w, (struct nodes){ .len = 0 });
	else if (w->at == from || w->at > w->len)
		set_value(w, of);
	else {
		size_t quote = next == '"', n = w->at - from - 2 * quote;
		n = n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES;
		memcpy(key, w->text + from + quote, n);
		key[n] = '\0';
		set_value(w, members_of(&of, key));
	}
	w->at += next == '.';
}

static const struct jq_function *
find_function(const char *name, size_t len, bool argument)
{
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		const char *f = functions[i].name;
		if (strncmp(f, name, len) == 0 && strcmp(f + len, argument ? "(" : "") == 0)
			return &functions[i];
	}
	return NULL;
}

static void
open_level(struct path_walk *w, char close, bool steps, const struct jq_function *function)
{
	struct path_level *l = &w->levels[w->depth];

	if (w->depth + 1 < DEPTH_MAX)
		w->depth++;
	*l = (struct path_level){ close, steps, function, w->input, w->value };
	if (function)
		w->input = flow(w, function->argument);
	w->glued = false;
	w->value.len = 0;
}

static void
close_level(struct path_walk *w, char close)
{
	struct nodes inside = w->value;

	if (w->depth == 0 || w->levels[w->depth - 1].close != close)
		return;
	const struct path_level *l = &w->levels[--w->depth];
	w->input = l->input;
	if (close == ']' && l->steps)
		set_value(w, items_of(w, &l->before));
	else if (close == '}')
		set_value(w, (struct nodes){ .len = 0 });
	else if (l->function && l->function->gives != FLOW_ARRAY_OF_ARGUMENT)
		set_value(w, flow(w, l->function->gives));
	else {
		inside.wrapped += close == ']' || l->function;
		set_value(w, inside);
	}
}

static void
take_name(struct path_walk *w)
{
	size_t from = w->at, end = name_end(w, from), len = end - from;
	bool argument = end < w->len && w->text[end] == '(';

	w->at = end;
	if (end == w->len)
		w->out->from = from;
	for (size_t i = 0; end == w->len && i < ARRAY_LEN(functions); i++)
		if (strncmp(functions[i].name, w->text + from, len) == 0 &&
		    strlen(functions[i].name) > len)
			offer(w->out, functions[i].name, "jq");
	const struct jq_function *f = find_function(w->text + from, len, argument);
	w->binds |= len == 2 && strncmp(w->text + from, "as", 2) == 0;
	if (argument && f) {
		open_level(w, ')', false, f);
		w->at++;
	} else if (!w->binds) {
		set_value(w, f ? flow(w, f->gives) : (struct nodes){ .len = 0 });
	}
}

static void
take_other(struct path_walk *w)
{
	char c = w->text[w->at++];

	if (c == '|') {
		w->input = w->binds ? w->input : w->value;
		w->binds = false;
	} else if (c == ';' && w->depth > 0) {
		w->input = w->levels[w->depth - 1].input;
	} else if (c == '?') {
		return;
	}
	w->glued = false;
	if (c != ' ')
		w->value.len = 0;
}

void
query_complete(const char *text, size_t len, const cJSON *value, struct query_words *out)
{
	struct path_walk w = { .text = text, .len = len, .out = out };

	strings_finish(&out->words);
	strings_finish(&out->notes);
	out->from = len;
	add_node(&w.input, value);
	while (w.at < len) {
		char c = text[w.at];
		if (c == '.') {
			take_dot(&w);
		} else if (c == '"' || c == '$' || c == '@') {
			w.at = c == '"' ? string_end(&w, w.at) : name_end(&w, w.at + 1);
			set_value(&w, (struct nodes){ .len = 0 });
		} else if (starts_name(c)) {
			take_name(&w);
		} else if (c == '[' || c == '(' || c == '{') {
			open_level(&w, c == '[' ? ']' : c == '(' ? ')' : '}', w.glued, NULL);
			w.at++;
		} else if (c == ']' || c == ')' || c == '}') {
			close_level(&w, c);
			w.at++;
		} else {
			take_other(&w);
		}
	}
	for (size_t i = 0; i < w.readers.len; i++)
		json_reader_destroy(w.readers.items[i]);
	free(w.readers.items);
}

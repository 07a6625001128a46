/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/rows.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEFAULT_DEPTH = 1000,
	DEFAULT_FLAWS = 64,
};

/* The token that the grammar expects next. */
enum step {
	STEP_VALUE,
	STEP_KEY,
	STEP_AFTER, /* a comma, a closing bracket or the end */
	STEP_DONE,
	STEP_FAIL,
};

static inline void
skip_space(struct parser *p)
{
	const char *at = p->at;

	while (at < p->end && (unsigned char)*at <= ' ' &&
	       (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
		at++;
	p->at = at;
}

static inline struct level *
innermost(struct parser *p)
{
	return p->levels.len > 0 ? &p->levels.items[p->levels.len - 1] : NULL;
}

static inline bool
is_object(const struct level *level)
{
	return level->container->node.type & cJSON_Object;
}

static enum step
fail(struct parser *p, const char *at, const char *what)
{
	parse_fail(p, at, "%s", what);
	return STEP_FAIL;
}

/* Puts a node of this type at the place of the next value. */
static inline cJSON *
place_node(struct parser *p, cJSON *node, int type)
{
	struct level *level = innermost(p);

	*node = (cJSON){ .type = type, .string = p->key };
	p->key = NULL;
	if (!level) {
		p->doc->root = node;
		return node;
	}
	if (level->last) {
		level->last->next = node;
		node->prev = level->last;
	} else {
		level->container->node.child = node;
	}
	level->last = node;
	level->count++;
	return node;
}

static inline cJSON *
add_node(struct parser *p, int type)
{
	return place_node(p, arena_node(p->arena), type);
}

static inline struct json_node *
add_long_node(struct parser *p, int type)
{
	struct json_node *node = arena_long_node(p->arena);

	place_node(p, &node->node, type | cJSON_IsReference);
	return node;
}

static enum step
close_container(struct parser *p)
{
	struct level *level = innermost(p);

	if (p->levels.len == p->lazy.level && !lazy_close(p))
		return STEP_VALUE;
	struct json_node *container = level->container;
	if (level->last)
		container->node.child->prev = level->last;
	if (!json_is_lazy(&container->node)) {
		container->children.count = level->count;
		container->children.distinct = level->scope.distinct;
	}
	if (is_object(level)) /* return the keys to the enclosing objects */
		while (p->intern.undo.len > level->scope.undo_mark) {
			const struct intern_undo *undo =
			    &p->intern.undo.items[--p->intern.undo.len];
			undo->key->scope = undo->scope;
			undo->key->depth = undo->depth;
		}
	p->levels.len--;
	p->at++;
	return STEP_AFTER;
}

static enum step
open_container(struct parser *p, int type, char close)
{
	if (p->levels.len >= p->max_depth) {
		parse_fail(p, p->at, "nested deeper than %zu", p->max_depth);
		return STEP_FAIL;
	}
	struct json_node *container = add_long_node(p, type);
	struct level *level = VEC_PUSH(&p->levels);
	*level = (struct level){ .container = container };
	if (type == cJSON_Object)
		level->scope =
		    (struct scope){ .id = ++p->intern.last_scope, .undo_mark = p->intern.undo.len };
	p->at++;
	skip_space(p);
	if (p->at < p->end && *p->at == close)
		return close_container(p);
	if (type == cJSON_Array && p->lazy.min_bytes > 0)
		lazy_open(p);
	return type == cJSON_Object ? STEP_KEY : STEP_VALUE;
}

/* The word, character or byte that is there. */
static enum step
found_instead(struct parser *p)
{
	unsigned char first = (unsigned char)*p->at;
	char word[24];
	size_t len = 0;

	for (const char *c = p->at; c < p->end && len + 1 < sizeof(word); c++) {
		if ((*c < 'a' || *c > 'z') && (*c < 'A' || *c > 'Z') && (*c < '0' || *c > '9'))
			break;
		word[len++] = *c;
	}
	word[len] = '\0';
	if (len > 0)
		parse_fail(p, p->at, "expected a value, found %s", word);
	else if (first > 0x20 && first < 0x7f)
		parse_fail(p, p->at, "expected a value, found '%c'", first);
	else
		parse_fail(p, p->at, "expected a value, found byte 0x%02x", first);
	return STEP_FAIL;
}

static enum step
not_a_value(struct parser *p)
{
	static const char *const hints[256] = {
		['\''] = "strings are written in double quotes",
		['+'] = "a number does not start with '+'",
		['.'] = "a number does not start with '.'",
		['/'] = "expected a value; JSON has no comments",
		['#'] = "expected a value; JSON has no comments",
		[0xef] = "expected a value; is this a byte order mark?",
		[0xfe] = "expected a value; is this UTF-16?",
		[0xff] = "expected a value; is this UTF-16?",
	};

	if (p->at == p->end)
		return fail(
		    p, p->at, p->start == p->end ? "empty" : "ends where a value is expected");
	if (hints[(unsigned char)*p->at])
		return fail(p, p->at, hints[(unsigned char)*p->at]);
	struct level *level = innermost(p);
	if (level && level->count > 0 && !is_object(level) && *p->at == ']')
		return fail(p, p->at, "a comma before ']'");
	return found_instead(p);
}

static enum step
literal(struct parser *p, const char *word, size_t len, int type)
{
	if ((size_t)(p->end - p->at) < len || memcmp(p->at, word, len) != 0)
		return not_a_value(p);
	add_node(p, type)->valueint = type == cJSON_True;
	p->at += len;
	return STEP_AFTER;
}

static enum step
number(struct parser *p)
{
	const char *written;
	double value;

	if (!parse_number(p, &value, &written))
		return STEP_FAIL;
	cJSON *node;
	if (written) {
		struct json_node *exact = add_long_node(p, cJSON_Number);
		exact->written = written;
		node = &exact->node;
	} else {
		node = add_node(p, cJSON_Number);
	}
	node->valuedouble = value;
	node->valueint = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
	return STEP_AFTER;
}

static enum step
value(struct parser *p)
{
	skip_space(p);
	if (p->at == p->end)
		return not_a_value(p);
	if (p->job && job_is_stopped(p->job))
		return fail(p, p->at, "stopped");
	if (p->levels.len == p->lazy.level)
		lazy_item(p);
	switch (*p->at) {
	case '{':
		return open_container(p, cJSON_Object, '}');
	case '[':
		return open_container(p, cJSON_Array, ']');
	case '"': {
		cJSON *node = add_node(p, cJSON_String);
		node->valuestring = parse_string(p);
		return node->valuestring ? STEP_AFTER : STEP_FAIL;
	}
	case 't':
		return literal(p, "true", 4, cJSON_True);
	case 'f':
		return literal(p, "false", 5, cJSON_False);
	case 'n':
		return literal(p, "null", 4, cJSON_NULL);
	default:
		if (*p->at != '-' && (*p->at < '0' || *p->at > '9'))
			return not_a_value(p);
		return number(p);
	}
}

/* Adds a key to the innermost object. False: the object already has it. */
static bool
claim(struct parser *p, struct scope *scope, struct interned *key)
{
	if (key->scope == scope->id)
		return false;
	if (key->scope != 0 && key->depth + 1 < p->levels.len &&
	    p->levels.items[key->depth].scope.id == key->scope) /* borrow it */
		*VEC_PUSH(&p->intern.undo) = (struct intern_undo){ key, key->scope, key->depth };
	key->scope = scope->id;
	key->depth = (uint32_t)p->levels.len - 1;
	scope->distinct++;
	return true;
}

static enum step
key(struct parser *p)
{
	skip_space(p);
	const char *start = p->at;
	struct level *level = innermost(p);
	if (p->at == p->end)
		return fail(p, p->at, "ends inside an object");
	if (*p->at != '"')
		return fail(p, p->at,
		    *p->at == '}' && level->last ? "a comma before '}'"
						 : "expected a key in double quotes");
	struct interned *key = parse_key(p);
	if (!key)
		return STEP_FAIL;
	if (!claim(p, &level->scope, key))
		parse_note_flaw(p, JSON_FLAW_DUPLICATE_KEY, start);
	p->key = key->text;
	skip_space(p);
	if (p->at == p->end || *p->at != ':')
		return fail(p, p->at, "expected ':' after the key");
	p->at++;
	return STEP_VALUE;
}

static enum step
after(struct parser *p)
{
	struct level *level = innermost(p);

	skip_space(p);
	if (!level)
		return p->at == p->end ? STEP_DONE : fail(p, p->at, "more text after the value");
	bool object = is_object(level);
	if (p->at < p->end && *p->at == ',') {
		p->at++;
		return object ? STEP_KEY : STEP_VALUE;
	}
	if (p->at < p->end && *p->at == (object ? '}' : ']'))
		return close_container(p);
	if (p->at == p->end)
		return fail(p, p->at, object ? "ends inside an object" : "ends inside an array");
	return fail(p, p->at, object ? "expected ',' or '}'" : "expected ',' or ']'");
}

bool
parse_value(struct parser *p)
{
	enum step step;

	do {
		step = value(p);
		while (step == STEP_AFTER)
			step = after(p);
		if (step == STEP_KEY)
			step = key(p);
	} while (step == STEP_VALUE);
	return step == STEP_DONE;
}

struct json_doc *
json_parse(
    const char *text, size_t len, const struct json_options *options, struct json_error *error)
{
	static const struct json_options defaults = { 0 };
	const struct json_options *wanted = options ? options : &defaults;
	struct json_doc *doc = mem_zalloc(sizeof(*doc));
	struct parser p = {
		.start = text,
		.at = text,
		.end = text + len,
		.doc = doc,
		.arena = &doc->arena,
		.max_depth = wanted->max_depth ? wanted->max_depth : DEFAULT_DEPTH,
		.max_flaws = wanted->max_flaws ? wanted->max_flaws : DEFAULT_FLAWS,
		.position = { .at = text, .line_start = text, .line = 1 },
		.job = wanted->job,
		.lazy = { .blob = wanted->blob,
		    .min_bytes = wanted->lazy_bytes,
		    .in = wanted->lazy_in,
		    .not_before = text,
		    .level = SIZE_MAX },
		.error = error,
	};

	intern_init(&p.intern, &doc->arena);
	bool ok = parse_value(&p);
	arena_finish(&p.lazy.scratch);
	free(p.lazy.starts.items);
	intern_finish(&p.intern);
	free(p.levels.items);
	if (ok)
		return doc;
	json_doc_destroy(doc);
	return NULL;
}

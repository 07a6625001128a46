#include "entry.h"

#include "base/shared_library.h"
#include "json/number.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

/* YAML as JSON text, read by libyaml, which is loaded for the first such file. */

#define FUNCTIONS(X)                    \
	X(yaml_parser_initialize)       \
	X(yaml_parser_set_input_string) \
	X(yaml_parser_load)             \
	X(yaml_parser_delete)           \
	X(yaml_document_get_root_node)  \
	X(yaml_document_get_node)       \
	X(yaml_document_delete)

struct yaml_api {
	FUNCTIONS(SHARED_LIBRARY_POINTER)
};

/* An anchor may be used many times, even in itself: nodes are few, but what they stand for has no
 * end. */
enum { MAX_DEPTH = 64 };
#define MAX_BYTES ((size_t)16 << 20)

struct yaml_writing {
	const struct yaml_api *api;
	yaml_document_t *document;
	struct json_writer w;
	struct json_error *where;
};

static bool
fail(struct json_error *where, yaml_mark_t mark, const char *why)
{
	*where = (struct json_error){ .offset = mark.index,
		.line = (unsigned)mark.line + 1,
		.column = (unsigned)mark.column + 1 };
	snprintf(where->text, sizeof(where->text), "%s", why);
	return false;
}

static bool
is_one_of(const char *text, const char *const *words)
{
	while (*words && strcmp(*words, text) != 0)
		words++;
	return *words != NULL;
}

/* The core schema of YAML 1.2; a value in quotes is a string. */
static void
write_scalar(struct json_writer *w, const yaml_node_t *n)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
	static const char *const yes[] = { "true", "True", "TRUE", NULL };
	static const char *const no[] = { "false", "False", "FALSE", NULL };
	const char *text = (const char *)n->data.scalar.value;
	size_t len = n->data.scalar.length;
	bool is_plain = n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && strlen(text) == len;

	if (is_plain && is_one_of(text, nulls))
		json_write_null(w);
	else if (is_plain && (is_one_of(text, yes) || is_one_of(text, no)))
		json_write_bool(w, is_one_of(text, yes));
	else if (is_plain && json_is_number_text(text, len))
		json_write_raw(w, text, len);
	else
		json_write_stringn(w, text, len);
}

static bool write_node(struct yaml_writing *v, int id, int depth);

static bool
write_items(struct yaml_writing *v, const yaml_node_t *n, int depth)
{
	json_write_array(&v->w);
	for (const yaml_node_item_t *i = n->data.sequence.items.start;
	     i < n->data.sequence.items.top; i++)
		if (!write_node(v, *i, depth))
			return false;
	json_write_array_end(&v->w);
	return true;
}

static bool
write_members(struct yaml_writing *v, const yaml_node_t *n, int depth)
{
	json_write_object(&v->w);
	for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
	     p++) {
		const yaml_node_t *key = v->api->yaml_document_get_node(v->document, p->key);
		if (key->type != YAML_SCALAR_NODE)
			return fail(v->where, key->start_mark, "a key is not a string");
		json_write_key(&v->w, (const char *)key->data.scalar.value);
		if (!write_node(v, p->value, depth))
			return false;
	}
	json_write_object_end(&v->w);
	return true;
}

static bool
write_node(struct yaml_writing *v, int id, int depth)
{
	const yaml_node_t *n = v->api->yaml_document_get_node(v->document, id);

	if (!n) {
		json_write_null(&v->w);
		return true;
	}
	if (depth == MAX_DEPTH)
		return fail(v->where, n->start_mark, "nested too deeply");
	if (n->type == YAML_SCALAR_NODE)
		write_scalar(&v->w, n);
	else if (!(n->type == YAML_SEQUENCE_NODE ? write_items : write_members)(v, n, depth + 1))
		return false;
	return !v->w.out->overflowed || fail(v->where, n->start_mark, "its aliases are too long");
}

static bool
write_document(
    const struct yaml_api *api, yaml_parser_t *parser, struct buf *out, struct json_error *where)
{
	yaml_document_t document;
	struct yaml_writing v = { .api = api, .document = &document, .where = where };

	if (!api->yaml_parser_load(parser, &document))
		return fail(
		    where, parser->problem_mark, parser->problem ? parser->problem : "not YAML");
	json_write_init(&v.w, out);
	bool ok = true;
	if (api->yaml_document_get_root_node(&document))
		ok = write_node(&v, 1, 0); /* the root is the first node */
	else
		json_write_null(&v.w);
	api->yaml_document_delete(&document);
	return ok;
}

bool
server_file_yaml(const char *text, size_t len, struct buf *out, struct json_error *where)
{
	yaml_parser_t parser;
	struct yaml_api api;

	out->max = MAX_BYTES;
	if (!SHARED_LIBRARY_LOAD("libyaml-0.so.2", FUNCTIONS, &api, NULL) ||
	    !api.yaml_parser_initialize(&parser))
		return fail(where, (yaml_mark_t){ 0 }, "YAML needs libyaml (package libyaml-0-2)");
	api.yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	bool ok = write_document(&api, &parser, out, where);
	api.yaml_parser_delete(&parser);
	return ok;
}

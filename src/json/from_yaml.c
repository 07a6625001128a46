#include "json/from_yaml.h"

#include "base/shared_library.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define FUNCTIONS(X)                    \
	X(yaml_parser_initialize)       \
	X(yaml_parser_delete)           \
	X(yaml_parser_set_encoding)     \
	X(yaml_parser_set_input_string) \
	X(yaml_parser_parse)            \
	X(yaml_event_delete)

struct yaml {
	FUNCTIONS(SHARED_LIBRARY_POINTER)
};

struct yaml_reader {
	const struct yaml *api;
	struct json_writer w;
	bool is_map[YAML_MAX_DEPTH], wants_value[YAML_MAX_DEPTH]; /* of the open collections */
	size_t depth;
	bool done;
	struct err *err;
};

/* ---- scalars ---- */

static bool
is_one_of(const char *text, const char *const *words)
{
	while (*words && strcmp(text, *words) != 0)
		words++;
	return *words != NULL;
}

static size_t
digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Hexadecimal and octal numbers have no sign. */
static bool
add_prefixed(const char *text, struct buf *out)
{
	const char *all = text[0] != '0'   ? NULL
			  : text[1] == 'x' ? "0123456789abcdefABCDEF"
			  : text[1] == 'o' ? "01234567"
					   : NULL;
	size_t len = all ? strspn(text + 2, all) : 0;

	if (len == 0 || len > 15 || text[2 + len] != '\0')
		return false;
	buf_addf(out, "%llu", strtoull(text + 2, NULL, text[1] == 'x' ? 16 : 8));
	return true;
}

/* [-+]? ( . digits | digits ( . digits? )? ) ( [eE] [-+]? digits )?, as JSON writes it. */
static bool
add_number(const char *text, struct buf *out)
{
	const char *at = text + (*text == '-' || *text == '+');
	size_t whole = digits(at);
	const char *fraction = at + whole + (at[whole] == '.');
	size_t places = at[whole] == '.' ? digits(fraction) : 0;
	const char *exponent = fraction + places;
	size_t sign = *exponent ? (exponent[1] == '-' || exponent[1] == '+') : 0;

	if (whole + places == 0)
		return false;
	if (*exponent &&
	    ((*exponent != 'e' && *exponent != 'E') || digits(exponent + 1 + sign) == 0 ||
		exponent[1 + sign + digits(exponent + 1 + sign)] != '\0'))
		return false;
	while (whole > 1 && *at == '0') {
		at++;
		whole--;
	}
	buf_addf(out, "%s%.*s", *text == '-' ? "-" : "", whole > 0 ? (int)whole : 1,
	    whole > 0 ? at : "0");
	if (places > 0)
		buf_addf(out, ".%.*s", (int)places, fraction);
	buf_add_str(out, exponent);
	return true;
}

static void
write_scalar(struct json_writer *w, const yaml_event_t *e)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
	static const char *const yes[] = { "true", "True", "TRUE", NULL };
	static const char *const no[] = { "false", "False", "FALSE", NULL };
	const char *text = (const char *)e->data.scalar.value;
	bool plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !e->data.scalar.tag &&
		     strlen(text) == e->data.scalar.length;
	struct buf number = BUF_INIT;

	if (!plain)
		json_write_stringn(w, text, e->data.scalar.length);
	else if (is_one_of(text, nulls))
		json_write_null(w);
	else if (is_one_of(text, yes) || is_one_of(text, no))
		json_write_bool(w, is_one_of(text, yes));
	else if (add_prefixed(text, &number) || add_number(text, &number))
		json_write_raw(w, buf_text(&number), number.len);
	else
		json_write_stringn(w, text, e->data.scalar.length);
	buf_finish(&number);
}

/* ---- events ---- */

static bool
refuse(struct yaml_reader *r, const yaml_event_t *e, const char *what)
{
	return err_set(r->err, "line %zu: %s", e->start_mark.line + 1, what);
}

/* A key, if one is due; a NUL in it would end it early. */
static bool
take_key(struct yaml_reader *r, const yaml_event_t *e)
{
	const char *key = (const char *)e->data.scalar.value;

	if (e->type != YAML_SCALAR_EVENT || strlen(key) != e->data.scalar.length)
		return refuse(r, e, "a key is not a string");
	json_write_key(&r->w, key);
	r->wants_value[r->depth - 1] = true;
	return true;
}

static bool
open(struct yaml_reader *r, const yaml_event_t *e)
{
	bool is_map = e->type == YAML_MAPPING_START_EVENT;

	if (r->depth == YAML_MAX_DEPTH)
		return refuse(r, e, "nested too deeply");
	r->is_map[r->depth] = is_map;
	r->wants_value[r->depth++] = false;
	(is_map ? json_write_object : json_write_array)(&r->w);
	return true;
}

static bool
take_node(struct yaml_reader *r, const yaml_event_t *e)
{
	const yaml_char_t *anchor = e->type == YAML_SCALAR_EVENT ? e->data.scalar.anchor
				    : e->type == YAML_SEQUENCE_START_EVENT
					? e->data.sequence_start.anchor
					: e->data.mapping_start.anchor;

	if (anchor)
		return refuse(r, e, "anchors are not read");
	if (r->depth > 0 && r->is_map[r->depth - 1]) {
		if (!r->wants_value[r->depth - 1])
			return take_key(r, e);
		r->wants_value[r->depth - 1] = false;
	}
	if (e->type != YAML_SCALAR_EVENT)
		return open(r, e);
	write_scalar(&r->w, e);
	return true;
}

static bool
take(struct yaml_reader *r, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_ALIAS_EVENT:
		return refuse(r, e, "aliases are not read");
	case YAML_SCALAR_EVENT:
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		return take_node(r, e);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		r->depth--;
		(r->is_map[r->depth] ? json_write_object_end : json_write_array_end)(&r->w);
		return true;
	case YAML_DOCUMENT_START_EVENT:
		return r->w.out->len == 0 || refuse(r, e, "a second document begins");
	case YAML_STREAM_END_EVENT:
		r->done = true;
		return true;
	default:
		return true;
	}
}

static bool
read_events(struct yaml_reader *r, yaml_parser_t *parser)
{
	yaml_event_t event;
	bool ok = true;

	while (ok && !r->done) {
		if (!r->api->yaml_parser_parse(parser, &event))
			return err_set(r->err, "line %zu: %s", parser->problem_mark.line + 1,
			    parser->problem ? parser->problem : "not YAML");
		ok = take(r, &event);
		r->api->yaml_event_delete(&event);
	}
	return ok;
}

static bool
has_key_twice(const struct json_doc *doc)
{
	const struct json_flaws *flaws = json_flaws(doc);

	for (size_t i = 0; i < flaws->len; i++)
		if (flaws->items[i].kind == JSON_FLAW_DUPLICATE_KEY)
			return true;
	return false;
}

static struct json_doc *
as_json(struct buf *json, struct err *err)
{
	struct json_error why;

	if (json->len == 0)
		buf_add_str(json, "null");
	struct json_doc *doc = json_parse(buf_text(json), json->len, NULL, &why);
	if (!doc)
		err_set(err, "not expressible as JSON: %s", why.text);
	if (!doc || !has_key_twice(doc))
		return doc;
	json_doc_destroy(doc);
	err_set(err, "a key is there twice");
	return NULL;
}

struct json_doc *
yaml_parse(const char *text, size_t len, struct err *err)
{
	struct yaml api;
	struct buf json = BUF_INIT;
	struct yaml_reader r = { .api = &api, .err = err };
	struct json_doc *doc = NULL;
	yaml_parser_t parser;

	if (len > YAML_MAX_BYTES) {
		err_set(err, "longer than %zu bytes", YAML_MAX_BYTES);
		return NULL;
	}
	if (!SHARED_LIBRARY_LOAD("libyaml-0.so.2", FUNCTIONS, &api, err))
		return NULL;
	if (!api.yaml_parser_initialize(&parser)) {
		err_set(err, "no memory for a parser of YAML");
		return NULL;
	}
	api.yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	api.yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	json_write_init(&r.w, &json);
	if (read_events(&r, &parser))
		doc = as_json(&json, err);
	api.yaml_parser_delete(&parser);
	buf_finish(&json);
	return doc;
}

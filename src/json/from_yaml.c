/* SPDX-License-Identifier: MIT */
#include "json/from_yaml.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/shared_library.h"
#include "base/strings.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdio.h>
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

/* The value that an alias repeats: a part of the output. */
struct yaml_anchor {
	char *name;
	size_t start, end; /* end 0: it is still being written */
};

enum { MAX_DEPTH = 64, MAX_ANCHORS = 1000 };

struct yaml_reader {
	const struct yaml *api;
	struct json_writer w;
	struct {
		bool is_map, wants_value;
		size_t anchor; /* its number from 1; 0: none */
	} open[MAX_DEPTH];
	size_t depth;
	struct {
		struct yaml_anchor *items;
		size_t len, cap;
	} anchors;
	bool done;
	struct json_error *why;
};

/* ---- scalars ---- */

/* 0x hexadecimal, 0o octal, or [-+]? ( . digits | digits ( . digits? )? ) ( [eE] [-+]? digits )?,
 * as JSON writes it. */
static bool
add_number(const char *text, struct buf *out)
{
	const char *at = text + (*text == '-' || *text == '+');
	size_t whole = strspn(at, ASCII_DIGITS);
	const char *fraction = at + whole + (at[whole] == '.');
	size_t places = at[whole] == '.' ? strspn(fraction, ASCII_DIGITS) : 0;
	const char *exponent = fraction + places;
	size_t sign = *exponent ? (exponent[1] == '-' || exponent[1] == '+') : 0;
	const char *prefixed = strncmp(text, "0x", 2) == 0   ? "0123456789abcdefABCDEF"
			       : strncmp(text, "0o", 2) == 0 ? "01234567"
							     : NULL;
	size_t len = prefixed ? strspn(text + 2, prefixed) : 0;

	if (len > 0 && len <= 15 && text[2 + len] == '\0') {
		buf_addf(out, "%llu", strtoull(text + 2, NULL, text[1] == 'x' ? 16 : 8));
		return true;
	}
	if (whole + places == 0)
		return false;
	if (*exponent &&
	    ((*exponent != 'e' && *exponent != 'E') ||
		strspn(exponent + 1 + sign, ASCII_DIGITS) == 0 ||
		exponent[1 + sign + strspn(exponent + 1 + sign, ASCII_DIGITS)] != '\0'))
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
	else if (words_have(nulls, text))
		json_write_null(w);
	else if (words_have(yes, text) || words_have(no, text))
		json_write_bool(w, words_have(yes, text));
	else if (add_number(text, &number))
		json_write_raw(w, buf_text(&number), number.len);
	else
		json_write_stringn(w, text, e->data.scalar.length);
	buf_finish(&number);
}

/* ---- events ---- */

static bool
refuse(struct yaml_reader *r, yaml_mark_t mark, const char *what)
{
	*r->why = (struct json_error){ .offset = mark.index,
		.line = (unsigned)mark.line + 1,
		.column = (unsigned)mark.column + 1 };
	snprintf(r->why->text, sizeof(r->why->text), "%s", what);
	return false;
}

static bool
take_alias(struct yaml_reader *r, const yaml_event_t *e)
{
	const char *name = (const char *)e->data.alias.anchor;
	size_t i = r->anchors.len;

	while (i > 0 && strcmp(r->anchors.items[i - 1].name, name) != 0)
		i--;
	if (i == 0)
		return refuse(r, e->start_mark, "an alias of no value");
	if (r->anchors.items[i - 1].end == 0)
		return refuse(r, e->start_mark, "an alias in its own value");
	size_t start = r->anchors.items[i - 1].start;
	char *value = mem_strndup(buf_text(r->w.out) + start, r->anchors.items[i - 1].end - start);
	json_write_raw(&r->w, value, strlen(value));
	free(value);
	return true;
}

static bool
take_value(struct yaml_reader *r, const yaml_event_t *e)
{
	const yaml_char_t *anchor = e->type == YAML_SCALAR_EVENT ? e->data.scalar.anchor
				    : e->type == YAML_SEQUENCE_START_EVENT
					? e->data.sequence_start.anchor
					: e->data.mapping_start.anchor;
	const char *name = (const char *)anchor;

	if (name && r->anchors.len == MAX_ANCHORS)
		return refuse(r, e->start_mark, "more than 1000 anchors");
	if (name)
		*VEC_PUSH(&r->anchors) = (struct yaml_anchor){ .name = mem_strdup(name),
			.start = r->w.out->len + r->w.comma };
	if (e->type == YAML_SCALAR_EVENT) {
		write_scalar(&r->w, e);
		if (name)
			r->anchors.items[r->anchors.len - 1].end = r->w.out->len;
		return true;
	}
	bool is_map = e->type == YAML_MAPPING_START_EVENT;
	if (r->depth == MAX_DEPTH)
		return refuse(r, e->start_mark, "nested too deeply");
	r->open[r->depth].anchor = name ? r->anchors.len : 0;
	r->open[r->depth].is_map = is_map;
	r->open[r->depth++].wants_value = false;
	(is_map ? json_write_object : json_write_array)(&r->w);
	return true;
}

static bool
take_event(struct yaml_reader *r, const yaml_event_t *e)
{
	bool is_key =
	    r->depth > 0 && r->open[r->depth - 1].is_map && !r->open[r->depth - 1].wants_value;

	switch (e->type) {
	case YAML_ALIAS_EVENT:
	case YAML_SCALAR_EVENT:
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		if (r->depth > 0)
			r->open[r->depth - 1].wants_value = is_key;
		if (is_key) {
			const char *key = (const char *)e->data.scalar.value;
			/* A NUL in a key would end it early. */
			if (e->type != YAML_SCALAR_EVENT || strlen(key) != e->data.scalar.length)
				return refuse(r, e->start_mark, "a key is not a string");
			json_write_key(&r->w, key);
			return true;
		}
		if (!(e->type == YAML_ALIAS_EVENT ? take_alias : take_value)(r, e))
			return false;
		return !r->w.out->overflowed ||
		       refuse(r, e->start_mark, "its aliases are too long");
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		r->depth--;
		(r->open[r->depth].is_map ? json_write_object_end : json_write_array_end)(&r->w);
		if (r->open[r->depth].anchor)
			r->anchors.items[r->open[r->depth].anchor - 1].end = r->w.out->len;
		return true;
	case YAML_DOCUMENT_START_EVENT:
		return r->w.out->len == 0 || refuse(r, e->start_mark, "a second document begins");
	case YAML_STREAM_END_EVENT:
		r->done = true;
		return true;
	default:
		return true;
	}
}

static struct json_doc *
read_document(struct yaml_reader *r, yaml_parser_t *parser, const char *text, size_t len)
{
	struct buf json;
	struct json_doc *doc = NULL;
	bool ok = true;

	/* An escape is up to six bytes for one; the rest is for the values that aliases repeat. */
	buf_init(&json, 8 * len + 65536);
	r->api->yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
	r->api->yaml_parser_set_input_string(parser, (const unsigned char *)text, len);
	json_write_init(&r->w, &json);
	while (ok && !r->done) {
		yaml_event_t event;
		if (r->api->yaml_parser_parse(parser, &event)) {
			ok = take_event(r, &event);
			r->api->yaml_event_delete(&event);
		} else {
			ok = refuse(r, parser->problem_mark,
			    parser->problem ? parser->problem : "not YAML");
		}
	}
	if (ok) {
		if (json.len == 0)
			buf_add_str(&json, "null");
		doc = json_parse(buf_text(&json), json.len, NULL, r->why);
	}
	for (size_t i = 0; doc && i < json_flaws(doc)->len; i++)
		if (json_flaws(doc)->items[i].kind == JSON_FLAW_DUPLICATE_KEY) {
			json_doc_destroy(doc);
			doc = NULL;
			refuse(r, (yaml_mark_t){ 0 }, "a key is there twice");
		}
	for (size_t i = 0; i < r->anchors.len; i++)
		free(r->anchors.items[i].name);
	free(r->anchors.items);
	buf_finish(&json);
	return doc;
}

struct json_doc *
yaml_parse(const char *text, size_t len, struct json_error *why)
{
	struct yaml api;
	struct yaml_reader r = { .api = &api, .why = why };
	yaml_parser_t parser;
	const char *trouble = NULL;

	if (len > YAML_MAX_BYTES)
		trouble = "longer than 16 MiB";
	else if (!SHARED_LIBRARY_LOAD("libyaml-0.so.2", FUNCTIONS, &api, NULL) ||
		 !api.yaml_parser_initialize(&parser))
		trouble = "YAML needs libyaml (package libyaml-0-2)";
	if (trouble) {
		refuse(&r, (yaml_mark_t){ 0 }, trouble);
		return NULL;
	}
	struct json_doc *doc = read_document(&r, &parser, text, len);
	api.yaml_parser_delete(&parser);
	return doc;
}

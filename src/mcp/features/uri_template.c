/* SPDX-License-Identifier: MIT */
#include "mcp/uri_template.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

/* How an expression's operator expands: RFC 6570, appendix A. */
struct uri_operator {
	char op;           /* '\0': none */
	const char *first; /* before the first defined variable */
	char separator;    /* between them */
	bool named;
	const char *if_empty; /* after the name of an empty value */
	bool reserved;        /* reserved characters and %xx are not encoded */
};

struct uri_spec {
	const char *name;
	size_t len;
	size_t prefix; /* characters; 0: all */
	bool explode;
};

#define URI_TEMPLATE_MAX ((size_t)64 << 10)
#define URI_VARIABLES_MAX 256
#define URI_MAX ((size_t)1 << 20)

/* Receives the parts of a template in order. literal may be NULL. */
struct uri_template_visitor {
	void (*literal)(void *ctx, const char *text, size_t len);
	void (*variable)(void *ctx, const struct uri_operator *op, const struct uri_spec *spec,
	    bool is_first); /* of its expression */
	void *ctx;
};

/* RFC 6570, section 2 and appendix A. */
static const struct uri_operator operators[] = {
	{ '+', "", ',', false, "", true },
	{ '#', "#", ',', false, "", true },
	{ '.', ".", '.', false, "", false },
	{ '/', "/", '/', false, "", false },
	{ ';', ";", ';', true, "", false },
	{ '?', "?", '&', true, "=", false },
	{ '&', "&", '&', true, "=", false },
	{ '\0', "", ',', false, "", false },
};
#define PLAIN (ARRAY_LEN(operators) - 1)

struct template_parser {
	const char *start, *at, *end;
	const struct uri_template_visitor *visitor;
	size_t variables;
	struct err *err;
};

static bool
is_triplet(const char *at, const char *end)
{
	return end - at >= 3 && at[0] == '%' && hex_number(at + 1, 2) >= 0;
}

static bool
uri_template_fail(struct template_parser *w, const char *what)
{
	return err_set(
	    w->err, "the URI template is broken at byte %zu: %s", (size_t)(w->at - w->start), what);
}

/* varname: letters, digits, "_", %xx; single dots between. */
static bool
take_uri_template_name(struct template_parser *w, struct uri_spec *spec)
{
	const char *start = w->at;

	while (w->at < w->end) {
		if (ascii_is_alnum(*w->at) || *w->at == '_')
			w->at++;
		else if (is_triplet(w->at, w->end))
			w->at += 3;
		else if (*w->at == '.' && w->at > start && w->at[-1] != '.')
			w->at++;
		else
			break;
	}
	if (w->at == start)
		return uri_template_fail(w, "expected the name of a variable");
	if (w->at[-1] == '.')
		return uri_template_fail(w, "a name cannot end with a dot");
	spec->name = start;
	spec->len = (size_t)(w->at - start);
	return true;
}

/* "*", or ":" and a number from 1 to 9999. */
static bool
take_modifier(struct template_parser *w, struct uri_spec *spec)
{
	if (w->at < w->end && *w->at == '*') {
		spec->explode = true;
		w->at++;
		return true;
	}
	if (w->at == w->end || *w->at != ':')
		return true;
	w->at++;
	if (w->at == w->end || *w->at < '1' || *w->at > '9')
		return uri_template_fail(w, "expected a length from 1 to 9999");
	while (w->at < w->end && *w->at >= '0' && *w->at <= '9') {
		spec->prefix = spec->prefix * 10 + (size_t)(*w->at - '0');
		if (spec->prefix > 9999)
			return uri_template_fail(w, "a length is at most 9999");
		w->at++;
	}
	return true;
}

/* Reads the part between braces, after the opening one. */
static bool
take_expression(struct template_parser *w)
{
	size_t i = 0;

	while (i < PLAIN && (w->at == w->end || *w->at != operators[i].op))
		i++;
	const struct uri_operator *op = &operators[i];
	w->at += i < PLAIN;
	for (bool first = true;; first = false) {
		struct uri_spec spec = { 0 };
		if (!take_uri_template_name(w, &spec) || !take_modifier(w, &spec))
			return false;
		if (++w->variables > URI_VARIABLES_MAX)
			return uri_template_fail(w, "too many variables");
		w->visitor->variable(w->visitor->ctx, op, &spec, first);
		if (w->at == w->end)
			return uri_template_fail(w, "expected \"}\"");
		char next = *w->at++;
		if (next == '}')
			return true;
		if (next != ',') {
			w->at--;
			return uri_template_fail(w, "expected \",\" or \"}\"");
		}
	}
}

static bool
uri_template_walk(const char *text, const struct uri_template_visitor *visitor, struct err *err)
{
	size_t len = strnlen(text, URI_TEMPLATE_MAX + 1);
	struct template_parser w = { text, text, text + len, visitor, 0, err };

	if (len > URI_TEMPLATE_MAX)
		return err_set(err, "the URI template is longer than %zu bytes", URI_TEMPLATE_MAX);
	while (w.at < w.end) {
		size_t literal = strcspn(w.at, "{}");
		if (literal > 0 && visitor->literal)
			visitor->literal(visitor->ctx, w.at, literal);
		w.at += literal;
		if (w.at == w.end)
			break;
		if (*w.at == '}')
			return uri_template_fail(&w, "a \"}\" without its \"{\"");
		w.at++;
		if (!take_expression(&w))
			return false;
	}
	return true;
}

/* Appends text, percent-encoded as RFC 6570 requires. */
static void
uri_encode(struct buf *out, const char *text, size_t len, bool reserved)
{
	static const char hex[] = "0123456789ABCDEF";
	const char *end = text + len;

	for (const char *at = text; at < end && !out->overflowed; at++) {
		unsigned char c = (unsigned char)*at;
		if (c == 0xc0 && end - at > 1 && (unsigned char)at[1] == 0x80) {
			buf_add_str(out, "%00"); /* our trees store U+0000 as C0 80 */
			at++;
		} else if (reserved && is_triplet(at, end)) {
			buf_add(out, at, 3);
			at += 2;
		} else if (ascii_is_alnum(*at) || memchr("-._~", *at, 4) ||
			   (reserved && memchr(":/?#[]@!$&'()*+,;=", *at, 18))) {
			buf_add_char(out, *at);
		} else {
			char triplet[3] = { '%', hex[c >> 4], hex[c & 15] };
			buf_add(out, triplet, 3);
		}
	}
}

/* ---- the variables ---- */

static void
collect(void *ctx, const struct uri_operator *op, const struct uri_spec *spec, bool is_first)
{
	struct uri_variables *v = ctx;

	for (size_t i = 0; i < v->len; i++) {
		struct uri_variable *known = &v->items[i];
		if (strncmp(known->name, spec->name, spec->len) != 0 || known->name[spec->len])
			continue;
		known->explode = known->explode || spec->explode;
		known->optional = known->optional && op->named;
		return;
	}
	*VEC_PUSH(v) = (struct uri_variable){
		.name = mem_strndup(spec->name, spec->len),
		.explode = spec->explode,
		.optional = op->named,
	};
}

bool
uri_template_variables(const char *text, struct uri_variables *out, struct err *err)
{
	struct uri_template_visitor visitor = { .variable = collect, .ctx = out };

	*out = (struct uri_variables){ 0 };
	if (uri_template_walk(text, &visitor, err))
		return true;
	uri_variables_finish(out);
	return false;
}

void
uri_variables_finish(struct uri_variables *v)
{
	for (size_t i = 0; i < v->len; i++)
		free(v->items[i].name);
	free(v->items);
	*v = (struct uri_variables){ 0 };
}

/* The expansion of RFC 6570, section 3.2 and appendix A. */

struct uri_expansion {
	const cJSON *values;
	struct buf *out;
	bool opened; /* the current expression already has a defined variable */
};

/* The text of a string, number or boolean; NULL for anything else, which counts as undefined. */
static const char *
scalar_text(const cJSON *value, char buffer[JSON_NUMBER_TEXT_MAX])
{
	switch (json_type(value)) {
	case JSON_STRING:
		return cJSON_GetStringValue(value);
	case JSON_NUMBER:
		return json_number_text(value, buffer);
	case JSON_BOOLEAN:
		return cJSON_IsTrue(value) ? "true" : "false";
	default:
		return NULL;
	}
}

static void
add_uri_template_name(
    struct uri_expansion *e, const struct uri_operator *op, const struct uri_spec *spec, bool empty)
{
	buf_add(e->out, spec->name, spec->len);
	buf_add_str(e->out, empty ? op->if_empty : "=");
}

/* name=a,b,c and name=k,a,l,b */
static void
add_joined(struct uri_expansion *e, const struct uri_operator *op, const struct uri_spec *spec,
    const cJSON *value)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	bool comma = false;

	if (op->named)
		add_uri_template_name(e, op, spec, false);
	for (const cJSON *m = json_first(value); m; m = m->next) {
		const char *text = scalar_text(m, buffer);
		if (!text)
			continue;
		if (comma)
			buf_add_char(e->out, ',');
		comma = true;
		if (cJSON_IsObject(value)) {
			uri_encode(e->out, m->string, strlen(m->string), op->reserved);
			buf_add_char(e->out, ',');
		}
		uri_encode(e->out, text, strlen(text), op->reserved);
	}
}

/* name=a&name=b and k=a&l=b; without names a/b and k=a/l=b */
static void
add_exploded(struct uri_expansion *e, const struct uri_operator *op, const struct uri_spec *spec,
    const cJSON *value)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	bool is_object = cJSON_IsObject(value), separated = false;

	for (const cJSON *m = json_first(value); m; m = m->next) {
		const char *text = scalar_text(m, buffer);
		if (!text)
			continue;
		if (separated)
			buf_add_char(e->out, op->separator);
		separated = true;
		if (is_object) {
			uri_encode(e->out, m->string, strlen(m->string), op->reserved);
			buf_add_str(e->out, op->named && !*text ? op->if_empty : "=");
		} else if (op->named) {
			add_uri_template_name(e, op, spec, !*text);
		}
		uri_encode(e->out, text, strlen(text), op->reserved);
	}
}

static void
add_variable(void *ctx, const struct uri_operator *op, const struct uri_spec *spec, bool is_first)
{
	struct uri_expansion *e = ctx;
	const cJSON *value = json_first(e->values);
	char buffer[JSON_NUMBER_TEXT_MAX];

	while (value && !(value->string && strncmp(value->string, spec->name, spec->len) == 0 &&
			    value->string[spec->len] == '\0'))
		value = value->next;
	e->opened = e->opened && !is_first;
	bool is_composite = json_type(value) == JSON_ARRAY || cJSON_IsObject(value);
	/* A composite without a defined member is undefined (section 2.3). */
	const cJSON *defined = is_composite ? json_first(value) : value;
	while (is_composite && defined && !scalar_text(defined, buffer))
		defined = defined->next;
	if (!scalar_text(defined, buffer))
		return;
	if (e->opened)
		buf_add_char(e->out, op->separator);
	else
		buf_add_str(e->out, op->first);
	e->opened = true;
	if (!is_composite) {
		const char *text = scalar_text(value, buffer);
		size_t len = 0, characters = spec->prefix ? spec->prefix : SIZE_MAX;
		/* a byte 10xxxxxx continues a character */
		for (; text[len]; len++)
			if (((unsigned char)text[len] & 0xc0) != 0x80 && characters-- == 0)
				break;
		if (op->named)
			add_uri_template_name(e, op, spec, len == 0);
		uri_encode(e->out, text, len, op->reserved);
	} else if (spec->explode) {
		add_exploded(e, op, spec, value);
	} else {
		add_joined(e, op, spec, value);
	}
}

static void
add_literal(void *ctx, const char *text, size_t len)
{
	struct uri_expansion *e = ctx;

	uri_encode(e->out, text, len, true);
}

bool
uri_template_expand(const char *text, const cJSON *values, struct buf *out, struct err *err)
{
	struct buf uri;
	struct uri_expansion e = { .values = values, .out = &uri };
	struct uri_template_visitor visitor = { add_literal, add_variable, &e };

	buf_init(&uri, URI_MAX);
	bool ok = uri_template_walk(text, &visitor, err);
	if (ok && uri.overflowed)
		ok = err_set(err, "the URI is longer than %zu bytes", URI_MAX);
	if (ok)
		buf_add(out, buf_text(&uri), uri.len);
	buf_finish(&uri);
	return ok;
}

#include "uri_template_priv.h"

#include "json/number.h"

#include <string.h>

/* The expansion of RFC 6570, section 3.2 and appendix A. */

struct expansion {
	const cJSON *values;
	struct buf *out;
	bool opened; /* the expression under way has a defined variable already */
};

static const cJSON *
find_value(const cJSON *values, const struct uri_spec *spec)
{
	for (const cJSON *v = json_first(values); v; v = v->next)
		if (v->string && strncmp(v->string, spec->name, spec->len) == 0 &&
		    v->string[spec->len] == '\0')
			return v;
	return NULL;
}

/* The text of a string, number or boolean; NULL for anything else, which is undefined. */
static const char *
scalar_text(const cJSON *value, char buffer[JSON_NUMBER_TEXT_MAX])
{
	switch (json_type(value)) {
	case JSON_STRING:
		return json_string(value);
	case JSON_NUMBER:
		return json_number_text(value, buffer);
	case JSON_BOOLEAN:
		return json_is_true(value) ? "true" : "false";
	default:
		return NULL;
	}
}

static bool
is_composite(const cJSON *value)
{
	return json_type(value) == JSON_ARRAY || json_type(value) == JSON_OBJECT;
}

/* A composite without a defined member is undefined (section 2.3). */
static bool
is_defined(const cJSON *value)
{
	char buffer[JSON_NUMBER_TEXT_MAX];

	if (!is_composite(value))
		return scalar_text(value, buffer) != NULL;
	for (const cJSON *m = json_first(value); m; m = m->next)
		if (scalar_text(m, buffer))
			return true;
	return false;
}

static size_t
prefix_bytes(const char *text, size_t characters)
{
	size_t at = 0;

	/* a byte 10xxxxxx goes on with the character before it */
	for (; text[at]; at++)
		if (((unsigned char)text[at] & 0xc0) != 0x80 && characters-- == 0)
			break;
	return at;
}

static void
add_name(
    struct expansion *e, const struct uri_operator *op, const struct uri_spec *spec, bool empty)
{
	buf_add(e->out, spec->name, spec->len);
	buf_add_str(e->out, empty ? op->if_empty : "=");
}

static void
add_scalar(struct expansion *e, const struct uri_operator *op, const struct uri_spec *spec,
    const char *text)
{
	size_t len = spec->prefix ? prefix_bytes(text, spec->prefix) : strlen(text);

	if (op->named)
		add_name(e, op, spec, len == 0);
	uri_encode(e->out, text, len, op->reserved);
}

/* name=a,b,c and name=k,a,l,b */
static void
add_joined(struct expansion *e, const struct uri_operator *op, const struct uri_spec *spec,
    const cJSON *value)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	bool comma = false;

	if (op->named)
		add_name(e, op, spec, false);
	for (const cJSON *m = json_first(value); m; m = m->next) {
		const char *text = scalar_text(m, buffer);
		if (!text)
			continue;
		if (comma)
			buf_add_char(e->out, ',');
		comma = true;
		if (json_type(value) == JSON_OBJECT) {
			uri_encode(e->out, m->string, strlen(m->string), op->reserved);
			buf_add_char(e->out, ',');
		}
		uri_encode(e->out, text, strlen(text), op->reserved);
	}
}

/* name=a&name=b and k=a&l=b; without names a/b and k=a/l=b */
static void
add_exploded(struct expansion *e, const struct uri_operator *op, const struct uri_spec *spec,
    const cJSON *value)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	bool is_object = json_type(value) == JSON_OBJECT, separated = false;

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
			add_name(e, op, spec, !*text);
		}
		uri_encode(e->out, text, strlen(text), op->reserved);
	}
}

static bool
add_variable(void *ctx, const struct uri_operator *op, const struct uri_spec *spec, bool is_first)
{
	struct expansion *e = ctx;
	const cJSON *value = find_value(e->values, spec);
	char buffer[JSON_NUMBER_TEXT_MAX];

	e->opened = e->opened && !is_first;
	if (!is_defined(value))
		return true;
	if (e->opened)
		buf_add_char(e->out, op->separator);
	else
		buf_add_str(e->out, op->first);
	e->opened = true;
	if (!is_composite(value))
		add_scalar(e, op, spec, scalar_text(value, buffer));
	else if (spec->explode)
		add_exploded(e, op, spec, value);
	else
		add_joined(e, op, spec, value);
	return true;
}

static bool
add_literal(void *ctx, const char *text, size_t len)
{
	struct expansion *e = ctx;

	uri_encode(e->out, text, len, true);
	return true;
}

bool
uri_template_expand(const char *text, const cJSON *values, struct buf *out, struct err *err)
{
	struct buf uri;
	struct expansion e = { .values = values, .out = &uri };
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

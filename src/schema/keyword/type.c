#include "keyword.h"

#include "base/vec.h"
#include "json/number.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name;
	unsigned types;
	const char *words;
} TYPES[] = {
	{ "string", TYPE_STRING, "a string" },
	{ "integer", TYPE_INTEGER, "an integer" },
	{ "number", TYPE_NUMBER, "a number" },
	{ "boolean", TYPE_BOOLEAN, "a boolean" },
	{ "object", TYPE_OBJECT, "an object" },
	{ "array", TYPE_ARRAY, "an array" },
	{ "null", TYPE_NULL, "null" },
};

static unsigned
types_from_name(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(TYPES); i++)
		if (strcmp(TYPES[i].name, name) == 0)
			return TYPES[i].types;
	return 0;
}

static bool
compile_type(struct compiler *k, const cJSON *value)
{
	bool list = json_type(value) == JSON_ARRAY;
	unsigned types = 0;

	for (const cJSON *c = list ? json_first(value) : value; c; c = list ? c->next : NULL) {
		unsigned more = types_from_name(json_string(c));
		if (!more)
			return compile_fail(k, c, "%s is not the name of a type",
			    json_string(c) ? json_string(c) : "this");
		types |= more;
	}
	if (!types)
		return compile_fail(k, value, "type must not be empty");
	if (types & TYPE_NUMBER)
		types &= ~TYPE_INTEGER;
	k->node->types = types;
	compile_rule(k, value)->as.types = types;
	return true;
}

bool
is_integer(struct checker *c, const cJSON *number)
{
	double d = number->valuedouble;

	/* Every integer that is written with a point or an exponent keeps its text. */
	if (!json_number_is_double(number)) {
		const char *written = json_number_written(number);
		check_charge(c, strlen(written) / 16);
		if (c->schema->strict_integers && strpbrk(written, ".eE"))
			return false;
		return json_number_is_integer(number);
	}
	if (d >= -1e15 && d <= 1e15)
		return d == (double)(int64_t)d;
	return d == floor(d) && isfinite(d);
}

static bool
check_type(struct checker *c, const struct rule *rule, const struct subject *s)
{
	if (passes_type(c, rule->as.types, s->value))
		return true;
	return report_add(c, rule, s, (struct fact){ .types = rule->as.types });
}

/* ---- words ---- */

void
add_types(unsigned types, struct buf *out)
{
	const char *words[ARRAY_LEN(TYPES)];
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(TYPES); i++)
		if (types & TYPES[i].types)
			words[count++] = TYPES[i].words;
	for (size_t i = 0; i < count; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
}

static void
add_type(const struct record *r, struct buf *out)
{
	add_types(r->types, out);
}

#define PARSED_BYTES 65536

/* An array or object sent as a string because the server encoded it twice. */
static bool
is_json_text(const struct record *r)
{
	const char *text = r->naming ? NULL : json_string(r->pub.node);
	size_t len = text ? strlen(text) : 0;
	bool list = (r->types & TYPE_ARRAY) && len > 1 && text[0] == '[' && text[len - 1] == ']';
	bool object = (r->types & TYPE_OBJECT) && len > 1 && text[0] == '{' && text[len - 1] == '}';

	if (!list && !object)
		return false;
	struct json_doc *doc = json_parse(text, len < PARSED_BYTES ? len : 0, NULL, NULL);
	bool parsed = doc != NULL;
	json_doc_destroy(doc);
	return parsed || len >= PARSED_BYTES;
}

void
add_type_line(const struct record *r, struct buf *out)
{
	add_found(r, out);
	buf_add_str(out, ", expected ");
	add_type(r, out);
	if (is_json_text(r))
		buf_add_str(out, " (this is JSON: encoded twice?)");
}

const struct keyword_functions keyword_type = {
	.compile = compile_type,
	.check = check_type,
	.expected = add_type,
	.line = add_type_line,
};

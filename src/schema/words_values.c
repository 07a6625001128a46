#include "words_priv.h"

#include "format_priv.h"

#include <string.h>

/* Sentences about single values. */

static void
line_from(const struct record *r, const char *verb, say_fn *what, struct buf *out)
{
	say_subject(r, out);
	buf_addf(out, " %s ", verb);
	what(r, out);
}

/* ---- type ---- */

static const struct {
	unsigned type;
	const char *words;
} TYPE_WORDS[] = {
	{ TYPE_STRING, "a string" },
	{ TYPE_INTEGER, "an integer" },
	{ TYPE_NUMBER, "a number" },
	{ TYPE_BOOLEAN, "a boolean" },
	{ TYPE_OBJECT, "an object" },
	{ TYPE_ARRAY, "an array" },
	{ TYPE_NULL, "null" },
};

void
say_types(unsigned types, struct buf *out)
{
	const char *words[sizeof(TYPE_WORDS) / sizeof(*TYPE_WORDS)];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(TYPE_WORDS) / sizeof(*TYPE_WORDS); i++)
		if (types & TYPE_WORDS[i].type)
			words[count++] = TYPE_WORDS[i].words;
	for (size_t i = 0; i < count; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
}

void
say_type(const struct record *r, struct buf *out)
{
	say_types(r->types, out);
}

#define PARSED_BYTES 65536

/* An array or object that was made a string before it was put in: servers encode twice. */
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
line_type(const struct record *r, struct buf *out)
{
	say_found(r, out);
	buf_add_str(out, ", expected ");
	say_type(r, out);
	if (is_json_text(r))
		buf_add_str(out, " (this is JSON: encoded twice?)");
}

/* ---- numbers; a: an upper bound, b: exclusive ---- */

void
say_number_bound(const struct record *r, struct buf *out)
{
	const char *words = r->a ? "at most " : "at least ";

	if (r->b)
		words = r->a ? "less than " : "more than ";
	buf_add_str(out, words);
	say_value(r->rule->value, out);
}

void
line_number_bound(const struct record *r, struct buf *out)
{
	const char *words = r->a ? " is more than the maximum " : " is less than the minimum ";

	if (r->b)
		words = r->a ? " is not less than " : " is not more than ";
	say_subject(r, out);
	buf_add_str(out, words);
	say_value(r->rule->value, out);
}

void
say_multiple(const struct record *r, struct buf *out)
{
	buf_add_str(out, "a multiple of ");
	say_value(r->rule->value, out);
}

void
line_multiple(const struct record *r, struct buf *out)
{
	line_from(r, "is not", say_multiple, out);
}

/* ---- strings; a: its length, b: too long ---- */

void
say_length(const struct record *r, struct buf *out)
{
	buf_add_str(out, r->b ? "at most " : "at least ");
	say_count(r->rule->as.count, "character", "characters", out);
}

void
line_length(const struct record *r, struct buf *out)
{
	const char *at = r->b ? "at most" : "at least";

	say_subject(r, out);
	if (r->a == 0) {
		buf_add_str(out, " is empty, expected ");
		say_length(r, out);
		return;
	}
	buf_add_str(out, " has ");
	say_count(r->a, "character", "characters", out);
	buf_addf(out, ", expected %s %zu", at, r->rule->as.count);
}

void
say_pattern(const struct record *r, struct buf *out)
{
	buf_add_str(out, "a string that matches ");
	say_short(json_string(r->rule->value), out);
}

void
line_pattern(const struct record *r, struct buf *out)
{
	say_subject(r, out);
	buf_add_str(out, " does not match ");
	say_short(json_string(r->rule->value), out);
}

void
say_format(const struct record *r, struct buf *out)
{
	const struct format *format = r->rule->as.format.format;

	buf_addf(out, "%s, such as %s", format->noun, format->example);
}

void
line_format(const struct record *r, struct buf *out)
{
	const struct format *format = r->rule->as.format.format;
	const char *text = r->naming ? r->pub.node->string : r->pub.node->valuestring;
	const char *fault = format->fault(text);

	say_subject(r, out);
	if (fault && *fault)
		buf_addf(out, " is not %s: %s", format->noun, fault);
	else
		buf_addf(out, " is not %s, such as %s", format->noun, format->example);
}

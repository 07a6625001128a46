/* SPDX-License-Identifier: MIT */
#include "keyword.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "json/number.h"
#include "schema/format/format.h"

#include <string.h>
#include <strings.h>

/* minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf. */

#define BOUND_UPPER 1u
#define BOUND_EXCLUSIVE 2u

static bool
compile_bound(struct compiler *k, const cJSON *value)
{
	const char *name = k->keyword->name;
	bool upper = strstr(name, "aximum") != NULL;
	bool exclusive = name[0] == 'e';

	if (compile_draft(k) == SCHEMA_DRAFT_04)
		exclusive = cJSON_IsTrue(
		    compile_sibling(k, upper ? "exclusiveMaximum" : "exclusiveMinimum"));
	compile_rule(k, value)->as.count =
	    (upper ? BOUND_UPPER : 0) | (exclusive ? BOUND_EXCLUSIVE : 0);
	return true;
}

/* draft-04: whether the bound is exclusive. */
static bool
compile_legacy_bound(struct compiler *k, const cJSON *value)
{
	return true;
}

/* 0 means a double, which costs almost nothing to compare. */
static size_t
text_len(const cJSON *number)
{
	return json_number_is_double(number) ? 0 : strlen(json_number_written(number));
}

static bool
check_bound(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const cJSON *bound = rule->value;
	double a = s->value->valuedouble, b = bound->valuedouble;
	int order = (a > b) - (a < b);

	if (!json_number_is_double(s->value) || !json_number_is_double(bound)) {
		check_charge(c, (text_len(s->value) + text_len(bound)) / 8);
		order = json_number_compare(s->value, bound);
	}
	if (rule->as.count & BOUND_UPPER)
		order = -order;
	if (order > 0 || (order == 0 && !(rule->as.count & BOUND_EXCLUSIVE)))
		return true;
	return report_add(c, rule, s,
	    (struct fact){
		.a = rule->as.count & BOUND_UPPER, .b = rule->as.count & BOUND_EXCLUSIVE });
}

static bool
compile_multiple(struct compiler *k, const cJSON *value)
{
	static const cJSON ZERO = { .type = cJSON_Number };

	if (!cJSON_IsNumber(value) || json_number_compare(value, &ZERO) <= 0)
		return compile_fail(k, value, "%s must be a number above 0", k->keyword->name);
	compile_rule(k, value);
	return true;
}

static bool
check_multiple(struct checker *c, const struct rule *rule, const struct subject *s)
{
	check_charge(c, (text_len(s->value) / 4) * (text_len(rule->value) / 4 + 1));
	switch (json_number_is_multiple(s->value, rule->value)) {
	case JSON_YES:
		return true;
	case JSON_TOO_HARD:
		return check_undecided(c, s->node, rule->value, "numbers too long");
	case JSON_NO:
		break;
	}
	return report_add(c, rule, s, (struct fact){ 0 });
}

/* ---- words: a is set for an upper bound, b if it is exclusive ---- */

static void
add_number_bound(const struct record *r, struct buf *out)
{
	const char *words = r->a ? "at most " : "at least ";

	if (r->b)
		words = r->a ? "less than " : "more than ";
	buf_add_str(out, words);
	add_value(r->rule->value, out);
}

static void
add_number_bound_line(const struct record *r, struct buf *out)
{
	const char *words = r->a ? " is more than the maximum " : " is less than the minimum ";

	if (r->b)
		words = r->a ? " is not less than " : " is not more than ";
	add_subject(r, out);
	buf_add_str(out, words);
	add_value(r->rule->value, out);
}

static void
add_multiple(const struct record *r, struct buf *out)
{
	buf_add_str(out, "a multiple of ");
	add_value(r->rule->value, out);
}

static void
add_multiple_line(const struct record *r, struct buf *out)
{
	add_subject(r, out);
	buf_add_str(out, " is not ");
	add_multiple(r, out);
}

/* ---- minLength, maxLength: a is the length, b is set if it is too long ---- */

/* minLength, maxItems and similar. A count beyond any possible size does not limit. */
bool
compile_count(struct compiler *k, const cJSON *value)
{
	static const cJSON ZERO = { .type = cJSON_Number };
	size_t count;

	if (!cJSON_IsNumber(value) || !json_number_is_integer(value) ||
	    json_number_compare(value, &ZERO) < 0)
		return compile_fail(
		    k, value, "%s must be a whole number, 0 or more", k->keyword->name);
	if (!json_number_to_size(value, SIZE_MAX / 4, &count))
		count = SIZE_MAX / 4;
	compile_rule(k, value)->as.count = count;
	return true;
}

/* Tests for a minimum number of bytes without reading further. */
static bool
has_bytes(struct checker *c, const char *text, size_t count)
{
	size_t len = strnlen(text, count);

	check_charge(c, len / 256);
	return len == count;
}

/* A character has at least one byte and at most four. */
static bool
check_length(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const char *text = s->value->valuestring;
	size_t bound = rule->as.count;
	bool upper = is_maximum(rule);

	if (upper && !has_bytes(c, text, bound + 1))
		return true;
	if (!upper && (bound <= 1 ? text[0] || !bound : has_bytes(c, text, 4 * bound)))
		return true;
	/* code points; a NUL (C0 80) and a lone surrogate (ED xx xx) count as in the JSON text */
	size_t length = 0;
	for (; *text; text++)
		length += ((unsigned char)*text & 0xc0) != 0x80;
	check_charge(c, length / 16);
	if (upper ? length <= bound : length >= bound)
		return true;
	return report_add(c, rule, s, (struct fact){ .a = length, .b = upper });
}

static void
add_length(const struct record *r, struct buf *out)
{
	buf_add_str(out, r->b ? "at most " : "at least ");
	add_count(r->rule->as.count, "character", "characters", out);
}

static void
add_length_line(const struct record *r, struct buf *out)
{
	const char *at = r->b ? "at most" : "at least";

	add_subject(r, out);
	if (r->a == 0) {
		buf_add_str(out, " is empty, expected ");
		add_length(r, out);
		return;
	}
	buf_add_str(out, " has ");
	add_count(r->a, "character", "characters", out);
	buf_addf(out, ", expected %s %zu", at, r->rule->as.count);
}

/* ---- pattern ---- */

static bool
compile_pattern(struct compiler *k, const cJSON *value)
{
	bool broken = false;

	struct regex *regex = compile_regex(k, cJSON_GetStringValue(value), value, &broken);
	if (broken)
		return false;
	compile_rule(k, value)->as.regex = regex;
	return true;
}

static bool
check_pattern(struct checker *c, const struct rule *rule, const struct subject *s)
{
	if (!rule->as.regex)
		return check_undecided(c, s->node, rule->value, "not supported");
	enum regex_answer answer = regex_match(rule->as.regex, s->value->valuestring, &c->regex);

	check_charge(c, regex_run_take_work(&c->regex));
	switch (answer) {
	case REGEX_YES:
		return true;
	case REGEX_UNKNOWN:
		return check_undecided(c, s->node, rule->value, "too slow");
	case REGEX_NO:
		break;
	}
	return report_add(c, rule, s, (struct fact){ 0 });
}

static void
add_pattern(const struct record *r, struct buf *out)
{
	buf_add_str(out, "a string that matches ");
	add_short(cJSON_GetStringValue(r->rule->value), out);
}

/* ---- format ---- */

/* A dialect that asserts formats overrides the default. */
static bool
compile_format(struct compiler *k, const cJSON *value)
{
	enum schema_format_mode mode = k->schema->format;

	const struct format *format = format_find(cJSON_GetStringValue(value));
	if (!format || mode == SCHEMA_FORMAT_IGNORED)
		return true;
	struct rule *rule = compile_rule(k, value);
	rule->as.format.format = format;
	rule->as.format.warns =
	    mode == SCHEMA_FORMAT_WARNS && !k->node->resource->dialect.asserts_format;
	return true;
}

static bool
check_format(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct format *format = rule->as.format.format;
	const char *text = s->value->valuestring;
	bool warning = rule->as.format.warns;
	size_t len = strlen(text), ascii = 0;

	/* A label outside ASCII takes libidn2 up to half a microsecond an octet; the length of a
	 * host name is limited. */
	while (format->hosts && ascii < len && !((unsigned char)text[ascii] & 0x80))
		ascii++;
	bool foreign = format->hosts && (ascii < len || strstr(text, "--"));
	check_charge(c, len / 2 + (foreign ? 8 * (len < 1024 ? len : 1024) : 0));
	const char *fault = format_fault(format, text);
	if (!fault)
		return true;
	if (fault == FORMAT_UNCHECKED && !warning)
		return check_undecided(c, s->node, rule->value, fault);
	if (warning && !c->collecting)
		c->warnings++;
	else
		report_add(c, rule, s, (struct fact){ .warning = warning });
	return warning;
}

static void
add_format(const struct record *r, struct buf *out)
{
	const struct format *format = r->rule->as.format.format;

	buf_addf(out, "%s, such as %s", format->noun, format->example);
}

/* Returns false, and appends nothing, if the text has that format. */
static bool
add_format_fault(const struct record *r, const struct format *format, struct buf *out)
{
	const char *text = r->naming ? r->pub.node->string : r->pub.node->valuestring;
	const char *fault = format_fault(format, text);

	if (!fault)
		return false;
	add_subject(r, out);
	if (fault == FORMAT_UNCHECKED)
		buf_addf(out, " is not checked as %s: %s", format->noun, fault);
	else if (*fault)
		buf_addf(out, " is not %s: %s", format->noun, fault);
	else
		buf_addf(out, " is not %s, such as %s", format->noun, format->example);
	return true;
}

static void
add_format_line(const struct record *r, struct buf *out)
{
	add_format_fault(r, r->rule->as.format.format, out);
}

#define HINT_BYTES 40

static void
add_pattern_line(const struct record *r, struct buf *out)
{
	const char *pattern = cJSON_GetStringValue(r->rule->value);
	const char *name = json_get_string(r->node->source, "format");
	const struct format *format = name ? format_find(name) : NULL;

	/* if the pattern is that of a format next to it, the format says more */
	if (format && add_format_fault(r, format, out)) {
		buf_add_str(out, " (pattern ");
		utf8_add_cut(out, pattern, strnlen(pattern, 2 * HINT_BYTES), HINT_BYTES);
		buf_add_char(out, ')');
		return;
	}
	add_subject(r, out);
	buf_add_str(out, " does not match ");
	add_short(pattern, out);
}

/* ---- contentEncoding, contentMediaType ---- */

/* Asserted in draft-07 if the options ask for it. Other values are annotations, like unknown
 * formats. */

#define IS_BASE64 "base64"
#define IS_JSON "application/json"

static bool
names(const cJSON *value, const char *known)
{
	const char *name = cJSON_GetStringValue(value);

	return name && strcasecmp(name, known) == 0;
}

static bool
compile_content(struct compiler *k, const cJSON *value)
{
	bool encoding = strcmp(k->keyword->name, "contentEncoding") == 0;

	if (k->schema->asserts_content && names(value, encoding ? IS_BASE64 : IS_JSON))
		compile_rule(k, value);
	return true;
}

static bool
check_encoding(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct buf bytes = BUF_INIT;
	size_t len = strlen(s->value->valuestring);

	check_charge(c, len / 16);
	bool fine = base64_decode(&bytes, s->value->valuestring, len);
	buf_finish(&bytes);
	return fine || report_add(c, rule, s, (struct fact){ 0 });
}

/* Text that is not Base64 violates the encoding, not the media type. */
static bool
check_media_type(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const char *text = s->value->valuestring;
	size_t len = strlen(text);
	struct buf bytes = BUF_INIT;
	bool encoded = names(json_get(s->node->source, "contentEncoding"), IS_BASE64);

	check_charge(c, len / 4);
	bool fine = encoded && !base64_decode(&bytes, text, len);
	if (!fine) {
		struct json_doc *doc =
		    json_parse(encoded ? buf_text(&bytes) : text, encoded ? bytes.len : len,
			&(struct json_options){ .max_depth = SIZE_MAX }, NULL);
		fine = doc != NULL;
		json_doc_destroy(doc);
	}
	buf_finish(&bytes);
	return fine || report_add(c, rule, s, (struct fact){ 0 });
}

static void
add_content(const struct record *r, struct buf *out)
{
	buf_addf(out, "a string that holds %s", cJSON_GetStringValue(r->rule->value));
}

/* clang-format off */
const struct keyword_functions
	keyword_bound = { .compile = compile_bound, .expects = JSON_NUMBER, .check = check_bound, .expected = add_number_bound, .line = add_number_bound_line },
	keyword_legacy_bound = { .compile = compile_legacy_bound, .expects = JSON_BOOLEAN },
	keyword_multiple = { .compile = compile_multiple, .check = check_multiple, .expected = add_multiple, .line = add_multiple_line },
	keyword_length = { .compile = compile_count, .check = check_length, .expected = add_length, .line = add_length_line },
	keyword_pattern = { .compile = compile_pattern, .expects = JSON_STRING, .check = check_pattern, .expected = add_pattern, .line = add_pattern_line },
	keyword_format = { .compile = compile_format, .expects = JSON_STRING, .check = check_format, .expected = add_format, .line = add_format_line },
	keyword_content_encoding = { .compile = compile_content, .expects = JSON_STRING, .check = check_encoding, .expected = add_content },
	keyword_content_media_type = { .compile = compile_content, .expects = JSON_STRING, .check = check_media_type, .expected = add_content };
/* clang-format on */

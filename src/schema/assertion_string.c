#include "check_priv.h"
#include "compile_priv.h"
#include "format_priv.h"
#include "report_priv.h"

#include "json/number.h"

#include <string.h>

/* minLength, maxItems and their like. A count beyond any possible size is no limit. */
bool
compile_count(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	static const cJSON ZERO = { .type = cJSON_Number };
	size_t count;

	(void)node;
	if (json_type(value) != JSON_NUMBER || !json_number_is_integer(value) ||
	    json_number_compare(value, &ZERO) < 0)
		return compile_fail(
		    k, value, "%s must be a whole number, 0 or more", keyword->name);
	if (!json_number_to_size(value, SIZE_MAX / 4, &count))
		count = SIZE_MAX / 4;
	compile_rule(k, keyword, value)->as.count = count;
	return true;
}

/* Code points; a NUL (C0 80) and a lone surrogate (ED xx xx) are one each, as in the JSON text. */
static size_t
count_characters(struct checker *c, const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	check_charge(c, count / 16);
	return count;
}

/* Whether there are so many bytes at least; no further than that is read. */
static bool
has_bytes(struct checker *c, const char *text, size_t count)
{
	size_t len = strnlen(text, count);

	check_charge(c, len / 256);
	return len == count;
}

/* A character has at most four bytes... */
bool
check_min_length(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const char *text = s->value->valuestring;
	size_t least = rule->as.count;

	if (least <= 1 ? text[0] || !least : has_bytes(c, text, 4 * least))
		return true;
	size_t length = count_characters(c, text);
	return length >= least || report_add(c, rule, s, (struct fact){ .a = length, .b = 0 });
}

/* ... and at least one. */
bool
check_max_length(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const char *text = s->value->valuestring;
	size_t most = rule->as.count;

	if (!has_bytes(c, text, most + 1))
		return true;
	size_t length = count_characters(c, text);
	return length <= most || report_add(c, rule, s, (struct fact){ .a = length, .b = 1 });
}

bool
compile_pattern(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	bool broken = false;

	(void)node;
	if (!json_string(value))
		return compile_fail(k, value, "%s must be a string", keyword->name);
	struct regex *regex = compile_regex(k, json_string(value), value, &broken);
	if (broken)
		return false;
	compile_rule(k, keyword, value)->as.regex = regex;
	return true;
}

bool
check_pattern(struct checker *c, const struct rule *rule, const struct subject *s)
{
	if (!rule->as.regex)
		return check_doubt(c, s->node, rule->value, "not supported");
	enum regex_answer answer = regex_match(rule->as.regex, s->value->valuestring, &c->regex);

	check_charge(c, regex_run_take_work(&c->regex));
	switch (answer) {
	case REGEX_YES:
		return true;
	case REGEX_UNKNOWN:
		return check_doubt(c, s->node, rule->value, "too slow");
	case REGEX_NO:
		break;
	}
	return report_add(c, rule, s, (struct fact){ 0 });
}

/* A dialect that asserts formats does so whatever the default is. */
bool
compile_format(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	enum schema_format_mode mode = k->schema->format;

	if (!json_string(value))
		return compile_fail(k, value, "%s must be a string", keyword->name);
	const struct format *format = format_find(json_string(value));
	if (!format || mode == SCHEMA_FORMAT_IGNORED)
		return true;
	struct rule *rule = compile_rule(k, keyword, value);
	rule->as.format.format = format;
	rule->as.format.warns =
	    mode == SCHEMA_FORMAT_WARNS && !node->resource->dialect.asserts_format;
	return true;
}

bool
check_format(struct checker *c, const struct rule *rule, const struct subject *s)
{
	bool warning = rule->as.format.warns;

	check_charge(c, strlen(s->value->valuestring) / 2);
	if (format_matches(rule->as.format.format, s->value->valuestring))
		return true;
	if (warning && !c->collecting)
		c->warnings++;
	else
		report_add(c, rule, s, (struct fact){ .warning = warning });
	return warning;
}

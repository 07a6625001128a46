#include "keyword.h"

#include "json/number.h"

#include <string.h>

/* minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf. */

#define BOUND_UPPER 1u
#define BOUND_EXCLUSIVE 2u

static bool
compile_bound(struct compiler *k, const cJSON *value)
{
	const char *name = k->keyword->name;
	bool upper = strstr(name, "aximum") != NULL;
	bool exclusive = name[0] == 'e';

	if (!compile_expects(k, value, JSON_NUMBER))
		return false;
	if (compile_draft(k) == SCHEMA_DRAFT_04)
		exclusive = json_is_true(
		    compile_sibling(k, upper ? "exclusiveMaximum" : "exclusiveMinimum"));
	compile_rule(k, value)->as.count =
	    (upper ? BOUND_UPPER : 0) | (exclusive ? BOUND_EXCLUSIVE : 0);
	return true;
}

/* In draft-04 this says whether the bound beside it is exclusive. */
static bool
compile_legacy_bound(struct compiler *k, const cJSON *value)
{
	return compile_expects(k, value, JSON_BOOLEAN);
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

	if (json_type(value) != JSON_NUMBER || json_number_compare(value, &ZERO) <= 0)
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

const struct keyword_functions keyword_bound = {
	.compile = compile_bound,
	.check = check_bound,
	.expected = add_number_bound,
	.line = add_number_bound_line,
};

const struct keyword_functions keyword_legacy_bound = {
	.compile = compile_legacy_bound,
};

const struct keyword_functions keyword_multiple = {
	.compile = compile_multiple,
	.check = check_multiple,
	.expected = add_multiple,
	.line = add_multiple_line,
};

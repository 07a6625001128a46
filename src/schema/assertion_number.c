#include "check_priv.h"
#include "compile_priv.h"
#include "report_priv.h"

#include "json/number.h"

#include <string.h>

#define BOUND_UPPER 1u
#define BOUND_EXCLUSIVE 2u

bool
compile_bound(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	const char *name = keyword->name;
	bool upper = strstr(name, "aximum") != NULL;
	bool exclusive = name[0] == 'e';

	if (json_type(value) != JSON_NUMBER)
		return compile_fail(k, value, "%s must be a number", name);
	if (compile_draft(node) == SCHEMA_DRAFT_04)
		exclusive = json_is_true(
		    compile_sibling(node, upper ? "exclusiveMaximum" : "exclusiveMinimum"));
	compile_rule(k, keyword, value)->as.count =
	    (upper ? BOUND_UPPER : 0) | (exclusive ? BOUND_EXCLUSIVE : 0);
	return true;
}

/* Draft-04 says whether the bound beside it is exclusive. */
bool
compile_legacy_bound(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	if (json_type(value) == JSON_BOOLEAN)
		return true;
	return compile_fail(k, value, "%s must be true or false", keyword->name);
}

/* 0: a double, which takes no time to speak of. */
static size_t
text_len(const cJSON *number)
{
	return number->valuestring ? strlen(number->valuestring) : 0;
}

bool
check_bound(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const cJSON *bound = rule->value;
	double a = s->value->valuedouble, b = bound->valuedouble;
	int order = (a > b) - (a < b);

	if (s->value->valuestring || bound->valuestring) {
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

bool
compile_multiple(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	static const cJSON ZERO = { .type = cJSON_Number };

	(void)node;
	if (json_type(value) != JSON_NUMBER || json_number_compare(value, &ZERO) <= 0)
		return compile_fail(k, value, "%s must be a number above 0", keyword->name);
	compile_rule(k, keyword, value);
	return true;
}

bool
check_multiple(struct checker *c, const struct rule *rule, const struct subject *s)
{
	check_charge(c, (text_len(s->value) / 4) * (text_len(rule->value) / 4 + 1));
	switch (json_number_is_multiple(s->value, rule->value)) {
	case JSON_YES:
		return true;
	case JSON_TOO_HARD:
		return check_doubt(c, s->node, rule->value, "numbers too long");
	case JSON_NO:
		break;
	}
	return report_add(c, rule, s, (struct fact){ 0 });
}

#include "check_priv.h"
#include "compile_priv.h"
#include "report_priv.h"
#include "value_set_priv.h"

#include "json/equal.h"
#include "json/number.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name;
	unsigned types;
} TYPE_NAMES[] = {
	{ "null", TYPE_NULL },
	{ "boolean", TYPE_BOOLEAN },
	{ "integer", TYPE_INTEGER },
	{ "number", TYPE_NUMBER },
	{ "string", TYPE_STRING },
	{ "array", TYPE_ARRAY },
	{ "object", TYPE_OBJECT },
};

static unsigned
types_from_name(const char *name)
{
	for (size_t i = 0; name && i < sizeof(TYPE_NAMES) / sizeof(*TYPE_NAMES); i++)
		if (strcmp(TYPE_NAMES[i].name, name) == 0)
			return TYPE_NAMES[i].types;
	return 0;
}

bool
compile_type(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
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
	node->types = types;
	compile_rule(k, keyword, value)->as.types = types;
	return true;
}

bool
is_integer(struct checker *c, const cJSON *number)
{
	double d = number->valuedouble;

	if (number->valuestring) {
		check_charge(c, strlen(number->valuestring) / 16);
		return json_number_is_integer(number);
	}
	if (d >= -1e15 && d <= 1e15)
		return d == (double)(int64_t)d;
	return d == floor(d) && isfinite(d);
}

bool
check_type(struct checker *c, const struct rule *rule, const struct subject *s)
{
	if (passes_type(c, rule->as.types, s->value))
		return true;
	return report_add(c, rule, s, (struct fact){ .types = rule->as.types });
}

#define LONG_ENUM 8

bool
compile_enum(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	if (json_type(value) != JSON_ARRAY)
		return compile_fail(k, value, "enum must be an array");
	struct value_set *set = NULL;
	if (json_count(value) > LONG_ENUM)
		set = value_set_create(&k->schema->pool, json_count(value));
	for (const cJSON *e = json_first(value); e && set; e = e->next)
		if (is_leaf(e) && value_set_add(set, e) == VALUE_LOST)
			set = NULL;
	compile_rule(k, keyword, value)->as.set = set;
	return true;
}

static bool
is_equal(struct checker *c, const cJSON *a, const cJSON *b)
{
	if (type_of(a) != type_of(b))
		return false;
	if (type_of(a) == TYPE_NUMBER && !a->valuestring && !b->valuestring)
		return a->valuedouble == b->valuedouble;
	if (type_of(a) == TYPE_STRING && a->valuestring[0] != b->valuestring[0])
		return false;
	size_t cost = 0;
	bool equal = json_equal_counted(a, b, &cost);
	check_charge(c, cost);
	return equal;
}

bool
is_in_set(struct checker *c, const struct value_set *set, const cJSON *value)
{
	size_t cost = 0;
	bool found = value_set_has(set, value, &cost);

	check_charge(c, cost);
	return found;
}

static bool
is_listed(struct checker *c, const struct rule *rule, const cJSON *value)
{
	const struct value_set *set = rule->as.set;

	if (set && is_leaf(value))
		return is_in_set(c, set, value);
	for (const cJSON *e = json_first(rule->value); e && !c->stopped; e = e->next) {
		c->steps++;
		if (is_equal(c, e, value))
			return true;
		check_budget(c);
	}
	return c->stopped;
}

bool
check_enum(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return is_listed(c, rule, s->value) || report_add(c, rule, s, (struct fact){ 0 });
}

bool
compile_const(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	compile_rule(k, keyword, value);
	return true;
}

bool
check_const(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return is_equal(c, rule->value, s->value) || report_add(c, rule, s, (struct fact){ 0 });
}

bool
check_doubtful(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_doubt(c, s->node, rule->value, rule->as.why);
}

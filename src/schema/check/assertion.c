
#include "check.h"

#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "schema/compile/compile.h"
#include "schema/format/format.h"
#include "schema/report/report.h"

#include <math.h>
#include <string.h>

/* ---- sets of values ---- */

#define MAX_PROBES 64

struct value_set {
	size_t mask;
	const cJSON *slots[];
};

struct value_set *
value_set_create(struct pool **pool, size_t count)
{
	size_t mask = 15;

	while (mask < count * 2)
		mask = mask * 2 + 1;
	struct value_set *set = pool_alloc(pool, sizeof(*set) + (mask + 1) * sizeof(*set->slots));
	set->mask = mask;
	return set;
}

/* The slot of the value, or the free slot for it; gives up after MAX_PROBES. */
static size_t
slot_of(const struct value_set *set, const cJSON *value, size_t *probes, size_t *cost)
{
	size_t i = (size_t)json_hash_counted(value, cost) & set->mask;

	for (*probes = 0; set->slots[i] && *probes < MAX_PROBES; ++*probes) {
		if (json_equal_counted(set->slots[i], value, cost))
			break;
		i = (i + 1) & set->mask;
	}
	return i;
}

enum value_added
value_set_add(struct value_set *set, const cJSON *value)
{
	size_t probes, cost = 0;
	size_t i = slot_of(set, value, &probes, &cost);

	if (probes == MAX_PROBES)
		return VALUE_LOST;
	if (set->slots[i])
		return VALUE_KNOWN;
	set->slots[i] = value;
	return VALUE_NEW;
}

/* *cost grows as in json_hash_counted(). */
static bool
value_set_has(const struct value_set *set, const cJSON *value, size_t *cost)
{
	size_t probes;
	size_t i = slot_of(set, value, &probes, cost);

	return set->slots[i] && probes < MAX_PROBES;
}

/* ---- type, enum, const ---- */

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
	for (size_t i = 0; name && i < ARRAY_LEN(TYPE_NAMES); i++)
		if (strcmp(TYPE_NAMES[i].name, name) == 0)
			return TYPE_NAMES[i].types;
	return 0;
}

bool
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
compile_enum(struct compiler *k, const cJSON *value)
{
	if (json_type(value) != JSON_ARRAY)
		return compile_fail(k, value, "enum must be an array");
	struct value_set *set = NULL;
	if (json_count(value) > LONG_ENUM)
		set = value_set_create(&k->schema->pool, json_count(value));
	for (const cJSON *e = json_first(value); e && set; e = e->next)
		if (is_leaf(e) && value_set_add(set, e) == VALUE_LOST)
			set = NULL;
	compile_rule(k, value)->as.set = set;
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
compile_const(struct compiler *k, const cJSON *value)
{
	compile_rule(k, value);
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

/* ---- numbers ---- */

#define BOUND_UPPER 1u
#define BOUND_EXCLUSIVE 2u

bool
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
bool
compile_legacy_bound(struct compiler *k, const cJSON *value)
{
	return compile_expects(k, value, JSON_BOOLEAN);
}

/* 0 means a double, which costs almost nothing to compare. */
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
compile_multiple(struct compiler *k, const cJSON *value)
{
	static const cJSON ZERO = { .type = cJSON_Number };

	if (json_type(value) != JSON_NUMBER || json_number_compare(value, &ZERO) <= 0)
		return compile_fail(k, value, "%s must be a number above 0", k->keyword->name);
	compile_rule(k, value);
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

/* ---- strings ---- */

/* minLength, maxItems and similar. A count beyond any possible size is no limit. */
bool
compile_count(struct compiler *k, const cJSON *value)
{
	static const cJSON ZERO = { .type = cJSON_Number };
	size_t count;

	if (json_type(value) != JSON_NUMBER || !json_number_is_integer(value) ||
	    json_number_compare(value, &ZERO) < 0)
		return compile_fail(
		    k, value, "%s must be a whole number, 0 or more", k->keyword->name);
	if (!json_number_to_size(value, SIZE_MAX / 4, &count))
		count = SIZE_MAX / 4;
	compile_rule(k, value)->as.count = count;
	return true;
}

/* Counts code points. A NUL (C0 80) and a lone surrogate (ED xx xx) count as one each, as in the
 * JSON text. */
static size_t
count_characters(struct checker *c, const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	check_charge(c, count / 16);
	return count;
}

/* Tests for a minimum number of bytes without reading further. */
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
compile_pattern(struct compiler *k, const cJSON *value)
{
	bool broken = false;

	if (!compile_expects(k, value, JSON_STRING))
		return false;
	struct regex *regex = compile_regex(k, json_string(value), value, &broken);
	if (broken)
		return false;
	compile_rule(k, value)->as.regex = regex;
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

/* A dialect that asserts formats overrides the default. */
bool
compile_format(struct compiler *k, const cJSON *value)
{
	enum schema_format_mode mode = k->schema->format;

	if (!compile_expects(k, value, JSON_STRING))
		return false;
	const struct format *format = format_find(json_string(value));
	if (!format || mode == SCHEMA_FORMAT_IGNORED)
		return true;
	struct rule *rule = compile_rule(k, value);
	rule->as.format.format = format;
	rule->as.format.warns =
	    mode == SCHEMA_FORMAT_WARNS && !k->node->resource->dialect.asserts_format;
	return true;
}

bool
check_format(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct format *format = rule->as.format.format;
	const char *text = s->value->valuestring;
	bool warning = rule->as.format.warns;

	check_charge(c, format_cost(format, text));
	const char *fault = format->fault(text);
	if (!fault)
		return true;
	if (fault == FORMAT_UNCHECKED && !warning)
		return check_doubt(c, s->node, rule->value, fault);
	if (warning && !c->collecting)
		c->warnings++;
	else
		report_add(c, rule, s, (struct fact){ .warning = warning });
	return warning;
}

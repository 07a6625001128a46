#include "keyword.h"

#include <limits.h>
#include <string.h>

/* With fewer constants, trying each one is just as fast. */
#define LONG_LIST 8

/* Does the schema allow one constant, with nothing else but annotations and the type of that
 * constant? */
static const cJSON *
constant_of(struct compiler *k, const cJSON *schema)
{
	const cJSON *value = json_get(schema, "const");

	if (!value || !is_leaf(value))
		return NULL;
	for (const cJSON *m = json_first(schema); m; m = m->next) {
		const struct keyword *keyword =
		    keyword_find(&k->keywords, m->string, SCHEMA_DRAFT_2020_12);
		bool fits =
		    json_string(m) && strcmp(json_string(m), json_type_name(json_type(value))) == 0;
		bool says_more = keyword ? keyword->does->compile || *m->string == '$'
					 : !keyword_is_foreign(m->string);
		if (m != value && says_more && !(fits && strcmp(m->string, "type") == 0))
			return NULL;
	}
	return value;
}

/* Choices are often written as a list of constants with titles. */
static const struct value_set *
constants_of(struct compiler *k, const cJSON *list)
{
	if (json_count(list) < LONG_LIST || compile_draft(k) < SCHEMA_DRAFT_06)
		return NULL;
	struct value_set *set = value_set_create(&k->schema->pool, json_count(list));
	for (const cJSON *schema = json_first(list); schema; schema = schema->next) {
		const cJSON *value = constant_of(k, schema);
		if (!value || value_set_add(set, value) != VALUE_NEW)
			return NULL;
	}
	return set;
}

static bool
compile_alternatives(struct compiler *k, const cJSON *value)
{
	if (!compile_list(k, value))
		return false;
	if (!k->schema->plainly)
		k->rules.items[k->rules.len - 1].as.list.constants = constants_of(k, value);
	return true;
}

/* The results of the branches of anyOf or oneOf. */
struct outcome {
	size_t sure, perhaps; /* branches that are valid, and that may be valid */
	size_t first;         /* the first of them */
	size_t which;         /* bit set of the valid branches, as far as the bits go */
	bool clean;           /* a valid branch has no warnings */
};

static void
add_sure(struct outcome *out, size_t branch)
{
	out->sure++;
	if (branch < sizeof(out->which) * CHAR_BIT)
		out->which |= (size_t)1 << branch;
}

#define WARNING_BRANCHES 4 /* of which the warnings are told */

/* Records the result of branch i. Returns false if no more branches are needed. */
static bool
try_branch(struct checker *c, const struct rule *rule, const struct subject *s, size_t i,
    struct outcome *out, size_t enough)
{
	struct trial trial = trial_begin(c);

	if (!(rule->as.list.items[i]->accepts & s->type))
		return true;
	check_charge(c, 1);
	if (!check_try(c, rule->as.list.items[i], s)) {
		trial_drop(c, &trial);
		return true;
	}
	if (out->sure + out->perhaps == 0)
		out->first = i;
	if (trial_undecided(c, &trial))
		out->perhaps++;
	else
		add_sure(out, i);
	if (!trial_clean(c, &trial))
		return true;
	out->clean = true;
	return s->marks || out->sure < enough;
}

/* only: the branches to try, or NULL for all. */
static struct outcome
try_branches(struct checker *c, const struct rule *rule, const struct subject *s,
    const struct branches *only, size_t enough)
{
	struct outcome out = { 0 };
	size_t count = only ? only->len : rule->as.list.len;
	bool more = true;

	for (size_t i = 0; i < count && more && !c->stopped; i++)
		more = try_branch(c, rule, s, only ? only->items[i] : i, &out, enough);
	return out;
}

/* The valid branches have nothing but format warnings to report, each its own. */
static bool
collect_warnings(struct checker *c, const struct rule *rule, const struct subject *s,
    const struct outcome *out, const struct trial *start)
{
	if (c->collecting && c->warnings > start->warnings && !c->stopped) {
		struct subject again = *s;
		again.marks = NULL;
		c->warnings = start->warnings;
		for (size_t i = out->first, told = 0;
		     i < rule->as.list.len && told < WARNING_BRANCHES; i++)
			if (i == out->first || (i < sizeof(out->which) * CHAR_BIT && out->which >> i & 1)) {
				check_here(c, rule->as.list.items[i], &again);
				told++;
			}
	}
	return true;
}

const struct branches *
branches_among(struct checker *c, const struct node_list *list, const cJSON *object)
{
	size_t cost = 0;

	if (!list->kinds && !list->presence)
		return NULL;
	c->steps++;
	if (list->presence) {
		check_charge(c, json_count(object) / 8);
		return presence_branches(list->presence, object);
	}
	const struct branches *among = kinds_branches(list->kinds, object, &cost);
	check_charge(c, cost / 8);
	return among;
}

/* Alternatives that are distinct constants: at most one of them is valid. */
static bool
decided_by_constants(
    struct checker *c, const struct rule *rule, const struct subject *s, bool *result)
{
	if (!rule->as.list.constants)
		return false;
	c->steps++;
	*result = is_leaf(s->value) && is_in_set(c, rule->as.list.constants, s->value);
	return *result || !c->collecting;
}

/* Any branch may be the intended one, so a property that one of them declares is not reported as
 * unevaluated. */
static void
mark_declared(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct trial trial = trial_begin(c);
	bool muted = c->muted;

	c->muted = true;
	for (size_t i = 0; i < rule->as.list.len && !c->stopped; i++)
		check_here(c, rule->as.list.items[i], s);
	c->muted = muted;
	trial_drop(c, &trial);
}

static bool
none_holds(struct checker *c, const struct rule *rule, const struct subject *s)
{
	if (c->collecting && s->marks)
		mark_declared(c, rule, s);
	return c->collecting && !c->muted && explain_alternatives(c, rule, s);
}

static bool
check_alternatives(struct checker *c, const struct rule *rule, const struct subject *s)
{
	bool one = rule->kind == RULE_ONE_OF, result;

	if (rule->as.list.sure & s->type && !s->marks)
		return true;
	if (decided_by_constants(c, rule, s, &result))
		return result;
	const struct branches *only =
	    s->type == TYPE_OBJECT ? branches_among(c, &rule->as.list, s->value) : NULL;
	struct trial start = trial_begin(c);
	struct outcome out = try_branches(c, rule, s, only,
	    !one            ? 1
	    : c->collecting ? SIZE_MAX
			    : 2);
	size_t warnings = c->warnings;

	if (c->stopped)
		return true;
	if (one && out.sure > 1)
		return report_add(c, rule, s, (struct fact){ .a = out.sure, .b = out.which });
	if (out.sure + out.perhaps == 0)
		return none_holds(c, rule, s);
	if (!one && (out.clean || out.sure > 0))
		trial_drop(c, &start);
	if (!one && out.clean)
		return true;
	c->warnings = warnings;
	return collect_warnings(c, rule, s, &out, &start);
}

const struct keyword_functions keyword_alternatives = {
	.compile = compile_alternatives,
	.check = check_alternatives,
	.walk = walk_list,
	.edge = EDGE_BRANCH,
	.expected = append_alternatives,
	.line = add_alternatives_line,
};

/* SPDX-License-Identifier: MIT */
#include "keyword.h"

#include <limits.h>
#include <string.h>

/* ---- allOf ---- */

static bool
compile_list(struct compiler *k, const cJSON *value)
{
	struct node_list list = { 0 };

	if (!compile_children(k, value, &list))
		return false;
	compile_rule(k, value)->as.list = list;
	return true;
}

static bool
check_all_of(struct checker *c, const struct rule *rule, const struct subject *s)
{
	bool ok = true;

	for (size_t i = 0; i < rule->as.list.len && !c->stopped; i++) {
		ok &= check_here(c, rule->as.list.items[i], s);
		if (!ok && !c->collecting)
			break;
	}
	return ok;
}

static void
walk_list(struct edge_walk *w, const struct rule *rule)
{
	for (size_t i = 0; i < rule->as.list.len; i++)
		walk_edge(w, &(struct edge){
				 .kind = rule->keyword->does->edge,
				 .keyword = rule->keyword->name,
				 .index = i,
				 .to = rule->as.list.items[i],
			     });
}

/* ---- if, then, else ---- */

static bool
compile_if(struct compiler *k, const cJSON *value)
{
	const cJSON *yes = compile_sibling(k, "then"), *no = compile_sibling(k, "else");
	struct node *test = compile_child(k, value);
	struct node *then = yes ? compile_child(k, yes) : NULL;
	struct node *otherwise = no ? compile_child(k, no) : NULL;

	if (!test || (yes && !then) || (no && !otherwise))
		return false;
	struct rule *rule = compile_rule(k, value);
	rule->as.branch.test = test;
	rule->as.branch.yes = then;
	rule->as.branch.no = otherwise;
	return true;
}

static bool
check_if(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct node *then = rule->as.branch.yes, *otherwise = rule->as.branch.no;

	if (!then && !otherwise && !s->marks)
		return true;
	struct trial trial = trial_begin(c);
	bool holds = check_try(c, rule->as.branch.test, s);
	c->warnings = trial.warnings;
	if (holds && trial_undecided(c, &trial))
		return true;
	if (!holds)
		trial_drop(c, &trial);
	const struct node *next = holds ? then : otherwise;
	return !next || check_here(c, next, s);
}

static void
walk_if(struct edge_walk *w, const struct rule *rule)
{
	walk_here(w, EDGE_IF, "if", rule->as.branch.test);
	walk_here(w, EDGE_THEN, "then", rule->as.branch.yes);
	walk_here(w, EDGE_ELSE, "else", rule->as.branch.no);
}

/* ---- not ---- */

bool
compile_schema(struct compiler *k, const cJSON *value)
{
	struct node *child = compile_child(k, value);

	if (!child)
		return false;
	compile_rule(k, value)->as.node = child;
	return true;
}

static bool
check_not(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct subject inner = *s;
	struct trial trial = trial_begin(c);

	inner.marks = NULL;
	bool holds = check_try(c, rule->as.node, &inner);
	c->warnings = trial.warnings;
	if (!holds) {
		trial_drop(c, &trial);
		return true;
	}
	return trial_undecided(c, &trial) || report_add(c, rule, s, (struct fact){ 0 });
}

static void
add_not(const struct record *r, struct buf *out)
{
	const cJSON *type = json_get(r->rule->value, "type");

	if (cJSON_GetStringValue(type) && json_count(r->rule->value) == 1)
		buf_addf(out, "anything but type %s", cJSON_GetStringValue(type));
	else
		buf_add_str(out, "something else");
}

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
		bool fits = cJSON_GetStringValue(m) &&
			    strcmp(cJSON_GetStringValue(m), json_type_name(json_type(value))) == 0;
		bool says_more = keyword ? keyword->does->compile || *m->string == '$'
					 : !keyword_is_foreign(m->string);
		if (m != value && says_more && !(fits && strcmp(m->string, "type") == 0))
			return NULL;
	}
	return value;
}

static bool
compile_alternatives(struct compiler *k, const cJSON *value)
{
	if (!compile_list(k, value))
		return false;
	if (k->schema->plainly || json_count(value) < LONG_LIST ||
	    compile_draft(k) < SCHEMA_DRAFT_06)
		return true;
	/* choices are often written as a list of constants with titles */
	struct value_set *set = value_set_create(&k->schema->pool, json_count(value));
	for (const cJSON *schema = json_first(value); schema && set; schema = schema->next) {
		const cJSON *constant = constant_of(k, schema);
		if (!constant || value_set_add(set, constant) != VALUE_NEW)
			set = NULL;
	}
	k->rules.items[k->rules.len - 1].as.list.constants = set;
	return true;
}

/* The results of the branches of anyOf or oneOf. */
struct outcome {
	size_t sure, perhaps; /* branches that are valid, and that may be valid */
	size_t first;         /* the first of them */
	size_t which;         /* bit set of the valid branches, as far as the bits go */
	bool clean;           /* a valid branch has no warnings */
};

#define WARNING_BRANCHES 4 /* at most this many report their warnings */

/* only: the branches to try, or NULL for all. Stops after `enough` valid ones. */
static struct outcome
try_branches(struct checker *c, const struct rule *rule, const struct subject *s,
    const struct branches *only, size_t enough)
{
	struct outcome out = { 0 };
	size_t count = only ? only->len : rule->as.list.len;

	for (size_t n = 0; n < count && !c->stopped; n++) {
		size_t i = only ? only->items[n] : n;
		const struct node *branch = rule->as.list.items[i];
		struct trial trial = trial_begin(c);
		if (!(branch->accepts & s->type))
			continue;
		check_charge(c, 1);
		if (!check_try(c, branch, s)) {
			trial_drop(c, &trial);
			continue;
		}
		if (out.sure + out.perhaps == 0)
			out.first = i;
		if (trial_undecided(c, &trial)) {
			out.perhaps++;
		} else {
			out.sure++;
			if (i < sizeof(out.which) * CHAR_BIT)
				out.which |= (size_t)1 << i;
		}
		if (!trial_clean(c, &trial))
			continue;
		out.clean = true;
		if (!s->marks && out.sure >= enough)
			break;
	}
	return out;
}

static bool
none_holds(struct checker *c, const struct rule *rule, const struct subject *s)
{
	if (c->collecting && s->marks) {
		/* Any branch may be the intended one, so a property that one of them declares is
		 * not reported as unevaluated. */
		struct trial trial = trial_begin(c);
		bool muted = c->muted;
		c->muted = true;
		for (size_t i = 0; i < rule->as.list.len && !c->stopped; i++)
			check_here(c, rule->as.list.items[i], s);
		c->muted = muted;
		trial_drop(c, &trial);
	}
	return c->collecting && !c->muted && explain_alternatives(c, rule, s);
}

static bool
check_alternatives(struct checker *c, const struct rule *rule, const struct subject *s)
{
	bool one = rule->kind == RULE_ONE_OF;

	if (rule->as.list.sure & s->type && !s->marks)
		return true;
	if (rule->as.list.constants) { /* distinct, so at most one is valid */
		c->steps++;
		bool listed = is_leaf(s->value) && is_in_set(c, rule->as.list.constants, s->value);
		if (listed || !c->collecting)
			return listed;
	}
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
	/* The valid branches have nothing but format warnings to report, each its own. */
	if (c->collecting && c->warnings > start.warnings && !c->stopped) {
		struct subject again = *s;
		again.marks = NULL;
		c->warnings = start.warnings;
		for (size_t i = out.first, told = 0;
		     i < rule->as.list.len && told < WARNING_BRANCHES; i++)
			if (i == out.first ||
			    (i < sizeof(out.which) * CHAR_BIT && out.which >> i & 1)) {
				check_here(c, rule->as.list.items[i], &again);
				told++;
			}
	}
	return true;
}

/* unevaluatedProperties, unevaluatedItems: the children that no keyword before has evaluated. */

static bool
compile_unevaluated(struct compiler *k, const cJSON *value)
{
	k->node->tracks = true;
	return compile_schema(k, value);
}

/* An undecided keyword may have evaluated the child, so a failure here is undecided too. */
static bool
check_unevaluated(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct json_items it;
	bool ok = true;

	if (c->undecided > s->undecided_before)
		return check_undecided(c, s->node, rule->value, "depends on the others");
	for (items_begin(c, &it, s->value); it.item; items_next(c, &it)) {
		if (marks_has(s->marks, it.index))
			continue;
		if (c->collecting && matches_nothing(rule->as.node))
			ok = report_child(c, rule, s->node, items_lasting(c, &it), it.index,
			    (struct fact){ .a = it.index });
		else
			ok &= check_item(c, rule->as.node, &it);
		marks_set(s->marks, it.index);
		if ((!ok && !c->collecting) || c->stopped)
			break;
	}
	c->steps += it.index;
	json_items_finish(&it);
	return ok;
}

/* clang-format off */
const struct keyword_functions
	keyword_all_of = { .compile = compile_list, .check = check_all_of, .walk = walk_list },
	keyword_if = { .compile = compile_if, .check = check_if, .walk = walk_if },
	keyword_not = { .compile = compile_schema, .check = check_not, .expected = add_not, .line = add_not_line, .fault = "not allowed" },
	keyword_alternatives = { .compile = compile_alternatives, .check = check_alternatives, .expected = append_alternatives, .line = add_alternatives_line, .walk = walk_list, .edge = EDGE_BRANCH },
	keyword_unevaluated = { .compile = compile_unevaluated, .check = check_unevaluated, .expected = add_not_declared, .line = add_not_declared_line, .fault = "not declared", .walk = walk_children, .edge = EDGE_LEFT };
/* clang-format on */

#include "keyword.h"

/* ---- allOf ---- */

bool
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
walk_if(const struct edge_walk *w, const struct rule *rule)
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

	if (json_string(type) && json_count(r->rule->value) == 1)
		buf_addf(out, "anything but type %s", json_string(type));
	else
		buf_add_str(out, "something else");
}

static void
add_not_line(const struct record *r, struct buf *out)
{
	if (matches_anything(r->rule->as.node))
		add_nothing_line(r, out);
	else
		add_excluded_line(r, r->rule->as.node, out);
}

const struct keyword_functions keyword_all_of = {
	.compile = compile_list,
	.check = check_all_of,
	.walk = walk_list,
};

const struct keyword_functions keyword_if = {
	.compile = compile_if,
	.check = check_if,
	.walk = walk_if,
};

const struct keyword_functions keyword_not = {
	.compile = compile_schema,
	.check = check_not,
	.expected = add_not,
	.line = add_not_line,
	.fault = "not allowed",
	.walk = walk_node,
	.edge = EDGE_NOT,
};

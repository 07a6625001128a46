/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/ascii.h"
#include "base/text_match.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* Add the variables that the text refers to as $name. */
static void
add_named(const char *text, const struct variables *v, struct variables *named)
{
	while ((text = strchr(text, '$'))) {
		const char *name = ++text;
		while (ascii_is_alnum((unsigned char)*text) || *text == '_')
			text++;
		size_t len = (size_t)(text - name);
		const struct variable *found = len > 0 ? variables_find(v, name, len) : NULL;
		if (found && !variables_find(named, name, len))
			variables_set(named, found->name,
			    found->doc ? json_doc_ref(found->doc) : NULL, found->value);
	}
}

/* jq gets {"v": {"name": ...}, "i": input}, and the expression after
 * .v as {$name, ...} | .i | ( */
bool
expression_make(struct recipe_expression *e, const char *text, const cJSON *current,
    const struct variables *v, struct buf *value, struct err *err)
{
	struct variables named = { 0 };

	buf_finish(&e->whole);
	e->text = text;
	add_named(text, v, &named);
	buf_finish(value);
	buf_init(value, QUERY_MAX_BYTES);
	for (size_t i = 0; i < named.len; i++) {
		buf_addf(&e->whole, "%s$%s", i ? "," : ".v as {", named.items[i].name);
		buf_addf(value, "%s\"%s\":", i ? "," : "{\"v\":{", named.items[i].name);
		json_print(value, named.items[i].value);
	}
	if (named.len > 0) {
		buf_add_str(&e->whole, "} | .i | (");
		buf_add_str(value, "},\"i\":");
	}
	e->prefix = e->whole.len;
	buf_add_str(&e->whole, text);
	if (current)
		json_print(value, current);
	else
		buf_add_str(value, "null");
	if (named.len > 0) {
		buf_add_str(&e->whole, EXPRESSION_END);
		buf_add_char(value, '}');
	}
	variables_finish(&named);
	return !value->overflowed ||
	       err_set(err, "the value for jq is larger than %zu MiB", QUERY_MAX_BYTES >> 20);
}

bool
expression_read(
    const struct recipe_expression *e, const struct query_answer *answer, struct buf *reason)
{
	if (answer->trouble.text[0] == '\0' && !answer->more)
		return true;
	if (answer->more) {
		buf_addf(reason, "jq %s: there are more than %zu results, or more than %zu MiB",
		    e->text, QUERY_MAX_RESULTS, QUERY_MAX_ANSWER >> 20);
		return false;
	}
	buf_addf(reason, "jq %s: %s", e->text, answer->trouble.text);
	if (answer->at != QUERY_NOWHERE && answer->at >= e->prefix &&
	    answer->at - e->prefix <= strlen(e->text))
		buf_addf(reason, " (at character %zu)", answer->at - e->prefix + 1);
	return false;
}

bool
results_are_true(const cJSON *results)
{
	const cJSON *result = json_first(results);

	for (; result; result = result->next)
		if (cJSON_IsNull(result) || (cJSON_IsBool(result) && !cJSON_IsTrue(result)))
			return false;
	return json_first(results) != NULL;
}

/* ---- all expressions of a recipe ---- */

/*
 * Report invalid expressions before the first call, which may have side effects. One jq program
 * compiles many expressions without running them; if it does not compile, its expressions are
 * compiled one by one.
 */

static void
add_check(struct recipe_checks *c, const cJSON *node, const struct recipe_step *step)
{
	if (cJSON_GetStringValue(node))
		*VEC_PUSH(c) = (struct recipe_check){ node, step };
	for (const cJSON *item = json_first(node); item; item = item->next)
		add_check(c, item, step);
}

/* of: the top-level step that contains these steps; NULL: they are top-level steps. */
static void
add_steps(struct recipe_checks *c, const struct recipe_steps *steps, const struct recipe_step *of)
{
	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i], *in = of ? of : s;
		add_check(c, json_get(s->node, "when"), in);
		if (s->kind == RECIPE_PICK || s->kind == RECIPE_EACH)
			add_check(c, json_get(s->node, recipe_kind_names[s->kind]), in);
		add_check(c, s->conditions, in);
		add_check(c, json_get(json_get(s->node, "expect"), "of"), in);
		add_check(c, s->expect.conditions, in);
		add_check(c, json_get(json_get(s->node, "retry"), "until"), in);
		add_steps(c, &s->steps, in);
	}
}

/* Add the names of the variables that steps set, without values. */
static void
steps_add_set_names(const struct recipe_steps *steps, struct variables *names)
{
	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i];
		if (s->save)
			variables_set(names, s->save, NULL, NULL);
		if (s->kind == RECIPE_EACH)
			variables_set(names, s->as, NULL, NULL);
		steps_add_set_names(&s->steps, names);
	}
}

void
checks_start(struct recipe_checks *c, const struct recipe *recipe, const struct variables *values)
{
	add_steps(c, &recipe->steps, NULL);
	for (size_t i = 0; i < values->len; i++)
		variables_set(&c->names, values->items[i].name, NULL, NULL);
	steps_add_set_names(&recipe->steps, &c->names);
	variables_set(&c->names, "reply", NULL, NULL);
}

void
checks_finish(struct recipe_checks *c)
{
	free(c->items);
	variables_finish(&c->names);
	*c = (struct recipe_checks){ 0 };
}

bool
checks_next(struct recipe_checks *c, struct recipe_expression *e)
{
	struct variables named = { 0 };
	size_t bytes = 0;

	if (c->from == c->len)
		return false;
	buf_finish(&e->whole);
	e->text = cJSON_GetStringValue(c->items[c->from].node);
	for (c->to = c->from; c->to < c->len; c->to++) {
		const char *text = cJSON_GetStringValue(c->items[c->to].node);
		/* an upper bound of the expression with the names of its variables */
		bytes += 3 * strlen(text) + 16;
		if (c->to > c->from &&
		    (c->from < c->one_by_one || bytes >= QUERY_MAX_EXPRESSION - 100))
			break;
		add_named(text, &c->names, &named);
	}
	buf_add_str(&e->whole, "empty | ");
	for (size_t i = 0; i < named.len; i++)
		buf_addf(&e->whole, "%s$%s", i ? "," : "null as {", named.items[i].name);
	buf_add_str(&e->whole, named.len > 0 ? "} | " : "");
	e->prefix = e->whole.len;
	if (c->to - c->from == 1)
		buf_add_str(&e->whole, e->text);
	for (size_t i = c->from; i < c->to && c->to - c->from > 1; i++)
		buf_addf(&e->whole, "%s%s" EXPRESSION_END, i > c->from ? ",(" : "(",
		    cJSON_GetStringValue(c->items[i].node));
	variables_finish(&named);
	return true;
}

bool
checks_read(struct recipe_checks *c, const struct recipe *recipe, const struct recipe_expression *e,
    const struct query_answer *answer, struct buf *reason)
{
	if (answer->trouble.text[0] && c->to - c->from == 1) {
		recipe_add_place(recipe, c->items[c->from].node, reason);
		return expression_read(e, answer, reason);
	}
	if (answer->trouble.text[0])
		c->one_by_one = c->to;
	else
		c->from = c->to;
	return true;
}

/* Add the values of variables that have none yet. */
static void
add_values(struct variables *values, const struct recipe *recipe, const cJSON *object)
{
	for (const cJSON *m = json_first(object); m; m = m->next)
		if (!variables_find(values, m->string, strlen(m->string)))
			variables_set(values, m->string, json_doc_ref(recipe->doc), m);
}

struct having_values {
	const struct variables *values;
	struct variables set;
};

static bool
is_known(void *user, const char *name, size_t len, struct err *err)
{
	const struct having_values *known = user;

	return variables_find(known->values, name, len) || variables_find(&known->set, name, len) ||
	       err_set(err, "${%.*s} has no value: --var %.*s=VALUE gives it one", (int)len, name,
		   (int)len, name);
}

static bool
steps_are_known(const struct recipe_steps *steps, struct variables_walk *walk, struct err *err)
{
	static const char *const texts[] = { "call", "read", "get", "name", "message" };
	const struct having_values *known = walk->user;

	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i];
		for (size_t t = 0; t < ARRAY_LEN(texts); t++)
			if (!variables_walk(walk, json_get(s->node, texts[t]), err))
				return false;
		walk->at = json_get(s->node, "from");
		if (s->from && !variables_find(known->values, s->from, strlen(s->from)) &&
		    !variables_find(&known->set, s->from, strlen(s->from)))
			return err_set(err,
			    "there is no variable \"%.64s\": \"from\" names one of the file, or "
			    "one that a step saves",
			    s->from);
		if (!variables_walk(walk, s->arguments, err) ||
		    !variables_walk(walk, s->expect.error, err) ||
		    !variables_walk(walk, s->expect.equals, err) ||
		    !variables_walk(walk, s->expect.contains, err) ||
		    !steps_are_known(&s->steps, walk, err))
			return false;
	}
	return true;
}

bool
start_variables(const struct recipe_run_options *options, struct variables *values, struct err *err)
{
	const struct recipe *recipe = options->recipe;
	const cJSON *environment =
	    options->environment ? json_get(recipe->environments, options->environment) : NULL;
	struct having_values known = { .values = values };
	struct variables_walk walk = { .each = is_known, .user = &known };
	struct buf place = BUF_INIT;
	struct err why;

	if (options->environment && !environment) {
		struct did_you_mean meant;
		did_you_mean_init(&meant, options->environment, strlen(options->environment));
		for (const cJSON *m = json_first(recipe->environments); m; m = m->next)
			did_you_mean_try(&meant, m->string);
		return err_set(err, "there is no environment \"%.80s\"%s", options->environment,
		    did_you_mean_or(&meant, ""));
	}
	add_values(values, recipe, environment);
	add_values(values, recipe, recipe->variables);
	steps_add_set_names(&recipe->steps, &known.set);
	variables_set(&known.set, "reply", NULL, NULL);
	bool ok = steps_are_known(&recipe->steps, &walk, &why);
	variables_finish(&known.set);
	if (ok)
		return true;
	recipe_add_place(recipe, walk.at, &place);
	err_set(err, "%.120s%.130s", buf_text(&place), why.text);
	buf_finish(&place);
	return false;
}

#include "state.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* The next variable that the text names as $name; NULL: there is none. */
static const struct variable *
next_named(const char **text, const struct variables *v)
{
	while ((*text = strchr(*text, '$'))) {
		const char *name = ++*text;
		size_t len = 0;
		while (ascii_is_alnum((unsigned char)name[len]) || name[len] == '_')
			len++;
		*text += len;
		const struct variable *found = len > 0 ? variables_find(v, name, len) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

static void
add_named(const char *text, const struct variables *v, struct variables *named)
{
	const struct variable *found;

	while ((found = next_named(&text, v)))
		if (!variables_find(named, found->name, strlen(found->name)))
			variables_set(named, found->name,
			    found->doc ? json_doc_ref(found->doc) : NULL, found->value);
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
		if (cJSON_IsNull(result) || (cJSON_IsBool(result) && !json_is_true(result)))
			return false;
	return json_first(results) != NULL;
}

/* ---- all expressions of a recipe ---- */

/*
 * A wrong expression has to be told before the first call, which may change something. One program
 * of jq compiles many expressions and computes none of them; if it does not compile, each of its
 * expressions has a turn of its own.
 */

static void
add_check(struct recipe_checks *c, const cJSON *node, const struct recipe_step *step)
{
	if (json_string(node))
		*VEC_PUSH(c) = (struct recipe_check){ node, step };
	for (const cJSON *item = json_first(node); item; item = item->next)
		add_check(c, item, step);
}

/* of: the step of the file that these steps are in; NULL: they are its own. */
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

/* At most the bytes it adds to the program: itself, and the names of its variables. */
static size_t
bytes_of(const struct recipe_check *check)
{
	return 3 * strlen(json_string(check->node)) + 16;
}

bool
checks_next(struct recipe_checks *c, struct recipe_expression *e)
{
	struct variables named = { 0 };
	size_t bytes = 0;

	if (c->from == c->len)
		return false;
	buf_finish(&e->whole);
	e->text = json_string(c->items[c->from].node);
	c->to = c->from;
	do {
		bytes += bytes_of(&c->items[c->to]);
		add_named(json_string(c->items[c->to].node), &c->names, &named);
		c->to++;
	} while (c->to < c->len && c->from >= c->one_by_one &&
		 bytes + bytes_of(&c->items[c->to]) < QUERY_MAX_EXPRESSION - 100);
	buf_add_str(&e->whole, "empty | ");
	for (size_t i = 0; i < named.len; i++)
		buf_addf(&e->whole, "%s$%s", i ? "," : "null as {", named.items[i].name);
	buf_add_str(&e->whole, named.len > 0 ? "} | " : "");
	e->prefix = e->whole.len;
	if (c->to - c->from == 1)
		buf_add_str(&e->whole, e->text);
	for (size_t i = c->from; i < c->to && c->to - c->from > 1; i++)
		buf_addf(&e->whole, "%s%s" EXPRESSION_END, i > c->from ? ",(" : "(",
		    json_string(c->items[i].node));
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

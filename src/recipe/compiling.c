#include "state.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/*
 * A wrong expression has to be told before the first call, which may change something. One program
 * of jq compiles many expressions and computes none of them; if it does not compile, each of its
 * expressions has a turn of its own.
 */

static void
add(struct recipe_checks *c, const cJSON *node, const struct recipe_step *step)
{
	if (json_string(node))
		*VEC_PUSH(c) = (struct recipe_check){ node, step };
	for (const cJSON *item = json_first(node); item; item = item->next)
		add(c, item, step);
}

/* of: the step of the file that these steps are in; NULL: they are its own. */
static void
add_steps(struct recipe_checks *c, const struct recipe_steps *steps, const struct recipe_step *of)
{
	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i], *in = of ? of : s;
		add(c, json_get(s->node, "when"), in);
		if (s->kind == RECIPE_PICK || s->kind == RECIPE_EACH)
			add(c, json_get(s->node, recipe_kind_names[s->kind]), in);
		add(c, s->conditions, in);
		add(c, json_get(json_get(s->node, "expect"), "of"), in);
		add(c, s->expect.conditions, in);
		add(c, json_get(json_get(s->node, "retry"), "until"), in);
		add_steps(c, &s->steps, in);
	}
}

void
checks_start(
    struct recipe_checks *c, const struct recipe *recipe, const struct variables *values)
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
		expression_add_named(json_string(c->items[c->to].node), &c->names, &named);
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
checks_read(struct recipe_checks *c, const struct recipe *recipe,
    const struct recipe_expression *e, const struct query_answer *answer, struct buf *reason)
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

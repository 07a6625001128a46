#include "state.h"

#include "base/text_match.h"
#include "base/vec.h"

#include <string.h>

/* Those that are there already win. */
static void
add_values(struct variables *values, const struct recipe *recipe, const cJSON *object)
{
	for (const cJSON *m = json_first(object); m; m = m->next)
		if (!variables_find(values, m->string, strlen(m->string)))
			variables_set(values, m->string, json_doc_ref(recipe->doc), m);
}

static bool
refuse_environment(const struct recipe *recipe, const char *name, struct err *err)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, name, strlen(name));
	for (const cJSON *m = json_first(recipe->environments); m; m = m->next)
		did_you_mean_try(&meant, m->string);
	return err_set(err, "there is no environment \"%.80s\"%s%s%s", name,
	    meant.name ? "; did you mean " : "", meant.name ? meant.name : "",
	    meant.name ? "?" : "");
}

void
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
from_is_known(const struct recipe_step *s, struct variables_walk *walk, struct err *err)
{
	const struct having_values *known = walk->user;

	walk->at = json_get(s->node, "from");
	return !s->from || variables_find(known->values, s->from, strlen(s->from)) ||
	       variables_find(&known->set, s->from, strlen(s->from)) ||
	       err_set(err,
		   "there is no variable \"%.64s\": \"from\" names one of the file, or one that a "
		   "step saves",
		   s->from);
}

static bool
steps_are_known(const struct recipe_steps *steps, struct variables_walk *walk, struct err *err)
{
	static const char *const texts[] = { "call", "read", "get", "name", "message" };

	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i];
		for (size_t t = 0; t < ARRAY_LEN(texts); t++)
			if (!variables_walk(walk, json_get(s->node, texts[t]), err))
				return false;
		if (!from_is_known(s, walk, err) || !variables_walk(walk, s->arguments, err) ||
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

	if (options->environment && !environment)
		return refuse_environment(recipe, options->environment, err);
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

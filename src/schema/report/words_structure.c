#include "report.h"

#include "base/vec.h"

#include <string.h>

/* Sentences about objects and arrays. */

#define MEMBERS_TRIED 1000 /* members tried as suggestions for a misspelled name */

/* ---- names ---- */

void
say_name(const struct record *r, struct buf *out)
{
	if (r->pub.missing)
		say_property(r->pub.missing, out);
	else
		buf_add_str(out, "nothing");
}

/* The property that makes another one required. */
static const char *
cause_of(const struct record *r)
{
	for (const cJSON *d = json_first(r->rule->value); d; d = d->next)
		for (const cJSON *n = json_type(d) == JSON_ARRAY ? json_first(d) : NULL; n;
		     n = n->next)
			if (n->valuestring == r->pub.missing && json_get(r->pub.node, d->string))
				return d->string;
	return NULL;
}

/* An undeclared member whose name resembles the missing one. If undeclared names are forbidden,
 * that member has its own violation. */
static const char *
misspelled(const struct record *r)
{
	const struct object_rules *rules = r->node->object;
	struct did_you_mean suggestion;

	if (!rules || (rules->additional && rules->additional->never) ||
	    json_count(r->pub.node) > MEMBERS_TRIED)
		return NULL;
	suggest_for(&suggestion, r->pub.missing, r);
	for (const cJSON *m = json_first(r->pub.node); m && suggestion.left; m = m->next)
		if (!object_find(rules, m->string))
			did_you_mean_try(&suggestion, m->string);
	return suggestion.name;
}

/* The only member of the object, if it contains the missing one. */
static const char *
wrapping(const struct record *r)
{
	const cJSON *only = json_first(r->pub.node);

	return only && !only->next && json_count(only) <= MEMBERS_TRIED &&
		       json_get(only, r->pub.missing)
		   ? only->string
		   : NULL;
}

void
line_missing(const struct record *r, struct buf *out)
{
	const char *cause = json_type(r->rule->value) == JSON_OBJECT ? cause_of(r) : NULL;
	const struct {
		const char *words, *name;
	} HINTS[] = {
		{ "required with ", cause },
		{ "there is ", misspelled(r) },
		{ "it is in ", wrapping(r) },
	};

	say_property(r->pub.missing, out);
	buf_add_str(out, " is missing");
	for (size_t i = 0; i < ARRAY_LEN(HINTS); i++) {
		if (!HINTS[i].name)
			continue;
		buf_addf(out, " (%s", HINTS[i].words);
		say_property(HINTS[i].name, out);
		buf_add_char(out, ')');
		break;
	}
}

/* Suggests a declared property for an undeclared one; not for items. */
static void
find_declared(const struct record *r, struct did_you_mean *suggestion)
{
	const char *name = r->pub.node->string;
	const struct object_rules *rules = r->node->object;

	suggest_for(suggestion, name, r);
	for (size_t i = 0; rules && name && i < rules->count && suggestion->left; i++)
		did_you_mean_try(suggestion, rules->members[i].name);
}

void
say_not_declared(const struct record *r, struct buf *out)
{
	struct did_you_mean suggestion;

	find_declared(r, &suggestion);
	if (suggestion.name)
		say_short(suggestion.name, out);
	else
		buf_add_str(out, suggestion.word ? "no such property" : "no such item");
}

void
line_not_declared(const struct record *r, struct buf *out)
{
	struct did_you_mean suggestion;

	find_declared(r, &suggestion);
	if (suggestion.word)
		say_property(suggestion.word, out);
	else
		buf_addf(out, "item %zu", r->a);
	buf_add_str(out, " is not declared");
	say_suggestion(&suggestion, "", out);
}

/* ---- sizes: a is the number found, b is set if there are too many ---- */

void
say_size(const struct record *r, struct buf *out)
{
	bool array = json_type(r->pub.node) == JSON_ARRAY;

	buf_add_str(out, r->b ? "at most " : "at least ");
	say_count(
	    r->rule->as.count, array ? "item" : "property", array ? "items" : "properties", out);
}

/* ---- uniqueItems: item a repeats item b ---- */

void
say_unique(const struct record *r, struct buf *out)
{
	(void)r;
	buf_add_str(out, "no item twice");
}

void
line_unique(const struct record *r, struct buf *out)
{
	buf_addf(out, "item %zu repeats item %zu", r->a, r->b);
}

/* ---- contains: a is the number of valid items, b is set if there are too many ---- */

static size_t
contains_bound(const struct record *r)
{
	const cJSON *bound = json_get(r->node->source, r->b ? "maxContains" : "minContains");

	return bound && bound->valuedouble >= 0 && bound->valuedouble < 1e15
		   ? (size_t)bound->valuedouble
		   : 1;
}

void
say_contains(const struct record *r, struct buf *out)
{
	buf_add_str(out, r->b ? "at most " : "at least ");
	say_count(contains_bound(r), "item", "items", out);
	buf_add_str(out, " of one kind");
}

void
line_contains(const struct record *r, struct buf *out)
{
	const cJSON *names = json_get(r->rule->value, "required");
	struct buf kind = BUF_INIT;

	if (json_count(r->rule->value) == 1 && json_count(names) == 1 && r->a == 0 && !r->b &&
	    json_string(json_first(names))) {
		buf_add_str(out, "no item has ");
		say_property(json_string(json_first(names)), out);
		return;
	}
	if (!say_kind(r->rule->as.node, &kind)) {
		buf_clear(&kind);
		buf_add_str(&kind, "of the kind the array must contain");
	}
	if (r->a == 0 && !r->b) {
		buf_addf(out, "no item is %s", buf_text(&kind));
	} else {
		say_count(r->a, "item is ", "items are each ", out);
		buf_addf(out, "%s, expected %s %zu", buf_text(&kind), r->b ? "at most" : "at least",
		    contains_bound(r));
	}
	buf_finish(&kind);
}

/* ---- items past the end: a is the index, b the number allowed ---- */

void
say_surplus(const struct record *r, struct buf *out)
{
	buf_add_str(out, "at most ");
	say_count(r->b, "item", "items", out);
}

void
line_surplus(const struct record *r, struct buf *out)
{
	buf_add_str(out, "too many items, expected ");
	say_surplus(r, out);
}

/* ---- not, false ---- */

void
say_not(const struct record *r, struct buf *out)
{
	const cJSON *type = json_get(r->rule->value, "type");

	if (json_string(type) && json_count(r->rule->value) == 1)
		buf_addf(out, "anything but type %s", json_string(type));
	else
		buf_add_str(out, "something else");
}

/* The names in a schema that is only `required`, if the object has them all. */
static const cJSON *
names_there(const cJSON *schema, const cJSON *object)
{
	const cJSON *names = json_get(schema, "required");

	if (json_count(schema) != 1 || json_type(names) != JSON_ARRAY ||
	    json_type(object) != JSON_OBJECT)
		return NULL;
	for (const cJSON *n = json_first(names); n; n = n->next)
		if (!json_string(n) || !json_get(object, json_string(n)))
			return NULL;
	return json_first(names);
}

static bool
line_forbidden_names(const struct record *r, struct buf *out)
{
	const cJSON *schema = r->rule->value, *names = names_there(schema, r->pub.node);

	/* one of several such schemas */
	for (const cJSON *s = json_first(json_get(schema, "anyOf")); s && !names; s = s->next)
		names = names_there(s, r->pub.node);
	for (const cJSON *n = names; n; n = n->next) {
		say_property(json_string(n), out);
		buf_add_str(out, n->next ? " and " : " must not be present");
	}
	buf_add_str(out, names && names->next ? " together" : "");
	return names != NULL;
}

/* A schema of one keyword that explains itself. */
static bool
line_excluded(const struct record *r, struct buf *out)
{
	const struct node *node = node_meant(r->rule->as.node);
	const struct rule *rule = node->rule_count == 1 ? &node->rules[0] : NULL;
	struct choices choices = { 0 };

	if (!rule || json_count(node->source) != 1)
		return false;
	if (rule->check == check_pattern) {
		say_subject(r, out);
		buf_add_str(out, " matches ");
		say_short(json_string(rule->value), out);
		buf_add_str(out, ", which is excluded");
	} else if (rule->check == check_enum || rule->check == check_const) {
		choices_add_rule(&choices, rule);
		say_subject(r, out);
		if (choices.count > 1) {
			buf_add_str(out, " is ");
			say_choices(&choices, out);
		}
		buf_add_str(out, choices.count > 1 ? ", which are excluded" : " is excluded");
	} else if (rule->check == check_type) {
		say_found(r, out);
		buf_add_str(out, ", but ");
		say_types(rule->as.types, out);
		buf_add_str(out, " is excluded");
	} else {
		return false;
	}
	return true;
}

void
line_not(const struct record *r, struct buf *out)
{
	if (line_forbidden_names(r, out) || line_excluded(r, out))
		return;
	say_found(r, out);
	buf_add_str(out, " is not allowed here");
}

void
say_nothing(const struct record *r, struct buf *out)
{
	(void)r;
	buf_add_str(out, "nothing");
}

/* `then: false` or `else: false` if the condition only tests that properties are present. */
static bool
line_condition(const struct record *r, struct buf *out)
{
	const struct node *up = r->node->location.up;
	const char *holder = r->node->location.holder ? r->node->location.holder->string : "";
	const cJSON *test = up ? json_get(up->source, "if") : NULL;
	const cJSON *names = json_get(test, "required");
	bool then = strcmp(holder, "then") == 0;

	if ((!then && strcmp(holder, "else") != 0) || json_count(test) != 1 ||
	    json_count(names) != 1 || !json_string(json_first(names)))
		return false;
	say_property(json_string(json_first(names)), out);
	buf_add_str(out, then ? " must not be present" : " is missing");
	return true;
}

void
line_nothing(const struct record *r, struct buf *out)
{
	const cJSON *holder = r->node->location.holder;

	if (!r->rule && !r->node->never) {
		buf_add_str(out, "does not match the schema (too large to say where)");
	} else if (!r->naming && holder && strcmp(holder->string, "properties") == 0) {
		say_property(r->node->source->string, out);
		buf_add_str(out, " must not be present");
	} else if (r->naming || !line_condition(r, out)) {
		say_found(r, out);
		buf_add_str(out, r->naming ? " is not allowed" : ", but nothing is allowed here");
	}
}

#include "report_priv.h"

#include "base/likely.h"
#include "object_priv.h"

#include <string.h>

/* Sentences about objects and lists. */

/* ---- names ---- */

void
say_name(const struct record *r, struct buf *out)
{
	buf_addf(out, "%s", r->pub.missing ? r->pub.missing : "nothing");
}

/* The property that makes another one necessary. */
static const char *
cause_of(const struct record *r)
{
	for (const cJSON *d = json_first(r->rule->value); d; d = d->next) {
		if (json_type(d) != JSON_ARRAY || !json_get(r->pub.node, d->string))
			continue;
		for (const cJSON *n = json_first(d); n; n = n->next)
			if (n->valuestring == r->pub.missing)
				return d->string;
	}
	return NULL;
}

void
line_missing(const struct record *r, struct buf *out)
{
	const char *cause = json_type(r->rule->value) == JSON_OBJECT ? cause_of(r) : NULL;

	buf_addf(out, "%s is missing", r->pub.missing);
	if (cause)
		buf_addf(out, " (required with %s)", cause);
}

/* A property that is declared, for one that is not; not for items. */
static void
find_declared(const struct record *r, struct likely *likely)
{
	const char *name = r->pub.node->string;
	const struct object_rules *rules = r->node->object;

	likely_init(likely, name, name ? strlen(name) : 0);
	for (size_t i = 0; rules && name && i < rules->count; i++)
		likely_try(likely, rules->members[i].name);
}

void
say_not_declared(const struct record *r, struct buf *out)
{
	struct likely likely;

	find_declared(r, &likely);
	if (likely.name)
		buf_add_str(out, likely.name);
	else
		buf_add_str(out, likely.word ? "no such property" : "no such item");
}

void
line_not_declared(const struct record *r, struct buf *out)
{
	struct likely likely;

	find_declared(r, &likely);
	if (likely.word)
		buf_addf(out, "%s is not declared", likely.word);
	else
		buf_addf(out, "item %zu is not declared", r->a);
	say_likely(&likely, "", out);
}

/* ---- sizes; a: found, b: too many ---- */

void
say_size(const struct record *r, struct buf *out)
{
	bool list = json_type(r->pub.node) == JSON_ARRAY;

	buf_add_str(out, r->b ? "at most " : "at least ");
	say_count(
	    r->rule->as.count, list ? "item" : "property", list ? "items" : "properties", out);
}

/* ---- uniqueItems; a repeats b ---- */

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

/* ---- contains; a: items that fit, b: too many ---- */

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
	if (r->a == 0 && !r->b) {
		buf_add_str(out, "no item is of the kind the list must contain");
		return;
	}
	say_count(r->a, "item is", "items are", out);
	buf_addf(out, " of the kind the list must contain, expected %s %zu",
	    r->b ? "at most" : "at least", contains_bound(r));
}

/* ---- items past the end; a: which, b: how many there may be ---- */

void
say_surplus(const struct record *r, struct buf *out)
{
	buf_add_str(out, "at most ");
	say_count(r->b, "item", "items", out);
}

void
line_surplus(const struct record *r, struct buf *out)
{
	buf_addf(out, "item %zu is too many, expected ", r->a);
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

/* The names that `not` is about, where they are all it is about. */
static const cJSON *
forbidden_names(const struct record *r)
{
	const cJSON *names = json_get(r->rule->value, "required");

	return json_count(r->rule->value) == 1 && json_type(names) == JSON_ARRAY &&
		       json_count(names) > 0 && json_type(r->pub.node) == JSON_OBJECT
		   ? json_first(names)
		   : NULL;
}

void
line_not(const struct record *r, struct buf *out)
{
	const cJSON *names = forbidden_names(r);

	for (const cJSON *n = names; n; n = n->next)
		buf_addf(out, "%s%s", json_string(n), n->next ? " and " : " must not be there");
	if (names) {
		buf_add_str(out, names->next ? " together" : "");
		return;
	}
	say_found(r, out);
	buf_add_str(out, " is not allowed here");
}

void
say_nothing(const struct record *r, struct buf *out)
{
	(void)r;
	buf_add_str(out, "nothing");
}

void
line_nothing(const struct record *r, struct buf *out)
{
	if (!r->rule && !r->node->never)
		buf_add_str(out, "does not match the schema (too large to say where)");
	else {
		say_found(r, out);
		buf_add_str(out, r->naming ? " is not allowed" : ", but nothing is allowed here");
	}
}

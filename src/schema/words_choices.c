#include "report_priv.h"

#include "base/likely.h"
#include "object_priv.h"

#include <string.h>

/* Sentences about values that have to be one of several, by enum or as alternatives. */

#define LISTED_WHOLE 5 /* longer lists are cut after three */
#define LISTED_SHORT 3
#define LISTED_BYTES 60

struct choices {
	const cJSON *first[LISTED_WHOLE];
	size_t count;
	struct likely likely;
};

static void
choices_add(struct choices *choices, const cJSON *value)
{
	if (choices->count < LISTED_WHOLE)
		choices->first[choices->count] = value;
	choices->count++;
	if (choices->likely.word && json_string(value))
		likely_try(&choices->likely, json_string(value));
}

static void
choices_add_rule(struct choices *choices, const struct rule *rule)
{
	if (rule->check == check_const) {
		choices_add(choices, rule->value);
		return;
	}
	for (const cJSON *e = json_first(rule->value); e; e = e->next)
		choices_add(choices, e);
}

static void
say_bare(const cJSON *value, struct buf *out)
{
	const char *text = json_string(value);
	bool plain =
	    text && *text && strcspn(text, "\"\\, \n\t") == strlen(text) && strlen(text) <= 40;

	if (plain)
		buf_add_str(out, text);
	else
		say_value(value, out);
}

static void
say_choices(const struct choices *choices, struct buf *out)
{
	bool whole = choices->count <= LISTED_WHOLE;
	size_t shown = 0, start = out->len;

	if (choices->count == 0)
		buf_add_str(out, "nothing (the list is empty)");
	else if (choices->count > 1)
		buf_add_str(out, "one of ");
	for (; shown < choices->count; shown++) {
		if (shown >= LISTED_SHORT && (!whole || out->len - start > LISTED_BYTES))
			break;
		buf_add_str(out, shown ? ", " : "");
		say_bare(choices->first[shown], out);
	}
	if (shown < choices->count)
		buf_addf(out, " and %zu more", choices->count - shown);
}

/* ---- enum ---- */

static void
want_text(struct choices *choices, const struct record *r)
{
	const char *text = r->naming ? r->pub.node->string : json_string(r->pub.node);

	likely_init(&choices->likely, text, text ? strlen(text) : 0);
}

void
say_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	choices_add_rule(&choices, r->rule);
	say_choices(&choices, out);
}

static void
line_choices(const struct record *r, const struct choices *choices, struct buf *out)
{
	say_subject(r, out);
	buf_add_str(out, " is not ");
	say_choices(choices, out);
	say_likely(&choices->likely, "\"", out);
}

void
line_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	want_text(&choices, r);
	choices_add_rule(&choices, r->rule);
	line_choices(r, &choices, out);
}

/* ---- anyOf, oneOf; a: alternatives that hold, b: about the property that names the kind ---- */

/* False: it is not one of several constants that is wanted. */
static bool
add_alternatives(struct choices *choices, const struct record *r)
{
	const struct node_list *list = &r->rule->as.list;
	const char *kind = r->pub.missing ? r->pub.missing : r->pub.node->string;

	if (r->types || r->a > 1)
		return false;
	for (size_t i = 0; i < list->len; i++) {
		const struct node *node = list->items[i];
		if (r->b)
			node = object_find(branch_members(node), kind)->node;
		const struct rule *constant = branch_constant(node);
		if (!constant)
			return false;
		choices_add_rule(choices, constant);
	}
	return true;
}

void
say_alternatives(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	if (r->types)
		say_type(r, out);
	else if (r->a > 1)
		buf_addf(out, "exactly one of %zu alternatives", r->rule->as.list.len);
	else if (add_alternatives(&choices, r))
		say_choices(&choices, out);
	else
		buf_addf(out, "one of %zu alternatives", r->rule->as.list.len);
}

void
line_alternatives(const struct record *r, struct buf *out)
{
	size_t count = r->rule->as.list.len;
	struct choices choices = { 0 };

	want_text(&choices, r);
	if (add_alternatives(&choices, r) && !r->pub.missing) {
		line_choices(r, &choices, out);
		return;
	}
	if (r->pub.missing)
		buf_addf(out, "%s is missing", r->pub.missing);
	else
		say_found(r, out);
	if (r->types || r->pub.missing) {
		buf_add_str(out, ", expected ");
		say_alternatives(r, out);
	} else if (r->a > 1) {
		buf_addf(
		    out, " matches %zu of %zu alternatives, expected exactly one", r->a, count);
	} else {
		buf_add_str(out, " matches none of ");
		say_count(count, "alternative", "alternatives", out);
	}
}

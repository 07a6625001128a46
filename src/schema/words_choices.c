#include "words_priv.h"

#include "base/likely.h"
#include "json/print.h"
#include "object_priv.h"

#include <string.h>

/* Sentences about values that have to be one of several, by enum or as alternatives. */

#define LISTED_WHOLE 5 /* longer lists are cut after three */
#define LISTED_SHORT 3
#define LISTED_BYTES 60
#define TWINS_TRIED 64
#define MEMBERS_TRIED 64 /* of what is larger it is not told what is missing */

struct choices {
	const cJSON *first[LISTED_WHOLE];
	size_t count;
	const cJSON *found; /* NULL: what was found is not told */
	const cJSON *twin;  /* reads like it, but is text, or is not */
	struct likely likely;
};

/* "2" and 2 */
static bool
reads_like(const cJSON *text, const cJSON *other)
{
	struct buf words = BUF_INIT;

	if (!json_string(text) || !other || !is_leaf(other) || json_string(other))
		return false;
	json_print(&words, other);
	bool same = strcmp(json_string(text), buf_text(&words)) == 0;
	buf_finish(&words);
	return same;
}

static void
choices_add(struct choices *choices, const cJSON *value)
{
	if (choices->count < LISTED_WHOLE)
		choices->first[choices->count] = value;
	choices->count++;
	if (!choices->twin && choices->count <= TWINS_TRIED &&
	    (reads_like(choices->found, value) || reads_like(value, choices->found)))
		choices->twin = value;
	if (choices->likely.word)
		likely_try(&choices->likely, json_string(value) ? json_string(value) : "");
}

static bool
choices_enough(const struct choices *choices)
{
	return choices->count >= TWINS_TRIED && (!choices->likely.word || !choices->likely.left);
}

static void
choices_add_rule(struct choices *choices, const struct rule *rule)
{
	if (rule->check == check_const) {
		choices_add(choices, rule->value);
		return;
	}
	size_t count = choices->count + json_count(rule->value);
	for (const cJSON *e = json_first(rule->value); e && !choices_enough(choices); e = e->next)
		choices_add(choices, e);
	choices->count = count;
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

/* ---- enum, const ---- */

static void
want_found(struct choices *choices, const struct record *r)
{
	const char *text = r->naming ? r->pub.node->string : json_string(r->pub.node);

	choices->found = r->naming ? NULL : r->pub.node;
	want_likely(&choices->likely, text, r);
}

void
say_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	choices_add_rule(&choices, r->rule);
	say_choices(&choices, out);
}

static void
say_meant(const struct choices *choices, struct buf *out)
{
	if (!choices->twin) {
		say_likely(&choices->likely, "\"", out);
		return;
	}
	bool text = json_string(choices->found) != NULL;
	buf_add_str(out, " (");
	say_value(text ? choices->found : choices->twin, out);
	buf_add_str(out, " is text, ");
	say_value(text ? choices->twin : choices->found, out);
	buf_add_str(out, " is not)");
}

static void
line_choices(const struct record *r, const struct choices *choices, struct buf *out)
{
	say_subject(r, out);
	buf_add_str(out, " is not ");
	say_choices(choices, out);
	say_meant(choices, out);
}

void
line_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	want_found(&choices, r);
	choices_add_rule(&choices, r->rule);
	line_choices(r, &choices, out);
}

void
say_const(const struct record *r, struct buf *out)
{
	say_value(r->rule->value, out);
}

void
line_const(const struct record *r, struct buf *out)
{
	struct choices choices = { .found = r->naming ? NULL : r->pub.node };

	choices_add(&choices, r->rule->value);
	say_subject(r, out);
	buf_add_str(out, " is not ");
	say_const(r, out);
	say_meant(&choices, out);
}

/* ---- what a schema is about ---- */

/* "an object with primary true" */
static bool
say_constant_members(const struct node *node, struct buf *out)
{
	const struct object_rules *rules = branch_members(node);
	size_t said = 0;

	for (size_t i = 0; rules && i < rules->count; i++) {
		const struct rule *constant = branch_constant(rules->members[i].node);
		struct choices choices = { 0 };
		if (!constant || !rules->members[i].required)
			continue;
		if (said == LISTED_SHORT)
			return false;
		choices_add_rule(&choices, constant);
		buf_add_str(out, said++ ? " and " : "an object with ");
		say_short(rules->members[i].name, out);
		buf_add_char(out, ' ');
		say_choices(&choices, out);
	}
	return said > 0;
}

bool
say_kind(const struct node *node, struct buf *out)
{
	const struct rule *constant = branch_constant(node);
	struct choices choices = { 0 };

	if (constant) {
		choices_add_rule(&choices, constant);
		say_choices(&choices, out);
		return true;
	}
	if (say_constant_members(node, out))
		return true;
	if (node_meant(node)->types == TYPE_ANY || node_meant(node)->plan != NODE_TYPE)
		return false;
	say_types(node_meant(node)->types, out);
	return true;
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

/* "text" and "url and title": what the value lacks to be this one. */
static bool
say_lacking(const struct node *branch, const cJSON *value, struct buf *out)
{
	const struct object_rules *rules = branch_members(branch);
	size_t said = 0;

	if (!rules || rules->count > MEMBERS_TRIED || json_count(value) > MEMBERS_TRIED)
		return false;
	for (size_t i = 0; i < rules->count; i++) {
		const struct member *m = &rules->members[i];
		if (!m->required || json_get(value, m->name))
			continue;
		if (said == LISTED_SHORT)
			return false;
		buf_add_str(out, said++ ? " and " : "");
		say_short(m->name, out);
	}
	return said > 0;
}

/* Where there are few, and the value lacks something for each. */
static void
say_lacking_of_all(const struct record *r, struct buf *out)
{
	const struct node_list *list = &r->rule->as.list;
	struct buf text = BUF_INIT;
	bool all = list->len <= LISTED_WHOLE && json_type(r->pub.node) == JSON_OBJECT;

	for (size_t i = 0; i < list->len && all; i++) {
		buf_add_str(&text, i ? " or " : "");
		all = say_lacking(list->items[i], r->pub.node, &text);
	}
	if (all)
		buf_addf(out, ": %s is missing", buf_text(&text));
	buf_finish(&text);
}

void
line_alternatives(const struct record *r, struct buf *out)
{
	size_t count = r->rule->as.list.len;
	struct choices choices = { 0 };

	want_found(&choices, r);
	if (add_alternatives(&choices, r) && !r->pub.missing) {
		line_choices(r, &choices, out);
		return;
	}
	if (r->types) {
		line_type(r, out);
		return;
	}
	if (r->pub.missing) {
		line_missing(r, out);
		buf_add_str(out, ", expected ");
		say_alternatives(r, out);
		return;
	}
	say_found(r, out);
	if (r->a > 1) {
		buf_addf(
		    out, " matches %zu of %zu alternatives, expected exactly one", r->a, count);
	} else {
		buf_add_str(out, " matches none of ");
		say_count(count, "alternative", "alternatives", out);
		say_lacking_of_all(r, out);
	}
}

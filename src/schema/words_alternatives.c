#include "words_priv.h"

#include "object_priv.h"

#include <string.h>

/* Sentences about alternatives, and about what a schema is for. */

#define MEMBERS_TRIED 64 /* of what is larger it is not told what is missing */

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

/* ---- anyOf, oneOf; a: alternatives that hold. b: about the property that names the kind; where
 * several hold, which ones, a bit each ---- */

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

/* By title, else by what it refers to, else by where it stands. */
static void
say_alternative(const struct rule *rule, const cJSON *schema, size_t index, struct buf *out)
{
	const char *name = json_get_string(schema, "title"), *ref = json_get_string(schema, "$ref");

	if (!name && ref)
		name = strrchr(ref, '/') ? strrchr(ref, '/') + 1 : ref;
	if (name && *name)
		say_short(name, out);
	else
		buf_addf(out, "/%s/%zu", rule->keyword->name, index);
}

/* " (Circle and Box)" */
static void
say_which(const struct record *r, struct buf *out)
{
	size_t which = r->b, said = 0, index = 0;

	for (const cJSON *at = r->rule->value->child; at && which; at = at->next, which >>= 1) {
		if (which & 1 && said < LISTED_SHORT) {
			buf_add_str(out, said == 0 ? " (" : said + 1 == r->a ? " and " : ", ");
			say_alternative(r->rule, at, index, out);
			said++;
		}
		index++;
	}
	if (said > 0 && said < r->a)
		buf_addf(out, " and %zu more", r->a - said);
	buf_add_str(out, said ? ")" : "");
}

void
line_alternatives(const struct record *r, struct buf *out)
{
	size_t count = r->rule->as.list.len;
	struct choices choices = { 0 };

	choices_want(&choices, r);
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
		buf_addf(out, " matches %zu of %zu alternatives", r->a, count);
		say_which(r, out);
		buf_add_str(out, ", expected exactly one");
	} else {
		buf_add_str(out, " matches none of ");
		say_count(count, "alternative", "alternatives", out);
		say_lacking_of_all(r, out);
	}
}

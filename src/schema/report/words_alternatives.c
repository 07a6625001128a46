/* SPDX-License-Identifier: MIT */
#include "schema/keyword/keyword.h"

#include <string.h>

/* Sentences about alternatives. */

#define MEMBERS_TRIED 64 /* larger objects are not searched for missing members */

/* ---- anyOf and oneOf: a is the number of valid alternatives. If b is set, the violation is
 * about the property that names the kind (enum kinds_by); if several are valid, b is a bit set of
 * them ---- */

#define NAMES_MAX 64
#define TYPE_LOOKS 100 /* nodes to visit for the types of a branch */

/* False if the schema is not one of several constants and types. names: room for NAMES_MAX. */
static bool
add_alternatives(struct choices *choices, const struct record *r, cJSON *names)
{
	const struct node_list *list = &r->rule->as.list;

	if (r->a > 1)
		return false;
	if (r->b == KINDS_BY_NAME) {
		/* The names that OpenAPI's discriminator may have, as strings to choose from. */
		const cJSON *mapping =
		    json_get(json_get(r->node->source, "discriminator"), "mapping");
		const cJSON *at = json_count(mapping) > 0 ? mapping->child : r->rule->value->child;
		size_t count = 0;
		for (; at && count < NAMES_MAX; at = at->next) {
			const char *ref = json_get_string(at, "$ref");
			const char *name = json_count(mapping) > 0    ? at->string
					   : ref && strrchr(ref, '/') ? strrchr(ref, '/') + 1
								      : ref;
			if (!name)
				continue;
			names[count] = (cJSON){ .type = cJSON_String, .valuestring = (char *)name };
			choices_add(choices, &names[count++]);
		}
	}
	for (size_t i = 0; r->b == KINDS_BY_VALUE && i < list->kinds->name_count; i++)
		choices_add_rule(choices, list->kinds->names[i]);
	for (size_t i = 0; r->b == 0 && i < list->len; i++) {
		const struct node *node = node_meant(list->items[i]);
		const struct rule *constant = node_constant(node);
		if (constant) {
			choices_add_rule(choices, constant);
			continue;
		}
		/* a branch with nothing but types, or for other types than that of the value */
		bool plain = node->plan == NODE_TYPE;
		unsigned looks = TYPE_LOOKS, types = branch_types(node, &looks);
		if (!plain && (!types || types & type_of(r->pub.node)))
			return false;
		choices->types |= (plain ? node->types : types) & (TYPE_ANY | TYPE_INTEGER);
	}
	return choices->count > 0;
}

void
append_alternatives(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };
	cJSON names[NAMES_MAX];

	if (r->a > 1)
		buf_addf(out, "exactly one of %zu alternatives", r->rule->as.list.len);
	else if (add_alternatives(&choices, r, names))
		add_choices(&choices, out);
	else if (r->types)
		add_types(r->types, out);
	else
		buf_addf(out, "one of %zu alternatives", r->rule->as.list.len);
}

/* ---- no branch is valid, and several may be the intended one ---- */

#define CLAUSES 4 /* branches described, at most */

struct clauses {
	size_t count;
	struct report *reports[CLAUSES]; /* of the first branches that are left */
};

/* Each branch only rejects names that others declare, so the branches exclude each other. */
static bool
add_exclusive(const struct clauses *clauses, const struct record *r, struct buf *out)
{
	size_t said = 0, start = out->len;

	if (!cJSON_IsObject(r->pub.node))
		return false;
	for (size_t i = 0; i < clauses->count; i++)
		for (size_t j = 0; j < clauses->reports[i]->records.len; j++) {
			const struct record *inner = clauses->reports[i]->records.items[j];
			if (!inner->rule ||
			    inner->rule->keyword->does->line != add_not_declared_line ||
			    !inner->place->up || inner->place->up->up)
				return false;
		}
	for (const cJSON *m = json_first(r->pub.node); m; m = m->next) {
		size_t by = 0;
		for (size_t i = 0; i < clauses->count; i++) {
			const struct report *report = clauses->reports[i];
			size_t j = 0;
			while (j < report->records.len && report->records.items[j]->pub.node != m)
				j++;
			by += j < report->records.len;
		}
		if (by == 0)
			continue;
		if (by == clauses->count || said == LISTED_WHOLE) {
			buf_truncate(out, start);
			return false;
		}
		buf_add_str(out, said++ ? " and " : "");
		add_property(m->string, out);
	}
	buf_add_str(out, " must not be present together");
	return true;
}

/* "and" or "field" + "op": the properties that the value lacks for this branch, `lacking` of
 * them. */
static bool
add_lacking(const struct node *branch, const struct record *r, struct did_you_mean *suggestion,
    size_t *lacking, struct buf *out)
{
	const struct object_rules *rules = branch_members(branch);
	const cJSON *value = r->pub.node;

	*lacking = 0;
	if (!rules || rules->count > MEMBERS_TRIED || json_count(value) > MEMBERS_TRIED)
		return false;
	for (size_t i = 0; i < rules->count; i++) {
		const struct known_member *m = &rules->members[i];
		if (!m->required || json_get(value, m->name))
			continue;
		if (*lacking == LISTED_SHORT)
			return false;
		did_you_mean_try(suggestion, m->name);
		buf_addf(out, "%s\"", *lacking ? " + " : "");
		add_short(m->name, out);
		buf_add_char(out, '"');
		++*lacking;
	}
	return *lacking > 0;
}

/* The value lacks something for each branch. */
static bool
add_lacking_of_all(const struct record *r, struct buf *out)
{
	const cJSON *only = json_first(r->pub.node);
	struct did_you_mean suggestion;
	struct buf lists[CLAUSES] = { 0 }, rest = BUF_INIT;
	bool all = cJSON_IsObject(r->pub.node) && r->left_count > 0, several = false;
	size_t shown = r->left_count < CLAUSES ? r->left_count : CLAUSES;

	suggest_for(&suggestion, only && !only->next ? only->string : NULL, r);
	for (size_t i = 0; i < r->left_count && all; i++) {
		size_t lacking;
		buf_clear(&rest);
		all = add_lacking(r->rule->as.list.items[r->left[i]], r, &suggestion, &lacking,
		    i < shown ? &lists[i] : &rest);
		several = several || lacking > 1;
	}
	if (all) {
		buf_add_str(out, "expected property ");
		for (size_t i = 0; i < shown; i++)
			buf_addf(out, "%s%s",
			    i == 0                                   ? ""
			    : several                                ? ", or "
			    : i + 1 < shown || r->left_total > shown ? ", "
								     : " or ",
			    buf_text(&lists[i]));
		if (shown < r->left_total)
			buf_addf(out, " or %zu others", r->left_total - shown);
		add_suggestion(&suggestion, "\"", out);
	}
	for (size_t i = 0; i < CLAUSES; i++)
		buf_finish(&lists[i]);
	buf_finish(&rest);
	return all;
}

/* The length of what both sentences end with after a blank; 0 if they are the same. */
static size_t
common_ending(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b), len = 0;

	for (size_t same = 1; same < a_len && same < b_len; same++) {
		if (a[a_len - same] != b[b_len - same])
			break;
		if (a[a_len - same] == ' ')
			len = same;
	}
	return len;
}

/* Joins the violations into one sentence if they begin alike, or lists them. */
static void
join_clauses(struct buf *texts, size_t count, const struct record *r, struct buf *out)
{
	size_t alike = strlen(buf_text(&texts[0]));
	const char *first = buf_text(&texts[0]), *word = " and ";

	for (size_t i = 1; i < count; i++) {
		/* The length of the common beginning of two sentences, up to a word boundary. */
		const char *b = buf_text(&texts[i]);
		size_t same = 0, with = 0;
		for (; first[same] && first[same] == b[same]; same++)
			if (first[same] == ' ')
				with = same + 1;
		alike = with < alike ? with : alike;
	}
	if (strcmp(buf_text(&texts[0]), buf_text(&texts[count - 1])) != 0 &&
	    strncmp(first, "at ", alike) == 0)
		alike = 0;
	if (alike == 0) {
		add_found(r, out);
		buf_add_str(out, " matches none of ");
		add_count(r->rule->as.list.len, "alternative", "alternatives", out);
		buf_add_str(out, ": ");
		word = "; or ";
	}
	struct buf beginning = BUF_INIT;
	buf_add(&beginning, first, alike);
	if (strstr(buf_text(&beginning), " expected "))
		word = " or ";
	else if (strstr(buf_text(&beginning), " not "))
		word = " nor ";
	buf_finish(&beginning);
	/* "expected 2 or 3 items" */
	size_t ending = count == 2 && strcmp(word, " or ") == 0
			    ? common_ending(first + alike, buf_text(&texts[1]) + alike)
			    : 0;
	for (size_t i = 0; i < count; i++) {
		bool again = false;
		for (size_t j = 0; j < i && !again; j++)
			again = strcmp(buf_text(&texts[j]), buf_text(&texts[i])) == 0;
		if (again)
			continue;
		buf_add_str(out, i ? word : "");
		buf_add_str(out, buf_text(&texts[i]) + (i ? alike : 0));
		if (i + 1 < count)
			buf_truncate(out, out->len - ending);
	}
}

static void
add_none_line(const struct record *r, struct buf *out)
{
	struct clauses clauses = { .count = r->left_count < CLAUSES ? r->left_count : CLAUSES };

	if (add_lacking_of_all(r, out))
		return;
	/* the violations of each branch */
	bool all = clauses.count > 1;
	for (size_t i = 0; i < clauses.count && all; i++) {
		struct report *report =
		    check_again(r, r->rule->as.list.items[r->left[i]], r->pub.node);
		clauses.reports[i] = report;
		all = report && report->facts.kept > 0 && report->facts.outcome == SCHEMA_INVALID;
	}
	if (!all) {
		add_found(r, out);
		buf_add_str(out, " matches none of ");
		add_count(r->rule->as.list.len, "alternative", "alternatives", out);
	} else if (r->left_count > CLAUSES || !add_exclusive(&clauses, r, out)) {
		struct buf texts[CLAUSES] = { 0 };
		for (size_t i = 0; i < clauses.count; i++) {
			struct buf path = BUF_INIT; /* below the value */
			report_instance_path(clauses.reports[i], 0, &path);
			if (path.len > 0)
				buf_addf(&texts[i], "at %s: ", buf_text(&path));
			buf_finish(&path);
			report_line(clauses.reports[i], 0, &texts[i]);
		}
		join_clauses(texts, clauses.count, r, out);
		for (size_t i = 0; i < clauses.count; i++)
			buf_finish(&texts[i]);
		if (r->left_count > CLAUSES)
			buf_addf(out, ", and %zu more alternatives fail", r->left_total - CLAUSES);
	}
	for (size_t i = 0; i < CLAUSES; i++)
		report_destroy(clauses.reports[i]);
}

/* ---- several branches are valid ---- */

/* A property that this valid branch requires and no other valid one does. */
static const char *
required_alone(const struct record *r, size_t branch)
{
	const struct node_list *list = &r->rule->as.list;
	const struct object_rules *rules = branch_members(list->items[branch]);

	for (size_t i = 0; rules && i < rules->count && i < MEMBERS_TRIED; i++) {
		bool alone = rules->members[i].required;
		for (size_t j = 0; j < list->len && r->b >> j && alone; j++) {
			const struct object_rules *other = branch_members(list->items[j]);
			const struct known_member *m =
			    j != branch && (r->b >> j & 1) && other
				? object_find(other, rules->members[i].name)
				: NULL;
			alone = !m || !m->required;
		}
		if (alone)
			return rules->members[i].name;
	}
	return NULL;
}

/* Each valid branch requires a property that the others do not. */
static bool
add_required_together(const struct record *r, struct buf *out)
{
	const char *names[LISTED_WHOLE];
	size_t count = 0;

	for (size_t i = 0; i < r->rule->as.list.len && i < 64 && r->b >> i; i++) {
		if (!(r->b >> i & 1))
			continue;
		names[count] = required_alone(r, i);
		if (!names[count] || count + 1 == LISTED_WHOLE)
			return false;
		count++;
	}
	if (count != r->a)
		return false;
	buf_add_str(out, count > 2 ? "only one of " : "");
	for (size_t i = 0; i < count; i++) {
		buf_add_str(out, i == 0 ? "" : i + 1 == count ? " and " : ", ");
		add_property(names[i], out);
	}
	buf_add_str(out, count > 2 ? " may be present" : " must not be present together");
	return true;
}

/* " (Circle and Box)" */
static void
add_which(const struct record *r, struct buf *out)
{
	size_t which = r->b, said = 0, index = 0;

	for (const cJSON *at = r->rule->value->child; at && which; at = at->next, which >>= 1) {
		if (which & 1 && said < LISTED_SHORT) {
			buf_add_str(out, said == 0 ? " (" : said + 1 == r->a ? " and " : ", ");
			/* The title, else the name of the reference, else the location. */
			if (!add_schema_name(at, out))
				buf_addf(out, "/%s/%zu", r->rule->keyword->name, index);
			said++;
		}
		index++;
	}
	if (said > 0 && said < r->a)
		buf_addf(out, " and %zu more", r->a - said);
	buf_add_str(out, said ? ")" : "");
}

void
add_alternatives_line(const struct record *r, struct buf *out)
{
	size_t count = r->rule->as.list.len;
	struct choices choices = { 0 };
	cJSON names[NAMES_MAX];

	choices_want(&choices, r);
	if (!r->pub.missing && add_alternatives(&choices, r, names)) {
		add_choices_line(r, &choices, out);
		return;
	}
	if (r->types) {
		add_type_line(r, out);
		return;
	}
	if (r->pub.missing) {
		add_missing_line(r, out);
		buf_add_str(out, ", expected ");
		append_alternatives(r, out);
		return;
	}
	if (r->a <= 1) {
		add_none_line(r, out);
	} else if (!add_required_together(r, out)) {
		add_found(r, out);
		buf_addf(out, " matches %zu of %zu alternatives", r->a, count);
		add_which(r, out);
		buf_add_str(out, ", expected exactly one");
	}
}

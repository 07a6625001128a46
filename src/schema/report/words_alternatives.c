#include "schema/keyword/keyword.h"

#include <string.h>

/* Sentences about alternatives, and descriptions of schemas. */

#define MEMBERS_TRIED 64 /* larger objects are not searched for missing members */

/* ---- describing a schema ---- */

/* "an object with primary true" */
static bool
add_constant_members(const struct node *node, struct buf *out)
{
	const struct object_rules *rules = branch_members(node);
	size_t said = 0;

	for (size_t i = 0; rules && i < rules->count; i++) {
		const struct rule *constant = node_constant(rules->members[i].node);
		struct choices choices = { 0 };
		if (!constant || !rules->members[i].required)
			continue;
		if (said == LISTED_SHORT)
			return false;
		choices_add_rule(&choices, constant);
		buf_add_str(out, said++ ? " and " : "an object with ");
		add_property(rules->members[i].name, out);
		buf_add_char(out, ' ');
		add_choices(&choices, out);
	}
	return said > 0;
}

bool
add_kind(const struct node *node, struct buf *out)
{
	const struct rule *constant = node_constant(node);
	struct choices choices = { 0 };

	if (constant) {
		choices_add_rule(&choices, constant);
		add_choices(&choices, out);
		return true;
	}
	if (add_constant_members(node, out))
		return true;
	if (node_meant(node)->types == TYPE_ANY || node_meant(node)->plan != NODE_TYPE)
		return false;
	add_types(node_meant(node)->types, out);
	return true;
}

/* ---- anyOf and oneOf: a is the number of valid alternatives. If b is set, the violation is
 * about the property that names the kind; if several are valid, b is a bit set of them ---- */

/* False if the schema is not one of several constants. */
static bool
add_alternatives(struct choices *choices, const struct record *r)
{
	const struct node_list *list = &r->rule->as.list;

	if (r->types || r->a > 1)
		return false;
	for (size_t i = 0; i < list->len; i++) {
		const struct node *node = node_meant(list->items[i]);
		const struct rule *constant =
		    r->b ? kinds_names(list->kinds, node) : node_constant(node);
		if (constant)
			choices_add_rule(choices, constant);
		else if (!r->b && node->plan == NODE_TYPE)
			choices->types |= node->types & (TYPE_ANY | TYPE_INTEGER);
		else if (!r->b)
			return false;
	}
	return choices->count > 0;
}

void
append_alternatives(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	if (r->types)
		add_types(r->types, out);
	else if (r->a > 1)
		buf_addf(out, "exactly one of %zu alternatives", r->rule->as.list.len);
	else if (add_alternatives(&choices, r))
		add_choices(&choices, out);
	else
		buf_addf(out, "one of %zu alternatives", r->rule->as.list.len);
}

/* ---- no branch is valid, and several may be the intended one ---- */

#define CLAUSES 4 /* only so many are described */
#define CLAUSE_STEPS 20000
#define CLAUSE_LEAST 1000 /* with less effort none is described */

struct clauses {
	size_t which[CLAUSES]; /* branches */
	size_t count;          /* 0: too many */
	struct report *reports[CLAUSES];
};

static void
find_left(struct clauses *clauses, const struct record *r)
{
	for (size_t i = 0; i < 64 && r->left >> i; i++) {
		if (!(r->left >> i & 1))
			continue;
		if (clauses->count == CLAUSES) {
			clauses->count = 0;
			return;
		}
		clauses->which[clauses->count++] = i;
	}
}

/* Collects the violations of each branch; returns false if some branch has none. */
static bool
check_left(struct clauses *clauses, const struct record *r)
{
	struct check_options options = { .mode = CHECK_COLLECTING, .max_violations = 16 };
	bool all = clauses->count > 1 && !r->naming && r->effort >= CLAUSE_LEAST;

	options.max_steps = r->effort < CLAUSE_STEPS ? r->effort : CLAUSE_STEPS;
	for (size_t i = 0; i < clauses->count && all; i++) {
		const struct node *branch = r->rule->as.list.items[clauses->which[i]];
		struct report *report =
		    schema_check_by(r->report->schema, branch, r->pub.node, &options);
		clauses->reports[i] = report;
		all = report->facts.kept > 0 && report->facts.outcome == SCHEMA_INVALID;
		/* nested alternatives get less effort at each level */
		for (size_t j = 0; j < report->records.len; j++)
			report->records.items[j]->effort = r->effort / 8;
	}
	return all;
}

static void
clauses_finish(struct clauses *clauses)
{
	for (size_t i = 0; i < CLAUSES; i++)
		report_destroy(clauses->reports[i]);
}

/* Is the member the reason for this report because it is not declared? */
static bool
is_undeclared(const struct report *report, const cJSON *member)
{
	for (size_t i = 0; i < report->records.len; i++)
		if (report->records.items[i]->pub.node == member)
			return true;
	return false;
}

/* Each branch only rejects names that others declare, so the branches exclude each other. */
static bool
add_exclusive(const struct clauses *clauses, const struct record *r, struct buf *out)
{
	size_t said = 0, start = out->len;

	for (size_t i = 0; i < clauses->count; i++)
		for (size_t j = 0; j < clauses->reports[i]->records.len; j++) {
			const struct record *inner = clauses->reports[i]->records.items[j];
			if (!inner->rule || inner->rule->keyword->does->line != add_not_declared_line ||
			    !inner->place->up || inner->place->up->up)
				return false;
		}
	for (const cJSON *m = json_first(r->pub.node); m; m = m->next) {
		size_t by = 0;
		for (size_t i = 0; i < clauses->count; i++)
			by += is_undeclared(clauses->reports[i], m);
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

/* "and" or "field" + "op": the properties that the value lacks for this branch. */
static bool
add_lacking(const struct node *branch, const struct record *r, struct did_you_mean *suggestion,
    struct buf *out)
{
	const struct object_rules *rules = branch_members(branch);
	const cJSON *value = r->pub.node;
	size_t said = 0;

	if (!rules || rules->count > MEMBERS_TRIED || json_count(value) > MEMBERS_TRIED)
		return false;
	for (size_t i = 0; i < rules->count; i++) {
		const struct known_member *m = &rules->members[i];
		if (!m->required || json_get(value, m->name))
			continue;
		if (said == LISTED_SHORT)
			return false;
		did_you_mean_try(suggestion, m->name);
		buf_add_str(out, said++ ? " + \"" : "\"");
		add_short(m->name, out);
		buf_add_char(out, '"');
	}
	return said > 0;
}

/* The value lacks something for each branch. */
static bool
add_lacking_of_all(const struct clauses *clauses, const struct record *r, struct buf *out)
{
	const cJSON *only = json_first(r->pub.node);
	struct did_you_mean suggestion;
	size_t start = out->len;
	bool all = json_type(r->pub.node) == JSON_OBJECT && clauses->count > 0;

	suggest_for(&suggestion, only && !only->next ? only->string : NULL, r);
	buf_add_str(out, "expected ");
	for (size_t i = 0; i < clauses->count && all; i++) {
		buf_add_str(out, i == 0 ? "" : ", or ");
		all = add_lacking(r->rule->as.list.items[clauses->which[i]], r, &suggestion, out);
	}
	if (all)
		add_suggestion(&suggestion, "\"", out);
	else
		buf_truncate(out, start);
	return all;
}

/* The first violation of a branch, with the location if it is below the value. */
static void
add_clause(const struct report *report, struct buf *out)
{
	report_instance_path(report, 0, out);
	if (out->len > 0)
		buf_add_str(out, ": ");
	report_line(report, 0, out);
}

/* The length of the common beginning of two sentences, up to a word boundary. */
static size_t
common_beginning(const char *a, const char *b)
{
	size_t same = 0, len = 0;

	for (; a[same] && a[same] == b[same]; same++)
		if (a[same] == ' ')
			len = same + 1;
	return len;
}

/* Joins the violations into one sentence if they begin alike, or lists them. */
static void
join_clauses(struct buf *texts, size_t count, const struct record *r, struct buf *out)
{
	size_t alike = strlen(buf_text(&texts[0]));
	const char *first = buf_text(&texts[0]), *word = " and ";

	for (size_t i = 1; i < count; i++) {
		size_t with = common_beginning(first, buf_text(&texts[i]));
		alike = with < alike ? with : alike;
	}
	if (alike == 0) {
		add_found(r, out);
		buf_add_str(out, " matches none of ");
		add_count(r->rule->as.list.len, "alternative", "alternatives", out);
		buf_add_str(out, ": ");
		word = ", or ";
	}
	struct buf beginning = BUF_INIT;
	buf_add(&beginning, first, alike);
	if (strstr(buf_text(&beginning), " expected "))
		word = " or ";
	else if (strstr(buf_text(&beginning), " not "))
		word = " nor ";
	buf_finish(&beginning);
	for (size_t i = 0; i < count; i++) {
		bool again = false;
		for (size_t j = 0; j < i && !again; j++)
			again = strcmp(buf_text(&texts[j]), buf_text(&texts[i])) == 0;
		if (again)
			continue;
		buf_add_str(out, i ? word : "");
		buf_add_str(out, buf_text(&texts[i]) + (i ? alike : 0));
	}
}

static void
add_clauses(const struct clauses *clauses, const struct record *r, struct buf *out)
{
	struct buf texts[CLAUSES] = { 0 };

	for (size_t i = 0; i < clauses->count; i++)
		add_clause(clauses->reports[i], &texts[i]);
	join_clauses(texts, clauses->count, r, out);
	for (size_t i = 0; i < clauses->count; i++)
		buf_finish(&texts[i]);
}

static void
add_none_line(const struct record *r, struct buf *out)
{
	struct clauses clauses = { 0 };

	find_left(&clauses, r);
	if (add_lacking_of_all(&clauses, r, out))
		return;
	if (!check_left(&clauses, r)) {
		add_found(r, out);
		buf_add_str(out, " matches none of ");
		add_count(r->rule->as.list.len, "alternative", "alternatives", out);
	} else if (!add_exclusive(&clauses, r, out)) {
		add_clauses(&clauses, r, out);
	}
	clauses_finish(&clauses);
}

/* ---- several branches are valid ---- */

/* Each valid branch demands only that some properties are present. */
static bool
add_required_together(const struct record *r, struct buf *out)
{
	const struct node_list *list = &r->rule->as.list;
	size_t said = 0, start = out->len;

	for (size_t i = 0; i < list->len && i < 64 && r->b >> i; i++) {
		const cJSON *source = list->items[i]->source, *names = json_get(source, "required");
		if (!(r->b >> i & 1))
			continue;
		bool fits = json_count(source) == 1 && json_count(names) == 1 &&
			    json_string(json_first(names)) && said < LISTED_WHOLE;
		if (!fits) {
			buf_truncate(out, start);
			return false;
		}
		buf_add_str(out, said++ ? " and " : "");
		add_property(json_string(json_first(names)), out);
	}
	buf_add_str(out, " must not be present together");
	return true;
}

/* The title, else the name of the reference, else the location. */
static void
add_alternative(const struct rule *rule, const cJSON *schema, size_t index, struct buf *out)
{
	const char *name = json_get_string(schema, "title"), *ref = json_get_string(schema, "$ref");

	if (!name && ref)
		name = strrchr(ref, '/') ? strrchr(ref, '/') + 1 : ref;
	if (name && *name)
		add_short(name, out);
	else
		buf_addf(out, "/%s/%zu", rule->keyword->name, index);
}

/* " (Circle and Box)" */
static void
add_which(const struct record *r, struct buf *out)
{
	size_t which = r->b, said = 0, index = 0;

	for (const cJSON *at = r->rule->value->child; at && which; at = at->next, which >>= 1) {
		if (which & 1 && said < LISTED_SHORT) {
			buf_add_str(out, said == 0 ? " (" : said + 1 == r->a ? " and " : ", ");
			add_alternative(r->rule, at, index, out);
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

	choices_want(&choices, r);
	if (add_alternatives(&choices, r) && !r->pub.missing) {
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

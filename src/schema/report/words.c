/* SPDX-License-Identifier: MIT */
#include "base/ascii.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/keys.h"
#include "json/print.h"
#include "schema/keyword/keyword.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 48
#define SHORT_BYTES 120

void
add_value(const cJSON *value, struct buf *out)
{
	size_t start = out->len;

	json_print_brief(out, value, VALUE_BYTES);
	/* the rest of the string stays quoted */
	if (cJSON_GetStringValue(value) && out->len > start && out->data[out->len - 1] != '"')
		buf_add_char(out, '"');
}

void
add_short(const char *text, struct buf *out)
{
	utf8_add_cut(out, text, strnlen(text, SHORT_BYTES + 1), SHORT_BYTES);
}

void
add_property(const char *name, struct buf *out)
{
	static const char LETTERS[] = ASCII_ALNUM "_$@-./";
	/* Words that a sentence about a name may contain. */
	static const char *const WORDS[] = { "is", "not", "and", "or", "nor", "be", "there",
		"missing", "declared", "expected", "it", "in", "of", "one", "nothing", "item",
		"the", NULL };
	cJSON text = { .type = cJSON_String, .valuestring = (char *)name };
	size_t plain = strspn(name, LETTERS);

	/* letters of other scripts count as well */
	while (name[plain] && ((unsigned char)name[plain] >= 0x80 || strchr(LETTERS, name[plain])))
		plain++;
	bool unseen = has_unseen(name);
	struct buf quoted = BUF_INIT;

	if (*name && !name[plain] && !unseen && !words_have(WORDS, name))
		add_short(name, out);
	else
		add_value(&text, &quoted);
	add_escaped(buf_text(&quoted), out);
	buf_finish(&quoted);
}

void
add_count(size_t count, const char *one, const char *many, struct buf *out)
{
	buf_addf(out, "%zu %s", count, count == 1 ? one : many);
}

void
add_found(const struct record *record, struct buf *out)
{
	const cJSON *value = record->pub.node;

	if (record->pub.missing) {
		buf_add_str(out, "nothing");
		return;
	}
	if (record->naming) {
		cJSON name = { .type = cJSON_String, .valuestring = value->string };
		buf_add_str(out, "the name ");
		add_value(&name, out);
		return;
	}
	if (is_leaf(value)) {
		buf_add_str(out, cJSON_IsString(value) ? "string " : "");
		add_value(value, out);
		return;
	}
	bool array = !cJSON_IsObject(value);
	size_t count = array ? json_count(value) : json_keys_count(value);
	buf_addf(out, "an %s%s", count ? "" : "empty ", array ? "array" : "object");
	if (count > 0) {
		buf_add_str(out, " of ");
		add_count(count, array ? "item" : "property", array ? "items" : "properties", out);
	}
}

void
add_subject(const struct record *record, struct buf *out)
{
	if (record->naming)
		add_found(record, out);
	else
		add_value(record->pub.node, out);
}

void
suggest_for(struct did_you_mean *suggestion, const char *word, const struct record *record)
{
	did_you_mean_init(suggestion, word, word ? strlen(word) : 0);
	if (suggestion->len <= 2)
		suggestion->changes =
		    1; /* any two letters are this near, so only the case may differ */
	if (suggestion->left > record->effort)
		suggestion->left = record->effort;
}

void
add_suggestion(const struct did_you_mean *suggestion, const char *quote, struct buf *out)
{
	if (!suggestion->name)
		return;
	buf_addf(out, " (did you mean %s", quote);
	add_short(suggestion->name, out);
	buf_addf(out, "%s?)", quote);
}

#define REASON_STEPS 20000
#define REASON_LEAST 1000 /* with less effort none is looked for */

struct report *
check_again(const struct record *r, const struct node *node, const cJSON *value)
{
	struct check_options options = { .mode = CHECK_COLLECTING, .max_violations = 16 };

	if (r->naming || r->effort < REASON_LEAST)
		return NULL;
	options.max_steps = r->effort < REASON_STEPS ? r->effort : REASON_STEPS;
	struct report *report = schema_check_by(r->report->schema, node, value, &options);
	/* nested ones get less effort at each level */
	for (size_t i = 0; i < report->records.len; i++)
		report->records.items[i]->effort = r->effort / 8;
	return report;
}

bool
add_reason_of(const struct record *r, const struct node *node, const cJSON *value, struct buf *out)
{
	struct report *report = check_again(r, node, value);
	bool fails = report && report->facts.kept > 0 && report->facts.outcome == SCHEMA_INVALID;
	size_t start = out->len;

	if (fails) {
		report_instance_path(report, 0, out);
		buf_add_str(out, out->len > start ? ": " : "");
		report_line(report, 0, out);
	}
	report_destroy(report);
	return fails;
}

/* ---- missing and undeclared members ---- */

#define MEMBERS_TRIED 1000 /* members tried as suggestions for a misspelled name */

/* An undeclared member whose name resembles the missing one. If undeclared names are forbidden,
 * that member has its own violation. */
static const char *
misspelled(const struct record *r)
{
	const struct object_rules *rules = r->node->object;
	bool kind = r->rule->kind == RULE_ANY_OF || r->rule->kind == RULE_ONE_OF;
	struct did_you_mean suggestion;

	if ((!rules && !kind) || json_count(r->pub.node) > MEMBERS_TRIED ||
	    (rules && rules->additional && matches_nothing(rules->additional)))
		return NULL;
	suggest_for(&suggestion, r->pub.missing, r);
	for (const cJSON *m = json_first(r->pub.node); m && suggestion.left; m = m->next)
		if (!rules || !object_find(rules, m->string))
			did_you_mean_try(&suggestion, m->string);
	return suggestion.name;
}

/* The condition of a schema that is `then` or `else`. */
static const struct node *
condition_of(const struct record *r, bool *then)
{
	const struct node *up = r->node->location.up;
	const char *holder = r->node->location.holder ? r->node->location.holder->string : "";

	*then = strcmp(holder, "then") == 0;
	if (!*then && strcmp(holder, "else") != 0)
		return NULL;
	for (size_t i = 0; up && i < up->rule_count; i++)
		if (strcmp(up->rules[i].keyword->name, "if") == 0)
			return up->rules[i].as.branch.test;
	return NULL;
}

/* " (required because kind is "aws")", if the condition is nothing but this. */
static bool
add_condition(const struct record *r, struct buf *out)
{
	bool then;
	const struct node *test = condition_of(r, &then);
	const struct object_rules *rules = test ? test->object : NULL;
	const struct rule *constant =
	    rules && rules->count == 1 ? node_constant(rules->members[0].node) : NULL;
	struct choices choices = { 0 };

	if (!constant || test->rule_count > 1)
		return false;
	choices_add_rule(&choices, constant);
	buf_add_str(out, then ? " (required because " : " (required unless ");
	add_property(rules->members[0].name, out);
	buf_add_str(out, " is ");
	add_choices(&choices, out);
	buf_add_char(out, ')');
	return true;
}

void
add_missing_line(const struct record *r, struct buf *out)
{
	const cJSON *only =
	    json_first(r->pub.node); /* the only member may contain the missing one */
	bool wraps = only && !only->next && json_count(only) <= MEMBERS_TRIED &&
		     json_get(only, r->pub.missing);
	const char *cause = NULL; /* the property that makes the missing one required */
	const cJSON *causes = cJSON_IsObject(r->rule->value) ? json_first(r->rule->value) : NULL;

	for (; causes && !cause; causes = causes->next)
		for (const cJSON *n = cJSON_IsArray(causes) ? json_first(causes) : NULL; n;
		     n = n->next)
			if (n->valuestring == r->pub.missing &&
			    json_get(r->pub.node, causes->string))
				cause = causes->string;
	const struct {
		const char *words, *name;
	} HINTS[] = {
		{ "required with ", cause },
		{ "there is ", misspelled(r) },
		{ "it is in ", wraps ? only->string : NULL },
	};

	add_property(r->pub.missing, out);
	buf_add_str(out, " is missing");
	if (add_condition(r, out))
		return;
	for (size_t i = 0; i < ARRAY_LEN(HINTS); i++) {
		if (!HINTS[i].name)
			continue;
		buf_addf(out, " (%s", HINTS[i].words);
		add_property(HINTS[i].name, out);
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
add_not_declared(const struct record *r, struct buf *out)
{
	struct did_you_mean suggestion;

	find_declared(r, &suggestion);
	if (suggestion.name)
		add_short(suggestion.name, out);
	else
		buf_add_str(out, suggestion.word ? "no such property" : "no such item");
}

void
add_not_declared_line(const struct record *r, struct buf *out)
{
	const struct object_rules *rules = r->node->object;
	struct did_you_mean suggestion;

	find_declared(r, &suggestion);
	if (suggestion.word)
		add_property(suggestion.word, out);
	else
		buf_addf(out, "item %zu", r->a);
	buf_add_str(out, " is not declared");
	bool told = suggestion.name || !suggestion.word;
	add_suggestion(&suggestion, "", out);
	/* a declared name may look the same */
	for (size_t i = 0; rules && i < rules->count && i < MEMBERS_TRIED && !told; i++)
		told = add_form_difference(r->pub.node->string, rules->members[i].name, out);
}

static void
add_expected(const struct record *record, struct buf *out)
{
	const struct rule *rule = record->rule;

	if (!rule) {
		buf_add_str(out, "nothing");
	} else if (rule->keyword->does->expected) {
		rule->keyword->does->expected(record, out);
	} else {
		buf_addf(out, "%s ", rule->keyword->name);
		add_value(rule->value, out);
	}
}

/* A schema in a few words, and values that must not match one. */

/* "an object with primary true" */
static bool
add_constant_members(const struct node *node, struct buf *out)
{
	const struct object_rules *rules = branch_members(node);
	size_t said = 0, start = out->len;

	for (size_t i = 0; rules && i < rules->count; i++) {
		const struct rule *constant = node_constant(rules->members[i].node);
		struct choices choices = { 0 };
		if (!constant || !rules->members[i].required)
			continue;
		if (said == LISTED_SHORT) {
			buf_truncate(out, start);
			return false;
		}
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

bool
add_schema_name(const cJSON *source, struct buf *out)
{
	const char *name = json_get_string(source, "title"), *ref = json_get_string(source, "$ref");

	if (!name && ref)
		name = strrchr(ref, '/') ? strrchr(ref, '/') + 1 : ref;
	if (!name || !*name)
		return false;
	add_short(name, out);
	return true;
}

/* ---- a value matches a schema, but must not ---- */

/* The names in a schema that is only `required`, if the object has them all. */
static const cJSON *
names_there(const cJSON *schema, const cJSON *object)
{
	const cJSON *names = json_get(schema, "required");

	if (json_count(schema) != 1 || !cJSON_IsArray(names) || !cJSON_IsObject(object))
		return NULL;
	for (const cJSON *n = json_first(names); n; n = n->next)
		if (!cJSON_GetStringValue(n) || !json_get(object, cJSON_GetStringValue(n)))
			return NULL;
	return json_first(names);
}

static bool
add_forbidden_names(const struct record *r, const struct node *schema, struct buf *out)
{
	const cJSON *names = names_there(schema->source, r->pub.node);
	size_t said = 0;

	/* one of several such schemas */
	for (const cJSON *s = json_first(json_get(schema->source, "anyOf")); s && !names;
	     s = s->next)
		names = names_there(s, r->pub.node);
	for (const cJSON *n = names; n && said < LISTED_WHOLE; n = n->next, said++) {
		buf_add_str(out, said ? " and " : "");
		add_property(cJSON_GetStringValue(n), out);
	}
	if (said > 0)
		buf_add_str(
		    out, said > 1 ? " must not be present together" : " must not be present");
	return said > 0;
}

/* "at least 5", "at most 3 characters", "a date" */
static bool
add_excluded_limit(const struct record *r, const struct rule *rule, struct buf *out)
{
	const char *name = rule->keyword->name;
	struct record inner = *r;
	bool counts = strncmp(name, "max", 3) == 0 || strncmp(name, "min", 3) == 0;

	inner.rule = rule;
	inner.a = inner.b = counts && is_maximum(rule);
	if (rule->kind == RULE_BOUND)
		inner.a = strstr(name, "aximum") != NULL;
	if (rule->kind == RULE_BOUND)
		inner.b = *name == 'e';
	if (!rule->keyword->does->expected || rule->kind > RULE_LEAF)
		return false;
	add_found(r, out);
	buf_add_str(out, cJSON_IsNumber(r->pub.node) || !counts ? " is " : " has ");
	rule->keyword->does->expected(&inner, out);
	buf_add_str(out, ", which is excluded");
	return true;
}

/* The schema has one keyword, which explains itself. */
static bool
add_excluded_rule(const struct record *r, const struct node *schema, struct buf *out)
{
	const struct rule *rule = schema->rule_count == 1 ? &schema->rules[0] : NULL;

	if (!rule || json_count(schema->source) != 1)
		return false;
	if (rule->kind == RULE_ENUM || rule->kind == RULE_CONST) {
		struct choices choices = { 0 };
		choices_add_rule(&choices, rule);
		add_subject(r, out);
		if (choices.count > 1) {
			buf_add_str(out, " is ");
			add_choices(&choices, out);
		}
		buf_add_str(out, choices.count > 1 ? ", which are excluded" : " is excluded");
		return true;
	}
	if (rule->kind == RULE_TYPE) {
		add_found(r, out);
		buf_add_str(out, ", but ");
		add_types(rule->as.types, out);
		buf_add_str(out, " is excluded");
		return true;
	}
	if (rule->kind != RULE_PATTERN)
		return add_excluded_limit(r, rule, out);
	add_subject(r, out);
	buf_add_str(out, " matches ");
	add_short(cJSON_GetStringValue(rule->value), out);
	buf_add_str(out, ", which is excluded");
	return true;
}

/* An object is excluded for its constant properties, and nothing else. */
static bool
add_excluded_members(const struct node *schema, struct buf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < schema->rule_count; i++)
		if (schema->rules[i].kind != RULE_MEMBERS && schema->rules[i].kind != RULE_TYPE)
			return false;
	for (size_t i = 0; schema->object && i < schema->object->count; i++)
		if (schema->object->members[i].node &&
		    !node_constant(schema->object->members[i].node))
			return false;
	if (!add_constant_members(schema, out)) {
		buf_truncate(out, start);
		return false;
	}
	buf_add_str(out, " is excluded");
	return true;
}

/* true and {} */
static bool
matches_anything(const struct node *node)
{
	node = node_meant(node);
	return !node->never && node->rule_count == 0;
}

bool
matches_nothing(const struct node *node)
{
	node = node_meant(node);
	return node->never || (node->rule_count == 1 && node->rules[0].kind == RULE_NOT &&
				  matches_anything(node->rules[0].as.node));
}

/* "a must not be present", "7 is excluded" */
static void
add_excluded_line(const struct record *r, const struct node *schema, struct buf *out)
{
	const struct node *meant = node_meant(schema);
	struct buf name = BUF_INIT;

	if (add_forbidden_names(r, meant, out) || add_excluded_rule(r, meant, out) ||
	    add_excluded_members(meant, out))
		return;
	add_found(r, out);
	if (add_schema_name(schema->source, &name))
		buf_addf(out, " matches %s, which is excluded", buf_text(&name));
	else
		buf_add_str(out, " is not allowed here");
	buf_finish(&name);
}

/* Nothing is allowed here. */
static void
add_nothing_line(const struct record *r, struct buf *out)
{
	const cJSON *holder = r->node->location.holder;
	bool then;
	const struct node *condition = condition_of(r, &then);

	if (!r->rule && !r->node->never) {
		buf_add_str(out, "does not match the schema (too large to say where)");
	} else if (!r->naming && holder && strcmp(holder->string, "properties") == 0) {
		add_property(r->node->source->string, out);
		buf_add_str(out, " must not be present");
	} else if (!r->naming && condition && then) {
		add_excluded_line(r, condition, out);
	} else if (r->naming || !condition || !add_reason_of(r, condition, r->pub.node, out)) {
		add_found(r, out);
		buf_add_str(out, r->naming ? " is not allowed" : ", but nothing is allowed here");
	}
}

void
add_not_line(const struct record *r, struct buf *out)
{
	if (matches_anything(r->rule->as.node))
		add_nothing_line(r, out);
	else
		add_excluded_line(r, r->rule->as.node, out);
}

/* ---- violations ---- */

void
report_expected(const struct report *report, size_t index, struct buf *out)
{
	add_expected(report_record(report, index), out);
}

void
report_found(const struct report *report, size_t index, struct buf *out)
{
	add_found(report_record(report, index), out);
}

void
report_line(const struct report *report, size_t index, struct buf *out)
{
	const struct record *record = report_record(report, index);

	if (!record->rule) {
		add_nothing_line(record, out);
	} else if (record->rule->keyword->does->line) {
		record->rule->keyword->does->line(record, out);
	} else {
		add_found(record, out);
		buf_add_str(out, ", expected ");
		add_expected(record, out);
	}
}

/* ---- table cells and excerpts ---- */

#define CELL_BYTES 60
#define OTHER_BYTES 70    /* for the other keywords of the schema */
#define KEYWORD_BYTES 400 /* for the violated keyword */
#define MEMBERS_MAX 24

void
report_cell(const struct report *report, size_t index, struct buf *out)
{
	struct buf text = BUF_INIT;

	if (report_at(report, index)->missing) {
		buf_add_str(out, "missing");
		return;
	}
	report_expected(report, index, &text);
	if (text.len == 0)
		report_line(report, index, &text);
	else
		buf_add_str(out, "expected ");
	utf8_add_cut(out, buf_text(&text), text.len, CELL_BYTES);
	buf_finish(&text);
}

/* The violated keyword is always shown, however many there are. */
void
report_excerpt(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);
	const cJSON *schema = r->node->source, *meant = r->rule ? r->rule->value : NULL;
	size_t shown = 0, left = 0;

	if (!cJSON_IsObject(schema)) {
		buf_add_str(out, "▸ ");
		json_print_brief(out, schema, KEYWORD_BYTES);
		buf_add_char(out, '\n');
		return;
	}
	buf_add_str(out, "  {\n");
	for (const cJSON *m = json_first(schema); m; m = m->next) {
		if (m != meant && shown >= MEMBERS_MAX) {
			left++;
			continue;
		}
		shown++;
		buf_add_str(out, m == meant ? "▸   " : "    ");
		json_print_string(out, m->string, strlen(m->string));
		buf_add_str(out, ": ");
		json_print_brief(out, m, m == meant ? KEYWORD_BYTES : OTHER_BYTES);
		buf_add_str(out, m->next ? ",\n" : "\n");
	}
	if (left > 0)
		buf_addf(out, "    … %zu more\n", left);
	buf_add_str(out, "  }\n");
}

/* ---- summaries: choosing the array ---- */

/* An array on the path to the current violation. Violations come in document order, so an array
 * that was left is never entered again. */
struct array_level {
	const struct place *list;
	const struct place *last; /* the last row that was counted */
	size_t failed;
};

struct levels {
	struct array_level *items;
	size_t len, cap;
};

static bool
is_row(const struct place *place)
{
	return place->up && json_type(place->up->value) == JSON_ARRAY;
}

static void
leave(struct levels *levels, size_t depth, struct array_level *best)
{
	while (levels->len > depth) {
		const struct array_level *l = &levels->items[--levels->len];
		if (l->failed > best->failed ||
		    (l->failed == best->failed && l->list->depth < best->list->depth))
			*best = *l;
	}
}

/* Counts place as a row of each array that contains it; returns the number of arrays. */
static size_t
count_rows(struct levels *levels, const struct place *place, struct array_level *best)
{
	if (!place)
		return 0;
	size_t depth = count_rows(levels, place->up, best);
	if (!is_row(place))
		return depth;
	if (depth < levels->len && levels->items[depth].list != place->up)
		leave(levels, depth, best);
	if (depth == levels->len)
		*VEC_PUSH(levels) = (struct array_level){ .list = place->up };
	struct array_level *level = &levels->items[depth];
	level->failed += level->last != place;
	level->last = place;
	return depth + 1;
}

bool
summary_init(struct summary *summary, const struct report *report)
{
	struct levels levels = { 0 };
	struct array_level best = { 0 };

	for (size_t i = 0; i < report->records.len; i++)
		if (!report->records.items[i]->pub.warning)
			count_rows(&levels, report->records.items[i]->place, &best);
	leave(&levels, 0, &best);
	free(levels.items);
	return best.failed > 1 && summary_init_list(summary, report, best.list->value);
}

/* ---- wording ---- */

static void
add_path(const struct place *place, const struct place *row, struct buf *out)
{
	if (place == row)
		return;
	add_path(place->up, row, out);
	if (is_row(place))
		buf_add_str(out, "[]");
	else
		buf_addf(out, "%s%s", out->len > 0 ? "." : "", place->value->string);
}

static void
add_group(const struct record *r, const struct place *row, struct buf *out)
{
	/* the name differs from row to row */
	add_path(r->naming ? r->place->up : r->place, row, out);
	if (r->naming)
		buf_add_str(out, out->len > 0 ? ": a name" : "a name");
	if (r->pub.missing)
		buf_addf(out, "%s%s", out->len > 0 ? "." : "", r->pub.missing);
	if (out->len > 0)
		buf_add_char(out, ' ');
	/* without the value, so that it is the same for every row */
	const char *fault = r->rule ? r->rule->keyword->does->fault : "not allowed";
	/* a number has the right type of value even if only integers are allowed */
	bool number = cJSON_IsNumber(r->pub.node) && (r->types & TYPE_INTEGER);
	if (r->pub.missing)
		buf_add_str(out, "missing");
	else if (fault)
		buf_add_str(out, fault);
	else if (r->types && !number && !r->naming) {
		buf_add_str(out, "is ");
		add_types(type_of_constant(r->pub.node), out);
	} else if (r->rule->kind == RULE_PATTERN)
		buf_addf(out, "does not match %s", cJSON_GetStringValue(r->rule->value));
	else {
		buf_add_str(out, "not ");
		add_expected(r, out);
	}
}

/* ---- the groups ---- */

struct grouping {
	struct summary *summary;
	struct map numbers;                           /* of the groups, from 1, by their texts */
	const struct place *last[SUMMARY_MAX_GROUPS]; /* the last row that each group counted */
	struct buf text;
};

/* The group of g->text, added if it is new. Returns SUMMARY_MAX_GROUPS if there is no room. */
static size_t
group_of(struct grouping *g, const struct record *r)
{
	struct summary *s = g->summary;
	const char *text = buf_text(&g->text);
	uint64_t hash = text_hash(s, text, g->text.len);
	const void *number;

	MAP_EACH(&g->numbers, hash, number)
		if (strcmp(s->groups.items[(uintptr_t)number - 1].text, text) == 0)
			return (uintptr_t)number - 1;
	if (s->groups.len == SUMMARY_MAX_GROUPS)
		return SUMMARY_MAX_GROUPS;
	*VEC_PUSH(&s->groups) = (struct summary_group){
		.text = pool_text(&s->pool, text, g->text.len),
		.first = r->index,
	};
	map_add(&g->numbers, hash, (const void *)s->groups.len);
	return s->groups.len - 1;
}

static int
most_first(const void *a, const void *b)
{
	const struct summary_group *x = a, *y = b;

	if (x->rows != y->rows)
		return x->rows > y->rows ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

bool
summary_init_list(struct summary *summary, const struct report *report, const cJSON *list)
{
	struct grouping *g = mem_zalloc(sizeof(*g));
	const struct place *last = NULL;

	*summary = (struct summary){ .list = list, .rows = json_count(list) };
	summary->partial = report->facts.violations + report->facts.warnings > report->facts.kept;
	g->summary = summary;
	for (size_t i = 0; json_type(list) == JSON_ARRAY && i < report->records.len; i++) {
		const struct record *r = report->records.items[i];
		const struct place *row = r->pub.warning ? NULL : r->place;
		while (row && !(row->up && row->up->value == list))
			row = row->up;
		if (!row)
			continue;
		summary->failed += row != last;
		last = row;
		buf_clear(&g->text);
		add_group(r, row, &g->text);
		size_t number = group_of(g, r);
		if (number == SUMMARY_MAX_GROUPS) {
			summary->rest++;
			continue;
		}
		summary->groups.items[number].rows += g->last[number] != row;
		g->last[number] = row;
	}
	if (summary->groups.len > 1)
		qsort(summary->groups.items, summary->groups.len, sizeof(*summary->groups.items),
		    most_first);
	map_finish(&g->numbers);
	buf_finish(&g->text);
	free(g);
	if (summary->failed > 0)
		return true;
	summary_finish(summary);
	return false;
}

void
summary_finish(struct summary *summary)
{
	free(summary->groups.items);
	pool_destroy(summary->pool);
	*summary = (struct summary){ 0 };
}

void
summary_line(const struct summary *s, size_t max_groups, struct buf *out)
{
	size_t shown = s->groups.len < max_groups ? s->groups.len : max_groups;

	if (s->partial)
		buf_add_str(out, "at least ");
	units_add_count(out, s->failed);
	buf_add_str(out, " of ");
	units_add_counted(out, s->rows, "row");
	buf_addf(out, " %s: ", s->failed == 1 ? "fails" : "fail");
	for (size_t i = 0; i < shown; i++) {
		buf_addf(out, "%s%s (", i ? ", " : "", s->groups.items[i].text);
		units_add_count(out, s->groups.items[i].rows);
		buf_add_char(out, ')');
	}
	if (shown < s->groups.len || s->rest > 0)
		buf_add_str(out, "…");
}

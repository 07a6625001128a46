/* SPDX-License-Identifier: MIT */
#include "schema_drift.h"

#include "base/glyph.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"

#include <math.h>
#include <string.h>

/*
 * Compares two schemas, keyword by keyword. Subschemas on both sides are compared recursively;
 * references are followed if they differ, a bounded number of times.
 */
enum { DEPTH_MAX = 100, VISIT_COST = 100, COST_MAX = 200000 * VISIT_COST };

struct schema_walk {
	struct drift *d;
	const struct drift_place *place;
	const cJSON *roots[2];
	bool is_output;
	bool proves;  /* proves that a allows no more than b: any doubt counts as breaking */
	int overlaps; /* enclosing alternatives that exclude others: a value that one of them starts
			 to allow may be excluded by all of them together */
	int depth;
};

static enum drift_class
class_of(const struct schema_walk *w, enum drift_effect effect)
{
	if (effect == DRIFT_SAYS)
		return DRIFT_ROUTING;
	if (effect == DRIFT_NOTES)
		return DRIFT_INFORMATIONAL;
	if (w->overlaps > 0)
		return DRIFT_BREAKING;
	return effect == (w->is_output ? DRIFT_NARROWS : DRIFT_WIDENS) ? DRIFT_INFORMATIONAL
								       : DRIFT_BREAKING;
}

#define NOTE(w, effect, ...) drift_note((w)->d, (w)->place, class_of((w), (effect)), __VA_ARGS__)

static void walk_pair(struct schema_walk *w, const cJSON *a, const cJSON *b, bool words);

/* Return whether to continue; otherwise sets is_cut, which is reported. */
static bool
can_afford_more(struct schema_walk *w)
{
	if (w->d->cost > COST_MAX)
		w->d->is_cut = true;
	return w->d->cost <= COST_MAX;
}

/* Compare two subschemas, with their name appended to the path. */
static void
walk_into(
    struct schema_walk *w, const char *before, const char *name, const cJSON *a, const cJSON *b)
{
	struct buf *path = w->place->path;
	size_t len = path->len;

	if (before[0] != '.' && before[0] != ' ' && before[0] != '[' && len > 0)
		buf_add_char(path, ' ');
	if (before[0] == '.' || before[0] == ' ')
		buf_add_str(path, len > 0 ? before : "");
	else
		buf_addf(path, "%s%s", before, before[0] == '[' ? "" : ".");
	label_add(path, name);
	walk_pair(w, a, b, true);
	buf_truncate(path, len);
}

#define EACH_MEMBER(member, object) \
	for (const cJSON *member = keys_first(object); member; member = member->next)
#define EACH_ITEM(item, array) for (const cJSON *item = json_first(array); item; item = item->next)

/* ---- keywords ---- */

typedef void keyword_fn(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b);

static void
note_values(struct schema_walk *w, const char *name, enum drift_effect effect, const cJSON *a,
    const cJSON *b)
{
	drift_note_values(w->d, w->place, class_of(w, effect), name, a, b);
}

/* A restriction whose values cannot be compared: pattern, not, if. */
static void
on_opaque(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	note_values(w, name, !a ? DRIFT_NARROWS : !b ? DRIFT_WIDENS : DRIFT_UNSURE, a, b);
}

/* A greater minimum or minLength allows less. */
static void
on_bound(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	bool is_least = strncmp(name, "min", 3) == 0 || strcmp(name, "exclusiveMinimum") == 0;
	int sign = is_least ? 1 : -1;

	if (json_type(a) == JSON_NUMBER && json_type(b) == JSON_NUMBER)
		note_values(w, name,
		    sign * json_number_compare(a, b) < 0 ? DRIFT_NARROWS : DRIFT_WIDENS, a, b);
	else
		on_opaque(w, name, a, b);
}

static void
on_multiple(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	const cJSON *zero = &(const cJSON){ .type = cJSON_Number };

	if (json_type(a) != JSON_NUMBER || json_type(b) != JSON_NUMBER ||
	    json_number_compare(a, zero) <= 0 || json_number_compare(b, zero) <= 0)
		on_opaque(w, name, a, b);
	else
		note_values(w, name,
		    json_number_is_multiple(a, b) == JSON_YES   ? DRIFT_WIDENS
		    : json_number_is_multiple(b, a) == JSON_YES ? DRIFT_NARROWS
								: DRIFT_UNSURE,
		    a, b);
}

static void
on_flag(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	if (cJSON_IsTrue(a) != cJSON_IsTrue(b))
		note_values(w, name, cJSON_IsTrue(b) ? DRIFT_NARROWS : DRIFT_WIDENS, a, b);
}

static void
on_words(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	note_values(w, name, DRIFT_SAYS, a, b);
}

/* ---- type ---- */

static const char *const types[] = { "null", "boolean", "object", "array", "string", "number",
	"integer" };
enum { NUMBER_BIT = 1 << 5, INTEGER_BIT = 1 << 6, ALL_TYPES = (1 << 7) - 1 };

static unsigned
type_bit(const cJSON *name)
{
	for (size_t i = 0; cJSON_GetStringValue(name) && i < ARRAY_LEN(types); i++)
		if (strcmp(types[i], name->valuestring) == 0)
			return 1u << i | (1u << i == NUMBER_BIT ? INTEGER_BIT : 0);
	return 0;
}

static unsigned
type_bits(const cJSON *type)
{
	unsigned bits = type_bit(type);

	if (!type)
		return ALL_TYPES;
	EACH_ITEM(name, type)
		bits |= type_bit(name);
	return bits;
}

static void
on_type(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	unsigned before = type_bits(a), now = type_bits(b);

	if (before == now)
		return;
	note_values(w, name,
	    (before & now) == now      ? DRIFT_NARROWS
	    : (before & now) == before ? DRIFT_WIDENS
				       : DRIFT_UNSURE,
	    a, b);
}

/* ---- sets: enum, required ---- */

static bool
has_item(struct schema_walk *w, const cJSON *array, const cJSON *item)
{
	EACH_ITEM(other, array)
		if (json_equal_counted(item, other, &w->d->cost))
			return true;
	return false;
}

/* Append the items of one list that the other lacks, "\"a\", \"b\" and 3 more". Return their
 * number. */
static size_t
add_missing(struct schema_walk *w, const cJSON *in, const cJSON *from, struct buf *out)
{
	enum { SHOWN = 6 };
	size_t count = 0;

	EACH_ITEM(item, in) {
		if (!can_afford_more(w))
			break;
		if (has_item(w, from, item))
			continue;
		if (count < SHOWN) {
			buf_add_str(out, count > 0 ? ", " : "");
			json_print_brief(out, item, 60);
		}
		count++;
	}
	if (count > SHOWN)
		buf_addf(out, " and %zu more", count - SHOWN);
	return count;
}

static void
note_set(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b,
    enum drift_effect lost, enum drift_effect gained)
{
	struct buf text = BUF_INIT;

	if (add_missing(w, a, b, &text) > 0)
		NOTE(w, lost, "%s lost %s", name, buf_text(&text));
	buf_clear(&text);
	if (add_missing(w, b, a, &text) > 0)
		NOTE(w, gained, "%s gained %s", name, buf_text(&text));
	buf_finish(&text);
}

static void
on_enum(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	if (!a || !b)
		on_opaque(w, name, a, b);
	else
		note_set(w, name, a, b, DRIFT_NARROWS, DRIFT_WIDENS);
}

static void
on_required(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	note_set(w, name, a, b, DRIFT_WIDENS, DRIFT_NARROWS);
}

/* ---- subschemas ---- */

static const char *
type_word(const cJSON *schema)
{
	const char *type = json_get_string(schema, "type");

	return type ? type : json_get(schema, "enum") ? "enum" : "any type";
}

static bool
is_listed(struct schema_walk *w, const cJSON *parent, const char *name)
{
	w->d->cost += json_count(json_get(parent, "required"));
	EACH_ITEM(item, json_get(parent, "required"))
		if (cJSON_GetStringValue(item) && strcmp(item->valuestring, name) == 0)
			return true;
	return false;
}

/* A removed property breaks callers that send or read it; a new one breaks none, unless it is
 * required. */
static void
walk_properties(struct schema_walk *w, const cJSON *parent_a, const cJSON *a, const cJSON *b)
{
	struct json_keys in[2];

	keys_init(in, a, b, &w->d->cost);
	EACH_MEMBER(member, a)
	{
		const cJSON *other = keys_find(&in[1], member->string);
		if (other)
			walk_into(w, ".", member->string, member, other);
		else
			drift_note(w->d, w->place, DRIFT_BREAKING, "lost %s (%s%s)", member->string,
			    type_word(member),
			    can_afford_more(w) && is_listed(w, parent_a, member->string)
				? ", required"
				: "");
	}
	EACH_MEMBER(member, b)
	if (!keys_find(&in[0], member->string))
		NOTE(w, w->proves ? DRIFT_UNSURE : DRIFT_NOTES, "gained %s (%s)", member->string,
		    type_word(member));
	keys_finish(in);
}

static bool
is_library(const char *keyword)
{
	return strcmp(keyword, "$defs") == 0 || strcmp(keyword, "definitions") == 0;
}

static void
on_map(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	bool library = is_library(name);
	struct json_keys in[2];

	keys_init(in, a, b, &w->d->cost);
	EACH_MEMBER(member, a)
	{
		const cJSON *other = keys_find(&in[1], member->string);
		if (other)
			walk_into(w, library ? name : " ", member->string, member, other);
		else if (!library)
			NOTE(w, DRIFT_WIDENS, "%s lost %s", name, member->string);
	}
	EACH_MEMBER(member, library ? NULL : b)
	if (!keys_find(&in[0], member->string))
		NOTE(w, DRIFT_NARROWS, "%s gained %s", name, member->string);
	keys_finish(in);
}

/* An absent subschema allows everything. */
static void
on_schema(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	static const cJSON anything = { .type = cJSON_True };
	bool items = strcmp(name, "items") == 0;

	walk_into(w, items ? "[]" : " ", items ? "" : name, a ? a : &anything, b ? b : &anything);
}

/* Pair equal alternatives, at any index. */
static const cJSON *
next_unmatched(struct schema_walk *w, const cJSON *item, const cJSON *others)
{
	while (item && has_item(w, others, item))
		item = can_afford_more(w) ? item->next : NULL;
	return item;
}

static const cJSON *follow(const struct schema_walk *w, int side, const cJSON *schema);

/* Return whether both require a member that has different constants in a and b. */
static bool
have_discriminator(struct schema_walk *w, const cJSON *a, const cJSON *b)
{
	EACH_MEMBER(member, json_get(a, "properties"))
	{
		const cJSON *x = json_get(member, "const");
		const cJSON *other = json_get(json_get(b, "properties"), member->string);
		const cJSON *y = json_get(other, "const");
		w->d->cost += 2;
		if (x && y && !json_equal(x, y))
			return is_listed(w, a, member->string) && is_listed(w, b, member->string);
	}
	return false;
}

/* Return whether another alternative may allow the same value. */
static bool
overlaps(struct schema_walk *w, int side, const cJSON *list, const cJSON *item)
{
	const cJSON *a = follow(w, side, item);

	EACH_ITEM(other, list) {
		const cJSON *b = follow(w, side, other);
		w->d->cost += 4;
		if (other != item &&
		    (type_bits(json_get(a, "type")) & type_bits(json_get(b, "type"))) &&
		    !have_discriminator(w, a, b))
			return true;
	}
	return false;
}

static void
on_list(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	bool one = strcmp(name, "oneOf") == 0;
	bool all = !one && strcmp(name, "anyOf") != 0;

	if (!a || !b) {
		on_opaque(w, name, a, b);
		return;
	}
	const cJSON *x = next_unmatched(w, json_first(a), b);
	const cJSON *y = next_unmatched(w, json_first(b), a);
	while ((x || y) && can_afford_more(w)) {
		bool doubt = one && ((x && overlaps(w, 0, a, x)) || (y && overlaps(w, 1, b, y)));
		w->overlaps += doubt;
		if (x && y)
			walk_into(w, " ", name, x, y);
		else if (x)
			NOTE(w, all ? DRIFT_WIDENS : DRIFT_NARROWS, "%s lost %s", name,
			    type_word(x));
		else
			NOTE(w, all ? DRIFT_NARROWS : DRIFT_WIDENS, "%s gained %s", name,
			    type_word(y));
		w->overlaps -= doubt;
		x = x ? next_unmatched(w, x->next, b) : NULL;
		y = y ? next_unmatched(w, y->next, a) : NULL;
	}
}

static const struct {
	const char *name;
	keyword_fn *compare;
} keywords[] = {
	{ "type", on_type },
	{ "enum", on_enum },
	{ "const", on_opaque },
	{ "required", on_required },
	{ "minimum", on_bound },
	{ "exclusiveMinimum", on_bound },
	{ "minLength", on_bound },
	{ "minItems", on_bound },
	{ "minProperties", on_bound },
	{ "minContains", on_bound },
	{ "maximum", on_bound },
	{ "exclusiveMaximum", on_bound },
	{ "maxLength", on_bound },
	{ "maxItems", on_bound },
	{ "maxProperties", on_bound },
	{ "maxContains", on_bound },
	{ "uniqueItems", on_flag },
	{ "multipleOf", on_multiple },
	{ "pattern", on_opaque },
	{ "format", on_opaque },
	{ "not", on_opaque },
	{ "if", on_opaque },
	{ "then", on_opaque },
	{ "else", on_opaque },
	{ "contains", on_opaque },
	{ "dependentRequired", on_opaque },
	{ "dependentSchemas", on_opaque },
	{ "dependencies", on_opaque },
	{ "unevaluatedProperties", on_schema },
	{ "unevaluatedItems", on_schema },
	{ "additionalProperties", on_schema },
	{ "additionalItems", on_schema },
	{ "propertyNames", on_schema },
	{ "items", on_schema },
	{ "prefixItems", on_list },
	{ "allOf", on_list },
	{ "anyOf", on_list },
	{ "oneOf", on_list },
	{ "patternProperties", on_map },
	{ "$defs", on_map },
	{ "definitions", on_map },
	{ "$ref", on_opaque },
	{ "$dynamicRef", on_opaque },
	{ "title", on_words },
	{ "description", on_words },
};

static void
compare_keyword(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	if (json_equal_counted(a, b, &w->d->cost))
		return;
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (strcmp(keywords[i].name, name) == 0) {
			keywords[i].compare(w, name, a, b);
			return;
		}
	note_values(w, name, DRIFT_NOTES, a, b);
}

/* Return whether the keyword restricts values. */
static bool
restricts(const char *name)
{
	if (strcmp(name, "properties") == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (strcmp(keywords[i].name, name) == 0)
			return keywords[i].compare != on_words && !is_library(name);
	return false;
}

/* Return whether any other keyword restricts values. */
static bool
restricts_more(const cJSON *schema, const char *keyword)
{
	EACH_MEMBER(member, schema)
	if (strcmp(member->string, keyword) != 0 && restricts(member->string))
		return true;
	return false;
}

/* Return the target of a $ref within the document; the schema itself if it has other keywords. */
static const cJSON *
follow(const struct schema_walk *w, int side, const cJSON *schema)
{
	for (int hops = 0; hops < 16; hops++) {
		const char *ref = json_get_string(schema, "$ref");
		const cJSON *to =
		    ref && ref[0] == '#' ? json_pointer_find(w->roots[side], ref + 1) : NULL;
		if (!to || restricts_more(schema, "$ref"))
			break;
		schema = to;
	}
	return schema;
}

/* ---- equivalent schemas ----
 *
 * Compares keywords together that often express the same: alternatives and a list of types, const
 * and enum, exclusive and inclusive bounds. Alone, each of them would count as a breaking change.
 */

/* Keywords of a pair of schemas that were compared together. */
struct compared_keywords {
	bool restrictions, words, values, least, most; /* words: all but restrictions */
};

static bool
is_compared(const struct compared_keywords *c, const char *name)
{
	return (restricts(name) ? c->restrictions : c->words) ||
	       (c->values && (strcmp(name, "const") == 0 || strcmp(name, "enum") == 0)) ||
	       (c->least &&
		   (strcmp(name, "minimum") == 0 || strcmp(name, "exclusiveMinimum") == 0)) ||
	       (c->most && (strcmp(name, "maximum") == 0 || strcmp(name, "exclusiveMaximum") == 0));
}

/* Return the alternatives of a schema without other keywords; NULL: another schema. */
static const cJSON *
alternatives(const cJSON *schema, bool *one)
{
	static const char *const names[] = { "anyOf", "oneOf" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const cJSON *list = json_get(schema, names[i]);
		if (json_type(list) == JSON_ARRAY && json_first(list) &&
		    !restricts_more(schema, names[i])) {
			*one = i == 1;
			return list;
		}
	}
	return NULL;
}

/* Return the only alternative of a schema without other keywords. other: the schema to compare it
 * with, which has no such list. */
static const cJSON *
unwrap(const cJSON *schema, const cJSON *other)
{
	static const char *const names[] = { "allOf", "anyOf", "oneOf" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const cJSON *list = json_get(schema, names[i]);
		if (json_type(list) == JSON_ARRAY && json_count(list) == 1 &&
		    !json_get(other, names[i]) && !restricts_more(schema, names[i]))
			return json_first(list);
	}
	return schema;
}

/* Return the types of which a schema allows all values. */
static unsigned
whole_types(const cJSON *schema)
{
	return json_type(schema) == JSON_OBJECT && !restricts_more(schema, "type")
		   ? type_bits(json_get(schema, "type"))
		   : 0;
}

/* Return whether b certainly allows all values of a. side: of a. */
static bool
is_within(struct schema_walk *w, int side, const cJSON *a, const cJSON *b)
{
	struct drift d = { .cost = w->d->cost };
	struct buf path = BUF_INIT;
	struct schema_walk proof = {
		.d = &d,
		.place = &(struct drift_place){ "", &path },
		.roots = { w->roots[side], w->roots[1 - side] },
		.proves = true,
		.depth = w->depth,
	};

	walk_pair(&proof, a, b, true);
	bool sure = d.counts[DRIFT_BREAKING] == 0 && !d.is_cut;
	w->d->cost = d.cost;
	drift_finish(&d);
	buf_finish(&path);
	return sure;
}

/* Return whether one alternative allows all values of a. one: and no other allows any of them. */
static bool
is_within_one(struct schema_walk *w, int side, const cJSON *a, const cJSON *list, bool one)
{
	unsigned bits = type_bits(json_get(a, "type")), whole = 0, seen = 0;
	bool found = false, others = false, overlap = false;

	EACH_ITEM(item, list) {
		unsigned allowed = type_bits(json_get(follow(w, 1 - side, item), "type"));
		overlap |= (seen & allowed) != 0;
		seen |= allowed;
		whole |= whole_types(item);
		if (!can_afford_more(w))
			return false;
		if (!found && is_within(w, side, a, item))
			found = true;
		else
			others |= (allowed & bits) != 0;
	}
	if (whole_types(a) && (bits & whole) == bits && !(one && overlap))
		return true;
	return found && !(one && others);
}

/* Return whether b allows all values of each alternative. */
static bool
are_within(struct schema_walk *w, int side, const cJSON *list, const cJSON *b)
{
	EACH_ITEM(item, list)
		if (!can_afford_more(w) || !is_within(w, side, item, b))
			return false;
	return true;
}

static void
add_words(const cJSON *schema, struct buf *out)
{
	bool one = false;
	const cJSON *list = alternatives(schema, &one);
	const char *before = one ? "oneOf " : "anyOf ";

	if (!list) {
		json_print_brief(
		    out, json_get(schema, "type") ? json_get(schema, "type") : schema, 40);
		return;
	}
	EACH_ITEM(item, list) {
		if (out->len > 80) {
			buf_add_str(out, ", …");
			return;
		}
		buf_addf(out, "%s%s", before,
		    json_get_string(item, "$ref") ? json_get_string(item, "$ref")
						  : type_word(item));
		before = ", ";
	}
}

/* Compare alternatives on one side with the whole other schema. False: undecided. */
static bool
compare_alternatives(struct schema_walk *w, const cJSON *a, const cJSON *b)
{
	bool one = false;
	const cJSON *before = alternatives(a, &one), *now = before ? NULL : alternatives(b, &one);
	struct buf words[2] = { BUF_INIT, BUF_INIT };

	if (!before == !now || (before && alternatives(b, &(bool){ false })))
		return false;
	bool widens = before ? are_within(w, 0, before, b) : is_within_one(w, 0, a, now, one);
	bool narrows = before ? is_within_one(w, 1, b, before, one) : are_within(w, 1, now, a);
	if (!widens && !narrows)
		return false;
	add_words(a, &words[0]);
	add_words(b, &words[1]);
	NOTE(w,
	    widens && narrows ? DRIFT_NOTES
	    : widens          ? DRIFT_WIDENS
			      : DRIFT_NARROWS,
	    "%s → %s", buf_text(&words[0]), buf_text(&words[1]));
	buf_finish(&words[0]);
	buf_finish(&words[1]);
	return true;
}

/* Return the values of an enum, or of a const as a list, which *own keeps. NULL: neither, or both.
 */
static const cJSON *
listed_values(const cJSON *schema, struct json_doc **own)
{
	const cJSON *only = json_get(schema, "const"), *list = json_get(schema, "enum");

	if (!only || list)
		return only ? NULL : json_type(list) == JSON_ARRAY ? list : NULL;
	struct buf text = BUF_INIT;
	buf_add_char(&text, '[');
	json_print(&text, only);
	buf_add_char(&text, ']');
	*own = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	return json_root(*own);
}

static bool
compare_values(struct schema_walk *w, const cJSON *a, const cJSON *b)
{
	struct json_doc *own = NULL; /* a list for the const */
	if (!json_get(a, "const") == !json_get(b, "const"))
		return false;
	const cJSON *before = listed_values(a, &own), *now = listed_values(b, &own);
	size_t count = drift_count(w->d);

	if (before && now) {
		note_set(w, "enum", before, now, DRIFT_NARROWS, DRIFT_WIDENS);
		if (drift_count(w->d) == count && can_afford_more(w))
			NOTE(w, DRIFT_NOTES, "%s",
			    now == json_root(own) ? "enum → const" : "const → enum");
	}
	json_doc_destroy(own);
	return before && now;
}

/* ---- bounds ---- */

struct bound {
	const cJSON *number; /* NULL: none, or not comparable */
	const char *name;
	bool excludes, has[2];
};

/* Return the stricter of an inclusive and an exclusive bound. sign: 1 if greater is stricter. */
static struct bound
bound_of(const cJSON *schema, const char *const names[2], int sign)
{
	const cJSON *bounds[2] = { json_get(schema, names[0]), json_get(schema, names[1]) };
	struct bound bound = { .has = { bounds[0] != NULL, bounds[1] != NULL } };

	for (int i = 0; i < 2; i++) {
		if (bounds[i] && json_type(bounds[i]) != JSON_NUMBER)
			return (struct bound){ .has = { bound.has[0], bound.has[1] } };
		if (!bounds[i] ||
		    (bound.number && sign * json_number_compare(bounds[i], bound.number) < 0))
			continue;
		bound.number = bounds[i];
		bound.name = names[i];
		bound.excludes = i == 1;
	}
	return bound;
}

/* Compare two bounds if one is exclusive. False: compare them keyword by keyword. */
static bool
compare_bounds(
    struct schema_walk *w, const cJSON *const schemas[2], const char *const names[2], int sign)
{
	struct bound a = bound_of(schemas[0], names, sign), b = bound_of(schemas[1], names, sign);
	bool integers = true;
	double values[2];
	struct buf text = BUF_INIT;

	if (!a.number || !b.number || (a.has[0] == b.has[0] && a.has[1] == b.has[1]))
		return false;
	for (int i = 0; i < 2; i++) { /* of integers, the last one that the bound allows */
		const struct bound *bound = i ? &b : &a;
		double number = bound->number->valuedouble;
		values[i] = number + (bound->excludes ? sign : 0);
		integers &= type_bits(json_get(schemas[i], "type")) == INTEGER_BIT &&
			    json_number_is_integer(bound->number) && fabs(number) < 1e15;
	}
	int order = integers ? (values[0] < values[1]) - (values[0] > values[1])
			     : -json_number_compare(a.number, b.number);
	order *= sign;
	if (order == 0 && !integers)
		order = b.excludes - a.excludes;
	buf_addf(&text, "%s ", a.name);
	json_print_brief(&text, a.number, 40);
	buf_addf(&text, " → %s ", b.name);
	json_print_brief(&text, b.number, 40);
	NOTE(w,
	    order > 0   ? DRIFT_NARROWS
	    : order < 0 ? DRIFT_WIDENS
			: DRIFT_NOTES,
	    "%s", buf_text(&text));
	buf_finish(&text);
	return true;
}

static struct compared_keywords
compare_together(struct schema_walk *w, const cJSON *a, const cJSON *b)
{
	static const char *const least[2] = { "minimum", "exclusiveMinimum" };
	static const char *const most[2] = { "maximum", "exclusiveMaximum" };
	const cJSON *const schemas[2] = { a, b };

	if (compare_alternatives(w, a, b))
		return (struct compared_keywords){ .restrictions = true };
	return (struct compared_keywords){
		.values = compare_values(w, a, b),
		.least = compare_bounds(w, schemas, least, 1),
		.most = compare_bounds(w, schemas, most, -1),
	};
}

/* ---- a pair of schemas ---- */

static void
walk_booleans(struct schema_walk *w, const cJSON *a, const cJSON *b)
{
	bool before = json_type(a) != JSON_BOOLEAN || cJSON_IsTrue(a);
	bool now = json_type(b) != JSON_BOOLEAN || cJSON_IsTrue(b);
	bool some_before = json_type(a) == JSON_OBJECT && json_count(a) > 0;
	bool some_now = json_type(b) == JSON_OBJECT && json_count(b) > 0;

	if (before == now && some_before == some_now)
		return;
	if (before != now)
		NOTE(w, now ? DRIFT_WIDENS : DRIFT_NARROWS,
		    now ? "is allowed now" : "is no longer allowed");
	else
		NOTE(w, some_now ? DRIFT_NARROWS : DRIFT_WIDENS,
		    some_now ? "is restricted now" : "is no longer restricted");
}

static void
walk_keywords(
    struct schema_walk *w, const struct compared_keywords *done, const cJSON *a, const cJSON *b)
{
	struct json_keys in[2];

	keys_init(in, a, b, &w->d->cost);
	EACH_MEMBER(member, a)
	if (strcmp(member->string, "properties") != 0 && !is_compared(done, member->string))
		compare_keyword(w, member->string, member, keys_find(&in[1], member->string));
	EACH_MEMBER(member, b)
	if (!keys_find(&in[0], member->string) && strcmp(member->string, "properties") != 0 &&
	    !is_compared(done, member->string))
		compare_keyword(w, member->string, NULL, member);
	keys_finish(in);
	if (!done->restrictions)
		walk_properties(w, a, json_get(a, "properties"), json_get(b, "properties"));
}

/* words: compare titles and other annotations too. */
static void
walk_pair(struct schema_walk *w, const cJSON *a, const cJSON *b, bool words)
{
	static const struct compared_keywords restrictions = { .restrictions = true };

	w->d->cost += VISIT_COST;
	w->d->is_cut |= w->depth >= DEPTH_MAX || w->d->len >= DRIFT_MAX;
	if (!can_afford_more(w) || w->d->is_cut)
		return;
	const char *a_ref = json_get_string(a, "$ref"), *b_ref = json_get_string(b, "$ref");
	if (strcmp(a_ref ? a_ref : "", b_ref ? b_ref : "") != 0 || !a_ref != !b_ref) {
		a = follow(w, 0, a);
		b = follow(w, 1, b);
	}
	if (json_type(a) != JSON_OBJECT || json_type(b) != JSON_OBJECT) {
		walk_booleans(w, a, b);
		return;
	}
	const cJSON *x = unwrap(a, b), *y = unwrap(b, x);
	w->depth++;
	if (x == a && y == b) {
		struct compared_keywords done = compare_together(w, a, b);
		done.words = !words;
		walk_keywords(w, &done, a, b);
	} else {
		if (words)
			walk_keywords(w, &restrictions, a, b);
		walk_pair(w, x, y, false);
	}
	w->depth--;
}

void
drift_add_schema(struct drift *d, const struct drift_place *place, const cJSON *a, const cJSON *b,
    bool is_output)
{
	struct schema_walk w = {
		.d = d, .place = place, .roots = { a, b }, .is_output = is_output
	};

	walk_pair(&w, a, b, true);
}

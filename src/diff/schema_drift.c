#include "schema_drift.h"

#include "base/glyph.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"

#include <string.h>

/*
 * Two schemas, keyword by keyword. A subschema that is there on both sides is looked into; a
 * reference is followed if the two differ, a bounded number of times.
 */
enum { DEPTH_MAX = 100, VISIT_COST = 100, COST_MAX = 200000 * VISIT_COST };

struct schema_walk {
	struct drift *d;
	const struct drift_place *place;
	const cJSON *roots[2];
	bool is_output;
	int depth;
};

static enum drift_class
class_of(const struct schema_walk *w, enum drift_effect effect)
{
	if (effect == DRIFT_SAYS)
		return DRIFT_ROUTING;
	if (effect == DRIFT_NOTES)
		return DRIFT_INFORMATIONAL;
	return effect == (w->is_output ? DRIFT_NARROWS : DRIFT_WIDENS) ? DRIFT_INFORMATIONAL
								       : DRIFT_BREAKING;
}

#define NOTE(w, effect, ...) drift_note((w)->d, (w)->place, class_of((w), (effect)), __VA_ARGS__)

static void walk_schemas(struct schema_walk *w, const cJSON *a, const cJSON *b);

/* False: the rest is not looked at, and this will be told. */
static bool
can_afford_more(struct schema_walk *w)
{
	if (w->d->cost > COST_MAX)
		w->d->is_cut = true;
	return w->d->cost <= COST_MAX;
}

/* Goes on at a subschema whose name is put behind the path. */
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
	walk_schemas(w, a, b);
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

static void
note_bound(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b, int sign)
{
	if (json_type(a) == JSON_NUMBER && json_type(b) == JSON_NUMBER)
		note_values(w, name,
		    sign * json_number_compare(a, b) < 0 ? DRIFT_NARROWS : DRIFT_WIDENS, a, b);
	else
		on_opaque(w, name, a, b);
}

/* A greater minimum or minLength allows less. */
static void
on_least(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	note_bound(w, name, a, b, 1);
}

static void
on_most(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	note_bound(w, name, a, b, -1);
}

static void
on_flag(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	if (json_is_true(a) != json_is_true(b))
		note_values(w, name, json_is_true(b) ? DRIFT_NARROWS : DRIFT_WIDENS, a, b);
}

static void
on_words(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	note_values(w, name, DRIFT_SAYS, a, b);
}

static void
on_other(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	note_values(w, name, DRIFT_NOTES, a, b);
}

/* ---- type ---- */

static const char *const types[] = { "null", "boolean", "object", "array", "string", "number",
	"integer" };
enum { NUMBER_BIT = 1 << 5, INTEGER_BIT = 1 << 6, ALL_TYPES = (1 << 7) - 1 };

static unsigned
type_bit(const cJSON *name)
{
	for (size_t i = 0; json_string(name) && i < ARRAY_LEN(types); i++)
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

/* The items that only one of them has, "\"a\", \"b\" and 3 more". Returns how many. */
static size_t
add_missing(struct schema_walk *w, const cJSON *in, const cJSON *from, struct buf *out)
{
	enum { SHOWN = 6 };
	size_t count = 0;

	EACH_ITEM(item, in)
	{
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
	if (json_string(item) && strcmp(item->valuestring, name) == 0)
		return true;
	return false;
}

/* Whoever sends a property that went, or reads it, misses it; a new one harms nobody, unless
 * `required` has gained it. */
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
		NOTE(w, DRIFT_NOTES, "gained %s (%s)", member->string, type_word(member));
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

static const cJSON *
as_schema(const cJSON *value)
{
	static const cJSON anything = { .type = cJSON_True };

	return value ? value : &anything;
}

/* An absent subschema allows everything. */
static void
on_schema(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	bool items = strcmp(name, "items") == 0;

	walk_into(w, items ? "[]" : " ", items ? "" : name, as_schema(a), as_schema(b));
}

/* Alternatives that are equal stand for each other wherever they are. */
static const cJSON *
next_unmatched(struct schema_walk *w, const cJSON *item, const cJSON *others)
{
	while (item && has_item(w, others, item))
		item = can_afford_more(w) ? item->next : NULL;
	return item;
}

static void
on_list(struct schema_walk *w, const char *name, const cJSON *a, const cJSON *b)
{
	bool all = strcmp(name, "anyOf") != 0 && strcmp(name, "oneOf") != 0;

	if (!a || !b) {
		on_opaque(w, name, a, b);
		return;
	}
	const cJSON *x = next_unmatched(w, json_first(a), b);
	const cJSON *y = next_unmatched(w, json_first(b), a);
	while ((x || y) && can_afford_more(w)) {
		if (x && y)
			walk_into(w, " ", name, x, y);
		else if (x)
			NOTE(w, all ? DRIFT_WIDENS : DRIFT_NARROWS, "%s lost %s", name,
			    type_word(x));
		else
			NOTE(w, all ? DRIFT_NARROWS : DRIFT_WIDENS, "%s gained %s", name,
			    type_word(y));
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
	{ "minimum", on_least },
	{ "exclusiveMinimum", on_least },
	{ "minLength", on_least },
	{ "minItems", on_least },
	{ "minProperties", on_least },
	{ "minContains", on_least },
	{ "maximum", on_most },
	{ "exclusiveMaximum", on_most },
	{ "maxLength", on_most },
	{ "maxItems", on_most },
	{ "maxProperties", on_most },
	{ "maxContains", on_most },
	{ "uniqueItems", on_flag },
	{ "multipleOf", on_opaque },
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
	on_other(w, name, a, b);
}

/* ---- a pair of schemas ---- */

/* Does anything but its reference restrict the values? */
static bool
restricts_more(const cJSON *schema)
{
	EACH_MEMBER(member, schema)
	{
		const char *name = member->string;
		if (strcmp(name, "properties") == 0)
			return true;
		for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
			if (strcmp(keywords[i].name, name) == 0 &&
			    keywords[i].compare != on_words && !is_library(name) &&
			    strcmp(name, "$ref") != 0)
				return true;
	}
	return false;
}

/* The schema that a reference within the document names; the schema itself if it has none, or more
 * than that. */
static const cJSON *
follow(const struct schema_walk *w, int side, const cJSON *schema)
{
	for (int hops = 0; hops < 16; hops++) {
		const char *ref = json_get_string(schema, "$ref");
		const cJSON *to =
		    ref && ref[0] == '#' ? json_pointer_find(w->roots[side], ref + 1) : NULL;
		if (!to || restricts_more(schema))
			break;
		schema = to;
	}
	return schema;
}

static bool
refer_alike(const cJSON *a, const cJSON *b)
{
	const char *x = json_get_string(a, "$ref"), *y = json_get_string(b, "$ref");

	return (!x && !y) || (x && y && strcmp(x, y) == 0);
}

static void
walk_booleans(struct schema_walk *w, const cJSON *a, const cJSON *b)
{
	bool before = json_type(a) != JSON_BOOLEAN || json_is_true(a);
	bool now = json_type(b) != JSON_BOOLEAN || json_is_true(b);
	bool some_before = json_type(a) == JSON_OBJECT && json_count(a) > 0;
	bool some_now = json_type(b) == JSON_OBJECT && json_count(b) > 0;

	if (before == now && some_before == some_now)
		return;
	if (before != now)
		NOTE(w, now ? DRIFT_WIDENS : DRIFT_NARROWS,
		    now ? "is allowed now" : "is not allowed any more");
	else
		NOTE(w, some_now ? DRIFT_NARROWS : DRIFT_WIDENS,
		    some_now ? "is restricted now" : "is not restricted any more");
}

static void
walk_schemas(struct schema_walk *w, const cJSON *a, const cJSON *b)
{
	w->d->cost += VISIT_COST;
	w->d->is_cut |= w->depth >= DEPTH_MAX || w->d->len >= DRIFT_MAX;
	if (!can_afford_more(w) || w->d->is_cut)
		return;
	if (!refer_alike(a, b)) {
		a = follow(w, 0, a);
		b = follow(w, 1, b);
	}
	if (json_type(a) != JSON_OBJECT || json_type(b) != JSON_OBJECT) {
		walk_booleans(w, a, b);
		return;
	}
	struct json_keys in[2];
	w->depth++;
	keys_init(in, a, b, &w->d->cost);
	EACH_MEMBER(member, a)
	if (strcmp(member->string, "properties") != 0)
		compare_keyword(w, member->string, member, keys_find(&in[1], member->string));
	EACH_MEMBER(member, b)
	if (!keys_find(&in[0], member->string) && strcmp(member->string, "properties") != 0)
		compare_keyword(w, member->string, NULL, member);
	keys_finish(in);
	walk_properties(w, a, json_get(a, "properties"), json_get(b, "properties"));
	w->depth--;
}

void
drift_add_schema(struct drift *d, const struct drift_place *place, const cJSON *a, const cJSON *b,
    bool is_output)
{
	struct schema_walk w = {
		.d = d, .place = place, .roots = { a, b }, .is_output = is_output
	};

	walk_schemas(&w, a, b);
}

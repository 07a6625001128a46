#include "keyword.h"

#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"

#include <string.h>

/* enum, const, and sentences about values that must be one of several constants. */

/* ---- sets of values ---- */

#define MAX_PROBES 64

struct value_set {
	size_t mask;
	const cJSON *slots[];
};

struct value_set *
value_set_create(struct pool **pool, size_t count)
{
	size_t mask = 15;

	while (mask < count * 2)
		mask = mask * 2 + 1;
	struct value_set *set = pool_alloc(pool, sizeof(*set) + (mask + 1) * sizeof(*set->slots));
	set->mask = mask;
	return set;
}

/* The slot of the value, or the free slot for it; gives up after MAX_PROBES. */
static size_t
slot_of(const struct value_set *set, const cJSON *value, size_t *probes, size_t *cost)
{
	size_t i = (size_t)json_hash_counted(value, cost) & set->mask;

	for (*probes = 0; set->slots[i] && *probes < MAX_PROBES; ++*probes) {
		if (json_equal_counted(set->slots[i], value, cost))
			break;
		i = (i + 1) & set->mask;
	}
	return i;
}

enum value_added
value_set_add(struct value_set *set, const cJSON *value)
{
	size_t probes, cost = 0;
	size_t i = slot_of(set, value, &probes, &cost);

	if (probes == MAX_PROBES)
		return VALUE_LOST;
	if (set->slots[i])
		return VALUE_KNOWN;
	set->slots[i] = value;
	return VALUE_NEW;
}

/* *cost grows as in json_hash_counted(). */
static bool
value_set_has(const struct value_set *set, const cJSON *value, size_t *cost)
{
	size_t probes;
	size_t i = slot_of(set, value, &probes, cost);

	return set->slots[i] && probes < MAX_PROBES;
}

bool
is_in_set(struct checker *c, const struct value_set *set, const cJSON *value)
{
	size_t cost = 0;
	bool found = value_set_has(set, value, &cost);

	check_charge(c, cost);
	return found;
}

/* ---- enum, const ---- */

#define LONG_ENUM 8

static bool
compile_enum(struct compiler *k, const cJSON *value)
{
	if (json_type(value) != JSON_ARRAY)
		return compile_fail(k, value, "enum must be an array");
	struct value_set *set = NULL;
	if (json_count(value) > LONG_ENUM)
		set = value_set_create(&k->schema->pool, json_count(value));
	for (const cJSON *e = json_first(value); e && set; e = e->next)
		if (is_leaf(e) && value_set_add(set, e) == VALUE_LOST)
			set = NULL;
	compile_rule(k, value)->as.set = set;
	return true;
}

static bool
is_equal(struct checker *c, const cJSON *a, const cJSON *b)
{
	if (type_of(a) != type_of(b))
		return false;
	if (type_of(a) == TYPE_NUMBER && !a->valuestring && !b->valuestring)
		return a->valuedouble == b->valuedouble;
	if (type_of(a) == TYPE_STRING && a->valuestring[0] != b->valuestring[0])
		return false;
	size_t cost = 0;
	bool equal = json_equal_counted(a, b, &cost);
	check_charge(c, cost);
	return equal;
}

static bool
is_listed(struct checker *c, const struct rule *rule, const cJSON *value)
{
	const struct value_set *set = rule->as.set;

	if (set && is_leaf(value))
		return is_in_set(c, set, value);
	for (const cJSON *e = json_first(rule->value); e && !c->stopped; e = e->next) {
		c->steps++;
		if (is_equal(c, e, value))
			return true;
		check_budget(c);
	}
	return c->stopped;
}

static bool
check_enum(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return is_listed(c, rule, s->value) || report_add(c, rule, s, (struct fact){ 0 });
}

static bool
compile_const(struct compiler *k, const cJSON *value)
{
	compile_rule(k, value);
	return true;
}

static bool
check_const(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return is_equal(c, rule->value, s->value) || report_add(c, rule, s, (struct fact){ 0 });
}

/* ---- choices ---- */

#define LISTED_BYTES 60
#define TWINS_TRIED 64

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
	if (choices->suggestion.word)
		did_you_mean_try(
		    &choices->suggestion, json_string(value) ? json_string(value) : "");
}

static bool
choices_enough(const struct choices *choices)
{
	return choices->count >= TWINS_TRIED &&
	       (!choices->suggestion.word || !choices->suggestion.left);
}

void
choices_add_rule(struct choices *choices, const struct rule *rule)
{
	if (rule->kind == RULE_CONST) {
		choices_add(choices, rule->value);
		return;
	}
	size_t count = choices->count + json_count(rule->value);
	for (const cJSON *e = json_first(rule->value); e && !choices_enough(choices); e = e->next)
		choices_add(choices, e);
	choices->count = count;
}

static void
add_bare(const cJSON *value, struct buf *out)
{
	const char *text = json_string(value);
	bool plain =
	    text && *text && strcspn(text, "\"\\, \n\t") == strlen(text) && strlen(text) <= 40;

	if (plain && (json_is_number_text(text, strlen(text)) || strcmp(text, "null") == 0 ||
			 strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
		plain = false;

	if (plain)
		buf_add_str(out, text);
	else
		add_value(value, out);
}

void
add_choices(const struct choices *choices, struct buf *out)
{
	bool whole = choices->count <= LISTED_WHOLE;
	size_t shown = 0, start = out->len;

	if (choices->count == 0)
		buf_add_str(out, "nothing (the array is empty)");
	else if (choices->count > 1 || choices->types)
		buf_add_str(out, "one of ");
	for (; shown < choices->count; shown++) {
		if (shown >= LISTED_SHORT && (!whole || out->len - start > LISTED_BYTES))
			break;
		buf_add_str(out, shown ? ", " : "");
		add_bare(choices->first[shown], out);
	}
	if (shown < choices->count)
		buf_addf(out, " and %zu more", choices->count - shown);
	if (choices->types) {
		buf_add_str(out, ", ");
		add_types(choices->types, out);
	}
}

void
choices_want(struct choices *choices, const struct record *r)
{
	const char *text = r->naming ? r->pub.node->string : json_string(r->pub.node);

	choices->found = r->naming ? NULL : r->pub.node;
	suggest_for(&choices->suggestion, text, r);
}

#define COMPARED 64 /* characters to compare in strings that may look the same */

static size_t
read_characters(const char *text, uint32_t *out)
{
	size_t count = 0;

	while (*text && count <= COMPARED)
		out[count++] = take_character(&text);
	return count;
}

/* Names the character that differs in two strings that may look the same, if few differ and they
 * are not ASCII. */
static bool
add_difference(const char *found, const char *meant, struct buf *out)
{
	uint32_t a[COMPARED + 1], b[COMPARED + 1];
	size_t a_len = read_characters(found, a), b_len = read_characters(meant, b);
	size_t least = a_len < b_len ? a_len : b_len, start = 0, end = 0;

	if (least == 0 || a_len > COMPARED || b_len > COMPARED)
		return false;
	while (start < least && a[start] == b[start])
		start++;
	while (end < least - start && a[a_len - 1 - end] == b[b_len - 1 - end])
		end++;
	if (start == a_len || start == b_len || 2 * (start + end) < least ||
	    a_len - start - end > 2 || b_len - start - end > 2 ||
	    (a[start] < 0x80 && b[start] < 0x80))
		return false;
	buf_addf(out, " (character %zu is U+%04X, not U+%04X)", start + 1, (unsigned)a[start],
	    (unsigned)b[start]);
	return true;
}

static bool
add_lookalike(const struct choices *choices, struct buf *out)
{
	const char *found = choices->found ? json_string(choices->found) : NULL;

	for (size_t i = 0; found && i < choices->count && i < LISTED_WHOLE; i++)
		if (json_string(choices->first[i]) &&
		    add_difference(found, json_string(choices->first[i]), out))
			return true;
	return false;
}

static void
add_meant(const struct choices *choices, struct buf *out)
{
	if (!choices->twin) {
		if (!add_lookalike(choices, out))
			add_suggestion(&choices->suggestion, "\"", out);
		return;
	}
	bool text = json_string(choices->found) != NULL;
	buf_add_str(out, " (");
	add_value(text ? choices->found : choices->twin, out);
	buf_add_str(out, " is a string, ");
	add_value(text ? choices->twin : choices->found, out);
	buf_add_str(out, " is not)");
}

void
add_choices_line(const struct record *r, const struct choices *choices, struct buf *out)
{
	add_subject(r, out);
	buf_add_str(out, " is not ");
	add_choices(choices, out);
	add_meant(choices, out);
}

/* ---- words ---- */

static void
add_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	choices_add_rule(&choices, r->rule);
	add_choices(&choices, out);
}

static void
add_enum_line(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	choices_want(&choices, r);
	choices_add_rule(&choices, r->rule);
	add_choices_line(r, &choices, out);
}

static void
add_const(const struct record *r, struct buf *out)
{
	add_value(r->rule->value, out);
}

#define DIFFERENCE_DEPTH 16

/* Descends to the first member that differs in two objects and adds its name to the path.
 * Returns false if there is none. */
static bool
go_to_difference(const cJSON **found, const cJSON **meant, struct buf *path)
{
	for (const cJSON *m = json_first(*meant); m; m = m->next) {
		const cJSON *f = json_get(*found, m->string);
		if (!f)
			return false;
		if (json_equal(f, m))
			continue;
		json_pointer_add_key(path, m->string);
		*found = f;
		*meant = m;
		return true;
	}
	return false;
}

/* Shows only the difference from a long constant: "differs from the constant at /a: 1 is not 2".
 */
static bool
add_first_difference_line(const struct record *r, struct buf *out)
{
	const cJSON *found = r->pub.node, *meant = r->rule->value;
	struct buf path = BUF_INIT;
	unsigned depth = 0;

	while (depth < DIFFERENCE_DEPTH && !is_leaf(found) &&
	       json_type(found) == json_type(meant) && go_to_difference(&found, &meant, &path))
		depth++;
	if (depth > 0) {
		buf_addf(out, "differs from the constant at %s: ", buf_text(&path));
		add_value(found, out);
		buf_add_str(out, " is not ");
		add_value(meant, out);
	}
	buf_finish(&path);
	return depth > 0;
}

static void
add_const_line(const struct record *r, struct buf *out)
{
	struct choices choices = { .found = r->naming ? NULL : r->pub.node };

	if (!r->naming && !is_leaf(r->pub.node) && add_first_difference_line(r, out))
		return;
	choices_add(&choices, r->rule->value);
	add_subject(r, out);
	buf_add_str(out, " is not ");
	add_const(r, out);
	add_meant(&choices, out);
}

const struct keyword_functions keyword_enum = {
	.compile = compile_enum,
	.check = check_enum,
	.expected = add_enum,
	.line = add_enum_line,
};

const struct keyword_functions keyword_const = {
	.compile = compile_const,
	.check = check_const,
	.expected = add_const,
	.line = add_const_line,
};

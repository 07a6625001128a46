/* SPDX-License-Identifier: MIT */
#include "keyword.h"

#include "base/ascii.h"
#include "base/map.h"
#include "base/shared_library.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "schema/regex/regex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the difference between a value and the constant that was meant, if it is hard to see ---- */

#define COMPARED 64 /* characters to compare in strings that may look the same */

struct characters {
	uint32_t items[COMPARED + 1];
	size_t len;
};

static void
read_characters(const char *text, struct characters *out)
{
	for (out->len = 0; *text && out->len <= COMPARED; out->len++)
		out->items[out->len] = take_character(&text);
}

/* ---- Unicode forms, by libunistring, which libidn2 is linked to ---- */

struct unicode {
	uint8_t *(*u8_normalize)(
	    const void *form, const uint8_t *text, size_t len, uint8_t *out, size_t *out_len);
	const void *uninorm_nfc;
};

/* The composed form, to be freed; NULL if the text is too long or libidn2 is missing. */
static char *
compose(const char *text)
{
	static const char *const NAMES[] = { "u8_normalize", "uninorm_nfc", NULL };
	struct unicode unicode;
	struct err why;
	size_t len = 0;

	if (strnlen(text, COMPARED * 4 + 1) > COMPARED * 4 ||
	    !shared_library_load("libidn2.so.0", NAMES, &unicode, &why))
		return NULL;
	return (char *)unicode.u8_normalize(
	    unicode.uninorm_nfc, (const uint8_t *)text, strlen(text) + 1, NULL, &len);
}

static bool
is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return !*text;
}

bool
add_form_difference(const char *found, const char *meant, struct buf *out)
{
	if (is_ascii(found) && is_ascii(meant))
		return false;
	char *a = compose(found), *b = compose(meant);
	bool same = a && b && strcmp(a, b) == 0 && strcmp(found, meant) != 0;
	if (same && strcmp(a, found) == 0)
		buf_add_str(out, " (differs only in the Unicode form: NFC here)");
	else if (same && strcmp(b, meant) == 0)
		buf_add_str(out, " (differs only in the Unicode form: NFD, not NFC)");
	else if (same)
		buf_add_str(out, " (differs only in the Unicode form)");
	free(a);
	free(b);
	return same;
}

/* ---- strings ---- */

static const struct {
	uint32_t point;
	const char *name;
} UNSEEN[] = {
	{ ' ', "a space" },
	{ '\t', "a tab" },
	{ '\n', "a line feed" },
	{ '\r', "a carriage return" },
	{ 0xa0, "a no-break space" },
	{ 0xad, "a soft hyphen" },
	{ 0x2007, "a figure space" },
	{ 0x2009, "a thin space" },
	{ 0x200b, "a zero width space" },
	{ 0x200c, "a zero width non-joiner" },
	{ 0x200d, "a zero width joiner" },
	{ 0x202f, "a narrow no-break space" },
	{ 0x3000, "an ideographic space" },
	{ 0xfeff, "a byte order mark" },
};

static const char *
unseen_name(uint32_t point)
{
	for (size_t i = 0; i < ARRAY_LEN(UNSEEN); i++)
		if (UNSEEN[i].point == point)
			return UNSEEN[i].name;
	return NULL;
}

bool
has_unseen(const char *text)
{
	while (*text) {
		uint32_t point = take_character(&text);
		if (point >= 0x80 && unseen_name(point))
			return true;
	}
	return false;
}

void
add_escaped(const char *text, struct buf *out)
{
	while (*text) {
		const char *from = text;
		uint32_t point = take_character(&text);
		if (point >= 0x80 && unseen_name(point))
			buf_addf(out, "\\u%04x", (unsigned)point);
		else
			buf_add(out, from, (size_t)(text - from));
	}
}

static void
add_character(uint32_t point, struct buf *out)
{
	const char *name = unseen_name(point);

	if (name)
		buf_add_str(out, name);
	else
		buf_addf(out, "U+%04X", (unsigned)point);
}

/* Names the character that differs in two strings that may look the same, if few differ and they
 * are not ASCII. */
static bool
add_character_difference(const struct characters *a, const struct characters *b, struct buf *out)
{
	size_t least = a->len < b->len ? a->len : b->len, start = 0, end = 0;

	while (start < least && a->items[start] == b->items[start])
		start++;
	while (end < least - start && a->items[a->len - 1 - end] == b->items[b->len - 1 - end])
		end++;
	if (least == 0 || 2 * (start + end) < least || a->len - start - end > 2 ||
	    b->len - start - end > 2)
		return false;
	bool more = start + end == b->len, less = start + end == a->len;
	bool unseen =
	    more && start < a->len && a->items[start] >= 0x80 && unseen_name(a->items[start]);
	if (!unseen && (more || less || (a->items[start] < 0x80 && b->items[start] < 0x80)))
		return false;
	buf_addf(out, " (character %zu is ", start + 1);
	add_character(a->items[start], out);
	if (!unseen) {
		buf_add_str(out, ", not ");
		add_character(b->items[start], out);
	}
	buf_add_str(out, ")");
	return true;
}

static bool
differ_only_in_spaces(const struct characters *a, const struct characters *b)
{
	size_t i = 0, j = 0, seen = 0;

	for (;; i++, j++, seen++) {
		while (i < a->len && unseen_name(a->items[i]))
			i++;
		while (j < b->len && unseen_name(b->items[j]))
			j++;
		if (i == a->len || j == b->len)
			return seen > 0 && i == a->len && j == b->len;
		if (a->items[i] != b->items[j])
			return false;
	}
}

static bool
add_text_difference(const char *found, const char *meant, struct buf *out)
{
	struct characters a, b;
	size_t same = 0;

	read_characters(found, &a);
	read_characters(meant, &b);
	if (a.len > COMPARED || b.len > COMPARED || strcmp(found, meant) == 0)
		return false;
	if (add_form_difference(found, meant, out) || add_character_difference(&a, &b, out))
		return true;
	while (same < a.len && same < b.len &&
	       ascii_lower(a.items[same]) == ascii_lower(b.items[same]))
		same++;
	if (differ_only_in_spaces(&a, &b))
		buf_add_str(out, " (only the spaces differ)");
	else if (same == a.len && same == b.len)
		buf_add_str(out, " (only the case differs)");
	else
		return false;
	return true;
}

/* ---- containers ---- */

#define DEPTH 16
#define CHILDREN 200 /* larger containers are not compared */

struct descent {
	const cJSON *found, *meant;
	struct buf path; /* from the constant */
	const char *end; /* " is missing", " is not in it"; NULL: found is not meant */
	struct json_items items[DEPTH]; /* of the arrays on the way, which may be lazy */
	unsigned arrays;
};

/* A member that only one of the two objects has, or else the first that differs. */
static bool
enter_object(struct descent *d)
{
	for (const cJSON *m = json_first(d->meant); m; m = m->next)
		if (!json_get(d->found, m->string)) {
			json_pointer_add_key(&d->path, m->string);
			d->end = " is missing";
			return true;
		}
	for (const cJSON *f = json_first(d->found); f; f = f->next)
		if (!json_get(d->meant, f->string)) {
			json_pointer_add_key(&d->path, f->string);
			d->end = " is not in it";
			return true;
		}
	for (const cJSON *m = json_first(d->meant); m; m = m->next) {
		const cJSON *f = json_get(d->found, m->string);
		if (json_equal(f, m))
			continue;
		json_pointer_add_key(&d->path, m->string);
		d->found = f;
		d->meant = m;
		return true;
	}
	return false;
}

static bool
enter_difference(struct descent *d)
{
	enum json_type type = json_type(d->meant);

	if (d->end || type != json_type(d->found) || json_count(d->meant) > CHILDREN ||
	    json_count(d->found) > CHILDREN)
		return false;
	if (type != JSON_ARRAY)
		return type == JSON_OBJECT && enter_object(d);
	struct json_items *it = &d->items[d->arrays++];
	const cJSON *m = json_first(d->meant);
	json_items_init(it, d->found, NULL);
	for (; it->item && m && json_equal(it->item, m); json_items_next(it))
		m = m->next;
	if (!it->item && !m)
		return false;
	json_pointer_add_index(&d->path, it->index);
	if (it->item && m) {
		d->found = it->item;
		d->meant = m;
	} else {
		d->end = it->item ? " is not in it" : " is missing";
	}
	return true;
}

static bool
add_first_difference(const cJSON *found, const cJSON *meant, struct buf *out)
{
	struct descent d = { .found = found, .meant = meant };
	unsigned depth = 0;

	while (depth < DEPTH && enter_difference(&d))
		depth++;
	if (depth > 0) {
		buf_add_str(
		    out, d.end ? "differs from the constant: " : "differs from the constant at ");
		add_short(buf_text(&d.path), out);
	}
	if (depth > 0 && d.end) {
		buf_add_str(out, d.end);
	} else if (depth > 0) {
		buf_add_str(out, ": ");
		add_value(d.found, out);
		buf_add_str(out, " is not ");
		add_value(d.meant, out);
	}
	for (unsigned i = 0; i < d.arrays; i++)
		json_items_finish(&d.items[i]);
	buf_finish(&d.path);
	return depth > 0;
}

static const struct {
	const char *name;
	unsigned types;
	const char *words;
} TYPES[] = {
	{ "string", TYPE_STRING, "a string" },
	{ "integer", TYPE_INTEGER, "an integer" },
	{ "number", TYPE_NUMBER, "a number" },
	{ "boolean", TYPE_BOOLEAN, "a boolean" },
	{ "object", TYPE_OBJECT, "an object" },
	{ "array", TYPE_ARRAY, "an array" },
	{ "null", TYPE_NULL, "null" },
};

static bool
compile_type(struct compiler *k, const cJSON *value)
{
	bool list = cJSON_IsArray(value);
	unsigned types = 0;

	for (const cJSON *c = list ? json_first(value) : value; c; c = list ? c->next : NULL) {
		const char *name = cJSON_GetStringValue(c);
		size_t i = 0;
		while (i < ARRAY_LEN(TYPES) && (!name || strcmp(TYPES[i].name, name) != 0))
			i++;
		if (i == ARRAY_LEN(TYPES))
			return compile_fail(
			    k, c, "%s is not the name of a type", name ? name : "this");
		types |= TYPES[i].types;
	}
	if (!types)
		return compile_fail(k, value, "type must not be empty");
	if (types & TYPE_NUMBER)
		types &= ~TYPE_INTEGER;
	k->node->types = types;
	compile_rule(k, value)->as.types = types;
	return true;
}

bool
is_integer(struct checker *c, const cJSON *number)
{
	double d = number->valuedouble;

	/* Every integer that is written with a point or an exponent keeps its text. */
	if (!json_number_is_double(number)) {
		const char *written = json_number_written(number);
		check_charge(c, strlen(written) / 16);
		if (c->schema->strict_integers && strpbrk(written, ".eE"))
			return false;
		return json_number_is_integer(number);
	}
	if (d >= -1e15 && d <= 1e15)
		return d == (double)(int64_t)d;
	return d == floor(d) && isfinite(d);
}

static bool
check_type(struct checker *c, const struct rule *rule, const struct subject *s)
{
	if (passes_type(c, rule->as.types, s->value))
		return true;
	return report_add(c, rule, s, (struct fact){ .types = rule->as.types });
}

/* ---- words ---- */

void
add_types(unsigned types, struct buf *out)
{
	const char *words[ARRAY_LEN(TYPES)];
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(TYPES); i++)
		if (types & TYPES[i].types)
			words[count++] = TYPES[i].words;
	for (size_t i = 0; i < count; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
}

static void
add_type(const struct record *r, struct buf *out)
{
	add_types(r->types, out);
}

#define PARSED_BYTES 65536

void
add_type_line(const struct record *r, struct buf *out)
{
	const char *text = r->naming ? NULL : cJSON_GetStringValue(r->pub.node);
	size_t len = text ? strlen(text) : 0;
	bool list = (r->types & TYPE_ARRAY) && len > 1 && text[0] == '[' && text[len - 1] == ']';
	bool object = (r->types & TYPE_OBJECT) && len > 1 && text[0] == '{' && text[len - 1] == '}';

	add_found(r, out);
	buf_add_str(out, ", expected ");
	add_type(r, out);
	if (list || object) { /* sent as a string, perhaps because the server encoded it twice */
		struct json_doc *doc =
		    len < PARSED_BYTES ? json_parse(text, len, NULL, NULL) : NULL;
		if (doc || len >= PARSED_BYTES)
			buf_add_str(out, " (this is JSON: encoded twice?)");
		json_doc_destroy(doc);
	}
}

/* enum, const, and sentences about values that must be one of several constants. */

/* ---- sets of values ---- */

#define MAX_PROBES 64

struct value_set {
	size_t mask;
	struct value_slot {
		const cJSON *value; /* NULL: free */
		uint64_t hash;
	} slots[];
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

/* The slot of the value, or the free slot for it; NULL after MAX_PROBES. */
static const struct value_slot *
slot_of(const struct value_set *set, const cJSON *value, uint64_t *hash, size_t *cost)
{
	if (type_of(value) == TYPE_STRING) {
		size_t len = strlen(value->valuestring);
		*cost += 1 + len / 16;
		*hash = text_hash(set, value->valuestring, len);
	} else {
		*hash = json_hash_counted(value, cost);
	}
	for (size_t probes = 0; probes < MAX_PROBES; probes++) {
		const struct value_slot *slot = &set->slots[(*hash + probes) & set->mask];
		if (!slot->value ||
		    (slot->hash == *hash && json_equal_counted(slot->value, value, cost)))
			return slot;
	}
	return NULL;
}

enum value_added
value_set_add(struct value_set *set, const cJSON *value)
{
	size_t cost = 0;
	uint64_t hash;
	const struct value_slot *slot = slot_of(set, value, &hash, &cost);

	if (!slot)
		return VALUE_LOST;
	if (slot->value)
		return VALUE_KNOWN;
	set->slots[slot - set->slots] = (struct value_slot){ value, hash };
	return VALUE_NEW;
}

bool
is_in_set(struct checker *c, const struct value_set *set, const cJSON *value)
{
	size_t cost = 0;
	uint64_t hash;
	const struct value_slot *slot = slot_of(set, value, &hash, &cost);

	check_charge(c, cost);
	return slot && slot->value;
}

/* ---- enum, const ---- */

#define LONG_ENUM 8

/* Longer texts are charged for. */
#define LENGTHY 64

static bool
is_lengthy(const cJSON *value)
{
	const char *text =
	    cJSON_IsNumber(value) ? json_number_written(value) : cJSON_GetStringValue(value);

	return !is_leaf(value) || (text && strnlen(text, LENGTHY) == LENGTHY);
}

static bool
compile_enum(struct compiler *k, const cJSON *value)
{
	if (!cJSON_IsArray(value))
		return compile_fail(k, value, "enum must be an array");
	struct value_set *set = NULL;
	if (json_count(value) > LONG_ENUM)
		set = value_set_create(&k->schema->pool, json_count(value));
	for (const cJSON *e = json_first(value); e && set; e = e->next)
		if (is_leaf(e) && value_set_add(set, e) == VALUE_LOST)
			set = NULL;
	struct rule *rule = compile_rule(k, value);
	rule->as.constants.set = set;
	for (const cJSON *e = json_first(value); e; e = e->next)
		rule->as.constants.lengthy |= is_lengthy(e);
	return true;
}

static inline bool
is_equal(struct checker *c, const struct rule *rule, const cJSON *constant, const cJSON *value)
{
	if (!(type_of_constant(constant) & type_of(value)))
		return false;
	if (type_of(constant) == TYPE_STRING && !rule->as.constants.lengthy)
		return constant->valuestring[0] == value->valuestring[0] &&
		       strcmp(constant->valuestring, value->valuestring) == 0;
	if (type_of(constant) == TYPE_NUMBER && json_number_is_double(constant) &&
	    json_number_is_double(value))
		return constant->valuedouble == value->valuedouble;
	size_t cost = 0;
	bool equal = json_equal_counted(constant, value, &cost);
	check_charge(c, cost);
	return equal;
}

bool
constants_allow(struct checker *c, const struct rule *rule, const cJSON *value)
{
	const struct value_set *set = rule->as.constants.set;

	if (rule->kind == RULE_CONST)
		return is_equal(c, rule, rule->value, value);
	if (set && is_leaf(value))
		return is_in_set(c, set, value);
	for (const cJSON *e = json_first(rule->value); e && !c->stopped; e = e->next) {
		c->steps++;
		if (is_equal(c, rule, e, value))
			return true;
		check_budget(c);
	}
	return c->stopped;
}

static bool
check_constants(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return constants_allow(c, rule, s->value) || report_add(c, rule, s, (struct fact){ 0 });
}

static bool
compile_const(struct compiler *k, const cJSON *value)
{
	compile_rule(k, value)->as.constants.lengthy = is_lengthy(value);
	return true;
}

/* ---- choices ---- */

#define LISTED_BYTES 60
#define TWINS_TRIED 64
#define SHORT_CONSTANT 24

/* "2" and 2 */
static bool
reads_like(const cJSON *text, const cJSON *other)
{
	if (!cJSON_GetStringValue(text) || !other || !is_leaf(other) || cJSON_GetStringValue(other))
		return false;
	char *words = json_text(other);
	bool same = strcmp(cJSON_GetStringValue(text), words) == 0;
	free(words);
	return same;
}

void
choices_add(struct choices *choices, const cJSON *value)
{
	for (size_t i = 0; i < choices->count && i < LISTED_WHOLE; i++)
		if (is_leaf(value) && json_equal(choices->first[i], value))
			return;
	if (choices->count < LISTED_WHOLE)
		choices->first[choices->count] = value;
	choices->count++;
	if (!choices->twin && choices->count <= TWINS_TRIED &&
	    (reads_like(choices->found, value) || reads_like(value, choices->found)))
		choices->twin = value;
	if (choices->suggestion.word)
		did_you_mean_try(&choices->suggestion,
		    cJSON_GetStringValue(value) ? cJSON_GetStringValue(value) : "");
}

void
choices_add_rule(struct choices *choices, const struct rule *rule)
{
	if (rule->kind == RULE_CONST) {
		choices_add(choices, rule->value);
		return;
	}
	size_t left = json_count(rule->value);
	const struct did_you_mean *suggestion = &choices->suggestion;
	for (const cJSON *e = json_first(rule->value);
	     e && (choices->count < TWINS_TRIED || (suggestion->word && suggestion->left));
	     e = e->next, left--)
		choices_add(choices, e);
	choices->count += left;
}

void
add_choices(const struct choices *choices, struct buf *out)
{
	bool whole = choices->count <= LISTED_WHOLE;
	size_t shown = 0, start = out->len;

	if (choices->count == 1 && choices->types == 0) {
		add_value(choices->first[0], out);
		return;
	}
	if (choices->count == 0)
		buf_add_str(out, "nothing (the array is empty)");
	else if (choices->count > 1)
		buf_add_str(out, "one of ");
	for (; shown < choices->count; shown++) {
		if (shown >= LISTED_SHORT && (!whole || out->len - start > LISTED_BYTES))
			break;
		buf_add_str(out, shown ? ", " : "");
		const cJSON *value = choices->first[shown];
		const char *text = cJSON_GetStringValue(value);
		bool plain = text && *text && strcspn(text, "\"\\, \n\t") == strlen(text) &&
			     strlen(text) <= 40;
		if (plain &&
		    (json_is_number_text(text, strlen(text)) || strcmp(text, "null") == 0 ||
			strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
			plain = false;
		if (plain)
			buf_add_str(out, text);
		else
			add_value(value, out);
	}
	if (shown < choices->count)
		buf_addf(out, " and %zu more", choices->count - shown);
	if (choices->types) {
		buf_add_str(out, choices->count > 1 ? ", or " : " or ");
		add_types(choices->types, out);
	}
}

void
choices_want(struct choices *choices, const struct record *r)
{
	const char *text = r->naming ? r->pub.node->string : cJSON_GetStringValue(r->pub.node);

	choices->found = r->naming ? NULL : r->pub.node;
	suggest_for(&choices->suggestion, text, r);
}

static void
add_meant(const struct choices *choices, struct buf *out)
{
	const char *found = choices->found ? cJSON_GetStringValue(choices->found) : NULL;
	const char *plain = choices->suggestion.name ? choices->suggestion.word : NULL;

	if (choices->twin) {
		buf_add_str(out, " (");
		add_value(found ? choices->found : choices->twin, out);
		buf_add_str(out, " is a string, ");
		add_value(found ? choices->twin : choices->found, out);
		buf_add_str(out, " is not)");
		return;
	}
	/* what differs from a suggestion is easy to see if all are letters, digits and signs */
	while (plain && *plain > ' ' && *plain < 0x7f)
		plain++;
	bool easy = plain && !*plain;
	for (size_t i = 0; !easy && found && i < choices->count && i < LISTED_WHOLE; i++)
		if (cJSON_GetStringValue(choices->first[i]) &&
		    add_text_difference(found, cJSON_GetStringValue(choices->first[i]), out))
			return;
	add_suggestion(&choices->suggestion, "\"", out);
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

/* Both are shown whole, and a short list says more than a path in it. */
static bool
is_short(const cJSON *value)
{
	struct buf text = BUF_INIT;

	json_print_some(&text, value, 0, SHORT_CONSTANT, NULL);
	bool fits = text.len < SHORT_CONSTANT;
	buf_finish(&text);
	return fits;
}

static void
add_const_line(const struct record *r, struct buf *out)
{
	struct choices choices = { .found = r->naming ? NULL : r->pub.node };

	if (!r->naming && !is_leaf(r->pub.node) &&
	    !(is_short(r->pub.node) && is_short(r->rule->value)) &&
	    add_first_difference(r->pub.node, r->rule->value, out))
		return;
	choices_add(&choices, r->rule->value);
	add_subject(r, out);
	buf_add_str(out, " is not ");
	add_const(r, out);
	add_meant(&choices, out);
}

/* clang-format off */
const struct keyword_functions
	keyword_type = { .compile = compile_type, .check = check_type, .expected = add_type, .line = add_type_line },
	keyword_enum = { .compile = compile_enum, .check = check_constants, .expected = add_enum, .line = add_enum_line },
	keyword_const = { .compile = compile_const, .check = check_constants, .expected = add_const, .line = add_const_line };
/* clang-format on */

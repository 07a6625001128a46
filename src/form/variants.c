/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"
#include "tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DRAFTS 16
#define MAX_DRAFT_BYTES ((size_t)1 << 18)

/* The values typed into a variant, kept after another was chosen. */
struct drafts {
	struct {
		size_t variant;
		char *json;
	} items[MAX_DRAFTS];
	size_t len;
};

void
field_drop_drafts(struct field *field)
{
	for (size_t i = 0; field->drafts && i < field->drafts->len; i++)
		free(field->drafts->items[i].json);
	free(field->drafts);
	field->drafts = NULL;
}

static void
keep_draft(struct field *field, const struct buf *json)
{
	size_t i = 0;

	if (json->len == 0 || json->len > MAX_DRAFT_BYTES)
		return;
	if (!field->drafts)
		field->drafts = mem_zalloc(sizeof(*field->drafts));
	struct drafts *drafts = field->drafts;
	while (i < drafts->len && drafts->items[i].variant != field->variant)
		i++;
	if (i == MAX_DRAFTS)
		return;
	if (i == drafts->len)
		drafts->len++;
	free(drafts->items[i].json);
	drafts->items[i].json = mem_strndup(buf_text(json), json->len);
	drafts->items[i].variant = field->variant;
}

/* ---- finding the variant ---- */

static const struct shape *
shape_at(const struct field *field, size_t variant)
{
	return shape_variant(field->whole, form_schema(field->form), &field->form->budget, variant);
}

const struct shape *
field_base_shape(const struct field *field)
{
	return field->whole->variants.len > 0 ? shape_at(field, field->variant) : field->whole;
}

void
field_choose(struct field *field, size_t variant)
{
	field->variant = variant;
	field->shape = shape_at(field, variant);
}

const char *
field_variant_name(const struct field *field, size_t index)
{
	struct shape *whole = (struct shape *)field->whole; /* names are computed on first use */

	if (index >= whole->variants.len)
		return "";
	shape_name_variants(whole, form_schema(field->form), &field->form->budget);
	return whole->variants.items[index].name;
}

/* ---- carrying values over ---- */

static bool
fits_widget(const struct field *field)
{
	return !field->as_json || field->shape->kind == FIELD_JSON;
}

/* "12" becomes 12 for a number, and 12 becomes "12" for a string. */
static void
carry_text(struct field *to, const struct buf *text)
{
	enum field_kind kind = field_kind(to);
	bool number = json_is_number_text(buf_text(text), text->len);

	if (kind == FIELD_STRING || ((kind == FIELD_NUMBER || kind == FIELD_INTEGER) && number))
		field_set_text(to, buf_text(text), text->len);
}

/* The typed text if it has the right type: a string or number. */
static void
carry_value(struct field *to, const cJSON *value, const struct buf *text)
{
	if (field_kind(to) == FIELD_CONST)
		return;
	field_load_here(to, value);
	if (fits_widget(to))
		return;
	field_clear(to);
	to->state = FIELD_SET;
	field_fill_variant(to);
	carry_text(to, text);
}

static void
carry_members(struct field *object, struct field **members, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct field *from = members[i];
		struct field *to = field_find_member(object, from->name);
		if (!field_is_sent(from) || field_kind(from) == FIELD_CONST)
			continue;
		if (!to && (from->extra || from->entry))
			to = field_add_extra(object, from->name);
		if (!to || field_kind(to) == FIELD_CONST)
			continue;
		struct json_doc *doc = field_value(from);
		const cJSON *usual = shape_get(from->whole, "default");
		bool carries = doc && !(usual && json_equal(usual, json_root(doc)));
		if (carries)
			field_load(to, json_root(doc));
		if (carries && !fits_widget(to) && !from->as_json) {
			field_clear(to);
			field_initialize(to);
			carry_text(to, &from->text);
		}
		json_doc_destroy(doc);
	}
}

void
field_set_variant(struct field *field, size_t index)
{
	if (index >= field_variant_count(field))
		return;
	form_begin(field->form);
	if (index == field->variant) {
		field_set_state(field, FIELD_SET);
		return;
	}
	bool was_object = field_kind(field) == FIELD_OBJECT, had_value = field->filled;
	struct buf text = BUF_INIT, json = BUF_INIT;
	field->state = FIELD_SET;
	if (had_value)
		field_print(field, &json);
	buf_add(&text, buf_text(&field->text), field->text.len);
	keep_draft(field, &json);
	struct field **members = field->children.items;
	size_t count = field->children.len;
	memset(&field->children, 0, sizeof(field->children));
	const char *draft = NULL;
	for (size_t i = 0; field->drafts && i < field->drafts->len; i++)
		if (field->drafts->items[i].variant == index)
			draft = field->drafts->items[i].json;
	field_clear(field);
	field_choose(field, index);
	field->state = FIELD_SET;
	field->folded = false;
	struct json_doc *kept = draft ? json_parse(draft, strlen(draft), NULL, NULL) : NULL;
	if (kept)
		field_load_here(field, json_root(kept));
	else if (!draft)
		field_fill_variant(field);
	json_doc_destroy(kept);
	struct json_doc *doc = had_value ? json_parse(buf_text(&json), json.len, NULL, NULL) : NULL;
	if (was_object && field_kind(field) == FIELD_OBJECT)
		carry_members(field, members, count);
	else if (doc && field_kind(field) != FIELD_OBJECT && !draft)
		carry_value(field, json_root(doc), &text);
	json_doc_destroy(doc);
	for (size_t i = 0; i < count; i++)
		field_destroy(members[i]);
	free(members);
	buf_finish(&text);
	buf_finish(&json);
	field_changed(field);
}

/* ---- changing the variant by path ---- */

static bool
has_child(const struct shape *shape, const char *token)
{
	bool index = strcmp(token, "-") == 0 || (*token >= '0' && *token <= '9');

	return shape->kind == FIELD_ARRAY
		   ? index
		   : shape->kind == FIELD_OBJECT &&
			 (shape_property(shape, token) || shape_entry(shape));
}

void
field_choose_for(struct field *field, const char *token, bool bare)
{
	size_t count = field->whole->variants.len;

	if (count == 0 || (has_child(field->shape, token) && !field->as_json))
		return;
	if (field->state == FIELD_SET && field->filled && field_kind(field) == FIELD_OBJECT &&
	    field_find_member(field, token))
		return;
	for (size_t i = 0; i < count && field->form->matching > 0; i++) {
		field->form->matching--;
		if (!has_child(shape_at(field, i), token))
			continue;
		if (!field->filled && !field->as_json)
			field_choose(field, i);
		else if (!bare && !field->as_json)
			field_set_variant(field, i);
		return;
	}
}

void
field_settle(struct field *field, bool bare)
{
	struct field *parent = field->parent;
	bool choice = field->shape->kind == FIELD_CONST || field->shape->kind == FIELD_ENUM;

	if (!choice || !field->as_json || !parent || field_variant_count(parent) == 0)
		return;
	struct json_doc *doc = field_value(parent);
	size_t meant = doc ? field_match(parent, json_root(doc)) : NO_VARIANT;
	if (meant != NO_VARIANT && meant != parent->variant && bare)
		field_load(parent, json_root(doc));
	else if (meant != NO_VARIANT && meant != parent->variant)
		field_set_variant(parent, meant);
	json_doc_destroy(doc);
}

/* ---- the variant of a value ---- */

#define IMPOSSIBLE INT_MIN
#define MAX_CHECKED 32 /* variants that are validated */
#define MAX_MEMBERS 64 /* members compared in each part of a schema */

static bool
takes_type(const struct shape *shape, enum json_type type)
{
	static const unsigned types[] = {
		[JSON_NULL] = SHAPE_NULL,
		[JSON_BOOLEAN] = SHAPE_BOOLEAN,
		[JSON_NUMBER] = SHAPE_INTEGER | SHAPE_FRACTION,
		[JSON_STRING] = SHAPE_STRING,
		[JSON_ARRAY] = SHAPE_ARRAY,
		[JSON_OBJECT] = SHAPE_OBJECT,
	};
	bool said;

	if (shape->kind == FIELD_OBJECT || shape->kind == FIELD_ARRAY)
		return type == (shape->kind == FIELD_OBJECT ? JSON_OBJECT : JSON_ARRAY);
	return (shape_types(shape, &said) & types[type]) != 0;
}

static int
score_members(struct form *form, const struct shape *shape, const cJSON *json)
{
	const cJSON *more = shape_get(shape, "additionalProperties");
	bool closed = json_type(more) == JSON_BOOLEAN && !cJSON_IsTrue(more);
	int score = 0, known = 0, members = (int)json_count(json);

	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *p = json_first(json_get(shape->parts[i], "properties"));
		for (int n = 0; p && n < MAX_MEMBERS; p = p->next, n++) {
			const cJSON *value = json_get(json, p->string);
			size_t cost = 1 + (size_t)members / 16;
			form->matching -= cost < form->matching ? cost : form->matching;
			if (!value)
				continue;
			known++;
			const cJSON *only = schema_single_value(p);
			/* a different constant outweighs everything else */
			score += !only ? 3 : json_equal(only, value) ? 50 : -1000;
		}
		const cJSON *r = json_first(json_get(shape->parts[i], "required"));
		for (int n = 0; r && n < MAX_MEMBERS; r = r->next, n++)
			score -= cJSON_GetStringValue(r) && !json_get(json, cJSON_GetStringValue(r))
				     ? 4
				     : 0;
	}
	int unknown = members > known ? members - known : 0;
	return score - (unknown < 100 ? unknown : 100) * (closed ? 5 : 1);
}

static int
score_variant(struct form *form, const struct shape *shape, const cJSON *json)
{
	if (shape->kind == FIELD_ENUM || shape->kind == FIELD_CONST) {
		for (size_t i = 0; i < shape->choices.len; i++)
			if (json_equal(shape->choices.items[i].value, json))
				return 10;
		return IMPOSSIBLE;
	}
	if (!takes_type(shape, json_type(json)))
		return IMPOSSIBLE;
	if (shape->kind == FIELD_OBJECT)
		return score_members(form, shape, json);
	return shape->kind == FIELD_JSON ? -1 : 0;
}

/* The best-scored variant that accepts the value, or if none of the first does, the best-scored
 * one. */
static size_t
choose_valid(struct form *form, const struct shape *whole, int *scores, const cJSON *json)
{
	size_t first = NO_VARIANT;

	for (int checked = 0; checked < MAX_CHECKED; checked++) {
		size_t best = NO_VARIANT;
		for (size_t i = 0; i < whole->variants.len; i++)
			if (scores[i] != IMPOSSIBLE &&
			    (best == NO_VARIANT || scores[i] > scores[best]))
				best = i;
		if (best == NO_VARIANT)
			break;
		if (checked == 0)
			first = best;
		const struct variant *v = &whole->variants.items[best];
		bool valid = true;
		for (unsigned i = 0; i < v->pick_count && valid; i++)
			valid = form_holds(form, v->picks[i], json);
		if (valid)
			return best;
		scores[best] = IMPOSSIBLE;
	}
	return first;
}

size_t
field_match(struct field *field, const cJSON *json)
{
	struct form *form = field->form;
	const struct shape *whole = field->whole;
	size_t count = whole->variants.len;
	int *scores = mem_zalloc((count + 1) * sizeof(*scores));
	bool all = true;

	for (size_t i = 0; i < count && all; i++) {
		all = form->matching > 0;
		if (all)
			form->matching--;
		const struct shape *shape =
		    shape_variant(whole, form_schema(form), &form->budget, i);
		scores[i] = score_variant(form, shape, json);
	}
	size_t found = all ? choose_valid(form, whole, scores, json) : NO_VARIANT;
	free(scores);
	return found;
}

/*
 * Values whose type follows from the text. Either the schema allows several scalar types, each a
 * variant, or it has no type, and the text is JSON or else a string.
 */

#define SCALARS_MOST 4 /* string, number, integer, boolean */

/* ---- which fields they are ---- */

static bool
is_union(const struct field *field)
{
	struct shape *whole = (struct shape *)field->whole; /* known after the first question */

	if (!whole->scalars_known) {
		size_t count = whole->variants.len;
		unsigned seen = 0;
		whole->scalars = count >= 2 && count <= SCALARS_MOST;
		for (size_t i = 0; i < count && whole->scalars; i++) {
			enum field_kind kind = shape_at(field, i)->kind;
			whole->scalars = kind <= FIELD_BOOLEAN && !(seen & 1u << kind);
			seen |= 1u << kind;
		}
		whole->scalars_known = true;
	}
	return whole->scalars && !field->as_json;
}

bool
field_is_inferred(const struct field *field)
{
	const struct shape *shape = field->shape;
	bool said;

	if (is_union(field))
		return true;
	if (!field->parent || shape->kind != FIELD_JSON || field->whole->variants.len > 0)
		return false;
	shape_types(shape, &said);
	return !said && !shape->unresolved && !shape->overflowed && field->depth < FORM_MAX_DEPTH;
}

/* ---- from text to type ---- */

static size_t
variant_of(const struct field *field, enum field_kind kind)
{
	const struct shape *whole = field->whole;

	for (size_t i = 0; i < whole->variants.len; i++)
		if (whole->variants.items[i].shape->kind == kind)
			return i;
	return NO_VARIANT;
}

static bool
is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(text, word, len) == 0;
}

/* The variants for a number, best first; a text that no variant fits goes to a number too, and the
 * check says so. */
static size_t
number_variant(const struct field *field, bool integer)
{
	size_t whole = variant_of(field, FIELD_INTEGER), any = variant_of(field, FIELD_NUMBER);

	return any == NO_VARIANT || (integer && whole != NO_VARIANT) ? whole : any;
}

static size_t
infer_variant(const struct field *field, const char *text, size_t len)
{
	bool on_off = is_word(text, len, "true") || is_word(text, len, "false");
	size_t string = variant_of(field, FIELD_STRING), found = NO_VARIANT;

	if (on_off)
		found = variant_of(field, FIELD_BOOLEAN);
	else if (json_is_number_text(text, len)) {
		struct json_doc *doc = json_parse(text, len, NULL, NULL);
		bool integer = doc && json_number_is_integer(json_root(doc));
		json_doc_destroy(doc);
		found = number_variant(field, integer);
		if (!integer && string != NO_VARIANT &&
		    variant_of(field, FIELD_NUMBER) == NO_VARIANT)
			found = string;
	}
	if (found == NO_VARIANT)
		found = string;
	return found != NO_VARIANT ? found : number_variant(field, false);
}

void
field_set_inferred(struct field *field, const char *text, size_t len, bool string)
{
	if (!is_union(field)) {
		field_set_text(field, text, len);
		return;
	}
	size_t variant = variant_of(field, FIELD_STRING);
	if (!string && field->shape->nullable && is_word(text, len, "null")) {
		field_clear(field);
		field_set_state(field, FIELD_NULL);
		return;
	}
	if (!string || variant == NO_VARIANT)
		variant = infer_variant(field, text, len);
	field_clear(field);
	field_choose(field, variant);
	field->state = FIELD_SET;
	if (field->shape->kind == FIELD_BOOLEAN)
		field_set_on(field, is_word(text, len, "true"));
	else
		field_set_text(field, text, len);
}

/* ---- from type to text ---- */

void
field_inferred_text(const struct field *field, struct buf *out)
{
	if (field->state != FIELD_SET || !field->filled)
		return;
	if (field_kind(field) == FIELD_BOOLEAN)
		buf_add_str(out, field->on ? "true" : "false");
	else
		buf_add(out, buf_text(&field->text), field->text.len);
}

bool
field_is_plain_string(const struct field *field)
{
	const char *text = cJSON_GetStringValue(field_default(field));
	size_t len = text ? strlen(text) : field->text.len;
	bool is_string =
	    field->state == FIELD_SET && field->filled && field->shape->kind == FIELD_STRING;

	if (!is_union(field))
		return false;
	if (!text && is_string)
		text = buf_text(&field->text);
	return text && (infer_variant(field, text, len) != variant_of(field, FIELD_STRING) ||
			   (field->shape->nullable && is_word(text, len, "null")));
}

const char *
field_sent_type(const struct field *field)
{
	if (!field_is_inferred(field) || field->state != FIELD_SET || !field->filled)
		return NULL;
	if (is_union(field))
		return shape_type_word(field->shape);
	struct json_doc *doc = field_value(field);
	const char *type = json_type_name(json_type(json_root(doc)));
	json_doc_destroy(doc);
	return type;
}

/* ---- the other type for the same text ---- */

/* 5 becomes "5", and "5" becomes 5. */
static bool
switch_untyped(struct field *field)
{
	struct json_doc *doc = json_parse(buf_text(&field->text), field->text.len, NULL, NULL);
	const char *inside = cJSON_GetStringValue(json_root(doc));
	struct json_doc *value = inside ? json_parse(inside, strlen(inside), NULL, NULL) : NULL;
	struct buf text = BUF_INIT;

	if (value)
		buf_add_str(&text, inside);
	else if (doc && !inside)
		json_print_string(&text, buf_text(&field->text), field->text.len);
	if (text.len > 0)
		field_set_text(field, buf_text(&text), text.len);
	bool changed = text.len > 0;
	buf_finish(&text);
	json_doc_destroy(value);
	json_doc_destroy(doc);
	return changed;
}

bool
field_switch_type(struct field *field)
{
	struct buf text = BUF_INIT;
	bool plain = field_is_plain_string(field);

	if (!field_is_inferred(field) || field->state != FIELD_SET || !field->filled)
		return false;
	if (!is_union(field))
		return switch_untyped(field);
	if (!plain &&
	    (field->shape->kind == FIELD_STRING || variant_of(field, FIELD_STRING) == NO_VARIANT))
		return false;
	field_inferred_text(field, &text);
	field_set_inferred(field, buf_text(&text), text.len, !plain);
	buf_finish(&text);
	return true;
}

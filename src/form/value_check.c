/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>

static void
form_compile(struct form *form)
{
	struct schema_problem problem = { .text = "" };
	struct schema_options options = { .format = SCHEMA_FORMAT_ASSERTS };

	if (form->compiled)
		return;
	form->compiled = true;
	if (!form->doc)
		return;
	form->schema = schema_compile(json_root(form->doc), &options, &problem);
	if (form->schema)
		form->parts = schema_parts_create(form->schema);
	else
		snprintf(form->schema_problem, sizeof(form->schema_problem), "%s%s%s",
		    problem.pointer, problem.pointer[0] ? ": " : "", problem.text);
}

static struct report *
check_part(struct form *form, const cJSON *schema, const cJSON *value, enum check_mode mode)
{
	const struct check_options options = {
		.mode = mode,
		.max_violations = 1000,
		.max_steps = form->checking,
	};

	form_compile(form);
	if (!form->parts || form->checking == 0)
		return NULL;
	struct report *report = schema_check_part(form->parts, schema, value, &options);
	size_t steps = report ? report_facts(report)->steps + 1 : 0;
	form->checking -= steps < form->checking ? steps : form->checking;
	return report;
}

bool
form_holds(struct form *form, const cJSON *schema, const cJSON *value)
{
	struct report *report = check_part(form, schema, value, CHECK_FLAG);
	bool holds = !report || report_facts(report)->outcome != SCHEMA_INVALID;

	report_destroy(report);
	return holds;
}

/* ---- problems found without the schema ---- */

void
form_fill_by(struct form *form, const struct form_filler *filler)
{
	form->filler = *filler;
}

bool
field_add_filled(const struct field *field, struct buf *out)
{
	const struct form_filler *filler = &field->form->filler;
	struct buf json = BUF_INIT;

	if (!filler->fill || field->state != FIELD_SET || field->children.len > 0 ||
	    !memmem(buf_text(&field->text), field->text.len, "${", 2))
		return false;
	field_print(field, &json);
	bool filled = filler->fill(filler->user, buf_text(&json), json.len, true, out);
	buf_finish(&json);
	return filled;
}

static void
check_text(struct field *field)
{
	enum field_kind kind = field_kind(field);

	if (field->state == FIELD_NULL || !field->filled)
		return;
	if (kind == FIELD_JSON &&
	    (!field_is_inferred(field) || strchr("{[\"", *buf_text(&field->text)))) {
		struct json_error error;
		struct json_doc *doc =
		    json_parse(buf_text(&field->text), field->text.len, NULL, &error);
		char text[200];
		if (!doc) {
			snprintf(text, sizeof(text), "not JSON, line %u column %u: %s", error.line,
			    error.column, error.text);
			field_set_problem(field, text);
		}
		json_doc_destroy(doc);
	} else if (kind == FIELD_NUMBER || kind == FIELD_INTEGER) {
		struct buf text = BUF_INIT, filled = BUF_INIT;
		field_print(field, &text);
		bool number = text.len > 0 && text.data[0] != '"';
		if (!number && !field_add_filled(field, &filled))
			field_set_problem(field, "not a number: would be sent as a string");
		buf_finish(&text);
		buf_finish(&filled);
	}
}

/* A field that was never filled keeps its mark, or the lack of one, unless everything is
 * checked. */
static void
check_fields(struct field *field, bool sent, bool all)
{
	enum field_kind kind = field_kind(field);

	if (all || field->filled || !sent)
		field_set_problem(field, NULL);
	sent = sent && field_is_sent(field);
	if (sent)
		check_text(field);
	if (all && sent && field->item && field->state == FIELD_SET && !field->filled)
		field_set_problem(field, "no value yet: would be sent as null");
	bool open = sent && field->state == FIELD_SET && field->filled && kind == FIELD_OBJECT;
	for (size_t i = 0; i < field->children.len; i++) {
		struct field *child = field->children.items[i];
		check_fields(child, sent && field->state == FIELD_SET, all);
		if (all && open && child->required && !field_is_sent(child))
			field_set_problem(child, "required");
	}
}

/* ---- violations of the schema ---- */

/* The deepest field on the path from `field`; *rest is the remainder of the pointer. */
static struct field *
field_at(struct field *field, const char *pointer, const char **rest)
{
	struct buf token = BUF_INIT;
	const char *at = pointer;

	*rest = at;
	while (json_pointer_next(&at, &token)) {
		struct field *child = field_step(field, buf_text(&token));
		if (!child || !field_is_sent(child))
			break;
		field = child;
		*rest = at;
	}
	buf_finish(&token);
	return field;
}

/* A failed oneOf or anyOf adds nothing to the violations of the chosen variant. */
static bool
is_about_alternatives(const struct violation *violation)
{
	return violation->missing || strcmp(violation->keyword, "oneOf") == 0 ||
	       strcmp(violation->keyword, "anyOf") == 0;
}

/* Inside a failed variant, only the report of that variant counts, because another report may
 * describe another variant. Fields that do not depend on the variant are exempt. reporter: the
 * field whose variant made this report, or NULL. */
static bool
is_superseded(
    const struct field *field, const struct field *reporter, const struct violation *violation)
{
	const struct field *below = NULL;

	for (const struct field *f = field; f && f != reporter; below = f, f = f->parent) {
		if (!f->variant_fails)
			continue;
		if (below ? !below->name || !shape_property(f->whole, below->name)
			  : is_about_alternatives(violation))
			return true;
	}
	return reporter == field && field->variant_fails && is_about_alternatives(violation);
}

/* A report on the value of top: against its variant or against the full schema. */
struct field_report {
	struct field *top;
	const struct field *reporter; /* top if the report is about its variant, else NULL */
	const struct report *report;
};

static void
mark_violations(const struct field_report *on, bool all)
{
	const struct report *report = on->report;
	struct buf pointer = BUF_INIT, text = BUF_INIT;
	const char *rest;

	for (size_t i = 0; i < report_facts(report)->kept; i++) {
		const struct violation *violation = report_at(report, i);
		if (violation->warning)
			continue;
		buf_clear(&pointer);
		buf_clear(&text);
		report_instance_path(report, i, &pointer);
		struct field *field = field_at(on->top, buf_text(&pointer), &rest);
		if (violation->missing && !*rest && field_kind(field) == FIELD_OBJECT) {
			struct field *member = field_find_member(field, violation->missing);
			field = member && !member->hidden ? member : field;
		}
		if (field->problem || !(all || field->filled) ||
		    is_superseded(field, on->reporter, violation))
			continue;
		if (!*rest && !violation->missing && is_about_alternatives(violation))
			field_rules(field, true, &text);
		if (text.len > 0) {
			/* the rule says it better than the names of keywords */
		} else if (*rest || field_kind(field) == FIELD_JSON || violation->missing) {
			if (*rest)
				buf_addf(&text, "at %s: ", rest);
			report_line(report, i, &text);
		} else {
			buf_add_str(&text, "expected ");
			report_expected(report, i, &text);
		}
		field_set_problem(field, buf_text(&text));
	}
	buf_finish(&pointer);
	buf_finish(&text);
}

/* value is the printed form of the field: its members and items are in the same order. */
static void
check_variants(struct field *field, const cJSON *value, bool all)
{
	const cJSON *next = json_first(value);

	field->variant_fails = false;
	for (size_t i = 0; i < field->children.len && next; i++) {
		struct field *child = field->children.items[i];
		if (field->as_json || !field_is_sent(child))
			continue;
		check_variants(child, next, all);
		next = next->next;
	}
	if (field_variant_count(field) > 0 && field->state == FIELD_SET) {
		/* The chosen variant is checked before the full schema because the user has said
		 * which one is meant. */
		const struct variant *v = &field->whole->variants.items[field->variant];
		for (unsigned i = v->pick_count; i-- > 0;) {
			struct report *report =
			    check_part(field->form, v->picks[i], value, CHECK_AS_NEEDED);
			if (!report)
				continue;
			mark_violations(&(struct field_report){ field, field, report }, all);
			field->variant_fails =
			    field->variant_fails || report_facts(report)->violations > 0;
			report_destroy(report);
		}
	}
}

static size_t
check_form(struct form *form, bool all)
{
	form_adapt(form);
	form_begin(form);
	form_compile(form);
	check_fields(form->root, true, all);
	if (form->schema) {
		struct check_options options = { .max_violations = 1000,
			.max_steps = FORM_CHECKING };
		struct buf json = BUF_INIT, filled = BUF_INIT;
		struct json_doc *doc = form_to_json(form, &json)
					   ? json_parse(buf_text(&json), json.len, NULL, NULL)
					   : NULL;
		if (doc && form->filler.fill &&
		    form->filler.fill(
			form->filler.user, buf_text(&json), json.len, false, &filled)) {
			json_doc_destroy(doc); /* check what will be sent */
			doc = json_parse(buf_text(&filled), filled.len, NULL, NULL);
		}
		buf_finish(&json);
		buf_finish(&filled);
		if (doc) {
			check_variants(form->root, json_root(doc), all);
			struct report *report =
			    schema_check(form->schema, json_root(doc), &options);
			mark_violations(&(struct field_report){ form->root, NULL, report }, all);
			report_destroy(report);
		}
		json_doc_destroy(doc);
	}
	form->version++;
	return form->problems;
}

size_t
form_check(struct form *form)
{
	return check_form(form, true);
}

size_t
form_check_given(struct form *form)
{
	return check_form(form, false);
}

struct field *
field_first_problem(struct field *field)
{
	if (field->problem)
		return field;
	for (size_t i = 0; field->problems_below > 0 && i < field->children.len; i++) {
		struct field *found = field_first_problem(field->children.items[i]);
		if (found)
			return found;
	}
	return NULL;
}

/*
 * if, then, else, dependentSchemas and dependentRequired declare properties depending on values.
 * All properties that they can declare are members from the start, so that each has its type, but
 * they are hidden until a condition that declares them holds: not sent, without a row. form_adapt()
 * applies the conditions after a change.
 */

#define ROUNDS 4 /* a condition can depend on members of another one */

static const char *const dependent_keys[] = { "dependentSchemas", "dependencies" };
static const char *const required_keys[] = { "dependentRequired", "dependencies" };

/* ---- possible members ---- */

/* Appends to shape all schemas that a condition in this part may add. */
static void
add_branches(struct shape *shape, const cJSON *root, const cJSON *part)
{
	shape_add_part(shape, root, json_get(part, "then"));
	shape_add_part(shape, root, json_get(part, "else"));
	for (size_t i = 0; i < ARRAY_LEN(dependent_keys); i++)
		for (const cJSON *d = json_first(json_get(part, dependent_keys[i])); d; d = d->next)
			shape_add_part(shape, root, d);
}

bool
field_add_conditional(struct field *object)
{
	const cJSON *root = form_schema(object->form);
	const struct shape *shape = object->shape;
	struct shape branches = { 0 };

	if (!shape->conditional)
		return true;
	object->form->conditional = true;
	for (unsigned i = 0; i < shape->part_count; i++)
		add_branches(&branches, root, shape->parts[i]);
	for (unsigned i = 0; i < branches.part_count; i++) {
		add_branches(&branches, root, branches.parts[i]);
		const cJSON *properties = json_get(branches.parts[i], "properties");
		if (json_type(properties) != JSON_OBJECT)
			continue;
		for (const cJSON *p = json_first(properties); p; p = p->next) {
			if (field_find_member(object, p->string))
				continue;
			struct field *member = field_add_member(object, p, p->string);
			if (!member)
				return false;
			member->conditional = member->hidden = true;
		}
	}
	return true;
}

/* ---- active conditions ---- */

static void
add_active(struct field *object, struct shape *shape, const cJSON *part, const cJSON *value)
{
	const cJSON *root = form_schema(object->form), *test = json_get(part, "if");

	if (test) {
		bool holds = form_holds(object->form, test, value);
		shape_add_part(shape, root, json_get(part, holds ? "then" : "else"));
	}
	for (size_t i = 0; i < ARRAY_LEN(dependent_keys); i++)
		for (const cJSON *d = json_first(json_get(part, dependent_keys[i])); d; d = d->next)
			if (d->string && json_get(value, d->string))
				shape_add_part(shape, root, d);
}

/* Return the shape kept for these parts; the form owns it, because undo steps can use it. */
static const struct shape *
keep_shape(struct form *form, const struct shape *base, const struct shape *adapted)
{
	uint64_t hash = pointer_hash(base);
	struct shape *shape;

	if (adapted->part_count == base->part_count)
		return base;
	for (unsigned i = base->part_count; i < adapted->part_count; i++)
		hash = hash_word(hash, (uintptr_t)adapted->parts[i]);
	MAP_EACH(&form->shapes, hash, shape)
		if (shape->base == base && !shape->schema &&
		    shape->part_count == adapted->part_count &&
		    memcmp(shape->parts, adapted->parts,
			adapted->part_count * sizeof(*shape->parts)) == 0)
			return shape;
	shape = mem_dup(adapted, sizeof(*adapted));
	map_add(&form->shapes, hash, shape);
	return shape;
}

/* ---- adapting the members ---- */

/* All declarations of a property together; NULL without one. *never: one of them forbids it. */
static const struct shape *
declared_shape(struct field *object, const char *name, bool *never)
{
	const struct shape *shape = NULL;

	*never = false;
	for (unsigned i = 0; i < object->shape->part_count; i++) {
		const cJSON *p = json_get(json_get(object->shape->parts[i], "properties"), name);
		if (!p)
			continue;
		*never = *never || (json_type(p) == JSON_BOOLEAN && !cJSON_IsTrue(p));
		shape = shape ? shape_with(object->form, shape, p) : shape_of(object->form, p);
	}
	return shape;
}

/* Returns true if the member appears, vanishes or has another schema. */
static bool
follow_condition(struct field *object, struct field *member)
{
	bool never, was_hidden = member->hidden;
	const struct shape *shape = declared_shape(object, member->name, &never);
	bool other = shape && !never && shape != member->whole;

	if (other) {
		bool has_value = member->state == FIELD_SET && member->filled;
		struct json_doc *doc = has_value ? field_value(member) : NULL;
		enum field_state state = member->state;

		field_clear(member);
		field_drop_drafts(member);
		member->whole = member->shape = shape;
		member->variant = 0;
		if (shape->variants.len > 0)
			field_choose(member, 0);
		if (doc)
			field_load(member, json_root(doc));
		else
			member->state =
			    state == FIELD_NULL && !shape->nullable ? FIELD_OMITTED : state;
		json_doc_destroy(doc);
	}
	if (shape && !never)
		member->given = false;
	member->hidden = (!shape || never) && !member->given && !member->required;
	return other || member->hidden != was_hidden;
}

static void
require_member(struct field *object, const cJSON *names)
{
	if (json_type(names) != JSON_ARRAY)
		return;
	for (const cJSON *n = json_first(names); n; n = n->next) {
		struct field *member = field_find_member(object, cJSON_GetStringValue(n));
		if (member)
			member->required = true;
	}
}

/* A member that becomes required starts as one that always was. */
static bool
mark_required(struct field *object, const cJSON *value)
{
	bool changed = false;

	for (size_t i = 0; i < object->children.len; i++) {
		object->children.items[i]->seen = object->children.items[i]->required;
		object->children.items[i]->required = false;
	}
	field_mark_required(object);
	for (unsigned i = 0; i < object->shape->part_count; i++)
		for (size_t k = 0; k < ARRAY_LEN(required_keys); k++) {
			const cJSON *all = json_get(object->shape->parts[i], required_keys[k]);
			for (const cJSON *d = json_first(all); d; d = d->next)
				if (d->string && json_get(value, d->string))
					require_member(object, d);
		}
	for (size_t i = 0; i < object->children.len; i++) {
		struct field *member = object->children.items[i];
		changed = changed || member->required != member->seen;
		if (member->seen && !member->required && !member->filled &&
		    member->state == FIELD_SET)
			member->state = FIELD_OMITTED;
	}
	return changed;
}

static bool
adapt_members(struct field *object, const cJSON *value)
{
	bool changed = mark_required(object, value);

	object->hidden_count = 0;
	for (size_t i = 0; i < object->children.len; i++) {
		struct field *member = object->children.items[i];
		bool was_hidden = member->hidden;
		if (!member->extra && !member->entry)
			changed = follow_condition(object, member) || changed;
		if (member->state == FIELD_OMITTED && !member->hidden && member->required &&
		    (was_hidden || !member->seen))
			field_initialize(member);
		object->hidden_count += member->hidden;
	}
	return changed;
}

static bool
adapt_object(struct field *object)
{
	const struct shape *base = field_base_shape(object);
	bool changed = false;

	for (int round = 0; base->conditional && round < ROUNDS; round++) {
		struct json_doc *doc = field_value(object);
		struct shape shape = *base;
		memset(&shape.choices, 0, sizeof(shape.choices));
		memset(&shape.variants, 0, sizeof(shape.variants));
		shape.base = base;
		shape.schema = NULL;
		for (unsigned i = 0; i < shape.part_count; i++)
			add_active(object, &shape, shape.parts[i], json_root(doc));
		shape.nullable = base->nullable;
		shape.group_count = base->group_count;
		object->shape = keep_shape(object->form, base, &shape);
		bool more = adapt_members(object, json_root(doc));
		json_doc_destroy(doc);
		changed = changed || more;
		if (!more)
			break;
	}
	return changed;
}

static bool
adapt_fields(struct field *field)
{
	bool changed = false;

	if (field->state != FIELD_SET || !field->filled || field->hidden)
		return false;
	if (field_kind(field) == FIELD_OBJECT)
		changed = adapt_object(field);
	for (size_t i = 0; i < field->children.len; i++)
		changed = adapt_fields(field->children.items[i]) || changed;
	return changed;
}

bool
form_adapt(struct form *form)
{
	if (!form->conditional)
		return false;
	form_compile(form);
	if (!form->parts)
		return false;
	form_begin(form);
	bool changed = adapt_fields(form->root);
	if (changed)
		form->version++;
	return changed;
}

/* ---- anyOf and oneOf that only require: "one of a, b is required" ---- */

#define RULE_NAMES 8

/* Return whether the alternative only requires members. */
static const cJSON *
only_required(const cJSON *alternative)
{
	const cJSON *required = json_get(alternative, "required");

	if (!required)
		return NULL;
	for (const cJSON *k = json_first(alternative); k; k = k->next)
		if (strcmp(k->string, "required") != 0 && strcmp(k->string, "title") != 0 &&
		    strcmp(k->string, "description") != 0)
			return NULL;
	return cJSON_GetStringValue(json_first(required)) ? required : NULL;
}

static bool
is_met(const struct field *object, const cJSON *required)
{
	for (const cJSON *r = json_first(required); r; r = r->next) {
		const struct field *member = field_find_member(object, cJSON_GetStringValue(r));
		if (!member || !field_is_sent(member))
			return false;
	}
	return true;
}

static void
add_rule(const struct field *object, const cJSON *group, bool one, bool unmet, struct buf *out)
{
	size_t count = 0, met = 0, start = out->len;

	for (const cJSON *a = json_first(group); a; a = a->next, count++) {
		const cJSON *required = only_required(a);
		if (!required) {
			count = 0;
			break;
		}
		met += is_met(object, required);
	}
	if (count < 2 || count > RULE_NAMES || (unmet && (one ? met == 1 : met > 0)))
		return;
	buf_add_str(out, start > 0 ? "; " : "");
	buf_add_str(out, one ? "exactly one of " : "one of ");
	for (const cJSON *a = json_first(group); a; a = a->next) {
		buf_add_str(out, a == json_first(group) ? "" : a->next ? ", " : " or ");
		const cJSON *required = json_first(only_required(a));
		for (const cJSON *r = required; r; r = r->next)
			buf_addf(out, "%s%.60s", r == required ? "" : " and ",
			    cJSON_GetStringValue(r) ? cJSON_GetStringValue(r) : "?");
	}
	buf_add_str(out, " is required");
}

void
field_rules(const struct field *object, bool unmet, struct buf *out)
{
	if (field_kind(object) != FIELD_OBJECT)
		return;
	for (unsigned i = 0; i < object->shape->part_count; i++) {
		const cJSON *part = object->shape->parts[i];
		add_rule(object, json_get(part, "anyOf"), false, unmet, out);
		add_rule(object, json_get(part, "oneOf"), true, unmet, out);
	}
}

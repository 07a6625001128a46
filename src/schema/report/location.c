#include "report.h"

#include "base/ascii.h"
#include "base/url_text.h"
#include "json/pointer.h"

#include <string.h>

/* ---- facts about a report ---- */

#define MAX_REASONS 3 /* listed in one line for an undecided value */

const struct report_facts *
report_facts(const struct report *report)
{
	return &report->facts;
}

void
report_add_unchecked(const struct report *report, struct buf *out)
{
	size_t count = report->facts.unchecked_count,
	       shown = count < MAX_REASONS ? count : MAX_REASONS;

	for (size_t i = 0; i < shown; i++)
		buf_addf(out, "%s%s", i ? ", " : "", report->facts.unchecked[i]);
	if (shown < count)
		buf_addf(out, " and %zu more", count - shown);
}

const struct violation *
report_at(const struct report *report, size_t index)
{
	return &report_record(report, index)->pub;
}

static void
add_place(const struct place *place, struct buf *out)
{
	if (!place->up)
		return;
	add_place(place->up, out);
	if (out->overflowed)
		return;
	if (json_type(place->up->value) == JSON_OBJECT)
		json_pointer_add_key(out, place->value->string);
	else
		json_pointer_add_index(out, place->index);
}

size_t
report_way(const struct report *report, size_t index, const cJSON *above, struct report_step *steps,
    size_t max)
{
	const struct record *r = report_record(report, index);
	const struct place *place = r->place;
	size_t count = r->pub.missing != NULL;

	for (; place && place->value != above; place = place->up)
		count++;
	if (!place)
		return REPORT_NONE;
	size_t i = count;
	if (r->pub.missing && --i < max)
		steps[i] = (struct report_step){ .key = r->pub.missing };
	for (place = r->place; place->value != above; place = place->up) {
		bool member = json_type(place->up->value) == JSON_OBJECT;
		if (--i < max)
			steps[i] =
			    (struct report_step){ .key = member ? place->value->string : NULL,
				    .index = place->index };
	}
	return count;
}

void
report_instance_path(const struct report *report, size_t index, struct buf *out)
{
	add_place(report_record(report, index)->place, out);
}

void
report_schema_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	schema_add_location(report->schema, r->node, r->rule ? r->rule->value : NULL, out);
}

bool
report_absolute_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	return schema_add_uri(r->node, r->rule ? r->rule->value : NULL, out);
}

/* ---- location in the schema ---- */

/* Appends the path from top down to node. */
static void
add_node_path(const struct node *node, const struct node *top, struct buf *out)
{
	const struct location *location = &node->location;

	if (node == top)
		return;
	add_node_path(location->up, top, out);
	if (out->overflowed)
		return;
	if (location->path) {
		buf_add_str(out, location->path);
		return;
	}
	json_pointer_add_key(out, location->holder->string);
	if (json_type(location->holder) == JSON_ARRAY)
		json_pointer_add_index(out, location->index);
	else if (location->holder != node->source)
		json_pointer_add_key(out, node->source->string);
}

static void
add_pointer(const struct node *node, const struct node *top, const cJSON *member, struct buf *out)
{
	add_node_path(node, top, out);
	if (member)
		json_pointer_add_key(out, member->string);
}

void
schema_add_location(
    const struct schema *schema, const struct node *node, const cJSON *member, struct buf *out)
{
	const struct document *document = node->resource->document;
	const struct node *top = node;

	while (top->location.up)
		top = top->location.up;
	if (document != schema->documents.items[0])
		buf_addf(out, "%s#", document->uri);
	add_pointer(node, top, member, out);
}

/* RFC 3986 section 3.1: it starts with a scheme. */
static bool
is_absolute(const char *uri)
{
	const char *at = uri;

	while (ascii_is_alnum(*at) || *at == '+' || *at == '-' || *at == '.')
		at++;
	return ascii_is_letter(*uri) && *at == ':';
}

/* Characters that need no escape in a fragment, RFC 3986 section 3.5. */
#define FRAGMENT "-._~!$&'()*+,;=:@/?"

bool
schema_add_uri(const struct node *node, const cJSON *member, struct buf *out)
{
	const struct resource *resource = node->resource;
	struct buf pointer = BUF_INIT;

	if (!is_absolute(resource->uri))
		return false;
	add_pointer(node, resource->root, member, &pointer);
	buf_addf(out, "%s#", resource->uri);
	percent_encode(out, buf_text(&pointer), FRAGMENT);
	buf_finish(&pointer);
	return true;
}

/* ---- the path of the check ---- */

/* The reference keyword of `from` that led to `to` for the same value, or NULL. */
static const char *
reference_between(const struct node *from, const struct node *to)
{
	const unsigned applicators = VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED;
	const struct rule *dynamic = NULL;

	for (size_t i = 0; i < from->rule_count; i++) {
		const struct rule *rule = &from->rules[i];
		if (rule->kind == RULE_REF && rule->as.node == to)
			return rule->keyword->name;
		if (rule->kind == RULE_DYNAMIC_REF || rule->kind == RULE_RECURSIVE_REF)
			dynamic = rule;
	}
	if (to->location.up == from && to->location.holder &&
	    keyword_row(to->location.holder->string)->vocabularies & applicators)
		return NULL;
	return dynamic ? dynamic->keyword->name : NULL;
}

/* Adds the nodes that were skipped because they are only a reference. */
static void
add_skipped(const struct node *node, struct buf *out)
{
	for (; node->same_as && !out->overflowed; node = node->rules->as.node)
		json_pointer_add_key(out, node->rules->keyword->name);
}

static void
add_trail(const struct kept_trail *trail, struct buf *out)
{
	if (trail->up) {
		const struct node *from = node_meant(trail->up->node);
		add_trail(trail->up, out);
		const char *reference = trail->down ? NULL : reference_between(from, trail->node);
		if (reference)
			json_pointer_add_key(out, reference);
		else if (trail->node->location.up == from)
			add_node_path(trail->node, from, out);
		else /* a pointer led through a value that was not a schema then */
			json_pointer_of(from->source, trail->node->source, out);
	}
	add_skipped(trail->node, out);
}

void
report_keyword_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	if (r->trail)
		add_trail(r->trail, out);
	if (r->rule)
		json_pointer_add_key(out, r->rule->keyword->name);
}

#include "report_priv.h"
#include "walk_priv.h"

#include "base/mem.h"
#include "json/pointer.h"
#include "object_priv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where in the schema a violation comes from. Checking keeps no trail of the keywords it passes;
 * the way is found again here, breadth first, for the few violations that are looked at.
 */
#define MAX_FOUND 4096 /* steps looked at for one violation */
#define BUCKETS 256

struct found {
	struct step step;
	size_t level; /* places from the root of the instance */
	struct found *next, *next_in_bucket;
};

struct search {
	const struct schema *schema;
	const struct node *target;
	const struct place **chain; /* from the root of the instance to what is wrong */
	size_t level;               /* of the chain where target looks */
	bool naming;
	struct found *at, *last;
	struct found *buckets[BUCKETS];
	size_t count;
	struct pool *pool;
	struct regex_run regex;
};

static struct found **
bucket_of(struct search *s, const struct node *node, size_t level)
{
	uint64_t x = ((uint64_t)(uintptr_t)node >> 4) + level;

	return &s->buckets[x * 0x9e3779b97f4a7c15u >> 56];
}

static void
on_edge(void *ctx, const struct edge *edge)
{
	struct search *s = ctx;
	size_t level = s->at->level + (edge->child != NULL);
	struct found **bucket = bucket_of(s, edge->to, level);

	/* What these come to is no violation of their own. */
	if (edge->kind == EDGE_NOT || edge->kind == EDGE_IF || edge->kind == EDGE_ITEM ||
	    (edge->kind == EDGE_NAME && !s->naming) || s->count >= MAX_FOUND)
		return;
	for (const struct found *f = *bucket; f; f = f->next_in_bucket)
		if (f->step.edge.to == edge->to && f->level == level)
			return;
	struct found *found = pool_alloc(&s->pool, sizeof(*found));
	step_init(&found->step, &s->at->step, edge);
	found->level = level;
	found->next_in_bucket = *bucket;
	*bucket = found;
	s->last->next = found;
	s->last = found;
	s->count++;
}

static void
look_around(struct search *s)
{
	bool down = s->at->level < s->level;
	const struct place *next = down ? s->chain[s->at->level + 1] : NULL;
	const struct walk walk = {
		.schema = s->schema,
		.scope = s->at->step.scope,
		.regex = &s->regex,
		.first = next ? next->value : NULL,
		.end = next ? next->value->next : NULL,
		.first_index = next ? next->index : 0,
		.on_edge = on_edge,
		.ctx = s,
	};

	walk_edges(&walk, s->at->step.edge.to, s->at->step.value);
}

static bool
search(struct search *s, const cJSON *instance)
{
	s->at = s->last = pool_alloc(&s->pool, sizeof(*s->at));
	step_init_root(&s->at->step, s->schema, instance);
	for (; s->at; s->at = s->at->next) {
		if (s->at->step.edge.to == s->target && s->at->level == s->level)
			return true;
		look_around(s);
	}
	return false;
}

/* The schema that forbids a child is that of its parent. */
static bool
is_about_child(const struct record *r)
{
	const struct node *n = r->node;

	return r->rule &&
	       ((n->object && r->rule == n->object->by_additional) ||
		   (n->array && r->rule == n->array->by_rest) ||
		   (r->rule->keyword->line == line_alternatives && r->b && !r->pub.missing) ||
		   r->rule->check == check_unevaluated_items ||
		   r->rule->check == check_unevaluated_properties);
}

static const cJSON *
source_of(const struct record *r)
{
	return r->rule ? r->rule->value : r->node->source;
}

void
report_keyword_path(const struct report *report, size_t index, struct buf *out)
{
	BUG_IF(index >= report->records.len);
	const struct record *r = report->records.items[index];
	size_t depth = r->place->depth;
	struct search s = {
		.schema = report->schema,
		.target = r->node,
		.chain = mem_zalloc((depth + 1) * sizeof(*s.chain)),
		.level = depth - (depth > 0 && is_about_child(r)),
		.naming = r->naming,
	};

	for (const struct place *p = r->place; p; p = p->up)
		s.chain[p->depth] = p;
	if (!search(&s, report->instance)) {
		schema_add_location(report->schema, source_of(r), out);
	} else {
		step_add_keywords(&s.at->step, out);
		if (r->rule)
			json_pointer_add_key(out, r->rule->keyword->name);
	}
	regex_run_finish(&s.regex);
	pool_destroy(s.pool);
	free(s.chain);
}

/* ---- the place in the text, as a URI ---- */

/* RFC 3986 section 3.1: it starts with a scheme. */
static bool
is_absolute(const char *uri)
{
	const char *at = uri;

	while (isalnum((unsigned char)*at) || *at == '+' || *at == '-' || *at == '.')
		at++;
	return isalpha((unsigned char)*uri) && *at == ':';
}

/* What a fragment may hold as it is, RFC 3986 section 3.5; everything else is escaped. */
static void
add_fragment(const char *text, struct buf *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < 0x80 && (isalnum(c) || strchr("-._~!$&'()*+,;=:@/?", c)))
			buf_add_char(out, *text);
		else
			buf_addf(out, "%%%02X", c);
	}
}

bool
schema_add_uri(const struct node *node, const cJSON *source, struct buf *out)
{
	const struct resource *resource = node->resource;
	struct buf pointer = BUF_INIT;
	bool known = is_absolute(resource->uri) && resource->root &&
		     json_pointer_of(resource->root->source, source, &pointer);

	if (known) {
		buf_addf(out, "%s#", resource->uri);
		add_fragment(buf_text(&pointer), out);
	}
	buf_finish(&pointer);
	return known;
}

bool
report_absolute_path(const struct report *report, size_t index, struct buf *out)
{
	BUG_IF(index >= report->records.len);
	const struct record *r = report->records.items[index];

	return schema_add_uri(r->node, source_of(r), out);
}

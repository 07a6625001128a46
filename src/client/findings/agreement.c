#include "findings.h"

#include "base/mem.h"
#include "base/vec.h"
#include "base/units.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * Compares JSON in content with structuredContent. Servers print the same value in many ways, so
 * only what no spelling explains is a difference.
 */

#define STEPS_MAX ((size_t)4 << 20)    /* pairs of values looked at, before it gives up */
#define LAZY_BYTES ((size_t)1 << 20)   /* longer texts are not parsed to trees */
#define SHUFFLED_MAX ((size_t)1 << 10) /* items looked for regardless of their order */

struct both_sides {
	struct buf *pointer; /* of the difference */
	struct buf *text;
	size_t steps;
	const struct job *job;
	bool part;   /* `said` leaves out something */
	bool unsure; /* given up */
};

static bool is_same(struct both_sides *c, const cJSON *said, const cJSON *is);

static bool
is_void(const cJSON *node)
{
	return !node || cJSON_IsNull(node);
}

static bool
is_container(const cJSON *node)
{
	return json_type(node) == JSON_ARRAY || cJSON_IsObject(node);
}

static bool
differs(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	if (c->text->len > 0)
		return false;
	json_print_brief(c->text, said, 60);
	buf_add_str(c->text, " in the text, ");
	json_print_brief(c->text, is, 60);
	buf_add_str(c->text, " in structuredContent");
	return false;
}

/* Is one the other, rounded to the decimals it has? */
static bool
is_same_number(const cJSON *a, const cJSON *b)
{
	char text[JSON_NUMBER_TEXT_MAX];
	double x = a->valuedouble, y = b->valuedouble, off = fabs(x - y);

	if (json_number_compare(a, b) == 0 || off <= fmax(fabs(x), fabs(y)) * 1e-9)
		return true;
	for (int i = 0; i < 2; i++) {
		const char *point = strchr(json_number_text(i ? b : a, text), '.');
		size_t decimals = point ? strspn(point + 1, "0123456789") : 0;
		if (point && off <= pow(10, -(double)decimals) * 1.0000001)
			return true;
	}
	return false;
}

/* "3" and 3, "true" and true, "OK" and "ok"; dates of one day; a text that ends in dots. */
static bool
is_same_text(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	char numbers[2][JSON_NUMBER_TEXT_MAX];
	const char *texts[2];
	const cJSON *nodes[2] = { said, is };

	for (int i = 0; i < 2; i++)
		texts[i] = json_string(nodes[i])      ? json_string(nodes[i])
			   : cJSON_IsNumber(nodes[i]) ? json_number_text(nodes[i], numbers[i])
			   : json_is_true(nodes[i])   ? "true"
						      : "false";
	size_t len = strlen(texts[0]), day = strspn(texts[0], "0123456789-");
	if (strcasecmp(texts[0], texts[1]) == 0 ||
	    (day >= 10 && strncmp(texts[0], texts[1], 10) == 0))
		return true;
	size_t dots = len >= 3 && strcmp(texts[0] + len - 3, "...") == 0 ? 3
		      : len >= 3 && strcmp(texts[0] + len - 3, "…") == 0 ? 3
									 : 0;
	c->part = c->part || dots > 0;
	return dots > 0 && strncmp(texts[0], texts[1], len - dots) == 0;
}

/* Is each item of one found in the other, in any order? */
static bool
is_shuffled(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	struct json_items x, y;
	bool found = true;

	if (json_count(said) > SHUFFLED_MAX || json_count(is) > SHUFFLED_MAX) {
		c->unsure = true;
		return true;
	}
	for (json_items_init(&x, said, NULL); x.item && found; json_items_next(&x)) {
		uint64_t hash = json_hash(x.item);
		found = false;
		for (json_items_init(&y, is, NULL); y.item && !found; json_items_next(&y))
			found = json_hash_counted(y.item, &c->steps) == hash;
		json_items_finish(&y);
		c->unsure = c->unsure || c->steps > STEPS_MAX;
		if (c->unsure)
			break;
	}
	json_items_finish(&x);
	return found || c->unsure;
}

static bool
are_same_items(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	size_t len = c->pointer->len;
	struct json_items x, y;
	bool same = true;

	if (json_count(said) > json_count(is)) {
		buf_addf(c->text, "%s items in the text, %s in structuredContent",
		    units_count(json_count(said)).text, units_count(json_count(is)).text);
		return false;
	}
	json_items_init(&x, said, NULL);
	json_items_init(&y, is, NULL);
	for (; x.item && y.item && same; json_items_next(&x), json_items_next(&y)) {
		buf_truncate(c->pointer, len);
		json_pointer_add_index(c->pointer, x.index);
		same = is_same(c, x.item, y.item);
	}
	json_items_finish(&x);
	json_items_finish(&y);
	if (!same && is_shuffled(c, said, is)) {
		buf_clear(c->text);
		same = true;
	}
	if (same)
		buf_truncate(c->pointer, len);
	c->part = c->part || json_count(said) < json_count(is);
	return same;
}

/* Members that only one of them has are no difference. */
static bool
are_same_members(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	size_t len = c->pointer->len, shared = 0, own = 0;
	const cJSON *next = json_first(is);

	for (const cJSON *m = json_first(said); m && !c->unsure; m = m->next) {
		const cJSON *other =
		    next && strcmp(next->string, m->string) == 0 ? next : json_get(is, m->string);
		c->steps += other == next ? 1 : json_count(is);
		next = other ? other->next : next;
		own += !is_void(m);
		if (is_void(m) || is_void(other))
			continue;
		shared++;
		json_pointer_add_key(c->pointer, m->string);
		if (!is_same(c, m, other))
			return false;
		buf_truncate(c->pointer, len);
	}
	c->part = c->part || shared < json_count(is);
	if (shared * 2 < own || (shared == 0 && json_count(is) > 0))
		c->unsure = true; /* objects about different things */
	return true;
}

/* False: *c says where and how they differ, unless it is unsure. */
static bool
is_same(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	enum json_type a = json_type(said), b = json_type(is);

	if (++c->steps > STEPS_MAX || (c->job && job_is_stopped(c->job)))
		c->unsure = true;
	if (c->unsure || is_void(said) || is_void(is))
		return true;
	if (a == JSON_ARRAY && b == JSON_ARRAY)
		return are_same_items(c, said, is);
	if (a == JSON_OBJECT && b == JSON_OBJECT)
		return are_same_members(c, said, is);
	if (is_container(said) || is_container(is)) {
		c->unsure = true; /* written in another shape */
		return true;
	}
	bool same = a == JSON_NUMBER && b == JSON_NUMBER ? is_same_number(said, is)
							 : is_same_text(c, said, is);
	c->unsure = c->unsure || (!same && a != b); /* formatted, such as "$12.50" */
	return same || c->unsure || differs(c, said, is);
}

/* How many of the members of `said` are in `is`: enough to be about the same thing? */
static bool
is_alike(const cJSON *said, const cJSON *is)
{
	size_t shared = 0, own = 0;

	if (json_type(said) != json_type(is) || !cJSON_IsObject(said))
		return json_type(said) == json_type(is);
	if (json_count(said) > SHUFFLED_MAX || json_count(is) > SHUFFLED_MAX)
		return true;
	for (const cJSON *m = json_first(said); m; m = m->next) {
		own += !is_void(m);
		shared += !is_void(m) && json_get(is, m->string) != NULL;
	}
	return shared * 2 > own && shared > 0;
}

static enum agreement_kind
compare(struct agreement *a, const cJSON *said, const cJSON *is, const struct job *job)
{
	struct both_sides c = { .pointer = &a->pointer, .text = &a->text, .job = job };

	buf_clear(&a->pointer);
	buf_clear(&a->text);
	if (!is_alike(said, is))
		return AGREEMENT_UNSURE;
	bool same = is_same(&c, said, is);
	if (c.unsure)
		return AGREEMENT_UNSURE;
	if (!same)
		return AGREEMENT_OTHER_JSON;
	return c.part ? AGREEMENT_PART : AGREEMENT_MIRROR;
}

/* The text may be one of its members or items, or the value one member of the text. */
static bool
is_inside(const cJSON *inner, const cJSON *outer)
{
	size_t cost = 0;
	bool found = false;
	struct json_items it;

	if (json_type(outer) == JSON_ARRAY) {
		for (json_items_init(&it, outer, NULL); it.item && !found && cost < STEPS_MAX;
		     json_items_next(&it))
			found = json_equal_counted(inner, it.item, &cost);
		json_items_finish(&it);
		return found;
	}
	for (const cJSON *m = json_first(outer); m && !found && cost < STEPS_MAX; m = m->next)
		found = json_equal_counted(inner, m, &cost) ||
			(json_type(m) == JSON_ARRAY && json_count(m) <= SHUFFLED_MAX &&
			    !json_is_lazy(m) && is_inside(inner, m));
	return found;
}

static enum agreement_kind
compare_all_ways(struct agreement *a, const cJSON *said, const cJSON *is, const struct job *job)
{
	const cJSON *only = cJSON_IsObject(is) && json_count(is) == 1 ? json_first(is) : NULL;

	if (json_equal(said, is) || (only && json_equal(said, only)))
		return AGREEMENT_MIRROR;
	if (is_inside(said, is) || is_inside(is, said))
		return AGREEMENT_PART;
	enum agreement_kind kind = compare(a, said, is, job);
	if (kind != AGREEMENT_UNSURE || !only || !is_container(only))
		return kind;
	kind = compare(a, said, only, job);
	if (kind == AGREEMENT_OTHER_JSON) {
		struct buf pointer = BUF_INIT;
		json_pointer_add_key(&pointer, only->string);
		buf_add(&pointer, buf_text(&a->pointer), a->pointer.len);
		buf_finish(&a->pointer);
		a->pointer = pointer;
	}
	return kind;
}

/* ---- texts ---- */

static struct json_doc *
parse(const char *text, size_t len, const struct job *job)
{
	struct json_options options = { .job = job };
	struct blob *blob = NULL;

	if (len > LAZY_BYTES) {
		blob = blob_from_bytes(text, len);
		options.blob = blob;
		options.lazy_bytes = LAZY_BYTES;
		text = blob->data;
	}
	struct json_doc *doc = json_parse(text, len, &options, NULL);
	blob_unref(blob);
	return doc;
}

/* JSON as the whole text or as most of it, behind a sentence or between fences. */
static struct json_doc *
find_json(const char *text, size_t len, const struct job *job)
{
	const char *end = text + len, *first = text;

	while (first < end && *first != '{' && *first != '[')
		first++;
	while (end > first && end[-1] != '}' && end[-1] != ']')
		end--;
	if ((size_t)(end - first) * 2 <= len)
		return NULL;
	return parse(first, (size_t)(end - first), job);
}

/* A scalar beside a text that is this scalar. */
static enum agreement_kind
compare_scalar(struct agreement *a, const char *text, size_t len, const cJSON *is)
{
	struct both_sides c = { .pointer = &a->pointer, .text = &a->text };

	struct json_doc *doc = len < 100 ? json_parse(text, len, NULL, NULL) : NULL;
	const cJSON *said = doc ? json_root(doc) : NULL;
	enum agreement_kind kind = AGREEMENT_UNSURE;
	if (json_string(is) && strlen(json_string(is)) == len &&
	    memcmp(json_string(is), text, len) == 0)
		kind = AGREEMENT_MIRROR;
	else if (said && json_type(said) == json_type(is) && !cJSON_IsString(is))
		kind = is_same(&c, said, is) ? AGREEMENT_MIRROR : AGREEMENT_CONTRADICTS;
	json_doc_destroy(doc);
	return kind;
}

static enum agreement_kind
read_text(
    struct agreement *a, const struct content_block *b, const cJSON *is, const struct job *job)
{
	const cJSON *only = cJSON_IsObject(is) && json_count(is) == 1 ? json_first(is) : is;
	enum agreement_kind kind = AGREEMENT_UNSURE;

	buf_clear(&a->pointer);
	buf_clear(&a->text);
	if (!is_container(only)) {
		kind = compare_scalar(a, b->text, b->text_len, only);
		if (kind != AGREEMENT_UNSURE)
			return kind;
	}
	struct json_doc *doc = find_json(b->text, b->text_len, job);
	if (doc) {
		kind = compare_all_ways(a, json_root(doc), is, job);
		json_doc_destroy(doc);
		return kind;
	}
	agreement_read_prose(a, b->text, b->text_len, is);
	return a->kind;
}

/* ---- all blocks ---- */

/* The one that says most decides. */
static const unsigned char weights[] = {
	[AGREEMENT_UNRELATED] = 1,
	[AGREEMENT_UNSURE] = 2,
	[AGREEMENT_SUMMARY] = 3,
	[AGREEMENT_PART] = 4,
	[AGREEMENT_MIRROR] = 5,
	[AGREEMENT_OTHER_JSON] = 6,
	[AGREEMENT_CONTRADICTS] = 7,
};

#define BLOCKS_MAX 100 /* texts looked at */

/* Does the block give one item, in order, of the array that is the result? */
static bool
is_item(const struct content_block *b, const cJSON *item)
{
	bool same = json_string(item) && strcmp(json_string(item), b->text) == 0;
	struct json_doc *doc = same ? NULL : json_parse(b->text, b->text_len, NULL, NULL);

	same = same || (doc && json_equal(json_root(doc), item));
	json_doc_destroy(doc);
	return same;
}

/* An item for each block: SDKs write arrays so. */
static bool
are_items(const struct result *r, const struct job *job)
{
	const cJSON *array = r->structured;
	struct json_items it;
	bool same = true;

	if (cJSON_IsObject(array) && json_count(array) == 1)
		array = json_first(array);
	if (json_type(array) != JSON_ARRAY || json_count(array) != r->len)
		return false;
	for (json_items_init(&it, array, NULL); it.item && same; json_items_next(&it))
		same = r->blocks[it.index].kind == CONTENT_TEXT && r->blocks[it.index].text &&
		       is_item(&r->blocks[it.index], it.item) && !(job && job_is_stopped(job));
	json_items_finish(&it);
	return same;
}

void
agreement_init(struct agreement *a, const struct result *r, const struct job *job)
{
	struct agreement next = { .pointer = { .max = 4096 } };
	size_t texts = 0;

	*a = (struct agreement){ .pointer = { .max = 4096 } };
	if (!r->structured || r->is_error)
		return;
	if (r->len > 0 && are_items(r, job)) {
		a->kind = AGREEMENT_MIRROR;
		return;
	}
	for (size_t i = 0; i < r->len && texts < BLOCKS_MAX; i++) {
		if (r->blocks[i].kind != CONTENT_TEXT || !r->blocks[i].text)
			continue;
		next.block = i;
		next.kind = read_text(&next, &r->blocks[i], r->structured, job);
		if (texts++ > 0 && weights[next.kind] <= weights[a->kind])
			continue;
		struct agreement other = *a;
		*a = next;
		next = other;
	}
	agreement_finish(&next);
}

void
agreement_finish(struct agreement *a)
{
	buf_finish(&a->pointer);
	buf_finish(&a->text);
}

#include "check.h"

#include "base/mem.h"
#include "base/vec.h"
#include "schema/report/report.h"

#include <stdatomic.h>
#include <string.h>

/* ---- items ---- */

static struct json_reader *
find_reader(const struct report *report, const cJSON *array)
{
	for (size_t i = 0; i < report->lazy.len; i++)
		if (report->lazy.items[i].array == array)
			return report->lazy.items[i].reader;
	return NULL;
}

/* Two items can be compared. */
static struct json_reader *
report_reader(struct report *report, const cJSON *array)
{
	struct json_reader *reader = find_reader(report, array);

	if (reader)
		return reader;
	reader = json_reader_create(array, 2);
	*VEC_PUSH(&report->lazy) = (struct lazy_items){ array, reader };
	return reader;
}

const cJSON *
report_item(const struct report *report, const cJSON *array, size_t index)
{
	const struct json_reader *reader = find_reader(report, array);

	return reader ? json_reader_kept(reader, index) : NULL;
}

void
items_begin(struct checker *c, struct json_items *it, const cJSON *array)
{
	bool lazy = json_is_lazy(array);

	c->epoch += lazy;
	json_items_init(it, array, lazy ? report_reader(c->report, array) : NULL);
}

/* Violations beyond the limit are only counted. */
const cJSON *
items_lasting(struct checker *c, const struct json_items *it)
{
	if (!it->reader || c->muted || c->report->records.len >= c->report->max_kept)
		return it->item;
	return json_reader_keep(it->reader, it->index);
}

bool
check_item(struct checker *c, const struct node *node, const struct json_items *it)
{
	if (!c->collecting)
		return check_child(c, node, it->item, it->index);
	struct trial before = trial_begin(c);
	c->collecting = false;
	bool ok = check_child(c, node, it->item, it->index);
	c->collecting = true;
	if (ok && c->warnings == before.warnings)
		return true;
	if (c->stopped)
		return ok;
	trial_drop(c, &before);
	return check_child(c, node, items_lasting(c, it), it->index);
}

void
items_end(struct report *report)
{
	for (size_t i = 0; i < report->lazy.len; i++)
		json_reader_forget(report->lazy.items[i].reader);
}

/* ---- the fast pass ---- */

#define MANY_ROWS 8

/* The fast pass over rows and arrays reports nothing, so it needs no frames and no facts. */

static inline bool
holds(struct checker *c, const struct node *node, const cJSON *value)
{
	if (node->plan <= NODE_TYPE && node->types & type_of(value)) {
		c->steps += node->plan == NODE_TYPE;
		return true;
	}
	return check_node(c, node, value, NULL);
}

/* Objects of one kind have their keys in the same order, and equal keys of one document usually
 * share a pointer. The value kept between checks is only a guess, which any thread may improve.
 */
static inline const struct known_member *
next_member(struct checker *c, const struct object_rules *rules, const char *name, size_t *last)
{
	const char **keys = c->keys ? c->keys + rules->first_key : NULL;
	size_t guess = atomic_load_explicit(&rules->following[*last], memory_order_relaxed);
	const struct known_member *found = guess < rules->count ? &rules->members[guess] : NULL;

	if (found && keys && keys[guess] == name) {
		*last = guess + 1;
		return found;
	}
	if (!found || strcmp(found->name, name) != 0) {
		found = object_find(rules, name);
		if (!found)
			return NULL;
		guess = (size_t)(found - rules->members);
		atomic_store_explicit(
		    &rules->following[*last], (uint32_t)guess, memory_order_relaxed);
	}
	if (keys)
		keys[guess] = name;
	*last = guess + 1;
	return found;
}

const struct known_member *
member_next(struct checker *c, const struct object_rules *rules, const char *name, size_t *last)
{
	return next_member(c, rules, name, last);
}

bool
members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object)
{
	uint64_t seen = 0;
	size_t last = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		const struct node *node = rules->additional;
		const struct known_member *m = next_member(c, rules, child->string, &last);
		if (m) {
			seen |= (uint64_t)1 << (last - 1);
			node = m->node ? m->node : node;
		}
		c->steps++;
		if (node && !holds(c, node, child))
			return false;
	}
	return (seen & rules->required_bits) == rules->required_bits;
}

/* Comparing keys by pointer pays off for many rows. */
void
expect_rows(struct checker *c, const cJSON *array)
{
	bool rows = json_is_lazy(array) || (array->child && type_of(array->child) == TYPE_OBJECT);

	if (rows && !c->keys && json_count(array) >= MANY_ROWS)
		c->keys = mem_zalloc((c->schema->key_count + 1) * sizeof(*c->keys));
}

static bool
lazy_items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	struct json_items it;

	for (items_begin(c, &it, array); it.item; items_next(c, &it)) {
		c->steps++;
		if (!holds(c, node, it.item))
			break;
	}
	return !it.item; /* the report owns the reader */
}

bool
items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	expect_rows(c, array);
	if (json_is_lazy(array))
		return lazy_items_hold(c, node, array);
	for (const cJSON *item = array->child; item; item = item->next) {
		c->steps++;
		if (!holds(c, node, item))
			return false;
	}
	return true;
}

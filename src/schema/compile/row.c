#include "schema/check/check.h"

/*
 * An object that `$ref`, allOf and keywords beside them describe piece by piece: if each name is
 * checked by one piece alone, the fast pass checks it as one row, in one loop over its members.
 */

#define MAX_PIECES 16
#define MAX_ROW_NAMES 64
#define MAX_ROW_LOOKS 64

struct row_pieces {
	const struct object_rules *items[MAX_PIECES];
	size_t len, names;
	unsigned looks;
};

static bool
add_piece(struct row_pieces *pieces, const struct object_rules *rules)
{
	if (pieces->len == MAX_PIECES || rules->pattern_count > 0 || !rules->few_required)
		return false;
	pieces->names += rules->count;
	pieces->items[pieces->len++] = rules;
	return pieces->names <= MAX_ROW_NAMES;
}

/* False: an object has to obey something else. */
static bool
take_apart(struct row_pieces *pieces, const struct node *node)
{
	bool ok = node->plan != NODE_RULES;

	if (pieces->looks == 0)
		return false;
	pieces->looks--;
	for (size_t i = 0; i < node->rule_count && ok; i++) {
		const struct rule *rule = &node->rules[i];
		const struct node *sub;
		if (!(rule->applies & TYPE_OBJECT))
			continue;
		if (rule->kind == RULE_MEMBERS)
			ok = add_piece(pieces, node->object);
		else
			ok = rule->kind == RULE_REF || rule->kind == RULE_ALL_OF ||
			     (rule->kind == RULE_TYPE && rule->as.types & TYPE_OBJECT);
		for (size_t j = 0; ok && (sub = rule_always(rule, j)); j++)
			ok = take_apart(pieces, sub->alike);
	}
	return ok;
}

/* The only schema that does not accept every value of that name; NULL: none. False: several. A NULL
 * as name stands for the undeclared ones. */
static bool
only_check(const struct row_pieces *pieces, const char *name, struct node **only)
{
	*only = NULL;
	for (size_t i = 0; i < pieces->len; i++) {
		const struct object_rules *rules = pieces->items[i];
		const struct known_member *m = name ? object_find(rules, name) : NULL;
		struct node *node = m ? m->checked_by : rules->additional;
		if (!node || node->sure == TYPE_ANY)
			continue;
		if (*only && (*only)->alike != node->alike)
			return false;
		*only = node;
	}
	return true;
}

static bool
are_apart(const struct row_pieces *pieces, size_t *work)
{
	struct node *only;
	size_t cost = pieces->names * pieces->len;

	if (cost > *work)
		return false;
	*work -= cost;
	for (size_t i = 0; i < pieces->len; i++)
		for (size_t j = 0; j < pieces->items[i]->count; j++)
			if (!only_check(pieces, pieces->items[i]->members[j].name, &only))
				return false;
	return only_check(pieces, NULL, &only);
}

static struct object_rules *
join(struct pool **pool, const struct row_pieces *pieces)
{
	struct object_rules *row = pool_alloc(pool, sizeof(*row));

	object_rules_init(row);
	for (size_t i = 0; i < pieces->len; i++)
		for (size_t j = 0; j < pieces->items[i]->count; j++) {
			const struct known_member *m = &pieces->items[i]->members[j];
			struct known_member *own = object_add(pool, row, m->name);
			row->required_count += m->required && !own->required;
			if (m->required)
				own->required = m->required;
			only_check(pieces, m->name, &own->checked_by);
			own->sure = own->checked_by ? own->checked_by->sure : TYPE_ANY;
		}
	only_check(pieces, NULL, &row->additional);
	row->sure = row->additional ? row->additional->sure : TYPE_ANY;
	number_required(row);
	return row;
}

const struct object_rules *
row_create(struct pool **pool, const struct node *node, size_t *work)
{
	struct row_pieces pieces = { .looks = MAX_ROW_LOOKS };

	if (!take_apart(&pieces, node) || pieces.len == 0)
		return NULL;
	if (pieces.len == 1)
		return pieces.items[0];
	return are_apart(&pieces, work) ? join(pool, &pieces) : NULL;
}

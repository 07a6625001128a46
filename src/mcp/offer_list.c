#include "mcp/offers.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static int
compare_keys(const void *a, const void *b)
{
	const struct offer *left = *(struct offer *const *)a, *right = *(struct offer *const *)b;
	int order = strcmp(left->key, right->key);

	if (order != 0)
		return order;
	return left < right ? -1 : left > right;
}

void
offer_list_number(struct offer_list *list)
{
	if (list->len == 0)
		return;
	struct offer **sorted = list->by_key = mem_alloc(list->len * sizeof(struct offer *));
	for (size_t i = 0; i < list->len; i++)
		sorted[i] = &list->items[i];
	qsort(sorted, list->len, sizeof(sorted[0]), compare_keys);
	for (size_t first = 0, end; first < list->len; first = end) {
		for (end = first + 1; end < list->len; end++)
			if (strcmp(sorted[first]->key, sorted[end]->key) != 0)
				break;
		for (size_t i = first; i < end; i++) {
			sorted[i]->nth = i - first;
			sorted[i]->of = end - first;
		}
	}
}

void
offer_list_finish(struct offer_list *list)
{
	for (size_t i = 0; i < list->docs.len; i++)
		json_doc_destroy(list->docs.items[i]);
	free(list->docs.items);
	free(list->items);
	free(list->by_key);
	*list = (struct offer_list){ 0 };
}

static int
compare_to_wanted(const void *wanted, const void *item)
{
	const struct offer *left = wanted, *right = *(struct offer *const *)item;
	int order = strcmp(left->key, right->key);

	if (order != 0)
		return order;
	return left->nth < right->nth ? -1 : left->nth > right->nth;
}

/* Asked for each row of each frame, so it must not grow with the list. */
const struct offer *
offer_list_find(const struct offer_list *list, const char *key, size_t nth)
{
	struct offer wanted = { .key = key, .nth = nth };
	struct offer **found =
	    list->by_key ? bsearch(&wanted, list->by_key, list->len, sizeof(*list->by_key),
			       compare_to_wanted)
			 : NULL;

	return found ? *found : NULL;
}

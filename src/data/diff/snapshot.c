#include "data/snapshot.h"

#include "base/mem.h"
#include "json/number.h"
#include "json/print.h"
#include "json/rows.h"

#include <stdlib.h>
#include <string.h>

const struct snapshot_list snapshot_lists[] = {
	{ "tools", "name", "tool" },
	{ "prompts", "name", "prompt" },
	{ "resources", "uri", "resource" },
	{ "resourceTemplates", "uriTemplate", "template" },
	{ 0 },
};

bool
snapshot_is(const cJSON *value)
{
	size_t version;
	const cJSON *number = json_get(value, "snapshot");

	return json_type(number) == JSON_NUMBER && json_number_to_size(number, 1000, &version) &&
	       json_type(json_get(value, "server")) == JSON_OBJECT;
}

/* A child with its place in the order. */
struct ordered {
	const char *name;
	size_t at; /* equal ones stay as they are */
	const cJSON *node;
};

static int
by_name(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

/* key: the member of an item; NULL: the names of members. */
static struct ordered *
put_in_order(const cJSON *container, const char *key, size_t *count)
{
	struct ordered *list = mem_alloc((json_count(container) + 1) * sizeof(*list));
	size_t len = 0;

	for (const cJSON *child = json_first(container); child; child = child->next) {
		const char *name = key ? json_get_string(child, key) : child->string;
		list[len] = (struct ordered){ name ? name : "", len, child };
		len++;
	}
	qsort(list, len, sizeof(*list), by_name);
	*count = len;
	return list;
}

static void
add_line(struct buf *out, int level)
{
	buf_add_char(out, '\n');
	for (int i = 0; i < level; i++)
		buf_add_str(out, "  ");
}

static const char *
key_of_list(const cJSON *node, int level)
{
	for (const struct snapshot_list *list = snapshot_lists; level == 1 && list->name; list++)
		if (node->string && strcmp(list->name, node->string) == 0)
			return list->key;
	return NULL;
}

/* Trees of ours are no deeper than the parser lets them be. */
static void
print(struct buf *out, const cJSON *node, int level)
{
	bool is_object = json_type(node) == JSON_OBJECT, sorts;
	size_t count = 0;

	if (out->overflowed)
		return;
	if (!json_first(node)) {
		json_print(out, node);
		return;
	}
	const char *key = is_object ? NULL : key_of_list(node, level);
	sorts = is_object || key;
	struct ordered *list = sorts ? put_in_order(node, key, &count) : NULL;
	const cJSON *child = json_first(node);
	buf_add_char(out, is_object ? '{' : '[');
	for (size_t i = 0; list ? i < count : child != NULL; i++) {
		const cJSON *next = list ? list[i].node : child;
		buf_add_str(out, i > 0 ? "," : "");
		add_line(out, level + 1);
		if (is_object) {
			json_print_string(out, next->string, strlen(next->string));
			buf_add_str(out, ": ");
		}
		print(out, next, level + 1);
		child = list ? NULL : child->next;
	}
	add_line(out, level);
	buf_add_char(out, is_object ? '}' : ']');
	free(list);
}

void
snapshot_print(struct buf *out, const cJSON *value)
{
	print(out, value, 0);
	buf_add_char(out, '\n');
}

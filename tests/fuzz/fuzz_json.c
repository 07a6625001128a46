/* SPDX-License-Identifier: MIT */
/* Accepted text prints, and reads back as the same tree; every number keeps its text. */
#include "fuzz.h"

#include "base/buf.h"
#include "json/doc.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"

#include <string.h>

#define NODES_MAX 500

/* Node by node: the same types, keys, strings and number texts, and sound links. */
static void
demand_same(const cJSON *a, const cJSON *b)
{
	char a_text[JSON_NUMBER_TEXT_MAX], b_text[JSON_NUMBER_TEXT_MAX];
	const cJSON *last = NULL;
	size_t count = 0;

	demand(a->type == b->type);
	demand((a->string == NULL) == (b->string == NULL));
	if (a->string)
		demand(strcmp(a->string, b->string) == 0);
	if (json_type(a) == JSON_STRING)
		demand(strcmp(a->valuestring, b->valuestring) == 0);
	if (json_type(a) == JSON_NUMBER) {
		const char *text = json_number_text(a, a_text);
		demand(strcmp(text, json_number_text(b, b_text)) == 0);
		demand(json_is_number_text(text, strlen(text)));
		demand(json_number_compare(a, b) == 0);
	}
	const cJSON *x = json_first(a), *y = json_first(b);
	for (; x && y; last = x, x = x->next, y = y->next, count++) {
		demand_same(x, y);
		demand(count == 0 || x->prev == last);
	}
	demand(!x && !y && count == json_count(a));
	demand(count == 0 || a->child->prev == last);
}

/* The number lexemes of a JSON text, in order, with a blank after each. */
static void
collect_numbers(const char *text, size_t len, struct buf *out)
{
	bool in_string = false;

	for (size_t i = 0; i < len; i++) {
		if (in_string && text[i] == '\\') {
			i++;
		} else if (text[i] == '"') {
			in_string = !in_string;
		} else if (!in_string && (text[i] == '-' || (text[i] >= '0' && text[i] <= '9'))) {
			size_t n = 1;
			while (i + n < len && text[i + n] && strchr("+-.eE0123456789", text[i + n]))
				n++;
			buf_add(out, text + i, n);
			buf_add_char(out, ' ');
			i += n - 1;
		}
	}
}

static void
check_printing(const struct json_doc *doc, const char *text, size_t size)
{
	struct buf once = BUF_INIT, twice = BUF_INIT, pretty = BUF_INIT;
	struct buf before = BUF_INIT, after = BUF_INIT;

	json_print(&once, json_root(doc));
	struct json_doc *again = json_parse(once.data, once.len, NULL, NULL);
	demand(again != NULL);
	demand_same(json_root(doc), json_root(again));
	demand(json_equal(json_root(doc), json_root(again)));
	demand(json_hash(json_root(doc)) == json_hash(json_root(again)));
	json_print(&twice, json_root(again));
	demand(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	collect_numbers(text, size, &before);
	collect_numbers(once.data, once.len, &after);
	demand(strcmp(buf_text(&before), buf_text(&after)) == 0);
	json_print_pretty(&pretty, json_root(doc), 3);
	struct json_doc *third = json_parse(pretty.data, pretty.len, NULL, NULL);
	demand(third != NULL);
	demand_same(json_root(doc), json_root(third));
	buf_clear(&pretty);
	json_print_brief(&pretty, json_root(doc), 20);
	demand(pretty.len <= 20 + strlen("…"));
	json_doc_destroy(again);
	json_doc_destroy(third);
	buf_finish(&once);
	buf_finish(&twice);
	buf_finish(&pretty);
	buf_finish(&before);
	buf_finish(&after);
}

/* Neighbours compared and divided: nothing may crash, hang or contradict itself. */
static void
check_numbers(const cJSON *root)
{
	for (const cJSON *a = json_first(root); a && a->next; a = a->next) {
		const cJSON *b = a->next;
		if (json_type(a) != JSON_NUMBER || json_type(b) != JSON_NUMBER)
			continue;
		int order = json_number_compare(a, b);
		demand((order > 0) == (json_number_compare(b, a) < 0));
		demand(order != 0 || json_number_hash(a) == json_number_hash(b));
		if (order < 0)
			demand(a->valuedouble <= b->valuedouble);
		(void)json_number_is_multiple(a, b);
		size_t index;
		if (json_number_to_size(a, 1000, &index))
			demand(json_number_is_integer(a) && index <= 1000);
	}
}

/* Visit every node before its children. */
static void
collect_nodes(const cJSON *node, const cJSON **nodes, size_t *count)
{
	if (*count == NODES_MAX)
		return;
	nodes[(*count)++] = node;
	for (const cJSON *c = json_first(node); c; c = c->next)
		collect_nodes(c, nodes, count);
}

/* Each node is found in its text, and starts as its like does. */
static void
check_positions(const cJSON *root, const char *text, size_t size)
{
	static const char *const FIRST[] = {
		[JSON_NULL] = "n",
		[JSON_BOOLEAN] = "tf",
		[JSON_NUMBER] = "-0123456789",
		[JSON_STRING] = "\"",
		[JSON_ARRAY] = "[",
		[JSON_OBJECT] = "{",
	};
	const cJSON *nodes[NODES_MAX];
	struct json_position at[NODES_MAX];
	size_t count = 0;

	collect_nodes(root, nodes, &count);
	json_positions(text, size, root, nodes, count, at);
	for (size_t i = 0; i < count; i++) {
		demand(at[i].line > 0 && at[i].column > 0 && at[i].offset < size);
		demand(i == 0 || at[i].offset > at[i - 1].offset);
		demand(strchr(FIRST[json_type(nodes[i])], text[at[i].offset]));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_error error;
	struct json_doc *doc = json_parse((const char *)data, size, NULL, &error);

	if (!doc) {
		demand(error.offset <= size && error.line > 0 && error.column > 0);
		return 0;
	}
	for (size_t i = 0; i < json_flaws(doc)->len; i++)
		demand(json_flaws(doc)->items[i].offset < size);
	check_printing(doc, (const char *)data, size);
	check_numbers(json_root(doc));
	check_positions(json_root(doc), (const char *)data, size);
	const cJSON *last = json_root(doc);
	while (json_first(last))
		last = last->child->prev;
	struct buf pointer = BUF_INIT;
	demand(json_pointer_of(json_root(doc), last, &pointer));
	if (json_flaws(doc)->count == 0)
		demand(json_pointer_find(json_root(doc), buf_text(&pointer)) == last);
	buf_finish(&pointer);
	json_doc_destroy(doc);
	return 0;
}

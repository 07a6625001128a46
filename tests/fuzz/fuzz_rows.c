/* SPDX-License-Identifier: MIT */
/* Lazy arrays against the parser: the same texts are accepted with the same flaws and the same
 * errors, and the values are the same, item by item and as a whole. */
#include "fuzz.h"

#include "base/buf.h"
#include "json/doc.h"
#include "json/equal.h"
#include "json/print.h"
#include "json/rows.h"

#include <string.h>

static void
demand_same_text(const cJSON *a, const cJSON *b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;

	json_print(&x, a);
	json_print(&y, b);
	demand(x.len == y.len && memcmp(buf_text(&x), buf_text(&y), x.len) == 0);
	buf_clear(&x);
	buf_clear(&y);
	json_print_pretty(&x, a, 1);
	json_print_pretty(&y, b, 1);
	demand(x.len == y.len && memcmp(buf_text(&x), buf_text(&y), x.len) == 0);
	buf_finish(&x);
	buf_finish(&y);
}

static void
demand_member(struct json_reader *r, size_t index, const char *const *keys, size_t depth,
    const cJSON *expected)
{
	const cJSON *found = json_reader_member(r, index, keys, depth);

	demand(json_type(found) == json_type(expected));
	demand(!expected || json_equal(found, expected));
}

/* Each member alone, and in these frames: members of an object, or null instead of it. */
static void
demand_members(struct json_reader *r, size_t index, const cJSON *item)
{
	const char *keys[2] = { "" };
	const cJSON *members = json_type(item) == JSON_OBJECT ? json_first(item) : NULL;

	demand_member(r, index, keys, 1, json_get(item, ""));
	for (const cJSON *m = members; m; m = m->next) {
		keys[0] = m->string;
		const cJSON *first = json_get(item, m->string);
		demand_member(r, index, keys, 1, first);
		keys[1] = "no such key";
		demand_member(r, index, keys, 2,
		    json_type(first) == JSON_NULL ? first : json_get(first, keys[1]));
		const cJSON *inner = json_type(first) == JSON_OBJECT ? json_first(first) : NULL;
		for (; inner; inner = inner->next) {
			keys[1] = inner->string;
			demand_member(r, index, keys, 2, json_get(first, keys[1]));
		}
	}
}

/* A string of plain text is unchanged in the text of its item. */
static void
demand_text(const struct json_reader *r, size_t index, const cJSON *item)
{
	const char *text, *value = cJSON_GetStringValue(item);
	size_t len;

	if (!json_reader_text(r, index, &text, &len) || !value)
		return;
	for (const char *at = value; *at; at++)
		if ((unsigned char)*at < ' ' || (unsigned char)*at >= 0x7f)
			return;
	demand(memmem(text, len, value, strlen(value)) != NULL);
}

/* The items forwards without a cache, and backwards by a reader that caches some. */
static void
demand_same_items(const cJSON *plain, const cJSON *lazy)
{
	struct json_reader *r = json_reader_create(lazy, 3);
	const cJSON *item = json_first(plain);
	struct json_items it;

	for (json_items_init(&it, lazy, NULL); it.item; json_items_next(&it)) {
		demand(item && json_equal(item, it.item) && json_hash(item) == json_hash(it.item));
		demand(!it.item->next);
		item = item->next;
	}
	demand(!item && it.index == json_count(plain));
	json_items_finish(&it);
	size_t index = json_count(plain);
	for (item = plain->child->prev; index-- > 0; item = item->prev) {
		const cJSON *row = json_reader_at(r, index);
		demand(row == json_reader_at(r, index) && json_equal(row, item));
		demand_members(r, index, item);
		demand_text(r, index, item);
		demand((index % 2 ? json_reader_kept(r, index) : json_reader_keep(r, index)) ==
		       json_reader_kept(r, index));
	}
	for (index = 0; index < json_count(plain); index++)
		demand(index % 2 ? !json_reader_kept(r, index)
				 : json_reader_kept(r, index) == json_reader_keep(r, index));
	json_reader_forget(r);
	demand(json_equal(json_reader_at(r, 0), plain->child));
	json_reader_destroy(r);
}

static void
walk(const cJSON *plain, const cJSON *lazy)
{
	demand(json_type(plain) == json_type(lazy) && json_count(plain) == json_count(lazy));
	if (json_is_lazy(lazy)) {
		demand(!json_first(lazy));
		demand_same_items(plain, lazy);
		return;
	}
	const cJSON *x = json_first(plain), *y = json_first(lazy);
	for (; x && y; x = x->next, y = y->next)
		walk(x, y);
	demand(!x && !y);
}

static void
demand_same_flaws(const struct json_doc *a, const struct json_doc *b)
{
	demand(json_flaws(a)->count == json_flaws(b)->count);
	demand(json_flaws(a)->len == json_flaws(b)->len);
	for (size_t i = 0; i < json_flaws(a)->len; i++) {
		const struct json_flaw *x = &json_flaws(a)->items[i], *y = &json_flaws(b)->items[i];
		demand(x->kind == y->kind && x->offset == y->offset && x->line == y->line &&
		       x->column == y->column);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t least = size > 0 ? data[0] : 1;
	const char *text = (const char *)data + (size > 0);
	size_t len = size - (size > 0);
	struct json_options options = { .max_depth = 50, .max_flaws = 3 };
	struct json_error error = { 0 }, lazy_error = { 0 };
	struct json_doc *plain = json_parse(text, len, &options, &error);

	options.lazy_bytes = least % 64 + 1;
	options.lazy_in = least & 64 ? "/a" : NULL;
	struct json_doc *lazy = json_parse(text, len, &options, &lazy_error);
	demand(!plain == !lazy);
	if (plain) {
		demand_same_flaws(plain, lazy);
		walk(json_root(plain), json_root(lazy));
		demand_same_text(json_root(plain), json_root(lazy));
		demand(json_equal(json_root(plain), json_root(lazy)));
		demand(json_hash(json_root(plain)) == json_hash(json_root(lazy)));
	} else {
		demand(error.offset == lazy_error.offset && error.line == lazy_error.line);
		demand(error.column == lazy_error.column && !strcmp(error.text, lazy_error.text));
	}
	json_doc_destroy(plain);
	json_doc_destroy(lazy);
	return 0;
}

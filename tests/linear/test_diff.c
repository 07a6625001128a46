/* SPDX-License-Identifier: MIT */
/* The diff of twice as long values costs at most 2.2 times the work: long tables, lists in which
 * nothing can be matched, and arrays in arrays. */
#include "base/vec.h"
#include "data/diff.h"
#include "doubling.h"
#include "json/rows.h"
#include "test.h"

#include <string.h>

/* Appends one side (0 or 1) of two values with n items. */
typedef void make_fn(struct buf *out, int side, int n);

static void
make_rows(struct buf *out, int side, int n)
{
	buf_add_str(out, "[");
	for (int i = 0; i < n; i++)
		buf_addf(out, "%s{\"id\":%d,\"name\":\"row %d\",\"n\":%d}", i ? "," : "", i, i,
		    side && i % 1000 == 7 ? i + 1 : i);
	buf_add_str(out, "]");
}

static void
make_list(struct buf *out, int side, int n, int (*item)(int side, int i))
{
	buf_add_str(out, "[");
	for (int i = 0; i < n - side * n / 100; i++)
		buf_addf(out, "%s%d", i ? "," : "", item(side, i));
	buf_add_str(out, "]");
}

static int
never_equal(int side, int i)
{
	return side ? -1 - i : i;
}

static int
one_value(int side, int i)
{
	return 1;
}

static int
one_of_each(int side, int i)
{
	return 1 + side;
}

static int
two_values(int side, int i)
{
	return (
	    int)((((unsigned)i + (unsigned)side) * 2654435761u >> 13 ^ (unsigned)(i * side)) & 1);
}

#define LIST(name)                                                \
	static void make_##name(struct buf *out, int side, int n) \
	{                                                         \
		make_list(out, side, n, name);                    \
	}
LIST(never_equal)
LIST(one_value)
LIST(one_of_each)
LIST(two_values)

/* The longest array is in 900 others. */
static void
make_deep(struct buf *out, int side, int n)
{
	enum { DEPTH = 900 };

	for (int i = 0; i < DEPTH; i++)
		buf_add_str(out, "[0,");
	make_list(out, 0, n + side, never_equal);
	for (int i = 0; i < DEPTH; i++)
		buf_add_str(out, "]");
}

static const struct value_kind {
	const char *name;
	make_fn *make;
	int items;
	size_t lazy_bytes; /* arrays from this size on are lazy; 0: none is */
} kinds[] = {
	{ "rows", make_rows, 20000, 0 },
	{ "lazy rows", make_rows, 20000, 4096 },
	{ "nothing is equal", make_never_equal, 30000, 0 },
	{ "all is equal", make_one_value, 30000, 0 },
	{ "one value on each side", make_one_of_each, 30000, 0 },
	{ "two values in no order", make_two_values, 30000, 0 },
	{ "arrays in arrays", make_deep, 50000, 0 },
};

struct pair {
	struct json_doc *docs[2];
};

static void
run_diff(void *user)
{
	const struct pair *p = user;
	struct diff *d = diff_values(json_root(p->docs[0]), json_root(p->docs[1]), NULL);

	assert_true(d->items[0].changes > 0);
	diff_destroy(d);
}

static uint64_t
work_for(const struct value_kind *kind, int items)
{
	struct pair p;

	for (int side = 0; side < 2; side++) {
		struct buf text = BUF_INIT;
		kind->make(&text, side, items);
		struct blob *blob = blob_take_buf(&text);
		const struct json_options options = {
			.max_depth = 1000, .blob = blob, .lazy_bytes = kind->lazy_bytes
		};
		p.docs[side] = json_parse(blob->data, blob->len, &options, NULL);
		assert_non_null(p.docs[side]);
		blob_unref(blob);
	}
	uint64_t work = doubling_work(run_diff, &p);
	json_doc_destroy(p.docs[0]);
	json_doc_destroy(p.docs[1]);
	return work;
}

static void
test_kind(void **state)
{
	const struct value_kind *kind = *state;
	uint64_t once = work_for(kind, kind->items), twice = work_for(kind, 2 * kind->items);

	assert_true(once > (uint64_t)kind->items / 2); /* it is counted */
	if (twice > once / 10 * 22)
		fail_msg("%s: %llu steps, for twice as much %llu", kind->name,
		    (unsigned long long)once, (unsigned long long)twice);
}

TEST_FILE(diff)
{
	struct CMUnitTest tests[ARRAY_LEN(kinds)];

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		tests[i] =
		    (struct CMUnitTest){ kinds[i].name, test_kind, NULL, NULL, (void *)&kinds[i] };
	return _cmocka_run_group_tests("diff", tests, ARRAY_LEN(kinds), NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Two values, and what differs between them. */
#include "data/diff.h"
#include "json/rows.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static void
add_changes(const struct diff *d, struct buf *out)
{
	static const char *const marks[] = {
		[DIFF_CHANGED] = "~", [DIFF_ADDED] = "+", [DIFF_REMOVED] = "-"
	};

	for (uint32_t i = 0; i < d->len; i++) {
		const struct diff_node *n = &d->items[i];
		if (!diff_is_change(n))
			continue;
		buf_addf(out, "%s%s", out->len > 0 ? " " : "", n->moved ? ">" : "");
		buf_add_str(out, n->kind >= DIFF_CHANGED ? marks[n->kind] : "");
		diff_add_path(d, i, out);
	}
}

static void
expect_key(const char *a, const char *b, const char *key, const char *changes)
{
	struct json_doc *x = parse(a), *y = parse(b);
	struct diff_options options = { .key = key };
	struct diff *d = diff_values(json_root(x), json_root(y), &options);
	struct buf out = BUF_INIT;

	add_changes(d, &out);
	assert_string_equal(buf_text(&out), changes);
	buf_finish(&out);
	diff_destroy(d);
	json_doc_destroy(x);
	json_doc_destroy(y);
}

static void
expect(const char *a, const char *b, const char *changes)
{
	expect_key(a, b, NULL, changes);
}

static void
test_equal_values_have_no_difference(void **state)
{
	expect("{\"a\":1,\"b\":[1.0,{}]}", "{\"b\":[1e0,{}],\"a\":1.00}", "");
	expect("1e400", "10e399", "");
	expect("-0", "0.0", "");
	expect("\"a\"", "\"\\u0061\"", "");
	expect("[]", "[]", "");
}

static void
test_values_by_path(void **state)
{
	expect("1", "2", "~");
	expect("9007199254740992", "9007199254740993", "~");
	expect("[]", "{}", "~");
	expect("{\"a\":null}", "{}", "-a");
	expect("{\"a\":{\"b\":[1,2]}}", "{\"a\":{\"b\":[1,3]}}", "~a.b[1]");
	expect("{\"a\":1,\"b\":2}", "{\"c\":3,\"b\":2}", "-a +c");
	expect("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":3}", "~a");
	expect("{\"a\":1,\"a\":2}", "{\"a\":1}", "-a");
}

static void
test_items_are_matched_by_content(void **state)
{
	expect("[1,2,3,4]", "[1,3,4]", "-[1]");
	expect("[1,2,3]", "[0,1,2,3]", "+[0]");
	expect("[\"a\",\"b\",\"c\"]", "[\"a\",\"x\",\"c\",\"d\"]", "~[1] +[3]");
	expect("[[1],[2]]", "[[2],[3]]", "-[0] +[1]");
	expect("[1,{\"a\":1}]", "[{\"a\":2},1]", "+[0] -[1]");
}

static void
test_rows_are_matched_by_key(void **state)
{
	expect("[{\"id\":1,\"s\":\"a\"},{\"id\":2,\"s\":\"b\"},{\"id\":3,\"s\":\"c\"}]",
	    "[{\"id\":2,\"s\":\"B\"},{\"id\":3,\"s\":\"c\"},{\"id\":4,\"s\":\"d\"}]",
	    "-[id=1] ~[id=2].s +[id=4]");
	expect("{\"t\":[{\"name\":\"x\",\"n\":1},{\"name\":\"y\",\"n\":2}]}",
	    "{\"t\":[{\"name\":\"y\",\"n\":2},{\"name\":\"x\",\"n\":5}]}",
	    ">t[name=y] ~t[name=x].n");
	/* A member that is equal in all rows is not a key, and neither is a fraction. */
	expect("[{\"n\":1.5,\"a\":1},{\"n\":2.5,\"a\":1}]",
	    "[{\"n\":1.5,\"a\":1},{\"n\":2.5,\"a\":2}]", "~[1].a");
	/* Whole numbers of any size. */
	expect("[{\"id\":1e300,\"s\":1},{\"id\":1e400,\"s\":1},{\"id\":-2,\"s\":1}]",
	    "[{\"id\":-2,\"s\":1},{\"id\":10e399,\"s\":2},{\"id\":1e300,\"s\":1}]",
	    ">[id=-2] >[id=10e399] ~[id=10e399].s");
	/* A key in another spelling. */
	expect("[{\"id\":1,\"s\":1},{\"id\":2,\"s\":1}]",
	    "[{\"id\":1.0,\"s\":2},{\"id\":2e0,\"s\":1}]", "~[id=1.0].s");
}

static void
test_the_key_can_be_chosen(void **state)
{
	const char *a = "[{\"id\":1,\"sku\":\"a\"},{\"id\":2,\"sku\":\"b\"}]";
	const char *b = "[{\"id\":7,\"sku\":\"a\"},{\"id\":2,\"sku\":\"c\"}]";

	expect(a, b, "-[id=1] +[id=7] ~[id=2].sku");
	expect_key(a, b, "sku", "~[sku=a].id -[sku=b] +[sku=c]");
	expect_key(a, b, "", "~[0].id ~[1].sku");
	/* If a key occurs several times, its nth occurrences are paired. */
	expect_key("[{\"k\":1,\"v\":1},{\"k\":1,\"v\":2}]", "[{\"k\":1,\"v\":1},{\"k\":1,\"v\":3}]",
	    "k", "~[k=1].v");
	expect_key(a, b, "none", "-[id=1] +[id=7] ~[id=2].sku"); /* guessed */
}

static void
test_candidates_for_the_key(void **state)
{
	struct json_doc *a = parse("[{\"total\":2,\"sku\":\"a\",\"id\":1,\"s\":1},{\"total\":3,"
				   "\"sku\":\"b\",\"id\":2,\"s\":1}]");
	struct json_doc *b = parse("[{\"total\":9,\"sku\":\"a\",\"id\":1,\"s\":1},{\"total\":8,"
				   "\"sku\":\"b\",\"id\":2,\"s\":1}]");
	struct diff *d = diff_values(json_root(a), json_root(b), NULL);
	const char *keys[DIFF_KEYS_MAX + 1];

	diff_key_candidates(d, 0, keys);
	assert_string_equal(keys[0], "id");
	assert_string_equal(keys[1], "sku");
	assert_string_equal(keys[2], "total");
	assert_null(keys[3]);
	diff_destroy(d);
	json_doc_destroy(a);
	json_doc_destroy(b);
}

static void
test_changes_are_walked(void **state)
{
	struct json_doc *a = parse("{\"a\":1,\"b\":[1,2],\"c\":3}");
	struct json_doc *b = parse("{\"a\":2,\"b\":[1,2],\"c\":4}");
	struct diff *d = diff_values(json_root(a), json_root(b), NULL);
	struct buf out = BUF_INIT;

	assert_int_equal(diff_next_change(d, 0, 1), 1);
	assert_int_equal(diff_next_change(d, 1, 1), 3); /* an unchanged value is one node */
	assert_int_equal(diff_next_change(d, 3, 1), DIFF_NOWHERE);
	assert_int_equal(diff_next_change(d, 3, -1), 1);
	assert_int_equal(diff_next_change(d, 1, -1), DIFF_NOWHERE);
	assert_int_equal(d->items[0].changes, 2);
	diff_add_pointer(d, 3, 1, &out);
	diff_add_counts(d, &out);
	assert_string_equal(buf_text(&out), "/c2 changed");
	buf_finish(&out);
	diff_destroy(d);
	json_doc_destroy(a);
	json_doc_destroy(b);
}

/* ---- large values ---- */

static struct json_doc *
make_rows(size_t count, int changed, bool lazy)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "[");
	for (size_t i = 0; i < count; i++)
		buf_addf(&text, "%s{\"id\":%zu,\"name\":\"row %zu\",\"n\":%zu}", i ? "," : "", i, i,
		    changed && i % 1000 == 7 ? i + 1 : i);
	buf_add_str(&text, "]");
	struct blob *blob = blob_take_buf(&text);
	struct json_options options = { .blob = blob, .lazy_bytes = lazy ? 4096 : 0 };
	struct json_doc *doc = json_parse(blob->data, blob->len, &options, NULL);
	blob_unref(blob);
	assert_int_equal(json_is_lazy(json_root(doc)), lazy);
	return doc;
}

static void
diff_rows(bool lazy)
{
	struct json_doc *a = make_rows(100000, 0, lazy), *b = make_rows(100000, 1, lazy);
	struct diff *d = diff_values(json_root(a), json_root(b), NULL);

	assert_int_equal(d->changed, 100);
	assert_int_equal(d->added + d->removed + d->moved, 0);
	uint32_t change = diff_next_change(d, 0, 1);
	struct buf path = BUF_INIT;
	diff_add_path(d, change, &path);
	assert_string_equal(buf_text(&path), "[id=7].n");
	buf_finish(&path);
	assert_int_equal(json_get(diff_side(d, 5, 0), "id")->valuedouble, 4);
	diff_destroy(d);
	json_doc_destroy(a);
	json_doc_destroy(b);
}

static void
test_long_tables(void **state)
{
	diff_rows(false);
	diff_rows(true);
}

static void
test_a_stopped_job_ends_it(void **state)
{
	struct json_doc *a = make_rows(5000, 0, false), *b = make_rows(5000, 1, false);
	struct job job = { 0 };
	struct diff_options options = { .job = &job };

	job_stop(&job);
	assert_null(diff_values(json_root(a), json_root(b), &options));
	json_doc_destroy(a);
	json_doc_destroy(b);
}

/* ---- texts ---- */

static void
expect_lines(const char *a, const char *b, const char *rows)
{
	const char *texts[2] = { a, b };
	const size_t lens[2] = { strlen(a), strlen(b) };
	struct diff_lines l;
	struct buf out = BUF_INIT;

	assert_true(diff_lines_make(&l, texts, lens, NULL));
	for (size_t i = 0; i < l.len; i++) {
		const struct diff_line *line = &l.items[i];
		for (int side = 0; side < 2; side++) {
			size_t len;
			if (line->at[side] == DIFF_NOWHERE || (line->same && side == 1))
				continue;
			const char *text = diff_line_text(&l, side, line->at[side], &len);
			buf_addf(&out, "%s%.*s|",
			    line->same ? " "
			    : side     ? "+"
				       : "-",
			    (int)len, text);
		}
	}
	assert_string_equal(buf_text(&out), rows);
	buf_finish(&out);
	diff_lines_finish(&l);
}

static void
test_lines(void **state)
{
	expect_lines("", "", "");
	expect_lines("a\nb\n", "a\nb\n", " a| b|");
	expect_lines("a\nb\nc\n", "a\nc\n", " a|-b| c|");
	expect_lines("a\nb\nc", "a\nB\nc\nd", " a|-b|+B| c|+d|");
	expect_lines("a", "", "-a|");
	/* The shortest edit: a moved line is removed and inserted. */
	expect_lines("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", "-a|-b| c|+b| a| b|-b| a|+c|");
}

static void
test_the_part_that_differs(void **state)
{
	const char *texts[2] = { "at most 500 rows", "at most 100 rows" };
	struct diff_span span = diff_span(texts, (const size_t[]){ 16, 16 });

	assert_int_equal(span.from, 8);
	assert_int_equal(span.ends[0], 9);
	assert_int_equal(span.ends[1], 9);
	const char *letters[2] = { "\xc3\xa4", "\xc3\xb6" }; /* one character: two bytes */
	span = diff_span(letters, (const size_t[]){ 2, 2 });
	assert_int_equal(span.from, 0);
	assert_int_equal(span.ends[0], 2);
	const char *more[2] = { "aa", "aaa" };
	span = diff_span(more, (const size_t[]){ 2, 3 });
	assert_int_equal(span.from, 2);
	assert_int_equal(span.ends[0], 2);
	assert_int_equal(span.ends[1], 3);
}

TEST_FILE(diff)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_values_have_no_difference),
		cmocka_unit_test(test_values_by_path),
		cmocka_unit_test(test_items_are_matched_by_content),
		cmocka_unit_test(test_rows_are_matched_by_key),
		cmocka_unit_test(test_the_key_can_be_chosen),
		cmocka_unit_test(test_candidates_for_the_key),
		cmocka_unit_test(test_changes_are_walked),
		cmocka_unit_test(test_long_tables),
		cmocka_unit_test(test_a_stopped_job_ends_it),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_the_part_that_differs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

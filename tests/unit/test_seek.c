/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "test.h"
#include "ui/seek.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Texts, pages and lists that `/` searches, and the highlighted matches. */

static size_t
count_all(const struct seekable *s, const char *text)
{
	struct substring n;
	enum seek_result result;
	size_t at = 0, found = 0, last = 0;

	substring_init(&n, text, strlen(text));
	while ((result = s->seek(s, &n, &at)) != SEEK_DONE) {
		if (result == SEEK_MORE)
			continue;
		assert_true(found == 0 || at > last); /* places rise */
		last = at++;
		found++;
	}
	substring_finish(&n);
	return found;
}

static void
test_wrapped_text(void **state)
{
	static const char text[] = "one two three four\nfive ONE six\n\none";
	struct wrap w = { 0 };
	size_t top = 0;

	wrap_set(&w, text, strlen(text), 10);
	struct seekable s = seek_wrap(&w, &top, 2, 3);
	assert_int_equal(count_all(&s, "one"), 3);
	assert_int_equal(count_all(&s, "two thr"), 1); /* over the end of a row */
	assert_int_equal(count_all(&s, "zzz"), 0);
	for (size_t at = 0; at < strlen(text); at++) {
		struct wrap_row row, next;
		size_t number = wrap_row_of(&w, at);
		assert_true(wrap_row_at(&w, number, &row));
		assert_true(row.start <= at);
		assert_true(!wrap_row_at(&w, number + 1, &next) || at < next.start);
	}
	s.show(&s, strlen(text) - 3);
	assert_true(top > 0);
	assert_in_range(s.row(&s, strlen(text) - 3), 3, 4);
	assert_int_equal(s.row(&s, 0), -1);
	wrap_finish(&w);
}

/* A match across the end of a slice is found once. */
static void
test_long_text(void **state)
{
	size_t len = ((size_t)3 << 20) + 100, top = 0;
	char *text = mem_alloc(len);
	struct wrap w = { 0 };

	memset(text, 'a', len);
	for (size_t at = ((size_t)1 << 20) - 10; at < len - 10; at += (size_t)1 << 20)
		memcpy(text + at, "x needle in hay y", 17);
	wrap_set(&w, text, len, 80);
	struct seekable s = seek_wrap(&w, &top, 20, 0);
	assert_int_equal(count_all(&s, "needle in hay"), 3);
	s.show(&s, len - 1);
	assert_in_range(s.row(&s, len - 1), 0, 19);
	wrap_finish(&w);
	free(text);
}

static void
test_page(void **state)
{
	struct page p = { 0 };
	struct grid g;

	grid_init(&g, 20, 4);
	page_head(&p, "Head");
	page_row(&p, 8, "key", ROLE_TEXT, "a value that takes more than one row, and a key");
	page_gap(&p);
	page_text(&p, 2, ROLE_DIM, "the end");
	page_draw(&p, surface_whole(&g), ROLE_NONE, true);
	struct seekable s = seek_page(&p);
	assert_int_equal(count_all(&s, "key"), 2);
	assert_int_equal(count_all(&s, "keya"), 0); /* a key and its text are two */
	assert_int_equal(count_all(&s, "HEAD"), 1);
	struct substring n;
	size_t at = 0;
	substring_init(&n, "the end", 7);
	assert_int_equal(s.seek(&s, &n, &at), SEEK_FOUND);
	s.show(&s, at);
	page_draw(&p, surface_whole(&g), ROLE_NONE, true);
	int row = s.row(&s, at);
	assert_in_range(row, 0, 3);
	surface_light(surface_whole(&g), &n, row);
	const struct cell *cell = &g.cells[(size_t)row * 20 + 2];
	assert_int_equal(cell->ch, 't');
	assert_int_equal(cell->style.ink, ROLE_MATCH);
	assert_true(cell->style.attr & ATTR_REVERSE);
	assert_int_not_equal(cell[7].style.ink, ROLE_MATCH);
	substring_finish(&n);
	page_finish(&p);
	grid_finish(&g);
}

static void
light(struct grid *g, const char *needle, const char *lit)
{
	struct substring n;

	substring_init(&n, needle, strlen(needle));
	surface_light(surface_whole(g), &n, -1);
	for (int x = 0; lit[x]; x++)
		assert_int_equal(g->cells[x].style.ink == ROLE_MATCH, lit[x] == '#');
	substring_finish(&n);
	surface_clear(surface_whole(g), style_of(ROLE_TEXT));
}

static void
test_light(void **state)
{
	struct grid g;

	grid_init(&g, 12, 1);
	surface_text(surface_whole(&g), 0, 0, -1, style_of(ROLE_TEXT), "aAbaab");
	light(&g, "ab", ".##.##......");
	surface_text(surface_whole(&g), 0, 0, -1, style_of(ROLE_TEXT), "x日本y日本");
	light(&g, "日本", ".####.####..");
	surface_text(surface_whole(&g), 0, 0, -1, style_of(ROLE_TEXT), "日本");
	light(&g, "本x", "............");
	surface_text(surface_whole(&g), 0, 0, -1, style_of(ROLE_TEXT), "end of line");
	light(&g, "line and more", "............");
	surface_text(surface_whole(&g), 0, 0, -1, style_of(ROLE_TEXT), "a\xff");
	light(&g, "a\xff", "............"); /* no text at all: nothing to light, and an end */
	light(&g, "", "............");
	grid_finish(&g);
}

static void
add_number(const struct seekable *s, size_t row, struct buf *out)
{
	buf_addf(out, "row %zu", row);
}

static void
test_list(void **state)
{
	struct list list = { 0 };

	list_set_count(&list, 30000);
	list_set_height(&list, 10);
	struct seekable s = seek_list(&list, 2, &list, NULL, add_number);
	assert_int_equal(count_all(&s, "row 29"), 1 + 10 + 100 + 1000);
	s.show(&s, 20000);
	assert_int_equal(list.selected, 20000);
	assert_int_equal(s.place(&s), 20000);
	assert_in_range(s.row(&s, 20000), 2, 11);
	assert_int_equal(s.row(&s, 5), -1);
}

TEST_FILE(seek)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrapped_text),
		cmocka_unit_test(test_long_text),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_light),
		cmocka_unit_test(test_list),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

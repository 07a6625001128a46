/* SPDX-License-Identifier: MIT */
/* Every view draws inside its rectangle at any size: random values with hostile strings, each with
 * a schema that it breaks. viewer_text() fails the test if a cell outside is drawn. */
#include "base/buf.h"
#include "base/vec.h"
#include "test.h"
#include "viewer.h"

#include <locale.h>
#include <string.h>

static uint32_t
next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* ' means " in the input of a test view. */
static void
add_string(struct buf *out, uint32_t *random)
{
	static const char *const strings[] = { "", "id", "name", "a", "null", "-12.50",
		"2026-01-02", "語語語語語語語", "\\u001b[31m", "\\u202eabc",
		"e\xcc\x81\xcc\x82\xcc\x83\xcc\x84", "👩‍👩‍👧‍👦", "🇵🇹🇩🇪",
		"one\\ntwo\\tthree",
		"a word and another one, as long as a sentence of a description",
		"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
		"\\ud800", "\\u0000", "\xe2\x80\x8b\xe2\x80\x8b", "·", "⟨missing⟩" };

	buf_addf(out, "'%s'", strings[next_random(random) % ARRAY_LEN(strings)]);
}

static void
add_value(struct buf *out, uint32_t *random, int depth)
{
	static const char *const scalars[] = { "null", "true", "false", "0", "-1.50", "1e400",
		"12345678901234567890123456789012345678901234567890.5" };
	uint32_t kind = next_random(random) % (depth > 0 ? 8 : 4);
	uint32_t count = next_random(random) % 5;

	if (kind < 2) {
		add_string(out, random);
	} else if (kind < 4) {
		buf_add_str(out, scalars[next_random(random) % ARRAY_LEN(scalars)]);
	} else {
		bool list = kind < 6;
		buf_add_char(out, list ? '[' : '{');
		for (uint32_t i = 0; i < count; i++) {
			buf_add_str(out, i ? "," : "");
			if (!list) {
				add_string(out, random);
				buf_add_char(out, ':');
			}
			add_value(out, random, depth - 1);
		}
		buf_add_char(out, list ? ']' : '}');
	}
}

static const char schema[] =
    "{'required':['id','gone'],'properties':{'id':{'type':'integer','description':'語 of it'},"
    "'name':{'type':'object'}},'items':{'type':'object','required':['id'],'properties':{"
    "'id':{'type':'integer'},'a':{'type':'array'}}},'additionalProperties':{'type':'string'}}";

static void
look(const char *value, enum view_id id, int width, int height)
{
	struct viewer view;

	viewer_open(&view, id, value, schema, width, height);
	viewer_text(&view);
	viewer_facts(&view);
	if (view.ops->open)
		viewer_enter(&view);
	viewer_text(&view);
	viewer_keys(&view, "down right pgdn");
	viewer_text(&view);
	viewer_resize(&view, height, width);
	viewer_text(&view);
	viewer_close(&view);
}

static void
test_every_size(void **state)
{
	static const int widths[] = { 0, 1, 2, 3, 5, 8, 13, 30, 76, 120 };
	static const int heights[] = { 0, 1, 2, 3, 7, 9, 22 };
	struct buf value = BUF_INIT;
	uint32_t random = 13;

	for (int i = 0; i < 60; i++) {
		buf_clear(&value);
		add_value(&value, &random, 1 + i % 5);
		for (int r = 0; r < VIEW_COUNT; r++)
			for (size_t k = i % 3; k < ARRAY_LEN(widths) * ARRAY_LEN(heights); k += 3)
				look(buf_text(&value), (enum view_id)r,
				    widths[k % ARRAY_LEN(widths)], heights[k / ARRAY_LEN(widths)]);
	}
	buf_finish(&value);
}

/* A view on paper is as high as it says: nothing is cut off, and no line is left over. */
static void
test_printed(void **state)
{
	static const int widths[] = { 1, 20, 76 };
	struct buf value = BUF_INIT;
	uint32_t random = 31;

	for (int i = 0; i < 100; i++) {
		buf_clear(&value);
		add_value(&value, &random, 1 + i % 4);
		for (int r = 0; r < VIEW_COUNT; r++)
			for (size_t k = 0; k < ARRAY_LEN(widths); k++) {
				struct viewer view;
				viewer_open(
				    &view, (enum view_id)r, buf_text(&value), NULL, widths[k], 1);
				view.printed = true;
				viewer_replace(&view, buf_text(&value));
				int rows = viewer_want(&view, widths[k]);
				assert_true(rows >= 0 && rows < 10000);
				viewer_resize(&view, widths[k], rows);
				viewer_text(&view);
				viewer_close(&view);
			}
	}
	buf_finish(&value);
}

TEST_FILE(view_sizes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_printed),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "test.h"
#include "workbench/frame/frame.h"

#include <string.h>

static bool
overlap(struct rect a, struct rect b)
{
	return a.width > 0 && b.width > 0 && a.x < b.x + b.width && b.x < a.x + a.width &&
	       a.y < b.y + b.height && b.y < a.y + a.height;
}

static int
area(struct rect r)
{
	return r.width * r.height;
}

/* An app takes the place of content and structuredContent. */
static void
show_app(struct layout_input *in)
{
	in->absent[PANE_app] = false;
	in->absent[PANE_content] = in->absent[PANE_structured] = true;
}

/* Panes and tabs fill all rows but the first and the last, and do not overlap; each has room. */
static void
assert_sound(const struct layout_input *in)
{
	struct layout l = layout_make(in);
	int sum = area(l.tabs);

	for (int i = 0; i < PANE_COUNT; i++) {
		struct rect r = l.panes[i];
		if (r.width == 0)
			continue;
		sum += area(r);
		assert_true(r.x >= 0 && r.x + r.width <= in->width);
		assert_true(r.y >= 1 && r.y + r.height <= in->height - 1);
		/* a frame with something in it, or a title */
		assert_true(r.width >= 4 && (r.height >= 3 || (r.height == 1 && in->silent[i])));
		assert_false(overlap(r, l.tabs));
		for (int k = 0; k < i; k++)
			assert_false(overlap(r, l.panes[k]));
	}
	assert_int_equal(sum, in->width * (in->height - 2));
}

static bool
has_strip(const struct layout_input *in)
{
	return in->height >= LAYOUT_STRIP_ROWS && !in->no_strip;
}

/* The focused pane is always on the screen; where no tabs lead to the panes, all of them are. */
static void
assert_nothing_lost(const struct layout_input *in)
{
	struct layout l = layout_make(in);
	int shown = in->overlay >= 0 ? in->overlay : (int)in->focus;

	assert_true(l.panes[shown].width > 0);
	assert_int_equal(l.tabs.width > 0, l.shape == LAYOUT_TWO || l.shape == LAYOUT_TABS);
	for (int i = 0; i < PANE_COUNT && l.shape == LAYOUT_FULL; i++)
		assert_int_equal(
		    l.panes[i].width > 0, (pane_table[i].slot != SLOT_OVERLAY && !in->absent[i]) ||
					      (i == PANE_journal && has_strip(in)));
	if (l.shape == LAYOUT_TWO) {
		assert_true(l.panes[PANE_tools].width > 0);
		assert_true(l.panes[in->right].width > 0);
	}
}

static void
check(const struct layout_input *in)
{
	assert_sound(in);
	assert_nothing_lost(in);
}

static void
test_every_size(void **state)
{
	static const int wants[] = { 0, 3, 1000, 2147483000, -5 };

	for (int width = 20; width <= 300; width += width < 130 ? 1 : 17) {
		for (int height = 6; height <= 100; height += height < 45 ? 1 : 11) {
			for (size_t w = 0; w < ARRAY_LEN(wants); w++) {
				struct layout_input in = { .absent[PANE_app] = true,
					.width = width,
					.height = height,
					.focus = PANE_form,
					.right = PANE_form,
					.overlay = -1 };
				for (int i = 0; i < PANE_COUNT; i++)
					in.want[i] = wants[(w + (size_t)i * 3) % 5];
				in.has_call = w > 1;
				in.silent[PANE_structured] = w > 2;
				in.silent[PANE_validation] = w > 3;
				in.form_rows = wants[w];
				in.columns = w == 2 ? 1000 : (int)w * 40;
				check(&in);
				in.no_strip = true;
				check(&in);
				in.focus = PANE_tools;
				in.right = PANE_structured;
				check(&in);
				in.right = PANE_app;
				show_app(&in);
				check(&in);
			}
		}
	}
}

static void
test_every_focus(void **state)
{
	static const struct {
		int width, height;
	} sizes[] = { { 20, 6 }, { 80, 24 }, { 120, 26 }, { 120, 36 }, { 300, 100 } };

	for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
		for (int pane = 0; pane < PANE_COUNT; pane++) {
			struct layout_input in = { .absent[PANE_app] = true,
				.width = sizes[s].width,
				.height = sizes[s].height,
				.right = PANE_content,
				.overlay = -1 };
			enum pane_slot slot = pane_table[pane].slot;
			if (slot == SLOT_OVERLAY)
				in.overlay = pane;
			else
				in.focus = (enum pane_id)pane;
			if (slot == SLOT_STACKED)
				in.right = (enum pane_id)pane;
			if (pane == PANE_app)
				show_app(&in);
			check(&in);
			in.zoomed = true;
			check(&in);
			assert_int_equal(layout_make(&in).shape, LAYOUT_ONE);
		}
	}
}

static void
test_shapes(void **state)
{
	struct layout_input in = {
		.absent[PANE_app] = true, .overlay = -1, .focus = PANE_form, .right = PANE_form
	};

	in.width = LAYOUT_TWO_COLUMNS;
	in.height = LAYOUT_STACK_ROWS;
	assert_int_equal(layout_make(&in).shape, LAYOUT_FULL);
	in.height--;
	assert_int_equal(layout_make(&in).shape, LAYOUT_TWO);
	in.width--;
	assert_int_equal(layout_make(&in).shape, LAYOUT_TABS);
	in.height = 1000;
	assert_int_equal(layout_make(&in).shape, LAYOUT_TABS);
}

/* The user's wish comes before the width, as far as two fit. */
static void
test_stacks_wanted(void **state)
{
	static const struct {
		int width, stacks;
		bool two;
	} cases[] = {
		{ 300, 1, false },
		{ 300, 0, true },
		{ LAYOUT_TWO_STACKS_LEAST, 0, false },
		{ LAYOUT_TWO_STACKS_LEAST, 2, true },
		{ LAYOUT_TWO_STACKS_LEAST - 1, 2, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct layout_input in = { .absent[PANE_app] = true,
			.sizes.stacks = cases[i].stacks,
			.width = cases[i].width,
			.height = LAYOUT_STACK_ROWS,
			.overlay = -1,
			.focus = PANE_form,
			.right = PANE_form };
		struct layout l = layout_make(&in);
		assert_int_equal(l.panes[PANE_structured].x > l.panes[PANE_form].x, cases[i].two);
	}
}

/* list │ form, content │ structuredContent, validation */
static void
test_two_stacks(void **state)
{
	static const struct {
		int width, height;
		bool two;
	} cases[] = {
		{ LAYOUT_TWO_STACKS, LAYOUT_STACK_ROWS, true },
		{ LAYOUT_TWO_STACKS - 1, LAYOUT_STACK_ROWS, false },
		{ LAYOUT_TWO_STACKS_SHORT, LAYOUT_STACK_ROWS - 1, true },
		{ LAYOUT_TWO_STACKS_SHORT, LAYOUT_SHORT_ROWS, true },
		{ 300, LAYOUT_SHORT_ROWS - 1, false },
		{ LAYOUT_TWO_STACKS_SHORT - 1, LAYOUT_STACK_ROWS - 1, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct layout_input in = { .absent[PANE_app] = true,
			.width = cases[i].width,
			.height = cases[i].height,
			.overlay = -1,
			.focus = PANE_form,
			.right = PANE_form };
		struct layout l = layout_make(&in);
		const struct rect *form = &l.panes[PANE_form], *data = &l.panes[PANE_structured];
		assert_int_equal(data->width > 0 && data->x > form->x, cases[i].two);
		if (!cases[i].two)
			continue;
		assert_int_equal(l.shape, LAYOUT_FULL);
		assert_int_equal(data->y, form->y);
		assert_int_equal(l.panes[PANE_content].x, form->x);
		assert_int_equal(l.panes[PANE_validation].x, data->x);
		/* without structuredContent the second stack is for content */
		in.has_call = in.silent[PANE_structured] = true;
		l = layout_make(&in);
		assert_int_equal(l.panes[PANE_content].x, l.panes[PANE_structured].x);
		assert_int_equal(l.panes[PANE_structured].height, 1);
	}
}

/* The borders rest while one goes from tool to tool: only a form that is cut moves them. */
static void
test_rests(void **state)
{
	struct layout_input in = { .absent[PANE_app] = true,
		.width = 120,
		.height = 36,
		.overlay = -1,
		.focus = PANE_tools,
		.right = PANE_form };

	in.want[PANE_content] = in.want[PANE_validation] = 1;
	in.want[PANE_structured] = 4;
	in.want[PANE_form] = in.form_rows = 12;
	int before = layout_make(&in).panes[PANE_form].height;
	assert_int_equal(before, 14);
	in.want[PANE_form] = 1000; /* a form grows before the outline of a result */
	assert_int_equal(layout_make(&in).panes[PANE_form].height, 34 - 3 * 3);
	in.want[PANE_form] = 3;
	assert_int_equal(layout_make(&in).panes[PANE_form].height, before);
	in.want[PANE_structured] = 1000; /* the outline of a result may scroll */
	assert_int_equal(layout_make(&in).panes[PANE_form].height, before);
	/* a result that needs the rows gets them */
	in.has_call = true;
	assert_int_equal(layout_make(&in).panes[PANE_form].height, 5);
}

static void
test_strip(void **state)
{
	struct layout_input in = { .absent[PANE_app] = true,
		.width = 120,
		.height = LAYOUT_STRIP_ROWS,
		.overlay = -1,
		.focus = PANE_form,
		.right = PANE_form };
	struct layout l = layout_make(&in);

	assert_int_equal(l.panes[PANE_journal].height, 6);
	assert_int_equal(l.panes[PANE_journal].x, l.panes[PANE_form].x);
	in.height = 100;
	assert_int_equal(layout_make(&in).panes[PANE_journal].height, 10);
	in.sizes.height[PANE_journal] = 20;
	assert_int_equal(layout_make(&in).panes[PANE_journal].height, 20);
	in.no_strip = true;
	assert_int_equal(layout_make(&in).panes[PANE_journal].width, 0);
}

/* An overlay that says how many rows it wants is a box over the others. */
static void
test_box(void **state)
{
	struct layout_input in = {
		.absent[PANE_app] = true, .width = 120, .height = 36, .overlay = PANE_questions
	};

	assert_int_equal(layout_make(&in).shape, LAYOUT_ONE);
	in.want[PANE_questions] = 12;
	struct layout l = layout_make(&in);
	const struct rect *r = &l.panes[PANE_questions];
	assert_int_equal(l.shape, LAYOUT_BOX);
	assert_int_equal(r->height, 14);
	assert_int_equal(r->x, in.width - r->x - r->width);
	in.want[PANE_questions] = 1000;
	assert_int_equal(layout_make(&in).panes[PANE_questions].height, 34);
	in.width = LAYOUT_TWO_COLUMNS - 1;
	assert_int_equal(layout_make(&in).shape, LAYOUT_ONE);
}

/* A table at the bottom gets all columns and the rows it needs; the content above it stays
 * visible. */
static void
test_wide_box(void **state)
{
	struct layout_input in = { .absent[PANE_app] = true,
		.width = 120,
		.height = 36,
		.overlay = PANE_batch,
		.is_wide = true };

	in.want[PANE_batch] = 12;
	struct layout l = layout_make(&in);
	const struct rect *r = &l.panes[PANE_batch];
	assert_int_equal(l.shape, LAYOUT_BOX);
	assert_int_equal(r->x, 0);
	assert_int_equal(r->width, 120);
	assert_int_equal(r->height, 14);
	assert_int_equal(r->y + r->height, 35);
	in.want[PANE_batch] = 1;
	assert_int_equal(layout_make(&in).panes[PANE_batch].height, 10);
	in.want[PANE_batch] = 26; /* the strip above would show nothing */
	assert_int_equal(layout_make(&in).shape, LAYOUT_ONE);
	in.want[PANE_batch] = 12;
	in.width = LAYOUT_TWO_COLUMNS - 1;
	assert_int_equal(layout_make(&in).shape, LAYOUT_ONE);
}

/* The list is as wide as its names. */
static void
test_list_width(void **state)
{
	static const int cases[][4] = { { 120, 36, 0, 36 }, { 120, 36, 36, 40 },
		{ 120, 36, 1000, 40 }, { 200, 60, 20, 60 } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct layout_input in = { .width = cases[i][0], .height = cases[i][1] };
		in.want[PANE_tools] = cases[i][2];
		assert_int_equal(layout_columns(&in).list, cases[i][3]);
	}
}

/* A wide table takes space from the descriptions, then from the form, within a limit; sizes set by
 * the user stay. */
static void
test_columns_of_a_table(void **state)
{
	struct layout_input in = { .width = 200, .height = 60, .want[PANE_tools] = 30 };
	struct layout_columns narrow = layout_columns(&in);

	in.columns = narrow.stacks[1] - 4;
	assert_int_equal(layout_columns(&in).stacks[1], narrow.stacks[1]);
	in.columns += 10;
	assert_int_equal(layout_columns(&in).stacks[1], narrow.stacks[1] + 10);
	assert_int_equal(layout_columns(&in).stacks[0], narrow.stacks[0]);
	in.columns = 1000;
	struct layout_columns wide = layout_columns(&in);
	assert_int_equal(wide.list, 36);
	assert_int_equal(wide.stacks[0], 54);
	assert_int_equal(wide.stacks[1], 110);
	in.sizes.left = 70;
	assert_int_equal(layout_columns(&in).list, 70);
	in.sizes.middle = 60;
	assert_int_equal(layout_columns(&in).stacks[0], 60);
	in.sizes = (struct layout_sizes){ 0 };
	in.width = 120; /* one stack */
	assert_int_equal(layout_columns(&in).stacks[1], 0);
}

/* The result gets the space that the other panes do not need. */
static void
test_shares(void **state)
{
	struct layout_input in = { .absent[PANE_app] = true,
		.width = 120,
		.height = 60,
		.overlay = -1,
		.focus = PANE_form,
		.right = PANE_form,
		.has_call = true,
		.no_strip = true };
	struct layout modest = layout_make(&in);

	for (int i = 0; i < PANE_COUNT; i++)
		in.want[i] = 1000;
	struct layout greedy = layout_make(&in);
	assert_true(modest.panes[PANE_structured].height > 40);
	assert_true(greedy.panes[PANE_form].height > modest.panes[PANE_form].height);
	assert_true(greedy.panes[PANE_structured].height < modest.panes[PANE_structured].height);
	assert_true(greedy.panes[PANE_structured].height >= 6);
	in.want[PANE_form] = 8;
	assert_int_equal(layout_make(&in).panes[PANE_form].height, 10);
	/* if no structuredContent came content may have more, before a call the form may */
	in.want[PANE_validation] = 1;
	int content = layout_make(&in).panes[PANE_content].height;
	in.silent[PANE_structured] = true;
	assert_true(layout_make(&in).panes[PANE_content].height > content);
	assert_int_equal(layout_make(&in).panes[PANE_structured].height, 1);
	in.want[PANE_form] = 1000;
	int form = layout_make(&in).panes[PANE_form].height;
	in.has_call = false;
	assert_true(layout_make(&in).panes[PANE_form].height > form);
	/* rows that content does not need go to the form that is cut */
	in.has_call = true;
	in.want[PANE_form] = 30;
	in.want[PANE_content] = 5;
	assert_int_equal(layout_make(&in).panes[PANE_form].height, 32);
}

/* Sizes set by the user are kept if there is space; the other panes share the rest. */
static void
test_set_sizes(void **state)
{
	struct layout_input in = { .absent[PANE_app] = true,
		.width = 120,
		.height = 40,
		.overlay = -1,
		.focus = PANE_form,
		.right = PANE_form,
		.has_call = true };

	in.sizes.left = 50;
	in.sizes.height[PANE_content] = 12;
	in.sizes.height[PANE_validation] = 9;
	struct layout l = layout_make(&in);
	assert_int_equal(l.panes[PANE_tools].width, 50);
	assert_int_equal(l.panes[PANE_content].height, 12);
	assert_int_equal(l.panes[PANE_validation].height, 9);
	assert_int_equal(l.panes[PANE_structured].height, 38 - 12 - 9 - 5);
	for (int left = 1; left < 400; left += 13) {
		for (int height = 1; height < 80; height += 7) {
			in.sizes.left = left;
			in.sizes.height[PANE_form] = height;
			in.sizes.height[PANE_structured] = height / 2;
			in.sizes.height[PANE_journal] = height;
			in.sizes.middle = left / 2;
			in.width = left % 2 ? 120 : 170;
			in.height = height % 2 ? 40 : 50;
			check(&in);
			in.absent[PANE_structured] = in.absent[PANE_validation] = true;
			assert_sound(&in);
			in.absent[PANE_structured] = in.absent[PANE_validation] = false;
		}
	}
}

TEST_FILE(layout)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_every_focus),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_two_stacks),
		cmocka_unit_test(test_stacks_wanted),
		cmocka_unit_test(test_rests),
		cmocka_unit_test(test_strip),
		cmocka_unit_test(test_list_width),
		cmocka_unit_test(test_columns_of_a_table),
		cmocka_unit_test(test_box),
		cmocka_unit_test(test_wide_box),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_set_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

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
		assert_true(r.width >= 4 && r.height >= 3); /* a frame with something in it */
		assert_false(overlap(r, l.tabs));
		for (int k = 0; k < i; k++)
			assert_false(overlap(r, l.panes[k]));
	}
	assert_int_equal(sum, in->width * (in->height - 2));
}

/* What has the focus is on the screen; where there are no tabs to get at them, all panes are. */
static void
assert_nothing_lost(const struct layout_input *in)
{
	struct layout l = layout_make(in);
	int shown = in->overlay >= 0 ? in->overlay : (int)in->focus;

	assert_true(l.panes[shown].width > 0);
	assert_int_equal(l.tabs.width > 0, l.shape == LAYOUT_TWO || l.shape == LAYOUT_TABS);
	for (int i = 0; i < PANE_COUNT && l.shape == LAYOUT_FULL; i++)
		assert_int_equal(l.panes[i].width > 0, pane_table[i].slot != SLOT_OVERLAY);
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
				struct layout_input in = { .width = width,
					.height = height,
					.focus = PANE_form,
					.right = PANE_form,
					.overlay = -1 };
				for (int i = 0; i < PANE_COUNT; i++)
					in.want[i] = wants[(w + (size_t)i * 3) % 5];
				in.has_call = w > 1;
				in.has_structured = w > 2;
				check(&in);
				in.focus = PANE_tools;
				in.right = PANE_structured;
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
			struct layout_input in = { .width = sizes[s].width,
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
	struct layout_input in = { .overlay = -1, .focus = PANE_form, .right = PANE_form };

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

/* The result gets what the others do not want. */
static void
test_shares(void **state)
{
	struct layout_input in = { .width = 120,
		.height = 60,
		.overlay = -1,
		.focus = PANE_form,
		.right = PANE_form,
		.has_call = true,
		.has_structured = true };
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
	/* where no structuredContent came content may have more, before a call the form may */
	in.want[PANE_validation] = 1;
	int content = layout_make(&in).panes[PANE_content].height;
	in.has_structured = false;
	assert_true(layout_make(&in).panes[PANE_content].height > content);
	in.want[PANE_form] = 1000;
	int form = layout_make(&in).panes[PANE_form].height;
	in.has_call = false;
	assert_true(layout_make(&in).panes[PANE_form].height > form);
	/* a pane that says that nothing came leaves its rows to those that are cut */
	in.has_call = in.has_none = true;
	in.want[PANE_structured] = 1;
	in.want[PANE_form] = 30;
	in.want[PANE_content] = 1000;
	assert_int_equal(layout_make(&in).panes[PANE_structured].height, 3);
	in.want[PANE_content] = 5;
	assert_int_equal(layout_make(&in).panes[PANE_form].height, 32);
	assert_int_equal(layout_make(&in).panes[PANE_content].height, 7);
	assert_int_equal(layout_left_width(10, &in.sizes), 26);
	assert_int_equal(layout_left_width(1000, &in.sizes), 44);
}

/* What the user set is kept as far as there is room; the others share the rest. */
static void
test_set_sizes(void **state)
{
	struct layout_input in = { .width = 120,
		.height = 40,
		.overlay = -1,
		.focus = PANE_form,
		.right = PANE_form,
		.has_call = true,
		.has_structured = true };

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
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_set_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

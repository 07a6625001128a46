/* SPDX-License-Identifier: MIT */
/* Ways to fill in a form besides typing: variants, names of maps, files, $EDITOR, the preview. Uses
 * the whole interface without a terminal. */
#include "quoted.h"
#include "one_stage.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* The list is framed, dims nothing, and is placed below the hint of its field. */
static void
test_suggestions_spare_the_hint(void **state)
{
	for (int width = 80; width <= 160; width += 40) {
		stage_resize(&stage, width, 24);
		assert_true(stage_run(&stage, "prompt plan_trip"));
		assert_true(stage_run(&stage, "set country \"Austria\""));
		stage_run(&stage, "pane form");
		stage_keys(&stage, "home down enter");
		stage_settle(&stage, 200);
		const char *screen = stage_text(&stage), *list = strstr(screen, "Innsbruck");
		const char *hint = strstr(screen, "A city of");
		assert_non_null(list);
		assert_non_null(hint);
		const char *end = strstr(hint, "country");
		assert_true(end && end < strstr(screen, "Graz"));
		stage_keys(&stage, "esc esc");
		stage_run(&stage, "pane tools");
	}
}

static int
set_up(void **state)
{
	stage_set_up(state);
	return !stage_run(&stage, "tool draw_shape");
}

/* With ' for ". */
static void
sends(const char *expected)
{
	struct buf out = BUF_INIT;
	char *text = quoted(expected);

	form_to_json(workbench_workspace(stage.wb)->desk->form, &out);
	assert_string_equal(buf_text(&out), text);
	buf_finish(&out);
	free(text);
}

static void
edited(const char *text)
{
	workbench_on_edited(stage.wb, text, strlen(text), NULL, stage.now_us);
}

static void
test_variants_by_keys(void **state)
{
	sends("{'shape':{'kind':'circle','radius':1}}");
	stage_keys(&stage, "enter down enter");
	sends("{'shape':{'kind':'rectangle'}}");
	stage_keys(&stage, "left"); /* folds */
	see("Rectangle ▸ {\"kind\":");
	see_not("width");
	stage_keys(&stage, "right enter r enter"); /* by its letter: it is there */
	see("width *");
	stage_keys(&stage, "enter c enter"); /* back: the previous value returns */
	sends("{'shape':{'kind':'circle','radius':1}}");
	stage_keys(&stage, "down enter"); /* the value of a constant cannot change */
	sends("{'shape':{'kind':'circle','radius':1}}");
	stage_keys(&stage, "down down down"); /* fill: named, RGB or null */
	stage_keys(&stage, "esc o");
	sends("{'shape':{'kind':'circle','radius':1},'fill':'red'}");
	see("  value");
	stage_keys(&stage, "o");
	sends("{'shape':{'kind':'circle','radius':1},'fill':null}");
	stage_keys(&stage, "enter R enter");
	see("  g *");
	stage_keys(&stage, "esc x"); /* as JSON, and back */
	sends("{'shape':{'kind':'circle','radius':1},'fill':{}}");
	stage_keys(&stage, "x");
	see("  g *");
}

static void
test_values_of_variants(void **state)
{
	stage_keys(&stage, "down down down down down"); /* line: a number or a string */
	see("number or string · How wide");
	stage_type(&stage, "7"); /* in one row, and of the type that it looks like */
	see(" number   number or string");
	stage_keys(&stage, "esc");
	sends("{'shape':{'kind':'circle','radius':1},'line':7}");
	stage_keys(&stage, "~");
	sends("{'shape':{'kind':'circle','radius':1},'line':'7'}");
	see(" string   number or string");
	stage_keys(&stage, "enter"); /* a string stays one until it is switched back */
	stage_type(&stage, "0");
	sends("{'shape':{'kind':'circle','radius':1},'line':'70'}");
	stage_keys(&stage, "alt-t");
	sends("{'shape':{'kind':'circle','radius':1},'line':70}");
	stage_keys(&stage, "ctrl-u");
	stage_type(&stage, "thin");
	stage_keys(&stage, "esc ~");
	see("this text has only one possible type");
	sends("{'shape':{'kind':'circle','radius':1},'line':'thin'}");
	assert_true(stage_run(&stage, "set line -2"));
	assert_true(stage_run(&stage, "set shape.radius -2"));
	stage_keys(&stage, "n");
	see("✗ expected more than 0");
	assert_true(stage_run(&stage, "set inside [{'kind':'circle'}]") == false);
	assert_true(stage_run(&stage, "set inside [{\"kind\":\"circle\"}]"));
	see("[0]");
	stage_keys(&stage, "n n");
	see("✗ required");
}

static void
test_names_of_a_map(void **state)
{
	assert_true(stage_run(&stage, "set labels {}"));
	stage_keys(&stage, "end up up");
	see("▌  + add");
	stage_keys(&stage, "enter");
	stage_type(&stage, "one");
	see("the name of the new property");
	stage_keys(&stage, "enter");
	stage_type(&stage, "first");
	stage_keys(&stage, "esc a");
	stage_type(&stage, "one");
	stage_keys(&stage, "enter"); /* is taken: still typing */
	see("\"one\" already exists");
	stage_type(&stage, "s");
	stage_keys(&stage, "tab esc");
	sends("{'shape':{'kind':'circle','radius':1},'labels':{'one':'first','ones':''}}");
	stage_keys(&stage, "c");
	stage_type(&stage, "2");
	stage_keys(&stage, "enter esc");
	sends("{'shape':{'kind':'circle','radius':1},'labels':{'one':'first','2':''}}");
	stage_keys(&stage, "c esc delete");
	sends("{'shape':{'kind':'circle','radius':1},'labels':{'one':'first'}}");
	stage_keys(&stage, "home esc c");
	see("the schema defines this name: it cannot be changed");
}

static void
test_offered_names(void **state)
{
	assert_true(stage_run(&stage, "tool plan_trip"));
	assert_true(stage_run(&stage, "set seats {}"));
	assert_true(stage_run(&stage, "set by car"));
	stage_keys(&stage, "down down down down down esc a");
	see("│ adult ");
	see("│ child ");
	stage_keys(&stage, "down enter"); /* the first one, and its value is typed at once */
	stage_type(&stage, "2");
	stage_keys(&stage, "esc a");
	see_not("│ adult "); /* taken */
	stage_type(&stage, "c");
	stage_keys(&stage, "tab tab"); /* completes, takes */
	stage_type(&stage, "1");
	stage_keys(&stage, "esc");
	sends("{'by':'car','seats':{'adult':2,'child':1}}");
	stage_keys(&stage, "c backspace");
	see("│ bicycle ");
	stage_keys(&stage, "down enter");
	sends("{'by':'car','seats':{'adult':2,'bicycle':1}}");
}

static void
test_a_tuple(void **state)
{
	assert_true(stage_run(&stage, "tool plan_trip"));
	stage_keys(&stage, "down down down enter"); /* place: fields for both numbers */
	see("[0]");
	see("number -90…90 · Latitude");
	see("[1]");
	see_not("+ add");
	stage_keys(&stage, "down");
	stage_type(&stage, "48.10");
	stage_keys(&stage, "tab");
	stage_type(&stage, "11");
	stage_keys(&stage, "esc a");
	see("the schema fixes the number of its items");
	sends("{'place':[48.10,11]}");
	stage_keys(&stage, "up delete");
	see("only the last of these items can be removed");
}

static void
test_fields_that_depend(void **state)
{
	assert_true(stage_run(&stage, "tool plan_trip"));
	see("one of email or phone is required"); /* before anything is sent */
	see_not("plate *");
	see("class  ");
	stage_keys(&stage, "enter");
	stage_type(&stage, "By c");
	stage_keys(&stage, "enter");
	see("plate *");
	see_not("class  ");
	see_not("day *");
	stage_keys(&stage, "down down");
	assert_true(stage_run(&stage, "set back 2026-07-28T12:30:00Z"));
	see("day *");
	assert_true(stage_run(&stage, "set plate ABC"));
	assert_true(stage_run(&stage, "set by train"));
	see_not("plate *");
	sends("{'by':'train','back':'2026-07-28T12:30:00Z'}");
	assert_true(stage_run(&stage, "set by car"));
	sends("{'by':'car','back':'2026-07-28T12:30:00Z','plate':'ABC'}");
	stage_keys(&stage, "f5 esc");
	see("✗ one of email or phone is required");
}

static void
test_free_names(void **state)
{
	assert_true(stage_run(&stage, "tool plan_trip"));
	assert_true(stage_run(&stage, "set notes {}"));
	stage_keys(&stage, "down down down down down down down esc a");
	stage_type(&stage, "count");
	stage_keys(&stage, "enter");
	stage_type(&stage, "5");
	stage_keys(&stage, "esc a");
	stage_type(&stage, "word");
	stage_keys(&stage, "enter");
	stage_type(&stage, "five");
	stage_keys(&stage, "esc");
	sends("{'notes':{'count':5,'word':'five'}}");
	stage_keys(&stage, "up esc ~");
	sends("{'notes':{'count':'5','word':'five'}}");
}

static void
test_a_file_into_a_field(void **state)
{
	buf_add_str(&stage.file, "two\nlines");
	assert_true(stage_run(&stage, "file shape.name /file"));
	sends("{'shape':{'kind':'circle','radius':1,'name':'two\\nlines'}}");
	assert_true(stage_run(&stage, "file /shape/name base64 /file"));
	sends("{'shape':{'kind':'circle','radius':1,'name':'dHdvCmxpbmVz'}}");
	buf_add(&stage.file, "\0\xff", 2); /* not text: base64 is chosen automatically */
	assert_true(stage_run(&stage, "file shape.name /file"));
	sends("{'shape':{'kind':'circle','radius':1,'name':'dHdvCmxpbmVzAP8='}}");
	assert_false(stage_run(&stage, "file shape.name raw /file"));
	assert_false(stage_run(&stage, "file shape.name /other"));
	assert_string_equal(workbench_message(stage.wb), "/other: No such file or directory");
	assert_false(stage_run(&stage, "file shape.name"));
	assert_false(stage_run(&stage, "file no.such /file"));
	stage_keys(&stage, "down down down esc f"); /* asks for the path */
	see("file /shape/name");
	stage_type(&stage, "base64 /file");
	stage_keys(&stage, "enter");
	see("as base64");
}

static void
test_a_field_in_the_editor(void **state)
{
	stage_keys(&stage, "esc V");
	assert_string_equal(
	    buf_text(&stage.edited), "{\n  \"kind\": \"circle\",\n  \"radius\": 1\n}\n");
	edited("{\"kind\":\"rectangle\",\"width\":1.50,\"height\":2}\n");
	sends("{'shape':{'kind':'rectangle','width':1.50,'height':2}}");
	assert_true(stage_run(&stage, "edit shape.name"));
	assert_string_equal(buf_text(&stage.edited), "\n");
	edited("a \"name\"\nof two lines\n");
	sends("{'shape':{'kind':'rectangle','width':1.50,'height':2,"
	      "'name':'a \\\"name\\\"\\nof two lines'}}");
	assert_true(stage_run(&stage, "edit shape"));
	edited("{\n");
	see("kept as typed, but it is not valid JSON");
	assert_false(stage_run(&stage, "edit no.such"));
	assert_true(stage_run(&stage, "edit"));
	edited("{\"shape\":{\"kind\":\"circle\",\"radius\":3}}");
	sends("{'shape':{'kind':'circle','radius':3}}");
}

/* The pane of questions may show none; the form below it is the one that is meant. */
static void
test_a_field_below_the_questions_in_the_editor(void **state)
{
	stage_keys(&stage, "esc");
	assert_true(stage_run(&stage, "questions"));
	assert_true(stage_run(&stage, "edit shape"));
	edited("{\"kind\":\"circle\",\"radius\":4}\n");
	sends("{'shape':{'kind':'circle','radius':4}}");
}

/* An editor that cannot open does not change what the text in the open one is for. */
static void
test_a_second_editor(void **state)
{
	stage_keys(&stage, "esc");
	assert_true(stage_run(&stage, "edit shape"));
	stage.no_editor = true;
	assert_false(stage_run(&stage, "edit"));
	assert_false(stage_run(&stage, "edit shape.name"));
	edited("{\"kind\":\"circle\",\"radius\":4}\n");
	sends("{'shape':{'kind':'circle','radius':4}}");
}

static void
test_examples_are_offered(void **state)
{
	assert_true(stage_run(&stage, "tool search_orders"));
	stage_keys(&stage, "down enter");
	see("│ Alice");
	see("│ Dora");
	stage_type(&stage, "d");
	see_not("│ Alice");
	stage_keys(&stage, "tab enter");
	sends("{'customer':'Dora'}");
	see("▌limit");                                           /* Enter moves to the next field */
	stage_keys(&stage, "esc up enter backspace down enter"); /* chosen from the list */
	sends("{'customer':'Dora'}");
	stage_keys(&stage, "esc up enter");
	stage_type(&stage, "x");
	see_not("│ Dora");
	stage_keys(&stage, "down"); /* none is left: on to the next field */
	sends("{'customer':'Dorax'}");
	see("▌limit");
}

static void
test_titles_and_their_values(void **state)
{
	assert_true(stage_run(&stage, "tool update_order"));
	stage_keys(&stage, "down enter");
	see("Open, not paid      open · Waits for the money");
	see("On its way          shipped");
	stage_keys(&stage, "down enter");
	stage_keys(&stage, "enter D enter");
	see("Delivered  delivered");
}

static void
test_preview(void **state)
{
	assert_true(stage_run(&stage, "set shape.radius 12345678901234567890.10"));
	stage_keys(&stage, "esc p");
	see("\"radius\": 12345678901234567890.10");
	see("60 bytes");
	stage_keys(&stage, "down pagedown esc");
	see("radius *");
	stage_keys(&stage, "p f5"); /* a key of the program leaves it */
	stage_settle(&stage, 100);
	see("A circle of area");
}

/* Keys that its filter does not use act as commands. */
static void
test_quit_from_an_open_list(void **state)
{
	stage_keys(&stage, "enter");
	see("Rectangle");
	stage_keys(&stage, "ctrl-q");
	assert_true(stage.quit);
}

TEST_FILE(form_choices)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_quit_from_an_open_list, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_variants_by_keys, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_values_of_variants, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_names_of_a_map, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_offered_names, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_a_tuple, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_fields_that_depend, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_free_names, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_a_file_into_a_field, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_a_field_in_the_editor, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_a_field_below_the_questions_in_the_editor, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_a_second_editor, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_examples_are_offered, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_suggestions_spare_the_hint, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_titles_and_their_values, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_preview, set_up, stage_tear_down),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

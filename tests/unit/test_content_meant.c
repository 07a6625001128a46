/* SPDX-License-Identifier: MIT */
/* The content pane shows text rendered, and as the model receives it. */
#include "base/buf.h"
#include "base/vec.h"
#include "base/mem.h"
#include "json/write.h"
#include "client/lens.h"
#include "one_stage.h"
#include "pane/content/content.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const struct content *
content(void)
{
	return stage.wb->panes[PANE_content].state;
}

static void
call_text(const char *text)
{
	struct buf result = BUF_INIT;
	struct json_writer w;

	buf_add_str(&result,
	    "\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":");
	json_write_init(&w, &result);
	json_write_string(&w, text);
	buf_add_str(&result, "}]}");
	stage_run(&stage, "tool mixed_content");
	stage_answer(&stage, buf_text(&result));
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	buf_finish(&result);
}

static void
test_markdown(void **state)
{
	call_text("# Title\n\nSome **bold** text.\n\n- one\n- two\n");
	see("Markdown · 1 block");
	see("• one");
	see_not("**bold**");
	stage_keys(&stage, "v");
	see("raw · 1 block");
	see("**bold**");
	see("- one");
	/* the choice stays for the next result */
	call_text("## Other\n- item\n");
	see("## Other");
	stage_keys(&stage, "v");
	see("• item");
	call_text("just text");
	see_not("raw ·");
	stage_keys(&stage, "v");
	see("this is plain text");
}

/* A page is readable at once; hidden parts are counted, and one key shows the source. */
static void
test_html(void **state)
{
	call_text("<html><h1>Title &amp; more</h1><p>a <b>b</b><script>evil()</script>");
	see("HTML · 1 block");
	see("Title & more");
	see("a b");
	see_not("<h1>");
	see_not("evil");
	see("not shown: 1 script");
	stage_keys(&stage, "v");
	see("raw · 1 block");
	see("<script>evil()</script>");
	stage_keys(&stage, "v");
}

static void
test_links(void **state)
{
	call_text(
	    "**Go** to [users](demo://users.json), [home](https://a.example/x) or [here](#y).");
	stage_keys(&stage, "n");
	see("Enter follows demo://users.json");
	stage_keys(&stage, "n");
	see("Enter follows https://a.example/x");
	stage_keys(&stage, "enter");
	see("Open in the browser?");
	see("https://a.example/x");
	stage_keys(&stage, "esc n enter");
	see("this link cannot be read");
	stage_keys(&stage, "n enter");
	stage_settle(&stage, 1000);
	see("mixed_content ▸ demo://users.json");
}

static void
test_a_page_that_must_not_be_opened(void **state)
{
	call_text("**A** [link](https://bank.example@evil.example/) to [x](http://a.example/).");
	stage_keys(&stage, "n enter");
	see("cannot be opened");
	see_not("Open in the browser?");
}

static void
test_json(void **state)
{
	call_text("{\"a\":[1,12345678901234567890],\"b\":{\"c\":null}}");
	see("JSON · 1 block");
	see("  \"a\": [");
	see("    12345678901234567890");
	stage_keys(&stage, "v");
	see("{\"a\":[1,12345678901234567890],\"b\":{\"c\":null}}");
}

static void
test_ansi(void **state)
{
	call_text("\033[31mred\033[0m alert");
	see("ANSI · 1 block");
	see("red alert");
	see_not("[31m");
	stage_keys(&stage, "v");
	see("␛[31mred␛[0m alert");
	stage_keys(&stage, "v");
	/* text that a terminal would hide is raw until one asks */
	call_text("\033[31mred\033]0;secret\a\033[0m alert");
	see("raw · 1 block");
	see("secret");
	stage_keys(&stage, "v");
	see("escapes may hide text");
	see_not("secret");
	see("red alert");
}

/* A long page is laid out by a job; search finds the visible text. */
static void
test_long_text(void **state)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "## Part %d\n\nThe **needle%d** of this part.\n\n", i, i);
	call_text(buf_text(&text));
	see("Part 0");
	see_not("## Part");
	assert_non_null(meant_rich(&content()->blocks[0]));
	assert_true(content()->lines > 9000);
	stage_keys(&stage, "/");
	stage_type(&stage, "needle2500 of");
	stage_settle(&stage, 1000);
	stage_keys(&stage, "enter");
	see("The needle2500 of this part.");
	stage_keys(&stage, "G");
	see("needle2999");
	buf_finish(&text);
}

static void
test_clicks(void **state)
{
	call_text("**Go** to [users](demo://users.json).");
	const char *row = strstr(stage_text(&stage), "Go to users");
	assert_non_null(row);
	const char *line = row;
	int y = 0;
	while (line > stage_text(&stage) && line[-1] != '\n')
		line--;
	for (const char *at = stage_text(&stage); at < line; at++)
		y += *at == '\n';
	struct buf before = BUF_INIT;
	buf_add(&before, line, (size_t)(row - line));
	int x = 0;
	for (size_t i = 0; i < before.len; i++)
		x += (before.data[i] & 0xc0) != 0x80;
	buf_finish(&before);
	stage_click(&stage, x + 6, y);
	assert_int_equal(content()->link_in, 1);
	stage_click(&stage, x + 6, y);
	stage_settle(&stage, 1000);
	see("mixed_content ▸ demo://users.json");
}

/* The original bytes, not the rendered text. */
static void
test_a_block_is_saved(void **state)
{
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_true(stage_run(&stage, "save-block 3 /picture.png"));
	assert_non_null(memmem(stage.written.data, stage.written.len, "/picture.png", 12));
	assert_non_null(memmem(stage.written.data, stage.written.len, "\x89PNG\r\n", 6));
	assert_true(stage_run(&stage, "save-block 2 /text"));
	assert_non_null(strstr(buf_text(&stage.written), "\033[1mcolored\033[0m"));
	assert_false(stage_run(&stage, "save-block 3"));
	assert_false(stage_run(&stage, "save-block 10 /x"));
	assert_false(stage_run(&stage, "save-block 5 /x")); /* a link */
	see("neither text nor data");
}

/* 96 by 96 red pixels. */
#define RED_PNG                                                                                    \
	"iVBORw0KGgoAAAANSUhEUgAAAGAAAABgCAIAAABt+uBvAAAAjklEQVR42u3QMQ0AAAgDsMmZfxXIwgEnV5MqaKbl" \
	"EAWCBAkSJEiQIEEIEiRIkCBBggQhSJAgQYIECRKEIEGCBAkSJEiQIAQJEiRIkCBBghAkSJAgQYIECUKQIEGCBAkS" \
	"JEgQggQJEiRIkCBBCBIkSJAgQYIEIUiQIEGCBAkSJAhBggQJEiRIkCAECRL0ZwH5e2JKiv7HoAAAAABJRU5ErkJg" \
	"gg=="

/* The image id of the only picture on the screen. */
static int
picture_rows(void)
{
	const struct grid *g = &stage.grid;
	int rows = 0;

	stage_text(&stage);
	stage_text(&stage); /* it was decoded in the frame before */
	assert_int_equal(g->picture_count, 1);
	for (int y = 0; y < g->height; y++) {
		bool has = false;
		for (int x = 0; x < g->width && !has; x++)
			has = g->cells[y * g->width + x].picture != 0;
		rows += has;
	}
	return rows;
}

/* Beside other panes a picture has few rows; in a pane of the whole height it fills that. */
static void
test_a_picture_fills_a_zoomed_pane(void **state)
{
	stage_answer(&stage,
	    "\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"image\","
	    "\"mimeType\":\"image/png\",\"data\":\"" RED_PNG "\"},"
	    "{\"type\":\"text\",\"text\":\"below\"}]}");
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	assert_int_equal(picture_rows(), 12);
	stage_keys(&stage, "z");
	assert_int_equal(picture_rows(), 30);
	stage_keys(&stage, "end");
	see("below");
	stage_keys(&stage, "z");
	assert_int_equal(picture_rows(), 12);
	stage_resize(&stage, 80, 24); /* one pane and its tabs */
	assert_int_equal(picture_rows(), 17);
}

/* Copying, writing and paging use the block at the top, not the surrounding message. */
static void
test_the_block_in_sight_is_copied(void **state)
{
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	assert_true(stage_run(&stage, "write /first"));
	assert_non_null(strstr(buf_text(&stage.written), "Eight blocks follow"));
	assert_null(strstr(buf_text(&stage.written), "\"jsonrpc\""));
	stage_run(&stage, "block 6"); /* a resource; the picture and the tone above have no text */
	assert_true(stage_run(&stage, "write /sixth"));
	assert_non_null(strstr(buf_text(&stage.written), "# Note"));
}

/* Audio is decoded once, drawn at every width, and played unchanged. */
static void
test_audio(void **state)
{
	stage_resize(&stage, 120, 36);
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	stage_keys(&stage, "z pgdn");
	see("0.050 s · 8 kHz · mono · WAV (Microsoft), Unsigned 8 bit PCM");
	see("⡞");
	const struct audio_span *spans = content()->blocks[3].more->audio.audio.spans;
	assert_non_null(spans);
	stage_resize(&stage, 80, 24);
	stage_text(&stage);
	assert_ptr_equal(content()->blocks[3].more->audio.audio.spans, spans);
	stage_keys(&stage, "z");
	see("p play");
	stage_keys(&stage, "p");
	assert_memory_equal(stage.played.data, ".wavRIFF", 8);
	assert_int_equal(stage.played.len, 4 + 444);
	stage_keys(&stage, "p");
	see("stopped playing");
	assert_int_equal(stage.played.len, 0);
	assert_false(stage_run(&stage, "play 99"));
	assert_false(stage_run(&stage, "play x"));
	/* a damaged block keeps its bytes */
	stage_answer(&stage,
	    "\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"audio\","
	    "\"mimeType\":\"audio/wav\",\"data\":\"UklGRg==\"}]}");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	see("libsndfile cannot read it: ");
	assert_true(stage_run(&stage, "save-block 1 /damaged.wav"));
	assert_non_null(memmem(stage.written.data, stage.written.len, "RIFF", 4));
	call_text("just text");
	see_not("p play");
	stage_keys(&stage, "p");
	see("this content has no audio");
}

/* A program opens a block only after a question that names both. It opens that block even if
 * another one is shown by then. */
static void
test_a_block_is_opened(void **state)
{
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	stage_keys(&stage, "alt-o");
	see("Open in a program?");
	see("viewer --here");
	see("image/png, 124 bytes");
	stage_keys(&stage, "enter"); /* the safe answer */
	assert_int_equal(stage.opened.len, 0);
	stage_run(&stage, "open-block 3");
	call_text("another result");
	stage_run(&stage, "open-file!");
	assert_memory_equal(stage.opened.data, "image/png .png \x89PNG", 19);
	assert_int_equal(stage.opened.len, 15 + 124);
	assert_false(stage_run(&stage, "open-file!")); /* once */
	stage_keys(&stage, "esc");
	stage_keys(&stage, "alt-o");
	see("no content block with data");
	stage_run(&stage, "open-block 1");
	see("text/plain, 14 bytes");
	stage_keys(&stage, "esc");
	/* a server's text is not used as a file name */
	stage_answer(&stage,
	    "\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"resource\","
	    "\"resource\":{\"uri\":\"file:///a.sh\",\"mimeType\":\"x/../../sh;.sh\","
	    "\"text\":\"rm\"}}]}");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "open-block");
	stage_run(&stage, "open-file!");
	assert_memory_equal(stage.opened.data, "x/../../sh;.sh .txt rm", 22);
}

/* A frame lays out nothing again, at any size: the layouts count. */
static void
test_layout_rests(void **state)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 160, 28 }, { 200, 60 } };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		stage_resize(&stage, sizes[i][0], sizes[i][1]);
		call_text("## Title\n\n- one **two** three\n- four\n");
		stage_settle(&stage, 1000);
		stage_text(&stage);
		uint64_t before = content()->shown;
		stage_keys(&stage, "down up tab down up");
		stage_text(&stage);
		assert_true(content()->shown == before);
	}
}

/* Plain text, too: the width that a pane is asked about, with tabs, is not the one it is drawn at.
 */
static void
test_wrap_rests(void **state)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		stage_resize(&stage, sizes[i][0], sizes[i][1]);
		call_text("some text that is long enough to be wrapped at any of these widths, "
			  "so that its rows differ: one two three four five six seven eight nine "
			  "ten eleven twelve thirteen fourteen fifteen sixteen seventeen");
		stage_settle(&stage, 1000);
		stage_text(&stage);
		const struct wrap *wrap = &content()->blocks[0].wrap;
		struct view_env env = workbench_env(stage.wb, PANE_content);
		assert_true(wrap->width == content()->width && wrap_is_complete(wrap));
		int rows = pane_content.want(stage.wb->panes[PANE_content].state, &env, 33);
		assert_int_equal(wrap->width, content()->width);
		assert_true(wrap_is_complete(wrap));
		assert_int_equal(rows, wrap_rows(wrap));
	}
}

/* Titles and lenses agree. */
static void
test_tokens(void **state)
{
	call_text("[1,2,3,\"a longer text of words\",{\"key\":null}]");
	char *text = mem_printf("≈ %zu tokens",
	    tokens_estimate(content()->blocks[0].text, content()->blocks[0].text_len));
	see(text);
	free(text);
}

static void
call_blocks(const char *blocks)
{
	char *result =
	    mem_printf("\"result\":{\"resultType\":\"complete\",\"content\":[%s]}", blocks);

	stage_run(&stage, "tool mixed_content");
	stage_answer(&stage, result);
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	free(result);
}

/* Annotations are described in words; malformed ones are shown raw. */
static void
test_annotations(void **state)
{
	stage_resize(&stage, 120, 60);
	call_blocks(
	    "{\"type\":\"text\",\"text\":\"a\",\"annotations\":{\"audience\":[\"user\"],"
	    "\"priority\":1,\"lastModified\":\"2026-07-31T17:00:00Z\"}},"
	    "{\"type\":\"text\",\"text\":\"b\",\"annotations\":{\"audience\":[],"
	    "\"priority\":0}},"
	    "{\"type\":\"text\",\"text\":\"c\",\"annotations\":{\"priority\":7.5}},"
	    "{\"type\":\"text\",\"text\":\"d\",\"annotations\":{\"priority\":\"high\"}},"
	    "{\"type\":\"resource_link\",\"uri\":\"demo://x\",\"name\":\"x\",\"size\":18240},"
	    "{\"type\":\"resource_link\",\"uri\":\"demo://y\",\"name\":\"y\",\"size\":-2.5}");
	see("for user · priority 1 (required) · modified  ");
	see("  2026-07-31T17:00:00Z");
	see("for [] · priority 0 (optional)");
	see("priority 7.5 (not from 0 to 1)");
	see("annotations.priority must be a number");
	see("size 18.2 kB");
	see("size -2.5");
}

/* The link that is followed has a trail, and Escape comes back to the result. */
static void
test_back_from_a_link(void **state)
{
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	stage_keys(&stage, "n");
	see("▌resource ");
	uint64_t from = content()->call;
	stage_keys(&stage, "enter");
	stage_settle(&stage, 1000);
	see("mixed_content ▸ demo://notes/1");
	see("Esc");
	stage_keys(&stage, "esc");
	see("content · for the model");
	see("▌resource ");
	assert_true(content()->call == from && content()->trail_len == 0);
	/* a block that was opened in another way has no link back */
	stage_run(&stage, "resource demo://users.json");
	stage_settle(&stage, 1000);
	see("contents ▸ demo://users.json");
	assert_false(content_can_go_back(content()));
}

TEST_FILE(content_meant)
{
	const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
		T(test_markdown),
		T(test_html),
		T(test_links),
		T(test_a_page_that_must_not_be_opened),
		T(test_json),
		T(test_ansi),
		T(test_long_text),
		T(test_clicks),
		T(test_a_picture_fills_a_zoomed_pane),
		T(test_the_block_in_sight_is_copied),
		T(test_a_block_is_saved),
		T(test_audio),
		T(test_a_block_is_opened),
		T(test_layout_rests),
		T(test_wrap_rests),
		T(test_annotations),
		T(test_back_from_a_link),
		T(test_tokens),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

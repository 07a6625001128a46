/* SPDX-License-Identifier: MIT */
/* Twice the text, at most twice the work: functions that scan a server's text and have no separate
 * fuzz target. */
#include "doubling.h"
#include "test.h"

#include "base/text_match.h"
#include "base/glyph.h"
#include "base/url.h"
#include "base/vec.h"
#include "client/lens.h"
#include "net/fetch.h"
#include "view/meant.h"
#include "mcp/message.h"
#include "ui/page.h"
#include "ui/wrap.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int
guess(const unsigned char *text, size_t len)
{
	struct did_you_mean guess;

	did_you_mean_init(&guess, (const char *)text, len);
	for (int i = 0; i < 20; i++)
		did_you_mean_try(&guess, "get_weather_forecast");
	did_you_mean_init(&guess, "get_weather_forecast", 20);
	did_you_mean_try(&guess, (const char *)text);
	return 0;
}

static int
cut_labels(const unsigned char *text, size_t len)
{
	struct buf out = BUF_INIT;
	char line[200];

	free(label_dup((const char *)text));
	label_add(&out, (const char *)text);
	label_columns((const char *)text);
	glyph_add_dedented(&out, (const char *)text, len);
	text_to_line(line, sizeof(line), (const char *)text);
	header_value_add(&out, (const char *)text);
	buf_finish(&out);
	return 0;
}

static int
search(const unsigned char *text, size_t len)
{
	static const char *const words[] = { "aaab", "needle", "http://a.b/((x", "  x" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct substring word;
		substring_init(&word, words[i], strlen(words[i]));
		for (size_t at = 0, found; at < len; at += found + 1) {
			found = substring_find(&word, (const char *)text + at, len - at);
			if (found == SUBSTRING_NONE)
				break;
		}
		substring_finish(&word);
	}
	return 0;
}

static int
read_urls(const unsigned char *text, size_t len)
{
	struct buf out = BUF_INIT;
	size_t host;

	web_url_host((const char *)text, &host);
	percent_decode(&out, (const char *)text, len);
	percent_encode(&out, (const char *)text, "-._~");
	buf_finish(&out);
	return 0;
}

static int
read_headers(const unsigned char *text, size_t len)
{
	struct buf out = BUF_INIT;

	for (size_t nth = 0; nth < 3; nth++)
		free(header_find((const char *)text, "Set-Cookie", nth));
	header_lines_add(&out, "> ", (const char *)text, NULL, NULL);
	buf_finish(&out);
	return 0;
}

static int
estimate(const unsigned char *text, size_t len)
{
	tokens_estimate((const char *)text, len);
	return 0;
}

static int
recognize(const unsigned char *text, size_t len)
{
	struct buf out = BUF_INIT;

	meant_kind_of(NULL, (const char *)text, len);
	meant_format_json((const char *)text, len, &out);
	buf_finish(&out);
	return 0;
}

static int
wrap(const unsigned char *text, size_t len)
{
	struct wrap w = { 0 };
	struct wrap_row row;

	wrap_set(&w, (const char *)text, len, 40);
	for (size_t i = 0; wrap_row_at(&w, i, &row); i++)
		continue;
	wrap_row_of(&w, len / 2);
	wrap_finish(&w);
	return 0;
}

static int
draw_page(const unsigned char *text, size_t len)
{
	struct page page = { 0 };
	struct grid grid;

	grid_init(&grid, 60, 20);
	page_head(&page, "head");
	page_text(&page, 2, ROLE_TEXT, (const char *)text);
	page_row(&page, 10, "key", ROLE_TEXT, (const char *)text);
	page_rows(&page, 40);
	page_draw(&page, surface_whole(&grid), ROLE_NONE, true);
	page_finish(&page);
	grid_finish(&grid);
	return 0;
}

static const struct doubling scans[] = {
	{ .name = "did_you_mean", .run = guess },
	{ .name = "labels", .bytes = 16 << 10, .run = cut_labels }, /* all are cut */
	{ .name = "search", .run = search },
	{ .name = "urls", .run = read_urls },
	{ .name = "headers", .run = read_headers },
	{ .name = "tokens", .run = estimate },
	{ .name = "recognize", .run = recognize },
	{ .name = "wrap", .run = wrap },
	{ .name = "page", .run = draw_page },
};

static void
test_scan(void **state)
{
	assert_int_equal(doubling_check(*state), 0);
}

TEST_FILE(scans)
{
	struct CMUnitTest tests[ARRAY_LEN(scans)];

	for (size_t i = 0; i < ARRAY_LEN(scans); i++)
		tests[i] =
		    (struct CMUnitTest){ scans[i].name, test_scan, NULL, NULL, (void *)&scans[i] };
	setlocale(LC_CTYPE, "C.UTF-8");
	return _cmocka_run_group_tests("scans", tests, ARRAY_LEN(scans), NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Pictures in the terminal's own graphics: the answers that it gives, the bytes that it gets. */
#include "ui/graphics/graphics.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/shared_library.h"
#include "base/vec.h"
#include "job_queue.h"
#include "test.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <zlib.h>

static unsigned seed = 1;

static unsigned
pick(unsigned below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % below;
}

static struct picture
any_picture(int width, int height, unsigned colors)
{
	struct picture p = { .width = width, .height = height, .number = picture_next_number() };
	uint8_t palette[256][3];

	for (unsigned i = 0; i < 256; i++)
		for (int c = 0; c < 3; c++)
			palette[i][c] = (uint8_t)pick(256);
	p.rgba = mem_alloc((size_t)width * (size_t)height * 4);
	for (int i = 0; i < width * height; i++) {
		memcpy(p.rgba + 4 * i, palette[pick(colors)], 3);
		p.rgba[4 * i + 3] = pick(8) ? 255 : 0;
	}
	return p;
}

/* ---- sixel ---- */

static const char *
number(const char *p, int *out)
{
	*out = (int)strtol(p, (char **)&p, 10);
	return p;
}

struct sixel_screen {
	int width, height, rgb[256][3], colors;
	int *pixels; /* the color of each; -1: none */
};

static const char *
read_color(struct sixel_screen *c, const char *p, int *color)
{
	int kind;

	p = number(p + 1, color);
	assert_in_range(*color, 0, 255);
	if (*p != ';')
		return p;
	p = number(p + 1, &kind);
	assert_int_equal(kind, 2);
	for (int i = 0; i < 3; i++)
		p = number(p + 1, &c->rgb[*color][i]);
	c->colors++;
	return p;
}

static void
set_pixels(struct sixel_screen *c, int x, int y, int bits, int color)
{
	for (int i = 0; i < 6; i++)
		if (bits & 1 << i) {
			assert_true(x < c->width && y + i < c->height);
			c->pixels[(y + i) * c->width + x] = color;
		}
}

/* Any sixel that the encoder may write, read as a terminal does. */
static struct sixel_screen
read_sixel(const char *p)
{
	static const char start[] = "\033P0;1;0q\"1;1;";
	struct sixel_screen c = { 0 };
	int x = 0, y = 0, color = 0, count = 1;

	assert_memory_equal(p, start, strlen(start));
	p = number(number(p + strlen(start), &c.width) + 1, &c.height);
	c.pixels = mem_alloc((size_t)c.width * (size_t)c.height * sizeof(*c.pixels));
	memset(c.pixels, 0xff, (size_t)c.width * (size_t)c.height * sizeof(*c.pixels));
	while (*p != '\033') {
		if (*p == '#') {
			p = read_color(&c, p, &color);
		} else if (*p == '!') {
			p = number(p + 1, &count);
		} else if (*p == '$' || *p == '-') {
			x = 0;
			y += *p++ == '-' ? 6 : 0;
		} else {
			assert_in_range(*p, '?', '~');
			for (; count > 0; count--)
				set_pixels(&c, x++, y, *p - '?', color);
			count = 1;
			p++;
		}
	}
	assert_string_equal(p, "\033\\");
	return c;
}

/* Return the largest difference between the picture's pixels and the terminal's, for a part of
 * it. */
static int
furthest(const struct picture *p, const struct sixel_screen *c, int from_x, int from_y)
{
	int furthest = 0;

	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++) {
			const uint8_t *at = p->rgba + 4 * ((from_y + y) * p->width + from_x + x);
			int color = c->pixels[y * c->width + x];
			assert_int_equal(color >= 0, at[3] >= 128);
			for (int i = 0; color >= 0 && i < 3; i++) {
				int d = abs(at[i] - c->rgb[color][i] * 255 / 100);
				furthest = d > furthest ? d : furthest;
			}
		}
	return furthest;
}

static void
check_sixel(int width, int height, unsigned colors, int most_colors, int most_off)
{
	struct picture p = any_picture(width, height, colors);
	struct buf out = BUF_INIT;
	struct sixel s;

	sixel_make(&s, &p, most_colors);
	for (int i = 0; i < 4; i++) {
		int x = i ? (int)pick((unsigned)width) : 0, y = i ? (int)pick((unsigned)height) : 0;
		int w = i ? 1 + (int)pick((unsigned)(width - x)) : width;
		int h = i ? 1 + (int)pick((unsigned)(height - y)) : height;
		buf_clear(&out);
		sixel_add(&s, x, y, w, h, &out);
		struct sixel_screen c = read_sixel(buf_text(&out));
		assert_int_equal(c.width, w);
		assert_int_equal(c.height, h);
		assert_in_range(c.colors, 0, most_colors);
		assert_in_range(furthest(&p, &c, x, y), 0, most_off);
		assert_true(out.len < 8192 + (size_t)w * (size_t)h * 5);
		free(c.pixels);
	}
	sixel_finish(&s);
	picture_finish(&p);
	buf_finish(&out);
}

static void
test_sixel(void **state)
{
	check_sixel(1, 1, 1, 256, 3);
	check_sixel(40, 13, 2, 256, 3);
	check_sixel(97, 60, 16, 16, 11); /* two of them may be alike */
	check_sixel(200, 131, 200, 256, 11);
	check_sixel(64, 64, 250, 2, 255);
	check_sixel(1000, 7, 256, 64, 255);
}

/* ---- kitty ---- */

struct inflate_api {
	__typeof__(&uncompress) uncompress;
};

/* The pixels of one picture, from its chunks. */
static void
test_kitty_chunks(void **state)
{
	static const char *const names[] = { "uncompress", NULL };
	struct picture p = any_picture(150, 90, 256);
	struct buf out = BUF_INIT, text = BUF_INIT, bytes = BUF_INIT;
	uint8_t pixels[150 * 90 * 4];
	uLongf len = sizeof(pixels);
	struct inflate_api zlib;
	int chunks = 0;
	bool more = true;

	kitty_transmit(&out, 7, &p);
	static const char head[] = "\033_Ga=t,t=d,f=32,s=150,v=90,i=7,q=2,o=z,m=1;";
	assert_memory_equal(out.data, head, strlen(head));
	for (const char *at = buf_text(&out), *end; *at; at = end + 2, chunks++) {
		const char *data = strchr(at, ';') + 1;
		assert_true(more);
		end = strstr(data, "\033\\");
		assert_true(strncmp(at, chunks ? "\033_Gq=2,m=" : "\033_Ga=t,", 7) == 0);
		more = data[-2] == '1';
		assert_true(end - data == 4096 || (!more && end - data < 4096));
		buf_add(&text, data, (size_t)(end - data));
	}
	assert_false(more);
	assert_true(chunks > 2);
	assert_true(base64_decode(&bytes, text.data, text.len));
	assert_true(shared_library_load("libz.so.1", names, &zlib, NULL));
	assert_int_equal(zlib.uncompress(pixels, &len, (uint8_t *)bytes.data, bytes.len), Z_OK);
	assert_int_equal(len, sizeof(pixels));
	assert_memory_equal(pixels, p.rgba, sizeof(pixels));
	buf_finish(&out);
	buf_finish(&text);
	buf_finish(&bytes);
	picture_finish(&p);
}

/* ---- answers ---- */

static bool
hear(struct graphics_abilities *a, const char *text)
{
	return graphics_hear(a, text, strlen(text));
}

static void
test_answers(void **state)
{
	static const char *const noise[] = { "", "[", "[c", "[?", "[t", "[;;;t", "[6t", "[6;1t",
		"[8;24;80t", "[6;99999999999999999999;3t", "[6;0;0t", "[?1;0;S", "[?1;3;256S",
		"[?2;0;1;1S", "[>0;10c", "_G", "_Gi=31;ENOTSUPPORTED:no", "_Gi=32;OK", "_Gi=31;",
		"]11;rgb:0", "[?2026;2$y", "[?1;0;99999999S" };
	struct graphics_abilities a = { 0 };
	static const struct graphics_abilities none = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(noise); i++) {
		assert_false(hear(&a, noise[i]));
		assert_memory_equal(&a, &none, sizeof(a));
	}
	assert_false(hear(&a, "_Gi=31;OK"));
	assert_true(a.kitty);
	assert_false(hear(&a, "[6;20;9t"));
	assert_int_equal(a.cell_width, 9);
	assert_int_equal(a.cell_height, 20);
	assert_false(hear(&a, "[?1;0;256S"));
	assert_int_equal(a.colors, 256);
	assert_false(hear(&a, "[?2;0;800;600S"));
	assert_int_equal(a.most_width, 800);
	assert_true(hear(&a, "[?64;1;2;6;9;15;16;17;18;21;22;28c"));
	assert_false(a.sixel);
	assert_true(hear(&a, "[?4;6c")); /* the first number is the kind of terminal */
	assert_false(a.sixel);
	assert_true(hear(&a, "[?63;1;2;4;6;9;15;22c"));
	assert_true(a.sixel);
}

/* ---- frames ---- */

static struct {
	int master, slave;
	struct backend *backend;
	struct theme theme;
	struct grid grid;
	struct buf bytes;
	struct picture picture;
	struct jobs *jobs; /* of the next back end */
} t;

static void
receive(void)
{
	char bytes[16384];
	ssize_t n;

	while ((n = read(t.master, bytes, sizeof(bytes))) > 0)
		buf_add(&t.bytes, bytes, (size_t)n);
}

static void
start(enum backend_pictures pictures)
{
	struct winsize size = { .ws_row = 20, .ws_col = 60 };
	struct err err;

	setenv("TERM", "xterm-256color", 1);
	unsetenv("TMUX");
	unsetenv("STY");
	assert_int_equal(openpty(&t.master, &t.slave, NULL, NULL, &size), 0);
	fcntl(t.master, F_SETFL, O_NONBLOCK);
	struct backend_options options = { .fd = t.slave, .pictures = pictures, .jobs = t.jobs };
	t.backend = backend_open(&options, &err);
	if (!t.backend)
		fail_msg("%s", err.text);
	assert_true(theme_builtin(&t.theme, "dark"));
	t.picture = any_picture(40, 40, 4);
}

static int
finish(void)
{
	int len = (int)t.bytes.len;

	backend_close(t.backend);
	close(t.master);
	close(t.slave);
	grid_finish(&t.grid);
	buf_finish(&t.bytes);
	picture_finish(&t.picture);
	memset(&t, 0, sizeof(t));
	return len;
}

static void
answer(const char *text)
{
	for (const char *at = text, *end; *at; at = end + (*end == ' ')) {
		end = strchrnul(at, ' ');
		backend_hear(t.backend, at, (size_t)(end - at));
	}
}

/* The picture, 10 by 5 cells at 3,4, its first `skip` rows out of sight, and a menu in front. */
static void
draw(int skip, bool menu)
{
	struct surface s, all;

	grid_finish(&t.grid);
	grid_init(&t.grid, 60, 20);
	all = surface_whole(&t.grid);
	s = surface_sub(all, 3, 4, 30, 10);
	surface_repeat(s, 0, 0, 10, style_of(ROLE_TEXT), '#');
	surface_picture(s, &t.picture, 10, 5, skip);
	if (menu) {
		surface_dim(all);
		surface_clear(surface_sub(all, 5, 5, 4, 2), style_on(ROLE_TEXT, ROLE_DIALOG));
	}
	buf_clear(&t.bytes);
	do {
		receive();
		backend_drain(t.backend);
	} while (backend_wants_write(t.backend));
	buf_clear(&t.bytes);
	assert_true(backend_flush(t.backend, &t.grid, &t.theme, -1, 0));
	do
		receive();
	while (backend_drain(t.backend) && backend_wants_write(t.backend));
	receive();
}

static int
times_sent(const char *text)
{
	int times = 0;

	for (const char *at = buf_text(&t.bytes); (at = strstr(at, text)); at++)
		times++;
	return times;
}

static void
test_kitty_frames(void **state)
{
	start(BACKEND_PICTURES_AUTO);
	answer("_Gi=31;OK [6;20;10t [?62c");
	assert_true(backend_info(t.backend).draws_pixels);
	draw(0, false);
	assert_int_equal(times_sent("a=t,"), 1);
	assert_int_equal(times_sent("a=p,"), 1);
	assert_int_equal(
	    times_sent("\033[5;4H\033_Ga=p,i=7168880,p=1,x=0,y=0,w=100,h=100,c=10,r=5,C=1,"), 1);
	assert_int_equal(times_sent("#"), 0); /* the content of the cells is for other terminals */
	draw(0, false);
	assert_int_equal(t.bytes.len, 0);
	/* the menu leaves a row above, the columns beside, and two rows below */
	draw(0, true);
	assert_int_equal(times_sent("a=t,"), 0);
	assert_int_equal(times_sent("a=d,d=i,i=7168880,p=1,"), 1);
	assert_int_equal(times_sent("a=p,"), 4);
	assert_int_equal(
	    times_sent("\033[6;10H\033_Ga=p,i=7168880,p=4,x=60,y=20,w=40,h=40,c=4,r=2,"), 1);
	draw(2, false); /* scrolled */
	assert_int_equal(times_sent("a=t,"), 0);
	assert_int_equal(times_sent("a=d,d=i,"), 4);
	assert_int_equal(times_sent("x=0,y=40,w=100,h=60,c=10,r=3,"), 1);
	backend_repaint(t.backend);
	draw(2, false);
	assert_int_equal(times_sent("a=d,d=I,i=7168880,"), 1);
	assert_int_equal(times_sent("a=t,"), 1);
	assert_int_equal(times_sent("a=p,"), 1);
	draw(5, false); /* out of sight */
	assert_int_equal(times_sent("a=d,d=i,"), 1);
	assert_int_equal(times_sent("a=p,"), 0);
	buf_clear(&t.bytes);
	backend_suspend(t.backend);
	receive();
	assert_int_equal(times_sent("a=d,d=I,i=7168880,"), 1);
	finish();
}

static void
test_sixel_frames(void **state)
{
	start(BACKEND_PICTURES_AUTO);
	answer("[?1;0;16S [6;20;10t [?62;4c");
	draw(0, false);
	assert_int_equal(times_sent("\033[5;4H\033P0;1;0q\"1;1;100;100"), 1);
	assert_int_equal(times_sent("\033P"), 1);
	assert_int_equal(times_sent("\0337"), 1);
	draw(0, false);
	assert_int_equal(t.bytes.len, 0);
	draw(0, true);
	assert_int_equal(times_sent("\033P"), 4);
	assert_int_equal(times_sent("\033[6;10H\033P0;1;0q\"1;1;40;40"), 1);
	draw(0, true);
	assert_int_equal(t.bytes.len, 0);
	/* another font, the same columns; a size that cannot be meant changes nothing */
	struct winsize size = { .ws_row = 20, .ws_col = 60, .ws_xpixel = 720, .ws_ypixel = 480 };
	ioctl(t.slave, TIOCSWINSZ, &size);
	assert_true(backend_resize(t.backend));
	draw(0, false);
	assert_int_equal(times_sent("\"1;1;120;120"), 1);
	size.ws_xpixel = size.ws_ypixel = 65535;
	ioctl(t.slave, TIOCSWINSZ, &size);
	backend_resize(t.backend);
	draw(0, false);
	assert_int_equal(times_sent("\"1;1;100;100"), 1);
	draw(4, false);
	assert_int_equal(times_sent("\033P"), 1);
	assert_int_equal(times_sent("\"1;1;100;20"), 1);
	backend_set_pictures(t.backend, BACKEND_PICTURES_CELLS);
	draw(0, false);
	assert_int_equal(times_sent("\033P"), 0);
	assert_int_equal(times_sent("#"), 1);
	finish();
	/* without the size of a cell the size of a sixel picture is unknown */
	start(BACKEND_PICTURES_AUTO);
	answer("[?62;4c");
	assert_false(backend_info(t.backend).draws_pixels);
	finish();
}

static void
replace_picture(int width, int height)
{
	picture_finish(&t.picture);
	t.picture = any_picture(width, height, 200);
}

/* Slow work runs in jobs: no frame waits, and the previous picture stays meanwhile. */
static void
test_large_pictures_are_jobs(void **state)
{
	struct job_queue queue;

	job_queue_init(&queue);
	t.jobs = &queue.jobs;
	start(BACKEND_PICTURES_AUTO);
	answer("_Gi=31;OK [6;20;10t [?62c");
	draw(0, false);
	assert_int_equal(times_sent("a=t,"), 1); /* a small one comes at once */
	replace_picture(600, 600);
	draw(0, false);
	assert_int_equal(t.bytes.len, 0);
	assert_int_equal(queue.waiting.len, 1);
	/* An animation continues meanwhile: the first frame is encoded, and then the newest. */
	replace_picture(600, 600);
	draw(0, false);
	assert_int_equal(t.bytes.len, 0);
	assert_int_equal(queue.waiting.len, 1);
	job_queue_run(&queue, NULL, NULL);
	draw(0, false);
	assert_int_equal(times_sent("a=t,"), 1);
	assert_int_equal(times_sent("a=d,d=i,i=7168880,"), 1);
	assert_int_equal(times_sent("a=p,"), 1);
	assert_int_equal(queue.waiting.len, 1);
	job_queue_run(&queue, NULL, NULL);
	draw(0, false);
	assert_int_equal(times_sent("a=t,"), 1);
	draw(0, false);
	assert_int_equal(t.bytes.len, 0);
	/* It comes again after the screen was cleared. */
	backend_repaint(t.backend);
	draw(0, false);
	assert_int_equal(times_sent("a=t,"), 1);
	assert_int_equal(queue.waiting.len, 0);
	/* The picture is removed meanwhile. */
	replace_picture(600, 600);
	draw(0, false);
	finish();
	job_queue_finish(&queue);
}

static void
test_large_sixels_are_jobs(void **state)
{
	struct job_queue queue;

	job_queue_init(&queue);
	t.jobs = &queue.jobs;
	start(BACKEND_PICTURES_AUTO);
	answer("[?1;0;16S [6;20;10t [?62;4c");
	replace_picture(600, 600);
	draw(0, false);
	assert_int_equal(times_sent("\033P"), 0);
	job_queue_run(&queue, NULL, NULL);
	draw(0, false);
	assert_int_equal(times_sent("\033[5;4H\033P0;1;0q\"1;1;100;100"), 1);
	replace_picture(600, 600);
	draw(0, true); /* the one before, around the menu */
	assert_int_equal(times_sent("\033P"), 4);
	job_queue_run(&queue, NULL, NULL);
	draw(0, false);
	assert_int_equal(times_sent("\"1;1;100;100"), 1);
	finish();
	job_queue_finish(&queue);
}

static void
test_nothing_without_answers(void **state)
{
	static const char *const cases[] = { "", "[?62c", "_Gi=31;OK",
		"_Gi=31;EBADF [6;20;10t [?1;2c" };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		start(BACKEND_PICTURES_AUTO);
		answer(cases[i]);
		draw(0, false);
		draw(0, true);
		assert_int_equal(times_sent("\033_G") + times_sent("\033P"), 0);
		finish();
	}
	/* who does not want them does not ask; an answer to nothing is none */
	start(BACKEND_PICTURES_CELLS);
	receive();
	assert_int_equal(times_sent("\033_G") + times_sent("\033[c"), 0);
	answer("_Gi=31;OK [?62;4c");
	backend_set_pictures(t.backend, BACKEND_PICTURES_KITTY);
	draw(0, false);
	assert_int_equal(times_sent("a=p"), 0);
	answer("_Gi=31;OK [?62;4c");
	draw(0, false);
	assert_int_equal(times_sent("a=p"), 1);
	finish();
}

/* Random boxes in front, scrolling and resizing: each frame ends, and unchanged parts send no
 * bytes. */
static void
test_any_covers(void **state)
{
	static const char *const answers[] = { "_Gi=31;OK [6;20;10t [?62c", "[6;20;10t [?62;4c" };

	for (int i = 0; i < 200; i++) {
		if (i % 100 == 0) {
			start(BACKEND_PICTURES_AUTO);
			answer(answers[i / 100]);
		}
		draw((int)pick(6), pick(2));
		struct surface all = surface_whole(&t.grid);
		for (unsigned n = pick(40); n > 0; n--)
			surface_put(all, (int)pick(60), (int)pick(20), style_of(ROLE_TEXT), 'x');
		for (int again = 0; again < 2; again++) {
			buf_clear(&t.bytes);
			assert_true(backend_flush(t.backend, &t.grid, &t.theme, -1, 0));
			do
				receive();
			while (backend_drain(t.backend) && backend_wants_write(t.backend));
			receive();
			assert_true(again == 0 || t.bytes.len == 0);
		}
		if (i % 100 == 99)
			finish();
	}
}

TEST_FILE(graphics)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sixel),
		cmocka_unit_test(test_kitty_chunks),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_kitty_frames),
		cmocka_unit_test(test_sixel_frames),
		cmocka_unit_test(test_large_pictures_are_jobs),
		cmocka_unit_test(test_large_sixels_are_jobs),
		cmocka_unit_test(test_nothing_without_answers),
		cmocka_unit_test(test_any_covers),
	};

	return cmocka_run_group_tests_name("graphics", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Pictures: from bytes to pixels to cells, and pictures that are refused. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

#include "base/base64.h"
#include "base/shared_library.h"
#include "base/vec.h"
#include "host/confined.h"
#include "host/media_decoder.h"
#include "loop/child.h"
#include "mcp/content.h"
#include "test.h"
#include "ui/surface.h"

/* 3 x 2 pixels, red */
static const char jpeg[] =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJ"
    "DRENDg8QEBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ"
    "EBAQEBAQEBAQEBAQEBAQEBAQEBAQEBD/wAARCAACAAMDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACP/EABwQ"
    "AQACAgMBAAAAAAAAAAAAAAECAwQRAAVxgf/EABUBAQEAAAAAAAAAAAAAAAAAAAcJ/8QAHxEAAgIBBAMAAAAAAAAAAAAA"
    "AQIDBBEABQYSITFB/9oADAMBAAIRAxEAPwAz9PZZbiWStnKaZWVEZO3RfMDwAPnD7nVWCnukUddAimtSbCgAdnpwMzYH"
    "1mJZj7LEk5JOqUcMszWttkedyxFi2uSST1W3Mqjz8VQFUegoAHga/9k=";
/* 4 x 4 pixels, interlaced, half transparent green */
static const char png[] =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAEAQMAAAHkODyrAAAAA1BMVEUKyB5TwdgpAAAAAXRSTlOArV5bRgAAAAtJREFU"
    "CNdjYEAGAAAOAAEx6d0VAAAAAElFTkSuQmCC";

/* 6 x 4 pixels, two frames: red, blue */
static const char gif[] =
    "R0lGODlhBgAEAPAAAP8AAAAAACH5BAAAAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAABgAEAAAC"
    "BISPqVcAIfkEAAAAAAAsAAAAAAYABACAAAD/AAAAAgSEj6lXADs=";
/* 5 x 3 pixels, three frames of green */
static const char webp[] =
    "UklGRroAAABXRUJQVlA4WAoAAAACAAAABAAAAgAAQU5JTQYAAAAAAAAAAABBTk1GKgAAAAAAAAAA"
    "AAQAAAIAAGQAAABWUDhMEQAAAC8EgAAAB1DkKtSj/4GI6H8AAEFOTUYqAAAAAAAAAAAABAAAAgAA"
    "ZAAAAFZQOEwRAAAALwSAAAAHUOQq1KP/gYjofwAAQU5NRioAAAAAAAAAAAAEAAACAABkAAAAVlA4"
    "TBEAAAAvBIAAAAdQ5CrUo/+BiOh/AAA=";

static struct buf
decoded(const char *base64)
{
	struct buf bytes = BUF_INIT;

	assert_true(base64_decode(&bytes, base64, strlen(base64)));
	return bytes;
}

static void
test_png(void **state)
{
	static const uint8_t green[] = { 10, 200, 30, 128 };
	struct buf bytes = decoded(png);
	struct picture p;
	struct err err = { "" };

	assert_true(picture_decode(buf_text(&bytes), bytes.len, &p, &err));
	assert_int_equal(p.width, 4);
	assert_int_equal(p.height, 4);
	for (int i = 0; i < 16; i++)
		assert_memory_equal(p.rgba + 4 * i, green, 4);
	picture_finish(&p);
	assert_null(p.rgba);
	buf_finish(&bytes);
}

static void
test_jpeg(void **state)
{
	struct buf bytes = decoded(jpeg);
	struct picture p;
	struct err err = { "" };

	assert_true(picture_decode(buf_text(&bytes), bytes.len, &p, &err));
	assert_int_equal(p.width, 3);
	assert_int_equal(p.height, 2);
	assert_in_range(p.rgba[0], 150, 255);
	assert_int_equal(p.rgba[3], 255);
	picture_finish(&p);
	buf_finish(&bytes);
}

/* The first frame of an animation, and the number of frames. */
static void
test_animations(void **state)
{
	static const struct {
		const char *base64;
		int width, height, frames;
		uint8_t pixel[4];
	} rows[] = { { gif, 6, 4, 2, { 255, 0, 0, 255 } },
		{ webp, 5, 3, 3, { 10, 200, 30, 255 } } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf bytes = decoded(rows[i].base64);
		struct picture p;
		struct err err = { "" };
		if (!picture_decode(buf_text(&bytes), bytes.len, &p, &err))
			fail_msg("%s", err.text);
		assert_int_equal(p.width, rows[i].width);
		assert_int_equal(p.height, rows[i].height);
		assert_int_equal(p.frames, rows[i].frames);
		for (int k = 0; k < p.width * p.height; k++)
			assert_memory_equal(p.rgba + 4 * k, rows[i].pixel, 4);
		picture_finish(&p);
		buf_finish(&bytes);
	}
}

/* Cut anywhere, and with any byte changed: pixels, or a word why not. */
static void
torture(const char *base64)
{
	struct buf bytes = decoded(base64);
	struct picture p;
	struct err err;

	for (size_t i = 0; i < 2 * bytes.len; i++) {
		size_t at = i / 2;
		char kept = bytes.data[at];
		bool cut = i % 2 == 0;
		err.text[0] = '\0';
		if (!cut)
			bytes.data[at] = (char)~kept;
		if (picture_decode(bytes.data, cut ? at : bytes.len, &p, &err))
			picture_finish(&p);
		else
			assert_true(err.text[0] && !p.rgba);
		bytes.data[at] = kept;
	}
	buf_finish(&bytes);
}

static void
test_broken(void **state)
{
	torture(png);
	torture(jpeg);
	torture(gif);
	torture(webp);
}

/* Sizes in headers are not trusted. */
static void
test_too_large(void **state)
{
	struct buf bytes = decoded(jpeg);
	struct picture p;
	struct err err = { "" };
	char *size = memmem(bytes.data, bytes.len, "\xff\xc0\x00\x11\x08\x00\x02\x00\x03", 9);

	assert_non_null(size);
	memcpy(size + 5, "\x7f\xff\x7f\xff", 4);
	assert_false(picture_decode(buf_text(&bytes), bytes.len, &p, &err));
	assert_string_equal(err.text, "32767 x 32767 pixels are too many to draw");
	assert_false(picture_decode("GIF89a", 6, &p, &err));
	assert_string_equal(err.text, "a broken GIF: No screen descriptor detected");
	assert_false(picture_decode("BM", 2, &p, &err));
	assert_string_equal(err.text, "only PNG, JPEG, GIF and WebP can be drawn");
	assert_false(picture_decode("", 0, &p, &err));
	buf_finish(&bytes);
}

static void
test_fit(void **state)
{
	static const struct {
		int width, height, max_width, max_height, fit_width, fit_height;
	} rows[] = {
		{ 16, 16, 40, 40, 16, 16 },
		{ 100, 50, 40, 40, 40, 20 },
		{ 50, 100, 40, 40, 20, 40 },
		{ 10000, 1, 40, 40, 40, 1 },
		{ 1, 10000, 40, 40, 1, 40 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct picture p = { .width = rows[i].width, .height = rows[i].height };
		int width, height;
		picture_fit(&p, rows[i].max_width, rows[i].max_height, &width, &height);
		assert_int_equal(width, rows[i].fit_width);
		assert_int_equal(height, rows[i].fit_height);
	}
}

/* The mean counts visible pixels only. */
static void
test_reduce(void **state)
{
	uint8_t pixels[] = { 200, 0, 0, 255, 0, 255, 0, 0, 100, 0, 0, 255, 0, 0, 0, 0 };
	const struct picture p = { .width = 2, .height = 2, .rgba = pixels };
	struct picture one;

	picture_reduce(&p, 1, 1, &one);
	assert_int_equal(one.rgba[0], 150);
	assert_int_equal(one.rgba[1], 0);
	assert_int_equal(one.rgba[3], 127);
	picture_finish(&one);
}

/* Two pixels per cell, one above the other; transparent pixels show the background. */
static void
test_cells(void **state)
{
	uint8_t pixels[] = { 252, 0, 0, 255, 0, 0, 252, 255, 0, 0, 0, 0, /* above */
		0, 252, 0, 255, 0, 0, 0, 0, 252, 252, 252, 255 };
	const struct picture p = { .width = 3, .height = 2, .rgba = pixels };
	struct grid g;

	grid_init(&g, 5, 2);
	half_blocks_draw(&p, surface_whole(&g), 0);
	assert_int_equal(g.cells[0].ch, 0x2580);
	assert_int_equal(g.cells[0].style.ink, STYLE_RGB(0xfc0000));
	assert_int_equal(g.cells[0].style.ground, STYLE_RGB(0x00fc00));
	assert_int_equal(g.cells[1].ch, 0x2580);
	assert_int_equal(g.cells[1].style.ground, ROLE_NONE);
	assert_int_equal(g.cells[2].ch, 0x2584);
	assert_int_equal(g.cells[2].style.ink, STYLE_RGB(0xfcfcfc));
	assert_int_equal(g.cells[3].ch, ' ');
	assert_int_equal(half_blocks_shade(&g.cells[0]), 0x2592);
	assert_int_equal(half_blocks_shade(&g.cells[1]), ' ');
	assert_int_equal(half_blocks_shade(&g.cells[2]), 0x2592);
	assert_int_equal(half_blocks_shade(&g.cells[3]), 0);
	grid_finish(&g);
}

static void
test_types(void **state)
{
	assert_string_equal(media_type_of("\x89PNG\r\n\x1a\n", 8), "image/png");
	assert_null(media_type_of("\x89PNG\r\n\x1a", 7));
	assert_string_equal(media_type_of("RIFF\0\0\0\0WEBP", 12), "image/webp");
	assert_string_equal(media_type_of("RIFF\0\0\0\0WAVE", 12), "audio/wav");
	assert_null(media_type_of("", 0));
	assert_false(media_type_differs(NULL, "image/png"));
	assert_false(media_type_differs("Image/PNG;a=b", "image/png"));
	assert_false(media_type_differs("image/svg+xml", "image/png"));
	assert_true(media_type_differs("image/gif", "image/png"));
	assert_true(media_type_differs("image/gif", NULL));
	assert_false(media_type_differs("audio/mp3", NULL));
}

static void
test_library(void **state)
{
	static const char *const names[] = { "no_function_is_called_so", NULL };
	void (*api[1])(void);
	struct err err;

	assert_false(shared_library_load("libnothing.so.0", names, api, &err));
	assert_string_equal(err.text, "the library libnothing.so.0 is missing");
	assert_false(shared_library_load("libpng16.so.16", names, api, &err));
	assert_string_equal(err.text, "libpng16.so.16 has no no_function_is_called_so");
}

/* ---- in a separate process ---- */

struct wanted {
	struct picture_job job;
	size_t done;
};

static void
on_done(struct picture_job *job)
{
	((struct wanted *)job)->done++;
}

static struct wanted
want(const char *base64)
{
	return (struct wanted){
		.job = { .base64 = base64, .len = strlen(base64), .most = 2, .done = on_done }
	};
}

static void
test_decoder(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct confined *decoder = confined_create(loop, fixture("decoder"), 20000);
	struct wanted all[] = { want(png), want(jpeg), want("AAAA"), want("%"), want(png),
		want(gif), want(webp) };

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		assert_true(decoder_submit(decoder, &all[i].job));
		assert_int_equal(all[i].done, 0);
	}
	all[4].job.unwanted = true;
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		TURN_UNTIL(loop, all[i].done == 1);
	assert_int_equal(all[0].job.picture.width, 2); /* reduced */
	assert_int_equal(all[0].job.picture.rgba[1], 200);
	assert_int_equal(all[1].job.picture.width, 2);
	assert_string_equal(all[0].job.trouble.text, "");
	assert_string_equal(all[2].job.trouble.text, "only PNG, JPEG, GIF and WebP can be drawn");
	assert_string_equal(all[3].job.trouble.text, "not base64");
	assert_int_equal(all[5].job.picture.frames, 2);
	assert_int_equal(all[5].job.picture.width, 2);
	assert_int_equal(all[6].job.picture.frames, 3);
	assert_string_equal(all[6].job.trouble.text, "");
	picture_finish(&all[5].job.picture);
	picture_finish(&all[6].job.picture);
	assert_null(all[4].job.picture.rgba);
	picture_finish(&all[0].job.picture);
	picture_finish(&all[1].job.picture);
	confined_destroy(decoder);
	child_hand_over(loop);
	loop_destroy(loop);
}

/* Any failure of the process gives a reason instead of a picture. */
static void
test_decoders_that_fail(void **state)
{
	static const struct {
		const char *script, *trouble;
	} rows[] = {
		{ "kill -SEGV $$", "the picture was not decoded: killed by SIGSEGV" },
		{ "exit 3", "the picture was not decoded: exit code 3" },
		{ "cat", "the picture was not decoded: it took too long" },
		{ "exec sleep 1000", "the picture was not decoded: it took too long" },
		{ "yes", "the picture was not decoded: it took too long" },
		{ "head -c 264 /dev/zero", "the picture was not decoded: exit code 0" },
		{ "head -c 600 /dev/zero | tr '\\0' '\\377'",
		    "the picture was not decoded: exit code 0" },
	};
	char path[] = "/tmp/decoder-XXXXXX";

	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		FILE *f = fopen(path, "w");
		fprintf(f, "#!/bin/sh\n%s\n", rows[i].script);
		fclose(f);
		chmod(path, 0755);
		struct loop *loop = loop_create(NULL, NULL, NULL);
		bool slow = strstr(rows[i].trouble, "too long") != NULL;
		struct confined *decoder = confined_create(loop, path, slow ? 200 : 20000);
		struct wanted w = want(png);
		assert_true(decoder_submit(decoder, &w.job));
		TURN_UNTIL(loop, w.done == 1);
		assert_string_equal(w.job.trouble.text, rows[i].trouble);
		assert_null(w.job.picture.rgba);
		confined_destroy(decoder);
		child_hand_over(loop);
		loop_destroy(loop);
	}
	unlink(path);
}

static void
test_decoder_ends_with_the_program(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct confined *decoder = confined_create(loop, "/bin/cat", 20000);
	struct wanted all[] = { want(png), want(png), want(png) };

	for (size_t i = 0; i < 3; i++)
		decoder_submit(decoder, &all[i].job);
	confined_destroy(decoder);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(all[i].done, 1);
	child_hand_over(loop);
	loop_destroy(loop);
}

/* ---- sandbox ---- */

static void
open_a_file(void)
{
	open("/etc/passwd", O_RDONLY);
}

static void
open_a_socket(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}

static void
signal_another(void)
{
	kill(getppid(), 0);
}

static void
start_a_program(void)
{
	execl("/bin/true", "true", (char *)NULL);
}

static void
start_a_process(void)
{
	_Fork();
}

static void
map_code(void)
{
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void
compute(void)
{
	char *memory = malloc((size_t)64 << 20);

	memset(memory, 1, (size_t)64 << 20);
	free(memory);
	_exit(write(STDOUT_FILENO, "", 0) == 0 ? 0 : 1);
}

static int
status_of(void (*act)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		confined_enter(&(struct confined_limits){ (size_t)256 << 20, 5, false });
		act();
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void
test_confined(void **state)
{
	static void (*const forbidden[])(void) = { open_a_file, open_a_socket, signal_another,
		start_a_program, start_a_process, map_code };

#ifdef __SANITIZE_ADDRESS__
	skip(); /* no filter then */
#endif
	if (under_valgrind())
		skip();
	for (size_t i = 0; i < ARRAY_LEN(forbidden); i++) {
		int status = status_of(forbidden[i]);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGSYS);
	}
	assert_int_equal(status_of(compute), 0);
}

TEST_FILE(picture)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_png),
		cmocka_unit_test(test_jpeg),
		cmocka_unit_test(test_animations),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_reduce),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_decoder),
		cmocka_unit_test(test_decoders_that_fail),
		cmocka_unit_test(test_decoder_ends_with_the_program),
		cmocka_unit_test(test_confined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Audio becomes facts and an envelope of bounded size; a damaged file gives a reason. */
#include "base/base64.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "fixture.h"
#include "host/media_decoder.h"
#include "host/confined.h"
#include "loop/child.h"
#include "loop/loop.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct wav {
	int channels, rate;
	uint32_t frames;
	uint32_t says; /* bytes of samples, in the header */
};

static void
add_number(struct buf *out, uint32_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf_add_char(out, (char)(value >> 8 * i));
}

/* 16 bits: the first channel rises from -32768 to 32767, the others are silent. */
static struct buf
make_wav(const struct wav *w)
{
	uint32_t frame = (uint32_t)w->channels * 2, says = w->says ? w->says : w->frames * frame;
	struct buf out = BUF_INIT;

	buf_add_str(&out, "RIFF");
	add_number(&out, 36 + says, 4);
	buf_add_str(&out, "WAVEfmt ");
	add_number(&out, 16, 4);
	add_number(&out, 1, 2);
	add_number(&out, (uint32_t)w->channels, 2);
	add_number(&out, (uint32_t)w->rate, 4);
	add_number(&out, (uint32_t)w->rate * frame, 4);
	add_number(&out, frame, 2);
	add_number(&out, 16, 2);
	buf_add_str(&out, "data");
	add_number(&out, says, 4);
	for (uint32_t i = 0; i < w->frames; i++)
		for (int c = 0; c < w->channels; c++)
			add_number(&out,
			    c == 0 ? (uint32_t)((int64_t)i * 65535 /
						    (w->frames > 1 ? w->frames - 1 : 1) -
						32768)
				   : 0,
			    2);
	return out;
}

static struct audio
decode(const struct buf *bytes)
{
	struct audio a;
	struct err err = { "" };

	if (!audio_decode(bytes->data, bytes->len, AUDIO_MAX_SAMPLES, &a, &err))
		fail_msg("%s", err.text);
	return a;
}

static void
test_wav(void **state)
{
	struct buf bytes = make_wav(&(struct wav){ .channels = 2, .rate = 44100, .frames = 100 });
	struct audio a = decode(&bytes);

	assert_int_equal(a.frames, 100);
	assert_int_equal(a.rate, 44100);
	assert_int_equal(a.channels, 2);
	assert_string_equal(a.format, "WAV (Microsoft), Signed 16 bit PCM");
	assert_int_equal(a.lanes, 2);
	assert_int_equal(a.columns, 100);
	assert_false(a.is_cut || a.has_more);
	for (int i = 0; i < a.columns; i++) {
		struct audio_span ramp = audio_reach(&a, 0, i, i + 1);
		assert_in_range(ramp.high + 127, i * 254 / 99 - (i > 0), i * 254 / 99 + 2);
		assert_int_equal(ramp.low, ramp.high);
		assert_int_equal(audio_reach(&a, 1, i, i + 1).high, 0);
	}
	struct audio_span all = audio_reach(&a, 0, 0, 100);
	assert_int_equal(all.low, -127);
	assert_int_equal(all.high, 127);
	audio_finish(&a);
	assert_null(a.spans);
	buf_finish(&bytes);
}

/* The envelope has a maximum number of columns for any length, and keeps every peak. */
static void
test_long(void **state)
{
	struct buf bytes = make_wav(&(struct wav){ .channels = 1, .rate = 8000, .frames = 300001 });
	struct audio a = decode(&bytes);

	assert_int_equal(a.frames, 300001);
	assert_in_range(a.columns, AUDIO_MAX_COLUMNS / 2, AUDIO_MAX_COLUMNS);
	for (int i = 1; i < a.columns; i++) {
		assert_true(a.spans[i].low >= a.spans[i - 1].high - 1);
		assert_true(a.spans[i].high >= a.spans[i].low);
	}
	assert_int_equal(a.spans[0].low, -127);
	assert_int_equal(a.spans[a.columns - 1].high, 127);
	audio_finish(&a);
	buf_finish(&bytes);
}

static void
test_many_channels(void **state)
{
	static const struct {
		int channels, lanes;
	} rows[] = { { 6, 6 }, { 8, 8 }, { 9, 1 }, { 200, 1 } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf bytes = make_wav(
		    &(struct wav){ .channels = rows[i].channels, .rate = 8000, .frames = 50 });
		struct audio a = decode(&bytes);
		assert_int_equal(a.channels, rows[i].channels);
		assert_int_equal(a.lanes, rows[i].lanes);
		assert_int_equal(audio_reach(&a, 0, 0, a.columns).high, 127);
		audio_finish(&a);
		buf_finish(&bytes);
	}
}

/* Headers are not trusted: the real size counts, and a difference is reported. */
static void
test_lies(void **state)
{
	static const struct {
		uint32_t frames, says;
		bool cut;
	} rows[] = {
		{ 0, 0, false }, { 400, 800, false }, { 400, 802, true },
		{ 0, 2000000000, true }, /* 1e9 frames */
		{ 400, 2000000000, true },
		{ 400, UINT32_MAX - 36, false }, /* a stream: its length was not known */
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf bytes = make_wav(&(struct wav){
		    .channels = 1, .rate = 8000, .frames = rows[i].frames, .says = rows[i].says });
		struct audio a = decode(&bytes);
		assert_int_equal(a.frames, rows[i].frames);
		assert_int_equal(a.is_cut, rows[i].cut);
		assert_false(a.has_more);
		audio_finish(&a);
		buf_finish(&bytes);
	}
}

static void
test_bounds(void **state)
{
	struct buf bytes = make_wav(&(struct wav){ .channels = 2, .rate = 8000, .frames = 1000 });
	struct err err = { "" };
	struct audio a;

	assert_true(audio_decode(bytes.data, bytes.len, 501, &a, &err));
	assert_int_equal(a.frames, 250);
	assert_true(a.has_more);
	assert_false(a.is_cut);
	audio_finish(&a);
	assert_false(audio_decode(bytes.data, AUDIO_MAX_BYTES + 1, 1, &a, &err));
	assert_string_equal(err.text, "too large to decode");
	assert_false(audio_decode("hello there", 11, 1, &a, &err));
	assert_non_null(strstr(err.text, "libsndfile cannot read it: "));
	assert_false(audio_decode("", 0, 1, &a, &err));
	buf_finish(&bytes);
}

/* Cut anywhere, and with any byte changed: an envelope, or a word why not. */
static void
test_broken(void **state)
{
	struct buf bytes = make_wav(&(struct wav){ .channels = 2, .rate = 8000, .frames = 20 });

	for (size_t i = 0; i < 2 * bytes.len; i++) {
		size_t at = i / 2;
		char kept = bytes.data[at];
		bool cut = i % 2 == 0;
		struct err err = { "" };
		struct audio a;
		if (!cut)
			bytes.data[at] = (char)~kept;
		/* a copy of exactly this size, so that reading past its end is detected */
		char *copy = mem_dup(bytes.data, cut && at == 0 ? 1 : cut ? at : bytes.len);
		if (audio_decode(copy, cut ? at : bytes.len, 100000, &a, &err))
			assert_true(a.frames <= 100000 && a.columns <= AUDIO_MAX_COLUMNS);
		else
			assert_true(err.text[0] != '\0');
		audio_finish(&a);
		free(copy);
		bytes.data[at] = kept;
	}
	buf_finish(&bytes);
}

/* ---- the decoding process ---- */

struct wanted {
	struct audio_job job; /* first */
	int done;
};

static void
on_done(struct audio_job *job)
{
	((struct wanted *)job)->done++;
}

static void
test_process(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct confined *decoder = confined_create(loop, fixture("decoder"), 20000);
	struct buf wav = make_wav(&(struct wav){ .channels = 2, .rate = 8000, .frames = 5000 });
	struct buf base64 = BUF_INIT;
	struct wanted all[4] = { 0 };
	struct buf mp3 = BUF_INIT, mp3_base64 = BUF_INIT;

	/* the library's complaints are suppressed */
	assert_true(path_read_regular("tests/fuzz/corpus/audio/tone.mp3", &mp3, NULL, NULL));
	mp3.data[648] = 12;
	base64_add(&mp3_base64, mp3.data, mp3.len, BASE64_PLAIN);
	all[3].job = (struct audio_job){ .base64 = buf_text(&mp3_base64), .len = mp3_base64.len };
	base64_add(&base64, wav.data, wav.len, BASE64_PLAIN);
	all[0].job = (struct audio_job){ .base64 = buf_text(&base64), .len = base64.len };
	all[1].job = (struct audio_job){ .base64 = "%", .len = 1 };
	all[2].job = (struct audio_job){ .base64 = "UklGRg==", .len = 8 };
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		all[i].job.done = on_done;
		assert_true(audio_submit(decoder, &all[i].job));
	}
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		TURN_UNTIL(loop, all[i].done == 1);
	assert_string_equal(all[0].job.trouble.text, "");
	assert_int_equal(all[0].job.audio.frames, 5000);
	assert_int_equal(audio_reach(&all[0].job.audio, 0, 0, 5000).high, 127);
	assert_string_equal(all[1].job.trouble.text, "not base64");
	assert_non_null(strstr(all[2].job.trouble.text, "libsndfile cannot read it"));
	audio_finish(&all[0].job.audio);
	assert_null(strstr(all[3].job.trouble.text, "not decoded"));
	audio_finish(&all[3].job.audio);
	buf_finish(&mp3);
	buf_finish(&mp3_base64);
	buf_finish(&wav);
	buf_finish(&base64);
	confined_destroy(decoder);
	child_hand_over(loop);
	loop_destroy(loop);
}

/* Any malformed output of the process gives a reason instead of an envelope. */
static void
test_process_that_lies(void **state)
{
	static const char *const options[] = { "/bin/cat", "/bin/true", "/bin/false" };

	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		struct loop *loop = loop_create(NULL, NULL, NULL);
		struct confined *decoder = confined_create(loop, options[i], 300);
		struct wanted w = { .job = { .base64 = "AAAA", .len = 4, .done = on_done } };
		assert_true(audio_submit(decoder, &w.job));
		TURN_UNTIL(loop, w.done == 1);
		assert_non_null(strstr(w.job.trouble.text, "the audio was not decoded: "));
		assert_null(w.job.audio.spans);
		confined_destroy(decoder);
		child_hand_over(loop);
		loop_destroy(loop);
	}
}

TEST_FILE(audio)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wav),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_many_channels),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_process_that_lies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

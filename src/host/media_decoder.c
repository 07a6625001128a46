/* SPDX-License-Identifier: MIT */
#include "host/media_decoder.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/shared_library.h"
#include "base/vec.h"
#include "host/confined.h"
#include "mcp/content.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <gif_lib.h>
#include <jpeglib.h>
#include <png.h>
#include <sndfile.h>
#include <webp/demux.h>

/* ---- pictures ---- */

/* Request to the decoding process: this header, then the picture in base64. */
struct picture_request {
	uint32_t len, most;
};
#define PICTURE_MAX_BASE64 (PICTURE_MAX_BYTES / 3 * 4 + 4)
/* Reply: this header, then the pixels. */
struct picture_answer {
	uint32_t width, height; /* 0: failed, see trouble */
	uint32_t frames;
	struct err trouble;
};

static bool
picture_allocate(struct picture *p, size_t width, size_t height, struct err *err)
{
	if (width == 0 || height == 0 || width > PICTURE_MAX_PIXELS ||
	    height > PICTURE_MAX_PIXELS || width * height > PICTURE_MAX_PIXELS)
		return err_set(err, "%zu x %zu pixels are too many to draw", width, height);
	*p = (struct picture){
		.width = (int)width, .height = (int)height, .rgba = mem_zalloc(width * height * 4)
	};
	return true;
}

/* The libpng functions we use, with the types of its header. */
#define PNG_FUNCTIONS(X)                    \
	X(png_image_begin_read_from_memory) \
	X(png_image_finish_read)            \
	X(png_image_free)

#define PNG_LIBRARY "libpng16.so.16"

struct png_api {
	PNG_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

static bool
picture_decode_png(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	struct png_api api = { 0 };

	if (!SHARED_LIBRARY_LOAD(PNG_LIBRARY, PNG_FUNCTIONS, &api, err))
		return false;
	bool ok = api.png_image_begin_read_from_memory(&image, bytes, len) != 0;
	image.format = PNG_FORMAT_RGBA;
	if (ok && !picture_allocate(out, image.width, image.height, err)) {
		api.png_image_free(&image);
		return false;
	}
	ok = ok && api.png_image_finish_read(&image, NULL, out->rgba, 0, NULL) != 0;
	if (!ok)
		err_set(err, "a broken PNG: %s", image.message);
	api.png_image_free(&image);
	return ok;
}

/* The libjpeg-turbo functions we use, with the types of its header. The structures match one of
 * its two ABIs; the library refuses the other. */
#define JPEG_FUNCTIONS(X)        \
	X(jpeg_std_error)        \
	X(jpeg_CreateDecompress) \
	X(jpeg_mem_src)          \
	X(jpeg_read_header)      \
	X(jpeg_start_decompress) \
	X(jpeg_read_scanlines)   \
	X(jpeg_destroy_decompress)

struct jpeg_api {
	JPEG_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

#define JPEG_LIBRARY (JPEG_LIB_VERSION >= 80 ? "libjpeg.so.8" : "libjpeg.so.62")
/* A progressive picture with thousands of scans is an attack. */
#define SCANS_MAX 64

struct jpeg_reader {
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct jpeg_progress_mgr progress;
	jmp_buf failed;
	char text[JMSG_LENGTH_MAX];
	struct jpeg_api api;
	const unsigned char *bytes;
	size_t len;
	struct picture *out;
	struct err *err;
};

/* ---- callbacks of libjpeg: an error never returns ---- */

static void
on_jpeg_error(j_common_ptr jpeg)
{
	struct jpeg_reader *r = jpeg->client_data;

	jpeg->err->format_message(jpeg, r->text);
	longjmp(r->failed, 1);
}

static void
on_jpeg_progress(j_common_ptr jpeg)
{
	struct jpeg_reader *r = jpeg->client_data;

	if (r->jpeg.input_scan_number <= SCANS_MAX)
		return;
	snprintf(r->text, sizeof(r->text), "more than %d scans", SCANS_MAX);
	longjmp(r->failed, 1);
}

/* Ignores warnings: draw as much as can be read. */
static void
on_jpeg_message(j_common_ptr jpeg)
{
}

/* ---- reading ---- */

static bool
read_jpeg(struct jpeg_reader *r)
{
	struct jpeg_decompress_struct *jpeg = &r->jpeg;
	const struct jpeg_api *api = &r->api;

	api->jpeg_mem_src(jpeg, r->bytes, (unsigned long)r->len);
	api->jpeg_read_header(jpeg, TRUE);
	if (!picture_allocate(r->out, jpeg->image_width, jpeg->image_height, r->err))
		return false;
	jpeg->out_color_space = JCS_RGB;
	api->jpeg_start_decompress(jpeg);
	JSAMPARRAY row =
	    jpeg->mem->alloc_sarray((j_common_ptr)jpeg, JPOOL_IMAGE, jpeg->output_width * 3, 1);
	while (jpeg->output_scanline < jpeg->output_height) {
		api->jpeg_read_scanlines(jpeg, row, 1);
		const unsigned char *rgb = row[0];
		uint8_t *to =
		    r->out->rgba + (size_t)(jpeg->output_scanline - 1) * (size_t)r->out->width * 4;
		for (int x = 0; x < r->out->width; x++, to += 4, rgb += 3) {
			memcpy(to, rgb, 3);
			to[3] = 255;
		}
	}
	return true;
}

static bool
picture_decode_jpeg(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	struct jpeg_reader r = { .bytes = bytes, .len = len, .out = out, .err = err };
	volatile bool ok = false;

	if (!SHARED_LIBRARY_LOAD(JPEG_LIBRARY, JPEG_FUNCTIONS, &r.api, err))
		return false;
	r.jpeg.err = r.api.jpeg_std_error(&r.errors);
	r.jpeg.client_data = &r;
	r.errors.error_exit = on_jpeg_error;
	r.errors.output_message = on_jpeg_message;
	r.progress.progress_monitor = on_jpeg_progress;
	if (setjmp(r.failed)) {
		err_set(err, "a broken JPEG: %s", r.text);
	} else {
		r.api.jpeg_CreateDecompress(&r.jpeg, JPEG_LIB_VERSION, sizeof(r.jpeg));
		r.jpeg.progress = &r.progress;
		ok = read_jpeg(&r);
	}
	r.api.jpeg_destroy_decompress(&r.jpeg);
	return ok;
}

/* Frames are counted as far as that. */
#define FRAMES_MAX 9999

/* ---- GIF: the functions we use, with the types of its header ---- */

#define GIF_FUNCTIONS(X)        \
	X(DGifOpen)             \
	X(DGifCloseFile)        \
	X(DGifGetRecordType)    \
	X(DGifGetImageDesc)     \
	X(DGifGetLine)          \
	X(DGifGetExtension)     \
	X(DGifGetExtensionNext) \
	X(DGifGetCode)          \
	X(DGifGetCodeNext)      \
	X(GifErrorString)

#define GIF_LIBRARY "libgif.so.7"

struct gif_api {
	GIF_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

struct gif_reader {
	struct gif_api api;
	GifFileType *gif;
	const unsigned char *bytes;
	size_t len, at;
	int transparent; /* the color that shows nothing; -1: none */
	struct picture *out;
	struct err *err;
};

/* giflib has no words for some of its errors. */
static bool
refuse_gif(const struct gif_reader *r, int error)
{
	const char *text = r->api.GifErrorString(error);

	return err_set(r->err, "a broken GIF: %s", text ? text : "it ends too early, or is wrong");
}

static int
on_gif_read(GifFileType *gif, GifByteType *to, int most)
{
	struct gif_reader *r = gif->UserData;
	size_t left = r->len - r->at, count = (size_t)most < left ? (size_t)most : left;

	memcpy(to, r->bytes + r->at, count);
	r->at += count;
	return (int)count;
}

static void
take_line(struct gif_reader *r, const ColorMapObject *map, const GifByteType *line, int y)
{
	const GifImageDesc *image = &r->gif->Image;
	int to = image->Top + y;

	for (int x = 0; x < image->Width && to < r->out->height; x++) {
		int at = image->Left + x, color = line[x];
		if (at >= r->out->width || color == r->transparent || color >= map->ColorCount)
			continue;
		uint8_t *pixel =
		    r->out->rgba + ((size_t)to * (size_t)r->out->width + (size_t)at) * 4;
		pixel[0] = map->Colors[color].Red;
		pixel[1] = map->Colors[color].Green;
		pixel[2] = map->Colors[color].Blue;
		pixel[3] = 255;
	}
}

/* The frame may be smaller than the screen it is on. */
static bool
read_gif_frame(struct gif_reader *r)
{
	const GifImageDesc *image = &r->gif->Image;
	const ColorMapObject *map = image->ColorMap ? image->ColorMap : r->gif->SColorMap;
	size_t pixels = (size_t)image->Width * (size_t)image->Height;
	int width = r->gif->SWidth, height = r->gif->SHeight;

	if (!map)
		return err_set(r->err, "a broken GIF: it has no colors");
	if (pixels == 0 || pixels > PICTURE_MAX_PIXELS)
		return err_set(r->err, "a frame of %d x %d pixels cannot be drawn", image->Width,
		    image->Height);
	if (width <= 0 || height <= 0) {
		width = image->Width;
		height = image->Height;
	}
	if (!picture_allocate(r->out, (size_t)width, (size_t)height, r->err))
		return false;
	GifByteType *line = mem_zalloc((size_t)image->Width);
	/* Interlaced lines come in four passes. */
	static const int from[] = { 0, 4, 2, 1 }, step[] = { 8, 8, 4, 2 };
	bool ok = true;
	for (int pass = 0; pass < (image->Interlace ? 4 : 1); pass++)
		for (int y = image->Interlace ? from[pass] : 0; ok && y < image->Height;
		     y += image->Interlace ? step[pass] : 1) {
			ok = r->api.DGifGetLine(r->gif, line, image->Width) != GIF_ERROR;
			if (ok)
				take_line(r, map, line, y);
		}
	free(line);
	return ok || refuse_gif(r, r->gif->Error);
}

static bool
skip_gif_frame(struct gif_reader *r)
{
	GifByteType *code;
	int size;

	if (r->api.DGifGetCode(r->gif, &size, &code) == GIF_ERROR)
		return false;
	while (code)
		if (r->api.DGifGetCodeNext(r->gif, &code) == GIF_ERROR)
			return false;
	return true;
}

static bool
read_extension(struct gif_reader *r)
{
	GifByteType *bytes;
	int kind;

	if (r->api.DGifGetExtension(r->gif, &kind, &bytes) == GIF_ERROR)
		return false;
	if (kind == GRAPHICS_EXT_FUNC_CODE && bytes && bytes[0] >= 4)
		r->transparent = bytes[1] & 1 ? bytes[4] : -1;
	while (bytes)
		if (r->api.DGifGetExtensionNext(r->gif, &bytes) == GIF_ERROR)
			return false;
	return true;
}

static bool
picture_decode_gif(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	struct gif_reader r = {
		.bytes = bytes, .len = len, .transparent = -1, .out = out, .err = err
	};
	GifRecordType type;
	bool ok = true;
	int error = 0;

	if (!SHARED_LIBRARY_LOAD(GIF_LIBRARY, GIF_FUNCTIONS, &r.api, err))
		return false;
	r.gif = r.api.DGifOpen(&r, on_gif_read, &error);
	if (!r.gif)
		return refuse_gif(&r, error);
	/* the records up to the end, or to an error after the first frame */
	while (ok && out->frames < FRAMES_MAX &&
	       r.api.DGifGetRecordType(r.gif, &type) != GIF_ERROR &&
	       type != TERMINATE_RECORD_TYPE) {
		if (type == EXTENSION_RECORD_TYPE)
			ok = read_extension(&r);
		if (type != IMAGE_DESC_RECORD_TYPE)
			continue;
		ok = r.api.DGifGetImageDesc(r.gif) != GIF_ERROR &&
		     (out->frames > 0 ? skip_gif_frame(&r) : read_gif_frame(&r));
		out->frames += ok;
	}
	r.api.DGifCloseFile(r.gif, &error);
	if (out->frames == 0 && !err->text[0])
		err_set(err, "a broken GIF: it has no frame");
	return out->frames > 0;
}

#define WEBP_FUNCTIONS(X)                     \
	X(WebPDemuxInternal)                  \
	X(WebPDemuxGetI)                      \
	X(WebPDemuxDelete)                    \
	X(WebPAnimDecoderOptionsInitInternal) \
	X(WebPAnimDecoderNewInternal)         \
	X(WebPAnimDecoderGetNext)             \
	X(WebPAnimDecoderDelete)

#define WEBP_LIBRARY "libwebpdemux.so.2"

struct webp_api {
	WEBP_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

static bool
picture_decode_webp(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	const WebPData data = { bytes, len };
	struct webp_api api;

	if (!SHARED_LIBRARY_LOAD(WEBP_LIBRARY, WEBP_FUNCTIONS, &api, err))
		return false;
	WebPDemuxer *demuxer = api.WebPDemuxInternal(&data, 0, NULL, WEBP_DEMUX_ABI_VERSION);
	if (!demuxer)
		return err_set(err, "a broken WebP");
	size_t width = api.WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH);
	size_t height = api.WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT);
	uint32_t frames = api.WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT);
	api.WebPDemuxDelete(demuxer);
	if (!picture_allocate(out, width, height, err))
		return false;
	out->frames = frames < FRAMES_MAX ? (int)frames : FRAMES_MAX;
	WebPAnimDecoderOptions options;
	WebPAnimDecoder *decoder = NULL;
	uint8_t *pixels;
	int ms;
	if (api.WebPAnimDecoderOptionsInitInternal(&options, WEBP_DEMUX_ABI_VERSION)) {
		options.color_mode = MODE_RGBA;
		options.use_threads = 0;
		decoder = api.WebPAnimDecoderNewInternal(&data, &options, WEBP_DEMUX_ABI_VERSION);
	}
	bool ok = decoder && api.WebPAnimDecoderGetNext(decoder, &pixels, &ms);
	if (ok)
		memcpy(out->rgba, pixels, width * height * 4);
	api.WebPAnimDecoderDelete(decoder);
	return ok || err_set(err, "a broken WebP");
}

static const struct {
	const char *type;
	bool (*decode)(const void *bytes, size_t len, struct picture *out, struct err *err);
} decoders[] = {
	{ "image/png", picture_decode_png },
	{ "image/jpeg", picture_decode_jpeg },
	{ "image/gif", picture_decode_gif },
	{ "image/webp", picture_decode_webp },
};

bool
picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	const char *type = media_type_of(bytes, len);

	*out = (struct picture){ 0 };
	if (len > PICTURE_MAX_BYTES)
		return err_set(err, "too large to draw");
	for (size_t i = 0; type && i < ARRAY_LEN(decoders); i++) {
		if (strcmp(decoders[i].type, type) != 0)
			continue;
		if (decoders[i].decode(bytes, len, out, err))
			return true;
		picture_finish(out);
		return false;
	}
	return err_set(err, "only PNG, JPEG, GIF and WebP can be drawn");
}

void
picture_job_run(struct picture_job *job)
{
	struct buf bytes = BUF_INIT;
	struct picture whole;

	if (!base64_decode(&bytes, job->base64, job->len)) {
		err_set(&job->trouble, "not base64");
	} else if (picture_decode(buf_text(&bytes), bytes.len, &whole, &job->trouble)) {
		int width, height;
		picture_fit(&whole, job->most, job->most, &width, &height);
		if (width == whole.width && height == whole.height) {
			job->picture = whole;
		} else {
			picture_reduce(&whole, width, height, &job->picture);
			job->picture.frames = whole.frames;
			picture_finish(&whole);
		}
	}
	buf_finish(&bytes);
}

int
picture_serve(void)
{
	static const struct confined_limits limits = { .memory_bytes = (size_t)256 << 20,
		.cpu_seconds = 5 };
	struct picture_request request;
	struct png_api png;
	struct jpeg_api jpeg;
	struct gif_api gif;
	struct webp_api webp;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!confined_read(&request, sizeof(request)) || request.len > PICTURE_MAX_BASE64)
		return 1;
	char *base64 = mem_alloc(request.len);
	if (!confined_read(base64, request.len))
		return 1;
	/* picture_decode() finds them loaded, and reports a missing one */
	SHARED_LIBRARY_LOAD(PNG_LIBRARY, PNG_FUNCTIONS, &png, NULL);
	SHARED_LIBRARY_LOAD(JPEG_LIBRARY, JPEG_FUNCTIONS, &jpeg, NULL);
	SHARED_LIBRARY_LOAD(GIF_LIBRARY, GIF_FUNCTIONS, &gif, NULL);
	SHARED_LIBRARY_LOAD(WEBP_LIBRARY, WEBP_FUNCTIONS, &webp, NULL);
	confined_enter(&limits);
	struct picture_job job = {
		.base64 = base64, .len = request.len, .most = (int)request.most
	};
	picture_job_run(&job);
	struct picture_answer answer = {
		.width = (uint32_t)job.picture.width,
		.height = (uint32_t)job.picture.height,
		.frames = (uint32_t)job.picture.frames,
		.trouble = job.trouble,
	};
	size_t pixels = (size_t)answer.width * answer.height * 4;
	bool ok =
	    confined_write(&answer, sizeof(answer)) && confined_write(job.picture.rgba, pixels);
	_exit(ok ? 0 : 1); /* exit handlers may need forbidden system calls */
}

/* The reply is untrusted too: checks bounds, and that the pixel count matches. */
static bool
take_answer(struct picture_job *job, const struct buf *bytes)
{
	struct picture_answer answer;

	if (bytes->len < sizeof(answer))
		return false;
	memcpy(&answer, bytes->data, sizeof(answer));
	uint32_t most = (uint32_t)job->most;
	size_t pixels = (size_t)answer.width * answer.height * 4;
	bool fits = answer.width <= most && answer.height <= most;
	if (!fits || bytes->len - sizeof(answer) != pixels)
		return false;
	answer.trouble.text[sizeof(answer.trouble.text) - 1] = '\0';
	job->trouble = answer.trouble;
	if (pixels > 0)
		job->picture = (struct picture){ .width = (int)answer.width,
			.height = (int)answer.height,
			.frames = answer.frames < INT16_MAX ? (int)answer.frames : INT16_MAX,
			.rgba = mem_dup(bytes->data + sizeof(answer), pixels) };
	return pixels > 0 || answer.trouble.text[0];
}

static void
on_picture_done(struct confined_job *work, const char *ended)
{
	struct picture_job *job = work->user;

	if (!take_answer(job, &work->answer) && !job->unwanted)
		err_set(&job->trouble, "the picture was not decoded: %s", ended);
	job->done(job);
}

bool
decoder_submit(struct confined *confined, struct picture_job *job)
{
	struct picture_request request = { .len = (uint32_t)job->len, .most = (uint32_t)job->most };
	size_t side = (size_t)job->most;

	if (job->len > PICTURE_MAX_BASE64)
		return err_set(&job->trouble, "too large to draw");
	struct confined_job *work = mem_zalloc(sizeof(*work));
	*work = (struct confined_job){ .option = PICTURE_OPTION,
		.done = on_picture_done,
		.user = job,
		.unwanted = &job->unwanted,
		.answer_max = sizeof(struct picture_answer) + side * side * 4 + 1 };
	buf_add(&work->request, &request, sizeof(request));
	buf_add(&work->request, job->base64, job->len);
	return confined_submit(confined, work, &job->trouble);
}

/* ---- audio ---- */

/* The libsndfile functions we use, with the types of its header. */
#define SNDFILE_FUNCTIONS(X) \
	X(sf_open_virtual)   \
	X(sf_readf_float)    \
	X(sf_command)        \
	X(sf_strerror)       \
	X(sf_close)

#define SNDFILE_LIBRARY "libsndfile.so.1"

struct sndfile_api {
	SNDFILE_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

bool
audio_load(struct err *err)
{
	struct sndfile_api api;

	return SHARED_LIBRARY_LOAD(SNDFILE_LIBRARY, SNDFILE_FUNCTIONS, &api, err);
}

/* A file in memory, for libsndfile. */
struct memory_file {
	const char *bytes;
	sf_count_t len, at;
};

static sf_count_t
on_length(void *user)
{
	return ((struct memory_file *)user)->len;
}

static sf_count_t
on_seek(sf_count_t offset, int whence, void *user)
{
	struct memory_file *f = user;
	sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? f->at : f->len, to;

	if (__builtin_add_overflow(from, offset, &to) || to < 0)
		return -1;
	f->at = to;
	return to;
}

static sf_count_t
on_read(void *to, sf_count_t count, void *user)
{
	struct memory_file *f = user;
	sf_count_t left = f->at < f->len ? f->len - f->at : 0;

	count = count < left ? count : left;
	if (count <= 0)
		return 0;
	memcpy(to, f->bytes + f->at, (size_t)count);
	f->at += count;
	return count;
}

static sf_count_t
on_tell(void *user)
{
	return ((struct memory_file *)user)->at;
}

/* The name of the container, or of how its samples are kept; "" if it has none. */
static const char *
format_name(const struct sndfile_api *api, SNDFILE *file, int format)
{
	SF_FORMAT_INFO info = { .format = format };

	if (api->sf_command(file, SFC_GET_FORMAT_INFO, &info, sizeof(info)) != 0 || !info.name)
		return "";
	return info.name;
}

/* The envelope of a stream of samples: when it is full, every two columns become one. */
struct envelope {
	struct audio *audio;
	int64_t per_column, in_column; /* frames: of a column, and those in the last one */
	float low[AUDIO_MAX_LANES], high[AUDIO_MAX_LANES];
};

static void
end_column(struct envelope *e)
{
	struct audio *a = e->audio;
	struct audio_span *last = a->spans + a->columns++ * a->lanes;

	for (int lane = 0; lane < a->lanes; lane++)
		last[lane] = (struct audio_span){ (int8_t)lrintf(e->low[lane] * INT8_MAX),
			(int8_t)lrintf(e->high[lane] * INT8_MAX) };
	e->in_column = 0;
	if (a->columns < AUDIO_MAX_COLUMNS)
		return;
	a->columns /= 2;
	for (int i = 0; i < a->columns * a->lanes; i++) {
		const struct audio_span *one =
		    a->spans + i / a->lanes * 2 * a->lanes + i % a->lanes;
		a->spans[i] = audio_span_join(*one, one[a->lanes]);
	}
	e->per_column *= 2;
}

/* Add whole frames. A sample outside -1 to 1 is clamped, NaN is 0. */
static void
add_samples(struct envelope *e, const float *samples, int64_t frames)
{
	struct audio *a = e->audio;
	bool shared = a->lanes < a->channels;

	for (int64_t i = 0; i < frames; i++) {
		for (int channel = 0; channel < a->channels; channel++) {
			bool is_first = e->in_column == 0 && (!shared || channel == 0);
			int lane = shared ? 0 : channel;
			float sample = *samples++;
			if (!(sample >= -1 && sample <= 1))
				sample = sample < -1 ? -1 : sample > 1 ? 1 : 0;
			if (is_first || sample < e->low[lane])
				e->low[lane] = sample;
			if (is_first || sample > e->high[lane])
				e->high[lane] = sample;
		}
		if (++e->in_column == e->per_column)
			end_column(e);
	}
	a->frames += frames;
}

/* Frames until the end, what cannot be read, or the most; counted, as a header may lie. */
static void
read_frames(const struct sndfile_api *api, SNDFILE *file, int64_t most, struct audio *out)
{
	enum { CHUNK_SAMPLES = 1 << 16 };
	sf_count_t chunk = CHUNK_SAMPLES / out->channels, got;
	float *samples = mem_zalloc(CHUNK_SAMPLES * sizeof(*samples));
	struct envelope e = { .audio = out, .per_column = 1 };

	out->lanes = out->channels <= AUDIO_MAX_LANES ? out->channels : 1;
	out->spans =
	    mem_zalloc((size_t)AUDIO_MAX_COLUMNS * (size_t)out->lanes * sizeof(*out->spans));
	while (out->frames < most) {
		got = most - out->frames < chunk ? most - out->frames : chunk;
		got = api->sf_readf_float(file, samples, got);
		if (got <= 0)
			break;
		add_samples(&e, samples, got);
	}
	if (e.in_column > 0)
		end_column(&e);
	free(samples);
}

static bool
read_file(const struct sndfile_api *api, SNDFILE *file, const SF_INFO *info, int64_t max_samples,
    struct audio *out, struct err *err)
{
	enum { CHANNELS_MAX = 1024 };
	int64_t most;

	if (info->channels <= 0 || info->channels > CHANNELS_MAX || info->samplerate <= 0)
		return err_set(err, "broken audio: %d channels, %d frames a second", info->channels,
		    info->samplerate);
	most = max_samples / info->channels;
	out->channels = info->channels;
	out->rate = info->samplerate;
	const char *container = format_name(api, file, info->format & SF_FORMAT_TYPEMASK);
	const char *samples = format_name(api, file, info->format & SF_FORMAT_SUBMASK);
	snprintf(out->format, sizeof(out->format), "%s%s%s", container,
	    *container && *samples ? ", " : "", samples);
	read_frames(api, file, most, out);
	bool said = info->frames > 0 && info->frames < SF_COUNT_MAX;
	out->has_more = out->frames == most && (!said || info->frames > most);
	out->is_cut = !out->has_more && said && info->frames > out->frames;
	return true;
}

bool
audio_decode(const void *bytes, size_t len, int64_t max_samples, struct audio *out, struct err *err)
{
	enum { RIFF_HEAD = 8 };
	struct memory_file memory = { bytes, (sf_count_t)len, 0 };
	const unsigned char *at = bytes;
	SF_VIRTUAL_IO io = {
		.get_filelen = on_length, .seek = on_seek, .read = on_read, .tell = on_tell
	};
	struct sndfile_api api;
	SF_INFO info = { 0 };

	*out = (struct audio){ 0 };
	if (len > AUDIO_MAX_BYTES)
		return err_set(err, "too large to decode");
	if (!SHARED_LIBRARY_LOAD(SNDFILE_LIBRARY, SNDFILE_FUNCTIONS, &api, err))
		return false;
	SNDFILE *file = api.sf_open_virtual(&io, SFM_READ, &info, &memory);
	if (!file) {
		const char *why = api.sf_strerror(NULL);
		return err_set(
		    err, "libsndfile cannot read it: %.*s", (int)strcspn(why, "\n"), why);
	}
	bool ok = read_file(&api, file, &info, max_samples, out, err);
	/* The header of a RIFF file may promise more than there is. Who writes to a pipe promises
	 * the most that it can. */
	if (len >= RIFF_HEAD && memcmp(at, "RIFF", 4) == 0) {
		uint32_t rest =
		    at[4] | (uint32_t)at[5] << 8 | (uint32_t)at[6] << 16 | (uint32_t)at[7] << 24;
		out->is_cut |= rest < UINT32_MAX - 1024 && rest > len - RIFF_HEAD;
	}
	api.sf_close(file);
	return ok;
}

/* The request is its length and the audio in base64. */
#define AUDIO_MAX_BASE64 (AUDIO_MAX_BYTES / 3 * 4 + 4)
/* The answer is this header and the spans. */
struct audio_reply {
	struct audio audio; /* its pointer means nothing */
	struct err trouble;
};
#define SPANS_MAX_BYTES ((size_t)AUDIO_MAX_COLUMNS * AUDIO_MAX_LANES * sizeof(struct audio_span))

void
audio_job_run(struct audio_job *job)
{
	struct buf bytes = BUF_INIT;

	if (!base64_decode(&bytes, job->base64, job->len))
		err_set(&job->trouble, "not base64");
	else if (!audio_decode(
		     buf_text(&bytes), bytes.len, AUDIO_MAX_SAMPLES, &job->audio, &job->trouble))
		audio_finish(&job->audio);
	buf_finish(&bytes);
}

int
audio_serve(void)
{
	/* libraries behind libsndfile ask for the process's number and such */
	static const struct confined_limits limits = {
		.memory_bytes = (size_t)256 << 20, .cpu_seconds = 5, .calls_fail = true
	};
	static struct audio_reply reply; /* without bytes of the stack between its members */
	uint32_t len;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!confined_read(&len, sizeof(len)) || len > AUDIO_MAX_BASE64)
		return 1;
	char *base64 = mem_alloc(len + 1);
	if (!confined_read(base64, len))
		return 1;
	audio_load(NULL);     /* audio_decode() reports a missing library */
	close(STDERR_FILENO); /* libmpg123 writes notes there */
	confined_enter(&limits);
	struct audio_job job = { .base64 = base64, .len = len };
	audio_job_run(&job);
	reply.audio = job.audio;
	reply.trouble = job.trouble;
	const struct audio *a = &job.audio;
	size_t spans = (size_t)a->columns * (size_t)a->lanes * sizeof(*a->spans);
	bool ok = confined_write(&reply, sizeof(reply)) && confined_write(a->spans, spans);
	_exit(ok ? 0 : 1); /* exit handlers may need forbidden system calls */
}

/* The reply is untrusted too: a length or a count that is out of bounds makes it invalid. */
static bool
take_reply(struct audio_job *job, const struct buf *bytes)
{
	struct audio_reply reply;
	struct audio *a = &reply.audio;

	if (bytes->len < sizeof(reply))
		return false;
	memcpy(&reply, bytes->data, sizeof(reply));
	bool fits = a->columns >= 0 && a->columns <= AUDIO_MAX_COLUMNS && a->lanes >= 0 &&
		    a->lanes <= AUDIO_MAX_LANES && a->frames >= a->columns && a->rate >= 0 &&
		    a->channels >= a->lanes;
	size_t spans = fits ? (size_t)a->columns * (size_t)a->lanes * sizeof(*a->spans) : 0;
	if (!fits || bytes->len - sizeof(reply) != spans)
		return false;
	reply.trouble.text[sizeof(reply.trouble.text) - 1] = '\0';
	a->format[sizeof(a->format) - 1] = '\0';
	a->spans = spans ? mem_dup(bytes->data + sizeof(reply), spans) : NULL;
	job->trouble = reply.trouble;
	if (!reply.trouble.text[0])
		job->audio = *a;
	else
		audio_finish(a);
	return reply.trouble.text[0] || job->audio.rate > 0;
}

static void
on_audio_done(struct confined_job *work, const char *ended)
{
	struct audio_job *job = work->user;

	if (!take_reply(job, &work->answer) && !job->unwanted)
		err_set(&job->trouble, "the audio was not decoded: %s", ended);
	job->done(job);
}

bool
audio_submit(struct confined *confined, struct audio_job *job)
{
	uint32_t len = (uint32_t)job->len;

	if (job->len > AUDIO_MAX_BASE64)
		return err_set(&job->trouble, "too large to decode");
	struct confined_job *work = mem_zalloc(sizeof(*work));
	*work = (struct confined_job){ .option = AUDIO_OPTION,
		.done = on_audio_done,
		.user = job,
		.unwanted = &job->unwanted,
		.answer_max = sizeof(struct audio_reply) + SPANS_MAX_BYTES + 1 };
	buf_add(&work->request, &len, sizeof(len));
	buf_add(&work->request, job->base64, job->len);
	return confined_submit(confined, work, &job->trouble);
}

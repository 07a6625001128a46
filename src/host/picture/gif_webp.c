#include "decoding.h"

#include "base/mem.h"
#include "base/shared_library.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>
#include <webp/demux.h>

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

struct gif_reader {
	struct {
		GIF_FUNCTIONS(SHARED_LIBRARY_POINTER)
	} api;
	GifFileType *gif;
	const unsigned char *bytes;
	size_t len, at;
	int transparent; /* the color that shows nothing; -1: none */
	struct picture *out;
	struct err *err;
};

/* giflib has no words for some of its errors. */
static bool
refuse(const struct gif_reader *r, int error)
{
	const char *text = r->api.GifErrorString(error);

	return err_set(r->err, "a broken GIF: %s", text ? text : "it ends too early, or is wrong");
}

bool
picture_load_gif(struct err *err)
{
	struct gif_reader r;

	return SHARED_LIBRARY_LOAD(GIF_LIBRARY, GIF_FUNCTIONS, &r.api, err);
}

static int
on_read(GifFileType *gif, GifByteType *to, int most)
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

/* Interlaced lines come in four passes. */
static bool
read_lines(struct gif_reader *r, const ColorMapObject *map, GifByteType *line)
{
	static const int from[] = { 0, 4, 2, 1 }, step[] = { 8, 8, 4, 2 };
	const GifImageDesc *image = &r->gif->Image;
	int passes = image->Interlace ? 4 : 1;

	for (int pass = 0; pass < passes; pass++)
		for (int y = image->Interlace ? from[pass] : 0; y < image->Height;
		     y += image->Interlace ? step[pass] : 1) {
			if (r->api.DGifGetLine(r->gif, line, image->Width) == GIF_ERROR)
				return false;
			take_line(r, map, line, y);
		}
	return true;
}

/* The frame may be smaller than the screen it is on. */
static bool
read_frame(struct gif_reader *r)
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
	bool ok = read_lines(r, map, line);
	free(line);
	return ok || refuse(r, r->gif->Error);
}

static bool
skip_frame(struct gif_reader *r)
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

/* Its records up to the end, or to what is broken behind the first frame. */
static void
read_gif(struct gif_reader *r)
{
	GifRecordType type;
	bool ok = true;

	while (ok && r->out->frames < FRAMES_MAX &&
	       r->api.DGifGetRecordType(r->gif, &type) != GIF_ERROR &&
	       type != TERMINATE_RECORD_TYPE) {
		if (type == EXTENSION_RECORD_TYPE)
			ok = read_extension(r);
		if (type != IMAGE_DESC_RECORD_TYPE)
			continue;
		ok = r->api.DGifGetImageDesc(r->gif) != GIF_ERROR &&
		     (r->out->frames > 0 ? skip_frame(r) : read_frame(r));
		r->out->frames += ok;
	}
}

bool
picture_decode_gif(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	struct gif_reader r = {
		.bytes = bytes, .len = len, .transparent = -1, .out = out, .err = err
	};
	int error = 0;

	if (!SHARED_LIBRARY_LOAD(GIF_LIBRARY, GIF_FUNCTIONS, &r.api, err))
		return false;
	r.gif = r.api.DGifOpen(&r, on_read, &error);
	if (!r.gif)
		return refuse(&r, error);
	read_gif(&r);
	r.api.DGifCloseFile(r.gif, &error);
	if (out->frames == 0 && !err->text[0])
		err_set(err, "a broken GIF: it has no frame");
	return out->frames > 0;
}

/* ---- WebP ---- */

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

bool
picture_load_webp(struct err *err)
{
	struct webp_api api;

	return SHARED_LIBRARY_LOAD(WEBP_LIBRARY, WEBP_FUNCTIONS, &api, err);
}

static bool
read_webp(const struct webp_api *api, const WebPData *data, struct picture *out)
{
	WebPAnimDecoderOptions options;
	uint8_t *pixels;
	int ms;

	if (!api->WebPAnimDecoderOptionsInitInternal(&options, WEBP_DEMUX_ABI_VERSION))
		return false;
	options.color_mode = MODE_RGBA;
	options.use_threads = 0;
	WebPAnimDecoder *decoder =
	    api->WebPAnimDecoderNewInternal(data, &options, WEBP_DEMUX_ABI_VERSION);
	bool ok = decoder && api->WebPAnimDecoderGetNext(decoder, &pixels, &ms);
	if (ok)
		memcpy(out->rgba, pixels, (size_t)out->width * (size_t)out->height * 4);
	api->WebPAnimDecoderDelete(decoder);
	return ok;
}

bool
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
	return read_webp(&api, &data, out) || err_set(err, "a broken WebP");
}

#include "ui/graphics/graphics.h"

#include "base/base64.h"
#include "base/shared_library.h"

#include <zlib.h>

/* https://sw.kovidgoyal.net/kitty/graphics-protocol/: q=2 asks for no answers. */

#define ZLIB_FUNCTIONS(X) \
	X(compressBound)  \
	X(compress2)

struct zlib_api {
	ZLIB_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

/* False: they are sent uncompressed. */
static bool
compressed(struct buf *out, const void *bytes, size_t len)
{
	enum { FAST = 1 };
	struct zlib_api zlib;

	if (!SHARED_LIBRARY_LOAD("libz.so.1", ZLIB_FUNCTIONS, &zlib, NULL))
		return false;
	uLongf size = zlib.compressBound(len);
	Bytef *to = (Bytef *)buf_reserve(out, size);
	if (!to || zlib.compress2(to, &size, bytes, len, FAST) != Z_OK)
		return false;
	buf_commit(out, size);
	return true;
}

void
kitty_transmit(struct buf *out, unsigned id, const struct picture *p)
{
	enum { CHUNK = 4096 };
	size_t len = (size_t)p->width * (size_t)p->height * 4;
	struct buf bytes = BUF_INIT, text = BUF_INIT;
	bool small = compressed(&bytes, p->rgba, len);

	base64_add(
	    &text, small ? bytes.data : (char *)p->rgba, small ? bytes.len : len, BASE64_PLAIN);
	for (size_t at = 0; at < text.len; at += CHUNK) {
		size_t left = text.len - at;
		if (at == 0)
			buf_addf(out, "\033_Ga=t,t=d,f=32,s=%d,v=%d,i=%u,q=2%s,", p->width,
			    p->height, id, small ? ",o=z" : "");
		else
			buf_add_str(out, "\033_Gq=2,");
		buf_addf(out, "m=%d;", left > CHUNK);
		buf_add(out, text.data + at, left > CHUNK ? CHUNK : left);
		buf_add_str(out, "\033\\");
	}
	buf_finish(&text);
	buf_finish(&bytes);
}

void
kitty_place(struct buf *out, unsigned id, unsigned placement, const struct graphics_part *at)
{
	buf_addf(out, "\033[%d;%dH\033_Ga=p,i=%u,p=%u,x=%d,y=%d,w=%d,h=%d,c=%d,r=%d,C=1,q=2\033\\",
	    at->y + 1, at->x + 1, id, placement, at->from_x, at->from_y, at->width, at->height,
	    at->cols, at->rows);
}

void
kitty_remove(struct buf *out, unsigned id, unsigned placement)
{
	buf_addf(out, "\033_Ga=d,d=i,i=%u,p=%u,q=2\033\\", id, placement);
}

#include "compile_priv.h"

#include "base/hex.h"

#include <string.h>

/* The parts of a URI reference, RFC 3986 section 3. A part that is absent has a NULL start. */
struct part {
	const char *at;
	size_t len;
};

struct uri {
	struct part scheme, authority, path, query, fragment;
};

static void
uri_split(const char *text, struct uri *uri)
{
	*uri = (struct uri){ 0 };
	size_t n = strcspn(text, ":/?#");
	if (text[n] == ':' && n > 0) {
		uri->scheme = (struct part){ text, n };
		text += n + 1;
	}
	if (text[0] == '/' && text[1] == '/') {
		text += 2;
		n = strcspn(text, "/?#");
		uri->authority = (struct part){ text, n };
		text += n;
	}
	n = strcspn(text, "?#");
	uri->path = (struct part){ text, n };
	text += n;
	if (*text == '?') {
		text++;
		n = strcspn(text, "#");
		uri->query = (struct part){ text, n };
		text += n;
	}
	if (*text == '#')
		uri->fragment = (struct part){ text + 1, strlen(text + 1) };
}

/* RFC 3986 section 5.2.4, on path[from..). */
static void
remove_dots(struct buf *path)
{
	struct buf out = BUF_INIT;
	const char *at = buf_text(path);

	while (*at) {
		size_t n = strcspn(at + 1, "/") + 1;
		bool last = at[n] == '\0';
		if (n == 2 && memcmp(at, "/.", 2) == 0) {
			if (last)
				buf_add_char(&out, '/');
		} else if (n == 3 && memcmp(at, "/..", 3) == 0) {
			while (out.len > 0 && out.data[out.len - 1] != '/')
				buf_truncate(&out, out.len - 1);
			if (out.len > 0)
				buf_truncate(&out, out.len - 1);
			if (last)
				buf_add_char(&out, '/');
		} else {
			buf_add(&out, at, n);
		}
		at += n;
	}
	buf_clear(path);
	buf_add(path, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
add_part(struct buf *out, const char *before, const struct part *part, const char *after)
{
	if (!part->at)
		return;
	buf_add_str(out, before);
	buf_add(out, part->at, part->len);
	buf_add_str(out, after);
}

/* RFC 3986 section 5.2.3. */
static void
merge_path(const struct uri *base, const struct uri *ref, struct buf *path)
{
	size_t keep = base->path.len;

	while (keep > 0 && base->path.at[keep - 1] != '/')
		keep--;
	buf_add(path, base->path.at, keep);
	if (base->authority.at && base->path.len == 0)
		buf_add_char(path, '/');
	buf_add(path, ref->path.at, ref->path.len);
}

void
uri_resolve(const char *base_text, const char *reference, struct buf *out)
{
	struct uri base, ref;
	struct buf path = BUF_INIT;

	uri_split(base_text, &base);
	uri_split(reference, &ref);
	if (!ref.scheme.at) {
		ref.scheme = base.scheme;
		if (!ref.authority.at) {
			ref.authority = base.authority;
			if (ref.path.len == 0) {
				if (!ref.query.at)
					ref.query = base.query;
				buf_add(&path, base.path.at, base.path.len);
			} else if (ref.path.at[0] != '/') {
				merge_path(&base, &ref, &path);
			}
		}
	}
	if (path.len == 0)
		buf_add(&path, ref.path.at, ref.path.len);
	if (path.len > 0 && path.data[0] == '/')
		remove_dots(&path);
	add_part(out, "", &ref.scheme, ":");
	add_part(out, "//", &ref.authority, "");
	buf_add(out, buf_text(&path), path.len);
	add_part(out, "?", &ref.query, "");
	add_part(out, "#", &ref.fragment, "");
	buf_finish(&path);
}

bool
uri_decode(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (*text != '%') {
			buf_add_char(out, *text);
			continue;
		}
		int byte = hex_number(text + 1, 2);
		if (byte <= 0)
			return false;
		buf_add_char(out, (char)byte);
		text += 2;
	}
	return true;
}

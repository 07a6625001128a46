#include "client/question.h"

#include "base/ascii.h"
#include "base/url_text.h"
#include "base/mem.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

static const char scheme[] = "file://";

/* Decodes one character of a URI and advances *at; -1 if its escape is broken. */
static int
next_char(const char **at)
{
	const char *p = *at;

	if (*p != '%') {
		(*at)++;
		return (unsigned char)*p;
	}
	int byte = hex_number(p + 1, 2);
	*at += byte < 0 ? 0 : 3;
	return byte;
}

/* Dot segments, escaped or not, lead to another folder. */
static const char *
path_flaw(const char *path)
{
	size_t segment = 0, dots = 0;

	while (*path) {
		int c = next_char(&path);
		if (c < 0)
			return "it contains a broken % escape";
		if (c < 0x20 || c == 0x7f)
			return "it contains a control character";
		if (c == '/') {
			if (segment == dots && (dots == 1 || dots == 2))
				return "it contains a . or .. segment";
			segment = dots = 0;
			continue;
		}
		segment++;
		dots += c == '.';
	}
	return segment == dots && (dots == 1 || dots == 2) ? "it contains a . or .. segment" : NULL;
}

const char *
roots_uri_flaw(const char *uri)
{
	if (strncmp(uri, scheme, sizeof(scheme) - 1) != 0)
		return "it is not a file:// URI";
	const char *path = uri + sizeof(scheme) - 1;
	if (*path != '/')
		return "it names a host";
	if (strpbrk(path, "?#"))
		return "it has a query or fragment";
	return path_flaw(path);
}

static char *
uri_of_path(const char *path)
{
	struct buf out = BUF_INIT;

	buf_add_str(&out, scheme);
	percent_encode(&out, path, "/-._~!$&'()*+,;=:@");
	while (out.len > sizeof(scheme) && out.data[out.len - 1] == '/')
		buf_truncate(&out, out.len - 1);
	return buf_detach(&out);
}

static char *
to_uri(const char *path_or_uri)
{
	return *path_or_uri == '/' ? uri_of_path(path_or_uri) : mem_strdup(path_or_uri);
}

bool
roots_add(struct strings *r, const char *path_or_uri, struct err *err)
{
	char *uri = to_uri(path_or_uri);
	const char *flaw = roots_uri_flaw(uri);

	if (flaw) {
		err_set(err, "%.150s: %s", path_or_uri, flaw);
		free(uri);
		return false;
	}
	if (strings_have(r, uri))
		free(uri);
	else
		strings_take(r, uri);
	return true;
}

bool
roots_remove(struct strings *r, const char *path_or_uri)
{
	char *uri = to_uri(path_or_uri);
	size_t at = strings_index(r, uri);

	free(uri);
	if (at == r->len)
		return false;
	strings_remove(r, at);
	return true;
}

void
roots_result(const struct strings *r, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_array(&w, "roots");
	for (size_t i = 0; i < r->len; i++) {
		const char *slash = strrchr(r->items[i], '/');
		json_write_object(&w);
		json_write_member_string(&w, "uri", r->items[i]);
		if (slash && slash[1])
			json_write_member_string(&w, "name", slash + 1);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
}

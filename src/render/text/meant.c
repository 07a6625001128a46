#include "json/print.h"
#include "json/text_data.h"
#include "render/meant.h"

#include <string.h>
#include <strings.h>

/* A longer text is not formatted as JSON. */
#define JSON_MAX ((size_t)256 << 10)
/* Of a text, to recognize it. */
#define LOOK_TEXT ((size_t)16 << 10)

const struct meant_look meant_looks[MEANT_KINDS] = {
	[MEANT_ANSI] = { "ANSI", NULL, ansi_lay_out, text_is_ansi, ansi_may_hide },
	[MEANT_MARKDOWN] = { "Markdown", "text/markdown", markdown_lay_out, text_is_markdown,
	    NULL },
	[MEANT_JSON] = { "JSON", NULL, NULL, NULL, NULL },
};

/* Is that its type? Parameters and case do not count. */
static bool
is_type(const char *given, const char *mime)
{
	size_t len = strlen(mime);

	return strncasecmp(given, mime, len) == 0 && (!given[len] || given[len] == ';');
}

static bool
is_meant_as(const struct meant_look *look, const char *mime, const char *text, size_t len)
{
	if (!look->recognize)
		return false;
	if (mime && look->mime && !is_type(mime, "text/plain"))
		return is_type(mime, look->mime);
	return look->recognize(text, len);
}

enum meant_kind
meant_kind_of(const char *mime, const char *text, size_t len)
{
	enum meant_kind kind = MEANT_PLAIN;

	len = len < LOOK_TEXT ? len : LOOK_TEXT;
	while (kind < MEANT_KINDS && !is_meant_as(&meant_looks[kind], mime, text, len))
		kind++;
	return kind < MEANT_KINDS ? kind : MEANT_PLAIN;
}

bool
meant_format_json(const char *text, size_t len, struct buf *out)
{
	struct json_doc *doc = NULL;

	if (len <= JSON_MAX && text_data_begins_json(text, len))
		doc = json_parse(text, len, NULL, NULL);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	json_doc_destroy(doc);
	return doc != NULL;
}

#include "mcp/wire_line.h"

#include "salvage_priv.h"
#include "session_priv.h"

#include <stdio.h>
#include <string.h>

void
wire_line_init(struct wire_line *line, struct blob *bytes, size_t dropped)
{
	*line = (struct wire_line){ .bytes = bytes, .dropped = dropped };
}

/* Tables of megabytes are looked at a page at a time: their rows need no nodes. Where nobody waits
 * for a screen, in the commands without one, a tree is simpler. */
#define LAZY_BYTES ((size_t)2 << 20)

static struct json_doc *
parse(struct blob *bytes, const struct job *job, struct json_error *error)
{
	const struct json_options options = {
		.job = job,
		.blob = bytes,
		.lazy_bytes = job ? LAZY_BYTES : 0,
		.lazy_in = "/result/structuredContent",
	};

	return json_parse(bytes->data, bytes->len, &options, error);
}

void
wire_line_read(struct wire_line *line, const struct job *job)
{
	const char *bytes = line->bytes->data;
	size_t len = line->bytes->len;
	char text[sizeof(line->flaw)];
	struct json_error error = { 0 };

	if (line->dropped == 0)
		line->doc = parse(line->bytes, job, &error);
	if (line->doc)
		return;
	if (line->dropped > 0)
		snprintf(text, sizeof(text), "too long: %zu bytes after these were dropped",
		    line->dropped);
	else if (line->cut)
		snprintf(text, sizeof(text), "the server ended within this line (byte %zu)", len);
	else
		snprintf(text, sizeof(text), NOT_JSON, error.text, error.offset);
	text_to_line(line->flaw, sizeof(line->flaw), text);
	struct salvaged about = { 0 };
	if (!line->cut)
		salvage(&about, bytes, len);
	line->answers = about.answers;
	_Static_assert(sizeof(line->asks) == sizeof(about.asks), "both hold an id");
	memcpy(line->asks, about.asks, sizeof(line->asks));
}

void
wire_line_finish(struct wire_line *line)
{
	blob_unref(line->bytes);
	json_doc_destroy(line->doc);
	*line = (struct wire_line){ 0 };
}

#include "mcp/raw_message.h"

#include "mcp/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * A scan of a message that cannot be parsed: it is not JSON, too deep, or cut off. A response has,
 * at its top level, an integer as "id", a "result" or "error", and no "method"; a request has a
 * "method", neither of the others, and as "id" an integer or a short string without escapes.
 */
struct partial_scan {
	const char *at, *end;
	size_t depth;
	const char *id; /* the start of its value; NULL if there is none */
	bool is_answer, is_call;
};

static void
skip_blanks(struct partial_scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
}

/* From the byte after the opening quote to the one after the closing quote. */
static void
skip_string(struct partial_scan *s)
{
	while (s->at < s->end && *s->at != '"')
		s->at += *s->at == '\\' && s->at + 1 < s->end ? 2 : 1;
	if (s->at < s->end)
		s->at++;
}

/* 0 if it cannot be an id of ours. */
static uint64_t
read_whole(const struct partial_scan *s)
{
	const char *at = s->id;
	uint64_t n = 0;

	for (; at && at < s->end && *at >= '0' && *at <= '9'; at++) {
		if (n > UINT64_MAX / 100)
			return 0;
		n = n * 10 + (uint64_t)(*at - '0');
	}
	return at && at < s->end && (*at == ',' || *at == '}' || *at == ' ') ? n : 0;
}

/* Copies the id if it can be written back safely; else leaves out empty. */
static void
copy_id(const struct partial_scan *s, char *out)
{
	const char *at = s->id;
	size_t len = 0;
	bool quoted = at < s->end && *at == '"';

	for (at += quoted; at + len < s->end && len < RAW_MESSAGE_ID_MAX - 3; len++) {
		unsigned char c = (unsigned char)at[len];
		if (quoted ? c == '"' || c == '\\' || c < 0x20 || c > 0x7e : !isdigit(c))
			break;
	}
	bool ends = at + len < s->end && (quoted ? at[len] == '"' : strchr(",} ", at[len]) != NULL);
	if (!ends || (!quoted && (len == 0 || (len > 1 && *at == '0'))))
		return;
	at -= quoted;
	len += 2 * (size_t)quoted;
	memcpy(out, at, len);
	out[len] = '\0';
}

static void
on_string(struct partial_scan *s)
{
	const char *key = s->at;

	skip_string(s);
	size_t len = (size_t)(s->at - key);
	if (s->depth != 1)
		return;
	skip_blanks(s);
	if (s->at == s->end || *s->at != ':')
		return;
	s->at++;
	skip_blanks(s);
	if (len == 3 && memcmp(key, "id\"", 3) == 0)
		s->id = s->at;
	else if ((len == 7 && memcmp(key, "result\"", 7) == 0) ||
		 (len == 6 && memcmp(key, "error\"", 6) == 0))
		s->is_answer = true;
	else if (len == 7 && memcmp(key, "method\"", 7) == 0)
		s->is_call = true;
}

static void
scan_partial(struct raw_message *raw)
{
	const char *bytes = raw->bytes->data;
	struct partial_scan s = { .at = bytes, .end = bytes + raw->bytes->len };

	skip_blanks(&s);
	if (s.at == s.end || *s.at != '{')
		return;
	while (s.at < s.end) {
		char c = *s.at++;
		if (c == '"')
			on_string(&s);
		else if (c == '{' || c == '[')
			s.depth++;
		else if ((c == '}' || c == ']') && --s.depth == 0)
			break;
	}
	if (s.is_answer && !s.is_call)
		raw->response_to = read_whole(&s);
	else if (s.is_call && !s.is_answer && s.id)
		copy_id(&s, raw->request_id);
}

void
raw_message_init(struct raw_message *raw, struct frame_line line)
{
	*raw = (struct raw_message){
		.bytes = line.bytes,
		.dropped = line.dropped,
		.cut = line.unterminated,
		.stream = line.stream,
	};
}

/* A long table is shown a page at a time, so its rows need no nodes, which would take four times as
 * much memory as their text. Commands without a screen pass no job and get an ordinary tree. */
#define LAZY_BYTES ((size_t)512 << 10)

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

/* "Implementations MUST NOT add a byte order mark", but parsers may ignore it (RFC 8259, 8.1). */
static void
skip_mark(struct raw_message *raw)
{
	struct blob *all = raw->bytes;

	raw->had_mark = all->len >= 3 && memcmp(all->data, "\xef\xbb\xbf", 3) == 0;
	if (!raw->had_mark)
		return;
	raw->bytes = blob_from_bytes(all->data + 3, all->len - 3);
	blob_unref(all);
}

void
raw_message_read(struct raw_message *raw, const struct job *job)
{
	char text[sizeof(raw->flaw)];
	struct json_error error = { 0 };

	if (raw->is_read)
		return;
	raw->is_read = true;
	skip_mark(raw);
	size_t len = raw->bytes->len;
	if (raw->dropped == 0)
		raw->doc = parse(raw->bytes, job, &error);
	if (raw->doc)
		return;
	if (raw->dropped > 0)
		snprintf(text, sizeof(text), "too long: %zu bytes after these were dropped",
		    raw->dropped);
	else if (raw->cut)
		snprintf(text, sizeof(text), "the server ended within this line (byte %zu)", len);
	else
		snprintf(text, sizeof(text), NOT_JSON, error.text, error.offset);
	text_to_line(raw->flaw, sizeof(raw->flaw), text);
	if (!raw->cut)
		scan_partial(raw);
}

void
raw_message_finish(struct raw_message *raw)
{
	blob_unref(raw->bytes);
	json_doc_destroy(raw->doc);
	*raw = (struct raw_message){ 0 };
}

/* SPDX-License-Identifier: MIT */
#include "mcp/recording.h"

#include "base/base64.h"
#include "base/moment.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define VERSION_READ 1
#define MICROSECONDS 1000000

static const char *const directions[] = {
	[RECORDING_HEADING] = "",
	[RECORDING_SENT] = "sent",
	[RECORDING_RECEIVED] = "received",
	[RECORDING_STDERR] = "stderr",
	[RECORDING_NOTE] = "note",
	[RECORDING_CLOSED] = "closed",
	[RECORDING_EXIT] = "exit",
};

/* ---- writing ---- */

static void
write_time(struct json_writer *w, int64_t wall_us)
{
	int64_t second = wall_us / MICROSECONDS;
	struct moment_parts utc = moment_parts_of((double)second);
	char text[60];

	snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", utc.year, utc.month,
	    utc.day, utc.hour, utc.minute, utc.second, (int)(wall_us % MICROSECONDS));
	json_write_member_string(w, "time", text);
}

static bool
is_text(const char *bytes, size_t len)
{
	return !memchr(bytes, '\0', len) && utf8_first_invalid(bytes, len) == len;
}

/* Bytes that are no JSON. */
static void
write_text(struct json_writer *w, const char *bytes, size_t len, bool with_secrets)
{
	struct buf valid = BUF_INIT, hidden = BUF_INIT;

	utf8_add_valid(&valid, bytes, len);
	if (!with_secrets)
		secret_hide_text(&hidden, buf_text(&valid), valid.len);
	bool same =
	    with_secrets || (hidden.len == valid.len &&
				memcmp(buf_text(&hidden), buf_text(&valid), valid.len) == 0);
	if (same && !is_text(bytes, len)) {
		struct buf text = BUF_INIT;
		base64_add(&text, bytes, len, BASE64_PLAIN);
		json_write_member_string(w, "bytes", buf_text(&text));
		buf_finish(&text);
	} else {
		json_write_key(w, "text");
		json_write_stringn(
		    w, buf_text(same ? &valid : &hidden), same ? valid.len : hidden.len);
	}
	buf_finish(&valid);
	buf_finish(&hidden);
}

/* The largest part of a message that is parsed at once; it bounds the size of the tree. */
#define PIECE_BYTES ((size_t)256 << 10)

static void
write_message(struct json_writer *w, const char *bytes, size_t len, bool with_secrets)
{
	struct buf plain = BUF_INIT;
	struct json_writer plain_writer;
	bool has_secret;

	json_write_init(&plain_writer, &plain);
	bool is_json =
	    json_write_redacted_text(&plain_writer, bytes, len, PIECE_BYTES, &has_secret);
	bool hidden = has_secret && !with_secrets;
	/* A line of JSON can stand in ours as it is, unless blanks begin it: nothing tells them
	 * from ours.
	 */
	if (is_json &&
	    (hidden || (is_text(bytes, len) && len > 0 && !isspace((unsigned char)bytes[0]) &&
			   !memchr(bytes, '\n', len)))) {
		json_write_key(w, "message");
		json_write_raw(w, hidden ? buf_text(&plain) : bytes, hidden ? plain.len : len);
	} else { /* the secrets of JSON were looked for */
		write_text(w, bytes, len, with_secrets || is_json);
	}
	buf_finish(&plain);
}

static void
write_entry(struct json_writer *w, const struct recording_entry *e, bool with_secrets)
{
	bool on_wire = e->kind == RECORDING_SENT || e->kind == RECORDING_RECEIVED;

	write_time(w, e->wall_us);
	json_write_member_string(w, "direction", directions[e->kind]);
	if (e->kind == RECORDING_EXIT && e->signal_number)
		json_write_member_int(w, "signal", e->signal_number);
	else if (e->kind == RECORDING_EXIT)
		json_write_member_int(w, "code", e->exit_code);
	if (e->exchange)
		json_write_member_int(w, "exchange", (int64_t)e->exchange);
	if (e->dropped)
		json_write_member_int(w, "droppedBytes", (int64_t)e->dropped);
	if (e->unterminated)
		json_write_member_bool(w, "unterminated", true);
	if (on_wire && !e->dropped)
		write_message(w, e->bytes, e->len, with_secrets);
	else if (e->kind != RECORDING_CLOSED)
		write_text(w, e->bytes, e->len, with_secrets);
}

void
recording_add(struct buf *out, const struct recording_entry *e, bool with_secrets)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	if (e->kind == RECORDING_HEADING) {
		struct buf server = BUF_INIT;
		json_write_member_string(&w, "mcpane", "session");
		json_write_member_int(&w, "version", VERSION_READ);
		write_time(&w, e->wall_us);
		if (with_secrets)
			utf8_add_valid(&server, e->bytes, e->len);
		else
			secret_hide_text(&server, e->bytes, e->len);
		json_write_member_string(&w, "server", buf_text(&server));
		json_write_member_string(&w, "secrets", with_secrets ? "kept" : "hidden");
		buf_finish(&server);
	} else {
		write_entry(&w, e, with_secrets);
	}
	json_write_object_end(&w);
	buf_add_char(out, '\n');
}

/* ---- reading ---- */

static size_t
read_number(const cJSON *node, size_t most)
{
	size_t number = 0;

	return cJSON_IsNumber(node) && json_number_to_size(node, most, &number) ? number : 0;
}

/* The bytes of the message in the line if it is the last member, as we write it; else it is
 * printed. */
static void
read_message(
    const char *line, size_t len, const cJSON *root, const cJSON *message, struct buf *bytes)
{
	struct json_position at;

	if (message->next) {
		json_print(bytes, message);
		return;
	}
	json_positions(line, len, root, &message, 1, &at);
	while (len > 0 && line[len - 1] != '}')
		len--;
	if (at.line > 0 && len > at.offset)
		buf_add(bytes, line + at.offset, len - 1 - at.offset);
}

static bool
read_heading(const cJSON *root, struct recording_entry *e, struct buf *bytes, struct err *err)
{
	const char *server = json_get_string(root, "server");
	const char *secrets = json_get_string(root, "secrets");

	if (strcmp(json_get_string(root, "mcpane"), "session") != 0)
		return err_set(err, "it is not a recording of a session");
	if (read_number(json_get(root, "version"), SIZE_MAX) > VERSION_READ)
		return err_set(err, "a newer mcpane has recorded this");
	e->kind = RECORDING_HEADING;
	e->with_secrets = secrets && strcmp(secrets, "kept") == 0;
	buf_add_str(bytes, server ? server : "");
	return true;
}

static bool
read_entry(const char *line, size_t len, const cJSON *root, struct recording_entry *e,
    struct buf *bytes, struct err *err)
{
	const char *direction = json_get_string(root, "direction");
	size_t kind = RECORDING_SENT;

	while (
	    direction && kind < ARRAY_LEN(directions) && strcmp(directions[kind], direction) != 0)
		kind++;
	if (!direction || kind == ARRAY_LEN(directions))
		return err_set(
		    err, "it has no direction: sent, received, stderr, note, closed or exit");
	e->kind = (enum recording_kind)kind;
	e->exchange = read_number(json_get(root, "exchange"), INT64_MAX);
	e->dropped = read_number(json_get(root, "droppedBytes"), SIZE_MAX);
	e->unterminated = cJSON_IsTrue(json_get(root, "unterminated"));
	e->signal_number = (int)read_number(json_get(root, "signal"), 64);
	e->exit_code = e->signal_number ? -1 : (int)read_number(json_get(root, "code"), 255);
	const cJSON *message = json_get(root, "message");
	const char *text = json_get_string(root, "text");
	const char *base64 = json_get_string(root, "bytes");
	if (message)
		read_message(line, len, root, message, bytes);
	else if (base64)
		return base64_decode(bytes, base64, strlen(base64)) ||
		       err_set(err, "its bytes are not Base64");
	else if (text)
		buf_add_str(bytes, text);
	return true;
}

#define LARGE_BYTES ((size_t)1 << 20)

struct json_doc *
recording_parse(const char *text, size_t len, struct json_error *error)
{
	struct json_options options = { .lazy_bytes = LARGE_BYTES / 4 };

	if (len < LARGE_BYTES)
		return json_parse(text, len, NULL, error);
	options.blob = blob_from_bytes(text, len);
	struct json_doc *doc = json_parse(options.blob->data, len, &options, error);
	blob_unref(options.blob);
	return doc;
}

bool
recording_read(
    const char *line, size_t len, struct recording_entry *e, struct buf *bytes, struct err *err)
{
	struct json_error error;
	struct json_doc *doc = recording_parse(line, len, &error);
	const cJSON *root = doc ? json_root(doc) : NULL;
	bool ok;

	*e = (struct recording_entry){ .wall_us = -1 };
	buf_clear(bytes);
	if (!doc)
		return err_set(err, "it is not JSON: %s", error.text);
	const char *time = json_get_string(root, "time");
	double second;
	if (time && moment_to_seconds(time, &second) && second >= 0)
		e->wall_us = llround(second * MICROSECONDS);
	if (json_get_string(root, "mcpane"))
		ok = read_heading(root, e, bytes, err);
	else
		ok = read_entry(line, len, root, e, bytes, err);
	json_doc_destroy(doc);
	e->bytes = buf_text(bytes);
	e->len = bytes->len;
	return ok;
}

/* The bytes of streams to lines of a recording, and the bytes of its file to lines. */

/* Only the head of a longer message is recorded. */
#define MESSAGE_MOST ((size_t)128 << 20)
#define STDERR_MOST ((size_t)64 << 10)

static void
on_stream_line(void *user, struct frame_line line)
{
	const struct recording_stream *s = user;

	recording_writer_add(s->writer, &(struct recording_entry){ .kind = s->kind,
					    .wall_us = s->writer->now_us,
					    .bytes = line.bytes->data,
					    .len = line.bytes->len,
					    .dropped = line.dropped,
					    .unterminated = line.unterminated });
	blob_unref(line.bytes);
}

void
recording_writer_init(struct recording_writer *w)
{
	for (size_t i = 0; i < ARRAY_LEN(w->streams); i++) {
		struct recording_stream *s = &w->streams[i];
		s->writer = w;
		s->kind = (enum recording_kind)(RECORDING_SENT + i);
		frame_init(&s->frame, s->kind == RECORDING_STDERR ? STDERR_MOST : MESSAGE_MOST,
		    on_stream_line, s);
	}
}

void
recording_writer_finish(struct recording_writer *w, int64_t now_us)
{
	w->now_us = now_us;
	for (size_t i = 0; i < ARRAY_LEN(w->streams); i++) {
		frame_end(&w->streams[i].frame);
		frame_finish(&w->streams[i].frame);
	}
	buf_finish(&w->line);
}

void
recording_writer_feed(struct recording_writer *w, enum recording_kind kind, const char *bytes,
    size_t len, int64_t now_us)
{
	struct frame *f = &w->streams[kind - RECORDING_SENT].frame;

	w->now_us = now_us;
	if (len > 0)
		frame_feed(f, bytes, len);
	else
		frame_end(f);
}

void
recording_writer_add(struct recording_writer *w, const struct recording_entry *e)
{
	buf_clear(&w->line);
	recording_add(&w->line, e, w->with_secrets);
	w->on_line(w->user, w->line.data, w->line.len);
}

/* ---- lines of a file ---- */

static void
end_recorded_line(struct recording_lines *l, const char *text)
{
	if (l->len > 0)
		l->on_line(l->user, text, (size_t)l->len, l->start);
	buf_clear(&l->pending);
	l->start += l->len;
	l->len = 0;
}

void
recording_feed(struct recording_lines *l, const char *bytes, size_t len)
{
	size_t max = l->max_line ? l->max_line : RECORDING_MAX_LINE;

	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end ? (size_t)(end - bytes) : len;
		bool whole = end && l->len == 0 && part <= max;
		l->len += part;
		if (l->len > max)
			buf_finish(&l->pending);
		else if (!whole)
			buf_add(&l->pending, bytes, part);
		if (end) {
			end_recorded_line(l, whole          ? bytes
					     : l->len > max ? NULL
							    : buf_text(&l->pending));
			l->start++;
			part++;
		}
		bytes += part;
		len -= part;
	}
}

void
recording_feed_end(struct recording_lines *l)
{
	size_t max = l->max_line ? l->max_line : RECORDING_MAX_LINE;

	end_recorded_line(l, l->len > max ? NULL : buf_text(&l->pending));
	buf_finish(&l->pending);
}

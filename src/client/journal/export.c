#include "journal.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/moment.h"
#include "json/print.h"
#include "json/write.h"
#include "client/call_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- messages without secrets ---- */

/* The message on one line as the file may have it. False: it is not JSON. */
static bool
add_message(struct buf *out, const struct export_run *x, const struct journal_entry *e)
{
	bool own = e->kind == JOURNAL_STDERR || e->kind == JOURNAL_NOTE;
	bool one_line = !memchr(e->bytes->data, '\n', e->bytes->len) &&
			utf8_first_invalid(e->bytes->data, e->bytes->len) == e->bytes->len;
	struct json_doc *doc =
	    own || e->dropped ? NULL : json_parse(e->bytes->data, e->bytes->len, NULL, NULL);
	struct buf plain = BUF_INIT;
	struct json_writer w;

	if (!doc) {
		utf8_add_valid(&plain, e->bytes->data, e->bytes->len);
		if (x->with_secrets)
			buf_add(out, buf_text(&plain), plain.len);
		else
			secret_hide_text(out, buf_text(&plain), plain.len);
	} else if (x->with_secrets && one_line) {
		buf_add(out, e->bytes->data, e->bytes->len);
	} else if (x->with_secrets) {
		json_print(out, json_root(doc));
	} else {
		json_write_init(&w, out);
		json_write_redacted(&w, json_root(doc));
	}
	buf_finish(&plain);
	json_doc_destroy(doc);
	return doc != NULL;
}

/* ---- jsonl ---- */

/* "2026-07-28T12:03:41.006Z" */
static void
write_time(struct json_writer *w, const char *key, int64_t wall_us)
{
	int64_t ms = wall_us > 0 ? wall_us / 1000 : 0, second = ms / 1000 % 86400;
	struct buf text = BUF_INIT;

	moment_add_date(&text, ms / 86400000);
	buf_addf(&text, "T%02d:%02d:%02d.%03dZ", (int)(second / 3600), (int)(second / 60 % 60),
	    (int)(second % 60), (int)(ms % 1000));
	json_write_member_string(w, key, buf_text(&text));
	buf_finish(&text);
}

static void
write_ms(struct json_writer *w, const char *key, int64_t us)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld.%03d", (long long)(us / 1000), (int)(us % 1000));
	json_write_member_json(w, key, text);
}

static const char *const directions[] = {
	[JOURNAL_SENT] = "sent",
	[JOURNAL_RECEIVED] = "received",
	[JOURNAL_STDERR] = "stderr",
	[JOURNAL_NOTE] = "note",
};

static void
add_jsonl(struct buf *out, const struct export_run *x, const struct journal_entry *e)
{
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	struct buf message = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	write_time(&w, "time", e->wall_us);
	json_write_member_string(&w, "direction", directions[e->kind]);
	if (on_wire)
		json_write_member_string(&w, "kind", message_kind_names[e->message]);
	if (e->method)
		json_write_member_string(&w, "method", e->method);
	if (e->latency_us >= 0)
		write_ms(&w, "ms", e->latency_us);
	if (e->verdict != VERDICT_NONE)
		json_write_member_string(&w, "verdict", verdict_looks[e->verdict].name);
	if (e->flaw)
		json_write_member_string(&w, "flaw", e->flaw);
	if (e->ended)
		json_write_member_string(&w, "noReply", e->ended);
	if (e->dropped)
		json_write_member_int(&w, "droppedBytes", (int64_t)e->dropped);
	bool is_json = add_message(&message, x, e);
	json_write_key(&w, is_json ? "message" : "text");
	if (is_json)
		json_write_raw(&w, buf_text(&message), message.len);
	else
		json_write_stringn(&w, buf_text(&message), message.len);
	json_write_object_end(&w);
	buf_add_char(out, '\n');
	buf_finish(&message);
}

static void
write_line(struct export_run *x, const struct export_item *item)
{
	add_jsonl(&x->out, x, &item->entry);
	x->written++;
}

/* ---- heads of HTTP, as the journal notes them ---- */

/* The next line of the head with this mark, '>' or '<'; NULL: no more. */
static const char *
next_line(const char *at, char mark, size_t *len)
{
	while (at && (at = strchr(at, '\n'))) {
		at++;
		if (at[0] == mark && at[1] == ' ') {
			*len = strcspn(at + 2, "\n");
			return at + 2;
		}
	}
	return NULL;
}

/* The headers of a head, after its first line. */
static void
write_headers(struct json_writer *w, const struct journal_entry *note, char mark)
{
	size_t len = 0;
	const char *at = next_line(note->bytes->data, mark, &len);

	json_write_member_array(w, "headers");
	while (at && (at = next_line(at, mark, &len))) {
		const char *colon = memchr(at, ':', len);
		if (!colon)
			continue;
		const char *value = colon + 1 + (colon[1] == ' ');
		struct buf name = BUF_INIT, text = BUF_INIT;
		utf8_add_valid(&name, at, (size_t)(colon - at));
		if (value < at + len)
			utf8_add_valid(&text, value, (size_t)(at + len - value));
		json_write_object(w);
		json_write_member_string(w, "name", buf_text(&name));
		json_write_member_string(w, "value", buf_text(&text));
		json_write_object_end(w);
		buf_finish(&name);
		buf_finish(&text);
	}
	json_write_array_end(w);
}

/* ---- har ---- */

/* The body as text, safe to be a string. */
static void
write_text(struct json_writer *w, const struct export_run *x, const struct journal_entry *e)
{
	struct buf text = BUF_INIT;

	json_write_member_string(w, "mimeType", "application/json");
	add_message(&text, x, e);
	json_write_key(w, "text");
	json_write_stringn(w, buf_text(&text), text.len);
	buf_finish(&text);
}

static void
write_none(struct json_writer *w, const char *key)
{
	json_write_member_array(w, key);
	json_write_array_end(w);
}

static void
write_request(struct json_writer *w, const struct export_run *x, const struct export_item *item)
{
	const struct journal_entry *e = &item->entry;

	json_write_member_object(w, "request");
	json_write_member_string(w, "method", "POST");
	json_write_member_string(w, "url", x->url);
	json_write_member_string(w, "httpVersion", "HTTP/1.1");
	write_none(w, "cookies");
	write_headers(w, &item->note, '>');
	write_none(w, "queryString");
	json_write_member_object(w, "postData");
	write_text(w, x, e);
	json_write_object_end(w);
	json_write_member_int(w, "headersSize", -1);
	json_write_member_int(w, "bodySize", (int64_t)e->bytes->len);
	json_write_object_end(w);
}

/* The first line is "HTTP 200 OK". */
static void
write_response(struct json_writer *w, const struct export_run *x, const struct journal_entry *note,
    const struct journal_entry *reply)
{
	size_t len = 0;
	const char *line = next_line(note->bytes->data, '<', &len);
	char words[100] = "";

	if (line && len > 5)
		snprintf(
		    words, sizeof(words), "%.*s", (int)(len - 5 < 80 ? len - 5 : 80), line + 5);
	size_t digits = strspn(words, "0123456789");
	int status = 0;
	for (size_t i = 0; i < digits && digits < 5; i++)
		status = status * 10 + (words[i] - '0');
	struct buf text = BUF_INIT;
	utf8_add_valid(&text, words + digits + (words[digits] == ' '),
	    strlen(words + digits + (words[digits] == ' ')));
	json_write_member_object(w, "response");
	json_write_member_int(w, "status", status);
	json_write_member_string(w, "statusText", buf_text(&text));
	json_write_member_string(w, "httpVersion", "HTTP/1.1");
	write_none(w, "cookies");
	write_headers(w, note, '<');
	json_write_member_object(w, "content");
	json_write_member_int(w, "size", reply ? (int64_t)reply->bytes->len : 0);
	if (reply)
		write_text(w, x, reply);
	else
		json_write_member_string(w, "mimeType", "");
	json_write_object_end(w);
	json_write_member_string(w, "redirectURL", "");
	json_write_member_int(w, "headersSize", -1);
	json_write_member_int(w, "bodySize", reply ? (int64_t)reply->bytes->len : -1);
	json_write_object_end(w);
	buf_finish(&text);
}

static void
write_exchange(struct export_run *x, const struct export_item *item)
{
	const struct journal_entry *e = &item->entry, *note = &item->note;
	const struct journal_entry *reply = item->has_reply ? &item->reply : NULL;
	int64_t took_us = reply ? reply->latency_us : note->at_us - e->at_us;
	struct json_writer *w = &x->w;

	if (!item->has_note)
		return;
	x->written++;
	json_write_object(w);
	write_time(w, "startedDateTime", e->wall_us);
	write_ms(w, "time", took_us);
	write_request(w, x, item);
	write_response(w, x, note, reply);
	json_write_member_object(w, "cache");
	json_write_object_end(w);
	json_write_member_object(w, "timings");
	json_write_member_int(w, "send", 0);
	write_ms(w, "wait", took_us);
	json_write_member_int(w, "receive", 0);
	json_write_object_end(w);
	json_write_object_end(w);
}

static void
begin_har(struct export_run *x)
{
	struct json_writer *w = &x->w;

	json_write_init(w, &x->out);
	json_write_object(w);
	json_write_member_object(w, "log");
	json_write_member_string(w, "version", "1.2");
	json_write_member_object(w, "creator");
	json_write_member_string(w, "name", "mcpane");
	json_write_member_string(w, "version", "1");
	json_write_object_end(w);
	json_write_member_array(w, "entries");
}

static void
end_har(struct export_run *x)
{
	json_write_array_end(&x->w);
	json_write_object_end(&x->w);
	json_write_object_end(&x->w);
	buf_add_char(&x->out, '\n');
}

/* ---- curl ---- */

/* Headers that curl makes. */
static bool
is_curls(const char *line)
{
	static const char *const names[] = { "Host:", "Content-Length:", "User-Agent:",
		"Accept-Encoding:", "Transfer-Encoding:", "Expect:" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strncasecmp(line, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void
write_curl(struct export_run *x, const struct export_item *item)
{
	struct buf *out = &x->out, body = BUF_INIT;
	size_t len = 0;

	buf_add_str(out, "curl -sS --fail-with-body -w '%{stderr}%{redirect_url}' ");
	code_add_text(out, CODE_SHELL, x->url, NULL);
	const char *at = item->has_note ? next_line(item->note.bytes->data, '>', &len) : NULL;
	if (!at)
		buf_add_str(out, " \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: "
				 "application/json, text/event-stream'");
	while (at && (at = next_line(at, '>', &len))) {
		if (is_curls(at))
			continue;
		char *header = mem_strndup(at, len);
		buf_add_str(out, " \\\n  -H ");
		code_add_text(out, CODE_SHELL, header, NULL);
		free(header);
	}
	add_message(&body, x, &item->entry);
	buf_add_str(out, " \\\n  --data-raw ");
	code_add_text(out, CODE_SHELL, buf_text(&body), NULL);
	buf_add_char(out, '\n');
	buf_finish(&body);
	x->written++;
}

const struct export_format export_formats[] = {
	{ .name = "jsonl", .write = write_line, .none = "no line of the journal is shown" },
	{ .name = "har",
	    .needs_http = "HAR is about HTTP, which this server does not use; use jsonl",
	    .exchanges = true,
	    .begin = begin_har,
	    .write = write_exchange,
	    .end = end_har,
	    .none = "no HTTP exchange is shown" },
	{ .name = "curl",
	    .needs_http = "curl speaks HTTP, which this server does not use",
	    .exchanges = true,
	    .selected = true,
	    .write = write_curl,
	    .none = "choose a request: only messages that we sent have a command" },
	{ 0 },
};

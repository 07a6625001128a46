/* SPDX-License-Identifier: MIT */
#include "client/journal.h"

#include "base/mem.h"
#include "base/moment.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "client/call_code.h"
#include "json/print.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Copies of an entry and, for formats of exchanges, of its note and reply. Any thread may read
 * them. */
struct export_item {
	struct journal_entry entry, note, reply; /* bytes NULL: no note or reply */
};

struct export_run {
	const char *url;
	bool with_secrets;
	size_t written; /* lines or exchanges */
	struct buf out;
	struct json_writer w; /* of a file that is one JSON value */
};

struct export_format {
	const char *name;
	const char *needs_http;              /* the error without HTTP; NULL if it is not needed */
	bool exchanges;                      /* requests with their replies, not every message */
	bool selected;                       /* the selected message alone */
	void (*begin)(struct export_run *x); /* begin and end may be NULL */
	void (*write)(struct export_run *x, const struct export_item *item);
	void (*end)(struct export_run *x);
	const char *none; /* the error of an empty export */
};

/* ---- messages without secrets ---- */

/* Appends the message on one line, redacted unless secrets are exported. False: it is not JSON. */
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

	moment_add_now(&text, MOMENT_DATE, ms * 1000, 0);
	buf_addf(&text, "T%02d:%02d:%02d.%03dZ", (int)(second / 3600), (int)(second / 60 % 60),
	    (int)(second % 60), (int)(ms % 1000));
	json_write_member_string(w, key, buf_text(&text));
	buf_finish(&text);
}

static const char *const directions[] = {
	[JOURNAL_SENT] = "sent",
	[JOURNAL_RECEIVED] = "received",
	[JOURNAL_STDERR] = "stderr",
	[JOURNAL_NOTE] = "note",
};

static void
write_line(struct export_run *x, const struct export_item *item)
{
	bool on_wire = item->entry.kind == JOURNAL_SENT || item->entry.kind == JOURNAL_RECEIVED;
	struct buf message = BUF_INIT;
	struct json_writer w;
	json_write_init(&w, &x->out);
	json_write_object(&w);
	write_time(&w, "time", item->entry.wall_us);
	json_write_member_string(&w, "direction", directions[item->entry.kind]);
	if (on_wire)
		json_write_member_string(&w, "kind", message_kind_names[item->entry.message]);
	if (item->entry.method)
		json_write_member_string(&w, "method", item->entry.method);
	if (item->entry.latency_us >= 0)
		json_write_member_ms(&w, "ms", item->entry.latency_us);
	if (item->entry.verdict != VERDICT_NONE)
		json_write_member_string(&w, "verdict", verdict_looks[item->entry.verdict].name);
	if (item->entry.flaw)
		json_write_member_string(&w, "flaw", item->entry.flaw);
	if (item->entry.ended)
		json_write_member_string(&w, "noReply", item->entry.ended);
	if (item->entry.dropped)
		json_write_member_int(&w, "droppedBytes", (int64_t)item->entry.dropped);
	bool is_json = add_message(&message, x, &item->entry);
	json_write_key(&w, is_json ? "message" : "text");
	if (is_json)
		json_write_raw(&w, buf_text(&message), message.len);
	else
		json_write_stringn(&w, buf_text(&message), message.len);
	json_write_object_end(&w);
	buf_add_char(&x->out, '\n');
	buf_finish(&message);
	x->written++;
}

/* ---- HTTP heads in the notes of the journal ---- */

/* Return the next line of the HTTP head with this mark ('>' or '<'), or NULL. */
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

/* Write the headers: the lines after the first. */
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

/* Write the body as a JSON string. */
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
write_request(struct json_writer *w, const struct export_run *x, const struct export_item *item)
{
	const struct journal_entry *e = &item->entry;

	json_write_member_object(w, "request");
	json_write_member_string(w, "method", "POST");
	json_write_member_string(w, "url", x->url);
	json_write_member_string(w, "httpVersion", "HTTP/1.1");
	json_write_member_json(w, "cookies", "[]");
	write_headers(w, &item->note, '>');
	json_write_member_json(w, "queryString", "[]");
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
	json_write_member_json(w, "cookies", "[]");
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
	const struct journal_entry *reply = item->reply.bytes ? &item->reply : NULL;
	int64_t took_us = reply ? reply->latency_us : note->at_us - e->at_us;
	struct json_writer *w = &x->w;

	if (!note->bytes)
		return;
	x->written++;
	json_write_object(w);
	write_time(w, "startedDateTime", e->wall_us);
	json_write_member_ms(w, "time", took_us);
	write_request(w, x, item);
	write_response(w, x, note, reply);
	json_write_member_json(w, "cache", "{}");
	json_write_member_object(w, "timings");
	json_write_member_int(w, "send", 0);
	json_write_member_ms(w, "wait", took_us);
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
	json_write_member_json(w, "creator", "{\"name\":\"mcpane\",\"version\":\"1\"}");
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

static void
write_curl(struct export_run *x, const struct export_item *item)
{
	static const char *const set_by_curl[] = { "Host:", "Content-Length:", "User-Agent:",
		"Accept-Encoding:", "Transfer-Encoding:", "Expect:" };
	struct buf *out = &x->out, body = BUF_INIT;
	size_t len = 0;

	buf_add_str(out, "curl -sS --fail-with-body -w '%{stderr}%{redirect_url}' ");
	code_add_text(out, CODE_SHELL, x->url, NULL);
	const char *at = item->note.bytes ? next_line(item->note.bytes->data, '>', &len) : NULL;
	if (!at)
		buf_add_str(out, " \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: "
				 "application/json, text/event-stream'");
	while (at && (at = next_line(at, '>', &len))) {
		bool set = false;
		for (size_t i = 0; i < ARRAY_LEN(set_by_curl) && !set; i++)
			set = strncasecmp(at, set_by_curl[i], strlen(set_by_curl[i])) == 0;
		if (set)
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

static const struct export_format export_formats[] = {
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

/* ---- the export: which entries, in slices ---- */

/* Limits of a slice: entries taken, their bytes, entries examined. */
#define SLICE_ITEMS 256
#define SLICE_BYTES ((size_t)1 << 20)
#define SLICE_LOOKED 4096

struct journal_exporter {
	struct export_run run;
	const struct export_format *format;
	uint64_t *ids;
	size_t count;
	uint64_t first, next, end; /* entries next to end - 1 have not been examined */
	char *url;
	struct {
		struct export_item *items;
		size_t len, cap;
	} slice;
};

/* Return whether the entry or its exchange is exported. */
static bool
is_wanted(const struct journal_exporter *x, const struct journal_entry *e)
{
	uint64_t id = journal_is_second(e) ? e->pair : e->id;
	size_t low = 0, high = x->count;

	if (x->format->exchanges && e->kind != JOURNAL_SENT)
		return false;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (x->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->count && x->ids[low] == id;
}

struct journal_exporter *
journal_exporter_create(const struct journal_export *x, const char *format, struct err *err)
{
	const struct export_format *f = export_formats;

	while (f->name && strcmp(f->name, format) != 0)
		f++;
	if (!f->name) {
		err_set(err, "formats: jsonl|har|curl; not %.40s", format);
		return NULL;
	}
	const struct journal_entry *chosen = journal_find(x->journal, x->selected);
	if (f->needs_http && !x->url) {
		err_set(err, "%s", f->needs_http);
		return NULL;
	}
	if (f->selected && (!chosen || chosen->kind != JOURNAL_SENT)) {
		err_set(err, "%s", f->none);
		return NULL;
	}
	struct journal_exporter *e = mem_zalloc(sizeof(*e));
	const uint64_t *ids = f->selected ? &x->selected : x->ids;
	e->format = f;
	e->count = f->selected ? 1 : x->count;
	e->ids = mem_dup(ids, e->count * sizeof(*ids));
	e->url = mem_strdup(x->url);
	e->run.url = e->url;
	e->run.with_secrets = x->with_secrets;
	if (e->count > 0) {
		const struct journal_info *info = journal_info(x->journal);
		const struct journal_entry *last = journal_at(x->journal, info->count - 1);
		e->first = e->next = e->ids[0];
		e->end = f->selected ? e->next + 1 : last ? last->id + 1 : 0;
	}
	if (f->begin)
		f->begin(&e->run);
	return e;
}

/* ---- slices ---- */

/* Copy the members that an export writes. */
static void
journal_file_copy(struct journal_entry *to, const struct journal_entry *from)
{
	*to = (struct journal_entry){
		.id = from->id,
		.kind = from->kind,
		.message = from->message,
		.verdict = from->verdict,
		.at_us = from->at_us,
		.wall_us = from->wall_us,
		.bytes = blob_ref(from->bytes),
		.dropped = from->dropped,
		.method = mem_strdup(from->method),
		.flaw = mem_strdup(from->flaw),
		.ended = mem_strdup(from->ended),
		.latency_us = from->latency_us,
	};
}

static void
drop_slice(struct journal_exporter *e)
{
	for (size_t i = 0; i < e->slice.len; i++) {
		struct export_item *item = &e->slice.items[i];
		struct journal_entry *const parts[] = { &item->entry, &item->note, &item->reply };
		for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
			blob_unref(parts[k]->bytes);
			free(parts[k]->method);
			free(parts[k]->flaw);
			free(parts[k]->ended);
		}
	}
	e->slice.len = 0;
}

void
journal_exporter_destroy(struct journal_exporter *e)
{
	if (!e)
		return;
	drop_slice(e);
	free(e->slice.items);
	buf_finish(&e->run.out);
	free(e->ids);
	free(e->url);
	free(e);
}

/* Return the size of the copied messages in bytes. */
static size_t
take_item(struct journal_exporter *e, const struct journal *j, const struct journal_entry *entry)
{
	struct export_item *item = VEC_PUSH(&e->slice);
	const struct journal_entry *note = entry->http ? journal_find(j, entry->http) : NULL;
	const struct journal_entry *reply = journal_reply(entry);
	size_t bytes = entry->bytes->len;

	*item = (struct export_item){ 0 };
	journal_file_copy(&item->entry, entry);
	if (!e->format->exchanges)
		return bytes;
	if (note)
		journal_file_copy(&item->note, note);
	if (reply)
		journal_file_copy(&item->reply, reply);
	return bytes + (reply ? reply->bytes->len : 0);
}

bool
journal_exporter_take(struct journal_exporter *e, const struct journal *j)
{
	const struct journal_entry *oldest = journal_at(j, 0);
	size_t bytes = 0;

	drop_slice(e);
	if (oldest && e->next < oldest->id)
		e->next = oldest->id;
	if (e->next >= e->end)
		return false;
	for (int looked = 0; looked < SLICE_LOOKED && e->next < e->end; looked++, e->next++) {
		const struct journal_entry *entry = journal_find(j, e->next);
		if (bytes >= SLICE_BYTES || e->slice.len == SLICE_ITEMS)
			break;
		if (entry && is_wanted(e, entry))
			bytes += take_item(e, j, entry);
	}
	return true;
}

void
journal_exporter_write(struct journal_exporter *e, struct job *job)
{
	for (size_t i = 0; i < e->slice.len && !(job && job_is_stopped(job)); i++)
		e->format->write(&e->run, &e->slice.items[i]);
}

unsigned
journal_exporter_percent(const struct journal_exporter *e)
{
	uint64_t all = e->end - e->first, done = e->next - e->first;

	return all && e->next < e->end ? (unsigned)(done * 100 / all) : 100;
}

const struct buf *
journal_exporter_end(struct journal_exporter *e, struct err *err)
{
	drop_slice(e);
	if (e->format->end)
		e->format->end(&e->run);
	if (e->run.written > 0)
		return &e->run.out;
	err_set(err, "%s", e->format->none);
	return NULL;
}

bool
journal_export(const struct journal_export *x, const char *format, struct buf *out, struct err *err)
{
	struct journal_exporter *e = journal_exporter_create(x, format, err);

	if (!e)
		return false;
	while (journal_exporter_take(e, x->journal))
		journal_exporter_write(e, NULL);
	const struct buf *file = journal_exporter_end(e, err);
	if (file)
		buf_add(out, file->data, file->len);
	journal_exporter_destroy(e);
	return file != NULL;
}

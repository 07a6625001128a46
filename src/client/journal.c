/* SPDX-License-Identifier: MIT */
#include "client/journal.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* ---- how long replies took, by method and by tool ---- */

/* The number of names with a separate row; the others share the last row. */
#define NAMES_MAX 256

static void
timings_finish(struct timings *t)
{
	for (size_t i = 0; i < t->len; i++) {
		free(t->items[i]->name);
		free(t->items[i]);
	}
	free(t->items);
	*t = (struct timings){ 0 };
}

static bool
is_named(const struct timing *row, const char *name, bool is_tool)
{
	return row->is_tool == is_tool && row->name && strcmp(row->name, name) == 0;
}

static struct timing *
row_of(struct timings *t, const char *name, bool is_tool)
{
	for (size_t i = 0; i < t->len; i++)
		if (is_named(t->items[i], name, is_tool))
			return t->items[i];
	if (t->len < NAMES_MAX) {
		/* A tool's row follows tools/call and its other tools; a method's row is the last.
		 */
		size_t at = t->len;
		struct timing *row = mem_zalloc(sizeof(*row));
		*row = (struct timing){ .name = mem_strdup(name), .is_tool = is_tool };
		for (size_t i = 0; is_tool && i < t->len; i++)
			if (t->items[i]->is_tool || is_named(t->items[i], "tools/call", false))
				at = i + 1;
		*VEC_PUSH(t) = row;
		memmove(
		    t->items + at + 1, t->items + at, (t->len - 1 - at) * sizeof(struct timing *));
		t->items[at] = row;
		return row;
	}
	if (t->items[t->len - 1]->name)
		*VEC_PUSH(t) = mem_zalloc(sizeof(struct timing));
	return t->items[t->len - 1];
}

/* Find the rows of the method and of the tool. */
static size_t
rows_of(struct timings *t, const struct journal_entry *request, struct timing *rows[2])
{
	size_t count = 0;

	if (request->method)
		rows[count++] = row_of(t, request->method, false);
	if (request->tool)
		rows[count++] = row_of(t, request->tool, true);
	return count == 2 && rows[0] == rows[1] ? 1 : count;
}

/* Return the index of the first time that is not less than us. */
static size_t
place_of(const struct timing *row, size_t len, uint32_t us)
{
	size_t low = 0, high = len;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (row->sorted[middle] < us)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
timings_add_reply(
    struct timings *t, const struct journal_entry *request, const struct journal_entry *reply)
{
	struct timing *rows[2];

	for (size_t i = rows_of(t, request, rows); i-- > 0;) {
		rows[i]->errors += reply->is_error;
		rows[i]->bytes += reply->bytes->len + reply->dropped;
		/* The newest time replaces the oldest. */
		struct timing *row = rows[i];
		uint32_t us = reply->latency_us < 0            ? 0
			      : reply->latency_us > UINT32_MAX ? UINT32_MAX
							       : (uint32_t)reply->latency_us;
		size_t len = row->replies < TIMING_SAMPLE ? row->replies : TIMING_SAMPLE;
		uint32_t *oldest = &row->ring[row->replies % TIMING_SAMPLE];
		if (len == TIMING_SAMPLE) {
			size_t at = place_of(row, len--, *oldest);
			memmove(row->sorted + at, row->sorted + at + 1, (len - at) * sizeof(us));
		}
		size_t at = place_of(row, len, us);
		memmove(row->sorted + at + 1, row->sorted + at, (len - at) * sizeof(us));
		row->sorted[at] = *oldest = us;
		row->replies++;
		row->max_us = reply->latency_us > row->max_us ? reply->latency_us : row->max_us;
	}
}

int64_t
timing_quantile(const struct timing *t, unsigned percent)
{
	size_t len = t->replies < TIMING_SAMPLE ? t->replies : TIMING_SAMPLE;

	if (len == 0)
		return -1;
	size_t rank = (len * percent + 99) / 100; /* the nearest rank, from 1 */
	return t->sorted[rank > 0 ? rank - 1 : 0];
}

/* ---- the brief: one line about a message ---- */

/* Maximum bytes of a brief and of one value in it. Only the beginnings of the first members are
 * read, however large the message is. */
#define BRIEF_BYTES ((size_t)240)
#define VALUE_BYTES ((size_t)48)
#define MEMBERS_MAX 12
#define ITEMS_MAX 4

/* Protocol members without information for the user. */
static const char *const plumbing[] = { "_meta", "resultType", "ttlMs", "cacheScope", NULL };

/* Append the first line that is not blank. */
static void
add_journal_line(struct buf *out, const char *text, size_t max)
{
	size_t len = strnlen(text, max + VALUE_BYTES), blank = 0;

	while (blank < len && strchr(" \t\r\n", text[blank]))
		blank++;
	size_t line = blank;
	while (line < len && text[line] != '\n' && text[line] != '\r')
		line++;
	utf8_add_cut(out, text + blank, line - blank, max);
}

/* Return whether the whole value fits into a brief. */
static bool
is_small(const cJSON *value)
{
	const char *text = cJSON_GetStringValue(value);

	if (json_type(value) != JSON_ARRAY && !cJSON_IsObject(value))
		return !text || strnlen(text, VALUE_BYTES + 1) <= VALUE_BYTES;
	if (json_count(value) > ITEMS_MAX)
		return false;
	for (const cJSON *item = json_first(value); item; item = item->next)
		if (json_count(item) > 0 || !is_small(item))
			return false;
	return true;
}

/* "role=admin limit=10" */
static void
add_members(struct buf *out, const cJSON *object)
{
	const char *between = out->len > 0 ? " " : "";
	int count = 0;

	for (const cJSON *m = json_first(object); m && m->string; m = m->next) {
		if (words_have(plumbing, m->string))
			continue;
		buf_add_str(out, between);
		between = " ";
		if (++count > MEMBERS_MAX || out->len > BRIEF_BYTES) {
			buf_add_str(out, "…");
			return;
		}
		add_journal_line(out, m->string, VALUE_BYTES);
		buf_add_char(out, '=');
		/* a string is quoted only if blanks or quotes would obscure its end */
		const char *text = cJSON_GetStringValue(m);
		bool small = is_small(m);
		if (small && !(text && *text && !strpbrk(text, " \t\r\n\"'")))
			json_print_brief(out, m, VALUE_BYTES);
		else if (text)
			add_journal_line(out, text, VALUE_BYTES);
		else
			buf_addf(
			    out, json_type(m) == JSON_ARRAY ? "[%zu]" : "{%zu}", json_count(m));
	}
}

/* Append "3 users" for the first member that is an array. */
static bool
add_array(struct buf *out, const cJSON *object)
{
	int count = 0;

	for (const cJSON *m = json_first(object); m && m->string && count < MEMBERS_MAX;
	     m = m->next, count++) {
		if (json_type(m) != JSON_ARRAY)
			continue;
		buf_addf(out, "%zu ", json_count(m));
		add_journal_line(out, m->string, VALUE_BYTES);
		return true;
	}
	return false;
}

/* Append the text or the type of the first block. */
static bool
add_content(struct buf *out, const cJSON *content)
{
	const cJSON *block = json_first(content);
	const char *text = json_get_string(block, "text");
	const char *type = json_get_string(block, "type");
	const char *mime = json_get_string(block, "mimeType");

	if (text && *text)
		add_journal_line(out, text, BRIEF_BYTES);
	else if (mime || type)
		add_journal_line(out, mime ? mime : type, VALUE_BYTES);
	return text || mime || type;
}

/* Append the server of a handshake: "demo 0.1.0 2026-07-28". */
static bool
add_server(struct buf *out, const cJSON *result)
{
	const cJSON *server = json_get(result, "serverInfo");
	const char *version = json_get_string(result, "protocolVersion");

	if (!json_get(result, "capabilities"))
		return false;
	if (!server)
		server = json_get(json_get(result, "_meta"), "io.modelcontextprotocol/serverInfo");
	if (!version)
		version = cJSON_GetStringValue(json_first(json_get(result, "supportedVersions")));
	const char *parts[] = { json_get_string(server, "name"), json_get_string(server, "version"),
		version };
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!parts[i])
			continue;
		buf_add_str(out, out->len > 0 ? " " : "");
		add_journal_line(out, parts[i], VALUE_BYTES);
	}
	return out->len > 0;
}

static void
add_result(struct buf *out, const cJSON *result)
{
	const cJSON *content = json_get(result, "content");
	const cJSON *structured = json_get(result, "structuredContent");
	const char *type = json_get_string(result, "resultType");
	const char *text = json_get_string(json_first(content), "text");

	if (type && strcmp(type, "complete") != 0) {
		add_journal_line(out, type, VALUE_BYTES);
		add_members(out, result);
	} else if (json_type(content) == JSON_ARRAY || structured) {
		bool is_error = cJSON_IsTrue(json_get(result, "isError"));
		if (is_error || !add_array(out, structured)) {
			if (structured && (!content || (text && (*text == '{' || *text == '['))))
				add_members(out, structured);
			else
				add_content(out, content);
		}
	} else if (!add_server(out, result) && !add_content(out, json_get(result, "contents")) &&
		   !add_array(out, result)) {
		add_members(out, result);
	}
	if (out->len == 0)
		buf_add_str(out, "empty");
	if (json_get(result, "nextCursor"))
		buf_add_str(out, ", more follow");
}

/* Parameters that identify a request: a prompt's name, a URI, a question. */
static const char *const subjects[] = { "name", "uri", "message" };

static void
journal_describe(struct journal_entry *e, const cJSON *message)
{
	const cJSON *params = json_get(message, "params");
	const char *tool = json_get_string(params, "name");
	struct buf out = BUF_INIT, plain = BUF_INIT;

	if (e->message == MESSAGE_REQUEST && e->method && strcmp(e->method, "tools/call") == 0)
		e->tool = label_dup(tool);
	if (e->message == MESSAGE_RESULT)
		add_result(&out, json_get(message, "result"));
	else if (e->message == MESSAGE_ERROR) {
		const cJSON *error = json_get(message, "error");
		const char *text = json_get_string(error, "message");
		char code[JSON_NUMBER_TEXT_MAX];
		if (text)
			add_journal_line(&out, text, BRIEF_BYTES);
		if (cJSON_IsNumber(json_get(error, "code")))
			buf_addf(&out, "%s(%.20s)", text ? " " : "",
			    json_number_text(json_get(error, "code"), code));
	} else if (params) {
		bool is_tool = e->tool != NULL;
		const cJSON *arguments = json_get(params, "arguments");
		for (size_t i = 0; i < ARRAY_LEN(subjects) && !is_tool && out.len == 0; i++) {
			const char *text = json_get_string(params, subjects[i]);
			if (text)
				add_journal_line(&out, text, BRIEF_BYTES);
		}
		if (is_tool || arguments)
			add_members(&out, arguments);
		else if (out.len == 0)
			add_members(&out, params);
	}
	bool hides = secret_hide_values(&plain, buf_text(&out), out.len, SECRET_VALUES_GIVEN);
	if (out.len > 0)
		e->brief = buf_detach(hides ? &plain : &out);
	buf_finish(&plain);
	buf_finish(&out);
}

/* ---- the journal ---- */

/* A request without a reply yet. */
struct open_request {
	enum journal_kind kind;
	uint64_t entry;
};

#define OPEN_MAX 1024     /* open requests; beyond this the oldest is dropped */
#define CHANGES_KEPT 1024 /* changes that a reader may be behind */
#define LATELY 64         /* entries searched for a reply by its bytes: a batch has several */
#define SLOT_US 5000000

struct journal {
	struct journal_info info;
	uint64_t next_id;
	/* in use: entries[head .. head + info.count); ids are consecutive */
	struct journal_entry *entries;
	size_t head, cap;
	struct {
		struct open_request *items;
		size_t len, cap;
	} open;
	uint64_t changed[CHANGES_KEPT]; /* a ring of entries */
	uint64_t last_one_way;          /* our latest that has a number and is not a request */
	uint64_t changes;               /* the number of changes so far */
	struct timings timings;
	size_t slots[ACTIVITY_SLOTS]; /* a ring of counts */
	int64_t last_slot;
	struct {
		const struct blob *came_as; /* only to compare: the bytes with their secrets */
		uint64_t entry;
	} hidden[LATELY]; /* a ring of the latest entries with redacted bytes */
	size_t hidden_count;
};

struct journal *
journal_create(size_t max_bytes)
{
	struct journal *j = mem_zalloc(sizeof(*j));

	j->info.max_bytes = max_bytes ? max_bytes : (size_t)64 << 20;
	j->next_id = 1;
	j->info.timings = &j->timings;
	return j;
}

/* Heap use of len bytes with the header and rounding, which matter for small messages. */
static size_t
heap_bytes(size_t len)
{
	return len < 24 ? 32 : (len + 8 + 15) & ~(size_t)15;
}

/* journal_add() allocates at most two slots per entry. */
static size_t
entry_bytes(const struct journal_entry *e)
{
	const char *const texts[] = { e->method, e->rpc_id, e->flaw, e->tool, e->brief, e->ended };
	size_t bytes =
	    2 * sizeof(*e) + heap_bytes(sizeof(*e->bytes)) + heap_bytes(e->bytes->len + 1);

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		bytes += texts[i] ? heap_bytes(strlen(texts[i]) + 1) : 0;
	return bytes;
}

static void
entry_finish(struct journal_entry *e)
{
	blob_unref(e->bytes);
	free(e->method);
	free(e->rpc_id);
	free(e->flaw);
	free(e->tool);
	free(e->brief);
	free(e->ended);
}

void
journal_destroy(struct journal *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->info.count; i++)
		entry_finish(&j->entries[j->head + i]);
	free(j->entries);
	free(j->open.items);
	timings_finish(&j->timings);
	free(j);
}

static struct journal_entry *
mutable_find(struct journal *j, uint64_t id)
{
	return (struct journal_entry *)journal_find(j, id);
}

static void
touch(struct journal *j, const struct journal_entry *e)
{
	uint64_t id = journal_is_second(e) ? e->pair : e->id;

	if (j->changes == 0 || j->changed[(j->changes - 1) % CHANGES_KEPT] != id)
		j->changed[j->changes++ % CHANGES_KEPT] = id;
}

/* Pair a reply with the open request of the other direction and the same JSON-RPC id. */
static void
pair_reply(struct journal *j, struct journal_entry *reply)
{
	enum journal_kind asked = reply->kind == JOURNAL_SENT ? JOURNAL_RECEIVED : JOURNAL_SENT;

	for (size_t i = j->open.len; i-- > 0;) {
		if (j->open.items[i].kind != asked)
			continue;
		struct journal_entry *request = mutable_find(j, j->open.items[i].entry);
		if (!request || !request->rpc_id || strcmp(request->rpc_id, reply->rpc_id) != 0)
			continue;
		request->pair = reply->id;
		request->waits = false;
		reply->pair = request->id;
		reply->latency_us = reply->at_us - request->at_us;
		if (!reply->method)
			reply->method = mem_strdup(request->method);
		if (request->tool)
			reply->tool = mem_strdup(request->tool);
		VEC_REMOVE(&j->open, i);
		timings_add_reply(&j->timings, request, reply);
		touch(j, request);
		return;
	}
}

static void
evict_oldest(struct journal *j)
{
	struct journal_entry *e = &j->entries[j->head];

	j->info.bytes -= entry_bytes(e);
	entry_finish(e);
	j->head++;
	j->info.count--;
	j->info.evicted++;
}

void
journal_clear(struct journal *j)
{
	while (j->info.count > 0)
		evict_oldest(j);
	j->info.evicted = 0;
	j->open.len = 0;
	timings_finish(&j->timings);
}

/* Find a recent notification or response of ours by its number for the transport. */
static struct journal_entry *
find_one_way(struct journal *j, uint64_t carried)
{
	size_t since = (size_t)(j->next_id - j->last_one_way);

	if (!carried || !j->last_one_way || since > CHANGES_KEPT)
		return NULL;
	for (size_t back = 1; back <= CHANGES_KEPT && back <= j->info.count; back++) {
		struct journal_entry *e = &j->entries[j->head + j->info.count - back];
		if (e->kind == JOURNAL_SENT && e->message != MESSAGE_REQUEST &&
		    e->carried == carried)
			return e;
	}
	return NULL;
}

static void
end_entry(struct journal *j, struct journal_entry *e, const char *why)
{
	j->info.bytes -= entry_bytes(e);
	e->waits = false;
	free(e->ended);
	e->ended = label_dup(why);
	j->info.bytes += entry_bytes(e);
	touch(j, e);
}

/* The open request at this index will get no reply. */
static void
end_open(struct journal *j, size_t index, const char *why)
{
	struct journal_entry *e = mutable_find(j, j->open.items[index].entry);

	VEC_REMOVE(&j->open, index);
	if (!e)
		return;
	end_entry(j, e, why);
	struct timing *rows[2];
	for (size_t i = rows_of(&j->timings, e, rows); i-- > 0;)
		rows[i]->errors++;
}

void
journal_end(struct journal *j, uint64_t request, const char *why)
{
	for (size_t i = j->open.len; i-- > 0;) {
		const struct journal_entry *e = mutable_find(j, j->open.items[i].entry);
		if (request == 0 || (e && e->kind == JOURNAL_SENT && e->request == request))
			end_open(j, i, why);
	}
	struct journal_entry *one_way = find_one_way(j, request);
	if (one_way)
		end_entry(j, one_way, why);
	/* the reasons take memory too */
	while (j->info.bytes > j->info.max_bytes && j->info.count > 1)
		evict_oldest(j);
}

/* Count a message and clear the slots older than a minute. */
static void
count_activity(struct journal *j, int64_t at_us)
{
	int64_t slot = at_us / SLOT_US;

	if (slot < 0) /* of a recording */
		return;
	if (slot - j->last_slot > ACTIVITY_SLOTS)
		j->last_slot = slot - ACTIVITY_SLOTS;
	while (j->last_slot < slot)
		j->slots[++j->last_slot % ACTIVITY_SLOTS] = 0;
	j->slots[j->last_slot % ACTIVITY_SLOTS]++;
}

size_t
journal_activity(const struct journal *j, int64_t now_us, size_t slots[ACTIVITY_SLOTS])
{
	int64_t first = now_us / SLOT_US - ACTIVITY_SLOTS + 1;
	size_t sum = 0;

	for (int i = 0; i < ACTIVITY_SLOTS; i++) {
		int64_t slot = first + i;
		bool kept =
		    slot >= 0 && slot <= j->last_slot && slot > j->last_slot - ACTIVITY_SLOTS;
		slots[i] = kept ? j->slots[slot % ACTIVITY_SLOTS] : 0;
		sum += slots[i];
	}
	return sum;
}

void
journal_set_clock(struct journal *j, int64_t wall_us, int zone_s)
{
	j->info.wall_us = wall_us;
	j->info.zone_s = zone_s;
}

/* Link a note about an HTTP exchange to its request. */
static void
link_note(struct journal *j, struct journal_entry *note)
{
	for (size_t i = j->open.len; i-- > 0;) {
		struct journal_entry *e = mutable_find(j, j->open.items[i].entry);
		if (!e || e->kind != JOURNAL_SENT || e->carried != note->carried)
			continue;
		e->http = note->id;
		note->rpc_id = mem_strdup(e->rpc_id);
		return;
	}
	struct journal_entry *one_way = find_one_way(j, note->carried);
	if (one_way)
		one_way->http = note->id;
}

/* Return the bytes without the values of known secrets. */
static struct blob *
bytes_to_keep(struct journal *j, struct blob *bytes)
{
	struct buf plain = BUF_INIT;

	if (!secret_hide_values(&plain, bytes->data, bytes->len, SECRET_VALUES_GIVEN))
		return blob_ref(bytes);
	j->hidden[j->hidden_count % LATELY].came_as = bytes;
	j->hidden[j->hidden_count++ % LATELY].entry = j->next_id;
	return blob_take_buf(&plain);
}

static struct journal_entry *
push_entry(struct journal *j)
{
	if (j->head + j->info.count == j->cap) {
		if (j->head > j->info.count / 4) {
			memmove(
			    j->entries, j->entries + j->head, j->info.count * sizeof(*j->entries));
			j->head = 0;
		} else {
			j->cap = j->cap ? j->cap + j->cap / 2 : 64;
			j->entries = mem_realloc(j->entries, j->cap * sizeof(*j->entries));
		}
	}
	return &j->entries[j->head + j->info.count++];
}

uint64_t
journal_add(struct journal *j, const struct journal_args *args)
{
	struct journal_entry *e = push_entry(j);

	*e = (struct journal_entry){
		.id = j->next_id,
		.journal = j,
		.wall_us = args->at_us + j->info.wall_us,
		.request = args->request,
		.carried = args->carried,
		.kind = args->kind,
		.message = args->message,
		.at_us = args->at_us,
		.bytes = bytes_to_keep(j, args->bytes),
		.dropped = args->dropped,
		.method = label_dup(args->method),
		.rpc_id = label_dup(args->rpc_id),
		.flaw = mem_strdup(args->flaw),
		.is_error = args->is_error,
		.latency_us = -1,
	};
	j->next_id++;
	if (j->info.count == 1 && j->info.evicted == 0)
		j->info.start_us = e->at_us;
	if (e->kind == JOURNAL_SENT && e->message != MESSAGE_REQUEST && e->carried)
		j->last_one_way = e->id;
	if (args->by_hand)
		j->info.by_hand = e->id;
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	if (on_wire && args->doc)
		journal_describe(e, json_root(args->doc));
	if (on_wire)
		count_activity(j, e->at_us);
	if (on_wire && e->rpc_id && (e->message == MESSAGE_RESULT || e->message == MESSAGE_ERROR))
		pair_reply(j, e);
	else if (on_wire && e->rpc_id && e->message == MESSAGE_REQUEST) {
		if (j->open.len == OPEN_MAX)
			end_open(j, 0, "too many later requests");
		if (e->request) /* the session sends it once more */
			journal_end(j, e->request, "sent again");
		*VEC_PUSH(&j->open) = (struct open_request){ .kind = e->kind, .entry = e->id };
		e->waits = true;
		struct timing *rows[2];
		for (size_t i = rows_of(&j->timings, e, rows); i-- > 0;) {
			rows[i]->count++;
			rows[i]->bytes += e->bytes->len + e->dropped;
		}
	} else if (e->kind == JOURNAL_NOTE && e->carried)
		link_note(j, e);
	j->info.bytes += entry_bytes(e);
	while (j->info.bytes > j->info.max_bytes && j->info.count > 1)
		evict_oldest(j);
	return j->next_id - 1;
}

void
journal_excuse_probe(struct journal *j, const char *method, const char *brief)
{
	for (size_t i = j->info.count; i-- > 0;) {
		struct journal_entry *request = &j->entries[j->head + i];
		if (request->kind != JOURNAL_SENT || request->message != MESSAGE_REQUEST ||
		    !request->method || strcmp(request->method, method) != 0)
			continue;
		struct journal_entry *reply = mutable_find(j, request->pair);
		if (!reply || reply->message != MESSAGE_ERROR)
			return;
		j->info.bytes -= entry_bytes(reply);
		free(reply->brief);
		reply->brief = mem_strdup(brief);
		reply->is_error = false;
		reply->is_probe = true;
		j->info.bytes += entry_bytes(reply);
		touch(j, request);
		return;
	}
}

void
journal_pair_late(struct journal *j, uint64_t request)
{
	struct journal_entry *reply = mutable_find(j, j->next_id - 1);

	for (size_t i = j->info.count; reply && i-- > 0;) {
		struct journal_entry *e = &j->entries[j->head + i];
		if (e->kind != JOURNAL_SENT || e->request != request ||
		    e->message != MESSAGE_REQUEST)
			continue;
		if (e->pair != 0)
			return;
		e->pair = reply->id;
		reply->pair = e->id;
		reply->latency_us = reply->at_us - e->at_us;
		touch(j, e);
		return;
	}
}

const struct journal_info *
journal_info(const struct journal *j)
{
	return &j->info;
}

const struct journal_entry *
journal_at(const struct journal *j, size_t index)
{
	return index < j->info.count ? &j->entries[j->head + index] : NULL;
}

size_t
journal_index(const struct journal *j, uint64_t id)
{
	uint64_t oldest = j->next_id - j->info.count;

	return id >= oldest && id < j->next_id ? (size_t)(id - oldest) : j->info.count;
}

const struct journal_entry *
journal_find(const struct journal *j, uint64_t id)
{
	return journal_at(j, journal_index(j, id));
}

const struct journal_entry *
journal_reply(const struct journal_entry *e)
{
	return e->pair > e->id ? journal_find(e->journal, e->pair) : NULL;
}

uint64_t
journal_find_bytes(const struct journal *j, const struct blob *bytes)
{
	for (uint64_t back = 1; bytes && back <= LATELY && back < j->next_id; back++) {
		const struct journal_entry *e = journal_find(j, j->next_id - back);
		if (e && e->bytes == bytes)
			return e->id;
	}
	for (size_t i = 0; bytes && i < LATELY; i++)
		if (j->hidden[i].came_as == bytes)
			return j->hidden[i].entry;
	return 0;
}

void
journal_judge(struct journal *j, uint64_t id, enum verdict_kind verdict)
{
	struct journal_entry *e = mutable_find(j, id);

	if (!e)
		return;
	e->verdict = verdict;
	touch(j, e);
}

uint64_t
journal_changed(const struct journal *j, uint64_t *seen)
{
	if (*seen == j->changes)
		return 0;
	if (j->changes - *seen > CHANGES_KEPT) {
		*seen = j->changes;
		return UINT64_MAX;
	}
	return j->changed[(*seen)++ % CHANGES_KEPT];
}

#include "base/mem.h"

#include "base/glyph.h"
#include "base/secret.h"
#include "base/vec.h"
#include "journal.h"

#include <stdlib.h>
#include <string.h>

/* A request that waits for its reply, by direction and JSON-RPC id. */
struct open_request {
	enum journal_kind kind;
	uint64_t entry;
};

/* Requests remembered until their replies; beyond this the oldest is dropped. */
#define OPEN_MAX 1024
/* Changes that a reader of them may be behind. */
#define CHANGES_KEPT 1024
/* How far back a reply is looked for by its bytes: those of a batch come together. */
#define LATELY 64
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
	uint64_t changes;               /* so many so far */
	struct timings timings;
	size_t slots[ACTIVITY_SLOTS]; /* a ring of counts */
	int64_t last_slot;
	struct {
		const struct blob *came_as; /* only to compare: the bytes with their secrets */
		uint64_t entry;
	} hidden[LATELY]; /* a ring of the latest entries whose bytes are others */
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

/* What the heap takes for n bytes: a header and rounding up, which counts for small messages. */
static size_t
heap_bytes(size_t len)
{
	return len < 24 ? 32 : (len + 8 + 15) & ~(size_t)15;
}

static size_t
text_bytes(const char *text)
{
	return text ? heap_bytes(strlen(text) + 1) : 0;
}

/* At most two slots per entry; append() ensures that. */
static size_t
entry_bytes(const struct journal_entry *e)
{
	return 2 * sizeof(*e) + heap_bytes(sizeof(*e->bytes)) + heap_bytes(e->bytes->len + 1) +
	       text_bytes(e->method) + text_bytes(e->rpc_id) + text_bytes(e->flaw) +
	       text_bytes(e->tool) + text_bytes(e->brief) + text_bytes(e->ended);
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
	uint64_t oldest = j->next_id - j->info.count;

	return id >= oldest && id < j->next_id ? &j->entries[j->head + (id - oldest)] : NULL;
}

static void
touch(struct journal *j, const struct journal_entry *e)
{
	uint64_t id = journal_is_second(e) ? e->pair : e->id;

	if (j->changes == 0 || j->changed[(j->changes - 1) % CHANGES_KEPT] != id)
		j->changed[j->changes++ % CHANGES_KEPT] = id;
}

static bool
is_reply(const struct journal_entry *e)
{
	return e->message == MESSAGE_RESULT || e->message == MESSAGE_ERROR;
}

/* Pairs a reply with the open request of the other direction and the same id. */
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

static void
evict_surplus(struct journal *j)
{
	while (j->info.bytes > j->info.max_bytes && j->info.count > 1)
		evict_oldest(j);
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

/* Of our latest messages that are not requests the one with that number for the transport. */
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

/* The request at this place in the list will get no reply. */
static void
end_open(struct journal *j, size_t index, const char *why)
{
	struct journal_entry *e = mutable_find(j, j->open.items[index].entry);

	VEC_REMOVE(&j->open, index);
	if (!e)
		return;
	end_entry(j, e, why);
	timings_add_error(&j->timings, e);
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
	evict_surplus(j); /* the reasons are text too */
}

static void
note_request(struct journal *j, struct journal_entry *e)
{
	if (j->open.len == OPEN_MAX)
		end_open(j, 0, "too many later requests");
	if (e->request) /* the session sends it once more */
		journal_end(j, e->request, "sent again");
	*VEC_PUSH(&j->open) = (struct open_request){ .kind = e->kind, .entry = e->id };
	e->waits = true;
	timings_add_request(&j->timings, e);
}

static struct journal_entry *
append(struct journal *j)
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

/* Counts one message of now, and forgets those of more than a minute ago. */
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

/* What HTTP said of a request of ours. */
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

/* The bytes, without the values that are known as secrets. */
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

static void
hide_brief(struct journal_entry *e)
{
	struct buf plain = BUF_INIT;

	if (!e->brief || !secret_hide_values(&plain, e->brief, strlen(e->brief), SECRET_VALUES_GIVEN))
		return;
	free(e->brief);
	e->brief = buf_detach(&plain);
}

uint64_t
journal_add(struct journal *j, const struct journal_args *args)
{
	struct journal_entry *e = append(j);

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
	hide_brief(e);
	if (on_wire)
		count_activity(j, e->at_us);
	if (on_wire && e->rpc_id && is_reply(e))
		pair_reply(j, e);
	else if (on_wire && e->rpc_id && e->message == MESSAGE_REQUEST)
		note_request(j, e);
	else if (e->kind == JOURNAL_NOTE && e->carried)
		link_note(j, e);
	j->info.bytes += entry_bytes(e);
	evict_surplus(j);
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

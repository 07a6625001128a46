#include "base/mem.h"

#include "base/glyph.h"
#include "base/vec.h"
#include "model/journal.h"

#include <stdlib.h>
#include <string.h>

/* A request that waits for its reply, by direction and JSON-RPC id. */
struct open_request {
	enum journal_kind kind;
	uint64_t entry;
};

/* Requests remembered until their replies; beyond this the oldest is dropped. */
#define OPEN_MAX 1024

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
};

struct journal *
journal_create(size_t max_bytes)
{
	struct journal *j = mem_zalloc(sizeof(*j));

	j->info.max_bytes = max_bytes ? max_bytes : (size_t)64 << 20;
	j->next_id = 1;
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
	       text_bytes(e->method) + text_bytes(e->rpc_id) + text_bytes(e->flaw);
}

static void
entry_finish(struct journal_entry *e)
{
	blob_unref(e->bytes);
	free(e->method);
	free(e->rpc_id);
	free(e->flaw);
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
	free(j);
}

static struct journal_entry *
mutable_find(struct journal *j, uint64_t id)
{
	uint64_t oldest = j->next_id - j->info.count;

	return id >= oldest && id < j->next_id ? &j->entries[j->head + (id - oldest)] : NULL;
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
		reply->pair = request->id;
		reply->latency_us = reply->at_us - request->at_us;
		if (!reply->method)
			reply->method = mem_strdup(request->method);
		VEC_REMOVE(&j->open, i);
		return;
	}
}

static void
note_request(struct journal *j, const struct journal_entry *e)
{
	if (j->open.len == OPEN_MAX)
		VEC_REMOVE(&j->open, 0);
	*VEC_PUSH(&j->open) = (struct open_request){ .kind = e->kind, .entry = e->id };
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

uint64_t
journal_add(struct journal *j, const struct journal_args *args)
{
	struct journal_entry *e = append(j);

	*e = (struct journal_entry){
		.id = j->next_id++,
		.kind = args->kind,
		.message = args->message,
		.at_us = args->at_us,
		.bytes = blob_ref(args->bytes),
		.dropped = args->dropped,
		.method = label_dup(args->method),
		.rpc_id = label_dup(args->rpc_id),
		.flaw = mem_strdup(args->flaw),
		.is_error = args->is_error,
		.latency_us = -1,
	};
	if (e->id == 1)
		j->info.start_us = e->at_us;
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	if (on_wire && e->rpc_id && is_reply(e))
		pair_reply(j, e);
	else if (on_wire && e->rpc_id && e->message == MESSAGE_REQUEST)
		note_request(j, e);
	j->info.bytes += entry_bytes(e);
	while (j->info.bytes > j->info.max_bytes && j->info.count > 1)
		evict_oldest(j);
	return j->next_id - 1;
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

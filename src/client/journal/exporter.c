#include "client/journal.h"

#include "base/mem.h"
#include "base/vec.h"
#include "journal.h"

#include <stdlib.h>
#include <string.h>

/* Bounds of a slice: of its entries, their bytes, and the entries looked at. */
#define SLICE_ITEMS 256
#define SLICE_BYTES ((size_t)1 << 20)
#define SLICE_LOOKED 4096

struct journal_exporter {
	struct export_run run;
	const struct export_format *format;
	uint64_t *ids;
	size_t count;
	uint64_t first, next, end; /* the entries still to look at: next to end - 1 */
	char *url;
	struct {
		struct export_item *items;
		size_t len, cap;
	} slice;
};

/* ---- which entries ---- */

/* Is the entry, or the exchange it belongs to, among the lines? */
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

static bool
can_be_had(const struct journal_export *x, const struct export_format *f, struct err *err)
{
	const struct journal_entry *e = journal_find(x->journal, x->selected);

	if (f->needs_http && !x->url)
		return err_set(err, "%s", f->needs_http);
	if (f->selected && (!e || e->kind != JOURNAL_SENT))
		return err_set(err, "%s", f->none);
	return true;
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
	if (!can_be_had(x, f, err))
		return NULL;
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

/* What an export says of an entry. */
static void
copy(struct journal_entry *to, const struct journal_entry *from)
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
drop(struct journal_entry *e)
{
	blob_unref(e->bytes);
	free(e->method);
	free(e->flaw);
	free(e->ended);
}

static void
drop_slice(struct journal_exporter *e)
{
	for (size_t i = 0; i < e->slice.len; i++) {
		struct export_item *item = &e->slice.items[i];
		drop(&item->entry);
		if (item->has_note)
			drop(&item->note);
		if (item->has_reply)
			drop(&item->reply);
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

/* Returns its bytes. */
static size_t
take_item(struct journal_exporter *e, const struct journal *j, const struct journal_entry *entry)
{
	struct export_item *item = VEC_PUSH(&e->slice);
	const struct journal_entry *note = entry->http ? journal_find(j, entry->http) : NULL;
	const struct journal_entry *reply = journal_reply(entry);
	size_t bytes = entry->bytes->len;

	*item = (struct export_item){ 0 };
	copy(&item->entry, entry);
	if (!e->format->exchanges)
		return bytes;
	if (note) {
		item->has_note = true;
		copy(&item->note, note);
	}
	if (reply) {
		item->has_reply = true;
		copy(&item->reply, reply);
		bytes += reply->bytes->len;
	}
	return bytes;
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

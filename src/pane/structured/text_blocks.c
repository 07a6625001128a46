#include "structured.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Blocks that are looked at, and how much text of them at once, without a job. */
#define BLOCKS_MAX 64
#define AT_ONCE ((size_t)256 << 10)

bool
text_blocks_serve(const struct call *call)
{
	static const char *const types[] = { "application/json", "application/jsonl",
		"application/x-jsonl", "application/ndjson", "application/x-ndjson", "text/csv",
		"text/tab-separated-values", "application/csv" };
	const struct content_block *c = call->result.len > 0 ? call->result.blocks : NULL;

	if (call->kind == PRIMITIVE_TOOL)
		return true;
	if (call->kind == PRIMITIVE_PROMPT || !c || !c->text || !c->mime)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strncasecmp(c->mime, types[i], strlen(types[i])) == 0)
			return true;
	return false;
}

/* Reads the blocks of one result in a job, which keeps the doc that their texts are in. */
struct block_reading {
	struct job job; /* first */
	struct text_blocks *owner;
	struct json_doc *doc;
	struct unread {
		size_t index;
		const char *text;
		size_t len;
	} unread[BLOCKS_MAX];
	size_t count;
	struct block_data found[BLOCKS_MAX];
	size_t found_count;
	struct broken_json broken;
};

static void
run(struct job *job)
{
	struct block_reading *r = (struct block_reading *)job;

	for (size_t i = 0; i < r->count && !job_is_stopped(job); i++) {
		const struct unread *u = &r->unread[i];
		struct block_data *b = &r->found[r->found_count];
		*b = (struct block_data){ .index = u->index, .bytes = u->len };
		struct json_error error = { 0 };
		b->kind = text_data_read(u->text, u->len, job, &b->doc, &error);
		if (error.text[0] && !r->broken.error.text[0])
			r->broken = (struct broken_json){ u->index, error };
		r->found_count += b->doc != NULL;
	}
}

static void
done(struct job *job)
{
	struct block_reading *r = (struct block_reading *)job;
	struct text_blocks *t = r->owner;
	bool wanted = !job_is_stopped(job);

	for (size_t i = 0; i < r->found_count; i++)
		if (wanted)
			*VEC_PUSH(t) = r->found[i];
		else
			json_doc_destroy(r->found[i].doc);
	if (wanted)
		t->broken = r->broken;
	json_doc_destroy(r->doc);
	free(r);
	if (wanted) {
		t->state = TEXT_READ;
		t->changed(t->user);
	}
}

/* Adds the next block with text to what is to be read. */
static size_t
add_unread(struct block_reading *r, const struct content_block *c, size_t index)
{
	if (!c->text || c->text_len == 0 || r->count == BLOCKS_MAX)
		return 0;
	r->unread[r->count++] = (struct unread){ index, c->text, c->text_len };
	return c->text_len;
}

void
text_blocks_read(struct text_blocks *t, const struct call *call, struct jobs *jobs)
{
	struct block_reading *r;
	size_t bytes = 0;

	if (t->state != TEXT_UNREAD)
		return;
	t->state = TEXT_READING;
	r = mem_zalloc(sizeof(*r));
	r->job = (struct job){ .run = run, .done = done };
	r->owner = t;
	r->doc = json_doc_ref(call->doc);
	for (size_t i = 0; i < call->result.len && r->count < BLOCKS_MAX; i++)
		bytes += add_unread(r, &call->result.blocks[i], i);
	job_start(bytes > AT_ONCE ? jobs : NULL, &r->job, &t->job);
}

void
text_blocks_forget(struct text_blocks *t)
{
	job_drop(&t->job);
	for (size_t i = 0; i < t->len; i++)
		json_doc_destroy(t->items[i].doc);
	free(t->items);
	t->items = NULL;
	t->len = t->cap = 0;
	t->broken = (struct broken_json){ 0 };
	t->state = TEXT_UNREAD;
}

size_t
text_blocks_from(const struct text_blocks *t, size_t index)
{
	size_t i = 0;

	while (i < t->len && t->items[i].index < index)
		i++;
	return i < t->len ? i : 0;
}

/* SPDX-License-Identifier: MIT */
#include "structured.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Bytes of text that are read at once, without a job. */
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

/* A job that reads the blocks of one result. It keeps the doc with their texts. */
struct block_reading {
	struct job job; /* first */
	struct text_blocks *owner;
	struct json_doc *doc;
	struct result_texts texts;
	struct block_data found[RESULT_TEXTS_MAX];
	size_t found_count;
	struct broken_json broken;
};

static void
read_blocks(struct job *job)
{
	struct block_reading *r = (struct block_reading *)job;

	for (size_t i = 0; i < r->texts.len && !job_is_stopped(job); i++) {
		const struct result_text *u = &r->texts.items[i];
		struct block_data *b = &r->found[r->found_count];
		*b = (struct block_data){ .index = u->block, .bytes = u->len };
		struct json_error error = { 0 };
		b->kind = text_data_read(u->text, u->len, job, &b->doc, &error);
		if (error.text[0] && !r->broken.error.text[0])
			r->broken = (struct broken_json){ u->block, error };
		r->found_count += b->doc != NULL;
	}
}

static void
on_blocks_read(struct job *job)
{
	struct block_reading *r = (struct block_reading *)job;
	struct text_blocks *t = r->owner;
	bool stopped = job_is_stopped(job);

	for (size_t i = 0; i < r->found_count; i++)
		if (stopped)
			json_doc_destroy(r->found[i].doc);
		else
			*VEC_PUSH(t) = r->found[i];
	if (!stopped) {
		t->broken = r->broken;
		t->state = TEXT_READ;
	}
	json_doc_destroy(r->doc);
	free(r);
	if (!stopped)
		t->changed(t->user);
}

/* Takes the reference. */
static struct block_reading *
start_reading(struct text_blocks *t, struct json_doc *doc)
{
	struct block_reading *r = mem_zalloc(sizeof(*r));

	t->state = TEXT_READING;
	r->job = (struct job){ .run = read_blocks, .done = on_blocks_read };
	r->owner = t;
	r->doc = doc;
	return r;
}

void
text_blocks_read(struct text_blocks *t, const struct call *call, struct jobs *jobs)
{
	struct block_reading *r;
	size_t bytes = 0;

	if (t->state != TEXT_UNREAD)
		return;
	r = start_reading(t, json_doc_ref(call->doc));
	result_texts_init(&r->texts, &call->result);
	for (size_t i = 0; i < r->texts.len; i++)
		bytes += r->texts.items[i].len;
	job_start(bytes > AT_ONCE ? jobs : NULL, &r->job, &t->job);
}

bool
text_blocks_open(
    struct text_blocks *t, const struct result_text *text, struct json_doc *doc, struct jobs *jobs)
{
	struct block_data data = { .index = text->block, .bytes = text->len };

	if (!text_data_begins_json(text->text, text->len))
		return false;
	if (text->len > AT_ONCE) {
		struct json_doc *kept = json_doc_ref(doc);
		text_blocks_forget(t); /* the text may be in its items */
		struct block_reading *r = start_reading(t, kept);
		r->texts.items[r->texts.len++] = *text;
		job_start(jobs, &r->job, &t->job);
		return true;
	}
	data.kind = text_data_read(text->text, text->len, NULL, &data.doc, NULL);
	if (!data.doc)
		return false;
	text_blocks_forget(t);
	*VEC_PUSH(t) = data;
	t->state = TEXT_READ;
	return true;
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

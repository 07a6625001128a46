#include "base/mem.h"
#include "base/vec.h"
#include "json/rows.h"
#include "parse_priv.h"

#include <stdlib.h>
#include <string.h>

/* An item is parsed whenever it is looked at: arrays of items that are large themselves are not
 * worth it. */
#define ITEM_BYTES_MAX 16384

/* The key of the container at this level, or of what is innermost. */
static const char *
key_at(const struct parser *p, size_t level)
{
	return p->levels.items[level].container->string;
}

/* Is the innermost container the value that lazy.in names, or inside it? */
static bool
is_inside(const struct parser *p)
{
	const char *in = p->lazy.in;

	for (size_t level = 1; in && *in; level++) {
		const char *key = level < p->levels.len ? key_at(p, level) : NULL;
		size_t len = strcspn(in + 1, "/");
		if (!key || strlen(key) != len || memcmp(key, in + 1, len) != 0)
			return false;
		in += 1 + len;
	}
	return true;
}

static struct flaw_mark
mark_flaws(const struct parser *p)
{
	return (struct flaw_mark){ p->doc->flaw_count, p->doc->flaws.len, p->position.at,
		p->position.line_start, p->position.line };
}

static void
return_to_mark(struct parser *p, const struct flaw_mark *mark)
{
	p->doc->flaw_count = mark->count;
	p->doc->flaws.len = mark->kept;
	p->position.at = mark->at;
	p->position.line_start = mark->line_start;
	p->position.line = mark->line;
}

void
lazy_open(struct parser *p)
{
	struct lazy *lazy = &p->lazy;
	size_t left = (size_t)(p->end - p->at);

	if (lazy->level != SIZE_MAX || p->at < lazy->not_before || left < lazy->min_bytes ||
	    left > UINT32_MAX || !is_inside(p))
		return;
	lazy->level = p->levels.len;
	lazy->start = p->at;
	lazy->mark = mark_flaws(p);
	p->arena = &lazy->scratch;
}

void
lazy_item(struct parser *p)
{
	arena_rewind(&p->lazy.scratch);
	p->levels.items[p->levels.len - 1].last = NULL;
	*VEC_PUSH(&p->lazy.starts) = (uint32_t)(p->at - p->lazy.start);
}

static void
keep_rows(struct parser *p, cJSON *array)
{
	struct json_rows *rows = mem_alloc(sizeof(*rows));
	size_t count = p->lazy.starts.len;

	*rows = (struct json_rows){
		.next = p->doc->rows,
		.text = p->lazy.start,
		.starts = mem_realloc(p->lazy.starts.items, count * sizeof(*rows->starts)),
		.count = count,
		.end = p->at,
	};
	p->lazy.starts.items = NULL;
	p->lazy.starts.len = p->lazy.starts.cap = 0;
	p->doc->rows = rows;
	if (p->lazy.blob && !p->doc->blob)
		p->doc->blob = blob_ref(p->lazy.blob);
	array->type |= JSON_LAZY;
	array->valuestring = (char *)rows;
}

bool
lazy_close(struct parser *p)
{
	struct lazy *lazy = &p->lazy;
	struct level *level = &p->levels.items[p->levels.len - 1];
	size_t bytes = (size_t)(p->at - lazy->start), count = lazy->starts.len;

	lazy->level = SIZE_MAX;
	lazy->not_before = p->at;
	p->arena = &p->doc->arena;
	level->last = level->container->child = NULL;
	if (bytes >= lazy->min_bytes && bytes / count <= ITEM_BYTES_MAX) {
		keep_rows(p, level->container);
		return true;
	}
	lazy->starts.len = 0;
	level->container->valueint = 0;
	return_to_mark(p, &lazy->mark);
	p->at = lazy->start;
	return false;
}

void
lazy_finish(struct parser *p)
{
	arena_finish(&p->lazy.scratch);
	free(p->lazy.starts.items);
}

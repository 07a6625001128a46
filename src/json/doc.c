#include "parse_priv.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts lines from where the last count stopped, so that all of them together read the text
 * once. A place a little further back must be on the same line. */
static void
locate(struct parser *p, const char *at, unsigned *line, unsigned *column)
{
	const char *newline;

	while (at > p->position.at &&
	       (newline = memchr(p->position.at, '\n', (size_t)(at - p->position.at)))) {
		p->position.at = p->position.line_start = newline + 1;
		p->position.line++;
	}
	if (at > p->position.at)
		p->position.at = at;
	*line = p->position.line;
	*column = (unsigned)(at - p->position.line_start) + 1;
}

bool
parse_fail(struct parser *p, const char *at, const char *format, ...)
{
	if (!p->error)
		return false;
	struct json_error *error = p->error;
	error->offset = (size_t)(at - p->start);
	locate(p, at, &error->line, &error->column);
	va_list args;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return false;
}

void
parse_note_flaw(struct parser *p, enum json_flaw_kind kind, const char *at)
{
	struct json_doc *doc = p->doc;

	doc->flaw_count++;
	if (doc->flaws.len >= p->max_flaws)
		return;
	struct json_flaw *flaw = VEC_PUSH(&doc->flaws);
	flaw->kind = kind;
	flaw->offset = (size_t)(at - p->start);
	locate(p, at, &flaw->line, &flaw->column);
}

void
json_doc_destroy(struct json_doc *doc)
{
	if (!doc)
		return;
	if (doc->parts > 0) {
		doc->given_up = true;
		return;
	}
	if (doc->whole && --doc->whole->parts == 0 && doc->whole->given_up)
		json_doc_destroy(doc->whole);
	for (struct json_rows *next, *rows = doc->rows; rows; rows = next) {
		next = rows->next;
		free(rows->starts);
		free(rows);
	}
	blob_unref(doc->blob);
	arena_finish(&doc->arena);
	free(doc->flaws.items);
	free(doc);
}

/* ---- parts ---- */

/* More than this is not copied. */
#define PART_BYTES ((size_t)256 << 10)

static bool
copy_text(struct arena *arena, char **text, size_t *left)
{
	size_t len = *text ? strnlen(*text, *left) + 1 : 0;

	if (len > *left)
		return false;
	*left -= len;
	if (*text)
		*text = memcpy(arena_bytes(arena, len), *text, len);
	return true;
}

/* NULL: it takes more bytes than are left. */
static cJSON *
copy_node(struct arena *arena, const cJSON *node, size_t *left)
{
	cJSON *copy = arena_node(arena), *last = NULL;

	*copy = *node;
	copy->next = copy->prev = copy->child = NULL;
	if (*left < sizeof(*copy) || json_is_lazy(node))
		return NULL;
	*left -= sizeof(*copy);
	if (!copy_text(arena, &copy->string, left) || !copy_text(arena, &copy->valuestring, left))
		return NULL;
	for (const cJSON *child = json_first(node); child; child = child->next) {
		cJSON *next = copy_node(arena, child, left);
		if (!next)
			return NULL;
		next->prev = last;
		*(last ? &last->next : &copy->child) = next;
		last = next;
		copy->child->prev = last; /* as in every tree of cJSON's */
	}
	return copy;
}

struct json_doc *
json_part(struct json_doc *doc, const cJSON *node)
{
	struct json_doc *part = node ? mem_zalloc(sizeof(*part)) : NULL;
	size_t left = PART_BYTES;

	if (!part)
		return NULL;
	part->root = copy_node(&part->arena, node, &left);
	if (part->root)
		return part;
	arena_finish(&part->arena);
	part->root = node;
	part->whole = doc->whole ? doc->whole : doc;
	part->whole->parts++;
	return part;
}

const char *
json_label(struct json_doc *doc, const char *text)
{
	static const char more[] = "…";
	size_t len = text ? label_length(text) : 0;

	if (!text || text[len] == '\0')
		return text;
	char *label = arena_bytes(&doc->arena, len + sizeof(more));
	memcpy(label, text, len);
	memcpy(label + len, more, sizeof(more));
	return label;
}

const cJSON *
json_root(const struct json_doc *doc)
{
	return doc ? doc->root : NULL;
}

size_t
json_flaw_count(const struct json_doc *doc)
{
	return doc->flaw_count;
}

size_t
json_flaws_kept(const struct json_doc *doc)
{
	return doc->flaws.len;
}

const struct json_flaw *
json_flaw_at(const struct json_doc *doc, size_t index)
{
	return index < doc->flaws.len ? &doc->flaws.items[index] : NULL;
}

const char *
json_flaw_text(enum json_flaw_kind kind)
{
	static const char *const texts[] = {
		[JSON_FLAW_DUPLICATE_KEY] = "duplicate key",
		[JSON_FLAW_NUL] = "NUL in a string",
		[JSON_FLAW_LONE_SURROGATE] = "lone surrogate",
		[JSON_FLAW_INVALID_UTF8] = "invalid UTF-8",
	};

	return texts[kind];
}

size_t
json_doc_memory(const struct json_doc *doc)
{
	size_t bytes = sizeof(*doc) + doc->arena.held + doc->flaws.cap * sizeof(*doc->flaws.items);

	for (const struct json_rows *rows = doc->rows; rows; rows = rows->next)
		bytes += sizeof(*rows) + rows->count * sizeof(*rows->starts);
	return bytes + (doc->whole ? json_doc_memory(doc->whole) : 0);
}

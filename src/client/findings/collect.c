#include "findings.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const finding_severities[FINDING_SEVERITIES] = { "error", "warning", "note" };

void
finding_add(struct finding_search *s, const char *pointer, const char *format, ...)
{
	char text[400];
	struct findings *f = s->out;

	if (f->len == FINDINGS_MAX) {
		f->rest++;
		return;
	}
	FORMAT_INTO(text, format);
	for (char *at = text; *at; at++)
		if (*at == '\n' || *at == '\r')
			*at = ' ';
	*VEC_PUSH(f) = (struct found){ s->kind, mem_strdup(pointer), mem_strdup(text) };
}

void
findings_run(struct finding_search *s, const struct finding_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		s->kind = &table->kinds[i];
		if (!s->job || !job_is_stopped(s->job))
			s->kind->find(s);
	}
}

void
findings_finish(struct findings *f)
{
	for (size_t i = 0; i < f->len; i++) {
		free(f->items[i].pointer);
		free(f->items[i].text);
	}
	free(f->items);
	*f = (struct findings){ 0 };
}

/* ---- characters that nobody sees ---- */

#define LOOKED_AT_MAX ((size_t)1 << 20) /* bytes of strings: some milliseconds */

struct hidden_search {
	struct buf pointer;
	size_t looked_at;
	enum glyph_kind kind; /* what was found */
};

static bool
has_hidden(struct hidden_search *h, const char *text)
{
	size_t len = strnlen(text, LOOKED_AT_MAX - h->looked_at);
	struct glyph g;

	h->looked_at += len;
	for (size_t at = 0; at < len;) {
		at += glyph_next(text + at, len - at, &g);
		if (g.kind == GLYPH_CONTROL || g.kind == GLYPH_HIDDEN) {
			h->kind = g.kind;
			return true;
		}
	}
	return false;
}

/* Leaves the pointer of the string that has them. */
static bool
find_hidden(struct hidden_search *h, const cJSON *node)
{
	size_t len = h->pointer.len, index = 0;
	bool array = json_type(node) == JSON_ARRAY;

	if (json_string(node))
		return has_hidden(h, json_string(node));
	for (const cJSON *m = json_first(node); m && h->looked_at < LOOKED_AT_MAX;
	     m = m->next, index++) {
		if (array)
			json_pointer_add_index(&h->pointer, index);
		else
			json_pointer_add_key(&h->pointer, m->string);
		if ((!array && has_hidden(h, m->string)) || find_hidden(h, m))
			return true;
		buf_truncate(&h->pointer, len);
		h->looked_at++;
	}
	return false;
}

void
finding_add_hidden(struct finding_search *s, const cJSON *node, const char *pointer)
{
	struct hidden_search h = { .pointer = { .max = 4096 } };

	buf_add_str(&h.pointer, pointer);
	if (find_hidden(&h, node))
		finding_add(s, buf_text(&h.pointer), "this string has %s",
		    h.kind == GLYPH_CONTROL ? "control characters"
					    : "invisible or bidirectional control characters");
	buf_finish(&h.pointer);
}

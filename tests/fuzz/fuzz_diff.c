/* SPDX-License-Identifier: MIT */
/* Two JSON texts, with a NUL between them. The diff applied to the first gives the second; the
 * reverse diff mirrors it; lazy arrays give the same. They are also compared as definitions of a
 * tool, as snapshots, and line by line as texts. */
#include "fuzz.h"

#include "data/diff.h"
#include "data/drift.h"
#include "data/snapshot.h"
#include "json/equal.h"
#include "json/rows.h"
#include "json/write.h"

#include <string.h>

struct side {
	struct blob *blob;
	struct json_doc *doc;
};

static struct side
parse(const uint8_t *data, size_t size, size_t lazy)
{
	struct side s = { .blob = blob_from_bytes(data, size) };
	const struct json_options options = {
		.max_depth = 200, .blob = s.blob, .lazy_bytes = lazy
	};

	s.doc = json_parse(s.blob->data, size, &options, NULL);
	return s;
}

static void
finish(struct side *s)
{
	json_doc_destroy(s->doc);
	blob_unref(s->blob);
}

static void write_second(const struct diff *d, uint32_t node, struct json_writer *w);

/* Children that the second has, in its order. */
static void
write_children(const struct diff *d, uint32_t node, bool is_object, struct json_writer *w)
{
	uint32_t next = 0;

	for (uint32_t c = node + 1; c < d->items[node].end; c = d->items[c].end) {
		const struct diff_node *n = &d->items[c];
		demand(n->parent == node);
		if (n->at[1] == DIFF_NOWHERE)
			continue;
		demand(n->at[1] == next);
		next++;
		if (is_object)
			json_write_key(w, n->key);
		write_second(d, c, w);
	}
	demand(next == json_count(diff_side(d, node, 1)));
}

static void
write_second(const struct diff *d, uint32_t node, struct json_writer *w)
{
	const struct diff_node *n = &d->items[node];

	if (n->kind != DIFF_INSIDE) {
		demand(n->end == node + 1);
		json_write_value(w, diff_side(d, node, n->kind == DIFF_SAME ? 0 : 1));
		return;
	}
	bool is_object = json_type(n->side[1]) == JSON_OBJECT;
	(is_object ? json_write_object : json_write_array)(w);
	write_children(d, node, is_object, w);
	(is_object ? json_write_object_end : json_write_array_end)(w);
}

static void
demand_applied(const struct diff *d, const cJSON *second)
{
	struct buf text = BUF_INIT;
	struct json_writer w;
	const struct json_options options = { .max_depth = 300 };

	json_write_init(&w, &text);
	write_second(d, 0, &w);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, &options, NULL);
	demand(doc && json_equal(json_root(doc), second));
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
ask_all(const struct diff *d)
{
	const char *keys[DIFF_KEYS_MAX + 1];
	struct buf out = BUF_INIT;
	size_t changes = 0;

	for (uint32_t i = diff_is_change(&d->items[0]) ? 0 : diff_next_change(d, 0, 1);
	     i != DIFF_NOWHERE; i = diff_next_change(d, i, 1)) {
		buf_clear(&out);
		diff_add_path(d, i, &out);
		diff_add_pointer(d, i, 1, &out);
		changes++;
	}
	demand(changes <= d->items[0].changes);
	demand(d->added + d->removed + d->changed + d->moved == d->items[0].changes);
	for (size_t i = 0; i < d->arrays.len; i++)
		diff_key_candidates(d, d->arrays.items[i].node, keys);
	diff_add_counts(d, &out);
	buf_finish(&out);
}

static void
diff_both(const cJSON *a, const cJSON *b, const struct diff_options *options)
{
	struct diff *there = diff_values(a, b, options), *back = diff_values(b, a, options);

	demand_applied(there, b);
	demand_applied(back, a);
	ask_all(there);
	demand((there->items[0].changes == 0) == (back->items[0].changes == 0));
	if (there->items[0].changes == 0)
		demand(json_equal(a, b));
	diff_destroy(there);
	diff_destroy(back);
}

static void
diff_definitions(const cJSON *a, const cJSON *b)
{
	struct drift d = { 0 };
	struct buf out = BUF_INIT;

	drift_add_tool(&d, a, b);
	drift_add_server(&d, a, b);
	drift_add_text(&d, &out);
	drift_add_line(&d, &out);
	demand(!a || !b || !json_equal(a, b) || drift_count(&d) == 0);
	drift_finish(&d);
	buf_finish(&out);
}

static void
print_snapshot(const cJSON *value)
{
	struct buf out = BUF_INIT;
	const struct json_options options = { .max_depth = 300 };

	snapshot_print(&out, value);
	struct json_doc *doc = json_parse(buf_text(&out), out.len, &options, NULL);
	demand(doc != NULL);
	json_doc_destroy(doc);
	buf_finish(&out);
}

/* The lines of the rows are those of the texts, and equal where they are said to be. */
static void
diff_text(const char *const texts[2], const size_t lens[2])
{
	struct diff_lines l;
	uint32_t next[2] = { 0, 0 };

	diff_lines_make(&l, texts, lens, NULL);
	for (size_t i = 0; i < l.len; i++) {
		const char *lines[2] = { "", "" };
		size_t sizes[2] = { 0, 0 };
		for (int side = 0; side < 2; side++)
			if (l.items[i].at[side] != DIFF_NOWHERE) {
				demand(l.items[i].at[side] == next[side]++);
				lines[side] =
				    diff_line_text(&l, side, l.items[i].at[side], &sizes[side]);
			}
		struct diff_span span = diff_span(lines, sizes);
		demand(span.from <= span.ends[0] && span.from <= span.ends[1]);
		demand(span.ends[0] <= sizes[0] && span.ends[1] <= sizes[1]);
		if (l.items[i].same)
			demand(sizes[0] == sizes[1] && memcmp(lines[0], lines[1], sizes[0]) == 0);
	}
	demand(next[0] == l.texts[0].count && next[1] == l.texts[1].count);
	diff_lines_finish(&l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *middle = size > 0 ? memchr(data, 0, size) : NULL;
	size_t first = middle ? (size_t)(middle - data) : size / 2;
	size_t second = first + (middle != NULL);

	for (size_t lazy = 0; lazy <= 24; lazy += 24) {
		struct side a = parse(data, first, lazy);
		struct side b = parse(data + second, size - second, lazy);
		const cJSON *x = json_root(a.doc), *y = json_root(b.doc);
		if (a.doc && b.doc) {
			diff_both(x, y, NULL);
			diff_both(x, y, &(struct diff_options){ .key = "" });
			diff_both(x, y, &(struct diff_options){ .key = "id" });
		}
		if (a.doc && b.doc && lazy == 0) {
			diff_definitions(x, y);
			print_snapshot(y);
		}
		finish(&a);
		finish(&b);
	}
	const char *texts[2] = { (const char *)data, (const char *)data + second };
	const size_t lens[2] = { first, size - second };
	diff_text(texts, lens);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "data/diff.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "match.h"

#include <stdlib.h>
#include <string.h>

const char *
diff_line_text(const struct diff_lines *l, int side, uint32_t line, size_t *len)
{
	const struct diff_text *t = &l->texts[side];
	uint32_t from = t->starts[line], to = t->starts[line + 1];

	if (to > from && t->text[to - 1] == '\n')
		to--;
	*len = to - from;
	return t->text + from;
}

/* Align the unmatched lines between two matches by position. */
static void
add_gap(struct diff_lines *l, uint32_t *a, uint32_t a_end, uint32_t *b, uint32_t b_end)
{
	while (*a < a_end || *b < b_end) {
		uint32_t left = *a < a_end ? (*a)++ : DIFF_NOWHERE;
		uint32_t right = *b < b_end ? (*b)++ : DIFF_NOWHERE;
		*VEC_PUSH(l) = (struct diff_line){ { left, right }, false };
		l->changes++;
	}
}

bool
diff_lines_make(
    struct diff_lines *l, const char *const texts[2], const size_t lens[2], struct job *job)
{
	uint64_t *hashes[2];

	*l = (struct diff_lines){ 0 };
	for (int side = 0; side < 2; side++) {
		size_t len = lens[side] < UINT32_MAX ? lens[side] : UINT32_MAX - 1;
		struct {
			uint32_t *items;
			size_t len, cap;
		} starts = { 0 };

		l->texts[side].text = texts[side];
		*VEC_PUSH(&starts) = 0;
		for (size_t at = 0; at < len;) {
			const char *end = memchr(texts[side] + at, '\n', len - at);
			at = end ? (size_t)(end - texts[side]) + 1 : len;
			*VEC_PUSH(&starts) = (uint32_t)at;
		}
		l->texts[side].starts = starts.items;
		l->texts[side].count = starts.len - 1;
		hashes[side] = mem_alloc(l->texts[side].count * sizeof(*hashes[side]));
		for (size_t i = 0; i < l->texts[side].count; i++) {
			size_t bytes;
			const char *line = diff_line_text(l, side, (uint32_t)i, &bytes);
			hashes[side][i] = text_hash(l, line, bytes);
		}
	}
	uint32_t counts[2] = { (uint32_t)l->texts[0].count, (uint32_t)l->texts[1].count };
	struct sequence s = { .hashes = { hashes[0], hashes[1] },
		.counts = { counts[0], counts[1] },
		.match = mem_alloc((counts[1] + (size_t)1) * sizeof(*s.match)),
		.job = job };
	sequence_match(&s);
	uint32_t a = 0, b = 0;
	for (uint32_t i = 0; i < counts[1]; i++) {
		if (s.match[i] == DIFF_NOWHERE)
			continue;
		size_t x_len, y_len;
		add_gap(l, &a, s.match[i], &b, i);
		const char *x = diff_line_text(l, 0, a, &x_len);
		const char *y = diff_line_text(l, 1, b, &y_len);
		bool same = x_len == y_len && memcmp(x, y, x_len) == 0;
		*VEC_PUSH(l) = (struct diff_line){ { a++, b++ }, same };
		l->changes += !same;
	}
	add_gap(l, &a, counts[0], &b, counts[1]);
	free(s.match);
	free(hashes[0]);
	free(hashes[1]);
	return !job || !job_is_stopped(job);
}

void
diff_lines_finish(struct diff_lines *l)
{
	free(l->texts[0].starts);
	free(l->texts[1].starts);
	free(l->items);
	*l = (struct diff_lines){ 0 };
}

static bool
is_inside_character(const char *text, size_t len, size_t at)
{
	return at < len && ((unsigned char)text[at] & 0xc0) == 0x80;
}

struct diff_span
diff_span(const char *const texts[2], const size_t lens[2])
{
	size_t most = lens[0] < lens[1] ? lens[0] : lens[1], from = 0, tail = 0;

	while (from < most && texts[0][from] == texts[1][from])
		from++;
	while (from > 0 && (is_inside_character(texts[0], lens[0], from) ||
			       is_inside_character(texts[1], lens[1], from)))
		from--;
	while (tail < most - from && texts[0][lens[0] - tail - 1] == texts[1][lens[1] - tail - 1])
		tail++;
	while (tail > 0 && (is_inside_character(texts[0], lens[0], lens[0] - tail) ||
			       is_inside_character(texts[1], lens[1], lens[1] - tail)))
		tail--;
	return (struct diff_span){ from, { lens[0] - tail, lens[1] - tail } };
}

enum { READER_ROWS = 512 };

struct diff_readers {
	struct diff_reader {
		const cJSON *array;
		struct json_reader *reader;
	} * items;
	size_t len, cap;
};

struct diff_builder {
	struct diff *d;
	const struct diff_options *options;
	size_t cost;
	bool stopped;
};

static struct json_reader *
reader_of(const struct diff *d, const cJSON *array)
{
	for (size_t i = 0; i < d->readers->len; i++)
		if (d->readers->items[i].array == array)
			return d->readers->items[i].reader;
	struct json_reader *reader = json_reader_create(array, READER_ROWS);
	*VEC_PUSH(d->readers) = (struct diff_reader){ array, reader };
	return reader;
}

static struct offspring
children_of(struct diff_builder *w, const cJSON *container)
{
	struct offspring c = { .container = container, .count = json_count(container) };
	size_t i = 0;

	if (json_is_lazy(container)) {
		c.reader = reader_of(w->d, container);
		return c;
	}
	c.nodes = mem_alloc((c.count + 1) * sizeof(const cJSON *));
	for (const cJSON *child = json_first(container); child && i < c.count; child = child->next)
		c.nodes[i++] = child;
	c.count = i;
	return c;
}

static uint32_t
push_node(struct diff_builder *w, uint32_t parent, const cJSON *a, const cJSON *b)
{
	struct diff_node *node = VEC_PUSH(w->d);
	uint32_t index = (uint32_t)(w->d->len - 1);

	*node = (struct diff_node){
		.kind = a && b ? DIFF_SAME
			: b    ? DIFF_ADDED
			       : DIFF_REMOVED,
		.parent = parent,
		.end = index + 1,
		.changes = !a || !b,
		.side = { a, b },
	};
	return index;
}

/* ---- two values ---- */

static void compare_node(struct diff_builder *w, uint32_t index);

/* Set the values of an item; rows of a lazy array are kept only if they differ. Return whether they
 * do. */
static bool
keep_rows(struct diff_builder *w, const struct matching *m, uint32_t index)
{
	struct diff_node *node = &w->d->items[index];
	const cJSON *rows[2] = { NULL, NULL };

	for (int side = 0; side < 2; side++)
		if (node->at[side] != DIFF_NOWHERE)
			rows[side] = children_at(&m->sides[side], node->at[side]);
	bool differ = !rows[0] || !rows[1] || !json_equal(rows[0], rows[1]);
	for (int side = 0; side < 2; side++) {
		const struct offspring *c = &m->sides[side];
		bool lazy = rows[side] && !c->nodes;
		node->side[side] = !lazy    ? rows[side]
				   : differ ? json_reader_keep(c->reader, node->at[side])
					    : NULL;
	}
	return differ;
}

static void
add_child(struct diff_builder *w, uint32_t parent, const struct matching *m, uint32_t a, uint32_t b)
{
	bool lazy = !m->sides[0].nodes || !m->sides[1].nodes;
	const cJSON *nodes[2] = { NULL, NULL };
	struct job *job = w->options->job;

	if (job && (w->d->len & 255) == 0 && !job_goes_on(job, w->d->len))
		w->stopped = true;
	if (w->stopped)
		return;
	if (!lazy && a != DIFF_NOWHERE)
		nodes[0] = m->sides[0].nodes[a];
	if (!lazy && b != DIFF_NOWHERE)
		nodes[1] = m->sides[1].nodes[b];
	uint32_t index = push_node(w, parent, nodes[0], nodes[1]);
	struct diff_node *node = &w->d->items[index];
	node->at[0] = a;
	node->at[1] = b;
	node->kind = a == DIFF_NOWHERE ? DIFF_ADDED : b == DIFF_NOWHERE ? DIFF_REMOVED : DIFF_SAME;
	node->changes = node->kind != DIFF_SAME;
	if (json_type(m->sides[0].container) == JSON_OBJECT)
		node->key = nodes[1] ? nodes[1]->string : nodes[0]->string;
	node->moved = node->kind == DIFF_SAME && m->rises && !m->rises[b];
	bool differ = !lazy || keep_rows(w, m, index);
	if (node->kind == DIFF_SAME && differ)
		compare_node(w, index);
	node = &w->d->items[index];
	node->changes += node->moved;
	w->d->items[parent].changes += node->changes;
}

/* Add children in the order of the second container. A child that only the first has follows its
 * predecessor there, before added children. */
static void
add_children(struct diff_builder *w, uint32_t parent, const struct matching *m)
{
	size_t count = m->sides[0].count;
	bool *matched = mem_zalloc(count + 1);
	size_t a = 0;

	for (size_t b = 0; b < m->sides[1].count; b++)
		if (m->match[b] != DIFF_NOWHERE)
			matched[m->match[b]] = true;
	for (size_t b = 0; b < m->sides[1].count; b++) {
		size_t at = m->match[b];
		bool added = at == DIFF_NOWHERE;
		for (; a < count && (added ? !matched[a] : a < at); a++)
			if (!matched[a])
				add_child(w, parent, m, (uint32_t)a, DIFF_NOWHERE);
		add_child(w, parent, m, m->match[b], (uint32_t)b);
		a += !added && a == at;
	}
	for (; a < count; a++)
		if (!matched[a])
			add_child(w, parent, m, (uint32_t)a, DIFF_NOWHERE);
	free(matched);
}

static void
compare_children(struct diff_builder *w, uint32_t index, const cJSON *a, const cJSON *b)
{
	bool is_array = json_type(a) == JSON_ARRAY;
	size_t array = w->d->arrays.len;
	struct matching m = {
		.sides = { children_of(w, a), children_of(w, b) },
		.job = w->options->job,
		.cost = &w->cost,
	};

	m.match = mem_alloc((m.sides[1].count + 1) * sizeof(*m.match));
	if (is_array) {
		const struct diff_options *o = w->options;
		match_items(&m, o->key_of == 0 || o->key_of == index ? o->key : NULL);
		*VEC_PUSH(&w->d->arrays) = (struct diff_array){ index, m.is_table, m.key };
	} else {
		match_members(&m);
	}
	add_children(w, index, &m);
	struct diff_node *node = &w->d->items[index];
	if (node->changes == 0) {
		w->d->len = index + 1;
		w->d->arrays.len = array;
	} else {
		node->kind = DIFF_INSIDE;
	}
	node->end = (uint32_t)w->d->len;
	free(m.match);
	free(m.rises);
	free(m.sides[0].nodes);
	free(m.sides[1].nodes);
}

static void
compare_node(struct diff_builder *w, uint32_t index)
{
	struct diff_node *node = &w->d->items[index];
	const cJSON *a = node->side[0], *b = node->side[1];
	enum json_type type = json_type(a);

	if (a == b)
		return;
	if (type != json_type(b) || (type < JSON_ARRAY && !json_equal(a, b))) {
		node->kind = DIFF_CHANGED;
		node->changes = 1;
	} else if (type >= JSON_ARRAY && (json_count(a) > 0 || json_count(b) > 0)) {
		compare_children(w, index, a, b);
	}
}

struct diff *
diff_values(const cJSON *a, const cJSON *b, const struct diff_options *options)
{
	static const struct diff_options none;
	struct diff_builder w = {
		.d = mem_zalloc(sizeof(*w.d)),
		.options = options ? options : &none,
	};

	w.d->readers = mem_zalloc(sizeof(*w.d->readers));
	push_node(&w, 0, a, b);
	w.d->items[0].at[0] = a ? 0 : DIFF_NOWHERE;
	w.d->items[0].at[1] = b ? 0 : DIFF_NOWHERE;
	if (a && b)
		compare_node(&w, 0);
	else if (!a && !b)
		w.d->items[0].kind = DIFF_SAME;
	if (w.stopped) {
		diff_destroy(w.d);
		return NULL;
	}
	for (const struct diff_node *n = w.d->items; n < w.d->items + w.d->len; n++) {
		w.d->changed += n->kind == DIFF_CHANGED;
		w.d->added += n->kind == DIFF_ADDED;
		w.d->removed += n->kind == DIFF_REMOVED;
		w.d->moved += n->moved;
	}
	return w.d;
}

void
diff_destroy(struct diff *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->readers->len; i++)
		json_reader_destroy(d->readers->items[i].reader);
	free(d->readers->items);
	free(d->readers);
	free(d->arrays.items);
	free(d->items);
	free(d);
}

/* ---- access ---- */

const cJSON *
diff_side(const struct diff *d, uint32_t node, int side)
{
	const struct diff_node *n = &d->items[node];
	const cJSON *array = d->items[n->parent].side[side];

	if (n->side[side] || n->at[side] == DIFF_NOWHERE || !json_is_lazy(array) || node == 0)
		return n->side[side];
	return json_reader_at(reader_of(d, array), n->at[side]);
}

const struct diff_array *
diff_array_of(const struct diff *d, uint32_t node)
{
	size_t low = 0, high = d->arrays.len;

	BISECT(low, high, mid, d->arrays.items[mid].node < node);
	return low < d->arrays.len && d->arrays.items[low].node == node ? &d->arrays.items[low]
									: NULL;
}

uint32_t
diff_next_change(const struct diff *d, uint32_t node, int by)
{
	for (size_t i = node; (by > 0 ? ++i : --i) < d->len;)
		if (diff_is_change(&d->items[i]))
			return (uint32_t)i;
	return DIFF_NOWHERE;
}

/* List the ancestors of a node and the node in up[], without the root. */
static size_t
way_to(const struct diff *d, uint32_t node, uint32_t **up)
{
	size_t depth = 0;

	for (uint32_t n = node; n != 0; n = d->items[n].parent)
		depth++;
	*up = mem_alloc((depth + 1) * sizeof(**up));
	for (size_t i = depth; i > 0; i--, node = d->items[node].parent)
		(*up)[i - 1] = node;
	return depth;
}

void
diff_add_pointer(const struct diff *d, uint32_t node, int side, struct buf *out)
{
	uint32_t *up;
	size_t depth = way_to(d, node, &up);

	for (size_t i = 0; i < depth; i++) {
		const struct diff_node *n = &d->items[up[i]];
		if (n->key)
			json_pointer_add_key(out, n->key);
		else
			json_pointer_add_index(
			    out, n->at[side] != DIFF_NOWHERE ? n->at[side] : n->at[!side]);
	}
	free(up);
}

void
diff_add_path(const struct diff *d, uint32_t node, struct buf *out)
{
	uint32_t *up;
	size_t depth = way_to(d, node, &up);

	for (size_t i = 0; i < depth; i++) {
		const struct diff_node *n = &d->items[up[i]];
		const struct diff_array *array = diff_array_of(d, n->parent);
		if (n->key) {
			buf_add_str(out, i > 0 ? "." : "");
			label_add(out, n->key);
		} else if (array && array->key) {
			const cJSON *row = diff_side(d, up[i], 1);
			const cJSON *value =
			    json_get(row ? row : diff_side(d, up[i], 0), array->key);

			buf_add_char(out, '[');
			label_add(out, array->key);
			buf_add_char(out, '=');
			if (json_type(value) == JSON_STRING)
				label_add(out, value->valuestring);
			else
				json_print_brief(out, value, 80);
			buf_add_char(out, ']');
		} else {
			buf_addf(out, "[%u]", n->at[1] != DIFF_NOWHERE ? n->at[1] : n->at[0]);
		}
	}
	free(up);
}

void
diff_add_counts(const struct diff *d, struct buf *out)
{
	const struct {
		size_t count;
		const char *what;
	} counts[] = { { d->added, "added" }, { d->removed, "removed" }, { d->changed, "changed" },
		{ d->moved, "moved" } };
	size_t start = out->len;

	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		if (counts[i].count > 0)
			buf_addf(out, "%s%s %s", out->len > start ? ", " : "",
			    units_count(counts[i].count).text, counts[i].what);
	if (out->len == start)
		buf_add_str(out, "no difference");
}

void
diff_key_candidates(const struct diff *d, uint32_t array_node, const char *out[DIFF_KEYS_MAX + 1])
{
	struct diff_builder w = { .d = (struct diff *)d };
	const struct diff_node *n = &d->items[array_node];
	const struct diff_array *array = diff_array_of(d, array_node);
	size_t count = 0;

	if (array && array->is_table) {
		struct matching m = { .sides = { children_of(&w, n->side[0]),
					  children_of(&w, n->side[1]) } };
		struct ranked_key ranked[DIFF_KEYS_MAX];
		count = match_rank_keys(&m, ranked, DIFF_KEYS_MAX);
		for (size_t i = 0; i < count; i++)
			out[i] = ranked[i].key;
		free(m.sides[0].nodes);
		free(m.sides[1].nodes);
	}
	out[count] = NULL;
}

/* ---- as text ---- */

enum { BRIEF = 400 };

/* Append the lines that differ, if both values are strings of several lines. */
static bool
add_lines(const cJSON *a, const cJSON *b, struct buf *out)
{
	const char *texts[2] = { cJSON_GetStringValue(a), cJSON_GetStringValue(b) };
	struct diff_lines lines;

	if (!texts[0] || !texts[1] || !strchr(texts[0], '\n') || !strchr(texts[1], '\n'))
		return false;
	diff_lines_make(
	    &lines, texts, (const size_t[]){ strlen(texts[0]), strlen(texts[1]) }, NULL);
	for (size_t i = 0; i < lines.len; i++)
		for (int side = 0; side < 2; side++) {
			size_t len;
			uint32_t line = lines.items[i].at[side];
			if (lines.items[i].same || line == DIFF_NOWHERE)
				continue;
			const char *text = diff_line_text(&lines, side, line, &len);
			buf_addf(out, "\n    %s %u: ", side == 0 ? "-" : "+", line + 1);
			buf_add(out, text, len);
		}
	diff_lines_finish(&lines);
	return true;
}

const char *
diff_mark(const struct diff_node *n)
{
	static const char *const marks[] = { [DIFF_SAME] = " ",
		[DIFF_INSIDE] = " ",
		[DIFF_CHANGED] = "~",
		[DIFF_ADDED] = "+",
		[DIFF_REMOVED] = "-" };

	return n->moved && n->kind < DIFF_CHANGED ? ">" : marks[n->kind];
}

static void
add_change(const struct diff *d, uint32_t index, struct buf *out)
{
	const struct diff_node *n = &d->items[index];
	const cJSON *a = diff_side(d, index, 0), *b = diff_side(d, index, 1);

	buf_addf(out, "%s ", diff_mark(n));
	size_t start = out->len;
	diff_add_path(d, index, out);
	buf_add_str(out, out->len == start ? "(all of it)" : "");
	if (n->moved)
		buf_addf(out, ": moved from %u to %u", n->at[0], n->at[1]);
	if (n->kind >= DIFF_CHANGED)
		buf_add_str(out, ": ");
	if (n->kind == DIFF_CHANGED && !add_lines(a, b, out)) {
		json_print_brief(out, a, BRIEF);
		buf_add_str(out, " → ");
		json_print_brief(out, b, BRIEF);
	} else if (n->kind == DIFF_ADDED || n->kind == DIFF_REMOVED) {
		json_print_brief(out, n->kind == DIFF_ADDED ? b : a, BRIEF);
	}
	buf_add_char(out, '\n');
}

uint32_t
diff_first_change(const struct diff *d)
{
	return diff_is_change(&d->items[0]) ? 0 : diff_next_change(d, 0, 1);
}

void
diff_add_text(const struct diff *d, struct buf *out)
{
	uint32_t i = diff_first_change(d);

	for (; i != DIFF_NOWHERE; i = diff_next_change(d, i, 1))
		add_change(d, i, out);
	diff_add_counts(d, out);
	for (size_t k = 0; k < d->arrays.len; k++) {
		const struct diff_array *array = &d->arrays.items[k];
		if (!array->key)
			continue;
		buf_add_str(out, "; rows of ");
		size_t start = out->len;
		diff_add_path(d, array->node, out);
		buf_add_str(out, out->len == start ? "the table" : "");
		buf_add_str(out, " are matched by ");
		label_add(out, array->key);
		break;
	}
	buf_add_char(out, '\n');
}

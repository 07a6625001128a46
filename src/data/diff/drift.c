/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "data/diff.h"
#include "data/drift.h"
#include "data/snapshot.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"
#include "schema_drift.h"
#include "match.h"

#include <stdlib.h>
#include <string.h>

const char *const drift_class_names[DRIFT_CLASSES] = { "informational", "routing", "breaking" };

/* ---- a change in words ---- */

/* Replace control characters, which names can contain. */
static void
make_one_line(struct buf *text)
{
	for (size_t i = 0; i < text->len; i++)
		if ((unsigned char)text->data[i] < ' ')
			text->data[i] = ' ';
}

static void
take_change(
    struct drift *d, const struct drift_place *place, enum drift_class class, struct buf *text)
{
	d->counts[class]++;
	make_one_line(text);
	if (d->len < DRIFT_MAX)
		*VEC_PUSH(d) = (struct drift_change){ class, mem_strdup(place->subject),
			mem_strdup(buf_text(text)) };
	buf_finish(text);
}

static void
begin_change(struct buf *text, const struct drift_place *place)
{
	*text = (struct buf){ .max = 4096 };
	if (place->path->len > 0)
		buf_addf(text, "%s: ", buf_text(place->path));
}

void
drift_note(struct drift *d, const struct drift_place *place, enum drift_class class,
    const char *format, ...)
{
	char words[1024];
	struct buf text;

	FORMAT_INTO(words, format);
	begin_change(&text, place);
	buf_add_str(&text, words);
	take_change(d, place, class, &text);
}

/* Append the part of a text that differs, with some context. */
static void
add_part(struct buf *out, const char *text, size_t len, size_t from, size_t to)
{
	enum { AROUND = 24, MOST = 100 };
	size_t begin_at = from > AROUND ? from - AROUND : 0;
	size_t end = to + AROUND < len ? to + AROUND : len;

	if (end - begin_at > MOST)
		end = begin_at + MOST;
	while (begin_at > 0 && ((unsigned char)text[begin_at] & 0xc0) == 0x80)
		begin_at--;
	while (end < len && ((unsigned char)text[end] & 0xc0) == 0x80)
		end++;
	buf_add_str(out, begin_at > 0 ? "\"…" : "\"");
	buf_add(out, text + begin_at, end - begin_at);
	buf_add_str(out, end < len ? "…\"" : "\"");
}

void
drift_note_values(struct drift *d, const struct drift_place *place, enum drift_class class,
    const char *what, const cJSON *a, const cJSON *b)
{
	enum { MOST = 80 };
	struct buf text;

	begin_change(&text, place);
	label_add(&text, what);
	if (cJSON_GetStringValue(a) && cJSON_GetStringValue(b)) {
		buf_add_char(&text, ' ');
		const char *const texts[] = { a->valuestring, b->valuestring };
		const size_t lens[] = { strlen(texts[0]), strlen(texts[1]) };
		struct diff_span span = diff_span(texts, lens);
		add_part(&text, texts[0], lens[0], span.from, span.ends[0]);
		buf_add_str(&text, " → ");
		add_part(&text, texts[1], lens[1], span.from, span.ends[1]);
	} else if (a && b) {
		buf_add_char(&text, ' ');
		json_print_brief(&text, a, MOST);
		buf_add_str(&text, " → ");
		json_print_brief(&text, b, MOST);
	} else {
		buf_add_str(&text, a ? " went, was " : " is new: ");
		json_print_brief(&text, a ? a : b, MOST);
	}
	take_change(d, place, class, &text);
}

/* ---- definitions ---- */

typedef void member_fn(struct drift *d, const struct drift_place *place, const char *name,
    const cJSON *a, const cJSON *b);

static void
as_words(struct drift *d, const struct drift_place *place, const char *name, const cJSON *a,
    const cJSON *b)
{
	drift_note_values(d, place, DRIFT_ROUTING, name, a, b);
}

static void
as_input(struct drift *d, const struct drift_place *place, const char *name, const cJSON *a,
    const cJSON *b)
{
	if (!a || !b)
		drift_note_values(d, place, DRIFT_BREAKING, name, a, b);
	else
		drift_add_schema(d, place, a, b, false);
}

static void
as_output(struct drift *d, const struct drift_place *place, const char *name, const cJSON *a,
    const cJSON *b)
{
	struct buf path = BUF_INIT;

	buf_add_str(&path, "output");
	if (!a || !b)
		drift_note_values(d, place, a ? DRIFT_BREAKING : DRIFT_INFORMATIONAL, name, a, b);
	else
		drift_add_schema(d, &(struct drift_place){ place->subject, &path }, a, b, true);
	buf_finish(&path);
}

/* Call change() for each member of two objects that differs. */
static void
each_member(struct drift *d, const struct drift_place *place, member_fn *change, const cJSON *a,
    const cJSON *b)
{
	struct json_keys in[2];

	keys_init(in, a, b, &d->cost);
	for (const cJSON *m = keys_first(a); m; m = m->next) {
		const cJSON *other = keys_find(&in[1], m->string);
		if (!json_equal(m, other))
			change(d, place, m->string, m, other);
	}
	for (const cJSON *m = keys_first(b); m; m = m->next)
		if (!keys_find(&in[0], m->string))
			change(d, place, m->string, NULL, m);
	keys_finish(in);
}

static void
as_hints(struct drift *d, const struct drift_place *place, const char *name, const cJSON *a,
    const cJSON *b)
{
	each_member(d, place, as_words, a, b);
}

static void
as_execution_member(struct drift *d, const struct drift_place *place, const char *name,
    const cJSON *a, const cJSON *b)
{
	struct buf what = BUF_INIT;

	buf_addf(&what, "execution.%s", name);
	if (strcmp(name, "taskSupport") != 0)
		drift_note_values(d, place, DRIFT_INFORMATIONAL, buf_text(&what), a, b);
	buf_finish(&what);
}

/* Without the member, the specification forbids calls as tasks. */
static void
as_execution(struct drift *d, const struct drift_place *place, const char *name, const cJSON *a,
    const cJSON *b)
{
	static const char *const supports[] = { "forbidden", "optional", "required" };
	const cJSON *sides[2] = { json_get(a, "taskSupport"), json_get(b, "taskSupport") };
	size_t found[2];

	for (int i = 0; i < 2; i++) {
		const char *text = sides[i] ? cJSON_GetStringValue(sides[i]) : supports[0];
		for (found[i] = 0; found[i] < ARRAY_LEN(supports); found[i]++)
			if (text && strcmp(text, supports[found[i]]) == 0)
				break;
	}
	/* "optional" accepts every call */
	if ((sides[0] || sides[1]) && !json_equal(sides[0], sides[1]))
		drift_note_values(d, place,
		    found[1] == 1 || (found[0] == 0 && found[1] == 0) ? DRIFT_INFORMATIONAL
								      : DRIFT_BREAKING,
		    "execution.taskSupport", sides[0], sides[1]);
	each_member(d, place, as_execution_member, a, b);
}

static bool
is_required(const cJSON *argument)
{
	return cJSON_IsTrue(json_get(argument, "required"));
}

/* Compare two items of lists with the same key; NULL: only the other list has it. */
typedef void item_fn(struct drift *d, const struct drift_place *place,
    const struct snapshot_list *list, const cJSON *a, const cJSON *b);

static void each_item(struct drift *d, const struct drift_place *place,
    const struct snapshot_list *list, item_fn *compare, const cJSON *a, const cJSON *b);

static void
compare_arguments(struct drift *d, const struct drift_place *place,
    const struct snapshot_list *list, const cJSON *a, const cJSON *b)
{
	const char *name = json_get_string(a ? a : b, "name");

	if (!a)
		drift_note(d, place, is_required(b) ? DRIFT_BREAKING : DRIFT_INFORMATIONAL,
		    "gained %s%s", name, is_required(b) ? " (required)" : "");
	else if (!b)
		drift_note(d, place, DRIFT_BREAKING, "lost %s", name);
	else if (is_required(a) != is_required(b))
		drift_note(d, place, is_required(b) ? DRIFT_BREAKING : DRIFT_INFORMATIONAL,
		    "%s is %s now", name, is_required(b) ? "required" : "optional");
	if (a && b && !json_equal(json_get(a, "description"), json_get(b, "description"))) {
		struct buf what = BUF_INIT;
		buf_addf(&what, "%s: description", name);
		drift_note_values(d, place, DRIFT_ROUTING, buf_text(&what),
		    json_get(a, "description"), json_get(b, "description"));
		buf_finish(&what);
	}
}

static void
as_arguments(struct drift *d, const struct drift_place *place, const char *name, const cJSON *a,
    const cJSON *b)
{
	each_item(d, place, &(struct snapshot_list){ .key = "name" }, compare_arguments, a, b);
}

static const struct {
	const char *name;
	enum drift_class class; /* of the change if change() is NULL */
	member_fn *change;
} members[] = {
	{ "name", DRIFT_ROUTING, NULL },
	{ "title", DRIFT_ROUTING, NULL },
	{ "description", DRIFT_ROUTING, NULL },
	{ "mimeType", DRIFT_BREAKING, NULL },
	{ "annotations", 0, as_hints },
	{ "inputSchema", 0, as_input },
	{ "outputSchema", 0, as_output },
	{ "arguments", 0, as_arguments },
	{ "execution", 0, as_execution },
};

static void
compare_member(struct drift *d, const struct drift_place *place, const char *name, const cJSON *a,
    const cJSON *b)
{
	enum drift_class class = DRIFT_INFORMATIONAL;

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (strcmp(members[i].name, name) != 0)
			continue;
		class = members[i].class;
		if (members[i].change) {
			members[i].change(d, place, name, a, b);
			return;
		}
	}
	drift_note_values(d, place, class, name, a, b);
}

static void
compare_definitions(struct drift *d, const struct drift_place *unused,
    const struct snapshot_list *list, const cJSON *a, const cJSON *b)
{
	struct buf path = BUF_INIT, subject = BUF_INIT;
	const char *name = json_get_string(b ? b : a, list->key);

	name = name ? name : "(no name)";
	buf_addf(&subject, "%s ", list->noun);
	label_add(&subject, name);
	make_one_line(&subject);
	struct drift_place place = { buf_text(&subject), &path };
	if (!b)
		drift_note(d, &place, DRIFT_BREAKING, "is no longer listed");
	else if (!a)
		drift_note(d, &place, DRIFT_ROUTING, "is new");
	else
		each_member(d, &place, compare_member, a, b);
	if (d->is_cut) { /* reported even after DRIFT_MAX changes */
		d->counts[DRIFT_BREAKING]++;
		*VEC_PUSH(d) = (struct drift_change){ DRIFT_BREAKING, mem_strdup(place.subject),
			mem_strdup(
			    "its schemas are too large or too deep to compare all of them") };
	}
	d->is_cut = false;
	d->cost = 0;
	buf_finish(&path);
	buf_finish(&subject);
}

void
drift_add_tool(struct drift *d, const cJSON *a, const cJSON *b)
{
	compare_definitions(d, NULL, &snapshot_lists[0], a, b);
}

/* ---- lists and servers ---- */

static const cJSON **
items_of(const cJSON *list, const char *key, uint64_t **hashes, size_t *count)
{
	size_t most = json_count(list), len = 0;
	const cJSON **items = mem_alloc((most + 1) * sizeof(const cJSON *));

	*hashes = mem_alloc((most + 1) * sizeof(uint64_t));
	for (const cJSON *item = json_first(list); item && len < most; item = item->next) {
		const char *name = json_get_string(item, key);
		if (!name)
			continue;
		(*hashes)[len] = text_hash(snapshot_lists, name, strlen(name));
		items[len++] = item;
	}
	*count = len;
	return items;
}

/* Pair the items of two lists by key, the nth item with a key with the nth of the other list: in
 * the order of the second list, then removed items. */
static void
each_item(struct drift *d, const struct drift_place *place, const struct snapshot_list *list,
    item_fn *compare, const cJSON *a, const cJSON *b)
{
	uint64_t *hashes[2];
	const cJSON **items[2];
	struct sequence s = { 0 };

	for (int side = 0; side < 2; side++) {
		items[side] = items_of(side ? b : a, list->key, &hashes[side], &s.counts[side]);
		s.hashes[side] = hashes[side];
	}
	s.match = mem_alloc((s.counts[1] + 1) * sizeof(*s.match));
	sequence_match_by_key(&s);
	for (size_t i = 0; i < s.counts[1]; i++) {
		const cJSON *old = s.match[i] != DIFF_NOWHERE ? items[0][s.match[i]] : NULL;
		if (!old || !json_equal(old, items[1][i]))
			compare(d, place, list, old, items[1][i]);
		if (old)
			items[0][s.match[i]] = NULL;
	}
	for (size_t i = 0; i < s.counts[0]; i++)
		if (items[0][i])
			compare(d, place, list, items[0][i], NULL);
	for (int side = 0; side < 2; side++) {
		free(items[side]);
		free(hashes[side]);
	}
	free(s.match);
}

static void
compare_server_member(struct drift *d, const struct drift_place *place, const char *name,
    const cJSON *a, const cJSON *b)
{
	enum drift_class class = DRIFT_INFORMATIONAL;

	if (strcmp(name, "capabilities") == 0 && place->path->len == 0) {
		buf_add_str(place->path, name);
		each_member(d, place, compare_server_member, a, b);
		buf_clear(place->path);
		return;
	}
	if (place->path->len > 0 && a && !b)
		class = DRIFT_BREAKING;
	else if (place->path->len == 0 && strcmp(name, "instructions") == 0)
		class = DRIFT_ROUTING;
	drift_note_values(d, place, class, name, a, b);
}

void
drift_add_server(struct drift *d, const cJSON *a, const cJSON *b)
{
	struct buf path = BUF_INIT;
	struct drift_place place = { "server", &path };

	each_member(d, &place, compare_server_member, json_get(a, "server"), json_get(b, "server"));
	for (const struct snapshot_list *list = snapshot_lists; list->name; list++) {
		const cJSON *before = json_get(a, list->name), *now = json_get(b, list->name);
		if (before || now)
			each_item(d, NULL, list, compare_definitions, before, now);
	}
	buf_finish(&path);
}

void
drift_finish(struct drift *d)
{
	for (size_t i = 0; i < d->len; i++) {
		free(d->items[i].subject);
		free(d->items[i].text);
	}
	free(d->items);
	*d = (struct drift){ 0 };
}

/* ---- as text ---- */

void
drift_add_counts(const struct drift *d, struct buf *out)
{
	size_t start = out->len;

	for (int c = DRIFT_CLASSES - 1; c >= 0; c--)
		if (d->counts[c] > 0)
			buf_addf(out, "%s%zu %s change%s", out->len > start ? ", " : "",
			    d->counts[c], drift_class_names[c], plural(d->counts[c]));
	if (out->len == start)
		buf_add_str(out, "no difference");
}

void
drift_add_line(const struct drift *d, struct buf *out)
{
	size_t start = out->len;

	for (int c = DRIFT_CLASSES - 1; c >= 0; c--)
		for (size_t i = 0; i < d->len; i++)
			if (d->items[i].class == (enum drift_class)c)
				buf_addf(
				    out, "%s%s", out->len > start ? "; " : "", d->items[i].text);
	if (drift_count(d) > 0)
		buf_addf(out, "; breaking for callers: %s",
		    d->counts[DRIFT_BREAKING] > 0 ? "yes" : "no");
}

void
drift_add_text(const struct drift *d, struct buf *out)
{
	for (size_t from = 0, to; from < d->len; from = to) {
		const char *subject = d->items[from].subject;
		for (to = from; to < d->len && strcmp(d->items[to].subject, subject) == 0; to++)
			;
		buf_addf(out, "%s\n", subject);
		for (int c = DRIFT_CLASSES - 1; c >= 0; c--)
			for (size_t i = from; i < to; i++)
				if (d->items[i].class == (enum drift_class)c)
					buf_addf(out, "  %-14s %s\n", drift_class_names[c],
					    d->items[i].text);
	}
	if (drift_count(d) > d->len)
		buf_addf(out, "and %zu more\n", drift_count(d) - d->len);
}

const struct snapshot_list snapshot_lists[] = {
	{ "tools", "name", "tool" },
	{ "prompts", "name", "prompt" },
	{ "resources", "uri", "resource" },
	{ "resourceTemplates", "uriTemplate", "template" },
	{ 0 },
};

bool
snapshot_is(const cJSON *value)
{
	size_t version;
	const cJSON *number = json_get(value, "snapshot");

	return json_type(number) == JSON_NUMBER && json_number_to_size(number, 1000, &version) &&
	       json_type(json_get(value, "server")) == JSON_OBJECT;
}

/* A child with its place in the order. */
struct ordered {
	const char *name;
	size_t at; /* keeps equal names in order */
	const cJSON *node;
};

static int
by_name(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

/* key: the member of an item; NULL: the names of members. */
static struct ordered *
put_in_order(const cJSON *container, const char *key, size_t *count)
{
	struct ordered *list = mem_alloc((json_count(container) + 1) * sizeof(*list));
	size_t len = 0;

	for (const cJSON *child = json_first(container); child; child = child->next) {
		const char *name = key ? json_get_string(child, key) : child->string;
		list[len] = (struct ordered){ name ? name : "", len, child };
		len++;
	}
	qsort(list, len, sizeof(*list), by_name);
	*count = len;
	return list;
}

/* Members are sorted by name, and items of a list by key. The parser limits the depth of trees. */
static void
print_ordered(struct buf *out, const cJSON *node, int level)
{
	bool is_object = cJSON_IsObject(node);
	const char *key = NULL;
	size_t count = 0;

	if (out->overflowed)
		return;
	if (!json_first(node)) {
		json_print(out, node);
		return;
	}
	for (const struct snapshot_list *l = snapshot_lists;
	     level == 1 && !is_object && node->string && l->name; l++)
		if (strcmp(l->name, node->string) == 0)
			key = l->key;
	struct ordered *list = is_object || key ? put_in_order(node, key, &count) : NULL;
	const cJSON *child = json_first(node);
	buf_add_char(out, is_object ? '{' : '[');
	for (size_t i = 0; list ? i < count : child != NULL; i++) {
		const cJSON *next = list ? list[i].node : child;
		buf_add_str(out, i > 0 ? "," : "");
		buf_addf(out, "\n%*s", 2 * (level + 1), "");
		if (is_object) {
			json_print_string(out, next->string, strlen(next->string));
			buf_add_str(out, ": ");
		}
		print_ordered(out, next, level + 1);
		child = list ? NULL : child->next;
	}
	buf_addf(out, "\n%*s", 2 * level, "");
	buf_add_char(out, is_object ? '}' : ']');
	free(list);
}

void
snapshot_print(struct buf *out, const cJSON *value)
{
	print_ordered(out, value, 0);
	buf_add_char(out, '\n');
}

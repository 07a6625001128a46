/* SPDX-License-Identifier: MIT */
#include "client/chain.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/splice.h"
#include "json/write.h"
#include "mcp/primitive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- references to results ---- */

enum { TOOL_NAME_BYTES = 512 };

/* Find the tool with the longest name that the text begins with, or NULL. */
static const struct primitive *
find_tool(const struct primitive_list *tools, const char *text, size_t *name_len)
{
	char name[TOOL_NAME_BYTES + 1];
	const struct primitive *found = NULL;

	for (size_t len = 1; len <= TOOL_NAME_BYTES && text[len - 1]; len++) {
		name[len - 1] = text[len - 1];
		name[len] = '\0';
		if (text[len] && !strchr("(.[| ", text[len]))
			continue;
		const struct primitive *tool = primitive_list_find(tools, name, 0);
		found = tool ? tool : found;
		*name_len = tool ? len : *name_len;
	}
	return found;
}

/* Read "(5m)" at *at and advance it. */
static bool
read_age(const char **at, int64_t *age_us, struct err *err)
{
	enum { MOST = 100000 };
	static const char units[] = "smhd";
	static const int64_t seconds[] = { 1, 60, 3600, 86400 };
	const char *digit = *at + 1;
	int64_t count = 0;

	while (ascii_is_digit((unsigned char)*digit) && count <= MOST)
		count = count * 10 + (*digit++ - '0');
	const char *unit = *digit ? strchr(units, *digit) : NULL;
	if (digit == *at + 1 || count > MOST || !unit || digit[1] != ')')
		return err_set(err, "an age is a number and s, m, h or d, such as (5m)");
	*age_us = count * seconds[unit - units] * 1000000;
	*at = digit + 2;
	return true;
}

bool
call_reference_read(
    struct call_reference *r, const char *text, const struct primitive_list *tools, struct err *err)
{
	size_t len = 0;

	*r = (struct call_reference){ .max_age_us = INT64_MAX };
	*err = (struct err){ "" };
	if (text[0] != '@' || !(r->tool = find_tool(tools, text + 1, &len)))
		return false;
	const char *at = text + 1 + len;
	if (*at == '(' && !read_age(&at, &r->max_age_us, err))
		return false;
	at += strspn(at, " ");
	buf_add_str(&r->query, *at == '\0' || *at == '[' || *at == '|' ? "." : "");
	buf_add_str(&r->query, at);
	return true;
}

const struct call *
call_reference_find(const struct server *s, const char *tool)
{
	for (size_t i = server_info(s)->calls; i-- > 0;) {
		const struct call *c = server_call_at(s, i);
		if (c->kind == PRIMITIVE_TOOL && c->state == CALL_DONE && !call_is_error(c) &&
		    strcmp(c->key, tool) == 0)
			return c;
	}
	return NULL;
}

/* ---- fields that could take a value ---- */

/* Steps: subschemas, names and choices that are looked at, for one tool and for all. */
enum { DEPTH_MAX = 4, STEPS_MAX = 100000, STEPS_OF_ALL = 50 * STEPS_MAX };

/* ---- names as words ---- */

enum { WORDS_MAX = 8, WORD_BYTES = 24 };

struct name_words {
	char items[WORDS_MAX][WORD_BYTES];
	size_t len;
};

/* "order_id", "orderId" and "Order-ID" are the same words. */
static void
split(struct name_words *w, const char *name)
{
	size_t len = 0;

	w->len = 0;
	for (const char *at = name ? name : ""; w->len < WORDS_MAX; at++) {
		unsigned char c = (unsigned char)*at;
		bool letter = ascii_is_alnum(c) || c >= 0x80;
		bool hump = at > name && c >= 'A' && c <= 'Z' && at[-1] >= 'a' && at[-1] <= 'z';
		if ((!letter || hump) && len > 0) {
			char *word = w->items[w->len++];
			if (len > 2 && word[len - 1] == 's' && word[len - 2] != 's')
				len--; /* "orders" and "order" are one word */
			word[len] = '\0';
			len = 0;
		}
		if (c == '\0')
			return;
		if (letter && w->len < WORDS_MAX && len < WORD_BYTES - 1)
			w->items[w->len][len++] = (char)ascii_lower(c);
	}
}

/* Return how many words of a are in b. */
static size_t
common(const struct name_words *a, const struct name_words *b)
{
	size_t count = 0;

	for (size_t i = 0; i < a->len; i++)
		for (size_t k = 0; k < b->len; k++)
			if (strcmp(a->items[i], b->items[k]) == 0) {
				count++;
				break;
			}
	return count;
}

/* a, then b, is c. */
static bool
is_sum(const struct name_words *a, const struct name_words *b, const struct name_words *c)
{
	bool same = c->len > 0 && a->len + b->len == c->len;

	for (size_t i = 0; same && i < c->len; i++)
		same = strcmp(c->items[i], i < a->len ? a->items[i] : b->items[i - a->len]) == 0;
	return same;
}

/* Words that name a member of anything: alone they say little. */
static bool
is_general(const struct name_words *w)
{
	static const char *const general[] = { "id", "name", "key", "value", "type", "title",
		"text", "code", "number", "url", "uri", "path", "date", "status", "state", "index",
		"count", NULL };

	return w->len == 1 && words_have(general, w->items[0]);
}

/* ---- how well a field fits ---- */

enum {
	ONE_NAME = 60,     /* "status", "status" */
	GENERAL_NAME = 30, /* "id", "id": of what? */
	OF_TOOL = 70,      /* "id" of orders, "id" of update_order */
	SUMMED = 75,       /* "id" of orders, "order_id" */
	TAKEN_APART = 65,  /* "order_id", "id" of update_order */
	SHARED = 40,       /* of a part of the words */
	NAMED = 25,        /* from here on the name speaks for it */
};

struct field_finder {
	const struct chain_source *source;
	struct name_words name, parent, from, none;
	struct chain_fields *out;
	const struct primitive *of;
	struct name_words tool;
	const cJSON *root;
	uint32_t key, server;
	size_t steps, steps_of_all;
	bool is_integer;                                                /* the value */
	enum { UNKNOWN, TAKES, REFUSES } takes[1 << (JSON_OBJECT + 1)]; /* by set of types */
};

static int
points_of_name(const struct field_finder *f, const char *name)
{
	const struct name_words *n = &f->name;
	struct name_words field;

	split(&field, name);
	if (n->len == 0 || field.len == 0)
		return 0;
	bool tells = common(&f->parent, &f->tool) > 0 || common(&f->from, &f->tool) > 1;
	if (is_sum(n, &f->none, &field))
		return !is_general(n) ? ONE_NAME : tells ? OF_TOOL : GENERAL_NAME;
	if (is_sum(&f->parent, n, &field))
		return SUMMED;
	for (size_t i = 0; i < f->tool.len; i++) {
		struct name_words word = { .len = 1 };
		memcpy(word.items[0], f->tool.items[i], WORD_BYTES);
		if (is_sum(&word, &field, n))
			return TAKEN_APART;
		if (f->parent.len == 0 && is_sum(&word, n, &field) && common(&word, &f->from) > 0)
			return SUMMED - 2;
	}
	size_t shared = common(n, &field);
	return (int)(SHARED * 2 * shared / (n->len + field.len)) * (is_general(n) ? 1 : 2) / 2;
}

/* ---- types ---- */

static const cJSON *
follow(const cJSON *root, const cJSON *schema)
{
	const char *ref = json_get_string(schema, "$ref");

	for (int i = 0; ref && i < DEPTH_MAX; i++) {
		const cJSON *to = *ref == '#' ? json_pointer_find(root, ref + 1) : NULL;
		if (!to)
			break;
		schema = to;
		ref = json_get_string(schema, "$ref");
	}
	return schema;
}

static unsigned
type_bit(const char *name)
{
	if (strcmp(name, "integer") == 0)
		return 1u << JSON_ABSENT; /* no value is absent: this bit is free */
	for (int i = JSON_NULL; i <= JSON_OBJECT; i++)
		if (strcmp(name, json_type_name((enum json_type)i)) == 0)
			return 1u << i;
	return 0;
}

#define TYPE_INTEGER (1u << JSON_ABSENT)

static bool
goes_on(struct field_finder *f)
{
	return f->steps++ < STEPS_MAX;
}

/* The items of a schema's array, one step each. */
#define EACH_ITEM(f, item, array)                                                 \
	for (const cJSON *item = cJSON_IsArray(array) ? json_first(array) : NULL; \
	     item && goes_on(f); item = item->next)

/* The types that a schema allows, as a set for chain_convert(); 0: any. */
static unsigned
types_of(struct field_finder *f, const cJSON *schema, int depth)
{
	static const char *const choices[] = { "anyOf", "oneOf", "enum" };
	unsigned types = 0;

	schema = follow(f->root, schema);
	const cJSON *type = json_get(schema, "type");
	if (cJSON_GetStringValue(type))
		return type_bit(cJSON_GetStringValue(type));
	EACH_ITEM(f, t, type)
		types |= cJSON_GetStringValue(t) ? type_bit(cJSON_GetStringValue(t)) : 0;
	if (json_get(schema, "const"))
		types |= 1u << json_type(json_get(schema, "const"));
	for (size_t i = 0; types == 0 && depth < DEPTH_MAX && i < ARRAY_LEN(choices); i++)
		EACH_ITEM(f, c, json_get(schema, choices[i]))
			types |= i == 2 ? 1u << json_type(c) : types_of(f, c, depth + 1);
	return types;
}

static bool
is_integer(const cJSON *value)
{
	char text[JSON_NUMBER_TEXT_MAX];

	return cJSON_IsNumber(value) && !strpbrk(json_number_text(value, text), ".eE");
}

bool
chain_convert(const cJSON *value, unsigned types, struct buf *out)
{
	enum json_type type = json_type(value);
	char text[JSON_NUMBER_TEXT_MAX];

	if (type == JSON_ABSENT)
		return false;
	if (types == 0 || types & 1u << type || (types & TYPE_INTEGER && is_integer(value))) {
		json_print(out, value);
		return true;
	}
	if (types & 1u << JSON_STRING && (type == JSON_NUMBER || type == JSON_BOOLEAN)) {
		const char *word = type == JSON_NUMBER   ? json_number_text(value, text)
				   : cJSON_IsTrue(value) ? "true"
							 : "false";
		json_print_string(out, word, strlen(word));
		return true;
	}
	if (type != JSON_STRING || !(types & (TYPE_INTEGER | 1u << JSON_NUMBER)))
		return false;
	const char *number = cJSON_GetStringValue(value);
	size_t len = strlen(number);
	struct json_doc *doc =
	    len < JSON_NUMBER_TEXT_MAX ? json_parse(number, len, NULL, NULL) : NULL;
	bool fits = cJSON_IsNumber(json_root(doc)) &&
		    (types & 1u << JSON_NUMBER || is_integer(json_root(doc)));
	if (fits)
		json_print(out, json_root(doc));
	json_doc_destroy(doc);
	return fits;
}

/* 0: it does not take the value. */
static int
points_of_type(struct field_finder *f, unsigned types, const cJSON *schema)
{
	enum { EXACT = 20, ANY = 6, CONVERTED = 5, CHOICE = 45, NO_CHOICE = 1 };
	const cJSON *choices = json_get(schema, "enum"), *value = f->source->value;

	if (f->takes[types] == UNKNOWN) { /* the value is converted once for each set of types */
		struct buf text = BUF_INIT;
		f->takes[types] = chain_convert(value, types, &text) ? TAKES : REFUSES;
		buf_finish(&text);
	}
	if (f->takes[types] == REFUSES)
		return 0;
	EACH_ITEM(f, c, choices)
		if (json_equal(c, value))
			return CHOICE;
	if (choices)
		return NO_CHOICE;
	if (types == 0)
		return ANY;
	bool exact = types & 1u << json_type(value) || (types & TYPE_INTEGER && f->is_integer);
	return exact ? EXACT : CONVERTED;
}

/* ---- the fields of a primitive ---- */

static uint32_t
keep(struct buf *text, const char *part)
{
	uint32_t at = (uint32_t)text->len;

	buf_add(text, part, strlen(part) + 1);
	return at;
}

static void
add_types(struct buf *text, unsigned types, const cJSON *schema)
{
	size_t count = 0;

	if (json_get(schema, "enum")) {
		buf_addf(text, "one of %zu", json_count(json_get(schema, "enum")));
		return;
	}
	for (enum json_type type = JSON_ABSENT; type <= JSON_OBJECT; type++)
		if (types & 1u << type && type != JSON_NULL)
			buf_addf(text, "%s%s", count++ > 0 ? " or " : "",
			    type == JSON_ABSENT ? "integer" : json_type_name(type));
	buf_add_str(text, count == 0 ? "any value" : "");
}

struct field_place {
	const char *name, *pointer;
	bool required, array;
};

static void
chain_add(struct field_finder *f, const struct field_place *p, const cJSON *schema)
{
	enum { REQUIRED = 5, SAME_SERVER = 4, READS = 1, SAME_TOOL = 8, LIST = 10 };
	const struct chain_source *source = f->source;
	struct chain_fields *out = f->out;
	unsigned types = types_of(f, schema, 0);
	int fits = points_of_type(f, types, follow(f->root, schema));

	if (fits == 0)
		return;
	for (size_t i = out->len; i-- > 0 && out->items[i].key == f->key && goes_on(f);)
		if (out->items[i].array == p->array &&
		    strcmp(chain_text(out, out->items[i].pointer), p->pointer) == 0)
			return;
	if (out->len == CHAIN_FIELDS_MAX) {
		out->more = true;
		return;
	}
	int name = points_of_name(f, p->name);
	bool same =
	    source->tool && f->of->kind == PRIMITIVE_TOOL && strcmp(source->tool, f->of->key) == 0;
	struct chain_field field = {
		.key = f->key,
		.pointer = keep(&out->text, p->pointer),
		.server = f->server,
		.order = (uint32_t)out->len,
		.points = name + fits + (p->required ? REQUIRED : 0) - (same ? SAME_TOOL : 0) +
			  (f->server == 0 ? SAME_SERVER : 0) +
			  (p->array ? (source->many ? LIST : -LIST) : 0) +
			  (f->of->read_only == HINT_TRUE ? READS : 0),
		.types = types,
		.kind = (uint8_t)f->of->kind,
		.array = p->array,
		.named = name >= NAMED,
		.reads = f->of->kind != PRIMITIVE_TOOL || f->of->read_only == HINT_TRUE,
	};
	field.type = (uint32_t)out->text.len;
	buf_add_str(&out->text, p->array ? "array of " : "");
	add_types(&out->text, types, follow(f->root, schema));
	buf_add_str(&out->text, p->required ? ", required" : "");
	buf_add_char(&out->text, '\0');
	*VEC_PUSH(out) = field;
}

static void
walk(struct field_finder *f, const cJSON *schema, struct buf *pointer, int depth)
{
	static const char *const parts[] = { "allOf", "anyOf", "oneOf" };

	if (depth > DEPTH_MAX || !goes_on(f))
		return;
	schema = follow(f->root, schema);
	const cJSON *properties = json_get(schema, "properties");
	for (const cJSON *p = cJSON_IsObject(properties) ? json_first(properties) : NULL;
	     p && goes_on(f); p = p->next) {
		size_t len = pointer->len;
		json_pointer_add_key(pointer, p->string);
		struct field_place place = { .name = p->string, .pointer = buf_text(pointer) };
		EACH_ITEM(f, r, json_get(schema, "required"))
			if (cJSON_GetStringValue(r) &&
			    strcmp(cJSON_GetStringValue(r), p->string) == 0) {
				place.required = true;
				break;
			}
		chain_add(f, &place, p);
		place.array = true;
		const cJSON *items = json_get(follow(f->root, p), "items");
		if (cJSON_IsObject(items))
			chain_add(f, &place, items);
		walk(f, p, pointer, depth + 1);
		buf_truncate(pointer, len);
	}
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		EACH_ITEM(f, c, json_get(schema, parts[i]))
			walk(f, c, pointer, depth + 1);
}

static void
look_at(struct field_finder *f, const struct primitive *p)
{
	struct json_doc *made = p->kind == PRIMITIVE_TOOL ? NULL : primitive_make_schema(p);
	struct buf pointer = BUF_INIT;

	f->of = p;
	f->root = made ? json_root(made) : p->input_schema;
	f->steps = 0;
	split(&f->tool, p->name);
	if (f->root && p->has_key && !p->unusable) {
		f->key = keep(&f->out->text, p->key);
		walk(f, f->root, &pointer, 0);
	}
	f->steps_of_all += f->steps;
	f->out->more |= f->steps_of_all > STEPS_OF_ALL;
	json_doc_destroy(made);
	buf_finish(&pointer);
}

static int
compare(const void *a, const void *b)
{
	const struct chain_field *x = a, *y = b;

	if (x->points != y->points)
		return x->points > y->points ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void
chain_find(const struct chain_source *source, const struct server *const *servers, size_t count,
    struct chain_fields *out)
{
	static const enum primitive_kind kinds[] = { PRIMITIVE_TOOL, PRIMITIVE_TEMPLATE,
		PRIMITIVE_PROMPT };
	struct field_finder f = {
		.source = source, .out = out, .is_integer = is_integer(source->value)
	};

	*out = (struct chain_fields){ 0 };
	keep(&out->text, "");
	/* The last key of the pointer names the value, the previous key its parent. */
	const char *at = f.source->pointer;
	struct buf token = BUF_INIT, name = BUF_INIT, parent = BUF_INIT;
	size_t index;
	while (at && json_pointer_next(&at, &token)) {
		if (json_pointer_index(buf_text(&token), SIZE_MAX, &index))
			continue;
		buf_clear(&parent);
		buf_add_str(&parent, buf_text(&name));
		buf_clear(&name);
		buf_add_str(&name, buf_text(&token));
	}
	split(&f.name, buf_text(&name));
	split(&f.parent, buf_text(&parent));
	split(&f.from, f.source->tool);
	buf_finish(&token);
	buf_finish(&name);
	buf_finish(&parent);
	for (size_t s = 0; s < count; s++) {
		f.server = (uint32_t)s;
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
			const struct primitive_list *list =
			    &server_info(servers[s])->lists[kinds[k]].list;
			for (size_t i = 0; i < list->len && !out->more; i++)
				look_at(&f, &list->items[i]);
		}
	}
	if (out->len > 0)
		qsort(out->items, out->len, sizeof(out->items[0]), compare);
}

void
chain_fields_finish(struct chain_fields *f)
{
	buf_finish(&f->text);
	free(f->items);
	*f = (struct chain_fields){ 0 };
}

/* ---- a batch: one call for each of several values ---- */

static const char *const state_names[BATCH_STATES] = { "waiting", "running", "done", "failed",
	"not called" };

struct batch *
batch_create(const struct batch_wish *wish, struct strings *values)
{
	struct batch *b = mem_zalloc(sizeof(*b));

	*b = (struct batch){
		.server = wish->server,
		.kind = wish->primitive->kind,
		.key = mem_strdup(wish->primitive->key),
		.pointer = mem_strdup(wish->pointer),
		.arguments = mem_strdup(wish->arguments),
		.rows = mem_zalloc((values->len ? values->len : 1) * sizeof(*b->rows)),
		.count = values->len,
		.at_once = wish->at_once,
		.id = wish->id,
		.version = 1,
	};
	for (size_t i = 0; i < values->len; i++)
		b->rows[i].input = values->items[i];
	values->len = 0;
	strings_finish(values);
	b->in_state[BATCH_WAITING] = b->count;
	return b;
}

void
batch_destroy(struct batch *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->count; i++) {
		free(b->rows[i].input);
		free(b->rows[i].json);
	}
	free(b->rows);
	free(b->key);
	free(b->pointer);
	free(b->arguments);
	free(b);
}

static void
set_state(struct batch *b, struct batch_row *row, enum batch_state state)
{
	b->in_state[row->state]--;
	b->in_state[state]++;
	row->state = state;
	b->version++;
}

/* ---- the outcome of a call ---- */

#define TOO_LARGE "(too large to keep here)"

static void
keep_json(struct batch *b, struct batch_row *row, struct buf *json)
{
	b->bytes -= row->json ? strlen(row->json) : 0;
	free(row->json);
	row->json = buf_detach(json);
	b->bytes += strlen(row->json);
}

/* The members of an object, without its braces. */
static void
take_members(struct batch *b, struct batch_row *row, const struct call *c, bool failed, bool whole)
{
	struct buf json = { .max = BATCH_RESULT_MAX + 4096 };
	char ms[32];
	struct json_writer w = { .out = &json, .comma = true };

	snprintf(ms, sizeof(ms), "%.1f", (double)(c->ended_us - c->started_us) / 1000);
	json_write_member_json(&w, "ms", ms);
	if (c->verdict.kind != VERDICT_NONE)
		json_write_member_string(&w, "verdict", verdict_looks[c->verdict.kind].name);
	if (failed) {
		struct buf text = { .max = BATCH_RESULT_MAX };
		if (c->state == CALL_DONE)
			call_add_texts(c, &text);
		json_write_member_string(&w, "error",
		    text.overflowed ? TOO_LARGE
		    : text.len > 0  ? buf_text(&text)
		    : c->error_text ? c->error_text
				    : call_state_names[c->state]);
		buf_finish(&text);
	} else if (whole) {
		struct call_data data;
		call_data_read(&data, c, BATCH_RESULT_MAX);
		if (data.too_large)
			json_write_member_string(&w, "result", TOO_LARGE);
		else if (data.value)
			json_write_member_value(&w, "result", data.value);
		call_data_finish(&data);
	} else
		json_write_member_string(&w, "result", TOO_LARGE);
	bool fits = !json.overflowed && json.len <= BATCH_RESULT_MAX &&
		    b->bytes + json.len <= BATCH_BYTES_MAX;
	if (fits || !whole)
		keep_json(b, row, &json);
	buf_finish(&json);
	if (!fits && whole)
		take_members(b, row, c, false, false);
}

/* ---- running ---- */

static bool
write_arguments(
    const struct batch *b, const struct batch_row *row, struct buf *out, struct err *err)
{
	struct strings keys = { 0 };
	struct buf token = BUF_INIT;
	const char *at = b->pointer;

	while (json_pointer_next(&at, &token))
		strings_add(&keys, buf_text(&token));
	bool ok = json_splice_set(b->arguments, strlen(b->arguments),
	    (const char *const *)strings_argv(&keys), row->input, out, err);
	strings_finish(&keys);
	buf_finish(&token);
	return ok;
}

static void
chain_start(struct batch *b, struct batch_row *row, int64_t now_us)
{
	const struct primitive *p =
	    primitive_list_find(&server_info(b->server)->lists[b->kind].list, b->key, 0);
	struct buf arguments = BUF_INIT;
	struct err err = { "the server no longer lists it" };

	row->call = 0;
	if (p && p->unusable)
		err_set(&err, "%s", p->problem);
	else if (p && write_arguments(b, row, &arguments, &err))
		row->call =
		    server_ask(b->server, p, buf_text(&arguments), arguments.len, now_us, &err);
	buf_finish(&arguments);
	if (row->call)
		set_state(b, row, BATCH_RUNNING);
	else {
		/* The row shows the reason instead of a result. */
		struct buf json = BUF_INIT;
		struct json_writer w = { .out = &json, .comma = true };
		json_write_member_string(&w, "error", err.text);
		keep_json(b, row, &json);
		set_state(b, row, BATCH_FAILED);
	}
}

/* Mark the waiting rows as stopped. */
static void
give_up(struct batch *b, const char *trouble)
{
	for (size_t i = b->next; i < b->count; i++)
		if (b->rows[i].state == BATCH_WAITING)
			set_state(b, &b->rows[i], BATCH_STOPPED);
	b->trouble = trouble;
}

/* Take the results of ended calls. Rows start in order, so the running ones are before `next`. */
static void
take_ended(struct batch *b)
{
	size_t left = b->in_state[BATCH_RUNNING];

	for (size_t i = b->first; left > 0 && i < b->count; i++) {
		struct batch_row *row = &b->rows[i];
		if (row->state != BATCH_RUNNING)
			continue;
		left--;
		const struct call *c = server_find_call(b->server, row->call);
		if (!c || (c->state != CALL_RUNNING && c->verdict.kind != VERDICT_CHECKING)) {
			bool failed = !c || call_is_error(c);
			if (c) {
				row->kept = c->kept;
				take_members(b, row, c, failed, true);
			}
			set_state(b, row, failed ? BATCH_FAILED : BATCH_DONE);
		}
	}
	while (b->first < b->count && b->rows[b->first].state != BATCH_RUNNING &&
	       b->rows[b->first].state != BATCH_WAITING)
		b->first++;
}

bool
batch_step(struct batch *b, int64_t now_us)
{
	uint64_t before = b->version;

	take_ended(b);
	while (b->in_state[BATCH_RUNNING] < b->at_once && b->in_state[BATCH_WAITING] > 0) {
		if (server_info(b->server)->phase != SERVER_READY) {
			give_up(b, "the server is not connected");
			break;
		}
		while (b->rows[b->next].state != BATCH_WAITING)
			b->next++;
		chain_start(b, &b->rows[b->next], now_us);
	}
	return b->version != before;
}

void
batch_stop(struct batch *b, int64_t now_us)
{
	give_up(b, NULL);
	for (size_t i = b->first; i < b->count; i++)
		if (b->rows[i].state == BATCH_RUNNING)
			server_cancel(b->server, b->rows[i].call, now_us);
	take_ended(b);
}

size_t
batch_retry(struct batch *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->count; i++) {
		struct batch_row *row = &b->rows[i];
		if (row->state != BATCH_FAILED && row->state != BATCH_STOPPED)
			continue;
		set_state(b, row, BATCH_WAITING);
		count++;
	}
	b->next = b->first = 0;
	b->trouble = NULL;
	return count;
}

/* ---- the table ---- */

void
batch_add_json(const struct batch *b, struct buf *out)
{
	buf_add_char(out, '[');
	for (size_t i = 0; i < b->count; i++) {
		const struct batch_row *row = &b->rows[i];
		bool ended = row->state == BATCH_DONE || row->state == BATCH_FAILED;
		buf_addf(out, "%s{\"input\":%s,\"state\":\"%s\"%s}", i > 0 ? "," : "", row->input,
		    state_names[row->state], ended && row->json ? row->json : "");
	}
	buf_add_char(out, ']');
}

void
batch_add_summary(const struct batch *b, struct buf *out)
{
	static const enum batch_state told[] = { BATCH_DONE, BATCH_FAILED, BATCH_RUNNING,
		BATCH_WAITING, BATCH_STOPPED };
	const char *between = ": ";

	units_add_counted(out, b->count, "call");
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		if (b->in_state[told[i]] == 0)
			continue;
		buf_add_str(out, between);
		units_add_count(out, b->in_state[told[i]]);
		buf_addf(out, " %s", state_names[told[i]]);
		between = ", ";
	}
}

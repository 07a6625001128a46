/* SPDX-License-Identifier: MIT */
#include "recipe/recorder.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"
#include "recipe/variables.h"

#include <stdlib.h>
#include <string.h>

#define CALLS_MAX RECIPE_STEPS_MAX
#define LINKS_MAX 100

struct recorded_link {
	uint64_t from;
	char *pointer; /* in the data of that call */
	enum recipe_kind kind;
	char *name,
	    *field; /* of the primitive that received it, and a pointer into its arguments */
};

struct recorded {
	uint64_t id;
	enum recipe_kind kind;
	char *name;
	struct json_doc *arguments;  /* NULL: not JSON */
	struct json_doc *definition; /* NULL: unknown */
	struct {
		struct recorded_link *items;
		size_t len, cap;
	} links;
	bool is_source; /* a later call refers to its result */
};

struct recorder {
	struct {
		struct recorded *items;
		size_t len, cap;
	} calls;
	struct {
		struct recorded_link *items;
		size_t len, cap;
	} links; /* not sent by a call yet */
};

struct recorder *
recorder_create(void)
{
	return mem_zalloc(sizeof(struct recorder));
}

static void
link_finish(struct recorded_link *l)
{
	free(l->pointer);
	free(l->name);
	free(l->field);
}

void
recorder_destroy(struct recorder *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->links.len; i++)
		link_finish(&r->links.items[i]);
	for (size_t i = 0; i < r->calls.len; i++) {
		struct recorded *c = &r->calls.items[i];
		for (size_t l = 0; l < c->links.len; l++)
			link_finish(&c->links.items[l]);
		free(c->links.items);
		free(c->name);
		json_doc_destroy(c->arguments);
		json_doc_destroy(c->definition);
	}
	free(r->links.items);
	free(r->calls.items);
	free(r);
}

static struct recorded *
recorder_find(struct recorder *r, uint64_t id)
{
	for (size_t i = r->calls.len; i-- > 0;)
		if (r->calls.items[i].id == id)
			return &r->calls.items[i];
	return NULL;
}

void
recorder_link(struct recorder *r, uint64_t from, const char *pointer, enum recipe_kind kind,
    const char *name, const char *field)
{
	/* ${name.path} cannot express a pointer with a dot or a brace in a key */
	if (!recorder_find(r, from) || r->links.len == LINKS_MAX || strpbrk(pointer, ".~}{$\"\\") ||
	    strlen(pointer) >= 200)
		return;
	*VEC_PUSH(&r->links) = (struct recorded_link){ .from = from,
		.pointer = mem_strdup(pointer),
		.kind = kind,
		.name = mem_strdup(name),
		.field = mem_strdup(field) };
}

size_t
recorder_add_call(struct recorder *r, uint64_t id, enum recipe_kind kind, const char *name,
    const char *arguments, struct json_doc *definition)
{
	if (r->calls.len == CALLS_MAX || recorder_find(r, id))
		return r->calls.len;
	struct recorded *c = VEC_PUSH(&r->calls);
	*c = (struct recorded){ .id = id,
		.kind = kind,
		.name = mem_strdup(name),
		.arguments = json_parse(arguments, strlen(arguments), NULL, NULL),
		.definition = definition ? json_doc_ref(definition) : NULL };
	/* Move the links to this primitive to the call; the last one of each field wins. */
	for (size_t i = r->links.len; i-- > 0;) {
		struct recorded_link l = r->links.items[i];
		if (l.kind != c->kind || strcmp(l.name, c->name) != 0)
			continue;
		VEC_REMOVE(&r->links, i);
		bool known = !c->arguments || !json_pointer_find(json_root(c->arguments), l.field);
		for (size_t k = 0; k < c->links.len; k++)
			known |= strcmp(c->links.items[k].field, l.field) == 0;
		if (known)
			link_finish(&l);
		else
			*VEC_PUSH(&c->links) = l;
	}
	for (size_t i = 0; i < c->links.len; i++)
		recorder_find(r, c->links.items[i].from)->is_source = true;
	return r->calls.len;
}

/* ---- the file ---- */

struct writing {
	const struct recorder *recorder;
	const struct recorded *call;
	struct json_writer w;
	struct buf pointer; /* pointer of the value that is written */
	size_t secrets;     /* secrets that became references */
	struct secret_names names;
};

/* Append "search_orders", or "search_orders_2" for the second call of that name. */
static void
add_saved_name(const struct recorder *r, const struct recorded *c, struct buf *out)
{
	size_t nth = 1, before = out->len;

	for (const struct recorded *o = r->calls.items; o < c; o++)
		nth += o->is_source && strcmp(o->name, c->name) == 0;
	buf_add_str(out, ascii_is_digit((unsigned char)c->name[0]) ? "_" : "");
	for (const char *at = c->name; *at && out->len - before < VARIABLE_NAME_MAX - 10; at++)
		buf_add_char(out, ascii_is_alnum((unsigned char)*at) ? *at : '_');
	if (nth > 1)
		buf_addf(out, "_%zu", nth);
	if (!variables_check_name(out->data + before, NULL) ||
	    strcmp(out->data + before, "reply") == 0)
		buf_add_str(out, "_");
}

/* Write a string with its ${ escaped. */
static void
write_literal(struct writing *t, const char *string)
{
	struct buf text = BUF_INIT;

	t->secrets += variables_add_without_secrets(&t->names, string, true, &text);
	json_write_string(&t->w, buf_text(&text));
	buf_finish(&text);
}

/* Write a secret as a reference to a variable. */
static void
write_secret(struct writing *t, const cJSON *member)
{
	const char *key = member->string;
	struct buf name = BUF_INIT;

	buf_add_str(&name, ascii_is_digit((unsigned char)key[0]) ? "_" : "");
	for (size_t i = 0; key[i] && i < VARIABLE_NAME_MAX - 8; i++)
		buf_add_char(&name, ascii_is_alnum((unsigned char)key[i]) ? key[i] : '_');
	char *value = json_text(member);
	char *reference = mem_printf("${%s}", secret_names_take(&t->names, buf_text(&name), value));
	json_write_string(&t->w, reference);
	t->secrets++;
	free(reference);
	buf_finish(&name);
	free(value);
}

/* Return whether a member is a secret by its name, or an argument by the tool's definition. */
static bool
is_secret(const struct writing *t, const cJSON *object, const cJSON *member)
{
	enum json_type type = json_type(member);
	const struct json_doc *definition = t->call->definition;

	if (type == JSON_NULL || type == JSON_BOOLEAN ||
	    ((type == JSON_OBJECT || type == JSON_ARRAY) && !json_first(member)))
		return false; /* the definition does not cover it */
	return json_is_secret_member(member) ||
	       (object == json_root(t->call->arguments) && definition &&
		   json_is_password_argument(json_root(definition), member->string));
}

static void
write_value(struct writing *t, const cJSON *value)
{
	enum json_type type = json_type(value);
	const struct recorded_link *l = NULL; /* to this value */
	size_t before = t->pointer.len, index = 0;

	for (size_t i = 0; i < t->call->links.len && !l; i++)
		if (strcmp(t->call->links.items[i].field, buf_text(&t->pointer)) == 0)
			l = &t->call->links.items[i];
	if (l) {
		struct buf text = BUF_INIT;
		buf_add_str(&text, "${");
		add_saved_name(
		    t->recorder, recorder_find((struct recorder *)t->recorder, l->from), &text);
		for (const char *at = l->pointer; *at; at++)
			buf_add_char(&text, *at == '/' ? '.' : *at);
		buf_add_char(&text, '}');
		json_write_string(&t->w, buf_text(&text));
		buf_finish(&text);
	} else if (type == JSON_STRING) {
		write_literal(t, value->valuestring);
	} else if (type != JSON_OBJECT && type != JSON_ARRAY) {
		json_write_value(&t->w, value);
	} else {
		(type == JSON_OBJECT ? json_write_object : json_write_array)(&t->w);
		for (const cJSON *m = json_first(value); m; m = m->next, index++) {
			if (type == JSON_OBJECT) {
				json_pointer_add_key(&t->pointer, m->string);
				json_write_key(&t->w, m->string);
			} else {
				json_pointer_add_index(&t->pointer, index);
			}
			if (type == JSON_OBJECT && is_secret(t, value, m))
				write_secret(t, m);
			else
				write_value(t, m);
			buf_truncate(&t->pointer, before);
		}
		(type == JSON_OBJECT ? json_write_object_end : json_write_array_end)(&t->w);
	}
}

static void
write_step(struct writing *t)
{
	struct buf name = BUF_INIT;

	json_write_object(&t->w);
	json_write_key(&t->w, recipe_kind_names[t->call->kind]);
	write_literal(t, t->call->name);
	if (t->call->arguments && t->call->kind != RECIPE_READ &&
	    json_first(json_root(t->call->arguments))) {
		json_write_key(&t->w, "arguments");
		write_value(t, json_root(t->call->arguments));
	}
	if (t->call->is_source) {
		add_saved_name(t->recorder, t->call, &name);
		json_write_member_string(&t->w, "save", buf_text(&name));
	}
	json_write_object_end(&t->w);
	buf_finish(&name);
}

size_t
recorder_add_recipe(const struct recorder *r, const char *name, struct buf *out)
{
	struct buf text = BUF_INIT;
	struct writing t = { .recorder = r };

	json_write_init(&t.w, &text);
	json_write_object(&t.w);
	json_write_member_string(&t.w, "name", name);
	json_write_member_array(&t.w, "steps");
	for (size_t i = 0; i < r->calls.len; i++) {
		t.call = &r->calls.items[i];
		write_step(&t);
	}
	json_write_array_end(&t.w);
	json_write_object_end(&t.w);
	struct json_doc *doc = json_parse(text.data, text.len, NULL, NULL);
	json_print_pretty(out, json_root(doc), 2);
	buf_add_char(out, '\n');
	json_doc_destroy(doc);
	buf_finish(&t.pointer);
	buf_finish(&text);
	secret_names_finish(&t.names);
	return t.secrets;
}

#include "mcp/offers.h"

#include "base/mem.h"
#include "mcp/uri_template.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only the first problem is kept. */
static void __attribute__((format(printf, 2, 3)))
add_problem(struct offer *o, const char *format, ...)
{
	va_list args;

	if (o->broken)
		return;
	o->broken = true;
	va_start(args, format);
	vsnprintf(o->problem, sizeof(o->problem), format, args);
	va_end(args);
}

static const char *
read_text(struct offer *o, const cJSON *object, const char *key, const char *where)
{
	const cJSON *node = json_get(object, key);

	if (node && !json_string(node))
		add_problem(o, "%s%s must be a string, but is of type %s", where, key,
		    json_type_name(json_type(node)));
	return json_string(node);
}

/* An optional member of one type; NULL if it is absent or has another type. */
static const cJSON *
read_node(struct offer *o, const char *key, enum json_type type)
{
	const cJSON *node = json_get(o->definition, key);

	if (!node || json_type(node) == type)
		return node;
	add_problem(o, "%s must be %s %s, but is of type %s", key, type == JSON_NUMBER ? "a" : "an",
	    json_type_name(type), json_type_name(json_type(node)));
	return NULL;
}

/* A required string that must not be empty. */
static const char *
need_text(struct offer *o, const char *key)
{
	const cJSON *node = json_get(o->definition, key);

	if (!node)
		add_problem(o, "the %s has no %s", offer_kind_name(o->kind), key);
	else if (!json_string(node))
		add_problem(o, "%s must be a string, but is of type %s", key,
		    json_type_name(json_type(node)));
	else if (!*json_string(node))
		add_problem(o, "the %s is empty", key);
	return json_string(node) && *json_string(node) ? json_string(node) : NULL;
}

/* ---- tools ---- */

static enum hint
read_hint(struct offer *o, const cJSON *annotations, const char *key)
{
	const cJSON *node = json_get(annotations, key);

	if (!node)
		return HINT_ABSENT;
	if (json_type(node) != JSON_BOOLEAN) {
		add_problem(o, "annotations.%s must be true or false, but is of type %s", key,
		    json_type_name(json_type(node)));
		return HINT_ABSENT;
	}
	return json_is_true(node) ? HINT_TRUE : HINT_FALSE;
}

static void
read_hints(struct offer *o)
{
	const cJSON *annotations = read_node(o, "annotations", JSON_OBJECT);
	const char *title = read_text(o, annotations, "title", "annotations.");

	if (title && !(o->title && *o->title))
		o->title = title;
	o->read_only = read_hint(o, annotations, "readOnlyHint");
	o->destructive = read_hint(o, annotations, "destructiveHint");
	o->idempotent = read_hint(o, annotations, "idempotentHint");
	o->open_world = read_hint(o, annotations, "openWorldHint");
}

static void
read_schemas(struct offer *o)
{
	const cJSON *input = json_get(o->definition, "inputSchema");
	const cJSON *output = json_get(o->definition, "outputSchema");

	if (json_type(input) == JSON_OBJECT)
		o->input_schema = input;
	else if (!input)
		add_problem(o, "the tool has no inputSchema");
	else
		add_problem(o, "inputSchema must be an object, but is of type %s",
		    json_type_name(json_type(input)));
	if (json_type(output) == JSON_OBJECT || json_type(output) == JSON_BOOLEAN)
		o->output_schema = output;
	else if (output)
		add_problem(o, "outputSchema must be an object, but is of type %s",
		    json_type_name(json_type(output)));
}

static void
decode_tool(struct offer *o)
{
	read_schemas(o);
	read_hints(o);
}

/* ---- resources and templates ---- */

static void
decode_resource(struct offer *o)
{
	o->mime = read_text(o, o->definition, "mimeType", "");
	o->size = read_node(o, "size", JSON_NUMBER);
	o->annotations = read_node(o, "annotations", JSON_OBJECT);
}

/* A template that breaks RFC 6570 cannot be expanded. */
static void
decode_template(struct offer *o)
{
	struct uri_variables variables = { 0 };
	struct err err;

	if (o->has_key && !uri_template_variables(o->key, &variables, &err))
		add_problem(o, "%s", err.text);
	uri_variables_finish(&variables);
	decode_resource(o);
}

/* ---- prompts ---- */

static void
check_argument(struct offer *o, const cJSON *argument, size_t index)
{
	const cJSON *required = json_get(argument, "required");

	if (json_type(argument) != JSON_OBJECT)
		add_problem(o, "arguments/%zu must be an object, but is of type %s", index,
		    json_type_name(json_type(argument)));
	else if (!json_get_string(argument, "name"))
		add_problem(o, "arguments/%zu has no name", index);
	else if (json_label(o->doc, json_get_string(argument, "name")) !=
		 json_get_string(argument, "name"))
		add_problem(o, "arguments/%zu: its name is too long to be asked for", index);
	else if (required && json_type(required) != JSON_BOOLEAN)
		add_problem(o, "arguments/%zu: required must be true or false, but is of type %s",
		    index, json_type_name(json_type(required)));
}

static void
decode_prompt(struct offer *o)
{
	size_t index = 0;

	o->arguments = read_node(o, "arguments", JSON_ARRAY);
	for (const cJSON *a = json_first(o->arguments); a; a = a->next)
		check_argument(o, a, index++);
}

/* ---- any kind ---- */

static const struct {
	const char *name, *plural;
	const char *key; /* the member that identifies it in requests */
	void (*decode)(struct offer *o);
} kinds[OFFER_KINDS] = {
	[OFFER_TOOL] = { "tool", "tools", "name", decode_tool },
	[OFFER_RESOURCE] = { "resource", "resources", "uri", decode_resource },
	[OFFER_TEMPLATE] = { "template", "templates", "uriTemplate", decode_template },
	[OFFER_PROMPT] = { "prompt", "prompts", "name", decode_prompt },
};

const char *
offer_kind_name(enum offer_kind kind)
{
	return kinds[kind].name;
}

const char *
offer_kind_plural(enum offer_kind kind)
{
	return kinds[kind].plural;
}

static void
read_names(struct offer *o, struct json_doc *doc)
{
	const char *name = need_text(o, "name");
	const char *key =
	    strcmp(kinds[o->kind].key, "name") == 0 ? name : need_text(o, kinds[o->kind].key);

	o->key = json_label(doc, key);
	o->has_key = key && o->key == key;
	if (key && !o->has_key)
		add_problem(o, "the %s is %zu bytes long, too long for a request",
		    kinds[o->kind].key, strlen(key));
	if (name)
		o->name = json_label(doc, name);
	else if (key)
		o->name = o->key;
	if (!key)
		o->key = o->name;
}

void
offer_decode(struct offer *o, enum offer_kind kind, struct json_doc *doc, const cJSON *definition)
{
	*o = (struct offer){ .kind = kind, .name = "(no name)", .definition = definition, .doc = doc, .of = 1 };
	o->key = o->name;
	if (json_type(definition) != JSON_OBJECT) {
		add_problem(o, "the definition must be an object, but is of type %s",
		    json_type_name(json_type(definition)));
		return;
	}
	read_names(o, doc);
	o->title = read_text(o, definition, "title", "");
	o->description = read_text(o, definition, "description", "");
	kinds[kind].decode(o);
	o->title = json_label(doc, o->title);
	o->mime = json_label(doc, o->mime);
}

const cJSON *
offer_icons(const struct offer *o)
{
	const cJSON *icons = json_get(o->definition, "icons");

	return json_type(icons) == JSON_ARRAY ? icons : NULL;
}

static int
compare_keys(const void *a, const void *b)
{
	const struct offer *left = *(struct offer *const *)a, *right = *(struct offer *const *)b;
	int order = strcmp(left->key, right->key);

	if (order != 0)
		return order;
	return left < right ? -1 : left > right;
}

void
offer_list_number(struct offer_list *list)
{
	if (list->len == 0)
		return;
	struct offer **sorted = list->by_key = mem_alloc(list->len * sizeof(struct offer *));
	for (size_t i = 0; i < list->len; i++)
		sorted[i] = &list->items[i];
	qsort(sorted, list->len, sizeof(sorted[0]), compare_keys);
	for (size_t first = 0, end; first < list->len; first = end) {
		for (end = first + 1; end < list->len; end++)
			if (strcmp(sorted[first]->key, sorted[end]->key) != 0)
				break;
		for (size_t i = first; i < end; i++) {
			sorted[i]->nth = i - first;
			sorted[i]->of = end - first;
		}
	}
}

void
offer_list_finish(struct offer_list *list)
{
	for (size_t i = 0; i < list->docs.len; i++)
		json_doc_destroy(list->docs.items[i]);
	free(list->docs.items);
	free(list->items);
	free(list->by_key);
	*list = (struct offer_list){ 0 };
}

static int
compare_to_wanted(const void *wanted, const void *item)
{
	const struct offer *left = wanted, *right = *(struct offer *const *)item;
	int order = strcmp(left->key, right->key);

	if (order != 0)
		return order;
	return left->nth < right->nth ? -1 : left->nth > right->nth;
}

/* Called for each row of each frame, so its cost must not grow with the list. */
const struct offer *
offer_list_find(const struct offer_list *list, const char *key, size_t nth)
{
	struct offer wanted = { .key = key, .nth = nth };
	struct offer **found = list->by_key ? bsearch(&wanted, list->by_key, list->len,
						  sizeof(*list->by_key), compare_to_wanted)
					    : NULL;

	return found ? *found : NULL;
}

void
caching_read(struct caching *c, const cJSON *result)
{
	const cJSON *ttl = json_get(result, "ttlMs");
	const char *scope = json_get_string(result, "cacheScope");

	*c = (struct caching){ .is_said = ttl || scope };
	if (json_type(ttl) == JSON_NUMBER && ttl->valuedouble > 0)
		c->ttl_ms = ttl->valuedouble < 1e15 ? (int64_t)ttl->valuedouble : (int64_t)1e15;
	snprintf(c->scope, sizeof(c->scope), "%s", scope ? scope : "");
}

void
caching_join(struct caching *c, const cJSON *result)
{
	struct caching page;

	caching_read(&page, result);
	if (page.ttl_ms < c->ttl_ms)
		c->ttl_ms = page.ttl_ms;
	if (strcmp(page.scope, "public") != 0)
		memcpy(c->scope, page.scope, sizeof(c->scope));
	c->is_said = c->is_said || page.is_said;
}

static void
add_time(struct buf *out, int64_t ms)
{
	if (ms % 1000 != 0)
		buf_addf(out, "%lld ms", (long long)ms);
	else if (ms < 120 * 1000)
		buf_addf(out, "%lld s", (long long)(ms / 1000));
	else if (ms < 2 * 3600 * 1000)
		buf_addf(out, "%lld min", (long long)(ms / 60000));
	else
		buf_addf(out, "%lld h", (long long)(ms / 3600000));
}

void
caching_describe(const struct caching *c, struct buf *out)
{
	if (!c->is_said)
		return;
	if (c->ttl_ms > 0) {
		buf_add_str(out, "fresh for ");
		add_time(out, c->ttl_ms);
	} else {
		buf_add_str(out, "stale at once");
	}
	if (c->scope[0])
		buf_addf(out, ", %s", c->scope);
}

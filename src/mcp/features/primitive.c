/* SPDX-License-Identifier: MIT */
#include "mcp/primitive.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/write.h"
#include "mcp/skill.h"
#include "mcp/uri_template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
primitive_add_problem(struct primitive *p, const char *format, ...)
{
	if (p->broken)
		return;
	p->broken = true;
	FORMAT_INTO(p->problem, format);
}

static const char *
read_text(struct primitive *p, const cJSON *object, const char *key, const char *where)
{
	const cJSON *node = json_get(object, key);

	if (node && !cJSON_GetStringValue(node))
		primitive_add_problem(p, "%s%s must be a string, but is of type %s", where, key,
		    json_type_name(json_type(node)));
	return cJSON_GetStringValue(node);
}

/* An optional member of one type; NULL if it is absent or has another type. */
static const cJSON *
read_node(struct primitive *p, const char *key, enum json_type type)
{
	const cJSON *node = json_get(p->definition, key);

	if (!node || json_type(node) == type)
		return node;
	primitive_add_problem(p, "%s must be %s %s, but is of type %s", key,
	    type == JSON_NUMBER ? "a" : "an", json_type_name(type),
	    json_type_name(json_type(node)));
	return NULL;
}

/* A required string that must not be empty. */
static const char *
need_text(struct primitive *p, const cJSON *object, const char *key)
{
	const cJSON *node = json_get(object, key);

	if (!node)
		primitive_add_problem(p, "the %s has no %s", primitive_kinds[p->kind].name, key);
	else if (!cJSON_GetStringValue(node))
		primitive_add_problem(p, "%s must be a string, but is of type %s", key,
		    json_type_name(json_type(node)));
	else if (!*cJSON_GetStringValue(node))
		primitive_add_problem(p, "the %s is empty", key);
	return cJSON_GetStringValue(node) && *cJSON_GetStringValue(node)
		   ? cJSON_GetStringValue(node)
		   : NULL;
}

/* ---- tools ---- */

static enum hint
read_hint(struct primitive *p, const cJSON *annotations, const char *key)
{
	const cJSON *node = json_get(annotations, key);

	if (!node)
		return HINT_ABSENT;
	if (!cJSON_IsBool(node)) {
		primitive_add_problem(p, "annotations.%s must be true or false, but is of type %s",
		    key, json_type_name(json_type(node)));
		return HINT_ABSENT;
	}
	return cJSON_IsTrue(node) ? HINT_TRUE : HINT_FALSE;
}

static void
decode_tool(struct primitive *p)
{
	const cJSON *input = json_get(p->definition, "inputSchema");
	const cJSON *output = json_get(p->definition, "outputSchema");

	if (cJSON_IsObject(input))
		p->input_schema = input;
	else if (!input)
		primitive_add_problem(p, "the tool has no inputSchema");
	else
		primitive_add_problem(p, "inputSchema must be an object, but is of type %s",
		    json_type_name(json_type(input)));
	if (cJSON_IsObject(output) || cJSON_IsBool(output))
		p->output_schema = output;
	else if (output)
		primitive_add_problem(p, "outputSchema must be an object, but is of type %s",
		    json_type_name(json_type(output)));
	const cJSON *annotations = read_node(p, "annotations", JSON_OBJECT);
	const char *title = read_text(p, annotations, "title", "annotations.");
	if (title && !(p->title && *p->title))
		p->title = title;
	p->read_only = read_hint(p, annotations, "readOnlyHint");
	p->destructive = read_hint(p, annotations, "destructiveHint");
	p->idempotent = read_hint(p, annotations, "idempotentHint");
	p->open_world = read_hint(p, annotations, "openWorldHint");
	app_tool_read(&p->app, p->definition);
}

/* ---- resources and templates ---- */

static void
decode_resource(struct primitive *p)
{
	p->mime = read_text(p, p->definition, "mimeType", "");
	p->size = read_node(p, "size", JSON_NUMBER);
	p->annotations = read_node(p, "annotations", JSON_OBJECT);
}

/* A template that breaks RFC 6570 cannot be expanded. */
static void
decode_template(struct primitive *p)
{
	struct uri_variables variables = { 0 };
	struct err err;

	if (p->has_key && !uri_template_variables(p->key, &variables, &err))
		primitive_add_problem(p, "%s", err.text);
	uri_variables_finish(&variables);
	decode_resource(p);
}

/* ---- prompts ---- */

static void
decode_prompt(struct primitive *p)
{
	size_t index = 0;

	p->arguments = read_node(p, "arguments", JSON_ARRAY);
	for (const cJSON *a = json_first(p->arguments); a; a = a->next, index++) {
		const cJSON *required = json_get(a, "required");
		const char *name = json_get_string(a, "name");
		if (!cJSON_IsObject(a))
			primitive_add_problem(p,
			    "arguments/%zu must be an object, but is of type %s", index,
			    json_type_name(json_type(a)));
		else if (!name)
			primitive_add_problem(p, "arguments/%zu has no name", index);
		else if (json_label(p->doc, name) != name)
			primitive_add_problem(
			    p, "arguments/%zu: its name is too long to be asked for", index);
		else if (required && !cJSON_IsBool(required))
			primitive_add_problem(p,
			    "arguments/%zu: required must be true or false, but is of type %s",
			    index, json_type_name(json_type(required)));
	}
}

/* ---- any kind ---- */

const struct primitive_kind_info primitive_kinds[PRIMITIVE_KINDS] = {
	[PRIMITIVE_TOOL] = { "tool", "tools", "name", "tools/list", "tools", "tools", NULL, NULL },
	[PRIMITIVE_RESOURCE] = { "resource", "resources", "uri", "resources/list", "resources",
	    "resources", NULL, NULL },
	[PRIMITIVE_TEMPLATE] = { "template", "templates", "uriTemplate", "resources/templates/list",
	    "resourceTemplates", "resources", NULL, NULL },
	[PRIMITIVE_PROMPT] = { "prompt", "prompts", "name", "prompts/list", "prompts", "prompts",
	    NULL, NULL },
	[PRIMITIVE_SKILL] = { "skill", "skills", "uri", "skills/list", "skills", "resources",
	    SKILLS_EXTENSION, "frontmatter" },
};

/* The object that has its name and description. */
static const cJSON *
names_of(const struct primitive *p)
{
	const char *member = primitive_kinds[p->kind].names;

	return member ? json_get(p->definition, member) : p->definition;
}

static void (*const decoders[PRIMITIVE_KINDS])(struct primitive *p) = {
	[PRIMITIVE_TOOL] = decode_tool,
	[PRIMITIVE_RESOURCE] = decode_resource,
	[PRIMITIVE_TEMPLATE] = decode_template,
	[PRIMITIVE_PROMPT] = decode_prompt,
	[PRIMITIVE_SKILL] = skill_decode,
};

void
primitive_decode(
    struct primitive *p, enum primitive_kind kind, struct json_doc *doc, const cJSON *definition)
{
	*p = (struct primitive){
		.kind = kind, .name = "(no name)", .definition = definition, .doc = doc, .of = 1
	};
	p->key = p->name;
	if (!cJSON_IsObject(definition)) {
		primitive_add_problem(p, "the definition must be an object, but is of type %s",
		    json_type_name(json_type(definition)));
		return;
	}
	const char *name = need_text(p, names_of(p), "name");
	const char *key = strcmp(primitive_kinds[p->kind].key, "name") == 0
			      ? name
			      : need_text(p, p->definition, primitive_kinds[p->kind].key);
	p->key = json_label(doc, key);
	p->has_key = key && p->key == key;
	if (key && !p->has_key)
		primitive_add_problem(p, "the %s is %zu bytes long, too long for a request",
		    primitive_kinds[p->kind].key, strlen(key));
	if (name)
		p->name = json_label(doc, name);
	else if (key)
		p->name = p->key;
	if (!key)
		p->key = p->name;
	p->title = read_text(p, definition, "title", "");
	p->description = json_prose(doc, read_text(p, names_of(p), "description", ""));
	decoders[kind](p);
	p->title = json_label(doc, p->title);
	p->mime = json_label(doc, p->mime);
}

const cJSON *
primitive_icons(const struct primitive *p)
{
	const cJSON *icons = json_get(p->definition, "icons");

	return json_type(icons) == JSON_ARRAY ? icons : NULL;
}

static int
compare_keys(const void *a, const void *b)
{
	const struct primitive *left = *(const struct primitive *const *)a,
			       *right = *(const struct primitive *const *)b;
	int order = strcmp(left->key, right->key);

	if (order != 0)
		return order;
	return left->nth < right->nth ? -1 : left->nth > right->nth;
}

void
primitive_list_number(struct primitive_list *list)
{
	if (list->len == 0)
		return;
	free(list->by_key); /* of the list without its last page: an onlooker shows each page at
			       once */
	struct primitive **sorted = list->by_key =
	    mem_alloc(list->len * sizeof(struct primitive *));
	for (size_t i = 0; i < list->len; i++) {
		sorted[i] = &list->items[i];
		sorted[i]->nth = i; /* those with the same key stay in their order */
	}
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

static void
primitive_list_finish(struct primitive_list *list)
{
	for (size_t i = 0; i < list->docs.len; i++)
		json_doc_destroy(list->docs.items[i]);
	free(list->docs.items);
	free(list->items);
	free(list->by_key);
	*list = (struct primitive_list){ 0 };
}

/* Called for each row of each frame, so its cost must not grow with the list. */
const struct primitive *
primitive_list_find(const struct primitive_list *list, const char *key, size_t nth)
{
	const struct primitive *wanted = &(struct primitive){ .key = key, .nth = nth };
	struct primitive **found = list->by_key ? bsearch(&wanted, list->by_key, list->len,
						      sizeof(*list->by_key), compare_keys)
						: NULL;

	return found ? *found : NULL;
}

static bool
is_array(const cJSON *schema)
{
	const char *type = json_get_string(schema, "type");

	return (type && strcmp(type, "array") == 0) || json_get(schema, "items");
}

bool
primitive_returns_array(const struct primitive *tool)
{
	const cJSON *properties = json_get(tool->output_schema, "properties");
	bool found = is_array(tool->output_schema);

	for (const cJSON *p = json_first(properties); p && !found; p = p->next)
		found = is_array(p);
	return found;
}

void
caching_read(struct caching *c, const cJSON *result)
{
	const cJSON *ttl = json_get(result, "ttlMs");
	const char *scope = json_get_string(result, "cacheScope");

	*c = (struct caching){ .is_said = ttl || scope };
	if (cJSON_IsNumber(ttl) && ttl->valuedouble > 0)
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

void
caching_describe(const struct caching *c, struct buf *out)
{
	if (!c->is_said)
		return;
	if (c->ttl_ms > 0) {
		buf_add_str(out, "fresh for ");
		if (c->ttl_ms % 1000 != 0)
			buf_addf(out, "%lld ms", (long long)c->ttl_ms);
		else if (c->ttl_ms < 120 * 1000)
			buf_addf(out, "%lld s", (long long)(c->ttl_ms / 1000));
		else if (c->ttl_ms < 2 * 3600 * 1000)
			buf_addf(out, "%lld min", (long long)(c->ttl_ms / 60000));
		else
			buf_addf(out, "%lld h", (long long)(c->ttl_ms / 3600000));
	} else {
		buf_add_str(out, "stale at once");
	}
	if (c->scope[0])
		buf_addf(out, ", %s", c->scope);
}

/* ---- the input schema ---- */

struct schema_writer {
	struct json_writer w;
	struct buf properties, required;
	struct json_writer names;
};

static void
open_property(struct schema_writer *sw, const char *name, bool required)
{
	json_write_member_object(&sw->w, name);
	if (required)
		json_write_string(&sw->names, name);
}

static void
add_label(struct schema_writer *sw, const cJSON *argument, const char *key)
{
	char *label = label_dup(json_get_string(argument, key));

	if (label && *label)
		json_write_member_string(&sw->w, key, label);
	free(label);
}

static void
add_properties(struct schema_writer *sw, const struct primitive *p)
{
	struct uri_variables variables = { 0 };

	if (p->kind == PRIMITIVE_PROMPT) {
		for (const cJSON *a = json_first(p->arguments); a; a = a->next) {
			/* An argument whose name is too long to be shown is left out. */
			const char *name = json_get_string(a, "name");
			if (!name || name[label_length(name)] != '\0')
				continue;
			open_property(sw, name, cJSON_IsTrue(json_get(a, "required")));
			json_write_member_string(&sw->w, "type", "string");
			add_label(sw, a, "title");
			add_label(sw, a, "description");
			json_write_object_end(&sw->w);
		}
	} else if (p->kind == PRIMITIVE_TEMPLATE) {
		uri_template_variables(p->key, &variables, NULL);
	} else if (p->kind == PRIMITIVE_SKILL && !p->unusable) {
		/* The name of a file, one of those listed; a dynamic skill lists none. */
		const cJSON *files = skill_files(p->definition);
		open_property(sw, "file", false);
		json_write_member_string(&sw->w, "type", "string");
		json_write_member_string(&sw->w, "default", "SKILL.md");
		if (files) {
			json_write_member_array(&sw->w, "enum");
			for (const cJSON *f = json_first(files); f; f = f->next)
				json_write_string(
				    &sw->w, skill_file_name(p->key, json_get_string(f, "uri")));
			json_write_array_end(&sw->w);
		}
		json_write_object_end(&sw->w);
	}
	for (size_t i = 0; i < variables.len; i++) {
		open_property(sw, variables.items[i].name, !variables.items[i].optional);
		json_write_member_string(
		    &sw->w, "type", variables.items[i].explode ? "array" : "string");
		if (variables.items[i].explode) {
			json_write_member_object(&sw->w, "items");
			json_write_member_string(&sw->w, "type", "string");
			json_write_object_end(&sw->w);
		}
		json_write_object_end(&sw->w);
	}
	uri_variables_finish(&variables);
}

struct json_doc *
primitive_make_schema(const struct primitive *p)
{
	struct schema_writer sw = { 0 };
	struct buf out = BUF_INIT;
	struct json_writer w;

	if (p->kind == PRIMITIVE_TOOL)
		return NULL;
	json_write_init(&sw.w, &sw.properties);
	json_write_init(&sw.names, &sw.required);
	json_write_object(&sw.w);
	json_write_array(&sw.names);
	add_properties(&sw, p);
	json_write_object_end(&sw.w);
	json_write_array_end(&sw.names);
	json_write_init(&w, &out);
	json_write_object(&w);
	json_write_member_string(&w, "type", "object");
	json_write_member_json(&w, "properties", buf_text(&sw.properties));
	json_write_member_json(&w, "required", buf_text(&sw.required));
	json_write_member_bool(&w, "additionalProperties", false);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&out), out.len, NULL, NULL);
	buf_finish(&sw.properties);
	buf_finish(&sw.required);
	buf_finish(&out);
	return doc;
}

/* ---- requests ---- */

/* Append the URI of a resource, a template with its variables, or a file of a skill. */
static bool
add_uri(const struct primitive *p, const char *arguments_json, struct buf *uri, struct err *err)
{
	size_t len = strlen(arguments_json);
	struct json_doc *doc = json_parse(arguments_json, len, NULL, NULL);
	const cJSON *arguments = doc ? json_root(doc) : NULL;
	const char *file = p->kind == PRIMITIVE_SKILL ? json_get_string(arguments, "file") : NULL;
	bool ok = true;

	if (p->kind == PRIMITIVE_TEMPLATE)
		ok = uri_template_expand(p->key, arguments, uri, err) &&
		     (doc || len == 0 || err_set(err, "the variables are not JSON"));
	else if (p->kind == PRIMITIVE_SKILL && p->unusable)
		ok = err_set(err, "%s", p->problem);
	else if (file)
		ok = skill_add_uri(p, file, uri, err);
	else
		buf_add_str(uri, p->key);
	json_doc_destroy(doc);
	return ok;
}

static uint64_t
request(struct session *s, const char *method, const char *key, const char *value,
    const char *arguments_json, int64_t now_ms)
{
	struct buf params = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &params);
	json_write_object(&w);
	json_write_member_string(&w, key, value);
	if (*arguments_json) {
		json_write_key(&w, "arguments");
		json_write_raw(&w, arguments_json, strlen(arguments_json));
	}
	json_write_object_end(&w);
	uint64_t id = session_request(s, method, buf_text(&params), params.len, now_ms);
	buf_finish(&params);
	return id;
}

uint64_t
primitive_invoke(struct session *s, const struct primitive *p, const char *arguments_json,
    struct buf *uri, int64_t now_ms, struct err *err)
{
	uint64_t id = 0;

	if (p->kind == PRIMITIVE_TOOL)
		id = session_call(s,
		    &(struct session_call){ .name = p->key,
			.arguments = arguments_json,
			.len = strlen(arguments_json),
			.definition = p->definition },
		    now_ms);
	else if (p->kind == PRIMITIVE_PROMPT)
		id = request(s, "prompts/get", "name", p->key, arguments_json, now_ms);
	else if (!add_uri(p, arguments_json, uri, err))
		return 0;
	else
		id = request(s, "resources/read", "uri", buf_text(uri), "", now_ms);
	if (id == 0)
		err_set(err, "not connected");
	return id;
}

/* ---- lists ---- */

#define QUIET_MS 60
#define PATIENCE_MS 500
#define MAX_PAGES 1000
/* A server may return pages forever, each with a new cursor. */
#define MAX_PRIMITIVES 100000

void
lister_init(struct lister *l, enum primitive_kind kind)
{
	*l = (struct lister){ .kind = kind, .changed_ms = -1, .last_changed_ms = -1 };
}

static void
forget_progress(struct lister *l)
{
	strings_finish(&l->cursors);
	primitive_list_finish(&l->next);
	l->request = 0;
}

void
lister_finish(struct lister *l)
{
	forget_progress(l);
	primitive_list_finish(&l->list);
	lister_init(l, l->kind);
}

bool
lister_is_busy(const struct lister *l)
{
	return l->request != 0;
}

static const char *
method_of(const struct lister *l)
{
	return l->folder ? "resources/directory/read" : primitive_kinds[l->kind].list_method;
}

static void
primitive_fail(struct lister *l, const char *what, const char *why)
{
	size_t pages = l->next.docs.len;

	if (pages > 0)
		snprintf(l->error, sizeof(l->error), "%s, page %zu: %s%.150s", method_of(l),
		    pages + 1, what, why);
	else
		snprintf(l->error, sizeof(l->error), "%s: %s%.160s", method_of(l), what, why);
	forget_progress(l);
	l->generation++;
}

static void
complete(struct lister *l)
{
	primitive_list_number(&l->next);
	primitive_list_finish(&l->list);
	l->list = l->next;
	l->next = (struct primitive_list){ 0 };
	l->error[0] = '\0';
	l->complete = true;
	forget_progress(l);
	l->generation++;
}

static void
ask(struct lister *l, struct session *s, const char *cursor, int64_t now_ms)
{
	struct buf params = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &params);
	json_write_object(&w);
	if (l->folder)
		json_write_member_string(&w, "uri", l->folder);
	if (cursor)
		json_write_member_string(&w, "cursor", cursor);
	json_write_object_end(&w);
	l->request = session_request(s, method_of(l), buf_text(&params), params.len, now_ms);
	buf_finish(&params);
	if (!l->request)
		primitive_fail(l, "", "not connected");
}

bool
lister_is_declared(const struct lister *l, const struct session *s)
{
	const cJSON *capabilities = session_info(s)->server_capabilities;

	if (!cJSON_IsObject(capabilities))
		return l->kind == PRIMITIVE_TOOL;
	const struct primitive_kind_info *kind = &primitive_kinds[l->kind];
	return kind->extension ? session_extension(s, kind->extension) != NULL
			       : json_get(capabilities, kind->capability) != NULL;
}

void
lister_start(struct lister *l, struct session *s, int64_t now_ms)
{
	l->given_up = l->request;
	forget_progress(l);
	l->changed_ms = l->last_changed_ms = -1;
	if (l->given_up)
		session_cancel(s, l->given_up, "the list is requested again", now_ms);
	l->given_up = 0;
	l->restarted = false;
	if (!lister_is_declared(l, s)) {
		snprintf(l->next.note, sizeof(l->next.note), "the server declares no %s",
		    primitive_kinds[l->kind].extension ? primitive_kinds[l->kind].extension
						       : primitive_kinds[l->kind].capability);
		complete(l);
		return;
	}
	l->generation++;
	ask(l, s, NULL, now_ms);
}

void
lister_watch(struct lister *l, uint64_t request, bool is_later)
{
	forget_progress(l);
	l->watches = true;
	l->request = request;
	l->generation++;
	if (!is_later)
		return;
	l->next = l->list;
	l->list = (struct primitive_list){ 0 };
}

/* Is this the last page? A note says why if the list is incomplete. */
static bool
stops_here(struct lister *l, const cJSON *cursor)
{
	char *note = l->next.note;
	size_t size = sizeof(l->next.note);

	if (!cursor)
		return true;
	if (!cJSON_GetStringValue(cursor))
		snprintf(note, size, "stopped after page %zu: nextCursor is of type %s",
		    l->next.docs.len, json_type_name(json_type(cursor)));
	else if (strings_have(&l->cursors, cJSON_GetStringValue(cursor)))
		snprintf(note, size, "stopped after page %zu: the server repeats a cursor",
		    l->next.docs.len);
	else if (l->next.docs.len >= MAX_PAGES || l->next.len >= MAX_PRIMITIVES)
		snprintf(note, size, "stopped after %zu pages and %zu %s", l->next.docs.len,
		    l->next.len, primitive_kinds[l->kind].plural);
	return note[0] != '\0';
}

static void
take_page(struct lister *l, struct session *s, struct session_reply *reply, int64_t now_ms)
{
	const char *member = primitive_kinds[l->kind].list_member;
	const cJSON *page = json_get(reply->value, member);
	const cJSON *cursor = json_get(reply->value, "nextCursor");

	if (json_type(page) != JSON_ARRAY) {
		char what[80];
		snprintf(what, sizeof(what), "the result has no array of %s, `%s` is ",
		    primitive_kinds[l->kind].plural, member);
		primitive_fail(l, what, json_type_name(json_type(page)));
		return;
	}
	if (l->next.docs.len == 0)
		caching_read(&l->next.caching, reply->value);
	else
		caching_join(&l->next.caching, reply->value);
	*VEC_PUSH(&l->next.docs) = reply->doc;
	for (const cJSON *item = json_first(page); item && l->next.len < MAX_PRIMITIVES;
	     item = item->next) {
		struct primitive *p = VEC_PUSH(&l->next);
		primitive_decode(p, l->kind, reply->doc, item);
		if (l->kind == PRIMITIVE_TOOL) {
			/* Listed with the reason, but calling it is refused. */
			char why[sizeof(p->problem)];
			p->unusable = !session_tool_is_usable(s, p->definition, why, sizeof(why));
			p->broken = p->broken || p->unusable;
			if (p->unusable)
				memcpy(p->problem, why, sizeof(why));
		}
	}
	reply->doc = NULL;
	if (l->watches || stops_here(l, cursor)) {
		complete(l);
		return;
	}
	strings_add(&l->cursors, cJSON_GetStringValue(cursor));
	ask(l, s, l->cursors.items[l->cursors.len - 1], now_ms);
}

bool
lister_on_reply(struct lister *l, struct session *s, uint64_t request, struct session_reply *reply,
    int64_t now_ms)
{
	if (request == 0 || (request != l->request && request != l->given_up))
		return false;
	if (request == l->given_up)
		return true;
	l->request = 0;
	/* An invalid cursor starts the list again; a server with resources may lack resource
	 * templates. */
	bool is_error = reply->kind == REPLY_ERROR;
	if (reply->kind == REPLY_RESULT) {
		take_page(l, s, reply, now_ms);
	} else if (is_error && reply->code == ERROR_INVALID_PARAMS && l->next.docs.len > 0 &&
		   !l->restarted && !l->watches) {
		forget_progress(l);
		l->restarted = true;
		ask(l, s, NULL, now_ms);
	} else if (is_error && reply->code == ERROR_METHOD_NOT_FOUND &&
		   l->kind == PRIMITIVE_TEMPLATE) {
		snprintf(l->next.note, sizeof(l->next.note), "the server has no %s",
		    primitive_kinds[l->kind].list_method);
		complete(l);
	} else {
		l->unanswered = !reply_is_answer(reply->kind);
		primitive_fail(l, "", reply->text);
	}
	return true;
}

void
lister_on_changed(struct lister *l, int64_t now_ms)
{
	if (l->changed_ms < 0)
		l->changed_ms = now_ms;
	l->last_changed_ms = now_ms;
}

int64_t
lister_next_time(const struct lister *l)
{
	if (l->changed_ms < 0 || lister_is_busy(l))
		return INT64_MAX;
	int64_t quiet = l->last_changed_ms + QUIET_MS, patience = l->changed_ms + PATIENCE_MS;
	return quiet < patience ? quiet : patience;
}

void
lister_on_time(struct lister *l, struct session *s, int64_t now_ms)
{
	if (now_ms < lister_next_time(l))
		return;
	if (session_info(s)->state == SESSION_READY)
		lister_start(l, s, now_ms);
	else
		l->changed_ms = l->last_changed_ms = -1;
}

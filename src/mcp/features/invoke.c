#include "mcp/invoke.h"

#include "base/glyph.h"
#include "json/write.h"
#include "mcp/skill.h"
#include "mcp/uri_template.h"

#include <stdlib.h>
#include <string.h>

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

/* What cannot be shown by its whole name is not asked for. */
static void
add_argument(struct schema_writer *sw, const cJSON *argument)
{
	const char *name = json_get_string(argument, "name");

	if (!name || name[label_length(name)] != '\0')
		return;
	open_property(sw, name, json_is_true(json_get(argument, "required")));
	json_write_member_string(&sw->w, "type", "string");
	add_label(sw, argument, "title");
	add_label(sw, argument, "description");
	json_write_object_end(&sw->w);
}

static void
add_variable(struct schema_writer *sw, const struct uri_variable *v)
{
	open_property(sw, v->name, !v->optional);
	json_write_member_string(&sw->w, "type", v->explode ? "array" : "string");
	if (v->explode) {
		json_write_member_object(&sw->w, "items");
		json_write_member_string(&sw->w, "type", "string");
		json_write_object_end(&sw->w);
	}
	json_write_object_end(&sw->w);
}

/* The name of a file, one of those listed; a dynamic skill lists none. */
static void
add_file(struct schema_writer *sw, const struct primitive *p)
{
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

static void
add_properties(struct schema_writer *sw, const struct primitive *p)
{
	struct uri_variables variables = { 0 };

	if (p->kind == PRIMITIVE_PROMPT)
		for (const cJSON *a = json_first(p->arguments); a; a = a->next)
			add_argument(sw, a);
	else if (p->kind == PRIMITIVE_TEMPLATE)
		uri_template_variables(p->key, &variables, NULL);
	else if (p->kind == PRIMITIVE_SKILL && !p->unusable)
		add_file(sw, p);
	for (size_t i = 0; i < variables.len; i++)
		add_variable(sw, &variables.items[i]);
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

static bool
expand(const struct primitive *p, const char *arguments_json, size_t len, struct buf *uri,
    struct err *err)
{
	struct json_doc *doc = arguments_json ? json_parse(arguments_json, len, NULL, NULL) : NULL;
	bool ok = uri_template_expand(p->key, doc ? json_root(doc) : NULL, uri, err);

	if (ok && len > 0 && !doc)
		ok = err_set(err, "the variables are not JSON");
	json_doc_destroy(doc);
	return ok;
}

static bool
find_file(const struct primitive *p, const char *arguments_json, size_t len, struct buf *uri,
    struct err *err)
{
	struct json_doc *doc = arguments_json ? json_parse(arguments_json, len, NULL, NULL) : NULL;
	const char *file = doc ? json_get_string(json_root(doc), "file") : NULL;
	bool ok = !p->unusable || err_set(err, "%s", p->problem);

	if (ok && file)
		ok = skill_add_uri(p, file, uri, err);
	else if (ok)
		buf_add_str(uri, p->key);
	json_doc_destroy(doc);
	return ok;
}

/* The key names what is requested; arguments_json may be NULL. */
static uint64_t
request(struct session *s, const char *method, const char *key, const char *value,
    const char *arguments_json, size_t len, int64_t now_ms)
{
	struct buf params = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &params);
	json_write_object(&w);
	json_write_member_string(&w, key, value);
	if (arguments_json && len > 0) {
		json_write_key(&w, "arguments");
		json_write_raw(&w, arguments_json, len);
	}
	json_write_object_end(&w);
	uint64_t id = session_request(s, method, buf_text(&params), params.len, now_ms);
	buf_finish(&params);
	return id;
}

uint64_t
primitive_invoke(struct session *s, const struct primitive *p, const char *arguments_json,
    size_t len, struct buf *uri, int64_t now_ms, struct err *err)
{
	uint64_t id = 0;

	if (p->kind == PRIMITIVE_RESOURCE)
		buf_add_str(uri, p->key);
	else if (p->kind == PRIMITIVE_TEMPLATE && !expand(p, arguments_json, len, uri, err))
		return 0;
	else if (p->kind == PRIMITIVE_SKILL && !find_file(p, arguments_json, len, uri, err))
		return 0;
	if (p->kind == PRIMITIVE_TOOL)
		id = session_call(s,
		    &(struct session_call){ .name = p->key,
			.arguments = arguments_json,
			.len = len,
			.definition = p->definition },
		    now_ms);
	else if (p->kind == PRIMITIVE_PROMPT)
		id = request(s, "prompts/get", "name", p->key, arguments_json, len, now_ms);
	else
		id = request(s, "resources/read", "uri", buf_text(uri), NULL, 0, now_ms);
	if (id == 0)
		err_set(err, "not connected");
	return id;
}

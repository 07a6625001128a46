/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include "base/ascii.h"
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
	for (size_t i = 0; i < table->count && !(s->job && job_is_stopped(s->job)); i++) {
		s->kind = &table->kinds[i];
		s->blocks_reported = 0;
		if (s->kind->find)
			s->kind->find(s);
		for (size_t k = 0; s->kind->find_in_block && k < s->result->len; k++)
			s->kind->find_in_block(s, k, &s->result->blocks[k]);
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

/* ---- invisible characters ---- */

#define LOOKED_AT_MAX ((size_t)1 << 20) /* bytes of strings; takes some milliseconds */

struct hidden_search {
	struct buf pointer;
	size_t looked_at;
	enum glyph_kind kind; /* of the character found */
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

/* If it returns true, the pointer is that of the string. */
static bool
find_hidden_string(struct hidden_search *h, const cJSON *node)
{
	size_t len = h->pointer.len, index = 0;
	bool array = json_type(node) == JSON_ARRAY;

	if (cJSON_GetStringValue(node))
		return has_hidden(h, cJSON_GetStringValue(node));
	for (const cJSON *m = json_first(node); m && h->looked_at < LOOKED_AT_MAX;
	     m = m->next, index++) {
		if (array)
			json_pointer_add_index(&h->pointer, index);
		else
			json_pointer_add_key(&h->pointer, m->string);
		if ((!array && has_hidden(h, m->string)) || find_hidden_string(h, m))
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
	if (find_hidden_string(&h, node))
		finding_add(s, buf_text(&h.pointer), "this string has %s",
		    h.kind == GLYPH_CONTROL ? "control characters"
					    : "invisible or bidirectional control characters");
	buf_finish(&h.pointer);
}

/* ---- flaws of the schemas ---- */

/* Check the schema in this member of the definition. */
static void
find_in(struct schema_findings *f, const struct primitive *p, const char *name,
    struct schema_library *library)
{
	const cJSON *schema = json_get(p->definition, name);
	size_t from = f->len;

	if (!schema)
		return;
	schema_find(f, schema, &(struct schema_options){ .library = library });
	for (size_t i = from; i < f->len; i++) {
		char *inside = f->items[i].pointer;
		if (*inside != '\0' && *inside != '/')
			continue; /* in another document */
		f->items[i].pointer = mem_printf("/%s%s", name, inside);
		free(inside);
	}
}

void
definition_find(
    struct schema_findings *f, const struct primitive *p, struct schema_library *library)
{
	const char *type = json_get_string(p->input_schema, "type");

	if (p->kind != PRIMITIVE_TOOL)
		return;
	if (p->input_schema && (!type || strcmp(type, "object") != 0))
		schema_findings_add(f, true, "/inputSchema",
		    mem_strdup("the type must be \"object\", because arguments are an object"));
	find_in(f, p, "inputSchema", library);
	find_in(f, p, "outputSchema", library);
}

/* Both rows about schemas use it: one for errors, one for the rest. */
static void
find_schema_flaws(struct finding_search *s)
{
	bool errors = s->kind->severity == FINDING_ERROR;

	for (size_t i = 0; i < s->flaws->len; i++)
		if (s->flaws->items[i].error == errors)
			finding_add(s, s->flaws->items[i].pointer, "%s", s->flaws->items[i].text);
	if (!errors)
		s->out->rest += s->flaws->rest;
}

/* ---- the definition itself ---- */

static void
find_broken(struct finding_search *s)
{
	if (s->tool->broken || s->tool->unusable)
		finding_add(s, "", "%s", s->tool->problem);
}

static void
find_twice(struct finding_search *s)
{
	if (s->tool->of > 1)
		finding_add(s, "/name", "%zu tools have this name: a call reaches one of them",
		    s->tool->of);
}

static void
find_name(struct finding_search *s)
{
	const char *name = json_get_string(s->tool->definition, "name");
	size_t len = name ? strlen(name) : 0;

	if (!name)
		return;
	if (len > 128)
		finding_add(s, "/name", "the name is %zu characters long, more than 128", len);
	else if (name[strspn(name, ASCII_ALNUM "_-.")] || len == 0)
		finding_add(s, "/name", "the name has other characters than A-Z a-z 0-9 _ - .");
}

static void
find_no_description(struct finding_search *s)
{
	const char *text = json_get_string(s->tool->definition, "description");

	if (!text || !text[strspn(text, " \t\r\n")])
		finding_add(s, "/description",
		    "no description: a model knows the tool only by its name and schema");
}

static void
find_hints(struct finding_search *s)
{
	if (s->tool->read_only == HINT_TRUE && s->tool->destructive == HINT_TRUE)
		finding_add(s, "/annotations/destructiveHint",
		    "readOnlyHint and destructiveHint are both true");
}

static void
find_hidden(struct finding_search *s)
{
	finding_add_hidden(s, s->tool->definition, "");
}

/* The schema has members of CallToolResult, or `content` as an array of blocks. */
static void
find_result_schema(struct finding_search *s)
{
	const cJSON *properties = json_get(s->tool->output_schema, "properties");
	const cJSON *content = json_get(properties, "content");
	const char *type = json_get_string(content, "type");

	if (!content || !type || strcmp(type, "array") != 0)
		return;
	if (json_get(properties, "isError") || json_get(properties, "structuredContent") ||
	    json_get(json_get(json_get(content, "items"), "properties"), "type"))
		finding_add(s, "/outputSchema/properties/content",
		    "the outputSchema describes the result itself (content%s), not "
		    "structuredContent",
		    json_get(properties, "isError") ? ", isError" : "");
}

static void
find_not_object(struct finding_search *s)
{
	const char *type = json_get_string(s->tool->output_schema, "type");

	if (s->tool->output_schema && (!type || strcmp(type, "object") != 0))
		finding_add(s, "/outputSchema",
		    "the outputSchema does not have the type \"object\": clients before 2026-07-28 "
		    "may refuse the list of tools");
}

/* ---- examples and defaults ---- */

#define SCHEMAS_MAX 2000 /* examined */

struct example_search {
	struct finding_search *s;
	struct schema_parts *parts;
	struct buf pointer;
	size_t looked_at;
};

static void
check_example(struct example_search *e, const cJSON *part, const cJSON *value, const char *what)
{
	const struct check_options few = { .max_steps = 20000, .max_violations = 1 };
	struct report *r = schema_check_part(e->parts, part, value, &few);
	struct buf text = BUF_INIT;

	if (r && report_facts(r)->outcome == SCHEMA_INVALID) {
		report_line(r, 0, &text);
		finding_add(e->s, buf_text(&e->pointer), "%s breaks its own schema: %s", what,
		    buf_text(&text));
	}
	buf_finish(&text);
	report_destroy(r);
}

static void
check_examples(struct example_search *e, const cJSON *part)
{
	const cJSON *examples = json_get(part, "examples"), *value = json_get(part, "default");
	size_t len = e->pointer.len, index = 0;

	if (value) {
		json_pointer_add_key(&e->pointer, "default");
		check_example(e, part, value, "the default");
		buf_truncate(&e->pointer, len);
	}
	if (json_type(examples) != JSON_ARRAY)
		return;
	json_pointer_add_key(&e->pointer, "examples");
	size_t inside = e->pointer.len;
	for (const cJSON *x = json_first(examples); x && index < 20; x = x->next) {
		json_pointer_add_index(&e->pointer, index++);
		check_example(e, part, x, "the example");
		buf_truncate(&e->pointer, inside);
	}
	buf_truncate(&e->pointer, len);
}

/* All objects: schema_check_part() knows which of them are subschemas. */
static void
walk(struct example_search *e, const cJSON *node)
{
	size_t len = e->pointer.len, index = 0;
	bool array = json_type(node) == JSON_ARRAY;

	if (e->looked_at++ > SCHEMAS_MAX)
		return;
	if (cJSON_IsObject(node))
		check_examples(e, node);
	for (const cJSON *m = json_first(node); m; m = m->next) {
		if (array)
			json_pointer_add_index(&e->pointer, index++);
		else
			json_pointer_add_key(&e->pointer, m->string);
		if (json_first(m))
			walk(e, m);
		buf_truncate(&e->pointer, len);
	}
}

static void
find_examples_in(struct finding_search *s, const cJSON *root, const char *pointer)
{
	struct schema *schema = root ? schema_compile(root, NULL, NULL) : NULL;
	struct example_search e = { .s = s, .pointer = { .max = 4096 } };

	if (!schema)
		return;
	e.parts = schema_parts_create(schema);
	buf_add_str(&e.pointer, pointer);
	walk(&e, root);
	schema_parts_destroy(e.parts);
	schema_destroy(schema);
	buf_finish(&e.pointer);
}

static void
find_examples(struct finding_search *s)
{
	find_examples_in(s, s->tool->input_schema, "/inputSchema");
	find_examples_in(s, s->tool->output_schema, "/outputSchema");
}

/* ---- the table ---- */

static const struct finding_kind OF_TOOLS[] = {
	{ "definition-broken", FINDING_ERROR, find_broken, "Tool (schema#Tool)",
	    .mend = "return the members that the schema of a tool requires" },
	{ "schema-broken", FINDING_ERROR, find_schema_flaws,
	    "inputSchema \"MUST be a valid JSON Schema object (not null)\" (2025-11-25 and later, "
	    "server/tools#tool); the metaschema of the dialect",
	    .mend = "correct the schema at this place" },
	{ "name-twice", FINDING_WARNING, find_twice,
	    "\"Tool names SHOULD be unique within a server.\" (2025-11-25 and later, "
	    "server/tools#tool-names)",
	    .mend = "rename one" },
	{ "name-characters", FINDING_WARNING, find_name,
	    "\"Tool names SHOULD be between 1 and 128 characters in length\"; letters, digits, _ - "
	    ". \"SHOULD be the only allowed characters\" (2025-11-25 and later, "
	    "server/tools#tool-names)",
	    .mend = "rename the tool; put other words into its title" },
	{ "schema-describes-result", FINDING_WARNING, find_result_schema,
	    "outputSchema: \"Optional JSON Schema defining expected output structure\", which is "
	    "structuredContent (2025-06-18 and later, server/tools#tool)",
	    .mend = "describe the value of structuredContent alone" },
	{ "hints-contradict", FINDING_WARNING, find_hints,
	    "destructiveHint \"is meaningful only when readOnlyHint == false\" (2025-03-26 and "
	    "later, schema#ToolAnnotations)",
	    .mend = "leave one of them out" },
	{ "example-invalid", FINDING_WARNING, find_examples,
	    "\"It is RECOMMENDED that a default value be valid against the associated schema.\" "
	    "(JSON Schema 2020-12 validation, section 9.2; examples: 9.5)",
	    .mend = "change the value or its schema" },
	{ "hidden-text", FINDING_WARNING, find_hidden,
	    NO_SENTENCE ": a model reads what no person sees", .mend = "remove these characters",
	    .any_kind = true },
	{ "schema-oddity", FINDING_WARNING, find_schema_flaws,
	    "the metaschema of the dialect (2025-11-25 and later, basic#json-schema-usage); JSON "
	    "Schema ignores unknown keywords",
	    .mend = "use a keyword of this dialect" },
	{ "output-not-object", FINDING_NOTE, find_not_object,
	    "outputSchema?: { $schema?: string; [key: string]: unknown } (2026-07-28, schema#Tool; "
	    "with type: \"object\" before)",
	    .mend = "put the value into an object if older clients matter" },
	{ "description-missing", FINDING_NOTE, find_no_description,
	    "description: \"Human-readable description of functionality\" (server/tools#tool)",
	    .mend = "say what the tool does and when to use it" },
};

const struct finding_table findings_about_tool = { OF_TOOLS, ARRAY_LEN(OF_TOOLS) };

void
findings_of_tool(struct findings *f, const struct primitive *tool, struct schema_library *library)
{
	struct schema_findings flaws = { 0 };
	struct finding_search s = { .out = f, .tool = tool, .flaws = &flaws };

	if (tool->kind == PRIMITIVE_TOOL) {
		definition_find(&flaws, tool, library);
		findings_run(&s, &findings_about_tool);
		findings_run(&s, &findings_about_app_tool);
		schema_findings_finish(&flaws);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(OF_TOOLS); i++)
		if (OF_TOOLS[i].any_kind)
			findings_run(&s, &(struct finding_table){ &OF_TOOLS[i], 1 });
}

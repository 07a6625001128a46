#include "mcp/tools.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first problem found is the one told. */
static void __attribute__((format(printf, 2, 3)))
add_problem(struct tool *t, const char *format, ...)
{
	va_list args;

	if (t->broken)
		return;
	t->broken = true;
	va_start(args, format);
	vsnprintf(t->problem, sizeof(t->problem), format, args);
	va_end(args);
}

static const char *
read_text(struct tool *t, const cJSON *object, const char *key, const char *where)
{
	const cJSON *node = json_get(object, key);

	if (node && !json_string(node))
		add_problem(t, "%s%s must be a string, but is of type %s", where, key,
		    json_type_name(json_type(node)));
	return json_string(node);
}

static enum hint
read_hint(struct tool *t, const cJSON *annotations, const char *key)
{
	const cJSON *node = json_get(annotations, key);

	if (!node)
		return HINT_ABSENT;
	if (json_type(node) != JSON_BOOLEAN) {
		add_problem(t, "annotations.%s must be true or false, but is of type %s", key,
		    json_type_name(json_type(node)));
		return HINT_ABSENT;
	}
	return json_is_true(node) ? HINT_TRUE : HINT_FALSE;
}

static void
read_name(struct tool *t)
{
	const cJSON *name = json_get(t->definition, "name");

	if (!name)
		add_problem(t, "the tool has no name");
	else if (!json_string(name))
		add_problem(
		    t, "name must be a string, but is of type %s", json_type_name(json_type(name)));
	else if (!*json_string(name))
		add_problem(t, "the name is empty");
	t->has_name = json_string(name) && *json_string(name);
	if (t->has_name)
		t->name = json_string(name);
}

static void
read_annotations(struct tool *t)
{
	const cJSON *annotations = json_get(t->definition, "annotations");

	if (annotations && json_type(annotations) != JSON_OBJECT)
		add_problem(t, "annotations must be an object, but is of type %s",
		    json_type_name(json_type(annotations)));
	t->annotation_title = read_text(t, annotations, "title", "annotations.");
	t->read_only = read_hint(t, annotations, "readOnlyHint");
	t->destructive = read_hint(t, annotations, "destructiveHint");
	t->idempotent = read_hint(t, annotations, "idempotentHint");
	t->open_world = read_hint(t, annotations, "openWorldHint");
}

static void
read_schemas(struct tool *t)
{
	const cJSON *input = json_get(t->definition, "inputSchema");
	const cJSON *output = json_get(t->definition, "outputSchema");

	if (json_type(input) == JSON_OBJECT)
		t->input_schema = input;
	else if (!input)
		add_problem(t, "the tool has no inputSchema");
	else
		add_problem(t, "inputSchema must be an object, but is of type %s",
		    json_type_name(json_type(input)));
	if (json_type(output) == JSON_OBJECT || json_type(output) == JSON_BOOLEAN)
		t->output_schema = output;
	else if (output)
		add_problem(t, "outputSchema must be an object, but is of type %s",
		    json_type_name(json_type(output)));
}

void
tool_decode(struct tool *t, const cJSON *definition)
{
	*t = (struct tool){ .name = "(no name)", .definition = definition, .of = 1 };
	if (json_type(definition) != JSON_OBJECT) {
		add_problem(t, "the definition must be an object, but is of type %s",
		    json_type_name(json_type(definition)));
		return;
	}
	read_name(t);
	t->title = read_text(t, definition, "title", "");
	t->description = read_text(t, definition, "description", "");
	read_schemas(t);
	read_annotations(t);
}

const char *
tool_label(const struct tool *t)
{
	if (t->title && *t->title)
		return t->title;
	if (t->annotation_title && *t->annotation_title)
		return t->annotation_title;
	return t->name;
}

void
tool_list_finish(struct tool_list *list)
{
	for (size_t i = 0; i < list->docs.len; i++)
		json_doc_destroy(list->docs.items[i]);
	free(list->docs.items);
	free(list->items);
	*list = (struct tool_list){ 0 };
}

const struct tool *
tool_list_find(const struct tool_list *list, const char *name, size_t nth)
{
	for (size_t i = 0; i < list->len; i++)
		if (list->items[i].nth == nth && strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	return NULL;
}

size_t
tool_list_memory(const struct tool_list *list)
{
	size_t bytes = list->cap * sizeof(list->items[0]);

	for (size_t i = 0; i < list->docs.len; i++)
		bytes += json_doc_memory(list->docs.items[i]);
	return bytes;
}

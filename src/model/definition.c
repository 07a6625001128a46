#include "model/definition.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The pointers of what was found from `from` on are in the member `name` of the definition. */
static void
move_below(struct schema_findings *f, size_t from, const char *name)
{
	for (size_t i = from; i < f->len; i++) {
		char *inside = f->items[i].pointer;
		if (*inside != '\0' && *inside != '/')
			continue; /* in another document */
		f->items[i].pointer = mem_printf("/%s%s", name, inside);
		free(inside);
	}
}

static void
find_in(struct schema_findings *f, const struct offer *o, const char *name,
    struct schema_library *library)
{
	const cJSON *schema = json_get(o->definition, name);
	size_t from = f->len;

	if (!schema)
		return;
	schema_find(f, schema, &(struct schema_options){ .library = library });
	move_below(f, from, name);
}

/* Server features, tools: the arguments are an object. */
static void
find_type(struct schema_findings *f, const struct offer *o)
{
	const char *type = json_get_string(o->input_schema, "type");

	if (o->input_schema && (!type || strcmp(type, "object") != 0))
		schema_findings_add(f, true, "/inputSchema",
		    mem_strdup("the type has to be \"object\": arguments are one"));
}

void
definition_find(struct schema_findings *f, const struct offer *o, struct schema_library *library)
{
	if (o->kind != OFFER_TOOL)
		return;
	find_type(f, o);
	find_in(f, o, "inputSchema", library);
	find_in(f, o, "outputSchema", library);
}

size_t
definition_errors(const struct schema_findings *f)
{
	size_t errors = 0;

	for (size_t i = 0; i < f->len; i++)
		errors += f->items[i].error;
	return errors;
}

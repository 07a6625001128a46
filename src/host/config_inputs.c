#include "config_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* The label is for people, the value for the server; VS Code has plain strings only. */
static char **
read_options(const cJSON *input)
{
	const cJSON *options = json_get(input, "options");
	char **texts = mem_zalloc((json_count(options) + 1) * sizeof(*texts));
	size_t n = 0;

	for (const cJSON *o = json_first(options); o; o = o->next)
		if (json_string(o))
			texts[n++] = mem_strdup(json_string(o));
	if (n > 0)
		return texts;
	free(texts);
	return NULL;
}

static const cJSON *
find(const cJSON *inputs, const char *id)
{
	for (const cJSON *i = json_first(inputs); i; i = i->next) {
		const char *name = json_get_string(i, "id");
		if (name && strcmp(name, id) == 0)
			return i;
	}
	return NULL;
}

static bool
is_noted(const struct target *t, const char *id)
{
	for (size_t i = 0; i < t->inputs.len; i++)
		if (strcmp(t->inputs.items[i].id, id) == 0)
			return true;
	return false;
}

static bool
note(struct target *t, const cJSON *input, const char *id)
{
	const char *type = json_get_string(input, "type");
	const char *description = json_get_string(input, "description");
	bool pick = type && strcmp(type, "pickString") == 0;

	if (!input) {
		config_trouble(t, "no input has the id %s", id);
		return false;
	}
	if (type && !pick && strcmp(type, "promptString") != 0) {
		config_trouble(t, "input %s is of type %s, which cannot be asked for", id, type);
		return false;
	}
	*VEC_PUSH(&t->inputs) = (struct target_input){
		.id = mem_strdup(id),
		.description = mem_strdup(description ? description : ""),
		.otherwise = mem_strdup(json_get_string(input, "default")),
		.options = pick ? read_options(input) : NULL,
		.password = json_is_true(json_get(input, "password")),
	};
	return true;
}

bool
config_note_input(struct target *t, const char *id, size_t len, const struct config_scope *scope)
{
	char *name = mem_strndup(id, len);
	bool ok = is_noted(t, name) || note(t, find(scope->inputs, name), name);

	free(name);
	return ok;
}

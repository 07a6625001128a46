#include "compile_priv.h"

/* $defs and definitions check nothing, but have to hold schemas. */
bool
compile_definitions(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	if (json_type(value) != JSON_OBJECT)
		return compile_fail(k, value, "%s must be an object", keyword->name);
	for (const cJSON *c = json_first(value); c; c = c->next)
		if (!compile_child(k, c))
			return false;
	return true;
}

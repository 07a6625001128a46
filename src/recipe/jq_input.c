#include "state.h"

#include "base/ascii.h"
#include "json/print.h"

#include <string.h>

/* The next variable that the text names as $name; NULL: there is none. */
static const struct variable *
next_named(const char **text, const struct variables *v)
{
	while ((*text = strchr(*text, '$'))) {
		const char *name = ++*text;
		size_t len = 0;
		while (ascii_is_alnum((unsigned char)name[len]) || name[len] == '_')
			len++;
		*text += len;
		const struct variable *found = len > 0 ? variables_find(v, name, len) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

void
expression_add_named(const char *text, const struct variables *v, struct variables *named)
{
	const struct variable *found;

	while ((found = next_named(&text, v)))
		if (!variables_find(named, found->name, strlen(found->name)))
			variables_set(named, found->name,
			    found->doc ? json_doc_ref(found->doc) : NULL, found->value);
}

/* jq gets {"v": {"name": ...}, "i": input}, and the expression after
 * .v as {$name, ...} | .i | ( */
bool
expression_make(struct recipe_expression *e, const char *text, const cJSON *current,
    const struct variables *v, struct buf *value, struct err *err)
{
	struct variables named = { 0 };

	buf_finish(&e->whole);
	e->text = text;
	expression_add_named(text, v, &named);
	buf_finish(value);
	buf_init(value, QUERY_MAX_BYTES);
	for (size_t i = 0; i < named.len; i++) {
		buf_addf(&e->whole, "%s$%s", i ? "," : ".v as {", named.items[i].name);
		buf_addf(value, "%s\"%s\":", i ? "," : "{\"v\":{", named.items[i].name);
		json_print(value, named.items[i].value);
	}
	if (named.len > 0) {
		buf_add_str(&e->whole, "} | .i | (");
		buf_add_str(value, "},\"i\":");
	}
	e->prefix = e->whole.len;
	buf_add_str(&e->whole, text);
	if (current)
		json_print(value, current);
	else
		buf_add_str(value, "null");
	if (named.len > 0) {
		buf_add_str(&e->whole, EXPRESSION_END);
		buf_add_char(value, '}');
	}
	variables_finish(&named);
	return !value->overflowed ||
	       err_set(err, "the value for jq is larger than %zu MiB", QUERY_MAX_BYTES >> 20);
}

bool
expression_read(
    const struct recipe_expression *e, const struct query_answer *answer, struct buf *reason)
{
	if (answer->trouble.text[0] == '\0' && !answer->more)
		return true;
	if (answer->more) {
		buf_addf(reason, "jq %s: there are more than %zu results, or more than %zu MiB",
		    e->text, QUERY_MAX_RESULTS, QUERY_MAX_ANSWER >> 20);
		return false;
	}
	buf_addf(reason, "jq %s: %s", e->text, answer->trouble.text);
	if (answer->at != QUERY_NOWHERE && answer->at >= e->prefix &&
	    answer->at - e->prefix <= strlen(e->text))
		buf_addf(reason, " (at character %zu)", answer->at - e->prefix + 1);
	return false;
}

bool
results_are_true(const cJSON *results)
{
	const cJSON *result = json_first(results);

	for (; result; result = result->next)
		if (json_type(result) == JSON_NULL ||
		    (json_type(result) == JSON_BOOLEAN && !json_is_true(result)))
			return false;
	return json_first(results) != NULL;
}

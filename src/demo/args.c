#include "demo_priv.h"

#include "json/number.h"
#include "json/print.h"

#include <string.h>

static bool
refuse(struct demo_call *call, const char *name, const char *expected, const cJSON *given)
{
	struct buf brief = BUF_INIT;

	json_print_brief(&brief, given, 60);
	demo_fail(call, "%s must be %s, not %s.", name, expected, buf_text(&brief));
	buf_finish(&brief);
	return false;
}

bool
demo_arg_size(struct demo_call *call, const char *name, size_t min, size_t max, size_t *value)
{
	const cJSON *given = json_get(call->arguments, name);
	size_t number = 0;

	if (!given)
		return true;
	if (json_type(given) == JSON_NUMBER && json_number_to_size(given, max, &number) &&
	    number >= min) {
		*value = number;
		return true;
	}
	struct buf expected = BUF_INIT;
	buf_addf(&expected, "a whole number from %zu to %zu", min, max);
	refuse(call, name, buf_text(&expected), given);
	buf_finish(&expected);
	return false;
}

bool
demo_arg_bool(struct demo_call *call, const char *name, bool *value)
{
	const cJSON *given = json_get(call->arguments, name);

	if (!given)
		return true;
	if (json_type(given) != JSON_BOOLEAN)
		return refuse(call, name, "true or false", given);
	*value = json_is_true(given);
	return true;
}

bool
demo_arg_text(struct demo_call *call, const char *name, const char **value)
{
	const cJSON *given = json_get(call->arguments, name);

	if (!given)
		return true;
	if (json_type(given) != JSON_STRING)
		return refuse(call, name, "a string", given);
	*value = json_string(given);
	return true;
}

bool
demo_arg_choice(struct demo_call *call, const char *name, const char *const *choices, size_t *value)
{
	const cJSON *given = json_get(call->arguments, name);
	const char *text = json_string(given);

	if (!given)
		return true;
	for (size_t i = 0; text && choices[i]; i++)
		if (strcmp(text, choices[i]) == 0) {
			*value = i;
			return true;
		}
	struct buf expected = BUF_INIT;
	buf_add_str(&expected, "one of ");
	for (size_t i = 0; choices[i]; i++)
		buf_addf(&expected, "%s%s", i ? ", " : "", choices[i]);
	refuse(call, name, buf_text(&expected), given);
	buf_finish(&expected);
	return false;
}

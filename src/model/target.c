#include "model/target.h"

#include "base/mem.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

const char *
target_shown(const struct target *t, const char *text)
{
	for (size_t i = 0; i < t->shown.len; i++)
		if (t->shown.items[i].text == text)
			return t->shown.items[i].shown;
	return text;
}

static bool
is_option(char *const *options, const char *value)
{
	while (*options && strcmp(*options, value) != 0)
		options++;
	return *options != NULL;
}

/* "from 1 to 5", "at least 1", "at most 5" */
static bool
refuse_number(const struct target_input *input, const char *value, struct err *err)
{
	const char *least = input->least, *most = input->most;

	if (least && most)
		return err_set(err, "%.60s is not from %.40s to %.40s", value, least, most);
	return err_set(err, "%.60s is %s %.40s", value, least ? "less than" : "more than",
	    least ? least : most);
}

static bool
takes_number(const struct target_input *input, const char *value, struct err *err)
{
	if (!json_is_number_text(value, strlen(value)))
		return err_set(err, *value ? "%.60s is not a number" : "a number is needed%s", value);
	double number = strtod(value, NULL);
	bool fits = !(input->least && number < strtod(input->least, NULL)) &&
		    !(input->most && number > strtod(input->most, NULL));
	return fits || refuse_number(input, value, err);
}

bool
target_input_takes(const struct target_input *input, const char *value, struct err *err)
{
	bool empty = !*value && input->otherwise && !*input->otherwise;

	if (input->options && !is_option(input->options, value))
		return err_set(err, "%.60s is not one of the choices", value);
	if (!input->number || empty) /* it need not have a value */
		return true;
	if (!input->multiple)
		return takes_number(input, value, err);
	for (bool more = true; more;) {
		size_t len = strcspn(value, ",");
		char *part = mem_strndup(value, len);
		bool ok = takes_number(input, part, err);
		free(part);
		if (!ok)
			return false;
		more = value[len] == ',';
		value += len + more;
	}
	return true;
}

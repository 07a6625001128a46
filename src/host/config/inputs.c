#include "host/inputs.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

void
inputs_finish(struct inputs *in)
{
	for (size_t i = 0; i < in->len; i++) {
		explicit_bzero(in->items[i].value, strlen(in->items[i].value));
		free(in->items[i].file);
		free(in->items[i].id);
		free(in->items[i].value);
	}
	free(in->items);
	*in = (struct inputs){ 0 };
}

void
inputs_set(struct inputs *in, const char *file, const char *id, const char *value)
{
	secret_shield_process(); /* most values are passwords and keys */
	*VEC_PUSH(in) = (struct input_value){ mem_strdup(file), mem_strdup(id), mem_strdup(value) };
}

static const char *
in_environment(const char *id)
{
	char *name = mem_printf("MCPANE_INPUT_%s", id);

	for (char *at = name; *at; at++)
		*at = ascii_is_alnum(*at) ? (char)ascii_upper(*at) : '_';
	const char *value = getenv(name);
	free(name);
	return value;
}

/* ---- values that an input takes ---- */

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
		return err_set(
		    err, *value ? "%.60s is not a number" : "a number is needed%s", value);
	double number = strtod(value, NULL);
	bool fits = !(input->least && number < strtod(input->least, NULL)) &&
		    !(input->most && number > strtod(input->most, NULL));
	return fits || refuse_number(input, value, err);
}

bool
inputs_take(const struct target_input *input, const char *value, struct err *err)
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

/* ---- the values ---- */

/* The latest value counts. */
const char *
inputs_find(const struct inputs *in, const char *file, const char *id)
{
	for (size_t i = in->len; i-- > 0;) {
		const struct input_value *v = &in->items[i];
		if (strcmp(v->id, id) == 0 && (!v->file || (file && strcmp(v->file, file) == 0)))
			return v->value;
	}
	return in_environment(id);
}

const struct target_input *
inputs_missing(const struct inputs *in, const struct target *t)
{
	for (size_t i = 0; i < t->inputs.len; i++) {
		const char *value = inputs_find(in, t->file, t->inputs.items[i].id);
		if (!value || !inputs_take(&t->inputs.items[i], value, NULL))
			return &t->inputs.items[i];
	}
	return NULL;
}

struct look_up {
	const struct inputs *in;
	const char *file;
};

static const char *
value_of(void *user, const struct target_input *input)
{
	const struct look_up *l = user;

	return inputs_find(l->in, l->file, input->id);
}

bool
inputs_fill(const struct inputs *in, struct target *out, const struct target *t, struct err *err)
{
	struct look_up l = { in, t->file };

	return target_fill(out, t, value_of, &l, err);
}

/* SPDX-License-Identifier: MIT */
#include "any_form.h"

#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct form *
new_form(const char *schema)
{
	struct json_doc *doc = parse_quoted(schema);
	struct form *form = form_create(doc, json_root(doc), FORM_DEFAULTS_SHOWN);

	json_doc_destroy(doc); /* the form keeps its own copy */
	return form;
}

struct field *
field_of(const struct form *form, const char *path)
{
	struct field *field = form_find(form, path);

	if (!field)
		fail_msg("no field %s", path);
	return field;
}

void
fill_form(struct form *form, const char *json)
{
	char *text = quoted(json);

	assert_true(form_load_json(form, text, strlen(text), NULL));
	free(text);
}

void
set_field(struct form *form, const char *path, const char *json)
{
	struct err err = { "" };
	char *text = quoted(json);

	if (!form_set(form, path, text, FORM_EXTRA_ADDED, &err))
		fail_msg("set %s: %s", path, err.text);
	free(text);
}

void
assert_form_json(const struct form *form, const char *expected)
{
	struct buf out = BUF_INIT;
	char *text = quoted(expected);

	form_to_json(form, &out);
	assert_string_equal(buf_text(&out), text);
	buf_finish(&out);
	free(text);
}

void
assert_problem(const struct form *form, const char *path, const char *part)
{
	const char *problem = field_view(field_of(form, path)).problem;

	if (!problem || !strstr(problem, part))
		fail_msg("%s: \"%s\", not \"%s\"", path, problem ? problem : "no problem", part);
}

void
assert_facts(const struct form *form, const char *path, const char *expected)
{
	struct buf out = BUF_INIT;

	field_facts(field_of(form, path), &out);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

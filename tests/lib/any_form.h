/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ANY_FORM_H
#define TESTS_ANY_FORM_H

#include "form/form.h"

/* Helpers for tests of forms. Schemas and values are JSON in which ' may replace "; a path has the
 * syntax of form_find(). */
struct form *new_form(const char *schema); /* free with form_destroy() */
struct field *field_of(const struct form *form, const char *path);
void fill_form(struct form *form, const char *json);
void set_field(struct form *form, const char *path, const char *json);
void assert_form_json(const struct form *form, const char *expected);
void assert_facts(const struct form *form, const char *path, const char *expected);
/* Fails unless the problem reported for the field contains part. */
void assert_problem(const struct form *form, const char *path, const char *part);

#define assert_kind(form, path, expected) \
	assert_int_equal(field_view(field_of(form, path)).kind, expected)

#endif

/* SPDX-License-Identifier: MIT */
/* A schema, a NUL, then an edit script: one line per edit, a letter and its arguments. After any
 * script the form prints as JSON (unless it is edited as text) and loads again with the same
 * value. */
#include "fuzz.h"

#include "form/form.h"

#include <stdlib.h>
#include <string.h>

static void
print_all(const struct form *form)
{
	struct buf text = { .max = 1 << 16 };
	const char *names[4];

	for (size_t i = 0; i < form_row_count(form) && i < 50; i++) {
		struct form_row row = form_row_at(form, i);
		buf_clear(&text);
		field_facts(row.field, &text);
		field_value_facts(row.field, &text);
		if (field_view(row.field).variant_count > 0)
			buf_add_str(
			    &text, field_variant_name(row.field, field_view(row.field).variant));
		field_brief(row.field, 20, &text);
		field_rules(row.field, i % 2, &text);
		field_free_names(row.field, names, 4);
		if (field_sent_type(row.field))
			buf_add_str(&text, field_sent_type(row.field));
		field_inferred_text(row.field, &text);
		field_pointer(row.field, &text);
	}
	buf_finish(&text);
}

static struct field *
row_field(const struct form *form, unsigned char pick)
{
	size_t rows = form_row_count(form);

	return rows ? form_row_at(form, pick % rows).field : form_view(form).root;
}

static void
split_set(struct form *form, const char *line, bool typed)
{
	char path[64];
	const char *space = strchr(line, ' ');
	size_t len = space ? (size_t)(space - line) : strlen(line);
	struct err err;

	if (len >= sizeof(path))
		return;
	memcpy(path, line, len);
	path[len] = 0;
	const char *value = space ? space + 1 : "";
	if (typed)
		form_set_typed(form, path, value, &err);
	else
		form_set(form, path, value, len % 2 ? FORM_EXTRA_ADDED : FORM_EXTRA_REFUSED, &err);
}

static void
edit(struct form *form, const char *line, size_t len)
{
	unsigned char pick = len > 1 ? (unsigned char)line[1] : 0;
	const char *rest = len > 2 ? line + 2 : "";
	struct field *field = row_field(form, pick);
	struct err err;

	switch (line[0]) {
	case 's':
		split_set(form, len > 1 ? line + 1 : "", false);
		break;
	case 't':
		field_set_text(field, rest, strlen(rest));
		break;
	case 'b':
		field_set_on(field, *rest == '1');
		break;
	case 'c':
		field_set_choice(field, (unsigned char)*rest);
		break;
	case 'o':
		field_set_state(field, FIELD_OMITTED);
		break;
	case 'n':
		field_set_state(field, FIELD_NULL);
		break;
	case 'v':
		field_set_state(field, FIELD_SET);
		break;
	case 'j':
		field_as_json(field, true, NULL);
		break;
	case 'w':
		field_as_json(field, false, NULL);
		break;
	case 'a':
		field_add_item(field, (unsigned char)*rest);
		break;
	case 'r':
		field_remove(field);
		break;
	case 'm':
		field_move(field, (signed char)*rest);
		break;
	case 'f':
		field_fold(field, *rest == '1');
		break;
	case 'x':
		field_reset(field);
		break;
	case 'l':
		form_load_json(form, line + 1, len - 1, NULL);
		break;
	case 'k':
		form_check(form);
		break;
	case 'V':
		field_set_variant(field, (unsigned char)*rest % 16);
		break;
	case 'e':
		field_add_entry(field, rest, &err);
		break;
	case 'R':
		field_rename(field, rest, &err);
		break;
	case 'A':
		form_adapt(form);
		break;
	case 'i':
		field_set_inferred(field, rest, strlen(rest), false);
		break;
	case 'T':
		field_switch_type(field);
		break;
	case 'S':
		split_set(form, len > 1 ? line + 1 : "", true);
		break;
	default:
		form_load_raw(form, line, len);
		break;
	}
}

static void
check_round_trip(struct form *form)
{
	struct buf first = BUF_INIT, second = BUF_INIT;

	if (form_to_json(form, &first)) {
		if (!form_load_json(form, buf_text(&first), first.len, NULL))
			abort();
		form_to_json(form, &second);
		/* the order may have become the schema's: nothing else */
		if (first.len != second.len)
			abort();
	}
	buf_finish(&first);
	buf_finish(&second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *end = memchr(text, 0, size);
	size_t schema_len = end ? (size_t)(end - text) : size;
	struct json_doc *doc = json_parse(text, schema_len, NULL, NULL);
	struct form *form = form_create(
	    doc, doc ? json_root(doc) : NULL, size % 2 ? FORM_DEFAULTS_SHOWN : FORM_DEFAULTS_SENT);

	json_doc_destroy(doc);
	for (size_t at = schema_len + 1; at < size;) {
		const char *stop = memchr(text + at, '\n', size - at);
		size_t len = stop ? (size_t)(stop - text) - at : size - at;
		char *line = malloc(len + 1);
		memcpy(line, text + at, len);
		line[len] = 0;
		edit(form, line, len);
		print_all(form);
		free(line);
		at += len + 1;
	}
	form_check(form);
	check_round_trip(form);
	form_destroy(form);
	return 0;
}

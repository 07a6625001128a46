#include "form_priv.h"

#include "json/print.h"

#include <string.h>

/* A field as a text of its own: what goes into an editor or comes from a file. */

bool
field_is_base64(const struct field *field)
{
	const char *encoding = shape_get_string(field->shape, "contentEncoding");
	const char *format = shape_get_string(field->shape, "format");

	return (encoding && strcmp(encoding, "base64") == 0) ||
	       (format && (strcmp(format, "byte") == 0 || strcmp(format, "binary") == 0));
}

const char *
field_example(const struct field *field, size_t index)
{
	const cJSON *examples = shape_get(field->shape, "examples");

	if (json_type(examples) != JSON_ARRAY)
		return NULL;
	for (const cJSON *e = json_first(examples); e; e = e->next)
		if (json_string(e) && index-- == 0)
			return json_string(e);
	return NULL;
}

void
field_to_text(const struct field *field, struct buf *out)
{
	struct buf json = BUF_INIT;

	if (field_kind(field) == FIELD_STRING || field_kind(field) == FIELD_JSON) {
		buf_add(out, buf_text(&field->text), field->text.len);
		return;
	}
	if (!field->filled || field->state != FIELD_SET)
		return;
	field_print(field, &json);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	json_doc_destroy(doc);
	buf_finish(&json);
}

bool
field_from_text(struct field *field, const char *text, size_t len)
{
	form_begin(field->form);
	if (field_kind(field) == FIELD_STRING) {
		field_set_text(field, text, len);
		return true;
	}
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	bool ok = doc || len == 0;
	if (doc)
		field_load(field, json_root(doc));
	else
		field_take_json(field, text, len);
	json_doc_destroy(doc);
	field_changed(field);
	return ok;
}

void
field_put_string(struct field *field, const char *text, size_t len)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, len);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	form_begin(field->form);
	if (doc)
		field_load(field, json_root(doc));
	json_doc_destroy(doc);
	buf_finish(&json);
}

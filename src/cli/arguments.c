#include "arguments_priv.h"

#include "base/path.h"
#include "form/form.h"

#include <string.h>

#define ARGUMENTS_MAX_BYTES ((size_t)64 << 20)

static bool
read_text(const char *text, struct buf *given, struct err *err)
{
	if (text[0] != '@') {
		buf_add_str(given, text);
		return true;
	}
	buf_init(given, ARGUMENTS_MAX_BYTES);
	return path_read_file(text + 1, given, err);
}

bool
arguments_read(const struct cli_options *o, struct buf *given, struct err *err)
{
	struct json_error error;

	*given = (struct buf)BUF_INIT;
	if (!o->args_json)
		return true;
	if (!read_text(o->args_json, given, err))
		return false;
	struct json_doc *doc = json_parse(buf_text(given), given->len, NULL, &error);
	bool is_object = doc && json_type(json_root(doc)) == JSON_OBJECT;
	json_doc_destroy(doc);
	if (!doc)
		return err_set(
		    err, "--args: not JSON, %u:%u: %s", error.line, error.column, error.text);
	if (o->arguments.len > 0 && !is_object)
		return err_set(err, "--args: %s cannot be set in what is no object",
		    o->arguments.items[0].path);
	return true;
}

bool
arguments_build(const struct cli_options *o, const struct buf *given, const cJSON *schema,
    struct buf *out, struct err *err)
{
	if (o->arguments.len == 0 && given->len > 0) { /* exactly as given */
		buf_add_str(out, buf_text(given));
		return true;
	}
	struct form *form = form_create(schema, FORM_DEFAULTS_SHOWN);
	struct err why;
	bool ok = true;
	const char *base = given->len > 0 ? buf_text(given) : "{}";
	form_load_json(form, base, strlen(base), NULL);
	for (size_t i = 0; ok && i < o->arguments.len; i++) {
		const struct cli_argument *a = &o->arguments.items[i];
		ok = (a->is_json ? form_set_json : form_set_typed)(form, a->path, a->text, &why);
		if (!ok)
			err_set(err, "%.80s: %s", a->path, why.text);
	}
	if (ok && given->len == 0)
		form_fill_required(form);
	if (ok)
		form_to_json(form, out);
	form_destroy(form);
	return ok;
}

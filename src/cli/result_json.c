#include "result_priv.h"

#include "json/write.h"

#include <string.h>

typedef void report_words(const struct report *report, size_t index, struct buf *out);

static void
write_words(
    struct json_writer *w, const char *key, report_words *words, const struct report *r, size_t i)
{
	struct buf text = BUF_INIT;

	words(r, i, &text);
	json_write_member_string(w, key, buf_text(&text));
	buf_finish(&text);
}

static void
write_violations(struct json_writer *w, const struct report *r, bool warnings)
{
	for (size_t i = 0; r && i < report_kept(r); i++) {
		const struct violation *v = report_at(r, i);
		if (v->warning != warnings)
			continue;
		json_write_object(w);
		write_words(w, "instancePath", report_instance_path, r, i);
		write_words(w, "schemaPath", report_schema_path, r, i);
		json_write_member_string(w, "keyword", v->keyword);
		write_words(w, "expected", report_expected, r, i);
		write_words(w, "found", report_found, r, i);
		write_words(w, "message", report_line, r, i);
		json_write_object_end(w);
	}
}

/* What is wrong with the schema itself, in the shape of a violation. */
static void
write_schema_problem(struct json_writer *w, const struct verdict *v)
{
	json_write_object(w);
	json_write_member_string(w, "instancePath", "");
	json_write_member_string(w, "schemaPath", v->problem.pointer);
	json_write_member_string(w, "message", v->problem.text);
	json_write_object_end(w);
}

static void
write_validation(struct json_writer *w, const struct verdict *v)
{
	json_write_object(w);
	json_write_member_string(w, "status", verdict_name(v->kind));
	json_write_key(w, "errors");
	json_write_array(w);
	if (v->kind == VERDICT_SCHEMA_BROKEN)
		write_schema_problem(w, v);
	write_violations(w, v->report, false);
	json_write_array_end(w);
	if (v->report && report_warnings(v->report) > 0) {
		json_write_key(w, "warnings");
		json_write_array(w);
		write_violations(w, v->report, true);
		json_write_array_end(w);
	}
	json_write_key(w, "unchecked");
	json_write_array(w);
	for (size_t i = 0; v->report && i < report_unchecked_count(v->report); i++)
		json_write_string(w, report_unchecked(v->report, i));
	json_write_array_end(w);
	json_write_object_end(w);
}

/* The server's own error object, or what happened in the shape of one. */
static void
write_error(struct json_writer *w, const struct call *c)
{
	if (c->state == CALL_REFUSED) {
		json_write_value(w, c->value);
		return;
	}
	json_write_object(w);
	json_write_member_string(w, "message", c->error_text);
	json_write_key(w, "data");
	json_write_object(w);
	json_write_member_string(w, "state", call_state_name(c->state));
	if (c->stderr_tail)
		json_write_member_string(w, "stderr", c->stderr_tail);
	json_write_object_end(w);
	json_write_object_end(w);
}

void
result_add_json(const struct call *c, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	if (c->state == CALL_DONE) {
		json_write_key(&w, "result");
		json_write_value(&w, c->value);
	} else {
		json_write_key(&w, "error");
		write_error(&w, c);
	}
	json_write_key(&w, "validation");
	write_validation(&w, &c->verdict);
	json_write_object_end(&w);
}

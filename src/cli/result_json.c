#include "result_priv.h"

#include "json/write.h"
#include "schema/output.h"

static void
write_validation(struct json_writer *w, const struct verdict *v)
{
	json_write_object(w);
	json_write_member_string(w, "status", verdict_name(v->kind));
	if (v->kind == VERDICT_SCHEMA_BROKEN)
		output_problem(w, &v->problem);
	else
		output_findings(w, v->report);
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
	if (c->kind == OFFER_TOOL) {
		json_write_key(&w, "validation");
		write_validation(&w, &c->verdict);
	}
	json_write_object_end(&w);
}

#include "print.h"

#include "base/path.h"
#include "base/units.h"
#include "cli/check/check.h"
#include "cli/client.h"
#include "cli/command_line.h"
#include "json/print.h"
#include "json/write.h"
#include "client/call.h"
#include "client/verdict.h"
#include "schema/library.h"
#include "schema/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void
write_validation(struct json_writer *w, const struct verdict *v)
{
	json_write_object(w);
	json_write_member_string(w, "status", verdict_looks[v->kind].name);
	if (v->kind == VERDICT_SCHEMA_BROKEN)
		output_problem(w, &v->problem);
	else
		output_findings(w, v->report);
	json_write_object_end(w);
}

/* The server's error object, or our failure in the same shape. */
static void
write_error(struct json_writer *w, const struct call *c)
{
	if (c->state == CALL_REFUSED) {
		json_write_value(w, c->value);
		return;
	}
	json_write_object(w);
	json_write_member_string(w, "message", c->error_text);
	json_write_member_object(w, "data");
	json_write_member_string(w, "state", call_state_names[c->state]);
	if (c->stderr_tail)
		json_write_member_string(w, "stderr", c->stderr_tail);
	json_write_object_end(w);
	json_write_object_end(w);
}

void
result_write_findings(struct json_writer *w, const struct findings *f, const char *about)
{
	for (size_t i = 0; i < f->len; i++) {
		const struct found *finding = &f->items[i];
		json_write_object(w);
		json_write_member_string(w, "id", finding->kind->name);
		json_write_member_string(
		    w, "severity", finding_severities[finding->kind->severity]);
		json_write_member_string(w, "message", finding->text);
		json_write_member_string(w, "about", about);
		json_write_member_string(w, "pointer", finding->pointer);
		json_write_member_string(w, "source", finding->kind->source);
		json_write_member_string(w, "mend", finding->kind->mend);
		json_write_object_end(w);
	}
}

void
result_find(const struct call *c, struct result_findings *f)
{
	const struct finding_result result = { .call = c, .verdict = &c->verdict };
	struct schema_library *library = schema_library_create();
	struct primitive tool;

	if (c->definition && c->kind == PRIMITIVE_TOOL) {
		primitive_decode(&tool, PRIMITIVE_TOOL, c->definition, json_root(c->definition));
		findings_of_tool(&f->tool, &tool, library);
	}
	schema_library_destroy(library);
	findings_of_result(&f->result, &result);
}

void
result_add_json(const struct call *c, const struct result_findings *findings, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	if (c->state == CALL_DONE) {
		json_write_member_value(&w, "result", c->value);
	} else {
		json_write_key(&w, "error");
		write_error(&w, c);
	}
	if (c->kind == PRIMITIVE_TOOL) {
		json_write_key(&w, "validation");
		write_validation(&w, &c->verdict);
	}
	if (findings) {
		json_write_member_array(&w, "findings");
		result_write_findings(&w, &findings->tool, "tool");
		result_write_findings(&w, &findings->result, "result");
		json_write_array_end(&w);
	}
	json_write_object_end(&w);
}

#define VIOLATIONS_SAID 20
#define DATA_SAID 400

static void
say_line(struct buf *line)
{
	for (size_t i = 0; i < line->len; i++) /* one line per violation */
		if (line->data[i] == '\n')
			line->data[i] = ' ';
	say_lines(buf_text(line), line->len);
	buf_clear(line);
}

static void
say_violations(const struct report *r)
{
	struct buf line = BUF_INIT;
	size_t shown =
	    report_facts(r)->kept < VIOLATIONS_SAID ? report_facts(r)->kept : VIOLATIONS_SAID;
	size_t all = report_facts(r)->violations + report_facts(r)->warnings;

	for (size_t i = 0; i < shown; i++) {
		check_add_violation(r, i, &line);
		say_line(&line);
	}
	if (all > shown) {
		buf_addf(&line, "and %zu more: --json prints up to 10000", all - shown);
		say_line(&line);
	}
	buf_finish(&line);
}

static bool
is_fine(const struct verdict *v)
{
	return v->kind == VERDICT_VALID || v->kind == VERDICT_NO_SCHEMA ||
	       v->kind == VERDICT_NOT_APPLIED;
}

static void
say_verdict(const struct verdict *v)
{
	struct buf line = BUF_INIT;

	verdict_line(v, &line);
	say("%s", buf_text(&line));
	buf_clear(&line);
	verdict_reason(v, &line);
	if (line.len > 0)
		say_line(&line);
	if (v->report)
		say_violations(v->report);
	buf_finish(&line);
}

static void
say_help(const struct call *c)
{
	const char *help = call_explain(c);

	if (help)
		say("%s%s", help, c->wants_legacy ? ": try --era legacy" : "");
}

static void
say_failure(const struct call *c)
{
	struct buf data = BUF_INIT;

	call_add_state(c, &data);
	if (c->state == CALL_REFUSED)
		say("%s: %s: %s", call_name(c), buf_text(&data), c->error_text);
	else
		say("%s: %s", call_name(c), c->error_text);
	buf_clear(&data);
	say_help(c);
	if (c->state == CALL_REFUSED && json_get(c->value, "data")) {
		buf_add_str(&data, "data: ");
		json_print_brief(&data, json_get(c->value, "data"), DATA_SAID);
		say_line(&data);
	}
	if (c->stderr_tail)
		client_say_stderr(c->stderr_tail);
	buf_finish(&data);
}

/* How other clients treat the result, if they do not simply show it. */
static void
say_compat(const struct call *c)
{
	struct buf lines = BUF_INIT;

	if (compat_add_lines(c, &lines) > 0) {
		say("other clients:");
		say_lines(buf_text(&lines), lines.len);
	}
	buf_finish(&lines);
}

/* If the outputSchema was meant for a text. */
static void
say_claim(const struct call *c)
{
	struct text_claim claim;
	struct buf line = BUF_INIT;

	if (text_claim_find(c, &claim))
		text_claim_check(&claim, NULL, &line);
	if (line.len > 0)
		say_line(&line);
	buf_finish(&line);
}

void
result_say_list(const struct findings *f, const char *about)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < f->len; i++) {
		const struct found *finding = &f->items[i];
		buf_addf(&line, "%s %s (%s%s): %s", finding_severities[finding->kind->severity],
		    finding->kind->name, about, finding->pointer, finding->text);
		say_line(&line);
	}
	if (f->rest > 0) {
		buf_addf(&line, "and %zu more about the %s", f->rest, about);
		say_line(&line);
	}
	buf_finish(&line);
}

void
result_say_findings(const struct result_findings *f)
{
	size_t count = f->tool.len + f->tool.rest + f->result.len + f->result.rest;

	say("%zu finding%s", count, plural(count));
	result_say_list(&f->tool, "tool");
	result_say_list(&f->result, "result");
}

void
result_say(const struct call *c, bool quiet)
{
	for (size_t i = 0; i < c->server_requests.len; i++)
		say("the server requested: %s", c->server_requests.items[i]);
	if (c->state != CALL_DONE) {
		say_failure(c);
		return;
	}
	if (c->result.problem[0])
		say("%s: %s", call_name(c), c->result.problem);
	if (c->kind != PRIMITIVE_TOOL && c->result.len == 0 && !c->result.problem[0])
		say("%s: empty result", call_name(c));
	for (size_t i = 0; i < c->result.len; i++)
		if (c->result.blocks[i].problem)
			say("%s: content %zu: %s", call_name(c), i, c->result.blocks[i].problem);
	if (c->result.is_error)
		say("%s: the tool reported an error (isError)", call_name(c));
	if (c->result.is_error)
		say_help(c);
	if (c->kind != PRIMITIVE_TOOL || (quiet && is_fine(&c->verdict)))
		return;
	say_verdict(&c->verdict);
	say_claim(c);
	say_compat(c);
}

static bool
write_out(const char *path, const struct buf *bytes, struct err *err)
{
	if (strcmp(path, "-") != 0)
		return path_write_file(path, buf_text(bytes), bytes->len, err);
	if (fwrite(buf_text(bytes), 1, bytes->len, stdout) == bytes->len && fflush(stdout) == 0)
		return true;
	return err_set(err, "cannot write: %s", strerror(errno));
}

int
result_write(const struct call *c, const char *path)
{
	struct buf bytes = BUF_INIT;
	struct err err = { "" };
	int code = CLI_EXIT_OK;

	for (size_t i = 0; i < c->result.len; i++)
		if (!content_add_bytes(&bytes, &c->result.blocks[i])) {
			say("%s: content %zu: %s", call_name(c), i, c->result.blocks[i].problem);
			code = CLI_EXIT_TOOL_ERROR;
		}
	if (code == CLI_EXIT_OK && !write_out(path, &bytes, &err)) {
		say("%s", err.text);
		code = CLI_EXIT_USAGE;
	}
	buf_finish(&bytes);
	return code;
}

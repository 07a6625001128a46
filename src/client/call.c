/* SPDX-License-Identifier: MIT */
#include "client/call.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/units.h"
#include "base/vec.h"
#include "data/text_data.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "mcp/events.h"
#include "schema/report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const call_state_names[] = {
	[CALL_RUNNING] = "running",
	[CALL_DONE] = "done",
	[CALL_REFUSED] = "protocol error",
	[CALL_INVALID] = "invalid answer",
	[CALL_TIMED_OUT] = "timed out",
	[CALL_CANCELLED] = "cancelled",
	[CALL_DIED] = "server ended",
	[CALL_TRANSPORT_ERROR] = "lost",
	[CALL_INPUT] = "input declined",
};

/* The state of a call after each kind of reply. */
static const enum call_state state_after[] = {
	[REPLY_RESULT] = CALL_DONE,
	[REPLY_ERROR] = CALL_REFUSED,
	[REPLY_INVALID] = CALL_INVALID,
	[REPLY_TIMED_OUT] = CALL_TIMED_OUT,
	[REPLY_CANCELLED] = CALL_CANCELLED,
	[REPLY_CLOSED] = CALL_DIED,
	[REPLY_TRANSPORT_ERROR] = CALL_TRANSPORT_ERROR,
	[REPLY_TASK] = CALL_RUNNING,
	[REPLY_INPUT_REQUIRED] = CALL_INPUT,
};
static_assert(ARRAY_LEN(state_after) == REPLY_INPUT_REQUIRED + 1, "every kind");

bool
call_is_answered(const struct call *c)
{
	return c->state == CALL_DONE || c->state == CALL_REFUSED || c->state == CALL_INVALID ||
	       c->state == CALL_INPUT;
}

bool
call_is_error(const struct call *c)
{
	return c->state != CALL_RUNNING && (c->state != CALL_DONE || c->result.is_error);
}

const char *
call_name(const struct call *c)
{
	return c->uri ? c->uri : c->key;
}

const char *
call_explain(const struct call *c)
{
	if (c->wants_legacy)
		return "this server can send requests only in the legacy era";
	if (c->state != CALL_REFUSED || c->kind == PRIMITIVE_TOOL)
		return NULL;
	if (c->kind == PRIMITIVE_PROMPT)
		return c->error_code == ERROR_INVALID_PARAMS
			   ? "the server has no such prompt, or does not accept its arguments"
			   : NULL;
	return c->error_code == ERROR_RESOURCE_NOT_FOUND || c->error_code == ERROR_INVALID_PARAMS
		   ? "the server has no such resource"
		   : NULL;
}

void
call_add_state(const struct call *c, struct buf *out)
{
	const char *name = c->state == CALL_REFUSED ? error_name(c->error_code) : NULL;

	buf_add_str(out, call_state_names[c->state]);
	if (c->state == CALL_REFUSED)
		buf_addf(out, " %lld", (long long)c->error_code);
	if (name)
		buf_addf(out, " (%s)", name);
}

int64_t
call_elapsed_us(const struct call *c, int64_t now_us)
{
	return (c->state == CALL_RUNNING ? now_us : c->ended_us) - c->started_us;
}

size_t
call_memory(const struct call *c)
{
	const struct json_doc *docs[] = { c->definition, c->doc, c->result.parsed };
	size_t bytes = sizeof(*c) + (c->raw ? c->raw->len : 0);

	for (size_t i = 0; i < ARRAY_LEN(docs); i++)
		bytes += docs[i] ? json_doc_memory(docs[i]) : 0;
	return bytes;
}

struct call *
call_create(uint64_t id, const char *key, struct json_doc *definition, const char *arguments_json,
    size_t len, int64_t now_us)
{
	struct call *c = mem_zalloc(sizeof(*c));

	c->id = id;
	c->key = mem_strdup(key);
	c->arguments = mem_strndup(arguments_json, len);
	c->started_us = now_us;
	c->progress_share = -1;
	c->definition = definition;
	c->output_schema = json_get(json_root(definition), "outputSchema");
	return c;
}

void
call_destroy(struct call *c)
{
	if (!c)
		return;
	findings_finish(&c->findings);
	verdict_finish(&c->verdict);
	result_finish(&c->result);
	json_doc_destroy(c->doc);
	json_doc_destroy(c->definition);
	blob_unref(c->raw);
	strings_finish(&c->server_requests);
	free(c->key);
	free(c->uri);
	free(c->arguments);
	free(c->progress);
	free(c->task);
	free(c->progress_total);
	free(c->progress_message);
	free(c->error_text);
	free(c->stderr_tail);
	free(c);
}

static void
set_number(char **to, const cJSON *number)
{
	char text[JSON_NUMBER_TEXT_MAX];

	if (!number)
		return;
	free(*to);
	*to = mem_strdup(json_number_text(number, text));
}

void
call_on_progress(struct call *c, const struct session_progress *p)
{
	set_number(&c->progress, p->value);
	set_number(&c->progress_total, p->total);
	if (p->message) {
		free(c->progress_message);
		c->progress_message = label_dup(p->message);
	}
	if (p->value && p->total && p->total->valuedouble > 0) {
		double share = p->value->valuedouble / p->total->valuedouble;
		/* a number beyond the range of a double gives no share */
		c->progress_share = isfinite(share) ? fmin(fmax(share, 0), 1) : -1;
	}
}

/* Server requests noted in one call. */
#define ASKED_MAX 20

void
call_on_server_request(struct call *c, const struct session_server_request *request)
{
	c->asked_out_of_era |= request->out_of_era;
	if (c->server_requests.len == ASKED_MAX)
		return;
	char *method = label_dup(request->method), *message = label_dup(request->message);
	strings_take(&c->server_requests, mem_printf("%s%s%s (%s)", method, message ? ": " : "",
					      message ? message : "", request->answer));
	free(method);
	free(message);
}

void
call_take_reply(struct call *c, struct session_reply *reply, int64_t now_us)
{
	c->state = state_after[reply->kind];
	c->ended_us = now_us;
	free(c->error_text);
	c->error_text = NULL;
	c->doc = reply->doc;
	reply->doc = NULL;
	c->value = reply->value;
	c->raw = reply->bytes ? blob_ref(reply->bytes) : NULL;
	if (c->state != CALL_DONE) {
		c->error_code = reply->code;
		c->error_text = mem_strdup(reply->text);
		if (c->kind == PRIMITIVE_TOOL)
			c->verdict.kind =
			    c->state == CALL_CANCELLED ? VERDICT_CANCELLED : VERDICT_NO_RESULT;
		return;
	}
	result_init_of(&c->result, c->kind, c->doc, c->value);
	if (c->kind == PRIMITIVE_SKILL)
		c->skill = (struct skill_check){ SKILL_CHECKING, "its digest is being made" };
	if (c->kind != PRIMITIVE_TOOL)
		return;
	/* an outputSchema that is neither an object nor a boolean gives SCHEMA_BROKEN */
	verdict_begin(&c->verdict, c->output_schema, c->result.structured, c->result.is_error);
}

void
call_check(struct call *c)
{
	if (c->verdict.kind == VERDICT_CHECKING)
		verdict_end(
		    &c->verdict, schema_check(c->verdict.schema, c->result.structured, NULL));
	if (c->skill.state == SKILL_CHECKING)
		skill_verify(&c->skill, json_root(c->definition), c->uri, &c->result);
}

void
call_review(struct call *c)
{
	const struct finding_result result = { .call = c, .verdict = &c->verdict };

	if (!c->reviewed)
		findings_of_result(&c->findings, &result);
	c->reviewed = true;
}

/* Phrases of SDKs for a server request that the era does not have. */
static const char *const era_phrases[] = {
	"server-initiated request",               /* mcp-go, Python */
	"server-to-client request",               /* Rust */
	"cannot be sent while serving a request", /* Go */
	"return an InputRequests map",            /* Go */
};

bool
call_lacks_requests(const struct call *c)
{
	if (!call_is_error(c))
		return false;
	if (c->asked_out_of_era)
		return true;
	for (size_t i = 0; i <= c->result.len; i++) {
		const char *text = i < c->result.len ? c->result.blocks[i].text : c->error_text;
		for (size_t k = 0; text && k < ARRAY_LEN(era_phrases); k++)
			if (strcasestr(text, era_phrases[k]))
				return true;
	}
	return false;
}

/* ---- the data of a result ---- */

void
result_texts_init(struct result_texts *t, const struct result *r)
{
	t->len = 0;
	for (size_t i = 0; i < r->len && t->len < RESULT_TEXTS_MAX; i++) {
		const struct content_block *b = &r->blocks[i];
		if (b->text && b->text_len > 0)
			t->items[t->len++] = (struct result_text){ b->text, b->text_len, i };
	}
}

const struct result_text *
result_texts_read(const struct result_texts *t, size_t max, struct job *job, struct json_doc **doc,
    enum text_data_kind *kind)
{
	const struct result_text *best = NULL;

	*doc = NULL;
	*kind = TEXT_DATA_NONE;
	for (size_t i = 0; i < t->len && (!best || *kind == TEXT_DATA_TABLES); i++) {
		const struct result_text *text = &t->items[i];
		struct json_doc *read = NULL;
		if (text->len > max) {
			json_doc_destroy(*doc);
			*doc = NULL;
			*kind = TEXT_DATA_NONE;
			return NULL;
		}
		enum text_data_kind found = text_data_read(text->text, text->len, job, &read, NULL);
		if (text_data_outranks(found, *kind)) {
			json_doc_destroy(*doc);
			*doc = read;
			*kind = found;
			best = text;
		} else {
			json_doc_destroy(read);
		}
	}
	return best;
}

const cJSON *
call_wrapped_text(const struct call *c, struct buf *pointer)
{
	const cJSON *node = c->result.structured;
	const char *key = NULL;

	if (cJSON_IsObject(node) && json_count(node) == 1) {
		node = json_first(node);
		key = node->string;
	}
	const char *text = cJSON_GetStringValue(node);
	if (!text || !text_data_begins_json(text, strlen(text)))
		return NULL;
	if (key)
		json_pointer_add_key(pointer, key);
	return node;
}

void
call_add_texts(const struct call *c, struct buf *out)
{
	size_t before = out->len;

	for (size_t i = 0; i < c->result.len; i++) {
		const struct content_block *b = &c->result.blocks[i];
		if (!b->text)
			continue;
		buf_add_str(out, out->len > before ? "\n" : "");
		buf_add(out, b->text, b->text_len);
	}
}

void
call_data_read(struct call_data *d, const struct call *c, size_t max)
{
	struct result_texts texts;

	*d = (struct call_data){ .value = c->result.structured };
	if (d->value) {
		d->doc = json_doc_ref(c->result.parsed ? c->result.parsed : c->doc);
		return;
	}
	result_texts_init(&texts, &c->result);
	const struct result_text *text = result_texts_read(&texts, max, NULL, &d->doc, &d->kind);
	if (text)
		d->block = text->block;
	for (size_t i = 0; !text && i < texts.len; i++)
		d->too_large |= texts.items[i].len > max;
	if (!text && !d->too_large) {
		struct buf all = { .max = max }, json = BUF_INIT;
		call_add_texts(c, &all);
		d->too_large = all.overflowed;
		if (!all.overflowed && all.len > 0) {
			json_print_string(&json, all.data, all.len);
			d->doc = json_parse(json.data, json.len, NULL, NULL);
		}
		buf_finish(&all);
		buf_finish(&json);
	}
	d->value = json_root(d->doc);
}

void
call_data_finish(struct call_data *d)
{
	json_doc_destroy(d->doc);
	*d = (struct call_data){ .value = NULL };
}

/* ---- the verdict ---- */

#define PATH_BYTES 400 /* printed of a path */

const struct verdict_look verdict_looks[VERDICT_COUNT] = {
#define X(id, verdict_name, verdict_mark, role, sentence) { verdict_name, verdict_mark, sentence },
	VERDICTS(X)
#undef X
};

/* In order of priority: an error is not held to the schema (SEP-2200), and an unusable schema comes
 * before a violation. */
void
verdict_begin(struct verdict *v, const cJSON *output_schema, const cJSON *structured, bool is_error)
{
	*v = (struct verdict){ .kind = VERDICT_NO_SCHEMA };
	if (!output_schema)
		return;
	v->schema = schema_compile(output_schema, NULL, &v->problem);
	if (is_error)
		v->kind = VERDICT_NOT_APPLIED;
	else if (!v->schema)
		v->kind = VERDICT_SCHEMA_BROKEN;
	else if (!structured)
		v->kind = VERDICT_MISSING;
	else
		v->kind = VERDICT_CHECKING;
}

void
verdict_end(struct verdict *v, struct report *report)
{
	v->report = report;
	static const enum verdict_kind kinds[] = {
		[SCHEMA_VALID] = VERDICT_VALID,
		[SCHEMA_INVALID] = VERDICT_INVALID,
		[SCHEMA_UNDECIDED] = VERDICT_UNDECIDED,
	};
	v->kind = kinds[(report_facts(report)->outcome)];
}

void
verdict_finish(struct verdict *v)
{
	report_destroy(v->report);
	schema_destroy(v->schema);
	*v = (struct verdict){ 0 };
}

void
verdict_line(const struct verdict *v, struct buf *out)
{
	if (v->kind == VERDICT_INVALID) {
		units_add_counted(out, report_facts(v->report)->violations, "violation");
		buf_add_str(out, " of outputSchema");
	} else {
		buf_add_str(out, verdict_looks[v->kind].text);
	}
	if (v->report || v->kind == VERDICT_CHECKING)
		buf_addf(out, " (%s)", schema_draft_name(schema_draft(v->schema)));
	if (v->kind == VERDICT_VALID) {
		buf_add_str(out, ", ");
		units_add_counted(out, report_facts(v->report)->steps, "check");
	}
}

void
verdict_reason(const struct verdict *v, struct buf *out)
{
	if (v->kind == VERDICT_SCHEMA_BROKEN) {
		buf_addf(out, "at %s: %s", v->problem.pointer[0] ? v->problem.pointer : "the root",
		    v->problem.text);
		return;
	}
	if (!v->report || report_facts(v->report)->unchecked_count == 0)
		return;
	buf_add_str(out, "not checked: ");
	report_add_unchecked(v->report, out);
}

/* ---- the text of a result without structuredContent ---- */

#define BLOCKS_MAX 64 /* looked at: a result may have half a million */

bool
text_claim_find(const struct call *c, struct text_claim *out)
{
	if (c->state != CALL_DONE || c->verdict.kind != VERDICT_MISSING)
		return false;
	for (size_t i = 0; i < c->result.len && i < BLOCKS_MAX; i++) {
		const struct content_block *b = &c->result.blocks[i];
		if (!b->text || !text_data_begins_json(b->text, b->text_len))
			continue;
		*out = (struct text_claim){ c->output_schema, b->text, b->text_len, i + 1 };
		return true;
	}
	return false;
}

void
text_claim_check(const struct text_claim *claim, struct job *job, struct buf *out)
{
	struct schema_problem problem;
	struct json_doc *doc = NULL;
	struct schema *schema = NULL;

	if (text_data_read(claim->text, claim->len, job, &doc, NULL) == TEXT_DATA_JSON)
		schema = schema_compile(claim->schema, NULL, &problem);
	if (schema) {
		struct report *r =
		    schema_check(schema, json_root(doc), &(struct check_options){ .job = job });
		buf_addf(out, "the JSON in text block %zu ", claim->number);
		switch (report_facts(r)->outcome) {
		case SCHEMA_VALID:
			buf_add_str(out,
			    "would conform, but clients look for it only in structuredContent");
			break;
		case SCHEMA_INVALID:
			buf_add_str(out, "would not conform either: ");
			/* Only violations: a warning about a format would refuse nothing. */
			struct buf path = { .max = PATH_BYTES };
			size_t i = 0;
			while (i < report_facts(r)->kept && report_at(r, i)->warning)
				i++;
			units_add_counted(out, report_facts(r)->violations, "violation");
			if (i < report_facts(r)->kept) {
				report_instance_path(r, i, &path);
				buf_addf(out,
				    "%s%s%s%s: ", report_facts(r)->violations > 1 ? ", first" : "",
				    path.len > 0 ? " at " : "", buf_text(&path),
				    path.overflowed ? "…" : "");
				report_line(r, i, out);
			}
			buf_finish(&path);
			break;
		case SCHEMA_UNDECIDED:
			buf_add_str(out, "could not be fully checked: no violation found so far");
			break;
		}
		report_destroy(r);
	}
	schema_destroy(schema);
	json_doc_destroy(doc);
}

/* ---- compatibility: other clients with the same result ---- */

#define STEPS 64 /* compared */

struct way {
	struct report_step steps[STEPS];
	size_t depth;
};

/* The order of best_match(): the shorter path first, then the greater one. */
static bool
comes_first(const struct way *a, const struct way *b)
{
	size_t count = a->depth < STEPS ? a->depth : STEPS;

	if (a->depth != b->depth)
		return a->depth < b->depth;
	for (size_t i = 0; i < count; i++) {
		const struct report_step *x = &a->steps[i], *y = &b->steps[i];
		int order = x->key && y->key ? strcmp(x->key, y->key)
					     : (x->index > y->index) - (x->index < y->index);
		if (order != 0)
			return order > 0;
	}
	return false;
}

/* The report must have at least one violation. */
static size_t
best_match(const struct report *r, const cJSON *root)
{
	struct way ways[2], *best_way = &ways[0], *way = &ways[1];
	size_t best = REPORT_NONE;

	for (size_t i = 0; i < report_facts(r)->kept; i++) {
		if (report_at(r, i)->warning)
			continue;
		way->depth = report_way(r, i, root, way->steps, STEPS);
		way->depth -= report_at(r, i)->missing != NULL;
		if (best != REPORT_NONE && !comes_first(way, best_way))
			continue;
		struct way *other = best_way;
		best_way = way;
		way = other;
		best = i;
	}
	return best;
}

/* The client of the Python SDK raises one RuntimeError with the violation that best_match() picks.
 */
static void
add_raises(const struct report *r, const cJSON *structured, struct buf *out)
{
	size_t count = report_facts(r)->violations;
	struct buf path = { .max = PATH_BYTES };

	if (count == 1) {
		buf_add_str(out, "Python SDK: an exception instead of this result");
		return;
	}
	buf_addf(out, "Python SDK: raises 1 of these %zu", count);
	if (count + report_facts(r)->warnings > report_facts(r)->kept)
		return;
	size_t best = best_match(r, structured);
	report_instance_path(r, best, &path);
	buf_addf(out, ", probably %s%s%s", buf_text(&path), path.overflowed ? "…" : "",
	    path.len > 0 ? ": " : "");
	buf_finish(&path);
	report_line(r, best, out);
}

/* ---- $ref and its siblings ---- */

/* Whether any subschema has asserting siblings of $ref; values are not searched. */
static bool
has_siblings_of_ref(const cJSON *schema)
{
	static const char *const VALUES[] = { "default", "examples", "enum", "const", NULL };
	static const char *const SILENT[] = { "$ref", "$schema", "$id", "$comment", "title",
		"description", "default", "examples", "definitions", "$defs", "readOnly",
		"writeOnly", "deprecated", NULL };
	bool refers = json_get_string(schema, "$ref") != NULL;

	for (const cJSON *m = json_first(schema); m; m = m->next) {
		if (refers && m->string && !words_have(SILENT, m->string))
			return true;
		if (!(m->string && words_have(VALUES, m->string)) && has_siblings_of_ref(m))
			return true;
	}
	return false;
}

static void
add_call_line(struct buf *out, size_t *count, const char *text)
{
	if ((*count)++ > 0)
		buf_add_char(out, '\n');
	buf_add_str(out, text);
}

size_t
compat_add_lines(const struct call *c, struct buf *out)
{
	const struct verdict *v = &c->verdict;
	const struct report_facts *facts = v->report ? report_facts(v->report) : NULL;
	const cJSON *structured = c->result.structured;
	size_t count = 0;

	if (c->state != CALL_DONE)
		return 0;
	/* The client of the TypeScript SDK, on which the Inspector is built: InvalidParams,
	 * "Structured content does not match the tool's output schema". */
	if (v->kind == VERDICT_INVALID) {
		add_call_line(
		    out, &count, "TypeScript SDK, Inspector: error -32602 instead of this result");
		add_call_line(out, &count, "");
		add_raises(v->report, structured, out);
	}
	/* InvalidRequest */
	if (v->kind == VERDICT_MISSING)
		add_call_line(out, &count,
		    "TypeScript SDK: error -32600, \"did not return structured content\"");
	/* ajv-formats is on in the TypeScript SDK; the Python SDK gives jsonschema no format
	 * checker. */
	if (facts && facts->warnings > 0 && facts->violations == 0)
		add_call_line(out, &count,
		    "ajv asserts formats and refuses this result; the Python SDK ignores them");
	if (v->kind == VERDICT_NOT_APPLIED && structured)
		add_call_line(out, &count,
		    "TypeScript SDK: checks structuredContent of errors too, may hide this error");
	if (v->kind == VERDICT_SCHEMA_BROKEN)
		add_call_line(
		    out, &count, "Inspector: accepts any result if a schema does not compile");
	/* Any JSON value since 2026-07-28 (SEP-2106), only an object before. */
	if (structured && !cJSON_IsObject(structured))
		add_call_line(out, &count,
		    "clients before 2026-07-28 refuse structuredContent that is not an object");
	if (!v->schema)
		return count;
	enum schema_draft draft = schema_draft(v->schema);
	/* A known deviation of ajv; "a validator SHOULD ignore other keywords": draft-07 section
	 * 8.3. */
	if ((draft == SCHEMA_DRAFT_06 || draft == SCHEMA_DRAFT_07) &&
	    has_siblings_of_ref(c->output_schema)) {
		add_call_line(out, &count, "ajv evaluates the siblings of $ref, ");
		buf_addf(out, "%s ignores them", schema_draft_name(draft));
	}
	/* Its validators cover 2020-12, 2019-09, draft-07 and draft-06. */
	if (draft == SCHEMA_DRAFT_04 || draft == SCHEMA_DRAFT_V1) {
		add_call_line(out, &count, "TypeScript SDK: has no validator for ");
		buf_add_str(out, schema_draft_name(draft));
	}
	return count;
}

#include "findings.h"

#include "base/base64.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/pointer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LARGE_BYTES ((size_t)64 << 10) /* about 16 000 tokens */
#define SLOW_US 10000000
#define BLOCKS_SAID 10 /* findings of one kind about blocks */

/* ---- what the verdict says ---- */

static void
find_missing(struct finding_search *s)
{
	if (s->verdict->kind == VERDICT_MISSING)
		finding_add(s, "",
		    "structuredContent is missing, though the tool declares an "
		    "outputSchema");
}

static void
find_invalid(struct finding_search *s)
{
	const struct report *r = s->verdict->report;
	struct buf pointer = { .max = 4096 }, text = BUF_INIT;
	size_t first = 0;

	if (s->verdict->kind != VERDICT_INVALID)
		return;
	while (first < report_facts(r)->kept && report_at(r, first)->warning)
		first++;
	units_add_counted(&text, report_facts(r)->violations, "violation");
	buf_add_str(&text, " of outputSchema");
	buf_add_str(&pointer, "/structuredContent");
	if (first < report_facts(r)->kept) {
		report_instance_path(r, first, &pointer);
		buf_add_str(&text, report_facts(r)->violations == 1 ? ": " : "; the first: ");
		report_line(r, first, &text);
	}
	finding_add(s, buf_text(&pointer), "%s", buf_text(&text));
	buf_finish(&pointer);
	buf_finish(&text);
}

/* ---- the result as a whole ---- */

static void
find_malformed(struct finding_search *s)
{
	if (s->result->problem[0])
		finding_add(s, "", "%s", s->result->problem);
}

static void
find_no_content(struct finding_search *s)
{
	if (s->result->structured && s->result->len == 0)
		finding_add(s, "/content",
		    "structuredContent comes without content: a client that reads only content "
		    "sees nothing");
}

static void
find_not_object(struct finding_search *s)
{
	enum json_type type = json_type(s->result->structured);

	if (type != JSON_ABSENT && type != JSON_OBJECT)
		finding_add(s, "/structuredContent",
		    "structuredContent is of type %s: clients before 2026-07-28 refuse the result",
		    json_type_name(type));
}

static void
find_null(struct finding_search *s)
{
	if (json_type(s->result->structured) == JSON_NULL && s->verdict->kind != VERDICT_VALID)
		finding_add(s, "/structuredContent",
		    "structuredContent is null, which is a value: it is not the same as absent");
}

static void
find_error_with_data(struct finding_search *s)
{
	if (s->result->is_error && s->result->structured && s->call->output_schema)
		finding_add(s, "/structuredContent",
		    "an error (isError) with structuredContent: some clients check it against the "
		    "outputSchema and hide the error");
}

static void
find_slow(struct finding_search *s)
{
	int64_t us = s->call->ended_us - s->call->started_us;

	if (us >= SLOW_US)
		finding_add(s, "", "the call took %.1f s", (double)us / 1e6);
}

static void
find_flaws(struct finding_search *s)
{
	const struct json_flaws *flaws = s->call->doc ? json_flaws(s->call->doc) : NULL;

	if (flaws && flaws->count > 0)
		finding_add(s, "",
		    "%s at byte %zu of the message, %zu in all: parsers disagree "
		    "about it",
		    json_flaw_text(flaws->items[0].kind), flaws->items[0].offset, flaws->count);
}

static void
find_hidden(struct finding_search *s)
{
	finding_add_hidden(s, json_get(s->result->value, "content"), "/content");
	finding_add_hidden(s, s->result->structured, "/structuredContent");
}

/* ---- the root of the value and of its schema ---- */

/* The only member that is an array. */
static const cJSON *
only_array(const cJSON *object)
{
	const cJSON *found = NULL;

	for (const cJSON *m = json_first(object); m; m = m->next) {
		if (found && json_type(m) == JSON_ARRAY)
			return NULL;
		found = json_type(m) == JSON_ARRAY ? m : found;
	}
	return json_type(object) == JSON_OBJECT ? found : NULL;
}

static bool
has_type(const cJSON *schema, const char *type)
{
	const char *said = json_get_string(schema, "type");

	return said && strcmp(said, type) == 0;
}

/* The only property of type array. */
static const char *
array_property(const cJSON *schema)
{
	const char *found = NULL;

	for (const cJSON *p = json_first(json_get(schema, "properties")); p; p = p->next) {
		if (found && has_type(p, "array"))
			return NULL;
		found = has_type(p, "array") ? p->string : found;
	}
	return found;
}

static void
find_wrapped(struct finding_search *s)
{
	const cJSON *value = s->result->structured, *schema = s->call->output_schema;
	const cJSON *array = only_array(value);
	const char *property = array_property(schema);

	if (!value || !schema || s->result->is_error)
		return;
	if (has_type(schema, "array") && array)
		finding_add(s, "/structuredContent",
		    "the outputSchema describes an array, the result has it in the member "
		    "\"%.60s\"",
		    array->string);
	else if (property && json_type(value) == JSON_ARRAY)
		finding_add(s, "/structuredContent",
		    "the outputSchema has the array in the property \"%.60s\", the result is the "
		    "array itself",
		    property);
	else if (property && array && !json_get(value, property) &&
		 !json_get(json_get(schema, "properties"), array->string))
		finding_add(s, "/structuredContent",
		    "the outputSchema has the array in the property \"%.60s\", the result in "
		    "\"%.60s\"",
		    property, array->string);
}

/* ---- blocks of content ---- */

struct block_search {
	struct finding_search *s;
	size_t said;
};

static void __attribute__((format(printf, 4, 5)))
add_block(struct block_search *b, size_t index, const char *member, const char *format, ...)
{
	char pointer[80], text[300];
	va_list args;

	if (b->said++ >= BLOCKS_SAID)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(pointer, sizeof(pointer), "/content/%zu%s", index, member);
	finding_add(b->s, pointer, "%s", text);
}

static bool
is_base64(const struct content_block *c)
{
	size_t bytes;

	return base64_decoded_size(c->data, c->data_len, &bytes);
}

/* The type that the bytes prove, if another one is declared. */
static bool
has_other_type(const struct content_block *c, const char **found)
{
	enum { HEAD = 16 };
	struct buf head = BUF_INIT;

	base64_decode(&head, c->data, c->data_len < HEAD ? c->data_len : HEAD);
	*found = media_type_of(buf_text(&head), head.len);
	buf_finish(&head);
	return media_type_differs(c->mime, *found);
}

static void
find_base64(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++)
		if (s->result->blocks[i].data && !is_base64(&s->result->blocks[i]))
			add_block(&b, i, "", "the data is not base64");
}

static void
find_type(struct finding_search *s)
{
	struct block_search b = { .s = s };
	const char *found;

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (c->data && c->data_len > 0 && is_base64(c) && has_other_type(c, &found))
			add_block(&b, i, "", "the type is %.40s, but the bytes are %s", c->mime,
			    found ? found : "something else");
	}
}

/* Whatever else is wrong with a block. */
static void
find_block(struct finding_search *s)
{
	struct block_search b = { .s = s };
	const char *found;

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		bool said =
		    c->data && c->data_len > 0 && (!is_base64(c) || has_other_type(c, &found));
		if (c->problem && !said)
			add_block(&b, i, "", "%s", c->problem);
	}
}

static void
find_priority(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++) {
		const cJSON *priority = s->result->blocks[i].priority;
		if (priority && !(priority->valuedouble >= 0 && priority->valuedouble <= 1))
			add_block(&b, i, "/annotations/priority", "the priority is outside 0 to 1");
	}
}

static void
find_audience(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++)
		for (const cJSON *who = json_first(s->result->blocks[i].audience); who;
		     who = who->next) {
			const char *name = json_string(who);
			if (!name || (strcmp(name, "user") != 0 && strcmp(name, "assistant") != 0))
				add_block(&b, i, "/annotations/audience",
				    "the audience is neither \"user\" nor \"assistant\"");
		}
}

/* A URI has a scheme: RFC 3986 section 3.1. */
static bool
has_scheme(const char *uri)
{
	size_t len =
	    strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	return len > 0 && uri[len] == ':' && uri[len + 1];
}

static void
find_link(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (c->kind == CONTENT_RESOURCE_LINK && c->uri && !has_scheme(c->uri))
			add_block(
			    &b, i, "/uri", "\"%.100s\" is not a URI, so it cannot be read", c->uri);
	}
}

static void
find_large(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++)
		if (s->result->blocks[i].text_len >= LARGE_BYTES)
			add_block(&b, i, "/text",
			    "%zu kB of text: about %zu tokens, if a model gets it",
			    s->result->blocks[i].text_len / 1000,
			    s->result->blocks[i].text_len / 4);
}

/* A page or a file in place of words. */
static void
find_page(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (c->kind != CONTENT_TEXT || !c->text)
			continue;
		const char *text = c->text + strspn(c->text, " \t\r\n");
		if (strncasecmp(text, "<!doctype html", 14) == 0 ||
		    strncasecmp(text, "<html", 5) == 0)
			add_block(&b, i, "/text", "the text is an HTML page");
		else if (c->text_len > 1024 && strncmp(text, "data:", 5) == 0)
			add_block(
			    &b, i, "/text", "the text is a data: URI of %zu bytes", c->text_len);
	}
}

/* ---- content beside structuredContent ---- */

static void
add_agreement(struct finding_search *s, enum agreement_kind kind, const char *text)
{
	char pointer[80];

	if (s->agreement->kind != kind)
		return;
	snprintf(pointer, sizeof(pointer), "/content/%zu/text", s->agreement->block);
	finding_add(s, pointer, "%s", text);
}

static void
find_mirror(struct finding_search *s)
{
	size_t bytes = 0;
	char text[200];

	for (size_t i = 0; i < s->result->len; i++)
		bytes += s->result->blocks[i].text_len;
	snprintf(text, sizeof(text),
	    "content repeats structuredContent: forwarding both costs about %zu more tokens",
	    (bytes + 3) / 4);
	add_agreement(s, AGREEMENT_MIRROR, text);
}

static void
find_summary(struct finding_search *s)
{
	add_agreement(s, AGREEMENT_PART, "content repeats a part of structuredContent");
	add_agreement(s, AGREEMENT_SUMMARY, "content summarizes structuredContent");
}

static void
find_unrelated(struct finding_search *s)
{
	add_agreement(s, AGREEMENT_UNRELATED,
	    "content names no value of structuredContent: a model that reads only content learns "
	    "none");
}

static void
add_difference(struct finding_search *s, enum agreement_kind kind)
{
	struct buf pointer = { .max = 5000 };

	if (s->agreement->kind != kind)
		return;
	buf_add_str(&pointer, "/structuredContent");
	buf_add_str(&pointer, buf_text(&s->agreement->pointer));
	finding_add(s, buf_text(&pointer), "%s", buf_text(&s->agreement->text));
	buf_finish(&pointer);
}

static void
find_contradiction(struct finding_search *s)
{
	add_difference(s, AGREEMENT_CONTRADICTS);
}

static void
find_other_json(struct finding_search *s)
{
	add_difference(s, AGREEMENT_OTHER_JSON);
}

/* ---- the table ---- */

#define CONFORM                                                                                    \
	"\"If an output schema is provided: Servers MUST provide structured results that conform " \
	"to this schema.\" (2025-06-18 and later, server/tools)"
#define FALLBACK                                                                             \
	"\"For backwards compatibility, a tool that returns structured content SHOULD also " \
	"return the serialized JSON in a TextContent block.\" (2025-06-18 and later, "       \
	"server/tools)"
#define MEANING                                                                                   \
	"No sentence of the specification: SEP-2200, which was not accepted, asked that content " \
	"and structuredContent be semantically equivalent"
#define NO_SENTENCE "No sentence of the specification"

static const struct finding_kind FINDINGS[] = {
	{ "structured-missing", FINDING_ERROR, find_missing, CONFORM,
	    .mend = "return structuredContent, or leave out the outputSchema", .is_said = true },
	{ "structured-invalid", FINDING_ERROR, find_invalid, CONFORM,
	    .mend = "change the result or the outputSchema, whichever is wrong", .is_said = true },
	{ "result-malformed", FINDING_ERROR, find_malformed,
	    "CallToolResult requires content, an array (schema)",
	    .mend = "return content, [] at least" },
	{ "block-malformed", FINDING_ERROR, find_block, "ContentBlock (schema)",
	    .mend = "return the members that its type requires" },
	{ "block-base64", FINDING_ERROR, find_base64,
	    "\"The base64-encoded image data.\" (schema, ImageContent; AudioContent likewise)",
	    .mend = "encode the bytes as in RFC 4648 section 4, with padding" },
	{ "block-type", FINDING_WARNING, find_type,
	    "\"The MIME type of the image.\" (schema, ImageContent; AudioContent likewise)",
	    .mend = "declare the type of the bytes" },
	{ "content-contradicts", FINDING_WARNING, find_contradiction, MEANING,
	    .mend = "make the text from the same value" },
	{ "content-other-json", FINDING_WARNING, find_other_json, FALLBACK,
	    .mend = "serialize structuredContent itself" },
	{ "content-missing", FINDING_WARNING, find_no_content, FALLBACK,
	    .mend = "add a text block with the JSON, or a summary" },
	{ "array-wrapped", FINDING_WARNING, find_wrapped, CONFORM,
	    .mend = "wrap the array as the schema says; some SDKs add an object around it" },
	{ "structured-not-object", FINDING_NOTE, find_not_object,
	    "structuredContent is any JSON value since 2026-07-28 (SEP-2106), an object before",
	    .mend = "put the value into an object if older clients matter", .is_said = true },
	{ "structured-null", FINDING_NOTE, find_null,
	    "structuredContent is any JSON value since 2026-07-28 (SEP-2106)",
	    .mend = "leave the member out if there is no value" },
	{ "error-with-data", FINDING_NOTE, find_error_with_data,
	    CONFORM "; it makes no exception for isError, SEP-2200 would have",
	    .mend = "say what went wrong in content", .is_said = true },
	{ "priority-range", FINDING_WARNING, find_priority,
	    "Annotations.priority: minimum 0, maximum 1 (schema)",
	    .mend = "use a number from 0 to 1" },
	{ "audience-unknown", FINDING_WARNING, find_audience,
	    "Annotations.audience is an array of Role: \"user\" | \"assistant\" (schema)",
	    .mend = "name user, assistant or both" },
	{ "link-unreadable", FINDING_WARNING, find_link,
	    "ResourceLink.uri: \"The URI of this resource.\" (schema)",
	    .mend = "give the URI that resources/read takes" },
	{ "hidden-characters", FINDING_WARNING, find_hidden,
	    NO_SENTENCE ": a model reads what no person sees", .mend = "remove these characters" },
	{ "json-flaw", FINDING_WARNING, find_flaws,
	    "\"The names within an object SHOULD be unique.\" (RFC 8259 section 4; strings: 8.2)",
	    .mend = "print the JSON with a library" },
	{ "content-large", FINDING_WARNING, find_large,
	    NO_SENTENCE ": some hosts cut a tool's result at 25 000 tokens",
	    .mend = "return pages, or a resource_link" },
	{ "content-page", FINDING_WARNING, find_page,
	    NO_SENTENCE ": content is what a model reads (MCP Apps)",
	    .mend = "return a resource, or an app for the screen" },
	{ "call-slow", FINDING_NOTE, find_slow,
	    "Clients SHOULD have timeouts for all requests (basic)",
	    .mend = "report progress, or offer the tool as a task" },
	{ "content-mirror", FINDING_NOTE, find_mirror, FALLBACK,
	    .mend = "nothing: this is what the sentence asks for" },
	{ "content-summary", FINDING_NOTE, find_summary, FALLBACK,
	    .mend = "nothing, if the text says what a model needs" },
	{ "content-unrelated", FINDING_NOTE, find_unrelated, MEANING,
	    .mend = "say in content what was found" },
};

void
findings_of_result(struct findings *f, const struct finding_result *r)
{
	struct agreement agreement;
	struct finding_search s = { .out = f,
		.call = r->call,
		.result = &r->call->result,
		.verdict = r->verdict,
		.job = r->job,
		.agreement = &agreement };

	if (r->call->state != CALL_DONE || r->call->kind != PRIMITIVE_TOOL)
		return;
	agreement_init(&agreement, s.result, s.job);
	findings_run(&s, FINDINGS, ARRAY_LEN(FINDINGS));
	agreement_finish(&agreement);
}

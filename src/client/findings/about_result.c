/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/lens.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- content blocks ---- */

#define BLOCKS_REPORTED 10            /* findings of one kind about blocks */
#define ENCODED_LEN ((size_t)2 << 10) /* characters of base64 in a row; longer than any word */

static void __attribute__((format(printf, 4, 5)))
add_block(struct finding_search *s, size_t index, const char *member, const char *format, ...)
{
	char pointer[80], text[300];

	if (s->blocks_reported++ >= BLOCKS_REPORTED)
		return;
	FORMAT_INTO(text, format);
	snprintf(pointer, sizeof(pointer), "/content/%zu%s", index, member);
	finding_add(s, pointer, "%s", text);
}

static bool
is_base64(const struct content_block *b)
{
	size_t bytes;

	return base64_decoded_size(b->data, b->data_len, &bytes);
}

enum { BLOCK_MALFORMED, BLOCK_BASE64, BLOCK_TYPE }; /* of three rows */

/* Data that is not base64, or whose first bytes prove another type than the declared one; and all
 * other problems of a block. */
static void
find_block_flaw(struct finding_search *s, size_t i, const struct content_block *b)
{
	enum { HEAD = 16 };
	bool has_bytes = b->data && b->data_len > 0, is_other_type = false;
	const char *found = NULL;
	struct buf head = BUF_INIT;

	if (has_bytes && s->kind->which != BLOCK_BASE64) {
		base64_decode(&head, b->data, b->data_len < HEAD ? b->data_len : HEAD);
		found = media_type_of(buf_text(&head), head.len);
		is_other_type = media_type_differs(b->mime, found);
		buf_finish(&head);
	}
	if (s->kind->which == BLOCK_BASE64 && b->data && !is_base64(b))
		add_block(s, i, "", "the data is not base64");
	if (s->kind->which == BLOCK_TYPE && is_other_type && is_base64(b))
		add_block(s, i, "", "the type is %.40s, but the bytes are %s", b->mime,
		    found ? found : "something else");
	if (s->kind->which == BLOCK_MALFORMED && b->problem && !is_other_type &&
	    !(has_bytes && !is_base64(b)))
		add_block(s, i, "", "%s", b->problem);
}

static void
find_priority(struct finding_search *s, size_t i, const struct content_block *b)
{
	if (b->priority && !(b->priority->valuedouble >= 0 && b->priority->valuedouble <= 1))
		add_block(s, i, "/annotations/priority", "the priority is outside 0 to 1");
}

static void
find_audience(struct finding_search *s, size_t i, const struct content_block *b)
{
	for (const cJSON *who = json_first(b->audience); who; who = who->next) {
		const char *name = cJSON_GetStringValue(who);
		if (!name || (strcmp(name, "user") != 0 && strcmp(name, "assistant") != 0))
			add_block(s, i, "/annotations/audience",
			    "the audience is neither \"user\" nor \"assistant\"");
	}
}

/* A URI has a scheme: RFC 3986 section 3.1. */
static void
find_link(struct finding_search *s, size_t i, const struct content_block *b)
{
	if (b->kind != CONTENT_RESOURCE_LINK || !b->uri)
		return;
	size_t len = strspn(b->uri, ASCII_ALNUM "+.-");
	if (len == 0 || b->uri[len] != ':' || !b->uri[len + 1])
		add_block(s, i, "/uri", "\"%.100s\" is not a URI, so it cannot be read", b->uri);
}

bool
text_begins_html(const char *text)
{
	text += strspn(text, " \t\r\n");
	return strncasecmp(text, "<!doctype html", 14) == 0 || strncasecmp(text, "<html", 5) == 0;
}

/* A page or a file instead of words. */
static void
find_page(struct finding_search *s, size_t i, const struct content_block *b)
{
	if (b->kind != CONTENT_TEXT || !b->text)
		return;
	if (text_begins_html(b->text))
		add_block(s, i, "/text", "the text is an HTML page");
	else if (b->text_len > 1024 &&
		 strncmp(b->text + strspn(b->text, " \t\r\n"), "data:", 5) == 0)
		add_block(s, i, "/text", "the text is a data: URI of %s bytes",
		    units_count(b->text_len).text);
}

/* Find the longest run of base64 with capitals, small letters and digits. */
static void
find_encoded(struct finding_search *s, size_t i, const struct content_block *b)
{
	size_t longest = 0, start = 0;
	unsigned seen = 0;

	for (size_t at = 0; b->kind == CONTENT_TEXT && at <= b->text_len; at++) {
		char c = at < b->text_len ? b->text[at] : ' ';
		if (c >= 'A' && c <= 'Z') {
			seen |= 1;
		} else if (c >= 'a' && c <= 'z') {
			seen |= 2;
		} else if (ascii_is_digit((char)c)) {
			seen |= 4;
		} else if (c != '+' && c != '/' && c != '=' && c != '-' && c != '_') {
			if (seen == 7 && at - start > longest)
				longest = at - start;
			start = at + 1;
			seen = 0;
		}
	}
	if (longest >= ENCODED_LEN)
		add_block(s, i, "/text",
		    "%s characters of encoded data in a text, of which a model learns nothing",
		    units_count(longest).text);
}

/* Links are read only by the user. */
static void
find_refused(struct finding_search *s, size_t i, const struct content_block *b)
{
	if (s->read && b->kind == CONTENT_RESOURCE_LINK && b->uri &&
	    strcmp(b->uri, call_name(s->read)) == 0)
		add_block(s, i, "/uri", "reading \"%.100s\" failed: %.120s", b->uri,
		    s->read->error_text ? s->read->error_text : "an error");
}

static const struct finding_kind OF_BLOCKS[] = {
	{ "block-malformed", FINDING_ERROR, .find_in_block = find_block_flaw,
	    .which = BLOCK_MALFORMED, .source = "ContentBlock (schema#ContentBlock)",
	    .mend = "return the members that its type requires" },
	{ "block-base64", FINDING_ERROR, .find_in_block = find_block_flaw, .which = BLOCK_BASE64,
	    .source =
		"\"The base64-encoded image data.\" (schema#ImageContent; AudioContent likewise)",
	    .mend = "encode the bytes as in RFC 4648 section 4, with padding" },
	{ "block-type", FINDING_WARNING, .find_in_block = find_block_flaw, .which = BLOCK_TYPE,
	    .source =
		"\"The MIME type of the image.\" (schema#ImageContent; AudioContent likewise)",
	    .mend = "declare the type of the bytes" },
	{ "priority-range", FINDING_WARNING, .find_in_block = find_priority,
	    .source = "Annotations.priority: minimum 0, maximum 1 (schema#Annotations)",
	    .mend = "use a number from 0 to 1" },
	{ "audience-unknown", FINDING_WARNING, .find_in_block = find_audience,
	    .source = "Annotations.audience: Role[], which is \"user\" | \"assistant\" "
		      "(schema#Annotations)",
	    .mend = "name user, assistant or both" },
	{ "link-unreadable", FINDING_WARNING, .find_in_block = find_link, .source = LINKED,
	    .mend = "give the URI that resources/read takes" },
	{ "link-refused", FINDING_WARNING, .find_in_block = find_refused, .source = LINKED,
	    .mend = "let resources/read answer to each URI that a result links to" },
	{ "content-page", FINDING_WARNING, .find_in_block = find_page,
	    .source = NO_SENTENCE ": content is what a model reads (MCP Apps)",
	    .mend = "return a resource, or an app for the screen" },
	{ "content-encoded", FINDING_WARNING, .find_in_block = find_encoded,
	    .source = NO_SENTENCE ": image, audio and resource blocks are for data",
	    .mend = "return the data as a separate block, or as a resource_link" },
};

const struct finding_table findings_about_content = { OF_BLOCKS, ARRAY_LEN(OF_BLOCKS) };

void
findings_of_read(struct findings *f, const struct call *call, const struct call *read)
{
	struct finding_search s = { .out = f, .call = call, .result = &call->result, .read = read };
	size_t refused = 0;

	while (OF_BLOCKS[refused].find_in_block != find_refused)
		refused++;
	for (size_t i = 0; i < f->len; i++)
		if (f->items[i].kind == &OF_BLOCKS[refused])
			return; /* one is enough */
	findings_run(&s, &(struct finding_table){ &OF_BLOCKS[refused], 1 });
}

#define SLOW_US 10000000
#define PRINTED_MAX ((size_t)256 << 10) /* of structuredContent; the rest is estimated */
#define LARGE_TOKENS 16000
#define LARGE_BYTES ((size_t)64 << 10) /* of a text; about as many tokens as LARGE_TOKENS */
#define COSTLY_TOKENS 1000             /* of both parts; cheaper results get no finding */

/* ---- findings from the verdict ---- */

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

/* Facts that a row of the table names in `which`. */
enum {
	RESULT_MISSING,
	RESULT_MALFORMED,
	RESULT_NO_CONTENT,
	RESULT_NULL,
	RESULT_ERROR_WITH_DATA,
	RESULT_SILENT_ERROR
};

static void
find_result_fact(struct finding_search *s)
{
	const struct result *r = s->result;
	bool text = false;

	for (size_t i = 0; i < r->len; i++)
		text = text || r->blocks[i].text_len > 0;
	const struct {
		bool holds;
		const char *pointer, *text;
	} facts[] = {
		[RESULT_MISSING] = { s->verdict->kind == VERDICT_MISSING, "",
		    "structuredContent is missing, though the tool declares an outputSchema" },
		[RESULT_MALFORMED] = { r->problem[0] != '\0', "", r->problem },
		[RESULT_NO_CONTENT] = { r->structured && r->len == 0, "/content",
		    "structuredContent comes without content: a client that reads only content "
		    "sees nothing" },
		[RESULT_NULL] = { cJSON_IsNull(r->structured) && s->verdict->kind != VERDICT_VALID,
		    "/structuredContent",
		    "structuredContent is null, which is a value: it is not the same as absent" },
		[RESULT_ERROR_WITH_DATA] = { r->is_error && r->structured && s->call->output_schema,
		    "/structuredContent",
		    "an error (isError) with structuredContent: some clients check it against the "
		    "outputSchema and hide the error" },
		[RESULT_SILENT_ERROR] = { r->is_error && !text, "/content",
		    "an error (isError) without text: a model learns only that something failed" },
	};

	if (facts[s->kind->which].holds)
		finding_add(s, facts[s->kind->which].pointer, "%s", facts[s->kind->which].text);
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
find_slow(struct finding_search *s)
{
	int64_t us = s->call->ended_us - s->call->started_us;

	if (us >= SLOW_US)
		finding_add(s, "", "the call took %.1f s", (double)us / 1e6);
}

static void
find_json_flaws(struct finding_search *s)
{
	const struct json_flaws *flaws = s->call->doc ? json_flaws(s->call->doc) : NULL;

	if (flaws && flaws->count > 0)
		finding_add(s, "",
		    "%s at byte %s of the message, %s in all: parsers disagree "
		    "about it",
		    json_flaw_text(flaws->items[0].kind), units_count(flaws->items[0].offset).text,
		    units_count(flaws->count).text);
}

/* ---- the cost of the parts ---- */

struct cost {
	size_t bytes, tokens;
};

static struct cost
cost_of_texts(const struct result *r)
{
	struct cost cost = { 0 };

	for (size_t i = 0; i < r->len; i++)
		if (r->blocks[i].text) {
			cost.bytes += r->blocks[i].text_len;
			cost.tokens += tokens_estimate(r->blocks[i].text, r->blocks[i].text_len);
		}
	return cost;
}

/* A long value is not printed whole; its size is about that of the message without the texts. */
static struct cost
cost_of_value(const struct finding_search *s)
{
	struct buf json = BUF_INIT;
	size_t texts = 0;

	for (size_t i = 0; i < s->result->len; i++)
		texts += s->result->blocks[i].text_len;
	bool whole = json_print_some(&json, s->result->structured, -1, PRINTED_MAX, NULL);
	struct cost cost = { json.len, tokens_estimate(buf_text(&json), json.len) };

	if (!whole && s->call->raw && s->call->raw->len > texts + json.len) {
		cost.bytes = s->call->raw->len - texts;
		cost.tokens = (size_t)((double)cost.tokens * (double)cost.bytes / (double)json.len);
	}
	buf_finish(&json);
	return cost;
}

/* Three kinds of findings about size share this text; at most one of them applies. */
static void
add_size(struct finding_search *s, const char *pointer, struct cost texts, struct cost value)
{
	static const char *const parts[] = { "content", "structuredContent" };
	const struct cost costs[] = { texts, value };
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (costs[i].bytes == 0)
			continue;
		buf_addf(&text, "%s%s: ", text.len > 0 ? "; " : "", parts[i]);
		units_add_counted(&text, costs[i].bytes, "byte");
		buf_add_str(&text, ", about ");
		units_add_counted(&text, costs[i].tokens, "token");
	}
	if (texts.bytes > 0 && value.bytes > 0) {
		buf_add_str(&text, "; a model that gets both pays ");
		units_add_count(&text, texts.tokens + value.tokens);
	}
	finding_add(s, pointer, "%s", buf_text(&text));
	buf_finish(&text);
}

enum { SIZE_TEXT, SIZE_VALUE, SIZE_BOTH }; /* of three rows */

static void
find_size(struct finding_search *s)
{
	const struct result *r = s->result;
	size_t large = 0; /* the first large text */
	char pointer[40];

	while (large < r->len && r->blocks[large].text_len < LARGE_BYTES)
		large++;
	bool has_large = large < r->len;
	if (has_large != (s->kind->which == SIZE_TEXT) || (!has_large && !r->structured))
		return;
	/* Each cost is a pass over all of it: only what can still be reported is counted. */
	struct cost texts = { 0 }, value = { 0 };
	if (s->kind->which == SIZE_BOTH && (texts = cost_of_texts(r)).bytes == 0)
		return;
	value = r->structured ? cost_of_value(s) : value;
	if (s->kind->which == SIZE_VALUE && value.tokens < LARGE_TOKENS)
		return;
	texts = s->kind->which == SIZE_BOTH ? texts : cost_of_texts(r);
	if (has_large) {
		snprintf(pointer, sizeof(pointer), "/content/%zu/text", large);
		add_size(s, pointer, texts, value);
	} else if (s->kind->which == SIZE_VALUE) {
		add_size(s, "/structuredContent", texts, value);
	} else if (value.tokens < LARGE_TOKENS && texts.tokens + value.tokens >= COSTLY_TOKENS) {
		add_size(s, "", texts, value);
	}
}

/* ---- items of an array ---- */

enum { ITEMS_MAX = 200, MEMBERS_MAX = 64, ARRAYS_MAX = 8, NAME_MAX_BYTES = 64 };

struct member_count {
	char name[NAME_MAX_BYTES];
	size_t there, null;
};

static void
count_members(struct member_count *members, size_t *len, const cJSON *item)
{
	for (const cJSON *m = json_first(item); m; m = m->next) {
		size_t i = 0;
		if (strlen(m->string) >= NAME_MAX_BYTES)
			continue;
		while (i < *len && strcmp(members[i].name, m->string) != 0)
			i++;
		if (i == MEMBERS_MAX)
			continue;
		if (i == *len) {
			members[(*len)++] = (struct member_count){ .there = 0 };
			snprintf(members[i].name, NAME_MAX_BYTES, "%s", m->string);
		}
		members[i].there++;
		members[i].null += cJSON_IsNull(m);
	}
}

static void
look_at_items(struct finding_search *s, const cJSON *array, const char *pointer)
{
	struct member_count members[MEMBERS_MAX];
	size_t len = 0, items = 0;
	struct json_items it;

	for (json_items_init(&it, array, NULL); it.item && it.index < ITEMS_MAX;
	     json_items_next(&it))
		if (cJSON_IsObject(it.item)) {
			count_members(members, &len, it.item);
			items++;
		}
	json_items_finish(&it);
	for (size_t i = 0; i < len; i++)
		if (members[i].null > 0 && members[i].there < items) {
			finding_add(s, pointer,
			    "\"%s\" is null in %zu item%s and absent in %zu of %zu",
			    members[i].name, members[i].null, plural(members[i].null),
			    items - members[i].there, items);
			return; /* one is enough */
		}
}

static void
find_null_or_absent(struct finding_search *s)
{
	const cJSON *value = s->result->structured;
	size_t arrays = 0;

	if (json_type(value) == JSON_ARRAY)
		look_at_items(s, value, "/structuredContent");
	for (const cJSON *m = json_first(value); m && cJSON_IsObject(value) && arrays < ARRAYS_MAX;
	     m = m->next) {
		struct buf pointer = { .max = 4096 };
		if (json_type(m) != JSON_ARRAY)
			continue;
		arrays++;
		buf_add_str(&pointer, "/structuredContent");
		json_pointer_add_key(&pointer, m->string);
		look_at_items(s, m, buf_text(&pointer));
		buf_finish(&pointer);
	}
}

/* ---- the root of the value and of its schema ---- */

static bool
has_type(const cJSON *schema, const char *type)
{
	const char *said = json_get_string(schema, "type");

	return said && strcmp(said, type) == 0;
}

static void
find_wrapped(struct finding_search *s)
{
	const cJSON *value = s->result->structured, *schema = s->call->output_schema;
	const cJSON *array = NULL;   /* the only member that is one */
	const char *property = NULL; /* the name of the only property of this type */
	size_t arrays = 0, properties = 0;

	if (!value || !schema || s->result->is_error)
		return;
	for (const cJSON *m = cJSON_IsObject(value) ? json_first(value) : NULL; m; m = m->next)
		if (json_type(m) == JSON_ARRAY)
			array = arrays++ == 0 ? m : NULL;
	for (const cJSON *p = json_first(json_get(schema, "properties")); p; p = p->next)
		if (has_type(p, "array"))
			property = properties++ == 0 ? p->string : NULL;
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

/* ---- content compared with structuredContent ---- */

/* The kinds of agreement are bits of `which` in the row. */
static void
find_agreement(struct finding_search *s)
{
	static const char *const texts[] = {
		[AGREEMENT_PART] = "content repeats a part of structuredContent",
		[AGREEMENT_SUMMARY] = "content summarizes structuredContent",
		[AGREEMENT_UNRELATED] = "content names no value of structuredContent: a model that "
					"reads only content learns none",
	};
	enum agreement_kind kind = s->agreement->kind;
	char pointer[80];

	if (!(s->kind->which & 1u << kind))
		return;
	snprintf(pointer, sizeof(pointer), "/content/%zu/text", s->agreement->block);
	if (kind == AGREEMENT_MIRROR)
		finding_add(s, pointer,
		    "content repeats structuredContent: forwarding both costs about %s more tokens",
		    units_count(cost_of_texts(s->result).tokens).text);
	else
		finding_add(s, pointer, "%s", texts[kind]);
}

static void
find_difference(struct finding_search *s)
{
	struct buf pointer = { .max = 5000 };

	if (s->agreement->kind != s->kind->which)
		return;
	buf_add_str(&pointer, "/structuredContent");
	buf_add_str(&pointer, buf_text(&s->agreement->pointer));
	finding_add(s, buf_text(&pointer), "%s", buf_text(&s->agreement->text));
	buf_finish(&pointer);
}

/* ---- the table ---- */

static const struct finding_kind OF_RESULTS[] = {
	{ "structured-missing", FINDING_ERROR, find_result_fact, CONFORM, .which = RESULT_MISSING,
	    .mend = "return structuredContent, or leave out the outputSchema", .is_said = true },
	{ "structured-invalid", FINDING_ERROR, find_invalid, CONFORM,
	    .mend = "change the result or the outputSchema, whichever is wrong", .is_said = true },
	{ "result-malformed", FINDING_ERROR, find_result_fact,
	    "CallToolResult.content: ContentBlock[], required (2025-06-18 and later, "
	    "schema#CallToolResult)",
	    .which = RESULT_MALFORMED, .mend = "return content, [] at least" },
	{ "content-contradicts", FINDING_WARNING, find_difference, MEANING,
	    .which = AGREEMENT_CONTRADICTS, .mend = "make the text from the same value" },
	{ "content-other-json", FINDING_WARNING, find_difference, FALLBACK,
	    .which = AGREEMENT_OTHER_JSON, .mend = "serialize structuredContent itself" },
	{ "content-missing", FINDING_WARNING, find_result_fact, FALLBACK,
	    .which = RESULT_NO_CONTENT, .mend = "add a text block with the JSON, or a summary" },
	{ "array-wrapped", FINDING_WARNING, find_wrapped, CONFORM,
	    .mend = "wrap the array as the schema says; some SDKs add an object around it" },
	{ "error-silent", FINDING_WARNING, find_result_fact,
	    "\"Clients SHOULD provide tool execution errors to language models to enable "
	    "self-correction.\" (2025-11-25 and later, server/tools#error-handling)",
	    .which = RESULT_SILENT_ERROR,
	    .mend = "say in a text block what went wrong and what helps" },
	{ "structured-not-object", FINDING_NOTE, find_not_object, ANY_VALUE,
	    .mend = "put the value into an object if older clients matter", .is_said = true },
	{ "structured-null", FINDING_NOTE, find_result_fact, ANY_VALUE, .which = RESULT_NULL,
	    .mend = "omit the member if it has no value" },
	{ "null-or-absent", FINDING_NOTE, find_null_or_absent,
	    NO_SENTENCE ": null is a value in JSON Schema, and absence is not",
	    .mend = "choose one of them, and say in the outputSchema which" },
	{ "error-with-data", FINDING_NOTE, find_result_fact,
	    "\"Servers MUST provide structured results that conform to this schema.\", without an "
	    "exception for isError, which SEP-2200 would have made (2025-06-18 and later, "
	    "server/tools#output-schema)",
	    .which = RESULT_ERROR_WITH_DATA, .mend = "say what went wrong in content",
	    .is_said = true },
	{ "hidden-characters", FINDING_WARNING, find_hidden,
	    NO_SENTENCE ": a model reads what no person sees", .mend = "remove these characters" },
	{ "json-flaw", FINDING_WARNING, find_json_flaws,
	    "\"The names within an object SHOULD be unique.\" (RFC 8259 section 4; strings: 8.2)",
	    .mend = "print the JSON with a library" },
	{ "content-large", FINDING_WARNING, find_size,
	    NO_SENTENCE ": Claude Code writes a result of over 25 000 tokens to a file",
	    .which = SIZE_TEXT, .mend = "return pages, or a resource_link" },
	{ "structured-large", FINDING_NOTE, find_size,
	    NO_SENTENCE ": Claude Code and VS Code give structuredContent to the model",
	    .which = SIZE_VALUE, .mend = "return pages, or a resource_link" },
	{ "call-slow", FINDING_NOTE, find_slow,
	    "\"Implementations SHOULD establish timeouts for all sent requests\" (2026-07-28, "
	    "basic/patterns/cancellation#timeouts; before, basic/lifecycle#timeouts)",
	    .mend = "report progress, or offer the tool as a task" },
	{ "content-mirror", FINDING_NOTE, find_agreement, FALLBACK, .which = 1u << AGREEMENT_MIRROR,
	    .mend = "nothing: the specification asks for this" },
	{ "content-summary", FINDING_NOTE, find_agreement, FALLBACK,
	    .which = 1u << AGREEMENT_PART | 1u << AGREEMENT_SUMMARY,
	    .mend = "nothing, if the text says what a model needs" },
	{ "content-unrelated", FINDING_NOTE, find_agreement, MEANING,
	    .which = 1u << AGREEMENT_UNRELATED, .mend = "say in content what was found" },
	{ "parts-cost", FINDING_NOTE, find_size,
	    NO_SENTENCE ": clients differ in which part they forward (SEP-3279 counted them)",
	    .which = SIZE_BOTH, .mend = "nothing; keep the part small that a model gets",
	    .is_said = true },
};

const struct finding_table findings_about_result = { OF_RESULTS, ARRAY_LEN(OF_RESULTS) };

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
	findings_run(&s, &findings_about_result);
	findings_run(&s, &findings_about_content);
	agreement_finish(&agreement);
}

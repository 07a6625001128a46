/* SPDX-License-Identifier: MIT */
#include "client/lens.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "mcp/app_metadata.h"

#include <stdlib.h>
#include <string.h>

/*
 * The first rows are kinds of clients; then come named ones, each as the source in its row says at
 * that date. A client without a public source has no row.
 */
#define MODEL (1u << OUTPUT_MODEL)
#define PROGRAM (1u << OUTPUT_PROGRAM)
#define USER (1u << OUTPUT_USER)
#define ALL (MODEL | PROGRAM)

static void
add_counted(struct lens_view *v, const char *text, size_t len, size_t tokens)
{
	size_t room = LENS_TEXT_MAX - v->text.len;

	v->bytes += len;
	v->tokens += tokens;
	if (len > room) /* not within a character */
		while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
			room--;
	buf_add(&v->text, text, len < room ? len : room);
}

static void
lens_add(struct lens_view *v, const char *text, size_t len)
{
	add_counted(v, text, len, tokens_estimate(text, len));
}

static const char *
tool_of(const struct lens_input *in)
{
	return in->tool ? in->tool : "the tool";
}

static bool
takes_old(const struct lens_input *in, const struct result_output *o)
{
	return o->block->kind != CONTENT_RESOURCE_LINK;
}

/* ---- Claude Code ---- */

/* Text gives way to structuredContent, but not in an error. */
static bool
takes_claude_code(const struct lens_input *in, const struct result_output *o)
{
	if (in->result.is_error)
		return o->block && o->block->kind == CONTENT_TEXT;
	return !o->block || !in->result.structured || o->block->kind != CONTENT_TEXT;
}

/* ---- Gemini CLI ---- */

/* The client in it is the TypeScript SDK's. It prints the whole response into one sentence, both
 * for errors of that client and for those of the tool. */
static void
wrap_gemini(const struct lens_input *in, struct buf *error)
{
	struct buf response = *error;

	*error = (struct buf)BUF_INIT;
	if (in->result.is_error) {
		buf_clear(&response);
		json_print(&response, in->result.value);
	}
	if (response.len > 0) {
		buf_addf(error,
		    "MCP tool '%s' reported tool error for function call: "
		    "{\"name\":\"%s\",\"args\":%s} with response: "
		    "[{\"functionResponse\":{\"name\":\"%s\",\"response\":",
		    tool_of(in), tool_of(in), in->arguments ? in->arguments : "{}", tool_of(in));
		buf_add(error, buf_text(&response), response.len);
		buf_add_str(error, "}}]");
	}
	buf_finish(&response);
}

/* It leaves out unknown blocks, and embedded resources without text and data. */
static bool
takes_gemini(const struct lens_input *in, const struct result_output *o)
{
	const struct content_block *b = o->block;

	return b->kind != CONTENT_UNKNOWN && (b->kind != CONTENT_RESOURCE || b->text || b->data);
}

/* Return the length in bytes of the first `most` UTF-16 units; *units gets the total. */
static size_t
bytes_of_units(const char *text, size_t len, size_t most, size_t *units)
{
	size_t bytes = 0;

	*units = 0;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		*units += (c & 0xc0) != 0x80 ? 1 + (c >= 0xf0) : 0;
		if (*units <= most)
			bytes = i + 1;
	}
	return bytes;
}

#define GEMINI_MOST \
	40000 /* UTF-16 units of a single text: the first fifth and the rest from its end */

static void
write_gemini_text(struct lens_view *v, const struct lens_input *in, const struct content_block *b)
{
	struct buf text = BUF_INIT;
	size_t units, ignored, head, tail;

	buf_add_str(&text, "<untrusted_context>\n");
	buf_add(&text, b->text, b->text_len);
	buf_add_str(&text, "\n</untrusted_context>");
	head = bytes_of_units(buf_text(&text), text.len, GEMINI_MOST / 5, &units);
	if (in->result.len > 1 || units <= GEMINI_MOST) {
		lens_add(v, buf_text(&text), text.len);
	} else {
		struct buf cut = BUF_INIT;
		tail = bytes_of_units(
		    buf_text(&text), text.len, units - (GEMINI_MOST - GEMINI_MOST / 5), &ignored);
		buf_add_str(&cut,
		    "Output too large. Showing first 8,000 and last 32,000 characters. "
		    "For full output see: (a file)\n");
		buf_add(&cut, buf_text(&text), head);
		buf_addf(&cut, "\n\n... [%zu characters omitted] ...\n\n", units - GEMINI_MOST);
		buf_add(&cut, buf_text(&text) + tail, text.len - tail);
		lens_add(v, buf_text(&cut), cut.len);
		buf_addf(&v->lost, "%zu characters go to a file", units - GEMINI_MOST);
		buf_finish(&cut);
	}
	buf_finish(&text);
}

static bool
write_gemini(struct lens_view *v, const struct lens_input *in, const struct result_output *o)
{
	const struct content_block *b = o->block;
	struct buf line = BUF_INIT;

	if (b->text) {
		write_gemini_text(v, in, b);
		return true;
	}
	if (b->kind == CONTENT_RESOURCE_LINK)
		buf_addf(&line, "Resource Link: %s at %s",
		    b->title  ? b->title
		    : b->name ? b->name
			      : "undefined",
		    b->uri ? b->uri : "undefined");
	else if (b->data)
		buf_addf(&line, "[Tool '%s' provided the following %s with mime-type: %s]\n",
		    tool_of(in),
		    b->kind == CONTENT_IMAGE   ? "image data"
		    : b->kind == CONTENT_AUDIO ? "audio data"
					       : "embedded resource",
		    b->mime ? b->mime : "application/octet-stream");
	lens_add(v, buf_text(&line), line.len);
	buf_finish(&line);
	return true;
}

/* ---- VS Code ---- */

static bool
takes_vscode(const struct lens_input *in, const struct result_output *o)
{
	const struct content_block *b = o->block;
	/* Truthiness of JavaScript. */
	enum json_type type = json_type(in->result.structured);
	bool value = type == JSON_OBJECT || type == JSON_ARRAY ||
		     cJSON_IsTrue(in->result.structured) ||
		     (type == JSON_STRING && *cJSON_GetStringValue(in->result.structured)) ||
		     (type == JSON_NUMBER && in->result.structured->valuedouble != 0);

	if (!b)
		return value;
	bool for_model = !b->audience;
	for (const cJSON *who = json_first(b->audience); who; who = who->next) {
		const char *name = cJSON_GetStringValue(who);
		for_model |= name && strcmp(name, "assistant") == 0;
	}
	return for_model && (b->kind != CONTENT_TEXT || !value) && b->kind != CONTENT_UNKNOWN;
}

/* Links stay links, and embedded resources except pictures become links. */
static bool
write_vscode(struct lens_view *v, const struct lens_input *in, const struct result_output *o)
{
	const struct content_block *b = o->block;
	struct buf line = BUF_INIT;
	bool link = b && (b->kind == CONTENT_RESOURCE_LINK ||
			     (b->kind == CONTENT_RESOURCE &&
				 !(b->data && b->mime && strncmp(b->mime, "image/", 6) == 0)));

	if (!link)
		return false;
	buf_addf(&line, "(a link to %s)", b->uri ? b->uri : "nothing");
	lens_add(v, buf_text(&line), line.len);
	buf_finish(&line);
	return true;
}

/* ---- the table ---- */

const struct lens lenses[LENS_COUNT] = {
	{ .name = "conversational",
	    .title = "conversational host",
	    .rule = "content; structuredContent only if content is empty",
	    .source = "SEP-2200, not accepted, asks hosts to do so",
	    .first = MODEL,
	    .then = PROGRAM },
	{ .name = "programmatic",
	    .title = "programmatic host",
	    .rule = "structuredContent; content only if there is none",
	    .source = "SEP-3279 counts such clients among those it looked at",
	    .first = PROGRAM,
	    .then = MODEL },
	{ .name = "strict",
	    .title = "strict validator",
	    .rule = "an error instead of a result that breaks its outputSchema",
	    .source = "\"Clients SHOULD validate structured results against this schema.\" "
		      "(server/tools)",
	    .first = MODEL,
	    .then = PROGRAM,
	    .missing = "MCP error -32600: the tool has an output schema but did not return "
		       "structured content",
	    .invalid = "MCP error -32602: structured content does not match the tool's output "
		       "schema" },
	{ .name = "old",
	    .title = "host before 2025-06-18",
	    .rule = "content alone; structuredContent and resource_link are unknown",
	    .source = "changelog of 2025-06-18: both were added there",
	    .first = MODEL,
	    .takes = takes_old },
	{ .name = "both",
	    .title = "host that forwards both",
	    .rule = "content, then structuredContent",
	    .source = "SEP-3279 counts such clients among those it looked at",
	    .first = ALL },
	{ .name = "apps",
	    .title = "MCP Apps host",
	    .rule = "content for the model, structuredContent for the app",
	    .source = "MCP Apps (SEP-1865): structuredContent is not added to the model's context",
	    .first = MODEL,
	    .apps = true },
	{ .name = "claude-code",
	    .title = "Claude Code",
	    .rule = "structuredContent instead of text; of an error the text alone; over 25 000 "
		    "tokens without a picture: a file",
	    .source = "anthropics/claude-code issues 79944 (measured with 2.1.280) and 86032 (with "
		      "2.1.260); code.claude.com/docs/en/mcp, \"MCP output limits and warnings\"",
	    .date = "2026-09-22",
	    .first = ALL,
	    .takes = takes_claude_code,
	    .most_tokens = 25000 },
	{ .name = "gemini-cli",
	    .title = "Gemini CLI",
	    .rule = "content alone, each text marked as untrusted; an error becomes one sentence "
		    "with the whole response; a single text over 40 000 characters is cut",
	    .source = "google-gemini/gemini-cli at 5411f113: packages/core/src/tools/mcp-tool.ts, "
		      "mcp-client.ts, scheduler/tool-executor.ts",
	    .date = "2026-08-21",
	    .first = MODEL,
	    .takes = takes_gemini,
	    .write = write_gemini,
	    .missing = "{\"error\":{\"message\":\"MCP error -32600: Tool %s has an output schema "
		       "but did not return structured content\",\"isError\":true}}",
	    .invalid = "{\"error\":{\"message\":\"MCP error -32602: Structured content does not "
		       "match the tool's output schema: …\",\"isError\":true}}",
	    .wrap = wrap_gemini },
	{ .name = "vscode",
	    .title = "VS Code",
	    .rule = "structuredContent instead of text; other blocks stay, those for the user "
		    "alone do not; embedded resources become links",
	    .source = "microsoft/vscode at b801fe97: src/vs/workbench/contrib/mcp/common/"
		      "mcpLanguageModelToolContribution.ts",
	    .date = "2026",
	    .first = ALL,
	    .takes = takes_vscode,
	    .write = write_vscode },
	{ .name = "chatgpt",
	    .title = "ChatGPT",
	    .rule = "content and structuredContent, for the model and the app; _meta for the app",
	    .source = "developers.openai.com/apps-sdk/reference, \"Tool results\"; issue 144 of "
		      "openai/openai-apps-sdk-examples saw structuredContent alone next to an app",
	    .date = "2026",
	    .first = ALL },
	{ .name = "typescript",
	    .title = "TypeScript SDK client",
	    .rule = "the whole result for the program; a ProtocolError if it breaks the "
		    "outputSchema of a listed tool",
	    .source = "modelcontextprotocol/typescript-sdk at 3924de99: "
		      "packages/client/src/client/client.ts, callTool()",
	    .date = "2026-08-18",
	    .reader = OUTPUT_PROGRAM,
	    .first = ALL,
	    .missing = "ProtocolError -32600: Tool %s has an output schema but did not return "
		       "structured content",
	    .invalid = "ProtocolError -32602: Structured content does not match the tool's output "
		       "schema: …" },
	{ .name = "python",
	    .title = "Python SDK client",
	    .rule =
		"the whole result for the program; a RuntimeError if it breaks the outputSchema",
	    .source = "modelcontextprotocol/python-sdk at 57394b05: src/mcp/client/session.py, "
		      "validate_tool_result()",
	    .date = "2026-08-20",
	    .reader = OUTPUT_PROGRAM,
	    .first = ALL,
	    .missing = "RuntimeError: Tool %s has an output schema but did not return structured "
		       "content",
	    .invalid = "RuntimeError: Invalid structured content returned by tool %s: …" },
	{ .name = "go",
	    .title = "Go SDK client",
	    .rule = "the whole result for the program, unchecked",
	    .source = "modelcontextprotocol/go-sdk at 3d6450fc: mcp/client.go, CallTool()",
	    .date = "2026-08-21",
	    .reader = OUTPUT_PROGRAM,
	    .first = ALL },
};

/* ---- outputs ---- */

/* All lenses look at it: long texts are counted once. */
struct looked_at {
	const struct lens_input *in;
	struct result_output *outputs; /* in the order of clients that forward all of them */
	size_t len;
	struct job *job;
};

/* ---- what reaches the reader ---- */

static void
add_output(struct lens_view *v, const struct lens *lens, const struct lens_input *in,
    const struct result_output *o)
{
	const struct content_block *b = o->block;
	struct buf line = BUF_INIT;

	if (v->text.len > 0)
		lens_add(v, "\n", 1);
	bool written = lens->write && lens->write(v, in, o);
	if (!written && o->text) {
		add_counted(v, o->text, o->len, o->tokens);
	} else if (b && b->data) { /* its tokens are not proportional to its bytes */
		v->media++;
		buf_addf(&line, "[%s %.80s, %zu bytes]", content_kind_names[b->kind],
		    b->mime ? b->mime : "", b->decoded_bytes);
		bool fits = v->text.len + line.len < LENS_TEXT_MAX;
		buf_add(&v->text, buf_text(&line), fits ? line.len : 0);
	} else if (!written) {
		json_print(&line, b->block);
		lens_add(v, buf_text(&line), line.len);
	}
	buf_finish(&line);
}

/* ---- the loss ---- */

static const char *const block_nouns[] = {
	[CONTENT_TEXT] = "text block",
	[CONTENT_IMAGE] = "image",
	[CONTENT_AUDIO] = "audio block",
	[CONTENT_RESOURCE_LINK] = "resource link",
	[CONTENT_RESOURCE] = "embedded resource",
	[CONTENT_UNKNOWN] = "unknown block",
};

static void
add_comma(struct buf *out)
{
	if (out->len > 0)
		buf_add_str(out, ", ");
}

static void
take_outputs(struct lens_view *v, const struct lens *lens, const struct looked_at *l)
{
	unsigned taken = lens->then;
	size_t lost[CONTENT_UNKNOWN + 1] = { 0 }; /* blocks of each kind */
	bool lost_value = false;

	for (size_t i = 0; i < l->len; i++)
		if (l->outputs[i].audiences & lens->first)
			taken = lens->first;
	for (size_t i = 0; i < l->len; i++) {
		const struct result_output *o = &l->outputs[i];
		if (l->job && job_is_stopped(l->job))
			return;
		if (o->audiences & taken && (!lens->takes || lens->takes(l->in, o)))
			add_output(v, lens, l->in, o);
		else if (o->block)
			lost[o->block->kind]++;
		else
			lost_value = true;
	}
	for (size_t kind = 0; kind <= CONTENT_UNKNOWN; kind++)
		if (lost[kind] > 0) {
			add_comma(&v->lost);
			units_add_counted(&v->lost, lost[kind], block_nouns[kind]);
		}
	if (!lost_value)
		return;
	add_comma(&v->lost);
	buf_add_str(&v->lost, lens->apps && l->in->has_app
				  ? "nothing: structuredContent goes to the app"
				  : "structuredContent");
}

static void
look(struct lens_view *v, const struct lens *lens, const struct looked_at *l)
{
	/* Some hosts replace a long text by the name of a file. */
	static const char file_name[] = "(a message that names the file with this result)";
	const char *refusal = l->in->verdict == VERDICT_MISSING   ? lens->missing
			      : l->in->verdict == VERDICT_INVALID ? lens->invalid
								  : NULL;
	struct buf error = BUF_INIT;

	buf_add_str(&error, refusal ? refusal : "");
	buf_replace(&error, "%s", tool_of(l->in));
	if (lens->wrap)
		lens->wrap(l->in, &error);
	bool refused = error.len > 0;
	v->failed = refused || l->in->result.is_error;
	if (lens->apps && l->in->for_app_alone) {
		buf_add_str(&v->lost, "the whole result: the tool is not in the model's list");
	} else if (refused) {
		lens_add(v, buf_text(&error), error.len);
		if (!l->in->result.is_error)
			buf_add_str(&v->lost, "the whole result");
	} else {
		take_outputs(v, lens, l);
		if (lens->most_tokens > 0 && v->tokens > lens->most_tokens && v->media == 0) {
			add_comma(&v->lost);
			buf_add_str(&v->lost, "about ");
			units_add_counted(&v->lost, v->tokens, "token");
			buf_add_str(&v->lost, " go to a file");
			buf_clear(&v->text);
			v->bytes = v->tokens = 0;
			lens_add(v, file_name, strlen(file_name));
		}
	}
	buf_finish(&error);
}

void
lens_look(struct lens_view views[LENS_COUNT], const struct lens_input *in, struct job *job)
{
	const struct result *r = &in->result;
	struct looked_at l = {
		.in = in, .outputs = mem_alloc((r->len + 1) * sizeof(*l.outputs)), .job = job
	};
	struct buf json = BUF_INIT;

	for (size_t i = 0; i < r->len; i++) {
		const struct content_block *b = &r->blocks[i];
		l.outputs[l.len++] = (struct result_output){ MODEL | USER, b, b->text, b->text_len,
			tokens_estimate(b->text, b->text_len) };
	}
	if (r->structured) {
		json_print_some(&json, r->structured, -1, SIZE_MAX, job);
		l.outputs[l.len++] = (struct result_output){ PROGRAM, NULL, buf_text(&json),
			json.len, tokens_estimate(buf_text(&json), json.len) };
	}
	for (size_t i = 0; i < LENS_COUNT; i++) {
		views[i] = (struct lens_view){ .failed = false };
		look(&views[i], &lenses[i], &l);
	}
	buf_finish(&json);
	free(l.outputs);
}

void
lens_views_finish(struct lens_view views[LENS_COUNT])
{
	for (size_t i = 0; i < LENS_COUNT; i++) {
		buf_finish(&views[i].text);
		buf_finish(&views[i].lost);
		views[i] = (struct lens_view){ .failed = false };
	}
}

void
lens_read_tool(struct lens_input *in, const cJSON *definition)
{
	struct app_tool tool;

	app_tool_read(&tool, definition);
	in->has_app = tool.resource != NULL;
	in->for_app_alone = !tool.for_model;
}

/* ---- tokens ---- */

/*
 * Tokenizers cut a text into words, digits, signs and blanks before they look into their
 * vocabulary, so the costs of such pieces, in hundredths of a token, come near the real number.
 * They were fitted to o200k_base and cl100k_base with tests/bench/tokens.mjs.
 */
enum { BLANK, LETTERS, DIGITS, SIGNS, CYRILLIC, OTHER };

#define PER_TOKEN 100

/* The kind of each byte, in a table because a branch per byte would cost more than all else. */
static const char kinds[257] = "\3\3\3\3\3\3\3\3\3\0\0\3\3\0\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3"
			       "\0\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\2\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3"
			       "\3\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\3\3\3\3\3"
			       "\3\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\3\3\3\3\3"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\4\4\4\4\4\4\4\4\4\4\4\4\4\4\4\5\5\5\5"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5";

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* A run of letters falls into words: "createdAt", "HTTPServer". */
static size_t
cost_of_letters(const char *text, size_t len)
{
	size_t cost = 0;

	for (size_t i = 0, n; i < len; i += n) {
		for (n = 0; i + n < len && is_upper(text[i + n]);)
			n++;
		if (n > 1 && i + n < len)
			n--;
		else if (n <= 1)
			while (i + n < len && !is_upper(text[i + n]))
				n++;
		if (is_upper(text[i + n - 1]))
			cost += n == 1 ? 187 : n < 4 ? 166 : 41 * n;
		else
			cost += n < 6 ? 100 : n < 9 ? 93 : n < 12 ? 125 : 209 + (n - 12) * 16;
	}
	return cost;
}

/* A blank belongs to the next word, and the end of a line to the sign before it. */
static size_t
cost_of_blanks(const char *text, size_t len, int before, int behind)
{
	size_t line = len, cost;

	while (line > 0 && text[line - 1] != '\n' && text[line - 1] != '\r')
		line--;
	cost = line == 0 ? 0 : before == SIGNS ? 32 : 125;
	if (len - line > 1)
		return cost + 97;
	return len > line && behind == DIGITS ? cost + 121 : cost;
}

static size_t
cost_of_signs(const char *text, size_t len, int before, int behind)
{
	size_t same = 1;

	if (len == 1)
		return before != BLANK && behind == LETTERS ? 25 : 82;
	if (len < 4)
		return len == 2 ? 101 : 117;
	while (same < len && text[same] == text[0])
		same++;
	return same == len ? 101 * (1 + len / 16) : 30 * len;
}

/* By the first byte of a character. */
static size_t
cost_of_character(unsigned char c)
{
	if (c < 0xc0)
		return 0; /* in a character */
	if (c < 0xcd)
		return 107; /* Latin with marks */
	if (c == 0xe0)
		return 95; /* Indic, Thai */
	if (c >= 0xe3 && c <= 0xe9)
		return 73; /* Chinese, Japanese */
	if (c >= 0xea && c <= 0xed)
		return 88; /* Korean */
	return c < 0xf0 ? 204 : 182;
}

size_t
tokens_estimate(const char *text, size_t len)
{
	char before = BLANK, behind;
	size_t cost = 0;

	for (size_t i = 0, end; i < len; i = end) {
		char kind = kinds[(unsigned char)text[i]];
		const char *run = text + i;
		/* the bytes within a character belong to its kind */
		bool wide = kind == CYRILLIC || kind == OTHER;
		for (end = i + 1; end < len; end++) {
			unsigned char c = (unsigned char)text[end];
			if (kinds[c] != kind && !(wide && c >= 0x80 && c < 0xc0))
				break;
		}
		behind = end < len ? kinds[(unsigned char)text[end]] : BLANK;
		if (kind == LETTERS)
			cost += cost_of_letters(run, end - i);
		else if (kind == DIGITS)
			cost += (end - i + 2) / 3 * 105;
		else if (kind == SIGNS)
			cost += cost_of_signs(run, end - i, before, behind);
		else if (kind == BLANK)
			cost += cost_of_blanks(run, end - i, before, behind);
		else
			cost += kind == CYRILLIC ? 70 : 0;
		for (size_t k = i; wide && k < end; k++) {
			unsigned char c = (unsigned char)text[k];
			cost += kind == OTHER ? cost_of_character(c) : c >= 0xc0 ? 29 : 0;
		}
		before = kind;
	}
	return len > 0 && cost < PER_TOKEN ? 1 : (cost + PER_TOKEN / 2) / PER_TOKEN;
}

size_t
tokens_estimate_soon(const char *text, size_t len)
{
	enum { LOOKED_AT = 64 << 10 };
	size_t part = len < LOOKED_AT ? len : LOOKED_AT;
	size_t tokens = tokens_estimate(text, part);

	return part < len ? (size_t)((double)tokens * (double)len / (double)part) : tokens;
}

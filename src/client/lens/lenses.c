#include "client/lens.h"

#include "json/print.h"

#include <string.h>

/*
 * The first rows are kinds of clients; then come named ones, each as the source in its row says at
 * that date. A client without a public source has no row.
 */
#define MODEL (1u << OUTPUT_MODEL)
#define PROGRAM (1u << OUTPUT_PROGRAM)
#define ALL (MODEL | PROGRAM)

static const char *
tool_of(const struct lens_input *in)
{
	return in->tool ? in->tool : "the tool";
}

/* ---- clients that put an error in place of the result ---- */

static bool
refuse_strictly(const struct lens_input *in, struct buf *out)
{
	if (in->verdict == VERDICT_MISSING)
		buf_add_str(out, "MCP error -32600: the tool has an output schema but did not "
				 "return structured content");
	else if (in->verdict == VERDICT_INVALID)
		buf_add_str(out, "MCP error -32602: structured content does not match the tool's "
				 "output schema");
	return out->len > 0;
}

static bool
throw_typescript(const struct lens_input *in, struct buf *out)
{
	if (in->verdict == VERDICT_MISSING)
		buf_addf(out,
		    "ProtocolError -32600: Tool %s has an output schema but did not return "
		    "structured content",
		    tool_of(in));
	else if (in->verdict == VERDICT_INVALID)
		buf_add_str(out, "ProtocolError -32602: Structured content does not match the "
				 "tool's output schema: …");
	return out->len > 0;
}

static bool
raise_python(const struct lens_input *in, struct buf *out)
{
	if (in->verdict == VERDICT_MISSING)
		buf_addf(out,
		    "RuntimeError: Tool %s has an output schema but did not return structured "
		    "content",
		    tool_of(in));
	else if (in->verdict == VERDICT_INVALID)
		buf_addf(out, "RuntimeError: Invalid structured content returned by tool %s: …",
		    tool_of(in));
	return out->len > 0;
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

/* The client in it is the TypeScript SDK's; its errors and those of the tool end here alike: with
 * the whole response printed into one sentence. */
static bool
refuse_gemini(const struct lens_input *in, struct buf *out)
{
	struct buf response = BUF_INIT;

	if (in->result.is_error)
		json_print(&response, in->result.value);
	else if (in->verdict == VERDICT_MISSING)
		buf_addf(&response,
		    "{\"error\":{\"message\":\"MCP error -32600: Tool %s has an output schema but "
		    "did not return structured content\",\"isError\":true}}",
		    tool_of(in));
	else if (in->verdict == VERDICT_INVALID)
		buf_add_str(&response,
		    "{\"error\":{\"message\":\"MCP error -32602: Structured content does not match "
		    "the tool's output schema: …\",\"isError\":true}}");
	if (response.len > 0) {
		buf_addf(out,
		    "MCP tool '%s' reported tool error for function call: "
		    "{\"name\":\"%s\",\"args\":%s} with response: "
		    "[{\"functionResponse\":{\"name\":\"%s\",\"response\":",
		    tool_of(in), tool_of(in), in->arguments ? in->arguments : "{}", tool_of(in));
		buf_add(out, buf_text(&response), response.len);
		buf_add_str(out, "}}]");
	}
	buf_finish(&response);
	return out->len > 0;
}

/* It leaves out unknown blocks, and embedded resources without text and data. */
static bool
takes_gemini(const struct lens_input *in, const struct result_output *o)
{
	const struct content_block *b = o->block;

	return b->kind != CONTENT_UNKNOWN && (b->kind != CONTENT_RESOURCE || b->text || b->data);
}

/* How many bytes so many UTF-16 units have, and *units: of the whole. */
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

/* Its language has false values besides absence. */
static bool
is_truthy(const cJSON *value)
{
	enum json_type type = json_type(value);

	return type == JSON_OBJECT || type == JSON_ARRAY || json_is_true(value) ||
	       (type == JSON_STRING && *json_string(value)) ||
	       (type == JSON_NUMBER && value->valuedouble != 0);
}

static bool
is_for_model(const struct content_block *b)
{
	bool user = false;

	for (const cJSON *who = json_first(b->audience); who; who = who->next) {
		const char *name = json_string(who);
		if (name && strcmp(name, "assistant") == 0)
			return true;
		user = user || (name && strcmp(name, "user") == 0);
	}
	return !b->audience;
}

static bool
takes_vscode(const struct lens_input *in, const struct result_output *o)
{
	bool value = is_truthy(in->result.structured);

	if (!o->block)
		return value;
	return is_for_model(o->block) && (o->block->kind != CONTENT_TEXT || !value) &&
	       o->block->kind != CONTENT_UNKNOWN;
}

/* Links stay links, and embedded resources that are no pictures become some. */
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
	    .rule = "an error in place of a result that breaks its outputSchema",
	    .source = "\"Clients SHOULD validate structured results against this schema.\" "
		      "(server/tools)",
	    .first = MODEL,
	    .then = PROGRAM,
	    .refuse = refuse_strictly },
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
	    .rule = "structuredContent in place of text; of an error the text alone; over 25 000 "
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
	    .refuse = refuse_gemini },
	{ .name = "vscode",
	    .title = "VS Code",
	    .rule = "structuredContent in place of text; other blocks stay, those for the user "
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
		      "openai/openai-apps-sdk-examples saw structuredContent alone beside an app",
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
	    .refuse = throw_typescript },
	{ .name = "python",
	    .title = "Python SDK client",
	    .rule =
		"the whole result for the program; a RuntimeError if it breaks the outputSchema",
	    .source = "modelcontextprotocol/python-sdk at 57394b05: src/mcp/client/session.py, "
		      "validate_tool_result()",
	    .date = "2026-08-20",
	    .reader = OUTPUT_PROGRAM,
	    .first = ALL,
	    .refuse = raise_python },
	{ .name = "go",
	    .title = "Go SDK client",
	    .rule = "the whole result for the program, unchecked",
	    .source = "modelcontextprotocol/go-sdk at 3d6450fc: mcp/client.go, CallTool()",
	    .date = "2026-08-21",
	    .reader = OUTPUT_PROGRAM,
	    .first = ALL },
};

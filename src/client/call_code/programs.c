#include "call_code.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/url_text.h"
#include "json/pointer.h"
#include "json/write.h"
#include "mcp/param_headers.h"
#include "mcp/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define VERSION_LATEST "2025-11-25"

/* What the request says, by the kind of the primitive. */
static const struct request_words {
	const char *subcommand, *method, *subject;
	const char *python, *typescript; /* methods of the SDKs */
} words_of[PRIMITIVE_KINDS] = {
	[PRIMITIVE_TOOL] = { "call", "tools/call", "name", "call_tool", "callTool" },
	[PRIMITIVE_RESOURCE] = { "read", "resources/read", "uri", "read_resource", "readResource" },
	[PRIMITIVE_TEMPLATE] = { "read", "resources/read", "uri", "read_resource", "readResource" },
	[PRIMITIVE_PROMPT] = { "get", "prompts/get", "name", "get_prompt", "getPrompt" },
};

static bool
is_resource(const struct call_code *c)
{
	return c->kind == PRIMITIVE_RESOURCE || c->kind == PRIMITIVE_TEMPLATE;
}

static const char *
subject(const struct call_code *c)
{
	return is_resource(c) && c->uri ? c->uri : c->key;
}

static const char *
arguments(const struct call_code *c)
{
	return c->arguments && *c->arguments ? c->arguments : "{}";
}

/* What the reader has to do first, as comments. */
static void
add_notes(struct buf *out, const char *mark, const struct call_code *c, const struct strings *needs)
{
	if (needs->len > 0) {
		buf_addf(out, "%s set first: ", mark);
		strings_join(needs, ", ", out);
		buf_add_char(out, '\n');
	}
	if (strstr(arguments(c), SECRET_HIDDEN) || strstr(subject(c), SECRET_HIDDEN))
		buf_addf(out, "%s put the secrets in place of " SECRET_HIDDEN "\n", mark);
}

/* The code is written after what it needs is known. */
static void
join(struct buf *out, const char *mark, const struct call_code *c, struct strings *needs,
    struct buf *code)
{
	add_notes(out, mark, c, needs);
	buf_add(out, buf_text(code), code->len);
	buf_finish(code);
	strings_finish(needs);
}

/* ---- a command line of mcpane ---- */

static void
add_server(struct buf *out, const struct call_code *c, struct strings *needs)
{
	const struct target *t = c->target;
	struct buf name = BUF_INIT, value = BUF_INIT;

	if (c->origin == CHOICE_DEMO) {
		buf_add_str(out, " --demo");
		return;
	}
	if (t->file) {
		buf_add_str(out, c->origin == CHOICE_TYPED ? " --config " : "");
		if (c->origin == CHOICE_TYPED)
			code_add_text(out, CODE_SHELL, t->file, NULL);
		buf_add_str(out, " --server ");
		code_add_text(out, CODE_SHELL, t->name, NULL);
		return;
	}
	if (!t->url)
		return;
	code_mark_url(&value, t);
	buf_add_char(out, ' ');
	code_add_text(out, CODE_SHELL, buf_text(&value), needs);
	for (size_t i = 0; t->headers && t->headers[i]; i++) {
		buf_clear(&name);
		buf_clear(&value);
		code_mark_header(&name, &value, t, i);
		buf_addf(&name, ": %s", buf_text(&value));
		buf_add_str(out, " -H ");
		code_add_text(out, CODE_SHELL, buf_text(&name), needs);
	}
	buf_add_str(out, t->insecure ? " --insecure" : "");
	buf_finish(&name);
	buf_finish(&value);
}

/* The words of the server's command, each after `before` and before `after`. */
static void
add_command(struct buf *out, enum code_language language, const struct call_code *c, size_t from,
    const char *between, struct strings *needs)
{
	struct buf word = BUF_INIT;

	for (size_t i = from; c->target->argv[i]; i++) {
		buf_clear(&word);
		code_mark_argument(&word, c->target, i);
		buf_add_str(out, i > from ? between : "");
		code_add_text(out, language, buf_text(&word), needs);
	}
	buf_finish(&word);
}

static bool
ends_in_break(const char *text)
{
	size_t len = text ? strlen(text) : 0;

	return len > 0 && text[len - 1] == '\n';
}

/* There is no way to write one at the end of a word that all shells read alike. */
static bool
has_lost_break(const struct call_code *c)
{
	const struct target *t = c->target;
	bool lost = ends_in_break(subject(c)) || ends_in_break(t->name) || ends_in_break(t->file);

	for (size_t i = 0; t->argv && t->argv[i]; i++)
		lost = lost || ends_in_break(t->argv[i]);
	return lost;
}

static bool
add_mcpane(const struct call_code *c, struct buf *out, struct err *err)
{
	const struct target *t = c->target;
	bool runs = !t->url && !t->file && c->origin != CHOICE_DEMO;
	struct strings needs = { 0 };
	struct buf code = BUF_INIT;

	if (subject(c)[0] == '-')
		return err_set(err, "a name that begins with - cannot be given to mcpane");
	if (has_lost_break(c))
		return err_set(err, "a word that ends in a line break cannot be written for a shell");
	buf_addf(&code, "mcpane %s", words_of[c->kind].subcommand);
	add_server(&code, c, &needs);
	buf_add_char(&code, ' ');
	code_add_text(&code, CODE_SHELL, subject(c), NULL);
	if (!is_resource(c) && strcmp(arguments(c), "{}") != 0) {
		buf_add_str(&code, " --args ");
		code_add_json(&code, CODE_SHELL, arguments(c));
	}
	if (runs) {
		buf_add_str(&code, " -- ");
		add_command(&code, CODE_SHELL, c, 0, " ", &needs);
	}
	buf_add_char(&code, '\n');
	join(out, "#", c, &needs, &code);
	return true;
}

/* ---- curl ---- */

static void
write_envelope(struct json_writer *w, const struct call_code *c)
{
	json_write_member_object(w, "_meta");
	json_write_member_string(w, "io.modelcontextprotocol/protocolVersion", c->protocol);
	json_write_member_json(w, "io.modelcontextprotocol/clientCapabilities", "{}");
	json_write_member_json(
	    w, "io.modelcontextprotocol/clientInfo", "{\"name\":\"curl\",\"version\":\"1\"}");
	json_write_object_end(w);
}

static void
add_request(struct buf *out, const struct call_code *c)
{
	struct buf json = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_string(&w, "jsonrpc", "2.0");
	json_write_member_int(&w, "id", 2);
	json_write_member_string(&w, "method", words_of[c->kind].method);
	json_write_member_object(&w, "params");
	json_write_member_string(&w, words_of[c->kind].subject, subject(c));
	if (!is_resource(c))
		json_write_member_json(&w, "arguments", arguments(c));
	if (c->modern)
		write_envelope(&w, c);
	json_write_object_end(&w);
	json_write_object_end(&w);
	code_add_json(out, CODE_SHELL, buf_text(&json));
	buf_finish(&json);
}

static void
add_header(struct buf *out, const char *name, const char *value, struct strings *needs)
{
	char *line = mem_printf("%s: %s", name, value);

	buf_add_str(out, " \\\n  -H ");
	code_add_text(out, CODE_SHELL, line, needs);
	free(line);
}

/* Of arguments that HTTP mirrors into headers. */
static void
add_param_headers(struct buf *out, const struct call_code *c)
{
	struct json_doc *doc = json_parse(arguments(c), strlen(arguments(c)), NULL, NULL);
	struct param_headers headers = { 0 };
	char problem[200];

	if (doc && c->kind == PRIMITIVE_TOOL)
		param_headers_read(
		    &headers, json_get(c->definition, "inputSchema"), problem, sizeof(problem));
	for (size_t i = 0; i < headers.len; i++) {
		char *name = mem_printf("Mcp-Param-%s", headers.items[i].name);
		char *value =
		    param_header_value(json_pointer_find(json_root(doc), headers.items[i].pointer));
		if (value)
			add_header(out, name, value, NULL);
		free(name);
		free(value);
	}
	param_headers_finish(&headers);
	json_doc_destroy(doc);
}

/* curl takes every header but Authorization and Cookie along to another host. */
static bool
has_secret_header(const struct target *t)
{
	bool has = false;

	for (size_t i = 0; t->headers && t->headers[i] && !has; i++) {
		struct buf name = BUF_INIT, value = BUF_INIT;
		code_mark_header(&name, &value, t, i);
		has = strchr(buf_text(&value), VARIABLE_BEGIN) &&
		      strcasecmp(buf_text(&name), "Authorization") != 0 &&
		      strcasecmp(buf_text(&name), "Cookie") != 0;
		buf_finish(&name);
		buf_finish(&value);
	}
	return has;
}

/* As mcpane does, a redirect is followed with the same method, and never from https to http. What
 * is not followed is told, because curl ends well then. */
static const char *
redirect_options(const struct target *t)
{
	if (has_secret_header(t))
		return " -w '%{stderr}%{redirect_url}'";
	return is_plain_web_url(t->url) ? " -L --post301 --post302 --post303"
					: " -L --post301 --post302 --post303 --proto-redir -all,https";
}

/* curl with the headers that every request has. */
static void
add_curl(struct buf *out, const struct call_code *c, const char *options, struct strings *needs)
{
	const struct target *t = c->target;
	struct buf name = BUF_INIT, value = BUF_INIT;

	code_mark_url(&value, t);
	buf_addf(out, "curl -sS --fail-with-body%s%s%s ", redirect_options(t),
	    t->insecure ? " -k" : "", options);
	code_add_text(out, CODE_SHELL, buf_text(&value), needs);
	add_header(out, "Content-Type", "application/json", NULL);
	add_header(out, "Accept", "application/json, text/event-stream", NULL);
	for (size_t i = 0; t->headers && t->headers[i]; i++) {
		buf_clear(&name);
		buf_clear(&value);
		code_mark_header(&name, &value, t, i);
		add_header(out, buf_text(&name), buf_text(&value), needs);
	}
	if (c->is_authorized)
		add_header(out, "Authorization", "Bearer \1MCP_TOKEN\2", needs);
	buf_finish(&name);
	buf_finish(&value);
}

/* 2026-07-28: one request says all. */
static void
add_modern(struct buf *out, const struct call_code *c, struct strings *needs)
{
	struct buf name = BUF_INIT;

	add_curl(out, c, "", needs);
	add_header(out, "MCP-Protocol-Version", c->protocol, NULL);
	add_header(out, "Mcp-Method", words_of[c->kind].method, NULL);
	header_value_add(&name, subject(c));
	add_header(out, "Mcp-Name", buf_text(&name), NULL);
	add_param_headers(out, c);
	buf_add_str(out, " \\\n  --data-raw ");
	add_request(out, c);
	buf_add_char(out, '\n');
	buf_finish(&name);
}

/* Before: a handshake, whose answer may name a session. */
static void
add_legacy(struct buf *out, const struct call_code *c, struct strings *needs)
{
	const char *version = *c->protocol ? c->protocol : VERSION_LATEST;
	char *hello =
	    mem_printf("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		       "\"protocolVersion\":\"%s\",\"capabilities\":{},"
		       "\"clientInfo\":{\"name\":\"curl\",\"version\":\"1\"}}}",
		version);

	buf_add_str(out, "session=$(");
	add_curl(out, c, " -D - -o /dev/null", needs);
	buf_add_str(out, " \\\n  --data-raw ");
	code_add_json(out, CODE_SHELL, hello);
	buf_add_str(
	    out, " |\n  tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii][Dd]: *//p')\n");
	for (int last = 0; last < 2; last++) {
		add_curl(out, c, last ? "" : " -o /dev/null", needs);
		add_header(out, "MCP-Protocol-Version", version, NULL);
		buf_add_str(
		    out, " \\\n  ${session:+-H \"Mcp-Session-Id: $session\"} \\\n  --data-raw ");
		if (last)
			add_request(out, c);
		else
			code_add_text(out, CODE_SHELL,
			    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", NULL);
		buf_add_char(out, '\n');
	}
	free(hello);
}

static bool
add_curl_call(const struct call_code *c, struct buf *out, struct err *err)
{
	struct strings needs = { 0 };
	struct buf code = BUF_INIT;

	if (!c->target->url)
		return err_set(err, "curl speaks HTTP, which this server does not use");
	if (c->target->sse)
		return err_set(err, "curl cannot follow the HTTP+SSE transport of 2024-11-05");
	c->modern ? add_modern(&code, c, &needs) : add_legacy(&code, c, &needs);
	join(out, "#", c, &needs, &code);
	return true;
}

/* ---- programs ---- */

/* The object of environment variables or headers of the server; nothing if there are none. */
static void
add_pairs(struct buf *out, enum code_language language, const char *label,
    const struct call_code *c, struct strings *needs)
{
	const struct target *t = c->target;
	struct buf name = BUF_INIT, value = BUF_INIT;
	char *const *list = t->url ? t->headers : t->env;
	size_t count = 0;

	for (size_t i = 0; list && list[i]; i++) {
		buf_clear(&name);
		buf_clear(&value);
		t->url ? code_mark_header(&name, &value, t, i)
		       : code_mark_variable(&name, &value, t, i);
		buf_addf(out, "%s", count++ ? ", " : label);
		code_add_text(out, language, buf_text(&name), NULL);
		buf_add_str(out, ": ");
		code_add_text(out, language, buf_text(&value), needs);
	}
	if (t->url && c->is_authorized) {
		buf_addf(out, "%s\"Authorization\": ", count++ ? ", " : label);
		code_add_text(out, language, "Bearer \1MCP_TOKEN\2", needs);
	}
	buf_add_str(out, count ? "}" : "");
	buf_finish(&name);
	buf_finish(&value);
}

static void
add_arguments(struct buf *out, enum code_language language, const struct call_code *c)
{
	struct json_doc *doc = json_parse(arguments(c), strlen(arguments(c)), NULL, NULL);

	if (doc)
		code_add_value(out, language, json_root(doc));
	else
		buf_add_str(out, "{}");
	json_doc_destroy(doc);
}

/* is: between a name and its value. */
static void
add_process(struct buf *out, enum code_language language, const char *is, const struct call_code *c,
    struct strings *needs)
{
	char env[16];

	snprintf(env, sizeof(env), ", env%s{", is);
	buf_addf(out, "command%s", is);
	code_add_text(out, language, c->target->argv[0], NULL);
	buf_addf(out, ", args%s[", is);
	add_command(out, language, c, 1, ", ", needs);
	buf_add_char(out, ']');
	add_pairs(out, language, env, c, needs);
	if (c->target->cwd) {
		buf_addf(out, ", cwd%s", is);
		code_add_text(out, language, c->target->cwd, NULL);
	}
}

/* What the client speaks to. Headers need an HTTP client of their own, which is made before. */
static void
add_python_server(struct buf *before, struct buf *out, const struct call_code *c,
    struct strings *needs)
{
	struct buf url = BUF_INIT;

	if (!c->target->url) {
		buf_add_str(out, "StdioServerParameters(");
		add_process(out, CODE_PYTHON, "=", c, needs);
		buf_add_char(out, ')');
		return;
	}
	add_pairs(before, CODE_PYTHON,
	    "    timeout = httpx2.Timeout(30, read=300)\n    headers = {", c, needs);
	code_mark_url(&url, c->target);
	buf_add_str(out, before->len > 0 ? "streamable_http_client(" : "");
	code_add_text(out, CODE_PYTHON, buf_text(&url), needs);
	buf_add_str(out, before->len > 0 ? ", http_client=http)" : "");
	buf_finish(&url);
}

/* Client of version 2 of the SDK speaks both eras, and follows redirects as mcpane does. */
static bool
add_python(const struct call_code *c, struct buf *out, struct err *err)
{
	struct strings needs = { 0 };
	struct buf code = BUF_INIT, before = BUF_INIT, server = BUF_INIT;

	add_python_server(&before, &server, c, &needs);
	bool has_headers = before.len > 0;
	const char *indent = has_headers ? "    " : "";
	buf_addf(&code, "# pip install 'mcp>=2.3'\nimport asyncio\n%s\n%sfrom mcp import Client%s\n",
	    needs.len ? "import os\n" : "", has_headers ? "import httpx2\n" : "",
	    c->target->url ? "" : ", StdioServerParameters");
	buf_addf(&code, "%s\n\nasync def main():\n",
	    has_headers ? "from mcp.client.streamable_http import streamable_http_client\n" : "");
	buf_add(&code, buf_text(&before), before.len);
	buf_add_str(&code, has_headers ? "\n    async with httpx2.AsyncClient(headers=headers, "
					 "timeout=timeout) as http:\n"
				       : "");
	buf_addf(&code, "%s    async with Client(", indent);
	buf_add(&code, buf_text(&server), server.len);
	buf_addf(&code, ") as client:\n%s        result = await client.%s(", indent,
	    words_of[c->kind].python);
	code_add_text(&code, CODE_PYTHON, subject(c), NULL);
	if (!is_resource(c)) {
		buf_add_str(&code, ", ");
		add_arguments(&code, CODE_PYTHON, c);
	}
	buf_addf(&code,
	    ")\n%s        print(result.model_dump_json(by_alias=True, indent=2))\n\n\n"
	    "asyncio.run(main())\n",
	    indent);
	buf_finish(&before);
	buf_finish(&server);
	join(out, "#", c, &needs, &code);
	return true;
}

static void
add_typescript_transport(struct buf *out, const struct call_code *c, struct strings *needs)
{
	struct buf url = BUF_INIT;

	if (c->target->url) {
		code_mark_url(&url, c->target);
		buf_add_str(out, "new StreamableHTTPClientTransport(new URL(");
		code_add_text(out, CODE_TYPESCRIPT, buf_text(&url), needs);
		buf_add_str(out, ")");
		size_t before = out->len;
		add_pairs(out, CODE_TYPESCRIPT, ", { requestInit: { headers: {", c, needs);
		buf_add_str(out, out->len > before ? " } }" : "");
		buf_add_str(out, ")");
		buf_finish(&url);
		return;
	}
	buf_add_str(out, "new StdioClientTransport({ ");
	add_process(out, CODE_TYPESCRIPT, ": ", c, needs);
	buf_add_str(out, " })");
}

/* JavaScript has no such number. */
static bool
has_big_number(const char *json)
{
	for (size_t digits = 0; *json; json++) {
		digits = *json >= '0' && *json <= '9' ? digits + 1 : 0;
		if (digits > 15)
			return true;
	}
	return false;
}

static bool
add_typescript(const struct call_code *c, struct buf *out, struct err *err)
{
	struct strings needs = { 0 };
	struct buf code = BUF_INIT;

	buf_addf(&code,
	    "// npm install @modelcontextprotocol/sdk\n"
	    "import { Client } from \"@modelcontextprotocol/sdk/client/index.js\";\n"
	    "import { %s } from \"@modelcontextprotocol/sdk/client/%s.js\";\n\n"
	    "const client = new Client({ name: \"example\", version: \"1.0.0\" });\n"
	    "await client.connect(",
	    c->target->url ? "StreamableHTTPClientTransport" : "StdioClientTransport",
	    c->target->url ? "streamableHttp" : "stdio");
	add_typescript_transport(&code, c, &needs);
	buf_add_str(&code, ");\n");
	if (has_big_number(arguments(c)))
		buf_add_str(&code, "// JavaScript rounds integers of more than 15 digits\n");
	buf_addf(&code, "const result = await client.%s({ %s: ", words_of[c->kind].typescript,
	    words_of[c->kind].subject);
	code_add_text(&code, CODE_TYPESCRIPT, subject(c), NULL);
	if (!is_resource(c)) {
		buf_add_str(&code, ", arguments: ");
		add_arguments(&code, CODE_TYPESCRIPT, c);
	}
	buf_add_str(&code, " });\nconsole.log(JSON.stringify(result, null, 2));\n"
			   "await client.close();\n");
	join(out, "//", c, &needs, &code);
	return true;
}

const struct call_code_format call_code_formats[] = {
	{ "command", "command line of mcpane", add_mcpane },
	{ "curl", "curl command", add_curl_call },
	{ "python", "Python program, official SDK", add_python },
	{ "typescript", "TypeScript program, official SDK", add_typescript },
	{ 0 },
};

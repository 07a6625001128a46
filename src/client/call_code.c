/* SPDX-License-Identifier: MIT */
#include "client/call_code.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/message.h"
#include "mcp/param_headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- secrets of a target ---- */

/*
 * Names of environment variables replace the secrets in a marked text of the target. The names are
 * between these two bytes, which no other text contains.
 */
#define VARIABLE_BEGIN '\1'
#define VARIABLE_END '\2'

/* Append text without the two bytes that mark variables. */
static void
add_plain(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != VARIABLE_BEGIN && text[i] != VARIABLE_END)
			buf_add_char(out, text[i]);
}

/* "X-Api-Key" becomes X_API_KEY. */
static void
add_secret(struct buf *out, const char *prefix, const char *name, size_t len)
{
	buf_add_char(out, VARIABLE_BEGIN);
	buf_add_str(out, prefix);
	if (*prefix == '\0' && (len == 0 || ascii_is_digit((unsigned char)name[0])))
		buf_add_char(out, '_');
	for (size_t i = 0; i < len && i < 64; i++) {
		unsigned char c = (unsigned char)name[i];
		buf_add_char(out, ascii_is_alnum(c) ? (char)ascii_upper(c) : '_');
	}
	buf_add_char(out, VARIABLE_END);
}

/* A shown text has ${NAME} instead of values of the environment. */
static void
add_shown(struct buf *out, const char *shown)
{
	for (const char *at; (at = strstr(shown, "${")) != NULL;) {
		size_t len = strcspn(at + 2, "}:");
		const char *end = strchr(at, '}');
		if (!end || len == 0)
			break;
		add_plain(out, shown, (size_t)(at - shown));
		buf_add_char(out, VARIABLE_BEGIN);
		for (size_t i = 0; i < len; i++)
			buf_add_char(
			    out, ascii_is_alnum((unsigned char)at[2 + i]) ? at[2 + i] : '_');
		buf_add_char(out, VARIABLE_END);
		shown = end + 1;
	}
	add_plain(out, shown, strlen(shown));
}

static void
mark_url(struct buf *out, const struct target *t)
{
	struct buf url = BUF_INIT;
	const char *text = target_shown(t, t->url);

	secret_hide_text(&url, text, strlen(text));
	text != t->url ? add_shown(out, buf_text(&url)) : add_plain(out, buf_text(&url), url.len);
	buf_finish(&url);
}

/* Mark a word of the command: "--api-key=VALUE", "TOKEN=VALUE", or VALUE after "--api-key". */
static void
mark_argument(struct buf *out, const struct target *t, size_t nth)
{
	const char *text = t->argv[nth], *before = nth > 0 ? t->argv[nth - 1] : "";
	size_t name = strcspn(text, "="), dashes = strspn(before, "-");
	size_t option = strspn(text, "-");

	if (target_shown(t, text) != text) { /* it has parts that only the environment knows */
		add_shown(out, target_shown(t, text));
	} else if (text[name] == '=' && name > option &&
		   secret_is_named(text + option, name - option)) {
		add_plain(out, text, name + 1);
		add_secret(out, "", text + option, name - option);
	} else if (nth > 1 && dashes > 0 && option == 0 && !strchr(before, '=') &&
		   secret_is_named(before + dashes, strlen(before + dashes))) {
		add_secret(out, "", before + dashes, strlen(before + dashes));
	} else {
		struct buf plain = BUF_INIT;
		secret_hide_text(&plain, text, strlen(text));
		add_plain(out, buf_text(&plain), plain.len);
		buf_finish(&plain);
	}
}

/* Replace name and value with those of a header, or of a variable if the server has no URL. The
 * variable of a secret header is named after the header. */
static void
mark_pair(struct buf *name, struct buf *value, const struct target *t, size_t nth)
{
	const char *text = (t->url ? t->headers : t->env)[nth];
	size_t len = strcspn(text, t->url ? ":" : "=");
	const char *rest = text + len + (text[len] != '\0');
	struct buf plain = BUF_INIT;

	buf_clear(name);
	buf_clear(value);
	add_plain(name, text, len);
	if (secret_is_named(text, len) || target_shown(t, text) != text) {
		add_secret(value, t->url ? "MCP_" : "", text, len);
	} else if (t->url) {
		rest += strspn(rest, " \t");
		secret_hide_text(&plain, rest, strlen(rest));
		add_plain(value, buf_text(&plain), plain.len);
	} else {
		add_plain(value, rest, strlen(rest));
	}
	buf_finish(&plain);
}

/* ---- literals: texts and values, quoted ---- */

/* Append a JSON string. Python and TypeScript read it, except characters above U+FFFF. */
static void
add_string(struct buf *out, enum code_language language, const char *text, size_t len)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, len);
	for (size_t i = 0; i < json.len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(json.data + i, json.len - i, &c);
		if (n == 0)
			buf_add_str(out, "\\ufffd");
		else if (!glyph_is_unseen(c))
			buf_add(out, json.data + i, n);
		else if (c < 0x10000)
			buf_addf(out, "\\u%04x", c);
		else if (language == CODE_PYTHON)
			buf_addf(out, "\\U%08x", c);
		else
			buf_addf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
			    0xdc00 + (c & 0x3ff));
		i += n ? n : 1;
	}
	buf_finish(&json);
}

/* ---- words of a shell ---- */

/*
 * A word that sh, bash, dash, zsh and fish read alike, and tcsh too unless a byte is written as an
 * octal number. Three characters are outside the quotes, after a backslash: a single quote, a
 * backslash that fish would read as an escape, and the ! of csh's history. An invisible byte is
 * written as a number so that the user sees it; tcsh refuses that line.
 */
struct shell_word {
	struct buf *out;
	enum { BETWEEN, QUOTED, NUMBERS } in;
};

static void
go_into(struct shell_word *w, int in)
{
	static const char *const ends[] = { "", "'", "')\"" };
	static const char *const begins[] = { "", "'", "\"$(printf '" };

	if ((int)w->in == in)
		return;
	buf_add_str(w->out, ends[w->in]);
	buf_add_str(w->out, begins[in]);
	w->in = in;
}

/* A shell drops line breaks from the end of a command's output, so another character follows. */
static void
add_shell_part(struct shell_word *w, const char *text, size_t len)
{
	bool broken = false; /* the last byte was a line break, written by its number */

	for (size_t i = 0; i < len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(text + i, len - i, &c);
		bool odd = n == 0 || glyph_is_unseen(c);
		n = n ? n : 1;
		if (odd || broken) {
			go_into(w, NUMBERS);
			for (size_t k = 0; k < n; k++)
				buf_addf(w->out, "\\%03o", (unsigned char)text[i + k]);
			broken = odd && c == '\n';
		} else {
			char next = i + n < len ? text[i + n] : '\0';
			/* a backslash between quotes stays one before most characters */
			bool escaped =
			    c == '\'' || c == '!' ||
			    (c == '\\' && !(next >= ' ' && next <= '~' && !strchr("\\'!", next)));
			go_into(w, escaped ? BETWEEN : QUOTED);
			buf_add_str(w->out, escaped ? "\\" : "");
			buf_add(w->out, text + i, n);
		}
		i += n;
	}
}

/* ---- texts with variables ---- */

void
code_add_text(struct buf *out, enum code_language language, const char *text, struct strings *needs)
{
	static const char begins[] = { VARIABLE_BEGIN, '\0' }, ends[] = { VARIABLE_END, '\0' };
	static const char *const forms[][2] = {
		[CODE_SHELL] = { "\"$", "\"" },
		[CODE_PYTHON] = { "os.environ[\"", "\"]" },
		[CODE_TYPESCRIPT] = { "process.env[\"", "\"]!" },
	};
	bool shell = language == CODE_SHELL, first = true;
	struct shell_word word = { .out = out };
	size_t plain = strspn(text, ASCII_ALNUM "-_./:@%+,=");

	/* zsh replaces =PROGRAM, and fish %self */
	if (shell && text[plain] == '\0' && text[0] != '=' && text[0] != '%') {
		buf_add_str(out, *text ? text : "''");
		return;
	}
	for (const char *at = text; *at || first; first = false) {
		size_t len = needs ? strcspn(at, begins) : strlen(at);
		if (!shell && !first)
			buf_add_str(out, " + ");
		if (len > 0 || !*at) {
			if (shell)
				add_shell_part(&word, at, len);
			else
				add_string(out, language, at, len);
			at += len;
			continue;
		}
		len = strcspn(++at, ends);
		go_into(&word, BETWEEN);
		char *variable = mem_strndup(at, len);
		buf_addf(out, "%s%s%s", forms[language][0], variable, forms[language][1]);
		if (strings_have(needs, variable))
			free(variable);
		else
			strings_take(needs, variable);
		at += len + (at[len] != '\0');
	}
	go_into(&word, BETWEEN);
}

/* ---- values ---- */

static void
add_scalar(struct buf *out, enum code_language language, const cJSON *value)
{
	static const char *const words[][3] = {
		[CODE_PYTHON] = { "None", "False", "True" },
		[CODE_TYPESCRIPT] = { "null", "false", "true" },
	};
	char number[JSON_NUMBER_TEXT_MAX];
	const char *text = cJSON_GetStringValue(value);

	if (text)
		add_string(out, language, text, strlen(text));
	else if (cJSON_IsNumber(value))
		buf_add_str(out, json_number_text(value, number));
	else
		buf_add_str(
		    out, words[language][cJSON_IsNull(value) ? 0 : 1 + cJSON_IsTrue(value)]);
}

static void
add_call_code_value(struct buf *out, enum code_language language, const cJSON *value)
{
	bool object = cJSON_IsObject(value);

	if (!object && json_type(value) != JSON_ARRAY) {
		add_scalar(out, language, value);
		return;
	}
	buf_add_char(out, object ? '{' : '[');
	for (const cJSON *m = json_first(value); m; m = m->next) {
		bool sets_prototype =
		    object && language == CODE_TYPESCRIPT && strcmp(m->string, "__proto__") == 0;
		buf_add_str(out, m == json_first(value) ? "" : ", ");
		buf_add_str(out, sets_prototype ? "[" : "");
		if (object)
			add_string(out, language, m->string, strlen(m->string));
		buf_add_str(out, sets_prototype ? "]" : "");
		buf_add_str(out, object ? ": " : "");
		add_call_code_value(out, language, m);
	}
	buf_add_char(out, object ? '}' : ']');
}

/* In JSON an invisible character can only be in a string, where an escape means the same. */
static void
add_json(struct buf *out, enum code_language language, const char *json)
{
	struct buf plain = BUF_INIT;
	size_t len = strlen(json);

	for (size_t i = 0; i < len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(json + i, len - i, &c);
		if (n > 0 && c >= 0x7f && glyph_is_unseen(c)) {
			struct buf one = BUF_INIT;
			add_string(&one, CODE_TYPESCRIPT, json + i, n);
			buf_add(&plain, one.data + 1, one.len - 2);
			buf_finish(&one);
		} else {
			buf_add(&plain, json + i, n ? n : 1);
		}
		i += n ? n : 1;
	}
	code_add_text(out, language, buf_text(&plain), NULL);
	buf_finish(&plain);
}

#define VERSION_LATEST "2025-11-25"

/* Words of the request, by the kind of the primitive. */
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

/* Write the comments, which need the variables of the code, before the code. */
static void
join(struct buf *out, const char *mark, const struct call_code *c, struct strings *needs,
    struct buf *code)
{
	/* Append the preparations as comments. */
	if (needs->len > 0) {
		buf_addf(out, "%s set first: ", mark);
		strings_join(needs, ", ", out);
		buf_add_char(out, '\n');
	}
	if (strstr(arguments(c), SECRET_HIDDEN) || strstr(subject(c), SECRET_HIDDEN))
		buf_addf(out, "%s replace " SECRET_HIDDEN " with the secrets\n", mark);
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
	mark_url(&value, t);
	buf_add_char(out, ' ');
	code_add_text(out, CODE_SHELL, buf_text(&value), needs);
	for (size_t i = 0; t->headers && t->headers[i]; i++) {
		mark_pair(&name, &value, t, i);
		buf_addf(&name, ": %s", buf_text(&value));
		buf_add_str(out, " -H ");
		code_add_text(out, CODE_SHELL, buf_text(&name), needs);
	}
	buf_add_str(out, t->insecure ? " --insecure" : "");
	buf_finish(&name);
	buf_finish(&value);
}

/* Append the words of the server's command. */
static void
add_command(struct buf *out, enum code_language language, const struct call_code *c, size_t from,
    const char *between, struct strings *needs)
{
	struct buf word = BUF_INIT;

	for (size_t i = from; c->target->argv[i]; i++) {
		buf_clear(&word);
		mark_argument(&word, c->target, i);
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

static bool
add_mcpane(const struct call_code *c, struct buf *out, struct err *err)
{
	const struct target *t = c->target;
	bool runs = !t->url && !t->file && c->origin != CHOICE_DEMO;
	bool lost = ends_in_break(subject(c)) || ends_in_break(t->name) || ends_in_break(t->file);
	struct strings needs = { 0 };
	struct buf code = BUF_INIT;

	if (subject(c)[0] == '-')
		return err_set(err, "a name that begins with - cannot be given to mcpane");
	for (size_t i = 0; t->argv && t->argv[i]; i++)
		lost = lost || ends_in_break(t->argv[i]);
	if (lost) /* nothing that all shells read alike ends in a line break */
		return err_set(
		    err, "a word that ends in a line break cannot be written for a shell");
	buf_addf(&code, "mcpane %s", words_of[c->kind].subcommand);
	add_server(&code, c, &needs);
	buf_add_char(&code, ' ');
	code_add_text(&code, CODE_SHELL, subject(c), NULL);
	if (!is_resource(c) && strcmp(arguments(c), "{}") != 0) {
		buf_add_str(&code, " --args ");
		add_json(&code, CODE_SHELL, arguments(c));
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
	if (c->modern) {
		json_write_member_object(&w, "_meta");
		json_write_member_string(
		    &w, "io.modelcontextprotocol/protocolVersion", c->protocol);
		json_write_member_json(&w, "io.modelcontextprotocol/clientCapabilities", "{}");
		json_write_member_json(&w, "io.modelcontextprotocol/clientInfo",
		    "{\"name\":\"curl\",\"version\":\"1\"}");
		json_write_object_end(&w);
	}
	json_write_object_end(&w);
	json_write_object_end(&w);
	add_json(out, CODE_SHELL, buf_text(&json));
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

/* Append the headers that mirror arguments. */
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

/* curl sends every header but Authorization and Cookie to the target of a redirect, too. */
static bool
has_secret_header(const struct target *t)
{
	struct buf name = BUF_INIT, value = BUF_INIT;
	bool has = false;

	for (size_t i = 0; t->headers && t->headers[i] && !has; i++) {
		mark_pair(&name, &value, t, i);
		has = strchr(buf_text(&value), VARIABLE_BEGIN) &&
		      strcasecmp(buf_text(&name), "Authorization") != 0 &&
		      strcasecmp(buf_text(&name), "Cookie") != 0;
	}
	buf_finish(&name);
	buf_finish(&value);
	return has;
}

/* Append curl with the headers of every request. */
static void
add_curl(struct buf *out, const struct call_code *c, const char *options, struct strings *needs)
{
	const struct target *t = c->target;
	struct buf name = BUF_INIT, value = BUF_INIT;

	mark_url(&value, t);
	/* Like mcpane, curl follows a redirect with the same method and never from https to http.
	 * If it does not follow, it prints the redirect, because its exit status is 0 then. */
	const char *redirects = has_secret_header(t) ? " -w '%{stderr}%{redirect_url}'"
				: is_plain_web_url(t->url)
				    ? " -L --post301 --post302 --post303"
				    : " -L --post301 --post302 --post303 --proto-redir -all,https";
	buf_addf(
	    out, "curl -sS --fail-with-body%s%s%s ", redirects, t->insecure ? " -k" : "", options);
	code_add_text(out, CODE_SHELL, buf_text(&value), needs);
	add_header(out, "Content-Type", "application/json", NULL);
	add_header(out, "Accept", "application/json, text/event-stream", NULL);
	for (size_t i = 0; t->headers && t->headers[i]; i++) {
		mark_pair(&name, &value, t, i);
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
	add_json(out, CODE_SHELL, hello);
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

/* Append an object with the environment variables or the headers of the server, if there are any.
 */
static void
add_pairs(struct buf *out, enum code_language language, const char *label,
    const struct call_code *c, struct strings *needs)
{
	const struct target *t = c->target;
	struct buf name = BUF_INIT, value = BUF_INIT;
	char *const *list = t->url ? t->headers : t->env;
	size_t count = 0;

	for (size_t i = 0; list && list[i]; i++) {
		mark_pair(&name, &value, t, i);
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

/* Append the name or URI and, behind `between`, the arguments of a tool or prompt. */
static void
add_subject(
    struct buf *out, enum code_language language, const struct call_code *c, const char *between)
{
	code_add_text(out, language, subject(c), NULL);
	if (is_resource(c))
		return;
	buf_add_str(out, between);
	struct json_doc *doc = json_parse(arguments(c), strlen(arguments(c)), NULL, NULL);
	if (doc)
		add_call_code_value(out, language, json_root(doc));
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

/* Append the server parameter of the client. Headers need a separate HTTP client, made before. */
static void
add_python_server(
    struct buf *before, struct buf *out, const struct call_code *c, struct strings *needs)
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
	mark_url(&url, c->target);
	buf_add_str(out, before->len > 0 ? "streamable_http_client(" : "");
	code_add_text(out, CODE_PYTHON, buf_text(&url), needs);
	buf_add_str(out, before->len > 0 ? ", http_client=http)" : "");
	buf_finish(&url);
}

/* The Client class of SDK version 2 supports both eras, and follows redirects like mcpane. */
static bool
add_python(const struct call_code *c, struct buf *out, struct err *err)
{
	struct strings needs = { 0 };
	struct buf code = BUF_INIT, before = BUF_INIT, server = BUF_INIT;

	add_python_server(&before, &server, c, &needs);
	bool has_headers = before.len > 0;
	const char *indent = has_headers ? "    " : "";
	buf_addf(&code,
	    "# pip install 'mcp>=2.3'\nimport asyncio\n%s\n%sfrom mcp import Client%s\n",
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
	add_subject(&code, CODE_PYTHON, c, ", ");
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
		mark_url(&url, c->target);
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
	for (const char *at = arguments(c); *at; at += *at != '\0') {
		size_t digits = strspn(at, "0123456789");
		at += digits;
		if (digits > 15) {
			buf_add_str(
			    &code, "// JavaScript rounds integers of more than 15 digits\n");
			break;
		}
	}
	buf_addf(&code, "const result = await client.%s({ %s: ", words_of[c->kind].typescript,
	    words_of[c->kind].subject);
	add_subject(&code, CODE_TYPESCRIPT, c, ", arguments: ");
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

#include "options.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/url_text.h"
#include "base/vec.h"
#include "host/bundle.h"

#include <string.h>

/* Every argument that is not an option: the subcommand, the server's URL, and operands. */

/* NAME=VALUE or NAME:=JSON. */
static bool
take_argument(struct command_line *line, const struct operand *operand, const char *text, int more)
{
	const char *equals = strchr(text, '=');
	size_t len = equals ? (size_t)(equals - text) : 0;
	bool is_json = len > 0 && text[len - 1] == ':';

	len -= is_json;
	if (is_web_url(text))
		return err_set(
		    line->err, "the server's URL comes before the name: URL %.80s", line->o->tool);
	if (len == 0)
		return err_set(line->err, "\"%.80s\" is neither NAME=VALUE nor NAME:=JSON", text);
	*VEC_PUSH(&line->o->arguments) = (struct call_argument){
		.path = mem_strndup(text, len),
		.text = equals + 1,
		.is_json = is_json,
	};
	return true;
}

static bool
take_text(struct command_line *line, const struct operand *operand, const char *text, int more)
{
	if (more > 0)
		return err_set(line->err, "%s: takes one %s; unexpected \"%.80s\"",
		    line->o->subcommand->name, operand->is_uri ? "URI" : "file", text);
	*(const char **)((char *)line->o + operand->offset) = text;
	return true;
}

static bool
take_string(struct command_line *line, const struct operand *operand, const char *text, int more)
{
	*VEC_PUSH((struct option_strings *)((char *)line->o + operand->offset)) = text;
	return true;
}

static bool
take_listed(struct command_line *line, const struct operand *operand, const char *text, int more)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, text, strlen(text));
	for (int kind = 0; more == 0 && kind < PRIMITIVE_KINDS; kind++) {
		did_you_mean_try(&meant, primitive_kinds[(enum primitive_kind)kind].plural);
		if (strcmp(primitive_kinds[(enum primitive_kind)kind].plural, text) != 0)
			continue;
		line->o->kind = (enum primitive_kind)kind;
		return true;
	}
	if (meant.name)
		return err_set(
		    line->err, "list: unknown word \"%.80s\"; did you mean %s?", text, meant.name);
	return err_set(line->err,
	    "list: \"%.80s\" cannot be listed, only tools, resources, templates, prompts or skills",
	    text);
}

static bool
take_completed(struct command_line *line, const struct operand *operand, const char *text, int more)
{
	line->o->kind = strcmp(text, "template") == 0 ? PRIMITIVE_TEMPLATE : PRIMITIVE_PROMPT;
	return line->o->kind == PRIMITIVE_TEMPLATE || strcmp(text, "prompt") == 0 ||
	       err_set(line->err, "complete: \"%.80s\" is neither prompt nor template", text);
}

#define AT(member) .offset = offsetof(struct options, member)

const struct operand operands_of_list[] = { { .take = take_listed }, { 0 } };
const struct operand operands_of_call[] = {
	{ .take = take_text, AT(tool), .missing = "the name of a tool is missing" },
	{ .take = take_argument },
	{ 0 },
};
const struct operand operands_of_get[] = {
	{ .take = take_text, AT(tool), .missing = "the name of a prompt is missing" },
	{ .take = take_argument },
	{ 0 },
};
const struct operand operands_of_read[] = {
	{ .take = take_text,
	    AT(uri),
	    .missing = "the URI of a resource is missing",
	    .is_uri = true },
	{ 0 },
};
const struct operand operands_of_skill[] = {
	{ .take = take_text,
	    AT(tool),
	    .missing = "the name or URI of a skill is missing",
	    .is_uri = true },
	{ .take = take_text, AT(file) },
	{ 0 },
};
const struct operand operands_of_complete[] = {
	{ .take = take_completed },
	{ .take = take_text, AT(tool) },
	{ .take = take_text, AT(argument) },
	{ .take = take_text,
	    AT(value),
	    .missing = "prompt or template, its name, an argument and its partial value are "
		       "needed" },
	{ .take = take_argument },
	{ 0 },
};
const struct operand operands_of_check[] = {
	{ .take = take_text, AT(schema), .missing = "the schema is missing" },
	{ .take = take_string,
	    AT(instances),
	    .missing = "give an instance to check; - is standard input" },
	{ 0 },
};
const struct operand operands_of_diff[] = {
	{ .take = take_string,
	    AT(files),
	    .missing = "give two files, or a server and a file",
	    .is_file = true },
	{ 0 },
};
const struct operand operands_of_snapshot[] = {
	{ .take = take_text,
	    AT(file),
	    .missing = "the file is missing; - is standard output",
	    .is_file = true },
	{ 0 },
};
const struct operand operands_of_run[] = {
	{ .take = take_string,
	    AT(recipes),
	    .is_file = true },
	{ 0 },
};
const struct operand operands_of_history[] = {
	{ .take = take_string, AT(past), .may_begin_with_dash = true },
	{ 0 },
};
const struct operand operands_of_record[] = {
	{ .take = take_text, AT(recording), .missing = "the file to write is missing" },
	{ .take = take_text, AT(uri) },
	{ 0 },
};
const struct operand operands_of_tap[] = {
	{ .take = take_text, AT(recording) },
	{ 0 },
};
const struct operand operands_of_replay[] = {
	{ .take = take_text, AT(recording), .missing = "the recording is missing" },
	{ 0 },
};
const struct operand operands_of_completions[] = {
	{ .take = take_text, AT(shell), .missing = "the shell is missing: bash, zsh or fish" },
	{ 0 },
};

/* ---- the subcommand and the server's URL ---- */

void
command_line_take_subcommand(struct command_line *line, const struct subcommand *row)
{
	if (line->has_subcommand)
		line->o->help_about = line->o->subcommand;
	line->o->subcommand = row;
	line->o->full_screen = !row->run;
	line->o->kind = row->kind;
	line->has_subcommand = true;
	line->done = row->ends_parsing;
	line->o->words = line->next;
}

static bool
refuse_unknown(const struct command_line *line, const char *text)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, text, strlen(text));
	for (const struct subcommand *row = subcommands + 1; !line->has_subcommand && row->name;
	     row++)
		if (row->name[0] != '-' && row->name[0] != '_')
			did_you_mean_try(&meant, row->name);
	if (meant.name)
		return err_set(
		    line->err, "unknown subcommand \"%.80s\"; did you mean %s?", text, meant.name);
	return err_set(line->err,
	    "unexpected \"%.80s\": a server's command goes after --, as in: mcpane -- %.80s", text,
	    text);
}

static bool
refuse_scheme(const struct command_line *line, const char *url)
{
	struct buf shown = BUF_INIT;

	secret_hide_url(&shown, url);
	err_set(
	    line->err, "%.80s: a server's URL starts with http:// or https://", buf_text(&shown));
	buf_finish(&shown);
	return false;
}

/* A path, as of a server.json: the name of a tool may have such an end too, but no folder. */
static bool
is_server_file(const char *text)
{
	size_t len = strlen(text);

	if (bundle_is_named(text) && !strstr(text, "://"))
		return true;
	return len > 5 && strcmp(text + len - 5, ".json") == 0 && !strstr(text, "://") &&
	       (strchr(text, '/') || strcmp(text, "server.json") == 0);
}

bool
command_line_take_operand(struct command_line *line, const char *text)
{
	for (const struct subcommand *row = subcommands + 1; !line->has_subcommand && row->name;
	     row++)
		if (strcmp(row->name, text) == 0) {
			command_line_take_subcommand(line, row);
			return true;
		}

	const struct subcommand *row = line->o->subcommand;
	const struct operand *operand = row->operands;
	if (row->server != SERVER_NONE && line->operands <= row->url_after && !line->o->url) {
		if (is_web_url(text)) {
			line->o->url = text;
			return true;
		}
		if (is_server_file(text) && !(operand && operand->is_file)) {
			*VEC_PUSH(&line->o->configs) = text;
			return true;
		}
		if (strstr(text, "://") && !(operand && operand->is_uri))
			return refuse_scheme(line, text);
	}
	if (!operand)
		return refuse_unknown(line, text);
	int more = line->operands++;
	for (; more > 0 && operand[1].take; more--)
		operand++;
	return operand->take(line, operand, text, more);
}

static bool
has_other_server(const struct options *o)
{
	return o->demo || o->configs.len > 0 || o->command || o->server;
}

/* A saved call names its tool: the first operand is an argument too. */
static bool
take_first_as_argument(struct command_line *line, const struct operand *operands)
{
	struct options *o = line->o;
	const char *text = operands->is_uri ? o->uri : o->tool;
	struct call_argument first = { 0 };

	line->operands++;
	if (!text)
		return true;
	o->tool = NULL;
	if (operands->is_uri || !strchr(text, '='))
		return err_set(line->err, "%s: --saved names what is called: unexpected \"%.80s\"",
		    o->subcommand->name, text);
	if (!take_argument(line, &operands[1], text, 0))
		return false;
	size_t last = o->arguments.len - 1; /* it was the first one */
	first = o->arguments.items[last];
	memmove(o->arguments.items + 1, o->arguments.items, last * sizeof(first));
	o->arguments.items[0] = first;
	return true;
}

bool
command_line_check_operands(struct command_line *line)
{
	struct options *o = line->o;
	const struct operand *operand = o->subcommand->operands;

	if (o->saved && operand && !take_first_as_argument(line, operand))
		return false;

	if (operand && operand->is_uri && line->operands == 0 && o->url && has_other_server(o)) {
		/* as in: read https://host/page -- COMMAND */
		operand->take(line, operand, o->url, 0);
		o->url = NULL;
		line->operands++;
	}
	for (int i = 0; operand && operand[i].take; i++)
		if (i >= line->operands && operand[i].missing)
			return err_set(
			    line->err, "%s: %s", o->subcommand->name, operand[i].missing);
	return true;
}

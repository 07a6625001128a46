/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/url.h"
#include "base/vec.h"
#include "host/bundle.h"
#include "host/options.h"
#include "ui/backend.h"

#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 96 };

struct command_line {
	struct options *o;
	struct err *err;
	char *const *next;   /* the argument after the current one; NULL-terminated */
	bool has_subcommand; /* as a word or --serve-demo */
	const struct option *seen[OPTIONS_MAX]; /* each option once */
	size_t seen_count;
	int operands; /* operands so far, not counting the server's URL */
	bool done;    /* --help or --version: ignore the rest */
};

/* ---- operands: the subcommand, the server's URL, and other arguments ---- */

/* NAME=VALUE or NAME:=JSON. */
static bool
take_argument(struct command_line *line, const struct operand *operand, const char *text, int more)
{
	const char *equals = strchr(text, '=');
	size_t len = equals ? (size_t)(equals - text) : 0;
	bool is_json = len > 0 && text[len - 1] == ':';

	len -= is_json;
	if (is_web_url(text))
		return err_set(line->err, "the server's URL comes before the name: URL %.80s",
		    line->o->call.tool);
	if (len == 0)
		return err_set(line->err, "\"%.80s\" is neither NAME=VALUE nor NAME:=JSON", text);
	*VEC_PUSH(&line->o->call.arguments) = (struct call_argument){
		.path = mem_strndup(text, len),
		.text = equals + 1,
		.is_json = is_json,
	};
	return true;
}

static bool
take_text(struct command_line *line, const struct operand *operand, const char *text, int more)
{
	void *at = (char *)line->o + operand->offset;

	if (operand->is_many)
		*VEC_PUSH((struct option_strings *)at) = text;
	else if (more > 0)
		return err_set(line->err, "%s: takes one %s; unexpected \"%.80s\"",
		    line->o->subcommand->name, operand->is_uri ? "URI" : "file", text);
	else
		*(const char **)at = text;
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
		line->o->call.kind = (enum primitive_kind)kind;
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
	line->o->call.kind = strcmp(text, "template") == 0 ? PRIMITIVE_TEMPLATE : PRIMITIVE_PROMPT;
	return line->o->call.kind == PRIMITIVE_TEMPLATE || strcmp(text, "prompt") == 0 ||
	       err_set(line->err, "complete: \"%.80s\" is neither prompt nor template", text);
}

#define AT(member) .offset = offsetof(struct options, member)

const struct operand operands_of_list[] = { { .take = take_listed }, { 0 } };
const struct operand operands_of_call[] = {
	{ .take = take_text, AT(call.tool), .missing = "the name of a tool is missing" },
	{ .take = take_argument },
	{ 0 },
};
const struct operand operands_of_get[] = {
	{ .take = take_text, AT(call.tool), .missing = "the name of a prompt is missing" },
	{ .take = take_argument },
	{ 0 },
};
const struct operand operands_of_read[] = {
	{ .take = take_text,
	    AT(call.uri),
	    .missing = "the URI of a resource is missing",
	    .is_uri = true },
	{ 0 },
};
const struct operand operands_of_skill[] = {
	{ .take = take_text,
	    AT(call.tool),
	    .missing = "the name or URI of a skill is missing",
	    .is_uri = true },
	{ .take = take_text, AT(call.file) },
	{ 0 },
};
const struct operand operands_of_complete[] = {
	{ .take = take_completed },
	{ .take = take_text, AT(call.tool) },
	{ .take = take_text, AT(call.argument) },
	{ .take = take_text,
	    AT(call.value),
	    .missing = "prompt or template, its name, an argument and its partial value are "
		       "needed" },
	{ .take = take_argument },
	{ 0 },
};
const struct operand operands_of_check[] = {
	{ .take = take_text, AT(check.schema), .missing = "the schema is missing" },
	{ .take = take_text,
	    AT(check.instances),
	    .is_many = true,
	    .missing = "give an instance to check; - is standard input" },
	{ 0 },
};
const struct operand operands_of_diff[] = {
	{ .take = take_text,
	    AT(diff.files),
	    .is_many = true,
	    .missing = "give two files, or a server and a file",
	    .is_file = true },
	{ 0 },
};
const struct operand operands_of_snapshot[] = {
	{ .take = take_text,
	    AT(call.file),
	    .missing = "the file is missing; - is standard output",
	    .is_file = true },
	{ 0 },
};
const struct operand operands_of_run[] = {
	{ .take = take_text, AT(run.recipes), .is_many = true, .is_file = true },
	{ 0 },
};
const struct operand operands_of_history[] = {
	{ .take = take_text, AT(history.past), .is_many = true, .may_begin_with_dash = true },
	{ 0 },
};
const struct operand operands_of_record[] = {
	{ .take = take_text, AT(recording), .missing = "the file to write is missing" },
	{ .take = take_text, AT(call.uri) },
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

static void
take_subcommand(struct command_line *line, const struct subcommand *row)
{
	if (line->has_subcommand)
		line->o->help_about = line->o->subcommand;
	line->o->subcommand = row;
	line->o->full_screen = !row->run;
	line->o->call.kind = row->kind;
	line->has_subcommand = true;
	line->done = row->ends_parsing;
	line->o->words = line->next;
}

static bool
take_operand(struct command_line *line, const char *text)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, text, strlen(text));
	for (const struct subcommand *s = subcommands + 1; !line->has_subcommand && s->name; s++) {
		if (strcmp(s->name, text) == 0) {
			take_subcommand(line, s);
			return true;
		}
		if (s->name[0] != '-' && s->name[0] != '_')
			did_you_mean_try(&meant, s->name);
	}
	const struct subcommand *row = line->o->subcommand;
	const struct operand *operand = row->operands;
	if (row->server != SERVER_NONE && line->operands <= row->url_after && !line->o->url) {
		if (is_web_url(text)) {
			line->o->url = text;
			return true;
		}
		/* a path, as of a server.json: a tool's name may end so too, but has no folder */
		size_t len = strlen(text);
		bool has_scheme = strstr(text, "://");
		bool is_json = len > 5 && strcmp(text + len - 5, ".json") == 0 &&
			       (strchr(text, '/') || strcmp(text, "server.json") == 0);
		if (!has_scheme && (is_json || bundle_is_named(text)) &&
		    !(operand && operand->is_file)) {
			*VEC_PUSH(&line->o->configs) = text;
			return true;
		}
		if (has_scheme && !(operand && operand->is_uri)) {
			struct buf shown = BUF_INIT;
			secret_hide_url(&shown, text);
			err_set(line->err, "%.80s: a server's URL starts with http:// or https://",
			    buf_text(&shown));
			buf_finish(&shown);
			return false;
		}
	}
	if (!operand && meant.name)
		return err_set(
		    line->err, "unknown subcommand \"%.80s\"; did you mean %s?", text, meant.name);
	if (!operand)
		return err_set(line->err,
		    "unexpected \"%.80s\": a server's command goes after --, as in: mcpane -- "
		    "%.80s",
		    text, text);
	int more = line->operands++;
	for (; more > 0 && operand[1].take; more--)
		operand++;
	return operand->take(line, operand, text, more);
}

/* A saved call names its tool: the first operand is an argument too. */
static bool
take_first_as_argument(struct command_line *line, const struct operand *operands)
{
	struct options *o = line->o;
	const char *text = operands->is_uri ? o->call.uri : o->call.tool;
	struct call_argument first = { 0 };

	line->operands++;
	if (!text)
		return true;
	o->call.tool = NULL;
	if (operands->is_uri || !strchr(text, '='))
		return err_set(line->err,
		    "%s: --saved already names the call: unexpected \"%.80s\"", o->subcommand->name,
		    text);
	if (!take_argument(line, &operands[1], text, 0))
		return false;
	size_t last = o->call.arguments.len - 1; /* it was the first one */
	first = o->call.arguments.items[last];
	memmove(o->call.arguments.items + 1, o->call.arguments.items, last * sizeof(first));
	o->call.arguments.items[0] = first;
	return true;
}

/* False: a required operand is missing. May turn the server's URL into the URI of `read`. */
static bool
check_operands(struct command_line *line)
{
	struct options *o = line->o;
	const struct operand *operand = o->subcommand->operands;

	if (o->call.saved && operand && !take_first_as_argument(line, operand))
		return false;

	bool has_other_server = o->demo || o->configs.len > 0 || o->command || o->server;
	if (operand && operand->is_uri && line->operands == 0 && o->url && has_other_server) {
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

/* ---- options ---- */

static bool
take_cells(struct option_size *at, const char *value)
{
	char *end = NULL;
	long cols = strtol(value, &end, 10);
	long rows = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

	*at = (struct option_size){ (int)cols, (int)rows };
	return strspn(value, "0123456789x") == strlen(value) && *end == '\0' && cols >= 10 &&
	       cols <= 400 && rows >= 4 && rows <= 400;
}

static bool
take_value(struct command_line *line, const struct option *row, const char *value)
{
	enum { COUNT_DIGITS = 15 };
	const struct option_word *word = row->words;
	const struct subcommand *subcommand = subcommands;
	const char *wanted = ""; /* by an option whose value is wrong */
	size_t digits = value ? strspn(value, "0123456789") : 0;
	void *at = (char *)line->o + row->offset;
	size_t *count = at;
	bool is_all, ok = true;

	switch (row->kind) {
	case FLAG:
		*(bool *)at = true;
		break;
	case TEXT:
		*(const char **)at = value;
		break;
	case TIME:
		ok = units_parse_time_ms(value, at);
		wanted = "a time such as 500, 500ms, 30s or 2m";
		break;
	case SIZE:
		ok = units_parse_size(value, at);
		wanted = "a size such as 65536, 64K or 16M";
		break;
	case COUNT:
		is_all = strcmp(value, "all") == 0;
		*count = is_all ? SIZE_MAX : strtoull(value, NULL, 10);
		ok = is_all || (digits <= COUNT_DIGITS && !value[digits] && *count > 0);
		wanted = "a number from 1 on, or all";
		break;
	case COLUMNS:
		*count = strtoul(value, NULL, 10);
		ok = !value[digits] && *count >= 20 && *count <= 1000;
		wanted = "a number from 20 to 1000";
		break;
	case CELLS:
		ok = take_cells(at, value);
		wanted = "COLUMNSxROWS from 10x4 to 400x400";
		break;
	case WORD:
		while (word->text && strcmp(word->text, value) != 0)
			word++;
		if (!word->text)
			return err_set(line->err, "--%s: unknown value \"%.80s\"; known: %s",
			    row->name, value, row->help);
		memcpy(at, &word->value, sizeof(word->value));
		break;
	case SUBCOMMAND:
		while (strcmp(subcommand->name, row->subcommand) != 0)
			subcommand++;
		take_subcommand(line, subcommand);
		break;
	case STRINGS:
		*VEC_PUSH((struct option_strings *)at) = value;
		break;
	case STEPS:
		*VEC_PUSH(&line->o->render.steps) = (struct option_step){ row->step, value };
		break;
	}
	return ok || err_set(line->err, "--%s: \"%.80s\" is not %s", row->name, value, wanted);
}

/* The value is in the same argument, or the next one. */
static bool
take_option(struct command_line *line, const struct option *row, const char *glued)
{
	const char *value = glued;

	if (!row->value && glued)
		return err_set(line->err, "--%s takes no value", row->name);
	if (row->value && !glued) {
		value = *line->next;
		if (!value || strcmp(value, "--") == 0)
			return err_set(
			    line->err, "--%s: a value is missing: %s", row->name, row->value);
		line->next++;
	}
	size_t seen = 0;
	while (seen < line->seen_count && line->seen[seen] != row)
		seen++;
	BUG_IF(seen == OPTIONS_MAX);
	line->seen[seen] = row;
	line->seen_count += seen == line->seen_count;
	return take_value(line, row, value);
}

static bool
take_long(struct command_line *line, const char *text)
{
	size_t len = strcspn(text, "=");

	struct did_you_mean meant;

	did_you_mean_init(&meant, text, len);
	for (const struct option *row = option_table; row->help; row++) {
		if (!row->name)
			continue;
		if (strlen(row->name) == len && memcmp(row->name, text, len) == 0)
			return take_option(line, row, text[len] ? text + len + 1 : NULL);
		did_you_mean_try(&meant, row->name);
	}
	len = len < 80 ? len : 80;
	if (meant.name)
		return err_set(line->err, "unknown option --%.*s; did you mean --%s?", (int)len,
		    text, meant.name);
	return err_set(line->err, "unknown option --%.*s: see mcpane --help", (int)len, text);
}

static bool
take_all(struct command_line *line)
{
	while (!line->done && *line->next) {
		const char *text = *line->next++;
		if (strcmp(text, "--") == 0) {
			line->o->command = line->next;
			return *line->next ||
			       err_set(line->err, "the server's command must follow --");
		}
		const struct operand *operands = line->o->subcommand->operands;
		bool is_operand = text[0] != '-' || !text[1];
		const struct option *row = option_table; /* with this letter */
		while (!is_operand && row->help && row->letter != text[1])
			row++;
		if (!is_operand && text[1] != '-' && operands && operands->may_begin_with_dash) {
			/* a search, such as "-tool:list", or "-x" if there is no such option */
			is_operand = text[2] || !row->help;
		}
		bool ok = is_operand       ? take_operand(line, text)
			  : text[1] == '-' ? take_long(line, text + 2)
			  : row->help      ? take_option(line, row, text[2] ? text + 2 : NULL)
					   : err_set(line->err,
						 "unknown option -%.80s: see mcpane --help", text + 1);
		if (!ok)
			return false;
	}
	return true;
}

unsigned
option_group(const struct option *row)
{
	const struct option *heading = row;

	while (heading->name)
		heading--; /* the first row is a heading */
	return row->group ? row->group : heading->group;
}

/* word: the value that does not go with the subcommand; "" if no value does. */
static bool
refuse(
    const struct command_line *line, const struct option *option, const char *word, unsigned group)
{
	struct buf names = BUF_INIT;
	const char *last = "";

	for (const struct subcommand *row = subcommands; row->name; row++) {
		if (!(row->options & group))
			continue;
		if (*last)
			buf_addf(&names, "%s%s", names.len > 0 ? ", " : "", last);
		last = row->name;
	}
	buf_addf(&names, "%s%s", names.len > 0 ? " and " : "", last);
	err_set(line->err, "--%s%s%s goes with %s, not with %s", option->name, *word ? " " : "",
	    word, buf_text(&names), line->o->subcommand->name);
	buf_finish(&names);
	return false;
}

/* Refuses options that the subcommand would ignore. */
static bool
check_options(const struct command_line *line)
{
	unsigned accepts = line->o->subcommand->options;

	for (size_t i = 0; i < line->seen_count; i++) {
		const struct option *row = line->seen[i];
		const struct option_word *w = row->kind == WORD ? row->words : NULL;
		unsigned group = option_group(row);
		if (group != 0 && !(accepts & group))
			return refuse(line, row, "", group);
		while (w && w->text && /* the word that was given */
		       w->value != *(const int *)((const char *)line->o + row->offset))
			w++;
		if (w && w->text && w->group != 0 && !(accepts & w->group))
			return refuse(line, row, w->text, w->group);
	}
	return true;
}

static bool
check_server(const struct options *o, struct err *err)
{
	int servers = o->demo + (o->configs.len > 0) + !!o->command + !!o->url;

	if (servers > 1)
		return err_set(err, "more than one server: a URL, --demo, --config and -- "
				    "COMMAND exclude each other");
	if (!o->url && (o->headers.len > 0 || o->insecure))
		return err_set(err, "--%s goes with a URL", o->insecure ? "insecure" : "header");
	if (o->server && servers > 0 && o->configs.len == 0)
		return err_set(err, "--server selects a server of a file");
	for (size_t i = 0; i < o->headers.len; i++) {
		const char *header = o->headers.items[i], *colon = strchr(header, ':');
		if (!colon || colon == header || strpbrk(header, "\r\n")) /* one header */
			return err_set(
			    err, "\"%.80s\" is not a header such as \"Name: value\"", header);
	}
	for (size_t i = 0; i < o->inputs.len; i++)
		if (!strchr(o->inputs.items[i], '=') || o->inputs.items[i][0] == '=')
			return err_set(
			    err, "--input: \"%.80s\" is not ID=VALUE", o->inputs.items[i]);
	if (o->subcommand->server == SERVER_REQUIRED && servers == 0 && !o->server)
		return err_set(err, "no server: give a URL, --demo, --config FILE, --server "
				    "NAME, or -- COMMAND ARG...");
	return true;
}

/* Checks that need the complete command line. */
static bool
check_all(struct command_line *line)
{
	struct options *o = line->o;
	const struct subcommand *row = o->subcommand;

	if (line->done)
		return true;
	if (!check_options(line))
		return false;
	if (row->server == SERVER_URL)
		return (o->url && !o->command) ||
		       err_set(line->err, "%s: %s", row->name,
			   o->url ? "takes a URL, not a command" : "the server's URL is missing");
	if (row->check && !row->check(o, line->err))
		return false;
	return options_read_replies(o, line->err) && check_operands(line) &&
	       (row->server == SERVER_NONE || check_server(o, line->err));
}

bool
options_parse(struct options *o, int argc, char *const *argv, struct err *err)
{
	struct command_line line = { .o = o, .err = err, .next = argv + (argc > 0) };

	*o = (struct options){
		.subcommand = subcommands,
		.full_screen = true,
		.screen.colors = BACKEND_COLORS_AUTO,
		.connect.grace_ms = -1,
		.connect.kill_ms = -1,
	};
	if (take_all(&line) && check_all(&line))
		return true;
	options_finish(o);
	return false;
}

void
options_finish(struct options *o)
{
	for (size_t i = 0; i < o->call.arguments.len; i++)
		free(o->call.arguments.items[i].path);
	free(o->call.arguments.items);
	free(o->screen.commands.items);
	free(o->headers.items);
	free(o->check.instances.items);
	free(o->diff.files.items);
	free(o->history.past.items);
	free(o->run.recipes.items);
	free(o->check.maps.items);
	free(o->call.metas.items);
	free(o->call.variables.items);
	free(o->call.sends.items);
	free(o->configs.items);
	free(o->inputs.items);
	free(o->render.steps.items);
	free(o->render.allowed.items);
	free(o->record.origins.items);
	strings_finish(&o->answer.root_uris);
	free(o->answer.roots.items);
	free(o->answer.sampling_text);
	*o = (struct options){ 0 };
}

#include "options_priv.h"
#include "output_priv.h"

#include "cli/commands.h"

#include <string.h>

/* The help fits a terminal of 80 columns. */
enum { LEFT_COLS = 26, HELP_COLS = 54 };

static const char usage[] =
    "mcpane fills the terminal: a host and inspector for MCP servers.\n"
    "\n"
    "  mcpane                        choose among the servers that are found here\n"
    "  mcpane --demo                 the built-in demo server\n"
    "  mcpane https://host/mcp       a server reached by HTTP\n"
    "  mcpane -- node server.js      a program; everything after -- is its command\n"
    "  mcpane --config FILE          those of a file, as other clients have it\n"
    "\n"
    "Without the screen, for scripts; SERVER is one of the above, or --server NAME of\n"
    "those that are found; -- COMMAND comes last:\n"
    "\n"
    "  mcpane list [tools|resources|templates|prompts] SERVER [--json]\n"
    "  mcpane call SERVER TOOL [NAME=VALUE | NAME:=JSON]... [--args JSON] [--json]\n"
    "  mcpane read SERVER URI [--output FILE] [--json]\n"
    "  mcpane get SERVER PROMPT [NAME=VALUE]... [--json]\n"
    "  mcpane complete SERVER prompt|template NAME ARGUMENT VALUE [NAME=VALUE]...\n"
    "  mcpane ping SERVER [--json]\n"
    "  mcpane check SCHEMA.json INSTANCE.json... [--format FORMAT]\n"
    "  mcpane conformance SERVER\n"
    "  mcpane logout URL\n";

static const char ending[] =
    "\n"
    "Exit: 0 ok, 1 usage or other, 3 not authorized, 4 no answer from the server, 5\n"
    "its answer is an error, 7 a result breaks its outputSchema or an instance its\n"
    "schema, 9 that could not be decided. More is in the manual, mcpane(1).\n";

/* How much of a text goes on a line: up to a blank. */
static size_t
line_length(const char *text)
{
	size_t len = strlen(text);

	if (len <= HELP_COLS)
		return len;
	len = HELP_COLS;
	while (len > 0 && text[len] != ' ')
		len--;
	return len;
}

static void
add_row(struct buf *out, const struct option *row)
{
	const char letter[] = { '-', row->letter, ',', '\0' };
	size_t start = out->len;

	buf_addf(out, "  %-3s --%s%s%s", row->letter ? letter : "", row->name,
	    row->value ? " " : "", row->value ? row->value : "");
	int used = (int)(out->len - start);

	if (used > LEFT_COLS - 2) {
		buf_add_char(out, '\n');
		used = 0;
	}
	for (const char *text = row->help; *text; used = 0) {
		size_t len = line_length(text);
		buf_addf(out, "%*s%.*s\n", LEFT_COLS - used, "", (int)len, text);
		text += len + (text[len] == ' ');
	}
}

void
cli_options_help(struct buf *out)
{
	buf_add_str(out, usage);
	for (const struct option *row = option_table; row->help; row++) {
		if (row->name)
			add_row(out, row);
		else
			buf_addf(out, "\n%s\n", row->help);
	}
	buf_add_str(out, ending);
}

int
cli_help(const struct cli_options *o)
{
	struct buf out = BUF_INIT;

	(void)o;
	cli_options_help(&out);
	int code = output_write(&out, false);
	buf_finish(&out);
	return code;
}

int
cli_version(const struct cli_options *o)
{
	struct buf out = BUF_INIT;

	(void)o;
	buf_add_str(&out, "mcpane " VERSION);
	int code = output_write(&out, false);
	buf_finish(&out);
	return code;
}

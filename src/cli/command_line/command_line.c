#include "options.h"

#include "base/text_match.h"
#include "base/units.h"
#include "base/vec.h"
#include "host/options.h"
#include "ui/backend.h"

#include <stdlib.h>
#include <string.h>

static bool
take_word(const struct option *row, void *at, const char *value, struct err *err)
{
	for (const struct option_word *w = row->words; w->text; w++) {
		if (strcmp(w->text, value) == 0) {
			memcpy(at, &w->value, sizeof(w->value));
			return true;
		}
	}
	return err_set(
	    err, "--%s: unknown value \"%.80s\"; known: %s", row->name, value, row->help);
}

static bool
take_count(size_t *at, const char *value)
{
	enum { DIGITS_MAX = 15 };
	size_t digits = strspn(value, "0123456789");
	bool all = strcmp(value, "all") == 0;

	*at = all ? SIZE_MAX : strtoull(value, NULL, 10);
	return all || (digits > 0 && digits <= DIGITS_MAX && !value[digits] && *at > 0);
}

enum { COLUMNS_LEAST = 20, COLUMNS_MOST = 1000 };
enum { CELLS_LEAST_COLS = 10, CELLS_LEAST_ROWS = 4, CELLS_MOST = 400 };

static bool
take_columns(size_t *at, const char *value)
{
	char *end;
	unsigned long columns = strtoul(value, &end, 10);

	*at = columns;
	return *end == '\0' && strspn(value, "0123456789") == strlen(value) &&
	       columns >= COLUMNS_LEAST && columns <= COLUMNS_MOST;
}

static bool
take_cells(struct option_size *at, const char *value)
{
	char *end = NULL;
	long cols = strtol(value, &end, 10);
	long rows = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

	*at = (struct option_size){ (int)cols, (int)rows };
	return strspn(value, "0123456789x") == strlen(value) && *end == '\0' &&
	       cols >= CELLS_LEAST_COLS && cols <= CELLS_MOST && rows >= CELLS_LEAST_ROWS &&
	       rows <= CELLS_MOST;
}

static bool
take_subcommand(struct command_line *line, const char *name)
{
	const struct subcommand *row = subcommands;

	while (strcmp(row->name, name) != 0)
		row++;
	command_line_take_subcommand(line, row);
	return true;
}

static bool
take_value(struct command_line *line, const struct option *row, const char *value)
{
	void *at = (char *)line->o + row->offset;

	switch (row->kind) {
	case FLAG:
		*(bool *)at = true;
		return true;
	case TEXT:
		*(const char **)at = value;
		return true;
	case TIME:
		return units_parse_time_ms(value, at) ||
		       err_set(line->err,
			   "--%s: \"%.80s\" is not a time such as 500, 500ms, 30s or 2m", row->name,
			   value);
	case SIZE:
		return units_parse_size(value, at) ||
		       err_set(line->err, "--%s: \"%.80s\" is not a size such as 65536, 64K or 16M",
			   row->name, value);
	case COUNT:
		return take_count(at, value) ||
		       err_set(line->err, "--%s: \"%.80s\" is not a number from 1 on, or all",
			   row->name, value);
	case COLUMNS:
		return take_columns(at, value) ||
		       err_set(line->err, "--%s: \"%.80s\" is not a number from %d to %d",
			   row->name, value, COLUMNS_LEAST, COLUMNS_MOST);
	case CELLS:
		return take_cells(at, value) ||
		       err_set(line->err, "--%s: \"%.80s\" is not COLUMNSxROWS from %dx%d to %dx%d",
			   row->name, value, CELLS_LEAST_COLS, CELLS_LEAST_ROWS, CELLS_MOST,
			   CELLS_MOST);
	case WORD:
		return take_word(row, at, value, line->err);
	case SUBCOMMAND:
		return take_subcommand(line, row->subcommand);
	case STRINGS:
		*VEC_PUSH((struct option_strings *)at) = value;
		return true;
	case STEPS:
		*VEC_PUSH(&line->o->steps) = (struct option_step){ row->step, value };
		return true;
	}
	return false;
}

static void
note(struct command_line *line, const struct option *row)
{
	for (size_t i = 0; i < line->seen_count; i++)
		if (line->seen[i] == row)
			return;
	BUG_IF(line->seen_count == OPTIONS_MAX);
	line->seen[line->seen_count++] = row;
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
	note(line, row);
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
take_short(struct command_line *line, const char *text)
{
	for (const struct option *row = option_table; row->help; row++)
		if (row->letter && row->letter == text[0])
			return take_option(line, row, text[1] ? text + 1 : NULL);
	return err_set(line->err, "unknown option -%.80s: see mcpane --help", text);
}

/* As of a search: "-tool:list", and "-x" if no option has that letter. */
static bool
is_operand_with_dash(const struct command_line *line, const char *text)
{
	const struct operand *operands = line->o->subcommand->operands;
	const struct option *row = option_table;

	if (!operands || !operands->may_begin_with_dash || text[0] != '-' || !text[1] ||
	    text[1] == '-')
		return false;
	while (row->help && row->letter != text[1])
		row++;
	return text[2] || !row->help;
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
		bool is_operand = text[0] != '-' || !text[1] || is_operand_with_dash(line, text);
		if (is_operand                    ? !command_line_take_operand(line, text)
		    : strncmp(text, "--", 2) == 0 ? !take_long(line, text + 2)
						  : !take_short(line, text + 1))
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

static const struct subcommand *
next_that_takes(const struct subcommand *row, unsigned group)
{
	while (row->name && !(row->options & group))
		row++;
	return row;
}

/* word: the value that does not go with the subcommand; "" if no value does. */
static bool
refuse(
    const struct command_line *line, const struct option *option, const char *word, unsigned group)
{
	struct buf names = BUF_INIT;
	const struct subcommand *row = next_that_takes(subcommands, group), *next;

	for (; row->name; row = next) {
		next = next_that_takes(row + 1, group);
		buf_addf(&names, "%s%s",
		    names.len == 0 ? ""
		    : next->name   ? ", "
				   : " and ",
		    row->name);
	}
	err_set(line->err, "--%s%s%s goes with %s, not with %s", option->name, *word ? " " : "",
	    word, buf_text(&names), line->o->subcommand->name);
	buf_finish(&names);
	return false;
}

/* The word that was given for an option; NULL if it takes none. */
static const struct option_word *
word_of(const struct command_line *line, const struct option *row)
{
	const struct option_word *w = row->kind == WORD ? row->words : NULL;

	while (w && w->text && w->value != *(const int *)((const char *)line->o + row->offset))
		w++;
	return w && w->text ? w : NULL;
}

/* Refuses options that the subcommand would ignore. */
static bool
check_options(const struct command_line *line)
{
	unsigned accepts = line->o->subcommand->options;

	for (size_t i = 0; i < line->seen_count; i++) {
		const struct option *row = line->seen[i];
		const struct option_word *w = word_of(line, row);
		unsigned group = option_group(row);
		if (group != 0 && !(accepts & group))
			return refuse(line, row, "", group);
		if (w && w->group != 0 && !(accepts & w->group))
			return refuse(line, row, w->text, w->group);
	}
	return true;
}

/* A line break would start a second header. */
static bool
is_header(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon > text && !strpbrk(text, "\r\n");
}

static bool
check_values(const struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->headers.len; i++)
		if (!is_header(o->headers.items[i]))
			return err_set(err, "\"%.80s\" is not a header such as \"Name: value\"",
			    o->headers.items[i]);
	for (size_t i = 0; i < o->inputs.len; i++)
		if (!strchr(o->inputs.items[i], '=') || o->inputs.items[i][0] == '=')
			return err_set(
			    err, "--input: \"%.80s\" is not ID=VALUE", o->inputs.items[i]);
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
	if (!check_values(o, err))
		return false;
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
	return options_read_replies(o, line->err) && command_line_check_operands(line) &&
	       (row->server == SERVER_NONE || check_server(o, line->err));
}

bool
options_parse(struct options *o, int argc, char *const *argv, struct err *err)
{
	struct command_line line = { .o = o, .err = err, .next = argv + (argc > 0) };

	*o = (struct options){
		.subcommand = subcommands,
		.full_screen = true,
		.colors = BACKEND_COLORS_AUTO,
		.grace_ms = -1,
		.kill_ms = -1,
	};
	if (take_all(&line) && check_all(&line))
		return true;
	options_finish(o);
	return false;
}

void
options_finish(struct options *o)
{
	for (size_t i = 0; i < o->arguments.len; i++)
		free(o->arguments.items[i].path);
	free(o->arguments.items);
	free(o->commands.items);
	free(o->headers.items);
	free(o->instances.items);
	free(o->files.items);
	free(o->past.items);
	free(o->recipes.items);
	free(o->maps.items);
	free(o->metas.items);
	free(o->variables.items);
	free(o->sends.items);
	free(o->configs.items);
	free(o->inputs.items);
	free(o->steps.items);
	free(o->allowed.items);
	free(o->origins.items);
	options_finish_replies(o);
	*o = (struct options){ 0 };
}

#include "cli/options.h"

#include "base/likely.h"
#include "base/quantity.h"
#include "base/vec.h"
#include "answers_priv.h"
#include "options_priv.h"
#include "ui/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
take_word(const struct option *row, void *at, const char *value, struct err *err)
{
	for (const struct word *w = row->words; w->text; w++) {
		if (strcmp(w->text, value) == 0) {
			memcpy(at, &w->value, sizeof(w->value));
			return true;
		}
	}
	return err_set(
	    err, "--%s: \"%.80s\" is none of its words: %s", row->name, value, row->help);
}

bool
options_take_mode(struct parser *p, enum cli_mode mode)
{
	p->o->mode = mode;
	p->has_command = true;
	p->done = mode == CLI_HELP || mode == CLI_VERSION;
	return true;
}

static bool
take_value(struct parser *p, const struct option *row, const char *value)
{
	void *at = (char *)p->o + row->offset;

	switch (row->kind) {
	case FLAG:
		*(bool *)at = true;
		return true;
	case TEXT:
		*(const char **)at = value;
		return true;
	case TIME:
		return quantity_time_ms(value, at) ||
		       err_set(p->err,
			   "--%s: \"%.80s\" is not a time such as 500, 500ms, 30s or 2m", row->name,
			   value);
	case SIZE:
		return quantity_size(value, at) ||
		       err_set(p->err, "--%s: \"%.80s\" is not a size such as 65536, 64K or 16M",
			   row->name, value);
	case WORD:
		return take_word(row, at, value, p->err);
	case MODE:
		return options_take_mode(p, row->mode);
	case STRINGS:
		*VEC_PUSH((struct cli_strings *)at) = value;
		return true;
	}
	return false;
}

static void
note(struct parser *p, const struct option *row)
{
	for (size_t i = 0; i < p->seen_count; i++)
		if (p->seen[i] == row)
			return;
	BUG_IF(p->seen_count == OPTIONS_MAX);
	p->seen[p->seen_count++] = row;
}

/* The option's value is glued to it, or the next argument. */
static bool
take_option(struct parser *p, const struct option *row, const char *glued)
{
	const char *value = glued;

	if (!row->value && glued)
		return err_set(p->err, "--%s takes no value", row->name);
	if (row->value && !glued) {
		value = *p->next;
		if (!value || strcmp(value, "--") == 0)
			return err_set(
			    p->err, "--%s: a value is missing: %s", row->name, row->value);
		p->next++;
	}
	note(p, row);
	return take_value(p, row, value);
}

static bool
take_long(struct parser *p, const char *text)
{
	size_t len = strcspn(text, "=");

	struct likely meant;

	likely_init(&meant, text, len);
	for (const struct option *row = option_table; row->help; row++) {
		if (!row->name)
			continue;
		if (strlen(row->name) == len && memcmp(row->name, text, len) == 0)
			return take_option(p, row, text[len] ? text + len + 1 : NULL);
		likely_try(&meant, row->name);
	}
	len = len < 80 ? len : 80;
	if (meant.name)
		return err_set(p->err, "there is no option --%.*s; did you mean --%s?", (int)len,
		    text, meant.name);
	return err_set(p->err, "there is no option --%.*s: see mcpane --help", (int)len, text);
}

static bool
take_short(struct parser *p, const char *text)
{
	for (const struct option *row = option_table; row->help; row++)
		if (row->letter && row->letter == text[0])
			return take_option(p, row, text[1] ? text + 1 : NULL);
	return err_set(p->err, "there is no option -%.80s: see mcpane --help", text);
}

static bool
take_all(struct parser *p)
{
	while (!p->done && *p->next) {
		const char *text = *p->next++;
		if (strcmp(text, "--") == 0) {
			p->o->command = p->next;
			return *p->next || err_set(p->err, "after -- comes the server's command");
		}
		if (strncmp(text, "--", 2) == 0 ? !take_long(p, text + 2)
		    : text[0] == '-' && text[1] ? !take_short(p, text + 1)
						: !options_take_operand(p, text))
			return false;
	}
	return true;
}

static unsigned
modes_of(const struct option *row)
{
	const struct option *heading = row;

	while (heading->name)
		heading--; /* the first row is one */
	return row->modes ? row->modes : heading->modes;
}

static const char *
mode_name(enum cli_mode mode)
{
	const char *name = options_mode_name(mode);

	return name ? name : mode == CLI_TUI ? "the screen" : "--serve-demo";
}

static bool
refuse(const struct parser *p, const struct option *row, unsigned modes)
{
	char names[200] = "";
	size_t len = 0;

	for (int mode = 0; mode <= CLI_VERSION; mode++) {
		unsigned later = modes & ~(OPTION_MODE(mode + 1) - 1);
		if (modes & OPTION_MODE(mode) && len < sizeof(names))
			len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
			    len == 0 ? ""
			    : later  ? ", "
				     : " and ",
			    mode_name((enum cli_mode)mode));
	}
	return err_set(
	    p->err, "--%s goes with %s, not with %s", row->name, names, mode_name(p->o->mode));
}

/* Options that make no difference there are a misunderstanding. */
static bool
check_modes(const struct parser *p)
{
	for (size_t i = 0; i < p->seen_count; i++) {
		unsigned modes = modes_of(p->seen[i]);
		if (modes != 0 && !(modes & OPTION_MODE(p->o->mode)))
			return refuse(p, p->seen[i], modes);
	}
	return true;
}

static bool
check_instances(const struct parser *p)
{
	const struct cli_options *o = p->o;
	size_t streams = o->schema && strcmp(o->schema, "-") == 0;

	if (o->command || o->url)
		return err_set(p->err, "check: there is no server in it");
	if (!o->schema)
		return err_set(p->err, "check: the schema is missing");
	if (o->instances.len == 0)
		return err_set(p->err, "check: what to check is missing; - is standard input");
	for (size_t i = 0; i < o->instances.len; i++)
		streams += strcmp(o->instances.items[i], "-") == 0;
	return streams <= 1 || err_set(p->err, "check: standard input can be read only once");
}

/* A line break in it would make it two. */
static bool
is_header(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon > text && !strpbrk(text, "\r\n");
}

/* What only shows once all of it was read. */
static bool
check_all(struct parser *p)
{
	const struct cli_options *o = p->o;

	if (o->mode == CLI_HELP || o->mode == CLI_VERSION)
		return true;
	if (!check_modes(p))
		return false;
	if (o->mode == CLI_LOGOUT)
		return (o->url && !o->command) ||
		       err_set(p->err, o->url ? "logout: it takes a URL and no command"
					      : "logout: the server's URL is missing");
	if (o->mode == CLI_SERVE_DEMO)
		return true;
	if (!answers_read(p->o, p->err))
		return false;
	if (o->mode == CLI_CHECK)
		return check_instances(p);
	if (!options_check_operands(p))
		return false;
	int targets = o->demo + (o->configs.len > 0) + !!o->command + !!o->url;
	if (targets > 1)
		return err_set(p->err, "more than one server: a URL, --demo, --config and -- "
				       "COMMAND exclude each other");
	if (!o->url && (o->headers.len > 0 || o->insecure))
		return err_set(p->err, "--%s goes with a URL", o->insecure ? "insecure" : "header");
	if (o->server && targets > 0 && o->configs.len == 0)
		return err_set(p->err, "--server names one of a file's servers");
	for (size_t i = 0; i < o->headers.len; i++)
		if (!is_header(o->headers.items[i]))
			return err_set(p->err, "\"%.80s\" is not a header such as \"Name: value\"",
			    o->headers.items[i]);
	for (size_t i = 0; i < o->inputs.len; i++)
		if (!strchr(o->inputs.items[i], '=') || o->inputs.items[i][0] == '=')
			return err_set(
			    p->err, "--input: \"%.80s\" is not ID=VALUE", o->inputs.items[i]);
	if (o->mode != CLI_TUI && targets == 0 && !o->server)
		return err_set(p->err, "no server: give a URL, --demo, --config FILE, --server "
				       "NAME, or -- COMMAND ARG...");
	return true;
}

bool
cli_options_parse(struct cli_options *o, int argc, char *const *argv, struct err *err)
{
	struct parser p = { .o = o, .err = err, .next = argv + (argc > 0) };

	*o = (struct cli_options){ .colors = BACKEND_COLORS_AUTO, .grace_ms = -1, .kill_ms = -1 };
	if (take_all(&p) && check_all(&p))
		return true;
	cli_options_finish(o);
	return false;
}

void
cli_options_finish(struct cli_options *o)
{
	for (size_t i = 0; i < o->arguments.len; i++)
		free(o->arguments.items[i].path);
	free(o->arguments.items);
	free(o->commands.items);
	free(o->headers.items);
	free(o->instances.items);
	free(o->maps.items);
	free(o->configs.items);
	free(o->inputs.items);
	answers_finish(o);
	*o = (struct cli_options){ 0 };
}

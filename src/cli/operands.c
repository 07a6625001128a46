#include "options_priv.h"

#include "base/likely.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "base/web.h"

#include <assert.h>
#include <string.h>

/* What of a command line is no option: the command, the server's URL, what the command is about. */

static const struct word commands[] = {
	{ "list", CLI_LIST },
	{ "call", CLI_CALL },
	{ "read", CLI_READ },
	{ "get", CLI_GET },
	{ "complete", CLI_COMPLETE },
	{ "ping", CLI_PING },
	{ "check", CLI_CHECK },
	{ "conformance", CLI_CONFORMANCE },
	{ "logout", CLI_LOGOUT },
	{ "help", CLI_HELP },
	{ "version", CLI_VERSION },
	{ NULL, 0 },
};

const char *
options_mode_name(enum cli_mode mode)
{
	for (const struct word *w = commands; w->text; w++)
		if (w->value == (int)mode)
			return w->text;
	return NULL;
}

/* NAME=VALUE or NAME:=JSON. */
static bool
take_argument(struct parser *p, const char *text)
{
	const char *equals = strchr(text, '=');
	size_t len = equals ? (size_t)(equals - text) : 0;
	bool is_json = len > 0 && text[len - 1] == ':';

	len -= is_json;
	if (is_web_url(text))
		return err_set(p->err, "the server's URL comes before the name: URL %.80s",
		    p->o->tool);
	if (len == 0)
		return err_set(p->err, "\"%.80s\" is neither NAME=VALUE nor NAME:=JSON", text);
	*VEC_PUSH(&p->o->arguments) = (struct cli_argument){
		.path = mem_strndup(text, len),
		.text = equals + 1,
		.is_json = is_json,
	};
	return true;
}

/* ---- one of each command, the nth ---- */

static bool
take_none(struct parser *p, const char *text, int nth)
{
	struct likely meant;

	likely_init(&meant, text, strlen(text));
	for (const struct word *w = commands; nth == 0 && !p->has_command && w->text; w++)
		likely_try(&meant, w->text);
	if (meant.name)
		return err_set(p->err, "what is \"%.80s\"? Did you mean %s?", text, meant.name);
	return err_set(p->err,
	    "what is \"%.80s\"? A server's command goes after --, as in: mcpane -- %.80s", text,
	    text);
}

static bool
take_listed(struct parser *p, const char *text, int nth)
{
	struct likely meant;

	likely_init(&meant, text, strlen(text));
	for (int kind = 0; nth == 0 && kind < OFFER_KINDS; kind++) {
		likely_try(&meant, offer_kind_plural((enum offer_kind)kind));
		if (strcmp(offer_kind_plural((enum offer_kind)kind), text) != 0)
			continue;
		p->o->kind = (enum offer_kind)kind;
		return true;
	}
	if (meant.name)
		return err_set(
		    p->err, "list: what is \"%.80s\"? Did you mean %s?", text, meant.name);
	return err_set(p->err,
	    "list: \"%.80s\" cannot be listed, only tools, resources, templates or prompts", text);
}

static bool
take_named(struct parser *p, const char *text, int nth)
{
	if (nth > 0)
		return take_argument(p, text);
	p->o->tool = text;
	return true;
}

static bool
take_uri(struct parser *p, const char *text, int nth)
{
	if (nth > 0)
		return err_set(p->err, "read: one URI at a time, \"%.80s\" is too much", text);
	p->o->uri = text;
	return true;
}

static bool
take_completed(struct parser *p, const char *text, int nth)
{
	const char **const places[] = { NULL, &p->o->tool, &p->o->argument, &p->o->value };

	if (nth > 3)
		return take_argument(p, text);
	if (nth > 0) {
		*places[nth] = text;
		return true;
	}
	p->o->kind = strcmp(text, "template") == 0 ? OFFER_TEMPLATE : OFFER_PROMPT;
	return p->o->kind == OFFER_TEMPLATE || strcmp(text, "prompt") == 0 ||
	       err_set(p->err, "complete: \"%.80s\" is neither prompt nor template", text);
}

static bool
take_checked(struct parser *p, const char *text, int nth)
{
	if (nth == 0)
		p->o->schema = text;
	else
		*VEC_PUSH(&p->o->instances) = text;
	return true;
}

static bool
refuse_scheme(struct parser *p, const char *url)
{
	struct buf shown = BUF_INIT;

	secret_hide_url(&shown, url);
	err_set(p->err, "%.80s: only http:// and https:// lead to a server", buf_text(&shown));
	buf_finish(&shown);
	return false;
}

static const struct {
	bool (*take)(struct parser *p, const char *text, int nth);
	int url_until; /* a URL is the server's when so many operands at most came before */
} places[] = {
	[CLI_TUI] = { take_none, 0 },
	[CLI_LIST] = { take_listed, 1 },
	[CLI_CALL] = { take_named, 0 },
	[CLI_READ] = { take_uri, 0 },
	[CLI_GET] = { take_named, 0 },
	[CLI_COMPLETE] = { take_completed, 0 },
	[CLI_PING] = { take_none, 0 },
	[CLI_CHECK] = { take_checked, -1 },
	[CLI_CONFORMANCE] = { take_none, 0 },
	[CLI_LOGOUT] = { take_none, 0 },
	[CLI_SERVE_DEMO] = { take_none, -1 },
	[CLI_HELP] = { take_none, -1 },
	[CLI_VERSION] = { take_none, -1 },
};
static_assert(sizeof(places) / sizeof(*places) == CLI_VERSION + 1, "a row for every mode");

bool
options_take_operand(struct parser *p, const char *text)
{
	for (const struct word *w = commands; !p->has_command && w->text; w++)
		if (strcmp(w->text, text) == 0)
			return options_take_mode(p, (enum cli_mode)w->value);
	bool may_be_server = p->operands <= places[p->o->mode].url_until && !p->o->url;
	if (may_be_server && is_web_url(text)) {
		p->o->url = text;
		return true;
	}
	if (may_be_server && strstr(text, "://") && p->o->mode != CLI_READ)
		return refuse_scheme(p, text);
	return places[p->o->mode].take(p, text, p->operands++);
}

static bool
has_other_server(const struct cli_options *o)
{
	return o->demo || o->configs.len > 0 || o->command || o->server;
}

bool
options_check_operands(struct parser *p)
{
	struct cli_options *o = p->o;

	if (o->mode == CLI_READ && !o->uri && o->url && has_other_server(o)) {
		o->uri = o->url; /* read https://host/page -- COMMAND */
		o->url = NULL;
	}
	if (o->mode == CLI_CALL && !o->tool)
		return err_set(p->err, "call: the name of a tool is missing");
	if (o->mode == CLI_GET && !o->tool)
		return err_set(p->err, "get: the name of a prompt is missing");
	if (o->mode == CLI_READ && !o->uri)
		return err_set(p->err, "read: the URI of a resource is missing");
	if (o->mode == CLI_COMPLETE && !o->value)
		return err_set(p->err, "complete: prompt or template, its name, an argument and "
				       "what is typed of it are needed");
	return true;
}

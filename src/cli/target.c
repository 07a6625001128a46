#include "cli/target.h"

#include "base/buf.h"
#include "base/mem.h"

#include <limits.h>
#include <string.h>

/* "a, b, c", as much of it as an error holds. */
static void
list_names(const struct config *c, struct buf *out)
{
	for (size_t i = 0; i < c->len; i++)
		buf_addf(out, "%s%s", i ? ", " : "", c->items[i].name);
}

static bool
choose(struct cli_target *t, const struct cli_options *o, struct err *err)
{
	struct buf names = BUF_INIT;

	if (!config_load(&t->config, o->config, err))
		return false;
	if (t->config.len == 0)
		return err_set(err, "%s: no server is in it", o->config);
	if (o->server)
		t->chosen = config_find(&t->config, o->server);
	else if (t->config.len == 1)
		t->chosen = &t->config.items[0];
	if (t->chosen)
		return true;
	list_names(&t->config, &names);
	if (o->server)
		err_set(err, "%.80s: no server \"%.60s\" in it; there are: %s", o->config,
		    o->server, buf_text(&names));
	else
		err_set(err, "%.80s: which server? Give --server NAME; there are: %s", o->config,
		    buf_text(&names));
	buf_finish(&names);
	return false;
}

static void
take_url(struct target *t, const struct cli_options *o)
{
	size_t n = o->headers.len;

	target_from_url(t, o->url);
	t->insecure = o->insecure;
	t->headers = mem_zalloc((n + 1) * sizeof(*t->headers));
	for (size_t i = 0; i < n; i++)
		t->headers[i] = mem_strdup(o->headers.items[i]);
}

bool
cli_target_own(struct target *t, const struct cli_options *o, struct err *err)
{
	if (o->url)
		take_url(t, o);
	else if (o->command)
		target_from_command(t, o->command);
	else
		return target_from_demo(t, err);
	return true;
}

bool
cli_target_find(struct cli_target *t, const struct cli_options *o, struct err *err)
{
	*t = (struct cli_target){ 0 };
	if (o->config) {
		if (choose(t, o, err))
			return true;
		cli_target_finish(t);
		return false;
	}
	t->chosen = &t->own;
	return cli_target_own(&t->own, o, err);
}

void
cli_target_finish(struct cli_target *t)
{
	target_finish(&t->own);
	config_finish(&t->config);
	t->chosen = NULL;
}

static int
ladder_ms(int64_t given, int otherwise)
{
	return given < 0 ? otherwise : given > INT_MAX ? INT_MAX : (int)given;
}

struct connection_options
cli_connection_options(const struct cli_options *o)
{
	return (struct connection_options){
		.server = {
			.session = {
				.era = o->era,
				.version = o->protocol,
				.ping_ms = o->ping_ms,
				.client_name = "mcpane",
				.client_version = VERSION,
				.timeout_ms = o->timeout_ms,
				.max_timeout_ms = o->max_timeout_ms,
				.can = { .elicitation_form = true },
			},
			.journal_max_bytes = o->journal_max_bytes,
		},
		.ladder = {
			.grace_ms = ladder_ms(o->grace_ms, child_default_ladder.grace_ms),
			.kill_ms = ladder_ms(o->kill_ms, child_default_ladder.kill_ms),
		},
		.max_message_bytes = o->max_message_bytes,
	};
}

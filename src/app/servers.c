#include "servers_priv.h"

#include "base/mem.h"
#include "cli/target.h"

#include <stdlib.h>
#include <string.h>

struct servers *
servers_create(struct loop *loop, struct worker *worker, const struct cli_options *options,
    const struct servers_events *events, void *user)
{
	struct servers *s = mem_zalloc(sizeof(*s));

	*s = (struct servers){
		.loop = loop, .worker = worker, .options = options, .events = events, .user = user
	};
	cli_inputs_fill(&s->inputs, options);
	return s;
}

void
servers_destroy(struct servers *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->items.len; i++)
		servers_item_destroy(s->items.items[i]);
	free(s->items.items);
	free(s->choices.items);
	inputs_finish(&s->inputs);
	cli_authorization_finish(&s->authorization);
	free(s);
}

/* ---- connections ---- */

static void
connect_item(struct servers *s, struct item *item)
{
	struct connection_options options = cli_connection_options(s->options);

	options.worker = s->worker;
	options.keeps_tasks = true;
	options.reopens = true;
	options.authorize = &s->authorization.options;
	options.server.calls_after = item->serial << 32;
	item->connection =
	    connection_create(s->loop, &item->run, &options, s->events->on_change, s->user);
}

/* A command that is not there is a state to be shown, not a refusal. */
bool
servers_start(struct servers *s, size_t choice, struct err *err)
{
	struct item *item = servers_item_at(s, choice, err);
	struct target run;

	if (!item)
		return false;
	if (item->target.trouble)
		return err_set(err, "%s: %s", item->target.name, item->target.trouble);
	if (item->mark[0] && !item->approved)
		return err_set(err, "%s was not approved", item->target.name);
	if (!inputs_fill(&s->inputs, &run, &item->target, err))
		return false;
	target_finish(&item->before);
	item->before = item->run;
	item->run = run;
	if (!item->connection)
		connect_item(s, item);
	connection_start(item->connection, NULL);
	servers_publish(s);
	return true;
}

bool
servers_stop(struct servers *s, size_t choice, struct err *err)
{
	struct item *item = servers_item_at(s, choice, err);

	if (!item)
		return false;
	if (!item->connection || !connection_stop(item->connection))
		return err_set(err, "%s is not connected", item->target.name);
	return true;
}

/* "ID [SECRET]" */
static bool
set_client(struct authorizer *a, const char *text, struct err *err)
{
	size_t len = strcspn(text, " ");
	const char *from = text + len + strspn(text + len, " ");
	char *secret = NULL;

	if (*from && !cli_secret_read(&secret, from, false, err))
		return false;
	char *id = mem_strndup(text, len);
	bool ok = authorizer_set_client(a, id, secret, err);
	free(id);
	free(secret);
	return ok;
}

bool
servers_authorize(
    struct servers *s, size_t choice, enum workbench_auth what, const char *text, struct err *err)
{
	struct item *item = servers_item_at(s, choice, err);
	struct authorizer *a =
	    item && item->connection ? connection_authorizer(item->connection) : NULL;

	if (!a)
		return err_set(err, "there is nothing to authorize");
	switch (what) {
	case WORKBENCH_AUTH_NEXT:
		return authorizer_next(a, err);
	case WORKBENCH_AUTH_AGAIN:
		return authorizer_again(a, err);
	case WORKBENCH_AUTH_PASTE:
		return authorizer_paste(a, text, err);
	case WORKBENCH_AUTH_CLIENT:
		return set_client(a, text, err);
	case WORKBENCH_AUTH_FORGET:
		authorizer_forget(a);
		return true;
	}
	return false;
}

void
servers_farewell(struct servers *s)
{
	struct connection **all;

	if (!s)
		return;
	all = mem_zalloc((s->items.len + 1) * sizeof(*all));
	for (size_t i = 0; i < s->items.len; i++)
		all[i] = s->items.items[i]->connection;
	connection_farewell(s->loop, all, s->items.len);
	free(all);
}

bool
servers_approve(struct servers *s, size_t choice, struct err *err)
{
	struct item *item = servers_item_at(s, choice, err);

	if (!item)
		return false;
	item->approved = true; /* for this time, even where it cannot be remembered */
	servers_publish(s);
	return trust_give(&item->target, item->mark, err);
}

const struct target_input *
servers_wanted(const struct servers *s, size_t choice)
{
	const struct item *item = servers_item_at(s, choice, NULL);

	return item ? inputs_missing(&s->inputs, &item->target) : NULL;
}

void
servers_give(struct servers *s, size_t choice, const char *id, const char *value)
{
	const struct item *item = servers_item_at(s, choice, NULL);

	if (item)
		inputs_set(&s->inputs, item->target.file, id, value);
}

size_t
servers_running(const struct servers *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->choices.len; i++)
		if (s->choices.items[i].server)
			n += server_running(s->choices.items[i].server);
	return n;
}

void
servers_touch(struct servers *s)
{
	for (size_t i = 0; i < s->items.len; i++)
		if (s->items.items[i]->connection)
			connection_touch(s->items.items[i]->connection);
}

#include "servers_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "cli/target.h"
#include "host/own_file.h"
#include "host/roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Which servers may be chosen, as their files have them, and the user's own file. */

void
servers_item_destroy(struct item *item)
{
	connection_destroy(item->connection);
	target_finish(&item->target);
	target_finish(&item->run);
	target_finish(&item->before);
	free(item->dangers.items);
	free(item->folder);
	free(item);
}

void
servers_publish(struct servers *s)
{
	s->choices.len = 0;
	for (size_t i = 0; i < s->items.len; i++) {
		const struct item *item = s->items.items[i];
		*VEC_PUSH(&s->choices) = (struct server_choice){
			.target = &item->target,
			.origin = item->origin,
			.unapproved = item->mark[0] && !item->approved,
			.pid = item->connection ? connection_pid(item->connection) : 0,
			.server = item->connection ? connection_server(item->connection) : NULL,
			.folder = item->folder,
			.dangers = item->dangers.items,
			.danger_count = item->dangers.len,
		};
	}
	s->events->on_choices(s->user, s->choices.items, s->choices.len);
}

/* What an item is once its target is known. */
static void
examine(struct item *item)
{
	const char *cwd = item->target.cwd;

	item->dangers.len = 0;
	item->mark[0] = '\0';
	if (item->origin != CHOICE_PROJECT || item->target.trouble)
		return;
	trust_mark(&item->target, item->mark);
	item->approved = trust_is_given(item->mark);
	char *here = getcwd(NULL, 0);
	trust_find_dangers(&item->target, here ? here : "/", &item->dangers);
	free(item->folder);
	item->folder = cwd && cwd[0] == '/' ? mem_strdup(cwd)
		       : here ? mem_printf("%s%s%s", here, cwd ? "/" : "", cwd ? cwd : "")
			      : NULL;
	free(here);
}

static bool
same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct item *
find_item(const struct servers *s, const struct target *t)
{
	for (size_t i = 0; i < s->items.len; i++)
		if (strcmp(s->items.items[i]->target.name, t->name) == 0 &&
		    same_text(s->items.items[i]->target.file, t->file))
			return s->items.items[i];
	return NULL;
}

static struct item *
take_entry(struct servers *s, struct roster_entry *entry)
{
	struct item *item = find_item(s, &entry->target);

	if (item) {
		for (size_t i = 0; i < s->items.len; i++)
			if (s->items.items[i] == item) {
				VEC_REMOVE(&s->items, i);
				break;
			}
		target_finish(&item->target);
	} else {
		item = mem_zalloc(sizeof(*item));
		item->serial = s->last_serial++;
	}
	item->target = entry->target;
	item->origin = entry->origin;
	entry->target = (struct target){ 0 };
	examine(item);
	return item;
}

/* In the roster's order; what is no longer in a file stays at the end as long as it is connected.
 */
static void
take_roster(struct servers *s, struct roster *r)
{
	struct item **items = mem_zalloc((r->len + s->items.len + 1) * sizeof(*items));
	size_t len = 0;

	for (size_t i = 0; i < r->len; i++)
		items[len++] = take_entry(s, &r->items[i]);
	for (size_t i = 0; i < s->items.len; i++) {
		struct item *gone = s->items.items[i];
		if (!gone->connection) {
			servers_item_destroy(gone);
			continue;
		}
		free(gone->target.trouble);
		gone->target.trouble = mem_strdup("its file does not have it any more");
		items[len++] = gone;
	}
	free(s->items.items);
	s->items.items = items;
	s->items.cap = s->items.len = len;
	roster_finish(r);
	servers_publish(s);
}

static bool
add_demo(struct roster *r, struct err *err)
{
	struct target target;

	if (!target_from_demo(&target, err))
		return false;
	roster_take(r, &target, CHOICE_DEMO);
	return true;
}

/* Why a file cannot be read, without its name, which stands beside it. */
static char *
plain_trouble(const struct roster_trouble *t)
{
	size_t len = strlen(t->path);
	unsigned line, column;
	int used = 0;

	if (strncmp(t->why, t->path, len) != 0 || t->why[len] != ':')
		return mem_strdup(t->why);
	const char *why = t->why + len + 1;
	if (sscanf(why, "%u:%u: %n", &line, &column, &used) == 2 && used > 0)
		return mem_printf("line %u, column %u: %s", line, column, why + used);
	return mem_strdup(why + strspn(why, " "));
}

/* Such a file stands in the list too. */
static void
add_trouble(struct roster *r, const struct roster_trouble *t)
{
	const char *slash = t->path[0] == '/' ? strrchr(t->path, '/') : NULL;
	struct target target = {
		.name = mem_strdup(slash ? slash + 1 : t->path),
		.file = mem_strdup(t->path),
		.label = mem_strdup(""),
		.trouble = plain_trouble(t),
	};

	roster_take(r, &target, t->origin);
}

static bool
fill_roster(const struct servers *s, struct roster *r, struct err *err)
{
	const struct cli_options *o = s->options;
	bool named = o->demo || o->command || o->url || o->configs.len > 0;

	if (!cli_roster_fill(r, o, err))
		return false;
	if (named && s->added)
		roster_add_own(r);
	for (size_t i = 0; i < r->troubles.len; i++)
		add_trouble(r, &r->troubles.items[i]);
	return named || add_demo(r, err);
}

bool
servers_load(struct servers *s, struct err *err)
{
	struct roster r = { 0 };

	if (!s->prepared &&
	    !cli_authorization_init(&s->authorization, s->options, AUTHORIZER_ASKS, err))
		return false;
	s->prepared = true;
	bool ok = fill_roster(s, &r, err);
	if (ok)
		take_roster(s, &r);
	roster_finish(&r);
	return ok;
}

void
servers_reload(struct servers *s)
{
	servers_load(s, NULL);
}

struct item *
servers_item_at(const struct servers *s, size_t choice, struct err *err)
{
	if (choice < s->items.len)
		return s->items.items[choice];
	err_set(err, "there is no such server");
	return NULL;
}

/* ---- the user's own file ---- */

bool
servers_add(struct servers *s, const char *name, char *const *words, struct err *err)
{
	if (!own_file_add(name, words, err))
		return false;
	s->added = true;
	servers_reload(s);
	return true;
}

static struct item *
own_item(const struct servers *s, size_t choice, struct err *err)
{
	struct item *item = servers_item_at(s, choice, err);

	if (!item || item->origin == CHOICE_OWN)
		return item;
	if (item->target.file)
		err_set(err, "%.60s is in %.120s, which is not your own: edit it there",
		    item->target.name, item->target.file);
	else
		err_set(err, "%.60s is in no file", item->target.name);
	return NULL;
}

bool
servers_remove(struct servers *s, size_t choice, struct err *err)
{
	const struct item *item = own_item(s, choice, err);

	if (!item || !own_file_remove(item->target.name, err))
		return false;
	servers_reload(s);
	return true;
}

bool
servers_disable(struct servers *s, size_t choice, bool disabled, struct err *err)
{
	const struct item *item = own_item(s, choice, err);

	if (!item || !own_file_disable(item->target.name, disabled, err))
		return false;
	servers_reload(s);
	return true;
}

char *
servers_file(const struct servers *s, size_t choice)
{
	const struct item *item = servers_item_at(s, choice, NULL);

	return item && item->target.file ? mem_strdup(item->target.file) : roster_own_file();
}
